/* Rules 7 to 12: the phases of a request, and the rate of its text. */
#include <inttypes.h>
#include <string.h>

#include "analyse/part.h"

/* A phase from one point to another, with its limit. */
typedef struct phase {
    ait_point_id from, to;
    const char *name; /* of its span */
    ait_limit_id limit;
} phase;

static bool phase_fires(ait_case *c, const phase *p)
{
    return ait_slow(c, ait_difference(c->t, p->from, p->to), p->limit);
}

static bool phase_cannot(ait_case *c, const phase *p)
{
    const ait_trace *t = c->t;
    bool from = ait_unseen(c, p->from) && ait_missing_point(c, p->from);
    bool to = ait_unseen(c, p->to) && ait_missing_point(c, p->to);

    if (from || to)
        return true;
    if (!ait_has(t->point[p->from].ns) || !ait_has(t->point[p->to].ns) ||
        ait_has(ait_difference(t, p->from, p->to)))
        return false; /* did not happen, or is not slow */
    if (!ait_has(ait_span(t, p->from, p->to)))
        return ait_missing_span(c, p->from, p->to, p->name);
    /* smaller than what the log can tell apart: could such a span fire? */
    return ait_would_be_slow(c, t->num[AIT_N_RESOLUTION] - 1, p->limit) &&
           ait_missing(c, p->name);
}

/* What the server said about its own time: queue, prompt, decode. Never
 * mixed with the observer's clock, shown beside it. */
static void evidence_engine(const ait_case *c, ait_finding *f)
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
                ait_evidence(f, known[i].name, AIT_U_MS, m->value);
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
 * not have come; where anything came behind them, or their status is known,
 * their time was not recorded. */
static bool headers_absent(ait_case *c)
{
    const ait_trace *t = c->t;
    bool t1 = ait_has(t->point[AIT_P_T1].ns);
    bool came = ait_has(t->point[AIT_P_T2].ns) ||
                (t->serving && ait_has(t->serving->status));

    if (c->recorded && t1 && !came && !ait_has(t->point[AIT_P_T3].ns) &&
        ait_outcome_failed(t->outcome))
        return false;
    if (c->recorded && !t1)
        return t->attempts && ait_missing(c, "upstream_start_ms");
    return ait_missing(c, "upstream_headers_ms");
}

bool ait_fires_headers_slow(ait_case *c)
{
    return ait_slow(c, ait_span(c->t, AIT_P_T1, AIT_P_T2),
                    AIT_L_HEADERS_SLOW_MS);
}

bool ait_cannot_headers_slow(ait_case *c)
{
    return !ait_has(ait_timing(c->t, AIT_T_UPSTREAM_HEADERS)) &&
           headers_absent(c);
}

void ait_say_headers_slow(const ait_case *c, ait_finding *f)
{
    static const char *const causes[] = {
        [AIT_WHOLE_NO] = "a queue at the route or provider",
        [AIT_WHOLE_PERHAPS] = "a queue at the route or provider or, unless "
                              "it was streamed, the writing of the answer",
        [AIT_WHOLE_YES] = "the writing of the whole answer, which was not "
                          "streamed, or a queue before it"};

    ait_evidence(f, "upstream_headers_ms", AIT_U_MS, f->explains);
    ait_evidence(f, "inflight", AIT_U_COUNT, c->t->num[AIT_N_INFLIGHT]);
    ait_evidence(f, "prompt_tokens", AIT_U_COUNT,
                 c->t->num[AIT_N_PROMPT_TOKENS]);
    evidence_engine(c, f);
    ait_say(f, "the headers came %s after the upstream request",
            ait_duration(f->explains).text);
    say_share(c, f);
    ait_say_more(f, "; consistent with %s",
                 causes[ait_whole_answer(c->t, f->share)]);
}

/* ---- first response ---------------------------------------------------- */

static const phase to_response = {AIT_P_T2, AIT_P_T4,
                                  "headers_to_response_ms",
                                  AIT_L_FIRST_RESPONSE_SLOW_MS};

/* Is there a span from the headers on, or two figures that should give
 * one? Where t2 has no place on the axis of t4, what came before the first
 * response counts as a whole. */
static bool behind_headers(const ait_trace *t)
{
    return ait_has(ait_span(t, AIT_P_T2, AIT_P_T4)) ||
           ait_reversed(t, AIT_P_T2, AIT_P_T4);
}

