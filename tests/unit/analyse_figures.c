/* Judging without words finds what judging with words finds: the same rates,
 * rules, shares, limits and primary finding, whatever a recording holds. */
#include "analyse_trace.h"

static uint64_t state = 1;

/* A number below `n`, the same ones in every run. */
static int64_t below(int64_t n)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int64_t)(state >> 33) % n;
}

/* Absent, small, or of the size that rules ask about. */
static int64_t some(void)
{
    static const int64_t values[] = {AIT_ABSENT, AIT_ABSENT,  0,
                                     1,          20,          400,
                                     600 * MS,   1500 * MS,   6000 * MS};

    return values[below(sizeof values / sizeof *values)];
}

static void some_points(ait_trace *t)
{
    int64_t ms = 0;

    for (int p = 0; p < AIT_P_COUNT; p++) {
        ms += below(4) ? below(20) : below(5000);
        if (p == AIT_P_ORIGIN || below(4))
            at(t, (ait_point_id)p, p == AIT_P_ORIGIN ? 0 : ms);
        t->point[p].axis = below(20) == 0;
    }
    if (below(3) == 0)
        headers_only(t, below(4000));
}

static void some_trace(ait_trace *t)
{
    static const char *const finish[] = {NULL, "stop", "length"};

    ait_trace_init(t);
    some_points(t);
    for (int s = 0; s < AIT_S_COUNT; s++)
        t->stat[s] = some();
    t->stat[AIT_S_SEEN] = below(4) ? AIT_SEEN_TRACED * below(2) : below(4096);
    t->stat[AIT_S_T4_CLASSES] = below(1024);
    for (int i = 0; i < 3; i++)
        t->phase[i] = some();
    t->num[AIT_N_OUTPUT_TOKENS] = some();
    t->num[AIT_N_REASONING_TOKENS] = some();
    t->num[AIT_N_REPORTED_TPS] = some();
    t->num[AIT_N_RESOLUTION] = below(3) ? AIT_ABSENT : 1000 * MS;
    t->num[AIT_N_RETRIES] = below(3) ? AIT_ABSENT : below(3);
    t->num[AIT_N_RETRY_WAIT] = some();
    t->text[AIT_X_FINISH_REASON] = finish[below(3)];
    t->outcome = below(2) ? AIT_OUT_COMPLETE
                          : (ait_outcome)below(AIT_OUT_COUNT);
    t->stream = (int)below(3) - 1;
}

static void same_findings(const ait_verdict *a, const ait_verdict *b)
{
    CHECK_INT(a->findings, b->findings);
    CHECK_INT(a->primary, b->primary);
    for (int i = 0; i < a->findings && i < b->findings; i++) {
        const ait_finding *f = &a->finding[i], *g = &b->finding[i];
        CHECK_INT(f->rule, g->rule);
        CHECK_INT(f->by, g->by);
        CHECK_INT(f->explains, g->explains);
        CHECK_INT(f->share, g->share);
        CHECK_INT(f->limits, g->limits);
        for (int k = 0; k < f->limits && k < g->limits; k++) {
            CHECK_TEXT(f->limit[k].name, g->limit[k].name);
            CHECK_INT(f->limit[k].value, g->limit[k].value);
        }
    }
}

static void same_rates(const ait_verdict *a, const ait_verdict *b)
{
    for (int i = 0; i < AIT_RATE_COUNT; i++) {
        CHECK_INT(a->rate[i], b->rate[i]);
        CHECK_INT(a->why[i], b->why[i]);
    }
    CHECK_INT(a->visible_is, b->visible_is);
    CHECK_INT(a->visible_tokens, b->visible_tokens);
}

static void figures_agree_with_words(void)
{
    static ait_verdict words, figures;
    int64_t fired[AIT_R_COUNT] = {0};
    ait_thresholds limits;
    ait_trace t;

    ait_thresholds_init(&limits);
    for (int n = 0; n < 20000; n++) {
        some_trace(&t);
        ait_judge(&t, &limits, &words);
        ait_judge_figures(&t, &limits, &figures);
        same_findings(&words, &figures);
        same_rates(&words, &figures);
        for (int i = 0; i < words.findings; i++)
            fired[words.finding[i].rule]++;
        ait_trace_free(&t);
    }
    for (int i = 0; i < AIT_R_COUNT; i++)
        CHECK(fired[i] > 0);
}

static void a_rule_fires_or_says_what_it_lacks(void)
{
    static ait_verdict v;
    ait_thresholds limits;
    ait_trace t;

    ait_thresholds_init(&limits);
    for (int n = 0; n < 20000; n++) {
        some_trace(&t);
        ait_judge(&t, &limits, &v);
        for (int i = 0; i < v.cannots; i++) {
            CHECK(v.cannot[i].missing[0] != NULL);
            for (int k = 0; k < v.findings; k++)
                CHECK(v.finding[k].rule != v.cannot[i].rule);
        }
        for (int i = 0; i < v.findings; i++)
            CHECK(v.finding[i].what[0] != '\0');
        ait_trace_free(&t);
    }
}

static void figures_alone_hold_no_words(void)
{
    static ait_verdict v;
    ait_thresholds limits;
    ait_trace t;

    log_line(&t, 6100, 6350, 6400, 9200, 42000);
    ait_thresholds_init(&limits);
    ait_judge_figures(&t, &limits, &v);
    CHECK_INT(v.findings, 1);
    CHECK_INT(v.finding[0].evidences, 0);
    CHECK_TEXT(v.finding[0].what, "");
    CHECK_INT(v.cannots, 0);
    ait_judge(&t, &limits, &v);
    CHECK(v.finding[0].evidences > 0);
    CHECK(v.cannots > 0);
    ait_trace_free(&t);
}

int main(void)
{
    RUN(figures_agree_with_words);
    RUN(a_rule_fires_or_says_what_it_lacks);
    RUN(figures_alone_hold_no_words);
    return t_done();
}
