/* Mapping files: what is refused and how, and what each key does. */
#include "input/map.h"

#include "input_sink.h"

static dump d;

/* A mapping of these members, run over these lines. */
static const char *map_over(const char *members, const char *lines)
{
    ait_input_options o = {0};
    ait_sink sink = {.ctx = &d, .record = dump_record, .trace = dump_trace};
    char text[4096];
    ait_map *m;

    snprintf(text, sizeof text, "{\"aitrace_map\": 1, \"name\": \"t\", %s}",
             members);
    dump_free(&d);
    ait_buf_init(&d.out, 1 << 20);
    ait_error_clear(&d.err);
    m = ait_map_read("t.json", text, strlen(text), NULL, &d.err);
    if (!CHECK(m != NULL)) {
        printf("# column %d: %s\n", (int)d.err.column, d.err.reason);
        return "";
    }
    o.map = m;
    d.code = ait_input_bytes("f.log", lines, strlen(lines), &o, &sink,
                             &d.report, &d.err);
    ait_map_free(m);
    return dump_text(&d);
}

static int gives(const char *members, const char *line, const char *part)
{
    int found = strstr(map_over(members, line), part) != NULL;

    if (!found)
        printf("# no \"%s\" in: %s\n", part, dump_text(&d));
    return found;
}

static int lacks(const char *members, const char *line, const char *part)
{
    int found = strstr(map_over(members, line), part) != NULL;

    if (found)
        printf("# \"%s\" in: %s\n", part, dump_text(&d));
    return !found && d.code == AIT_OK && d.report.records == 1;
}

#define FIELD(way) \
    "\"fields\": {\"total\": {\"origin\": \"relay_start\", " way "}}"
#define MODEL(way) "\"fields\": {\"model\": {" way "}}"

static void units_are_honoured(void)
{
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"s\""), "{\"v\":1.5}\n",
                "total@relay_start>handler_end=1500000000"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"ms\""), "{\"v\":1.5}\n",
                "=1500000"));
    CHECK(gives(FIELD("\"at\": \"/v\""), "{\"v\":\"1.5\"}\n", "=1500000"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"us\""), "{\"v\":1.5}\n",
                "=1500"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"ns\""), "{\"v\":15}\n",
                "=15"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"duration_string\""),
                "{\"v\":\"1m1s\"}\n", "=61000000000"));
}

static void the_first_place_with_a_value_counts(void)
{
    CHECK(gives(MODEL("\"at\": [\"/a\", \"/b\", \"/c\"]"),
                "{\"a\":null,\"b\":\"\",\"c\":\"z\"}\n", "model=z"));
    CHECK(gives("\"fields\": {\"model\": [\"/a\", {\"at\": \"/b\"}]}",
                "{\"b\":\"z\"}\n", "model=z"));
    CHECK(gives(MODEL("\"at\": \"/x/*/m\""),
                "{\"x\":{\"p\":{},\"q\":{\"m\":\"z\"},\"r\":{\"m\":\"no\"}}}"
                "\n",
                "model=z"));
    CHECK(gives(MODEL("\"at\": \"/l/1/m\""),
                "{\"l\":[{\"m\":\"a\"},{\"m\":\"z\"}]}\n", "model=z"));
    CHECK(gives(MODEL("\"at\": \"/a~1b/c~0d\""), "{\"a/b\":{\"c~d\":\"z\"}}\n",
                "model=z"));
    CHECK(gives(MODEL("\"at\": \"/mod\""), "{\"m\\u006fd\":\"\\u007a\"}\n",
                "model=z"));
}

static void absent_values_are_absent(void)
{
    const char *m = MODEL("\"at\": \"/a\", \"absent\": {\"strings\": "
                          "[\"-\"], \"numbers\": [0, -1]}");

    CHECK(lacks(m, "{\"a\":\"-\"}\n", "model"));
    CHECK(lacks(m, "{\"a\":0}\n", "model"));
    CHECK(lacks(m, "{\"a\":-1.0}\n", "model"));
    CHECK(lacks(m, "{\"a\":\"0\"}\n", "model"));
    CHECK(lacks(m, "{\"a\":null}\n", "model"));
    CHECK(gives(m, "{\"a\":\"--\"}\n", "model=--"));
    CHECK(gives(m, "{\"a\":7}\n", "model=7"));
    CHECK(lacks(FIELD("\"at\": \"/v\", \"absent\": {\"negative\": true}"),
                "{\"v\":-1000}\n", "negative_duration"));
    CHECK(gives(FIELD("\"at\": \"/v\""), "{\"v\":-1}\n",
                "!negative_duration=1"));
    /* the mapping's own, where a field says nothing else */
    CHECK(lacks("\"absent\": {\"strings\": [\"?\"]}, \"fields\": "
                "{\"model\": \"/a\"}",
                "{\"a\":\"?\"}\n", "model"));
}

