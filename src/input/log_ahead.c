#include "input/log_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "input/log_plain.h"
#include "input/logtrace.h"

/* A batch is given on when it has so many lines or bytes; the last line may
 * have as many bytes once more. */
enum {
    LINES = 64,
    BYTES = 64 << 10,
    ROOM = 2 * BYTES + LINES * AIT_MEMBERS_PAD,
    PLACES_EACH = 4
};

/* What a thread made of the lines of a batch. It takes the same memory again
 * as soon as that can be had, since it has it in its cache. */
typedef struct made {
    ait_trace trace[LINES];
    bool plain[LINES]; /* else the trace is of no use */
    ait_log_row row[LINES];
    char *aside;       /* of the sink, for each trace */
    int worker;
    struct made *next;
} made;

/* Lines that are handed over at once: to wake a thread costs as much as to
 * read a line. */
typedef struct batch {
    char *bytes; /* ROOM; the lines with zero bytes behind each */
    size_t len;
    ait_line line[LINES];
    int n;
    made *made; /* NULL: there was no memory for it */
} batch;

typedef struct worker {
    ait_log_plain reader;
    made *free; /* the one that was given back last comes first */
} worker;

struct ait_log_ahead {
    ait_log_ahead_setup to;
    ait_crew *crew;
    int threads, places;
    worker worker[AIT_CREW_MAX];
    pthread_mutex_t lock; /* of their lists */
    bool locks;           /* there is one */
    batch *batch;         /* by place */
    batch *open;          /* being filled; NULL: none */
};

/* ---- memory for traces ------------------------------------------------- */

static void free_made(made *m)
{
    for (int i = 0; m && i < LINES; i++)
        ait_trace_free(&m->trace[i]);
    if (m)
        free(m->aside);
    free(m);
}

static made *new_made(size_t aside, int worker)
{
    made *m = ait_alloc(sizeof *m);

    if (!m)
        return NULL;
    for (int i = 0; i < LINES; i++)
        ait_trace_init(&m->trace[i]);
    m->worker = worker;
    m->aside = ait_alloc(LINES * aside);
    if (m->aside)
        return m;
    free_made(m);
    return NULL;
}

static made *get_made(ait_log_ahead *a, int worker)
{
    made *m;

    pthread_mutex_lock(&a->lock);
    m = a->worker[worker].free;
    if (m)
        a->worker[worker].free = m->next;
    pthread_mutex_unlock(&a->lock);
    return m ? m : new_made(a->to.reading->sink->aside, worker);
}

static void give_back(ait_log_ahead *a, made *m)
{
    if (!m)
        return;
    pthread_mutex_lock(&a->lock);
    m->next = a->worker[m->worker].free;
    a->worker[m->worker].free = m;
    pthread_mutex_unlock(&a->lock);
}

/* ---- by any thread ----------------------------------------------------- */

static void make(const ait_log_ahead *a, ait_log_plain *reader,
                 const batch *b, made *m)
{
    const ait_sink *sink = a->to.reading->sink;

    for (int i = 0; i < b->n; i++) {
        ait_trace *t = &m->trace[i];

        m->plain[i] = ait_log_plain_read(reader, &b->line[i], t, &m->row[i]);
        if (!m->plain[i])
            continue;
        ait_log_place(t, a->to.reading->report, b->line[i].number);
        if (a->to.prepare)
            ait_sink_prepare(sink, t, m->aside + (size_t)i * sink->aside);
    }
}

static void work(void *ctx, int worker, int place)
{
    ait_log_ahead *a = ctx;
    batch *b = &a->batch[place];

    b->made = get_made(a, worker);
    if (b->made)
        make(a, &a->worker[worker].reader, b, b->made);
}

/* ---- in order ---------------------------------------------------------- */

static ait_trace *plain_trace(const batch *b, int i)
{
    return b->made && b->made->plain[i] ? &b->made->trace[i] : NULL;
}

static void tell_soon(const ait_sink *sink, const batch *b)
{
    for (int i = 0; i < b->n; i++)
        if (plain_trace(b, i))
            sink->soon(sink->ctx, plain_trace(b, i));
}