/* The whole, unless the headers explain it. Its share says nothing about the
 * phase, which is a part of unknown size. */
static bool whole_fires(ait_case *c)
{
    int64_t first = ait_span(c->t, AIT_P_ORIGIN, AIT_P_T4);

    return first >= ait_limit(c, AIT_L_FIRST_RESPONSE_SLOW_MS) &&
           !ait_fired(c->v, AIT_R_HEADERS_SLOW) &&
           ait_slow(c, first, AIT_L_FIRST_RESPONSE_SLOW_MS);
}

bool ait_fires_first_response(ait_case *c)
{
    if (!ait_has(c->t->point[AIT_P_T4].ns))
        return false;
    return behind_headers(c->t) ? phase_fires(c, &to_response)
                                : whole_fires(c);
}

bool ait_cannot_first_response(ait_case *c)
{
    const char *name = ait_timings[AIT_T_FIRST_RESPONSE].name;
    const ait_trace *t = c->t;

    if (!ait_has(t->point[AIT_P_T4].ns)) /* t2 does not matter then */
        return ait_unseen(c, AIT_P_T4) && ait_missing(c, name);
    if (behind_headers(t))
        return phase_cannot(c, &to_response);
    return !ait_has(ait_timing(t, AIT_T_FIRST_RESPONSE)) &&
           ait_missing(c, name);
}

static void evidence_response(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;
    int64_t comments = ait_count(t, AIT_S_COMMENTS);

    if (behind_headers(t)) {
        ait_evidence(f, to_response.name, AIT_U_MS, f->explains);
        ait_evidence(f, "prompt_tokens", AIT_U_COUNT,
                     t->num[AIT_N_PROMPT_TOKENS]);
        ait_evidence(f, "comments", AIT_U_COUNT,
                     comments > 0 ? comments : AIT_ABSENT);
    } else {
        ait_evidence(f, "first_response_ms", AIT_U_MS, f->explains);
        ait_evidence(f, "upstream_headers_ms", AIT_U_MS,
                     ait_timing(t, AIT_T_UPSTREAM_HEADERS));
    }
    evidence_engine(c, f);
}

void ait_say_first_response(const ait_case *c, ait_finding *f)
{
    bool whole = !behind_headers(c->t);

    evidence_response(c, f);
    ait_say(f, "the first output came %s after %s",
            ait_duration(f->explains).text,
            whole ? "the start" : "the headers");
    say_share(c, f);
    ait_say_more(f, whole ? "; how much of it came before the headers "
                            "cannot be told"
                          : "; consistent with a queue or prompt "
                            "processing");
}

/* ---- first event to first response ------------------------------------- */

static const phase event_before = {AIT_P_T3, AIT_P_T4,
                                   "event_to_response_ms",
                                   AIT_L_EVENT_BEFORE_RESPONSE_MS};

bool ait_fires_event_before(ait_case *c)
{
    return phase_fires(c, &event_before);
}

bool ait_cannot_event_before(ait_case *c)
{
    return phase_cannot(c, &event_before);
}

