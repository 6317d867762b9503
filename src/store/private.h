#ifndef AIT_STORE_PRIVATE_H
#define AIT_STORE_PRIVATE_H
/*
 * Inside the store: the connection, the image of a raw_request row, and what
 * the files of this folder offer each other.
 */
#include <pthread.h>
#include <sqlite3.h>
#include "base/strmap.h"
#include "base/text.h"
#include "store/store.h"

/* ---- the row of a request ------------------------------------------ */
/* Rows of a request in other tables are numbered request << SHIFT | place. */
#define AIT_PART_SHIFT 20
#define AIT_PART_MAX ((INT64_C(1) << AIT_PART_SHIFT) - 1)
#define AIT_ROW_MAX (INT64_MAX >> AIT_PART_SHIFT)

enum { /* bits of AIT_F_MORE */
    AIT_MORE_ATTEMPTS = 1,
    AIT_MORE_MEASURES = 2,
    AIT_MORE_ISSUES = 4,
    AIT_MORE_IDS = 8,
    AIT_MORE_GAPS = 16
};

typedef enum ait_fact { /* small numbers, together in raw_request.facts */
    AIT_F_MORE,
    AIT_F_ORIGIN,
    AIT_F_VANTAGE,
    AIT_F_OUTCOME,
    AIT_F_STREAM,
    AIT_F_ASKED_STREAM,
    AIT_F_TOKENS_SOURCE,
    AIT_F_ESTIMATED,
    AIT_F_WINDOW_END,
    AIT_F_VISIBLE_IS,
    AIT_F_PRIMARY,
    AIT_F_ATTEMPTS,
    AIT_F_COUNT
} ait_fact;

/* raw_request.findings: rules by their limit, and << by their share. */
#define AIT_SHARE_SHIFT 24

/* One row, its integer columns among what it holds; absent is NULL. */
typedef struct ait_row {
    int64_t facts;  /* packed, see ait_row_pack */
    int64_t common; /* row of raw_common */
    int64_t findings, visible_tokens;
    int64_t timing[AIT_T_COUNT];
    int64_t rate[AIT_RATE_COUNT];
    int64_t num[AIT_N_COUNT];  /* those with a column of their own … */
    int64_t stat[AIT_S_COUNT]; /* … of these, too */
    int64_t fact[AIT_F_COUNT]; /* unpacked; no columns */
} ait_row;

typedef struct ait_column {
    const char *name;
    size_t at;     /* offset in ait_row */
    unsigned need; /* AIT_NEED_ bits that ask for it; 0: always */
} ait_column;
/* In the order of the table, the row aside. */
enum { AIT_COLUMNS = 32, AIT_COLUMN_COMMON = 1 };
extern const ait_column ait_row_columns[AIT_COLUMNS];

static inline int64_t *ait_row_at(ait_row *r, const ait_column *c)
{
    return (int64_t *)(void *)((char *)r + c->at);
}

static inline int64_t ait_row_get(const ait_row *r, const ait_column *c)
{
    return *(const int64_t *)(const void *)((const char *)r + c->at);
}

/* Word lists that no header of the model has. */
extern const char *const ait_window_name[3];

/* Everything absent. */
void ait_row_clear(ait_row *r);
/* Trace and verdict (may be NULL) into the image, except what is packed or in
 * raw_common; all of it is set. */
void ait_row_fill(ait_row *r, const ait_trace *t, const ait_verdict *v);
/* fact[] to facts, and back. */
void ait_row_pack(ait_row *r);
void ait_row_unpack(ait_row *r);
/* The unpacked image into the trace; raw_common is set apart. */
void ait_row_apply(const ait_row *r, ait_trace *t);
/* SQL for a fact of the row `r` that is never absent. */
bool ait_fact_sql(ait_buf *out, ait_fact f);
/* Rates, masks and primary; nothing else of the verdict is set. */
void ait_row_summary(const ait_row *r, ait_verdict *v);
/* The points that the timing fields of a row say. */
void ait_row_points(const ait_row *r, ait_point out[AIT_P_COUNT]);
/* The single attempt that the request itself says. */
void ait_row_attempt(const ait_trace *t, ait_attempt *out);

/* ---- a request before its turn ------------------------------------- */
enum {
    AIT_SIDE = 3, /* request_id, stats, points: behind the integers */
    AIT_STATS_MAX = 10 * (1 + AIT_S_COUNT), /* bytes, packed */
    AIT_POINTS_MAX = 12 * AIT_P_COUNT,
    AIT_SIDE_MAX = AIT_TEXT_MAX + AIT_STATS_MAX + AIT_POINTS_MAX,
    AIT_COMMON_NUMS = 6
};

