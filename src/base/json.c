#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/jsonscan.h"

enum { NODES_FIRST = 64 };

/* What the parser knows besides its place. Without a tape (json NULL) it only
 * checks. */
typedef struct reader {
    const char *end, *text;
    ait_json *json;
    char close; /* what closes the container; '\0': in none */
    int depth;
    uint32_t open[AIT_JSON_DEPTH]; /* node of each open container */
    char outer[AIT_JSON_DEPTH];    /* what closes the one around it */
    const char *error_at, *why;
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

/* The steps below take a place in the text and give the next one; NULL after
 * an error. */
static const char *fail(reader *r, const char *p, const char *why)
{
    r->error_at = p;
    r->why = why;
    return NULL;
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
        return false;
    }
    j->node = node;
    j->cap = cap;
    return true;
}

/* A node for [from, to), and what is read next. A container's end and next
 * are set when it closes. */
static inline const char *add_node(reader *r, ait_jtype type, bool escaped,
                                   const char *from, const char *to,
                                   const char *next)
{
    ait_json *j = r->json;
    ait_jnode *node;

    if (!j)
        return next;
    if (j->count == j->cap && !more_nodes(r))
        return fail(r, from, "too many values");
    node = &j->node[j->count++];
    node->off = (uint32_t)(from - r->text);
    node->len = (uint32_t)(to - from);
    node->next = j->count;
    node->type = (uint8_t)type;
    node->escaped = escaped;
    return next;
}

/* ---- white space ------------------------------------------------------- */

static inline const char *skip(const reader *r, const char *p)
{
    return ait_skip_space(p, r->end);
}

/* The byte at p, 0 at the end. (A NUL in the text is no token either.) */
static inline char at(const reader *r, const char *p)
{
    return p < r->end ? *p : '\0';
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

/* The string that begins at p. */
static inline const char *string(reader *r, const char *p)
{
    const char *to = ait_scan_plain(p + 1, r->end);
    bool escaped = false;

    if (!to)
        to = scan_string(r, p + 1, &escaped);
    return to ? add_node(r, AIT_J_STRING, escaped, p + 1, to - 1, to) : NULL;
}

/* ---- numbers and words ------------------------------------------------- */

static inline const char *number(reader *r, const char *p)
{
    const char *from = p + (*p == '-'), *point;
    const char *to = ait_scan_number(from, r->end, &point);

    if (!to)
        to = ait_scan_any_number(from, r->end);
    if (!to)
        return fail(r, p, "invalid number");
    return add_node(r, AIT_J_NUMBER, false, p, to, to);
}

static const char *word(reader *r, const char *p)
{
    ait_jtype type;
    const char *to = ait_scan_word(p, r->end, &type);

    return to ? add_node(r, type, false, p, to, to)
              : fail(r, p, "a value is expected");
}

static inline const char *scalar(reader *r, const char *p)
{
    char c = at(r, p);

    if (c == '"')
        return string(r, p);
    return c == '-' || (c >= '0' && c <= '9') ? number(r, p) : word(r, p);
}

/* ---- keys -------------------------------------------------------------- */

/* A key and its colon. */
static inline const char *key(reader *r, const char *p)
{
    p = skip(r, p);
    if (at(r, p) != '"')
        return fail(r, p, "a key is expected");
    p = string(r, p);
    if (!p)
        return NULL;
    p = skip(r, p);
    return at(r, p) == ':' ? p + 1 : fail(r, p, "a colon is expected");
}

/* ---- containers -------------------------------------------------------- */

static inline const char *enter(reader *r, const char *p)
{
    bool object = *p == '{';

    if (r->depth == AIT_JSON_DEPTH)
        return fail(r, p, "nested too deeply");
    if (r->json)
        r->open[r->depth] = r->json->count;
    r->outer[r->depth++] = r->close;
    r->close = object ? '}' : ']';
    return add_node(r, object ? AIT_J_OBJECT : AIT_J_ARRAY, false, p,
                    p + 1, p + 1);
}

/* Takes the closing bracket. */
static inline const char *leave(reader *r, const char *p)
{
    r->close = r->outer[--r->depth];
    if (r->json) {
        ait_jnode *n = &r->json->node[r->open[r->depth]];
        n->len = (uint32_t)(p + 1 - r->text) - n->off;
        n->next = r->json->count;
    }
    return p + 1;
}

/* Behind a value: closes what ends here and goes on to the next one. */
static inline const char *after_value(reader *r, const char *p)
{
    while (r->depth > 0) {
        p = skip(r, p);
        if (at(r, p) == ',')
            return p + 1;
        if (at(r, p) != r->close)
            return fail(r, p, "a comma or a closing bracket is expected");
        p = leave(r, p);
    }
    return p;
}

/* One value with its key; of a container only the begin, unless it is
 * empty. */
static inline const char *value(reader *r, const char *p)
{
    char c;

    if (r->close == '}')
        p = key(r, p);
    if (!p)
        return NULL;
    p = skip(r, p);
    c = at(r, p);
    if (c != '{' && c != '[')
        p = scalar(r, p);
    else if ((p = enter(r, p)) && at(r, p = skip(r, p)) != r->close)
        return p;
    else if (p)
        p = leave(r, p);
    return p ? after_value(r, p) : NULL;
}

static const char *document(reader *r, const char *p)
{
    do
        p = value(r, p);
    while (p && r->depth > 0);
    if (p)
        p = skip(r, p);
    return !p || p == r->end ? p : fail(r, p, "something follows the value");
}

static bool run(reader *r, ait_json *json, const char *text, size_t len)
{
    r->json = json;
    r->close = '\0';
    r->text = text;
    r->end = text + len;
    r->depth = 0;
    r->out_of_memory = false;
    if (len > UINT32_MAX)
        return fail(r, text, "the text is too long");
    return document(r, text);
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
        j->error_at = (size_t)(r.error_at - text);
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
    const char *to = ait_scan_plain(p, end);

    return to ? to : scan_string(&r, p, escaped);
}
