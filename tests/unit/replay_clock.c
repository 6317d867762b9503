/* The clock of a request, and HTTP dates. */
#include "replay/clock.h"
#include "replay/state.h"

#include "harness.h"

#define MS AIT_MS
#define NO AIT_ABSENT

static void stamps_never_go_back(void)
{
    static const struct {
        int64_t stamp, want;
        ait_clock_fault fault;
        int axis;
    } ticks[] = {
        {1000 * MS, 1000 * MS, AIT_CLOCK_FINE, 0},
        {1040 * MS, 1040 * MS, AIT_CLOCK_FINE, 0},
        {1040 * MS, 1040 * MS, AIT_CLOCK_FINE, 0},
        {1038 * MS, 1040 * MS, AIT_CLOCK_BACK, 0},
        {NO, NO, AIT_CLOCK_FINE, 0},
        {1080 * MS, 1080 * MS, AIT_CLOCK_FINE, 0},
        {80 * MS, 1080 * MS, AIT_CLOCK_BACK, 0}, /* exactly 1 s */
        {79 * MS, 1080 * MS, AIT_CLOCK_STEP, 1},
        {100 * MS, 1101 * MS, AIT_CLOCK_FINE, 1}, /* goes on from there */
        {99 * MS, 1101 * MS, AIT_CLOCK_BACK, 1},
    };
    ait_clock c;

    ait_clock_init(&c);
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        ait_clock_fault fault;

        CHECK_INT(ait_clock_tick(&c, ticks[i].stamp, &fault), ticks[i].want);
        CHECK_INT(fault, ticks[i].fault);
        CHECK_INT(c.steps, ticks[i].axis);
    }
}

static void a_clock_that_steps_too_often_is_lost(void)
{
    ait_clock c;
    ait_clock_fault fault;
    int64_t now = 1000 * AIT_SEC;

    ait_clock_init(&c);
    ait_clock_tick(&c, now, &fault);
    for (int i = 0; i < AIT_STEPS_MAX; i++)
        CHECK(ait_has(ait_clock_tick(&c, now -= 2 * AIT_SEC, &fault)));
    CHECK(!ait_has(ait_clock_tick(&c, now -= 2 * AIT_SEC, &fault)));
    CHECK_INT(fault, AIT_CLOCK_STEP);
    CHECK(!ait_has(ait_clock_tick(&c, now + AIT_SEC, &fault)));
    CHECK_INT(fault, AIT_CLOCK_FINE);
}

static void stamps_from_end_to_end_of_64_bits(void)
{
    ait_clock c;
    ait_clock_fault fault;

    ait_clock_init(&c);
    CHECK_INT(ait_clock_tick(&c, INT64_MAX, &fault), INT64_MAX);
    CHECK(!ait_has(ait_clock_tick(&c, INT64_MIN + 1, &fault)));
    CHECK_INT(fault, AIT_CLOCK_STEP);
    CHECK(!ait_has(ait_clock_tick(&c, 5, &fault)));
}

static void dates(void)
{
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", INT64_C(784111777) * AIT_SEC},
        {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
        {"Mon, 30 Nov 2026 19:55:16 GMT", INT64_C(1796068516) * AIT_SEC},
        {"Mon, 30 Now 2026 19:55:16 GMT", NO},
        {"Mon, 31 Feb 2026 19:55:16 GMT", NO},
        {"Mon, 30 Nov 2026 19:55:16 CET", NO},
        {"Mon; 30 Nov 2026 19:55:16 GMT", NO},
        {"Mon, 30 Nov 2026 19:55:16", NO},
        {"Mon, xx Nov 2026 19:55:16 GMT", NO},
        {"", NO},
        {"120", NO},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (!CHECK_INT(ait_http_date(cases[i].text, strlen(cases[i].text)),
                       cases[i].want))
            printf("# %s\n", cases[i].text);
}

/* ---- tally ------------------------------------------------------------- */

static ait_event event(int64_t ms, uint64_t read, uint32_t classes,
                       uint32_t text)
{
    return (ait_event){.ns = ms < 0 ? NO : ms * MS, .read = read,
                       .classes = classes, .length = text + 100,
                       .text_length = text, .nonblank = text > 0};
}

static void the_read_with_most_text(void)
{
    static const struct {
        int64_t ms;
        uint64_t read;
        uint32_t classes, text;
    } events[] = {
        {100, 1, AIT_C_ENVELOPE, 0}, {120, 2, AIT_C_TEXT, 10},
        {140, 3, AIT_C_TEXT, 10},    {1500, 4, AIT_C_TEXT, 20},
        {1500, 4, AIT_C_TEXT, 30},   {1600, 5, AIT_C_TEXT, 5},
        {4600, 6, AIT_C_TEXT, 50}, /* as much, after a longer silence */
        {4700, 7, AIT_C_TEXT, 50}, /* as much, after a shorter one */
    };
    ait_tally t;

    ait_tally_init(&t);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        ait_event e = event(events[i].ms, events[i].read, events[i].classes,
                            events[i].text);

        ait_tally_event(&t, &e, 0);
        if (i == 4) {
            CHECK_INT(t.stat[AIT_S_BURST_BYTES], 50);
            CHECK_INT(t.stat[AIT_S_BURST_GAP], 1360 * MS);
        }
    }
    CHECK_INT(t.stat[AIT_S_BURST_BYTES], 50);
    CHECK_INT(t.stat[AIT_S_BURST_GAP], 3000 * MS);
    CHECK_INT(t.stat[AIT_S_TEXT_BYTES], 175);
    CHECK_INT(t.stat[AIT_S_TEXT], 7);
    CHECK_INT(t.stat[AIT_S_TEXT_READS], 6);
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], 3000 * MS);
    CHECK_INT(t.longest_from.ns, 1600 * MS);
}

