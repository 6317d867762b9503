/* Reading: the traces of a selection, one after the other. */
#include <string.h>

#include "base/text.h"
#include "store/private.h"

void ait_selection_init(ait_selection *sel)
{
    memset(sel, 0, sizeof *sel);
    sel->since = sel->until = AIT_ABSENT;
}

/* One reading on its way. */
typedef struct reading {
    ait_store *store;
    ait_query query;
    ait_trace_fn *plain;    /* who receives a trace: one of the two */
    ait_judged_fn *judged;
    void *ctx;
    ait_trace trace;
    ait_row image;
    ait_code rc;            /* of the rows so far */
    ait_error *err;
} reading;

static ait_code give(reading *r)
{
    if (r->plain)
        return (ait_code)r->plain(r->ctx, &r->trace);
    ait_row_summary(&r->image, &r->store->summary);
    return (ait_code)r->judged(r->ctx, &r->trace, &r->store->summary);
}

/* ---- row by row ---------------------------------------------------- */

static ait_code walk(reading *r, sqlite3_stmt *st)
{
    ait_code rc;
    bool row;

    for (;;) {
        rc = ait_db_step(r->store, st, &row, r->err);
        if (rc != AIT_OK || !row)
            return rc;
        rc = ait_query_row(r->store, &r->query, st, &r->image, &r->trace,
                           r->err);
        if (rc == AIT_OK)
            rc = give(r);
        if (rc != AIT_OK)
            return rc;
    }
}

/* ---- fed: SQLite calls for each row -------------------------------- */

static void feed(sqlite3_context *c, int n, sqlite3_value **v)
{
    reading *r = sqlite3_user_data(c);

    (void)n;
    r->rc = ait_query_read(r->store, &r->query, v, &r->image, &r->trace,
                           r->err);
    if (r->rc == AIT_OK)
        r->rc = give(r);
    if (r->rc != AIT_OK)
        sqlite3_result_error_code(c, SQLITE_ABORT); /* ends the statement */
}

static void feed_end(sqlite3_context *c)
{
    (void)c;
}

static ait_code take_in(reading *r, bool on)
{
    int rc = sqlite3_create_function_v2(
        r->store->db, "ait_feed", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, r,
        NULL, on ? feed : NULL, on ? feed_end : NULL, NULL);

    if (rc != SQLITE_OK)
        return ait_db_fail(r->store, rc, "the selection cannot be read",
                           r->err);
    r->store->feeding = on;
    return AIT_OK;
}

static ait_code run_fed(reading *r, sqlite3_stmt *st)
{
    int rc = sqlite3_step(st);

    if (r->rc != AIT_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
        return r->rc;
    return ait_db_fail(r->store, rc, "", r->err);
}

/* ---- either -------------------------------------------------------- */

static ait_code run(reading *r, bool fed)
{
    sqlite3_stmt *st = NULL;
    ait_code rc = fed ? take_in(r, true) : AIT_OK;

    if (rc != AIT_OK)
        return rc;
    ait_trace_init(&r->trace);
    ait_row_clear(&r->image);
    rc = ait_query_prepare(r->store, &r->query, &st, r->err);
    if (rc == AIT_OK)
        rc = fed ? run_fed(r, st) : walk(r, st);
    sqlite3_finalize(st);
    ait_trace_free(&r->trace);
    if (fed)
        take_in(r, false);
    return rc;
}

static ait_code each(reading *r, const ait_selection *sel, unsigned need)
{
    bool fed = sel->sort && strcmp(sel->sort, "row") == 0 && !sel->limit &&
               !r->store->feeding; /* a callback may read, too */
    ait_code rc;

    ait_query_init(&r->query);
    rc = ait_query_columns(&r->query, need, fed)
             ? ait_query_select(r->store, &r->query, sel, !fed, r->err)
             : ait_db_nomem(r->err);
    if (rc == AIT_OK)
        rc = run(r, fed);
    ait_query_free(&r->query);
    return rc;
}

ait_code ait_store_each(ait_store *s, const ait_selection *sel,
                        unsigned need, ait_trace_fn *fn, void *ctx,
                        ait_error *err)
{
    reading r = {.store = s, .plain = fn, .ctx = ctx, .err = err};

    return each(&r, sel, need);
}

ait_code ait_store_each_judged(ait_store *s, const ait_selection *sel,
                               unsigned need, ait_judged_fn *fn, void *ctx,
                               ait_error *err)
{
    reading r = {.store = s, .judged = fn, .ctx = ctx, .err = err};

    return each(&r, sel, need | AIT_NEED_SUMMARY);
}

static ait_code count_rows(ait_store *s, const ait_query *q, int64_t *n,
                           ait_error *err)
{
    sqlite3_stmt *st = NULL;
    bool row = false;
    ait_code rc = ait_query_prepare(s, q, &st, err);

    if (rc == AIT_OK)
        rc = ait_db_step(s, st, &row, err);
    if (rc == AIT_OK && row)
        *n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return rc;
}

ait_code ait_store_count(ait_store *s, const ait_selection *sel,
                         int64_t *n, ait_error *err)
{
    ait_query q;
    ait_code rc = AIT_OK;

    *n = 0;
    ait_query_init(&q);
    if (!ait_buf_adds(&q.sql, "SELECT count(*) FROM raw_request r"))
        rc = ait_db_nomem(err);
    if (rc == AIT_OK)
        rc = ait_query_select(s, &q, sel, false, err);
    if (rc == AIT_OK)
        rc = count_rows(s, &q, n, err);
    ait_query_free(&q);
    if (rc == AIT_OK && sel->limit > 0 && *n > sel->limit)
        *n = sel->limit;
    return rc;
}

/* ---- single rows --------------------------------------------------- */

ait_code ait_read_request(ait_store *s, int64_t row, ait_trace *t,
                          bool *found, ait_error *err)
{
    sqlite3_stmt *st = NULL;
    ait_query q;
    ait_row image;
    ait_code rc;

    *found = false;
    ait_query_init(&q);
    ait_row_clear(&image);
    rc = ait_query_columns(&q, AIT_NEED_ALL, false) &&
                 ait_buf_addf(&q.sql, " WHERE r.row = %lld", (long long)row)
             ? ait_query_prepare(s, &q, &st, err)
             : ait_db_nomem(err);
    if (rc == AIT_OK)
        rc = ait_db_step(s, st, found, err);
    if (rc == AIT_OK && *found)
        rc = ait_query_row(s, &q, st, &image, t, err);
    sqlite3_finalize(st);
    ait_query_free(&q);
    return rc;
}

ait_code ait_store_request_id(ait_store *s, int64_t row, char *out,
                              ait_error *err)
{
    sqlite3_stmt *st;
    const char *id;
    bool found = false;
    ait_code rc = ait_db_stmt(s, AIT_ST_REQUEST_ID, &st, err);

    out[0] = '\0';
    if (rc != AIT_OK)
        return rc;
    ait_bind_int(st, 1, row);
    rc = ait_db_step(s, st, &found, err);
    if (rc != AIT_OK)
        return rc;
    if (!found)
        return ait_fail(err, AIT_ENOTFOUND, "there is no such request");
    id = (const char *)sqlite3_column_text(st, 0);
    if (id)
        ait_keep_text(id, (size_t)sqlite3_column_bytes(st, 0), out);
    sqlite3_reset(st);
    return AIT_OK;
}
