/*
 * Derived rates (definitions, section 4). A rate is computed only where all
 * it needs is there and means something; otherwise the first reason that
 * holds is given.
 */
#include "analyse/part.h"

#define WINDOW_MIN (100 * AIT_MS)
#define CHUNKED_TOKENS 20 /* fewest visible tokens, and … */
#define CHUNKED_PER_READ 10
#define DIFFERS_PERCENT 5

/* ---- reasons ----------------------------------------------------------- */

/* What the rates of one trace are made of. */
typedef struct facts {
    const ait_trace *t;
    bool recorded;
    int64_t seen, output, visible;
    ait_point_id end;       /* of the window of visible text; AIT_P_COUNT:
                               there is none */
    int64_t window;
    int64_t itl_window;     /* t4 to tf */
    int64_t itl_tokens;     /* n; absent: cannot be told */
    int64_t total;          /* origin to t6, t7 or tf */
    bool total_axis;        /* that end is on another axis */
} facts;

static bool not_streamed(const facts *f)
{
    return f->t->stream == 0;
}

static bool untimed(const facts *f, ait_point_id p)
{
    return !ait_has(f->t->point[p].ns) && f->seen & AIT_SEEN_UNTIMED;
}

static bool no_text(const facts *f)
{
    const ait_trace *t = f->t;

    if (ait_has(t->point[AIT_P_T5].ns) || !ait_readable(t))
        return false;
    return t->stat[AIT_S_TEXT] == 0 ||
           (f->recorded && !untimed(f, AIT_P_T5));
}

static bool text_untimed(const facts *f)
{
    return untimed(f, AIT_P_T5) || (f->recorded && untimed(f, AIT_P_TF));
}

/* Do the figures of a log put the end of the window before its start? */
static bool backwards(const facts *f)
{
    return f->end < AIT_P_COUNT && !ait_has(f->window) &&
           ait_reversed(f->t, AIT_P_T5, f->end);
}

static bool text_not_in_log(const facts *f)
{
    return f->end == AIT_P_COUNT || backwards(f) ||
           (!f->recorded && !ait_has(f->output));
}

static bool no_usage(const facts *f)
{
    return !ait_has(f->output);
}

/* Both ends are known, but not on one axis. */
static bool other_axis(const facts *f)
{
    return f->end < AIT_P_COUNT &&
           f->t->point[AIT_P_T5].axis != f->t->point[f->end].axis;
}

/* In a log the number of reads is not known and not asked about. */
static bool few_text_reads(const facts *f)
{
    int64_t reads = f->t->stat[AIT_S_TEXT_READS];

    return ait_has(reads) && reads < 2;
}

static bool text_too_short(const facts *f)
{
    return few_text_reads(f) || f->window < WINDOW_MIN;
}

/* Text streamed, and yet no token left for it: the usage contradicts. */
static bool no_visible_tokens(const facts *f)
{
    return f->visible == 0;
}

static bool response_untimed(const facts *f)
{
    return untimed(f, AIT_P_T4) || untimed(f, AIT_P_TF);
}

static bool no_response(const facts *f)
{
    return f->recorded && ait_readable(f->t) &&
           !ait_has(f->t->point[AIT_P_T4].ns);
}

/* A log may also not know whether there was text. */
static bool response_not_in_log(const facts *f)
{
    const ait_trace *t = f->t;
    bool text = ait_has(t->point[AIT_P_T5].ns) || t->stat[AIT_S_TEXT] == 0;

    return !ait_has(t->point[AIT_P_T4].ns) ||
           !ait_has(t->point[AIT_P_TF].ns) || backwards(f) ||
           (!ait_has(f->itl_window) &&
            ait_reversed(t, AIT_P_T4, AIT_P_TF)) ||
           (!f->recorded && (!text || !ait_has(f->output) ||
                             !ait_has(t->stat[AIT_S_REASONING])));
}

static bool opaque_only(const facts *f)
{
    return ait_count(f->t, AIT_S_OPAQUE) > 0 &&
           ait_count(f->t, AIT_S_REASONING) == 0 &&
           !ait_has(ait_reasoning(f->t));
}

static bool no_itl_tokens(const facts *f)
{
    return !ait_has(f->itl_tokens);
}

/* The window of text is asked about, too: it sets the same limits. */
static bool response_other_axis(const facts *f)
{
    return f->t->point[AIT_P_T4].axis != f->t->point[AIT_P_TF].axis ||
           other_axis(f);
}

/* An answer without text has no such window. */
static bool response_too_short(const facts *f)
{
    return text_too_short(f) || f->itl_window < WINDOW_MIN;
}

static bool few_tokens(const facts *f)
{
    return f->itl_tokens < 2;
}

