/* One file from end to end: recognition, refusal, report. */
#include "input/reader.h"

#include "input_sink.h"

#define HEAD "{\"type\":\"capture\",\"ns\":0,\"v\":1,\"seg\":\"s\"}\n"
#define LOG "{\"request_id\":\"r\",\"total_handler_ms\":9,\"auth_ms\":null}\n"

static void priorities_are_unique(void)
{
    const ait_format_row *all[100];
    size_t n = 0;

    for (size_t i = 0; ait_format_rows[i]; i++)
        all[n++] = ait_format_rows[i];
    for (size_t i = 0; i < ait_refused_count; i++)
        all[n++] = &ait_refused_rows[i];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(all[i]->priority != all[k]->priority);
}

static void refused_rows_say_what_to_do(void)
{
    for (size_t i = 0; i < ait_refused_count; i++) {
        const ait_format_row *r = &ait_refused_rows[i];

        CHECK(r->hint && r->hint[0]);
        CHECK(strlen(r->hint) < sizeof((ait_error *)0)->hint);
        CHECK(r->info.title[0] && r->begin_len > 0);
        CHECK(!r->open);
    }
}

/* What a file that begins so is called. */
static void looks(const char *head, size_t n, const char *want)
{
    const ait_format_row *row = ait_format_by_content(head, n);

    CHECK_TEXT(row ? row->info.name : "nothing", want);
}

#define LOOKS(head, want) looks(head, sizeof(head) - 1, want)

static void captures_are_known(void)
{
    LOOKS(HEAD, "capture");
    LOOKS("\xEF\xBB\xBF" HEAD, "capture");
    LOOKS("{ \"type\" : \"capture\", \"ns\": 0", "capture");
    LOOKS("{\"type\":\"data\",\"ns\":5,\"req\":\"r\"}\n", "capture");
    LOOKS("torn line}\n" HEAD, "capture");
    LOOKS("\0\0\0" HEAD, "capture");
    LOOKS("{\"type\":\"data\",\"req\":\"r\"}\n", "native"); /* some log */
    LOOKS("{\"type\":\"capturex\"}\n", "native");
    LOOKS("{\"type\":\"", "native");
}

static void others_are_known_to_be_refused(void)
{
    LOOKS("\x28\xb5\x2f\xfdxxxx", "zstd");
    LOOKS("BZh91AY", "bzip2");
    LOOKS("\xfd" "7zXZ\0", "xz");
    LOOKS("PK\3\4", "zip");
    LOOKS("\xd4\xc3\xb2\xa1", "pcap");
    LOOKS("\n\r\r\n", "pcapng");
    LOOKS("SQLite format 3\0", "sqlite");
    LOOKS("\xff\xfe{\0", "utf16");
    LOOKS("12:00:01.123456 == Info: x", "curl-trace");
    LOOKS("12:00:01.123456 [0-0] => Send header", "curl-trace");
    LOOKS("12:00:01.123456 < HTTP/1.1 200", "curl-verbose");
    LOOKS("1790000000.123456 data: {}", "stamped-lines");
    LOOKS("{\n  \"log\": {\n \"entries\": []}}", "har");
    LOOKS("{\"constants\":{}}", "netlog");
    LOOKS("{\"version\": 2, \"width\": 80}", "asciicast");
    LOOKS("{\"version\":3,\"term\":{}}", "asciicast");
    LOOKS("{\"metadata\":{\"session_num\":1}}", "aiperf");
    LOOKS("{\"method\":\"Network.dataReceived\"}", "cdp");
    LOOKS("{\"http_streamed_trace_segment\":{}}", "envoy-tap");
    LOOKS("data: {\"a\":1}\n\n", "bare-sse");
    LOOKS(": ping\n", "bare-sse");
    LOOKS("HTTP/1.1 200 OK\r\n", "bare-sse");
    LOOKS("plain text\nand more\n", "nothing");
    LOOKS("", "nothing");
    LOOKS("{\"a\":1}\n", "native");
    LOOKS("starting up\n{\"a\":1}\n", "native");
    LOOKS("  [\n", "native");
}

static void recognition_is_reported(void)
{
    dump d;

    dump_string(&d, HEAD);
    CHECK_INT(d.code, AIT_OK);
    CHECK_TEXT(d.report.format, "capture");
    CHECK_TEXT(d.report.recognised_by, "content");
    CHECK(d.report.capture);
    CHECK_INT(d.report.bytes, sizeof HEAD - 1);
    CHECK_INT(d.report.lines, 1);
    dump_free(&d);
    dump_string(&d, LOG LOG "{\"msg\":1}\n");
    CHECK_TEXT(d.report.format, "native");
    CHECK_TEXT(d.report.recognised_by, "content (2 of 3 lines)");
    CHECK(!d.report.capture);
    CHECK_INT(d.report.records, 2);
    dump_free(&d);
    dump_bytes(&d, HEAD, sizeof HEAD - 1, "capture", 0);
    CHECK_TEXT(d.report.recognised_by, "option");
    dump_free(&d);
}

static void one_matching_line_in_two_is_enough(void)
{
    dump d;

    dump_string(&d, LOG "{\"msg\":1}\n");
    CHECK_INT(d.code, AIT_OK);
    dump_free(&d);
    dump_string(&d, LOG "{\"msg\":1}\n{\"msg\":1}\n");
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK_INT(d.report.records, 0);
    CHECK(strstr(d.err.reason, "native 1") != NULL);
    dump_free(&d);
}

