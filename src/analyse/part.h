#ifndef AIT_ANALYSE_PART_H
#define AIT_ANALYSE_PART_H
/*
 * Private to analyse: arithmetic, what a recording can show, and the tools
 * with which a rule builds its finding.
 */
#include "analyse/analyse.h"

/* a * b / c, rounded half away from zero, without an intermediate overflow.
 * a, b >= 0, c > 0. Absent where the result is beyond 64 bits. */
int64_t ait_ratio(int64_t a, int64_t b, int64_t c);

/* Is part less than (-1), equal to (0) or more than (1) `share` thousandths
 * of whole? All >= 0. */
int ait_share_cmp(int64_t part, int64_t share, int64_t whole);

/* A count of the trace, 0 where it is not known. */
static inline int64_t ait_count(const ait_trace *t, ait_stat s)
{
    return ait_has(t->stat[s]) ? t->stat[s] : 0;
}
/* The AIT_SEEN_* bits; 0 where nothing is known. */
static inline int64_t ait_seen(const ait_trace *t)
{
    return ait_count(t, AIT_S_SEEN);
}
/* Did a recorder see the body (true), or is this a line of a log? */
static inline bool ait_recorded(const ait_trace *t)
{
    return (ait_seen(t) & AIT_SEEN_TRACED) != 0;
}
/* Could the recorded content be read, and is its dialect known? */
static inline bool ait_readable(const ait_trace *t)
{
    return !(ait_seen(t) & AIT_SEEN_UNREAD) &&
           t->issues.count[AIT_I_UNKNOWN_DIALECT] == 0;
}

/* First visible text to the end of the answer: tf, in a log without it t6,
 * else t7. */
int64_t ait_window(const ait_trace *t);
/* The point that ends it; AIT_P_COUNT where the recording holds none. */
ait_point_id ait_window_end(const ait_trace *t);

/* Are both points there, on one axis, and the second before the first? */
bool ait_reversed(const ait_trace *t, ait_point_id from, ait_point_id to);

/* Reported reasoning tokens; absent, too, for a 0 beside reasoning that
 * came. */
int64_t ait_reasoning(const ait_trace *t);

/* Fills the rates of `v`, and the two issues that follow from them. */
void ait_rates(ait_trace *t, ait_verdict *v);

/* ---- rules ------------------------------------------------------------- */
/* One trace while its rules are assessed, in order. */
typedef struct ait_case {
    const ait_trace *t;
    const ait_thresholds *limits;
    const ait_verdict *v; /* rates are there, findings so far, too */
    int64_t end_to_end;
    bool recorded;
    int64_t seen;
    ait_finding *f;             /* of the rule at hand */
    ait_not_assessable *cannot; /* of the rule at hand */
} ait_case;

/*
 * A rule is three questions, so that a report pays for the first one only.
 * Does it fire? Then, and only then, it writes limits, `by` and what it
 * explains into `f`. If not: can it not be assessed (`cannot` names what is
 * missing), or does it not apply? And where it fired: what is there to say,
 * in figures and in a sentence?
 */
typedef bool ait_fires_fn(ait_case *c);
typedef bool ait_cannot_fn(ait_case *c);
typedef void ait_say_fn(const ait_case *c, ait_finding *f);

/* The rules, in the order of the table in rules.c. */
ait_fires_fn ait_fires_rate_limited, ait_fires_upstream_error,
    ait_fires_client_cancelled, ait_fires_incomplete_stream,
    ait_fires_budget, ait_fires_no_text, ait_fires_headers_slow,
    ait_fires_first_response, ait_fires_event_before,
    ait_fires_action_before, ait_fires_slow_decode, ait_fires_local,
    ait_fires_stalled, ait_fires_bursty, ait_fires_buffered,
    ait_fires_retried;
