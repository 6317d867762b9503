/*
 * Opening: what is not ours is refused before SQLite touches it, what is new
 * is made with mode 0600, what is old is brought up to date.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "migrations.h"
#include "store/private.h"

#define APPLICATION_ID 0x41495452 /* "AITR" */
#define MIGRATIONS \
    ((int)(sizeof ait_migrations / sizeof *ait_migrations) - 1)
/* user_version is this and the number of migrations. Versions up to it were
 * never released: their tables are others. */
#define UNRELEASED 3
#define VERSION (UNRELEASED + MIGRATIONS)
enum { HEADER = 100, VERSION_AT = 60, APPLICATION_AT = 68 };

int ait_store_version(void)
{
    return MIGRATIONS;
}

/* The last migration that makes views makes all of them. */
const char *ait_store_schema(void)
{
    const char *text = "";

    for (int i = 0; i < MIGRATIONS; i++)
        if (strstr(ait_migrations[i].name, "views"))
            text = (const char *)ait_migrations[i].bytes;
    return text;
}

/* ---- refusals ------------------------------------------------------ */

static ait_code refuse(ait_store *s, const char *what, const char *hint,
                       ait_error *err)
{
    ait_fail(err, AIT_EDB, "%s", what);
    ait_error_hint(err, "%s", hint);
    ait_error_place(err, s->path, 0, 0, -1);
    return AIT_EDB;
}

static ait_code refuse_foreign(ait_store *s, ait_error *err)
{
    return refuse(s, "the file is no aitrace database",
                  "nothing was changed; give another file with --db", err);
}

static ait_code refuse_missing(ait_store *s, ait_error *err)
{
    return refuse(s, "there is no database",
                  "aitrace import FILE... makes one; --db names another; "
                  "--from FILE reads a recording without one", err);
}

static ait_code check_version(ait_store *s, int64_t version, ait_error *err)
{
    if (version > VERSION)
        return refuse(s, "the database was written by a newer aitrace",
                      "nothing was changed; use that version, or give "
                      "another file with --db", err);
    if (version > 0 && version <= UNRELEASED)
        return refuse(s, "the database was written by an unreleased aitrace",
                      "nothing was changed; import the recordings again "
                      "into a new file", err);
    if (version < VERSION && s->mode == AIT_STORE_READ)
        return refuse(s, "the database was written by an older aitrace",
                      "the next import brings it up to date", err);
    return AIT_OK;
}

/* ---- a look at the file's head ------------------------------------- */

/*
 * Read by SQLite's own file layer: closing a descriptor of our own would drop
 * the locks that another store of this process holds on the same file.
 */
static int read_head(sqlite3_vfs *vfs, const char *full, uint8_t *head)
{
    sqlite3_file *f = calloc(1, (size_t)vfs->szOsFile);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    int rc;

    if (!f)
        return SQLITE_NOMEM;
    rc = vfs->xOpen(vfs, full, f, flags, &flags);
    if (rc == SQLITE_OK)
        rc = f->pMethods->xRead(f, head, HEADER, 0);
    if (f->pMethods)
        f->pMethods->xClose(f);
    free(f);
    return rc;
}

static int peek(const char *path, uint8_t *head)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    char *full;
    int rc;

    if (!vfs)
        return SQLITE_ERROR;
    /* The file layer looks for URI parameters behind the name's end. */
    full = calloc(1, (size_t)vfs->mxPathname + 8);
    if (!full)
        return SQLITE_NOMEM;
    rc = vfs->xFullPathname(vfs, path, vfs->mxPathname + 1, full);
    if ((rc & 0xff) == SQLITE_OK)
        rc = read_head(vfs, full, head);
    free(full);
    return rc;
}

static int64_t big_endian(const uint8_t *p)
{
    return (int64_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* *empty: there is no content yet. A folder, a pipe or a device is never
 * opened. */
static ait_code check_head(ait_store *s, bool *empty, ait_error *err)
{
    uint8_t head[HEADER] = {0};
    struct stat st;
    int rc;

    *empty = false;
    if (stat(s->path, &st) != 0)
        return ait_db_fail(s, SQLITE_CANTOPEN, "", err);
    *empty = S_ISREG(st.st_mode) && st.st_size == 0;
    if (*empty)
        return AIT_OK;
    if (!S_ISREG(st.st_mode) || st.st_size < HEADER)
        return refuse_foreign(s, err);
    rc = peek(s->path, head);
    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "", err);
    if (memcmp(head, "SQLite format 3", 16) != 0 ||
        big_endian(head + APPLICATION_AT) != APPLICATION_ID)
        return refuse_foreign(s, err);
    return check_version(s, big_endian(head + VERSION_AT), err);
}

/* ---- migrations ---------------------------------------------------- */

static int pragma_int(ait_store *s, const char *sql, int64_t *v)
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);

    if (rc == SQLITE_OK) {
        rc = sqlite3_step(st);
        *v = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
        rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    sqlite3_finalize(st);
    return rc;
}

