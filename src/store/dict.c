/*
 * The dictionary: texts that repeat, and kinds of measures, as numbers. Kept
 * in memory while there are few; beyond that the table answers.
 */
#include <stdlib.h>
#include <string.h>

#include "store/private.h"

enum { CACHED = 65536 }; /* texts and kinds, each */

void ait_dict_init(ait_dict *d)
{
    memset(d, 0, sizeof *d);
    ait_strmap_init(&d->ids);
    ait_strmap_init(&d->kinds);
    ait_strmap_init(&d->commons);
    ait_arena_init(&d->arena, (size_t)64 << 20);
}

void ait_dict_free(ait_dict *d)
{
    ait_strmap_free(&d->ids);
    ait_strmap_free(&d->kinds);
    ait_strmap_free(&d->commons);
    ait_arena_free(&d->arena);
    free(d->text);
    free(d->kind);
    free(d->common);
    ait_common_forget(d);
}

void ait_dict_forget(ait_dict *d)
{
    ait_dict_free(d);
    ait_dict_init(d);
}

/* Numbers travel through the map's pointers; 0 is none. */
static void *as_pointer(int64_t id)
{
    return (void *)(intptr_t)id;
}

static ait_code remember(ait_strmap *m, const char *key, size_t n,
                         int64_t id, ait_error *err)
{
    if (m->count >= CACHED || id <= 0 || id > INTPTR_MAX)
        return AIT_OK;
    return ait_strmap_set(m, key, n, as_pointer(id)) ? AIT_OK
                                                     : ait_db_nomem(err);
}

/* ---- text to number ------------------------------------------------ */

/* Place among the recent ones: length, first and last characters. Who gets
 * the same place on purpose gains nothing but the way through the map. */
static ait_recent *recent(ait_dict *d, const char *text, size_t n)
{
    size_t h = n;

    if (n)
        h += (unsigned char)text[0] * 3u + (unsigned char)text[n - 1] * 7u +
             (unsigned char)text[n / 2] * 31u;
    return &d->recent[h % AIT_RECENT];
}

static ait_code find_stored(ait_store *s, const char *text, size_t n,
                            int64_t *id, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_TEXT_FIND, &st, err);
    bool row;

    if (rc != AIT_OK)
        return rc;
    ait_bind_text(st, 1, text);
    rc = ait_db_step(s, st, &row, err);
    if (rc != AIT_OK || !row)
        return rc;
    *id = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    return remember(&s->dict.ids, text, n, *id, err);
}

/* Only texts in the map are kept as recent, each of which is copied once:
 * r->text is the copy of whatever had this place first. */
static ait_code find(ait_store *s, const char *text, size_t n,
                     ait_recent *r, int64_t *id, ait_error *err)
{
    void *known = ait_strmap_get(&s->dict.ids, text, n);

    *id = known ? (int64_t)(intptr_t)known : AIT_ABSENT;
    if (!known)
        return find_stored(s, text, n, id, err);
    if (!r->text && (r->text = ait_arena_strdup(&s->dict.arena, text)))
        r->id = *id;
    return AIT_OK;
}

static ait_code add(ait_store *s, const char *text, size_t n, int64_t *id,
                    ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_TEXT_ADD, &st, err);

    if (rc != AIT_OK)
        return rc;
    ait_bind_text(st, 1, text);
    rc = ait_db_run(s, st, err);
    if (rc != AIT_OK)
        return rc;
    *id = sqlite3_last_insert_rowid(s->db);
    return remember(&s->dict.ids, text, n, *id, err);
}

ait_code ait_dict_find(ait_store *s, const char *text, int64_t *id,
                       ait_error *err)
{
    size_t n = strlen(text);

    return find(s, text, n, recent(&s->dict, text, n), id, err);
}

ait_code ait_dict_put(ait_store *s, const char *text, int64_t *id,
                      ait_error *err)
{
    ait_recent *r;
    ait_code rc;
    size_t n;

    *id = AIT_ABSENT;
    if (!text)
        return AIT_OK;
    n = strlen(text);
    r = recent(&s->dict, text, n);
    if (r->text && strcmp(r->text, text) == 0) {
        *id = r->id;
        return AIT_OK;
    }
    rc = find(s, text, n, r, id, err);
    return rc == AIT_OK && !ait_has(*id) ? add(s, text, n, id, err) : rc;
}

/* ---- number to text ------------------------------------------------ */

bool ait_dict_room(void **table, size_t *cap, int64_t id)
{
    size_t want = *cap ? *cap : 256;
    void **more;

    if (id <= 0 || id >= CACHED)
        return false;
    if ((size_t)id < *cap)
        return true;
    while (want <= (size_t)id)
        want *= 2;
    more = ait_realloc(*table, want * sizeof *more);
    if (!more)
        return false;
    memset(more + *cap, 0, (want - *cap) * sizeof *more);
    *table = more;
    *cap = want;
    return true;
}

ait_code ait_dict_row(ait_store *s, ait_stmt_id get, int64_t id,
                      sqlite3_stmt **st, ait_error *err)
{
    ait_code rc = ait_db_stmt(s, get, st, err);
    bool row;

    if (rc != AIT_OK)
        return rc;
    ait_bind_int(*st, 1, id);
    rc = ait_db_step(s, *st, &row, err);
    return rc == AIT_OK && !row ? ait_db_damaged(s, err) : rc;
}

