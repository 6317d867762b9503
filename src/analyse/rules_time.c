/* Rules 7 to 12: the phases of a request, and the rate of its text. */
#include <inttypes.h>
#include <string.h>

#include "analyse/part.h"

/*
 * A point that is absent in a readable recording did not happen, and rules
 * about it do not apply. In a log, or where the content could not be read or
 * had no times, the recording cannot show it.
 */
static bool cannot_show(const ait_case *c, ait_point_id p)
{
    if (ait_has(c->t->point[p].ns))
        return false;
    if (c->t->stream == 0)
        return false;
    return !c->recorded || !ait_readable(c->t) ||
           c->seen & AIT_SEEN_UNTIMED;
}

/* Names the point's timing field where the recording cannot show it. */
static bool unseen(ait_case *c, ait_point_id p, const char *field)
{
    if (!cannot_show(c, p))
        return false;
    ait_missing(c, field);
    return true;
}

/* What the server said about its own time: queue, prompt, decode. Never
 * mixed with the observer's clock, shown beside it. */
static void evidence_engine(ait_case *c)
{
    static const struct {
        const char *measure, *name;
    } known[] = {
        {"queue", "engine_queue_ms"},
        {"load", "engine_load_ms"},
        {"prompt", "engine_prompt_ms"},
        {"prefill", "engine_prefill_ms"},
        {"first_token", "engine_first_token_ms"},
        {"decode", "engine_decode_ms"},
        {"completion", "engine_completion_ms"},
        {"generation", "engine_generation_ms"},
        {"processing", "engine_processing_ms"},
        {"total", "engine_total_ms"},
    };

    for (const ait_measure *m = c->t->measures; m; m = m->next)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (m->origin == AIT_O_ENGINE &&
                strcmp(m->name, known[i].measure) == 0)
                ait_evidence(c, known[i].name, AIT_U_MS, m->value);
}

/* ", 66 % of the whole time" */
static void say_share(const ait_case *c, ait_finding *f)
{
    if (ait_has(f->share))
        ait_say_more(f, ", %" PRId64 " %% of %s", (f->share + 5) / 10,
                     ait_duration(c->end_to_end).text);
}

/* ---- headers ----------------------------------------------------------- */

/* Headers that a recording without events but with a send did not see may
 * not have come; where anything came behind them, they were not recorded. */
static ait_answer headers_absent(ait_case *c)
{
    const ait_trace *t = c->t;
    bool t1 = ait_has(t->point[AIT_P_T1].ns);
    bool came = ait_has(t->point[AIT_P_T2].ns);

    if (c->recorded && t1 && !came && !ait_has(t->point[AIT_P_T3].ns) &&
        ait_outcome_failed(t->outcome))
        return AIT_QUIET;
    if (c->recorded && !t1)
        return t->attempts ? ait_missing(c, "upstream_start_ms") : AIT_QUIET;
    return ait_missing(c, "upstream_headers_ms");
}

ait_answer ait_assess_headers_slow(ait_case *c)
{
    int64_t headers = ait_timing(c->t, AIT_T_UPSTREAM_HEADERS);

    if (!ait_has(headers))
        return headers_absent(c);
    ait_evidence(c, "upstream_headers_ms", AIT_U_MS, headers);
    ait_evidence(c, "inflight", AIT_U_COUNT, c->t->num[AIT_N_INFLIGHT]);
    ait_evidence(c, "prompt_tokens", AIT_U_COUNT,
                 c->t->num[AIT_N_PROMPT_TOKENS]);
    evidence_engine(c);
    return ait_slow(c, headers, AIT_L_HEADERS_SLOW_MS);
}

void ait_say_headers_slow(const ait_case *c, ait_finding *f)
{
    ait_say(f, "the response headers came %s after the upstream request "
               "started",
            ait_duration(f->explains).text);
    say_share(c, f);
    ait_say_more(f, "; consistent with waiting at the route, region or "
                    "provider");
}

/* ---- first response ---------------------------------------------------- */

/* Where t2 is not on the axis of t4: what came before the first response as
 * a whole, unless the headers explain it. Its share of the whole says
 * nothing about the phase, which is a part of unknown size. */
