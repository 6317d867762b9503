#ifndef AIT_TESTS_STORE_HELP_H
#define AIT_TESTS_STORE_HELP_H
/* What the store's tests share: scratch folders, traces made by hand or at
 * random, comparison of two traces field by field. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "store/store.h"

/* ---- files --------------------------------------------------------- */

static char scratch[64];

static inline const char *scratch_file(const char *name)
{
    static char path[4][160];
    static int turn;

    if (!scratch[0]) {
        snprintf(scratch, sizeof scratch, "/tmp/ait-store-XXXXXX");
        if (!mkdtemp(scratch))
            abort();
    }
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", scratch, name);
    return path[turn];
}

static inline int scratch_done(void)
{
    char command[96];

    if (scratch[0]) {
        snprintf(command, sizeof command, "rm -rf %s", scratch);
        if (system(command) != 0)
            return 1;
    }
    return t_done();
}

/* The whole file, to be freed; *n is -1 where it cannot be read. */
static inline char *slurp(const char *path, long *n)
{
    FILE *f = fopen(path, "rb");
    char *bytes;

    *n = -1;
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *n = ftell(f);
    rewind(f);
    bytes = malloc((size_t)*n + 1);
    if (!bytes || fread(bytes, 1, (size_t)*n, f) != (size_t)*n)
        abort();
    bytes[*n] = '\0';
    fclose(f);
    return bytes;
}

static inline int same_bytes(const char *path, const char *was, long len)
{
    long n;
    char *now = slurp(path, &n);
    int same = n == len && memcmp(now, was, (size_t)len) == 0;

    free(now);
    return same;
}

static inline void spill(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        abort();
}

/* ---- stores -------------------------------------------------------- */

static inline ait_store *must_open(const char *path, ait_store_mode mode)
{
    ait_store *s = NULL;
    ait_error err;

    ait_error_clear(&err);
    if (ait_store_open(path, mode, &s, NULL, &err) != AIT_OK) {
        fprintf(stderr, "# cannot open: %s: %s\n", err.message, err.reason);
        abort();
    }
    return s;
}

#define CHECK_OK(call) \
    check_ok((call), &err, __FILE__, __LINE__, #call)
static inline void check_ok(ait_code rc, const ait_error *err,
                            const char *file, int line, const char *what)
{
    if (rc == AIT_OK)
        return;
    printf("# %s:%d: %s: code %d, %s: %s\n", file, line, what, (int)rc,
           err->message, err->reason);
    t_bad++;
}

/* One file with these traces. */
static inline ait_put_counts put_all(ait_store *s, const char *file,
                                     ait_trace **traces, int n)
{
    ait_put_counts counts = {0};
    ait_error err;

    ait_error_clear(&err);
    CHECK_OK(ait_store_begin(s, file, "capture", &err));
    for (int i = 0; i < n; i++)
        CHECK_OK(ait_store_put(s, traces[i], NULL, &err));
    CHECK_OK(ait_store_commit(s, NULL, NULL, &counts, &err));
    return counts;
}

/* First column of one row as text; NULL where it is NULL or no row. */
static inline const char *ask_sql(const char *path, const char *sql)
{
    static char out[4][4096];
    static int turn;
    const char *text;
    sqlite3_stmt *st = NULL;
    sqlite3 *db = NULL;
    char *answer = NULL;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK) {
        printf("# %s: %s\n", sql, sqlite3_errmsg(db));
        t_bad++;
    } else if (sqlite3_step(st) == SQLITE_ROW) {
        text = (const char *)sqlite3_column_text(st, 0);
        if (text) {
            turn = (turn + 1) % 4;
            answer = out[turn];
            snprintf(answer, sizeof out[0], "%s", text);
        }
    }
    sqlite3_finalize(st);
    sqlite3_close(db);
    return answer;
}

/* ---- traces by hand ------------------------------------------------ */

static inline void set_text(ait_trace *t, ait_text_field f, const char *text)
{
    if (!ait_trace_text(t, f, text, strlen(text)))
        abort();
}

static inline void set_id(ait_trace *t, const char *id)
{
    set_text(t, AIT_X_REQUEST_ID, id);
    if (!ait_trace_id(t, id, strlen(id)))
        abort();
}