static void sums_need_every_term(void)
{
    const char *m = FIELD("\"sum\": [\"/a\", \"/b\"], \"unit\": \"ms\", "
                          "\"absent\": {\"numbers\": [-1]}");

    CHECK(gives(m, "{\"a\":1,\"b\":\"2\"}\n", "=3000000"));
    CHECK(lacks(m, "{\"a\":1}\n", "total"));
    CHECK(lacks(m, "{\"a\":1,\"b\":-1}\n", "total"));
    CHECK(gives(m, "{\"a\":1,\"b\":\"x\"}\n", "!value_ignored=1"));
}

static void members_of_an_object_are_added(void)
{
    const char *m = "\"fields\": {\"prompt_tokens\": {\"members_of\": \"/u\","
                    " \"members\": \"input\"}}";

    CHECK(gives(m,
                "{\"u\":{\"input\":3,\"input_cached\":4,\"inputs\":9,"
                "\"output\":1}}\n",
                "prompt_tokens=7"));
    CHECK(lacks(m, "{\"u\":{\"output\":1}}\n", "prompt_tokens"));
}

static void times_between_make_durations(void)
{
    const char *m = FIELD("\"between\": [\"/a\", \"/b\"]");

    CHECK(gives(m, "{\"a\":1790000000.5,\"b\":\"2026-09-21T14:13:21Z\"}\n",
                "=500000000"));
    CHECK(gives(m, "{\"a\":1790000002,\"b\":1790000001}\n",
                "!negative_duration=1"));
    CHECK(lacks(m, "{\"a\":1790000002}\n", "total"));
}

static void lists_are_split(void)
{
    const char *line = "{\"v\":\"60.000, 1.5 : 0.25\"}\n";

    CHECK(gives(FIELD("\"at\": \"/v\", \"list\": \"last\", \"unit\": \"s\""),
                line, "=250000000"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"list\": \"first\", \"unit\": \"s\""),
                line, "=60000000000"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"list\": \"sum\", \"unit\": \"s\""),
                line, "=61750000000"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"list\": \"lost\", \"unit\": \"s\""),
                line, "=61500000000"));
    CHECK(gives("\"fields\": {\"attempts\": {\"at\": \"/v\", \"list\": "
                "\"count\"}}",
                line, "retries=2"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"list\": \"last\", \"unit\": \"s\""),
                "{\"v\":[1,2]}\n", "=2000000000"));
    CHECK(lacks(FIELD("\"at\": \"/v\", \"list\": \"last\", \"absent\": "
                      "{\"strings\": [\"-\"]}"),
                "{\"v\":\"1, -\"}\n", "total"));
}

static void words_are_translated(void)
{
    const char *m = "\"fields\": {\"stream\": {\"at\": \"/s\", \"enum\": "
                    "{\"normal\": false, \"stream\": true}}}";

    CHECK(gives(m, "{\"s\":\"normal\"}\n", "trace unknown"));
    CHECK(lacks(m, "{\"s\":\"other\"}\n", "value_ignored"));
    CHECK(gives("\"fields\": {\"stream\": \"/s\"}", "{\"s\":\"maybe\"}\n",
                "!value_ignored=1"));
    CHECK(gives(MODEL("\"at\": \"/a\", \"strip_prefix\": \"p/\""),
                "{\"a\":\"p/z\"}\n", "model=z"));
    CHECK(gives(MODEL("\"at\": \"/a\", \"after\": \"/:\""),
                "{\"a\":\"x:y/z\"}\n", "model=z"));
    CHECK(gives("\"fields\": {\"attempts\": {\"at\": \"/r\", \"add\": 1, "
                "\"strip_prefix\": \"+\"}}",
                "{\"r\":\"+2\"}\n", "retries=2"));
}

