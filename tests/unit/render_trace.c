/* One request as JSON, diagnosis, show, list row. */
#include "harness.h"
#include "base/json.h"
#include "render_hand.h"

static ait_thresholds limits;
static ait_trace trace;
static ait_verdict verdict;
static ait_buf out;

static void fresh(void)
{
    ait_trace_free(&trace);
    ait_buf_free(&out);
    ait_buf_init(&out, 1 << 20);
    ait_thresholds_init(&limits);
    hand_trace(&trace);
    hand_verdict(&verdict);
}

static int has(const char *text)
{
    if (strstr(hand_out(&out), text))
        return 1;
    printf("# not in the output: %s\n", text);
    return 0;
}

static const char *json(void)
{
    ait_jsonw w;
    ait_buf_clear(&out);
    ait_jsonw_init(&w, &out, false);
    ait_render_trace_json(&w, &trace, &verdict);
    CHECK(!w.failed);
    CHECK(ait_json_valid(hand_out(&out), out.len));
    return hand_out(&out);
}

static void trace_object(void)
{
    fresh();
    json();
    CHECK(has("{\"schema\":\"aitrace.trace/1\",\"request_id\":\"req-7f3a\","
              "\"ids\":[\"req-7f3a\"],"
              "\"time\":\"2026-10-02T12:00:00.000000Z\","));
    CHECK(has("\"upstream_start_ms\":12,\"upstream_headers_ms\":260,"
              "\"first_sse_event_ms\":300,\"first_response_ms\":420,"));
    CHECK(has("\"visible_window_ms\":19995,"));
    CHECK(has("\"rates\":{\"visible_output_tps\":9.802,"
              "\"visible_output_tps_is\":\"exact\",\"itl_ms\":null,"
              "\"output_tps\":null,\"window_end\":\"final_response\"},"
              "\"why_absent\":{\"itl_ms\":\"no_usage\","
              "\"output_tps\":\"no_usage\"}"));
    CHECK(has("\"findings\":[{\"id\":\"slow_decode\",\"by\":\"limit\","
              "\"evidence\":{\"visible_output_tps\":9.802},"
              "\"limits\":{\"slow_decode_tps\":15},\"share\":0.979,"));
    CHECK(has("\"not_assessable\":[{\"id\":\"local_overhead\","
              "\"missing\":[\"auth_ms\",\"body_read_ms\"]}]"));
}

/* Every key is there though nothing is known, and nothing is 0. */
static void an_empty_trace_is_all_null(void)
{
    fresh();
    ait_trace_reset(&trace);
    memset(&verdict, 0, sizeof verdict);
    for (int i = 0; i < AIT_RATE_COUNT; i++) {
        verdict.rate[i] = AIT_ABSENT;
        verdict.why[i] = AIT_A_NOT_IN_LOG;
    }
    verdict.visible_is = AIT_IS_NONE;
    verdict.visible_tokens = AIT_ABSENT;
    verdict.primary = AIT_R_NONE;
    json();
    CHECK(has("\"request_id\":null,\"ids\":[],\"time\":null,"));
    CHECK(has("\"line\":null"));
    CHECK(has("\"auth_ms\":null,"));
    CHECK(has("\"longest_gap_at_ms\":null}"));
    CHECK(has("\"sse_events\":null,"));
    CHECK(has("\"attempts\":[],\"retries\":null,\"retry_wait_ms\":null,"
              "\"primary\":\"none\",\"findings\":[],\"not_assessable\":[],"
              "\"issues\":[]}"));
    CHECK(!strstr(hand_out(&out), ":0,"));
    CHECK(!strstr(hand_out(&out), ":-"));
}

