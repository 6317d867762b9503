/* The trace record: text, ids, lists, spans, identity. */
#include "model/trace.h"

#include "harness.h"

static void is_empty_at_first_and_after_a_reset(void)
{
    ait_trace t;

    ait_trace_init(&t);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < AIT_N_COUNT; i++)
            CHECK_INT(t.num[i], AIT_ABSENT);
        for (int i = 0; i < AIT_S_COUNT; i++)
            CHECK_INT(t.stat[i], AIT_ABSENT);
        for (int i = 0; i < AIT_T_COUNT; i++)
            CHECK_INT(ait_timing(&t, i), AIT_ABSENT);
        for (int i = 0; i < AIT_G_COUNT; i++)
            CHECK_INT(ait_gap(&t, i), AIT_ABSENT);
        CHECK_INT(t.outcome, AIT_OUT_UNKNOWN);
        CHECK_INT(t.vantage, AIT_V_CLIENT);
        CHECK_INT(t.stream, -1);
        CHECK_INT(t.row, AIT_ABSENT);
        CHECK(!t.ids && !t.attempts && !t.measures && !t.serving);
        CHECK_INT(ait_end_to_end(&t), AIT_ABSENT);
        memset(t.num, 0, sizeof t.num);
        t.stream = 1;
        t.outcome = AIT_OUT_ERROR;
        ait_trace_id(&t, "x", 1);
        ait_trace_attempt(&t);
        ait_trace_measure(&t);
        ait_issue_add(&t.issues, AIT_I_BAD_LINE);
        ait_trace_reset(&t);
    }
    CHECK_INT(t.issues.count[AIT_I_BAD_LINE], 0);
    ait_trace_free(&t);
}

static void keeps_text_by_the_rules(void)
{
    ait_trace t;

    ait_trace_init(&t);
    CHECK(ait_trace_text(&t, AIT_X_MODEL, "m-1", 3));
    CHECK_TEXT(t.text[AIT_X_MODEL], "m-1");
    CHECK(ait_trace_text(&t, AIT_X_MODEL, "", 0));
    CHECK(t.text[AIT_X_MODEL] == NULL);
    CHECK(ait_trace_text(&t, AIT_X_MODEL, NULL, 0));
    CHECK(ait_trace_text(&t, AIT_X_FINISH_REASON, "stop", 4));
    CHECK_TEXT(t.text[AIT_X_FINISH_REASON], "stop");
    CHECK(ait_trace_text(&t, AIT_X_FINISH_REASON, "no, John", 8));
    CHECK_TEXT(t.text[AIT_X_FINISH_REASON], NULL);
    CHECK_INT(t.issues.count[AIT_I_VALUE_IGNORED], 1);
    CHECK(ait_trace_text(&t, AIT_X_GROUP, "a\xff", 2));
    CHECK_INT(t.issues.count[AIT_I_INVALID_UTF8], 1);
    CHECK(ait_trace_text(&t, AIT_X_GROUP, "sk-0123456789abcdefghij", 23));
    CHECK_INT(t.issues.count[AIT_I_ID_MASKED], 1);
    CHECK(strstr(t.text[AIT_X_GROUP], "0123456789") == NULL);
    CHECK(ait_trace_keep(&t, NULL, 5) == NULL);
    ait_trace_free(&t);
}

static void ids_are_kept_once_and_bounded(void)
{
    ait_trace t;
    char id[16];
    int n = 0;

    ait_trace_init(&t);
    CHECK(ait_trace_id(&t, "a", 1));
    CHECK(ait_trace_id(&t, "b", 1));
    CHECK(ait_trace_id(&t, "a", 1));
    CHECK(ait_trace_id(&t, "", 0));
    CHECK_TEXT(t.ids->value, "a");
    CHECK_TEXT(t.ids->next->value, "b");
    CHECK(t.ids->next->next == NULL);
    for (int i = 0; i < AIT_IDS_MAX; i++) {
        snprintf(id, sizeof id, "id-%d", i);
        CHECK(ait_trace_id(&t, id, strlen(id)));
    }
    for (const ait_id *at = t.ids; at; at = at->next)
        n++;
    CHECK_INT(n, AIT_IDS_MAX);
    CHECK_INT(t.issues.count[AIT_I_VALUE_IGNORED], 2);
    ait_trace_free(&t);
}

