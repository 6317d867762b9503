/*
 * Allocation n fails, for every n of a whole import: the import must say so
 * or be exactly what it is without the fault, and nothing may leak (this
 * runs under the address sanitizer).
 *
 *   faults FOLDER FILE…      one TAP line a file and stage; FOLDER is scratch
 */
#include <unistd.h>
#include "harness.h"
#include "pipeline.h"
#include "store/store.h"

/* All n up to here, then every STRIDE-th. */
#define EVERY 400
#define STRIDE 13
#define RUNS_MAX 3000

static long next(long n)
{
    return n < EVERY ? n + 1 : n + STRIDE;
}

/* true once the import went through in spite of `n`. */
static bool memory_at(const char *name, const char *bytes, size_t size,
                      const pipeline *want, long n, bool *good)
{
    pipeline p;
    ait_code rc;

    ait_mem_fail_after(n);
    rc = pipeline_run(&p, name, bytes, size, 0);
    ait_mem_fail_after(0);
    if (rc == AIT_OK)
        *good = p.out.len == want->out.len &&
                !memcmp(p.out.data, want->out.data, p.out.len);
    else
        *good = rc == AIT_ENOMEM;
    if (!*good)
        printf("# allocation %ld: code %d, %zu bytes of traces, want %zu\n",
               n, rc, p.out.len, want->out.len);
    pipeline_free(&p);
    return rc == AIT_OK;
}

static bool memory(const char *path)
{
    size_t size;
    char *bytes = pipeline_file(path, &size);
    pipeline want;
    bool good = bytes != NULL, through = false;
    long runs = 0;

    if (!good)
        return false;
    good = pipeline_run(&want, "x", bytes, size, 0) == AIT_OK;
    for (long n = 1; good && !through && runs < RUNS_MAX; n = next(n), runs++)
        through = memory_at("x", bytes, size, &want, n, &good);
    if (good && !through)
        printf("# still failing after %ld runs\n", runs);
    pipeline_free(&want);
    free(bytes);
    return good && through && runs > 1;
}

/* ---- the same with a database ------------------------------------------ */
typedef struct keeper {
    ait_store *store;
    ait_thresholds limits;
    ait_error err;
} keeper;

static int keep(void *ctx, ait_trace *t)
{
    keeper *k = ctx;
    ait_verdict v;

    ait_judge(t, &k->limits, &v);
    return ait_store_put(k->store, t, &v, &k->err);
}

/* The lines of `pipeline` are not wanted here: only its reading. */
typedef struct filler {
    keeper k;
    ait_replay *replay;
    ait_file_report report;
} filler;

static int fill_record(void *ctx, const ait_record *r)
{
    filler *f = ctx;

    if (!f->replay)
        f->replay = ait_replay_new("x", "capture", &f->report, keep, &f->k);
    return f->replay ? ait_replay_record(f->replay, r) : AIT_ENOMEM;
}

static int fill_trace(void *ctx, ait_trace *t)
{
    filler *f = ctx;

    return keep(&f->k, t);
}

static ait_code import(const char *db, const char *bytes, size_t size)
{
    filler f = {0};
    ait_sink sink = {.ctx = &f, .record = fill_record, .trace = fill_trace};
    ait_input_options o = {0};
    ait_put_counts counts;
    bool created;
    ait_code rc;

    ait_error_clear(&f.k.err);
    ait_thresholds_init(&f.k.limits);
    rc = ait_store_open(db, AIT_STORE_WRITE, &f.k.store, &created, &f.k.err);
    if (rc == AIT_OK)
        rc = ait_store_begin(f.k.store, "x", "capture", &f.k.err);
    if (rc == AIT_OK)
        rc = ait_input_bytes("x", bytes, size, &o, &sink, &f.report,
                             &f.k.err);
    if (rc == AIT_OK && f.replay)
        rc = (ait_code)ait_replay_finish(f.replay);
    if (rc == AIT_OK)
        rc = ait_store_commit(f.k.store, &f.report.issues, f.report.places,
                              &counts, &f.k.err);
    else if (f.k.store)
        ait_store_rollback(f.k.store);
    ait_replay_free(f.replay);
    ait_store_close(f.k.store);
    return rc;
}

static int count_one(void *ctx, ait_trace *t)
{
    (void)t;
    ++*(int64_t *)ctx;
    return AIT_OK;
}

/* Requests in a database; -1: it cannot be read. */
static int64_t requests(const char *db)
{
    ait_store *s = NULL;
    ait_selection sel;
    int64_t n = 0;
    ait_error err;

    if (access(db, F_OK) != 0)
        return 0;
    ait_error_clear(&err);
    ait_selection_init(&sel);
    if (ait_store_open(db, AIT_STORE_READ, &s, NULL, &err) != AIT_OK ||
        ait_store_each(s, &sel, AIT_NEED_ALL, count_one, &n, &err) != AIT_OK)
        n = -1;
    ait_store_close(s);
    return n;
}

/* All or nothing: after a fault the database holds no request at all. */
static bool stored_at(const char *db, const char *bytes, size_t size,
                      int64_t want, long n, bool *good)
{
    ait_code rc;
    int64_t have;

    ait_mem_fail_after(n);
    rc = import(db, bytes, size);
    ait_mem_fail_after(0);
    have = requests(db);
    *good = rc == AIT_OK ? have == want
                         : (rc == AIT_ENOMEM || rc == AIT_EDB) && have <= 0;
    if (!*good)
        printf("# allocation %ld: code %d, %d requests stored, want %d\n", n,
               rc, (int)have, (int)want);
    unlink(db);
    return rc == AIT_OK;
}

static bool stored(const char *folder, const char *path)
{
    char db[512];
    size_t size;
    char *bytes = pipeline_file(path, &size);
    bool good = bytes != NULL, through = false;
    int64_t want;
    long runs = 0;

    if (!good)
        return false;
    snprintf(db, sizeof db, "%s/faults.db", folder);
    unlink(db);
    good = import(db, bytes, size) == AIT_OK;
    want = requests(db);
    unlink(db);
    good = good && want > 0;
    for (long n = 1; good && !through && runs < RUNS_MAX; runs++) {
        through = stored_at(db, bytes, size, want, n, &good);
        n += n < 40 ? 1 : STRIDE;
    }
    free(bytes);
    return good && through && runs > 1;
}

static int line(int n, bool good, const char *what, const char *path)
{
    printf("%sok %d - %s %s\n", good ? "" : "not ", n, what, path);
    fflush(stdout);
    return !good;
}

int main(int argc, char **argv)
{
    int n = 0, bad = 0;

    for (int i = 2; i < argc; i++) {
        bad += line(++n, memory(argv[i]), "allocations fail:", argv[i]);
        bad += line(++n, stored(argv[1], argv[i]),
                    "allocations fail, database:", argv[i]);
    }
    printf("1..%d\n", n);
    return bad ? 1 : 0;
}