static void conditions_decide(void)
{
    CHECK(lacks(MODEL("\"at\": \"/a\", \"when\": {\"at\": \"/t\", \"in\": "
                      "[2]}"),
                "{\"a\":\"z\",\"t\":3}\n", "model"));
    CHECK(gives(MODEL("\"at\": \"/a\", \"when\": {\"at\": \"/t\", \"in\": "
                      "[2]}"),
                "{\"a\":\"z\",\"t\":\"2\"}\n", "model=z"));
    CHECK(lacks(MODEL("\"at\": \"/a\", \"unless\": [\"/t\"]"),
                "{\"a\":\"z\",\"t\":1}\n", "model"));
    CHECK(gives(MODEL("\"at\": \"/a\", \"when\": {\"at_least\": 2, \"of\": "
                      "[\"/x\", \"/y\", {\"at\": \"/z\", \"type\": "
                      "\"integer\"}]}"),
                "{\"a\":\"z\",\"y\":1,\"z\":4}\n", "model=z"));
    CHECK(lacks(FIELD("\"at\": \"/v\", \"zero_absent_if\": \"/bad\""),
                "{\"v\":0,\"bad\":1}\n", "total"));
    CHECK(gives(FIELD("\"at\": \"/v\", \"zero_absent_if\": \"/bad\""),
                "{\"v\":0}\n", "=0"));
}

static void records_are_skipped_or_taken(void)
{
    const char *m = "\"skip_if\": [{\"at\": \"/t\", \"in\": [\"x\"]}], "
                    "\"only_if\": [\"/m\"], \"fields\": {\"model\": \"/m\"}";

    map_over(m, "{\"m\":1,\"t\":\"x\"}\n{\"n\":1}\n{\"m\":2}\n");
    CHECK_INT(d.report.records, 1);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 0);
    map_over("\"detect\": {\"all\": [\"/m\"], \"none\": [\"/x\"]}, "
             "\"fields\": {\"model\": \"/m\"}",
             "{\"m\":1}\n{\"n\":1}\n{\"m\":1,\"x\":1}\n");
    CHECK_INT(d.report.records, 1);
    CHECK_INT(d.report.issues.count[AIT_I_UNRECOGNISED_LINE], 2);
}

static void strings_that_are_json_are_entered(void)
{
    const char *m = "\"parse_json_at\": [\"/o\", \"/p\"], \"fields\": "
                    "{\"model\": \"/o/m\", \"group\": \"/p/g\"}";

    CHECK(gives(m, "{\"o\":\"{\\\"m\\\":\\\"z\\\"}\",\"p\":{\"g\":\"y\"}}\n",
                "model=z group=y"));
    CHECK(lacks(m, "{\"o\":\"{broken\"}\n", "model"));
    CHECK(lacks(m, "{\"o\":\"-\"}\n", "model"));
}

static void a_list_of_records_is_walked(void)
{
    const char *m = "\"records\": \"/a/*/b/*\", \"attributes\": \"/t\", "
                    "\"fields\": {\"model\": {\"attr\": \"k\"}, "
                    "\"prompt_tokens\": {\"attr\": \"n\"}}";

    map_over(m, "{\"a\":[{\"b\":[{\"t\":[{\"key\":\"k\",\"value\":"
                "{\"stringValue\":\"one\"}}]},{\"t\":[{\"key\":\"k\","
                "\"value\":{\"arrayValue\":{\"values\":[{\"stringValue\":"
                "\"two\"}]}}},{\"key\":\"n\",\"value\":{\"intValue\":"
                "\"5\"}}]}]},{\"b\":[]}]}\n");
    CHECK_INT(d.report.records, 2);
    CHECK(strstr(dump_text(&d), "model=one") != NULL);
    CHECK(strstr(dump_text(&d), "model=two") != NULL);
    CHECK(strstr(dump_text(&d), "line=2 prompt_tokens=5") != NULL);
}

