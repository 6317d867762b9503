/* The packed timeline gives back what was put in, refuses what is damaged. */
#include "model/timeline.h"

#include "harness.h"

#define T(ns_, read_, classes_, len_, text_) \
    {.ns = ns_, .read = read_, .classes = classes_, .length = len_, \
     .text_length = text_}

static const ait_event samples[] = {
    T(1000, 1, AIT_C_ENVELOPE, 120, 0),
    {.ns = 1000, .read = 1, .comment = true, .length = 11},
    T(21000000, 2, AIT_C_TEXT, 124, 4),
    {.ns = 41000000, .read = 3, .classes = AIT_C_TEXT | AIT_C_FINISH,
     .length = 130, .text_length = 10, .nonblank = true},
    T(41000000, 3, AIT_C_REFUSAL, 40, 39),
    {.ns = AIT_ABSENT, .read = 4, .classes = AIT_C_REASONING, .length = 9},
    {.ns = 50000000, .read = 9, .empty = true},
    {.ns = 50000001, .read = 7, .malformed = true, .length = 3},
    T(50000001, 8, 0, 0, 0),
    T(INT64_MAX, 9, AIT_C_USAGE, UINT32_MAX, 0),
    T(INT64_MIN + 1, 10, AIT_C_HEARTBEAT, 0, 0),
    T(-5, UINT64_MAX, AIT_C_ACTION | AIT_C_ERROR, 7, 0),
    T(0, 0, AIT_C_TEXT, 5, 5),
    T(1, 1, (1u << AIT_C_COUNT) - 1, UINT32_MAX, UINT32_MAX),
    T(-8, 1, AIT_C_TEXT, 14, 14),
    T(-17, 1, AIT_C_TEXT, 22, 15), /* back again, the head is the same */
    T(INT64_MAX, 1, AIT_C_TEXT, 23, 16),
    T(-2, 1, AIT_C_TEXT, 31, 24), /* apart by more than 63 bits */
    T(1, 1, AIT_C_TEXT, 0, UINT32_MAX), /* escapes: text longer than data */
};
#define SAMPLES (sizeof samples / sizeof samples[0])

static ait_timeline_cursor cursor(const ait_timeline *t)
{
    const uint8_t *at = (const uint8_t *)t->bytes.data;

    return (ait_timeline_cursor){.at = at, .end = at + t->bytes.len};
}

static void same(const ait_event *got, const ait_event *want)
{
    CHECK_INT(got->ns, want->ns);
    CHECK_INT(got->read, want->read);
    CHECK_INT(got->classes, want->classes);
    CHECK_INT(got->length, want->length);
    CHECK_INT(got->text_length, want->text_length);
    CHECK_INT(got->comment, want->comment);
    CHECK_INT(got->empty, want->empty);
    CHECK_INT(got->nonblank, want->nonblank);
    CHECK_INT(got->malformed, want->malformed);
}

static void gives_back_every_event(void)
{
    ait_timeline t;
    ait_timeline_cursor c;
    ait_event e;

    ait_timeline_init(&t);
    for (size_t i = 0; i < SAMPLES; i++)
        CHECK(ait_timeline_add(&t, &samples[i]));
    CHECK_INT(t.count, SAMPLES);
    c = cursor(&t);
    for (size_t i = 0; i < SAMPLES; i++) {
        CHECK(ait_timeline_next(&c, &e));
        same(&e, &samples[i]);
    }
    CHECK(!ait_timeline_next(&c, &e));
    CHECK(c.at == c.end);
    ait_timeline_free(&t);
}

/* Each cut inside an event is seen; each cut between two is a clean end. */
static void a_cut_is_an_end_or_damage(void)
{
    ait_timeline t;
    size_t ends[SAMPLES], next = 0;

    ait_timeline_init(&t);
    for (size_t i = 0; i < SAMPLES; i++) {
        ait_timeline_add(&t, &samples[i]);
        ends[i] = t.bytes.len;
    }
    for (size_t cut = 0; cut < t.bytes.len; cut++) {
        ait_timeline_cursor c = cursor(&t);
        ait_event e;
        size_t n = 0;

        c.end = c.at + cut;
        while (ait_timeline_next(&c, &e))
            n++;
        while (ends[next] < cut)
            next++;
        CHECK_INT(n, cut == ends[next] ? next + 1 : next);
        CHECK_INT(c.at == c.end, cut == 0 || cut == ends[next]);
    }
    ait_timeline_free(&t);
}

static void refuses_lengths_that_cannot_be(void)
{
    /* time 0 and a head: text; extra -1, text of 0: a negative length */
    const uint8_t negative[] = {1, (1 << 3 << 3) | 1, 1 << 4};
    const uint8_t endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                               0x80, 0x80, 0x80, 0x80, 0x80};
    ait_timeline_cursor a = {negative, negative + sizeof negative, 0, 0, 0, 0};
    ait_timeline_cursor b = {endless, endless + sizeof endless, 0, 0, 0, 0};
    ait_event e;

    CHECK(!ait_timeline_next(&a, &e));
    CHECK(a.at == negative);
    CHECK(!ait_timeline_next(&b, &e));
    CHECK(b.at == endless);
}

/* What comes most must stay small: the store keeps one for each event. */
static void a_text_event_takes_few_bytes(void)
{
    ait_timeline t;
    ait_event e = T(0, 0, AIT_C_TEXT, 150, 4);

    ait_timeline_init(&t);
    e.nonblank = true;
    for (int i = 0; i < 1000; i++) {
        e.ns += 23456789;
        e.read++;
        ait_timeline_add(&t, &e);
    }
    CHECK(t.bytes.len <= 1000 * 5 + 3);
    ait_timeline_free(&t);
}

static void stops_at_its_maximum(void)
{
    ait_timeline t;
    ait_event e = T(1, 1, AIT_C_TEXT, 10, 4);
    size_t len;

    ait_timeline_init(&t);
    t.bytes.max = 100;
    while (ait_timeline_add(&t, &e))
        ;
    len = t.bytes.len;
    CHECK(len > 30 && len <= 100);
    CHECK(!ait_timeline_add(&t, &e));
    CHECK_INT(t.bytes.len, len);
    ait_timeline_free(&t);
}

int main(void)
{
    RUN(gives_back_every_event);
    RUN(a_cut_is_an_end_or_damage);
    RUN(refuses_lengths_that_cannot_be);
    RUN(a_text_event_takes_few_bytes);
    RUN(stops_at_its_maximum);
    return t_done();
}
