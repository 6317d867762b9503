/* The connection: its settings, its statements, its errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/private.h"

enum {
    BUSY_MS = 5000,
    /* Reading comes back to its pages; writing goes on to new ones, and its
     * keys come sorted: more would only grow with the file. */
    CACHE_KIB = 6144,
    WRITE_CACHE_KIB = 1024,
    BLOB_MOST = AIT_TIMELINE_MAX + 65536
};

/* ---- errors -------------------------------------------------------- */

static const struct {
    int rc;
    ait_code code;
    const char *why, *hint;
} faults[] = {
    {SQLITE_BUSY, AIT_EDB, "the database is busy",
     "another program is writing to it; try again when that is done"},
    {SQLITE_LOCKED, AIT_EDB, "the database is busy",
     "another program is writing to it; try again when that is done"},
    {SQLITE_FULL, AIT_EDB, "the disk or the database is full",
     "make room, or give another file with --db"},
    {SQLITE_READONLY, AIT_EDB, "the database cannot be written",
     "look at the permissions of the file and its folder"},
    {SQLITE_CANTOPEN, AIT_EDB, "the file cannot be opened",
     "look at the path and the permissions of the file and its folder"},
    {SQLITE_PERM, AIT_EDB, "permission denied",
     "look at the permissions of the file and its folder"},
    {SQLITE_NOTADB, AIT_EDB, "the file is no aitrace database",
     "give another file with --db"},
    {SQLITE_CORRUPT, AIT_EDB, "the database is damaged",
     "import the recordings again into a new file"},
    {SQLITE_IOERR, AIT_EDB, "reading or writing failed",
     "look at the disk and at its free space"},
    {SQLITE_NOMEM, AIT_ENOMEM, "out of memory", ""},
    {SQLITE_TOOBIG, AIT_ENOMEM, "a value is over the maximum", ""},
    {SQLITE_INTERRUPT, AIT_EINTR, "interrupted", ""},
};

/* The words are SQLite's constant ones: its full message may quote what a
 * row holds. */
ait_code ait_db_fail(ait_store *s, int rc, const char *what, ait_error *err)
{
    size_t i = 0, n = sizeof faults / sizeof *faults;

    while (i < n && faults[i].rc != (rc & 0xff))
        i++;
    if (i == n) {
        ait_fail(err, AIT_EDB, "the database cannot be used");
        ait_error_reason(err, "%s", sqlite3_errstr(rc));
    } else {
        ait_fail(err, faults[i].code, "%s", faults[i].why);
        ait_error_reason(err, "%s", what);
        ait_error_hint(err, "%s", faults[i].hint);
    }
    ait_error_place(err, s->path, 0, 0, -1);
    return i == n ? AIT_EDB : faults[i].code;
}

ait_code ait_db_nomem(ait_error *err)
{
    return ait_fail(err, AIT_ENOMEM, "out of memory");
}

ait_code ait_db_damaged(ait_store *s, ait_error *err)
{
    return ait_db_fail(s, SQLITE_CORRUPT, "a row cannot be read", err);
}

/* ---- connection ---------------------------------------------------- */

/* Not more than these statements need; whatever the file's own schema says. */
static void set_limits(sqlite3 *db)
{
    static const int limits[][2] = {
        {SQLITE_LIMIT_LENGTH, BLOB_MOST},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
        {SQLITE_LIMIT_EXPR_DEPTH, 200},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1024},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    };

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i][0], limits[i][1]);
}

static int set_up(ait_store *s)
{
    bool read = s->mode == AIT_STORE_READ;
    char sql[256];

    set_limits(s->db);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0,
                      (int *)NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0,
                      (int *)NULL);
    snprintf(sql, sizeof sql,
             "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON;"
             "PRAGMA cache_size = -%d; PRAGMA query_only = %d;",
             read ? CACHE_KIB : WRITE_CACHE_KIB, read);
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL);
}

int ait_db_connect(ait_store *s, int flags)
{
    const char *path = s->mode == AIT_STORE_MEMORY ? ":memory:" : s->path;
    int rc = sqlite3_open_v2(path, &s->db, flags | SQLITE_OPEN_NOMUTEX,
                             NULL);

    return rc == SQLITE_OK ? set_up(s) : rc;
}

/* ---- statements ---------------------------------------------------- */

/* As the index raw_open has it. */
#define IS_OPEN "facts >> 12 & 15 = 6"
#define RANGE(table) table " WHERE row BETWEEN ?1 AND ?2"

