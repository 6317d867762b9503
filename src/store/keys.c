/*
 * Keys: which records are there already, and which request has an id.
 *
 * The key of a record with an id is 24 bits of the hash of the shown id and
 * 40 bits of the record's identity; the keys of its other ids have the same
 * 40 bits. A key that is taken by something else moves on to the next free
 * one, and equal keys are held against the rows, so that no collision can
 * merge what differs. A request that its source has a name for
 * (ait_trace.source) has that hash as one more key: it finds what an earlier
 * file held of the same request, whatever has come since.
 */
#include <string.h>

#include "base/text.h"
#include "store/private.h"

enum { ID_BITS = 24, FACT_BITS = 64 - ID_BITS };
#define FACTS ((UINT64_C(1) << FACT_BITS) - 1)

static int64_t as_signed(uint64_t v)
{
    return v <= INT64_MAX ? (int64_t)v : -(int64_t)(UINT64_MAX - v) - 1;
}

static uint64_t id_part(const char *id)
{
    return ait_hash64(0, id, strlen(id)) & ~FACTS;
}

void ait_key_bounds(const char *id, int64_t *low, int64_t *high)
{
    *low = as_signed(id_part(id));
    *high = as_signed(id_part(id) | FACTS);
}

/* The next key with the same id part. */
static int64_t next_key(int64_t key)
{
    uint64_t k = (uint64_t)key;

    return as_signed((k & ~FACTS) | ((k + 1) & FACTS));
}

static const char *shown_id(const ait_trace *t)
{
    const char *id = t->text[AIT_X_REQUEST_ID];

    return id || !t->ids ? id : t->ids->value;
}

/* ---- what tells two records apart ---------------------------------- */

enum { FACTS_KEPT = 7 }; /* numbers, see AIT_ST_REQUEST_FACTS */

typedef struct facts {
    int64_t number[FACTS_KEPT];
    char id[AIT_TEXT_MAX + 1];
} facts;

static void facts_of(const ait_trace *t, facts *f)
{
    const char *id = t->text[AIT_X_REQUEST_ID];
    int64_t n = 0;

    for (const ait_attempt *a = t->attempts; a; a = a->next)
        n++;
    memset(f, 0, sizeof *f);
    f->number[0] = t->num[AIT_N_TIME];
    f->number[1] = t->num[AIT_N_STATUS];
    f->number[2] = t->num[AIT_N_OUTPUT_TOKENS];
    f->number[3] = ait_timing(t, AIT_T_TOTAL_HANDLER);
    f->number[4] = ait_timing(t, AIT_T_UPSTREAM_DONE);
    f->number[5] = n;
    f->number[6] = t->stat[AIT_S_EVENTS];
    if (id)
        memcpy(f->id, id, strnlen(id, AIT_TEXT_MAX));
}

static ait_code facts_stored(ait_store *s, int64_t row, facts *f,
                             bool *found, ait_error *err)
{
    sqlite3_stmt *st;
    const char *id;
    ait_code rc = ait_db_stmt(s, AIT_ST_REQUEST_FACTS, &st, err);

    if (rc != AIT_OK)
        return rc;
    memset(f, 0, sizeof *f);
    ait_bind_int(st, 1, row);
    rc = ait_db_step(s, st, found, err);
    if (rc != AIT_OK || !*found)
        return rc;
    for (int i = 0; i < FACTS_KEPT; i++)
        f->number[i] = ait_column_int(st, i);
    id = (const char *)sqlite3_column_text(st, FACTS_KEPT);
    if (id)
        memcpy(f->id, id, strnlen(id, AIT_TEXT_MAX));
    sqlite3_reset(st);
    return AIT_OK;
}

static bool same_facts(const facts *a, const facts *b)
{
    return memcmp(a->number, b->number, sizeof a->number) == 0 &&
           strcmp(a->id, b->id) == 0;
}

/* ---- looking up ---------------------------------------------------- */

