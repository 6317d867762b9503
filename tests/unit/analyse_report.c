/* Reports against brute force: random requests, both methods, both
 * populations, and budgets so small that many passes are made. */
#include <stdlib.h>

#include "analyse/report.h"
#include "analyse_trace.h"

/* ---- requests ---------------------------------------------------------- */

typedef struct request {
    int model;        /* -1: none */
    ait_outcome outcome;
    int asked_stream;
    int64_t text_ns;  /* absent */
    int64_t total_ns;
    int64_t tps;      /* thousandths, absent */
    ait_rate_is is;
    ait_origin origin;
} request;

static uint64_t seed;
static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static int64_t below(int64_t n)
{
    return (int64_t)(next_random() % (uint64_t)n);
}

static const char *const models[] = {"m-one", "m-two", "m-three"};

static request random_request(int64_t spread)
{
    request q = {.model = (int)below(4) - 1,
                 .outcome = below(10) < 8 ? AIT_OUT_COMPLETE
                                          : (ait_outcome)below(AIT_OUT_COUNT),
                 .asked_stream = (int)below(3) - 1,
                 .text_ns = below(10) < 8 ? below(spread) : AIT_ABSENT,
                 .total_ns = below(10) < 9 ? below(spread) + 7 : AIT_ABSENT,
                 .tps = below(10) < 8 ? below(90000) : AIT_ABSENT,
                 .is = (ait_rate_is)below(AIT_IS_COUNT),
                 .origin = below(2) ? AIT_O_GATEWAY_RECEIPT
                                    : AIT_O_REQUEST_SEND};
    return q;
}

static void fill(ait_trace *t, ait_verdict *v, const request *q, int nth)
{
    char id[32];

    ait_trace_reset(t);
    memset(v, 0, sizeof *v);
    snprintf(id, sizeof id, "req-%d", nth);
    ait_trace_text(t, AIT_X_REQUEST_ID, id, strlen(id));
    if (q->model >= 0)
        t->text[AIT_X_MODEL] = models[q->model];
    t->point[AIT_P_ORIGIN].ns = 0;
    t->point[AIT_P_T5].ns = q->text_ns;
    t->point[AIT_P_T7].ns = q->total_ns;
    t->outcome = q->outcome;
    t->asked_stream = q->asked_stream;
    t->origin = q->origin;
    t->row = nth + 1000;
    for (int r = 0; r < AIT_RATE_COUNT; r++)
        v->rate[r] = AIT_ABSENT;
    v->rate[AIT_RATE_VISIBLE_TPS] = q->tps;
    v->visible_is = ait_has(q->tps) ? q->is : AIT_IS_NONE;
}

/* ---- the oracle -------------------------------------------------------- */

#define INF INT64_MAX

typedef struct sample {
    int64_t *value;
    int64_t n, population, not_reached, bounds;
} sample;

