/* A selection as SQL, and the rows it gives as traces. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/private.h"

void ait_query_init(ait_query *q)
{
    memset(q, 0, sizeof *q);
    ait_buf_init(&q->sql, 1 << 20);
    q->request_id = q->stats = q->points = -1;
}

void ait_query_free(ait_query *q)
{
    ait_buf_free(&q->sql);
}

/* ---- columns ------------------------------------------------------- */

/* Attempts and ids of most requests are told by the request itself. */
static unsigned complete(unsigned need)
{
    if (!(need & AIT_NEED_LEAN))
        need |= AIT_NEED_TIMING | AIT_NEED_NUMBERS | AIT_NEED_STATS |
                AIT_NEED_TEXTS;
    if (need & AIT_NEED_TIMELINES)
        need |= AIT_NEED_ATTEMPTS;
    if (need & AIT_NEED_ATTEMPTS)
        need |= AIT_NEED_TIMING | AIT_NEED_NUMBERS |
                AIT_NEED_TEXT(AIT_X_CHANNEL) |
                AIT_NEED_TEXT(AIT_X_ERROR_CODE);
    if (need & AIT_NEED_IDS)
        need |= AIT_NEED_TEXT(AIT_X_REQUEST_ID);
    return need;
}

/* Few rows have them, and the way to the last column of a row is long. */
#define POINTS "iif(r.facts & 16, r.points, NULL)"
_Static_assert(AIT_MORE_GAPS == 16, "the bit of requests with points");

/* Columns that are no integers, behind those that are. */
static bool add_other(ait_query *q, const char *name, bool wanted, int *at)
{
    if (!wanted)
        return true;
    *at = q->width++;
    return ait_buf_addf(&q->sql, ", %s", name);
}

bool ait_query_columns(ait_query *q, unsigned need, bool fed)
{
    bool ok = ait_buf_adds(&q->sql, fed ? "SELECT ait_feed(r.row"
                                        : "SELECT r.row");

    q->need = need = complete(need);
    for (int i = 0; ok && i < AIT_COLUMNS; i++) {
        if (ait_row_columns[i].need && !(ait_row_columns[i].need & need))
            continue;
        q->col[q->cols++] = i;
        ok = ait_buf_addf(&q->sql, ", r.%s", ait_row_columns[i].name);
    }
    q->width = q->cols + 1;
    ok = ok &&
         add_other(q, "r.request_id", need & AIT_NEED_TEXT(AIT_X_REQUEST_ID),
                   &q->request_id) &&
         add_other(q, "r.stats", need & AIT_NEED_STATS, &q->stats) &&
         add_other(q, POINTS, need & AIT_NEED_TIMING, &q->points);
    /* Not by an index: rows come in the order of their numbers. */
    return ok &&
           ait_buf_adds(&q->sql, fed ? ") FROM raw_request r NOT INDEXED"
                                     : " FROM raw_request r");
}

/* ---- conditions ---------------------------------------------------- */

/* Bound parameters are numbered in the order they are met. */
static int bind_number(ait_query *q, int64_t v)
{
    q->bind[q->binds].text = NULL;
    q->bind[q->binds].number = v;
    return ++q->binds;
}

static int bind_text(ait_query *q, const char *text)
{
    q->bind[q->binds].text = text;
    return ++q->binds;
}

static const char *glue(ait_query *q)
{
    return strstr(q->sql.data, " WHERE ") ? " AND " : " WHERE ";
}

static bool by_text(ait_query *q, const char *column, const char *value)
{
    if (!value)
        return true;
    return ait_buf_addf(&q->sql,
                        "%sr.common IN (SELECT row FROM raw_common WHERE %s ="
                        " (SELECT id FROM raw_text WHERE text = ?%d))",
                        glue(q), column, bind_text(q, value));
}

/* Any of the ids: those that may be it by their hash, then by the text. */
static bool by_id(ait_query *q, const char *id)
{
    int64_t low, high;
    int text, from, to;

    if (!id)
        return true;
    ait_keep_text(id, strlen(id), q->id);
    ait_key_bounds(q->id, &low, &high);
    text = bind_text(q, q->id);
    from = bind_number(q, low);
    to = bind_number(q, high);
    return ait_buf_addf(
        &q->sql,
        "%sr.row IN (SELECT request FROM raw_key WHERE key BETWEEN ?%d AND"
        " ?%d) AND (r.request_id = ?%d OR EXISTS (SELECT 1 FROM raw_id i"
        " WHERE i.row BETWEEN r.row << 20 AND (r.row << 20) + 1048575 AND"
        " i.id = ?%d))", glue(q), from, to, text, text);
}