static void fields_are_filled_where_origins_match(void)
{
    CHECK(gives("\"fields\": {\"total\": {\"at\": \"/t\", \"origin\": "
                "\"gateway_receipt\"}, \"upstream_headers\": \"/h\", "
                "\"first_chunk\": {\"at\": \"/f\", \"origin\": "
                "\"gateway_receipt\"}}",
                "{\"t\":9,\"h\":2,\"f\":3}\n",
                " upstream_headers_ms=2000000 total_handler_ms=9000000 "
                "first_chunk@gateway_receipt>first_body_chunk=3000000"));
    CHECK(lacks("\"fields\": {\"total\": {\"at\": \"/t\", \"origin\": "
                "\"span_start\"}}",
                "{\"t\":9}\n", "total_handler_ms"));
    /* from the receipt, in a trace that counts from elsewhere */
    CHECK(gives("\"fields\": {\"first_response_ms\": \"/f\", \"total\": "
                "{\"at\": \"/t\", \"origin\": \"span_start\"}}",
                "{\"t\":9,\"f\":1}\n", "!value_ignored=1"));
    CHECK(gives("\"fields\": {\"auth_ms\": \"/a\", \"first_response_ms\": "
                "\"/f\", \"upstream_start_ms\": \"/s\", "
                "\"upstream_headers_ms\": \"/h\"}",
                "{\"f\":10,\"a\":1,\"s\":2,\"h\":4}\n",
                " auth_ms=1000000 upstream_start_ms=2000000 "
                "upstream_headers_ms=4000000 first_response_ms=10000000"));
}

static void resolutions_are_kept(void)
{
    CHECK(gives(FIELD("\"at\": \"/v\", \"unit\": \"s\", \"resolution_ms\": "
                      "1000"),
                "{\"v\":2}\n", "=2000000000~1000000000"));
    CHECK(strstr(dump_text(&d), "!coarse_resolution=1") != NULL);
}

static void the_end_minus_the_total_is_the_start(void)
{
    const char *m = "\"fields\": {\"time\": {\"at\": \"/t\", \"side\": "
                    "\"end\"}, \"total\": {\"at\": \"/d\", \"unit\": \"s\", "
                    "\"origin\": \"%s\"}}";
    char members[256];

    snprintf(members, sizeof members, m, "gateway_receipt");
    CHECK(gives(members, "{\"t\":1790000010,\"d\":10}\n",
                " time=1790000000000000000"));
    snprintf(members, sizeof members, m, "relay_start");
    CHECK(gives(members, "{\"t\":1790000010,\"d\":10}\n",
                " time=1790000010000000000"));
    CHECK(strstr(dump_text(&d), "!time_is_end=1") != NULL);
}

