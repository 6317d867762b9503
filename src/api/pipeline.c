#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "api/pipeline.h"
#include "base/strmap.h"
#include "replay/replay.h"

typedef struct run run;

/* Where traces go. */
typedef struct way {
    size_t (*aside)(void);
    /* What is known of a trace by itself, on whatever thread. */
    void (*prepare)(const run *r, ait_trace *t);
    ait_code (*begin)(const run *r);
    ait_code (*put)(const run *r, ait_trace *t);
} way;

/* One file on its way. */
struct run {
    ait_importer *im;
    const char *file;
    const ait_input_options *options; /* may be NULL */
    ait_imported *out;
    ait_error *err;
    ait_replay *replay; /* made by the first record */
    const way *way;
    void *aside;        /* of a trace that was not prepared ahead */
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

static void prepare_stored(const run *r, ait_trace *t)
{
    ait_verdict v;

    ait_trace_identify(t, 0);
    ait_judge_figures(t, &r->im->limits, &v);
    ait_store_prepare(t, &v, t->aside);
}

static ait_code begin_store(const run *r)
{
    ait_importer *im = r->im;
    ait_code rc = AIT_OK;
    if (!im->store)
        rc = ait_store_open(im->path, im->mode, &im->store, &im->created,
                            r->err);
    if (rc == AIT_OK)
        ait_store_threads(im->store, r->options ? r->options->threads : 1);
    if (rc == AIT_OK)
        rc = ait_store_begin(im->store, r->out->report.name,
                             r->out->report.format, r->err);
    return rc;
}

static ait_code put_stored(const run *r, ait_trace *t)
{
    return ait_store_put_prepared(r->im->store, t, t->aside, r->err);
}

static const way into_store = {ait_store_aside, prepare_stored, begin_store,
                               put_stored};

static size_t direct_aside(void)
{
    return sizeof(ait_verdict_brief);
}

static void prepare_direct(const run *r, ait_trace *t)
{
    ait_verdict v;

    ait_trace_identify(t, r->im->direct->seed);
    ait_judge_figures(t, &r->im->limits, &v);
    ait_verdict_pack(&v, t->aside);
}

static ait_code begin_direct(const run *r)
{
    ait_direct *d = r->im->direct;
    memset(&d->counts, 0, sizeof d->counts);
    return AIT_OK;
}

static ait_code put_direct(const run *r, ait_trace *t)
{
    ait_direct *d = r->im->direct;
    ait_verdict_unpack(t->aside, &d->verdict);
    return ait_direct_put(d, t, &d->verdict, r->err);
}

static const way directly = {direct_aside, prepare_direct, begin_direct,
                             put_direct};

/* ---- traces ------------------------------------------------------------ */

/* On whatever thread. */
static void prepare(void *ctx, ait_trace *t)
{
    const run *r = ctx;
    r->way->prepare(r, t);
}

static void soon(void *ctx, const ait_trace *t)
{
    const run *r = ctx;
    if (r->im->direct)
        ait_direct_soon(r->im->direct, t);
}

/* The format is known by the time the first trace comes, not before. */
static ait_code begin(run *r)
{
    ait_code rc = r->way->begin(r);
    r->begun = rc == AIT_OK;
    return rc;
}

static int take_trace(void *ctx, ait_trace *t)
{
    run *r = ctx;
    ait_code rc = r->begun ? AIT_OK : begin(r);
    if (rc != AIT_OK)
        return (int)rc;
    if (!t->aside) {
        t->aside = r->aside;
        prepare(r, t);
    }
    ait_issue_merge(&r->out->issues, &t->issues);
    r->out->traces++;
    return (int)r->way->put(r, t);
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
    const way *way = im->direct ? &directly : &into_store;
    run r = {.im = im, .file = file, .options = o, .out = out, .err = &own,
             .way = way, .aside = ait_alloc(way->aside())};
    ait_sink sink = {&r, take_record, take_trace, prepare, way->aside(),
                     soon};
    ait_error_clear(&own);
    memset(out, 0, sizeof *out);
    if (!r.aside)
        return ait_fail(err, AIT_ENOMEM, "out of memory");
    if (im->direct && !im->direct->seed)
        im->direct->seed = ait_new_seed(im->direct);
    ait_code rc = ait_input_file(file, o, &sink, &out->report, err);
    rc = finish(&r, rc);
    free(r.aside);
    if (own.code != AIT_OK && err)
        *err = own;
    return rc;
}
