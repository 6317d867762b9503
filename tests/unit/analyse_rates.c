/* Derived rates: the figures to the digit, and every reason for absence. */
#include "analyse/part.h"
#include "analyse_trace.h"

static ait_trace t;
static ait_verdict v;

/* Starts from a good capture; the test changes one thing. */
static void start(void)
{
    good_capture(&t);
}

static ait_absence why(ait_rate_field f)
{
    judged(&t, &v);
    CHECK(ait_has(v.rate[f]) == (v.why[f] == AIT_A_PRESENT));
    CHECK((v.visible_is == AIT_IS_NONE) ==
          !ait_has(v.rate[AIT_RATE_VISIBLE_TPS]));
    ait_trace_free(&t);
    return v.why[f];
}

#define WHY(field, reason) CHECK_TEXT(ait_absence_name[why(field)], reason)
#define VISIBLE AIT_RATE_VISIBLE_TPS
#define ITL AIT_RATE_ITL
#define OUTPUT AIT_RATE_OUTPUT_TPS

static void ratios_are_exact(void)
{
    CHECK_INT(ait_ratio(2, 1, 4), 1); /* half away from zero */
    CHECK_INT(ait_ratio(1, 1, 4), 0);
    CHECK_INT(ait_ratio(3, 1, 4), 1);
    CHECK_INT(ait_ratio(0, INT64_MAX, 7), 0);
    CHECK_INT(ait_ratio(INT64_MAX, INT64_MAX, INT64_MAX), INT64_MAX);
    CHECK_INT(ait_ratio(INT64_MAX, 1000, 1000), INT64_MAX);
    CHECK_INT(ait_ratio(INT64_MAX, 3, 6), INT64_MAX / 2 + 1);
    CHECK_INT(ait_ratio(INT64_MAX, 2, 1), AIT_ABSENT);
    CHECK_INT(ait_ratio(INT64_C(1) << 62, 4, 8), INT64_C(1) << 61);
    CHECK_INT(ait_ratio(10000000000000, 10000000000000, 3), AIT_ABSENT);
    CHECK_INT(ait_ratio(1000000000000, 1000000000000, 300000000),
              INT64_C(3333333333333333));
    CHECK_INT(ait_share_cmp(50, 500, 100), 0);
    CHECK_INT(ait_share_cmp(49, 500, 100), -1);
    CHECK_INT(ait_share_cmp(51, 500, 100), 1);
    CHECK_INT(ait_share_cmp(INT64_MAX, 1000, INT64_MAX), 0);
    CHECK_INT(ait_share_cmp(INT64_MAX / 2, 1000, INT64_MAX), -1);
    CHECK_INT(ait_share_cmp(5, INT64_MAX, INT64_MAX), -1);
    CHECK_INT(ait_share_cmp(5, 0, INT64_MAX), 1);
}

static void a_capture_has_all_rates(void)
{
    start();
    judged(&t, &v);
    CHECK_INT(v.rate[VISIBLE], 51000); /* 51 tokens in 1.0 s */
    CHECK_INT(v.visible_is, AIT_IS_EXACT);
    CHECK_INT(v.rate[ITL], 20 * MS);   /* 1.0 s / 50 */
    CHECK_INT(v.rate[OUTPUT], 38931);  /* 51 / 1.310 s */
    CHECK_TEXT(v.window_end, "final_response");
    CHECK_INT(v.visible_tokens, 51);
    CHECK_INT(v.findings, 0);
    CHECK_INT(v.primary, AIT_R_NONE);
    ait_trace_free(&t);
}

static void rates_are_rounded_to_thousandths(void)
{
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = 2;
    at(&t, AIT_P_TF, 300 + 3000);
    at(&t, AIT_P_T6, 3300);
    at(&t, AIT_P_T7, 3300);
    judged(&t, &v);
    CHECK_INT(v.rate[VISIBLE], 667);
    t.num[AIT_N_OUTPUT_TOKENS] = 8; /* 3 s / 7 = 428.571428… ms */
    judged(&t, &v);
    CHECK_INT(v.rate[ITL], 428571000);
    ait_trace_free(&t);
}