static void late_first_chunks_are_suspect(void)
{
    const char *m =
        "\"fields\": {\"first_chunk\": {\"between\": [\"/s\", \"/f\"], "
        "\"origin\": \"relay_start\", \"plausible\": {\"end\": \"/e\", "
        "\"tokens\": \"/n\"}}}";
    static const struct {
        const char *line;
        int suspect;
    } rows[] = {
        {"{\"s\":1790000000,\"f\":1790000001,\"e\":1790000010,\"n\":99}", 0},
        {"{\"s\":1790000000,\"f\":1790000010,\"e\":1790000010,\"n\":1}", 1},
        {"{\"s\":1790000000,\"f\":1790000011,\"e\":1790000010}", 1},
        {"{\"s\":1790000000,\"f\":1790000009.95,\"e\":1790000010,\"n\":99}",
         1},
        {"{\"s\":1790000000,\"f\":1790000009.95,\"e\":1790000010,\"n\":9}", 0},
        {"{\"s\":1790000000,\"f\":1790000009.95,\"e\":1790000010}", 0},
        {"{\"s\":1790000000,\"f\":1790000001,\"e\":1789999999,\"n\":99}", 0},
        {"{\"s\":1790000000,\"f\":1790000000.096,\"e\":1790000000.1,"
         "\"n\":99}",
         1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[128];
        const char *text;

        snprintf(line, sizeof line, "%s\n", rows[i].line);
        text = map_over(m, line);
        CHECK_INT(strstr(text, "first_chunk_suspect") != NULL,
                  rows[i].suspect);
        CHECK_INT(strstr(text, "first_chunk@") != NULL, !rows[i].suspect);
    }
}

static void end_reasons_make_outcomes(void)
{
    static const struct {
        const char *word, *outcome;
    } rows[] = {
        {"done", "complete"},
        {"client_gone", "cancelled"},
        {"timeout", "timeout"},
        {"upstream_timeout", "timeout"},
        {"queue_timeout", "timeout"},
        {"upstream_closed", "incomplete"},
        {"upstream_reset", "incomplete"},
        {"error", "error"},
        {"rate_limited", "rate_limited"},
        {"unfinished", "unknown"},
    };

    CHECK_INT(sizeof rows / sizeof *rows, ait_map_end_count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char members[256], want[32];

        snprintf(members, sizeof members,
                 "\"end_reason\": {\"at\": \"/e\", \"enum\": {\"x\": "
                 "\"%s\"}}, \"fields\": {\"model\": \"/m\"}",
                 rows[i].word);
        snprintf(want, sizeof want, "trace %s ", rows[i].outcome);
        CHECK(gives(members, "{\"e\":\"x\",\"m\":1}\n", want));
    }
    CHECK(gives("\"end_reason\": [{\"is\": \"client_gone\", \"when\": "
                "{\"at\": \"/t\", \"contains\": \"went away\"}}], "
                "\"fields\": {\"model\": \"/m\"}",
                "{\"t\":\"SECRET went away\",\"m\":1}\n", "trace cancelled"));
    CHECK(!strstr(dump_text(&d), "SECRET"));
}

static void attempts_come_from_lists(void)
{
    const char *m = "\"fields\": {\"status\": \"/st\"}, \"tries\": "
                    "{\"count\": [\"/a\", \"/s\"], \"status\": {\"at\": "
                    "\"/s\"}, \"headers\": {\"at\": \"/h\", \"unit\": "
                    "\"s\"}, \"none_if\": {\"at\": \"/a\", \"type\": "
                    "\"null\"}}";

    CHECK(gives(m,
                "{\"st\":200,\"a\":\"x, y\",\"s\":\"429, 200\","
                "\"h\":\"-, 0.5\"}\n",
                " [1 status=429 1 -] [2 status=200 headers=500000000 7 -]"));
    CHECK(strstr(dump_text(&d), " retries=1") != NULL);
    CHECK(gives(m, "{\"a\":\"-\"}\n", " retries=0"));
    CHECK(!strchr(dump_text(&d), '['));
    CHECK(gives(m, "{\"a\":\"\"}\n", " retries=0"));
    CHECK(gives(m, "{\"a\":null,\"s\":\"200\"}\n", " retries=0"));
    CHECK(lacks(m, "{\"st\":200}\n", "retries"));
}

static void attempts_come_from_objects(void)
{
    const char *m = "\"fields\": {\"time\": \"/t\"}, \"tries\": {\"count\": "
                    "\"/l\", \"start\": {\"at\": \"/l\", \"item\": \"/b\", "
                    "\"unit\": \"ms\"}, \"status\": {\"at\": \"/l\", "
                    "\"item\": \"/c\"}, \"channel\": {\"at\": \"/l\", "
                    "\"item\": \"/n\"}}";

    CHECK(gives(m,
                "{\"t\":1790000000000,\"l\":[{\"b\":1790000000005,"
                "\"c\":502,\"n\":\"x\"},{\"b\":1790000000105}]}\n",
                " [1 status=502 start=5000000 2 -] [2 start=105000000 7 -]"));
    CHECK(strstr(dump_text(&d), " upstream_start_ms=105000000") != NULL);
}

static void counts_that_do_not_add_up_are_none(void)
{
    const char *m = "\"total_tokens\": \"/t\", \"fields\": "
                    "{\"prompt_tokens\": \"/p\", \"completion_tokens\": "
                    "\"/c\"}";

    CHECK(gives(m, "{\"p\":1,\"c\":2,\"t\":3}\n", "output_tokens=2"));
    CHECK(gives(m, "{\"p\":1,\"c\":2}\n", "output_tokens=2"));
    CHECK(gives(m, "{\"p\":1,\"c\":2,\"t\":4}\n", "!usage_inconsistent=1"));
    CHECK(!strstr(dump_text(&d), "output_tokens"));
}

static void wrong_kinds_are_counted(void)
{
    CHECK(gives("\"fields\": {\"model\": \"/m\", \"status\": \"/s\", "
                "\"time\": \"/t\", \"stream\": \"/b\", \"error_code\": "
                "\"/e\", \"max_tokens\": \"/x\"}",
                "{\"m\":{},\"s\":\"high\",\"t\":\"noon\",\"b\":[],"
                "\"e\":\"SECRET words!\",\"x\":\"many\"}\n",
                "!value_ignored=6"));
    CHECK(!strstr(dump_text(&d), "SECRET"));
    CHECK(lacks("\"fields\": {\"status\": \"/s\"}", "{\"s\":0}\n", "status"));
    CHECK(gives("\"fields\": {\"model\": \"/m\"}", "{\"m\":1,\"m\":2}\n",
                "!duplicate_key=1"));
}

/* ---- what is refused ------------------------------------------------- */

static const struct {
    const char *text;
    int line, column;
    const char *reason, *permitted;
} mistakes[] = {
    {"{\n \"aitrace_map\": 1,\n \"nam\": \"x\"}", 3, 3, "not known", "name"},
    {"[]", 1, 1, "object", NULL},
    {"{\"name\": \"x\", \"fields\": {}}", 1, 1, "aitrace_map", NULL},
    {"{\"aitrace_map\": 2}", 1, 17, "version 1", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"a b\"}", 1, 29, "letters", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\"}", 1, 1, "fields", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"prompt\": "
     "\"/p\"}}",
     2, 13, "not a target", "prompt_tokens"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"response\": "
     "\"/p\"}}",
     2, 13, "never", "model"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"p\"}}",
     2, 22, "slash", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "{}}}",
     2, 21, "where from", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"total\": "
     "\"/t\"}}",
     2, 22, "origin", "gateway_receipt"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"total\": "
     "{\"at\": \"/t\", \"origin\": \"here\"}}}",
     2, 45, "not a word", "relay_start"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"total\": "
     "{\"at\": \"/t\", \"unit\": \"min\"}}}",
     2, 43, "not a unit", "duration_string"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"time\": "
     "{\"at\": \"/t\", \"format\": \"%H\"}}}",
     2, 44, "time format", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"end_reason\": {\"at\": "
     "\"/t\", \"enum\": {\"a\": \"ended\"}}, \"fields\": {}}",
     2, 43, "not an end reason", "client_gone"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"detect\": {\"all\": "
     "[{\"at\": \"/t\", \"type\": \"text\"}]}, \"fields\": {}}",
     2, 42, "not a type", "numeric"},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "{\"attr\": \"k\"}}}",
     2, 31, "attributes", NULL},
    {"{\"aitrace_map\": 1,\n  \"name\": }", 2, 11, "", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"/a\\u0000b\"}}",
     2, 22, "zero byte", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"/a\", \"model\": \"/b\"}}",
     2, 28, "twice", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"name\": \"y\"}", 1, 21,
     "twice", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"title\": \"\\u001b[1m\"}",
     2, 11, "control", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"queue\": "
     "{\"at\": \"/q\", \"resolution_ms\": -1}}}",
     2, 51, "milliseconds", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"line\": {\"pattern\": "
     "\"a %{b}\", \"must\": \"a\"}}",
     2, 9, "%{json}", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"/a/\"}}",
     2, 22, "empty key", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"/a~2\"}}",
     2, 22, "~0", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": {\"model\": "
     "\"/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g\"}}",
     2, 22, "too deep", NULL},
    {"{\"aitrace_map\": 1, \"name\": \"x\", \"attributes\": \"/a\",\n"
     "\"fields\": {\"model\": {\"attr\": \"\"}}}",
     2, 31, "1 to", NULL},
};

