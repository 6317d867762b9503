/* Keys in order: all of them, once each, however many runs there are; and a
 * store whose runs are small knows what a file brought twice, whichever run
 * it fell into. */
#include "store/private.h"
#include "unit/store_help.h"

enum { RUN_KEYS = 2048, ROOM = 4 * RUN_KEYS }; /* four runs of two parts */

static ait_store *small_runs(const char *path)
{
    ait_store *s = must_open(path, AIT_STORE_WRITE);

    ait_runs_free(s->runs);
    s->runs = ait_runs_new(RUN_KEYS);
    if (!s->runs)
        abort();
    return s;
}

/* ---- the order ----------------------------------------------------- */

/* Far apart, near each other, equal ones; rows that do not ascend. */
static ait_key any_key(size_t i)
{
    int64_t key = dice(3) ? (int64_t)dice(0) : (int64_t)dice(50) - 25;

    return (ait_key){key, (int64_t)(dice(10) ? 2 * i : dice(1000))};
}

static int by_key(const void *a, const void *b)
{
    const ait_key *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* All in the order of qsort, taken `some` at a time. */
static void expect_sorted(ait_store *s, size_t n, size_t some)
{
    ait_key *want = malloc((n + 1) * sizeof *want), got[700];
    size_t at = 0, wrong = 0, came = some;
    ait_error err;

    if (!want)
        abort();
    for (size_t i = 0; i < n; i++) {
        want[i] = any_key(i);
        CHECK(!ait_runs_full(s));
        CHECK_OK(ait_runs_add(s, want[i], &err));
    }
    qsort(want, n, sizeof *want, by_key);
    CHECK_OK(ait_runs_sort(s, &err));
    while (came == some) {
        CHECK_OK(ait_runs_next(s, got, some, &came, &err));
        for (size_t i = 0; i < came && at < n; i++, at++)
            wrong += by_key(&got[i], &want[at]) != 0;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(at, n);
    CHECK_OK(ait_runs_clear(s, &err));
    free(want);
}

static void all_come_in_order(void)
{
    static const size_t counts[] = {
        0, 1, 700, RUN_KEYS - 1, RUN_KEYS, RUN_KEYS + 1, 2 * RUN_KEYS,
        3 * RUN_KEYS + 1025, ROOM - 1,
    };
    ait_store *s = small_runs(scratch_file("order.db"));

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        expect_sorted(s, counts[i], 1);
        expect_sorted(s, counts[i], 512);
        expect_sorted(s, counts[i], 700);
    }
    ait_store_close(s);
}

static void it_says_when_it_is_full(void)
{
    ait_store *s = small_runs(scratch_file("full.db"));
    ait_error err;

    for (size_t i = 0; i < ROOM; i++) {
        CHECK_INT(ait_runs_many(s), i >= RUN_KEYS);
        CHECK(!ait_runs_full(s));
        CHECK_OK(ait_runs_add(s, any_key(i), &err));
    }
    CHECK(ait_runs_full(s));
    CHECK_OK(ait_runs_clear(s, &err));
    CHECK(!ait_runs_full(s));
    CHECK(!ait_runs_many(s));
    ait_store_close(s);
}

/* ---- in a store ---------------------------------------------------- */

enum { MANY = 5 * ROOM / 2 }; /* written before the end, twice */

static ait_trace *numbered(int i)
{
    char id[32];

    snprintf(id, sizeof id, "req-%d", i);
    return plain(id, 1000 * AIT_SEC + i);
}

static void put_numbered(ait_store *s, int i)
{
    ait_trace *t = numbered(i);
    ait_error err;

    CHECK_OK(ait_store_put(s, t, NULL, &err));
    drop(t);
}

/* Every seventh comes again, once soon and once in another run. */
static ait_put_counts put_many(ait_store *s)
{
    ait_put_counts counts = {0};
    ait_error err;

    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < MANY; i++) {
        put_numbered(s, i);
        if (i % 7 == 0)
            put_numbered(s, i < RUN_KEYS ? i : i - RUN_KEYS);
    }
    CHECK_OK(ait_store_commit(s, NULL, NULL, &counts, &err));
    return counts;
}

static void what_comes_twice_is_one(void)
{
    const char *path = scratch_file("twice.db");
    ait_store *s = small_runs(path);
    ait_put_counts first, again;
    char want[32];

    ait_store_threads(s, 2);
    first = put_many(s);
    CHECK_INT(first.new_, MANY);
    CHECK_INT(first.present, (MANY + 6) / 7);
    again = put_many(s);
    CHECK_INT(again.new_, 0);
    CHECK_INT(again.present, MANY + (MANY + 6) / 7);
    ait_store_close(s);
    snprintf(want, sizeof want, "%d", MANY);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_request"), want);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_key"), want);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_key JOIN raw_request"
                             " ON row = request"), want);
    CHECK_TEXT(ask_sql(path, "PRAGMA integrity_check"), "ok");
}

static void a_rollback_leaves_none(void)
{
    const char *path = scratch_file("back.db");
    ait_store *s = small_runs(path);
    ait_put_counts counts;
    ait_error err;

    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < ROOM - RUN_KEYS / 2; i++)
        put_numbered(s, i);
    CHECK(ait_runs_many(s));
    ait_store_rollback(s);
    CHECK(!ait_runs_many(s));
    counts = put_many(s);
    CHECK_INT(counts.new_, MANY);
    CHECK_INT(counts.present, (MANY + 6) / 7);
    ait_store_close(s);
}

int main(void)
{
    RUN(all_come_in_order);
    RUN(it_says_when_it_is_full);
    RUN(what_comes_twice_is_one);
    RUN(a_rollback_leaves_none);
    return scratch_done();
}
