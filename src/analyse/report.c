/* A report: adding requests, asking for them again, giving the result. */
#include "analyse/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/report_state.h"

#define ARENA_MAX ((size_t)1 << 30)

const char *const ait_method_name[2] = {"nearest_rank", "linear"};

ait_code ait_report_new(const char *by, ait_method method, ait_report **out,
                        ait_error *err)
{
    ait_report *r = ait_alloc(sizeof *r);
    ait_code code = AIT_OK;

    if (!r)
        return ait_fail(err, AIT_ENOMEM, "out of memory");
    r->method = method;
    r->budget = SIZE_MAX;
    r->columns = true;
    r->threads = 1;
    ait_arena_init(&r->arena, ARENA_MAX);
    ait_strmap_init(&r->map);
    if (!ait_metric_list_init(&r->metrics))
        code = ait_fail(err, AIT_ENOMEM, "out of memory");
    if (code == AIT_OK)
        code = ait_by_read(r, by, err);
    if (code == AIT_OK)
        *out = r;
    else
        ait_report_free(r);
    return code;
}

void ait_report_free(ait_report *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->buckets; i++)
        ait_cells_free(r, r->bucket[i]);
    ait_packed_free(&r->ids, &r->pool);
    ait_metric_list_free(&r->metrics);
    ait_strmap_free(&r->map);
    ait_arena_free(&r->arena);
    free(r->bucket);
    free(r->name);
    free(r->run);
    free(r);
}

void ait_report_budget(ait_report *r, size_t bytes)
{
    r->budget = bytes;
}

void ait_report_threads(ait_report *r, int threads)
{
    r->threads = threads < 1 ? 1 : threads;
}

void ait_report_ids(ait_report *r, ait_report_id_fn *fn, void *ctx)
{
    r->id_of = fn;
    r->id_ctx = ctx;
}

/* ---- failing ----------------------------------------------------------- */

ait_code ait_report_over(ait_report *r, int64_t most, const char *what)
{
    ait_fail(&r->why, AIT_EUSAGE, "more than %" PRId64 " %s in one report",
             most, what);
    ait_error_hint(&r->why, "group by something coarser, or select fewer "
                            "requests");
    return r->code = AIT_EUSAGE;
}

ait_code ait_report_why(const ait_report *r, ait_error *err)
{
    if (r->code == AIT_OK)
        return AIT_OK;
    if (r->why.code == AIT_OK)
        return ait_fail(err, r->code, "%s",
                        r->code == AIT_EINPUT
                            ? "the requests were others when read again"
                            : "out of memory");
    if (err)
        *err = r->why;
    return r->code;
}

/* ---- adding ------------------------------------------------------------ */

/* A failed request counts as not having reached a milestone, unless it
 * asked for no stream. */
static bool may_not_reach(const ait_trace *t)
{
    return ait_outcome_failed(t->outcome) && t->asked_stream != 0;
}

static void count_request(ait_bucket *b, const ait_fact *f,
                          ait_outcome outcome, const ait_verdict *v)
{
    b->group.requests++;
    b->group.outcome[outcome]++;
    b->completed += f->completed;
    b->failed += f->failed;
    for (int i = 0; i < v->findings; i++) {
        const ait_finding *one = &v->finding[i];
        (one->by == AIT_BY_LIMIT ? b->group.by_limit
                                 : b->group.by_share)[one->rule]++;
    }
}

static ait_code take_values(ait_report *r, ait_bucket *b,
                            const ait_trace *t, const ait_verdict *v,
                            ait_fact *f)
{
    if (!ait_metric_values(&r->metrics, t, v, &f->values))
        return r->metrics.count < AIT_METRICS_MAX
                   ? (r->code = AIT_ENOMEM)
                   : ait_report_over(r, AIT_METRICS_MAX, "figures");
    if (!ait_cells_grow(r, b))
        return r->code;
    if (r->pass == AIT_PASS_COUNT)
        count_request(b, f, t->outcome, v);
    ait_pass_take(r, b, f);
    ait_pass_fit(r);
    return r->code;
}

ait_code ait_report_add(ait_report *r, const ait_trace *t,
                        const ait_verdict *v)
{
    const char *id = t->text[AIT_X_REQUEST_ID];
    ait_bucket *b;
    ait_fact f;

    if (r->code != AIT_OK || r->pass == AIT_PASS_NONE)
        return r->code;
    if (r->seen >= AIT_REQUESTS_MAX)
        return ait_report_over(r, AIT_REQUESTS_MAX, "requests");
    r->seen++;
    f.row = t->row < 0 ? AIT_ABSENT : t->row;
    f.id = id;
    f.id_len = id ? strnlen(id, AIT_ID_MAX) : 0;
    f.completed = t->outcome == AIT_OUT_COMPLETE;
    f.failed = may_not_reach(t);
    if (r->pass == AIT_PASS_NAMES) {
        ait_names_take(r, (uint32_t)(r->seen - 1), &f);
        return r->code;
    }
    b = ait_bucket_of(r, t);
    return b ? take_values(r, b, t, v, &f) : r->code;
}

/* ---- passes ------------------------------------------------------------ */

bool ait_report_again(ait_report *r)
{
    if (r->code == AIT_OK && r->pass != AIT_PASS_NONE)
        ait_pass_end(r);
    return r->code == AIT_OK && r->pass != AIT_PASS_NONE;
}

bool ait_report_names_only(const ait_report *r)
{
    return r->pass == AIT_PASS_NAMES;
}

ait_code ait_report_finish(ait_report *r)
{
    if (r->code == AIT_OK && r->pass != AIT_PASS_NONE &&
        ait_report_again(r))
        r->code = AIT_EUSAGE;
    if (r->code != AIT_OK || r->group)
        return r->code;
    r->code = ait_names_fill(r);
    if (r->code == AIT_OK)
        r->code = ait_result_groups(r);
    return r->code;
}

/* ---- the result -------------------------------------------------------- */

int64_t ait_report_requests(const ait_report *r)
{
    return r->requests;
}

int ait_report_groups(const ait_report *r, const ait_group **out)
{
    *out = r->group;
    return r->group ? r->buckets : 0;
}

int ait_report_by(const ait_report *r, const char *const **fields)
{
    *fields = r->by_name;
    return r->fields;
}

ait_method ait_report_method(const ait_report *r)
{
    return r->method;
}