void ait_say_event_before(const ait_case *c, ait_finding *f)
{
    int64_t hidden = ait_count(c->t, AIT_S_OPAQUE);

    ait_evidence(f, event_before.name, AIT_U_MS, f->explains);
    ait_evidence(f, "reasoning_opaque_events", AIT_U_COUNT,
                 hidden > 0 ? hidden : AIT_ABSENT);
    ait_say(f, "the first event came, and the first output only %s later",
            ait_duration(f->explains).text);
    say_share(c, f);
    ait_say_more(f, hidden > 0
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

static const phase before_text = {AIT_P_T4, AIT_P_T5,
                                  "response_to_text_ms",
                                  AIT_L_ACTION_BEFORE_TEXT_MS};

/* Where it is known that neither came first the rule does not apply. */
static bool text_first(const ait_case *c)
{
    return !what_came_first(c) && ait_has(c->t->point[AIT_P_T4].ns);
}

bool ait_fires_action_before(ait_case *c)
{
    return !text_first(c) && phase_fires(c, &before_text);
}

bool ait_cannot_action_before(ait_case *c)
{
    return !text_first(c) && phase_cannot(c, &before_text);
}

void ait_say_action_before(const ait_case *c, ait_finding *f)
{
    const char *first = what_came_first(c);

    ait_evidence(f, before_text.name, AIT_U_MS, f->explains);
    ait_evidence_word(f, "first_response_was", first);
    ait_evidence(f, "reasoning_tokens", AIT_U_COUNT, ait_reasoning(c->t));
    ait_say(f, "%s came first; the first visible text came %s later",
            first ? first : before_words[0],
            ait_duration(f->explains).text);
    say_share(c, f);
}

/* ---- slow decode ------------------------------------------------------- */

/* Which end of the window is missing, or the window itself. */
static bool window_absent(ait_case *c)
{
    ait_point_id end = ait_window_end(c->t);

    if (!ait_has(c->t->point[AIT_P_T5].ns))
        return ait_missing(c, ait_timings[AIT_T_FIRST_TEXT_DELTA].name);
    if (end == AIT_P_COUNT)
        end = c->recorded ? AIT_P_TF : AIT_P_T6;
    return ait_missing_span(c, AIT_P_T5, end, "visible_window_ms");
}

/* The rate is unknown, and the text not known to be over too soon for the
 * rule: does it not apply, or what is missing? */
static bool rate_absent(ait_case *c)
{
    ait_absence why = c->v->why[AIT_RATE_VISIBLE_TPS];
    int64_t resolution = c->t->num[AIT_N_RESOLUTION];
    bool known = ait_has(ait_window(c->t));

    if (why == AIT_A_NOT_STREAMED || why == AIT_A_NO_TEXT)
        return false;
    if (why == AIT_A_WINDOW_TOO_SHORT && /* all of it in one read, or … */
        (known || resolution <= ait_limit(c, AIT_L_SLOW_DECODE_WINDOW_MS)))
        return false;
    if (why == AIT_A_TOO_FEW_TOKENS) /* text came, and no token is left */
        return ait_missing(c, "visible_output_tps");
    if (!known)
        window_absent(c);
    ait_missing_if(c, c->t->num[AIT_N_OUTPUT_TOKENS], "output_tokens");
    return c->cannot->missing[0] || ait_missing(c, "visible_output_tps");
}

static bool slow_rate(const ait_case *c)
{
    return c->v->rate[AIT_RATE_VISIBLE_TPS] <
           ait_limit(c, AIT_L_SLOW_DECODE_TPS);
}

/* A bound that lies on the fast side of the limit proves nothing when the
 * truth may be slower; a lower bound never proves slowness. */
static bool bound_proves_nothing(ait_case *c)
{
    if (c->v->visible_is == AIT_IS_LOWER_BOUND && slow_rate(c))
        return ait_missing(c, "output_tokens");
    if (c->v->visible_is == AIT_IS_UPPER_BOUND && !slow_rate(c))
        return ait_missing(c, ait_count(c->t, AIT_S_ACTION) > 0
                                  ? "visible_tokens"
                                  : "reasoning_tokens");
    return false;
}

bool ait_fires_slow_decode(ait_case *c)
{
    int64_t window;

    if (!ait_has(c->v->rate[AIT_RATE_VISIBLE_TPS]) || !slow_rate(c) ||
        c->v->visible_is == AIT_IS_LOWER_BOUND)
        return false;
    window = ait_window(c->t);
    if (!ait_has(window) ||
        window < ait_limit(c, AIT_L_SLOW_DECODE_WINDOW_MS))
        return false;
    c->f->explains = window;
    ait_crossed(c, AIT_L_SLOW_DECODE_TPS);
    ait_crossed(c, AIT_L_SLOW_DECODE_WINDOW_MS);
    return true;
}

bool ait_cannot_slow_decode(ait_case *c)
{
    int64_t window = ait_window(c->t);

    if (window >= 0 && window < ait_limit(c, AIT_L_SLOW_DECODE_WINDOW_MS))
        return false;
    if (!ait_has(c->v->rate[AIT_RATE_VISIBLE_TPS]))
        return rate_absent(c);
    if (!ait_has(window)) /* a rate that the log reports, and no window */
        return window_absent(c);
    return bound_proves_nothing(c);
}

static void evidence_decode(const ait_case *c, ait_finding *f)
{
    ait_evidence(f, "visible_output_tps", AIT_U_RATE,
                 c->v->rate[AIT_RATE_VISIBLE_TPS]);
    ait_evidence_word(f, "visible_output_tps_is",
                      ait_rate_is_name[c->v->visible_is]);
    ait_evidence(f, "visible_window_ms", AIT_U_MS, f->explains);
    ait_evidence(f, "inflight", AIT_U_COUNT, c->t->num[AIT_N_INFLIGHT]);
    evidence_engine(c, f);
}

void ait_say_slow_decode(const ait_case *c, ait_finding *f)
{
    static const char *const how[] = {"at ", "at most ", "at least ",
                                      "at "};

    evidence_decode(c, f);
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
static int64_t local_phases(const ait_case *c)
{
    int64_t sum = AIT_ABSENT;

    for (int i = 0; i < 3; i++) {
        int64_t one = c->t->phase[i];
        if (ait_has(one))
            sum = ait_has(sum) ? ait_plus(sum, one) : one;
    }
    return sum;
}

/* What is known of the time before the first attempt and after the
 * upstream. */
static int64_t known_local(const ait_case *c)
{
    int64_t sum = ait_difference(c->t, AIT_P_T0, AIT_P_T1_FIRST);
    int64_t after = ait_difference(c->t, AIT_P_T6, AIT_P_T7);

    if (!ait_has(sum))
        sum = local_phases(c);
    if (ait_has(after))
        sum = ait_has(sum) ? ait_plus(sum, after) : after;
    return sum;
}

bool ait_fires_local(ait_case *c)
{
    return ait_slow(c, known_local(c), AIT_L_LOCAL_OVERHEAD_MS);
}

/* Before the first attempt: which of the two ways to know it lacks what? */
static void before_unknown(ait_case *c)
{
    const ait_trace *t = c->t;

    if (ait_has(t->point[AIT_P_T0].ns) &&
        ait_has(t->point[AIT_P_T1_FIRST].ns)) {
        if (!ait_missing_point(c, AIT_P_T1))
            ait_missing(c, ait_gaps[AIT_G_BEFORE_UPSTREAM].name);
        return;
    }
    for (int i = 0; i < 3; i++)
        ait_missing_if(c, t->phase[i], ait_timings[i].name);
}

static void after_unknown(ait_case *c)
{
    int64_t most = ait_minus(c->t->num[AIT_N_RESOLUTION], 1);
    const char *name = ait_gaps[AIT_G_AFTER_UPSTREAM].name;

    if (!ait_has(ait_span(c->t, AIT_P_T6, AIT_P_T7)))
        ait_missing_span(c, AIT_P_T6, AIT_P_T7, name);
    else if (ait_would_be_slow(c, ait_plus(known_local(c), most),
                               AIT_L_LOCAL_OVERHEAD_MS))
        ait_missing(c, name); /* smaller than what the log can tell apart */
}

/* What is known stayed under the limit: the rest may still be slow. */
bool ait_cannot_local(ait_case *c)
{
    if (!ait_has(ait_difference(c->t, AIT_P_T0, AIT_P_T1_FIRST)))
        before_unknown(c);
    else if (!ait_has(ait_difference(c->t, AIT_P_T6, AIT_P_T7)))
        after_unknown(c);
    return c->cannot->missing[0] != NULL;
}

static void evidence_local(const ait_case *c, ait_finding *f)
{
    ait_evidence(f, "local_overhead_ms", AIT_U_MS, f->explains);
    ait_evidence(f, ait_gaps[AIT_G_BEFORE_UPSTREAM].name, AIT_U_MS,
                 ait_gap(c->t, AIT_G_BEFORE_UPSTREAM));
    ait_evidence(f, ait_gaps[AIT_G_AFTER_UPSTREAM].name, AIT_U_MS,
                 ait_gap(c->t, AIT_G_AFTER_UPSTREAM));
    for (int i = 0; i < 3; i++)
        ait_evidence(f, ait_timings[i].name, AIT_U_MS, c->t->phase[i]);
}

void ait_say_local(const ait_case *c, ait_finding *f)
{
    evidence_local(c, f);
    ait_say(f, "%s went by outside of the upstream",
            ait_duration(f->explains).text);
    say_share(c, f);
    if (ait_has(ait_span(c->t, AIT_P_T0, AIT_P_T1_FIRST)))
        ait_say_more(f, "; %s of it before the first attempt",
                     ait_duration(ait_span(c->t, AIT_P_T0,
                                           AIT_P_T1_FIRST)).text);
}