static void lists_grow_at_their_end(void)
{
    ait_trace t;
    ait_attempt *a, *b;
    ait_measure *m;

    ait_trace_init(&t);
    a = ait_trace_attempt(&t);
    b = ait_trace_attempt(&t);
    m = ait_trace_measure(&t);
    CHECK(t.attempts == a && a->next == b && !b->next);
    CHECK(t.measures == m && !m->next);
    CHECK_INT(b->status, AIT_ABSENT);
    CHECK_INT(b->outcome, -1);
    CHECK_INT(b->wait_before, AIT_ABSENT);
    CHECK_INT(m->value, AIT_ABSENT);
    CHECK_INT(m->resolution, AIT_ABSENT);
    ait_trace_free(&t);
}

static void out_of_memory_is_said(void)
{
    ait_trace t;

    ait_trace_init(&t);
    ait_mem_fail_after(1);
    CHECK(!ait_trace_text(&t, AIT_X_MODEL, "m", 1));
    CHECK(!ait_trace_id(&t, "m", 1));
    CHECK(!ait_trace_attempt(&t));
    CHECK(!ait_trace_measure(&t));
    ait_mem_fail_after(0);
    CHECK(t.ids == NULL);
    ait_trace_free(&t);
}

/* ---- spans ------------------------------------------------------------- */

static void put(ait_trace *t, ait_point_id p, int64_t ms, uint8_t axis)
{
    t->point[p] = (ait_point){ms * AIT_MS, axis};
}

static void spans_need_one_axis_and_a_direction(void)
{
    ait_trace t;

    ait_trace_init(&t);
    put(&t, AIT_P_ORIGIN, 0, 0);
    put(&t, AIT_P_T1, 0, AIT_AXIS_UPSTREAM);
    put(&t, AIT_P_T2, 250, AIT_AXIS_UPSTREAM);
    put(&t, AIT_P_T3, 900, 0);
    CHECK_INT(ait_span(&t, AIT_P_T1, AIT_P_T2), 250 * AIT_MS);
    CHECK_INT(ait_span(&t, AIT_P_T2, AIT_P_T3), AIT_ABSENT);
    CHECK_INT(ait_span(&t, AIT_P_ORIGIN, AIT_P_T3), 900 * AIT_MS);
    CHECK_INT(ait_span(&t, AIT_P_T3, AIT_P_T4), AIT_ABSENT);
    put(&t, AIT_P_T4, 899, 0);
    CHECK_INT(ait_span(&t, AIT_P_T3, AIT_P_T4), AIT_ABSENT);
    put(&t, AIT_P_T4, 900, 0);
    CHECK_INT(ait_span(&t, AIT_P_T3, AIT_P_T4), 0);
    put(&t, AIT_P_T4, 950, 1);
    CHECK_INT(ait_span(&t, AIT_P_T3, AIT_P_T4), AIT_ABSENT);
    t.point[AIT_P_T5] = (ait_point){INT64_MAX, 0};
    t.point[AIT_P_T4] = (ait_point){-2, 0};
    CHECK_INT(ait_span(&t, AIT_P_T4, AIT_P_T5), AIT_ABSENT);
    ait_trace_free(&t);
}

