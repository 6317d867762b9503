/* Writing: one transaction a file. */
#include <stdio.h>
#include <string.h>

#include "store/private.h"

/* ---- begin --------------------------------------------------------- */

static ait_code run(ait_store *s, ait_stmt_id id, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, id, &st, err);

    return rc == AIT_OK ? ait_db_run(s, st, err) : rc;
}

/* First column of a statement's first row; absent where there is none. */
static ait_code ask(ait_store *s, ait_stmt_id id, int64_t *v, ait_error *err)
{
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, id, &st, err);
    bool row = false;

    *v = AIT_ABSENT;
    if (rc == AIT_OK)
        rc = ait_db_step(s, st, &row, err);
    if (rc != AIT_OK || !row)
        return rc;
    *v = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    return AIT_OK;
}

static ait_code look_around(ait_store *s, ait_error *err)
{
    int64_t keys, open, last;
    ait_code rc = ask(s, AIT_ST_KEY_ANY, &keys, err);

    if (rc == AIT_OK)
        rc = ask(s, AIT_ST_OPEN_ANY, &open, err);
    if (rc == AIT_OK)
        rc = ask(s, AIT_ST_REQUEST_LAST, &last, err);
    if (rc != AIT_OK)
        return rc;
    s->had_keys = ait_has(keys);
    s->had_open = ait_has(open);
    s->first_row = s->next_row = last + 1;
    return AIT_OK;
}

ait_code ait_store_begin(ait_store *s, const char *file, const char *format,
                         ait_error *err)
{
    ait_code rc;

    if (s->mode == AIT_STORE_READ || s->writing)
        AIT_BUG("a transaction where none can begin");
    rc = run(s, AIT_ST_BEGIN, err);
    if (rc != AIT_OK)
        return rc;
    s->writing = true;
    memset(&s->counts, 0, sizeof s->counts);
    rc = run(s, AIT_ST_SEEN_CLEAR, err);
    if (rc == AIT_OK)
        rc = ait_dict_put(s, file ? file : "", &s->file, err);
    if (rc == AIT_OK)
        rc = ait_dict_put(s, format, &s->format, err);
    if (rc == AIT_OK)
        rc = look_around(s, err);
    if (rc != AIT_OK)
        ait_store_rollback(s);
    return rc;
}

/* ---- one trace ----------------------------------------------------- */

static void count_parts(ait_store *s, const ait_trace *t)
{
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        s->counts.attempts++;
    s->counts.events += ait_events(t->stat[AIT_S_EVENTS]);
}

static ait_code add(ait_store *s, const ait_trace *t, const ait_ready *r,
                    int64_t key, ait_error *err)
{
    int64_t row = s->next_row;
    ait_code rc;

    if (row > AIT_ROW_MAX)
        return ait_db_fail(s, SQLITE_FULL, "too many requests", err);
    rc = ait_write_request(s, t, r, row, err);
    if (rc == AIT_OK)
        rc = ait_key_note(s, t, r, key, row, err);
    if (rc != AIT_OK)
        return rc;
    s->next_row++;
    s->counts.new_++;
    count_parts(s, t);
    return AIT_OK;
}

/* In the place of what a shorter recording held of the same request. */
static ait_code replace(ait_store *s, const ait_trace *t,
                        const ait_ready *r, int64_t key, int64_t row,
                        ait_error *err)
{
    ait_code rc = ait_delete_request(s, row, err);

    if (rc == AIT_OK)
        rc = ait_write_request(s, t, r, row, err);
    if (rc == AIT_OK) /* the same file may bring it once more */
        rc = ait_batch_flush(s, err);
    if (rc == AIT_OK)
        rc = ait_key_note(s, t, r, key, row, err);
    if (rc != AIT_OK)
        return rc;
    s->counts.updated++;
    count_parts(s, t);
    return AIT_OK;
}

ait_code ait_store_put_prepared(ait_store *s, const ait_trace *t,
                                const void *kept, ait_error *err)
{
    const ait_ready *r = kept;
    int64_t key, found;
    bool more = false;
    ait_code rc;

    if (!s->writing)
        AIT_BUG("a trace outside of a transaction");
    rc = ait_key_find(s, t, r, &key, &found, err);
    if (rc == AIT_OK && !ait_has(found))
        rc = ait_earlier_match(s, t, &found, &more, err);
    if (rc != AIT_OK)
        return rc;
    if (!ait_has(found))
        return add(s, t, r, key, err);
    if (more)
        return replace(s, t, r, key, found, err);
    s->counts.present++;
    return AIT_OK;
}