static void attempts_and_measures(void)
{
    fresh();
    ait_attempt *a = ait_trace_attempt(&trace);
    a->number = 2;
    a->status = 429;
    a->outcome = AIT_OUT_RATE_LIMITED;
    a->retry_after = 2 * AIT_SEC;
    ait_measure *m = ait_trace_measure(&trace);
    m->name = "first_chunk";
    m->value = 812 * AIT_MS;
    m->origin = AIT_O_RELAY_START;
    m->boundary = AIT_B_FIRST_SSE_EVENT;
    m->quality = AIT_Q_OK;
    json();
    CHECK(has("{\"attempt\":2,\"upstream\":null,\"channel\":null,"
              "\"status\":429,\"outcome\":\"rate_limited\","
              "\"start_ms\":null,\"headers_ms\":null,\"done_ms\":null,"
              "\"retry_after_ms\":2000,\"wait_before_ms\":null}"));
    CHECK(has("{\"name\":\"first_chunk\",\"value_ms\":812,"
              "\"resolution_ms\":null,\"origin\":\"relay_start\","
              "\"boundary\":\"first_sse_event\",\"source_field\":null,"
              "\"quality\":\"ok\"}"));
}

static void an_id_with_quotes_stays_json(void)
{
    fresh();
    hand_text(&trace, AIT_X_REQUEST_ID, "a\"b\\c");
    json();
    CHECK(has("\"request_id\":\"a\\\"b\\\\c\""));
}

static void diagnose(const ait_style *style)
{
    ait_buf_clear(&out);
    CHECK(ait_render_diagnosis(&out, &trace, &verdict, style));
}

static void the_page_of_the_manual(void)
{
    fresh();
    diagnose(&hand_utf8);
    CHECK(has("req-7f3a \xc2\xb7 m-large \xc2\xb7 route eu-2 \xc2\xb7 "
              "2026-10-02 12:00:00Z \xc2\xb7 complete, 196 tokens\n"
              "slow_decode: 20.0 s of 20.4 s went into writing the answer\n"
              "\n"
              "  received               0 ms\n"
              "  upstream started      12 ms\n"));
    CHECK(has("  first response       420 ms  text\n"));
    CHECK(has("visible window 19,995 ms\n"));
    CHECK(has("260 ms after upstream start\n"));
    CHECK(has("why        visible_output_tps 9.8 (limit 15); tokens from "
              "usage\n"));
    CHECK(has("check      output length (196 tokens), channel\n"));
    CHECK(has("won't help a first-output timeout\n"));
    CHECK(has("cannot say whether the gateway was slow: auth_ms and "
              "body_read_ms are not in this recording\n"));
    CHECK(has("next       aitrace report --model m-large --by route\n"));
}

/* Bars are as long as the phase that ends there. */
static void bars_follow_the_width(void)
{
    fresh();
    diagnose(&hand_style);
    CHECK(has("  headers              272 ms  #  "));
    CHECK(has("  final response    20,425 ms  ##################"));
    ait_style narrow = {.width = 50};
    diagnose(&narrow);
    CHECK(!strchr(hand_out(&out), '#'));
    CHECK(has("  final response    20,425 ms  visible window 19,995 ms\n"));
}

static void ascii_where_there_is_no_utf8(void)
{
    fresh();
    hand_text(&trace, AIT_X_MODEL, "m\xc3\xb6" "del");
    diagnose(&hand_style);
    CHECK(has("req-7f3a | m?del | route eu-2"));
    for (size_t i = 0; i < out.len; i++)
        if ((unsigned char)out.data[i] >= 0x80)
            CHECK(!"plain ASCII");
}

static void drop(ait_point_id p)
{
    trace.point[p].ns = AIT_ABSENT;
}

static void absent_points_say_why(void)
{
    fresh();
    drop(AIT_P_T5);
    trace.stat[AIT_S_TEXT] = 0;
    diagnose(&hand_style);
    CHECK(has("  first visible text        -  no visible text\n"));
    drop(AIT_P_T4);
    drop(AIT_P_TF);
    trace.stat[AIT_S_T4_CLASSES] = AIT_ABSENT;
    trace.outcome = AIT_OUT_TIMEOUT;
    diagnose(&hand_style);
    CHECK(has("  first response            -  never came\n"));
    trace.outcome = AIT_OUT_TRUNCATED_CAPTURE;
    diagnose(&hand_style);
    CHECK(has("  first response            -  the recording ends before"));
    trace.outcome = AIT_OUT_COMPLETE;
    trace.stream = 0;
    diagnose(&hand_style);
    CHECK(has("  first response            -  not streamed\n"));
}

