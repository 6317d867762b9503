/* Native captures: lines to records. */
#include "input/capture_fast.h"
#include "input/input.h"

#include "input_sink.h"

#define HEAD "{\"type\":\"capture\",\"ns\":0,\"v\":1,\"seg\":\"s\"}\n"

static ait_record last;
static int records;
static char kept[512];    /* data of the last record, as a string */
static char copies[8192]; /* its text: spans do not outlive the call */
static size_t copied;

static void copy(ait_str *s)
{
    if (!s->p)
        return;
    CHECK(copied + s->n <= sizeof copies);
    memcpy(copies + copied, s->p, s->n);
    s->p = copies + copied;
    copied += s->n;
}

static int keep_record(void *ctx, const ait_record *r)
{
    ait_str data = r->text[AIT_RT_DATA];

    (void)ctx;
    last = *r;
    records++;
    copied = 0;
    for (int i = 0; i < AIT_RT_COUNT; i++)
        copy(&last.text[i]);
    for (int i = 0; i < last.headers; i++) {
        copy(&last.header[i].name);
        copy(&last.header[i].value);
    }
    snprintf(kept, sizeof kept, "%.*s", (int)data.n, data.p ? data.p : "");
    return AIT_OK;
}

static ait_file_report report;
static ait_error err;

/* Reads one line as a capture; what it gave is in `last`. */
static ait_code one(const char *line)
{
    ait_input_options o = {.format = "capture"};
    ait_sink sink = {.record = keep_record};

    records = 0;
    return ait_input_bytes("f", line, strlen(line), &o, &sink, &report,
                           &err);
}

static int is(ait_rec_text f, const char *want)
{
    ait_str s = last.text[f];

    return s.p && s.n == strlen(want) && memcmp(s.p, want, s.n) == 0;
}

static void every_type_has_its_record(void)
{
    for (int i = 0; i < AIT_REC_COUNT; i++) {
        char line[128];

        snprintf(line, sizeof line,
                 "{\"type\":\"%s\",\"ns\":7,\"req\":\"r\"}\n",
                 ait_record_name[i]);
        CHECK_INT(one(line), AIT_OK);
        CHECK_INT(records, 1);
        CHECK_INT(last.type, i);
        CHECK_INT(last.line, 1);
        CHECK_INT(last.num[AIT_RN_NS], 7);
        CHECK_INT(report.records, 1);
        CHECK(report.capture);
    }
}

static void absent_is_absent(void)
{
    CHECK_INT(one("{\"type\":\"close\"}\n"), AIT_OK);
    for (int i = 0; i < AIT_RN_COUNT; i++)
        CHECK(!ait_has(last.num[i]));
    for (int i = 0; i < AIT_RT_COUNT; i++)
        CHECK(last.text[i].p == NULL);
    CHECK_INT(last.stream, -1);
    CHECK_INT(last.reused, -1);
    CHECK(!last.untimed && !last.comment);
    CHECK_INT(last.headers, 0);
    CHECK_INT(last.kinds, 0);
    CHECK(!ait_has(last.usage.prompt));
}

static void null_is_absent(void)
{
    CHECK_INT(one("{\"type\":\"recv\",\"ns\":1,\"req\":\"r\",\"model\":null,"
                  "\"ids\":null,\"stream\":null,\"max_tokens\":null}\n"),
              AIT_OK);
    CHECK(last.text[AIT_RT_MODEL].p == NULL);
    CHECK_INT(last.stream, -1);
    CHECK(!ait_has(last.num[AIT_RN_MAX_TOKENS]));
    CHECK_INT(report.issues.count[AIT_I_VALUE_IGNORED], 0);
}