ait_cannot_fn ait_cannot_rate_limited, ait_cannot_outcome,
    ait_cannot_budget, ait_cannot_no_text, ait_cannot_headers_slow,
    ait_cannot_first_response, ait_cannot_event_before,
    ait_cannot_action_before, ait_cannot_slow_decode, ait_cannot_local,
    ait_cannot_stalled, ait_cannot_bursty, ait_cannot_buffered,
    ait_cannot_retried;
ait_say_fn ait_say_rate_limited, ait_say_upstream_error,
    ait_say_client_cancelled, ait_say_incomplete_stream, ait_say_budget,
    ait_say_no_text, ait_say_headers_slow, ait_say_first_response,
    ait_say_event_before, ait_say_action_before, ait_say_slow_decode,
    ait_say_local, ait_say_stalled, ait_say_bursty, ait_say_buffered,
    ait_say_retried;

/* Constant lists, NULL-terminated: what to look at, what is no cure. */
typedef struct ait_advice {
    const char *const *check;
    const char *const *will_not_help;
} ait_advice;
/* For a finding that explains `share` thousandths of the whole time. */
ait_advice ait_advice_on(ait_rule_id rule, const ait_trace *t, int64_t share);
/* Was the answer written to its end before its headers were sent? */
typedef enum ait_whole {
    AIT_WHOLE_NO,
    AIT_WHOLE_PERHAPS,
    AIT_WHOLE_YES
} ait_whole;
ait_whole ait_whole_answer(const ait_trace *t, int64_t share);

/* Adds a figure to the finding; an absent value or NULL word adds none. */
void ait_evidence(ait_finding *f, const char *name, ait_unit unit,
                  int64_t value);
void ait_evidence_word(ait_finding *f, const char *name, const char *word);
/* Adds the limit that was crossed, under its name. */
void ait_crossed(ait_case *c, ait_limit_id limit);
static inline int64_t ait_limit(const ait_case *c, ait_limit_id limit)
{
    return c->limits->value[limit];
}

/* Names a missing field; gives true: it cannot be assessed. */
bool ait_missing(ait_case *c, const char *field);
/* Names it where the value is absent. */
void ait_missing_if(ait_case *c, int64_t value, const char *field);

/* Is the point absent, and may it have happened all the same? */
bool ait_unseen(const ait_case *c, ait_point_id p);
/* Names the timing field of a point that has no place on the axis of the
 * origin; false where it has one. */
bool ait_missing_point(ait_case *c, ait_point_id p);
/* Names what a span lacks: its points, else (both are there, and contradict
 * each other) the span itself. Gives true. */
bool ait_missing_span(ait_case *c, ait_point_id from, ait_point_id to,
                      const char *name);

/* The phase rules: fires by limit, else by share of end-to-end; sets by,
 * limits and what it explains. An absent span is not slow. */
bool ait_slow(ait_case *c, int64_t span, ait_limit_id limit);
/* Would a phase of that length fire? Sets nothing. */
bool ait_would_be_slow(const ait_case *c, int64_t span, ait_limit_id limit);

/* Did an earlier rule fire on this trace? */
bool ait_fired(const ait_verdict *v, ait_rule_id rule);
/* The time of the attempts before the serving one that went for nothing;
 * absent where there was none, or where one of their times is unknown and the
 * log has no sum of them (measure lost_attempts). */
int64_t ait_lost_attempts(const ait_trace *t);
/* Was an attempt before the serving one turned away by a rate limit? */
bool ait_earlier_rate_limit(const ait_trace *t);

/* Writes the sentence; what does not fit is cut. */
void ait_say(ait_finding *f, const char *fmt, ...) AIT_PRINTF(2, 3);
void ait_say_more(ait_finding *f, const char *fmt, ...) AIT_PRINTF(2, 3);
/* "850 ms", "6.1 s", "2 min 5 s"; "?" where absent. A value of its own, so
 * that several fit into one call. */
typedef struct ait_words {
    char text[40];
} ait_words;
ait_words ait_duration(int64_t ns);
ait_words ait_rate_words(int64_t thousandths);

#endif
