/*
 * Rows on their way in: collected, then written by one statement that takes
 * them from a virtual table. A third cheaper than a statement a row, since
 * nothing is bound, stepped, halted and reset for each.
 */
#include <stdlib.h>
#include <string.h>

#include "store/private.h"

enum {
    ROWS = 128,
    BYTES = 1 << 20,  /* flushed beyond half of it */
    PARTS = 4 * ROWS,
    PART_WIDTH = 3,   /* number and two values */
    IDS = 4 * ROWS,
    TABLE_WIDTH = 80  /* columns of the virtual table, c0 … */
};

typedef struct span {
    size_t at, len; /* in the batch's bytes; 0 bytes: NULL */
} span;

typedef struct row {
    int64_t value[1 + AIT_COLUMNS]; /* the number, then the integers */
    span side[AIT_SIDE];
} row;

typedef struct id_row {
    int64_t number;
    span text;
} id_row;

typedef enum show { /* what the virtual table shows */
    SHOW_PARTS, /* and those behind it: ait_batch_table */
    SHOW_ROWS = SHOW_PARTS + AIT_BATCH_TABLES,
    SHOW_KEYS,
    SHOW_IDS,
    SHOW_COUNT
} show;

typedef struct shown {
    show what;
    size_t n;
    const int64_t *first; /* integers of the first row … */
    size_t stride;        /* … as many further on are the next one's … */
    int width;            /* … and so many of them are columns */
} shown;

struct ait_batch {
    size_t n;
    row rows[ROWS];
    ait_buf bytes;
    /* Columns that have a value in these rows, and that ever had one; bit 0
     * is c1. The others are left out of the statement. */
    uint64_t has, used;
    struct parts {
        int64_t row[PARTS][PART_WIDTH];
        size_t n;
    } parts[AIT_BATCH_TABLES];
    id_row id[IDS];
    size_t ids;
    const ait_key *keys; /* while they are shown */
    shown shown;
};

ait_batch *ait_batch_new(void)
{
    ait_batch *b = ait_alloc(sizeof *b);

    if (b)
        ait_buf_init(&b->bytes, BYTES);
    return b;
}

void ait_batch_free(ait_batch *b)
{
    if (b)
        ait_buf_free(&b->bytes);
    free(b);
}

void ait_batch_clear(ait_batch *b)
{
    b->n = b->ids = 0;
    b->has = 0;
    for (int i = 0; i < AIT_BATCH_TABLES; i++)
        b->parts[i].n = 0;
    ait_buf_clear(&b->bytes);
}

/* ---- the virtual table --------------------------------------------- */

typedef struct table {
    sqlite3_vtab base;
    const ait_batch *batch;
} table;

typedef struct cursor {
    sqlite3_vtab_cursor base;
    const ait_batch *batch;
    const int64_t *row; /* its integers; nowhere at the end */
    size_t at;
} cursor;

static int table_connect(sqlite3 *db, void *batch, int argc,
                         const char *const *argv, sqlite3_vtab **out,
                         char **err)
{
    ait_buf sql;
    int rc = SQLITE_NOMEM;
    bool ok;
    table *t;

    (void)argc;
    (void)argv;
    (void)err;
    ait_buf_init(&sql, 4096);
    ok = ait_buf_adds(&sql, "CREATE TABLE x (c0");
    for (int i = 1; ok && i < TABLE_WIDTH; i++)
        ok = ait_buf_addf(&sql, ", c%d", i);
    if (ok && ait_buf_addc(&sql, ')'))
        rc = sqlite3_declare_vtab(db, sql.data);
    ait_buf_free(&sql);
    t = rc == SQLITE_OK ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return rc == SQLITE_OK ? SQLITE_NOMEM : rc;
    t->batch = batch;
    *out = &t->base;
    return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

static int table_disconnect(sqlite3_vtab *t)
{
    free(t);
    return SQLITE_OK;
}

static int table_plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
    (void)t;
    info->estimatedCost = ROWS;
    return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    cursor *c = calloc(1, sizeof *c);

    if (!c)
        return SQLITE_NOMEM;
    c->batch = ((table *)(void *)t)->batch;
    *out = &c->base;
    return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *c)
{
    free(c);
    return SQLITE_OK;
}

static int cursor_begin(sqlite3_vtab_cursor *base, int plan,
                        const char *text, int argc, sqlite3_value **argv)
{
    cursor *c = (cursor *)(void *)base;

    (void)plan;
    (void)text;
    (void)argc;
    (void)argv;
    c->at = 0;
    c->row = c->batch->shown.first;
    return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
    cursor *c = (cursor *)(void *)base;

    if (++c->at < c->batch->shown.n && c->row)
        c->row += c->batch->shown.stride;
    return SQLITE_OK;
}

