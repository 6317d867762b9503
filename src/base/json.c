#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scan.h"

enum { NODES_FIRST = 64 };

/* Where the parser is. Without a tape (json NULL) it only checks. */
typedef struct reader {
    const char *p, *end, *text;
    ait_json *json;
    int depth;
    uint64_t objects;              /* bit per depth: it is an object */
    uint32_t open[AIT_JSON_DEPTH]; /* node of each open container */
    const char *why;
    bool out_of_memory;
} reader;

void ait_json_init(ait_json *j, uint32_t max_nodes)
{
    *j = (ait_json){.max_nodes = max_nodes};
}

void ait_json_free(ait_json *j)
{
    free(j->node);
    ait_json_init(j, j->max_nodes);
}

static bool fail(reader *r, const char *p, const char *why)
{
    r->p = p;
    r->why = why;
    return false;
}

/* ---- nodes ------------------------------------------------------------- */

static bool more_nodes(reader *r)
{
    ait_json *j = r->json;
    uint32_t cap = j->cap ? j->cap : NODES_FIRST / 2;
    ait_jnode *node = NULL;

    cap = cap > j->max_nodes / 2 ? j->max_nodes : cap * 2;
    if (cap > j->cap)
        node = ait_realloc(j->node, (size_t)cap * sizeof *node);
    if (!node) {
        r->out_of_memory = true;
        return fail(r, r->p, "too many values");
    }
    j->node = node;
    j->cap = cap;
    return true;
}

/* A node for [from, to). A container's end and next are set when it
 * closes. */
static inline bool add_node(reader *r, ait_jtype type, const char *from,
                            const char *to, bool escaped)
{
    ait_json *j = r->json;

    if (!j)
        return true;
    if (j->count == j->cap && !more_nodes(r))
        return false;
    j->node[j->count] = (ait_jnode){.off = (uint32_t)(from - r->text),
                                    .len = (uint32_t)(to - from),
                                    .next = j->count + 1,
                                    .type = (uint8_t)type,
                                    .escaped = escaped};
    j->count++;
    return true;
}

/* ---- white space ------------------------------------------------------- */

/* Most bytes that are looked at are none: one comparison for them. */
static inline bool is_space(char c)
{
    return (unsigned char)c <= ' ' &&
           (c == ' ' || c == '\t' || c == '\n' || c == '\r');
}

/* The next byte that is not white space, not taken; 0 at the end. (A NUL in
 * the text is no token either.) */
static inline char peek(reader *r)
{
    while (r->p < r->end && is_space(*r->p))
        r->p++;
    return r->p < r->end ? *r->p : '\0';
}

/* ---- strings ----------------------------------------------------------- */