static int64_t value_of(const request *q, const char *metric, bool *bound)
{
    bool failed = ait_outcome_failed(q->outcome) && q->asked_stream != 0;

    *bound = false;
    if (strcmp(metric, "first_text_delta_ms") == 0)
        return ait_has(q->text_ns) ? q->text_ns : failed ? INF : AIT_ABSENT;
    if (strcmp(metric, "total_handler_ms") == 0) {
        *bound = q->outcome == AIT_OUT_TIMEOUT && ait_has(q->total_ns);
        return q->total_ns;
    }
    *bound = ait_has(q->tps) && (q->is == AIT_IS_UPPER_BOUND ||
                                 q->is == AIT_IS_LOWER_BOUND);
    return *bound ? AIT_ABSENT : q->tps;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static bool in_group(const request *q, const ait_group *g, bool by_model)
{
    const char *model = q->model < 0 ? NULL : models[q->model];

    if (q->origin != g->origin)
        return false;
    if (!by_model)
        return true;
    return model && g->key[0] ? strcmp(model, g->key[0]) == 0
                              : !model && !g->key[0];
}

static sample gather(const request *q, int n, const ait_group *g,
                     bool by_model, const char *metric, bool completed)
{
    sample s = {calloc((size_t)n + 1, sizeof *s.value), 0, 0, 0, 0};
    bool bound;

    for (int i = 0; i < n; i++) {
        int64_t v;
        if (!in_group(&q[i], g, by_model) ||
            (completed && q[i].outcome != AIT_OUT_COMPLETE))
            continue;
        s.population++;
        v = value_of(&q[i], metric, &bound);
        s.bounds += bound;
        s.not_reached += v == INF;
        if (ait_has(v))
            s.value[s.n++] = v;
    }
    qsort(s.value, (size_t)s.n, sizeof *s.value, ascending);
    return s;
}

/* 1-based; absent beyond the sample and where it is not reached. */
static int64_t at_rank(const sample *s, int64_t rank)
{
    return rank < 1 || rank > s->n || s->value[rank - 1] == INF
               ? AIT_ABSENT
               : s->value[rank - 1];
}

static int64_t nearest(const sample *s, int p)
{
    return at_rank(s, (p * s->n + 99) / 100);
}

static int64_t linear(const sample *s, int p)
{
    int64_t h = p * (s->n - 1), low = at_rank(s, h / 100 + 1);
    int64_t high = at_rank(s, h / 100 + 2), part;

    if (s->n == 0 || h % 100 == 0 || !ait_has(low))
        return s->n ? low : AIT_ABSENT;
    if (!ait_has(high))
        return AIT_ABSENT;
    part = (high - low) * (h % 100);
    return low + (part + 50) / 100;
}

/* ---- comparing --------------------------------------------------------- */

static int first_with(const request *q, int n, const ait_group *g,
                      bool by_model, const char *metric, bool completed,
                      int64_t value)
{
    bool bound;

    for (int i = 0; i < n; i++)
        if (in_group(&q[i], g, by_model) &&
            (!completed || q[i].outcome == AIT_OUT_COMPLETE) &&
            value_of(&q[i], metric, &bound) == value)
            return i;
    return -1;
}

static void compare(const request *q, int n, const ait_group *g,
                    bool by_model, const ait_metric *m, ait_method method,
                    bool completed)
{
    const ait_quantiles *have = completed ? &m->completed : &m->all;
    sample s = gather(q, n, g, by_model, m->name, completed);
    char want[32];

    CHECK_INT(have->n, s.n);
    CHECK_INT(have->absent, s.population - s.n);
    CHECK_INT(have->not_reached, s.not_reached);
    CHECK_INT(have->lower_bounds, s.bounds);
    for (int i = 0; i < 3; i++) {
        int p = ait_percentile[i];
        int64_t low, high, rank = ait_rank(s.n, p), value;
        CHECK_INT(have->value[i],
                  method == AIT_M_LINEAR ? linear(&s, p) : nearest(&s, p));
        CHECK(have->not_reached_at[i] == (s.n && !ait_has(have->value[i])));
        CHECK(have->small_sample[i] == (s.n && rank == s.n));
        ait_ci_ranks(s.n, p, &low, &high);
        CHECK_INT(have->ci_low[i], at_rank(&s, low));
        CHECK_INT(have->ci_high[i], at_rank(&s, high));
        if (!ait_has(have->value[i])) {
            CHECK(!have->request_id[i] && !ait_has(have->nth[i]));
            continue;
        }
        value = at_rank(&s, method == AIT_M_LINEAR
                                ? p * (s.n - 1) / 100 + 1 : rank);
        CHECK_INT(have->nth[i], first_with(q, n, g, by_model, m->name,
                                           completed, value));
        CHECK_INT(have->row[i], have->nth[i] + 1000);
        snprintf(want, sizeof want, "req-%d", (int)have->nth[i]);
        CHECK_TEXT(have->request_id[i], want);
    }
    free(s.value);
}

static const ait_metric *metric_of(const ait_group *g, const char *name)
{
    for (int i = 0; i < g->metrics; i++)
        if (strcmp(g->metric[i].name, name) == 0)
            return &g->metric[i];
    return NULL;
}

static void compare_groups(const ait_report *r, const request *q, int n,
                           bool by_model, ait_method method)
{
    static const char *const names[] = {"first_text_delta_ms",
                                        "total_handler_ms",
                                        "visible_output_tps"};
    const ait_group *g;
    int groups = ait_report_groups(r, &g);
    int64_t all = 0;

    for (int i = 0; i < groups; i++) {
        all += g[i].requests;
        for (int k = 0; k < 3; k++) {
            const ait_metric *m = metric_of(&g[i], names[k]);
            sample s = gather(q, n, &g[i], by_model, names[k], false);
            CHECK((m != NULL) == (s.n > 0));
            free(s.value);
            for (int c = 0; m && c < 2; c++)
                compare(q, n, &g[i], by_model, m, method, c);
        }
    }
    CHECK_INT(all, n);
    CHECK_INT(ait_report_requests(r), n);
}

/* Makes the report of the requests; gives the passes it took. */
static int run(ait_report *r, const request *q, int n)
{
    ait_trace t;
    ait_verdict *v = malloc(sizeof *v);
    int passes = 0;

    ait_trace_init(&t);
    do {
        for (int i = 0; i < n; i++) {
            fill(&t, v, &q[i], i);
            CHECK(ait_report_add(r, &t, v) == AIT_OK);
        }
        passes++;
    } while (ait_report_again(r));
    CHECK(ait_report_finish(r) == AIT_OK);
    ait_trace_free(&t);
    free(v);
    return passes;
}

static int check(int n, int64_t spread, bool by_model, ait_method method,
                 size_t budget)
{
    request *q = calloc((size_t)n + 1, sizeof *q);
    ait_report *r = NULL;
    int passes;

    seed = UINT64_C(88172645463325252) + (uint64_t)n;
    for (int i = 0; i < n; i++)
        q[i] = random_request(spread);
    CHECK(ait_report_new(by_model ? "model" : "", method, &r, NULL) ==
          AIT_OK);
    ait_report_budget(r, budget);
    passes = run(r, q, n);
    compare_groups(r, q, n, by_model, method);
    ait_report_free(r);
    free(q);
    return passes;
}

/* ---- tests ------------------------------------------------------------- */

static void small_samples_equal_brute_force(void)
{
    for (int n = 0; n < 45; n++)
        for (int method = 0; method < 2; method++)
            CHECK_INT(check(n, 1000 * MS, n % 2, (ait_method)method,
                            SIZE_MAX), 1);
    check(120, 40 * MS, true, AIT_M_NEAREST_RANK, SIZE_MAX);
}

static void large_samples_equal_brute_force(void)
{
    for (int method = 0; method < 2; method++) {
        /* all different, many equal, a few values only */
        CHECK_INT(check(30000, 90000 * MS, false, (ait_method)method,
                        SIZE_MAX), 1);
        CHECK_INT(check(30000, 2000, true, (ait_method)method, SIZE_MAX), 1);
        CHECK_INT(check(30000, 3, true, (ait_method)method, SIZE_MAX), 1);
    }
}

static void small_budget_takes_passes(void)
{
    for (int method = 0; method < 2; method++) {
        /* roots, one part, its values, names */
        CHECK(check(30000, 90000 * MS, false, (ait_method)method,
                    300000) >= 3);
        /* groups wait for their turn */
        CHECK(check(20000, 90000 * MS, true, (ait_method)method,
                    60000) >= 6);
        CHECK(check(3000, INT64_MAX / 4, true, (ait_method)method, 1) >= 6);
    }
}

static void equal_values_need_few_passes(void)
{
    request *q = calloc(5000, sizeof *q);
    ait_report *r = NULL;
    const ait_group *g;

    for (int i = 0; i < 5000; i++)
        q[i] = (request){0, AIT_OUT_COMPLETE, 1, 250 * MS, 700 * MS,
                         AIT_ABSENT, AIT_IS_NONE, AIT_O_GATEWAY_RECEIPT};
    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    ait_report_budget(r, 100);
    CHECK_INT(run(r, q, 5000), 2); /* values, names */
    CHECK_INT(ait_report_groups(r, &g), 1);
    CHECK_INT(metric_of(g, "first_text_delta_ms")->all.value[2], 250 * MS);
    CHECK_TEXT(metric_of(g, "first_text_delta_ms")->all.request_id[2],
               "req-0");
    CHECK(metric_of(g, "visible_output_tps") == NULL);
    CHECK(metric_of(g, "itl_ms") == NULL);
    ait_report_free(r);
    free(q);
}

static void other_requests_in_a_later_pass_are_an_error(void)
{
    request q = {0, AIT_OUT_COMPLETE, 1, 250 * MS, 700 * MS, AIT_ABSENT,
                 AIT_IS_NONE, AIT_O_GATEWAY_RECEIPT};
    ait_report *r = NULL;
    ait_trace t;
    ait_verdict v;

    ait_trace_init(&t);
    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    ait_report_budget(r, 1);
    for (int i = 0; i < 2; i++) {
        fill(&t, &v, &q, i);
        CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    }
    CHECK(ait_report_again(r));
    CHECK(ait_report_add(r, &t, &v) == AIT_OK); /* one instead of two */
    CHECK(!ait_report_again(r));
    CHECK_INT(ait_report_finish(r), AIT_EINPUT);
    ait_report_free(r);
    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    ait_report_budget(r, 1);
    CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    CHECK_INT(ait_report_finish(r), AIT_EUSAGE); /* a pass is missing */
    ait_report_free(r);
    ait_trace_free(&t);
}

static ait_code id_of_row(void *asked, int64_t row, char *out)
{
    ++*(int *)asked;
    snprintf(out, 32, row == 7 ? "" : "row-%d", (int)row);
    return row == 9 ? AIT_EDB : AIT_OK;
}

/* Two requests of 1 ms (rows `a` and after); ids are asked for by row. */
static ait_code named(ait_report **r, int64_t a, size_t budget, int *asked)
{
    request q = {0, AIT_OUT_COMPLETE, 1, MS, MS, AIT_ABSENT, AIT_IS_NONE,
                 AIT_O_GATEWAY_RECEIPT};
    ait_verdict v;
    ait_trace t;

    ait_trace_init(&t);
    CHECK(ait_report_new("status", AIT_M_NEAREST_RANK, r, NULL) == AIT_OK);
    ait_report_ids(*r, id_of_row, asked);
    ait_report_budget(*r, budget);
    do
        for (int i = 0; i < 2; i++) {
            fill(&t, &v, &q, i);
            t.text[AIT_X_REQUEST_ID] = NULL;
            t.row = a + i;
            CHECK(ait_report_add(*r, &t, &v) == AIT_OK);
        }
    while (ait_report_again(*r) && ait_report_names_only(*r));
    ait_trace_free(&t);
    return ait_report_finish(*r);
}

static void ids_are_asked_for_by_row(void)
{
    const ait_group *g;
    ait_report *r;

    for (int i = 0; i < 2; i++) {
        int asked = 0;
        CHECK(named(&r, 5 + i * 2, i ? 1 : SIZE_MAX, &asked) == AIT_OK);
        CHECK_INT(asked, 1); /* all percentiles are the first request's */
        CHECK(ait_report_groups(r, &g) == 1);
        CHECK_TEXT(metric_of(g, "first_text_delta_ms")->all.request_id[0],
                   i ? NULL : "row-5");
        CHECK(ait_report_numbers(r) && ait_report_texts(r) == 0);
        ait_report_free(r);
    }
    CHECK_INT(named(&r, 9, SIZE_MAX, &(int){0}), AIT_EDB);
    ait_report_free(r);
}

static void counts_outcomes_and_findings(void)
{
    ait_report *r = NULL;
    ait_verdict v;
    ait_trace t;
    const ait_group *g;

    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    good_capture(&t);
    at(&t, AIT_P_T2, 2500);
    for (int p = AIT_P_T3; p < AIT_P_COUNT; p++)
        t.point[p].ns += 3000 * MS;
    judged(&t, &v);
    CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    t.outcome = AIT_OUT_TIMEOUT;
    judged(&t, &v);
    CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    CHECK(ait_report_finish(r) == AIT_OK);
    CHECK_INT(ait_report_groups(r, &g), 1);
    CHECK_INT(g->outcome[AIT_OUT_COMPLETE], 1);
    CHECK_INT(g->outcome[AIT_OUT_TIMEOUT], 1);
    CHECK_INT(g->by_limit[AIT_R_HEADERS_SLOW], 2);
    CHECK_INT(g->by_share[AIT_R_HEADERS_SLOW], 0);
    CHECK_INT(g->by_limit[AIT_R_INCOMPLETE_STREAM], 1);
    CHECK_INT(metric_of(g, "total_handler_ms")->all.lower_bounds, 1);
    CHECK_INT(metric_of(g, "upstream_done_ms")->all.lower_bounds, 1);
    CHECK_INT(metric_of(g, "total_handler_ms")->completed.lower_bounds, 0);
    CHECK_INT(metric_of(g, "first_response_ms")->all.lower_bounds, 0);
    CHECK_INT(metric_of(g, "event_to_response_ms")->all.value[0], 80 * MS);
    CHECK_INT(metric_of(g, "visible_window_ms")->all.n, 2);
    CHECK(metric_of(g, "longest_gap_at_ms") == NULL);
    CHECK(metric_of(g, "auth_ms") == NULL);
    ait_report_free(r);
    ait_trace_free(&t);
}

/* A measure, kept in the trace's arena. */
static void measure(ait_trace *t, const char *name, ait_origin origin,
                    ait_boundary boundary, int64_t ms)
{
    ait_measure *m = ait_trace_measure(t);

    m->name = name;
    m->origin = origin;
    m->boundary = boundary;
    m->value = ms * MS;
}

static void measures_are_metrics_of_their_origin(void)
{
    request q = {0, AIT_OUT_COMPLETE, 1, AIT_ABSENT, AIT_ABSENT, AIT_ABSENT,
                 AIT_IS_NONE, AIT_O_RELAY_START};
    ait_report *r = NULL;
    ait_verdict v;
    ait_trace t;
    const ait_group *g;
    const ait_metric *m;

    ait_trace_init(&t);
    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    for (int i = 0; i < 4; i++) {
        q.outcome = i == 3 ? AIT_OUT_ERROR
                    : i == 2 ? AIT_OUT_TIMEOUT : AIT_OUT_COMPLETE;
        fill(&t, &v, &q, i);
        measure(&t, "total", AIT_O_RELAY_START, AIT_B_HANDLER_END,
                1000 * (i + 1));
        if (i < 2)
            measure(&t, "first_chunk", AIT_O_RELAY_START,
                    AIT_B_FIRST_BODY_CHUNK, 100 * (i + 1));
        measure(&t, "dns", AIT_O_LOCAL, AIT_B_PHASE_END, 2);
        measure(&t, "dns", AIT_O_LOCAL, AIT_B_PHASE_END, 3);
        if (i < 2) { /* what a failed request lacks without having failed
                        to reach it */
            measure(&t, "queue", AIT_O_ENGINE, AIT_B_FIRST_TOKEN, 9);
            measure(&t, "tls", AIT_O_UPSTREAM_START, AIT_B_PHASE_END, 9);
            measure(&t, "odd", AIT_O_LOCAL, AIT_B_HEADERS, 9);
            measure(&t, "headers", AIT_O_VENDOR_EDGE, AIT_B_HEADERS, 9);
            measure(&t, "headers", AIT_O_VENDOR_EDGE, AIT_B_HEADERS, 90);
        }
        CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    }
    CHECK(ait_report_finish(r) == AIT_OK);
    CHECK_INT(ait_report_groups(r, &g), 1);
    m = metric_of(g, "total@relay_start");
    CHECK_INT(m->all.n, 4);
    CHECK_INT(m->all.not_reached, 0);
    CHECK_INT(m->all.lower_bounds, 1);
    CHECK_INT(m->all.value[1], 4000 * MS);
    CHECK_INT(m->completed.value[1], 2000 * MS);
    m = metric_of(g, "first_chunk@relay_start");
    CHECK_INT(m->all.n, 4);
    CHECK_INT(m->all.not_reached, 2);
    CHECK_INT(m->all.value[0], 200 * MS);
    CHECK(m->all.not_reached_at[1]);
    CHECK_INT(m->completed.n, 2);
    CHECK_INT(metric_of(g, "dns@local")->all.value[0], 5 * MS);
    CHECK_INT(metric_of(g, "dns@local")->all.n, 4);
    CHECK_INT(metric_of(g, "queue@engine")->all.not_reached, 0);
    CHECK_INT(metric_of(g, "tls@upstream_start")->all.not_reached, 0);
    CHECK_INT(metric_of(g, "odd@local")->all.not_reached, 0);
    CHECK_INT(metric_of(g, "headers@vendor_edge")->all.not_reached, 2);
    CHECK_INT(metric_of(g, "headers@vendor_edge")->all.value[0], 9 * MS);
    CHECK_TEXT(g->metric[g->metrics - 7].name, "dns@local");
    CHECK_TEXT(g->metric[g->metrics - 1].name, "total@relay_start");
    ait_report_free(r);
    ait_trace_free(&t);
}

static void groups_come_in_order(void)
{
    static const int order[] = {2, -1, 0, 1, 0, 2};
    static const char *const want[] = {NULL, "m-one", "m-one", "m-three",
                                       "m-two"};
    request q = {0, AIT_OUT_COMPLETE, 1, AIT_ABSENT, 5 * MS, AIT_ABSENT,
                 AIT_IS_NONE, AIT_O_GATEWAY_RECEIPT};
    ait_report *r = NULL;
    ait_verdict v;
    ait_trace t;
    const ait_group *g;

    ait_trace_init(&t);
    CHECK(ait_report_new("model,outcome", AIT_M_LINEAR, &r, NULL) == AIT_OK);
    for (int i = 0; i < 6; i++) {
        q.model = order[i];
        q.origin = i == 2 ? AIT_O_REQUEST_SEND : AIT_O_GATEWAY_RECEIPT;
        fill(&t, &v, &q, i);
        CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    }
    CHECK(ait_report_finish(r) == AIT_OK);
    CHECK_INT(ait_report_groups(r, &g), 5);
    for (int i = 0; i < 5; i++) {
        CHECK_TEXT(g[i].key[0], want[i]);
        CHECK_TEXT(g[i].key[1], "complete");
    }
    CHECK_INT(g[1].origin, AIT_O_GATEWAY_RECEIPT);
    CHECK_INT(g[2].origin, AIT_O_REQUEST_SEND);
    CHECK_INT(g[3].requests, 2);
    ait_report_free(r);
    ait_trace_free(&t);
}

static void fields_are_named(void)
{
    const char *const *names;
    ait_report *r = NULL;
    ait_error err;
    ait_trace t;
    ait_verdict v;
    const ait_group *g;

    CHECK_INT(ait_report_new("modle", AIT_M_LINEAR, &r, &err), AIT_EUSAGE);
    CHECK(strstr(err.message, "modle") != NULL);
    CHECK(strstr(err.hint, "model") != NULL);
    CHECK_INT(ait_report_new("model,", AIT_M_LINEAR, &r, &err), AIT_OK);
    CHECK_INT(ait_report_by(r, &names), 1);
    CHECK_TEXT(names[0], "model");
    CHECK_INT(ait_report_method(r), AIT_M_LINEAR);
    ait_report_free(r);
    CHECK_INT(ait_report_new("a,b", AIT_M_LINEAR, &r, &err), AIT_EUSAGE);
    CHECK_INT(ait_report_new("model,model,model,model,model,model,model,"
                             "model,model", AIT_M_LINEAR, &r, &err),
              AIT_EUSAGE);
    CHECK_INT(ait_report_new("day,hour,status,stream,vantage,file,inflight",
                             AIT_M_LINEAR, &r, &err), AIT_OK);
    good_capture(&t);
    t.num[AIT_N_TIME] = INT64_C(1791028800) * AIT_SEC + 5;
    judged(&t, &v);
    CHECK_INT(ait_report_add(r, &t, &v), AIT_OK);
    CHECK_INT(ait_report_finish(r), AIT_OK);
    CHECK_INT(ait_report_groups(r, &g), 1);
    CHECK_TEXT(g->key[0], "2026-10-03");
    CHECK_TEXT(g->key[1], "2026-10-03T12:00Z");
    CHECK_TEXT(g->key[2], "200");
    CHECK_TEXT(g->key[3], "true");
    CHECK_TEXT(g->key[4], "gateway");
    CHECK_TEXT(g->key[5], NULL);
    CHECK_TEXT(g->key[6], NULL);
    ait_report_free(r);
    ait_trace_free(&t);
}

static void too_many_groups_are_refused(void)
{
    request q = {-1, AIT_OUT_COMPLETE, 1, AIT_ABSENT, 5 * MS, AIT_ABSENT,
                 AIT_IS_NONE, AIT_O_GATEWAY_RECEIPT};
    ait_report *r = NULL;
    ait_code code = AIT_OK;
    ait_verdict v;
    ait_error err;
    ait_trace t;
    int n = 0;

    ait_trace_init(&t);
    CHECK(ait_report_new("inflight", AIT_M_LINEAR, &r, NULL) == AIT_OK);
    ait_report_budget(r, 1 << 20);
    fill(&t, &v, &q, 0);
    while (code == AIT_OK && n <= AIT_GROUPS_MAX + 1) {
        t.num[AIT_N_INFLIGHT] = n++;
        code = ait_report_add(r, &t, &v);
    }
    CHECK_INT(n, AIT_GROUPS_MAX + 1);
    CHECK_INT(ait_report_finish(r), AIT_EUSAGE);
    CHECK_INT(ait_report_why(r, &err), code);
    CHECK_TEXT(err.message, "more than 10000 groups in one report");
    ait_report_free(r);
    ait_trace_free(&t);
}

/* One report of 400 requests, allocation n fails. */
static ait_code starved(const request *q, long n, size_t budget)
{
    ait_report *r = NULL;
    ait_code code;
    ait_trace t;
    ait_verdict v;

    ait_trace_init(&t);
    fill(&t, &v, &q[0], 0);
    measure(&t, "first_chunk", AIT_O_RELAY_START, AIT_B_FIRST_TOKEN, 7);
    ait_mem_fail_after(n);
    code = ait_report_new("model", AIT_M_NEAREST_RANK, &r, NULL);
    if (code == AIT_OK)
        ait_report_budget(r, budget);
    do
        for (int i = 0; i < 400 && code == AIT_OK; i++) {
            t.point[AIT_P_T7].ns = q[i].total_ns;
            t.text[AIT_X_MODEL] = models[i % 3];
            code = ait_report_add(r, &t, &v);
        }
    while (code == AIT_OK && ait_report_again(r));
    if (code == AIT_OK)
        code = ait_report_finish(r);
    ait_mem_fail_after(0);
    ait_report_free(r);
    ait_trace_free(&t);
    return code;
}

/* Every allocation fails once: an error, and nothing leaks. */
static void out_of_memory_is_an_error(void)
{
    static request q[400];
    static const size_t budgets[] = {SIZE_MAX, 30000, 1};

    for (int i = 0; i < 400; i++)
        q[i] = random_request(1000 * MS);
    for (int b = 0; b < 3; b++) {
        long n = 1;
        ait_code code = AIT_ENOMEM;
        for (; code == AIT_ENOMEM && n < 5000; n++)
            code = starved(q, n, budgets[b]);
        CHECK_INT(code, AIT_OK); /* until none is left to fail */
        CHECK(n > 60);
    }
}

int main(void)
{
    seed = 1;
    RUN(small_samples_equal_brute_force);
    RUN(large_samples_equal_brute_force);
    RUN(small_budget_takes_passes);
    RUN(equal_values_need_few_passes);
    RUN(other_requests_in_a_later_pass_are_an_error);
    RUN(ids_are_asked_for_by_row);
    RUN(counts_outcomes_and_findings);
    RUN(measures_are_metrics_of_their_origin);
    RUN(groups_come_in_order);
    RUN(fields_are_named);
    RUN(too_many_groups_are_refused);
    RUN(out_of_memory_is_an_error);
    return t_done();
}
