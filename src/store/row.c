/*
 * The table of raw_request's columns, and the ways between a row's image
 * and a trace. SQL, binding and reading all follow the table.
 */
#include <stddef.h>
#include <string.h>

#include "store/private.h"

#define AT(member) offsetof(ait_row, member)
#define TIMING(name, f) {name, AT(timing[f]), AIT_NEED_TIMING}
#define NUM(name, f) {name, AT(num[f]), AIT_NEED_NUMBERS}
#define SUMMARY(name, member) {name, AT(member), AIT_NEED_SUMMARY}

const ait_column ait_row_columns[AIT_COLUMNS] = {
    {"facts", AT(facts), 0},
    {"common", AT(common), AIT_NEED_COMMON},
    {"time", AT(num[AIT_N_TIME]), 0},
    TIMING("auth", AIT_T_AUTH),
    TIMING("distribution", AIT_T_DISTRIBUTION),
    TIMING("body_read", AIT_T_BODY_READ),
    TIMING("upstream_start", AIT_T_UPSTREAM_START),
    TIMING("upstream_headers", AIT_T_UPSTREAM_HEADERS),
    TIMING("first_sse_event", AIT_T_FIRST_SSE_EVENT),
    TIMING("first_response", AIT_T_FIRST_RESPONSE),
    TIMING("first_text_delta", AIT_T_FIRST_TEXT_DELTA),
    TIMING("first_nonblank_text", AIT_T_FIRST_NONBLANK_TEXT),
    TIMING("final_response", AIT_T_FINAL_RESPONSE),
    TIMING("upstream_done", AIT_T_UPSTREAM_DONE),
    TIMING("total_handler", AIT_T_TOTAL_HANDLER),
    {"longest_gap", AT(stat[AIT_S_LONGEST_GAP]), AIT_NEED_TIMING},
    {"longest_gap_at", AT(stat[AIT_S_LONGEST_GAP_AT]), AIT_NEED_TIMING},
    SUMMARY("visible_output_tps", rate[AIT_RATE_VISIBLE_TPS]),
    SUMMARY("itl", rate[AIT_RATE_ITL]),
    SUMMARY("output_tps", rate[AIT_RATE_OUTPUT_TPS]),
    SUMMARY("findings", findings),
    NUM("line", AIT_N_LINE),
    NUM("inflight", AIT_N_INFLIGHT),
    NUM("max_tokens", AIT_N_MAX_TOKENS),
    NUM("prompt_tokens", AIT_N_PROMPT_TOKENS),
    NUM("cached_tokens", AIT_N_CACHED_TOKENS),
    NUM("output_tokens", AIT_N_OUTPUT_TOKENS),
    NUM("reasoning_tokens", AIT_N_REASONING_TOKENS),
    {"visible_tokens", AT(visible_tokens), AIT_NEED_NUMBERS},
    NUM("retry_wait", AIT_N_RETRY_WAIT),
    NUM("reported_tps", AIT_N_REPORTED_TPS),
    {"sse_events", AT(stat[AIT_S_EVENTS]), AIT_NEED_STATS},
};

const char *const ait_window_name[3] = {
    "final_response", "upstream_done", "total_handler",
};

void ait_row_clear(ait_row *r)
{
    int64_t *all = (int64_t *)(void *)r;

    for (size_t i = 0; i < sizeof *r / sizeof *all; i++)
        all[i] = AIT_ABSENT;
}

/* ---- small numbers ------------------------------------------------- */

/* The layout that schema/db describes. `plus` is 1 where 0 means absent. */
static const struct {
    uint32_t mask;
    uint8_t shift, plus;
} facts[AIT_F_COUNT] = {
    [AIT_F_MORE] = {31, 0, 0},
    [AIT_F_ORIGIN] = {15, 5, 0},
    [AIT_F_VANTAGE] = {7, 9, 0},
    [AIT_F_OUTCOME] = {15, 12, 0},
    [AIT_F_STREAM] = {3, 16, 1},
    [AIT_F_ASKED_STREAM] = {3, 18, 1},
    [AIT_F_TOKENS_SOURCE] = {3, 20, 1},
    [AIT_F_ESTIMATED] = {1, 22, 0},
    [AIT_F_WINDOW_END] = {3, 23, 1},
    [AIT_F_VISIBLE_IS] = {7, 25, 1},
    [AIT_F_PRIMARY] = {31, 28, 1},
    [AIT_F_ATTEMPTS] = {2 * AIT_PART_MAX + 1, 33, 0},
};
_Static_assert(AIT_O_COUNT <= 16 && AIT_V_COUNT <= 8 && AIT_OUT_COUNT <= 16,
               "words outgrow their bits");
_Static_assert(AIT_IS_COUNT < 8 && AIT_R_COUNT + 1 < 32 &&
                   AIT_R_COUNT <= AIT_SHARE_SHIFT,
               "words of verdicts outgrow their bits");