static bool total_not_in_log(const facts *f)
{
    return !f->recorded && (!ait_has(f->output) || !ait_has(f->total));
}

/* From the first record on, nothing says how long the wait before was. */
static bool no_start(const facts *f)
{
    return f->t->origin == AIT_O_FIRST_RECORD;
}

static bool total_other_axis(const facts *f)
{
    return f->total_axis;
}

static bool total_untimed(const facts *f)
{
    return !ait_has(f->total) && f->seen & AIT_SEEN_UNTIMED;
}

static bool no_total(const facts *f)
{
    return !ait_has(f->total);
}

static bool total_too_short(const facts *f)
{
    return f->total <= 0;
}

/*
 * In the order in which they are asked: what no recording could mend comes
 * first, then what was not recorded, then what is too little to measure.
 */
typedef struct reason {
    bool (*holds)(const facts *f);
    ait_absence why;
} reason;

static const reason reasons[AIT_RATE_COUNT][12] = {
    [AIT_RATE_VISIBLE_TPS] = {
        {not_streamed, AIT_A_NOT_STREAMED},
        {no_text, AIT_A_NO_TEXT},
        {text_untimed, AIT_A_NO_EVENT_TIMES},
        {text_not_in_log, AIT_A_NOT_IN_LOG},
        {no_usage, AIT_A_NO_USAGE},
        {other_axis, AIT_A_DIFFERENT_ORIGINS},
        {text_too_short, AIT_A_WINDOW_TOO_SHORT},
        {no_visible_tokens, AIT_A_TOO_FEW_TOKENS},
    },
    [AIT_RATE_ITL] = {
        {not_streamed, AIT_A_NOT_STREAMED},
        {response_untimed, AIT_A_NO_EVENT_TIMES},
        {no_response, AIT_A_NO_RESPONSE},
        {response_not_in_log, AIT_A_NOT_IN_LOG},
        {no_usage, AIT_A_NO_USAGE},
        {opaque_only, AIT_A_REASONING_NOT_COUNTED},
        {no_itl_tokens, AIT_A_NO_USAGE},
        {response_other_axis, AIT_A_DIFFERENT_ORIGINS},
        {response_too_short, AIT_A_WINDOW_TOO_SHORT},
        {few_tokens, AIT_A_TOO_FEW_TOKENS},
    },
    [AIT_RATE_OUTPUT_TPS] = {
        {total_not_in_log, AIT_A_NOT_IN_LOG},
        {no_usage, AIT_A_NO_USAGE},
        {no_start, AIT_A_DIFFERENT_ORIGINS},
        {total_other_axis, AIT_A_DIFFERENT_ORIGINS},
        {total_untimed, AIT_A_NO_EVENT_TIMES},
        {no_total, AIT_A_NO_RESPONSE},
        {total_too_short, AIT_A_WINDOW_TOO_SHORT},
    },
};

static ait_absence why_absent(const facts *f, ait_rate_field rate)
{
    const reason *r = reasons[rate];

    while (r->holds && !r->holds(f))
        r++;
    return r->holds ? r->why : AIT_A_PRESENT;
}

/* ---- figures ----------------------------------------------------------- */

/* n of itl_ms: the tokens that came from t4 on. Reasoning that was counted
 * but not streamed came before it. */
static int64_t itl_tokens(const facts *f)
{
    bool before = ait_count(f->t, AIT_S_REASONING) == 0 &&
                  ait_reasoning(f->t) > 0;

    return before ? f->visible : f->output;
}

/* Origin to t6, else t7, else tf: the buyer's time. An end that happened on
 * another axis is not replaced by an earlier one. */
static void buyers_time(facts *f)
{
    static const ait_point_id ends[] = {AIT_P_T6, AIT_P_T7, AIT_P_TF};
    const ait_trace *t = f->t;
    int i = 0;

    while (i < 2 && !ait_has(t->point[ends[i]].ns))
        i++;
    f->total = ait_span(t, AIT_P_ORIGIN, ends[i]);
    f->total_axis = ait_has(t->point[ends[i]].ns) &&
                    t->point[ends[i]].axis != t->point[AIT_P_ORIGIN].axis;
}

static const char *const end_names[AIT_P_COUNT + 1] = {
    [AIT_P_TF] = "final_response",
    [AIT_P_T6] = "upstream_done",
    [AIT_P_T7] = "total_handler",
};

/* A count beyond this is no count. */
static int64_t believable(int64_t tokens)
{
    const int64_t most = INT64_C(1000000000000);

    return tokens < 0 || tokens > most ? AIT_ABSENT : tokens;
}

