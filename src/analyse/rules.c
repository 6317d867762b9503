/*
 * The sixteen rules as one table, what they say about a trace, and which of
 * the findings is the primary one (definitions, section 6). A new rule is a
 * row here, a row of advice, an id in model/verdict.h.
 */
#include <string.h>

#include "analyse/part.h"

typedef struct rule {
    ait_fires_fn *fires;
    ait_cannot_fn *cannot;
    ait_say_fn *say;
} rule;

static const rule rules[AIT_R_COUNT] = {
    [AIT_R_RATE_LIMITED] =
        {ait_fires_rate_limited, ait_cannot_rate_limited, ait_say_rate_limited},
    [AIT_R_UPSTREAM_ERROR] =
        {ait_fires_upstream_error, ait_cannot_outcome, ait_say_upstream_error},
    [AIT_R_CLIENT_CANCELLED] =
        {ait_fires_client_cancelled, ait_cannot_outcome,
         ait_say_client_cancelled},
    [AIT_R_INCOMPLETE_STREAM] =
        {ait_fires_incomplete_stream, ait_cannot_outcome,
         ait_say_incomplete_stream},
    [AIT_R_REASONING_EXHAUSTED_BUDGET] =
        {ait_fires_budget, ait_cannot_budget, ait_say_budget},
    [AIT_R_NO_VISIBLE_TEXT] =
        {ait_fires_no_text, ait_cannot_no_text, ait_say_no_text},
    [AIT_R_HEADERS_SLOW] =
        {ait_fires_headers_slow, ait_cannot_headers_slow, ait_say_headers_slow},
    [AIT_R_FIRST_RESPONSE_SLOW] =
        {ait_fires_first_response, ait_cannot_first_response,
         ait_say_first_response},
    [AIT_R_EVENT_BEFORE_RESPONSE] =
        {ait_fires_event_before, ait_cannot_event_before, ait_say_event_before},
    [AIT_R_ACTION_BEFORE_TEXT] =
        {ait_fires_action_before, ait_cannot_action_before,
         ait_say_action_before},
    [AIT_R_SLOW_DECODE] =
        {ait_fires_slow_decode, ait_cannot_slow_decode, ait_say_slow_decode},
    [AIT_R_LOCAL_OVERHEAD] = {ait_fires_local, ait_cannot_local, ait_say_local},
    [AIT_R_STREAM_STALLED] =
        {ait_fires_stalled, ait_cannot_stalled, ait_say_stalled},
    [AIT_R_BURSTY_DELIVERY] =
        {ait_fires_bursty, ait_cannot_bursty, ait_say_bursty},
    [AIT_R_BUFFERED_DELIVERY] =
        {ait_fires_buffered, ait_cannot_buffered, ait_say_buffered},
    [AIT_R_RETRIED] = {ait_fires_retried, ait_cannot_retried, ait_say_retried},
};

/* ---- assessing --------------------------------------------------------- */

static int64_t share_of(int64_t explains, int64_t end_to_end)
{
    if (explains < 0 || end_to_end <= 0)
        return AIT_ABSENT;
    return explains >= end_to_end ? 1000
                                  : ait_ratio(explains, 1000, end_to_end);
}

/* The next finding, which a rule that does not fire leaves as it is. */
static void start_finding(ait_case *c, ait_verdict *v)
{
    c->f = &v->finding[v->findings];
    c->f->by = AIT_BY_LIMIT;
    c->f->explains = AIT_ABSENT;
    c->f->evidences = c->f->limits = 0;
    c->f->what[0] = '\0';
}

static void take_finding(ait_case *c, ait_verdict *v, ait_rule_id id,
                         bool words)
{
    ait_finding *f = c->f;
    ait_advice advice;

    f->rule = id;
    f->share = share_of(f->explains, c->end_to_end);
    advice = ait_advice_on(id, c->t, f->share);
    f->check = advice.check;
    f->will_not_help = advice.will_not_help;
    if (words)
        rules[id].say(c, f);
    v->findings++;
    if (v->findings < AIT_R_COUNT)
        start_finding(c, v);
}

static void note_cannot(ait_case *c, ait_verdict *v, ait_rule_id id)
{
    c->cannot = &v->cannot[v->cannots];
    c->cannot->rule = id;
    c->cannot->missing[0] = NULL;
    v->cannots += rules[id].cannot(c);
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
    start_finding(&c, v);
    for (int i = 0; i < AIT_R_COUNT; i++) {
        ait_rule_id id = (ait_rule_id)i;
        if (rules[id].fires(&c))
            take_finding(&c, v, id, words);
        else if (words)
            note_cannot(&c, v, id);
    }
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
