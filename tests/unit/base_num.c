/* Numbers digit by digit, times by arithmetic: exact or refused. */
#include "base/num.h"

#include <stdlib.h>
#include <time.h>

#include "harness.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void sums_know_absence_and_overflow(void)
{
    CHECK_INT(ait_plus(2, 3), 5);
    CHECK_INT(ait_minus(2, 3), -1);
    CHECK_INT(ait_plus(AIT_ABSENT, 3), AIT_ABSENT);
    CHECK_INT(ait_plus(3, AIT_ABSENT), AIT_ABSENT);
    CHECK_INT(ait_minus(AIT_ABSENT, 3), AIT_ABSENT);
    CHECK_INT(ait_minus(3, AIT_ABSENT), AIT_ABSENT);
    CHECK_INT(ait_minus(AIT_ABSENT, AIT_ABSENT), AIT_ABSENT);
    CHECK_INT(ait_plus(INT64_MAX, 1), AIT_ABSENT);
    CHECK_INT(ait_plus(INT64_MAX, 0), INT64_MAX);
    CHECK_INT(ait_plus(-INT64_MAX, -2), AIT_ABSENT);
    CHECK_INT(ait_minus(-INT64_MAX, 2), AIT_ABSENT);
    CHECK_INT(ait_minus(-2, INT64_MAX), AIT_ABSENT);
    CHECK_INT(ait_minus(INT64_MAX, INT64_MAX), 0);
}

/* A number's text, scale, and what it gives; REFUSED for false. */
#define REFUSED AIT_ABSENT

typedef struct number_case {
    const char *text;
    int64_t scale, want;
} number_case;

static const number_case integers[] = {
    {"0", 1, 0},
    {"-0", 1, 0},
    {"7", 1, 7},
    {"-12", 1, -12},
    {"999999999999999999", 1, 999999999999999999},
    {"1000000000000000000", 1, 1000000000000000000},
    {"9223372036854775807", 1, INT64_MAX},
    {"-9223372036854775807", 1, -INT64_MAX},
    {"1.0", 1, 1},
    {"1.000000", 1, 1},
    {"2e3", 1, 2000},
    {"2E+3", 1, 2000},
    {"1.5e1", 1, 15},
    {"1500e-2", 1, 15},
    {"922337203685477580.7e1", 1, INT64_MAX},
    {"0e999999999999999999999", 1, 0},
    {"0.000e-99999999999999999999", 1, 0},
    /* not integers */
    {"1.5", 1, REFUSED},
    {"15e-1", 1, REFUSED},
    {"1e-1", 1, REFUSED},
    {"1e-30", 1, REFUSED},
    /* beyond 64 bits; the smallest int64 stands for "absent" */
    {"9223372036854775808", 1, REFUSED},
    {"-9223372036854775808", 1, REFUSED},
    {"99999999999999999999", 1, REFUSED},
    {"1e19", 1, REFUSED},
    {"1e99999999999999999999", 1, REFUSED},
    /* no numbers */
    {"", 1, REFUSED},
    {"-", 1, REFUSED},
    {"+1", 1, REFUSED},
    {"01", 1, REFUSED},
    {"-01", 1, REFUSED},
    {"00", 1, REFUSED},
    {"1.", 1, REFUSED},
    {".5", 1, REFUSED},
    {"1e", 1, REFUSED},
    {"1e+", 1, REFUSED},
    {"1e-", 1, REFUSED},
    {"1e1x", 1, REFUSED},
    {"1x", 1, REFUSED},
    {" 1", 1, REFUSED},
    {"1 ", 1, REFUSED},
    {"--1", 1, REFUSED},
    {"0x10", 1, REFUSED},
    {"1_000", 1, REFUSED},
    {"NaN", 1, REFUSED},
    {"Infinity", 1, REFUSED},
};