static void visible_rate_says_why_it_is_absent(void)
{
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    WHY(VISIBLE, "no_usage");
    start();
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    WHY(VISIBLE, "no_text");
    start();
    t.stat[AIT_S_TEXT_READS] = 1;
    WHY(VISIBLE, "window_too_short");
    start();
    t.point[AIT_P_TF].ns = t.point[AIT_P_T5].ns + 100 * MS - 1;
    WHY(VISIBLE, "window_too_short");
    start();
    t.point[AIT_P_TF].ns = t.point[AIT_P_T5].ns + 100 * MS;
    CHECK_INT(why(VISIBLE), AIT_A_PRESENT);
    start();
    t.stream = 0;
    WHY(VISIBLE, "not_streamed");
    start();
    t.point[AIT_P_T4].ns = t.point[AIT_P_T5].ns = AIT_ABSENT;
    see(&t, AIT_SEEN_UNTIMED);
    WHY(VISIBLE, "no_event_times");
    start();
    t.point[AIT_P_T5].axis = 0;
    t.point[AIT_P_TF].axis = 1;
    WHY(VISIBLE, "different_origins");
    start();
    t.num[AIT_N_REASONING_TOKENS] = 51;
    WHY(VISIBLE, "too_few_tokens");
    start();
    see(&t, AIT_SEEN_UNREAD);
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    WHY(VISIBLE, "not_in_log");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = INT64_MAX; /* no such count */
    WHY(VISIBLE, "no_usage");
}

static void first_reason_is_the_one_nothing_could_mend(void)
{
    start();
    t.stream = 0;
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT] = 0;
    WHY(VISIBLE, "not_streamed");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT] = 0;
    WHY(VISIBLE, "no_text");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    t.stat[AIT_S_TEXT_READS] = 1;
    WHY(VISIBLE, "no_usage");
}

static void log_windows_end_where_the_answer_did(void)
{
    log_line(&t, 260, 420, 430, 20430, AIT_ABSENT);
    t.num[AIT_N_OUTPUT_TOKENS] = 196;
    judged(&t, &v);
    CHECK_TEXT(v.window_end, "total_handler");
    CHECK_INT(v.rate[VISIBLE], 9800);
    CHECK_INT(v.visible_is, AIT_IS_UPPER_BOUND);
    at(&t, AIT_P_T6, 19430);
    judged(&t, &v);
    CHECK_TEXT(v.window_end, "upstream_done");
    CHECK_INT(v.rate[VISIBLE], 10316);
    t.num[AIT_N_REASONING_TOKENS] = 6;
    judged(&t, &v);
    CHECK_INT(v.rate[VISIBLE], 10000);
    CHECK_INT(v.visible_is, AIT_IS_EXACT);
    t.num[AIT_N_RESOLUTION] = 20 * AIT_SEC; /* coarser than the window */
    WHY(VISIBLE, "window_too_short");
    log_line(&t, 260, 420, 430, 20430, AIT_ABSENT);
    WHY(VISIBLE, "not_in_log");
    log_line(&t, 260, 420, 430, 20430, AIT_ABSENT);
    t.num[AIT_N_OUTPUT_TOKENS] = 196;
    t.point[AIT_P_T7].ns = AIT_ABSENT;
    WHY(VISIBLE, "not_in_log");
    log_line(&t, 260, 420, 430, 20430, AIT_ABSENT);
    t.stat[AIT_S_TEXT] = 0;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    WHY(VISIBLE, "no_text");
}

static void reported_rate_stands_in_only_where_none_can_be_computed(void)
{
    static const int64_t lines[3][5] = {
        {6100, 6350, 6400, 9200, 42000},
        {240, 2900, 8700, 10200, 55000},
        {260, 420, 430, 20430, 9800},
    };

    for (int i = 0; i < 3; i++) {
        const int64_t *l = lines[i];
        log_line(&t, l[0], l[1], l[2], l[3], l[4]);
        judged(&t, &v);
        CHECK_INT(v.rate[VISIBLE], l[4]);
        CHECK_INT(v.visible_is, AIT_IS_REPORTED);
        CHECK_INT(t.issues.count[AIT_I_REPORTED_RATE_DIFFERS], 0);
        ait_trace_free(&t);
    }
    log_line(&t, 260, 420, 430, 480, 9800); /* 50 ms hold no rate */
    WHY(VISIBLE, "not_in_log");
    log_line(&t, 260, 420, 430, 20430, 9800);
    t.stream = 0;
    WHY(VISIBLE, "not_streamed");
}

