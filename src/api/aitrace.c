/* The public face: include/aitrace.h over the pipeline and the store. */
#include "aitrace.h"
#include <stdlib.h>
#include <string.h>
#include "analyse/report.h"
#include "api/pipeline.h"
#include "render/render.h"

#define JSON_MAX ((size_t)1 << 30) /* of one document handed out */

struct aitrace_db {
    ait_importer importer;
    char *path;
    ait_error err;
    char line[1024]; /* the message, made when something failed */
};

const char *aitrace_version(void)
{
    return AIT_VERSION;
}

/* The two lists of codes are the same numbers; here is where that is true. */
static aitrace_status status_of(aitrace_db *db, ait_code rc)
{
    _Static_assert((int)AITRACE_INTERRUPTED == (int)AIT_EINTR,
                   "statuses are codes");
    db->line[0] = '\0';
    if (rc != AIT_OK)
        ait_error_line(&db->err, db->line, sizeof db->line);
    return (aitrace_status)rc;
}

aitrace_status aitrace_open(const char *path, aitrace_mode mode,
                            aitrace_db **out)
{
    static const ait_store_mode modes[] = {AIT_STORE_READ, AIT_STORE_WRITE,
                                           AIT_STORE_MEMORY};
    aitrace_db *db = ait_alloc(sizeof *db);
    const char *name = mode == AITRACE_MEMORY_ONLY ? "" : path;
    *out = db;
    if (!db)
        return AITRACE_MEMORY;
    ait_error_clear(&db->err);
    db->path = ait_alloc(strlen(name) + 1);
    if (!db->path)
        return status_of(db, ait_fail(&db->err, AIT_ENOMEM,
                                      "out of memory"));
    strcpy(db->path, name);
    ait_code rc = ait_importer_open(&db->importer, db->path, modes[mode],
                                    &db->err);
    if (rc == AIT_OK && mode == AITRACE_READ && !db->importer.store)
        rc = ait_store_open(db->path, AIT_STORE_READ, &db->importer.store,
                            &db->importer.created, &db->err);
    return status_of(db, rc);
}

void aitrace_close(aitrace_db *db)
{
    if (!db)
        return;
    ait_importer_close(&db->importer);
    free(db->path);
    free(db);
}

const char *aitrace_message(const aitrace_db *db)
{
    return db ? db->line : "out of memory";
}

/* ---- import ------------------------------------------------------------ */

typedef struct progress_ctx {
    aitrace_progress *fn;
    void *ctx;
    const ait_imported *so_far;
} progress_ctx;

static int pass_progress(void *ctx, int64_t bytes, int64_t size)
{
    const progress_ctx *p = ctx;
    return p->fn(p->ctx, bytes, size, p->so_far->traces);
}

static void fill_imported(aitrace_imported *out, const ait_imported *in)
{
    out->requests_new = in->counts.new_;
    out->requests_present = in->counts.present;
    out->requests_updated = in->counts.updated;
    out->attempts = in->counts.attempts;
    out->events = in->counts.events;
    out->bad_lines = in->report.issues.count[AIT_I_BAD_LINE];
    memcpy(out->format, in->report.format, sizeof out->format);
}

aitrace_status aitrace_import(aitrace_db *db, const char *file,
                              aitrace_progress *progress, void *ctx,
                              aitrace_imported *out)
{
    ait_imported *got = ait_alloc(sizeof *got);
    progress_ctx pass = {progress, ctx, got};
    ait_input_options o = {.progress = progress ? pass_progress : NULL,
                           .progress_ctx = &pass};
    if (!got)
        return status_of(db, ait_fail(&db->err, AIT_ENOMEM,
                                      "out of memory"));
    ait_code rc = ait_importer_file(&db->importer, file, &o, got, &db->err);
    if (out)
        fill_imported(out, got);
    if (rc == AIT_OK && ait_file_lost(&got->report)) {
        rc = ait_fail(&db->err, AIT_EINPUT, "part of the file was lost");
        ait_error_place(&db->err, file, 0, 0, -1);
    }
    free(got);
    return status_of(db, rc);
}

