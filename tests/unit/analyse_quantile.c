/* Ranks, their confidence intervals, and the selection of values by rank. */
#include <stdlib.h>

#include "analyse/select.h"
#include "analyse/report.h"
#include "analyse/select.h"
#include "base/num.h"
#include "harness.h"

static void nearest_ranks_are_exact(void)
{
    CHECK_INT(ait_rank(0, 50), 0);
    CHECK_INT(ait_rank(1, 50), 1);
    CHECK_INT(ait_rank(2, 50), 1);
    CHECK_INT(ait_rank(20, 95), 19); /* never 20 */
    CHECK_INT(ait_rank(21, 95), 20);
    CHECK_INT(ait_rank(19, 95), 19);
    CHECK_INT(ait_rank(100, 99), 99);
    CHECK_INT(ait_rank(101, 99), 100);
    CHECK_INT(ait_rank(99, 99), 99);
    CHECK_INT(ait_rank(INT64_MAX, 99), INT64_MAX / 100 * 99 + 7);
}

/* Exact to the bit of a long double: the distribution built up trial by
 * trial. */
static void oracle(int n, int percent, int64_t *low, int64_t *high)
{
    long double *p = calloc((size_t)n + 2, sizeof *p), sum = 0;
    long double hit = percent / 100.0L;

    p[0] = 1;
    for (int i = 1; i <= n; i++)
        for (int k = i; k >= 0; k--)
            p[k] = p[k] * (1 - hit) + (k ? p[k - 1] * hit : 0);
    *low = 0;
    for (int l = 1; l <= n; l++) { /* P(B < l) */
        sum += p[l - 1];
        if (sum <= 0.025L)
            *low = l;
    }
    *high = 0;
    sum = 0;
    for (int u = n; u >= 1; u--) { /* P(B >= u) */
        sum += p[u];
        if (sum <= 0.025L)
            *high = u;
    }
    free(p);
}

static void intervals_equal_exact_tables(void)
{
    int64_t low, high, l, u;

    for (int p = 0; p < 3; p++)
        for (int n = 1; n <= 400; n += n < 120 ? 1 : 7) {
            ait_ci_ranks(n, ait_percentile[p], &low, &high);
            oracle(n, ait_percentile[p], &l, &u);
            CHECK_INT(low, l);
            CHECK_INT(high, u);
        }
    /* tables of sign-test intervals */
    ait_ci_ranks(10, 50, &low, &high);
    CHECK(low == 2 && high == 9);
    ait_ci_ranks(100, 50, &low, &high);
    CHECK(low == 40 && high == 61);
    ait_ci_ranks(5, 50, &low, &high);
    CHECK(low == 0 && high == 0);
    ait_ci_ranks(0, 50, &low, &high);
    CHECK(low == 0 && high == 0);
}

static void intervals_of_many_values(void)
{
    int64_t low, high;

    ait_ci_ranks(10000000, 50, &low, &high);
    CHECK(low == 4996901 && high == 5003100); /* 1.959964 sigma */
    ait_ci_ranks(10000000, 99, &low, &high);
    CHECK(low > 9899300 && low < 9899400);
    CHECK(high > 9900600 && high < 9900700);
    ait_ci_ranks(1000000, 95, &low, &high);
    CHECK(low > 949560 && low < 949590 && high > 950410 && high < 950440);
}

/* ---- selection --------------------------------------------------------- */

static ait_pool pool;

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Selects ranks of `value`, all completed; gives the passes. */
static int select_ranks(const int64_t *value, int n, ait_target *t,
                        int targets)
{
    ait_select *s = ait_select_new(&pool);
    bool again = true;
    int passes = 0;

    for (; again && passes < 20; passes++) {
        for (int i = 0; i < n; i++)
            CHECK(ait_select_add(s, value[i], ait_tag((uint32_t)i, true)));
        if (passes == 0)
            CHECK(ait_select_ask(s, t, targets));
        CHECK(ait_select_step(s, &again));
    }
    memcpy(t, s->target, (size_t)targets * sizeof *t);
    ait_select_free(s);
    return passes;
}

