/* Texts that come again: kept as any other text is, however often. */
#include "input/again.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"

static const char *const texts[] = {
    "gpt-5.6-luna", "ch-5", "stop", "s", "",
    "a text of thirty bytes, no more",
    "a sentence, which is no finish reason",
    "sk-abcdefghijklmnopqrstuvwxyz", "a@example.org", "192.168.0.1",
    "tab\there", "gr\xc3\xbc\xc3\x9f", "\xff", "gemini-3.8-flash",
};
static const ait_text_field fields[] = {AIT_X_MODEL, AIT_X_FINISH_REASON,
                                        AIT_X_CHANNEL};

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The same text and the same issues as without the memory. */
static void check_text(ait_again *a, ait_text_field f, const char *s)
{
    ait_trace want, got;

    ait_trace_init(&want);
    ait_trace_init(&got);
    CHECK(ait_trace_text(&want, f, s, strlen(s)));
    CHECK(ait_again_text(a, &got, f, s, strlen(s)));
    if (!CHECK(same(want.text[f], got.text[f])))
        printf("# %s\n", s);
    CHECK_INT(memcmp(&want.issues, &got.issues, sizeof want.issues), 0);
    ait_trace_free(&want);
    ait_trace_free(&got);
}

static void every_round_is_as_the_first(void)
{
    static ait_again a;

    for (int round = 0; round < 3; round++)
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
            for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
                check_text(&a, fields[f], texts[i]);
    CHECK(a.used > 0);
}

static void it_takes_no_more_than_it_has_room_for(void)
{
    static ait_again a;
    char text[32];

    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "model-%d", i);
            check_text(&a, AIT_X_MODEL, text);
        }
    CHECK(a.used < AIT_AGAIN_TEXTS);
}

static void the_second_one_is_the_first(void)
{
    static ait_again a;
    ait_trace t;
    const char *first;

    ait_trace_init(&t);
    CHECK(ait_again_text(&a, &t, AIT_X_MODEL, "m", 1)); /* of the trace */
    CHECK(ait_again_text(&a, &t, AIT_X_MODEL, "m", 1));
    first = t.text[AIT_X_MODEL];
    ait_trace_reset(&t);
    CHECK(ait_again_text(&a, &t, AIT_X_MODEL, "m", 1));
    CHECK(t.text[AIT_X_MODEL] == first);
    ait_trace_free(&t);
}

int main(void)
{
    RUN(every_round_is_as_the_first);
    RUN(it_takes_no_more_than_it_has_room_for);
    RUN(the_second_one_is_the_first);
    return t_done();
}
