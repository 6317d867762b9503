/*
 * Any bytes as a mapping file. One that is read is run over a few lines and
 * its own samples are checked: nothing may go wrong, whatever it asks for.
 */
#include <stdlib.h>
#include <string.h>

#include "input/map.h"

static const char lines[] =
    "{\"a\":1,\"b\":\"60.0, 1.5\",\"c\":[{\"d\":2},{\"d\":\"x\"}],"
    "\"e\":\"{\\\"f\\\":3}\",\"t\":1790000000.5,\"u\":\"2026-10-03 08:00:00\","
    "\"k\":[{\"key\":\"n\",\"value\":{\"intValue\":\"7\"}}],\"z\":null}\n"
    "{\"a\":{\"a\":{\"a\":true}},\"b\":\"-\",\"c\":[],\"t\":\"50ms\"}\n"
    "[1,{\"a\":\"SECRET\"},[{\"a\":2}]]\nnonsense\n";

static int take(void *ctx, ait_trace *t)
{
    *(uint64_t *)ctx ^= ait_trace_identity(t);
    return AIT_OK;
}

static void run(const ait_map *m)
{
    uint64_t seen = 0;
    ait_input_options o = {.map = m};
    ait_sink sink = {.ctx = &seen, .trace = take};
    ait_file_report report;
    ait_error err;

    ait_input_bytes("f", lines, sizeof lines - 1, &o, &sink, &report, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    ait_buf permitted, out;
    ait_error err;
    ait_map *m;
    int ran;

    ait_error_clear(&err);
    ait_buf_init(&permitted, 1 << 20);
    ait_buf_init(&out, 1 << 20);
    m = ait_map_read("f.json", text, size, &permitted, &err);
    if (!m && err.code == AIT_OK)
        abort();
    if (m) {
        run(m);
        ait_map_check(m, text, size, &out, &ran);
    }
    ait_map_free(m);
    ait_buf_free(&permitted);
    ait_buf_free(&out);
    return 0;
}
