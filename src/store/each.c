/* Reading: the traces of a selection, one after the other. */
#include <string.h>

#include "base/text.h"
#include "store/private.h"

void ait_selection_init(ait_selection *sel)
{
    memset(sel, 0, sizeof *sel);
    sel->since = sel->until = AIT_ABSENT;
}

/* Who receives a trace: one of the two. */
typedef struct receiver {
    ait_trace_fn *plain;
    ait_judged_fn *judged;
    void *ctx;
} receiver;

static ait_code give(ait_store *s, const receiver *to, ait_row *image,
                     ait_trace *t)
{
    if (to->plain)
        return (ait_code)to->plain(to->ctx, t);
    ait_row_summary(image, &s->summary);
    return (ait_code)to->judged(to->ctx, t, &s->summary);
}

static ait_code walk(ait_store *s, const ait_query *q, const receiver *to,
                     ait_error *err)
{
    sqlite3_stmt *st = NULL;
    ait_trace t;
    ait_row image;
    bool row = true;
    ait_code rc = ait_query_prepare(s, q, &st, err);

    ait_trace_init(&t);
    ait_row_clear(&image);
    while (rc == AIT_OK) {
        rc = ait_db_step(s, st, &row, err);
        if (rc != AIT_OK || !row)
            break;
        rc = ait_query_read(s, q, st, &image, &t, err);
        if (rc == AIT_OK)
            rc = give(s, to, &image, &t);
    }
    sqlite3_finalize(st);
    ait_trace_free(&t);
    return rc;
}

static ait_code each(ait_store *s, const ait_selection *sel, unsigned need,
                     const receiver *to, ait_error *err)
{
    ait_query q;
    ait_code rc;

    ait_query_init(&q);
    rc = ait_query_columns(&q, need)
             ? ait_query_select(s, &q, sel, true, err)
             : ait_db_nomem(err);
    if (rc == AIT_OK)
        rc = walk(s, &q, to, err);
    ait_query_free(&q);
    return rc;
}

ait_code ait_store_each(ait_store *s, const ait_selection *sel,
                        unsigned need, ait_trace_fn *fn, void *ctx,
                        ait_error *err)
{
    return each(s, sel, need, &(receiver){fn, NULL, ctx}, err);
}

ait_code ait_store_each_judged(ait_store *s, const ait_selection *sel,
                               unsigned need, ait_judged_fn *fn, void *ctx,
                               ait_error *err)
{
    return each(s, sel, need | AIT_NEED_SUMMARY, &(receiver){NULL, fn, ctx},
                err);
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
    rc = ait_query_columns(&q, AIT_NEED_ALL) &&
                 ait_buf_addf(&q.sql, " WHERE r.row = %lld", (long long)row)
             ? ait_query_prepare(s, &q, &st, err)
             : ait_db_nomem(err);
    if (rc == AIT_OK)
        rc = ait_db_step(s, st, found, err);
    if (rc == AIT_OK && *found)
        rc = ait_query_read(s, &q, st, &image, t, err);
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