static void request_facts_arrive(void)
{
    CHECK_INT(one("{\"type\":\"recv\",\"ns\":1,\"req\":\"r\","
                  "\"method\":\"POST\",\"path\":\"/v1\",\"ids\":{\"A\":\"x\","
                  "\"B\":[\"y\",\"z\"],\"C\":12},\"model\":\"m\","
                  "\"provider\":\"p\",\"group\":\"g\",\"channel\":7,"
                  "\"route\":\"o\",\"region\":\"e\",\"stream\":true,"
                  "\"max_tokens\":400,\"reasoning_effort\":\"low\","
                  "\"temperature\":0.25,\"top_p\":1,\"tools\":2,"
                  "\"inflight\":3,\"bytes\":80}\n"), AIT_OK);
    CHECK(is(AIT_RT_METHOD, "POST") && is(AIT_RT_PATH, "/v1"));
    CHECK(is(AIT_RT_MODEL, "m") && is(AIT_RT_PROVIDER, "p"));
    CHECK(is(AIT_RT_GROUP, "g") && is(AIT_RT_CHANNEL, "7"));
    CHECK(is(AIT_RT_ROUTE, "o") && is(AIT_RT_REGION, "e"));
    CHECK(is(AIT_RT_REASONING_EFFORT, "low"));
    CHECK_INT(last.stream, 1);
    CHECK_INT(last.num[AIT_RN_MAX_TOKENS], 400);
    CHECK_INT(last.num[AIT_RN_TEMPERATURE], 250000);
    CHECK_INT(last.num[AIT_RN_TOP_P], 1000000);
    CHECK_INT(last.num[AIT_RN_TOOLS], 2);
    CHECK_INT(last.num[AIT_RN_INFLIGHT], 3);
    CHECK_INT(last.headers, 3);
    CHECK_INT(last.header[1].value.n, 1);
    CHECK(memcmp(last.header[1].value.p, "y", 1) == 0);
    CHECK(memcmp(last.header[2].value.p, "12", 2) == 0);
    CHECK_INT(report.issues.count[AIT_I_UNKNOWN_RECORD], 0);
}

static void times_are_exact(void)
{
    CHECK_INT(one("{\"type\":\"done\",\"ns\":9007199254740993,"
                  "\"req\":\"r\"}\n"), AIT_OK);
    CHECK_INT(last.num[AIT_RN_NS], INT64_C(9007199254740993));
    CHECK_INT(one("{\"type\":\"done\",\"ns\":-5,\"req\":\"r\"}\n"), AIT_OK);
    CHECK_INT(last.num[AIT_RN_NS], -5);
}

static void data_is_unescaped(void)
{
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"\\u0072\",\"att\":2,"
        "\"data\":\"a\\n\\u00e9\\\"b\"}\n");
    CHECK_TEXT(kept, "a\n\xc3\xa9\"b");
    CHECK(is(AIT_RT_REQ, "r"));
    CHECK_INT(last.num[AIT_RN_ATT], 2);
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"r\",\"data\":\"\"}\n");
    CHECK(last.text[AIT_RT_DATA].p != NULL);
    CHECK_INT(last.text[AIT_RT_DATA].n, 0);
}

static void base64_is_decoded(void)
{
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"r\","
        "\"data_base64\":\"YWIAYw==\"}\n");
    CHECK_INT(last.text[AIT_RT_DATA].n, 4);
    CHECK(memcmp(last.text[AIT_RT_DATA].p, "ab\0c", 4) == 0);
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"r\","
        "\"data_base64\":\"YWI\\u003d\"}\n");
    CHECK_TEXT(kept, "ab");
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"r\",\"data_base64\":\"\"}\n");
    CHECK(last.text[AIT_RT_DATA].p != NULL);
}

/* The read happened; its bytes are lost, and that is said. */
static void damaged_base64_keeps_the_read(void)
{
    one("{\"type\":\"data\",\"ns\":1,\"req\":\"r\","
        "\"data_base64\":\"!SECRET!\"}\n");
    CHECK_INT(records, 1);
    CHECK(last.text[AIT_RT_DATA].p == NULL);
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 1);
    CHECK(ait_file_lost(&report));
    CHECK(strstr(report.bad_reason[0], "SECRET") == NULL);
}

static void marks_carry_classes_and_usage(void)
{
    one("{\"type\":\"mark\",\"ns\":1,\"req\":\"r\",\"att\":1,"
        "\"kinds\":[\"comment\",\"text\",\"finish\"],\"read\":4,\"len\":9,"
        "\"usage\":{\"input_tokens\":3,\"output_tokens\":5,"
        "\"reasoning_tokens\":2,\"cached_tokens\":1,\"total_tokens\":8},"
        "\"finish\":\"stop\",\"error\":\"e\",\"untimed\":true}\n");
    CHECK_INT(last.kinds, AIT_C_TEXT | AIT_C_FINISH);
    CHECK(last.comment && last.untimed);
    CHECK_INT(last.num[AIT_RN_READ], 4);
    CHECK_INT(last.num[AIT_RN_LEN], 9);
    CHECK_INT(last.usage.prompt, 3);
    CHECK_INT(last.usage.completion, 5);
    CHECK_INT(last.usage.reasoning, 2);
    CHECK_INT(last.usage.cached, 1);
    CHECK_INT(last.usage.total, 8);
    CHECK(is(AIT_RT_FINISH, "stop") && is(AIT_RT_ERROR, "e"));
    one("{\"type\":\"mark\",\"ns\":1,\"req\":\"r\",\"kinds\":[]}\n");
    CHECK_INT(last.kinds, 0);
    CHECK(!last.comment && !ait_has(last.usage.prompt));
}

