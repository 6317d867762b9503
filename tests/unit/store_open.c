/* Opening: what is refused stays untouched, what is made is private, and
 * nothing half written is ever seen. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "unit/store_help.h"

static ait_code try_open(const char *path, ait_store_mode mode,
                         ait_error *err)
{
    ait_store *s = NULL;
    ait_code rc = ait_store_open(path, mode, &s, NULL, err);

    CHECK((rc == AIT_OK) == (s != NULL));
    ait_store_close(s);
    return rc;
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;

    CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int mode_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (int)(st.st_mode & 0777) : -1;
}

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int take(void *ctx, ait_trace *t)
{
    (void)t;
    ++*(int *)ctx;
    return AIT_OK;
}

/* ---- new files ----------------------------------------------------- */

static void a_new_file_is_private(void)
{
    const char *path = scratch_file("new.db");
    char journal[200];
    ait_store *s = NULL;
    ait_trace *t = plain("a", 1);
    bool created = false;
    ait_error err;
    mode_t was = umask(0);

    snprintf(journal, sizeof journal, "%s-journal", path);
    CHECK_OK(ait_store_open(path, AIT_STORE_WRITE, &s, &created, &err));
    CHECK(created);
    CHECK_INT(mode_of(path), 0600);
    CHECK_OK(ait_store_begin(s, "a", "capture", &err));
    CHECK_OK(ait_store_put(s, t, NULL, &err));
    CHECK_INT(mode_of(journal), 0600);
    ait_store_rollback(s);
    ait_store_close(s);
    CHECK(!exists(journal));
    CHECK_OK(ait_store_open(path, AIT_STORE_WRITE, &s, &created, &err));
    CHECK(!created);
    ait_store_close(s);
    umask(was);
    drop(t);
}

static void memory_makes_no_file(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t = plain("a", 1);

    CHECK_INT(put_all(s, "a", &t, 1).new_, 1);
    CHECK(!exists(":memory:"));
    drop(t);
    ait_store_close(s);
}

static void names_that_sqlite_reads_otherwise(void)
{
    ait_error err;
    char cwd[512];

    CHECK(getcwd(cwd, sizeof cwd) != NULL);
    scratch_file("");
    CHECK_INT(chdir(scratch), 0);
    CHECK_INT(try_open(":memory:", AIT_STORE_WRITE, &err), AIT_OK);
    CHECK(exists(":memory:"));
    CHECK_INT(try_open("file:x.db?mode=memory", AIT_STORE_WRITE, &err),
              AIT_OK);
    CHECK(exists("file:x.db?mode=memory"));
    CHECK_INT(try_open("", AIT_STORE_WRITE, &err), AIT_EUSAGE);
    CHECK_INT(chdir(cwd), 0);
}

static void an_empty_file_becomes_one(void)
{
    const char *path = scratch_file("touched.db");
    ait_error err;

    spill(path, "", 0);
    CHECK_INT(try_open(path, AIT_STORE_READ, &err), AIT_EDB);
    CHECK_INT(try_open(path, AIT_STORE_WRITE, &err), AIT_OK);
    CHECK_INT(try_open(path, AIT_STORE_READ, &err), AIT_OK);
}

static void missing_files(void)
{
    const char *path = scratch_file("missing.db");
    ait_error err;

    CHECK_INT(try_open(path, AIT_STORE_READ, &err), AIT_EDB);
    CHECK_TEXT(err.source, path);
    CHECK(strstr(err.hint, "import") != NULL);
    CHECK(!exists(path));
    CHECK_INT(try_open(scratch_file("no/such/folder.db"), AIT_STORE_WRITE,
                       &err), AIT_EDB);
    CHECK_INT(try_open(scratch, AIT_STORE_WRITE, &err), AIT_EDB);
    CHECK_INT(try_open(scratch, AIT_STORE_READ, &err), AIT_EDB);
}

/* ---- refusals ------------------------------------------------------ */

/* Refused in both modes, and not a byte of the folder is another one. */
static void check_refused(const char *path, const char *word)
{
    char side[200];
    ait_error err;
    long n;
    char *before = slurp(path, &n);

    for (int i = 0; i < 2; i++) {
        CHECK_INT(try_open(path, i ? AIT_STORE_READ : AIT_STORE_WRITE, &err),
                  AIT_EDB);
        CHECK(strstr(err.message, word) != NULL);
        CHECK(err.hint[0] != '\0');
        CHECK_TEXT(err.source, path);
        CHECK(same_bytes(path, before, n));
    }
    snprintf(side, sizeof side, "%s-journal", path);
    CHECK(!exists(side));
    free(before);
}