static ait_answer first_response_whole(ait_case *c)
{
    int64_t first = ait_timing(c->t, AIT_T_FIRST_RESPONSE);

    if (ait_fired(c->v, AIT_R_HEADERS_SLOW))
        return AIT_QUIET;
    ait_evidence(c, "first_response_ms", AIT_U_MS, first);
    ait_evidence(c, "upstream_headers_ms", AIT_U_MS,
                 ait_timing(c->t, AIT_T_UPSTREAM_HEADERS));
    evidence_engine(c);
    return first >= ait_limit(c, AIT_L_FIRST_RESPONSE_SLOW_MS)
               ? ait_slow(c, first, AIT_L_FIRST_RESPONSE_SLOW_MS)
               : AIT_QUIET;
}

ait_answer ait_assess_first_response(ait_case *c)
{
    int64_t span = ait_difference(c->t, AIT_P_T2, AIT_P_T4);

    if (unseen(c, AIT_P_T4, "first_response_ms"))
        return AIT_CANNOT;
    if (!ait_has(c->t->point[AIT_P_T4].ns))
        return AIT_QUIET;
    if (!ait_has(span) && !ait_has(ait_span(c->t, AIT_P_T2, AIT_P_T4)))
        return first_response_whole(c);
    if (!ait_has(span))
        return AIT_QUIET; /* smaller than what the log can tell apart */
    ait_evidence(c, "headers_to_response_ms", AIT_U_MS, span);
    ait_evidence(c, "prompt_tokens", AIT_U_COUNT,
                 c->t->num[AIT_N_PROMPT_TOKENS]);
    ait_evidence(c, "comments", AIT_U_COUNT, c->t->stat[AIT_S_COMMENTS]);
    evidence_engine(c);
    return ait_slow(c, span, AIT_L_FIRST_RESPONSE_SLOW_MS);
}

void ait_say_first_response(const ait_case *c, ait_finding *f)
{
    bool whole = !ait_has(ait_span(c->t, AIT_P_T2, AIT_P_T4));

    ait_say(f, "the first output came %s after %s",
            ait_duration(f->explains).text,
            whole ? "the start" : "the headers");
    say_share(c, f);
    ait_say_more(f, whole ? "; how much of it came before the headers "
                            "cannot be told"
                          : "; consistent with queueing or prompt "
                            "processing behind early headers");
}

/* ---- first event to first response ------------------------------------- */

ait_answer ait_assess_event_before(ait_case *c)
{
    int64_t gap = ait_difference(c->t, AIT_P_T3, AIT_P_T4);
    bool t3 = unseen(c, AIT_P_T3, "first_sse_event_ms");
    bool t4 = unseen(c, AIT_P_T4, "first_response_ms");

    if (t3 || t4)
        return AIT_CANNOT;
    if (!ait_has(gap))
        return AIT_QUIET;
    ait_evidence(c, "event_to_response_ms", AIT_U_MS, gap);
    ait_evidence(c, "reasoning_opaque_events", AIT_U_COUNT,
                 ait_count(c->t, AIT_S_OPAQUE) > 0
                     ? c->t->stat[AIT_S_OPAQUE]
                     : AIT_ABSENT);
    return ait_slow(c, gap, AIT_L_EVENT_BEFORE_RESPONSE_MS);
}

void ait_say_event_before(const ait_case *c, ait_finding *f)
{
    ait_say(f, "the first event came, and the first output only %s later",
            ait_duration(f->explains).text);
    say_share(c, f);
    ait_say_more(f, ait_count(c->t, AIT_S_OPAQUE) > 0
                        ? "; hidden reasoning was streamed in between"
                        : "; consistent with prompt processing or hidden "
                          "reasoning");
}

/* ---- first response to first text -------------------------------------- */

static const char *const before_words[] = {"reasoning or action",
                                           "reasoning", "action",
                                           "reasoning and action"};