/* ---- documents --------------------------------------------------------- */

static ait_code need_store(aitrace_db *db)
{
    if (db->importer.store)
        return AIT_OK;
    return ait_fail(&db->err, AIT_ENOTFOUND, "the database is empty");
}

/* Hands the buffer's text over, or gives the memory back. */
static aitrace_status hand_over(aitrace_db *db, ait_buf *b, ait_code rc,
                                char **json)
{
    if (rc == AIT_OK) {
        *json = b->data;
        return status_of(db, AIT_OK);
    }
    ait_buf_free(b);
    return status_of(db, rc);
}

typedef struct one_trace {
    ait_buf *out;
    const ait_thresholds *limits;
    ait_verdict verdict;
    int found;
} one_trace;

static int trace_json(void *ctx, ait_trace *t)
{
    one_trace *one = ctx;
    ait_jsonw w;
    if (one->found++)
        return AIT_OK;
    ait_judge(t, one->limits, &one->verdict);
    ait_jsonw_init(&w, one->out, false);
    ait_render_trace_json(&w, t, &one->verdict);
    return w.failed ? AIT_ENOMEM : AIT_OK;
}

aitrace_status aitrace_trace_json(aitrace_db *db, const char *request_id,
                                  char **json)
{
    ait_selection sel;
    ait_buf out;
    one_trace one = {.out = &out, .limits = &db->importer.limits};
    *json = NULL;
    ait_selection_init(&sel);
    sel.request_id = request_id;
    ait_buf_init(&out, JSON_MAX);
    ait_code rc = need_store(db);
    if (rc == AIT_OK)
        rc = ait_store_each(db->importer.store, &sel,
                            AIT_NEED_ALL & ~AIT_NEED_TIMELINES, trace_json,
                            &one, &db->err);
    if (rc == AIT_OK && one.found == 0)
        rc = ait_fail(&db->err, AIT_ENOTFOUND, "no request has this id");
    if (rc == AIT_OK && one.found > 1)
        rc = ait_fail(&db->err, AIT_ENOTFOUND, "%d requests have this id",
                      one.found);
    return hand_over(db, &out, rc, json);
}

typedef struct report_ctx {
    ait_report *report;
    const ait_thresholds *limits;
    ait_verdict verdict;
} report_ctx;

static int report_add(void *ctx, ait_trace *t)
{
    report_ctx *r = ctx;
    ait_judge_figures(t, r->limits, &r->verdict);
    return ait_report_add(r->report, t, &r->verdict);
}

static ait_code report_json(aitrace_db *db, const char *by, report_ctx *r,
                            ait_buf *out)
{
    ait_selection sel;
    ait_selection_init(&sel);
    ait_code rc = need_store(db);
    if (rc == AIT_OK)
        rc = ait_report_new(by, AIT_M_NEAREST_RANK, &r->report, &db->err);
    if (rc == AIT_OK)
        rc = ait_store_each(db->importer.store, &sel,
                            AIT_NEED_ALL & ~AIT_NEED_TIMELINES, report_add,
                            r, &db->err);
    if (rc == AIT_OK)
        rc = ait_report_finish(r->report);
    if (rc != AIT_OK && r->report)
        ait_report_why(r->report, &db->err);
    if (rc == AIT_OK && !ait_render_report_json(out, r->report, r->limits))
        rc = ait_fail(&db->err, AIT_ENOMEM, "out of memory");
    return rc;
}

aitrace_status aitrace_report_json(aitrace_db *db, const char *by,
                                   char **json)
{
    report_ctx r = {.limits = &db->importer.limits};
    ait_buf out;
    *json = NULL;
    ait_buf_init(&out, JSON_MAX);
    ait_code rc = report_json(db, by, &r, &out);
    ait_report_free(r.report);
    return hand_over(db, &out, rc, json);
}

void aitrace_free(char *json)
{
    free(json);
}
