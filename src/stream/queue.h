#ifndef AIT_STREAM_QUEUE_H
#define AIT_STREAM_QUEUE_H
/*
 * Events on their way out, in order. Those whose text may still turn out to
 * be a <think> block hold up what comes behind them.
 */
#include "stream/engine.h"

/* Most events that wait; then the text is what it is so far. */
#define AIT_WAITING_MAX 256

typedef struct ait_queued {
    ait_event event;
    ait_waiting waiting;
} ait_queued;

typedef struct ait_queue {
    ait_event_fn *fn;
    void *ctx;
    ait_queued *item;
    size_t count, cap;
} ait_queue;

/* Allocates nothing; `fn` takes the events in order. Free in any case. */
void ait_queue_init(ait_queue *q, ait_event_fn *fn, void *ctx);
void ait_queue_free(ait_queue *q);

/* Adds an event, or hands it on at once where nothing waits. false: out of
 * memory. */
bool ait_queue_add(ait_queue *q, const ait_event *e, const ait_waiting *w);

/* The text of a choice that waited is of this class (0: envelope). */
void ait_queue_settle(ait_queue *q, unsigned choice, uint32_t class);

#endif
