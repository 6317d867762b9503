/* Time formats and durations with units. */
#include "input/timeform.h"

#include "base/num.h"
#include "harness.h"

static int64_t at(const char *form, const char *text)
{
    int64_t ns = AIT_ABSENT;
    bool zone = true;

    return ait_time_form_read(form, text, strlen(text), &ns, &zone)
               ? ns
               : AIT_ABSENT;
}

static void formats_are_read(void)
{
    int64_t want = INT64_C(1791014400125000000);

    CHECK_INT(at("%d/%b/%Y:%H:%M:%S.%3f", "03/Oct/2026:08:00:00.125"), want);
    CHECK_INT(at("%Y-%m-%d %H:%M:%S.%f", "2026-10-03 08:00:00.125"), want);
    CHECK_INT(at("%Y%m%d%H%M%S.%f", "20261003080000.12500"), want);
    CHECK_INT(at("[%d/%b/%Y:%H:%M:%S.%f %z]",
                 "[03/Oct/2026:10:00:00.125 +0200]"), want);
    CHECK_INT(at("%Y/%m/%dT%H:%M:%S.%f%z", "2026/10/03T08:00:00.125Z"),
              want);
    CHECK_INT(at("%Y-%m-%dT%H:%M:%S.%f%z", "2026-10-03T03:00:00.125-05:00"),
              want);
}

static void what_does_not_fit_is_refused(void)
{
    static const char *const bad[] = {
        "", "03/Oct/2026:08:00:00", "03/Oct/2026:08:00:00.",
        "03/Okt/2026:08:00:00.1", "3/Oct/2026:08:00:00.1",
        "31/Feb/2026:08:00:00.1", "03/Oct/2026:25:00:00.1",
        "03/Oct/2026:08:00:00.1 ", "x03/Oct/2026:08:00:00.1",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!ait_has(at("%d/%b/%Y:%H:%M:%S.%f", bad[i])));
    CHECK(!ait_has(at("%Y-%m-%dT%H:%M:%S%z", "2026-10-03T03:00:00")));
    CHECK(!ait_has(at("%Y-%m-%dT%H:%M:%S%z", "2026-10-03T03:00:00+1")));
}

static void the_zone_is_told(void)
{
    int64_t ns;
    bool zone;

    CHECK(ait_time_form_read("%Y-%m-%d %H:%M:%S", "2026-10-03 08:00:00", 19,
                             &ns, &zone));
    CHECK(!zone);
    CHECK(ait_time_form_read("%Y-%m-%d %H:%M:%S%z", "2026-10-03 08:00:00Z",
                             20, &ns, &zone));
    CHECK(zone);
}

static void formats_are_judged(void)
{
    CHECK(ait_time_form_valid("%Y-%m-%d %H:%M:%S"));
    CHECK(ait_time_form_valid("%d/%b/%Y:%H:%M:%S.%3f"));
    CHECK(!ait_time_form_valid("%H:%M:%S"));
    CHECK(!ait_time_form_valid("%Y-%m-%d %H:%M:%S%"));
    CHECK(!ait_time_form_valid("%Y-%m-%d %H:%M:%S %Q"));
    CHECK(!ait_time_form_valid(""));
}

static int64_t lasts(const char *text)
{
    int64_t ns;

    return ait_duration_read(text, strlen(text), &ns) ? ns : AIT_ABSENT;
}

static void durations_are_read(void)
{
    CHECK_INT(lasts("50ms"), 50 * AIT_MS);
    CHECK_INT(lasts("1.2s"), 1200 * AIT_MS);
    CHECK_INT(lasts("1m2.5s"), 62500 * AIT_MS);
    CHECK_INT(lasts("1.5h"), 5400 * AIT_SEC);
    CHECK_INT(lasts("3us"), 3000);
    CHECK_INT(lasts("3\xc2\xb5s"), 3000);
    CHECK_INT(lasts("7ns"), 7);
    CHECK_INT(lasts("0s"), 0);
}

static void other_durations_are_refused(void)
{
    static const char *const bad[] = {
        "", "5", "ms", "1.2", "-1s", "1s2", "1 s", "1.s", "1x", "..s",
        "99999999999999999999s", "9999999999h",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!CHECK(!ait_has(lasts(bad[i]))))
            printf("# %s\n", bad[i]);
}

int main(void)
{
    RUN(formats_are_read);
    RUN(what_does_not_fit_is_refused);
    RUN(the_zone_is_told);
    RUN(formats_are_judged);
    RUN(durations_are_read);
    RUN(other_durations_are_refused);
    return t_done();
}
