/*
 * Data records, nearly all of a capture, without a tape: one pass over the
 * line, its text checked and unescaped on the way. What is not exactly the
 * usual shape is left to the reader of all records, which alone refuses,
 * counts and explains.
 */
#include <string.h>

#include "base/json.h"
#include "input/capture_fast.h"

enum { DIGITS_MOST = 18 };

/* Each step takes a place in the line and returns the one behind what it
 * read; NULL where something else stands there, and for NULL. */

/* `text` and one space, or none: writers put one behind commas and colons,
 * or they put none. */
static inline const char *step(const char *p, const char *end,
                               const char *text)
{
    size_t n = strlen(text);

    if (!p || (size_t)(end - p) < n || memcmp(p, text, n) != 0)
        return NULL;
    p += n;
    return p < end && *p == ' ' ? p + 1 : p;
}

static inline const char *number(const char *p, const char *end, int64_t *out)
{
    const char *first = p;
    int64_t v = 0;

    if (!p)
        return NULL;
    while (p < end && *p >= '0' && *p <= '9' && p - first < DIGITS_MOST)
        v = v * 10 + (*p++ - '0');
    if (p == first || (*first == '0' && p - first > 1))
        return NULL;
    *out = v;
    return p; /* what follows must be a comma */
}

/* A string without escapes stays in the line. */
static inline const char *plain(const char *p, const char *end, ait_str *out)
{
    bool escaped = false;
    const char *to;

    if (!p || p == end || *p != '"')
        return NULL;
    to = ait_json_string_end(p + 1, end, &escaped);
    if (!to || escaped)
        return NULL;
    *out = (ait_str){p + 1, (size_t)(to - p) - 2};
    return to;
}

static inline const char *text(const char *p, const char *end, ait_buf *room,
                               ait_str *out)
{
    size_t at = room->len;

    if (!p || p == end || *p != '"')
        return NULL;
    p = ait_json_string(p + 1, end, room);
    if (p)
        *out = (ait_str){room->data + at, room->len - at};
    return p;
}

bool ait_capture_fast(const char *p, size_t n, ait_record *r, ait_buf *room)
{
    const char *end = p + n;

    p = step(p, end, "{\"type\":");
    p = step(p, end, "\"data\",");
    p = step(p, end, "\"ns\":");
    p = number(p, end, &r->num[AIT_RN_NS]);
    p = step(p, end, ",");
    p = step(p, end, "\"req\":");
    p = plain(p, end, &r->text[AIT_RT_REQ]);
    p = step(p, end, ",");
    p = step(p, end, "\"att\":");
    p = number(p, end, &r->num[AIT_RN_ATT]);
    p = step(p, end, ",");
    p = step(p, end, "\"data\":");
    p = text(p, end, room, &r->text[AIT_RT_DATA]);
    return p && p + 1 == end && *p == '}';
}
