#ifndef AIT_TESTS_PIPELINE_H
#define AIT_TESTS_PIPELINE_H
/*
 * A whole import in one process for the tests: a file's bytes in, the trace
 * objects as JSON out, one a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analyse/analyse.h"
#include "input/input.h"
#include "render/render.h"
#include "replay/replay.h"

typedef struct pipeline {
    ait_buf out;
    ait_replay *replay;
    ait_file_report report;
    ait_thresholds limits;
    const char *name;
} pipeline;

static inline int pipeline_trace(void *ctx, ait_trace *t)
{
    pipeline *p = ctx;
    ait_verdict v;
    ait_jsonw w;

    ait_judge(t, &p->limits, &v);
    ait_jsonw_init(&w, &p->out, false);
    ait_render_trace_json(&w, t, &v);
    if (w.failed || !ait_buf_addc(&p->out, '\n'))
        return AIT_ENOMEM;
    return AIT_OK;
}

static inline int pipeline_record(void *ctx, const ait_record *r)
{
    pipeline *p = ctx;

    if (!p->replay)
        p->replay = ait_replay_new(p->name, p->report.format, &p->report,
                                   pipeline_trace, p);
    return p->replay ? ait_replay_record(p->replay, r) : AIT_ENOMEM;
}

/* The result lies in p->out until pipeline_free; free it in any case. */
static inline ait_code pipeline_run(pipeline *p, const char *name,
                                    const void *bytes, size_t n, size_t block)
{
    ait_input_options o = {0};
    ait_sink sink = {.ctx = p, .record = pipeline_record,
                     .trace = pipeline_trace};
    ait_error err;
    ait_code rc;

    memset(p, 0, sizeof *p);
    p->name = name;
    o.block = block;
    ait_error_clear(&err);
    ait_buf_init(&p->out, 256u << 20);
    ait_thresholds_init(&p->limits);
    rc = ait_input_bytes(name, bytes, n, &o, &sink, &p->report, &err);
    if (rc == AIT_OK && p->replay)
        rc = (ait_code)ait_replay_finish(p->replay);
    return rc;
}

static inline void pipeline_free(pipeline *p)
{
    ait_replay_free(p->replay);
    ait_buf_free(&p->out);
}

/* A whole small file; the caller frees. NULL: not readable. */
static inline char *pipeline_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    long size;

    *n = 0;
    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        bytes = malloc((size_t)size + 1);
        if (bytes)
            *n = fread(bytes, 1, (size_t)size, f);
    }
    fclose(f);
    return bytes;
}

#endif
