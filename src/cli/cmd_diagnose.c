#include "cli/context.h"

enum { LIMIT = 10, SLOWEST_MOST = 10000 };

static bool diagnosis(cmd_traces *d, const ait_trace *t,
                      const ait_verdict *v)
{
    cmd_context *c = d->c;
    if (d->given && !ait_buf_addc(&c->out.buf, '\n'))
        return false;
    c->quiet_verdicts += v->primary == AIT_R_NONE;
    return ait_render_diagnosis(&c->out.buf, t, v, &c->style);
}

/* A finding names the limits it crossed; where there was none, they are told
 * once, at the end. */
static ait_code tell_limits(cmd_context *c)
{
    if (c->quiet_verdicts == 0)
        return AIT_OK;
    return cmd_rendered(c, ait_buf_addc(&c->out.buf, '\n') &&
                               ait_render_limits(&c->out.buf, &c->limits,
                                                 &c->style));
}

static void say_end(cmd_context *c, int64_t given, int64_t all)
{
    if (given < all && !ait_has(c->args.slowest))
        cmd_say(c, "%lld of %lld requests; --limit 0 diagnoses all, "
                "--slowest N the slowest", (long long)given, (long long)all);
    else
        cmd_say(c, "%lld of %lld request%s diagnosed", (long long)given,
                (long long)all, all == 1 ? "" : "s");
}

static ait_code give(cmd_context *c, cmd_source *s, cmd_traces *d)
{
    if (ait_has(c->args.slowest))
        return cmd_source_slowest(c, s, c->args.slowest, CMD_NEED,
                                  cmd_traces_take, d);
    return cmd_source_each(c, s, CMD_NEED, cmd_traces_take, d);
}

static ait_code diagnose(cmd_context *c, cmd_source *s)
{
    cmd_traces d = {.row = diagnosis};
    int64_t all;
    ait_code rc = cmd_source_count(c, s, &all);
    if (rc != AIT_OK)
        return rc;
    if (all > 1 && c->args.sel.request_id)
        d.row = cmd_list_row;
    else if (!c->args.json && !c->args.limit_given)
        c->args.sel.limit = LIMIT;
    cmd_traces_begin(&d, c);
    rc = give(c, s, &d);
    if (rc == AIT_OK)
        rc = cmd_traces_end(&d);
    if (rc == AIT_OK)
        rc = tell_limits(c);
    if (rc == AIT_OK)
        rc = cmd_answer(&d);
    if (rc == AIT_OK)
        say_end(c, d.given, all);
    return rc;
}

static ait_code run(cmd_context *c)
{
    int64_t n = c->args.slowest;
    if (ait_has(n) && (n < 1 || n > SLOWEST_MOST))
        return ait_fail(&c->err, AIT_EUSAGE, "--slowest takes 1 to %d",
                        SLOWEST_MOST);
    return cmd_with_source(c, diagnose);
}

static const cmd_group more = {"which", (const cmd_option[]){
    {"slowest", 0, CMD_COUNT, offsetof(cmd_args, slowest), "N", NULL,
     "the N that took longest, the slowest first"},
    CMD_FINDING_ROWS, CMD_END}};

const cmd_command cmd_diagnose = {
    .name = "diagnose",
    .arguments = "",
    .what = "why one request, or the slowest of many, took its time",
    .examples = (const char *const[]){
        "aitrace diagnose --request-id req-7f3a",
        "one request, by any of its ids",
        "aitrace diagnose --slowest 3 --since 2026-10-03",
        "the three slowest since that day",
        "aitrace diagnose --from capture.aicap.jsonl --json",
        "every request of a capture, for a program", NULL},
    .groups = (const cmd_group *const[]){&cmd_selection, &more, &cmd_from,
                                         &cmd_output_options, &cmd_limits,
                                         NULL},
    .run = run,
};
