/*
 * Keys on their way into the order they are written in. A random insert each
 * would touch a page each, and so would sorted batches once the table is
 * large: keys are collected, sorted when the memory for them is full, laid
 * aside in a temporary table, and merged in the end.
 */
#include <stdlib.h>
#include <string.h>

#include "store/private.h"

enum {
    PART = 1024, /* keys of a row of the temporary table */
    RUNS_MAX = 2 * AIT_RUN_KEYS / PART /* one part of each has room */
};

/* One sorted run, as far as it was not given yet. */
typedef struct run {
    const ait_key *at, *end; /* the part that is in memory */
    int64_t next, last;      /* rows of the parts after it */
} run;

struct ait_runs {
    ait_key *keys;  /* of a run, and as many to sort them */
    size_t run_keys;
    size_t pending; /* collected */
    run run[RUNS_MAX];
    size_t runs;
    size_t heap[RUNS_MAX]; /* runs that have keys, the lowest first */
    size_t live;
};

ait_runs *ait_runs_new(size_t run_keys)
{
    ait_runs *r = ait_alloc(sizeof *r);

    if (!r)
        return NULL;
    r->run_keys = run_keys;
    r->keys = ait_alloc(2 * run_keys * sizeof *r->keys);
    if (r->keys)
        return r;
    free(r);
    return NULL;
}

void ait_runs_free(ait_runs *r)
{
    if (r)
        free(r->keys);
    free(r);
}

bool ait_runs_many(const ait_store *s)
{
    return s->runs->runs > 0;
}

void ait_runs_forget(ait_runs *r)
{
    r->pending = r->runs = r->live = 0;
}

ait_code ait_runs_clear(ait_store *s, ait_error *err)
{
    bool laid_aside = ait_runs_many(s);
    sqlite3_stmt *st;
    ait_code rc;

    ait_runs_forget(s->runs);
    if (!laid_aside)
        return AIT_OK;
    rc = ait_db_stmt(s, AIT_ST_RUNS_CLEAR, &st, err);
    return rc == AIT_OK ? ait_db_run(s, st, err) : rc;
}

/* ---- sorting ------------------------------------------------------- */

enum { DIGIT = 8, DIGITS = 64 / DIGIT, DIGIT_VALUES = 1 << DIGIT };

/* Digits 0 … 7 of the row, then those of the key, as a number without a sign
 * in the order of those with one. */
static unsigned digit(const ait_key *k, int d)
{
    uint64_t key = (uint64_t)k->key ^ UINT64_C(1) << 63;
    uint64_t v = d < DIGITS ? (uint64_t)k->row : key;

    return (unsigned)(v >> d % DIGITS * DIGIT) % DIGIT_VALUES;
}

/* By one digit; what has the same one keeps its order. */
static void sort_by(const ait_key *from, ait_key *to, size_t n, int d)
{
    size_t at[DIGIT_VALUES] = {0}, sum = 0;

    for (size_t i = 0; i < n; i++)
        at[digit(&from[i], d)]++;
    for (int i = 0; i < DIGIT_VALUES; i++) {
        size_t count = at[i];
        at[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[digit(&from[i], d)]++] = from[i];
}

static bool rows_ascend(const ait_key *k, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (k[i].row < k[i - 1].row)
            return false;
    return true;
}

/* By key, then by row, from the last digit to the first: a fifth of what
 * comparing takes. Rows are in order unless one was replaced. */
static void sort(ait_runs *r)
{
    ait_key *spare = r->keys + r->run_keys;
    int d = rows_ascend(r->keys, r->pending) ? DIGITS : 0;

    for (; d < 2 * DIGITS; d += 2) {
        sort_by(r->keys, spare, r->pending, d);
        sort_by(spare, r->keys, r->pending, d + 1);
    }
}

/* ---- laying aside -------------------------------------------------- */

static ait_code put_part(ait_store *s, const ait_key *k, size_t n,
                         int64_t *row, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_RUNS_ADD, &st, err);

    if (rc != AIT_OK)
        return rc;
    sqlite3_bind_blob(st, 1, k, (int)(n * sizeof *k), SQLITE_STATIC);
    rc = ait_db_run(s, st, err);
    *row = sqlite3_last_insert_rowid(s->db);
    return rc;
}