static int check_selection(int64_t *value, int n)
{
    int64_t *sorted = malloc((size_t)n * sizeof *sorted);
    ait_target t[20] = {{0}};
    int passes;

    memcpy(sorted, value, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    for (int i = 0; i < 20; i++) {
        t[i].rank = 1 + (int64_t)i * (n - 1) / 19;
        t[i].population = i % 2 ? AIT_POP_ALL : AIT_POP_COMPLETED;
    }
    passes = select_ranks(value, n, t, 20);
    for (int i = 0; i < 20; i++) {
        CHECK(t[i].found);
        CHECK_INT(t[i].value, sorted[t[i].rank - 1]);
        /* all ranks below 256 distinct values name their first request;
           so does the last pass of any other */
        CHECK_INT(value[t[i].request], t[i].value);
        for (uint32_t k = 0; k < t[i].request; k++)
            if (value[k] == t[i].value) {
                CHECK_INT(t[i].request, k);
                break;
            }
    }
    free(sorted);
    return passes;
}

static void selections_equal_sorting(void)
{
    enum { N = 40000 };
    static int64_t value[N];
    uint64_t x = 1;

    for (int shape = 0; shape < 7; shape++) {
        for (int i = 0; i < N; i++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            int64_t r = (int64_t)(x >> 2);
            value[i] = shape == 0   ? r % 200       /* few values */
                       : shape == 1 ? r             /* everywhere */
                       : shape == 2 ? i             /* rising */
                       : shape == 3 ? N - i         /* falling */
                       : shape == 4 ? (INT64_C(1) << (i % 62)) + i
                       : shape == 5 ? 1000000 + r % 50000 /* one octave */
                                    : INT64_MAX / 2 - i % 3;
        }
        int passes = check_selection(value, N);
        CHECK(passes >= 1 && passes <= 6);
        CHECK(shape != 0 || passes == 1);
        CHECK_INT(check_selection(value, 1 + shape), 1);
    }
    CHECK_INT((int64_t)pool.used, 0); /* all was given back */
}

static void columns_give_back_what_they_took(void)
{
    static const int64_t odd[] = {0, 1, 999, 1000, 100000, 1000000, 250000000,
                                  1234567891, AIT_VALUE_MAX};
    ait_column c = {.next = 0};
    ait_roll roll = {.count = 0};
    ait_select *s = ait_select_new(&pool);
    ait_target t[9] = {{0}};
    uint32_t *open;
    bool again;

    for (uint32_t i = 0; i < 900; i++) {
        CHECK(ait_roll_add(&roll, &pool, ait_tag(i * 7, i % 2)));
        if (i % 100 == 42) /* requests in between have no value */
            CHECK(ait_column_add(&c, &pool, &roll, odd[i / 100]));
    }
    open = ait_roll_open(&roll);
    CHECK(open && ait_select_column(s, &c, open));
    for (int i = 0; i < 9; i++)
        t[i].rank = i + 1;
    CHECK(ait_select_ask(s, t, 9) && ait_select_step(s, &again));
    for (int i = 0; i < 9; i++) {
        CHECK_INT(s->target[i].value, odd[i]);
        CHECK_INT(s->target[i].request, (i * 100 + 42) * 7);
    }
    ait_select_free(s);
    ait_packed_free(&c.list, &pool);
    ait_packed_free(&roll.list, &pool);
    free(open);
    CHECK_INT((int64_t)pool.used, 0);
}

/* Values of every size in one unit, from 1 to the largest, with and without
 * requests in between that have none; all are found again. */
static void check_column(int64_t unit, uint32_t gap)
{
    enum { MOST = 64 };
    ait_column c = {.next = 0};
    ait_roll roll = {.count = 0};
    ait_select *s = ait_select_new(&pool);
    ait_target t[MOST] = {{0}};
    uint32_t *open;
    bool again;
    int n = 0;

    for (int64_t v = 1; v <= AIT_VALUE_MAX / unit; v = v * 2 + n % 2) {
        for (uint32_t i = 0; i <= gap; i++)
            CHECK(ait_roll_add(&roll, &pool, ait_tag(roll.count * 3, n % 2)));
        CHECK(ait_column_add(&c, &pool, &roll, v * unit));
        t[n].rank = n + 1;
        t[n++].value = v * unit;
    }
    open = ait_roll_open(&roll);
    CHECK(open && ait_select_column(s, &c, open));
    CHECK(ait_select_ask(s, t, n) && ait_select_step(s, &again));
    for (int i = 0; i < n; i++) {
        CHECK_INT(s->target[i].value, t[i].value);
        CHECK_INT(s->target[i].request, ((i + 1) * (gap + 1) - 1) * 3);
    }
    ait_select_free(s);
    ait_packed_free(&c.list, &pool);
    ait_packed_free(&roll.list, &pool);
    free(open);
}

static void columns_keep_values_of_every_size(void)
{
    static const int64_t units[] = {1, 1000, 100000, 1000000};

    for (int i = 0; i < 4; i++)
        for (uint32_t gap = 0; gap < 70000; gap = gap * 8 + 1)
            check_column(units[i], gap);
    CHECK_INT((int64_t)pool.used, 0);
}

int main(void)
{
    RUN(nearest_ranks_are_exact);
    RUN(intervals_equal_exact_tables);
    RUN(intervals_of_many_values);
    RUN(selections_equal_sorting);
    RUN(columns_give_back_what_they_took);
    RUN(columns_keep_values_of_every_size);
    return t_done();
}