static int cursor_end(sqlite3_vtab_cursor *base)
{
    const cursor *c = (const cursor *)(const void *)base;

    return c->at >= c->batch->shown.n;
}

static int cursor_row(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((cursor *)(void *)c)->at;
    return SQLITE_OK;
}

/* Beyond the integers. */
static void row_column(const ait_batch *b, size_t at, int i,
                       sqlite3_context *out)
{
    int side = i - 1 - AIT_COLUMNS;
    const span *s = &b->rows[at].side[side];
    const char *bytes = b->bytes.data;

    if (side >= AIT_SIDE || !s->len)
        return;
    if (side == 0)
        sqlite3_result_text(out, bytes + s->at, (int)s->len, SQLITE_STATIC);
    else
        sqlite3_result_blob(out, bytes + s->at, (int)s->len, SQLITE_STATIC);
}

/* Any number is a key. */
static void key_column(const ait_batch *b, size_t at, int i,
                       sqlite3_context *out)
{
    const ait_key *k = &b->keys[at];

    sqlite3_result_int64(out, i == 0 ? k->key : k->row >> 1);
}

static void no_column(const ait_batch *b, size_t at, int i,
                      sqlite3_context *out)
{
    (void)b;
    (void)at;
    (void)i;
    (void)out;
}

static void id_column(const ait_batch *b, size_t at, int i,
                      sqlite3_context *out)
{
    const id_row *r = &b->id[at];

    if (i == 0)
        sqlite3_result_int64(out, r->number);
    else
        sqlite3_result_text(out, b->bytes.data + r->text.at,
                            (int)r->text.len, SQLITE_STATIC);
}

/* An integer, which is nearly every call, or another one. Nothing set is
 * NULL. */
static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *out,
                         int i)
{
    static void (*const column[SHOW_COUNT])(const ait_batch *, size_t, int,
                                            sqlite3_context *) = {
        [SHOW_ROWS] = row_column,
        [SHOW_KEYS] = key_column,
        [SHOW_PARTS + AIT_BATCH_MEASURES] = no_column,
        [SHOW_PARTS + AIT_BATCH_ISSUES] = no_column,
        [SHOW_PARTS + AIT_BATCH_GAPS] = no_column,
        [SHOW_IDS] = id_column,
    };
    const cursor *c = (const cursor *)(const void *)base;
    const shown *shown = &c->batch->shown;

    if (i >= shown->width)
        column[shown->what](c->batch, c->at, i, out);
    else if (ait_has(c->row[i]))
        sqlite3_result_int64(out, c->row[i]);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = table_connect,
    .xBestIndex = table_plan,
    .xDisconnect = table_disconnect,
    .xOpen = cursor_open,
    .xClose = cursor_close,
    .xFilter = cursor_begin,
    .xNext = cursor_next,
    .xEof = cursor_end,
    .xColumn = cursor_column,
    .xRowid = cursor_row,
};

int ait_batch_register(ait_batch *b, sqlite3 *db)
{
    return sqlite3_create_module_v2(db, "ait_batch", &module, b, NULL);
}

/*
 * INSERT of request rows. Columns stand in the order of the table, so that
 * SQLite takes them where they are; those that are not used are not asked
 * for.
 */
bool ait_batch_sql(const ait_batch *b, ait_buf *sql)
{
    bool ok = ait_buf_adds(sql, "INSERT INTO raw_request SELECT c0");

    for (int i = 0; ok && i < AIT_COLUMNS + AIT_SIDE; i++)
        ok = b->used >> i & 1 ? ait_buf_addf(sql, ", c%d", i + 1)
                              : ait_buf_adds(sql, ", NULL");
    return ok && ait_buf_adds(sql, " FROM ait_batch");
}

/* ---- collecting ---------------------------------------------------- */

ait_code ait_batch_room(ait_store *s, ait_error *err)
{
    ait_batch *b = s->batch;

    if (b->n == ROWS || b->bytes.len > BYTES / 2)
        return ait_batch_flush(s, err);
    return AIT_OK;
}

