/* Events that wait for their class. */
#include "stream/queue.h"
#include <stdlib.h>
#include <string.h>

void ait_queue_init(ait_queue *q, ait_event_fn *fn, void *ctx)
{
    *q = (ait_queue){.fn = fn, .ctx = ctx};
}

void ait_queue_free(ait_queue *q)
{
    free(q->item);
}

static void hand_on(ait_queue *q, const ait_event *e)
{
    if (q->fn)
        q->fn(q->ctx, e);
}

static bool grow(ait_queue *q)
{
    size_t cap = q->cap ? q->cap * 2 : 8;
    ait_queued *item = ait_realloc(q->item, cap * sizeof *item);

    if (!item)
        return false;
    q->item = item;
    q->cap = cap;
    return true;
}

bool ait_queue_add(ait_queue *q, const ait_event *e, const ait_waiting *w)
{
    if (q->count == 0 && !w->choices) {
        hand_on(q, e);
        return true;
    }
    if (q->count == q->cap && !grow(q))
        return false;
    q->item[q->count].event = *e;
    q->item[q->count++].waiting = *w;
    return true;
}

/* Hands on what nothing holds up any more. */
static void flush(ait_queue *q)
{
    size_t n = 0;

    while (n < q->count && !q->item[n].waiting.choices)
        hand_on(q, &q->item[n++].event);
    q->count -= n;
    if (q->count)
        memmove(q->item, q->item + n, q->count * sizeof *q->item);
}

static void tell(ait_queued *i, unsigned choice, uint32_t class)
{
    uint8_t bit = (uint8_t)(1u << choice);

    if (!(i->waiting.choices & bit))
        return;
    i->event.classes |= class;
    if (class & AIT_C_VISIBLE) {
        i->event.text_length += i->waiting.len[choice];
        i->event.nonblank |= (i->waiting.solid & bit) != 0;
    }
    i->waiting.choices &= (uint8_t)~bit;
    if (!i->waiting.choices && !i->event.classes)
        i->event.classes = AIT_C_ENVELOPE;
}

void ait_queue_settle(ait_queue *q, unsigned choice, uint32_t class)
{
    for (size_t k = 0; k < q->count; k++)
        tell(&q->item[k], choice, class);
    flush(q);
}
