/* Files without a store: what is given, what is selected, what cannot. */
#include "api/direct.h"
#include "harness.h"

typedef struct got {
    int n;
    ait_code answer;
} got;

static int take(void *ctx, ait_trace *t, const ait_verdict *v)
{
    got *g = ctx;
    (void)t;
    (void)v;
    g->n++;
    return (int)g->answer;
}

/* A request at `time` seconds with two attempts and 5 events. */
static void make(ait_trace *t, const char *id, int64_t time)
{
    ait_trace_reset(t);
    if (id) {
        ait_trace_text(t, AIT_X_REQUEST_ID, id, strlen(id));
        ait_trace_id(t, id, strlen(id));
    }
    ait_trace_text(t, AIT_X_MODEL, "m", 1);
    t->num[AIT_N_TIME] = time * AIT_SEC;
    t->stat[AIT_S_EVENTS] = 5;
    t->outcome = AIT_OUT_COMPLETE;
    ait_trace_attempt(t);
    ait_trace_attempt(t);
}

static ait_code put(ait_direct *d, ait_trace *t)
{
    static const ait_verdict none = {.primary = AIT_R_NONE};
    ait_error err;
    ait_error_clear(&err);
    return ait_direct_put(d, t, &none, &err);
}

static void each_request_is_given_once(void)
{
    ait_selection sel;
    got g = {0};
    ait_direct d = {.sel = &sel, .fn = take, .ctx = &g};
    ait_trace t;
    char id[32];

    ait_selection_init(&sel);
    ait_trace_init(&t);
    for (int i = 0; i < 6000; i++) { /* twice each, the table grows */
        snprintf(id, sizeof id, "req-%d", i % 3000);
        make(&t, id, i % 3000);
        CHECK_INT(put(&d, &t), AIT_OK);
    }
    CHECK_INT(g.n, 3000);
    CHECK_INT(d.counts.new_, 3000);
    CHECK_INT(d.counts.present, 3000);
    CHECK_INT(d.counts.attempts, 6000);
    CHECK_INT(d.counts.events, 15000);
    make(&t, "req-1", 9999); /* the same id, another request */
    CHECK_INT(put(&d, &t), AIT_OK);
    CHECK_INT(g.n, 3001);
    for (int i = 0; i < 2; i++) { /* nothing tells that they are one */
        make(&t, NULL, 1);
        CHECK_INT(put(&d, &t), AIT_OK);
    }
    CHECK_INT(g.n, 3003);
    ait_direct_forget(&d);
    make(&t, "req-1", 1);
    CHECK_INT(put(&d, &t), AIT_OK);
    CHECK_INT(g.n, 3004);
    g.answer = AIT_EOUTPUT;
    make(&t, "req-2", 1);
    CHECK_INT(put(&d, &t), AIT_EOUTPUT);
    ait_direct_forget(&d);
    ait_trace_free(&t);
}

static void several_files_may_need_a_store(void)
{
    ait_selection sel;
    got g = {0};
    ait_direct d = {.sel = &sel, .fn = take, .ctx = &g};
    ait_trace t;

    ait_selection_init(&sel);
    ait_trace_init(&t);
    make(&t, "a", 1);
    t.outcome = AIT_OUT_TRUNCATED_CAPTURE;
    CHECK_INT(put(&d, &t), AIT_OK); /* one file: it does not go on */
    d.several = true;
    CHECK_INT(put(&d, &t), AIT_EINPUT);
    CHECK(d.needs_store);
    d.needs_store = false;
    make(&t, NULL, 1);
    CHECK_INT(put(&d, &t), AIT_EINPUT);
    CHECK(d.needs_store);
    ait_direct_forget(&d);
    ait_trace_free(&t);
}

/* How many of three requests, at 1, 2 and at no time, are given. */
static int given(const ait_selection *sel)
{
    got g = {0};
    ait_direct d = {.sel = sel, .fn = take, .ctx = &g};
    ait_trace t;

    ait_trace_init(&t);
    for (int i = 1; i <= 3; i++) {
        make(&t, i == 1 ? "a" : i == 2 ? "b" : "c", i);
        if (i == 2)
            t.outcome = AIT_OUT_ERROR;
        if (i == 3)
            t.num[AIT_N_TIME] = AIT_ABSENT;
        CHECK_INT(put(&d, &t), AIT_OK);
    }
    ait_direct_forget(&d);
    ait_trace_free(&t);
    return g.n;
}

static void what_is_selected(void)
{
    ait_selection s;

    ait_selection_init(&s);
    CHECK_INT(given(&s), 3);
    s.model = "m";
    CHECK_INT(given(&s), 3);
    s.region = "nowhere";
    CHECK_INT(given(&s), 0);
    s.region = NULL;
    s.since = 2 * AIT_SEC;
    CHECK_INT(given(&s), 1);
    s.since = AIT_ABSENT;
    s.until = 2 * AIT_SEC;
    CHECK_INT(given(&s), 1);
    s.until = AIT_ABSENT;
    s.outcome = "error";
    CHECK_INT(given(&s), 1);
    s.outcome = NULL;
    s.finding = "headers_slow";
    CHECK_INT(given(&s), 0);
}

static void what_can_be_selected(void)
{
    ait_selection s;

    ait_selection_init(&s);
    CHECK(ait_direct_can(&s));
    s.outcome = "error";
    s.finding = "headers_slow";
    s.source = "a.jsonl";
    CHECK(ait_direct_can(&s));
    s.finding = "headers_slo";
    CHECK(!ait_direct_can(&s));
    s.finding = NULL;
    s.outcome = "erro";
    CHECK(!ait_direct_can(&s));
    s.outcome = NULL;
    s.source = "folder/a.jsonl";
    CHECK(!ait_direct_can(&s));
    s.source = NULL;
    s.limit = 1;
    CHECK(!ait_direct_can(&s));
    s.limit = 0;
    s.sort = "time";
    CHECK(!ait_direct_can(&s));
    s.sort = NULL;
    s.where = "status = 200";
    CHECK(!ait_direct_can(&s));
    s.where = NULL;
    s.request_id = "a";
    CHECK(!ait_direct_can(&s));
}

int main(void)
{
    RUN(each_request_is_given_once);
    RUN(several_files_may_need_a_store);
    RUN(what_is_selected);
    RUN(what_can_be_selected);
    return t_done();
}
