/* Rules 1 to 6: how the request ended, and what it ended with. */
#include <inttypes.h>

#include "analyse/part.h"

/* ---- the outcome rules ------------------------------------------------- */

/*
 * Where the outcome is not known, none of the outcome rules is: a status of
 * 200 does not say how a stream ended, and a recording that was cut does not
 * show the end at all.
 */
static ait_answer outcome_unknown(ait_case *c)
{
    const ait_trace *t = c->t;

    if (t->outcome == AIT_OUT_TRUNCATED_CAPTURE)
        return ait_missing(c, "upstream_done_ms");
    if (t->outcome != AIT_OUT_UNKNOWN)
        return AIT_QUIET;
    ait_missing_if(c, t->num[AIT_N_STATUS], "status");
    return ait_missing(c, "finish_reason");
}

/* Origin to the end, as the client saw it. */
static void evidence_end(ait_case *c)
{
    static const ait_timing_field ends[] = {AIT_T_TOTAL_HANDLER,
                                            AIT_T_UPSTREAM_DONE};
    int i = ait_has(ait_timing(c->t, ends[0])) ? 0 : 1;

    ait_evidence(c, ait_timings[ends[i]].name, AIT_U_MS,
                 ait_timing(c->t, ends[i]));
}

static void evidence_status(ait_case *c)
{
    ait_evidence(c, "status", AIT_U_COUNT, c->t->num[AIT_N_STATUS]);
    ait_evidence_word(c, "error_code", c->t->text[AIT_X_ERROR_CODE]);
}

/* Earlier attempts that a log only counts, or does not know of, may have
 * been turned away. */
static bool attempts_unknown(const ait_case *c)
{
    int64_t retries = c->t->num[AIT_N_RETRIES], listed = 0;

    for (const ait_attempt *a = c->t->attempts; a; a = a->next)
        listed++;
    return !c->recorded && listed < 2 && retries != 0;
}

static ait_answer no_rate_limit(ait_case *c)
{
    if (outcome_unknown(c) == AIT_CANNOT)
        return AIT_CANNOT;
    return attempts_unknown(c) ? ait_missing(c, "attempts") : AIT_QUIET;
}

ait_answer ait_assess_rate_limited(ait_case *c)
{
    const ait_trace *t = c->t;
    bool outcome = t->outcome == AIT_OUT_RATE_LIMITED;

    if (!outcome && !ait_earlier_rate_limit(t))
        return no_rate_limit(c);
    if (outcome) {
        evidence_status(c);
        if (t->serving)
            ait_evidence(c, "retry_after_ms", AIT_U_MS,
                         t->serving->retry_after);
        return AIT_FIRES;
    }
    ait_evidence(c, "retry_wait_ms", AIT_U_MS, t->num[AIT_N_RETRY_WAIT]);
    ait_evidence(c, "lost_attempts_ms", AIT_U_MS, ait_lost_attempts(t));
    return AIT_FIRES;
}

void ait_say_rate_limited(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;
    int64_t wait = t->serving ? t->serving->retry_after : AIT_ABSENT;

    if (t->outcome != AIT_OUT_RATE_LIMITED) {
        ait_say(f, "an earlier attempt was turned away by a rate limit");
        if (ait_has(t->num[AIT_N_RETRY_WAIT]))
            ait_say_more(f, "; %s of waiting came before the next one",
                         ait_duration(t->num[AIT_N_RETRY_WAIT]).text);
        return;
    }
    ait_say(f, "the request was turned away by a rate limit");
    if (ait_has(t->num[AIT_N_STATUS]))
        ait_say_more(f, ", status %" PRId64, t->num[AIT_N_STATUS]);
    if (ait_has(wait))
        ait_say_more(f, "; the answer asks to wait %s",
                     ait_duration(wait).text);
}

ait_answer ait_assess_upstream_error(ait_case *c)
{
    if (c->t->outcome != AIT_OUT_ERROR)
        return outcome_unknown(c);
    evidence_status(c);
    evidence_end(c);
    return AIT_FIRES;
}

