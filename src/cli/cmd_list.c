#include "cli/context.h"

enum { LIMIT = 50 }; /* requests in text, unless told */

static bool csv_row(cmd_traces *d, const ait_trace *t, const ait_verdict *v)
{
    ait_buf *out = &d->c->out.buf;
    if (d->given == 0 && !ait_render_list_csv_head(out))
        return false;
    return ait_render_list_csv(out, t, v);
}

static void say_end(cmd_context *c, int64_t given, int64_t all,
                    const char *id)
{
    if (given < all)
        cmd_say(c, "%lld of %lld requests; --limit 0 lists all",
                (long long)given, (long long)all);
    else
        cmd_say(c, "%lld request%s", (long long)all, all == 1 ? "" : "s");
    if (all > 0)
        cmd_say_next(c, id);
}

static ait_code list(cmd_context *c, cmd_source *s)
{
    cmd_traces d = {.row = c->args.csv ? csv_row : cmd_list_row};
    bool rows = !c->args.json && !c->args.csv;
    int64_t all;
    if (rows && !c->args.limit_given)
        c->args.sel.limit = LIMIT;
    ait_code rc = cmd_source_count(c, s, &all);
    if (rc != AIT_OK)
        return rc;
    cmd_traces_begin(&d, c);
    rc = cmd_source_each(c, s, CMD_NEED, cmd_traces_take, &d);
    if (rc == AIT_OK)
        rc = cmd_traces_end(&d);
    if (rc == AIT_OK)
        rc = cmd_answer(&d);
    if (rc == AIT_OK)
        say_end(c, d.given, rows ? all : d.given, rows ? d.id : "");
    return rc;
}

static ait_code run(cmd_context *c)
{
    return cmd_with_source(c, list);
}

static const cmd_group more = {"rows", (const cmd_option[]){
    CMD_CSV_ROW, CMD_FINDING_ROWS, CMD_END}};

const cmd_command cmd_list_command = {
    .name = "list",
    .arguments = "",
    .what = "requests in the database, one a line",
    .examples = (const char *const[]){
        "aitrace list --outcome error --since 2026-10-03",
        "failed requests since that day",
        "aitrace list --sort -first_response_ms --limit 10",
        "the ten that waited longest for their first response",
        "aitrace list --from capture.aicap.jsonl --csv -o requests.csv",
        "a capture as a table, without a database", NULL},
    .groups = (const cmd_group *const[]){&cmd_selection, &more, &cmd_from,
                                         &cmd_output_options, &cmd_limits,
                                         NULL},
    .run = run,
};
