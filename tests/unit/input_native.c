/* The native gateway log: objects to traces. */
#include "input/input.h"

#include "input_sink.h"

static dump d;

/* Reads lines as the native log; what came is the text of the traces. */
static const char *log_text(const char *lines)
{
    dump_free(&d);
    dump_bytes(&d, lines, strlen(lines), "native", 0);
    return dump_text(&d);
}

static int has(const char *lines, const char *part)
{
    int found = strstr(log_text(lines), part) != NULL;

    if (!found)
        printf("# no \"%s\" in: %s", part, dump_text(&d));
    return found;
}

#define R "{\"request_id\":\"r\",\"total_handler_ms\":100"

static void timing_fields_come_back(void)
{
    const char *line =
        R ",\"auth_ms\":1.5,\"distribution_ms\":0.4,\"body_read_ms\":3,"
        "\"upstream_headers_ms\":20,\"first_sse_event_ms\":30,"
        "\"first_response_ms\":40,\"first_text_delta_ms\":50.1234567,"
        "\"first_nonblank_text_ms\":51,\"final_response_ms\":90,"
        "\"upstream_done_ms\":95}\n";

    CHECK(has(line, " auth_ms=1500000 distribution_ms=400000 "
                    "body_read_ms=3000000 upstream_headers_ms=20000000 "
                    "first_sse_event_ms=30000000 "
                    "first_response_ms=40000000 "
                    "first_text_delta_ms=50123457 "
                    "first_nonblank_text_ms=51000000 "
                    "final_response_ms=90000000 upstream_done_ms=95000000 "
                    "total_handler_ms=100000000"));
    CHECK(!strstr(dump_text(&d), "upstream_start_ms"));
}

static ait_trace *seen_trace;
static int64_t before, headers_gap;

static int look(void *ctx, ait_trace *t)
{
    (void)ctx;
    seen_trace = t;
    before = ait_gap(t, AIT_G_BEFORE_UPSTREAM);
    headers_gap = ait_gap(t, AIT_G_HEADERS_TO_EVENT);
    CHECK_INT(t->origin, AIT_O_GATEWAY_RECEIPT);
    CHECK_INT(t->vantage, AIT_V_GATEWAY);
    return AIT_OK;
}

static void look_at(const char *line)
{
    ait_sink sink = {.trace = look};
    ait_input_options o = {.format = "native"};
    ait_file_report report;
    ait_error err;

    seen_trace = NULL;
    CHECK_INT(ait_input_bytes("f", line, strlen(line), &o, &sink, &report,
                              &err), AIT_OK);
    CHECK(seen_trace != NULL);
}

/* Headers count from the upstream's start: no gap to the events, which
 * count from the receipt, unless that start is in the log. */
static void axes_do_not_mix(void)
{
    look_at(R ",\"upstream_headers_ms\":20,\"first_sse_event_ms\":30}\n");
    CHECK(!ait_has(headers_gap));
    CHECK(!ait_has(before));
    look_at(R ",\"upstream_start_ms\":5,\"upstream_headers_ms\":20,"
              "\"first_sse_event_ms\":30}\n");
    CHECK_INT(headers_gap, 5 * AIT_MS);
    CHECK(!ait_has(before)); /* it may have been a second attempt */
    look_at(R ",\"upstream_start_ms\":5,\"attempts\":1}\n");
    CHECK_INT(before, 5 * AIT_MS);
}

static void absent_null_and_negative_are_absent(void)
{
    CHECK(has(R ",\"first_sse_event_ms\":null,\"first_response_ms\":-1,"
                "\"max_tokens\":-1,\"visible_output_tps\":-1}\n",
              "total_handler_ms=100000000"));
    CHECK(!strstr(dump_text(&d), "first_sse_event_ms"));
    CHECK(!strstr(dump_text(&d), "first_response_ms"));
    CHECK(!strstr(dump_text(&d), "max_tokens"));
    CHECK(!strstr(dump_text(&d), "reported_tps"));
    CHECK(strstr(dump_text(&d), "!negative_duration=1"));
    CHECK(has(R ",\"first_response_ms\":0}\n", " first_response_ms=0"));
}

static void fields_that_contradict_each_other(void)
{
    CHECK(has(R ",\"first_response_ms\":50,\"first_text_delta_ms\":40}\n",
              "!negative_duration=1"));
    CHECK(strstr(dump_text(&d), "first_text_delta_ms=40000000"));
    CHECK(has(R ",\"upstream_start_ms\":9,\"upstream_headers_ms\":9,"
                "\"first_sse_event_ms\":17,\"upstream_done_ms\":101}\n",
              "!negative_duration=2"));
    CHECK(has(R ",\"first_text_delta_ms\":101}\n",
              "!negative_duration=1"));
    CHECK(has(R ",\"first_text_delta_ms\":100}\n",
              "first_text_delta_ms=100000000"));
    CHECK(!strstr(dump_text(&d), "!negative_duration"));
}