void ait_say_upstream_error(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;
    int64_t status = t->num[AIT_N_STATUS];
    const char *code = t->text[AIT_X_ERROR_CODE];

    if (c->seen & AIT_SEEN_ERROR)
        ait_say(f, "an error came inside the stream");
    else if (ait_has(status) && status >= 400)
        ait_say(f, "the request failed");
    else
        ait_say(f, "the upstream ended before it answered");
    if (ait_has(status))
        ait_say_more(f, ", status %" PRId64, status);
    if (code)
        ait_say_more(f, ", code %s", code);
    if (ait_has(c->end_to_end))
        ait_say_more(f, ", after %s", ait_duration(c->end_to_end).text);
}

ait_answer ait_assess_client_cancelled(ait_case *c)
{
    if (c->t->outcome != AIT_OUT_CANCELLED)
        return outcome_unknown(c);
    evidence_end(c);
    ait_evidence(c, "first_text_delta_ms", AIT_U_MS,
                 ait_timing(c->t, AIT_T_FIRST_TEXT_DELTA));
    ait_evidence(c, "status", AIT_U_COUNT, c->t->num[AIT_N_STATUS]);
    return AIT_FIRES;
}

void ait_say_client_cancelled(const ait_case *c, ait_finding *f)
{
    int64_t text = ait_timing(c->t, AIT_T_FIRST_TEXT_DELTA);

    ait_say(f, "the client went away");
    if (ait_has(c->end_to_end))
        ait_say_more(f, " after %s", ait_duration(c->end_to_end).text);
    if (ait_has(text))
        ait_say_more(f, "; the first visible text had come after %s",
                     ait_duration(text).text);
    else if (c->recorded && ait_readable(c->t))
        ait_say_more(f, "; no visible text had come");
}

/* From the last thing that is known to have come to the end. */
static int64_t silence_before_end(const ait_trace *t)
{
    static const ait_point_id last[] = {AIT_P_TF, AIT_P_T3, AIT_P_T2,
                                        AIT_P_T1};
    int i = 0;

    while (i < 3 && !ait_has(t->point[last[i]].ns))
        i++;
    return ait_difference(t, last[i], AIT_P_T6);
}

static const char *how_it_ended(const ait_trace *t)
{
    int64_t end = t->stat[AIT_S_END];

    return end > AIT_E_NONE && end < AIT_E_COUNT ? ait_end_name[end] : NULL;
}

ait_answer ait_assess_incomplete_stream(ait_case *c)
{
    ait_outcome outcome = c->t->outcome;

    if (outcome != AIT_OUT_INCOMPLETE && outcome != AIT_OUT_TIMEOUT)
        return outcome_unknown(c);
    c->f->explains = silence_before_end(c->t);
    ait_evidence_word(c, "end", how_it_ended(c->t));
    ait_evidence(c, "silence_before_end_ms", AIT_U_MS, c->f->explains);
    evidence_end(c);
    evidence_status(c);
    return AIT_FIRES;
}

static const char *const end_words[AIT_E_COUNT] = {
    [AIT_E_EOF] = "the body ended by itself",
    [AIT_E_SHORT] = "the body came short of its length",
    [AIT_E_RESET] = "the connection was reset",
    [AIT_E_TIMEOUT] = "waiting was given up",
    [AIT_E_CANCELLED] = "the client went away",
    [AIT_E_ERROR] = "the connection failed",
    [AIT_E_UNKNOWN] = "how it ended was not recorded",
};

void ait_say_incomplete_stream(const ait_case *c, ait_finding *f)
{
    int64_t end = c->t->stat[AIT_S_END];
    bool known = end > AIT_E_NONE && end < AIT_E_COUNT;

    ait_say(f, "%s", c->t->outcome == AIT_OUT_TIMEOUT
                         ? "timed out"
                         : "the stream broke off without a terminal marker");
    if (known)
        ait_say_more(f, ": %s", end_words[end]);
    if (ait_has(f->explains))
        ait_say_more(f, ", %s after the last thing that came",
                     ait_duration(f->explains).text);
    else if (ait_has(c->end_to_end))
        ait_say_more(f, ", after %s", ait_duration(c->end_to_end).text);
}

