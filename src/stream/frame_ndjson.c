/* Framing: one JSON value a line. A last value without a line end is an
 * event when the body ends, if it is whole. */
#include <string.h>
#include "stream/framing.h"

#define KEEP_MAX 16384

typedef struct ndjson {
    const ait_frames *to;
    ait_buf line; /* start of a line whose end has not come */
    size_t lost;  /* bytes of that line beyond the maximum */
    bool any;
} ndjson;

static void start(void *state, const ait_frames *to)
{
    ndjson *s = state;

    s->to = to;
    ait_buf_init(&s->line, AIT_EVENT_MAX);
}

static void take(ndjson *s, const char *p, size_t n)
{
    ait_frame f = {.data = p, .len = n};

    if (!s->any && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        f.data += 3;
        f.len -= 3;
    }
    p = f.data;
    while (f.len && (p[f.len - 1] == '\r' || p[f.len - 1] == ' '))
        f.len--;
    if (s->lost) {
        f = (ait_frame){.len = s->line.len + s->lost, .too_large = true};
    } else if (f.len == 0) {
        return;
    }
    s->any = true;
    s->to->event(s->to->ctx, &f);
}

static bool keep(ndjson *s, const char *p, size_t n)
{
    if (s->lost || n > s->line.max - s->line.len) {
        s->lost += n;
        return true;
    }
    return ait_buf_add(&s->line, p, n);
}

static void clear(ndjson *s)
{
    s->lost = 0;
    if (s->line.cap > KEEP_MAX)
        ait_buf_free(&s->line);
    else
        ait_buf_clear(&s->line);
}

static bool feed(void *state, const char *bytes, size_t n)
{
    ndjson *s = state;
    const char *p = bytes, *end = bytes + n;

    while (p < end) {
        const char *at = memchr(p, '\n', (size_t)(end - p));

        if (!at)
            return keep(s, p, (size_t)(end - p));
        if (s->line.len || s->lost) {
            if (!keep(s, p, (size_t)(at - p)))
                return false;
            take(s, s->line.data, s->line.len);
            clear(s);
        } else {
            take(s, p, (size_t)(at - p));
        }
        p = at + 1;
    }
    return true;
}

static int64_t end(void *state)
{
    ndjson *s = state;
    const ait_buf *b = &s->line;

    if (b->len == 0)
        return 0;
    if (s->lost || !ait_json_valid(b->data, b->len))
        return (int64_t)(b->len + s->lost);
    take(s, b->data, b->len);
    return 0;
}

static void release(void *state)
{
    ndjson *s = state;

    ait_buf_free(&s->line);
}

static bool spoke(const void *state)
{
    return ((const ndjson *)state)->any;
}

static ait_start starts(const char *p, const char *raw, const char *end,
                        bool by_type)
{
    (void)raw;
    (void)end;
    return by_type && *p == '{' ? AIT_START_YES : AIT_START_NO;
}

static const char *const types[] = {
    "application/x-ndjson", "application/ndjson", "application/jsonl",
    "application/x-jsonlines", "application/jsonlines",
    "application/stream+json", NULL,
};

const ait_framing ait_framing_ndjson = {
    "ndjson", types, sizeof(ndjson), start, feed, end, release, spoke, starts,
};