static void usage_has_other_names(void)
{
    one("{\"type\":\"mark\",\"ns\":1,\"req\":\"r\",\"kinds\":[\"usage\"],"
        "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":5,"
        "\"completion_tokens_details\":{\"reasoning_tokens\":4},"
        "\"prompt_tokens_details\":{\"cached_tokens\":0}}}\n");
    CHECK_INT(last.usage.prompt, 3);
    CHECK_INT(last.usage.completion, 5);
    CHECK_INT(last.usage.reasoning, 4);
    CHECK_INT(last.usage.cached, 0);
}

static void phases_measures_issues_arrive(void)
{
    one("{\"type\":\"phase\",\"ns\":5,\"req\":\"r\",\"name\":\"auth\","
        "\"dur_ns\":4}\n");
    CHECK(is(AIT_RT_NAME, "auth"));
    CHECK_INT(last.num[AIT_RN_DUR_NS], 4);
    one("{\"type\":\"measure\",\"req\":\"r\",\"name\":\"x\",\"value_ns\":4,"
        "\"origin\":\"o\",\"boundary\":\"b\",\"source_field\":\"/f\","
        "\"quality\":\"ok\"}\n");
    CHECK(is(AIT_RT_ORIGIN, "o") && is(AIT_RT_BOUNDARY, "b"));
    CHECK(is(AIT_RT_SOURCE_FIELD, "/f") && is(AIT_RT_QUALITY, "ok"));
    CHECK_INT(last.num[AIT_RN_VALUE_NS], 4);
    one("{\"type\":\"issue\",\"req\":\"r\",\"id\":\"inline_think\","
        "\"count\":2}\n");
    CHECK(is(AIT_RT_ID, "inline_think"));
    CHECK_INT(last.num[AIT_RN_COUNT_OF], 2);
    one("{\"type\":\"end\",\"ns\":1,\"req\":\"r\",\"att\":1,"
        "\"how\":\"reset\",\"exit\":56}\n");
    CHECK(is(AIT_RT_HOW, "reset"));
    CHECK_INT(last.num[AIT_RN_EXIT], 56);
    one("{\"type\":\"lost\",\"ns\":1,\"n\":3,\"why\":\"full\"}\n");
    CHECK_INT(last.num[AIT_RN_N], 3);
    CHECK(is(AIT_RT_WHY, "full"));
    one("{\"type\":\"close\",\"ns\":1,\"records\":12}\n");
    CHECK_INT(last.num[AIT_RN_RECORDS], 12);
}

static void what_is_unknown_is_counted(void)
{
    CHECK_INT(one("{\"type\":\"future\",\"ns\":1,\"req\":\"r\"}\n"
                  "{\"type\":\"done\",\"ns\":1,\"req\":\"r\",\"new\":1,"
                  "\"newer\":[{}]}\n"), AIT_OK);
    CHECK_INT(records, 1);
    CHECK_INT(report.issues.count[AIT_I_UNKNOWN_RECORD], 3);
    CHECK_INT(report.places[AIT_I_UNKNOWN_RECORD].kept, 2);
    CHECK_INT(report.places[AIT_I_UNKNOWN_RECORD].line[1], 2);
    CHECK(!ait_file_lost(&report));
}

