/*
 * Any bytes as a file: recognised or not, read at two block sizes. Both must
 * give the same number of records and traces, the same text in them, and
 * the same report.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "input/input.h"

typedef struct counted {
    uint64_t calls, hash;
    ait_file_report report;
    ait_code code;
} counted;

static void mix(counted *c, const void *p, size_t n)
{
    c->hash = ait_hash64(c->hash, p ? p : "", p ? n : 0);
}

static int take_record(void *ctx, const ait_record *r)
{
    counted *c = ctx;

    c->calls++;
    mix(c, r->num, sizeof r->num);
    for (int i = 0; i < AIT_RT_COUNT; i++)
        mix(c, r->text[i].p, r->text[i].n);
    for (int i = 0; i < r->headers; i++) {
        mix(c, r->header[i].name.p, r->header[i].name.n);
        mix(c, r->header[i].value.p, r->header[i].value.n);
    }
    return AIT_OK;
}

static int take_trace(void *ctx, ait_trace *t)
{
    counted *c = ctx;
    uint64_t identity = ait_trace_identity(t);

    c->calls++;
    mix(c, &identity, sizeof identity);
    mix(c, t->num, sizeof t->num);
    mix(c, t->issues.count, sizeof t->issues.count);
    for (int i = 0; i < AIT_X_COUNT; i++)
        mix(c, t->text[i], t->text[i] ? strlen(t->text[i]) : 0);
    return AIT_OK;
}

static void read_in(counted *c, const uint8_t *data, size_t n, size_t block)
{
    /* seldom by content: looking at all known logs takes its time */
    bool open = n % 64 == 0 || (n > 9 && memcmp(data, "{\"type\":", 8) == 0);
    const char *format = open ? NULL : n % 8 ? "native" : "capture";
    ait_input_options o = {.format = format, .block = block};
    ait_sink sink = {.ctx = c, .record = take_record, .trace = take_trace};
    ait_error err;

    c->calls = c->hash = 0;
    c->code = ait_input_bytes("f", data, n, &o, &sink, &c->report, &err);
    c->report.bytes = 0; /* bytes after the last gzip member may differ */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static counted small, large;

    read_in(&small, data, size, 1 + size % 97);
    read_in(&large, data, size, 1u << 20);
    if (small.calls != large.calls || small.hash != large.hash ||
        small.code != large.code ||
        memcmp(&small.report, &large.report, sizeof small.report) != 0)
        abort();
    return 0;
}