static void spans_that_go_back_are_said(void)
{
    uint32_t *said;
    ait_trace t;

    ait_trace_init(&t);
    said = &t.issues.count[AIT_I_NEGATIVE_DURATION];
    put(&t, AIT_P_ORIGIN, 0, 0);
    put(&t, AIT_P_T2, 250, AIT_AXIS_UPSTREAM);
    put(&t, AIT_P_T3, 200, 0); /* on another axis nothing is known */
    put(&t, AIT_P_T4, 200, 0);
    ait_check_spans(&t);
    CHECK_INT(*said, 0);
    put(&t, AIT_P_T4, 199, 0);
    ait_check_spans(&t);
    CHECK_INT(*said, 1);
    t.num[AIT_N_RESOLUTION] = 2 * AIT_MS; /* cannot be told apart */
    ait_check_spans(&t);
    CHECK_INT(*said, 1);
    t.num[AIT_N_RESOLUTION] = AIT_MS;
    ait_check_spans(&t);
    CHECK_INT(*said, 2);
    ait_trace_free(&t);
}

static void fields_are_their_spans(void)
{
    static const struct {
        ait_timing_field field;
        int64_t ms;
    } timings[] = {
        {AIT_T_AUTH, 3}, {AIT_T_DISTRIBUTION, -1}, {AIT_T_BODY_READ, 0},
        {AIT_T_UPSTREAM_START, 12}, {AIT_T_UPSTREAM_HEADERS, 218},
        {AIT_T_FIRST_SSE_EVENT, 231}, {AIT_T_FIRST_RESPONSE, 1480},
        {AIT_T_FIRST_TEXT_DELTA, 1485}, {AIT_T_FIRST_NONBLANK_TEXT, 1490},
        {AIT_T_FINAL_RESPONSE, 1550}, {AIT_T_UPSTREAM_DONE, 1560},
        {AIT_T_TOTAL_HANDLER, 1566},
    };
    static const int64_t gaps[AIT_G_COUNT] = {1, 1249, 5, 65, 10, 6, 7, 8};
    static const int64_t at[AIT_P_COUNT] = {0,    0,    10,   12,
                                            230,  231,  1480, 1485,
                                            1490, 1550, 1560, 1566};
    ait_trace t;

    ait_trace_init(&t);
    for (int i = 0; i < AIT_P_COUNT; i++)
        put(&t, i, at[i], 0);
    t.phase[AIT_T_AUTH] = 3 * AIT_MS;
    t.phase[AIT_T_BODY_READ] = 0;
    t.stat[AIT_S_LONGEST_GAP] = 7 * AIT_MS;
    t.stat[AIT_S_LONGEST_GAP_AT] = 8 * AIT_MS;
    for (int i = 0; i < AIT_T_COUNT; i++)
        CHECK_INT(ait_timing(&t, timings[i].field),
                  timings[i].ms < 0 ? AIT_ABSENT : timings[i].ms * AIT_MS);
    for (int i = 0; i < AIT_G_COUNT; i++)
        CHECK_INT(ait_gap(&t, i), gaps[i] * AIT_MS);
    ait_trace_free(&t);
}

static void end_to_end_takes_the_last_end_there_is(void)
{
    ait_trace t;

    ait_trace_init(&t);
    put(&t, AIT_P_ORIGIN, 0, 0);
    put(&t, AIT_P_TF, 5, 0);
    CHECK_INT(ait_end_to_end(&t), 5 * AIT_MS);
    put(&t, AIT_P_T6, 6, 0);
    CHECK_INT(ait_end_to_end(&t), 6 * AIT_MS);
    put(&t, AIT_P_T7, 7, 1); /* it ended later, across a clock step */
    CHECK_INT(ait_end_to_end(&t), AIT_ABSENT);
    put(&t, AIT_P_T7, 7, 0);
    CHECK_INT(ait_end_to_end(&t), 7 * AIT_MS);
    ait_trace_free(&t);
}

