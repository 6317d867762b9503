#ifndef AIT_STORE_STORE_H
#define AIT_STORE_STORE_H
/*
 * The store: trace records in SQLite and back. Raw tables are private, the
 * views (request, attempt, finding, issue, import, measure) are public.
 * Knows nothing of rules: the verdict's summary is handed in.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "model/trace.h"
#include "model/verdict.h"

typedef struct ait_store ait_store;

typedef enum ait_store_mode {
    AIT_STORE_READ,   /* must exist; nothing is ever written */
    AIT_STORE_WRITE,  /* created (0600) and migrated as needed */
    AIT_STORE_MEMORY  /* no file at all, for --from */
} ait_store_mode;

/*
 * Opens. A file that is not aitrace's, or is of a newer version, is refused
 * untouched (AIT_EDB, with a hint). *created tells a new file. A busy file is
 * waited for (5 s), then AIT_EDB says so and names the file.
 */
ait_code ait_store_open(const char *path, ait_store_mode mode,
                        ait_store **out, bool *created, ait_error *err);
void ait_store_close(ait_store *s); /* NULL is allowed */

/* ---- writing: one transaction a file ------------------------------- */
typedef struct ait_put_counts {
    int64_t new_, present, updated;
    int64_t attempts, events; /* of what was written */
} ait_put_counts;

/* How many threads may write a file: with two the disk works while keys are
 * put in order. 1 unless told. */
void ait_store_threads(ait_store *s, int threads);
/* Waits for another writer (5 s). A store is used by one thread at a time. */
ait_code ait_store_begin(ait_store *s, const char *file, const char *format,
                         ait_error *err);
/*
 * Keeps one trace with its verdict's summary (`v` may be NULL: none).
 * Already present (same identity): counted, nothing written. A
 * truncated_capture of the same ids, start and format that an earlier file
 * brought and that comes again with more: replaced, counted as updated; one
 * that comes again with less is present. A record without an id is never
 * merged with another of the same file. After an error: roll back.
 */
ait_code ait_store_put(ait_store *s, const ait_trace *t,
                       const ait_verdict *v, ait_error *err);
/*
 * The same in two halves. The first one looks at nothing but this trace, so
 * any thread may do it, for several at once and before the transaction began;
 * `kept` has room for ait_store_aside() bytes, aligned for anything. The trace
 * must stay as it is until the second one.
 */
size_t ait_store_aside(void);
void ait_store_prepare(const ait_trace *t, const ait_verdict *v, void *kept);
ait_code ait_store_put_prepared(ait_store *s, const ait_trace *t,
                                const void *kept, ait_error *err);
/*
 * File-wide issues with their first places, then commit; both may be NULL,
 * and so may `counts`. Nothing at all is written where the file brought
 * nothing new and was imported before. After an error all is rolled back.
 */
ait_code ait_store_commit(ait_store *s, const ait_issue_set *issues,
                          const struct ait_places *places,
                          ait_put_counts *counts, ait_error *err);
void ait_store_rollback(ait_store *s);

/* ---- reading ------------------------------------------------------- */
typedef struct ait_selection {
    const char *request_id; /* any of a request's ids, masked as stored */
    const char *model, *provider, *channel, *group, *route, *region;
    const char *outcome, *finding; /* names; unknown ones: AIT_EUSAGE */
    const char *source;     /* file name */
    int64_t since, until;   /* ns; absent: open. since <= time < until */
    const char *where;      /* SQL expression over the request view */
    const char *sort;       /* column of the request view, "-" in front for
                               descending, absent ones last; "row" is the
                               fastest; NULL: time, then row */
    int64_t limit;          /* 0: none */
} ait_selection;
void ait_selection_init(ait_selection *sel);

enum { /* what ait_store_each fills beside the request itself */
    AIT_NEED_IDS = 1,
    AIT_NEED_ATTEMPTS = 2,
    AIT_NEED_TIMELINES = 4, /* with the attempts */
    AIT_NEED_MEASURES = 8,
    AIT_NEED_ISSUES = 16,
    AIT_NEED_ALL = 31,
    /* Of the request itself only row, time, origin, vantage, outcome and
     * the yes/no fields, and what further bits ask for. */
    AIT_NEED_LEAN = 32,
    AIT_NEED_TIMING = 64, /* phases, points, longest gap */
    AIT_NEED_NUMBERS = 128,
    AIT_NEED_STATS = 256,
    AIT_NEED_SUMMARY = 512 /* ait_store_each_judged sets it */
};
#define AIT_NEED_TEXT(field) (1u << (10 + (field)))
#define AIT_NEED_TEXTS (((1u << AIT_X_COUNT) - 1) << 10)

/*
 * Gives each selected trace; it is reused after the call. Fields not asked
 * for are absent. A `where` that is no expression, or that does more than
 * read the request view, is AIT_EUSAGE with the reason of SQLite.
 */
ait_code ait_store_each(ait_store *s, const ait_selection *sel,
                        unsigned need, ait_trace_fn *fn, void *ctx,
                        ait_error *err);
/*
 * The same with what the analysis said when the request was stored, by the
 * limits used then: rates, visible_is, primary, of each finding its rule and
 * `by`, and, where numbers are asked for, window_end and visible_tokens.
 * Nothing else of `v` is set.
 */
typedef int ait_judged_fn(void *ctx, ait_trace *t, const ait_verdict *v);
ait_code ait_store_each_judged(ait_store *s, const ait_selection *sel,
                               unsigned need, ait_judged_fn *fn, void *ctx,
                               ait_error *err);
/* How many would be given. */
ait_code ait_store_count(ait_store *s, const ait_selection *sel,
                         int64_t *n, ait_error *err);
/* The shown id of a row; "" where it has none. AIT_ENOTFOUND: no such row.
 * `out` has AIT_TEXT_MAX + 1 bytes. */
ait_code ait_store_request_id(ait_store *s, int64_t row, char *out,
                              ait_error *err);

/* The public views as SQL text with comments, for `aitrace schema`. */
const char *ait_store_schema(void);
int ait_store_version(void); /* of the schema */

#endif
