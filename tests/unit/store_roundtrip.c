/* What is stored comes back equal in every field, absent stays absent. */
#include "unit/store_help.h"

enum { TRACES = 400 };

/* Traces come back in the order of their rows. */
typedef struct expected {
    ait_trace *trace[TRACES];
    int n, at;
} expected;

static int compare(void *ctx, ait_trace *t)
{
    expected *e = ctx;
    const char *what;

    if (!CHECK(e->at < e->n))
        return AIT_OK;
    what = differs(e->trace[e->at++], t);
    if (!CHECK(what == NULL))
        printf("# trace %d differs in %s\n", e->at - 1, what);
    CHECK(ait_has(t->row));
    return AIT_OK;
}

static void round_trip(expected *e)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_selection sel;
    ait_error err;

    put_all(s, "a.jsonl", e->trace, e->n);
    ait_selection_init(&sel);
    sel.sort = "row";
    CHECK_OK(ait_store_each(s, &sel, AIT_NEED_ALL, compare, e, &err));
    CHECK_INT(e->at, e->n);
    for (int i = 0; i < e->n; i++)
        drop(e->trace[i]);
    ait_store_close(s);
}

static void random_traces(void)
{
    expected e = {.n = TRACES};

    for (int i = 0; i < TRACES; i++) {
        e.trace[i] = malloc(sizeof **e.trace);
        ait_trace_init(e.trace[i]);
        dice_trace(e.trace[i]);
    }
    round_trip(&e);
}

static void an_empty_trace(void)
{
    expected e = {.n = 1};

    e.trace[0] = malloc(sizeof **e.trace);
    ait_trace_init(e.trace[0]);
    round_trip(&e);
}

/* One attempt that the request says, and each way to say more. */
static void single_attempts(void)
{
    expected e = {.n = 12};

    for (int i = 0; i < e.n; i++) {
        char id[16];
        snprintf(id, sizeof id, "q-%d", i);
        ait_trace *t = e.trace[i] = plain(id, i);
        ait_attempt *a = ait_trace_attempt(t);
        set_text(t, AIT_X_CHANNEL, "c");
        t->serving = i == 1 ? NULL : a;
        a->number = i == 2 ? 2 : 1;
        a->channel = i == 3 ? NULL : t->text[AIT_X_CHANNEL];
        a->status = i == 4 ? AIT_ABSENT : 200;
        a->outcome = i == 5 ? -1 : AIT_OUT_COMPLETE;
        a->start = i == 6 ? 0 : 12 * AIT_MS;
        a->headers = i == 7 ? AIT_ABSENT : 218 * AIT_MS;
        a->done = i == 8 ? AIT_ABSENT : 1560 * AIT_MS;
        a->upstream = i == 9 ? "host" : NULL;
        a->timeline_base = i == 10 ? 0 : AIT_ABSENT;
        a->timeline = i == 11 ? (const uint8_t *)"x" : NULL;
        a->timeline_len = i == 11;
    }
    round_trip(&e);
}

/* t1 known, not known on axis 0, not at all; headers with and without. */
static void unusual_points(void)
{
    expected e = {.n = 6};

    for (int i = 0; i < e.n; i++) {
        char id[16];
        snprintf(id, sizeof id, "q-%d", i);
        ait_trace *t = e.trace[i] = plain(id, i);
        ait_point *p = t->point;
        if (i == 1) {
            p[AIT_P_T1] = p[AIT_P_T1_FIRST] =
                (ait_point){0, AIT_AXIS_UPSTREAM};
            p[AIT_P_T2] = (ait_point){218 * AIT_MS, AIT_AXIS_UPSTREAM};
        } else if (i == 2) {
            p[AIT_P_T1].ns = p[AIT_P_T1_FIRST].ns = AIT_ABSENT;
        } else if (i == 3) {
            p[AIT_P_T1_FIRST].ns = 3 * AIT_MS;
        } else if (i == 4) {
            for (int k = AIT_P_T4; k < AIT_P_COUNT; k++)
                p[k].axis = 1;
        } else if (i == 5) {
            t->origin = AIT_O_REQUEST_SEND;
            p[AIT_P_T0].ns = p[AIT_P_T7].ns = AIT_ABSENT;
        }
    }
    round_trip(&e);
}

static int only_timing(void *ctx, ait_trace *t)
{
    CHECK_INT(ait_timing(t, AIT_T_TOTAL_HANDLER), 1566 * AIT_MS);
    CHECK_TEXT(t->text[AIT_X_MODEL], "m-chat");
    CHECK(t->text[AIT_X_REQUEST_ID] == NULL);
    CHECK(t->text[AIT_X_FILE] == NULL);
    CHECK(!ait_has(t->num[AIT_N_STATUS]));
    CHECK(!ait_has(t->stat[AIT_S_TEXT]));
    CHECK(t->ids == NULL);
    CHECK_INT(t->outcome, AIT_OUT_COMPLETE);
    ++*(int *)ctx;
    return AIT_OK;
}

