/* The search at the end of a report: any number of threads gives the same,
 * and lack of memory is an error on any of them. */
#include <stdlib.h>

#include "analyse/report.h"
#include "analyse_trace.h"

enum { REQUESTS = 30000 };

static uint64_t seed = 1;
static int64_t below(int64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int64_t)(seed % (uint64_t)n);
}

/* All requests, added but not searched yet. The groups are three large ones,
 * or so many small ones that several go at once. */
static ait_report *filled(const char *by, int threads)
{
    static const char *const models[] = {"m-one", "m-two", "m-three"};
    ait_report *r = NULL;
    ait_verdict v;
    ait_trace t;
    char id[32];

    seed = 1;
    memset(&v, 0, sizeof v);
    ait_trace_init(&t);
    CHECK(ait_report_new(by, AIT_M_LINEAR, &r, NULL) == AIT_OK);
    ait_report_threads(r, threads);
    for (int i = 0; i < REQUESTS; i++) {
        ait_trace_reset(&t);
        snprintf(id, sizeof id, "req-%d", i);
        ait_trace_text(&t, AIT_X_REQUEST_ID, id, strlen(id));
        t.text[AIT_X_MODEL] = models[below(3)];
        t.num[AIT_N_INFLIGHT] = below(900);
        t.outcome = below(10) ? AIT_OUT_COMPLETE : AIT_OUT_ERROR;
        t.asked_stream = 1;
        at(&t, AIT_P_ORIGIN, 0);
        at(&t, AIT_P_T0, 0);
        at(&t, AIT_P_T7, below(90000));
        if (below(9))
            at(&t, AIT_P_T2, below(70));
        t.phase[0] = below(5) ? below(1 << 30) : AIT_ABSENT;
        for (int k = 0; k < AIT_RATE_COUNT; k++)
            v.rate[k] = below(90000);
        CHECK(ait_report_add(r, &t, &v) == AIT_OK);
    }
    ait_trace_free(&t);
    return r;
}

static void same_quantiles(const ait_quantiles *p, const ait_quantiles *q)
{
    CHECK_INT(p->n, q->n);
    CHECK(memcmp(p->value, q->value, sizeof p->value) == 0);
    CHECK(memcmp(p->nth, q->nth, sizeof p->nth) == 0);
    CHECK(memcmp(p->ci_low, q->ci_low, sizeof p->ci_low) == 0);
    CHECK(memcmp(p->ci_high, q->ci_high, sizeof p->ci_high) == 0);
    for (int i = 0; i < AIT_PERCENTILES; i++)
        CHECK_TEXT(p->request_id[i], q->request_id[i]);
}

static void same_groups(const ait_report *a, const ait_report *b)
{
    const ait_group *x, *y;
    int n = ait_report_groups(a, &x);

    CHECK_INT(ait_report_groups(b, &y), n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(x[i].metrics, y[i].metrics);
        for (int m = 0; m < x[i].metrics; m++) {
            CHECK_TEXT(x[i].metric[m].name, y[i].metric[m].name);
            same_quantiles(&x[i].metric[m].all, &y[i].metric[m].all);
            same_quantiles(&x[i].metric[m].completed,
                           &y[i].metric[m].completed);
        }
    }
}

static void threads_change_nothing(void)
{
    static const struct {
        const char *by;
        int groups;
    } cases[] = {{"", 1}, {"model", 3}, {"model,inflight", 2700}};

    for (int k = 0; k < 3; k++) {
        ait_report *one = filled(cases[k].by, 1);
        const ait_group *g;
        CHECK(ait_report_finish(one) == AIT_OK);
        CHECK_INT(ait_report_groups(one, &g), cases[k].groups);
        CHECK(g->metrics >= 5);
        for (int threads = 2; threads <= 4; threads++) {
            ait_report *r = filled(cases[k].by, threads);
            CHECK(ait_report_finish(r) == AIT_OK);
            same_groups(one, r);
            ait_report_free(r);
        }
        ait_report_free(one);
    }
}

static void out_of_memory_is_an_error_on_any_thread(void)
{
    for (int threads = 1; threads <= 3; threads++)
        for (long n = 1; n < 500; n += 60) {
            ait_report *r = filled("model", threads);
            ait_mem_fail_after(n);
            CHECK(!ait_report_again(r));
            ait_mem_fail_after(0);
            CHECK_INT(ait_report_finish(r), AIT_ENOMEM);
            ait_report_free(r);
        }
}

int main(void)
{
    RUN(threads_change_nothing);
    RUN(out_of_memory_is_an_error_on_any_thread);
    return t_done();
}
