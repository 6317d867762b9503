/* The tables of a request into a trace. */
#include <string.h>

#include "store/private.h"

/* Begins to read the rows of a request in one of the other tables. */
static ait_code parts_of(ait_store *s, ait_stmt_id id, int64_t row,
                         sqlite3_stmt **st, ait_error *err)
{
    ait_code rc = ait_db_stmt(s, id, st, err);

    if (rc != AIT_OK)
        return rc;
    ait_bind_int(*st, 1, row << AIT_PART_SHIFT);
    ait_bind_int(*st, 2, row << AIT_PART_SHIFT | AIT_PART_MAX);
    return AIT_OK;
}

/* On to the next of them. false: there is none, or *rc is not AIT_OK. */
static bool next_part(ait_store *s, sqlite3_stmt *st, ait_code *rc,
                      ait_error *err)
{
    bool row = false;

    if (*rc == AIT_OK)
        *rc = ait_db_step(s, st, &row, err);
    return *rc == AIT_OK && row;
}

/* ---- attempts ------------------------------------------------------ */

static ait_code read_timeline(ait_store *s, ait_trace *t, sqlite3_stmt *st,
                              ait_attempt *a, ait_error *err)
{
    const char *bytes = sqlite3_column_blob(st, 13);
    int n = sqlite3_column_bytes(st, 13);

    if (sqlite3_column_type(st, 13) == SQLITE_NULL)
        return AIT_OK;
    if (n > (int)AIT_TIMELINE_MAX)
        return ait_db_damaged(s, err);
    a->timeline = (const uint8_t *)ait_arena_strndup(
        &t->arena, bytes ? bytes : "", (size_t)n);
    a->timeline_len = (size_t)n;
    return a->timeline ? AIT_OK : ait_db_nomem(err);
}

static int small_int(int64_t v, int64_t low, int64_t high, int otherwise)
{
    return v >= low && v <= high ? (int)v : otherwise;
}

static void attempt_numbers(sqlite3_stmt *st, ait_attempt *a)
{
    int64_t *const to[] = {&a->start, &a->done, &a->headers,
                           &a->retry_after, &a->wait_before,
                           &a->timeline_base};

    a->number = small_int(ait_column_int(st, 0), 0, INT32_MAX, 0);
    a->status = ait_column_int(st, 5);
    a->outcome = small_int(ait_column_int(st, 6), 0, AIT_OUT_COUNT - 1, -1);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        *to[i] = ait_column_int(st, 7 + (int)i);
}

static ait_code attempt_texts(ait_store *s, ait_trace *t, sqlite3_stmt *st,
                              ait_attempt *a, ait_error *err)
{
    const char **const to[] = {&a->upstream, &a->channel, &a->error_code};
    ait_code rc = AIT_OK;

    for (int i = 0; rc == AIT_OK && i < 3; i++)
        rc = ait_dict_get(s, ait_column_int(st, 2 + i), &t->arena, to[i],
                          err);
    return rc;
}

static ait_code read_attempt(ait_store *s, ait_trace *t, sqlite3_stmt *st,
                             unsigned need, ait_attempt **last,
                             ait_error *err)
{
    ait_attempt *a = ait_arena_alloc(&t->arena, sizeof *a);
    ait_code rc;

    if (!a)
        return ait_db_nomem(err);
    attempt_numbers(st, a);
    rc = attempt_texts(s, t, st, a, err);
    if (rc == AIT_OK && need & AIT_NEED_TIMELINES)
        rc = read_timeline(s, t, st, a, err);
    if (sqlite3_column_int64(st, 1) == 1)
        t->serving = a;
    if (*last)
        (*last)->next = a;
    else
        t->attempts = a;
    *last = a;
    return rc;
}

/* The request says it all. */
static ait_code single_attempt(ait_trace *t, int64_t count, ait_error *err)
{
    ait_attempt *a;

    if (count != 1)
        return AIT_OK;
    a = ait_arena_alloc(&t->arena, sizeof *a);
    if (!a)
        return ait_db_nomem(err);
    ait_row_attempt(t, a);
    t->attempts = t->serving = a;
    return AIT_OK;
}

