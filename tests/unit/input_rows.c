/* Rows that are one request, and records inside something else. */
#include "input/document.h"
#include "input/textline.h"

#include "input_sink.h"

static dump d;

static const char *log_of(const char *lines)
{
    dump_free(&d);
    dump_bytes(&d, lines, strlen(lines), NULL, 0);
    return dump_text(&d);
}

static int has(const char *part)
{
    int found = strstr(dump_text(&d), part) != NULL;

    if (!found)
        printf("# no \"%s\" in: %s%s %s\n", part, dump_text(&d), d.err.message,
               d.err.reason);
    return found;
}

/* ---- LiteLLM: a failed row and the one after it ---------------------- */

#define SLP(id, trace, status, from, to, group, rest)                      \
    "{\"id\":\"" id "\",\"trace_id\":\"" trace "\",\"call_type\":\"c\","   \
    "\"status\":\"" status "\",\"startTime\":" from ",\"endTime\":" to "," \
    "\"model_group\":\"" group "\"" rest "}\n"
#define FAILED                                        \
    ",\"error_information\":{\"error_code\":\"429\"," \
    "\"error_class\":\"RateLimitError\"}"

static void a_retry_is_one_request(void)
{
    log_of(
        SLP("a", "t", "failure", "1790000000", "1790000001", "g", FAILED)
            SLP("x", "other", "success", "1790000000", "1790000001", "g", "")
                SLP("b", "t", "success", "1790000003", "1790000007", "g", ""));
    CHECK_INT(d.report.records, 2);
    CHECK(has("trace complete request_id=b"));
    CHECK(has("retries=1 retry_wait_ms=2000000000"));
    CHECK(has("total@relay_start>handler_end=4000000000"));
    CHECK(has("lost_attempts@relay_start>handler_end=1000000000"));
    CHECK(has(" [1 status=429 1 RateLimitError] [2 0 -]"));
}

static void order_in_the_file_does_not_matter(void)
{
    log_of(SLP("b", "t", "success", "1790000003", "1790000007", "g", "") SLP(
        "a", "t", "failure", "1790000000", "1790000001", "g", FAILED));
    CHECK_INT(d.report.records, 1);
    CHECK(has("request_id=b"));
    CHECK(has("[1 status=429 1 RateLimitError]"));
}

static void three_tries_are_one_request(void)
{
    log_of(
        SLP("a", "t", "failure", "1790000000", "1790000001", "g", FAILED)
            SLP("b", "t", "failure", "1790000002", "1790000003", "g", FAILED)
                SLP("c", "t", "success", "1790000004", "1790000005", "g", ""));
    CHECK_INT(d.report.records, 1);
    CHECK(has("retries=2 retry_wait_ms=2000000000"));
    CHECK(has("lost_attempts@relay_start>handler_end=2000000000"));
    CHECK(has("[3 0 -]"));
}

/* A trace id may name a whole session. */
static void what_is_no_retry_stays_apart(void)
{
    log_of(SLP("a", "t", "success", "1790000000", "1790000001", "g", "")
               SLP("b", "t", "success", "1790000003", "1790000007", "g", ""));
    CHECK_INT(d.report.records, 2);
    log_of(SLP("a", "t", "failure", "1790000000", "1790000009", "g", FAILED)
               SLP("b", "t", "success", "1790000003", "1790000007", "g", ""));
    CHECK_INT(d.report.records, 2);
    log_of(SLP("a", "t", "failure", "1790000000", "1790000001", "g", FAILED)
               SLP("b", "t", "success", "1790000003", "1790000007", "h", ""));
    CHECK_INT(d.report.records, 2);
    log_of(SLP("a", "", "failure", "1790000000", "1790000001", "g", FAILED)
               SLP("b", "", "success", "1790000003", "1790000007", "g", ""));
    CHECK_INT(d.report.records, 2);
}

/* ---- new-api: a row for every failed attempt ------------------------- */

#define ROW(at, type, channel, id, other)                                    \
    "{\"created_at\":" at ",\"type\":" type ",\"model_name\":\"m\","         \
    "\"quota\":1,\"use_time\":3,\"is_stream\":true,\"channel\":" channel "," \
    "\"request_id\":\"" id "\",\"other\":{" other "}}\n"