/* ---- what it ended with ------------------------------------------------ */

static bool limit_hit(const ait_case *c)
{
    const char *finish = c->t->text[AIT_X_FINISH_REASON];

    return c->seen & AIT_SEEN_LIMIT || (finish && ait_is_limit_finish(finish));
}

/* Is a finish reason that did not come one that the recording cannot show? */
static bool finish_unknown(const ait_case *c)
{
    if (c->t->text[AIT_X_FINISH_REASON] || ait_outcome_failed(c->t->outcome))
        return false;
    return !c->recorded || !ait_readable(c->t) ||
           c->t->outcome == AIT_OUT_TRUNCATED_CAPTURE;
}

/* Visible text: 1 came, 0 none came, -1 the recording cannot tell. */
static int text_known(const ait_case *c)
{
    const ait_trace *t = c->t;

    if (ait_has(t->point[AIT_P_T5].ns) || ait_count(t, AIT_S_TEXT) > 0 ||
        c->seen & AIT_SEEN_BODY_TEXT)
        return 1;
    if (!ait_readable(t))
        return -1;
    if (c->seen & AIT_SEEN_BODY)
        return 0;
    if (c->recorded && t->stream == 0)
        return -1;
    return ait_has(t->stat[AIT_S_TEXT]) ? 0 : -1;
}

/* Something else that a client can use. */
static bool other_output(const ait_case *c)
{
    return c->seen & AIT_SEEN_BODY_OTHER ||
           ait_count(c->t, AIT_S_ACTION) > 0 ||
           ait_count(c->t, AIT_S_MEDIA) > 0;
}

static void evidence_reasoning(ait_case *c)
{
    if (ait_count(c->t, AIT_S_REASONING) > 0)
        ait_evidence(c, "reasoning_events", AIT_U_COUNT,
                     c->t->stat[AIT_S_REASONING]);
}

/* Readable or not, as events or in a whole body. */
static bool came_reasoning(const ait_case *c)
{
    return ait_count(c->t, AIT_S_REASONING) > 0 ||
           ait_count(c->t, AIT_S_OPAQUE) > 0 ||
           c->seen & (AIT_SEEN_BODY_REASONING | AIT_SEEN_BODY_OPAQUE);
}

static ait_answer budget_fires(ait_case *c, int64_t reasoning)
{
    const ait_trace *t = c->t;

    ait_evidence_word(c, "finish_reason", t->text[AIT_X_FINISH_REASON]);
    ait_evidence(c, "output_tokens", AIT_U_COUNT,
                 t->num[AIT_N_OUTPUT_TOKENS]);
    ait_evidence(c, "reasoning_tokens", AIT_U_COUNT, reasoning);
    ait_evidence(c, "max_tokens", AIT_U_COUNT, t->num[AIT_N_MAX_TOKENS]);
    evidence_reasoning(c);
    if (ait_has(reasoning)) {
        ait_crossed(c, AIT_L_BUDGET_REASONING_SHARE);
        ait_crossed(c, AIT_L_BUDGET_TEXT_SHARE);
    }
    return AIT_FIRES;
}

/* The counts are there. */
static ait_answer counted_budget(ait_case *c, int64_t output,
                                 int64_t reasoning)
{
    int64_t visible = output > reasoning ? output - reasoning : 0;

    if (output <= 0 ||
        ait_share_cmp(reasoning, ait_limit(c, AIT_L_BUDGET_REASONING_SHARE),
                      output) < 0)
        return AIT_QUIET;
    if (ait_has(c->v->visible_tokens))
        visible = c->v->visible_tokens;
    if (text_known(c) != 0 &&
        ait_share_cmp(visible, ait_limit(c, AIT_L_BUDGET_TEXT_SHARE),
                      output) >= 0)
        return AIT_QUIET;
    return budget_fires(c, reasoning);
}