/* A plain finished request from a gateway: what most rows look like. */
static inline ait_trace *plain(const char *id, int64_t time)
{
    ait_trace *t = malloc(sizeof *t);

    if (!t)
        abort();
    ait_trace_init(t);
    if (id)
        set_id(t, id);
    set_text(t, AIT_X_MODEL, "m-chat");
    set_text(t, AIT_X_FORMAT, "capture");
    set_text(t, AIT_X_FILE, "a.jsonl");
    t->num[AIT_N_TIME] = time;
    t->num[AIT_N_STATUS] = 200;
    t->vantage = AIT_V_GATEWAY;
    t->origin = AIT_O_GATEWAY_RECEIPT;
    t->outcome = AIT_OUT_COMPLETE;
    t->point[AIT_P_ORIGIN].ns = t->point[AIT_P_T0].ns = 0;
    t->point[AIT_P_T1].ns = t->point[AIT_P_T1_FIRST].ns = 12 * AIT_MS;
    t->point[AIT_P_T2].ns = 230 * AIT_MS;
    t->point[AIT_P_T3].ns = 231 * AIT_MS;
    t->point[AIT_P_T4].ns = t->point[AIT_P_T5].ns = 1480 * AIT_MS;
    t->point[AIT_P_TF].ns = 1550 * AIT_MS;
    t->point[AIT_P_T6].ns = 1560 * AIT_MS;
    t->point[AIT_P_T7].ns = 1566 * AIT_MS;
    return t;
}

static inline void drop(ait_trace *t)
{
    ait_trace_free(t);
    free(t);
}

/* ---- traces at random ---------------------------------------------- */

static uint64_t dice_state = 88172645463325252u;

static inline uint64_t dice(uint64_t n)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return n ? dice_state % n : dice_state;
}

/* Absent, small, large, negative, at the ends of the range. */
static inline int64_t dice_number(void)
{
    switch (dice(8)) {
    case 0: case 1: return AIT_ABSENT;
    case 2: return 0;
    case 3: return (int64_t)dice(100);
    case 4: return -(int64_t)dice(1000000);
    case 5: return INT64_MAX - (int64_t)dice(3);
    case 6: return INT64_MIN + 1 + (int64_t)dice(3);
    default: return (int64_t)dice(UINT64_C(1) << 40);
    }
}

static inline void dice_word(char *out)
{
    static const char *const words[] = {
        "", "m-chat", "/v1/chat/completions", "gr\xC3\xBC\xC3\x9F", "a b",
        "it's \"quoted\"", "%s", "NULL", "0", "-1",
    };
    size_t n = sizeof words / sizeof *words;

    if (dice(2))
        snprintf(out, 64, "%s", words[dice(n)]);
    else
        snprintf(out, 64, "w-%llx", (unsigned long long)dice(0));
}

static inline const char *dice_kept(ait_trace *t)
{
    char word[64];

    dice_word(word);
    return ait_trace_keep(t, word, strlen(word));
}

static inline void dice_timeline(ait_trace *t, ait_attempt *a)
{
    static const size_t sizes[] = {0, 1, 40, 300, 9000};
    size_t n = sizes[dice(5)];
    uint8_t *bytes = ait_arena_alloc(&t->arena, n ? n : 1);

    if (!bytes)
        abort();
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)(dice(4) ? i % 7 : dice(256));
    a->timeline = bytes;
    a->timeline_len = n;
    a->timeline_base = dice_number();
}

static inline void dice_attempt(ait_trace *t, int number)
{
    ait_attempt *a = ait_trace_attempt(t);

    if (!a)
        abort();
    a->number = number;
    a->upstream = dice_kept(t);
    a->channel = dice_kept(t);
    a->error_code = dice_kept(t);
    a->status = dice_number();
    a->outcome = (int)dice(AIT_OUT_COUNT + 1) - 1;
    a->start = dice_number();
    a->done = dice_number();
    a->headers = dice_number();
    a->retry_after = dice_number();
    a->wait_before = dice_number();
    if (dice(2))
        dice_timeline(t, a);
    if (dice(3) == 0)
        t->serving = a;
}

static inline void dice_measure(ait_trace *t)
{
    ait_measure *m = ait_trace_measure(t);

    if (!m)
        abort();
    m->name = dice(2) ? "first_chunk" : "total";
    m->source_field = dice_kept(t);
    m->value = dice_number();
    m->resolution = dice_number();
    m->origin = (ait_origin)dice(AIT_O_COUNT);
    m->boundary = (ait_boundary)dice(AIT_B_COUNT);
    m->quality = (ait_quality)dice(AIT_Q_COUNT);
}

static inline void dice_ids(ait_trace *t)
{
    char word[64];

    for (uint64_t n = dice(4); n > 0; n--) {
        dice_word(word);
        if (!ait_trace_id(t, word, strlen(word)))
            abort();
    }
    if (t->ids && dice(2))
        t->text[AIT_X_REQUEST_ID] = t->ids->value;
}