void ait_row_pack(ait_row *r)
{
    uint64_t all = 0;

    for (int i = 0; i < AIT_F_COUNT; i++)
        if (ait_has(r->fact[i]))
            all |= (uint64_t)(r->fact[i] + facts[i].plus) << facts[i].shift;
    r->facts = (int64_t)all;
}

/* Absent altogether only in a file that somebody edited. */
void ait_row_unpack(ait_row *r)
{
    uint64_t all = ait_has(r->facts) ? (uint64_t)r->facts : 0;

    for (int i = 0; i < AIT_F_COUNT; i++) {
        int64_t v = (int64_t)(all >> facts[i].shift & facts[i].mask) -
                    facts[i].plus;
        r->fact[i] = v < 0 ? AIT_ABSENT : v;
    }
}

bool ait_fact_sql(ait_buf *out, ait_fact f)
{
    return ait_buf_addf(out, "r.facts >> %d & %d", facts[f].shift,
                        (int)facts[f].mask);
}

/* ---- from the trace ------------------------------------------------ */

/* -1 is how the model says absent for small enumerations. */
static int64_t tri(int v)
{
    return v < 0 ? AIT_ABSENT : v;
}

static int64_t attempt_count(const ait_trace *t)
{
    int64_t n = 0;

    for (const ait_attempt *a = t->attempts; a; a = a->next)
        n++;
    return n;
}

static int64_t findings_of(const ait_verdict *v)
{
    uint64_t bits =
        ait_verdict_mask(v, AIT_BY_LIMIT) |
        (uint64_t)ait_verdict_mask(v, AIT_BY_SHARE) << AIT_SHARE_SHIFT;

    return bits ? (int64_t)bits : AIT_ABSENT;
}

static void fill_verdict(ait_row *r, const ait_verdict *v)
{
    const char *end = v->window_end;

    memcpy(r->rate, v->rate, sizeof r->rate);
    r->findings = findings_of(v);
    r->visible_tokens = v->visible_tokens;
    r->fact[AIT_F_VISIBLE_IS] = tri((int)v->visible_is);
    r->fact[AIT_F_WINDOW_END] =
        end ? tri(ait_word(ait_window_name, 3, end, strlen(end)))
            : AIT_ABSENT;
    r->fact[AIT_F_PRIMARY] = v->primary;
}

static void fill_no_verdict(ait_row *r)
{
    for (int i = 0; i < AIT_RATE_COUNT; i++)
        r->rate[i] = AIT_ABSENT;
    r->findings = r->visible_tokens = AIT_ABSENT;
    r->fact[AIT_F_VISIBLE_IS] = r->fact[AIT_F_WINDOW_END] =
        r->fact[AIT_F_PRIMARY] = AIT_ABSENT;
}

void ait_row_fill(ait_row *r, const ait_trace *t, const ait_verdict *v)
{
    memcpy(r->num, t->num, sizeof r->num);
    memcpy(r->stat, t->stat, sizeof r->stat);
    for (int i = 0; i < AIT_T_COUNT; i++)
        r->timing[i] = ait_timing(t, (ait_timing_field)i);
    r->fact[AIT_F_MORE] = 0;
    r->fact[AIT_F_ORIGIN] = t->origin;
    r->fact[AIT_F_VANTAGE] = t->vantage;
    r->fact[AIT_F_OUTCOME] = t->outcome;
    r->fact[AIT_F_STREAM] = tri(t->stream);
    r->fact[AIT_F_ASKED_STREAM] = tri(t->asked_stream);
    r->fact[AIT_F_TOKENS_SOURCE] = tri(t->tokens_source);
    r->fact[AIT_F_ESTIMATED] = t->tokens_estimated;
    r->fact[AIT_F_ATTEMPTS] = attempt_count(t);
    if (v)
        fill_verdict(r, v);
    else
        fill_no_verdict(r);
}

/* ---- to the trace -------------------------------------------------- */

/* A stored word outside its list (a file somebody edited) must not become an
 * index. */
static int word_of(int64_t v, int count, int otherwise)
{
    return v >= 0 && v < count ? (int)v : otherwise;
}

void ait_row_apply(const ait_row *r, ait_trace *t)
{
    memcpy(t->num, r->num, sizeof t->num);
    memcpy(t->phase, r->timing, sizeof t->phase);
    t->stat[AIT_S_EVENTS] = r->stat[AIT_S_EVENTS];
    t->stat[AIT_S_LONGEST_GAP] = r->stat[AIT_S_LONGEST_GAP];
    t->stat[AIT_S_LONGEST_GAP_AT] = r->stat[AIT_S_LONGEST_GAP_AT];
    t->origin = (ait_origin)word_of(r->fact[AIT_F_ORIGIN], AIT_O_COUNT,
                                    AIT_O_FIRST_RECORD);
    t->vantage = (ait_vantage)word_of(r->fact[AIT_F_VANTAGE], AIT_V_COUNT,
                                      AIT_V_CLIENT);
    t->outcome = (ait_outcome)word_of(r->fact[AIT_F_OUTCOME],
                                      AIT_OUT_COUNT, AIT_OUT_UNKNOWN);
    t->stream = word_of(r->fact[AIT_F_STREAM], 2, -1);
    t->asked_stream = word_of(r->fact[AIT_F_ASKED_STREAM], 2, -1);
    t->tokens_source = word_of(r->fact[AIT_F_TOKENS_SOURCE], 2, -1);
    t->tokens_estimated = r->fact[AIT_F_ESTIMATED] == 1;
}

