/* Joining rows: a ring of the last ones. */
#include "input/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

enum { HELD = 256 };

typedef struct held {
    ait_trace trace;
    bool failed_attempt;
    int64_t attempt, end;
} held;

struct ait_join {
    ait_log_join rule;
    ait_trace_fn *fn;
    void *ctx;
    int next;
    uint64_t key[HELD]; /* hashes of the rows held; 0: free */
    held *row[HELD], *blank;
    held all[HELD + 1];
};

ait_join *ait_join_new(ait_log_join rule, ait_trace_fn *fn, void *ctx)
{
    ait_join *j = ait_alloc(sizeof *j);
    int i;

    if (!j)
        return NULL;
    j->rule = rule;
    j->fn = fn;
    j->ctx = ctx;
    for (i = 0; i <= HELD; i++)
        ait_trace_init(&j->all[i].trace);
    for (i = 0; i < HELD; i++)
        j->row[i] = &j->all[i];
    j->blank = &j->all[HELD];
    return j;
}

void ait_join_free(ait_join *j)
{
    int i;

    for (i = 0; j && i <= HELD; i++)
        ait_trace_free(&j->all[i].trace);
    free(j);
}

/* ---- attempts of a lost row ------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool copy_attempt(ait_trace *into, ait_attempt *to,
                         const ait_attempt *from)
{
    ait_arena *a = &into->arena;

    to->channel = ait_arena_strdup(a, from->channel);
    to->error_code = ait_arena_strdup(a, from->error_code);
    to->upstream = ait_arena_strdup(a, from->upstream);
    to->status = from->status;
    to->outcome = from->outcome;
    to->headers = from->headers;
    to->wait_before = from->wait_before;
    return (!from->channel || to->channel) &&
           (!from->error_code || to->error_code);
}

/* A row without attempts of its own is one. */
static ait_attempt as_attempt(const ait_trace *t)
{
    ait_attempt a = {
        .channel = t->text[AIT_X_CHANNEL],
        .error_code = t->text[AIT_X_ERROR_CODE],
        .status = t->num[AIT_N_STATUS],
        .outcome = (int)t->outcome,
        .start = AIT_ABSENT,
        .done = AIT_ABSENT,
        .wait_before = AIT_ABSENT,
        .headers = ait_span(t, AIT_P_T1, AIT_P_T2),
    };

    return a;
}

/* The request lists its channels already, and this failed attempt went to
 * one of them that nothing is known of yet. */
static ait_attempt *unfilled(ait_trace *into, const ait_attempt *lost)
{
    ait_attempt *a;

    for (a = into->attempts; a && a != into->serving; a = a->next)
        if (!ait_has(a->status) && !a->error_code &&
            same_text(a->channel, lost->channel))
            return a;
    return NULL;
}

static bool ensure_own(ait_trace *t)
{
    ait_attempt own = as_attempt(t), *a;

    if (t->attempts)
        return true;
    a = ait_trace_attempt(t);
    if (!a || !copy_attempt(t, a, &own))
        return false;
    t->serving = a;
    return true;
}

static void renumber(ait_trace *t)
{
    ait_attempt *a;
    int n = 0;

    for (a = t->attempts; a; a = a->next)
        a->number = ++n;
    t->num[AIT_N_RETRIES] = n - 1;
}

/* In front of the attempts of its own, behind others added before. */
static bool insert_attempt(ait_trace *into, const ait_attempt *lost,
                           ait_attempt **own)
{
    ait_attempt *a = ait_trace_attempt(into), **at = &into->attempts;

    if (!a || !copy_attempt(into, a, lost))
        return false;
    while (*at != a)
        at = &(*at)->next;
    *at = NULL; /* off the end */
    for (at = &into->attempts; *at != *own;)
        at = &(*at)->next;
    a->next = *at;
    *at = a;
    return true;
}

static bool add_attempts(ait_trace *into, const ait_trace *lost)
{
    ait_attempt only = as_attempt(lost), *own;
    const ait_attempt *a = lost->attempts ? lost->attempts : &only;

    if (!ensure_own(into))
        return false;
    for (own = into->attempts; a; a = a->next) {
        ait_attempt *known = unfilled(into, a);

        if (known ? !copy_attempt(into, known, a)
                  : !insert_attempt(into, a, &own))
            return false;
    }
    renumber(into);
    return true;
}

/* ---- the rest of a lost row ------------------------------------------ */

static const ait_measure *measure_named(const ait_trace *t, const char *name)
{
    const ait_measure *m = t->measures;

    while (m && strcmp(m->name, name) != 0)
        m = m->next;
    return m;
}

static int64_t sum(int64_t a, int64_t b)
{
    return ait_has(a) && ait_has(b) ? ait_plus(a, b) : ait_has(a) ? a : b;
}

/* The time of a lost row, and of those it had lost itself, kept apart from
 * the answer's. */