static void a_log_says_it_is_one(void)
{
    fresh();
    trace.stat[AIT_S_SEEN] = AIT_ABSENT;
    trace.stat[AIT_S_T4_CLASSES] = AIT_ABSENT;
    drop(AIT_P_T3);
    diagnose(&hand_style);
    CHECK(has("  first event               -  not in this log\n"));
    CHECK(has(" log\n"));
    CHECK(!strstr(hand_out(&out), "recording"));
}

/* headers known from the upstream's start only: no place on the axis, but
 * the figure itself is told. */
static void headers_from_the_upstream_start(void)
{
    fresh();
    trace.point[AIT_P_T1] = (ait_point){0, AIT_AXIS_UPSTREAM};
    trace.point[AIT_P_T2] = (ait_point){260 * AIT_MS, AIT_AXIS_UPSTREAM};
    diagnose(&hand_style);
    CHECK(has("  headers                   -  260 ms after upstream "
              "start\n"));
    CHECK(has("  upstream started          -  not recorded\n"));
}

static void nothing_found_is_not_fine(void)
{
    fresh();
    verdict.findings = 0;
    verdict.primary = AIT_R_NONE;
    diagnose(&hand_style);
    CHECK(has("none: nothing crossed a limit; 20,430 ms in all; 1 of 16 "
              "rules could not be assessed\n"));
    CHECK(has("next       aitrace show --request-id req-7f3a\n"));
}

/* A 429 that cost retries is named rate_limited, told by the retries. */
static void retries_named_rate_limited(void)
{
    fresh();
    verdict.primary = AIT_R_RATE_LIMITED;
    verdict.finding[0].rule = AIT_R_RETRIED;
    diagnose(&hand_style);
    CHECK(has("rate_limited: 20.0 s of 20.4 s"));
}

static void other_findings_and_issues_follow(void)
{
    fresh();
    verdict.finding[1] = verdict.finding[0];
    verdict.finding[1].rule = AIT_R_BURSTY_DELIVERY;
    strcpy(verdict.finding[1].what, "twelve events in two reads");
    verdict.findings = 2;
    trace.issues.count[AIT_I_CLOCK_WENT_BACK] = 3;
    diagnose(&hand_style);
    CHECK(has("also       bursty_delivery: twelve events in two reads\n"));
    CHECK(has("data       clock_went_back (3 times): "));
}

static void show_tells_everything(void)
{
    fresh();
    trace.attempts->status = 200;
    trace.attempts->outcome = AIT_OUT_COMPLETE;
    CHECK(ait_render_show(&out, &trace, &verdict, &limits, &hand_style));
    CHECK(has("points (from gateway_receipt, since the point before)\n"));
    CHECK(has("  headers                     272 ms       +260 ms  260 ms "
              "after upstream start\n"));
    CHECK(has("  visible_window_ms        19,995 ms\n"));
    CHECK(has("  itl_ms                           -  no_usage\n"));
    CHECK(has("  visible_output_tps             9.8  exact, window ends at "
              "final_response\n"));
    CHECK(has("tokens (from usage)\n"));
    CHECK(has("  id                    req-7f3a\n"));
    CHECK(has("finding    slow_decode: "));
    CHECK(has("limits     headers_slow_ms 2,000 ms, "));
    CHECK(!strstr(hand_out(&out), "events of attempt"));
}

static void show_lists_events(void)
{
    fresh();
    ait_timeline line;
    ait_timeline_init(&line);
    ait_event e = {.ns = 500 * AIT_MS, .read = 1, .length = 40,
                   .classes = AIT_C_ENVELOPE};
    CHECK(ait_timeline_add(&line, &e));
    e = (ait_event){.ns = 1700 * AIT_MS, .read = 2, .length = 9,
                    .classes = AIT_C_TEXT | AIT_C_USAGE};
    CHECK(ait_timeline_add(&line, &e));
    trace.attempts->timeline = (const uint8_t *)line.bytes.data;
    trace.attempts->timeline_len = line.bytes.len;
    trace.attempts->timeline_base = 200 * AIT_MS;
    ait_event_walk walk;
    ait_event_walk_init(&walk, &trace);
    CHECK(ait_render_events(&out, &walk, &hand_style));
    CHECK(walk.attempt == NULL);
    CHECK(has("events of attempt 1\n"));
    CHECK(has("        300 ms             -       1        40  envelope\n"));
    CHECK(has("      1,500 ms     +1,200 ms       2         9  usage,text\n"));
    ait_timeline_free(&line);
}