static ait_code read_attempts(ait_store *s, ait_trace *t, unsigned need,
                              ait_error *err)
{
    ait_attempt *last = NULL;
    sqlite3_stmt *st;
    ait_code rc = parts_of(s, AIT_ST_ATTEMPT_GET, t->row, &st, err);

    while (next_part(s, st, &rc, err))
        rc = read_attempt(s, t, st, need, &last, err);
    return rc;
}

/* ---- measures, issues, ids ----------------------------------------- */

static ait_code read_measures(ait_store *s, ait_trace *t, ait_error *err)
{
    ait_measure **end = &t->measures;
    sqlite3_stmt *st;
    ait_code rc = parts_of(s, AIT_ST_MEASURE_GET, t->row, &st, err);

    while (next_part(s, st, &rc, err)) {
        *end = ait_arena_alloc(&t->arena, sizeof **end);
        if (!*end)
            return ait_db_nomem(err);
        (*end)->value = ait_column_int(st, 1);
        rc = ait_kind_get(s, ait_column_int(st, 0), &t->arena, *end, err);
        end = &(*end)->next;
    }
    return rc;
}

/* The database keeps names; one that this version does not know is passed
 * over. */
static ait_code read_issues(ait_store *s, ait_trace *t, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = parts_of(s, AIT_ST_ISSUE_GET, t->row, &st, err);

    while (next_part(s, st, &rc, err)) {
        const char *name = NULL;
        int64_t count = ait_column_int(st, 1);
        int id;

        rc = ait_dict_get(s, ait_column_int(st, 0), &t->arena, &name, err);
        id = name ? ait_issue_find(name, strlen(name)) : -1;
        if (id >= 0 && count >= 0)
            t->issues.count[id] =
                count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    }
    return rc;
}

static ait_code read_ids(ait_store *s, ait_trace *t, ait_error *err)
{
    ait_id **end = &t->ids;
    sqlite3_stmt *st;
    ait_code rc = parts_of(s, AIT_ST_ID_GET, t->row, &st, err);

    while (next_part(s, st, &rc, err)) {
        *end = ait_arena_alloc(&t->arena, sizeof **end);
        if (!*end)
            return ait_db_nomem(err);
        (*end)->value = ait_column_kept(st, 0, &t->arena);
        if (!(*end)->value)
            return ait_db_nomem(err);
        end = &(*end)->next;
    }
    return rc;
}

static ait_code single_id(ait_trace *t, ait_error *err)
{
    if (!t->text[AIT_X_REQUEST_ID])
        return AIT_OK;
    t->ids = ait_arena_alloc(&t->arena, sizeof *t->ids);
    if (!t->ids)
        return ait_db_nomem(err);
    t->ids->value = t->text[AIT_X_REQUEST_ID];
    return AIT_OK;
}

ait_code ait_read_parts(ait_store *s, ait_trace *t, const ait_row *r,
                        unsigned need, ait_error *err)
{
    int64_t more = r->fact[AIT_F_MORE];
    ait_code rc = AIT_OK;

    if (need & (AIT_NEED_ATTEMPTS | AIT_NEED_TIMELINES))
        rc = more & AIT_MORE_ATTEMPTS
                 ? read_attempts(s, t, need, err)
                 : single_attempt(t, r->fact[AIT_F_ATTEMPTS], err);
    if (rc == AIT_OK && need & AIT_NEED_IDS)
        rc = more & AIT_MORE_IDS ? read_ids(s, t, err) : single_id(t, err);
    if (rc == AIT_OK && need & AIT_NEED_MEASURES && more & AIT_MORE_MEASURES)
        rc = read_measures(s, t, err);
    if (rc == AIT_OK && need & AIT_NEED_ISSUES && more & AIT_MORE_ISSUES)
        rc = read_issues(s, t, err);
    return rc;
}