static void wrong_types_are_ignored_and_counted(void)
{
    one("{\"type\":\"recv\",\"ns\":1,\"req\":\"r\",\"model\":{},"
        "\"stream\":\"yes\",\"max_tokens\":1.5,\"tools\":[1],\"ids\":[]}\n");
    CHECK_INT(records, 1);
    CHECK_INT(report.issues.count[AIT_I_VALUE_IGNORED], 5);
    CHECK(last.text[AIT_RT_MODEL].p == NULL);
    CHECK_INT(last.stream, -1);
    one("{\"type\":\"mark\",\"ns\":1,\"req\":\"r\",\"kinds\":[\"text\",\"?\"],"
        "\"usage\":{\"prompt_tokens\":\"x\",\"output_tokens\":4}}\n");
    CHECK_INT(report.issues.count[AIT_I_VALUE_IGNORED], 2);
    CHECK_INT(last.kinds, AIT_C_TEXT);
    CHECK_INT(last.usage.completion, 4);
}

static void another_version_is_an_error(void)
{
    CHECK_INT(one("{\"type\":\"capture\",\"v\":1}"), AIT_OK);
    CHECK_INT(one("{\"type\":\"capture\",\"v\":null}"), AIT_OK);
    CHECK_INT(one("{\"type\":\"capture\",\"v\":2,\"ns\":\"SECRET\"}"),
              AIT_EINPUT);
    CHECK_TEXT(err.message, "the capture is of another version");
    CHECK(strstr(err.reason, "newer"));
    CHECK_INT(err.line, 1);
    CHECK_INT(records, 0);
    CHECK_INT(one("{\"type\":\"capture\",\"v\":\"SECRET\"}"), AIT_EINPUT);
    CHECK(!strstr(err.reason, "newer") && !strstr(err.reason, "SECRET"));
    CHECK_INT(one("{\"type\":\"capture\",\"v\":0}"), AIT_EINPUT);
    CHECK_INT(one("{\"type\":\"capture\",\"v\":1}\n{\"type\":\"capture\","
                  "\"v\":9}"), AIT_EINPUT);
    CHECK_INT(err.line, 2);
    CHECK_INT(one("{\"type\":\"close\",\"v\":2}"), AIT_OK);
}

static void of_equal_keys_the_last_wins(void)
{
    one("{\"type\":\"done\",\"ns\":1,\"req\":\"r\",\"ns\":2,"
        "\"\\u006es\":3}\n");
    CHECK_INT(last.num[AIT_RN_NS], 3);
    CHECK_INT(report.issues.count[AIT_I_DUPLICATE_KEY], 2);
    one("{\"type\":\"head\",\"ns\":1,\"req\":\"r\",\"headers\":{\"a\":\"1\"},"
        "\"headers\":{\"b\":\"2\"}}\n");
    CHECK_INT(last.headers, 1);
    CHECK(memcmp(last.header[0].name.p, "b", 1) == 0);
}

static void too_many_headers_are_cut(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 20);
    ait_buf_adds(&b, "{\"type\":\"head\",\"ns\":1,\"req\":\"r\","
                     "\"headers\":{\"a\":\"1\"");
    for (int i = 0; i < 100; i++)
        ait_buf_addf(&b, ",\"h%d\":\"v\"", i);
    ait_buf_adds(&b, "}}\n");
    one(b.data);
    CHECK_INT(last.headers, AIT_REC_HEADERS_MAX);
    CHECK_INT(report.issues.count[AIT_I_VALUE_IGNORED], 1);
    ait_buf_free(&b);
}

/* Each line alone is bad, says why, and shows nothing of itself. */
static void bad_lines_have_reasons(void)
{
    static const struct {
        const char *line, *why;
    } bad[] = {
        {"{\"ns\":1,\"req\":\"SECRET\"}\n", "without type"},
        {"{\"type\":7,\"req\":\"SECRET\"}\n", "without type"},
        {"{\"type\":\"data\",\"req\":\"SECRET\"}\n", "without ns"},
        {"{\"type\":\"data\",\"ns\":\"1\",\"req\":\"SECRET\"}\n",
         "without ns"},
        {"{\"type\":\"data\",\"ns\":1.5,\"req\":\"SECRET\"}\n",
         "without ns"},
        {"{\"type\":\"data\",\"ns\":99999999999999999999,\"req\":\"SECRET\"}"
         "\n", "without ns"},
        {"{\"type\":\"data\",\"ns\":1,\"data\":\"SECRET\"}\n",
         "without req"},
        {"[\"SECRET\"]\n", "not a JSON object"},
        {"SECRET\n", ""},
        {"{\"type\":\"data\",\"data\":\"SECRET\n", ""},
        {"{\"type\":\"data\",\"data\":\"SECRET\xff\"}\n", ""},
        {"{\"type\":\"data\"} SECRET\n", ""},
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(one(bad[i].line), AIT_EINPUT);
        CHECK_INT(records, 0);
        CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 1);
        CHECK_INT(report.places[AIT_I_BAD_LINE].line[0], 1);
        CHECK(strstr(report.bad_reason[0], bad[i].why) != NULL);
        CHECK(report.bad_reason[0][0] != '\0');
        CHECK(strstr(report.bad_reason[0], "SECRET") == NULL);
        CHECK(strstr(err.message, "SECRET") == NULL);
        CHECK(strstr(err.reason, "SECRET") == NULL);
        CHECK(ait_file_lost(&report));
    }
}

