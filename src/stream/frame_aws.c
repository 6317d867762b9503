/*
 * Framing: AWS event stream. A frame is: total length, length of the
 * headers, CRC-32 of these eight bytes, headers, payload, CRC-32 of all
 * before it; numbers are big-endian.
 */
#include <string.h>
#include <zlib.h>
#include "stream/framing.h"

#define PRELUDE 12
#define SHORTEST (PRELUDE + 4)
#define KEEP_MAX 16384

typedef struct frames {
    const ait_frames *to;
    ait_buf part;  /* a frame that has not all come */
    bool any;
    bool broken;   /* lengths cannot be trusted: nothing more is read */
} frames;

static void start(void *state, const ait_frames *to)
{
    frames *s = state;

    s->to = to;
    ait_buf_init(&s->part, AIT_EVENT_MAX);
}

static uint32_t word(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 |
           (uint32_t)u[2] << 8 | u[3];
}

static uint32_t checksum(const char *p, size_t n)
{
    return (uint32_t)crc32(0, (const Bytef *)p, (uInt)n);
}

static bool prelude_good(const char *p)
{
    return word(p) >= SHORTEST && word(p + 4) <= word(p) - SHORTEST &&
           checksum(p, 8) == word(p + 8);
}

/* ---- headers -------------------------------------------------------- */

typedef struct header {
    const char *name, *value;
    size_t name_len, value_len;
    bool text;
} header;

/* Bytes of a value by its type; text and bytes carry their own length. */
static const uint8_t width[] = {0, 0, 1, 2, 4, 8, 0, 0, 8, 16};

/* Reads the header at *at; false at the end or where it is malformed. */
static bool next_header(const char **at, const char *end, header *h)
{
    const char *p = *at;
    unsigned type;

    if (end - p < 2 || end - p < 2 + (unsigned char)*p)
        return false;
    h->name_len = (unsigned char)*p++;
    h->name = p;
    p += h->name_len;
    type = (unsigned char)*p++;
    if (type >= sizeof width)
        return false;
    h->value_len = width[type];
    h->text = type == 7;
    if (type == 6 || type == 7) {
        if (end - p < 2)
            return false;
        h->value_len = (size_t)((unsigned char)p[0] << 8 |
                                (unsigned char)p[1]);
        p += 2;
    }
    if ((size_t)(end - p) < h->value_len)
        return false;
    h->value = p;
    *at = p + h->value_len;
    return true;
}

/* What the headers say about the event. */
static const struct meaning {
    const char *name;
    bool exception;
} meanings[] = {
    {":event-type", false},
    {":exception-type", true},
    {":error-code", true},
};

static void read_headers(const char *p, const char *end, ait_frame *f)
{
    header h;

    while (next_header(&p, end, &h)) {
        for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
            if (!h.text || h.name_len != strlen(meanings[i].name) ||
                memcmp(h.name, meanings[i].name, h.name_len) != 0)
                continue;
            f->name = h.value;
            f->name_len = h.value_len;
            f->exception = meanings[i].exception;
        }
    }
}

/* ---- frames --------------------------------------------------------- */

static void take(frames *s, const char *p, size_t total)
{
    const char *payload = p + PRELUDE + word(p + 4);
    ait_frame f = {.data = payload,
                   .len = (size_t)(p + total - 4 - payload)};

    read_headers(p + PRELUDE, payload, &f);
    f.damaged = checksum(p, total - 4) != word(p + total - 4);
    s->any = true;
    s->to->event(s->to->ctx, &f);
}

/* Takes the whole frames at p; returns where the first cut one starts. */
static const char *take_frames(frames *s, const char *p, const char *end)
{
    while (end - p >= PRELUDE) {
        uint32_t total = word(p);

        if (!prelude_good(p) || total > AIT_EVENT_MAX) {
            s->broken = true;
            s->to->damage(s->to->ctx);
            return end;
        }
        if ((size_t)(end - p) < total)
            break;
        take(s, p, total);
        p += total;
    }
    return p;
}

/* Fills the frame in the buffer up to `want` bytes. */
static bool fill(frames *s, const char **p, const char *end, size_t want)
{
    size_t n = want - s->part.len;

    if (n > (size_t)(end - *p))
        n = (size_t)(end - *p);
    if (!ait_buf_add(&s->part, *p, n))
        return false;
    *p += n;
    return true;
}

/* Goes on with a frame that was split. */
static bool resume(frames *s, const char **p, const char *end)
{
    ait_buf *b = &s->part;

    if (b->len < PRELUDE && !fill(s, p, end, PRELUDE))
        return false;
    if (b->len < PRELUDE)
        return true;
    if (take_frames(s, b->data, b->data + b->len) == b->data &&
        b->len < word(b->data)) {
        if (!fill(s, p, end, word(b->data)))
            return false;
        if (b->len < word(b->data))
            return true;
        take_frames(s, b->data, b->data + b->len);
    }
    if (b->cap > KEEP_MAX)
        ait_buf_free(b);
    else
        ait_buf_clear(b);
    return true;
}

static bool feed(void *state, const char *bytes, size_t n)
{
    frames *s = state;
    const char *p = bytes, *end = bytes + n;

    if (s->part.len && !s->broken && !resume(s, &p, end))
        return false;
    if (s->broken || s->part.len)
        return true;
    p = take_frames(s, p, end);
    return p == end || ait_buf_add(&s->part, p, (size_t)(end - p));
}

static int64_t end(void *state)
{
    return (int64_t)((frames *)state)->part.len;
}

static void release(void *state)
{
    ait_buf_free(&((frames *)state)->part);
}

static bool spoke(const void *state)
{
    return ((const frames *)state)->any;
}

/* No text starts with a zero byte, and no other frame has this checksum. */
static ait_start starts(const char *p, const char *raw, const char *end,
                        bool by_type)
{
    (void)p;
    if (*raw != '\0')
        return AIT_START_NO;
    if (by_type)
        return AIT_START_YES;
    if (end - raw < PRELUDE)
        return AIT_START_MORE;
    return prelude_good(raw) ? AIT_START_YES : AIT_START_NO;
}

static const char *const types[] = {"application/vnd.amazon.eventstream",
                                    NULL};

const ait_framing ait_framing_eventstream = {
    "eventstream", types, sizeof(frames), start, feed, end, release, spoke,
    starts,
};
