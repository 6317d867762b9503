/* From records to requests: one handler per record type, found in a table. */
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "replay/state.h"

/*
 * `side` records may stand anywhere and do not make a request by
 * themselves; the others do, also where its beginning was not recorded.
 */
static const struct {
    ait_handler *handle;
    ait_file_handler *file;
    bool side;
} handlers[AIT_REC_COUNT] = {
    [AIT_REC_CAPTURE] = {.file = ait_on_capture},
    [AIT_REC_RECV] = {.handle = ait_on_recv},
    [AIT_REC_PHASE] = {.handle = ait_on_phase, .side = true},
    [AIT_REC_SEND] = {.handle = ait_on_send},
    [AIT_REC_HEAD] = {.handle = ait_on_head},
    [AIT_REC_DATA] = {.handle = ait_on_data},
    [AIT_REC_EVENT] = {.handle = ait_on_event},
    [AIT_REC_MARK] = {.handle = ait_on_mark},
    [AIT_REC_MEASURE] = {.handle = ait_on_measure, .side = true},
    [AIT_REC_ISSUE] = {.handle = ait_on_issue, .side = true},
    [AIT_REC_END] = {.handle = ait_on_end, .side = true},
    [AIT_REC_DONE] = {.handle = ait_on_done, .side = true},
    [AIT_REC_LOST] = {.file = ait_on_lost},
    [AIT_REC_CLOSE] = {.file = ait_on_close},
};

ait_replay *ait_replay_new(const char *file, const char *format,
                           ait_file_report *report, ait_trace_fn *fn,
                           void *ctx)
{
    ait_replay *r = ait_alloc(sizeof *r);

    if (!r)
        return NULL;
    ait_keep_file_name(file, r->file);
    ait_keep_text(format, strlen(format), r->format);
    r->native = strcmp(format, "capture") == 0;
    r->report = report;
    r->fn = fn;
    r->ctx = ctx;
    ait_strmap_init(&r->map);
    return r;
}

void ait_replay_free(ait_replay *r)
{
    if (!r)
        return;
    ait_req_free_all(r);
    ait_stream_work_free(r->work); /* after the streams that use it */
    free(r);
}

void ait_replay_ask(ait_replay *r, int (*ask)(void *ctx), void *ctx)
{
    r->ask = ask;
    r->ask_ctx = ctx;
}

/* A recv for a request that is done: its id is used again. */
static bool begins_anew(const ait_req *q, const ait_record *rec)
{
    return rec->type == AIT_REC_RECV && q->received && q->finished;
}

static ait_code request_record(ait_replay *r, const ait_record *rec)
{
    ait_req *q = ait_req_of(r, rec);
    ait_code code;

    if (q && begins_anew(q, rec)) {
        code = ait_req_close(q);
        if (code != AIT_OK)
            return code;
        q = ait_req_of(r, rec);
    }
    if (!q)
        return AIT_ENOMEM;
    if (!handlers[rec->type].side && !q->known) {
        q->known = true;
        q->line = rec->line;
    }
    code = ait_req_bound(r);
    if (code == AIT_OK)
        code = handlers[rec->type].handle(q, rec);
    return r->no_memory ? AIT_ENOMEM : code;
}

int ait_replay_record(void *ctx, const ait_record *rec)
{
    ait_replay *r = ctx;

    if ((unsigned)rec->type >= AIT_REC_COUNT)
        return AIT_OK;
    r->segment.records++;
    if (handlers[rec->type].file)
        return handlers[rec->type].file(r, rec);
    return request_record(r, rec);
}

int ait_replay_finish(ait_replay *r)
{
    return ait_segment_end(r);
}
