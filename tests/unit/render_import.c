/* The import summary as a line and as JSON. */
#include "base/json.h"
#include "harness.h"
#include "render_hand.h"

static ait_file_report report;
static ait_put_counts counts;
static ait_issue_set issues;
static ait_buf out;

static void fresh(void)
{
    memset(&report, 0, sizeof report);
    memset(&issues, 0, sizeof issues);
    counts = (ait_put_counts){10, 0, 0, 12, 4100};
    strcpy(report.format, "native");
    strcpy(report.recognised_by, "content");
    ait_buf_free(&out);
    ait_buf_init(&out, 1 << 20);
}

static const char *line(void)
{
    ait_import_summary s = {"a.jsonl", &report, &counts, &issues};
    ait_buf_clear(&out);
    CHECK(ait_render_import(&out, &s, &hand_style));
    return hand_out(&out);
}

static const char *json(void)
{
    ait_import_summary s = {"a.jsonl", &report, &counts, &issues};
    ait_jsonw w;
    ait_buf_clear(&out);
    ait_jsonw_init(&w, &out, false);
    ait_render_import_json(&w, &s);
    CHECK(!w.failed);
    CHECK(ait_json_valid(hand_out(&out), out.len));
    return hand_out(&out);
}

static void bad_line(int64_t n, const char *why)
{
    ait_places *p = &report.places[AIT_I_BAD_LINE];
    if (p->kept < AIT_PLACES_MAX)
        strcpy(report.bad_reason[p->kept], why);
    ait_places_add(p, n);
    ait_issue_add(&report.issues, AIT_I_BAD_LINE);
    ait_issue_add(&issues, AIT_I_BAD_LINE);
}

static void a_clean_file(void)
{
    fresh();
    CHECK_TEXT(line(), "a.jsonl: native (recognised by content): 10 new "
                       "requests, 12 attempts, 4,100 events\n");
    CHECK_TEXT(json(),
        "{\"file\":\"a.jsonl\",\"format\":\"native\","
        "\"recognised_by\":\"content\",\"requests\":{\"new\":10,"
        "\"present\":0,\"updated\":0},\"attempts\":12,\"events\":4100,"
        "\"bad_lines\":{\"count\":0,\"lines\":[]},\"issues\":[]}");
}

static void the_same_file_again(void)
{
    fresh();
    counts = (ait_put_counts){0, 3, 0, 3, 90};
    CHECK_TEXT(line(), "a.jsonl: native (recognised by content): 3 requests "
                       "already present, nothing changed\n");
    counts = (ait_put_counts){1, 2, 1, 4, 90};
    CHECK_TEXT(line(), "a.jsonl: native (recognised by content): 1 new "
                       "request, 2 already present, 1 updated, 4 attempts, "
                       "90 events\n");
}

static void bad_lines_have_numbers_and_reasons(void)
{
    fresh();
    bad_line(17, "not JSON");
    bad_line(19, "");
    CHECK(strstr(line(), "; 2 bad lines: 17 (not JSON), 19\n") != NULL);
    CHECK(strstr(json(), "\"bad_lines\":{\"count\":2,\"lines\":[17,19]},"
                         "\"issues\":[]}") != NULL);
}

static void at_most_twenty_places_the_count_exact(void)
{
    fresh();
    for (int i = 1; i <= 25; i++)
        bad_line(i, "");
    CHECK(strstr(line(), "; 25 bad lines: 1, 2") != NULL);
    CHECK(strstr(line(), ", 20, ...\n") != NULL);
    CHECK(strstr(json(), "\"count\":25,") != NULL);
    CHECK(strstr(json(), ",20]},") != NULL);
}

static void other_issues_by_name(void)
{
    fresh();
    issues.count[AIT_I_CLOCK_WENT_BACK] = 2;
    issues.count[AIT_I_UNKNOWN_RECORD] = 1;
    ait_places_add(&report.places[AIT_I_UNKNOWN_RECORD], 4);
    ait_places_add(&report.places[AIT_I_CLOCK_WENT_BACK], 0);
    CHECK(strstr(line(), "; clock_went_back 2, unknown_record 1 (line 4)\n")
          != NULL);
    CHECK(strstr(json(), "\"issues\":[{\"id\":\"clock_went_back\","
                         "\"count\":2},{\"id\":\"unknown_record\","
                         "\"count\":1}]}") != NULL);
}

/* The count says how often, the places say where. */
static void one_line_with_many(void)
{
    fresh();
    for (int i = 0; i < 30; i++) {
        ait_places_add(&report.places[AIT_I_DUPLICATE_KEY], 5);
        issues.count[AIT_I_DUPLICATE_KEY]++;
    }
    CHECK(strstr(line(), "; duplicate_key 30 (line 5)\n") != NULL);
}

static void nothing_recognised(void)
{
    fresh();
    report.format[0] = report.recognised_by[0] = '\0';
    memset(&counts, 0, sizeof counts);
    CHECK_TEXT(line(), "a.jsonl: not recognised: 0 new requests, 0 "
                       "attempts, 0 events\n");
    CHECK(strstr(json(), "\"format\":null,\"recognised_by\":null,") != NULL);
}

int main(void)
{
    RUN(a_clean_file);
    RUN(the_same_file_again);
    RUN(bad_lines_have_numbers_and_reasons);
    RUN(at_most_twenty_places_the_count_exact);
    RUN(other_issues_by_name);
    RUN(one_line_with_many);
    RUN(nothing_recognised);
    ait_buf_free(&out);
    return t_done();
}