/* What is collected becomes a run. */
static ait_code lay_aside(ait_store *s, ait_error *err)
{
    ait_runs *r = s->runs;
    run *to = &r->run[r->runs];
    ait_code rc = AIT_OK;

    sort(r);
    *to = (run){0};
    for (size_t at = 0; rc == AIT_OK && at < r->pending; at += PART) {
        size_t left = r->pending - at;

        rc = put_part(s, r->keys + at, left < PART ? left : PART, &to->last,
                      err);
        if (at == 0)
            to->next = to->last;
    }
    r->pending = 0;
    r->runs++;
    return rc;
}

bool ait_runs_full(const ait_store *s)
{
    return s->runs->runs == 2 * s->runs->run_keys / PART;
}

ait_code ait_runs_add(ait_store *s, ait_key key, ait_error *err)
{
    ait_runs *r = s->runs;

    r->keys[r->pending++] = key;
    return r->pending == r->run_keys ? lay_aside(s, err) : AIT_OK;
}

/* ---- merging ------------------------------------------------------- */

/* The next part of a run into its place in memory. */
static ait_code get_part(ait_store *s, size_t i, ait_error *err)
{
    run *run = &s->runs->run[i];
    ait_key *to = s->runs->keys + i * PART;
    sqlite3_stmt *st;
    bool row;
    size_t n;
    ait_code rc = ait_db_stmt(s, AIT_ST_RUNS_GET, &st, err);

    if (rc != AIT_OK)
        return rc;
    sqlite3_bind_int64(st, 1, run->next++);
    rc = ait_db_step(s, st, &row, err);
    if (rc != AIT_OK)
        return rc;
    n = row ? (size_t)sqlite3_column_bytes(st, 0) / sizeof *to : 0;
    if (n == 0 || n > PART)
        AIT_BUG("a part of the keys is lost");
    memcpy(to, sqlite3_column_blob(st, 0), n * sizeof *to);
    sqlite3_reset(st);
    run->at = to;
    run->end = to + n;
    return AIT_OK;
}

static bool before(const ait_runs *r, size_t a, size_t b)
{
    const ait_key *x = r->run[a].at, *y = r->run[b].at;

    return x->key != y->key ? x->key < y->key : x->row < y->row;
}

/* heap[at] may stand too high. */
static void sink(ait_runs *r, size_t at)
{
    for (;;) {
        size_t low = 2 * at + 1, moved = r->heap[at];

        if (low + 1 < r->live && before(r, r->heap[low + 1], r->heap[low]))
            low++;
        if (low >= r->live || !before(r, r->heap[low], moved))
            return;
        r->heap[at] = r->heap[low];
        r->heap[low] = moved;
        at = low;
    }
}

/* A single run stays where it was sorted. */
static void keep_one(ait_runs *r)
{
    sort(r);
    r->run[0] = (run){r->keys, r->keys + r->pending, .next = 1, .last = 0};
    r->live = r->pending > 0;
    r->heap[0] = 0;
}

ait_code ait_runs_sort(ait_store *s, ait_error *err)
{
    ait_runs *r = s->runs;
    ait_code rc = AIT_OK;

    if (r->runs == 0) {
        keep_one(r);
        return AIT_OK;
    }
    if (r->pending)
        rc = lay_aside(s, err);
    for (size_t i = 0; rc == AIT_OK && i < r->runs; i++) {
        rc = get_part(s, i, err);
        r->heap[i] = i;
    }
    if (rc != AIT_OK)
        return rc;
    r->live = r->runs;
    for (size_t i = r->live / 2; i-- > 0;)
        sink(r, i);
    return AIT_OK;
}

/* Beyond the lowest key. */
static ait_code advance(ait_store *s, ait_error *err)
{
    ait_runs *r = s->runs;
    run *lowest = &r->run[r->heap[0]];
    ait_code rc = AIT_OK;

    if (++lowest->at == lowest->end && lowest->next <= lowest->last)
        rc = get_part(s, r->heap[0], err);
    if (rc != AIT_OK)
        return rc;
    if (lowest->at == lowest->end)
        r->heap[0] = r->heap[--r->live];
    sink(r, 0);
    return AIT_OK;
}

ait_code ait_runs_next(ait_store *s, ait_key *out, size_t most, size_t *n,
                       ait_error *err)
{
    ait_runs *r = s->runs;
    ait_code rc = AIT_OK;

    for (*n = 0; rc == AIT_OK && *n < most && r->live; ++*n) {
        out[*n] = *r->run[r->heap[0]].at;
        rc = advance(s, err);
    }
    return rc;
}
