/* What a recording cannot show: rules whose inputs are absent though the
 * thing happened are named with what is missing, never quietly fine. */
#include "analyse/part.h"
#include "analyse_trace.h"

static ait_trace t;
static ait_verdict v;

/* Everything from point `from` on lies behind a step of the clock. */
static void set_clock(ait_point_id from)
{
    for (int p = from; p < AIT_P_COUNT; p++)
        t.point[p].axis = 1;
}

/* Text spread over a second is neither held back nor stalled. */
static void a_clock_that_was_set_is_said(void)
{
    static const struct {
        ait_point_id from;
        ait_rule_id rule;
        const char *missing;
    } cases[] = {
        {AIT_P_T2, AIT_R_HEADERS_SLOW, "upstream_headers_ms"},
        {AIT_P_T2, AIT_R_FIRST_RESPONSE_SLOW, ""},
        {AIT_P_T3, AIT_R_FIRST_RESPONSE_SLOW, "first_response_ms"},
        {AIT_P_T3, AIT_R_EVENT_BEFORE_RESPONSE, ""},
        {AIT_P_T4, AIT_R_FIRST_RESPONSE_SLOW, "first_response_ms"},
        {AIT_P_T4, AIT_R_EVENT_BEFORE_RESPONSE, "first_response_ms"},
        {AIT_P_T4, AIT_R_ACTION_BEFORE_TEXT, ""},
        {AIT_P_T4, AIT_R_SLOW_DECODE, ""},
        {AIT_P_T4, AIT_R_STREAM_STALLED, ""},
        {AIT_P_T5, AIT_R_ACTION_BEFORE_TEXT, "first_text_delta_ms"},
        {AIT_P_T5, AIT_R_SLOW_DECODE, ""},
        {AIT_P_T5, AIT_R_STREAM_STALLED,
         "final_response_ms upstream_done_ms"},
        {AIT_P_TF, AIT_R_SLOW_DECODE, "final_response_ms"},
        {AIT_P_TF, AIT_R_BUFFERED_DELIVERY,
         "final_response_ms upstream_done_ms"},
        {AIT_P_T6, AIT_R_STREAM_STALLED, "upstream_done_ms"},
        {AIT_P_T6, AIT_R_BUFFERED_DELIVERY, ""},
        {AIT_P_T6, AIT_R_LOCAL_OVERHEAD, ""},
        {AIT_P_T7, AIT_R_LOCAL_OVERHEAD, "total_handler_ms"},
        {AIT_P_T7, AIT_R_STREAM_STALLED, ""},
        {AIT_P_T1_FIRST, AIT_R_LOCAL_OVERHEAD, "upstream_start_ms"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        good_capture(&t);
        t.stat[AIT_S_T4_CLASSES] = AIT_C_REASONING;
        at(&t, AIT_P_T5, 310); /* tells t4 and t5 apart */
        set_clock(cases[i].from);
        if (cases[i].from == AIT_P_TF)
            t.stat[AIT_S_TEXT_LAST] = AIT_ABSENT;
        judged(&t, &v);
        CHECK_TEXT(missing(&v, cases[i].rule), cases[i].missing);
        CHECK_INT(v.findings, 0);
        ait_trace_free(&t);
    }
}

static void no_share_of_a_whole_that_is_not_known(void)
{
    good_capture(&t); /* 3 s of headers, and the end on another axis */
    for (int p = AIT_P_T2; p < AIT_P_COUNT; p++)
        t.point[p].ns += 3000 * MS;
    set_clock(AIT_P_T7);
    judged(&t, &v);
    CHECK(found(&v, AIT_R_HEADERS_SLOW) != NULL);
    CHECK_INT(found(&v, AIT_R_HEADERS_SLOW)->share, AIT_ABSENT);
    ait_trace_free(&t);
}

/* Two figures of a log whose order contradicts what they are. */
static void figures_out_of_order_are_said(void)
{
    log_line(&t, 100, 5000, 4200, 9000, AIT_ABSENT);
    at(&t, AIT_P_T3, 6000);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_EVENT_BEFORE_RESPONSE),
               "event_to_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT), "response_to_text_ms");
    at(&t, AIT_P_T1_FIRST, 0);
    at(&t, AIT_P_T1, 0);
    at(&t, AIT_P_T2, 5500);
    at(&t, AIT_P_T6, 9500);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_FIRST_RESPONSE_SLOW),
               "headers_to_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "after_upstream_ms");
    at(&t, AIT_P_T1_FIRST, -5);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "before_upstream_ms");
    ait_trace_free(&t);
}

