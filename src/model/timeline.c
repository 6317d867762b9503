#include "model/timeline.h"

#include <string.h>

/*
 * One event is: time, [head], [dread], lengths.
 *
 * The time is a varint: bit 0 says that a head follows, else it is that of
 * the event before; the rest is the time since the event before.
 *
 * The head is a varint of flags and classes, laid out so that what comes
 * most (text, reasoning, action; a new read; timed) fits into one byte:
 *   bit 0      the event is the first of the next read
 *   bit 1      dread follows: neither the same nor the next read
 *   bit 2      nonblank
 *   bit 3–15   classes, turned so that reasoning comes first
 *   bit 16–20  untimed, comment, empty, malformed, time went back
 *
 * The lengths are what the data holds beside its text, as the difference to
 * the event before, and for visible events the text. Both are small: they
 * share one byte, and what does not fit into its half follows as a varint.
 * All that is as short as what deflate makes of plain varints.
 */
#define CLASS_SHIFT 3
#define TURN 8 /* reasoning, bit 8, becomes bit 0 */
#define HALF 15 /* this and more follows */
#define EVENT_MOST 48 /* bytes: 10, 3, 10, 1, 10, 5 */

enum {
    H_NEXT_READ = 1,
    H_OTHER_READ = 2,
    H_NONBLANK = 4,
    H_UNTIMED = 1 << 16,
    H_COMMENT = 1 << 17,
    H_EMPTY = 1 << 18,
    H_MALFORMED = 1 << 19,
    H_BACK = 1 << 20
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

/* Small numbers of either sign become small ones without. */
static uint64_t folded(int64_t v)
{
    return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t v)
{
    return v & 1 ? -(int64_t)(v >> 1) - 1 : (int64_t)(v >> 1);
}

/* The time since the event before; what is negative is inverted, so that a
 * bit is left in any case. */
static uint64_t time_of(const ait_timeline *t, const ait_event *e,
                        uint32_t *head)
{
    int64_t d;

    if (*head & H_UNTIMED)
        return 0;
    d = apart(e->ns, t->last_ns);
    if (d >= 0)
        return (uint64_t)d;
    *head |= H_BACK;
    return ~(uint64_t)d;
}

static uint8_t *put_lengths(uint8_t *at, uint64_t extra, uint64_t text)
{
    unsigned high = extra < HALF ? (unsigned)extra : HALF;
    unsigned low = text < HALF ? (unsigned)text : HALF;

    *at++ = (uint8_t)(high << 4 | low);
    if (high == HALF)
        at = put(at, extra - HALF);
    return low == HALF ? put(at, text - HALF) : at;
}

bool ait_timeline_add(ait_timeline *t, const ait_event *e)
{
    uint64_t dread = e->read - t->last_read, time;
    uint32_t head = head_of(e, dread);
    bool visible = e->classes & AIT_C_VISIBLE;
    uint32_t text = visible ? e->text_length : 0;
    int64_t extra = (int64_t)e->length - (int64_t)text;
    uint64_t more = folded(extra - t->last_extra);
    uint8_t *at;

    if (!ait_buf_reserve(&t->bytes, EVENT_MOST))
        return false;
    at = (uint8_t *)t->bytes.data + t->bytes.len;
    time = time_of(t, e, &head);
    at = put(at, time << 1 | (head != t->last_head));
    if (head != t->last_head)
        at = put(at, head);
    if (head & H_OTHER_READ)
        at = put(at, folded(wrapped(dread)));
    at = visible ? put_lengths(at, more, text) : put(at, more);
    t->bytes.len = (size_t)(at - (uint8_t *)t->bytes.data);
    t->last_head = head;
    if (!(head & H_UNTIMED))
        t->last_ns = e->ns;
    t->last_read = e->read;
    t->last_extra = extra;
    t->count++;
    return true;
}

/* ---- reading ----------------------------------------------------------- */

static bool take_head(ait_timeline_cursor *c, ait_event *e, uint64_t *time)
{
    uint64_t head = c->last_head;

    if (!ait_varint(&c->at, c->end, time))
        return false;
    if (*time & 1 && !ait_varint(&c->at, c->end, &head))
        return false;
    *time >>= 1;
    c->last_head = (uint32_t)head;
    e->classes = turned_back((uint32_t)(head >> CLASS_SHIFT));
    e->nonblank = head & H_NONBLANK;
    e->comment = head & H_COMMENT;
    e->empty = head & H_EMPTY;
    e->malformed = head & H_MALFORMED;
    return true;
}

static bool take_times(ait_timeline_cursor *c, ait_event *e, uint64_t time)
{
    uint32_t head = c->last_head;
    int64_t dread = head & H_NEXT_READ ? 1 : 0;

    if (head & H_BACK)
        time = ~time;
    if (!(head & H_UNTIMED))
        c->last_ns = wrapped((uint64_t)c->last_ns + time);
    e->ns = head & H_UNTIMED ? AIT_ABSENT : c->last_ns;
    if (head & H_OTHER_READ && !ait_svarint(&c->at, c->end, &dread))
        return false;
    c->last_read += (uint64_t)dread;
    e->read = c->last_read;
    return true;
}

/* One half of the byte, and what follows where it is full. */
static bool take_half(ait_timeline_cursor *c, unsigned half, uint64_t *v)
{
    uint64_t rest = 0;

    if (half == HALF && !ait_varint(&c->at, c->end, &rest))
        return false;
    *v = half + rest;
    return true;
}

static bool take_lengths(ait_timeline_cursor *c, ait_event *e)
{
    uint64_t more, text = 0;
    int64_t length;

    if (e->classes & AIT_C_VISIBLE) {
        unsigned both = c->at < c->end ? *c->at++ : 0xff;

        if (!take_half(c, both >> 4, &more) ||
            !take_half(c, both & 0xf, &text))
            return false;
    } else if (!ait_varint(&c->at, c->end, &more)) {
        return false;
    }
    c->last_extra = wrapped((uint64_t)c->last_extra +
                            (uint64_t)unfolded(more));
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
    uint64_t time;

    memset(e, 0, sizeof *e);
    if (c->at == c->end)
        return false;
    if (!take_head(c, e, &time) || !take_times(c, e, time) ||
        !take_lengths(c, e)) {
        c->at = start; /* so that *at != end says: damaged */
        return false;
    }
    return true;
}