static void untimed_records_need_no_time(void)
{
    CHECK_INT(one("{\"type\":\"data\",\"req\":\"r\",\"untimed\":true,"
                  "\"data\":\"x\"}\n"), AIT_OK);
    CHECK_INT(records, 1);
    CHECK(last.untimed);
    CHECK(!ait_has(last.num[AIT_RN_NS]));
}

/* The usual data record takes a short way; two spaces make it take the long
 * one. Both must say the same. */
static void both_ways_agree(const char *text, size_t n, size_t spaces_at)
{
    ait_buf line;
    dump way[2];

    for (int i = 0; i < 2; i++) {
        ait_buf_init(&line, 4096);
        ait_buf_adds(&line, HEAD);
        ait_buf_add(&line, text, spaces_at);
        ait_buf_adds(&line, i ? "  " : "");
        ait_buf_add(&line, text + spaces_at, n - spaces_at);
        ait_buf_addc(&line, '\n');
        dump_bytes(&way[i], line.data, line.len, "capture", 0);
        ait_buf_free(&line);
    }
    way[0].report.bytes = way[1].report.bytes;
    if (!CHECK_TEXT(dump_text(&way[0]), dump_text(&way[1])) ||
        !CHECK(memcmp(&way[0].report, &way[1].report,
                      sizeof way[0].report) == 0))
        printf("# %.*s\n", (int)n, text);
    dump_free(&way[0]);
    dump_free(&way[1]);
}

#define BEGIN "{\"type\":\"data\","

static void both_ways_of_reading_agree(void)
{
    static const char *const rest[] = {
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\"}",
        "\"ns\": 1, \"req\": \"r\", \"att\": 1, \"data\": \"x\\n\"}",
        "\"data\":\"\\u00e9\",\"att\":12,\"req\":\"\",\"ns\":0}",
        "\"ns\":123456789012345678,\"req\":\"r\",\"att\":1,\"data\":\"\"}",
        "\"ns\":1234567890123456789,\"req\":\"r\",\"att\":1,\"data\":\"\"}",
        "\"ns\":12345678901234567890,\"req\":\"r\",\"att\":1,\"data\":\"\"}",
        "\"ns\":01,\"req\":\"r\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":-1,\"req\":\"r\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":1.0,\"req\":\"r\",\"att\":1e0,\"data\":\"x\"}",
        "\"ns\":1.5,\"req\":\"r\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":1,\"req\":\"\\u0072\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":1,\"req\":\"\xc3\xa9\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":1,\"ns\":2,\"req\":\"r\",\"att\":1,\"data\":\"x\"}",
        "\"ns\":1,\"req\":\"r\",\"data\":\"x\"}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\",\"n\":1}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\"}}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\",}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\\q\"}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"\xff\"}",
        "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x",
        "\"ns\":1,\"req\":7,\"att\":null,\"data\":\"x\"}",
    };

    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        char line[256];
        int n = snprintf(line, sizeof line, BEGIN "%s", rest[i]);

        both_ways_agree(line, (size_t)n, strlen(BEGIN));
    }
}

/* Every cut of a line, and every byte of it in every place where it could
 * make a difference. */
static void damaged_lines_are_read_alike(void)
{
    static const char line[] =
        BEGIN "\"ns\":1203,\"req\":\"a7\",\"att\":1,\"data\":\"data: {"
        "\\\"t\\\":\\\"\xC3\xA9 and \\u00e9, 0123456789\\\"}\\n\\n\"}";
    static const char bytes[] = "\"\\,:{}[] 01-.en\t\x01\x7f\xC3\xFF";
    size_t n = sizeof line - 1, begin = strlen(BEGIN);

    for (size_t cut = begin; cut < n; cut++)
        both_ways_agree(line, cut, begin);
    for (size_t at = 0; at < n; at++)
        for (size_t i = 0; i < sizeof bytes; i++) { /* NUL, too */
            char other[sizeof line];

            memcpy(other, line, n);
            other[at] = bytes[i];
            both_ways_agree(other, n, at < begin ? n - 1 : begin);
        }
}

