#include "cli/context.h"

static bool show_row(cmd_traces *d, const ait_trace *t, const ait_verdict *v)
{
    cmd_context *c = d->c;
    return ait_render_show(&c->out.buf, t, v, &c->limits, &c->style);
}

static ait_code give_events(cmd_context *c, const ait_trace *t)
{
    ait_event_walk w;
    ait_code rc = AIT_OK;
    ait_event_walk_init(&w, t);
    while (rc == AIT_OK && w.attempt) {
        rc = cmd_rendered(c, ait_render_events(&c->out.buf, &w, &c->style));
        if (rc == AIT_OK)
            rc = cmd_output_spill(c, false);
        if (rc == AIT_OK && cmd_signal())
            rc = ait_fail(&c->err, AIT_EINTR, "interrupted");
    }
    return rc;
}

/* Events are lines for people; the trace object counts them. */
static ait_code take(void *ctx, ait_trace *t, const ait_verdict *v)
{
    cmd_traces *d = ctx;
    ait_code rc = cmd_traces_take(d, t, v);
    if (rc != AIT_OK || !d->c->args.events || d->row != show_row)
        return rc;
    if (!d->c->args.json)
        return give_events(d->c, t);
    cmd_say(d->c, "--events is for text: the trace object has their counts");
    return AIT_OK;
}

static ait_code several(cmd_context *c, int64_t n)
{
    if (c->args.sel.request_id)
        return cmd_none_or_many(c, n);
    ait_fail(&c->err, AIT_ENOTFOUND,
             "show takes one request, %lld are selected", (long long)n);
    ait_error_hint(&c->err, "name one by --request-id ID");
    return AIT_ENOTFOUND;
}

/* Several requests are listed, so that one can be chosen. */
static ait_code show(cmd_context *c, cmd_source *s)
{
    cmd_traces d = {.row = show_row};
    unsigned need = c->args.events && !c->args.json ? (unsigned)AIT_NEED_ALL
                                                    : CMD_NEED;
    int64_t n;
    ait_code rc = cmd_source_count(c, s, &n);
    if (rc == AIT_OK && n == 0)
        rc = cmd_none_or_many(c, n);
    if (rc != AIT_OK)
        return rc;
    if (n > 1)
        d.row = cmd_list_row;
    cmd_traces_begin(&d, c);
    rc = cmd_source_each(c, s, need, take, &d);
    if (rc == AIT_OK)
        rc = cmd_traces_end(&d);
    if (rc == AIT_OK && d.given > 1)
        rc = several(c, d.given);
    if (rc == AIT_OK)
        rc = cmd_answer(&d);
    if (rc == AIT_OK)
        cmd_say_next(c, c->args.sel.request_id ? c->args.sel.request_id
                                               : d.id);
    return rc;
}

static ait_code run(cmd_context *c)
{
    return cmd_with_source(c, show);
}

static const cmd_group more = {"timeline", (const cmd_option[]){
    {"events", 0, CMD_FLAG, offsetof(cmd_args, events), NULL, NULL,
     "in text every event: when, in which read, how long, which classes"},
    CMD_END}};

const cmd_command cmd_show = {
    .name = "show",
    .arguments = "",
    .what = "one request's timeline",
    .examples = (const char *const[]){
        "aitrace show --request-id req-7f3a",
        "its points, the gaps between them, attempts, tokens, rates",
        "aitrace show --request-id req-7f3a --events",
        "the same, and every event of the stream",
        "aitrace show --from capture.aicap.jsonl --request-id req-7f3a",
        "straight from a file", NULL},
    .groups = (const cmd_group *const[]){&cmd_selection, &more, &cmd_from,
                                         &cmd_output_options, &cmd_limits,
                                         NULL},
    .run = run,
};