/* Which of them t4 was; NULL: neither. In a log, event counts may tell. */
static const char *what_came_first(const ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t set = t->stat[AIT_S_T4_CLASSES];
    bool reasoning = ait_count(t, AIT_S_REASONING) > 0;
    bool action = ait_count(t, AIT_S_ACTION) > 0;

    if (ait_has(set)) {
        reasoning = (set & AIT_C_REASONING) != 0;
        action = (set & AIT_C_ACTION) != 0;
        return reasoning || action ? before_words[reasoning + 2 * action]
                                   : NULL;
    }
    return before_words[reasoning != action ? reasoning + 2 * action : 0];
}

ait_answer ait_assess_action_before(ait_case *c)
{
    int64_t gap = ait_difference(c->t, AIT_P_T4, AIT_P_T5);
    bool t4 = unseen(c, AIT_P_T4, "first_response_ms");
    bool t5 = unseen(c, AIT_P_T5, "first_text_delta_ms");

    if (t4 || t5)
        return AIT_CANNOT;
    if (!ait_has(gap) || !what_came_first(c))
        return AIT_QUIET;
    ait_evidence(c, "response_to_text_ms", AIT_U_MS, gap);
    ait_evidence_word(c, "first_response_was", what_came_first(c));
    ait_evidence(c, "reasoning_tokens", AIT_U_COUNT, ait_reasoning(c->t));
    return ait_slow(c, gap, AIT_L_ACTION_BEFORE_TEXT_MS);
}

void ait_say_action_before(const ait_case *c, ait_finding *f)
{
    const char *first = what_came_first(c);

    ait_say(f, "%s came first; the first visible text came %s later",
            first ? first : before_words[0],
            ait_duration(f->explains).text);
    say_share(c, f);
}

/* ---- slow decode ------------------------------------------------------- */

/* The rate is unknown: which field would have given it? Where none is named
 * the text did not happen, or is too short to be slow. */
static ait_answer rate_absent(ait_case *c)
{
    static const char *const lacking[AIT_A_COUNT] = {
        [AIT_A_NO_USAGE] = "output_tokens",
        [AIT_A_NO_EVENT_TIMES] = "first_text_delta_ms",
        [AIT_A_DIFFERENT_ORIGINS] = "upstream_done_ms",
        [AIT_A_NOT_IN_LOG] = "visible_output_tps",
    };
    ait_absence why = c->v->why[AIT_RATE_VISIBLE_TPS];
    bool text = ait_has(c->t->point[AIT_P_T5].ns);

    if (!lacking[why])
        return AIT_QUIET;
    if (why != AIT_A_NOT_IN_LOG)
        return ait_missing(c, lacking[why]);
    if (!text || !c->v->window_end)
        ait_missing(c, text ? "upstream_done_ms" : "first_text_delta_ms");
    ait_missing_if(c, c->t->num[AIT_N_OUTPUT_TOKENS], "output_tokens");
    return AIT_CANNOT;
}

/* A bound that lies on the fast side of the limit proves nothing when the
 * truth may be slower; a lower bound never proves slowness. */
static ait_answer bound_or_fast(ait_case *c, bool slow)
{
    if (c->v->visible_is == AIT_IS_LOWER_BOUND && slow)
        return ait_missing(c, "output_tokens");
    if (c->v->visible_is == AIT_IS_UPPER_BOUND && !slow)
        return ait_missing(c, ait_count(c->t, AIT_S_ACTION) > 0
                                  ? "visible_tokens"
                                  : "reasoning_tokens");
    return slow ? AIT_FIRES : AIT_QUIET;
}

