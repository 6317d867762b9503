/*
 * Any bytes as the log of one of the known gateways: the first byte says of
 * which, the rest is read at two block sizes, which must agree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "formats.h"
#include "input/map.h"

typedef struct counted {
    uint64_t hash;
    ait_file_report report;
    ait_code code;
} counted;

static int take(void *ctx, ait_trace *t)
{
    counted *c = ctx;
    uint64_t identity = ait_trace_identity(t);

    c->hash = ait_hash64(c->hash, &identity, sizeof identity);
    for (const ait_measure *m = t->measures; m; m = m->next)
        if (m->value < 0)
            abort();
    for (int i = 0; i < AIT_X_COUNT; i++)
        if (t->text[i] && strlen(t->text[i]) > 128)
            abort();
    return AIT_OK;
}

static void read_in(counted *c, const ait_map *m, const uint8_t *data,
                    size_t n, size_t block)
{
    ait_input_options o = {.map = m, .block = block};
    ait_sink sink = {.ctx = c, .trace = take};
    ait_error err;

    c->hash = 0;
    c->code = ait_input_bytes("f", data, n, &o, &sink, &c->report, &err);
    c->report.bytes = 0; /* bytes after the last gzip member may differ */
}

#define FORMATS (sizeof ait_format_files / sizeof *ait_format_files - 1)

/* Each mapping is read once and kept. */
static const ait_map *map_of(size_t i)
{
    static ait_map *maps[FORMATS];
    ait_error err;

    if (!maps[i])
        maps[i] = ait_map_read(ait_format_files[i].name,
                               (const char *)ait_format_files[i].bytes,
                               ait_format_files[i].size, NULL, &err);
    if (!maps[i])
        abort();
    return maps[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static counted small, large;
    const ait_map *m;

    if (size == 0)
        return 0;
    m = map_of(data[0] % FORMATS);
    read_in(&small, m, data + 1, size - 1, 1 + size % 61);
    read_in(&large, m, data + 1, size - 1, 1u << 20);
    if (small.hash != large.hash || small.code != large.code ||
        memcmp(&small.report, &large.report, sizeof small.report) != 0)
        abort();
    return 0;
}