ait_code ait_batch_add(ait_store *s, const ait_ready *r, int64_t number,
                       int64_t common, ait_error *err)
{
    ait_batch *b = s->batch;
    row *to = &b->rows[b->n];
    size_t at = b->bytes.len, len = 0;

    to->value[0] = number;
    memcpy(to->value + 1, r->value, sizeof r->value);
    to->value[1 + AIT_COLUMN_COMMON] = common;
    for (int i = 0; i < AIT_SIDE; i++) {
        to->side[i] = (span){at + len, r->side_len[i]};
        len += r->side_len[i];
    }
    if (!ait_buf_add(&b->bytes, r->side, len))
        return ait_db_nomem(err);
    b->has |= r->has;
    b->n++;
    return AIT_OK;
}

/* ---- writing ------------------------------------------------------- */

static ait_code write_shown(ait_store *s, const shown *shown,
                            ait_error *err)
{
    static const ait_stmt_id add[SHOW_COUNT] = {
        [SHOW_ROWS] = AIT_ST_REQUEST_ADD,
        [SHOW_KEYS] = AIT_ST_KEYS_ADD,
        [SHOW_PARTS + AIT_BATCH_MEASURES] = AIT_ST_MEASURE_ADD,
        [SHOW_PARTS + AIT_BATCH_ISSUES] = AIT_ST_ISSUE_ADD,
        [SHOW_PARTS + AIT_BATCH_GAPS] = AIT_ST_GAP_ADD,
        [SHOW_IDS] = AIT_ST_ID_ADD,
    };
    sqlite3_stmt *st;
    ait_code rc;

    if (shown->n == 0)
        return AIT_OK;
    rc = ait_db_stmt(s, add[shown->what], &st, err);
    s->batch->shown = *shown;
    if (rc == AIT_OK)
        rc = ait_db_run(s, st, err);
    s->batch->shown.n = 0;
    return rc;
}

/* A log fills half of the columns. When another one gets its first value,
 * the statement is made anew. */
static void look_at_columns(ait_store *s)
{
    ait_batch *b = s->batch;

    if (!(b->has & ~b->used))
        return;
    b->used |= b->has;
    sqlite3_finalize(s->stmt[AIT_ST_REQUEST_ADD]);
    s->stmt[AIT_ST_REQUEST_ADD] = NULL;
}

ait_code ait_batch_part(ait_store *s, ait_batch_table table, int64_t number,
                        int64_t a, int64_t b, ait_error *err)
{
    struct parts *p = &s->batch->parts[table];
    ait_code rc = p->n == PARTS ? ait_batch_flush(s, err) : AIT_OK;
    int64_t *to = p->row[p->n++];

    to[0] = number;
    to[1] = a;
    to[2] = b;
    return rc;
}

ait_code ait_batch_id(ait_store *s, int64_t number, const char *id,
                      ait_error *err)
{
    ait_batch *b = s->batch;
    bool full = b->ids == IDS || b->bytes.len > BYTES / 2;
    ait_code rc = full ? ait_batch_flush(s, err) : AIT_OK;
    size_t from = b->bytes.len;

    if (rc != AIT_OK)
        return rc;
    if (!ait_buf_adds(&b->bytes, id))
        return ait_db_nomem(err);
    b->id[b->ids].number = number;
    b->id[b->ids++].text = (span){from, b->bytes.len - from};
    return AIT_OK;
}

static ait_code write_part(ait_store *s, ait_batch_table table,
                           ait_error *err)
{
    const struct parts *p = &s->batch->parts[table];
    const shown shown = {SHOW_PARTS + (show)table, p->n, p->row[0],
                         PART_WIDTH, PART_WIDTH};

    return write_shown(s, &shown, err);
}

ait_code ait_batch_flush(ait_store *s, ait_error *err)
{
    ait_batch *b = s->batch;
    const shown rows = {SHOW_ROWS, b->n, b->rows[0].value,
                        sizeof(row) / sizeof(int64_t), 1 + AIT_COLUMNS};
    const shown ids = {.what = SHOW_IDS, .n = b->ids};
    ait_code rc;

    look_at_columns(s);
    rc = write_shown(s, &rows, err);
    for (int i = 0; rc == AIT_OK && i < AIT_BATCH_TABLES; i++)
        rc = write_part(s, (ait_batch_table)i, err);
    if (rc == AIT_OK)
        rc = write_shown(s, &ids, err);
    ait_batch_clear(b);
    return rc;
}

ait_code ait_batch_keys(ait_store *s, const ait_key *keys, size_t n,
                        bool *all, ait_error *err)
{
    const shown shown = {.what = SHOW_KEYS, .n = n};
    ait_code rc;

    s->batch->keys = keys;
    rc = write_shown(s, &shown, err);
    s->batch->keys = NULL;
    *all = rc == AIT_OK && (size_t)sqlite3_changes(s->db) == n;
    return rc;
}
