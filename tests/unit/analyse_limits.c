/* Limits: defaults, reading a file of them, and what errors say. */
#include "analyse_trace.h"

static ait_thresholds limits;
static ait_error err;

static ait_code from(const char *json)
{
    ait_thresholds_init(&limits);
    ait_error_clear(&err);
    return ait_thresholds_read(&limits, json, strlen(json), "my.json", &err);
}

static void defaults_are_those_of_the_manual(void)
{
    ait_thresholds_init(&limits);
    CHECK_INT(limits.value[AIT_L_HEADERS_SLOW_MS], 2000 * MS);
    CHECK_INT(limits.value[AIT_L_FIRST_RESPONSE_SLOW_MS], 3000 * MS);
    CHECK_INT(limits.value[AIT_L_SLOW_DECODE_TPS], 15000);
    CHECK_INT(limits.value[AIT_L_BURSTY_EVENTS], 5);
    CHECK_INT(limits.value[AIT_L_BURSTY_READ_RATIO], 250);
    CHECK_INT(limits.value[AIT_L_BUFFERED_SHARE], 50);
    CHECK_INT(limits.value[AIT_L_SHARE], 500);
    CHECK_INT(limits.value[AIT_L_SHARE_FLOOR_MS], 500 * MS);
    for (int i = 0; i < AIT_L_COUNT; i++)
        CHECK(ait_limits[i].name && ait_limits[i].what);
}

static void values_are_read_by_their_unit(void)
{
    CHECK_INT(from("{\"headers_slow_ms\": 1500.5, \"slow_decode_tps\": 20, "
                   "\"bursty_events\": 7, \"share\": 0.333,\n"
                   " \"bursty_silence_ms\": 0}"), AIT_OK);
    CHECK_INT(limits.value[AIT_L_HEADERS_SLOW_MS], 1500500000);
    CHECK_INT(limits.value[AIT_L_SLOW_DECODE_TPS], 20000);
    CHECK_INT(limits.value[AIT_L_BURSTY_EVENTS], 7);
    CHECK_INT(limits.value[AIT_L_SHARE], 333);
    CHECK_INT(limits.value[AIT_L_BURSTY_SILENCE_MS], 0);
    CHECK_INT(limits.value[AIT_L_LOCAL_OVERHEAD_MS], 1000 * MS);
    CHECK_INT(from("{}"), AIT_OK);
}

static void unknown_keys_name_the_nearest(void)
{
    CHECK_INT(from("{\"share\": 0.4,\n  \"header_slow_ms\": 1}"),
              AIT_EUSAGE);
    CHECK(strstr(err.message, "header_slow_ms") != NULL);
    CHECK(strstr(err.hint, "headers_slow_ms") != NULL);
    CHECK_TEXT(err.source, "my.json");
    CHECK_INT(err.line, 2);
    CHECK_INT(err.column, 4);
    CHECK_INT(limits.value[AIT_L_SHARE], 500); /* nothing was taken over */
    CHECK_INT(from("{\"zzzzzzzzzzzzzzz\": 1}"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "");
    CHECK_INT(from("{\"a\\u001b[31mb\": 1}"), AIT_EUSAGE);
    CHECK(strchr(err.message, 27) == NULL);
}

static void bad_values_are_explained(void)
{
    static const struct {
        const char *json, *reason;
    } cases[] = {
        {"{\"share\": \"0.5\"}", "it is not a number"},
        {"{\"share\": null}", "it is not a number"},
        {"{\"share\": true}", "it is not a number"},
        {"{\"share\": {}}", "it is not a number"},
        {"{\"share\": -0.5}", "it is negative"},
        {"{\"bursty_share\": 1.001}", "a share is at most 1"},
        {"{\"bursty_read_ratio\": 25}", "a share is at most 1"},
        {"{\"headers_slow_ms\": -1}", "it is negative"},
        {"{\"headers_slow_ms\": 1e30}", "it is too large"},
        {"{\"bursty_events\": 2.5}", "it is not a whole number"},
        {"{\"bursty_events\": -2}", "it is negative"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(from(cases[i].json), AIT_EUSAGE);
        CHECK_TEXT(err.reason, cases[i].reason);
        CHECK_INT(err.line, 1);
        CHECK(err.column > 10);
        CHECK(err.hint[0] != '\0');
    }
}

static void what_is_no_object_is_refused(void)
{
    static const char *const bad[] = {"", "[]", "3", "{\"share\": 0.5",
                                      "{\"share\": 0.5} x", "{share: 1}",
                                      "{\"share\": 0.5,}"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(from(bad[i]), AIT_EUSAGE);
        CHECK(err.message[0] && err.line == 1);
        CHECK(strstr(err.hint, "headers_slow_ms") != NULL);
    }
}

static void limits_move_the_rules(void)
{
    ait_verdict v;
    ait_trace t;

    good_capture(&t);
    CHECK_INT(from("{\"headers_slow_ms\": 188}"), AIT_OK);
    ait_judge(&t, &limits, &v);
    CHECK(found(&v, AIT_R_HEADERS_SLOW) != NULL);
    CHECK_INT(crossed(found(&v, AIT_R_HEADERS_SLOW), "headers_slow_ms"),
              188 * MS);
    CHECK_INT(from("{\"headers_slow_ms\": 188.001}"), AIT_OK);
    ait_judge(&t, &limits, &v);
    CHECK(!found(&v, AIT_R_HEADERS_SLOW));
    CHECK_INT(from("{\"share\": 0.14, \"share_floor_ms\": 100}"), AIT_OK);
    ait_judge(&t, &limits, &v);
    CHECK(found(&v, AIT_R_HEADERS_SLOW) != NULL);
    ait_trace_free(&t);
}

static void out_of_memory_is_said(void)
{
    ait_mem_fail_after(1);
    CHECK_INT(from("{\"share\": 0.5}"), AIT_ENOMEM);
    ait_mem_fail_after(0);
    CHECK_INT(from("{\"share\": 0.5}"), AIT_OK);
}

int main(void)
{
    RUN(defaults_are_those_of_the_manual);
    RUN(values_are_read_by_their_unit);
    RUN(unknown_keys_name_the_nearest);
    RUN(bad_values_are_explained);
    RUN(what_is_no_object_is_refused);
    RUN(limits_move_the_rules);
    RUN(out_of_memory_is_said);
    return t_done();
}
