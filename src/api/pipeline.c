#include <string.h>
#include <unistd.h>
#include "api/pipeline.h"
#include "replay/replay.h"

/* One file on its way. */
typedef struct run run;
typedef ait_code put_fn(const run *r, ait_trace *t, const ait_verdict *v);
struct run {
    ait_importer *im;
    const char *file;
    const ait_input_options *options; /* may be NULL */
    ait_imported *out;
    ait_error *err;
    ait_replay *replay; /* made by the first record */
    put_fn *put;    /* where traces go */
    ait_verdict verdict; /* of a trace that was not judged ahead */
    bool begun;         /* something came; in a store: in a transaction */
};

ait_code ait_importer_open(ait_importer *im, const char *path,
                           ait_store_mode mode, ait_error *err)
{
    memset(im, 0, sizeof *im);
    im->path = path;
    im->mode = mode;
    ait_thresholds_init(&im->limits);
    if (mode != AIT_STORE_MEMORY && access(path, F_OK) != 0)
        return AIT_OK;
    return ait_store_open(path, mode, &im->store, &im->created, err);
}

void ait_importer_close(ait_importer *im)
{
    ait_store_close(im->store);
    im->store = NULL;
}

/* ---- where traces go --------------------------------------------------- */

static ait_code put_stored(const run *r, ait_trace *t, const ait_verdict *v)
{
    return ait_store_put(r->im->store, t, v, r->err);
}

static ait_code put_direct(const run *r, ait_trace *t, const ait_verdict *v)
{
    return ait_direct_put(r->im->direct, t, v, r->err);
}

static ait_code begin_store(run *r)
{
    ait_importer *im = r->im;
    ait_code rc = AIT_OK;
    if (!im->store)
        rc = ait_store_open(im->path, im->mode, &im->store, &im->created,
                            r->err);
    if (rc == AIT_OK)
        rc = ait_store_begin(im->store, r->out->report.name,
                             r->out->report.format, r->err);
    r->put = put_stored;
    return rc;
}

static ait_code begin_direct(run *r)
{
    ait_direct *d = r->im->direct;
    memset(&d->counts, 0, sizeof d->counts);
    r->put = put_direct;
    return AIT_OK;
}

/* The format is known by the time the first trace comes, not before. */
static ait_code begin(run *r)
{
    ait_code rc = r->im->direct ? begin_direct(r) : begin_store(r);
    r->begun = rc == AIT_OK;
    return rc;
}

/* ---- traces ------------------------------------------------------------ */

/* Judges a trace and works out its identity, on whatever thread. */
static void prepare(void *ctx, ait_trace *t)
{
    const run *r = ctx;
    ait_judge_figures(t, &r->im->limits, t->aside);
    ait_trace_identify(t);
}

static void soon(void *ctx, const ait_trace *t)
{
    const run *r = ctx;
    if (r->im->direct)
        ait_direct_soon(r->im->direct, t);
}

static int take_trace(void *ctx, ait_trace *t)
{
    run *r = ctx;
    ait_code rc = r->begun ? AIT_OK : begin(r);
    if (rc != AIT_OK)
        return (int)rc;
    if (!t->aside) {
        t->aside = &r->verdict;
        prepare(r, t);
    }
    ait_issue_merge(&r->out->issues, &t->issues);
    r->out->traces++;
    return (int)r->put(r, t, t->aside);
}

/* One line of a capture may hold a body of gigabytes, compressed. The size
 * of the file is not known here. */
static int ask(void *ctx)
{
    const run *r = ctx;
    const ait_input_options *o = r->options;
    return o && o->progress
               ? o->progress(o->progress_ctx, r->out->report.bytes, -1) : 0;
}

static int take_record(void *ctx, const ait_record *rec)
{
    run *r = ctx;
    if (!r->replay) {
        ait_file_report *report = &r->out->report;
        r->replay = ait_replay_new(report->name, report->format, report,
                                   take_trace, r);
        if (!r->replay)
            return (int)ait_fail(r->err, AIT_ENOMEM, "out of memory");
        ait_replay_ask(r->replay, ask, r);
    }
    return ait_replay_record(r->replay, rec);
}

static ait_code commit(run *r)
{
    ait_file_report *report = &r->out->report;
    if (!r->begun) {
        ait_fail(r->err, AIT_EINPUT, "no request found");
        ait_error_place(r->err, r->file, 0, 0, -1);
        return AIT_EINPUT;
    }
    ait_issue_merge(&r->out->issues, &report->issues);
    if (r->im->direct) {
        r->out->counts = r->im->direct->counts;
        return AIT_OK;
    }
    ait_code rc = ait_store_commit(r->im->store, &report->issues,
                                   report->places, &r->out->counts, r->err);
    if (rc == AIT_OK)
        r->begun = false;
    return rc;
}

/* The last look before anything is kept: a file read ahead to its end tells
 * of an interrupt nowhere else. */
static ait_code still_wanted(const run *r)
{
    const ait_input_options *o = r->options;
    int64_t bytes = r->out->report.bytes;

    if (!r->begun || !o || !o->progress ||
        o->progress(o->progress_ctx, bytes, bytes) == 0)
        return AIT_OK;
    return ait_fail(r->err, AIT_EINTR, "interrupted");
}

/* Nothing of the file is kept where anything failed. */
static ait_code finish(run *r, ait_code rc)
{
    if (rc == AIT_OK && r->replay)
        rc = (ait_code)ait_replay_finish(r->replay);
    if (rc == AIT_OK)
        rc = still_wanted(r);
    if (rc == AIT_OK)
        rc = commit(r);
    if (rc != AIT_OK && r->begun && !r->im->direct)
        ait_store_rollback(r->im->store);
    ait_replay_free(r->replay);
    return rc;
}

ait_code ait_importer_file(ait_importer *im, const char *file,
                           const ait_input_options *o, ait_imported *out,
                           ait_error *err)
{
    ait_error own; /* of what is done with the traces, not of the reading */
    run r = {.im = im, .file = file, .options = o, .out = out, .err = &own};
    ait_sink sink = {&r, take_record, take_trace, prepare,
                     sizeof(ait_verdict), soon};
    ait_error_clear(&own);
    memset(out, 0, sizeof *out);
    ait_code rc = ait_input_file(file, o, &sink, &out->report, err);
    rc = finish(&r, rc);
    if (own.code != AIT_OK && err)
        *err = own;
    return rc;
}