static void a_reported_rate_that_differs_is_an_issue(void)
{
    static const struct {
        int64_t reported;
        int issue;
    } cases[] = {{9800, 0}, {10290, 0}, {10291, 1}, {9310, 0}, {9309, 1},
                 {0, 1},    {INT64_MAX, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        log_line(&t, 260, 420, 430, 20430, cases[i].reported);
        t.num[AIT_N_OUTPUT_TOKENS] = 196;
        judged(&t, &v);
        CHECK_INT(v.rate[VISIBLE], 9800);
        CHECK_INT(t.issues.count[AIT_I_REPORTED_RATE_DIFFERS],
                  cases[i].issue);
        judged(&t, &v); /* a second look raises nothing twice */
        CHECK_INT(t.issues.count[AIT_I_REPORTED_RATE_DIFFERS],
                  cases[i].issue);
        ait_trace_free(&t);
    }
}

static void bounds_are_named(void)
{
    start();
    t.stat[AIT_S_REASONING] = 5; /* streamed, not counted */
    judged(&t, &v);
    CHECK_INT(v.visible_is, AIT_IS_UPPER_BOUND);
    CHECK_INT(v.rate[VISIBLE], 51000);
    t.num[AIT_N_REASONING_TOKENS] = 11;
    judged(&t, &v);
    CHECK_INT(v.visible_is, AIT_IS_EXACT);
    CHECK_INT(v.rate[VISIBLE], 40000);
    t.stat[AIT_S_ACTION] = 3; /* arguments share the count with text */
    judged(&t, &v);
    CHECK_INT(v.visible_is, AIT_IS_UPPER_BOUND);
    CHECK_INT(v.rate[VISIBLE], 40000);
    see(&t, AIT_SEEN_RUNNING_USAGE);
    judged(&t, &v);
    CHECK_INT(v.visible_is, AIT_IS_LOWER_BOUND);
    ait_trace_free(&t);
}

static void itl_counts_what_came_from_the_first_token_on(void)
{
    start(); /* reasoning streamed: everything came after t4 */
    t.stat[AIT_S_REASONING] = 10;
    t.num[AIT_N_REASONING_TOKENS] = 20;
    at(&t, AIT_P_T4, 250);
    judged(&t, &v);
    CHECK_INT(v.rate[ITL], 21 * MS); /* 1050 / 50 */
    t.stat[AIT_S_REASONING] = 0;     /* counted, but it came before */
    t.num[AIT_N_REASONING_TOKENS] = 30;
    judged(&t, &v);
    CHECK_INT(v.rate[ITL], 52500000); /* 1050 / 20 */
    ait_trace_free(&t);
}

static void itl_says_why_it_is_absent(void)
{
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    WHY(ITL, "no_usage");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = 1;
    WHY(ITL, "too_few_tokens");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = 0;
    WHY(ITL, "too_few_tokens");
    start();
    t.stat[AIT_S_OPAQUE] = 1;
    WHY(ITL, "reasoning_not_counted");
    start();
    t.num[AIT_N_REASONING_TOKENS] = 60; /* more than everything */
    WHY(ITL, "no_usage");
    start(); /* hidden reasoning, and arguments share the rest */
    t.num[AIT_N_REASONING_TOKENS] = 3;
    t.stat[AIT_S_ACTION] = 4;
    WHY(ITL, "no_usage");
    start();
    t.stat[AIT_S_TEXT_READS] = 1;
    WHY(ITL, "window_too_short");
    start();
    at(&t, AIT_P_TF, 399);
    WHY(ITL, "window_too_short");
    start();
    t.stream = 0;
    WHY(ITL, "not_streamed");
    start(); /* the limits are those of the text, not of t4 to tf */
    t.stat[AIT_S_REASONING] = 3;
    at(&t, AIT_P_T5, 1201);
    WHY(ITL, "window_too_short");
    start();
    t.stat[AIT_S_REASONING] = 3;
    at(&t, AIT_P_T5, 1200);
    CHECK_INT(why(ITL), AIT_A_PRESENT);
    start(); /* a tool-only answer */
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.stat[AIT_S_ACTION] = 9;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    WHY(ITL, "window_too_short");
    start();
    t.stat[AIT_S_ACTION] = 9; /* no reasoning: n is everything */
    CHECK_INT(why(ITL), AIT_A_PRESENT);
    start();
    t.point[AIT_P_T4].ns = AIT_ABSENT;
    WHY(ITL, "no_response");
    start();
    t.point[AIT_P_T4].ns = AIT_ABSENT;
    see(&t, AIT_SEEN_UNTIMED);
    WHY(ITL, "no_event_times");
    start();
    t.point[AIT_P_TF].axis = 1;
    WHY(ITL, "different_origins");
    log_line(&t, 260, 420, 430, 20430, 9800);
    WHY(ITL, "not_in_log");
}

/* Everything from point `from` on lies behind a step of the clock. */
static void set_clock(ait_point_id from)
{
    for (int p = from; p < AIT_P_COUNT; p++)
        t.point[p].axis = 1;
}

static void a_clock_that_was_set_is_the_reason(void)
{
    start();
    set_clock(AIT_P_T4); /* t4 and the rest are on one axis again */
    judged(&t, &v);
    CHECK_INT(v.rate[VISIBLE], 51000);
    CHECK_INT(v.rate[ITL], 20 * MS);
    WHY(OUTPUT, "different_origins");
    start();
    t.stat[AIT_S_REASONING] = 3;
    set_clock(AIT_P_T5);
    WHY(ITL, "different_origins");
    start(); /* the end is elsewhere; an end before it does not stand in */
    set_clock(AIT_P_T6);
    WHY(OUTPUT, "different_origins");
    start();
    set_clock(AIT_P_T7);
    judged(&t, &v);
    CHECK_INT(v.rate[OUTPUT], 38931);
    t.point[AIT_P_T6].ns = AIT_ABSENT;
    WHY(OUTPUT, "different_origins");
}

static void reads_without_times_are_the_reason(void)
{
    start(); /* the first text was timed, the last was not */
    see(&t, AIT_SEEN_UNTIMED);
    t.point[AIT_P_TF].ns = t.point[AIT_P_T6].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.why[VISIBLE], AIT_A_NO_EVENT_TIMES);
    CHECK_INT(v.why[ITL], AIT_A_NO_EVENT_TIMES);
    t.point[AIT_P_T7].ns = AIT_ABSENT;
    WHY(OUTPUT, "no_event_times");
}