ait_answer ait_assess_budget(ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t output = t->num[AIT_N_OUTPUT_TOKENS];
    int64_t reasoning = ait_reasoning(t);

    if (finish_unknown(c))
        return ait_missing(c, "finish_reason");
    if (!limit_hit(c))
        return AIT_QUIET;
    if (ait_has(output) && ait_has(reasoning))
        return counted_budget(c, output, reasoning);
    if (text_known(c) == 1 || other_output(c))
        return AIT_QUIET;
    /* Nothing is counted: only reasoning may have come, and nothing else. */
    if (text_known(c) < 0 || !ait_has(t->stat[AIT_S_REASONING])) {
        ait_missing_if(c, output, "output_tokens");
        ait_missing_if(c, reasoning, "reasoning_tokens");
        return AIT_CANNOT;
    }
    return came_reasoning(c) ? budget_fires(c, AIT_ABSENT) : AIT_QUIET;
}

void ait_say_budget(const ait_case *c, ait_finding *f)
{
    int64_t output = c->t->num[AIT_N_OUTPUT_TOKENS];
    int64_t reasoning = ait_reasoning(c->t);

    if (ait_has(reasoning) && ait_has(output))
        ait_say(f, "the token limit was hit and reasoning had taken %" PRId64
                   " of %" PRId64 " output tokens",
                reasoning, output);
    else
        ait_say(f, "the token limit was hit after reasoning alone; reasoning "
                   "was not counted, this is consistent with a spent budget");
    if (ait_has(c->t->num[AIT_N_MAX_TOKENS]))
        ait_say_more(f, "; the request allowed %" PRId64,
                     c->t->num[AIT_N_MAX_TOKENS]);
}

/* A whole body of no known kind (an image, a list of models) lacks its
 * dialect: it has no events. */
static ait_answer text_unknown(ait_case *c)
{
    if (c->recorded && c->t->stream == 0 && !c->t->text[AIT_X_DIALECT])
        return ait_missing(c, "dialect");
    ait_missing(c, "first_text_delta_ms");
    return ait_missing(c, "events");
}

/* Complete, and a client got nothing to show. */
ait_answer ait_assess_no_text(ait_case *c)
{
    const ait_trace *t = c->t;

    if (ait_outcome_failed(t->outcome) || text_known(c) == 1 ||
        other_output(c) || limit_hit(c))
        return AIT_QUIET;
    if (text_known(c) < 0)
        return text_unknown(c);
    if (t->outcome == AIT_OUT_TRUNCATED_CAPTURE) /* text may have followed */
        return ait_missing(c, "upstream_done_ms");
    if (t->outcome == AIT_OUT_UNKNOWN)
        return ait_missing(c, "finish_reason");
    ait_evidence_word(c, "finish_reason", t->text[AIT_X_FINISH_REASON]);
    ait_evidence(c, "output_tokens", AIT_U_COUNT,
                 t->num[AIT_N_OUTPUT_TOKENS]);
    evidence_reasoning(c);
    return AIT_FIRES;
}

void ait_say_no_text(const ait_case *c, ait_finding *f)
{
    int64_t reasoning = ait_count(c->t, AIT_S_REASONING);
    const char *finish = c->t->text[AIT_X_FINISH_REASON];

    ait_say(f, "the answer is complete and holds no visible text, action or "
               "media");
    if (reasoning > 0)
        ait_say_more(f, "; %" PRId64 " reasoning event%s came", reasoning,
                     reasoning == 1 ? "" : "s");
    else if (c->seen & AIT_SEEN_BODY_REASONING)
        ait_say_more(f, "; it holds reasoning");
    if (finish)
        ait_say_more(f, "; it ended with \"%s\"", finish);
}
