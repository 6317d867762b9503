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

/* ---- arithmetic -------------------------------------------------------- */

/* a * b / c by doubling, one bit of `a` at a time, so that nothing is ever
 * larger than twice the result. */
static int64_t long_ratio(int64_t a, int64_t b, int64_t c)
{
    uint64_t q = 0, rest = 0, d = (uint64_t)c;

    for (int bit = 62; bit >= 0; bit--) {
        q = 2 * q + (2 * rest >= d);
        rest = 2 * rest >= d ? 2 * rest - d : 2 * rest;
        if (q > INT64_MAX)
            return AIT_ABSENT;
        if (a >> bit & 1) {
            rest += (uint64_t)(b % c);
            q += (uint64_t)(b / c) + (rest >= d);
            rest -= rest >= d ? d : 0;
        }
        if (q > INT64_MAX)
            return AIT_ABSENT;
    }
    q += rest >= d - rest;
    return q > INT64_MAX ? AIT_ABSENT : (int64_t)q;
}

int64_t ait_ratio(int64_t a, int64_t b, int64_t c)
{
    int64_t product, rest;

    if (a != 0 && b > INT64_MAX / a)
        return long_ratio(a, b, c);
    product = a * b;
    rest = product % c;
    return product / c + (rest >= c - rest);
}

int ait_share_cmp(int64_t part, int64_t share, int64_t whole)
{
    int64_t want;

    if (part <= INT64_MAX / 1000 &&
        (share == 0 || whole <= INT64_MAX / share)) {
        part *= 1000;
        want = share * whole;
    } else { /* to the nearest unit is near enough up there */
        want = ait_ratio(whole, share, 1000);
        if (!ait_has(want))
            return -1;
    }
    return (part > want) - (part < want);
}

/* ---- what the recording shows ------------------------------------------ */

int64_t ait_seen(const ait_trace *t)
{
    return ait_count(t, AIT_S_SEEN);
}

int64_t ait_count(const ait_trace *t, ait_stat s)
{
    return ait_has(t->stat[s]) ? t->stat[s] : 0;
}

bool ait_recorded(const ait_trace *t)
{
    return (ait_seen(t) & AIT_SEEN_TRACED) != 0;
}

int64_t ait_window(const ait_trace *t, const char **end)
{
    static const struct {
        ait_point_id point;
        const char *name;
    } ends[] = {
        {AIT_P_TF, "final_response"},
        /* a log holds no events; the window ends where the answer did */
        {AIT_P_T6, "upstream_done"},
        {AIT_P_T7, "total_handler"},
    };
    int known = ait_recorded(t) ? 1 : 3, i = 0;

    *end = NULL;
    if (!ait_has(t->point[AIT_P_T5].ns))
        return AIT_ABSENT;
    while (i < known && !ait_has(t->point[ends[i].point].ns))
        i++;
    if (i == known)
        return AIT_ABSENT;
    *end = ends[i].name;
    return ait_difference(t, AIT_P_T5, ends[i].point);
}

bool ait_readable(const ait_trace *t)
{
    return !(ait_seen(t) & AIT_SEEN_UNREAD) &&
           t->issues.count[AIT_I_UNKNOWN_DIALECT] == 0;
}

int64_t ait_reasoning(const ait_trace *t)
{
    int64_t n = t->num[AIT_N_REASONING_TOKENS];

    return n == 0 && ait_count(t, AIT_S_REASONING) > 0 ? AIT_ABSENT : n;
}

/* ---- reasons ----------------------------------------------------------- */

/* What the rates of one trace are made of. */
typedef struct facts {
    const ait_trace *t;
    bool recorded;
    int64_t seen, output, visible;
    int64_t window;         /* of visible text */
    const char *window_end;
    bool window_axes;       /* its ends are on different axes */
    int64_t itl_window;     /* t4 to tf */
    int64_t itl_tokens;     /* n; absent: cannot be told */
    int64_t total;          /* origin to t6, t7 or tf */
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
    return untimed(f, AIT_P_T5);
}

static bool text_not_in_log(const facts *f)
{
    return !ait_has(f->t->point[AIT_P_T5].ns) || !f->window_end ||
           (!f->recorded && !ait_has(f->output));
}

static bool no_usage(const facts *f)
{
    return !ait_has(f->output);
}

/* Both ends are known, but not on one axis. */
static bool other_axis(const facts *f)
{
    return f->window_axes;
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
    return untimed(f, AIT_P_T4);
}

static bool no_response(const facts *f)
{
    return f->recorded && ait_readable(f->t) &&
           !ait_has(f->t->point[AIT_P_T4].ns);
}

static bool response_not_in_log(const facts *f)
{
    return !ait_has(f->t->point[AIT_P_T4].ns) ||
           !ait_has(f->t->point[AIT_P_TF].ns) ||
           (!f->recorded && (!ait_has(f->output) ||
                             !ait_has(f->t->stat[AIT_S_REASONING])));
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

static bool silent(const facts *f)
{
    return f->t->stat[AIT_S_TEXT] == 0;
}

static bool response_other_axis(const facts *f)
{
    return f->t->point[AIT_P_T4].axis != f->t->point[AIT_P_TF].axis;
}

static bool response_too_short(const facts *f)
{
    return few_text_reads(f) || f->itl_window < WINDOW_MIN;
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
        {no_itl_tokens, AIT_A_REASONING_NOT_COUNTED},
        {silent, AIT_A_NO_TEXT},
        {response_other_axis, AIT_A_DIFFERENT_ORIGINS},
        {response_too_short, AIT_A_WINDOW_TOO_SHORT},
        {few_tokens, AIT_A_TOO_FEW_TOKENS},
    },
    [AIT_RATE_OUTPUT_TPS] = {
        {total_not_in_log, AIT_A_NOT_IN_LOG},
        {no_usage, AIT_A_NO_USAGE},
        {no_start, AIT_A_DIFFERENT_ORIGINS},
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
static int64_t itl_tokens(const ait_trace *t, int64_t output)
{
    int64_t reasoning = ait_reasoning(t);

    if (ait_count(t, AIT_S_REASONING) > 0 || !ait_has(reasoning))
        return output;
    output = ait_minus(output, reasoning);
    return output >= 0 ? output : output >= -2 ? 0 : AIT_ABSENT;
}

/* Origin to t6, else t7, else tf: the buyer's time. */
static int64_t buyers_time(const ait_trace *t)
{
    static const ait_point_id ends[] = {AIT_P_T6, AIT_P_T7, AIT_P_TF};
    int64_t span = AIT_ABSENT;

    for (int i = 0; i < 3 && !ait_has(span); i++)
        span = ait_span(t, AIT_P_ORIGIN, ends[i]);
    return span;
}

/* Are first text and the end of the window on different axes? */
static bool axes_differ(const ait_trace *t)
{
    static const ait_point_id ends[] = {AIT_P_TF, AIT_P_T6, AIT_P_T7};
    const ait_point *from = &t->point[AIT_P_T5];
    int i = 0;

    while (i < 2 && !ait_has(t->point[ends[i]].ns))
        i++;
    return from->axis != t->point[ends[i]].axis;
}

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
    f->window = ait_window(t, &f->window_end);
    f->window_axes = axes_differ(t);
    f->itl_window = ait_difference(t, AIT_P_T4, AIT_P_TF);
    f->itl_tokens = itl_tokens(t, f->output);
    f->total = buyers_time(t);
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
    v->window_end = f.window_end;
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