static void mistakes_are_shown(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        ait_buf permitted;
        ait_error err;
        ait_map *m;

        ait_buf_init(&permitted, 1 << 16);
        ait_buf_adds(&permitted, "");
        ait_error_clear(&err);
        m = ait_map_read("m.json", mistakes[i].text, strlen(mistakes[i].text),
                         &permitted, &err);
        CHECK(m == NULL);
        CHECK_INT(err.code, AIT_EUSAGE);
        CHECK_INT(err.line, mistakes[i].line);
        CHECK_INT(err.column, mistakes[i].column);
        CHECK_TEXT(err.source, "m.json");
        if (!CHECK(strstr(err.reason, mistakes[i].reason) != NULL))
            printf("# %s\n", err.reason);
        if (mistakes[i].permitted)
            CHECK(strstr(permitted.data, mistakes[i].permitted) != NULL);
        ait_buf_free(&permitted);
    }
}

static void too_much_is_refused(void)
{
    ait_buf text;
    ait_error err;

    ait_buf_init(&text, 1 << 20);
    ait_buf_adds(&text, "{\"aitrace_map\": 1, \"name\": \"x\", \"fields\": "
                        "{\"model\": [\"/a\"");
    for (int i = 0; i < 200; i++)
        ait_buf_addf(&text, ", \"/p%d\"", i);
    ait_buf_adds(&text, "]}}");
    CHECK(!ait_map_read("m", text.data, text.len, NULL, &err));
    CHECK(strstr(err.reason, "places") != NULL);
    ait_buf_free(&text);
}