static bool by_time(ait_query *q, const char *comparison, int64_t ns)
{
    if (!ait_has(ns))
        return true;
    return ait_buf_addf(&q->sql, "%sr.time %s ?%d", glue(q), comparison,
                        bind_number(q, ns));
}

static ait_code unknown_word(const char *kind, const char *word,
                             const char *const *words, int n,
                             ait_error *err)
{
    const char *list[64], *near;

    memcpy(list, words, (size_t)n * sizeof *list);
    list[n] = NULL;
    near = ait_nearest(word, list);
    ait_fail(err, AIT_EUSAGE, "there is no %s of this name", kind);
    if (near)
        ait_error_hint(err, "did you mean %s?", near);
    return AIT_EUSAGE;
}

static ait_code by_words(ait_query *q, const ait_selection *sel,
                         ait_error *err)
{
    bool ok = true;

    if (sel->outcome) {
        int i = ait_word(ait_outcome_name, AIT_OUT_COUNT, sel->outcome,
                         strlen(sel->outcome));
        if (i < 0)
            return unknown_word("outcome", sel->outcome, ait_outcome_name,
                                AIT_OUT_COUNT, err);
        ok = ait_buf_adds(&q->sql, glue(q)) &&
             ait_fact_sql(&q->sql, AIT_F_OUTCOME) &&
             ait_buf_addf(&q->sql, " = %d", i);
    }
    if (ok && sel->finding) {
        int i = ait_rule_find(sel->finding);
        if (i < 0)
            return unknown_word("finding", sel->finding, ait_rule_name,
                                AIT_R_COUNT, err);
        ok = ait_buf_addf(&q->sql,
                          "%s(r.findings | (r.findings >> %d)) & %ld", glue(q),
                          AIT_SHARE_SHIFT, 1L << i);
    }
    return ok ? AIT_OK : ait_db_nomem(err);
}

static ait_code by_where(ait_store *s, ait_query *q, const char *where,
                         ait_error *err)
{
    ait_code rc;

    if (!where)
        return AIT_OK;
    rc = ait_where_check(s, where, err);
    if (rc != AIT_OK)
        return rc;
    /* The line end closes a comment that the expression may end with. */
    if (ait_buf_addf(&q->sql,
                     "%sr.row IN (SELECT row FROM request WHERE (%s\n))",
                     glue(q), where))
        return AIT_OK;
    return ait_db_nomem(err);
}

/* ---- order --------------------------------------------------------- */

enum { VIEW_COLUMNS = 120 };

/* Is it a column of the request view? Else the nearest is named. */
static ait_code check_column(ait_store *s, const char *name, ait_error *err)
{
    const char *names[VIEW_COLUMNS + 1] = {NULL}, *near;
    sqlite3_stmt *st = NULL;
    bool found = false;
    int rc = sqlite3_prepare_v2(s->db, "SELECT * FROM request", -1, &st,
                                NULL);

    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "the views cannot be read", err);
    for (int i = 0; i < sqlite3_column_count(st) && i < VIEW_COLUMNS; i++) {
        names[i] = sqlite3_column_name(st, i);
        found = found || strcmp(names[i], name) == 0;
    }
    if (!found) {
        near = ait_nearest(name, names);
        ait_fail(err, AIT_EUSAGE, "no column to sort by has this name");
        ait_error_hint(err, near ? "did you mean %s?"
                                 : "aitrace schema shows the columns%s",
                       near ? near : "");
    }
    sqlite3_finalize(st);
    return found ? AIT_OK : AIT_EUSAGE;
}

static bool order_by(ait_query *q, const char *column, bool down)
{
    const char *way = down ? " DESC" : "";

    if (strcmp(column, "row") == 0)
        return ait_buf_addf(&q->sql, " ORDER BY r.row%s", way);
    if (strcmp(column, "time") == 0)
        return ait_buf_addf(&q->sql, " ORDER BY r.time%s NULLS LAST, r.row",
                            way);
    return ait_buf_addf(&q->sql,
                        " ORDER BY (SELECT q.\"%s\" FROM request q WHERE"
                        " q.row = r.row)%s NULLS LAST, r.row", column, way);
}

