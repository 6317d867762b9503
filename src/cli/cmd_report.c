#include <string.h>
#include "analyse/report.h"
#include "cli/context.h"

#define BUDGET ((size_t)96 << 20) /* bytes held while requests are added */

static const char *const methods[] = {"nearest-rank", "linear", NULL};

static ait_code take(void *ctx, ait_trace *t, const ait_verdict *v)
{
    return ait_report_add(ctx, t, v);
}

static ait_method method_of(const cmd_context *c)
{
    return c->args.method && strcmp(c->args.method, methods[1]) == 0
               ? AIT_M_LINEAR : AIT_M_NEAREST_RANK;
}

static ait_code render(cmd_context *c, const ait_report *r)
{
    ait_buf *out = &c->out.buf;
    bool ok;
    if (c->args.json)
        ok = ait_render_report_json(out, r, &c->limits);
    else if (c->args.csv)
        ok = ait_render_report_csv(out, r);
    else
        ok = ait_render_report(out, r, &c->limits, &c->style);
    return cmd_rendered(c, ok);
}

static bool any_finding(const cmd_context *c, const ait_report *r)
{
    const ait_group *g;
    int n = ait_report_groups(r, &g);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < AIT_R_COUNT; k++)
            if (g[i].by_limit[k] || (c->args.share && g[i].by_share[k]))
                return true;
    return false;
}

static ait_code finish(cmd_context *c, const ait_report *r)
{
    ait_code rc = render(c, r);
    int64_t n = ait_report_requests(r);
    if (rc == AIT_OK)
        rc = cmd_none_or_many(c, n);
    if (rc == AIT_OK && c->args.exit_finding && any_finding(c, r))
        rc = ait_fail(&c->err, AIT_ENOTFOUND, "there are findings");
    if (rc == AIT_OK)
        rc = cmd_output_spill(c, true); /* what was asked for comes first */
    if (rc == AIT_OK) {
        cmd_say(c, "%lld request%s", (long long)n, n == 1 ? "" : "s");
        if (!c->once)
            cmd_say(c, "next: aitrace diagnose%s --slowest 3", c->again);
    }
    return rc;
}

/* What is read of each request. The ids of the few that stand behind
 * percentiles are looked up afterwards. */
static unsigned needs(const ait_report *r)
{
    if (ait_report_names_only(r))
        return AIT_NEED_LEAN;
    return AIT_NEED_LEAN | AIT_NEED_TIMING | AIT_NEED_MEASURES |
           ait_report_texts(r) * AIT_NEED_TEXT(0) |
           (ait_report_numbers(r) ? AIT_NEED_NUMBERS : 0);
}

/* From the database, or from what the files of --from were read into. Their
 * order only decides which of equal requests is named. */
static ait_code add_stored(cmd_context *c, cmd_source *s, ait_report *r)
{
    ait_code rc;
    if (!c->args.sel.sort && c->args.sel.limit == 0)
        c->args.sel.sort = "row";
    ait_report_ids(r, cmd_source_id, s);
    do
        rc = cmd_source_each_stored(c, s, needs(r), take, r);
    while (rc == AIT_OK && ait_report_again(r));
    return rc;
}

static int take_direct(void *ctx, ait_trace *t, const ait_verdict *v)
{
    return (int)ait_report_add(ctx, t, v);
}

/* Straight from the files. *needs_store: the report is void. */
static ait_code add_direct(cmd_context *c, ait_report *r, bool *needs_store)
{
    ait_code rc;
    do
        rc = cmd_direct_each(c, take_direct, r, needs_store);
    while (rc == AIT_OK && !*needs_store && ait_report_again(r));
    return rc;
}

/* Several passes where the requests are too many for one, unless they come
 * but once. */
static ait_code new_report(cmd_context *c, bool once, ait_report **r)
{
    ait_code rc;
    ait_report_free(*r);
    *r = NULL;
    rc = ait_report_new(c->args.by ? c->args.by : "", method_of(c), r,
                        &c->err);
    if (rc != AIT_OK)
        return rc;
    ait_report_threads(*r, cmd_threads(c));
    if (!once)
        ait_report_budget(*r, BUDGET);
    return AIT_OK;
}

static ait_code add_all(cmd_context *c, cmd_source **s, ait_report **r)
{
    bool once, needs_store = !cmd_direct_can(c, &once);
    ait_code rc = new_report(c, once && !needs_store, r);
    if (rc != AIT_OK)
        return rc;
    if (!needs_store) {
        rc = add_direct(c, *r, &needs_store);
        if (rc != AIT_OK || !needs_store)
            return rc;
        rc = new_report(c, false, r);
    }
    if (rc == AIT_OK)
        rc = cmd_source_open(c, s);
    return rc == AIT_OK ? add_stored(c, *s, *r) : rc;
}

static ait_code run(cmd_context *c)
{
    cmd_source *s = NULL;
    ait_report *r = NULL;
    ait_code rc = add_all(c, &s, &r);
    if (rc == AIT_OK)
        rc = ait_report_finish(r);
    if (rc == AIT_ENOMEM && c->err.code == AIT_OK)
        rc = cmd_rendered(c, false);
    if (rc != AIT_OK && r)
        ait_report_why(r, &c->err);
    if (rc == AIT_OK)
        rc = finish(c, r);
    ait_report_free(r);
    cmd_source_close(s);
    return rc;
}

static const cmd_group more = {"percentiles", (const cmd_option[]){
    {"by", 0, CMD_TEXT, offsetof(cmd_args, by), "FIELD[,FIELD]", NULL,
     "one table for each value: model, provider, channel, ..."},
    {"percentile-method", 0, CMD_CHOICE, offsetof(cmd_args, method),
     "nearest-rank|linear", methods,
     "nearest-rank unless told: each percentile is one real request"},
    CMD_FLAG_ROW("ci", ci, "95 % intervals in text, too"),
    CMD_FLAG_ROW("share", share, "count findings by share of the time, too"),
    CMD_CSV_ROW,
    CMD_FLAG_ROW("exit-finding", exit_finding,
                 "exit status 1 where there is a finding"),
    CMD_END}};

const cmd_command cmd_report = {
    .name = "report",
    .arguments = "",
    .what = "percentiles, outcomes and findings over many requests",
    .examples = (const char *const[]){
        "aitrace report --by model",
        "p50, p95 and p99 of every figure, one table for each model",
        "aitrace report --by channel,model --since 2026-10-03 --csv",
        "for a spreadsheet",
        "aitrace report --from gateway.log.jsonl.gz --json",
        "straight from a log, for a program", NULL},
    .groups = (const cmd_group *const[]){&cmd_selection, &more, &cmd_from,
                                         &cmd_output_options, &cmd_limits,
                                         NULL},
    .run = run,
};
