/* Rules 1 to 6: how the request ended, and what it ended with. */
#include <inttypes.h>

#include "analyse/part.h"

/* ---- the outcome rules ------------------------------------------------- */

/*
 * Where the outcome is not known, none of the outcome rules is: a status of
 * 200 does not say how a stream ended, and a recording that was cut does not
 * show the end at all.
 */
bool ait_cannot_outcome(ait_case *c)
{
    const ait_trace *t = c->t;

    if (t->outcome == AIT_OUT_TRUNCATED_CAPTURE)
        return ait_missing(c, "upstream_done_ms");
    if (t->outcome != AIT_OUT_UNKNOWN)
        return false;
    ait_missing_if(c, t->num[AIT_N_STATUS], "status");
    return ait_missing(c, "finish_reason");
}

/* Origin to the end, as the client saw it. */
static void evidence_end(const ait_case *c, ait_finding *f)
{
    static const ait_timing_field ends[] = {AIT_T_TOTAL_HANDLER,
                                            AIT_T_UPSTREAM_DONE};
    int i = ait_has(ait_timing(c->t, ends[0])) ? 0 : 1;

    ait_evidence(f, ait_timings[ends[i]].name, AIT_U_MS,
                 ait_timing(c->t, ends[i]));
}

static void evidence_status(const ait_case *c, ait_finding *f)
{
    ait_evidence(f, "status", AIT_U_COUNT, c->t->num[AIT_N_STATUS]);
    ait_evidence_word(f, "error_code", c->t->text[AIT_X_ERROR_CODE]);
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

bool ait_fires_rate_limited(ait_case *c)
{
    return c->t->outcome == AIT_OUT_RATE_LIMITED ||
           ait_earlier_rate_limit(c->t);
}

bool ait_cannot_rate_limited(ait_case *c)
{
    return ait_cannot_outcome(c) ||
           (attempts_unknown(c) && ait_missing(c, "attempts"));
}

static void say_earlier_rate_limit(const ait_trace *t, ait_finding *f)
{
    int64_t wait = t->num[AIT_N_RETRY_WAIT];

    ait_evidence(f, "retry_wait_ms", AIT_U_MS, wait);
    ait_evidence(f, "lost_attempts_ms", AIT_U_MS, ait_lost_attempts(t));
    ait_say(f, "an earlier attempt was turned away by a rate limit");
    if (ait_has(wait))
        ait_say_more(f, "; %s of waiting came before the next one",
                     ait_duration(wait).text);
}

void ait_say_rate_limited(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;
    int64_t wait = t->serving ? t->serving->retry_after : AIT_ABSENT;

    if (t->outcome != AIT_OUT_RATE_LIMITED) {
        say_earlier_rate_limit(t, f);
        return;
    }
    evidence_status(c, f);
    ait_evidence(f, "retry_after_ms", AIT_U_MS, wait);
    ait_say(f, "the request was turned away by a rate limit");
    if (ait_has(t->num[AIT_N_STATUS]))
        ait_say_more(f, ", status %" PRId64, t->num[AIT_N_STATUS]);
    if (ait_has(wait))
        ait_say_more(f, "; the answer asks to wait %s",
                     ait_duration(wait).text);
}

bool ait_fires_upstream_error(ait_case *c)
{
    return c->t->outcome == AIT_OUT_ERROR;
}

void ait_say_upstream_error(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;
    int64_t status = t->num[AIT_N_STATUS];
    const char *code = t->text[AIT_X_ERROR_CODE];

    evidence_status(c, f);
    evidence_end(c, f);
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

bool ait_fires_client_cancelled(ait_case *c)
{
    return c->t->outcome == AIT_OUT_CANCELLED;
}

void ait_say_client_cancelled(const ait_case *c, ait_finding *f)
{
    int64_t text = ait_timing(c->t, AIT_T_FIRST_TEXT_DELTA);

    evidence_end(c, f);
    ait_evidence(f, "first_text_delta_ms", AIT_U_MS, text);
    ait_evidence(f, "status", AIT_U_COUNT, c->t->num[AIT_N_STATUS]);
    ait_say(f, "the client went away");
    if (ait_has(c->end_to_end))
        ait_say_more(f, " after %s", ait_duration(c->end_to_end).text);
    if (ait_has(text))
        ait_say_more(f, "; the first visible text had come after %s",
                     ait_duration(text).text);
    else if (c->recorded && ait_readable(c->t))
        ait_say_more(f, "; no visible text had come");
}

/* The last thing that is known to have come; the request, where none is. */
static ait_point_id last_known(const ait_trace *t)
{
    static const ait_point_id last[] = {AIT_P_TF, AIT_P_T3, AIT_P_T2,
                                        AIT_P_T1};
    int i = 0;

    while (i < 3 && !ait_has(t->point[last[i]].ns))
        i++;
    return last[i];
}

bool ait_fires_incomplete_stream(ait_case *c)
{
    ait_outcome outcome = c->t->outcome;

    if (outcome != AIT_OUT_INCOMPLETE && outcome != AIT_OUT_TIMEOUT)
        return false;
    c->f->explains = ait_difference(c->t, last_known(c->t), AIT_P_T6);
    return true;
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

    ait_evidence_word(f, "end", known ? ait_end_name[end] : NULL);
    ait_evidence(f, "silence_before_end_ms", AIT_U_MS, f->explains);
    evidence_end(c, f);
    evidence_status(c, f);
    ait_say(f, "%s", c->t->outcome == AIT_OUT_TIMEOUT
                         ? "timed out"
                         : "the stream broke off without a terminal marker");
    if (known)
        ait_say_more(f, ": %s", end_words[end]);
    if (ait_has(f->explains))
        ait_say_more(f, ", %s after %s", ait_duration(f->explains).text,
                     last_known(c->t) == AIT_P_T1 ? "the upstream request"
                                                  : "the last thing that "
                                                    "came");
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

static void evidence_reasoning(const ait_case *c, ait_finding *f)
{
    if (ait_count(c->t, AIT_S_REASONING) > 0)
        ait_evidence(f, "reasoning_events", AIT_U_COUNT,
                     c->t->stat[AIT_S_REASONING]);
}

/* Readable or not, as events or in a whole body. */
static bool came_reasoning(const ait_case *c)
{
    return ait_count(c->t, AIT_S_REASONING) > 0 ||
           ait_count(c->t, AIT_S_OPAQUE) > 0 ||
           c->seen & (AIT_SEEN_BODY_REASONING | AIT_SEEN_BODY_OPAQUE);
}

static bool budget_counted(const ait_trace *t)
{
    return ait_has(t->num[AIT_N_OUTPUT_TOKENS]) && ait_has(ait_reasoning(t));
}

/* The counts are there. */
static bool mostly_reasoning(const ait_case *c)
{
    int64_t output = c->t->num[AIT_N_OUTPUT_TOKENS];

    return output > 0 &&
           ait_share_cmp(ait_reasoning(c->t),
                         ait_limit(c, AIT_L_BUDGET_REASONING_SHARE),
                         output) >= 0;
}

/* The counts are there, and most of them are reasoning. */
static bool little_text(ait_case *c)
{
    int64_t output = c->t->num[AIT_N_OUTPUT_TOKENS];
    int64_t reasoning = ait_reasoning(c->t);
    int64_t visible = output > reasoning ? output - reasoning : 0;

    if (ait_has(c->v->visible_tokens))
        visible = c->v->visible_tokens;
    if (text_known(c) != 0 &&
        ait_share_cmp(visible, ait_limit(c, AIT_L_BUDGET_TEXT_SHARE),
                      output) >= 0)
        return false;
    ait_crossed(c, AIT_L_BUDGET_REASONING_SHARE);
    ait_crossed(c, AIT_L_BUDGET_TEXT_SHARE);
    return true;
}

/* Where nothing is counted only reasoning may have come, and nothing else:
 * is it known what came? */
static bool events_known(const ait_case *c)
{
    return text_known(c) >= 0 && ait_has(c->t->stat[AIT_S_REASONING]);
}

bool ait_fires_budget(ait_case *c)
{
    bool counted = budget_counted(c->t);

    /* what ends most requests at once is asked first */
    if ((counted && !mostly_reasoning(c)) || !limit_hit(c) ||
        finish_unknown(c))
        return false;
    if (counted)
        return little_text(c);
    return text_known(c) != 1 && !other_output(c) && events_known(c) &&
           came_reasoning(c);
}

bool ait_cannot_budget(ait_case *c)
{
    const ait_trace *t = c->t;

    if (finish_unknown(c))
        return ait_missing(c, "finish_reason");
    if (!limit_hit(c) || budget_counted(t) || text_known(c) == 1 ||
        other_output(c) || events_known(c))
        return false;
    ait_missing_if(c, t->num[AIT_N_OUTPUT_TOKENS], "output_tokens");
    ait_missing_if(c, ait_reasoning(t), "reasoning_tokens");
    return true;
}

static void evidence_budget(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;

    ait_evidence_word(f, "finish_reason", t->text[AIT_X_FINISH_REASON]);
    ait_evidence(f, "output_tokens", AIT_U_COUNT,
                 t->num[AIT_N_OUTPUT_TOKENS]);
    if (budget_counted(t))
        ait_evidence(f, "reasoning_tokens", AIT_U_COUNT, ait_reasoning(t));
    ait_evidence(f, "max_tokens", AIT_U_COUNT, t->num[AIT_N_MAX_TOKENS]);
    evidence_reasoning(c, f);
}

void ait_say_budget(const ait_case *c, ait_finding *f)
{
    int64_t output = c->t->num[AIT_N_OUTPUT_TOKENS];
    int64_t reasoning = ait_reasoning(c->t);

    evidence_budget(c, f);
    if (budget_counted(c->t))
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
static bool text_unknown(ait_case *c)
{
    if (c->recorded && c->t->stream == 0 && !c->t->text[AIT_X_DIALECT])
        return ait_missing(c, "dialect");
    ait_missing(c, "first_text_delta_ms");
    return ait_missing(c, "events");
}

/* Complete, and a client got nothing to show. */
bool ait_fires_no_text(ait_case *c)
{
    return c->t->outcome == AIT_OUT_COMPLETE && text_known(c) == 0 &&
           !other_output(c) && !limit_hit(c);
}

bool ait_cannot_no_text(ait_case *c)
{
    const ait_trace *t = c->t;

    if (ait_outcome_failed(t->outcome) || text_known(c) == 1 ||
        other_output(c) || limit_hit(c))
        return false;
    if (text_known(c) < 0)
        return text_unknown(c);
    if (t->outcome == AIT_OUT_TRUNCATED_CAPTURE) /* text may have followed */
        return ait_missing(c, "upstream_done_ms");
    return t->outcome == AIT_OUT_UNKNOWN && ait_missing(c, "finish_reason");
}

void ait_say_no_text(const ait_case *c, ait_finding *f)
{
    int64_t reasoning = ait_count(c->t, AIT_S_REASONING);
    const char *finish = c->t->text[AIT_X_FINISH_REASON];

    ait_evidence_word(f, "finish_reason", finish);
    ait_evidence(f, "output_tokens", AIT_U_COUNT,
                 c->t->num[AIT_N_OUTPUT_TOKENS]);
    evidence_reasoning(c, f);
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