static void metadata_is_kept(void)
{
    CHECK(has(R ",\"model\":\"m\",\"provider\":\"p\",\"group\":\"g\","
                "\"channel\":12,\"route\":\"o\",\"region\":\"e\","
                "\"endpoint\":\"https://h.example/v1/x?key=SECRET\","
                "\"status\":200,\"inflight\":7,\"max_tokens\":400,"
                "\"finish_reason\":\"stop\",\"visible_output_tps\":9.8,"
                "\"secret\":\"SECRET\"}\n",
              "trace complete request_id=r endpoint=/v1/x model=m "
              "provider=p group=g channel=12 route=o region=e "
              "finish_reason=stop format=native file=file.log line=1 "
              "status=200 inflight=7 max_tokens=400 reported_tps=9800"));
    CHECK(!strstr(dump_text(&d), "SECRET"));
}

static void the_time_is_the_end(void)
{
    CHECK(has(R ",\"ts\":\"2026-10-03T08:00:00.100Z\"}\n",
              " time=1791014400000000000 "));
    CHECK(has(R ",\"timestamp\":1791014400.1,\"time\":5}\n",
              " time=1791014400000000000 "));
    CHECK(has(R ",\"time\":1791014400100}\n", " time=1791014400000000000 "));
    CHECK(has(R ",\"time\":\"1791014400100000\"}\n",
              " time=1791014400000000000 "));
    CHECK(has(R ",\"time\":1791014400100000000}\n",
              " time=1791014400000000000 "));
    CHECK(has(R ",\"ts\":\"2026-10-03T08:00:00Z\","
                "\"started_at\":\"2026-10-03T10:00:00+02:00\"}\n",
              " time=1791014400000000000 "));
}

static void a_time_without_total_is_the_end(void)
{
    CHECK(has("{\"auth_ms\":1,\"ts\":\"2026-10-03T08:00:00Z\"}\n",
              " time=1791014400000000000 "));
    CHECK(strstr(dump_text(&d), "!time_is_end=1"));
    CHECK(has(R ",\"ts\":\"2026-10-03 08:00:00.1\"}\n",
              "!time_without_zone=1"));
    CHECK(strstr(dump_text(&d), " time=1791014400000000000 "));
    CHECK(has(R ",\"ts\":\"yesterday\"}\n", "!value_ignored=1"));
    CHECK(!strstr(dump_text(&d), " time="));
    CHECK(has(R ",\"ts\":12}\n", "!value_ignored=1")); /* no such epoch */
}

static void tokens_have_many_places(void)
{
    const char *want = "prompt_tokens=9 cached_tokens=4 output_tokens=7 "
                       "reasoning_tokens=3";

    CHECK(has(R ",\"prompt_tokens\":9,\"completion_tokens\":7,"
                "\"reasoning_tokens\":3,\"cached_tokens\":4}\n", want));
    CHECK(has(R ",\"input_tokens\":9,\"output_tokens\":\"7\","
                "\"reasoning_tokens\":3,\"cached_tokens\":4}\n", want));
    CHECK(has(R ",\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":7,"
                "\"completion_tokens_details\":{\"reasoning_tokens\":3},"
                "\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n",
              want));
    CHECK(has(R ",\"usage\":{\"input_tokens\":9,\"output_tokens\":1,"
                "\"reasoning_tokens\":3,\"cached_tokens\":4},"
                "\"output_tokens\":7}\n", want)); /* the top wins */
    CHECK(has(R ",\"prompt_tokens\":9,\"output_tokens\":4,"
                "\"reasoning_tokens\":3,\"cached_tokens\":4,"
                "\"total_tokens\":16}\n", want)); /* reasoning beside */
}

static void attempts_are_counted(void)
{
    CHECK(has(R ",\"attempts\":3,\"status\":200,\"upstream_start_ms\":5,"
                "\"upstream_headers_ms\":20,\"upstream_done_ms\":90}\n",
              " [1 -1 -] [2 -1 -] [3 status=200 start=5000000 "
              "headers=20000000 done=90000000 7 -]"));
    CHECK(strstr(dump_text(&d), " retries=2"));
    CHECK(has(R ",\"attempts\":0}\n", " retries=0"));
    CHECK(!strchr(dump_text(&d), '['));
    CHECK(has(R ",\"attempts\":1000000000000}\n", "!value_ignored=1"));
    CHECK(!strstr(dump_text(&d), "retries"));
    log_text(R "}\n");
    CHECK(!strstr(dump_text(&d), "retries"));
}