static void failed_rows_fill_the_attempts(void)
{
    const char *done = ROW("1790000003", "2", "12", "r",
                           "\"admin_info\":{\"use_channel\":[\"7\",\"9\","
                           "\"12\"]}");
    const char *lost = ROW("1790000001", "5", "9", "r",
                           "\"status_code\":502,\"error_code\":\"bad\"");
    char both[2048];

    snprintf(both, sizeof both, "%s%s", done, lost);
    log_of(both);
    CHECK_INT(d.report.records, 1);
    CHECK(has(" [1 2 -] [2 status=502 2 bad] [3 7 -]"));
    CHECK(has("retries=2"));
    snprintf(both, sizeof both, "%s%s", lost, done);
    log_of(both);
    CHECK_INT(d.report.records, 1);
    CHECK(has(" [1 2 -] [2 status=502 2 bad] [3 7 -]"));
}

static void failed_rows_make_attempts_where_none_are_listed(void)
{
    log_of(ROW("1790000001", "5", "7", "r", "\"status_code\":429")
               ROW("1790000002", "5", "9", "r", "\"status_code\":500")
                   ROW("1790000003", "2", "12", "r", ""));
    CHECK_INT(d.report.records, 1);
    CHECK(has(" [1 status=429 1 -] [2 status=500 2 -] [3 7 -]"));
    log_of(ROW("1790000001", "5", "7", "r", "\"status_code\":429")
               ROW("1790000002", "5", "9", "r", "\"status_code\":500"));
    CHECK_INT(d.report.records, 1);
    CHECK(has("trace error request_id=r"));
    CHECK(has("retries=1"));
    log_of(ROW("1790000001", "2", "7", "r", "")
               ROW("1790000002", "2", "9", "r", ""));
    CHECK_INT(d.report.records, 2); /* an id that was used twice */
}

/* More rows than are held: all come out, none twice. */
static void many_rows_come_out(void)
{
    ait_buf log;

    ait_buf_init(&log, 1 << 20);
    for (int i = 0; i < 700; i++)
        ait_buf_addf(&log,
                     "{\"created_at\":%d,\"type\":2,\"model_name\":"
                     "\"m\",\"quota\":1,\"use_time\":3,\"is_stream\":true,"
                     "\"channel\":1,\"request_id\":\"r%d\",\"other\":\"\"}\n",
                     1790000000 + i, i);
    log_of(log.data);
    CHECK_INT(d.report.records, 700);
    CHECK(has("request_id=r0 "));
    CHECK(has("request_id=r699 "));
    ait_buf_free(&log);
}

static void memory_may_end_anywhere(void)
{
    const char *log = ROW("1790000001", "5", "7", "r", "\"status_code\":429")
        ROW("1790000002", "5", "9", "r", "\"status_code\":500")
            ROW("1790000003", "2", "12", "r",
                "\"admin_info\":{\"use_channel\":"
                "[\"7\",\"9\",\"12\"]}");
    bool done = false;

    for (long n = 4000; n < 20000 && !done; n += 7) {
        ait_mem_fail_after(n);
        log_of(log);
        ait_mem_fail_after(0);
        done = d.code == AIT_OK;
        CHECK(d.code == AIT_OK || d.code == AIT_ENOMEM);
    }
    CHECK(done);
}

/* ---- wrappers -------------------------------------------------------- */

#define REC                                                     \
    "{\\\"request_id\\\":\\\"w\\\",\\\"total_handler_ms\\\":9," \
    "\\\"auth_ms\\\":1}"

static void docker_lines_are_unwrapped(void)
{
    log_of("{\"log\":\"" REC "\\n\",\"stream\":\"stdout\",\"time\":\"t\"}\n");
    CHECK_INT(d.report.records, 1);
    CHECK(has("request_id=w"));
    CHECK(has("line=1"));
}

static void docker_pieces_are_joined_by_stream(void)
{
    log_of("{\"log\":\"{\\\"request_id\\\":\\\"w\\\",\",\"stream\":\"stdout\"}"
           "\n{\"log\":\"oops\\n\",\"stream\":\"stderr\"}\n"
           "{\"log\":\"\\\"total_handler_ms\\\":9,\\\"auth_ms\\\":1}\\n\","
           "\"stream\":\"stdout\"}\n");
    CHECK_INT(d.report.records, 1);
    CHECK(has("line=1"));
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].count, 1);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].line[0], 2);
}

