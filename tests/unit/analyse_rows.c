/* Which rows of a database stand behind percentiles, and what it takes to
 * find out. */
#include "analyse/report.h"
#include "base/num.h"
#include "harness.h"

static void fill(ait_trace *t, ait_verdict *v, int nth)
{
    ait_trace_reset(t);
    *v = (ait_verdict){.visible_is = AIT_IS_NONE};
    for (int i = 0; i < AIT_RATE_COUNT; i++)
        v->rate[i] = AIT_ABSENT;
    t->outcome = AIT_OUT_COMPLETE;
    t->point[AIT_P_ORIGIN].ns = 0;
    t->point[AIT_P_T5].ns = (nth + 1) * AIT_MS;
    t->row = 7 + 2 * nth;
}

/* The first row behind the median of the time to the first text. */
static int64_t median_row(ait_report *r)
{
    const ait_group *g;

    CHECK(ait_report_finish(r) == AIT_OK);
    CHECK_INT(ait_report_groups(r, &g), 1);
    for (int i = 0; i < g->metrics; i++)
        if (strcmp(g->metric[i].name, "first_text_delta_ms") == 0)
            return g->metric[i].all.row[0];
    return AIT_ABSENT;
}

/* Over `n` requests of 1, 2, 3 … ms in every second row. *pass: one had to
 * look for the rows. */
static int64_t row_of_median(int n, bool *pass)
{
    ait_report *r;
    ait_verdict v;
    ait_trace t;
    int64_t row;

    ait_trace_init(&t);
    CHECK(ait_report_new("", AIT_M_NEAREST_RANK, &r, NULL) == AIT_OK);
    ait_report_budget(r, 1);
    *pass = false;
    do {
        *pass = *pass || ait_report_names_only(r);
        for (int i = 0; i < n; i++) {
            fill(&t, &v, i);
            CHECK(ait_report_add(r, &t, &v) == AIT_OK);
        }
    } while (ait_report_again(r));
    row = median_row(r);
    ait_report_free(r);
    ait_trace_free(&t);
    return row;
}

static void rows_are_known_without_a_pass(void)
{
    bool pass;

    CHECK_INT(row_of_median(100, &pass), 7 + 2 * 49);
    CHECK(!pass);
    CHECK_INT(row_of_median(4096, &pass), 7 + 2 * 2047);
    CHECK(!pass);
}

static void too_many_gaps_take_a_pass(void)
{
    bool pass;

    CHECK_INT(row_of_median(4097, &pass), 7 + 2 * 2048);
    CHECK(pass);
}

int main(void)
{
    RUN(rows_are_known_without_a_pass);
    RUN(too_many_gaps_take_a_pass);
    return t_done();
}