static void lean_reading(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t = plain("q", 5);
    ait_selection sel;
    ait_error err;
    int n = 0;

    t->stat[AIT_S_TEXT] = 4;
    put_all(s, "a", &t, 1);
    ait_selection_init(&sel);
    CHECK_OK(ait_store_each(s, &sel,
                            AIT_NEED_LEAN | AIT_NEED_TIMING |
                                AIT_NEED_TEXT(AIT_X_MODEL),
                            only_timing, &n, &err));
    CHECK_INT(n, 1);
    drop(t);
    ait_store_close(s);
}

static int remember_model(void *ctx, ait_trace *t)
{
    const char **seen = ctx;

    CHECK(*seen == NULL || *seen == t->text[AIT_X_MODEL]);
    *seen = t->text[AIT_X_MODEL];
    return AIT_OK;
}

/* The report groups by pointer: one text, one pointer. */
static void equal_texts_are_one(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t[2] = {plain("a", 1), plain("b", 2)};
    const char *seen = NULL;
    ait_selection sel;
    ait_error err;

    put_all(s, "a", t, 2);
    ait_selection_init(&sel);
    CHECK_OK(ait_store_each(s, &sel, AIT_NEED_LEAN | AIT_NEED_TEXTS,
                            remember_model, &seen, &err));
    CHECK_TEXT(seen, "m-chat");
    drop(t[0]);
    drop(t[1]);
    ait_store_close(s);
}

static int check_summary(void *ctx, ait_trace *t, const ait_verdict *v)
{
    (void)t;
    CHECK_INT(v->rate[AIT_RATE_VISIBLE_TPS], 42000);
    CHECK(!ait_has(v->rate[AIT_RATE_ITL]));
    CHECK_INT(v->rate[AIT_RATE_OUTPUT_TPS], 1282);
    CHECK_INT(v->visible_is, AIT_IS_UPPER_BOUND);
    CHECK_TEXT(v->window_end, "upstream_done");
    CHECK_INT(v->visible_tokens, 7);
    CHECK_INT(v->primary, AIT_R_SLOW_DECODE);
    CHECK_INT(v->findings, 2);
    CHECK_INT(v->finding[0].rule, AIT_R_HEADERS_SLOW);
    CHECK_INT(v->finding[0].by, AIT_BY_SHARE);
    CHECK_INT(v->finding[1].rule, AIT_R_SLOW_DECODE);
    CHECK_INT(v->finding[1].by, AIT_BY_LIMIT);
    ++*(int *)ctx;
    return AIT_OK;
}

static void verdict_summary(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t = plain("q", 5);
    static ait_verdict v;
    ait_selection sel;
    ait_error err;
    int n = 0;

    v.rate[AIT_RATE_VISIBLE_TPS] = 42000;
    v.rate[AIT_RATE_ITL] = AIT_ABSENT;
    v.rate[AIT_RATE_OUTPUT_TPS] = 1282;
    v.visible_is = AIT_IS_UPPER_BOUND;
    v.window_end = "upstream_done";
    v.visible_tokens = 7;
    v.primary = AIT_R_SLOW_DECODE;
    v.findings = 2;
    v.finding[0].rule = AIT_R_HEADERS_SLOW;
    v.finding[0].by = AIT_BY_SHARE;
    v.finding[1].rule = AIT_R_SLOW_DECODE;
    v.finding[1].by = AIT_BY_LIMIT;
    CHECK_OK(ait_store_begin(s, "a", "capture", &err));
    CHECK_OK(ait_store_put(s, t, &v, &err));
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
    ait_selection_init(&sel);
    CHECK_OK(ait_store_each_judged(s, &sel, AIT_NEED_LEAN | AIT_NEED_NUMBERS,
                                   check_summary, &n, &err));
    CHECK_INT(n, 1);
    drop(t);
    ait_store_close(s);
}

static int stop_at_once(void *ctx, ait_trace *t)
{
    (void)t;
    ++*(int *)ctx;
    return AIT_EINTR;
}

/* Sorted and unsorted reading go different ways. */
static void a_callback_stops(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t[2] = {plain("a", 1), plain("b", 2)};
    ait_selection sel;
    ait_error err;
    int n = 0;

    put_all(s, "a", t, 2);
    ait_selection_init(&sel);
    CHECK_INT(ait_store_each(s, &sel, 0, stop_at_once, &n, &err), AIT_EINTR);
    CHECK_INT(n, 1);
    sel.sort = "row";
    CHECK_INT(ait_store_each(s, &sel, 0, stop_at_once, &n, &err), AIT_EINTR);
    CHECK_INT(n, 2);
    drop(t[0]);
    drop(t[1]);
    ait_store_close(s);
}

typedef struct nested {
    ait_store *store;
    int outer, inner;
} nested;