static void a_newer_database(void)
{
    const char *path = scratch_file("newer.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);

    put_all(s, "a", &t, 1);
    ait_store_close(s);
    run_sql(path, "PRAGMA user_version=9999; CREATE TABLE future_table(x);");
    check_refused(path, "newer");
    drop(t);
}

static void foreign_files(void)
{
    const char *path = scratch_file("foreign.db");
    char noise[300];

    run_sql(path, "CREATE TABLE mine(x); INSERT INTO mine VALUES (1);");
    check_refused(path, "no aitrace database");
    run_sql(path, "PRAGMA application_id = 7; PRAGMA user_version = 1;");
    check_refused(path, "no aitrace database");
    run_sql(path, "PRAGMA application_id = 0; PRAGMA user_version = 0;");
    check_refused(path, "no aitrace database");
    memset(noise, 'x', sizeof noise);
    spill(scratch_file("noise"), noise, sizeof noise);
    check_refused(scratch_file("noise"), "no aitrace database");
    spill(scratch_file("short"), "x", 1);
    check_refused(scratch_file("short"), "no aitrace database");
    memcpy(noise, "SQLite format 3", 16);
    spill(scratch_file("head"), noise, sizeof noise);
    check_refused(scratch_file("head"), "no aitrace database");
}

/* Bytes from `from` to `to` that make no sense. */
static void damage(const char *path, long from, long to)
{
    long n;
    char *bytes = slurp(path, &n);

    for (long i = from; i < to && i < n; i++)
        bytes[i] = (char)0xff;
    spill(path, bytes, (size_t)n);
    free(bytes);
}

static void damaged_databases(void)
{
    const char *path = scratch_file("damaged.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);
    ait_selection sel;
    ait_error err;
    int seen = 0;
    long page;

    put_all(s, "a", &t, 1);
    ait_store_close(s);
    page = atol(ask_sql(path, "SELECT rootpage FROM sqlite_schema"
                              " WHERE name = 'raw_request'"));
    damage(path, (page - 1) * 4096, page * 4096);
    ait_selection_init(&sel);
    s = must_open(path, AIT_STORE_READ);
    CHECK_INT(ait_store_each(s, &sel, AIT_NEED_ALL, take, &seen, &err),
              AIT_EDB);
    CHECK(strstr(err.message, "damaged") != NULL);
    ait_store_close(s);
    damage(path, 100, 4096);
    check_refused(path, "damaged");
    drop(t);
}

/* Each of the tables: none is only missed by what happens to use it. */
static void a_table_is_missing(void)
{
    const char *path = scratch_file("tables.db");
    int tables = 0;

    for (;; tables++) {
        ait_store *s = must_open(path, AIT_STORE_WRITE);
        char name[64], sql[160];

        ait_store_close(s);
        snprintf(sql, sizeof sql,
                 "SELECT name FROM sqlite_schema WHERE type = 'table' AND"
                 " name LIKE 'raw%%' ORDER BY name LIMIT 1 OFFSET %d",
                 tables);
        snprintf(name, sizeof name, "%s", ask_sql(path, sql));
        if (strncmp(name, "raw_", 4) != 0)
            break;
        snprintf(sql, sizeof sql, "DROP TABLE %s", name);
        run_sql(path, sql);
        check_refused(path, "damaged");
        unlink(path);
    }
    CHECK_INT(tables, 13);
}

/* Tables of versions that nobody has are not misread. */
static void an_unreleased_database(void)
{
    const char *path = scratch_file("unreleased.db");

    ait_store_close(must_open(path, AIT_STORE_WRITE));
    run_sql(path, "PRAGMA user_version = 2");
    check_refused(path, "unreleased");
}

/* ---- reading never writes ------------------------------------------ */

static void reading_changes_nothing(void)
{
    const char *path = scratch_file("read.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);
    ait_selection sel;
    ait_error err;
    int seen = 0;
    char *before;
    long n;

    put_all(s, "a", &t, 1);
    ait_store_close(s);
    before = slurp(path, &n);
    CHECK_INT(chmod(path, 0400), 0);
    CHECK_INT(chmod(scratch, 0500), 0);
    s = must_open(path, AIT_STORE_READ);
    ait_selection_init(&sel);
    CHECK_OK(ait_store_each(s, &sel, AIT_NEED_ALL, take, &seen, &err));
    CHECK_INT(seen, 1);
    ait_store_close(s);
    CHECK_INT(chmod(scratch, 0700), 0);
    CHECK_INT(chmod(path, 0600), 0);
    CHECK(same_bytes(path, before, n));
    free(before);
    drop(t);
}

/* ---- two processes ------------------------------------------------- */

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A child that holds the write lock for `ms`; the pipe says that it has. */
static pid_t hold_lock(const char *path, int ms)
{
    int fd[2];
    char byte = 0;
    pid_t pid;

    if (pipe(fd) != 0)
        abort();
    pid = fork();
    if (pid != 0) {
        close(fd[1]);
        CHECK_INT(read(fd[0], &byte, 1), 1);
        close(fd[0]);
        return pid;
    }
    sqlite3 *db = NULL;
    struct timespec ts = {ms / 1000, ms % 1000 * 1000000};
    int ok = sqlite3_open(path, &db) == SQLITE_OK &&
             sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == 0 &&
             write(fd[1], &byte, 1) == 1;
    nanosleep(&ts, NULL);
    if (ok)
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
    _exit(0);
}

static void a_second_writer_waits(void)
{
    const char *path = scratch_file("busy.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);
    pid_t child = hold_lock(path, 300);
    ait_selection sel;
    ait_error err;
    int seen = 0;

    ait_selection_init(&sel);
    CHECK_OK(ait_store_each(s, &sel, 0, take, &seen, &err)); /* at once */
    CHECK_INT(put_all(s, "a", &t, 1).new_, 1);
    waitpid(child, NULL, 0);
    drop(t);
    ait_store_close(s);
}

static void waiting_ends(void)
{
    const char *path = scratch_file("busier.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    pid_t child = hold_lock(path, 20000);
    double began = now();
    ait_error err;

    CHECK_INT(ait_store_begin(s, "a", "capture", &err), AIT_EDB);
    CHECK(now() - began > 3);
    CHECK(strstr(err.message, "busy") != NULL);
    CHECK_TEXT(err.source, path);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK_OK(ait_store_begin(s, "a", "capture", &err));
    ait_store_close(s);
}

/* ---- killed in the middle ------------------------------------------ */

enum { FLOOD = 120000 }; /* more than the cache holds: pages are on disk */

static void flood(const char *path)
{
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_error err;
    char id[24];

    CHECK_OK(ait_store_begin(s, "b", "capture", &err));
    for (int i = 0; i < FLOOD; i++) {
        ait_trace *t = plain(NULL, i);
        snprintf(id, sizeof id, "flood-%d", i);
        set_id(t, id);
        CHECK_OK(ait_store_put(s, t, NULL, &err));
        drop(t);
    }
    kill(getpid(), SIGKILL);
}

static void killed_in_the_middle(void)
{
    const char *path = scratch_file("killed.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);
    ait_selection sel;
    ait_error err;
    int64_t n = 0;
    int status = 0;
    pid_t pid;
    struct stat st;

    put_all(s, "a", &t, 1);
    ait_store_close(s);
    pid = fork();
    if (pid == 0)
        flood(path);
    waitpid(pid, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK(stat(path, &st) == 0 && st.st_size > 2 << 20);
    s = must_open(path, AIT_STORE_READ);
    ait_selection_init(&sel);
    CHECK_OK(ait_store_count(s, &sel, &n, &err));
    CHECK_INT(n, 1);
    ait_store_close(s);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM request"), "1");
    CHECK_TEXT(ask_sql(path, "PRAGMA integrity_check"), "ok");
    s = must_open(path, AIT_STORE_WRITE);
    CHECK_INT(put_all(s, "a", &t, 1).present, 1);
    ait_store_close(s);
    drop(t);
}

/* ---- a full disk --------------------------------------------------- */

/* In a child: files may not grow beyond a limit there, which is what a full
 * disk does to a write. */
static int fill_up(const char *path)
{
    struct rlimit limit = {1 << 20, 1 << 20};
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_code rc = AIT_OK;
    ait_error err;
    int ok;

    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    rc = ait_store_begin(s, "b", "capture", &err);
    for (int i = 0; rc == AIT_OK && i < FLOOD; i++) {
        ait_trace *t = plain(NULL, i);
        rc = ait_store_put(s, t, NULL, &err);
        drop(t);
    }
    if (rc == AIT_OK)
        rc = ait_store_commit(s, NULL, NULL, NULL, &err);
    ok = rc == AIT_EDB && strcmp(err.source, path) == 0 && err.hint[0];
    ait_store_rollback(s);
    ait_store_close(s);
    return ok ? 0 : 1;
}

static void a_full_disk(void)
{
    const char *path = scratch_file("full.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain("a", 1);
    int status = -1;
    pid_t pid;

    put_all(s, "a", &t, 1);
    ait_store_close(s);
    pid = fork();
    if (pid == 0)
        _exit(fill_up(path));
    waitpid(pid, &status, 0);
    CHECK_INT(status, 0);
    s = must_open(path, AIT_STORE_READ);
    ait_store_close(s);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM request"), "1");
    drop(t);
}

/* ---- the schema ---------------------------------------------------- */

static void schema_text(void)
{
    const char *text = ait_store_schema();

    CHECK(ait_store_version() >= 2);
    CHECK(strstr(text, "CREATE VIEW request AS") != NULL);
    CHECK(strstr(text, "CREATE VIEW measure AS") != NULL);
    CHECK(strstr(text, "CREATE TABLE") == NULL);
    CHECK(strstr(text, "-- ") != NULL);
}

int main(void)
{
    RUN(a_new_file_is_private);
    RUN(memory_makes_no_file);
    RUN(names_that_sqlite_reads_otherwise);
    RUN(an_empty_file_becomes_one);
    RUN(missing_files);
    RUN(a_newer_database);
    RUN(foreign_files);
    RUN(damaged_databases);
    RUN(a_table_is_missing);
    RUN(an_unreleased_database);
    RUN(reading_changes_nothing);
    RUN(a_second_writer_waits);
    RUN(waiting_ends);
    RUN(killed_in_the_middle);
    RUN(a_full_disk);
    RUN(schema_text);
    return scratch_done();
}
