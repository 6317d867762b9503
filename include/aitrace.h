#ifndef AITRACE_H
#define AITRACE_H
/*
 * libaitrace: recordings of LLM API requests in, timelines, diagnoses and
 * percentiles out. Offline; no network, no global state, nothing printed.
 *
 *   aitrace_db *db;
 *   if (aitrace_open("a.db", AITRACE_WRITE, &db) == AITRACE_OK &&
 *       aitrace_import(db, "capture.jsonl.gz", NULL, NULL, NULL)
 *           == AITRACE_OK) {
 *       char *json;
 *       if (aitrace_report_json(db, "model", &json) == AITRACE_OK)
 *           puts(json);
 *       aitrace_free(json);
 *   }
 *   aitrace_close(db);
 *
 * Times in JSON are milliseconds, absent figures are null; the documents are
 * those of `aitrace list --json`, `show --json` and `report --json` and are
 * described by the JSON Schemas that are installed with it. A database
 * handle is used by one thread at a time; several handles are independent.
 */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program's exit statuses have the same numbers up to 5. */
typedef enum aitrace_status {
    AITRACE_OK = 0,
    AITRACE_NOT_FOUND = 1,   /* no such request, or several of that id */
    AITRACE_USAGE = 2,       /* an argument makes no sense */
    AITRACE_INPUT = 3,       /* input unusable, or partly lost */
    AITRACE_DATABASE = 4,    /* locked, foreign, newer, full */
    AITRACE_OUTPUT = 5,      /* not used by the library */
    AITRACE_MEMORY = 6,      /* out of memory, or over a stated maximum */
    AITRACE_INTERRUPTED = 7  /* the progress callback said so */
} aitrace_status;

typedef enum aitrace_mode {
    AITRACE_READ,   /* the database must exist; it is never written */
    AITRACE_WRITE,  /* made (mode 0600) when the first request is kept */
    AITRACE_MEMORY_ONLY /* no file; the path is ignored and may be NULL */
} aitrace_mode;

typedef struct aitrace_db aitrace_db;

/* "0.1.0"; constant. */
const char *aitrace_version(void);

/*
 * Opens a database. *db is set even on failure (except AITRACE_MEMORY), so
 * that aitrace_message can say why; close it in any case. A file of another
 * program or of a newer version is refused untouched.
 */
aitrace_status aitrace_open(const char *path, aitrace_mode mode,
                            aitrace_db **db);
void aitrace_close(aitrace_db *db); /* NULL is allowed */

/* The last failure on this handle as one line: what, why, where, never a
 * byte of input. "" where nothing failed. Valid until the next call. */
const char *aitrace_message(const aitrace_db *db);

/* What came of one file. */
typedef struct aitrace_imported {
    int64_t requests_new, requests_present, requests_updated;
    int64_t attempts, events, bad_lines;
    char format[48]; /* as `aitrace formats` names it, "" if none */
} aitrace_imported;

/* Called now and then with the bytes read, the size of the file (-1 where it
 * is not known) and the requests so far; a result other than 0 stops. */
typedef int aitrace_progress(void *ctx, int64_t bytes, int64_t size,
                             int64_t requests);

/*
 * Imports a capture or gateway log, plain or gzip ("-": standard input), in
 * one transaction: AITRACE_OK keeps it all; AITRACE_INPUT keeps what could
 * be read (see `out`), or nothing where nothing was usable; any other status
 * keeps nothing. The same file again changes nothing. `progress`, `ctx` and
 * `out` may be NULL.
 */
aitrace_status aitrace_import(aitrace_db *db, const char *file,
                              aitrace_progress *progress, void *ctx,
                              aitrace_imported *out);

/*
 * The trace object of one request, found by any of its ids. *json is NULL on
 * failure, else the caller's: aitrace_free.
 */
aitrace_status aitrace_trace_json(aitrace_db *db, const char *request_id,
                                  char **json);

/*
 * The report document over all requests, grouped by comma-separated fields
 * ("" is one group for each origin), nearest rank. *json as above.
 */
aitrace_status aitrace_report_json(aitrace_db *db, const char *by,
                                   char **json);

void aitrace_free(char *json); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