static ait_code read_text(ait_store *s, int64_t id, ait_arena *arena,
                          const char **text, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_dict_row(s, AIT_ST_TEXT_GET, id, &st, err);

    if (rc != AIT_OK)
        return rc;
    *text = ait_column_kept(st, 0, arena);
    sqlite3_reset(st);
    return *text ? AIT_OK : ait_db_nomem(err);
}

ait_code ait_dict_get(ait_store *s, int64_t id, ait_arena *arena,
                      const char **text, ait_error *err)
{
    ait_dict *d = &s->dict;
    void *table = d->text;
    ait_code rc;

    *text = NULL;
    if (!ait_has(id))
        return AIT_OK;
    if (id > 0 && (uint64_t)id < d->texts && d->text[id]) {
        *text = d->text[id];
        return AIT_OK;
    }
    if (!ait_dict_room(&table, &d->texts, id))
        return read_text(s, id, arena, text, err);
    d->text = table;
    rc = read_text(s, id, &d->arena, text, err);
    d->text[id] = *text;
    return rc;
}

/* ---- kinds of measures --------------------------------------------- */

/* As bytes, each text with its end: one is made for every measure that is
 * written. */
static ait_code kind_key(ait_store *s, const ait_measure *m, ait_error *err)
{
    const char *from = m->source_field ? m->source_field : "";
    const int64_t numbers[] = {m->origin, m->boundary, m->quality,
                               m->resolution, m->source_field != NULL};

    ait_buf_clear(&s->pack);
    if (ait_buf_add(&s->pack, numbers, sizeof numbers) &&
        ait_buf_add(&s->pack, m->name, strlen(m->name) + 1) &&
        ait_buf_adds(&s->pack, from))
        return AIT_OK;
    return ait_db_nomem(err);
}

static void bind_kind(sqlite3_stmt *st, const ait_measure *m)
{
    ait_bind_text(st, 1, m->name);
    ait_bind_text(st, 2, m->source_field);
    ait_bind_int(st, 3, m->resolution);
    ait_bind_int(st, 4, m->origin);
    ait_bind_int(st, 5, m->boundary);
    ait_bind_int(st, 6, m->quality);
}

static ait_code kind_stored(ait_store *s, const ait_measure *m, int64_t *id,
                            ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_KIND_FIND, &st, err);
    bool row;

    if (rc != AIT_OK)
        return rc;
    bind_kind(st, m);
    rc = ait_db_step(s, st, &row, err);
    if (rc != AIT_OK)
        return rc;
    if (row) {
        *id = sqlite3_column_int64(st, 0);
        sqlite3_reset(st);
        return AIT_OK;
    }
    rc = ait_db_stmt(s, AIT_ST_KIND_ADD, &st, err);
    if (rc != AIT_OK)
        return rc;
    bind_kind(st, m);
    rc = ait_db_run(s, st, err);
    *id = sqlite3_last_insert_rowid(s->db);
    return rc;
}

ait_code ait_kind_put(ait_store *s, const ait_measure *m, int64_t *id,
                      ait_error *err)
{
    ait_code rc = kind_key(s, m, err);
    void *known;

    if (rc != AIT_OK)
        return rc;
    known = ait_strmap_get(&s->dict.kinds, s->pack.data, s->pack.len);
    if (known) {
        *id = (int64_t)(intptr_t)known;
        return AIT_OK;
    }
    rc = kind_stored(s, m, id, err);
    if (rc != AIT_OK)
        return rc;
    return remember(&s->dict.kinds, s->pack.data, s->pack.len, *id, err);
}

static int within(int64_t v, int count)
{
    return v >= 0 && v < count ? (int)v : 0;
}

static ait_code read_kind(ait_store *s, int64_t id, ait_arena *arena,
                          ait_measure *m, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_dict_row(s, AIT_ST_KIND_GET, id, &st, err);

    if (rc != AIT_OK)
        return rc;
    m->name = ait_column_kept(st, 0, arena);
    m->source_field = ait_column_kept(st, 1, arena);
    m->resolution = ait_column_int(st, 2);
    m->origin = (ait_origin)within(ait_column_int(st, 3), AIT_O_COUNT);
    m->boundary = (ait_boundary)within(ait_column_int(st, 4), AIT_B_COUNT);
    m->quality = (ait_quality)within(ait_column_int(st, 5), AIT_Q_COUNT);
    sqlite3_reset(st);
    return m->name ? AIT_OK : ait_db_nomem(err);
}

static void take_kind(ait_measure *m, const ait_measure *kind)
{
    m->name = kind->name;
    m->source_field = kind->source_field;
    m->resolution = kind->resolution;
    m->origin = kind->origin;
    m->boundary = kind->boundary;
    m->quality = kind->quality;
}

ait_code ait_kind_get(ait_store *s, int64_t id, ait_arena *arena,
                      ait_measure *m, ait_error *err)
{
    ait_dict *d = &s->dict;
    void *table = d->kind;
    ait_measure *kind = NULL;
    ait_code rc;

    if (id > 0 && (uint64_t)id < d->kinds_cap && d->kind[id]) {
        take_kind(m, d->kind[id]);
        return AIT_OK;
    }
    if (ait_dict_room(&table, &d->kinds_cap, id)) {
        d->kind = table;
        kind = ait_arena_alloc(&d->arena, sizeof *kind);
    }
    if (!kind)
        return read_kind(s, id, arena, m, err);
    rc = read_kind(s, id, &d->arena, kind, err);
    if (rc != AIT_OK)
        return rc;
    take_kind(m, kind);
    d->kind[id] = kind;
    return AIT_OK;
}
