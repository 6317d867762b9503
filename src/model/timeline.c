#include "model/timeline.h"

#include <string.h>

/*
 * One event is: head, dt, [dread], extra, [text length].
 *
 * The head is a varint of flags and classes, laid out so that what comes
 * most (text, reasoning, action; a new read; timed) fits into one byte:
 *   bit 0      the event is the first of the next read
 *   bit 1      dread follows: neither the same nor the next read
 *   bit 2      nonblank
 *   bit 3–15   classes, turned so that reasoning comes first
 *   bit 16–19  untimed, comment, empty, malformed
 * `extra` is what the data holds beside its text, as the difference to the
 * event before: mostly 0 in a real stream, so it costs nothing compressed.
 */
#define CLASS_SHIFT 3
#define TURN 8 /* reasoning, bit 8, becomes bit 0 */

enum {
    H_NEXT_READ = 1,
    H_OTHER_READ = 2,
    H_NONBLANK = 4,
    H_UNTIMED = 1 << 16,
    H_COMMENT = 1 << 17,
    H_EMPTY = 1 << 18,
    H_MALFORMED = 1 << 19
};
#define CLASS_MASK ((1u << AIT_C_COUNT) - 1)

static uint32_t turned(uint32_t classes)
{
    classes &= CLASS_MASK;
    return (classes >> TURN | classes << (AIT_C_COUNT - TURN)) & CLASS_MASK;
}

static uint32_t turned_back(uint32_t classes)
{
    classes &= CLASS_MASK;
    return (classes << TURN | classes >> (AIT_C_COUNT - TURN)) & CLASS_MASK;
}

static uint32_t head_of(const ait_event *e, uint64_t dread)
{
    uint32_t h = turned(e->classes) << CLASS_SHIFT;

    h |= dread == 1 ? H_NEXT_READ : dread ? H_OTHER_READ : 0;
    h |= e->nonblank ? H_NONBLANK : 0;
    h |= ait_has(e->ns) ? 0 : H_UNTIMED;
    h |= e->comment ? H_COMMENT : 0;
    h |= e->empty ? H_EMPTY : 0;
    h |= e->malformed ? H_MALFORMED : 0;
    return h;
}

void ait_timeline_init(ait_timeline *t)
{
    memset(t, 0, sizeof *t);
    ait_buf_init(&t->bytes, AIT_TIMELINE_MAX);
}

void ait_timeline_free(ait_timeline *t)
{
    ait_buf_free(&t->bytes);
}

/* Differences wrap around like unsigned numbers do: times come from hostile
 * input and two of them may be further apart than 63 bits. */
static int64_t wrapped(uint64_t v)
{
    return v <= INT64_MAX ? (int64_t)v : -(int64_t)(UINT64_MAX - v) - 1;
}

static int64_t apart(int64_t a, int64_t b)
{
    return wrapped((uint64_t)a - (uint64_t)b);
}

static uint8_t *put(uint8_t *at, uint64_t v)
{
    while (v >= 0x80) {
        *at++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *at++ = (uint8_t)v;
    return at;
}

static uint8_t *put_signed(uint8_t *at, int64_t v)
{
    return put(at, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

bool ait_timeline_add(ait_timeline *t, const ait_event *e)
{
    uint64_t dread = e->read - t->last_read;
    uint32_t h = head_of(e, dread);
    uint32_t text = e->classes & AIT_C_VISIBLE ? e->text_length : 0;
    int64_t extra = (int64_t)e->length - (int64_t)text;
    uint8_t one[5 * 10], *at = put(one, h); /* five varints at most */

    if (!(h & H_UNTIMED))
        at = put_signed(at, apart(e->ns, t->last_ns));
    if (h & H_OTHER_READ)
        at = put_signed(at, wrapped(dread));
    at = put_signed(at, extra - t->last_extra);
    if (e->classes & AIT_C_VISIBLE)
        at = put(at, text);
    if (!ait_buf_add(&t->bytes, one, (size_t)(at - one)))
        return false;
    if (!(h & H_UNTIMED))
        t->last_ns = e->ns;
    t->last_read = e->read;
    t->last_extra = extra;
    t->count++;
    return true;
}

static bool take_times(ait_timeline_cursor *c, uint64_t head, ait_event *e)
{
    int64_t d = 0;

    if (!(head & H_UNTIMED)) {
        if (!ait_svarint(&c->at, c->end, &d))
            return false;
        c->last_ns = wrapped((uint64_t)c->last_ns + (uint64_t)d);
    }
    e->ns = head & H_UNTIMED ? AIT_ABSENT : c->last_ns;
    d = head & H_NEXT_READ ? 1 : 0;
    if (head & H_OTHER_READ && !ait_svarint(&c->at, c->end, &d))
        return false;
    c->last_read += (uint64_t)d;
    e->read = c->last_read;
    return true;
}

static bool take_lengths(ait_timeline_cursor *c, ait_event *e)
{
    uint64_t text = 0;
    int64_t extra, length;

    if (!ait_svarint(&c->at, c->end, &extra))
        return false;
    if (e->classes & AIT_C_VISIBLE && !ait_varint(&c->at, c->end, &text))
        return false;
    c->last_extra = wrapped((uint64_t)c->last_extra + (uint64_t)extra);
    length = wrapped((uint64_t)c->last_extra + text);
    if (text > UINT32_MAX || length < 0 || length > UINT32_MAX)
        return false;
    e->text_length = (uint32_t)text;
    e->length = (uint32_t)length;
    return true;
}

bool ait_timeline_next(ait_timeline_cursor *c, ait_event *e)
{
    const uint8_t *start = c->at;
    uint64_t head;

    memset(e, 0, sizeof *e);
    if (c->at == c->end || !ait_varint(&c->at, c->end, &head))
        return false;
    e->classes = turned_back((uint32_t)(head >> CLASS_SHIFT));
    e->nonblank = head & H_NONBLANK;
    e->comment = head & H_COMMENT;
    e->empty = head & H_EMPTY;
    e->malformed = head & H_MALFORMED;
    if (!take_times(c, head, e) || !take_lengths(c, e)) {
        c->at = start; /* so that *at != end says: damaged */
        return false;
    }
    return true;
}