static void gather(facts *f, const ait_trace *t)
{
    f->t = t;
    f->recorded = ait_recorded(t);
    f->seen = ait_seen(t);
    f->output = believable(t->num[AIT_N_OUTPUT_TOKENS]);
    f->visible = ait_visible_tokens(t);
    f->end = ait_has(t->point[AIT_P_T5].ns) ? ait_window_end(t)
                                            : AIT_P_COUNT;
    f->window = f->end < AIT_P_COUNT ? ait_difference(t, AIT_P_T5, f->end)
                                     : AIT_ABSENT;
    f->itl_window = ait_difference(t, AIT_P_T4, AIT_P_TF);
    f->itl_tokens = itl_tokens(f);
    buyers_time(f);
}

/* Tokens for the visible rate where the visible ones are not known: no more
 * than these can have been visible. */
static int64_t most_visible(const facts *f)
{
    int64_t left = ait_minus(f->output, ait_reasoning(f->t));

    return left >= 0 ? left : f->output;
}

static int64_t rate_of(int64_t tokens, int64_t ns)
{
    return ait_ratio(tokens, 1000 * AIT_SEC, ns);
}

static ait_rate_is visible_is(const facts *f)
{
    if (f->seen & AIT_SEEN_RUNNING_USAGE)
        return AIT_IS_LOWER_BOUND;
    return ait_has(f->visible) ? AIT_IS_EXACT : AIT_IS_UPPER_BOUND;
}

/* The log's own figure stands in where something to compute with is not in
 * the log, and never over a window that is too short to measure. */
static void take_reported(const facts *f, ait_verdict *v)
{
    int64_t reported = f->t->num[AIT_N_REPORTED_TPS];
    ait_absence why = v->why[AIT_RATE_VISIBLE_TPS];

    if (reported < 0 || (f->window >= 0 && f->window < WINDOW_MIN) ||
        (why != AIT_A_NOT_IN_LOG && why != AIT_A_NO_USAGE &&
         why != AIT_A_DIFFERENT_ORIGINS))
        return;
    v->rate[AIT_RATE_VISIBLE_TPS] = reported;
    v->why[AIT_RATE_VISIBLE_TPS] = AIT_A_PRESENT;
    v->visible_is = AIT_IS_REPORTED;
}

static void visible_rate(const facts *f, ait_verdict *v)
{
    int64_t tokens = ait_has(f->visible) ? f->visible : most_visible(f);

    if (v->why[AIT_RATE_VISIBLE_TPS] == AIT_A_PRESENT) {
        v->rate[AIT_RATE_VISIBLE_TPS] = rate_of(tokens, f->window);
        v->visible_is = visible_is(f);
    } else {
        take_reported(f, v);
    }
}

static bool reported_differs(const facts *f, const ait_verdict *v)
{
    int64_t reported = f->t->num[AIT_N_REPORTED_TPS];
    int64_t rate = v->rate[AIT_RATE_VISIBLE_TPS], off;

    if (reported < 0 || !ait_has(rate) || v->visible_is == AIT_IS_REPORTED)
        return false;
    off = reported > rate ? reported - rate : rate - reported;
    return off / DIFFERS_PERCENT > rate / 100 ||
           (off < INT64_MAX / 100 && rate < INT64_MAX / 100 &&
            off * 100 > rate * DIFFERS_PERCENT);
}

static bool chunked(const facts *f)
{
    int64_t reads = f->t->stat[AIT_S_TEXT_READS];

    return reads > 0 && f->visible >= CHUNKED_TOKENS &&
           f->visible / CHUNKED_PER_READ >= reads;
}

/* A stored trace is judged again when it is read: the count is set, not
 * raised. */
static void raise(ait_trace *t, ait_issue_id id, bool holds)
{
    t->issues.count[id] = holds;
}

void ait_rates(ait_trace *t, ait_verdict *v)
{
    facts f;

    gather(&f, t);
    for (int r = 0; r < AIT_RATE_COUNT; r++) {
        v->rate[r] = AIT_ABSENT;
        v->why[r] = why_absent(&f, (ait_rate_field)r);
    }
    v->visible_is = AIT_IS_NONE;
    v->visible_tokens = f.visible;
    v->window_end = end_names[f.end];
    visible_rate(&f, v);
    /* Rounded to thousandths of a millisecond, from the exact quotient. */
    if (v->why[AIT_RATE_ITL] == AIT_A_PRESENT)
        v->rate[AIT_RATE_ITL] =
            1000 * ait_ratio(f.itl_window, 1, (f.itl_tokens - 1) * 1000);
    if (v->why[AIT_RATE_OUTPUT_TPS] == AIT_A_PRESENT)
        v->rate[AIT_RATE_OUTPUT_TPS] = rate_of(f.output, f.total);
    raise(t, AIT_I_REPORTED_RATE_DIFFERS, reported_differs(&f, v));
    raise(t, AIT_I_CHUNKED_DELIVERY, chunked(&f));
}