/* What a request may have in common with others, in bytes that are equal
 * where it is: numbers, which texts there are, and each with its end. Zeros
 * fill the last word. */
typedef struct ait_common_key {
    uint64_t hash;
    size_t len; /* of what follows */
    int64_t num[AIT_COMMON_NUMS];
    int64_t seen;
    uint64_t texts;
    char text[AIT_X_COUNT * (AIT_TEXT_MAX + 1) + sizeof(uint64_t)];
} ait_common_key;

/* All that one request says by itself: made by any thread (ready.c). */
typedef struct ait_ready {
    int64_t value[AIT_COLUMNS]; /* but for that of raw_common */
    uint64_t has;               /* columns with a value, AIT_SIDE ones, too */
    int64_t more;               /* AIT_MORE_ bits */
    int64_t key;                /* of raw_key; its identity without an id */
    bool has_id;
    uint16_t side_len[AIT_SIDE];
    char side[AIT_SIDE_MAX + 1]; /* one behind the other */
    ait_common_key common;
} ait_ready;

/* ---- packed columns ------------------------------------------------ */
/* Counters without a column; nothing is appended where all are absent. */
bool ait_pack_stats(ait_buf *out, const int64_t stat[AIT_S_COUNT]);
bool ait_unpack_stats(const uint8_t *p, size_t n, int64_t stat[AIT_S_COUNT]);
/* Points that differ from `usual`; nothing where none does. */
bool ait_pack_points(ait_buf *out, const ait_point point[AIT_P_COUNT],
                     const ait_point usual[AIT_P_COUNT]);
bool ait_unpack_points(const uint8_t *p, size_t n,
                       ait_point point[AIT_P_COUNT]);

/* ---- statements ---------------------------------------------------- */
typedef enum ait_stmt_id {
    AIT_ST_BEGIN,
    AIT_ST_COMMIT,
    AIT_ST_ROLLBACK,
    AIT_ST_TEXT_FIND,
    AIT_ST_TEXT_ADD,
    AIT_ST_TEXT_GET,
    AIT_ST_KIND_FIND,
    AIT_ST_KIND_ADD,
    AIT_ST_KIND_GET,
    AIT_ST_COMMON_ADD,
    AIT_ST_COMMON_GET,
    AIT_ST_REQUEST_LAST,
    AIT_ST_REQUEST_ADD, /* from the batch; made from ait_row_columns */
    AIT_ST_REQUEST_FACTS,
    AIT_ST_REQUEST_ID,
    AIT_ST_REQUEST_DELETE,
    AIT_ST_OPEN_ANY,
    AIT_ST_OPEN_FIND,
    AIT_ST_KEY_ANY,
    AIT_ST_KEY_ADD,
    AIT_ST_KEYS_ADD, /* from the batch */
    AIT_ST_KEY_GET,
    AIT_ST_KEY_RANGE,
    AIT_ST_KEY_DELETE,
    AIT_ST_SEEN,
    AIT_ST_SEEN_CLEAR,
    AIT_ST_RUNS_ADD,
    AIT_ST_RUNS_GET,
    AIT_ST_RUNS_CLEAR,
    AIT_ST_ATTEMPT_ADD,
    AIT_ST_ATTEMPT_GET,
    AIT_ST_ATTEMPT_DELETE,
    AIT_ST_MEASURE_ADD,
    AIT_ST_MEASURE_GET,
    AIT_ST_MEASURE_DELETE,
    AIT_ST_ISSUE_ADD,
    AIT_ST_ISSUE_GET,
    AIT_ST_ISSUE_DELETE,
    AIT_ST_ID_ADD,
    AIT_ST_ID_GET,
    AIT_ST_ID_DELETE,
    AIT_ST_GAP_ADD,
    AIT_ST_GAP_DELETE,
    AIT_ST_IMPORT_FIND,
    AIT_ST_IMPORT_ADD,
    AIT_ST_IMPORT_ISSUE_ADD,
    AIT_ST_COUNT
} ait_stmt_id;

/* ---- the store ----------------------------------------------------- */
/* What a request adds to the count of events: a hostile log may claim any
 * number. */
static inline int64_t ait_events(int64_t stat)
{
    return stat > 0 && stat <= UINT32_MAX ? stat : 0;
}

typedef struct ait_key { /* of raw_key, not yet written */
    int64_t key;
    int64_t row; /* << 1, and 1 where it has an id */
} ait_key;