static int count_inner(void *ctx, ait_trace *t)
{
    nested *n = ctx;

    CHECK(t->attempts != NULL);
    n->inner++;
    return AIT_OK;
}

static int read_again(void *ctx, ait_trace *t)
{
    nested *n = ctx;
    ait_selection sel;
    ait_error err;

    (void)t;
    n->outer++;
    ait_selection_init(&sel);
    sel.sort = "row";
    CHECK_OK(ait_store_each(n->store, &sel, AIT_NEED_ALL, count_inner, n,
                            &err));
    return AIT_OK;
}

static void reading_inside_of_reading(void)
{
    nested n = {must_open(NULL, AIT_STORE_MEMORY), 0, 0};
    ait_trace *t[3] = {plain("a", 1), plain("b", 2), plain("c", 3)};
    ait_selection sel;
    ait_error err;

    for (int i = 0; i < 3; i++)
        ait_trace_attempt(t[i]);
    put_all(n.store, "a", t, 3);
    ait_selection_init(&sel);
    sel.sort = "row";
    CHECK_OK(ait_store_each(n.store, &sel, AIT_NEED_ALL, read_again, &n,
                            &err));
    CHECK_INT(n.outer, 3);
    CHECK_INT(n.inner, 9);
    for (int i = 0; i < 3; i++)
        drop(t[i]);
    ait_store_close(n.store);
}

/* ---- many texts, little memory ------------------------------------- */

enum { TEXTS = 70000 }; /* more than the dictionary keeps in memory */

static int check_channel(void *ctx, ait_trace *t)
{
    int *at = ctx;
    char want[24];

    snprintf(want, sizeof want, "c-%d", (*at)++);
    if (*at % 1000 == 0 || *at > TEXTS - 10)
        CHECK_TEXT(t->text[AIT_X_CHANNEL], want);
    return AIT_OK;
}

static void more_texts_than_the_cache(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_selection sel;
    ait_error err;
    ait_trace t;
    int at = 0;

    ait_trace_init(&t);
    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < TEXTS; i++) {
        char channel[24];
        ait_trace_reset(&t);
        snprintf(channel, sizeof channel, "c-%d", i);
        set_text(&t, AIT_X_CHANNEL, channel);
        t.num[AIT_N_TIME] = i;
        CHECK_OK(ait_store_put(s, &t, NULL, &err));
    }
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
    ait_trace_free(&t);
    ait_selection_init(&sel);
    sel.sort = "row";
    CHECK_OK(ait_store_each(s, &sel, AIT_NEED_LEAN | AIT_NEED_TEXTS,
                            check_channel, &at, &err));
    CHECK_INT(at, TEXTS);
    ait_store_close(s);
}

static int take(void *ctx, ait_trace *t)
{
    (void)t;
    ++*(int *)ctx;
    return AIT_OK;
}

/* Writes and reads; every allocation of ours may fail on the way. */
static ait_code write_and_read(ait_trace *t, int *seen)
{
    ait_store *s = NULL;
    ait_selection sel;
    ait_error err;
    ait_code rc = ait_store_open(NULL, AIT_STORE_MEMORY, &s, NULL, &err);

    ait_selection_init(&sel);
    if (rc == AIT_OK)
        rc = ait_store_begin(s, "a", "capture", &err);
    if (rc == AIT_OK)
        rc = ait_store_put(s, t, NULL, &err);
    if (rc == AIT_OK)
        rc = ait_store_commit(s, NULL, NULL, NULL, &err);
    if (rc == AIT_OK)
        rc = ait_store_each(s, &sel, AIT_NEED_ALL, take, seen, &err);
    ait_store_close(s);
    return rc;
}

static void memory_runs_out(void)
{
    ait_trace *t = plain("a", 1);
    int seen = 0, failed = 0;

    for (int i = 0; i < 3; i++)
        dice_attempt(t, i + 1);
    dice_measure(t);
    CHECK(ait_trace_id(t, "b", 1));
    t->issues.count[AIT_I_BAD_LINE] = 1;
    for (long n = 1; seen == 0 && n < 10000; n++) {
        ait_code rc;
        ait_mem_fail_after(n);
        rc = write_and_read(t, &seen);
        ait_mem_fail_after(0);
        CHECK((rc == AIT_OK) == (seen == 1));
        failed += rc != AIT_OK;
    }
    CHECK_INT(seen, 1);
    CHECK(failed > 10);
    drop(t);
}

int main(void)
{
    RUN(an_empty_trace);
    RUN(random_traces);
    RUN(single_attempts);
    RUN(unusual_points);
    RUN(lean_reading);
    RUN(equal_texts_are_one);
    RUN(verdict_summary);
    RUN(a_callback_stops);
    RUN(reading_inside_of_reading);
    RUN(more_texts_than_the_cache);
    RUN(memory_runs_out);
    return scratch_done();
}
