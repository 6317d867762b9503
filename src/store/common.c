/*
 * What many requests have in common: their texts and a few numbers, one row
 * of raw_common for all of them. Rows written last are known by what they say,
 * as it stands in the trace; others of this transaction by a map of the texts'
 * numbers; a row that neither holds is written again.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "store/private.h"

enum { CACHED = 65536 };

/* In the order of the table. */
static const ait_text_field texts[] = {
    AIT_X_MODEL,         AIT_X_PROVIDER,   AIT_X_GROUP,
    AIT_X_CHANNEL,       AIT_X_ROUTE,      AIT_X_REGION,
    AIT_X_ENDPOINT,      AIT_X_DIALECT,    AIT_X_FINISH_REASON,
    AIT_X_ERROR_CODE,    AIT_X_REASONING_EFFORT,
    AIT_X_FORMAT,        AIT_X_FILE,
};
static const ait_num_field nums[AIT_COMMON_NUMS] = {
    AIT_N_STATUS,      AIT_N_RETRIES, AIT_N_RESOLUTION,
    AIT_N_TEMPERATURE, AIT_N_TOP_P,   AIT_N_TOOLS,
};
enum { TEXTS = sizeof texts / sizeof *texts };
_Static_assert(TEXTS == AIT_X_COUNT - 1, "a text without a column");

/* ---- writing ------------------------------------------------------- */

static ait_code gather(ait_store *s, const ait_trace *t, ait_common *c,
                       ait_error *err)
{
    ait_code rc = AIT_OK;

    c->text[AIT_X_REQUEST_ID] = AIT_ABSENT;
    for (int i = 0; rc == AIT_OK && i < TEXTS; i++)
        rc = ait_dict_put(s, t->text[texts[i]], &c->text[texts[i]], err);
    for (int i = 0; i < AIT_COMMON_NUMS; i++)
        c->num[i] = t->num[nums[i]];
    c->seen = t->stat[AIT_S_SEEN];
    return rc;
}

static ait_code add(ait_store *s, const ait_common *c, int64_t *row,
                    ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_COMMON_ADD, &st, err);

    if (rc != AIT_OK)
        return rc;
    for (int i = 0; i < TEXTS; i++)
        ait_bind_int(st, i + 1, c->text[texts[i]]);
    for (int i = 0; i < AIT_COMMON_NUMS; i++)
        ait_bind_int(st, TEXTS + i + 1, c->num[i]);
    ait_bind_int(st, TEXTS + AIT_COMMON_NUMS + 1, c->seen);
    rc = ait_db_run(s, st, err);
    *row = sqlite3_last_insert_rowid(s->db);
    return rc;
}

static ait_code find_or_add(ait_store *s, const ait_common *c, int64_t *row,
                            ait_error *err)
{
    ait_strmap *m = &s->dict.commons;
    void *known = ait_strmap_get(m, (const char *)c, sizeof *c);
    ait_code rc;

    *row = (int64_t)(intptr_t)known;
    if (known)
        return AIT_OK;
    rc = add(s, c, row, err);
    if (rc != AIT_OK || m->count >= CACHED)
        return rc;
    return ait_strmap_set(m, (const char *)c, sizeof *c,
                          (void *)(intptr_t)*row)
               ? AIT_OK
               : ait_db_nomem(err);
}

/* ---- what was written last ----------------------------------------- */

/* Who gets the same number on purpose gains nothing but the way through the
 * map. */
