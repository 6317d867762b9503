/* Reports as text, JSON and CSV. */
#include "base/json.h"
#include "harness.h"
#include "render_hand.h"

static ait_thresholds limits;
static ait_trace trace;
static ait_verdict verdict;
static ait_report *report;
static ait_buf out;

static void add(const char *model, int64_t first_ms, ait_outcome outcome)
{
    ait_trace_free(&trace);
    hand_trace(&trace);
    hand_verdict(&verdict);
    if (model)
        hand_text(&trace, AIT_X_MODEL, model);
    else
        trace.text[AIT_X_MODEL] = NULL;
    trace.outcome = outcome;
    if (first_ms < 0) {
        trace.point[AIT_P_T4].ns = AIT_ABSENT;
        trace.point[AIT_P_T5].ns = AIT_ABSENT;
        trace.point[AIT_P_T5_NONBLANK].ns = AIT_ABSENT;
        trace.point[AIT_P_TF].ns = AIT_ABSENT;
    } else {
        hand_at(&trace, AIT_P_T4, first_ms);
    }
    CHECK_INT(ait_report_add(report, &trace, &verdict), AIT_OK);
}

static void begin(const char *by)
{
    ait_error err;
    ait_error_clear(&err);
    ait_thresholds_init(&limits);
    ait_report_free(report);
    ait_buf_free(&out);
    ait_buf_init(&out, 1 << 20);
    CHECK_INT(ait_report_new(by, AIT_M_NEAREST_RANK, &report, &err), AIT_OK);
}

static void text(const ait_style *style)
{
    CHECK_INT(ait_report_finish(report), AIT_OK);
    CHECK(ait_render_report(&out, report, &limits, style));
}

static int has(const char *want)
{
    if (strstr(hand_out(&out), want))
        return 1;
    printf("# not in the output: %s\n", want);
    return 0;
}

static void a_table_says_what_it_is(void)
{
    begin("model");
    for (int i = 1; i <= 4; i++)
        add("m-large", 100 * i, AIT_OUT_COMPLETE);
    add("m-large", -1, AIT_OUT_TIMEOUT);
    text(&hand_style);
    CHECK(has("model m-large | from gateway_receipt | all (failures stay in) "
              "| 5 requests | nearest_rank\n"));
    CHECK(has("model m-large | from gateway_receipt | completed (outcome "
              "complete only) | 4 requests | nearest_rank\n"));
    CHECK(has("not reached*"));
    CHECK(has("* sample too small: the percentile is its largest value\n"));
    CHECK(has("total_handler_ms: 1 of timeouts, lower bounds\n"));
    CHECK(has("outcomes   complete 4, timeout 1\n"));
    CHECK(has("findings   slow_decode 5\n"));
    CHECK(has("limits     headers_slow_ms 2,000 ms, "));
    CHECK(!strstr(hand_out(&out), "95 % interval"));
    CHECK(!strstr(hand_out(&out), " \n")); /* no spaces at a line's end */
}

static void all_complete_is_one_table(void)
{
    begin("");
    add("m", 100, AIT_OUT_COMPLETE);
    text(&hand_style);
    CHECK(has("all requests | from gateway_receipt | all (failures stay in) "
              "| 1 request | nearest_rank\n"));
    CHECK(!strstr(hand_out(&out), "outcome complete only"));
    CHECK(has("completed  every request is complete"));
}

static void intervals_and_shares_where_asked(void)
{
    ait_style style = hand_style;
    begin("");
    style.ci = style.share = true;
    for (int i = 0; i < 20; i++)
        add("m", 100 + i, AIT_OUT_COMPLETE);
    verdict.finding[0].by = AIT_BY_SHARE;
    CHECK_INT(ait_report_add(report, &trace, &verdict), AIT_OK);
    text(&style);
    CHECK(has("  95 % interval: p50 "));
    CHECK(has("findings   slow_decode 20 and 1 by share\n"));
}

static void json(void)
{
    begin("model");
    add(NULL, 100, AIT_OUT_COMPLETE);
    add("m\"x", -1, AIT_OUT_ERROR);
    CHECK_INT(ait_report_finish(report), AIT_OK);
    CHECK(ait_render_report_json(&out, report, &limits));
    CHECK(ait_json_valid(out.data, out.len - 1)); /* less the line end */
    CHECK(has("{\"schema\":\"aitrace.report/1\",\"by\":[\"model\"],"
              "\"percentile_method\":\"nearest_rank\",\"limits\":{"));
    CHECK(has("\"requests\":2,\"groups\":[{\"key\":{\"model\":null},"
              "\"origin\":\"gateway_receipt\",\"requests\":1,"
              "\"outcomes\":{\"complete\":1},"
              "\"findings\":{\"slow_decode\":{\"limit\":1,\"share\":0}},"));
    CHECK(has("\"key\":{\"model\":\"m\\\"x\"}"));
    CHECK(has("\"first_response_ms\":{\"all\":{\"n\":1,\"absent\":0,"
              "\"not_reached\":1,\"lower_bounds\":0,\"p50\":null,"
              "\"p95\":null,\"p99\":null,"
              "\"not_reached_at\":[\"p50\",\"p95\",\"p99\"],"));
    CHECK(has("\"request_ids\":{\"p50\":\"req-7f3a\","));
}

static int commas(const char *line)
{
    int n = 0;
    for (; *line && *line != '\r'; line++)
        n += *line == ',';
    return n;
}

static void csv(void)
{
    begin("model,channel");
    add("m", 100, AIT_OUT_COMPLETE);
    CHECK_INT(ait_report_finish(report), AIT_OK);
    CHECK(ait_render_report_csv(&out, report));
    int head = commas(hand_out(&out)), rows = 0;
    CHECK(!strncmp(hand_out(&out), "model,channel,origin,", 21));
    for (const char *line = out.data; line && *line;
         line = strchr(line, '\n') + 1, rows++)
        CHECK_INT(commas(line), head);
    CHECK(rows > 10);
    CHECK(has("m,,gateway_receipt,nearest_rank,first_response_ms,all,1,1,0,"
              "0,0,100,100,100,req-7f3a,req-7f3a,req-7f3a,,"));
}

int main(void)
{
    RUN(a_table_says_what_it_is);
    RUN(all_complete_is_one_table);
    RUN(intervals_and_shares_where_asked);
    RUN(json);
    RUN(csv);
    ait_trace_free(&trace);
    ait_report_free(report);
    ait_buf_free(&out);
    return t_done();
}