/* However many there are, little of them is held. */
static void events_come_in_pieces(void)
{
    enum { MANY = 100000 };
    fresh();
    ait_timeline line;
    ait_timeline_init(&line);
    for (int i = 0; i < MANY; i++) {
        ait_event e = {.ns = i * AIT_MS, .read = (uint64_t)i + 1,
                       .length = 9, .classes = AIT_C_TEXT};
        CHECK(ait_timeline_add(&line, &e));
    }
    trace.attempts->timeline = (const uint8_t *)line.bytes.data;
    trace.attempts->timeline_len = line.bytes.len;
    trace.attempts->timeline_base = 0;
    ait_event_walk walk;
    ait_event_walk_init(&walk, &trace);
    int lines = 0;
    size_t most = 0;
    while (walk.attempt) {
        ait_buf_clear(&out);
        CHECK(ait_render_events(&out, &walk, &hand_style));
        most = out.len > most ? out.len : most;
        for (size_t i = 0; i < out.len; i++)
            lines += out.data[i] == '\n';
    }
    CHECK_INT(lines, MANY + 3); /* a blank line and two titles */
    CHECK(most < 65536);
    ait_timeline_free(&line);
}

static void list_rows(void)
{
    fresh();
    CHECK(ait_render_list_head(&out, &hand_style));
    CHECK(ait_render_list_row(&out, &trace, &verdict, &hand_style));
    CHECK_TEXT(hand_out(&out),
        "time                 outcome           status  first resp.   "
        "end to end  tokens  primary               model                "
        "request\n"
        "2026-10-02 12:00:00Z complete             200       420 ms    "
        "20,430 ms     196  slow_decode           m-large              "
        "req-7f3a\n");
}

static int commas(const char *line)
{
    int n = 0;
    for (; *line && *line != '\r'; line++)
        n += *line == ',';
    return n;
}

static void list_csv(void)
{
    fresh();
    CHECK(ait_render_list_csv_head(&out));
    int head = commas(hand_out(&out));
    ait_buf_clear(&out);
    CHECK(ait_render_list_csv(&out, &trace, &verdict));
    CHECK_INT(commas(hand_out(&out)), head);
    CHECK(has("req-7f3a,,,,,m-large,"));
    CHECK(has("2026-10-02T12:00:00.000000Z,gateway,gateway_receipt,"
              "complete,true,slow_decode,196,exact,,200,"));
}

static void any_allocation_may_fail(void)
{
    for (long n = 1; n < 6; n++) {
        fresh();
        ait_mem_fail_after(n);
        bool ok = ait_render_diagnosis(&out, &trace, &verdict, &hand_style);
        ait_mem_fail_after(0);
        CHECK(!ok || out.len > 0);
        if (n == 1)
            CHECK(!ok);
    }
}

int main(void)
{
    RUN(trace_object);
    RUN(an_empty_trace_is_all_null);
    RUN(attempts_and_measures);
    RUN(an_id_with_quotes_stays_json);
    RUN(the_page_of_the_manual);
    RUN(bars_follow_the_width);
    RUN(ascii_where_there_is_no_utf8);
    RUN(absent_points_say_why);
    RUN(a_log_says_it_is_one);
    RUN(headers_from_the_upstream_start);
    RUN(nothing_found_is_not_fine);
    RUN(retries_named_rate_limited);
    RUN(other_findings_and_issues_follow);
    RUN(show_tells_everything);
    RUN(show_lists_events);
    RUN(events_come_in_pieces);
    RUN(list_rows);
    RUN(list_csv);
    RUN(any_allocation_may_fail);
    ait_trace_free(&trace);
    ait_buf_free(&out);
    return t_done();
}