/* Smaller than what the log can tell apart: fine where nothing of that size
 * crosses a limit, unknown where it may. */
static void coarse_figures_are_said_where_it_matters(void)
{
    log_line(&t, 100, 30000, 30000, 90000, AIT_ABSENT);
    t.num[AIT_N_OUTPUT_TOKENS] = 47;
    t.num[AIT_N_RESOLUTION] = 2000 * MS;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT), "");
    t.num[AIT_N_RESOLUTION] = 2001 * MS;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT), "response_to_text_ms");
    t.num[AIT_N_RESOLUTION] = 1000 * MS; /* half of the whole, maybe */
    at(&t, AIT_P_T4, 900);
    at(&t, AIT_P_T5, 900);
    at(&t, AIT_P_T7, 1998);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT), "response_to_text_ms");
    at(&t, AIT_P_T1_FIRST, 0);
    at(&t, AIT_P_T6, 1990);
    t.num[AIT_N_RESOLUTION] = 1001 * MS;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "after_upstream_ms");
    at(&t, AIT_P_T7, 3000); /* too short to be slow … */
    t.num[AIT_N_RESOLUTION] = 3000 * MS;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "");
    t.num[AIT_N_RESOLUTION] = 3001 * MS; /* … or not */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "visible_window_ms");
    ait_trace_free(&t);
}

static void reads_without_times_are_said(void)
{
    good_capture(&t); /* the later ones have none, nor has the end */
    see(&t, AIT_SEEN_UNTIMED);
    t.point[AIT_P_TF].ns = t.point[AIT_P_T6].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT_LAST] = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "final_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "upstream_done_ms");
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED),
               "final_response_ms upstream_done_ms");
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY), "final_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY),
               "final_response_ms upstream_done_ms");
    ait_trace_free(&t);
    good_capture(&t); /* only some in the middle */
    see(&t, AIT_SEEN_UNTIMED);
    judged(&t, &v);
    CHECK_INT(v.cannots, 1);
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "longest_gap_ms");
    ait_trace_free(&t);
    good_capture(&t); /* a body without any: its one piece is no read */
    see(&t, AIT_SEEN_UNTIMED);
    for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT_READS] = 1;
    judged(&t, &v);
    CHECK(!found(&v, AIT_R_BURSTY_DELIVERY));
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY),
               "first_text_delta_ms final_response_ms");
    ait_trace_free(&t);
}

static void a_silence_before_a_burst_is_known_or_said(void)
{
    good_capture(&t);
    t.stat[AIT_S_BURST_BYTES] = 200; /* half of it, right at the start */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY), "");
    set_clock(AIT_P_T5); /* … or behind a step of the clock */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY),
               "silence_before_burst_ms");
    t.stat[AIT_S_BURST_BYTES] = 199;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY), "");
    ait_trace_free(&t);
}

static void an_end_that_was_not_recorded_is_said(void)
{
    good_capture(&t);
    t.point[AIT_P_T6].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "upstream_done_ms");
    /* text spread over a second was not held back, whatever the end */
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "");
    at(&t, AIT_P_TF, 300);
    t.stat[AIT_S_TEXT_LAST] = 300 * MS;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "upstream_done_ms");
    ait_trace_free(&t);
    good_capture(&t); /* cut before any text: some may have followed */
    t.outcome = AIT_OUT_TRUNCATED_CAPTURE;
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "upstream_done_ms");
    ait_trace_free(&t);
}