static const char *const statements[AIT_ST_COUNT] = {
    [AIT_ST_BEGIN] = "BEGIN IMMEDIATE",
    [AIT_ST_COMMIT] = "COMMIT",
    [AIT_ST_ROLLBACK] = "ROLLBACK",
    [AIT_ST_TEXT_FIND] = "SELECT id FROM raw_text WHERE text = ?1",
    [AIT_ST_TEXT_ADD] = "INSERT INTO raw_text (text) VALUES (?1)",
    [AIT_ST_TEXT_GET] = "SELECT text FROM raw_text WHERE id = ?1",
    [AIT_ST_KIND_FIND] =
        "SELECT id FROM raw_measure_kind WHERE name = ?1 AND source_field"
        " IS ?2 AND resolution IS ?3 AND origin = ?4 AND boundary = ?5 AND"
        " quality = ?6",
    [AIT_ST_KIND_ADD] =
        "INSERT INTO raw_measure_kind (name, source_field, resolution,"
        " origin, boundary, quality) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [AIT_ST_KIND_GET] =
        "SELECT name, source_field, resolution, origin, boundary, quality"
        " FROM raw_measure_kind WHERE id = ?1",
    [AIT_ST_COMMON_ADD] =
        "INSERT INTO raw_common (model, provider, group_name, channel, route,"
        " region, endpoint, dialect, finish_reason, error_code,"
        " reasoning_effort, format, file, status, retries, resolution,"
        " temperature, top_p, tools, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
        " ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    [AIT_ST_COMMON_GET] =
        "SELECT model, provider, group_name, channel, route, region,"
        " endpoint, dialect, finish_reason, error_code, reasoning_effort,"
        " format, file, status, retries, resolution, temperature, top_p,"
        " tools, seen FROM raw_common WHERE row = ?1",
    [AIT_ST_REQUEST_LAST] = "SELECT coalesce(max(row), 0) FROM raw_request",
    [AIT_ST_REQUEST_FACTS] =
        "SELECT time, (SELECT status FROM raw_common c WHERE c.row ="
        " r.common), output_tokens, total_handler, upstream_done,"
        " facts >> 33, sse_events, request_id FROM raw_request r"
        " WHERE row = ?1",
    [AIT_ST_REQUEST_ID] =
        "SELECT request_id FROM raw_request WHERE row = ?1",
    [AIT_ST_REQUEST_DELETE] = "DELETE FROM raw_request WHERE row = ?1",
    [AIT_ST_OPEN_ANY] =
        "SELECT 1 FROM raw_request WHERE " IS_OPEN " LIMIT 1",
    [AIT_ST_OPEN_FIND] =
        "SELECT row FROM raw_request r WHERE " IS_OPEN " AND time IS ?1"
        " AND (SELECT format FROM raw_common c WHERE c.row = r.common) IS ?2"
        " AND row < ?3 ORDER BY row",
    [AIT_ST_KEY_ANY] = "SELECT 1 FROM raw_key LIMIT 1",
    [AIT_ST_KEY_ADD] =
        "INSERT OR IGNORE INTO raw_key (key, request) VALUES (?1, ?2)",
    [AIT_ST_KEYS_ADD] =
        "INSERT OR IGNORE INTO raw_key (key, request)"
        " SELECT c0, c1 FROM ait_batch",
    [AIT_ST_KEY_GET] = "SELECT request FROM raw_key WHERE key = ?1",
    [AIT_ST_KEY_RANGE] =
        "SELECT DISTINCT request FROM raw_key WHERE key BETWEEN ?1 AND ?2"
        " ORDER BY request",
    [AIT_ST_KEY_DELETE] =
        "DELETE FROM raw_key WHERE key BETWEEN ?1 AND ?2 AND request = ?3",
    [AIT_ST_SEEN] =
        "INSERT INTO temp.seen (time, identity, n) VALUES (?1, ?2, 1)"
        " ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n",
    [AIT_ST_SEEN_CLEAR] = "DELETE FROM temp.seen",
    [AIT_ST_RUNS_ADD] = "INSERT INTO temp.runs (part) VALUES (?1)",
    [AIT_ST_RUNS_GET] = "SELECT part FROM temp.runs WHERE row = ?1",
    [AIT_ST_RUNS_CLEAR] = "DELETE FROM temp.runs",
    [AIT_ST_ATTEMPT_ADD] =
        "INSERT INTO raw_attempt (row, number, serving, upstream, channel,"
        " error_code, status, outcome, start, done, headers, retry_after,"
        " wait_before, timeline_base, timeline) VALUES (?1, ?2, ?3, ?4, ?5,"
        " ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    [AIT_ST_ATTEMPT_GET] =
        "SELECT number, serving, upstream, channel, error_code, status,"
        " outcome, start, done, headers, retry_after, wait_before,"
        " timeline_base, timeline FROM " RANGE("raw_attempt")
        " ORDER BY row",
    [AIT_ST_ATTEMPT_DELETE] = "DELETE FROM " RANGE("raw_attempt"),
    [AIT_ST_MEASURE_ADD] =
        "INSERT INTO raw_measure (row, kind, value)"
        " SELECT c0, c1, c2 FROM ait_batch",
    [AIT_ST_MEASURE_GET] =
        "SELECT kind, value FROM " RANGE("raw_measure") " ORDER BY row",
    [AIT_ST_MEASURE_DELETE] = "DELETE FROM " RANGE("raw_measure"),
    [AIT_ST_ISSUE_ADD] =
        "INSERT INTO raw_issue (row, issue, count)"
        " SELECT c0, c1, c2 FROM ait_batch",
    [AIT_ST_ISSUE_GET] =
        "SELECT issue, count FROM " RANGE("raw_issue") " ORDER BY row",
    [AIT_ST_ISSUE_DELETE] = "DELETE FROM " RANGE("raw_issue"),
    [AIT_ST_ID_ADD] =
        "INSERT INTO raw_id (row, id) SELECT c0, c1 FROM ait_batch",
    [AIT_ST_ID_GET] = "SELECT id FROM " RANGE("raw_id") " ORDER BY row",
    [AIT_ST_ID_DELETE] = "DELETE FROM " RANGE("raw_id"),
    [AIT_ST_GAP_ADD] =
        "INSERT INTO raw_gap (row, ns) SELECT c0, c1 FROM ait_batch",
    [AIT_ST_GAP_DELETE] = "DELETE FROM " RANGE("raw_gap"),
    [AIT_ST_IMPORT_FIND] =
        "SELECT 1 FROM raw_import WHERE file = ?1 AND format IS ?2 LIMIT 1",
    [AIT_ST_IMPORT_ADD] =
        "INSERT INTO raw_import (file, format, new, present, updated,"
        " attempts, events) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [AIT_ST_IMPORT_ISSUE_ADD] =
        "INSERT INTO raw_import_issue (row, issue, count, lines)"
        " VALUES (?1, ?2, ?3, ?4)",
};

