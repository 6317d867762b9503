/*
 * Data records, nearly all of a capture, without a tape: one pass over the
 * line, its text checked and unescaped on the way. What is not exactly the
 * usual shape is left to the reader of all records.
 */
#include <string.h>

#include "base/json.h"
#include "input/capture_fast.h"

enum { DIGITS_MOST = 18, ALL_SEEN = 31 };

/* A member's value at p; where it goes on, or NULL: not the usual. */
typedef const char *value_fn(const char *p, const char *end, ait_record *r,
                             ait_buf *text);

static const char *whole_number(const char *p, const char *end, int64_t *out)
{
    const char *first = p;
    int64_t v = 0;

    while (p < end && *p >= '0' && *p <= '9' && p - first < DIGITS_MOST)
        v = v * 10 + (*p++ - '0');
    if (p == first || (*first == '0' && p - first > 1))
        return NULL;
    *out = v;
    return p; /* what follows must be a comma or a brace */
}

static const char *ns_value(const char *p, const char *end, ait_record *r,
                            ait_buf *text)
{
    (void)text;
    return whole_number(p, end, &r->num[AIT_RN_NS]);
}

static const char *att_value(const char *p, const char *end, ait_record *r,
                             ait_buf *text)
{
    (void)text;
    return whole_number(p, end, &r->num[AIT_RN_ATT]);
}

/* Printable ASCII without escapes: spans stay in the line. */
static const char *req_value(const char *p, const char *end, ait_record *r,
                             ait_buf *text)
{
    const char *first = ++p;

    (void)text;
    if (p > end || p[-1] != '"')
        return NULL;
    while (p < end && *p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\')
        p++;
    if (p == end || *p != '"')
        return NULL;
    r->text[AIT_RT_REQ].p = first;
    r->text[AIT_RT_REQ].n = (size_t)(p - first);
    return p + 1;
}

static const char *type_value(const char *p, const char *end, ait_record *r,
                              ait_buf *text)
{
    (void)text;
    if (end - p < 6 || memcmp(p, "\"data\"", 6) != 0)
        return NULL;
    r->type = AIT_REC_DATA;
    return p + 6;
}

static const char *data_value(const char *p, const char *end, ait_record *r,
                              ait_buf *text)
{
    size_t at = text->len;

    if (*p != '"')
        return NULL;
    p = ait_json_string(p + 1, end, text);
    r->text[AIT_RT_DATA].p = text->data + at;
    r->text[AIT_RT_DATA].n = text->len - at;
    return p;
}

/* Told apart by their first letters. */
static const struct member {
    const char *key; /* with its quotes and colon */
    size_t len;
    value_fn *value;
} members[] = {
    {"\"type\":", 7, type_value}, {"\"ns\":", 5, ns_value},
    {"\"req\":", 6, req_value},   {"\"att\":", 6, att_value},
    {"\"data\":", 7, data_value},
};

static int member_at(const char *p, const char *end)
{
    int i;

    for (i = 0; i < 5; i++)
        if ((size_t)(end - p) > members[i].len && p[1] == members[i].key[1])
            return memcmp(p, members[i].key, members[i].len) == 0 ? i : -1;
    return -1;
}

/* Writers put one space after a comma or a colon, or none. */
static const char *skip_space(const char *p, const char *end)
{
    return p < end && *p == ' ' ? p + 1 : p;
}

bool ait_capture_fast(const char *p, size_t n, ait_record *r, ait_buf *text)
{
    const char *end = p + n;
    unsigned seen = 0;

    if (n < 2 || *p != '{')
        return false;
    do {
        int m;

        p = skip_space(p + 1, end);
        m = member_at(p, end);
        if (m < 0 || seen >> m & 1)
            return false;
        seen |= 1u << m;
        p = skip_space(p + members[m].len, end);
        p = p < end ? members[m].value(p, end, r, text) : NULL;
        if (!p || p == end)
            return false;
    } while (*p == ',');
    return *p == '}' && p + 1 == end && seen == ALL_SEEN;
}