void ait_row_summary(const ait_row *r, ait_verdict *v)
{
    int end = word_of(r->fact[AIT_F_WINDOW_END], 3, -1);
    uint64_t bits = ait_has(r->findings) ? (uint64_t)r->findings : 0;
    uint64_t fired = bits | bits >> AIT_SHARE_SHIFT;

    memcpy(v->rate, r->rate, sizeof v->rate);
    v->visible_is = (ait_rate_is)word_of(r->fact[AIT_F_VISIBLE_IS],
                                         AIT_IS_COUNT, AIT_IS_NONE);
    v->window_end = end < 0 ? NULL : ait_window_name[end];
    v->visible_tokens = r->visible_tokens;
    v->primary = (ait_rule_id)word_of(r->fact[AIT_F_PRIMARY], AIT_R_COUNT,
                                      AIT_R_NONE);
    v->findings = 0;
    for (int i = 0; i < AIT_R_COUNT; i++) {
        if (!(fired >> i & 1))
            continue;
        v->finding[v->findings].rule = (ait_rule_id)i;
        v->finding[v->findings++].by =
            bits >> i & 1 ? AIT_BY_LIMIT : AIT_BY_SHARE;
    }
}

/* ---- points -------------------------------------------------------- */

static const struct {
    ait_point_id point;
    ait_timing_field timing;
} from_origin[] = {
    {AIT_P_T3, AIT_T_FIRST_SSE_EVENT},
    {AIT_P_T4, AIT_T_FIRST_RESPONSE},
    {AIT_P_T5, AIT_T_FIRST_TEXT_DELTA},
    {AIT_P_T5_NONBLANK, AIT_T_FIRST_NONBLANK_TEXT},
    {AIT_P_TF, AIT_T_FINAL_RESPONSE},
    {AIT_P_T6, AIT_T_UPSTREAM_DONE},
    {AIT_P_T7, AIT_T_TOTAL_HANDLER},
};

/* t1 and t2 have an axis of their own where t1 is not known on axis 0. The
 * first attempt is the serving one where there is only one. */
static void upstream_points(const ait_row *r, ait_point *out)
{
    int64_t start = r->timing[AIT_T_UPSTREAM_START];
    int64_t headers = r->timing[AIT_T_UPSTREAM_HEADERS];

    out[AIT_P_T1].ns = start;
    out[AIT_P_T2].ns = ait_plus(start, headers);
    if (!ait_has(start) && ait_has(headers)) {
        out[AIT_P_T1] = (ait_point){0, AIT_AXIS_UPSTREAM};
        out[AIT_P_T2] = (ait_point){headers, AIT_AXIS_UPSTREAM};
    }
    if (r->fact[AIT_F_ATTEMPTS] == 1)
        out[AIT_P_T1_FIRST] = out[AIT_P_T1];
}

void ait_row_points(const ait_row *r, ait_point out[AIT_P_COUNT])
{
    bool received = r->fact[AIT_F_ORIGIN] == AIT_O_GATEWAY_RECEIPT;

    for (int i = 0; i < AIT_P_COUNT; i++)
        out[i] = (ait_point){AIT_ABSENT, 0};
    out[AIT_P_ORIGIN].ns = 0;
    out[AIT_P_T0].ns = received ? 0 : AIT_ABSENT;
    upstream_points(r, out);
    for (size_t i = 0; i < sizeof from_origin / sizeof *from_origin; i++)
        out[from_origin[i].point].ns = r->timing[from_origin[i].timing];
}

void ait_row_attempt(const ait_trace *t, ait_attempt *out)
{
    *out = (ait_attempt){
        .number = 1,
        .channel = t->text[AIT_X_CHANNEL],
        .error_code = t->text[AIT_X_ERROR_CODE],
        .status = t->num[AIT_N_STATUS],
        .outcome = (int)t->outcome,
        .start = ait_timing(t, AIT_T_UPSTREAM_START),
        .done = ait_timing(t, AIT_T_UPSTREAM_DONE),
        .headers = ait_timing(t, AIT_T_UPSTREAM_HEADERS),
        .retry_after = AIT_ABSENT,
        .wait_before = AIT_ABSENT,
        .timeline_base = AIT_ABSENT,
    };
}