static void lines_without_their_end_are_taken_whole(void)
{
    log_of("{\"log\":\"" REC "\",\"kubernetes\":{}}\n"
           "{\"log\":\"" REC "\",\"kubernetes\":{}}\n");
    CHECK_INT(d.report.records, 2);
}

static void a_piece_without_its_last_is_said(void)
{
    log_of("{\"log\":\"" REC "\\n\",\"stream\":\"stdout\"}\n"
           "{\"log\":\"{\\\"request_id\",\"stream\":\"stdout\"}\n");
    CHECK_INT(d.report.records, 1);
    CHECK_INT(d.report.issues.count[AIT_I_UNFINISHED_LAST_LINE], 1);
    CHECK_INT(d.report.places[AIT_I_UNFINISHED_LAST_LINE].line[0], 2);
}

static void other_wrappers_are_unwrapped(void)
{
    log_of("{\"MESSAGE\":\"" REC "\",\"__REALTIME_TIMESTAMP\":\"1\"}\n");
    CHECK_INT(d.report.records, 1);
    log_of("{\"@message\":\"" REC "\",\"@timestamp\":\"x\"}\n");
    CHECK_INT(d.report.records, 1);
    log_of("{\"events\":[{\"message\":\"" REC "\",\"eventId\":\"1\"},"
           "{\"message\":\"" REC "\",\"ingestionTime\":1}]}\n");
    CHECK_INT(d.report.records, 2);
}

#define PLAIN(id)                                        \
    "{\"request_id\":\"" id "\",\"total_handler_ms\":9," \
    "\"auth_ms\":1}"

static void pages_and_lists_are_opened(void)
{
    log_of("{\"success\":true,\"data\":{\"items\":[" PLAIN("a") "," PLAIN(
        "b") "],\"total\":2}}\n");
    CHECK_INT(d.report.records, 2);
    CHECK(has("request_id=b format=native file=file.log line=2"));
    log_of("[" PLAIN("a") "," PLAIN("b") "]\n");
    CHECK_INT(d.report.records, 2);
    log_of("{\"result\":[" PLAIN("a") "]}\n{\"data\":" PLAIN("b") "}\n");
    CHECK_INT(d.report.records, 2);
    log_of("[[[[[" PLAIN("a") "]]]]]\n");
    CHECK_INT(d.code, AIT_EINPUT);
}

static void documents_may_stand_on_many_lines(void)
{
    const char *text = "{\n  \"data\": {\n    \"items\": [\n      " PLAIN(
        "a") ",\n      " PLAIN("b") "\n    ]\n  }\n}\n";

    log_of(text);
    CHECK_INT(d.report.records, 2);
    CHECK_INT(d.report.lines, 8);
    check_blocks(text, strlen(text));
}

/* It began like a document and was a log with a torn first line. */
static void what_is_no_document_is_read_by_lines(void)
{
    const char *text =
        "{\"request_id\":\"torn\",\n" PLAIN("a") "\n\n"
                                                 "nonsense\n" PLAIN("b") "\n";

    log_of(text);
    CHECK_INT(d.report.records, 2);
    CHECK(has("request_id=b format=native file=file.log line=5"));
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].count, 2);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].line[0], 1);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].line[1], 4);
    CHECK_INT(d.report.lines, 5);
    check_blocks(text, strlen(text));
}

/* ---- text lines ------------------------------------------------------ */

static int fits(const char *pattern, const char *line, const char *want)
{
    ait_buf out;
    int same;

    ait_buf_init(&out, 1 << 16);
    if (!ait_text_line(pattern, line, strlen(line), &out)) {
        ait_buf_free(&out);
        return want == NULL;
    }
    same = want && strcmp(out.data, want) == 0;
    if (!same)
        printf("# %s\n", out.data);
    ait_buf_free(&out);
    return same;
}