ait_answer ait_assess_slow_decode(ait_case *c)
{
    const char *end;
    int64_t rate = c->v->rate[AIT_RATE_VISIBLE_TPS];
    int64_t window = ait_window(c->t, &end);
    ait_answer answer;

    if (window >= 0 && window < ait_limit(c, AIT_L_SLOW_DECODE_WINDOW_MS))
        return AIT_QUIET;
    if (!ait_has(rate))
        return rate_absent(c);
    if (!ait_has(window)) /* a rate that the log reports, and no window */
        return ait_missing(c, ait_has(c->t->point[AIT_P_T5].ns)
                                  ? "upstream_done_ms"
                                  : "first_text_delta_ms");
    answer = bound_or_fast(c, rate < ait_limit(c, AIT_L_SLOW_DECODE_TPS));
    if (answer != AIT_FIRES)
        return answer;
    c->f->explains = window;
    ait_evidence(c, "visible_output_tps", AIT_U_RATE, rate);
    ait_evidence(c, "visible_window_ms", AIT_U_MS, window);
    ait_evidence_word(c, "visible_output_tps_is",
                      ait_rate_is_name[c->v->visible_is]);
    ait_evidence(c, "inflight", AIT_U_COUNT, c->t->num[AIT_N_INFLIGHT]);
    evidence_engine(c);
    ait_crossed(c, AIT_L_SLOW_DECODE_TPS);
    ait_crossed(c, AIT_L_SLOW_DECODE_WINDOW_MS);
    return AIT_FIRES;
}

void ait_say_slow_decode(const ait_case *c, ait_finding *f)
{
    static const char *const how[] = {"at ", "at most ", "at least ",
                                      "at "};

    ait_say(f, "%s", ait_duration(f->explains).text);
    if (ait_has(c->end_to_end))
        ait_say_more(f, " of %s", ait_duration(c->end_to_end).text);
    ait_say_more(f, " went into writing the answer, %s%s tokens/s",
                 how[c->v->visible_is],
                 ait_rate_words(c->v->rate[AIT_RATE_VISIBLE_TPS]).text);
    if (c->v->visible_is == AIT_IS_REPORTED)
        ait_say_more(f, " as the log reports");
}

/* ---- local overhead ---------------------------------------------------- */

/* The local phases that the recording names, when t0 or t1 is not there. */
static int64_t local_phases(const ait_case *c, bool *all)
{
    int64_t sum = AIT_ABSENT;

    *all = true;
    for (int i = 0; i < 3; i++) {
        int64_t one = c->t->phase[i];
        *all = *all && ait_has(one);
        if (ait_has(one))
            sum = ait_has(sum) ? ait_plus(sum, one) : one;
    }
    return sum;
}

/* What is known stayed under the limit: the rest may still be slow. */
static ait_answer overhead_unknown(ait_case *c, bool spans, int64_t after)
{
    if (!spans)
        for (int i = 0; i < 3; i++)
            ait_missing_if(c, c->t->phase[i], ait_timings[i].name);
    if (spans && !ait_has(after))
        ait_missing(c, ait_has(c->t->point[AIT_P_T7].ns)
                           ? "upstream_done_ms"
                           : "total_handler_ms");
    return c->cannot->missing[0] ? AIT_CANNOT : AIT_QUIET;
}

ait_answer ait_assess_local(ait_case *c)
{
    int64_t before = ait_difference(c->t, AIT_P_T0, AIT_P_T1_FIRST);
    int64_t after = ait_difference(c->t, AIT_P_T6, AIT_P_T7);
    bool spans = ait_has(before), all;
    int64_t sum = spans ? before : local_phases(c, &all);
    ait_answer answer = AIT_QUIET;

    ait_evidence(c, "before_upstream_ms", AIT_U_MS, before);
    ait_evidence(c, "after_upstream_ms", AIT_U_MS, after);
    for (int i = 0; i < 3; i++)
        ait_evidence(c, ait_timings[i].name, AIT_U_MS, c->t->phase[i]);
    if (ait_has(after))
        sum = ait_has(sum) ? ait_plus(sum, after) : after;
    if (ait_has(sum))
        answer = ait_slow(c, sum, AIT_L_LOCAL_OVERHEAD_MS);
    return answer == AIT_FIRES ? answer : overhead_unknown(c, spans, after);
}

void ait_say_local(const ait_case *c, ait_finding *f)
{
    ait_say(f, "%s went by outside of the upstream",
            ait_duration(f->explains).text);
    say_share(c, f);
    if (ait_has(ait_span(c->t, AIT_P_T0, AIT_P_T1_FIRST)))
        ait_say_more(f, "; %s of it before the first attempt",
                     ait_duration(ait_span(c->t, AIT_P_T0,
                                           AIT_P_T1_FIRST)).text);
}