/* Keys until all are known (runs.c). */
typedef struct ait_runs ait_runs;

/* Rows of raw_request that are not written yet (batch.c). */
typedef struct ait_batch ait_batch;

/* Texts met last, found without a proper hash. */
enum { AIT_RECENT = 256 };
typedef struct ait_recent {
    const char *text; /* in the dictionary's arena */
    int64_t id;
} ait_recent;

/* Row of raw_common. */
typedef struct ait_common {
    int64_t text[AIT_X_COUNT]; /* dictionary numbers; no request_id */
    int64_t num[AIT_COMMON_NUMS];
    int64_t seen;
} ait_common;
#define AIT_NEED_COMMON \
    (AIT_NEED_TEXTS | AIT_NEED_NUMBERS | AIT_NEED_STATS)

/* Rows of raw_common written last, found without the dictionary. */
enum { AIT_COMMON_RECENT = 8192 };
typedef struct ait_common_row {
    uint64_t hash;
    int64_t row; /* 0: none */
    size_t len;
    char *bytes; /* of the key */
} ait_common_row;

typedef struct ait_dict { /* raw_text and raw_measure_kind in memory */
    ait_recent recent[AIT_RECENT];
    ait_strmap ids;     /* text -> number */
    ait_strmap kinds;   /* packed kind -> number */
    const char **text;  /* number -> text, while small */
    ait_measure **kind; /* number -> kind, while small */
    ait_common **common;        /* row -> what it says, while small */
    size_t texts, kinds_cap, commons_cap;
    ait_strmap commons;         /* what it says -> row */
    ait_common_row *written;    /* AIT_COMMON_RECENT; NULL: none yet */
    ait_arena arena;
} ait_dict;

struct ait_store {
    sqlite3 *db;
    char *path;
    ait_store_mode mode;
    sqlite3_stmt *stmt[AIT_ST_COUNT];
    ait_dict dict;
    ait_buf pack;          /* for keys made of several parts */
    /* the file being written */
    bool writing, had_keys, had_open;
    int64_t file, format;  /* dictionary numbers */
    int64_t first_row, next_row;
    ait_put_counts counts;
    ait_batch *batch;
    ait_runs *runs;
    int threads;           /* that may be used */
    pthread_t early;       /* writes to the disk … */
    bool early_on;         /* … where it runs */
    bool feeding;          /* ait_feed is taken */
    ait_verdict summary;   /* for ait_store_each_judged */
};

/* Sets an error from SQLite's code: busy, full, damaged … Names the file.
 * `what` was tried, "" where that is plain. Returns the code. */
ait_code ait_db_fail(ait_store *s, int rc, const char *what, ait_error *err);
ait_code ait_db_nomem(ait_error *err);
/* What was read cannot have been written by aitrace. */
ait_code ait_db_damaged(ait_store *s, ait_error *err);
/* A statement, prepared once, reset and without bindings. */
ait_code ait_db_stmt(ait_store *s, ait_stmt_id id, sqlite3_stmt **out,
                     ait_error *err);
/* Runs a statement that gives no rows; resets it. */
ait_code ait_db_run(ait_store *s, sqlite3_stmt *st, ait_error *err);
/* Steps to the next row: *row says whether there is one; resets at the
 * end. */
ait_code ait_db_step(ait_store *s, sqlite3_stmt *st, bool *row,
                     ait_error *err);
/* Absent is NULL. */
static inline void ait_bind_int(sqlite3_stmt *st, int i, int64_t v)
{
    if (ait_has(v))
        sqlite3_bind_int64(st, i, v);
}
void ait_bind_text(sqlite3_stmt *st, int i, const char *text);
static inline int64_t ait_value_int(sqlite3_value *v)
{
    int64_t got = sqlite3_value_int64(v); /* NULL gives 0 */

    return got || sqlite3_value_type(v) != SQLITE_NULL ? got : AIT_ABSENT;
}
static inline int64_t ait_column_int(sqlite3_stmt *st, int i)
{
    return ait_value_int(sqlite3_column_value(st, i));
}
/* Text by the rules of kept text: the file may have been edited, and its
 * texts end up on terminals. NULL: absent or out of memory. */
const char *ait_value_kept(sqlite3_value *v, ait_arena *arena);
const char *ait_column_kept(sqlite3_stmt *st, int i, ait_arena *arena);
void ait_db_finalize(ait_store *s);

/* Opens an unchecked connection with the settings every one has. Returns
 * SQLite's code. */
int ait_db_connect(ait_store *s, int flags);