static void text_lines_become_objects(void)
{
    const char *p = "[I] %{time} | %{id} | %{*}p=%{json}";

    CHECK(fits(p, "[I] 10:00 | a\"b | user=3, p={\"x\":1}",
               "{\"line\":{\"time\":\"10:00\",\"id\":\"a\\\"b\"},"
               "\"json\":{\"x\":1}}"));
    CHECK(fits(p, "[I]  |  | p=[]",
               "{\"line\":{\"time\":\"\",\"id\":\"\"},"
               "\"json\":[]}"));
    CHECK(fits(p, "[I] 10:00 | a | p={\"x\":", NULL));
    CHECK(fits(p, "[W] 10:00 | a | p={}", NULL));
    CHECK(fits(p, "[I] 10:00 | a", NULL));
    CHECK(fits(p, "", NULL));
    CHECK(fits("no capture", "no capture", NULL));
    CHECK(fits("%{unclosed", "x", NULL));
}

static void other_text_in_such_a_log_is_counted(void)
{
    log_of("[INFO] 2026/10/04 - 07:15:09 | r1 | record consume log: userId=3,"
           " params={\"model_name\":\"m\",\"use_time_seconds\":2}\n"
           "[INFO] 2026/10/04 - 07:15:10 | r1 | something else SECRET\n");
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.records, 1);
    CHECK(has("request_id=r1"));
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 1);
    CHECK(!ait_file_lost(&d.report));
    CHECK(!tells(&d, "SECRET"));
}

/* ---- choosing -------------------------------------------------------- */

static void a_format_can_be_forced(void)
{
    const char *line =
        SLP("a", "t", "success", "1790000000", "1790000001", "g", "");

    dump_free(&d);
    dump_bytes(&d, line, strlen(line), "litellm-slp", 0);
    CHECK_INT(d.report.records, 1);
    CHECK_TEXT(d.report.recognised_by, "option");
    dump_free(&d);
    dump_bytes(&d, line, strlen(line), "litellm", 0);
    CHECK_INT(d.code, AIT_EUSAGE);
    CHECK(strstr(d.err.hint, "aitrace formats") || strstr(d.err.hint, "did"));
}

static ait_code with_map(const char *path, const char *line)
{
    ait_input_options o = {.map_file = path};
    ait_sink sink = {.ctx = &d, .record = dump_record, .trace = dump_trace};

    dump_free(&d);
    ait_buf_init(&d.out, 1 << 20);
    ait_error_clear(&d.err);
    return ait_input_bytes("f", line, strlen(line), &o, &sink, &d.report,
                           &d.err);
}

static void users_bring_their_own_mapping(void)
{
    static const char path[] = "input-rows-own.json";
    FILE *f = fopen(path, "wb");

    CHECK(f != NULL);
    if (!f)
        return;
    fputs("{\"aitrace_map\": 1, \"name\": \"own\", \"fields\": {\"model\": "
          "\"/m\"}}",
          f);
    fclose(f);
    CHECK_INT(with_map(path, "{\"m\":\"z\"}\n"), AIT_OK);
    CHECK(has("model=z format=own"));
    CHECK_TEXT(d.report.recognised_by, "mapping");
    remove(path);
    CHECK_INT(with_map(path, "{\"m\":\"z\"}\n"), AIT_EUSAGE);
    CHECK_TEXT(d.err.source, path);
}

int main(void)
{
    RUN(a_retry_is_one_request);
    RUN(order_in_the_file_does_not_matter);
    RUN(three_tries_are_one_request);
    RUN(what_is_no_retry_stays_apart);
    RUN(failed_rows_fill_the_attempts);
    RUN(failed_rows_make_attempts_where_none_are_listed);
    RUN(many_rows_come_out);
    RUN(memory_may_end_anywhere);
    RUN(docker_lines_are_unwrapped);
    RUN(docker_pieces_are_joined_by_stream);
    RUN(lines_without_their_end_are_taken_whole);
    RUN(a_piece_without_its_last_is_said);
    RUN(other_wrappers_are_unwrapped);
    RUN(pages_and_lists_are_opened);
    RUN(documents_may_stand_on_many_lines);
    RUN(what_is_no_document_is_read_by_lines);
    RUN(text_lines_become_objects);
    RUN(other_text_in_such_a_log_is_counted);
    RUN(a_format_can_be_forced);
    RUN(users_bring_their_own_mapping);
    dump_free(&d);
    return t_done();
}
