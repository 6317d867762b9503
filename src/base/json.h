#ifndef AIT_BASE_JSON_H
#define AIT_BASE_JSON_H
/*
 * Strict JSON reader: one pass over the text gives a flat list of nodes
 * (a tape). Nothing is copied; nodes are spans into the caller's text,
 * which must stay put while the document is used.
 *
 * Strict: RFC 8259 grammar, valid UTF-8, valid escapes (a lone surrogate
 * escape is accepted and decodes to U+FFFD), nothing after the value, depth
 * at most AIT_JSON_DEPTH, at most 4 GiB. Object keys are compared byte by
 * byte after unescaping; of equal keys the last wins and `duplicates` is
 * counted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/jsonname.h"
#include "base/mem.h"

#define AIT_JSON_DEPTH 64

typedef enum ait_jtype {
    AIT_J_NONE = 0, /* no such node */
    AIT_J_NULL,
    AIT_J_FALSE,
    AIT_J_TRUE,
    AIT_J_NUMBER,
    AIT_J_STRING,
    AIT_J_ARRAY,
    AIT_J_OBJECT
} ait_jtype;

typedef struct ait_jnode {
    uint32_t off, len; /* span in the text; a string without its quotes */
    uint32_t next;     /* index after this node and all below it */
    uint8_t type;      /* ait_jtype */
    uint8_t escaped;   /* string holds at least one backslash */
} ait_jnode;

/* A node's index; AIT_JNONE where there is none. Members of an object are
 * two nodes: the key (a string) and, right behind it, the value. */
typedef uint32_t ait_jref;
#define AIT_JNONE UINT32_MAX
#define AIT_JROOT 0u

typedef struct ait_json {
    const char *text;
    size_t len;
    ait_jnode *node;
    uint32_t count, cap, max_nodes;
    uint32_t duplicates; /* equal keys met by lookups since the parse */
    size_t error_at;     /* after a failed parse: byte offset … */
    const char *why;     /* … and a constant sentence */
    bool out_of_memory;  /* the failure was memory or max_nodes */
} ait_json;

void ait_json_init(ait_json *j, uint32_t max_nodes); /* allocates nothing */
void ait_json_free(ait_json *j);

/* false: error_at and why say where and why. The node memory is reused. */
bool ait_json_parse(ait_json *j, const char *text, size_t len);

static inline ait_jtype ait_json_type(const ait_json *j, ait_jref r)
{
    return r < j->count ? (ait_jtype)j->node[r].type : AIT_J_NONE;
}

/* Member of an object by key; JNONE where r is no object or has none.
 * Last of equal keys; counts duplicates. */
ait_jref ait_json_get(ait_json *j, ait_jref r, const char *key);

/* One pass over an object for `n` known keys (n <= 64): out[i] is the value
 * of keys[i] or JNONE. Returns the number of members whose key is in no
 * entry; 0 where r is no object. Keys with escapes are compared too. */
uint32_t ait_json_pick(ait_json *j, ait_jref r, const char *const *keys,
                       size_t n, ait_jref *out);

/* JSON Pointer (RFC 6901) from r: "" is r itself. Keys of more than 256
 * bytes are not found. */
ait_jref ait_json_at(ait_json *j, ait_jref r, const char *pointer);

/* Walks array elements, or the keys of an object (value = key + 1):
 *   for (c = ait_json_first(j, r); c != AIT_JNONE;
 *        c = ait_json_next(j, r, c)) */
static inline ait_jref ait_json_first(const ait_json *j, ait_jref r)
{
    if (ait_json_type(j, r) < AIT_J_ARRAY)
        return AIT_JNONE;
    return r + 1 < j->node[r].next ? r + 1 : AIT_JNONE;
}
static inline ait_jref ait_json_next(const ait_json *j, ait_jref r,
                                     ait_jref c)
{
    bool object = ait_json_type(j, r) == AIT_J_OBJECT;

    if (r >= j->count || c >= j->node[r].next)
        return AIT_JNONE;
    c = j->node[c + object].next;
    return c < j->node[r].next ? c : AIT_JNONE;
}

/* Numbers: exact, digit by digit. false where r is no such number. */
bool ait_json_int(const ait_json *j, ait_jref r, int64_t *out);
/* Times scale, see ait_decimal_read. */
bool ait_json_decimal(const ait_json *j, ait_jref r, int64_t scale,
                      int64_t *out);
/* true/false; false result where r is neither. */
bool ait_json_bool(const ait_json *j, ait_jref r, bool *out);

/* String: appends the unescaped bytes (NUL included) to `out`. false: no
 * string, or `out` has no room for the string as it stands in the text
 * (unescaped it is never longer). */
bool ait_json_text(const ait_json *j, ait_jref r, ait_buf *out);
/* Unescaped length in bytes; 0 for anything but a string. */
size_t ait_json_text_len(const ait_json *j, ait_jref r);
/* A string that has at least one byte. */
bool ait_json_nonempty(const ait_json *j, ait_jref r);
/* Is it exactly this string? */
bool ait_json_is(const ait_json *j, ait_jref r, const char *text);

/* Checks a string by the grammar, from behind its opening quote: returns the
 * place behind its closing one; NULL: not valid, or no end before `end`.
 * *escaped is set where it holds a backslash, and never cleared. */
const char *ait_json_string_end(const char *p, const char *end,
                                bool *escaped);

/* Reads one string, p stands behind its opening quote: checked and appended
 * to `out`, unescaped, in one go. Returns where it goes on behind the closing
 * quote; NULL: no valid string, or `out` has no room for as many bytes as
 * there are before `end` and is as it was. */
const char *ait_json_string(const char *p, const char *end, ait_buf *out);

/* ---- values by themselves ---------------------------------------------- */

/* A value outside of a tape. */
typedef struct ait_jvalue {
    const char *p; /* as it stands in the text; a string without its quotes */
    size_t n;
    ait_jtype type;
    bool escaped;     /* string holds at least one backslash */
    int decimals;     /* of a number; -1: not worked out … */
    int64_t mantissa; /* … else the number times 10 to the decimals */
} ait_jvalue;

static inline ait_jvalue ait_json_value(const ait_json *j, ait_jref r)
{
    ait_jvalue v = {.type = ait_json_type(j, r), .decimals = -1};

    if (v.type != AIT_J_NONE) {
        v.p = j->text + j->node[r].off;
        v.n = j->node[r].len;
        v.escaped = j->node[r].escaped;
    }
    return v;
}

/*
 * Reads an object in one pass, without a tape: one that holds nothing but
 * strings, numbers and words, as the lines of a log do. What it reads is
 * checked as strictly as by the parse above; whatever is not valid or not so
 * plain it leaves to that.
 */
enum { AIT_MEMBERS_MAX = 64 };

typedef struct ait_member {
    const char *key; /* without escapes */
    size_t key_len;
    uint8_t name; /* the key's number, 0: it has none */
    ait_jvalue value;
} ait_member;

typedef struct ait_members {
    ait_member member[AIT_MEMBERS_MAX]; /* as they stand, equal keys too */
    int count;
} ait_members;

/* Zero bytes that must stand behind such a text. */
#define AIT_MEMBERS_PAD 32
/* false: nothing is known of the text but that it is not so plain. Spans are
 * into it, and the names stay the caller's. */
bool ait_members_read(ait_members *m, ait_json_names *names, const char *text,
                      size_t len);

/* Is it one whole JSON value? No tape, bounded depth, no allocation. */
bool ait_json_valid(const char *text, size_t len);

#endif