static int run_migrations(ait_store *s, int64_t from)
{
    char sql[128];
    int64_t i = from > 0 ? from - UNRELEASED : 0;
    int rc = SQLITE_OK;

    for (; rc == SQLITE_OK && i < MIGRATIONS; i++)
        rc = sqlite3_exec(s->db, (const char *)ait_migrations[i].bytes,
                          NULL, NULL, NULL);
    snprintf(sql, sizeof sql,
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             APPLICATION_ID, VERSION);
    return rc == SQLITE_OK ? sqlite3_exec(s->db, sql, NULL, NULL, NULL) : rc;
}

/* Inside a transaction, for two processes may find the same empty file. */
static ait_code migrate(ait_store *s, bool *created, ait_error *err)
{
    int64_t version = 0;
    ait_code code = AIT_OK;
    int rc = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);

    if (rc == SQLITE_OK)
        rc = pragma_int(s, "PRAGMA user_version", &version);
    if (rc == SQLITE_OK)
        code = check_version(s, version, err);
    if (rc == SQLITE_OK && code == AIT_OK && version < VERSION)
        rc = run_migrations(s, version);
    if (rc == SQLITE_OK && code == AIT_OK)
        rc = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (rc == SQLITE_OK && code == AIT_OK) {
        *created = version == 0;
        return AIT_OK;
    }
    if (rc != SQLITE_OK)
        code = ait_db_fail(s, rc, "the tables could not be made", err);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* What is up to date is not locked. */
static ait_code bring_up_to_date(ait_store *s, bool *created, ait_error *err)
{
    int64_t version = 0;
    int rc = pragma_int(s, "PRAGMA user_version", &version);

    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "", err);
    return version == VERSION ? AIT_OK : migrate(s, created, err);
}

/* ---- opening ------------------------------------------------------- */

/* A table that is gone would only be missed where a row leads to it. */
static ait_code check_tables(ait_store *s, ait_error *err)
{
    static const char *const tables[] = {
        "raw_word", "raw_text", "raw_common", "raw_request", "raw_key",
        "raw_id", "raw_attempt", "raw_measure_kind", "raw_measure",
        "raw_issue", "raw_gap", "raw_import", "raw_import_issue",
    };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        int rc = sqlite3_table_column_metadata(s->db, "main", tables[i],
                                               NULL, NULL, NULL, NULL, NULL,
                                               NULL);
        if (rc == SQLITE_ERROR)
            rc = SQLITE_CORRUPT;
        if (rc != SQLITE_OK)
            return ait_db_fail(s, rc, "a table is missing", err);
    }
    return AIT_OK;
}

/* A ":" in front means something else to SQLite. */
static char *keep_path(const char *path)
{
    size_t n = strlen(path);
    char *copy = ait_alloc(n + 3);

    if (copy)
        snprintf(copy, n + 3, "%s%s", *path == ':' ? "./" : "", path);
    return copy;
}

/* Makes the file, with its mode from the first moment on. Journals take
 * theirs from it. */
static ait_code make_file(ait_store *s, bool *made, ait_error *err)
{
    int fd = open(s->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

    *made = fd >= 0;
    if (fd >= 0) {
        close(fd);
        return AIT_OK;
    }
    if (access(s->path, F_OK) == 0)
        return AIT_OK;
    return ait_db_fail(s, SQLITE_CANTOPEN, "", err);
}

static ait_code connect_to_write(ait_store *s, int flags, bool *created,
                                 ait_error *err)
{
    int rc = ait_db_connect(s, SQLITE_OPEN_READWRITE | flags);

    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "", err);
    return bring_up_to_date(s, created, err);
}

static ait_code open_write(ait_store *s, bool *created, ait_error *err)
{
    bool made = false, empty = false;
    ait_code rc = make_file(s, &made, err);

    if (rc == AIT_OK)
        rc = check_head(s, &empty, err);
    if (rc == AIT_OK)
        rc = connect_to_write(s, 0, created, err);
    if (rc != AIT_OK && made)
        unlink(s->path);
    return rc;
}

