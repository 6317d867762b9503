/* Looking things up on the tape that json.c made. */
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "base/scan.h"

static const ait_jnode *node_at(const ait_json *j, ait_jref r)
{
    return r < j->count ? &j->node[r] : NULL;
}

static const ait_jnode *node_of(const ait_json *j, ait_jref r, ait_jtype type)
{
    const ait_jnode *n = node_at(j, r);

    return n && n->type == type ? n : NULL;
}

/* ---- unescaping -------------------------------------------------------- */

enum { UTF8_MOST = 4 };

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

/* \uXXXX at p, both halves of a pair. A lone surrogate is U+FFFD. NULL: the
 * digits are none. */
static const char *unicode_escape(const char *p, const char *end, char **to)
{
    int32_t first = ait_json_hex4(p + 2, end);
    uint32_t c = (uint32_t)first, low;

    if (first < 0)
        return NULL;
    p += 6;
    if (c >= 0xd800 && c <= 0xdfff) {
        low = c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u'
                  ? (uint32_t)ait_json_hex4(p + 2, end)
                  : 0;
        if (low >= 0xdc00 && low <= 0xdfff) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            p += 6;
        } else {
            c = 0xfffd;
        }
    }
    *to = put_utf8(*to, c);
    return p;
}

/* The escape at p, checked by the parse; at most as long as it stands. */
static inline const char *unescape_one(const char *p, const char *end,
                                       char **to)
{
    char c = ait_json_escape[(unsigned char)p[1]];

    if (c == '\0')
        return unicode_escape(p, end, to);
    *(*to)++ = c;
    return p + 2;
}

/* Stops the walk over a string that is read in whole blocks: at its closing
 * quote, where it is not valid, or with too little left for two blocks. */
typedef struct unescaper {
    const char *p;
    char *to;
    bool closed, bad;
} unescaper;

/* What is neither plain nor an escape of two bytes, at u->p: \uXXXX, or
 * characters beyond ASCII up to the next one of ASCII. */
static void unescape_odd(unescaper *u, const char *end)
{
    const char *p = u->p, *stop = p + AIT_BLOCK - UTF8_MOST;
    size_t step = 0;

    if (*p == '\\') {
        p = p[1] == 'u' ? unicode_escape(p, end, &u->to) : NULL;
    } else if (*p & 0x80) {
        do {
            step = ait_utf8_step(p, end);
            memcpy(u->to, p, UTF8_MOST);
            p += step;
            u->to += step;
        } while (step && *p & 0x80 && p < stop);
        p = step ? p : NULL;
    } else {
        p = NULL; /* a control character */
    }
    u->bad = !p;
    u->p = p;
}

/* Every run is copied as a whole block and the next one written over what
 * was too much: as long as more than two blocks are left to read there is
 * one's room to write. */
static void unescape_blocks(unescaper *u, const char *end)
{
    const char *p = u->p;
    char *to = u->to;

    while (end - p > 2 * AIT_BLOCK) {
        const char *next = p + AIT_BLOCK;
        uint32_t marks = ait_special(p);
        memcpy(to, p, AIT_BLOCK);
        while (marks != 0) {
            unsigned at = ait_lowest(marks);
            char c = '\0';
            p += at;
            to += at;
            if (*p == '\\')
                c = ait_json_escape[(unsigned char)p[1]];
            if (c == '\0') {
                *u = (unescaper){p, to, *p == '"', false};
                if (u->closed)
                    return;
                unescape_odd(u, end);
                if (u->bad)
                    return;
                next = p = u->p;
                to = u->to;
                break;
            }
            *to++ = c;
            p += 2;
            marks >>= at + 2;
            memcpy(to, p, AIT_BLOCK);
        }
        if (p < next) {
            to += next - p;
            p = next;
        }
    }
    u->p = p;
    u->to = to;
}

/* The end of the text, in a copy that whole blocks can be read of. No string
 * holds a NUL: what stands behind is never taken for it. */