static void events_beyond_the_clock_happened_all_the_same(void)
{
    good_capture(&t);
    for (int p = AIT_P_T4; p < AIT_P_COUNT; p++)
        t.point[p].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_FIRST_RESPONSE_SLOW), "first_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_EVENT_BEFORE_RESPONSE),
               "first_response_ms");
    t.point[AIT_P_T2].ns = t.point[AIT_P_T3].ns = AIT_ABSENT;
    t.outcome = AIT_OUT_ERROR; /* the status came, so the headers did */
    t.serving->status = 502;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "upstream_headers_ms");
    ait_trace_free(&t);
}

static void usage_that_leaves_no_token_for_the_text(void)
{
    good_capture(&t);
    t.num[AIT_N_REASONING_TOKENS] = 51;
    at(&t, AIT_P_TF, 3299);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "");
    at(&t, AIT_P_TF, 3300);
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "visible_output_tps");
    ait_trace_free(&t);
}

/* An image, a list of models: complete, and of no known kind. */
static void a_body_of_no_known_kind_was_not_looked_into(void)
{
    good_capture(&t);
    for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.stream = 0;
    t.text[AIT_X_FINISH_REASON] = t.text[AIT_X_DIALECT] = NULL;
    see(&t, AIT_SEEN_UNREAD);
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_INT(v.cannots, 2);
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "dialect");
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
               "finish_reason");
    t.outcome = AIT_OUT_ERROR; /* an error page says how it ended */
    judged(&t, &v);
    CHECK_INT(v.cannots, 0);
    t.outcome = AIT_OUT_COMPLETE;
    t.text[AIT_X_DIALECT] = "openai_chat"; /* known, and cut off */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    ait_trace_free(&t);
}

static void attempts_that_a_log_only_counts_may_have_been_refused(void)
{
    log_line(&t, 100, 200, 300, 900, AIT_ABSENT);
    t.outcome = AIT_OUT_COMPLETE;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_RATE_LIMITED), "attempts");
    t.num[AIT_N_RETRIES] = 1;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_RATE_LIMITED), "attempts");
    t.num[AIT_N_RETRIES] = 0;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_RATE_LIMITED), "");
    t.outcome = AIT_OUT_RATE_LIMITED;
    t.num[AIT_N_RETRIES] = AIT_ABSENT;
    judged(&t, &v);
    CHECK(found(&v, AIT_R_RATE_LIMITED) != NULL);
    CHECK_TEXT(missing(&v, AIT_R_RATE_LIMITED), "");
    ait_trace_free(&t);
}

static void a_budget_names_the_count_that_lacks(void)
{
    log_line(&t, 100, 200, 300, 900, AIT_ABSENT);
    t.outcome = AIT_OUT_COMPLETE;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.text[AIT_X_FINISH_REASON] = "length";
    t.num[AIT_N_REASONING_TOKENS] = 95;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
               "output_tokens");
    ait_trace_free(&t);
}

int main(void)
{
    RUN(a_clock_that_was_set_is_said);
    RUN(no_share_of_a_whole_that_is_not_known);
    RUN(figures_out_of_order_are_said);
    RUN(coarse_figures_are_said_where_it_matters);
    RUN(reads_without_times_are_said);
    RUN(a_silence_before_a_burst_is_known_or_said);
    RUN(an_end_that_was_not_recorded_is_said);
    RUN(events_beyond_the_clock_happened_all_the_same);
    RUN(usage_that_leaves_no_token_for_the_text);
    RUN(a_body_of_no_known_kind_was_not_looked_into);
    RUN(attempts_that_a_log_only_counts_may_have_been_refused);
    RUN(a_budget_names_the_count_that_lacks);
    return t_done();
}