static int turn(void *ctx, int place)
{
    ait_log_ahead *a = ctx;
    const ait_sink *sink = a->to.reading->sink;
    batch *b = &a->batch[place];
    ait_code code = AIT_OK;

    if (sink->soon && a->to.prepare)
        tell_soon(sink, b);
    for (int i = 0; i < b->n && code == AIT_OK; i++)
        code = a->to.fn(a->to.ctx, &b->line[i], plain_trace(b, i),
                        b->made ? &b->made->row[i] : NULL);
    give_back(a, b->made);
    b->made = NULL;
    b->n = 0;
    b->len = 0;
    return (int)code;
}

/* ---- by the caller ----------------------------------------------------- */

ait_code ait_log_ahead_settle(ait_log_ahead *a)
{
    if (a->open && a->open->n)
        ait_crew_put(a->crew);
    a->open = NULL;
    return (ait_code)ait_crew_settle(a->crew);
}

static void add(batch *b, const ait_line *line)
{
    ait_line *own = &b->line[b->n++];
    char *to = b->bytes + b->len;

    *own = *line;
    own->p = to;
    own->padded = true;
    memcpy(to, line->p, line->n);
    memset(to + line->n, 0, AIT_MEMBERS_PAD);
    b->len += line->n + AIT_MEMBERS_PAD;
}

/* Too long to be copied. */
static ait_code take_long(ait_log_ahead *a, const ait_line *line)
{
    ait_code code = ait_log_ahead_settle(a);

    return code == AIT_OK ? a->to.fn(a->to.ctx, line, NULL, NULL) : code;
}

ait_code ait_log_ahead_line(ait_log_ahead *a, const ait_line *line)
{
    int place;

    if (line->n > BYTES)
        return take_long(a, line);
    if (!a->open) {
        place = ait_crew_room(a->crew);
        if (place < 0)
            return ait_log_ahead_settle(a);
        a->open = &a->batch[place];
    }
    add(a->open, line);
    if (a->open->n < LINES && a->open->len <= BYTES)
        return AIT_OK;
    ait_crew_put(a->crew);
    a->open = NULL;
    return AIT_OK;
}

/* ---- begin and end ----------------------------------------------------- */

static bool start(ait_log_ahead *a)
{
    bool ok;

    a->locks = pthread_mutex_init(&a->lock, NULL) == 0;
    a->batch = ait_alloc((size_t)a->places * sizeof *a->batch);
    ok = a->locks && a->batch;
    for (int i = 0; ok && i < a->places; i++)
        ok = (a->batch[i].bytes = ait_alloc(ROOM)) != NULL;
    for (int i = 0; ok && i < a->threads; i++)
        ok = ait_log_plain_open(&a->worker[i].reader, a->to.kind,
                                a->to.forced);
    if (ok)
        a->crew = ait_crew_new(a->threads, a->places,
                               &(ait_crew_job){work, turn, a});
    return a->crew != NULL;
}

ait_log_ahead *ait_log_ahead_start(const ait_log_ahead_setup *setup)
{
    int threads = setup->reading->options->threads;
    ait_log_ahead *a = threads > 1 ? ait_alloc(sizeof *a) : NULL;

    if (!a)
        return NULL;
    a->to = *setup;
    a->threads = threads < AIT_CREW_MAX ? threads : AIT_CREW_MAX;
    a->places = PLACES_EACH * a->threads;
    if (start(a))
        return a;
    ait_log_ahead_free(a);
    return NULL;
}

static void free_worker(worker *w)
{
    made *next;

    ait_log_plain_close(&w->reader);
    for (made *m = w->free; m; m = next) {
        next = m->next;
        free_made(m);
    }
}

void ait_log_ahead_free(ait_log_ahead *a)
{
    if (!a)
        return;
    ait_crew_free(a->crew);
    for (int i = 0; a->batch && i < a->places; i++) {
        free_made(a->batch[i].made); /* had no turn */
        free(a->batch[i].bytes);
    }
    for (int i = 0; i < a->threads; i++)
        free_worker(&a->worker[i]);
    if (a->locks)
        pthread_mutex_destroy(&a->lock);
    free(a->batch);
    free(a);
}