ait_code ait_store_put(ait_store *s, const ait_trace *t,
                       const ait_verdict *v, ait_error *err)
{
    ait_ready r;

    ait_store_prepare(t, v, &r);
    return ait_store_put_prepared(s, t, &r, err);
}

/* ---- commit -------------------------------------------------------- */

/* "17 20 31" */
static const char *lines_text(const ait_places *p, char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (int i = 0; p && i < p->kept; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%lld", i ? " " : "",
                               (long long)p->line[i]);
    return at ? out : NULL;
}

static ait_code write_file_issue(ait_store *s, int issue, uint32_t count,
                                 const ait_places *places, int64_t row,
                                 ait_error *err)
{
    char lines[AIT_PLACES_MAX * 22];
    sqlite3_stmt *st;
    int64_t name;
    ait_code rc = ait_dict_put(s, ait_issues[issue].name, &name, err);

    if (rc == AIT_OK)
        rc = ait_db_stmt(s, AIT_ST_IMPORT_ISSUE_ADD, &st, err);
    if (rc != AIT_OK)
        return rc;
    ait_bind_int(st, 1, row);
    ait_bind_int(st, 2, name);
    ait_bind_int(st, 3, count);
    ait_bind_text(st, 4, lines_text(places, lines, sizeof lines));
    return ait_db_run(s, st, err);
}

static ait_code write_import(ait_store *s, const ait_issue_set *issues,
                             const ait_places *places, ait_error *err)
{
    const ait_put_counts *c = &s->counts;
    const int64_t values[] = {s->file, s->format, c->new_, c->present,
                              c->updated, c->attempts, c->events};
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_IMPORT_ADD, &st, err);
    int64_t row;

    if (rc != AIT_OK)
        return rc;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ait_bind_int(st, (int)i + 1, values[i]);
    rc = ait_db_run(s, st, err);
    row = sqlite3_last_insert_rowid(s->db) << AIT_PART_SHIFT;
    for (int i = 0; rc == AIT_OK && issues && i < AIT_I_COUNT; i++)
        if (issues->count[i])
            rc = write_file_issue(s, i, issues->count[i],
                                  places ? &places[i] : NULL, row + i, err);
    return rc;
}

/* The same file once more: the database stays as it is, byte by byte. */
static ait_code nothing_new(ait_store *s, bool *nothing, ait_error *err)
{
    sqlite3_stmt *st;
    bool row = false;
    ait_code rc;

    *nothing = false;
    if (s->counts.new_ || s->counts.updated)
        return AIT_OK;
    rc = ait_db_stmt(s, AIT_ST_IMPORT_FIND, &st, err);
    if (rc != AIT_OK)
        return rc;
    ait_bind_int(st, 1, s->file);
    ait_bind_int(st, 2, s->format);
    rc = ait_db_step(s, st, &row, err);
    sqlite3_reset(st);
    *nothing = rc == AIT_OK && (row || s->counts.present);
    return rc;
}

static ait_code finish(ait_store *s, const ait_issue_set *issues,
                       const ait_places *places, ait_error *err)
{
    bool nothing;
    ait_code rc;

    ait_early_begin(s);
    rc = ait_key_flush(s, err);
    ait_early_end(s);
    if (rc == AIT_OK)
        rc = nothing_new(s, &nothing, err);
    if (rc != AIT_OK)
        return rc;
    if (nothing) {
        ait_store_rollback(s);
        return AIT_OK;
    }
    rc = write_import(s, issues, places, err);
    return rc == AIT_OK ? run(s, AIT_ST_COMMIT, err) : rc;
}

ait_code ait_store_commit(ait_store *s, const ait_issue_set *issues,
                          const ait_places *places, ait_put_counts *counts,
                          ait_error *err)
{
    ait_code rc;

    if (!s->writing)
        AIT_BUG("a commit outside of a transaction");
    rc = finish(s, issues, places, err);
    if (rc != AIT_OK) {
        ait_store_rollback(s);
        return rc;
    }
    s->writing = false;
    if (counts)
        *counts = s->counts;
    return AIT_OK;
}

void ait_store_rollback(ait_store *s)
{
    s->writing = false;
    ait_runs_forget(s->runs); /* the table forgets by itself */
    ait_batch_clear(s->batch);
    /* A full disk has rolled back by itself. */
    if (!sqlite3_get_autocommit(s->db))
        run(s, AIT_ST_ROLLBACK, NULL);
    ait_dict_forget(&s->dict);
}