static bool add_lost_time(ait_trace *into, const ait_trace *lost)
{
    const ait_measure *total = measure_named(lost, "total");
    const ait_measure *before = measure_named(lost, "lost_attempts");
    int64_t time = sum(total ? total->value : AIT_ABSENT,
                       before ? before->value : AIT_ABSENT);
    ait_measure *m =
        (ait_measure *)(uintptr_t)measure_named(into, "lost_attempts");

    if (!total || time == 0)
        return true;
    if (m) {
        m->value = ait_plus(m->value, time);
        return true;
    }
    m = ait_trace_measure(into);
    if (!m)
        return false;
    *m = *total;
    m->next = NULL;
    m->name = "lost_attempts";
    m->value = time;
    return true;
}

static bool absorb(ait_trace *into, const ait_trace *lost)
{
    const ait_id *id;
    int i;

    for (id = lost->ids; id; id = id->next)
        if (!ait_trace_id(into, id->value, strlen(id->value)))
            return false;
    for (i = 0; i < AIT_I_COUNT; i++)
        into->issues.count[i] += lost->issues.count[i];
    into->num[AIT_N_RETRY_WAIT] =
        sum(into->num[AIT_N_RETRY_WAIT], lost->num[AIT_N_RETRY_WAIT]);
    return add_attempts(into, lost) && add_lost_time(into, lost);
}

/* ---- rules ----------------------------------------------------------- */

/* Is `a` the lost row of `b`? */
typedef bool lost_fn(const held *a, const held *b);

static bool lost_failed_row(const held *a, const held *b)
{
    if (!b->failed_attempt || !a->failed_attempt)
        return a->failed_attempt;
    return a->trace.num[AIT_N_TIME] <= b->trace.num[AIT_N_TIME];
}

/* A failed one, and then another on the same route. */
static bool lost_retry(const held *a, const held *b)
{
    return a->failed_attempt && ait_has(a->end) &&
           b->trace.num[AIT_N_TIME] >= a->end &&
           (same_text(a->trace.text[AIT_X_ROUTE],
                      b->trace.text[AIT_X_ROUTE]) ||
            (!a->trace.text[AIT_X_ROUTE] && !b->trace.text[AIT_X_ROUTE]));
}

static bool lost_numbered(const held *a, const held *b)
{
    return ait_has(a->attempt) && ait_has(b->attempt) &&
           a->attempt < b->attempt;
}

static lost_fn *const lost_by[] = {
    [AIT_JOIN_NONE] = NULL,
    [AIT_JOIN_FAILED_ROWS] = lost_failed_row,
    [AIT_JOIN_RETRIES] = lost_retry,
    [AIT_JOIN_NUMBERED] = lost_numbered,
};

/* The wait between the end of the lost row and the start of the next. */
static void note_wait(held *into, const held *lost)
{
    int64_t wait = ait_minus(into->trace.num[AIT_N_TIME], lost->end);
    int64_t *waits = &into->trace.num[AIT_N_RETRY_WAIT];

    if (wait < 0)
        return;
    *waits = sum(*waits, wait);
    if (into->trace.serving)
        into->trace.serving->wait_before = wait;
}

static void swap_rows(held **a, held **b)
{
    held *keep = *a;

    *a = *b;
    *b = keep;
}

/* The held row and the new one, where they are one request: the held row
 * then is all of it. */
static ait_code try_pair(ait_join *j, held **old, bool *joined)
{
    lost_fn *lost = lost_by[j->rule];

    *joined = false;
    if (lost(*old, j->blank)) /* the new one is the later */
        swap_rows(old, &j->blank);
    else if (!lost(j->blank, *old))
        return AIT_OK;
    *joined = true;
    if (!absorb(&(*old)->trace, &j->blank->trace))
        return AIT_ENOMEM;
    if (j->rule == AIT_JOIN_RETRIES)
        note_wait(*old, j->blank);
    return AIT_OK;
}

/* ---- the ring -------------------------------------------------------- */

ait_trace *ait_join_blank(ait_join *j)
{
    ait_trace_reset(&j->blank->trace);
    return &j->blank->trace;
}

static ait_code release(ait_join *j, int i)
{
    uint64_t key = j->key[i];

    j->key[i] = 0;
    return key ? (ait_code)j->fn(j->ctx, &j->row[i]->trace) : AIT_OK;
}

/* The oldest row gives way to the new one. */
static ait_code place(ait_join *j, uint64_t key)
{
    int i = j->next;
    ait_code code = release(j, i);

    j->next = (i + 1) % HELD;
    j->key[i] = key;
    swap_rows(&j->row[i], &j->blank);
    return code;
}

ait_code ait_join_add(ait_join *j, const ait_log_row *row)
{
    bool joined = false;
    ait_code code = AIT_OK;
    uint64_t key;
    int i;

    if (!row->key.p)
        return (ait_code)j->fn(j->ctx, &j->blank->trace);
    key = ait_hash64(0, row->key.p, row->key.n) | 1;
    j->blank->failed_attempt = row->failed_attempt;
    j->blank->attempt = row->attempt;
    j->blank->end = row->end;
    for (i = 0; i < HELD && !joined && code == AIT_OK; i++)
        if (j->key[i] == key)
            code = try_pair(j, &j->row[i], &joined);
    return code == AIT_OK && !joined ? place(j, key) : code;
}

ait_code ait_join_finish(ait_join *j)
{
    ait_code code = AIT_OK;
    int i;

    for (i = 0; i < HELD && code == AIT_OK; i++)
        code = release(j, (j->next + i) % HELD);
    return code;
}