static void the_usual_line_takes_the_short_way(void)
{
    static const char *const usual[] = {
        BEGIN "\"ns\":12,\"req\":\"r\",\"att\":3,\"data\":\"x\\n\"}",
        "{\"type\": \"data\", \"ns\": 12, \"req\": \"r\", \"att\": 3, "
        "\"data\": \"x\\n\"}",
    };
    static ait_record r;
    ait_buf room;

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        ait_buf_init(&room, 100);
        CHECK(ait_capture_fast(usual[i], strlen(usual[i]), &r, &room));
        CHECK_INT(r.num[AIT_RN_NS], 12);
        CHECK_INT(r.num[AIT_RN_ATT], 3);
        CHECK_INT(r.text[AIT_RT_REQ].n, 1);
        CHECK_INT(*r.text[AIT_RT_REQ].p, 'r');
        CHECK_INT(r.text[AIT_RT_DATA].n, 2);
        CHECK(memcmp(r.text[AIT_RT_DATA].p, "x\n", 2) == 0);
        ait_buf_free(&room);
    }
}

#define USUAL BEGIN "\"ns\":1,\"req\":\"r\",\"att\":1,\"data\":\"x\"}\n"
#define TORN "{\"v\":1,\"type\":\"capture\",\"ns\":0}\n" USUAL BEGIN "\"n" USUAL

/* How lines begin is learnt from those that took the short way, too. */
static void a_record_behind_a_torn_usual_one_is_found(void)
{
    dump d;

    dump_bytes(&d, TORN, strlen(TORN), "capture", 0);
    CHECK_INT(d.report.records, 3);
    CHECK_INT(d.report.issues.count[AIT_I_BAD_LINE], 1);
    dump_free(&d);
}

static void a_bad_line_does_not_hurt_its_neighbours(void)
{
    CHECK_INT(one(HEAD "nonsense\n{\"type\":\"close\"}\n"), AIT_OK);
    CHECK_INT(records, 2);
    CHECK_INT(report.places[AIT_I_BAD_LINE].line[0], 2);
    CHECK_INT(last.line, 3);
}

static void a_record_glued_to_a_torn_one_is_found(void)
{
    one(HEAD "{\"type\":\"data\",\"ns\":1,\"da{\"type\":\"close\"}\n");
    CHECK_INT(records, 2);
    CHECK_INT(last.type, AIT_REC_CLOSE);
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 1);
    CHECK(ait_file_lost(&report));
}

static const char zeros[] = HEAD "\0\0\0{\"type\":\"close\"}\n"
                                 "{\"type\":\"da\0\0{\"type\":\"close\"}\n"
                                 "{\"type\":\"close\"}\n";

static void a_record_behind_zero_bytes_is_found(void)
{
    dump d;

    dump_bytes(&d, zeros, sizeof zeros - 1, NULL, 0);
    CHECK_INT(d.code, AIT_OK);
    CHECK_INT(d.report.records, 4);
    CHECK_INT(d.report.issues.count[AIT_I_BAD_LINE], 2);
    CHECK_TEXT(d.report.bad_reason[0], "zero bytes before the record");
    dump_free(&d);
    check_blocks(zeros, sizeof zeros - 1);
}

static void the_last_line_counts_where_it_is_whole(void)
{
    CHECK_INT(one(HEAD "{\"type\":\"close\"}"), AIT_OK);
    CHECK_INT(records, 2);
    CHECK_INT(report.issues.count[AIT_I_UNFINISHED_LAST_LINE], 0);
    CHECK_INT(one(HEAD "{\"type\":\"close\""), AIT_OK);
    CHECK_INT(records, 1);
    CHECK_INT(report.issues.count[AIT_I_UNFINISHED_LAST_LINE], 1);
    CHECK_INT(report.places[AIT_I_UNFINISHED_LAST_LINE].line[0], 2);
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 0);
    CHECK(!ait_file_lost(&report));
}