/* How often this file has brought a record like this one. */
static ait_code count_seen(ait_store *s, const ait_trace *t, uint64_t id,
                           uint64_t *n, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_SEEN, &st, err);
    bool row;

    if (rc != AIT_OK)
        return rc;
    sqlite3_bind_int64(st, 1, t->num[AIT_N_TIME]); /* absent is a time, too */
    sqlite3_bind_int64(st, 2, as_signed(id));
    rc = ait_db_step(s, st, &row, err);
    if (rc != AIT_OK)
        return rc;
    *n = row ? (uint64_t)sqlite3_column_int64(st, 0) : 1;
    return ait_db_run(s, st, err);
}

void ait_key_make(const ait_trace *t, ait_ready *r)
{
    uint64_t identity = ait_trace_identity(t);
    const char *id = shown_id(t);

    r->has_id = id != NULL;
    r->key = as_signed(id ? id_part(id) | (identity & FACTS) : identity);
}

/* Records without an id get their place among equals as part of the key:
 * the third of three is the third again when the file comes again. */
static ait_code place_key(ait_store *s, const ait_trace *t,
                          const ait_ready *r, int64_t *key, ait_error *err)
{
    uint64_t identity = (uint64_t)r->key, n = 0;
    ait_code rc;

    *key = r->key;
    if (r->has_id)
        return AIT_OK;
    rc = count_seen(s, t, identity, &n, err);
    if (n > 1)
        *key = as_signed(ait_hash64(identity, &n, sizeof n));
    return rc;
}

static ait_code key_row(ait_store *s, int64_t key, int64_t *row,
                        ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_KEY_GET, &st, err);
    bool found;

    *row = AIT_ABSENT;
    if (rc != AIT_OK)
        return rc;
    sqlite3_bind_int64(st, 1, key); /* any number is a key */
    rc = ait_db_step(s, st, &found, err);
    if (rc != AIT_OK || !found)
        return rc;
    *row = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    return AIT_OK;
}

ait_code ait_key_source(ait_store *s, uint64_t *source, int64_t *row,
                        ait_error *err)
{
    int64_t key = as_signed(*source);

    *source = (uint64_t)next_key(key);
    return key_row(s, key, row, err);
}

ait_code ait_key_find(ait_store *s, const ait_trace *t, const ait_ready *r,
                      int64_t *key, int64_t *found, ait_error *err)
{
    ait_code rc = place_key(s, t, r, key, err);
    facts mine, stored;
    int64_t row;
    bool there;

    *found = AIT_ABSENT;
    if (rc != AIT_OK || !s->had_keys)
        return rc;
    facts_of(t, &mine);
    for (int64_t k = *key;; k = next_key(k)) {
        rc = key_row(s, k, &row, err);
        if (rc != AIT_OK || !ait_has(row))
            return rc;
        rc = facts_stored(s, row, &stored, &there, err);
        if (rc != AIT_OK)
            return rc;
        if (there && same_facts(&mine, &stored)) {
            *found = row;
            return AIT_OK;
        }
    }
}

/* ---- writing ------------------------------------------------------- */

/* Row `row` says what `first` says: it goes, and the counts with it. */
static ait_code merge(ait_store *s, const facts *f, int64_t row,
                      ait_error *err)
{
    s->counts.new_--;
    s->counts.present++;
    s->counts.attempts -= f->number[5];
    s->counts.events -= ait_events(f->number[6]);
    return ait_delete_request(s, row, err);
}

/* The key is taken. *done: by the same record, which this file brought
 * before (`k` is gone), or by this row itself. */
static ait_code taken(ait_store *s, const ait_key *k, bool *done,
                      ait_error *err)
{
    facts mine, other;
    bool here, there, has_id = k->row & 1;
    int64_t row, own = k->row >> 1;
    ait_code rc = key_row(s, k->key, &row, err);

    *done = row == own;
    if (rc != AIT_OK || *done)
        return rc;
    rc = facts_stored(s, own, &mine, &here, err);
    if (rc == AIT_OK)
        rc = facts_stored(s, row, &other, &there, err);
    if (rc != AIT_OK)
        return rc;
    if (!here) { /* another key of a row that is gone */
        *done = true;
        return AIT_OK;
    }
    *done = has_id && there && same_facts(&mine, &other);
    return *done ? merge(s, &mine, own, err) : AIT_OK;
}

enum { SOME = 512 };