static void unescape_rest(unescaper *u, const char *end)
{
    char rest[5 * AIT_BLOCK] = {0}, out[sizeof rest];
    unescaper v = {.p = rest, .to = out};

    memcpy(rest, u->p, (size_t)(end - u->p));
    unescape_blocks(&v, rest + sizeof rest);
    u->closed = v.closed;
    if (v.bad)
        return;
    memcpy(u->to, out, (size_t)(v.to - out));
    u->to += v.to - out;
    u->p += v.p - rest;
}

const char *ait_json_string(const char *p, const char *end, ait_buf *out)
{
    unescaper u = {.p = p};

    /* The closing quote's place is that of the terminator. */
    if (p == end || !ait_buf_reserve(out, (size_t)(end - p) - 1))
        return NULL;
    u.to = out->data + out->len;
    unescape_blocks(&u, end);
    if (!u.closed && !u.bad)
        unescape_rest(&u, end);
    if (u.closed)
        out->len = (size_t)(u.to - out->data);
    out->data[out->len] = '\0';
    return u.closed ? u.p + 1 : NULL;
}

bool ait_json_text(const ait_json *j, ait_jref r, ait_buf *out)
{
    const ait_jnode *n = node_of(j, r, AIT_J_STRING);
    const char *from;

    if (!n)
        return false;
    from = j->text + n->off;
    if (!n->escaped)
        return ait_buf_add(out, from, n->len);
    return ait_json_string(from, from + n->len + 1, out) != NULL;
}

size_t ait_json_text_len(const ait_json *j, ait_jref r)
{
    const ait_jnode *n = node_of(j, r, AIT_J_STRING);
    const char *p, *end;
    char one[4], *to;
    size_t len = 0;

    if (!n || !n->escaped)
        return n ? n->len : 0;
    for (p = j->text + n->off, end = p + n->len; p < end;) {
        const char *q = memchr(p, '\\', (size_t)(end - p));
        len += (size_t)((q ? q : end) - p);
        if (!q)
            break;
        to = one;
        p = unescape_one(q, end, &to);
        len += (size_t)(to - one);
    }
    return len;
}

bool ait_json_nonempty(const ait_json *j, ait_jref r)
{
    const ait_jnode *n = node_of(j, r, AIT_J_STRING);

    return n && n->len > 0;
}

/* ---- comparing --------------------------------------------------------- */

/* Rare: a string with escapes, unescaped piece by piece. */
static bool escaped_is(const char *p, const char *end, const char *text,
                       size_t len)
{
    char piece[4], *to;

    while (p < end) {
        size_t n;
        to = piece;
        if (*p == '\\')
            p = unescape_one(p, end, &to);
        else
            *to++ = *p++;
        n = (size_t)(to - piece);
        if (n > len || memcmp(piece, text, n) != 0)
            return false;
        text += n;
        len -= n;
    }
    return len == 0;
}

static inline bool string_is(const ait_json *j, const ait_jnode *n,
                             const char *text, size_t len)
{
    const char *p = j->text + n->off;

    if (n->escaped)
        return escaped_is(p, p + n->len, text, len);
    return n->len == len && memcmp(p, text, len) == 0;
}

bool ait_json_is(const ait_json *j, ait_jref r, const char *text)
{
    const ait_jnode *n = node_of(j, r, AIT_J_STRING);

    return n && string_is(j, n, text, strlen(text));
}

/* ---- members ----------------------------------------------------------- */

static ait_jref member(ait_json *j, ait_jref r, const char *key, size_t len)
{
    const ait_jnode *n = node_of(j, r, AIT_J_OBJECT);
    ait_jref found = AIT_JNONE;

    if (!n)
        return AIT_JNONE;
    for (ait_jref c = r + 1; c < n->next; c = j->node[c + 1].next) {
        if (!string_is(j, &j->node[c], key, len))
            continue;
        j->duplicates += found != AIT_JNONE;
        found = c + 1;
    }
    return found;
}

ait_jref ait_json_get(ait_json *j, ait_jref r, const char *key)
{
    return member(j, r, key, strlen(key));
}

/* Does a terminated key equal the node's string? Most keys of a list differ
 * in the first byte, so none is measured. */
