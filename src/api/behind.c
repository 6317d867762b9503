#include "api/behind.h"

#include <stdlib.h>
#include <string.h>

#include "base/belt.h"

/* Handed over by the batch: waking a thread costs as much as a trace. */
enum { BATCHES = 4, BATCH = 64 };

typedef struct batch {
    ait_trace trace[BATCH];
    ait_verdict verdict[BATCH];
    int n;
} batch;

struct ait_behind {
    ait_put_fn *put;
    void *ctx;
    ait_belt belt;
    pthread_t thread;
    batch batch[BATCHES];
    batch *open; /* being filled; NULL: none yet */
    /* the thread's, until it is joined */
    ait_error err;
    ait_code code;
};

/* What the other thread wrote lies in its cache: the next one is fetched
 * while one is put. */
static void fetch(const ait_trace *t)
{
    const char *from = (const char *)t;
    for (size_t at = 0; at < sizeof *t; at += 64)
        __builtin_prefetch(from + at);
}

static ait_code put_batch(ait_behind *b, batch *from)
{
    ait_code rc = AIT_OK;
    for (int i = 0; rc == AIT_OK && i < from->n; i++) {
        if (i + 1 < from->n)
            fetch(&from->trace[i + 1]);
        rc = b->put(b->ctx, &from->trace[i], &from->verdict[i], &b->err);
    }
    return rc;
}

static void *put_all(void *ctx)
{
    ait_behind *b = ctx;
    int i;
    while (b->code == AIT_OK && (i = ait_belt_take(&b->belt)) >= 0) {
        b->code = put_batch(b, &b->batch[i]);
        ait_belt_done(&b->belt);
    }
    ait_belt_refuse(&b->belt);
    return NULL;
}

static void release(ait_behind *b)
{
    for (int i = 0; i < BATCHES * BATCH; i++)
        ait_trace_free(&b->batch[i / BATCH].trace[i % BATCH]);
    free(b);
}

ait_behind *ait_behind_start(ait_put_fn *put, void *ctx)
{
    ait_behind *b = ait_alloc(sizeof *b);
    if (!b)
        return NULL;
    b->put = put;
    b->ctx = ctx;
    for (int i = 0; i < BATCHES * BATCH; i++)
        ait_trace_init(&b->batch[i / BATCH].trace[i % BATCH]);
    if (ait_belt_init(&b->belt, BATCHES)) {
        if (ait_thread_start(&b->thread, put_all, b))
            return b;
        ait_belt_free(&b->belt);
    }
    release(b);
    return NULL;
}

ait_verdict *ait_behind_verdict(ait_behind *b)
{
    int place = b->open ? 0 : ait_belt_room(&b->belt);
    if (place < 0)
        return NULL;
    if (!b->open) {
        b->open = &b->batch[place];
        b->open->n = 0;
    }
    return &b->open->verdict[b->open->n];
}

/* Texts that lie outside of the arena and would be gone before they are put:
 * names that belong to a mapping. (The names of file and format are the file
 * report's, which stays.) */
static bool own_names(ait_trace *t)
{
    bool ok = true;
    for (ait_measure *m = t->measures; ok && m; m = m->next) {
        const char *field = m->source_field;
        m->name = ait_arena_strdup(&t->arena, m->name);
        m->source_field = ait_arena_strdup(&t->arena, field);
        ok = m->name && (!field || m->source_field);
    }
    return ok;
}

bool ait_behind_put(ait_behind *b, ait_trace *t)
{
    batch *open = b->open;
    if (!own_names(t))
        return false;
    ait_trace_move(&open->trace[open->n++], t);
    if (open->n == BATCH) {
        b->open = NULL;
        ait_belt_put(&b->belt);
    }
    return true;
}

ait_code ait_behind_finish(ait_behind *b, ait_error *err)
{
    if (b->open)
        ait_belt_put(&b->belt);
    ait_belt_end(&b->belt);
    pthread_join(b->thread, NULL);
    ait_belt_free(&b->belt);
    ait_code rc = b->code;
    if (rc != AIT_OK && err)
        *err = b->err;
    release(b);
    return rc;
}