static uint64_t hash_of(const char *bytes, size_t n)
{
    uint64_t h = n, word;

    for (size_t i = 0; i < n; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

static const char *bytes_of(const ait_common_key *k)
{
    return (const char *)k + offsetof(ait_common_key, num);
}

void ait_common_make_key(const ait_trace *t, ait_common_key *k)
{
    char *end = k->text;

    for (int i = 0; i < AIT_COMMON_NUMS; i++)
        k->num[i] = t->num[nums[i]];
    k->seen = t->stat[AIT_S_SEEN];
    k->texts = 0;
    for (int i = 0; i < TEXTS; i++) {
        const char *text = t->text[texts[i]];
        size_t n = text ? strlen(text) + 1 : 0;
        if (n > AIT_TEXT_MAX + 1)
            AIT_BUG("a text longer than what is kept");
        if (n)
            memcpy(end, text, n);
        k->texts |= (uint64_t)(n > 0) << i;
        end += n;
    }
    memset(end, 0, sizeof(uint64_t));
    k->len = (size_t)(end - bytes_of(k) + 7) / 8 * 8;
    k->hash = hash_of(bytes_of(k), k->len);
}

/* Where it is among those written last, or may take a place. */
static ait_common_row *place_of(ait_dict *d, const ait_common_key *k,
                                bool *there)
{
    enum { TRIED = 4 };
    ait_common_row *home = &d->written[k->hash % (AIT_COMMON_RECENT - TRIED)];

    for (ait_common_row *r = home; r < home + TRIED; r++) {
        *there = r->row && r->hash == k->hash && r->len == k->len &&
                 memcmp(r->bytes, bytes_of(k), k->len) == 0;
        if (*there || !r->row)
            return r;
    }
    return home;
}

static bool remember(ait_common_row *r, const ait_common_key *k, int64_t row)
{
    char *bytes = ait_realloc(r->bytes, k->len);

    if (!bytes)
        return false;
    memcpy(bytes, bytes_of(k), k->len);
    *r = (ait_common_row){k->hash, row, k->len, bytes};
    return true;
}

void ait_common_forget(ait_dict *d)
{
    for (int i = 0; d->written && i < AIT_COMMON_RECENT; i++)
        free(d->written[i].bytes);
    free(d->written);
    d->written = NULL;
}

ait_code ait_common_put(ait_store *s, const ait_trace *t,
                        const ait_common_key *k, int64_t *row, ait_error *err)
{
    ait_dict *d = &s->dict;
    ait_common_row *r;
    ait_common c;
    bool there;
    ait_code rc;

    if (!d->written)
        d->written = ait_alloc(AIT_COMMON_RECENT * sizeof *d->written);
    if (!d->written)
        return ait_db_nomem(err);
    r = place_of(d, k, &there);
    *row = r->row;
    if (there)
        return AIT_OK;
    rc = gather(s, t, &c, err);
    if (rc == AIT_OK)
        rc = find_or_add(s, &c, row, err);
    if (rc == AIT_OK && !remember(r, k, *row))
        rc = ait_db_nomem(err);
    return rc;
}

/* ---- reading ------------------------------------------------------- */

static ait_code read_row(ait_store *s, int64_t row, ait_common *c,
                         ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_dict_row(s, AIT_ST_COMMON_GET, row, &st, err);

    if (rc != AIT_OK)
        return rc;
    for (int i = 0; i < TEXTS; i++)
        c->text[texts[i]] = ait_column_int(st, i);
    for (int i = 0; i < AIT_COMMON_NUMS; i++)
        c->num[i] = ait_column_int(st, TEXTS + i);
    c->seen = ait_column_int(st, TEXTS + AIT_COMMON_NUMS);
    sqlite3_reset(st);
    return AIT_OK;
}

/* *c: the row, in the cache or in `own`. */
static ait_code get(ait_store *s, int64_t row, ait_common *own,
                    const ait_common **c, ait_error *err)
{
    ait_dict *d = &s->dict;
    void *table = d->common;
    ait_common *kept = NULL;
    ait_code rc;

    if (row > 0 && (uint64_t)row < d->commons_cap && d->common[row]) {
        *c = d->common[row];
        return AIT_OK;
    }
    if (ait_dict_room(&table, &d->commons_cap, row)) {
        d->common = table;
        kept = ait_arena_alloc(&d->arena, sizeof *kept);
    }
    *c = kept ? kept : own;
    rc = read_row(s, row, kept ? kept : own, err);
    if (rc == AIT_OK && kept)
        d->common[row] = kept;
    return rc;
}

ait_code ait_common_get(ait_store *s, int64_t row, unsigned need,
                        ait_trace *t, ait_error *err)
{
    const ait_common *c;
    ait_common own;
    unsigned wanted = need & AIT_NEED_TEXTS & ~AIT_NEED_TEXT(AIT_X_REQUEST_ID);
    ait_code rc = get(s, row, &own, &c, err);

    for (int i = 0; rc == AIT_OK && wanted >= AIT_NEED_TEXT(i); i++)
        if (wanted & AIT_NEED_TEXT(i))
            rc = ait_dict_get(s, c->text[i], &t->arena, &t->text[i], err);
    if (rc == AIT_OK && need & AIT_NEED_NUMBERS)
        for (int i = 0; i < AIT_COMMON_NUMS; i++)
            t->num[nums[i]] = c->num[i];
    if (rc == AIT_OK && need & AIT_NEED_STATS)
        t->stat[AIT_S_SEEN] = c->seen;
    return rc;
}