static ait_code prepare(ait_store *s, const char *sql, sqlite3_stmt **out,
                        ait_error *err)
{
    int rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                out, NULL);

    if (rc == SQLITE_OK)
        return AIT_OK;
    return ait_db_fail(s, rc, "preparing a statement failed", err);
}

static ait_code prepare_insert(ait_store *s, sqlite3_stmt **out,
                               ait_error *err)
{
    ait_code rc;
    ait_buf sql;

    ait_buf_init(&sql, 1 << 14);
    rc = ait_batch_sql(s->batch, &sql) ? prepare(s, sql.data, out, err)
                              : ait_db_nomem(err);
    ait_buf_free(&sql);
    return rc;
}

ait_code ait_db_stmt(ait_store *s, ait_stmt_id id, sqlite3_stmt **out,
                     ait_error *err)
{
    ait_code rc = AIT_OK;

    if (s->stmt[id]) {
        sqlite3_reset(s->stmt[id]);
        sqlite3_clear_bindings(s->stmt[id]);
    } else {
        rc = id == AIT_ST_REQUEST_ADD
                 ? prepare_insert(s, &s->stmt[id], err)
                 : prepare(s, statements[id], &s->stmt[id], err);
    }
    *out = s->stmt[id];
    return rc;
}

ait_code ait_db_step(ait_store *s, sqlite3_stmt *st, bool *row,
                     ait_error *err)
{
    int rc = sqlite3_step(st);

    *row = rc == SQLITE_ROW;
    if (*row)
        return AIT_OK;
    sqlite3_reset(st);
    if (rc == SQLITE_DONE)
        return AIT_OK;
    return ait_db_fail(s, rc, "", err);
}

ait_code ait_db_run(ait_store *s, sqlite3_stmt *st, ait_error *err)
{
    bool row;
    ait_code rc = ait_db_step(s, st, &row, err);

    if (rc == AIT_OK && row)
        sqlite3_reset(st);
    return rc;
}

void ait_bind_text(sqlite3_stmt *st, int i, const char *text)
{
    if (text)
        sqlite3_bind_text(st, i, text, -1, SQLITE_STATIC);
}

const char *ait_value_kept(sqlite3_value *v, ait_arena *arena)
{
    const char *text = (const char *)sqlite3_value_text(v);
    char out[AIT_TEXT_MAX + 1];

    if (!text)
        return NULL;
    ait_keep_text(text, (size_t)sqlite3_value_bytes(v), out);
    return ait_arena_strdup(arena, out);
}

const char *ait_column_kept(sqlite3_stmt *st, int i, ait_arena *arena)
{
    return ait_value_kept(sqlite3_column_value(st, i), arena);
}

void ait_db_finalize(ait_store *s)
{
    for (int i = 0; i < AIT_ST_COUNT; i++) {
        sqlite3_finalize(s->stmt[i]);
        s->stmt[i] = NULL;
    }
}
