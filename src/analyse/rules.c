/*
 * The sixteen rules as one table, what they say about a trace, and which of
 * the findings is the primary one (definitions, section 6). A new rule is a
 * row here, a row of advice, an id in model/verdict.h.
 */
#include <string.h>

#include "analyse/part.h"

typedef struct rule {
    ait_assess_fn *assess;
    ait_say_fn *say;
} rule;

static const rule rules[AIT_R_COUNT] = {
    [AIT_R_RATE_LIMITED] = {ait_assess_rate_limited, ait_say_rate_limited},
    [AIT_R_UPSTREAM_ERROR] = {ait_assess_upstream_error,
                              ait_say_upstream_error},
    [AIT_R_CLIENT_CANCELLED] = {ait_assess_client_cancelled,
                                ait_say_client_cancelled},
    [AIT_R_INCOMPLETE_STREAM] = {ait_assess_incomplete_stream,
                                 ait_say_incomplete_stream},
    [AIT_R_REASONING_EXHAUSTED_BUDGET] = {ait_assess_budget,
                                          ait_say_budget},
    [AIT_R_NO_VISIBLE_TEXT] = {ait_assess_no_text, ait_say_no_text},
    [AIT_R_HEADERS_SLOW] = {ait_assess_headers_slow, ait_say_headers_slow},
    [AIT_R_FIRST_RESPONSE_SLOW] = {ait_assess_first_response,
                                   ait_say_first_response},
    [AIT_R_EVENT_BEFORE_RESPONSE] = {ait_assess_event_before,
                                     ait_say_event_before},
    [AIT_R_ACTION_BEFORE_TEXT] = {ait_assess_action_before,
                                  ait_say_action_before},
    [AIT_R_SLOW_DECODE] = {ait_assess_slow_decode, ait_say_slow_decode},
    [AIT_R_LOCAL_OVERHEAD] = {ait_assess_local, ait_say_local},
    [AIT_R_STREAM_STALLED] = {ait_assess_stalled, ait_say_stalled},
    [AIT_R_BURSTY_DELIVERY] = {ait_assess_bursty, ait_say_bursty},
    [AIT_R_BUFFERED_DELIVERY] = {ait_assess_buffered, ait_say_buffered},
    [AIT_R_RETRIED] = {ait_assess_retried, ait_say_retried},
};

/* ---- assessing --------------------------------------------------------- */

static void start_finding(ait_finding *f, ait_rule_id id)
{
    f->rule = id;
    f->by = AIT_BY_LIMIT;
    f->explains = f->share = AIT_ABSENT;
    f->evidences = f->limits = 0;
    f->what[0] = '\0';
    f->check = ait_advices[id].check;
    f->will_not_help = ait_advices[id].will_not_help;
}

static int64_t share_of(int64_t explains, int64_t end_to_end)
{
    if (explains < 0 || end_to_end <= 0)
        return AIT_ABSENT;
    return explains >= end_to_end ? 1000
                                  : ait_ratio(explains, 1000, end_to_end);
}

static void assess(ait_case *c, ait_verdict *v, ait_rule_id id, bool words)
{
    ait_answer answer;

    c->f = &v->finding[v->findings];
    c->cannot = &v->cannot[v->cannots];
    start_finding(c->f, id);
    c->cannot->rule = id;
    c->cannot->missing[0] = NULL;
    answer = rules[id].assess(c);
    v->cannots += answer == AIT_CANNOT;
    if (answer != AIT_FIRES)
        return;
    c->f->share = share_of(c->f->explains, c->end_to_end);
    if (words)
        rules[id].say(c, c->f);
    v->findings++;
}

/* ---- the primary finding ----------------------------------------------- */

/* The visible window without the longest silence in it: a stall is not slow
 * writing. */
static int64_t decode_alone(const ait_trace *t, int64_t window)
{
    return window - ait_count(t, AIT_S_WINDOW_STALL);
}

/* Rules 7 to 13 and 16 compete by the time they explain. */
static bool competes(ait_rule_id id)
{
    return (id >= AIT_R_HEADERS_SLOW && id <= AIT_R_STREAM_STALLED) ||
           id == AIT_R_RETRIED;
}

static const ait_finding *most_time(const ait_trace *t, const ait_verdict *v)
{
    const ait_finding *most = NULL;
    int64_t best = -1;

    for (int i = 0; i < v->findings; i++) {
        const ait_finding *f = &v->finding[i];
        int64_t time = f->rule == AIT_R_SLOW_DECODE
                           ? decode_alone(t, f->explains)
                           : f->explains;
        if (competes(f->rule) && time > best) {
            best = time;
            most = f;
        }
    }
    return most;
}

static ait_rule_id primary(const ait_trace *t, const ait_verdict *v)
{
    const ait_finding *f;

    for (int i = 0; i < v->findings; i++) {
        ait_rule_id id = v->finding[i].rule;
        if (id <= AIT_R_NO_VISIBLE_TEXT &&
            (id != AIT_R_RATE_LIMITED ||
             t->outcome == AIT_OUT_RATE_LIMITED))
            return id;
    }
    f = most_time(t, v);
    if (f && f->rule == AIT_R_RETRIED && ait_fired(v, AIT_R_RATE_LIMITED))
        return AIT_R_RATE_LIMITED;
    if (f)
        return f->rule;
    return v->findings ? v->finding[0].rule : AIT_R_NONE;
}

/* ---- the border -------------------------------------------------------- */

static void judge(ait_trace *t, const ait_thresholds *limits, ait_verdict *v,
                  bool words)
{
    ait_case c = {.t = t, .limits = limits, .v = v};

    ait_rates(t, v);
    c.end_to_end = ait_end_to_end(t);
    c.recorded = ait_recorded(t);
    c.seen = ait_seen(t);
    v->findings = v->cannots = 0;
    for (int id = 0; id < AIT_R_COUNT; id++)
        assess(&c, v, (ait_rule_id)id, words);
    v->primary = primary(t, v);
}

void ait_judge(ait_trace *t, const ait_thresholds *limits, ait_verdict *v)
{
    judge(t, limits, v, true);
}

void ait_judge_figures(ait_trace *t, const ait_thresholds *limits,
                       ait_verdict *v)
{
    judge(t, limits, v, false);
}