/* ---- dictionary ---------------------------------------------------- */
void ait_dict_init(ait_dict *d);
void ait_dict_free(ait_dict *d);
/* Numbers given in a transaction that was rolled back must be forgotten. */
void ait_dict_forget(ait_dict *d);
/* Number of a text, added where it is new; absent for NULL. */
ait_code ait_dict_put(ait_store *s, const char *text, int64_t *id,
                      ait_error *err);
/* Number of a text; absent where the dictionary does not have it. */
ait_code ait_dict_find(ait_store *s, const char *text, int64_t *id,
                       ait_error *err);
/* Text of a number: the same pointer every time while the dictionary is
 * small, else a copy in `arena`. NULL for an absent number. */
ait_code ait_dict_get(ait_store *s, int64_t id, ait_arena *arena,
                      const char **text, ait_error *err);
/* The same for the kinds of measures (value and next are not part of it). */
ait_code ait_kind_put(ait_store *s, const ait_measure *m, int64_t *id,
                      ait_error *err);
ait_code ait_kind_get(ait_store *s, int64_t id, ait_arena *arena,
                      ait_measure *m, ait_error *err);

/* Room for entry `id` in a table of pointers of the dictionary; false: not a
 * number that is cached, or out of memory (then the database answers). */
bool ait_dict_room(void **table, size_t *cap, int64_t id);
/* The row of a number, by one of the GET statements: it must be there. */
ait_code ait_dict_row(ait_store *s, ait_stmt_id get, int64_t id,
                      sqlite3_stmt **st, ait_error *err);

/* ---- what requests have in common ---------------------------------- */
/* What ait_common_put looks for. */
void ait_common_make_key(const ait_trace *t, ait_common_key *k);
/* Row of what the trace has in common with others, added where it is new. */
ait_code ait_common_put(ait_store *s, const ait_trace *t,
                        const ait_common_key *k, int64_t *row,
                        ait_error *err);
/* Forgets what was written last. */
void ait_common_forget(ait_dict *d);
/* Its texts, those that `need` asks for, and numbers into the trace. */
ait_code ait_common_get(ait_store *s, int64_t row, unsigned need,
                        ait_trace *t, ait_error *err);

/* ---- keys ---------------------------------------------------------- */
/* What one record says of its key: r->key, r->has_id. */
void ait_key_make(const ait_trace *t, ait_ready *r);
/* Key of a record; *found is its row where an earlier file brought it. */
ait_code ait_key_find(ait_store *s, const ait_trace *t, const ait_ready *r,
                      int64_t *key, int64_t *found, ait_error *err);
/* Row of a record that its source has this name for, absent where there is
 * none (any more); *source becomes what finds the next one. */
ait_code ait_key_source(ait_store *s, uint64_t *source, int64_t *row,
                        ait_error *err);
/* Notes the keys of a new row: its own, one for each other id, and the
 * source's. */
ait_code ait_key_note(ait_store *s, const ait_trace *t, const ait_ready *r,
                      int64_t key, int64_t row, ait_error *err);
/* Writes what is noted; records that the same file brought twice go. */
ait_code ait_key_flush(ait_store *s, ait_error *err);
/* Takes the keys of a stored row away. */
ait_code ait_key_drop(ait_store *s, const ait_trace *t, int64_t row,
                      ait_error *err);
/* Bounds of the keys an id may have. */
void ait_key_bounds(const char *id, int64_t *low, int64_t *high);

/* ---- keys in order ------------------------------------------------- */
enum { AIT_RUN_KEYS = 131072 };
/* Runs of so many keys, a multiple of 1,024 and AIT_RUN_KEYS at most. NULL:
 * out of memory. */
ait_runs *ait_runs_new(size_t run_keys);
void ait_runs_free(ait_runs *r);
/* Forgets all keys; clear() empties the temporary table, too, which a
 * rollback has done already. */
void ait_runs_forget(ait_runs *r);
ait_code ait_runs_clear(ait_store *s, ait_error *err);
/* Some are laid aside. */
bool ait_runs_many(const ait_store *s);
/* No other key has room: sort, take and clear what is there. */
bool ait_runs_full(const ait_store *s);
ait_code ait_runs_add(ait_store *s, ait_key key, ait_error *err);
/* After the last key; then next() gives all, by key and then by row. *n is
 * less than `most` at the end. */
ait_code ait_runs_sort(ait_store *s, ait_error *err);
ait_code ait_runs_next(ait_store *s, ait_key *out, size_t most, size_t *n,
                       ait_error *err);

/* ---- the disk ------------------------------------------------------ */
/* Between these another thread may write to the disk what the file has. */
void ait_early_begin(ait_store *s);
void ait_early_end(ait_store *s);

