/* What is the same request, and what is not. */
#include "store/private.h"
#include "unit/store_help.h"

static ait_store *open_new(const char *name)
{
    return must_open(scratch_file(name), AIT_STORE_WRITE);
}

static int64_t rows(ait_store *s)
{
    ait_selection sel;
    ait_error err;
    int64_t n = -1;

    ait_selection_init(&sel);
    CHECK_OK(ait_store_count(s, &sel, &n, &err));
    return n;
}

static void check_counts(ait_put_counts c, int new_, int present,
                         int updated)
{
    CHECK_INT(c.new_, new_);
    CHECK_INT(c.present, present);
    CHECK_INT(c.updated, updated);
}

static void drop_all(ait_trace **t, int n)
{
    for (int i = 0; i < n; i++)
        drop(t[i]);
}

static void the_same_file_again(void)
{
    const char *path = scratch_file("again.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t[3] = {plain("a", 1), plain("b", 2), plain(NULL, 3)};
    long n;
    char *before;

    check_counts(put_all(s, "a.jsonl", t, 3), 3, 0, 0);
    before = slurp(path, &n);
    check_counts(put_all(s, "a.jsonl", t, 3), 0, 3, 0);
    check_counts(put_all(s, "renamed.jsonl", t, 3), 0, 3, 0);
    CHECK(same_bytes(path, before, n));
    CHECK_INT(rows(s), 3);
    free(before);
    drop_all(t, 3);
    ait_store_close(s);
}

static void an_empty_file_again(void)
{
    const char *path = scratch_file("empty.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    char *before;
    long n;

    put_all(s, "a.jsonl", NULL, 0);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM import"), "1");
    before = slurp(path, &n);
    put_all(s, "a.jsonl", NULL, 0);
    CHECK(same_bytes(path, before, n));
    free(before);
    ait_store_close(s);
}

/* a.1 holds what a held before it was rotated, and a goes on. */
static void rotated_files_overlap(void)
{
    ait_store *s = open_new("rotated.db");
    ait_trace *t[5];

    for (int i = 0; i < 5; i++) {
        char id[16];
        snprintf(id, sizeof id, "q-%d", i);
        t[i] = plain(i == 2 ? NULL : id, i);
    }
    check_counts(put_all(s, "a.1", t, 3), 3, 0, 0);
    check_counts(put_all(s, "a", t + 1, 4), 2, 2, 0);
    CHECK_INT(rows(s), 5);
    drop_all(t, 5);
    ait_store_close(s);
}

static void two_requests_share_an_id(void)
{
    ait_store *s = open_new("shared.db");
    ait_trace *t[2] = {plain("a", 1), plain("a", 2)};
    ait_selection sel;
    ait_error err;
    int64_t n = 0;

    check_counts(put_all(s, "a", t, 2), 2, 0, 0);
    check_counts(put_all(s, "a", t, 2), 0, 2, 0);
    ait_selection_init(&sel);
    sel.request_id = "a";
    CHECK_OK(ait_store_count(s, &sel, &n, &err));
    CHECK_INT(n, 2);
    drop_all(t, 2);
    ait_store_close(s);
}

/* In one file: with an id the same line twice is one request, in a first
 * load as well as later. */
static void twins_with_an_id_are_one(void)
{
    ait_store *s = open_new("twins.db");
    ait_trace *t[3] = {plain("a", 1), plain("a", 1), plain("b", 1)};
    ait_trace *u[3] = {plain("c", 1), plain("d", 1), plain("c", 1)};
    ait_put_counts c;

    for (int i = 0; i < 3; i++) {
        ait_trace_attempt(t[i]);
        t[i]->stat[AIT_S_EVENTS] = 10;
        if (!ait_trace_id(t[i], "other", 5))
            abort();
    }
    c = put_all(s, "a", t, 3);
    check_counts(c, 2, 1, 0);
    CHECK_INT(c.attempts, 2);
    CHECK_INT(c.events, 20);
    check_counts(put_all(s, "b", u, 3), 2, 1, 0);
    CHECK_INT(rows(s), 4);
    drop_all(t, 3);
    drop_all(u, 3);
    ait_store_close(s);
}

/* Without an id each stays, and the file that comes again finds each. */
static void twins_without_an_id_are_many(void)
{
    ait_store *s = open_new("nameless.db");
    ait_trace *t[4] = {plain(NULL, 1), plain(NULL, 1), plain(NULL, 1),
                       plain(NULL, AIT_ABSENT)};

    check_counts(put_all(s, "a", t, 2), 2, 0, 0);
    check_counts(put_all(s, "a", t, 2), 0, 2, 0);
    check_counts(put_all(s, "longer", t, 4), 2, 2, 0);
    check_counts(put_all(s, "longer", t, 4), 0, 4, 0);
    CHECK_INT(rows(s), 4);
    drop_all(t, 4);
    ait_store_close(s);
}

/* ---- a cut recording ----------------------------------------------- */

static ait_trace *cut(const char *id, int events)
{
    ait_trace *t = plain(id, 77);

    t->outcome = AIT_OUT_TRUNCATED_CAPTURE;
    t->stat[AIT_S_EVENTS] = events;
    for (int i = AIT_P_T4; i < AIT_P_COUNT; i++)
        t->point[i].ns = AIT_ABSENT;
    return t;
}

static void cut_then_whole(void)
{
    const char *path = scratch_file("cut.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *less = cut("r1", 3), *more = cut("r1", 9);
    ait_trace *whole = plain("up-1", 77), *other = plain("r9", 78);

    /* The answer's id came with the headers, after the cut. */
    CHECK(ait_trace_id(whole, "r1", 2));
    check_counts(put_all(s, "other", &other, 1), 1, 0, 0);
    check_counts(put_all(s, "cut", &less, 1), 1, 0, 0);
    check_counts(put_all(s, "cut", &less, 1), 0, 1, 0);
    check_counts(put_all(s, "longer", &more, 1), 0, 0, 1);
    check_counts(put_all(s, "cut", &less, 1), 0, 1, 0);
    check_counts(put_all(s, "whole", &whole, 1), 0, 0, 1);
    check_counts(put_all(s, "whole", &whole, 1), 0, 1, 0);
    check_counts(put_all(s, "longer", &more, 1), 0, 1, 0);
    check_counts(put_all(s, "cut", &less, 1), 0, 1, 0);
    CHECK_INT(rows(s), 2);
    CHECK_TEXT(ask_sql(path, "SELECT outcome || ' ' || row FROM request"
                             " WHERE request_id = 'up-1'"), "complete 2");
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_key"), "3");
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_id"), "2");
    drop(less);
    drop(more);
    drop(whole);
    drop(other);
    ait_store_close(s);
}

static void cut_but_another(void)
{
    ait_store *s = open_new("another.db");
    ait_trace *one = cut("r1", 3), *later = plain("r1", 99);
    ait_trace *format = plain("r1", 77), *id = plain("r2", 77);

    set_text(format, AIT_X_FORMAT, "native");
    check_counts(put_all(s, "cut", &one, 1), 1, 0, 0);
    check_counts(put_all(s, "later", &later, 1), 1, 0, 0);
    check_counts(put_all(s, "format", &format, 1), 1, 0, 0);
    check_counts(put_all(s, "id", &id, 1), 1, 0, 0);
    CHECK_INT(rows(s), 4);
    drop(one);
    drop(later);
    drop(format);
    drop(id);
    ait_store_close(s);
}

/* ---- a recording that grew ----------------------------------------- */

/* Step by step: the answer, its end, the handler's, a late phase; then one
 * more attempt. */
static ait_trace *grown(int step, uint64_t source)
{
    ait_trace *t = plain("r1", 77);
    ait_attempt *a;

    t->source = source;
    t->stat[AIT_S_EVENTS] = 9;
    for (int n = 1; n <= (step == 4 ? 2 : 1); n++) {
        a = ait_trace_attempt(t);
        if (!a)
            abort();
        a->number = n;
        a->done = step ? 1560 * AIT_MS : AIT_ABSENT;
        t->serving = a;
    }
    if (step < 1)
        t->point[AIT_P_T6].ns = AIT_ABSENT;
    if (step < 2)
        t->point[AIT_P_T7].ns = AIT_ABSENT;
    if (step > 2)
        t->phase[0] = AIT_MS;
    if (step == 4) { /* it is open again, and has brought less so far */
        t->outcome = AIT_OUT_TRUNCATED_CAPTURE;
        t->stat[AIT_S_EVENTS] = 2;
    }
    return t;
}

static void a_growing_recording(void)
{
    const char *path = scratch_file("grown.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t[5];

    for (int i = 0; i < 5; i++) {
        t[i] = grown(i, 0x123456789);
        check_counts(put_all(s, "grows", &t[i], 1), i == 0, 0, i > 0);
        check_counts(put_all(s, "grows", &t[i], 1), 0, 1, 0);
    }
    for (int i = 0; i < 5; i++)
        check_counts(put_all(s, "older", &t[i], 1), 0, 1, 0);
    CHECK_INT(rows(s), 1);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_key"), "2");
    CHECK_TEXT(ask_sql(path, "SELECT attempts FROM request"), "2");
    drop_all(t, 5);
    ait_store_close(s);
}

/* The same ids, start and figures under another name of the source, or the
 * name at another start. */
static void grown_but_another(void)
{
    ait_store *s = open_new("segments.db");
    ait_trace *t[3] = {grown(1, 5), grown(1, 6), grown(2, 5)};

    check_counts(put_all(s, "one", &t[0], 1), 1, 0, 0);
    check_counts(put_all(s, "two", &t[1], 1), 1, 0, 0);
    t[2]->num[AIT_N_TIME]++;
    check_counts(put_all(s, "later", &t[2], 1), 1, 0, 0);
    for (int i = 0; i < 3; i++)
        check_counts(put_all(s, "again", &t[i], 1), 0, 1, 0);
    t[2]->num[AIT_N_TIME]--; /* finds the first, past the third */
    check_counts(put_all(s, "longer", &t[2], 1), 0, 0, 1);
    CHECK_INT(rows(s), 3);
    drop_all(t, 3);
    ait_store_close(s);
}

/* ---- many: batches of keys, in several files ----------------------- */

enum { MANY = AIT_RUN_KEYS + 5000 }; /* more than one run */

static void put_numbered(ait_store *s, int from, int to,
                         ait_put_counts *counts)
{
    ait_error err;
    char id[24];

    CHECK_OK(ait_store_begin(s, "many", "native", &err));
    for (int i = from; i < to; i++) {
        ait_trace *t = plain(NULL, 1000 + i);
        snprintf(id, sizeof id, "q-%d", i);
        set_id(t, id);
        CHECK_OK(ait_store_put(s, t, NULL, &err));
        drop(t);
    }
    CHECK_OK(ait_store_commit(s, NULL, NULL, counts, &err));
}

static void many_requests(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_put_counts c;

    put_numbered(s, 0, MANY, &c);
    check_counts(c, MANY, 0, 0);
    put_numbered(s, MANY / 2, MANY + 10, &c);
    check_counts(c, 10, MANY / 2, 0);
    CHECK_INT(rows(s), MANY + 10);
    ait_store_close(s);
}

static void rolled_back(void)
{
    ait_store *s = open_new("back.db");
    ait_trace *t = plain("a", 1);
    ait_error err;

    CHECK_OK(ait_store_begin(s, "a", "capture", &err));
    CHECK_OK(ait_store_put(s, t, NULL, &err));
    ait_store_rollback(s);
    CHECK_INT(rows(s), 0);
    /* Words of the dictionary that went with it are not taken for there. */
    check_counts(put_all(s, "a", &t, 1), 1, 0, 0);
    CHECK_TEXT(ask_sql(scratch_file("back.db"),
                       "SELECT model || file FROM request"), "m-chata.jsonl");
    drop(t);
    ait_store_close(s);
}

int main(void)
{
    RUN(the_same_file_again);
    RUN(an_empty_file_again);
    RUN(rotated_files_overlap);
    RUN(two_requests_share_an_id);
    RUN(twins_with_an_id_are_one);
    RUN(twins_without_an_id_are_many);
    RUN(cut_then_whole);
    RUN(cut_but_another);
    RUN(a_growing_recording);
    RUN(grown_but_another);
    RUN(many_requests);
    RUN(rolled_back);
    return scratch_done();
}
