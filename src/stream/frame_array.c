/* Framing: one JSON array whose objects are the events. An event is complete
 * with its closing bracket; the array's own may never come. */
#include <string.h>
#include "stream/framing.h"

#define KEEP_MAX 16384

typedef struct array {
    const ait_frames *to;
    ait_buf element; /* the element so far, where it is split */
    size_t lost;     /* its bytes beyond the maximum */
    size_t depth;    /* brackets that are open, the array's included */
    bool inside;     /* in an element */
    bool text, escape; /* in a string; behind a backslash */
    bool any;
} array;

static void start(void *state, const ait_frames *to)
{
    array *s = state;

    s->to = to;
    ait_buf_init(&s->element, AIT_EVENT_MAX);
}

static void clear(array *s)
{
    s->lost = 0;
    s->inside = false;
    if (s->element.cap > KEEP_MAX)
        ait_buf_free(&s->element);
    else
        ait_buf_clear(&s->element);
}

static bool keep(array *s, const char *p, size_t n)
{
    if (s->lost || n > s->element.max - s->element.len) {
        s->lost += n;
        return true;
    }
    return ait_buf_add(&s->element, p, n);
}

/* The element ends with [p, p + n). */
static bool take(array *s, const char *p, size_t n)
{
    ait_frame f = {.data = p, .len = n};

    if (s->element.len || s->lost) {
        if (!keep(s, p, n))
            return false;
        f.data = s->element.data;
        f.len = s->element.len + s->lost;
        f.too_large = s->lost > 0;
    }
    s->any = true;
    s->to->event(s->to->ctx, &f);
    clear(s);
    return true;
}

/* Follows strings; true where the byte is outside of one. */
static bool outside(array *s, char c)
{
    if (!s->text) {
        s->text = c == '"';
        return !s->text;
    }
    if (s->escape)
        s->escape = false;
    else if (c == '\\')
        s->escape = true;
    else
        s->text = c != '"';
    return false;
}

/* +1 for an opening bracket, -1 for a closing one. */
static int step_of(char c)
{
    return c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
}

static bool feed(void *state, const char *bytes, size_t n)
{
    array *s = state;
    const char *from = bytes, *end = bytes + n;

    for (const char *p = bytes; p < end; p++) {
        int step = outside(s, *p) ? step_of(*p) : 0;

        if (step > 0 && s->depth++ == 1) {
            s->inside = true;
            from = p;
        }
        if (step < 0 && s->depth > 0 && --s->depth == 1) {
            if (!take(s, from, (size_t)(p + 1 - from)))
                return false;
        }
    }
    return !s->inside || keep(s, from, (size_t)(end - from));
}

static int64_t end(void *state)
{
    array *s = state;

    return s->inside ? (int64_t)(s->element.len + s->lost) : 0;
}

static void release(void *state)
{
    array *s = state;

    ait_buf_free(&s->element);
}

static bool spoke(const void *state)
{
    return ((const array *)state)->any;
}

static ait_start starts(const char *p, const char *raw, const char *end,
                        bool by_type)
{
    (void)raw;
    (void)end;
    (void)by_type;
    return *p == '[' ? AIT_START_YES : AIT_START_NO;
}

static const char *const types[] = {NULL};

const ait_framing ait_framing_json_array = {
    "json_array", types, sizeof(array), start, feed, end, release, spoke,
    starts,
};