static const char mixed[] =
    "\xEF\xBB\xBF" HEAD "{\"type\":\"recv\",\"ns\":5,\"req\":\"r\","
    "\"ids\":{\"X\":\"\\u00e9\"}}\r\n\r\n"
    "{\"type\":\"data\",\"ns\":6,\"req\":\"r\",\"data\":\"data: {\\\"a\\\""
    ":1}\\n\\n\"}\nbad\n"
    "{\"type\":\"data\",\"ns\":7,\"req\":\"r\",\"data_base64\":\"AAEC\"}\n"
    "{\"type\":\"mark\",\"ns\":8,\"req\":\"r\",\"kinds\":[\"text\"]}\n"
    "{\"type\":\"clo";

static void every_block_size_gives_the_same(void)
{
    ait_buf gz;

    check_blocks(mixed, sizeof mixed - 1);
    ait_buf_init(&gz, 1 << 16);
    add_gzip(&gz, mixed, 100);
    add_gzip(&gz, "", 0);
    add_gzip(&gz, mixed + 100, sizeof mixed - 101);
    check_blocks(gz.data, gz.len);
    check_blocks(gz.data, gz.len - 10);
    ait_buf_free(&gz);
}

static void compressed_is_like_plain(void)
{
    dump plain, packed;
    ait_buf gz;

    ait_buf_init(&gz, 1 << 16);
    add_gzip(&gz, mixed, sizeof mixed - 1);
    dump_bytes(&plain, mixed, sizeof mixed - 1, NULL, 0);
    dump_bytes(&packed, gz.data, gz.len, NULL, 0);
    CHECK_INT(plain.report.records, 5);
    CHECK_TEXT(dump_text(&packed), dump_text(&plain));
    dump_free(&plain);
    dump_free(&packed);
    ait_buf_free(&gz);
}

static int refuse_second(void *ctx, const ait_record *r)
{
    (void)ctx;
    (void)r;
    return ++records == 2 ? AIT_EDB : AIT_OK;
}

static void a_sink_can_stop_it(void)
{
    ait_sink sink = {.record = refuse_second};
    const char text[] = HEAD HEAD HEAD;

    records = 0;
    CHECK_INT(ait_input_bytes("f", text, sizeof text - 1, NULL, &sink,
                              &report, &err), AIT_EDB);
    CHECK_INT(records, 2);
    CHECK_INT(err.code, AIT_EDB);
}

static void memory_may_end_anywhere(void)
{
    int failed = 0;

    for (long n = 1; n < 20; n++) {
        dump d;

        ait_mem_fail_after(n);
        dump_bytes(&d, mixed, sizeof mixed - 1, NULL, 16);
        ait_mem_fail_after(0);
        failed += d.code == AIT_ENOMEM;
        CHECK(d.code == AIT_OK || d.code == AIT_ENOMEM);
        dump_free(&d);
    }
    CHECK(failed > 3);
}

int main(void)
{
    RUN(every_type_has_its_record);
    RUN(absent_is_absent);
    RUN(null_is_absent);
    RUN(request_facts_arrive);
    RUN(times_are_exact);
    RUN(data_is_unescaped);
    RUN(base64_is_decoded);
    RUN(damaged_base64_keeps_the_read);
    RUN(marks_carry_classes_and_usage);
    RUN(usage_has_other_names);
    RUN(phases_measures_issues_arrive);
    RUN(what_is_unknown_is_counted);
    RUN(wrong_types_are_ignored_and_counted);
    RUN(another_version_is_an_error);
    RUN(of_equal_keys_the_last_wins);
    RUN(too_many_headers_are_cut);
    RUN(bad_lines_have_reasons);
    RUN(untimed_records_need_no_time);
    RUN(both_ways_of_reading_agree);
    RUN(damaged_lines_are_read_alike);
    RUN(the_usual_line_takes_the_short_way);
    RUN(a_record_behind_a_torn_usual_one_is_found);
    RUN(a_bad_line_does_not_hurt_its_neighbours);
    RUN(a_record_glued_to_a_torn_one_is_found);
    RUN(a_record_behind_zero_bytes_is_found);
    RUN(the_last_line_counts_where_it_is_whole);
    RUN(every_block_size_gives_the_same);
    RUN(compressed_is_like_plain);
    RUN(a_sink_can_stop_it);
    RUN(memory_may_end_anywhere);
    return t_done();
}