static void whole_time_falls_back_on_the_measured_total(void)
{
    ait_trace t;
    ait_measure *m;

    ait_trace_init(&t);
    CHECK_INT(ait_whole_time(&t), AIT_ABSENT);
    m = ait_trace_measure(&t);
    m->name = "first_chunk";
    m->value = 3 * AIT_MS;
    CHECK_INT(ait_whole_time(&t), AIT_ABSENT);
    m = ait_trace_measure(&t);
    m->name = "total";
    m->value = 9 * AIT_MS;
    CHECK_INT(ait_whole_time(&t), 9 * AIT_MS);
    put(&t, AIT_P_ORIGIN, 0, 0);
    put(&t, AIT_P_TF, 5, 0);
    CHECK_INT(ait_whole_time(&t), 5 * AIT_MS);
    ait_trace_free(&t);
}

/* ---- identity ---------------------------------------------------------- */

static void fill(ait_trace *t)
{
    ait_trace_init(t);
    ait_trace_id(t, "ab", 2);
    ait_trace_id(t, "c", 1);
    ait_trace_text(t, AIT_X_REQUEST_ID, "ab", 2);
    ait_trace_text(t, AIT_X_FILE, "one.jsonl", 9);
    t->num[AIT_N_TIME] = 1000;
    t->num[AIT_N_LINE] = 7;
    put(t, AIT_P_T2, 40, 0);
    ait_trace_attempt(t)->number = 1;
}

static void another_place(ait_trace *t)
{
    ait_trace_text(t, AIT_X_FILE, "two.jsonl", 9);
    t->num[AIT_N_LINE] = 9;
    t->row = 5;
    t->outcome = AIT_OUT_ERROR;
    t->stat[AIT_S_BURST_BYTES] = 3;
}

static void another_id(ait_trace *t) { ait_trace_id(t, "d", 1); }
static void another_start(ait_trace *t) { t->num[AIT_N_TIME]++; }
static void another_point(ait_trace *t) { put(t, AIT_P_T2, 41, 0); }
static void another_axis(ait_trace *t) { t->point[AIT_P_T2].axis = 1; }
static void another_count(ait_trace *t) { t->stat[AIT_S_EVENTS] = 0; }
static void another_attempt(ait_trace *t) { ait_trace_attempt(t); }
static void another_status(ait_trace *t) { t->num[AIT_N_STATUS] = 200; }
static void another_phase(ait_trace *t) { t->phase[0] = 1; }

static void another_measure(ait_trace *t)
{
    ait_measure *m = ait_trace_measure(t);

    m->name = "total";
    m->value = 1;
}

static void identity_is_what_was_recorded(void)
{
    static const struct {
        void (*change)(ait_trace *t);
        bool same;
    } cases[] = {
        {another_place, true},    {another_id, false},
        {another_start, false},   {another_point, false},
        {another_axis, false},    {another_count, false},
        {another_attempt, false}, {another_status, false},
        {another_phase, false},   {another_measure, false},
    };
    ait_trace a, b;
    uint64_t h;

    fill(&a);
    h = ait_trace_identity(&a);
    CHECK_INT(ait_trace_identity(&a), h);
    ait_trace_identify(&a, 1);
    CHECK(ait_trace_identity(&a) != h);
    ait_trace_identify(&a, 0);
    CHECK_INT(ait_trace_identity(&a), h);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fill(&b);
        cases[i].change(&b);
        CHECK_INT(ait_trace_identity(&b) == h, cases[i].same);
        ait_trace_free(&b);
    }
    ait_trace_free(&a);
}

int main(void)
{
    RUN(is_empty_at_first_and_after_a_reset);
    RUN(keeps_text_by_the_rules);
    RUN(ids_are_kept_once_and_bounded);
    RUN(lists_grow_at_their_end);
    RUN(out_of_memory_is_said);
    RUN(spans_need_one_axis_and_a_direction);
    RUN(spans_that_go_back_are_said);
    RUN(fields_are_their_spans);
    RUN(end_to_end_takes_the_last_end_there_is);
    RUN(whole_time_falls_back_on_the_measured_total);
    RUN(identity_is_what_was_recorded);
    return t_done();
}