/* Only the first lines decide; what follows is read as decided. */
static void the_first_lines_decide(void)
{
    ait_buf b;
    dump d;

    ait_buf_init(&b, 1 << 20);
    for (int i = 0; i < 64; i++)
        ait_buf_adds(&b, LOG);
    for (int i = 0; i < 200; i++)
        ait_buf_adds(&b, "{\"msg\":\"more\"}\n");
    dump_bytes(&d, b.data, b.len, NULL, 0);
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.records, 64);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 200);
    dump_free(&d);
    ait_buf_free(&b);
}

static void refusals_name_the_way_out(void)
{
    dump d;

    dump_string(&d, "BZh91AY&SY");
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK(strstr(d.err.reason, "bzip2") != NULL);
    CHECK(strstr(d.err.hint, "bzip2 -dc FILE | aitrace import -") != NULL);
    CHECK_TEXT(d.err.source, "folder/file.log");
    dump_free(&d);
    dump_string(&d, "");
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK(strstr(d.err.reason, "empty") != NULL);
    dump_free(&d);
    dump_string(&d, "SECRET words\n");
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK(strstr(d.err.message, "not recognised") != NULL);
    CHECK(!tells(&d, "SECRET"));
    dump_free(&d);
}

static void unknown_format_names_are_refused(void)
{
    dump d;

    dump_bytes(&d, HEAD, sizeof HEAD - 1, "captur", 0);
    CHECK_INT(d.code, AIT_EUSAGE);
    CHECK(strstr(d.err.hint, "capture") != NULL);
    dump_free(&d);
}

static void compressed_in_compressed_is_refused(void)
{
    ait_buf in, out;
    dump d;

    ait_buf_init(&in, 1 << 16);
    ait_buf_init(&out, 1 << 16);
    add_gzip(&in, HEAD, sizeof HEAD - 1);
    add_gzip(&out, in.data, in.len);
    dump_bytes(&d, out.data, out.len, NULL, 0);
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK(strstr(d.err.hint, "gzip -dc") != NULL);
    dump_free(&d);
    ait_buf_free(&in);
    ait_buf_free(&out);
}

static void nothing_usable_is_an_error(void)
{
    dump d;

    dump_string(&d, "{SECRET\n{SECRET\n");
    CHECK_INT(d.code, AIT_EINPUT);
    CHECK_INT(d.report.issues.count[AIT_I_BAD_LINE], 2);
    CHECK(ait_file_lost(&d.report));
    CHECK(!tells(&d, "SECRET"));
    dump_free(&d);
}

static void bad_lines_show_nothing(void)
{
    dump d;

    dump_string(&d, LOG "{\"request_id\":\"SECRET\n" LOG);
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.records, 2);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].count, 1);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].line[0], 2);
    CHECK(d.report.bad_reason[0][0] != '\0');
    CHECK(!tells(&d, "SECRET"));
    CHECK(!strstr(dump_text(&d), "SECRET"));
    dump_free(&d);
}

/* Counters are exact, places the first twenty. */
static void many_bad_lines_are_counted(void)
{
    ait_buf b;
    dump d;

    ait_buf_init(&b, 1 << 20);
    ait_buf_adds(&b, LOG);
    for (int i = 0; i < 50; i++)
        ait_buf_adds(&b, "x\n");
    dump_bytes(&d, b.data, b.len, NULL, 0);
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].count, 50);
    CHECK_INT(d.report.places[AIT_I_BAD_LINE].line[19], 21);
    dump_free(&d);
    ait_buf_free(&b);
}

static void what_is_good_survives_a_cut(void)
{
    ait_buf gz;
    dump d;

    ait_buf_init(&gz, 1 << 16);
    add_gzip(&gz, LOG LOG, 2 * (sizeof LOG - 1));
    dump_bytes(&d, gz.data, gz.len - 4, NULL, 0);
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.records, 2);
    CHECK_INT(d.report.issues.count[AIT_I_COMPRESSED_INPUT_CUT], 1);
    CHECK(ait_file_lost(&d.report));
    dump_free(&d);
    check_blocks(gz.data, gz.len - 4);
    ait_buf_free(&gz);
}

static void every_block_size_refuses_alike(void)
{
    check_blocks("BZh91", 5);
    check_blocks("plain\ntext\n", 11);
    check_blocks("{\"a\":1}\n[2]\n", 12);
    check_blocks("{\"log\":{\"entries\":[]}}", 22);
}

static void formats_are_listed(void)
{
    const ait_format_info *info;
    size_t n = ait_formats(&info);
    int capture = 0;

    CHECK(n >= 2);
    for (size_t i = 0; i < n; i++) {
        CHECK(info[i].name[0] && info[i].title[0] && info[i].origin[0]);
        capture += info[i].capture;
    }
    CHECK_INT(capture, 1);
}

int main(void)
{
    RUN(priorities_are_unique);
    RUN(refused_rows_say_what_to_do);
    RUN(captures_are_known);
    RUN(others_are_known_to_be_refused);
    RUN(recognition_is_reported);
    RUN(one_matching_line_in_two_is_enough);
    RUN(the_first_lines_decide);
    RUN(refusals_name_the_way_out);
    RUN(unknown_format_names_are_refused);
    RUN(compressed_in_compressed_is_refused);
    RUN(nothing_usable_is_an_error);
    RUN(bad_lines_show_nothing);
    RUN(many_bad_lines_are_counted);
    RUN(what_is_good_survives_a_cut);
    RUN(every_block_size_refuses_alike);
    RUN(formats_are_listed);
    return t_done();
}