/* A list is asked for item by item: one that no request can have is not gone
 * through. */
static void endless_lists_are_ignored(void)
{
    const char *m = "\"fields\": {\"lost_attempts\": {\"at\": \"/s\", "
                    "\"list\": \"lost\", \"origin\": \"upstream_start\"}}, "
                    "\"tries\": {\"count\": \"/s\"}";
    ait_buf line;

    ait_buf_init(&line, 1 << 20);
    ait_buf_adds(&line, "{\"s\":\"1");
    for (int i = 1; i < AIT_MAP_ITEMS; i++)
        ait_buf_adds(&line, ", 1");
    ait_buf_adds(&line, "\"}\n");
    CHECK(gives(m, line.data, " retries=99"));
    CHECK(lacks(m, line.data, "value_ignored"));
    ait_buf_clear(&line);
    ait_buf_adds(&line, "{\"s\":\"1");
    for (int i = 0; i < 200000; i++)
        ait_buf_adds(&line, ", 1");
    ait_buf_adds(&line, "\"}\n");
    CHECK(gives(m, line.data, "value_ignored=2"));
    CHECK(lacks(m, line.data, "retries"));
    ait_buf_free(&line);
}

static void memory_may_end_anywhere(void)
{
    const char *text =
        "{\"aitrace_map\": 1, \"name\": \"x\", \"parse_json_at\": [\"/o\"], "
        "\"detect\": {\"all\": [\"/a\"]}, \"fields\": {\"model\": {\"at\": "
        "\"/a\", \"enum\": {\"a\": \"b\"}}}, \"tries\": {\"count\": "
        "\"/l\"}, \"samples\": []}";
    bool done = false;

    for (long n = 1; n < 200 && !done; n++) {
        ait_error err;
        ait_map *m;

        ait_mem_fail_after(n);
        m = ait_map_read("m", text, strlen(text), NULL, &err);
        ait_mem_fail_after(0);
        done = m != NULL;
        if (!m)
            CHECK_INT(err.code, AIT_ENOMEM);
        ait_map_free(m);
    }
    CHECK(done);
}

int main(void)
{
    RUN(units_are_honoured);
    RUN(the_first_place_with_a_value_counts);
    RUN(absent_values_are_absent);
    RUN(sums_need_every_term);
    RUN(members_of_an_object_are_added);
    RUN(times_between_make_durations);
    RUN(lists_are_split);
    RUN(words_are_translated);
    RUN(conditions_decide);
    RUN(records_are_skipped_or_taken);
    RUN(strings_that_are_json_are_entered);
    RUN(a_list_of_records_is_walked);
    RUN(fields_are_filled_where_origins_match);
    RUN(resolutions_are_kept);
    RUN(the_end_minus_the_total_is_the_start);
    RUN(late_first_chunks_are_suspect);
    RUN(end_reasons_make_outcomes);
    RUN(attempts_come_from_lists);
    RUN(attempts_come_from_objects);
    RUN(counts_that_do_not_add_up_are_none);
    RUN(wrong_kinds_are_counted);
    RUN(mistakes_are_shown);
    RUN(too_much_is_refused);
    RUN(endless_lists_are_ignored);
    RUN(memory_may_end_anywhere);
    dump_free(&d);
    return t_done();
}