static const char hex_value[128] = {
    /* value + 1, so that 0 says "no such digit" */
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

const char ait_json_escape[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

int32_t ait_json_hex4(const char *p, const char *end)
{
    int32_t v = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = (p[i] & 0x80) ? 0 : hex_value[(unsigned char)p[i]];
        if (digit == 0)
            return -1;
        v = v * 16 + digit - 1;
    }
    return v;
}

/* Bytes from an escaped character on that belong to its escape, 0 where it
 * is none. */
static size_t escape_step(reader *r, const char *p)
{
    if (ait_json_escape[(unsigned char)*p])
        return 1;
    if (*p == 'u' && ait_json_hex4(p + 1, r->end) >= 0)
        return 5;
    fail(r, p - 1, "invalid escape in a string");
    return 0;
}

/* Length of the character at p, which is not printable ASCII; 0 where it may
 * not stand in a string. */
static size_t odd_step(reader *r, const char *p)
{
    size_t step;

    if ((unsigned char)*p < 0x20) {
        fail(r, p, "control character in a string");
        return 0;
    }
    step = ait_utf8_step(p, r->end);
    if (step == 0)
        fail(r, p, "invalid UTF-8 in a string");
    return step;
}

/* Steps through the marked bytes of a span: the closing quote, unusual
 * escapes, what is not ASCII. Returns what to read next, behind the span or,
 * with *closed, behind the quote; NULL after an error. */
static inline const char *walk_span(reader *r, const char *span,
                                    uint32_t marks, uint32_t escaped,
                                    bool *closed)
{
    const char *next = span + AIT_SPAN;

    while (marks != 0) {
        unsigned at = ait_lowest(marks);
        const char *p = span + at;
        size_t step;
        if (p >= r->end)
            break; /* a backslash was the last byte of the text */
        if (*p == '"') {
            *closed = true;
            return p + 1;
        }
        step = escaped >> at & 1 ? escape_step(r, p) : odd_step(r, p);
        if (step == 0)
            return NULL;
        if (p + step > next)
            next = p + step;
        marks &= (uint32_t)(UINT64_MAX << (at + step));
    }
    return next;
}

/* From behind the opening quote to behind the closing one; NULL after an
 * error. Plain text and the usual escapes cost nothing but their span. */
static const char *scan_string(reader *r, const char *p, bool *any_escape)
{
    char pad[AIT_SPAN];
    uint32_t carry = 0, seen = 0;
    bool closed = false;

    for (;;) {
        const char *from = p, *span = p;
        uint32_t marks, slashes, escaped = 0;
        if (r->end - p < AIT_SPAN) {
            if (p >= r->end)
                break;
            span = ait_padded(p, r->end, pad);
        }
        marks = ait_special_span(span);
        slashes = ait_equal_span(span, '\\');
        if (slashes | carry) {
            uint32_t quotes = ait_equal_span(span, '"');
            uint32_t usual = quotes | slashes | ait_equal_span(span, 'n');
            escaped = ait_escaped(slashes, &carry);
            marks = (marks & ~(slashes | escaped)) | (escaped & ~usual);
        }
        p += AIT_SPAN;
        if (marks != 0) {
            p = walk_span(r, from, marks, escaped, &closed);
            if (!p)
                return NULL;
        }
        if (closed) {
            /* What the span holds behind the quote is not the string's. */
            seen |= slashes & ((UINT32_C(1) << (p - 1 - from)) - 1);
            *any_escape = seen != 0;
            return p;
        }
        seen |= slashes;
    }
    fail(r, r->end, "a string does not end");
    return NULL;
}

/* The same for a string that one block holds and that has nothing unusual,
 * as nearly every key has; NULL for any other. */
static inline const char *scan_short(const reader *r, const char *p)
{
    uint32_t marks;

    if (r->end - p < AIT_BLOCK)
        return NULL;
    marks = ait_special(p);
    if (marks == 0)
        return NULL;
    p += ait_lowest(marks);
    return *p == '"' ? p + 1 : NULL;
}

/* The string whose opening quote is next. */
static inline bool string(reader *r)
{
    bool escaped = false;
    const char *from = r->p + 1, *to = scan_short(r, from);

    if (!to)
        to = scan_string(r, from, &escaped);
    if (!to || !add_node(r, AIT_J_STRING, from, to - 1, escaped))
        return false;
    r->p = to;
    return true;
}

/* ---- numbers and words ------------------------------------------------- */

static inline const char *digits(const char *p, const char *end)
{
    while (end - p >= 8) {
        unsigned n = ait_digits_in(ait_word(p));
        p += n;
        if (n < 8)
            return p;
    }
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* One digit or more; NULL where there is none. */
static inline const char *some_digits(const char *p, const char *end)
{
    const char *q = digits(p, end);

    return q > p ? q : NULL;
}

static bool number(reader *r)
{
    const char *p = r->p + (*r->p == '-'), *end = r->end;

    /* After a leading zero nothing but a point or an exponent may follow;
     * a digit there is refused as what follows the value. */
    p = p < end && *p == '0' ? p + 1 : some_digits(p, end);
    if (p && p < end && *p == '.')
        p = some_digits(p + 1, end);
    if (p && p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        p = some_digits(p, end);
    }
    if (!p)
        return fail(r, r->p, "invalid number");
    if (!add_node(r, AIT_J_NUMBER, r->p, p, false))
        return false;
    r->p = p;
    return true;
}

static bool word(reader *r)
{
    static const struct {
        const char *text;
        size_t len;
        ait_jtype type;
    } words[] = {
        {"true", 4, AIT_J_TRUE},
        {"false", 5, AIT_J_FALSE},
        {"null", 4, AIT_J_NULL},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = words[i].len;
        const char *to = r->p + len;
        if ((size_t)(r->end - r->p) < len ||
            memcmp(r->p, words[i].text, len) != 0)
            continue;
        if (!add_node(r, words[i].type, r->p, to, false))
            return false;
        r->p = to;
        return true;
    }
    return fail(r, r->p, "a value is expected");
}

static inline bool scalar(reader *r, char c)
{
    if (c == '"')
        return string(r);
    return c == '-' || (c >= '0' && c <= '9') ? number(r) : word(r);
}

/* ---- containers -------------------------------------------------------- */

static inline bool in_object(const reader *r)
{
    return r->objects >> (r->depth - 1) & 1;
}

static inline bool enter(reader *r, char c)
{
    uint64_t bit;

    if (r->depth == AIT_JSON_DEPTH)
        return fail(r, r->p, "nested too deeply");
    bit = UINT64_C(1) << r->depth;
    if (r->json)
        r->open[r->depth] = r->json->count;
    r->depth++;
    r->objects = c == '{' ? r->objects | bit : r->objects & ~bit;
    return add_node(r, c == '{' ? AIT_J_OBJECT : AIT_J_ARRAY, r->p, r->p + 1,
                    false) &&
           r->p++;
}

/* Takes the closing bracket. */
static inline void leave(reader *r)
{
    r->p++;
    r->depth--;
    if (r->json) {
        ait_jnode *n = &r->json->node[r->open[r->depth]];
        n->len = (uint32_t)(r->p - r->text) - n->off;
        n->next = r->json->count;
    }
}

/* A key and its colon. */
static inline bool key(reader *r)
{
    if (peek(r) != '"')
        return fail(r, r->p, "a key is expected");
    if (!string(r))
        return false;
    if (peek(r) != ':')
        return fail(r, r->p, "a colon is expected");
    r->p++;
    return true;
}

static inline char closing(const reader *r)
{
    return in_object(r) ? '}' : ']';
}

/* Behind a value: closes what ends here and goes on to the next value. */
static inline bool after_value(reader *r)
{
    while (r->depth > 0) {
        char c = peek(r);
        if (c == ',') {
            r->p++;
            return !in_object(r) || key(r);
        }
        if (c != closing(r))
            return fail(r, r->p, "a comma or a closing bracket is expected");
        leave(r);
    }
    return true;
}

static bool document(reader *r)
{
    do {
        char c = peek(r);
        if (c == '{' || c == '[') {
            if (!enter(r, c))
                return false;
            if (peek(r) != closing(r)) {
                if (in_object(r) && !key(r))
                    return false;
                continue;
            }
            leave(r);
        } else if (!scalar(r, c)) {
            return false;
        }
        if (!after_value(r))
            return false;
    } while (r->depth > 0);
    peek(r);
    return r->p == r->end || fail(r, r->p, "something follows the value");
}

static bool run(reader *r, ait_json *json, const char *text, size_t len)
{
    r->json = json;
    r->p = r->text = text;
    r->end = text + len;
    r->depth = 0;
    r->objects = 0;
    r->out_of_memory = false;
    if (len > UINT32_MAX)
        return fail(r, text, "the text is too long");
    return document(r);
}

bool ait_json_parse(ait_json *j, const char *text, size_t len)
{
    reader r;
    bool ok;

    j->text = text;
    j->len = len;
    j->count = j->duplicates = 0;
    j->error_at = 0;
    j->why = NULL;
    ok = run(&r, j, text, len);
    j->out_of_memory = r.out_of_memory;
    if (!ok) {
        j->count = 0; /* half a tape is none */
        j->error_at = (size_t)(r.p - text);
        j->why = r.why;
    }
    return ok;
}

bool ait_json_valid(const char *text, size_t len)
{
    reader r;

    return run(&r, NULL, text, len);
}

const char *ait_json_string_end(const char *p, const char *end,
                                bool *escaped)
{
    reader r = {.end = end};
    const char *to = scan_short(&r, p);

    return to ? to : scan_string(&r, p, escaped);
}