static inline void dice_trace(ait_trace *t)
{
    static const uint8_t axes[] = {0, 0, 0, 0, 1, 2, AIT_AXIS_UPSTREAM};

    ait_trace_reset(t);
    for (int i = 0; i < AIT_X_COUNT; i++)
        t->text[i] = dice_kept(t);
    for (int i = 0; i < AIT_N_COUNT; i++)
        t->num[i] = dice_number();
    for (int i = 0; i < AIT_P_COUNT; i++)
        t->point[i] = (ait_point){dice_number(), axes[dice(7)]};
    for (int i = 0; i < 3; i++)
        t->phase[i] = dice_number();
    for (int i = 0; i < AIT_S_COUNT; i++)
        t->stat[i] = dice_number();
    t->vantage = (ait_vantage)dice(AIT_V_COUNT);
    t->origin = (ait_origin)dice(AIT_O_COUNT);
    t->outcome = (ait_outcome)dice(AIT_OUT_COUNT);
    t->stream = (int)dice(3) - 1;
    t->asked_stream = (int)dice(3) - 1;
    t->tokens_source = (int)dice(3) - 1;
    t->tokens_estimated = dice(2);
    dice_ids(t);
    for (uint64_t i = 0, n = dice(4); i < n; i++)
        dice_attempt(t, (int)i + 1);
    for (uint64_t n = dice(4); n > 0; n--)
        dice_measure(t);
    for (uint64_t n = dice(4); n > 0; n--)
        t->issues.count[dice(AIT_I_COUNT)] = (uint32_t)dice(UINT32_MAX);
}

/* ---- comparison ---------------------------------------------------- */

static inline int same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static inline int same_attempt(const ait_attempt *a, const ait_attempt *b)
{
    return a->number == b->number && same_text(a->upstream, b->upstream) &&
           same_text(a->channel, b->channel) &&
           same_text(a->error_code, b->error_code) &&
           a->status == b->status && a->outcome == b->outcome &&
           a->start == b->start && a->done == b->done &&
           a->headers == b->headers && a->retry_after == b->retry_after &&
           a->wait_before == b->wait_before &&
           a->timeline_base == b->timeline_base &&
           !a->timeline == !b->timeline &&
           a->timeline_len == b->timeline_len &&
           (!a->timeline ||
            memcmp(a->timeline, b->timeline, a->timeline_len) == 0);
}

static inline int same_measure(const ait_measure *a, const ait_measure *b)
{
    return same_text(a->name, b->name) &&
           same_text(a->source_field, b->source_field) &&
           a->value == b->value && a->resolution == b->resolution &&
           a->origin == b->origin && a->boundary == b->boundary &&
           a->quality == b->quality;
}

static inline const char *differs_in_lists(const ait_trace *a,
                                           const ait_trace *b)
{
    const ait_attempt *x = a->attempts, *y = b->attempts;
    const ait_measure *m = a->measures, *n = b->measures;
    const ait_id *i = a->ids, *k = b->ids;

    for (; x && y; x = x->next, y = y->next)
        if (!same_attempt(x, y) || (x == a->serving) != (y == b->serving))
            return "an attempt";
    for (; m && n; m = m->next, n = n->next)
        if (!same_measure(m, n))
            return "a measure";
    for (; i && k; i = i->next, k = k->next)
        if (!same_text(i->value, k->value))
            return "an id";
    if (x || y || m || n || i || k)
        return "a list's length";
    return !a->serving == !b->serving ? NULL : "serving";
}

/* NULL where both are equal in every field; `row` is left out. */
static inline const char *differs(const ait_trace *a, const ait_trace *b)
{
    for (int i = 0; i < AIT_X_COUNT; i++)
        if (!same_text(a->text[i], b->text[i]))
            return ait_text_name[i];
    for (int i = 0; i < AIT_N_COUNT; i++)
        if (a->num[i] != b->num[i])
            return ait_num_name[i];
    for (int i = 0; i < AIT_P_COUNT; i++)
        if (a->point[i].ns != b->point[i].ns ||
            a->point[i].axis != b->point[i].axis)
            return "a point";
    for (int i = 0; i < AIT_S_COUNT; i++)
        if (a->stat[i] != b->stat[i])
            return ait_stat_name[i];
    if (memcmp(a->phase, b->phase, sizeof a->phase) != 0)
        return "a phase";
    if (memcmp(&a->issues, &b->issues, sizeof a->issues) != 0)
        return "an issue";
    if (a->vantage != b->vantage || a->origin != b->origin ||
        a->outcome != b->outcome || a->stream != b->stream ||
        a->asked_stream != b->asked_stream ||
        a->tokens_source != b->tokens_source ||
        a->tokens_estimated != b->tokens_estimated)
        return "a word";
    return differs_in_lists(a, b);
}

#endif