static int64_t stats[AIT_S_COUNT];
static int stream_seen, asked, source;

static int note(void *ctx, ait_trace *t)
{
    (void)ctx;
    memcpy(stats, t->stat, sizeof stats);
    stream_seen = t->stream;
    asked = t->asked_stream;
    source = t->tokens_source;
    return AIT_OK;
}

static void note_line(const char *line)
{
    ait_sink sink = {.trace = note};
    ait_input_options o = {.format = "native"};
    ait_file_report report;

    CHECK_INT(ait_input_bytes("f", line, strlen(line), &o, &sink, &report,
                              NULL), AIT_OK);
}

static void event_counts_are_stats(void)
{
    note_line(R ",\"event_counts\":{\"sse\":181,\"text\":150,"
                "\"reasoning\":20,\"tool\":0},\"output_tokens\":5}\n");
    CHECK_INT(stats[AIT_S_EVENTS], 181);
    CHECK_INT(stats[AIT_S_TEXT], 150);
    CHECK_INT(stats[AIT_S_REASONING], 20);
    CHECK_INT(stats[AIT_S_ACTION], 0);
    CHECK(!ait_has(stats[AIT_S_READS]));
    CHECK_INT(source, 1);
    note_line(R ",\"event_count\":44,\"stream\":true}\n");
    CHECK_INT(stats[AIT_S_EVENTS], 44);
    CHECK(!ait_has(stats[AIT_S_TEXT]));
    CHECK_INT(stream_seen, 1);
    CHECK_INT(asked, 1);
    CHECK_INT(source, -1);
    note_line(R ",\"stream\":\"false\"}\n");
    CHECK_INT(stream_seen, 0);
    note_line(R "}\n");
    CHECK_INT(stream_seen, -1);
}

static void outcomes_follow_the_log(void)
{
    static const struct {
        const char *rest, *outcome;
    } rows[] = {
        {",\"status\":200,\"stream\":true}", "unknown"},
        {",\"status\":200,\"stream\":true,\"finish_reason\":\"stop\"}",
         "complete"},
        {",\"status\":200,\"stream\":false}", "complete"},
        {",\"status\":200}", "unknown"},
        {"}", "unknown"},
        {",\"status\":504}", "timeout"},
        {",\"status\":408}", "timeout"},
        {",\"status\":499}", "cancelled"},
        {",\"status\":429}", "rate_limited"},
        {",\"status\":429,\"first_response_ms\":5}", "error"},
        {",\"status\":500}", "error"},
        {",\"status\":400,\"error_code\":\"bad_request\"}", "error"},
        {",\"status\":200,\"error_code\":\"server_error\"}", "error"},
        {",\"status\":200,\"error_code\":\"client_gone\"}", "cancelled"},
        {",\"status\":200,\"error_code\":\"rate_limit_exceeded\"}",
         "rate_limited"},
        {",\"status\":200,\"error_code\":\"upstream_timeout\"}", "timeout"},
        {",\"status\":200,\"error_code\":\"client_gone\","
         "\"finish_reason\":\"stop\"}", "complete"},
        {",\"status\":200,\"finish_reason\":\"cancelled\"}", "cancelled"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[256], want[32];

        snprintf(line, sizeof line, R "%s\n", rows[i].rest);
        snprintf(want, sizeof want, "trace %s ", rows[i].outcome);
        CHECK(has(line, want));
    }
}

static void finish_at_the_limit_is_seen(void)
{
    note_line(R ",\"finish_reason\":\"length\"}\n");
    CHECK_INT(stats[AIT_S_SEEN], AIT_SEEN_TERMINAL | AIT_SEEN_LIMIT);
    note_line(R ",\"finish_reason\":\"stop\"}\n");
    CHECK_INT(stats[AIT_S_SEEN], AIT_SEEN_TERMINAL);
    note_line(R ",\"finish_reason\":\"\"}\n");
    CHECK_INT(stats[AIT_S_SEEN], 0);
}

static void error_codes_are_identifiers(void)
{
    CHECK(has(R ",\"status\":500,\"error_code\":\"bad things, SECRET!\"}\n",
              "!value_ignored=1"));
    CHECK(!strstr(dump_text(&d), "SECRET"));
    CHECK(has(R ",\"error_code\":\"overloaded_error\"}\n",
              "error_code=overloaded_error"));
}

static void ids_that_look_like_keys_are_masked(void)
{
    log_text("{\"request_id\":\"sk-aaaabbbbccccddddeeee\","
             "\"total_handler_ms\":1}\n");
    CHECK(!strstr(dump_text(&d), "aaaabbbb"));
    CHECK(strstr(dump_text(&d), "request_id=masked-"));
}

static void wrong_types_are_ignored(void)
{
    CHECK(has(R ",\"model\":{},\"status\":\"x\",\"stream\":\"maybe\","
                "\"usage\":[],\"event_counts\":3,\"auth_ms\":\"fast\","
                "\"attempts\":[],\"finish_reason\":true}\n",
              "!value_ignored=8"));
    CHECK(has(R ",\"status\":\"429\",\"auth_ms\":\"1.5\"}\n",
              "status=429"));
    CHECK(strstr(dump_text(&d), "auth_ms=1500000"));
}

static void of_equal_keys_the_last_wins(void)
{
    CHECK(has(R ",\"total_handler_ms\":200,\"m\\u006fdel\":\"a\","
                "\"model\":\"b\"}\n", "total_handler_ms=200000000"));
    CHECK(strstr(dump_text(&d), "model=b"));
    CHECK(strstr(dump_text(&d), "!duplicate_key=2"));
}

static void other_messages_are_counted(void)
{
    CHECK(has(R "}\n{\"msg\":\"started\"}\n" R "}\n", "line=3"));
    CHECK_INT(d.report.records, 2);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 1);
    CHECK_INT(d.report.places[AIT_I_UNRECOGNISED_LINE].line[0], 2);
    CHECK(!ait_file_lost(&d.report));
}