static ait_code write_key(ait_store *s, ait_key k, ait_error *err)
{
    bool done = false;
    sqlite3_stmt *st;
    ait_code rc;

    while (!done) {
        rc = ait_db_stmt(s, AIT_ST_KEY_ADD, &st, err);
        if (rc != AIT_OK)
            return rc;
        sqlite3_bind_int64(st, 1, k.key);
        sqlite3_bind_int64(st, 2, k.row >> 1);
        rc = ait_db_run(s, st, err);
        if (rc != AIT_OK || sqlite3_changes(s->db) > 0)
            return rc;
        rc = taken(s, &k, &done, err);
        if (rc != AIT_OK)
            return rc;
        k.key = next_key(k.key);
    }
    return AIT_OK;
}

/* All at once, which is enough where none is taken; else each for itself. */
static ait_code write_some(ait_store *s, const ait_key *k, size_t n,
                           ait_error *err)
{
    bool all = false;
    ait_code rc = ait_batch_keys(s, k, n, &all, err);

    for (size_t i = 0; rc == AIT_OK && !all && i < n; i++)
        rc = write_key(s, k[i], err);
    return rc;
}

/* Equal keys look at the rows: these are written before. */
ait_code ait_key_flush(ait_store *s, ait_error *err)
{
    ait_key some[SOME];
    size_t n = SOME;
    ait_code rc = ait_batch_flush(s, err);

    if (rc == AIT_OK)
        rc = ait_runs_sort(s, err);
    while (rc == AIT_OK && n == SOME) {
        rc = ait_runs_next(s, some, SOME, &n, err);
        if (rc == AIT_OK)
            rc = write_some(s, some, n, err);
    }
    return rc == AIT_OK ? ait_runs_clear(s, err) : rc;
}

/* ---- noting -------------------------------------------------------- */

static ait_code note(ait_store *s, int64_t key, int64_t row, bool has_id,
                     ait_error *err)
{
    ait_code rc = ait_runs_full(s) ? ait_key_flush(s, err) : AIT_OK;

    return rc == AIT_OK
               ? ait_runs_add(s, (ait_key){key, row << 1 | has_id}, err) : rc;
}

/* Those of the ids that are not shown. */
static ait_code note_others(ait_store *s, const ait_trace *t, int64_t key,
                            int64_t row, ait_error *err)
{
    const char *shown = shown_id(t);
    ait_code rc = AIT_OK;

    for (const ait_id *id = t->ids; rc == AIT_OK && id; id = id->next) {
        uint64_t other = id_part(id->value) | ((uint64_t)key & FACTS);
        if (strcmp(id->value, shown) != 0)
            rc = note(s, as_signed(other), row, true, err);
    }
    return rc;
}

ait_code ait_key_note(ait_store *s, const ait_trace *t, const ait_ready *r,
                      int64_t key, int64_t row, ait_error *err)
{
    ait_code rc = note(s, key, row, r->has_id, err);

    if (rc == AIT_OK && r->more & AIT_MORE_IDS)
        rc = note_others(s, t, key, row, err);
    if (rc == AIT_OK && t->source)
        rc = note(s, as_signed(t->source), row, true, err);
    return rc;
}

/* ---- taking away --------------------------------------------------- */

/* Those of a row that begin like `key`. */
static ait_code drop(ait_store *s, uint64_t key, int64_t row, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_KEY_DELETE, &st, err);

    if (rc != AIT_OK)
        return rc;
    sqlite3_bind_int64(st, 1, as_signed(key & ~FACTS));
    sqlite3_bind_int64(st, 2, as_signed(key | FACTS));
    sqlite3_bind_int64(st, 3, row);
    return ait_db_run(s, st, err);
}

ait_code ait_key_drop(ait_store *s, const ait_trace *t, int64_t row,
                      ait_error *err)
{
    const char *shown = shown_id(t);
    ait_code rc = shown ? drop(s, id_part(shown), row, err) : AIT_OK;

    for (const ait_id *id = t->ids; rc == AIT_OK && id; id = id->next)
        rc = drop(s, id_part(id->value), row, err);
    if (rc == AIT_OK && t->source)
        rc = drop(s, t->source, row, err);
    return rc;
}