static inline bool key_is(const ait_json *j, const ait_jnode *n,
                          const char *key)
{
    const char *p = j->text + n->off;

    if (n->escaped)
        return string_is(j, n, key, strlen(key));
    if (n->len == 0 || *p != *key)
        return n->len == 0 && *key == '\0';
    return strncmp(p, key, n->len) == 0 && key[n->len] == '\0';
}

uint32_t ait_json_pick(ait_json *j, ait_jref r, const char *const *keys,
                       size_t n, ait_jref *out)
{
    const ait_jnode *object = node_of(j, r, AIT_J_OBJECT);
    uint32_t unknown = 0;
    size_t guess = 0;

    for (size_t i = 0; i < n; i++)
        out[i] = AIT_JNONE;
    if (!object)
        return 0;
    for (ait_jref c = r + 1; c < object->next; c = j->node[c + 1].next) {
        size_t tried = 0, i = guess;
        /* Members tend to come in the order of the list. */
        for (; tried < n && !key_is(j, &j->node[c], keys[i]); tried++)
            i = i + 1 < n ? i + 1 : 0;
        if (tried == n) {
            unknown++;
            continue;
        }
        j->duplicates += out[i] != AIT_JNONE;
        out[i] = c + 1;
        guess = i + 1 < n ? i + 1 : 0;
    }
    return unknown;
}

/* ---- pointers ---------------------------------------------------------- */

enum { TOKEN_MOST = 256 };

/* One reference token, ~0 and ~1 read, up to the next slash; NULL where it is
 * malformed or longer than any key that is looked for. */
static const char *read_token(const char *p, char *out, size_t *len)
{
    size_t n = 0;

    for (; *p && *p != '/'; p++) {
        char c = *p;
        if (c == '~') {
            c = p[1] == '0' ? '~' : p[1] == '1' ? '/' : '\0';
            p++;
        }
        if (c == '\0' || n == TOKEN_MOST)
            return NULL;
        out[n++] = c;
    }
    *len = n;
    return p;
}

static ait_jref element(const ait_json *j, ait_jref r, const char *token,
                        size_t len)
{
    ait_jref c = ait_json_first(j, r);
    uint32_t index = 0;

    if (len == 0 || len > 9 || (len > 1 && *token == '0'))
        return AIT_JNONE;
    for (size_t i = 0; i < len; i++) {
        if (token[i] < '0' || token[i] > '9')
            return AIT_JNONE;
        index = index * 10 + (uint32_t)(token[i] - '0');
    }
    while (index-- > 0 && c != AIT_JNONE)
        c = ait_json_next(j, r, c);
    return c;
}

ait_jref ait_json_at(ait_json *j, ait_jref r, const char *pointer)
{
    char token[TOKEN_MOST];
    size_t len = 0;

    if (!node_at(j, r))
        return AIT_JNONE;
    while (*pointer) {
        if (*pointer != '/')
            return AIT_JNONE;
        pointer = read_token(pointer + 1, token, &len);
        if (!pointer)
            return AIT_JNONE;
        r = ait_json_type(j, r) == AIT_J_ARRAY ? element(j, r, token, len)
                                               : member(j, r, token, len);
    }
    return r;
}

/* ---- walking ----------------------------------------------------------- */

/* ---- values ------------------------------------------------------------ */

bool ait_json_int(const ait_json *j, ait_jref r, int64_t *out)
{
    const ait_jnode *n = node_of(j, r, AIT_J_NUMBER);

    return n && ait_int_read(j->text + n->off, n->len, out);
}

bool ait_json_decimal(const ait_json *j, ait_jref r, int64_t scale,
                      int64_t *out)
{
    const ait_jnode *n = node_of(j, r, AIT_J_NUMBER);

    return n && ait_decimal_read(j->text + n->off, n->len, scale, out);
}

bool ait_json_bool(const ait_json *j, ait_jref r, bool *out)
{
    ait_jtype type = ait_json_type(j, r);

    if (type != AIT_J_TRUE && type != AIT_J_FALSE)
        return false;
    *out = type == AIT_J_TRUE;
    return true;
}