static const number_case decimals[] = {
    {"1.5", 1000000, 1500000},
    {"0.1", 1000000000, 100000000},
    {"0.30000000000000004", 1000, 300},
    {"1234.5678", 1000, 1234568},
    {"0.0005", 1000, 1},
    {"0.00049999999999999999999", 1000, 0},
    {"-0.0005", 1000, -1},
    {"-0.0004", 1000, 0},
    {"2.5", 1, 3},
    {"-2.5", 1, -3},
    {"0.5", 1, 1},
    {"0.05", 1, 0},
    {"0.49", 1, 0},
    {"5e-1", 1, 1},
    {"5e-2", 1, 0},
    {"9e-99999999999", 1000, 0},
    {"1e3", 1000, 1000000},
    {"1.7e-3", 1000000, 1700},
    {"1790985600.123456789", 1000000000, 1790985600123456789},
    {"9223372036.854775807", 1000000000, INT64_MAX},
    {"9223372036.8547758074", 1000000000, INT64_MAX},
    {"1e-18", 1000000000000000000, 1},
    {"9.223372036854775807", 1000000000000000000, INT64_MAX},
    {"9223372036.8547758075", 1000000000, REFUSED},
    {"9223372036.854775808", 1000000000, REFUSED},
    {"10", 1000000000000000000, REFUSED},
    {"9999999999", 1000000000, REFUSED}, /* short, and too large */
    {"1.", 1000, REFUSED},
    {"1.2.3", 1000, REFUSED},
    {"", 1000, REFUSED},
    {"1,5", 1000, REFUSED},
};

/* Texts are handed over without a terminator behind them, so that a read
 * past the end shows under the sanitizers. */
static char *bare(const char *text, size_t n)
{
    char *copy = malloc(n ? n : 1);

    if (copy && n)
        memcpy(copy, text, n);
    return copy;
}

static void integers_are_exact_or_refused(void)
{
    for (size_t i = 0; i < COUNT(integers); i++) {
        const number_case *c = &integers[i];
        char *text = bare(c->text, strlen(c->text));
        int64_t v = 77;
        bool ok = ait_int_read(text, strlen(c->text), &v);
        if (!CHECK_INT(ok ? v : REFUSED, c->want) || (!ok && v != 77))
            printf("# integer %s\n", c->text);
        CHECK(ok || v == 77);
        free(text);
    }
}

static void decimals_round_half_away(void)
{
    for (size_t i = 0; i < COUNT(decimals); i++) {
        const number_case *c = &decimals[i];
        char *text = bare(c->text, strlen(c->text));
        int64_t v = 77;
        bool ok = ait_decimal_read(text, strlen(c->text), c->scale, &v);
        if (!CHECK_INT(ok ? v : REFUSED, c->want))
            printf("# decimal %s\n", c->text);
        CHECK(ok || v == 77);
        free(text);
    }
}

static void long_numbers_cost_no_precision(void)
{
    static char text[4000];
    int64_t v;

    memset(text, '0', sizeof text);
    text[1] = '.';
    memcpy(text + 3000, "123e3001", 8);
    CHECK(ait_decimal_read(text, 3008, 1, &v));
    CHECK_INT(v, 123);
    memset(text, '9', sizeof text);
    CHECK(!ait_int_read(text, sizeof text, &v));
    memcpy(text + 3990, "e-3985", 6);
    CHECK(ait_decimal_read(text, 3996, 1, &v));
    CHECK_INT(v, 100000);
}

typedef struct text_case {
    int64_t value, scale;
    int places;
    const char *want;
} text_case;

static void numbers_are_written_short(void)
{
    static const text_case cases[] = {
        {1249000000, 1000000, 3, "1249"},
        {1249500000, 1000000, 3, "1249.5"},
        {1249123456, 1000000, 3, "1249.123"},
        {1249123500, 1000000, 3, "1249.124"},
        {1249999999, 1000000, 3, "1250"},
        {499, 1000000, 3, "0"},
        {500, 1000000, 3, "0.001"},
        {-499, 1000000, 3, "0"},
        {-500, 1000000, 3, "-0.001"},
        {-1500000, 1000000, 3, "-1.5"},
        {5, 10, 0, "1"},
        {0, 1000000, 3, "0"},
        {0, 1, 0, "0"},
        {100, 1, 0, "100"},
        {100, 1, 3, "100"},
        {10, 1000, 3, "0.01"},
        {INT64_MAX, 1, 0, "9223372036854775807"},
        {-INT64_MAX, 1, 0, "-9223372036854775807"},
        {INT64_MAX, 1000000000000000000, 18, "9.223372036854775807"},
        {1, 1000000000000000000, 18, "0.000000000000000001"},
        {INT64_MAX, 1000000000000000000, 0, "9"},
        {AIT_ABSENT, 1, 0, "-"},
    };
    char out[32];

    for (size_t i = 0; i < COUNT(cases); i++) {
        const text_case *c = &cases[i];
        size_t n = ait_decimal_text(c->value, c->scale, c->places, out);
        CHECK_TEXT(out, c->want);
        CHECK_INT(n, strlen(c->want));
    }
}