static void figures_that_contradict_are_no_window(void)
{
    log_line(&t, 260, 420, 430, 20430, AIT_ABSENT);
    t.num[AIT_N_OUTPUT_TOKENS] = 47;
    t.stat[AIT_S_REASONING] = 0;
    at(&t, AIT_P_TF, 425);
    judged(&t, &v);
    CHECK_INT(v.why[VISIBLE], AIT_A_NOT_IN_LOG);
    CHECK_INT(v.why[ITL], AIT_A_NOT_IN_LOG);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "visible_window_ms");
    ait_trace_free(&t);
}

static void output_rate_is_over_the_whole_time(void)
{
    start();
    t.point[AIT_P_T6].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.rate[OUTPUT], 38754); /* to t7: 51 / 1.316 */
    t.point[AIT_P_T7].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.rate[OUTPUT], 39231); /* to tf: 51 / 1.300 */
    t.point[AIT_P_TF].ns = AIT_ABSENT;
    WHY(OUTPUT, "no_response");
    start();
    t.num[AIT_N_OUTPUT_TOKENS] = AIT_ABSENT;
    WHY(OUTPUT, "no_usage");
    start();
    t.origin = AIT_O_FIRST_RECORD;
    WHY(OUTPUT, "different_origins");
    start();
    at(&t, AIT_P_T6, 0);
    WHY(OUTPUT, "window_too_short");
    log_line(&t, 260, 420, 430, 20430, 9800);
    WHY(OUTPUT, "not_in_log");
    start(); /* a body that was not streamed has it, too */
    t.stream = 0;
    CHECK_INT(why(OUTPUT), AIT_A_PRESENT);
}

static void chunked_delivery_is_an_issue(void)
{
    static const struct {
        int64_t tokens, reads;
        int issue;
    } cases[] = {{20, 2, 1}, {19, 1, 0}, {20, 3, 0}, {30, 3, 1},
                 {29, 3, 0}, {51, 50, 0}, {0, 2, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start();
        t.num[AIT_N_OUTPUT_TOKENS] = cases[i].tokens;
        t.stat[AIT_S_TEXT_READS] = cases[i].reads;
        judged(&t, &v);
        judged(&t, &v);
        CHECK_INT(t.issues.count[AIT_I_CHUNKED_DELIVERY], cases[i].issue);
        ait_trace_free(&t);
    }
}

static void nothing_is_infinite_or_negative(void)
{
    static const int64_t wild[] = {0, 1, -5, 1000000000000,
                                   1000000000001, INT64_MAX};

    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++) {
            start();
            t.num[AIT_N_OUTPUT_TOKENS] = wild[i];
            t.num[AIT_N_REASONING_TOKENS] = wild[k];
            t.num[AIT_N_REPORTED_TPS] = wild[k];
            t.stat[AIT_S_TEXT_READS] = wild[k];
            judged(&t, &v);
            for (int r = 0; r < AIT_RATE_COUNT; r++)
                CHECK(!ait_has(v.rate[r]) ? v.why[r] != AIT_A_PRESENT
                                          : v.rate[r] >= 0);
            ait_trace_free(&t);
        }
}

int main(void)
{
    RUN(ratios_are_exact);
    RUN(a_capture_has_all_rates);
    RUN(rates_are_rounded_to_thousandths);
    RUN(visible_rate_says_why_it_is_absent);
    RUN(first_reason_is_the_one_nothing_could_mend);
    RUN(log_windows_end_where_the_answer_did);
    RUN(reported_rate_stands_in_only_where_none_can_be_computed);
    RUN(a_reported_rate_that_differs_is_an_issue);
    RUN(bounds_are_named);
    RUN(itl_counts_what_came_from_the_first_token_on);
    RUN(itl_says_why_it_is_absent);
    RUN(a_clock_that_was_set_is_the_reason);
    RUN(reads_without_times_are_the_reason);
    RUN(figures_that_contradict_are_no_window);
    RUN(output_rate_is_over_the_whole_time);
    RUN(chunked_delivery_is_an_issue);
    RUN(nothing_is_infinite_or_negative);
    return t_done();
}