static ait_code add_order(ait_store *s, ait_query *q,
                          const ait_selection *sel, ait_error *err)
{
    const char *column = sel->sort ? sel->sort : "time";
    bool down = *column == '-', ok;
    ait_code rc = AIT_OK;

    column += down;
    if (strcmp(column, "time") != 0 && strcmp(column, "row") != 0)
        rc = check_column(s, column, err); /* reads the whole view */
    if (rc != AIT_OK)
        return rc;
    ok = order_by(q, column, down);
    if (ok && sel->limit > 0)
        ok = ait_buf_addf(&q->sql, " LIMIT ?%d",
                          bind_number(q, sel->limit));
    return ok ? AIT_OK : ait_db_nomem(err);
}

/* A trace keeps the name of its file without the folders, so that folders
 * do not matter here, either. */
static const char *file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}

ait_code ait_query_select(ait_store *s, ait_query *q,
                          const ait_selection *sel, bool order,
                          ait_error *err)
{
    ait_code rc = AIT_OK;
    bool ok = by_id(q, sel->request_id) && by_text(q, "model", sel->model) &&
              by_text(q, "provider", sel->provider) &&
              by_text(q, "channel", sel->channel) &&
              by_text(q, "group_name", sel->group) &&
              by_text(q, "route", sel->route) &&
              by_text(q, "region", sel->region) &&
              by_text(q, "file", file_name(sel->source)) &&
              by_time(q, ">=", sel->since) && by_time(q, "<", sel->until);

    if (!ok)
        return ait_db_nomem(err);
    rc = by_words(q, sel, err);
    if (rc == AIT_OK)
        rc = by_where(s, q, sel->where, err);
    if (rc == AIT_OK && order)
        rc = add_order(s, q, sel, err);
    return rc;
}

/* ---- running ------------------------------------------------------- */

ait_code ait_query_prepare(ait_store *s, const ait_query *q,
                           sqlite3_stmt **out, ait_error *err)
{
    int rc = sqlite3_prepare_v2(s->db, q->sql.data, -1, out, NULL);

    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "the selection cannot be read", err);
    for (int i = 0; i < q->binds; i++) {
        if (q->bind[i].text)
            ait_bind_text(*out, i + 1, q->bind[i].text);
        else
            sqlite3_bind_int64(*out, i + 1, q->bind[i].number);
    }
    return AIT_OK;
}

static bool read_packed(const ait_query *q, sqlite3_value **v, ait_trace *t)
{
    const uint8_t *p;
    bool ok = true;

    if (q->stats >= 0 && (p = sqlite3_value_blob(v[q->stats])) != NULL)
        ok = ait_unpack_stats(
            p, (size_t)sqlite3_value_bytes(v[q->stats]), t->stat);
    if (ok && q->points >= 0 &&
        (p = sqlite3_value_blob(v[q->points])) != NULL)
        ok = ait_unpack_points(
            p, (size_t)sqlite3_value_bytes(v[q->points]), t->point);
    return ok;
}

static ait_code read_id(const ait_query *q, sqlite3_value **v, ait_trace *t,
                        ait_error *err)
{
    if (q->request_id < 0 ||
        sqlite3_value_type(v[q->request_id]) == SQLITE_NULL)
        return AIT_OK;
    t->text[AIT_X_REQUEST_ID] = ait_value_kept(v[q->request_id], &t->arena);
    return t->text[AIT_X_REQUEST_ID] ? AIT_OK : ait_db_nomem(err);
}

ait_code ait_query_read(ait_store *s, const ait_query *q, sqlite3_value **v,
                        ait_row *image, ait_trace *t, ait_error *err)
{
    ait_code rc;

    ait_trace_reset(t);
    t->row = sqlite3_value_int64(v[0]);
    for (int i = 0; i < q->cols; i++)
        *ait_row_at(image, &ait_row_columns[q->col[i]]) =
            ait_value_int(v[i + 1]);
    ait_row_unpack(image);
    ait_row_apply(image, t);
    if (q->need & AIT_NEED_TIMING)
        ait_row_points(image, t->point);
    if (!read_packed(q, v, t))
        return ait_db_damaged(s, err);
    rc = read_id(q, v, t, err);
    if (rc == AIT_OK && q->need & AIT_NEED_COMMON)
        rc = ait_common_get(s, image->common, q->need, t, err);
    if (rc == AIT_OK && q->need & ~(unsigned)AIT_NEED_LEAN)
        rc = ait_read_parts(s, t, image, q->need, err);
    return rc;
}

ait_code ait_query_row(ait_store *s, const ait_query *q, sqlite3_stmt *st,
                       ait_row *image, ait_trace *t, ait_error *err)
{
    sqlite3_value *v[AIT_QUERY_WIDTH];

    for (int i = 0; i < q->width; i++)
        v[i] = sqlite3_column_value(st, i);
    return ait_query_read(s, q, v, image, t, err);
}