/* Nothing of one record stays in the next. */
/* A file that is told by its content. */
static int64_t records_of(const char *lines)
{
    dump_free(&d);
    dump_bytes(&d, lines, strlen(lines), NULL, 0);
    return d.code == AIT_OK ? d.report.records : -1;
}

#define F R ",\"first_response_ms\":9}\n"

static void the_total_may_be_missing(void)
{
    CHECK_INT(records_of(F), 1);
    CHECK_INT(records_of("{\"request_id\":\"r\",\"first_response_ms\":9,"
                         "\"upstream_done_ms\":10}\n"), 1);
    CHECK_INT(records_of(R ",\"first_response_ms\":null}\n"), 1);
    CHECK_INT(records_of("{\"request_id\":\"r\",\"first_response_ms\":9}\n"),
              -1);
    CHECK_INT(records_of("{\"request_id\":\"r\",\"first_response_ms\":9,"
                         "\"auth_ms\":1,\"total_handler_ms\":\"x\"}\n"), -1);
    CHECK_INT(records_of("{\"first_response_ms\":9,\"auth_ms\":1}\n"), -1);
    CHECK_INT(records_of(R "}\n"), -1);
}

/* What failed early has nothing to show but that it failed. */
static void failures_without_figures_stay_in(void)
{
    CHECK_INT(records_of(F "{\"request_id\":\"q\",\"ts\":1790000000,"
                         "\"status\":500,\"stream\":true}\n"), 2);
    CHECK(strstr(dump_text(&d), "error"));
    CHECK_INT(records_of(F "{\"total_handler_ms\":3,\"status\":502}\n"), 2);
    CHECK_INT(records_of(F F F "{\"request_id\":\"q\",\"ts\":1790000000,"
                         "\"msg\":\"x\"}\n{\"request_id\":null,"
                         "\"status\":500}\n{\"status\":500}\n"), 3);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 3);
}

/* Another's record may have our names in it. */
static void what_another_kind_knows_is_left_to_it(void)
{
    const char *lines = "{\"request_id\":\"q\",\"request_time\":1.5,"
                        "\"status\":200,\"upstream_header_time\":\"0.2\"}\n";
    char file[8192] = "";

    for (int i = 0; i < 64; i++)
        strcat(file, F);
    CHECK_INT(records_of(file), 64);
    strcat(file, lines);
    CHECK_INT(records_of(file), 64);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 1);
    CHECK(has(lines, "status=200")); /* unless the user says whose it is */
}

static void a_named_format_takes_what_it_can(void)
{
    CHECK(has("{\"request_id\":\"q\"}\n", "request_id=q"));
    CHECK(has("{\"auth_ms\":2}\n", "auth_ms=2000000"));
    CHECK_TEXT(log_text("{\"status\":500}\n"), "");
}