static void numbers_come_back(void)
{
    uint64_t seed = 12345;
    char out[32];

    for (int i = 0; i < 20000; i++) {
        int64_t v, back;
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        v = (int64_t)(seed >> (1 + i % 62));
        v = i % 2 ? -v : v;
        size_t n = ait_decimal_text(v, 1000000000, 9, out);
        CHECK(ait_decimal_read(out, n, 1000000000, &back));
        CHECK_INT(back, v);
        n = ait_decimal_text(v, 1, 0, out);
        CHECK(ait_int_read(out, n, &back));
        CHECK_INT(back, v);
    }
}

typedef struct time_case {
    const char *text;
    int64_t want;
    bool has_zone;
} time_case;

static const time_case times[] = {
    {"1970-01-01T00:00:00Z", 0, true},
    {"1970-01-01T00:00:00.000000001Z", 1, true},
    {"1969-12-31T23:59:59.999999999Z", -1, true},
    {"2026-10-03T12:00:00Z", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-03 12:00:00", INT64_C(1791028800) * AIT_SEC, false},
    {"2026-10-03t12:00:00z", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-03T12:00:00.5Z",
     INT64_C(1791028800) * AIT_SEC + 500000000, true},
    {"2026-10-03 12:00:00,123",
     INT64_C(1791028800) * AIT_SEC + 123000000, false},
    {"2026-10-03T12:00:00.1234567899999Z",
     INT64_C(1791028800) * AIT_SEC + 123456789, true},
    {"2026-10-03T14:00:00+02:00", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-03T14:00:00+0200", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-03T17:30:00+05:30", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-02T23:59:00-12:01", INT64_C(1791028800) * AIT_SEC, true},
    {"2026-10-03T12:00:00-00:00", INT64_C(1791028800) * AIT_SEC, true},
    {"2000-02-29T00:00:00Z", INT64_C(951782400) * AIT_SEC, true},
    {"2024-02-29T00:00:00Z", INT64_C(1709164800) * AIT_SEC, true},
    {"1700-03-01T00:00:00Z", INT64_C(-8515238400) * AIT_SEC, true},
    {"2262-04-11T23:47:15.999999999Z",
     INT64_C(9223372035999999999), true},
    {"1677-09-21T00:12:44Z", INT64_C(-9223372036) * AIT_SEC, true},
    /* a leap second is held at its day's last nanosecond */
    {"2016-12-31T23:59:60Z", INT64_C(1483228800) * AIT_SEC - 1, true},
    {"2016-12-31T23:59:60.5Z", INT64_C(1483228800) * AIT_SEC - 1, true},
    {"2017-01-01T05:29:60+05:30", INT64_C(1483228800) * AIT_SEC - 1, true},
};

static const char *const no_times[] = {
    "",
    "2026",
    "2026-10-03",
    "2026-10-03T12:00",
    "2026-10-03T12:00:00+",
    "2026-10-03T12:00:00+02",
    "2026-10-03T12:00:00+2:00",
    "2026-10-03T12:00:00+24:00",
    "2026-10-03T12:00:00+02:60",
    "2026-10-03T12:00:00+02:00x",
    "2026-10-03T12:00:00Zx",
    "2026-10-03T12:00:00 Z",
    "2026-10-03T12:00:00.Z",
    "2026-10-03T12:00:00.",
    "2026-10-03T12:00:00UTC",
    "2026-10-03_12:00:00Z",
    "2026/10/03T12:00:00Z",
    "26-10-03T12:00:00Z",
    "02026-10-03T12:00:00Z",
    "+026-10-03T12:00:00Z",
    "0000-10-03T12:00:00Z",
    "2026-00-03T12:00:00Z",
    "2026-13-03T12:00:00Z",
    "2026-10-00T12:00:00Z",
    "2026-10-32T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-02-29T12:00:00Z",
    "1900-02-29T12:00:00Z",
    "2100-02-29T12:00:00Z",
    "2026-10-03T24:00:00Z",
    "2026-10-03T12:60:00Z",
    "2026-10-03T12:00:61Z",
    "2026-10-03T12:00:60Z",
    "2026-12-31T23:59:60+01:00",
    " 2026-10-03T12:00:00Z",
    "2026-10-03T1a:00:00Z",
    "1677-09-21T00:12:43Z",
    "2262-04-11T23:47:16Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
};

static void times_are_read(void)
{
    for (size_t i = 0; i < COUNT(times); i++) {
        const time_case *c = &times[i];
        size_t n = strlen(c->text);
        char *text = bare(c->text, n);
        bool zone = !c->has_zone;
        int64_t ns = 77;
        if (!CHECK(ait_time_read(text, n, &ns, &zone)) ||
            !CHECK_INT(ns, c->want) || !CHECK_INT(zone, c->has_zone))
            printf("# time %s\n", c->text);
        free(text);
    }
}

static void what_is_no_time_is_refused(void)
{
    for (size_t i = 0; i < COUNT(no_times); i++) {
        size_t n = strlen(no_times[i]);
        char *text = bare(no_times[i], n);
        bool zone = true;
        int64_t ns = 77;
        if (!CHECK(!ait_time_read(text, n, &ns, &zone)) || ns != 77)
            printf("# no time: %s\n", no_times[i]);
        CHECK_INT(ns, 77);
        free(text);
    }
    CHECK(!ait_time_read("2026-10-03T12:00:00\0", 20, &(int64_t){0},
                         &(bool){false}));
}

static void times_do_not_depend_on_the_zone(void)
{
    static const char *const zones[] = {"UTC0", "EST5EDT", "XYZ-14"};
    int64_t ns;
    bool zone;
    char out[48];

    for (size_t i = 0; i < COUNT(zones); i++) {
        setenv("TZ", zones[i], 1);
        tzset();
        CHECK(ait_time_read("2026-07-01 00:00:00", 19, &ns, &zone));
        CHECK_INT(ns, INT64_C(1782864000) * AIT_SEC);
        ait_time_text(ns, 0, false, out);
        CHECK_TEXT(out, "2026-07-01T00:00:00Z");
    }
}

static void local_times_carry_their_offset(void)
{
    int64_t ns = INT64_C(1782864000) * AIT_SEC + 5 * AIT_MS, back;
    char out[48];
    bool zone;

    setenv("TZ", "NST3:30", 1);
    tzset();
    size_t n = ait_time_text(ns, 3, true, out);
    CHECK_TEXT(out, "2026-06-30T20:30:00.005-03:30");
    CHECK(ait_time_read(out, n, &back, &zone));
    CHECK_INT(back, ns);
    setenv("TZ", "ABC-13:45", 1);
    tzset();
    ait_time_text(ns, 0, true, out);
    CHECK_TEXT(out, "2026-07-01T13:45:00+13:45");
    setenv("TZ", "UTC0", 1);
    tzset();
    ait_time_text(ns, 0, true, out);
    CHECK_TEXT(out, "2026-07-01T00:00:00+00:00");
}

static void times_are_cut_not_rounded(void)
{
    int64_t ns = INT64_C(1791028800) * AIT_SEC + 999999999;
    char out[48];

    CHECK_INT(ait_time_text(ns, 0, false, out), 20);
    CHECK_TEXT(out, "2026-10-03T12:00:00Z");
    ait_time_text(ns, 3, false, out);
    CHECK_TEXT(out, "2026-10-03T12:00:00.999Z");
    ait_time_text(ns, 6, false, out);
    CHECK_TEXT(out, "2026-10-03T12:00:00.999999Z");
    ait_time_text(ns, 9, false, out);
    CHECK_TEXT(out, "2026-10-03T12:00:00.999999999Z");
    ait_time_text(-1, 3, false, out);
    CHECK_TEXT(out, "1969-12-31T23:59:59.999Z");
    ait_time_text(AIT_ABSENT, 3, false, out);
    CHECK_TEXT(out, "-");
    ait_time_text(INT64_MIN + 1, 0, false, out);
    CHECK_TEXT(out, "1677-09-21T00:12:43Z");
}

/* Every day of the range against the C library's own calendar. */
static void days_agree_with_the_library(void)
{
    const int64_t day = 86400;

    for (int64_t d = -106751; d <= 106751; d++) {
        time_t t = (time_t)(d * day + 3723);
        char want[48], out[48];
        struct tm tm;
        int64_t ns;
        bool zone;
        gmtime_r(&t, &tm);
        strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%SZ", &tm);
        size_t n = ait_time_text((d * day + 3723) * AIT_SEC, 0, false, out);
        if (!CHECK_TEXT(out, want) ||
            !CHECK(ait_time_read(out, n, &ns, &zone)) ||
            !CHECK_INT(ns, (d * day + 3723) * AIT_SEC))
            break;
    }
}

int main(void)
{
    RUN(sums_know_absence_and_overflow);
    RUN(integers_are_exact_or_refused);
    RUN(decimals_round_half_away);
    RUN(long_numbers_cost_no_precision);
    RUN(numbers_are_written_short);
    RUN(numbers_come_back);
    RUN(times_are_read);
    RUN(what_is_no_time_is_refused);
    RUN(times_do_not_depend_on_the_zone);
    RUN(local_times_carry_their_offset);
    RUN(times_are_cut_not_rounded);
    RUN(days_agree_with_the_library);
    return t_done();
}