/* ---- batches ------------------------------------------------------- */
ait_batch *ait_batch_new(void); /* NULL: out of memory */
void ait_batch_free(ait_batch *b);
void ait_batch_clear(ait_batch *b);
/* Makes it readable as the table ait_batch. Returns SQLite's code. */
int ait_batch_register(ait_batch *b, sqlite3 *db);
/* The statement that writes its rows. */
bool ait_batch_sql(const ait_batch *b, ait_buf *sql);
/* Makes room for the next row. */
ait_code ait_batch_room(ait_store *s, ait_error *err);
/* Takes that row. */
ait_code ait_batch_add(ait_store *s, const ait_ready *r, int64_t number,
                       int64_t common, ait_error *err);
/* Tables that are written by the batch: number and two values. */
typedef enum ait_batch_table {
    AIT_BATCH_MEASURES,
    AIT_BATCH_ISSUES,
    AIT_BATCH_GAPS, /* b is not used */
    AIT_BATCH_TABLES
} ait_batch_table;
ait_code ait_batch_part(ait_store *s, ait_batch_table table, int64_t number,
                        int64_t a, int64_t b, ait_error *err);
/* Takes a row of raw_id. */
ait_code ait_batch_id(ait_store *s, int64_t number, const char *id,
                      ait_error *err);
/* Writes all that was taken. */
ait_code ait_batch_flush(ait_store *s, ait_error *err);
/* Writes keys, except those that are taken. *all: none was. */
ait_code ait_batch_keys(ait_store *s, const ait_key *keys, size_t n,
                        bool *all, ait_error *err);

/* ---- a request's rows ---------------------------------------------- */
/* Writes the trace as `row`. */
ait_code ait_write_request(ait_store *s, const ait_trace *t,
                           const ait_ready *r, int64_t row, ait_error *err);
ait_code ait_delete_request(ait_store *s, int64_t row, ait_error *err);
/* Reads one whole trace by row; *found false where there is none. */
ait_code ait_read_request(ait_store *s, int64_t row, ait_trace *t,
                          bool *found, ait_error *err);
/* What `need` asks for of the other tables; t->row, texts, numbers and
 * timing are filled. */
ait_code ait_read_parts(ait_store *s, ait_trace *t, const ait_row *r,
                        unsigned need, ait_error *err);

/* ---- a request that an earlier file brought in another state ------- */
/* *row: the stored form of the same request, absent where there is none;
 * *replace: this one holds more (its keys are gone then). */
ait_code ait_earlier_match(ait_store *s, const ait_trace *t, int64_t *row,
                        bool *replace, ait_error *err);

/* ---- reading ------------------------------------------------------- */
enum { AIT_QUERY_WIDTH = 100 }; /* most columns */
typedef struct ait_query {
    ait_buf sql;
    int col[AIT_QUERY_WIDTH]; /* places in ait_row_columns, as selected */
    int cols;                 /* of those; the row number stands before */
    int width;                /* all columns */
    int request_id, stats, points; /* where they stand; -1: nowhere */
    unsigned need;
    struct ait_query_bind {
        const char *text; /* NULL: number */
        int64_t number;
    } bind[24];
    int binds;
    char id[136];         /* request_id in its kept form */
} ait_query;
void ait_query_init(ait_query *q);
void ait_query_free(ait_query *q);
/*
 * Completes the need bits and adds the columns and " FROM raw_request r".
 * `fed`: the columns go to the function ait_feed instead, in the order of
 * the rows; a call for each row costs less than a result for each.
 */
bool ait_query_columns(ait_query *q, unsigned need, bool fed);
/* Adds WHERE and, with `order`, ORDER BY and LIMIT. */
ait_code ait_query_select(ait_store *s, ait_query *q,
                          const ait_selection *sel, bool order,
                          ait_error *err);
ait_code ait_query_prepare(ait_store *s, const ait_query *q,
                           sqlite3_stmt **out, ait_error *err);
/* Column values into a trace that is reset first. */
ait_code ait_query_read(ait_store *s, const ait_query *q, sqlite3_value **v,
                        ait_row *image, ait_trace *t, ait_error *err);
/* The same from the row a statement stands on. */
ait_code ait_query_row(ait_store *s, const ait_query *q, sqlite3_stmt *st,
                       ait_row *image, ait_trace *t, ait_error *err);

/* AIT_EUSAGE where `where` is no expression over the request view. */
ait_code ait_where_check(ait_store *s, const char *where, ait_error *err);

#endif