static void records_do_not_leak(void)
{
    const char *text = log_text(
        R ",\"model\":\"SECRET\",\"attempts\":2,\"stream\":true,"
        "\"prompt_tokens\":9,\"auth_ms\":1,\"event_count\":4,"
        "\"ts\":1791014400,\"error_code\":\"x\"}\n"
        R "}\n");
    const char *second = strchr(text, '\n') + 1;

    CHECK_TEXT(second, "trace unknown request_id=r format=native "
                       "file=file.log line=2 total_handler_ms=100000000\n");
}

static const char several[] =
    "\xEF\xBB\xBF" R ",\"status\":200,\"auth_ms\":1}\r\n"
    "{\"msg\":\"hello\"}\n\n"
    "{\"request_id\":\"torn\",\"tot{\"request_id\":\"g\","
    "\"total_handler_ms\":7,\"auth_ms\":1}\n"
    R ",\"auth_ms\":null,\"model\":\"\\u00e9\"}\n"
    R ",\"auth_ms\":2}";

static void every_block_size_gives_the_same(void)
{
    ait_buf gz;
    dump all;

    dump_bytes(&all, several, sizeof several - 1, NULL, 0);
    CHECK_INT(all.report.records, 4);
    CHECK_INT(all.report.issues.count[AIT_I_BAD_LINE], 1);
    CHECK_INT(all.report.issues.count[AIT_I_UNRECOGNISED_LINE], 1);
    dump_free(&all);
    check_blocks(several, sizeof several - 1);
    ait_buf_init(&gz, 1 << 16);
    add_gzip(&gz, several, sizeof several - 1);
    check_blocks(gz.data, gz.len);
    ait_buf_free(&gz);
}

static void memory_may_end_anywhere(void)
{
    int failed = 0;

    for (long n = 1; n < 30; n++) {
        dump part;

        ait_mem_fail_after(n);
        dump_bytes(&part, several, sizeof several - 1, NULL, 0);
        ait_mem_fail_after(0);
        failed += part.code == AIT_ENOMEM;
        CHECK(part.code == AIT_OK || part.code == AIT_ENOMEM);
        dump_free(&part);
    }
    CHECK(failed > 5);
}

/* A plain line is read without a tape; in a list it is not. */
static void with_and_without_a_tape_the_same(void)
{
    static const char *const lines[] = {
        R ",\"ts\":\"2026-10-01T00:00:00.075Z\",\"model\":\"m-1.5\"}",
        R ",\"model\":\"a \\\"b\\\" c\",\"channel\":7,\"model\":\"n\"}",
        R ",\"upstream_headers_ms\":null,\"auth_ms\":-1,\"status\":\"200\"}",
        R ",\"first_sse_event_ms\":1e2,\"auth_ms\":0.0000004,"
          "\"body_read_ms\":\"7.5\"}",
        R ",\"stream\":true,\"attempts\":2,\"output_tokens\":7.5,"
          "\"request_id\":\"sk-0123456789abcdefghij\"}",
        R ",\"visible_output_tps\":19.8887,\"auth_ms\":123456789.25,"
          "\"finish_reason\":\"not a word\"}",
    };
    char list[512], tape[1024];

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(list, sizeof list, "[%s]\n", lines[i]);
        snprintf(tape, sizeof tape, "%s", log_text(list));
        snprintf(list, sizeof list, "%s\n", lines[i]);
        CHECK_TEXT(log_text(list), tape);
        CHECK(strstr(tape, "trace"));
    }
}

int main(void)
{
    RUN(with_and_without_a_tape_the_same);
    RUN(timing_fields_come_back);
    RUN(axes_do_not_mix);
    RUN(absent_null_and_negative_are_absent);
    RUN(fields_that_contradict_each_other);
    RUN(metadata_is_kept);
    RUN(the_time_is_the_end);
    RUN(a_time_without_total_is_the_end);
    RUN(tokens_have_many_places);
    RUN(attempts_are_counted);
    RUN(event_counts_are_stats);
    RUN(outcomes_follow_the_log);
    RUN(finish_at_the_limit_is_seen);
    RUN(error_codes_are_identifiers);
    RUN(ids_that_look_like_keys_are_masked);
    RUN(wrong_types_are_ignored);
    RUN(of_equal_keys_the_last_wins);
    RUN(other_messages_are_counted);
    RUN(the_total_may_be_missing);
    RUN(failures_without_figures_stay_in);
    RUN(what_another_kind_knows_is_left_to_it);
    RUN(a_named_format_takes_what_it_can);
    RUN(records_do_not_leak);
    RUN(every_block_size_gives_the_same);
    RUN(memory_may_end_anywhere);
    dump_free(&d);
    return t_done();
}