static int connect_to_read(ait_store *s, int flags, int64_t *version)
{
    int rc = ait_db_connect(s, flags);

    if (rc == SQLITE_OK)
        rc = pragma_int(s, "PRAGMA user_version", version);
    if (rc != SQLITE_OK || flags & SQLITE_OPEN_READWRITE) {
        sqlite3_close(s->db);
        s->db = NULL;
    }
    return rc;
}

/*
 * A writer that was killed leaves its journal behind, and only a connection
 * that may write can roll it back. That changes the file to what it was
 * before; nothing else does in this mode.
 */
static ait_code open_read(ait_store *s, ait_error *err)
{
    int64_t version = 0;
    bool empty = false;
    ait_code code;
    int rc;

    if (access(s->path, F_OK) != 0)
        return refuse_missing(s, err);
    code = check_head(s, &empty, err);
    if (code == AIT_OK && empty)
        code = refuse_missing(s, err);
    if (code != AIT_OK)
        return code;
    rc = connect_to_read(s, SQLITE_OPEN_READONLY, &version);
    if (rc == SQLITE_READONLY_ROLLBACK || rc == SQLITE_READONLY_RECOVERY) {
        rc = connect_to_read(s, SQLITE_OPEN_READWRITE, &version);
        if (rc == SQLITE_OK)
            rc = connect_to_read(s, SQLITE_OPEN_READONLY, &version);
    }
    if (rc == SQLITE_OK)
        return check_version(s, version, err);
    return ait_db_fail(s, rc, "", err);
}

/* What a writing connection has beside: the tables for records without id
 * and for keys. */
static ait_code prepare_writing(ait_store *s, ait_error *err)
{
    int rc = sqlite3_exec(
        s->db,
        "CREATE TEMP TABLE seen (time INTEGER NOT NULL, identity INTEGER"
        " NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (time, identity))"
        " WITHOUT ROWID;"
        "CREATE TEMP TABLE runs (row INTEGER PRIMARY KEY, part BLOB NOT NULL);",
        NULL, NULL, NULL);

    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "the tables could not be made", err);
    s->runs = ait_runs_new(AIT_RUN_KEYS);
    s->batch = ait_batch_new();
    if (!s->runs || !s->batch)
        return ait_db_nomem(err);
    rc = ait_batch_register(s->batch, s->db);
    if (rc != SQLITE_OK)
        return ait_db_fail(s, rc, "the tables could not be made", err);
    return AIT_OK;
}

static ait_store *new_store(const char *path, ait_store_mode mode)
{
    ait_store *s = ait_alloc(sizeof *s);

    if (!s)
        return NULL;
    s->mode = mode;
    ait_dict_init(&s->dict);
    ait_buf_init(&s->pack, 65536);
    s->path = keep_path(path ? path : "");
    if (s->path)
        return s;
    free(s);
    return NULL;
}

ait_code ait_store_open(const char *path, ait_store_mode mode,
                        ait_store **out, bool *created, ait_error *err)
{
    bool dummy = false, *made = created ? created : &dummy;
    ait_store *s;
    ait_code rc;

    *made = false;
    *out = NULL;
    if (mode != AIT_STORE_MEMORY && (!path || !*path))
        return ait_fail(err, AIT_EUSAGE, "the database's name is empty");
    s = new_store(mode == AIT_STORE_MEMORY ? "" : path, mode);
    if (!s)
        return ait_db_nomem(err);
    rc = mode == AIT_STORE_READ    ? open_read(s, err)
         : mode == AIT_STORE_WRITE ? open_write(s, made, err)
                                   : connect_to_write(
                                         s, SQLITE_OPEN_CREATE, made, err);
    if (rc == AIT_OK)
        rc = check_tables(s, err);
    if (rc == AIT_OK && mode != AIT_STORE_READ)
        rc = prepare_writing(s, err);
    if (rc == AIT_OK)
        *out = s;
    else
        ait_store_close(s);
    return rc;
}

void ait_store_close(ait_store *s)
{
    if (!s)
        return;
    if (s->writing)
        ait_store_rollback(s);
    ait_db_finalize(s);
    sqlite3_close(s->db);
    ait_dict_free(&s->dict);
    ait_batch_free(s->batch);
    ait_buf_free(&s->pack);
    ait_runs_free(s->runs);
    free(s->path);
    free(s);
}