/* Of equal silences the first is the longest. */
static void of_equal_silences_the_first(void)
{
    ait_tally t;

    ait_tally_init(&t);
    for (int i = 1; i <= 3; i++) {
        ait_event e = event(i * 100, (uint64_t)i, AIT_C_TEXT, 3);

        ait_tally_event(&t, &e, 0);
    }
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], 100 * MS);
    CHECK_INT(t.longest_from.ns, 100 * MS);
    CHECK_INT(t.stall_from.ns, 100 * MS);
}

/* A first milestone that is not timed is absent; a later one does not stand
 * in for it. */
static void untimed_events_hold_their_place(void)
{
    ait_event a = event(-1, 1, AIT_C_TEXT, 3);
    ait_event b = event(50, 2, AIT_C_TEXT, 3);
    ait_event c = event(80, 3, AIT_C_TEXT, 3);
    ait_tally t;

    ait_tally_init(&t);
    ait_tally_event(&t, &a, 0);
    ait_tally_event(&t, &b, 0);
    CHECK_INT(t.first[AIT_FIRST_EVENT].ns, NO);
    CHECK_INT(t.first[AIT_FIRST_VISIBLE].ns, NO);
    CHECK_INT(t.final.ns, 50 * MS);
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], NO);
    ait_tally_event(&t, &c, 0);
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], 30 * MS);
    CHECK_INT(t.stat[AIT_S_STALL], NO); /* t4 has no time */
}

static void a_silence_across_a_step_is_none(void)
{
    ait_event a = event(50, 1, AIT_C_TEXT, 3);
    ait_event b = event(50, 2, AIT_C_TEXT, 3);
    ait_tally t;

    ait_tally_init(&t);
    ait_tally_event(&t, &a, 0);
    ait_tally_event(&t, &b, 1);
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], NO);
    ait_tally_end(&t, (ait_point){70 * MS, 1});
    CHECK_INT(t.stat[AIT_S_LONGEST_GAP], 20 * MS);
    CHECK_INT(t.longest_from.axis, 1);
}

static void a_body_that_was_not_streamed_has_reads_only(void)
{
    ait_event a = event(50, 1, AIT_C_TEXT, 3);
    ait_tally t;

    ait_tally_init(&t);
    t.stat[AIT_S_READS] = 2;
    ait_tally_event(&t, &a, 0);
    ait_tally_not_streamed(&t);
    CHECK_INT(t.stat[AIT_S_READS], 2);
    CHECK_INT(t.stat[AIT_S_EVENTS], 0);
    CHECK_INT(t.first[AIT_FIRST_EVENT].ns, NO);
    CHECK_INT(t.reached, 0);
}

int main(void)
{
    RUN(stamps_never_go_back);
    RUN(a_clock_that_steps_too_often_is_lost);
    RUN(stamps_from_end_to_end_of_64_bits);
    RUN(dates);
    RUN(the_read_with_most_text);
    RUN(of_equal_silences_the_first);
    RUN(untimed_events_hold_their_place);
    RUN(a_silence_across_a_step_is_none);
    RUN(a_body_that_was_not_streamed_has_reads_only);
    return t_done();
}
