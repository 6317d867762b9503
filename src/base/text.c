#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/address.h"
#include "base/scan.h"
#include "base/strmap.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/* strchr would find the terminator, too. */
static bool in_set(char c, const char *set)
{
    return c != '\0' && strchr(set, c);
}

/* ---- what looks like a key --------------------------------------------- */

enum { KEY_LEAST = 16 }; /* characters, the prefix included */

static const char *const key_prefixes[] = {
    "sk-", "sk_", "AIza", "AKIA", "ghp_", "xox", "Bearer ", "eyJ",
};

/* First characters of the prefixes. */
static bool starts_key(char c)
{
    return c == 's' || c == 'A' || c == 'g' || c == 'x' || c == 'B' ||
           c == 'e';
}

/* At least KEY_LEAST characters; an invalid byte counts as one, as it does
 * after its repair. */
static bool long_enough(const char *p, const char *end)
{
    int n = 0;

    for (; p < end && n < KEY_LEAST; n++) {
        size_t step = ait_utf8_step(p, end);
        p += step ? step : 1;
    }
    return n == KEY_LEAST;
}

static bool key_at(const char *p, const char *end)
{
    for (size_t i = 0; i < sizeof key_prefixes / sizeof *key_prefixes; i++) {
        size_t len = strlen(key_prefixes[i]);
        if ((size_t)(end - p) >= KEY_LEAST &&
            memcmp(p, key_prefixes[i], len) == 0)
            return long_enough(p, end);
    }
    return false;
}

static bool has_key(const char *s, size_t n)
{
    for (size_t i = 0; i + KEY_LEAST <= n; i++) {
        if (starts_key(s[i]) && (i == 0 || !is_alnum(s[i - 1])) &&
            key_at(s + i, s + n))
            return true;
    }
    return false;
}

/* ---- kept text --------------------------------------------------------- */

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

static bool plain_word(uint64_t v)
{
    uint64_t low = v & AIT_EACH(0x7f);
    uint64_t from_space = low + AIT_EACH(0x60);
    uint64_t is_delete = low + AIT_EACH(0x01);

    return ((v | ~from_space | is_delete) & AIT_EACH(0x80)) == 0;
}

/* Printable ASCII only? The last word may overlap the one before. */
static bool all_plain(const char *s, size_t n)
{
    size_t i = 0;

    if (n < 8) {
        for (; i < n; i++)
            if (is_control((unsigned char)s[i]) || (s[i] & 0x80))
                return false;
        return true;
    }
    for (; i + 8 <= n; i += 8)
        if (!plain_word(ait_load64(s + i)))
            return false;
    return plain_word(ait_load64(s + n - 8));
}

/* What one character is kept as: itself, '?' for a control character (those
 * of U+0080 to U+009F, too), U+FFFD for an invalid byte. Sets *kept and its
 * size, adds to *bits, returns the bytes it took. */
static size_t keep_one(const char *p, const char *end, const char **kept,
                       size_t *size, unsigned *bits)
{
    size_t step = ait_utf8_step(p, end);

    *kept = p;
    *size = step;
    if (step == 0) {
        *kept = REPLACEMENT;
        *size = 3;
        *bits |= AIT_TEXT_UTF8;
        return 1;
    }
    if ((step == 1 && is_control((unsigned char)*p)) ||
        (step == 2 && (unsigned char)p[0] == 0xc2 &&
         (unsigned char)p[1] < 0xa0)) {
        *kept = "?";
        *size = 1;
        *bits |= AIT_TEXT_CONTROL;
    }
    return step;
}

static unsigned repair(const char *s, size_t n, char *out)
{
    const char *end = s + n, *kept;
    size_t at = 0, size;
    unsigned bits = 0, more = 0;

    while (s < end) {
        size_t step = keep_one(s, end, &kept, &size, &more);
        if (at + size > AIT_TEXT_MAX) {
            bits |= AIT_TEXT_CUT;
            break;
        }
        memcpy(out + at, kept, size);
        at += size;
        s += step;
        bits |= more;
    }
    out[at] = '\0';
    return bits;
}

static unsigned mask(const char *s, size_t n, char *out)
{
    snprintf(out, AIT_TEXT_MAX + 1, "masked-%016" PRIx64,
             ait_hash64(0, s, n));
    return AIT_TEXT_MASKED;
}

/* What an address cannot do without: a colon, an @, the % of its encoded form
 * or (three) dots. Bytes of 0x80 and above may be taken for one. */
static unsigned address_signs(uint64_t v)
{
    uint64_t signs = ait_word_eq(v, '@') | ait_word_eq(v, ':') |
                     ait_word_eq(v, '%');
    uint64_t dots = ait_word_eq(v, '.');
    unsigned n = signs ? 3 : 0;

    for (; dots; dots &= dots - 1)
        n++;
    return n;
}

/* Nearly every text of a log: of 8 to 64 bytes, printable, no address and no
 * key. The last word may overlap the one before; at worst dots count twice. */
static bool is_harmless(const char *s, size_t n)
{
    unsigned signs = 0;

    if (n < 8 || n > 64)
        return false;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v = ait_load64(s + (i + 8 <= n ? i : n - 8));
        if (!plain_word(v))
            return false;
        signs += address_signs(v);
    }
    return signs < 3 && !has_key(s, n);
}

/* A word of a few letters and digits is neither. */
static bool is_short_word(const char *s, size_t n)
{
    if (n == 0 || n >= 8)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_alnum(s[i]) && s[i] != '-' && s[i] != '_')
            return false;
    return true;
}

bool ait_is_kept_whole(const char *s, size_t n)
{
    return is_short_word(s, n) || is_harmless(s, n);
}

unsigned ait_keep_text(const char *s, size_t n, char *out)
{
    if (has_key(s, n) || ait_has_address(s, n))
        return mask(s, n, out);
    if (n > AIT_TEXT_MAX || !all_plain(s, n)) {
        unsigned bits = repair(s, n, out);

        /* the cut and the repair may have brought one about */
        return ait_has_address(out, strlen(out)) ? mask(s, n, out) : bits;
    }
    if (n)
        memcpy(out, s, n);
    out[n] = '\0';
    return 0;
}

bool ait_is_identifier(const char *s, size_t n)
{
    if (n == 0 || n > 64)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_alnum(s[i]) && !in_set(s[i], "_.:,-"))
            return false;
    return !has_key(s, n) && !ait_has_address(s, n);
}

void ait_keep_file_name(const char *path, char *out)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;

    ait_keep_text(name, strlen(name), out);
}

/* ---- paths and hosts --------------------------------------------------- */

/* First byte in [p, end) that is one of `set`, else end. */
static const char *find_any(const char *p, const char *end, const char *set)
{
    while (p < end && !in_set(*p, set))
        p++;
    return p;
}

/* Skips "scheme://" or "//"; *found says whether there was one. */
static const char *skip_scheme(const char *p, const char *end, bool *found)
{
    const char *colon = find_any(p, end, ":/?#");
    const char *slashes = colon < end && *colon == ':' ? colon + 1 : p;

    *found = end - slashes >= 2 && slashes[0] == '/' && slashes[1] == '/';
    return *found ? slashes + 2 : p;
}

/* A last label that begins with a digit and holds only digits (or 0x…) makes
 * the whole an IPv4 address: no top-level domain is a number. */
static bool is_address(const char *p, const char *end)
{
    const char *label = end, *q;

    if (p < end && *p == '[')
        return true;
    while (label > p && label[-1] != '.')
        label--;
    if (label == end)
        return false;
    if (end - label > 2 && label[0] == '0' && (label[1] | 0x20) == 'x')
        return true;
    for (q = label; q < end && is_digit(*q); q++)
        ;
    return q == end;
}

/* Does a text without scheme and leading slash begin with a host? Known by
 * what a path's first segment does not have: user, port, an address, or dots
 * before a slash. */
static bool begins_with_host(const char *p, const char *end)
{
    const char *stop = find_any(p, end, "/?#");

    if (p == stop)
        return false;
    return find_any(p, stop, "@:[") < stop || is_address(p, stop) ||
           (stop < end && *stop == '/' && find_any(p, stop, ".") < stop);
}

void ait_keep_path(const char *s, size_t n, char *out)
{
    bool found;
    const char *end = find_any(s, s + n, "?#");
    const char *p = skip_scheme(s, end, &found);

    if (found || begins_with_host(p, end)) {
        p = find_any(p, end, "/");
        if (p == end) {
            memcpy(out, "/", 2);
            return;
        }
    }
    ait_keep_text(p, (size_t)(end - p), out);
}

/* Takes user and port off the authority [*p, *end); false where what is left
 * is no host name. */
static bool host_only(const char **p, const char **end)
{
    const char *at;

    for (const char *q = *p; (q = find_any(q, *end, "@")) < *end;)
        *p = ++q;
    at = find_any(*p, *end, ":");
    if (at < *end) {
        for (const char *q = at + 1; q < *end; q++)
            if (!is_digit(*q))
                return false;
        *end = at;
    }
    while (*end > *p && (*end)[-1] == '.')
        --*end;
    for (const char *q = *p; q < *end; q++)
        if (!is_alnum(*q) && !in_set(*q, "_.-"))
            return false;
    return !is_address(*p, *end);
}

void ait_keep_host(const char *s, size_t n, char *out)
{
    bool found;
    const char *p = skip_scheme(s, s + n, &found);
    const char *end = find_any(p, s + n, "/?#");

    out[0] = '\0';
    if (!host_only(&p, &end))
        return;
    ait_keep_text(p, (size_t)(end - p), out);
    for (; *out; out++)
        if (*out >= 'A' && *out <= 'Z')
            *out = (char)(*out | 0x20); /* names differ in case only */
}

/* ---- UTF-8 ------------------------------------------------------------- */

size_t ait_utf8_valid(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n) {
        size_t step;
        if (n - i >= 8 && (ait_load64(s + i) & AIT_EACH(0x80)) == 0) {
            i += 8;
            continue;
        }
        step = ait_utf8_step(s + i, s + n);
        if (step == 0)
            break;
        i += step;
    }
    return i;
}

static bool blank_char(uint32_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0xa0 ||
           (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 ||
           c == 0x3000 || c == 0xfeff;
}

/* The character of a valid sequence of `step` bytes. */
static uint32_t decode(const char *p, size_t step)
{
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = (unsigned char)p[0] & lead[step];

    for (size_t i = 1; i < step; i++)
        c = c << 6 | ((unsigned char)p[i] & 0x3f);
    return c;
}

bool ait_is_blank(const char *s, size_t n)
{
    const char *end = s + n;

    while (s < end) {
        size_t step = ait_utf8_step(s, end);
        if (step == 0 || !blank_char(decode(s, step)))
            return false;
        s += step;
    }
    return true;
}

/* ---- base64 ------------------------------------------------------------ */

static const unsigned char base64_value[128] = {
    /* value + 1, so that 0 says "no such character" */
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,
    ['G'] = 7,  ['H'] = 8,  ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12,
    ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18,
    ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30,
    ['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36,
    ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
    ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54,
    ['2'] = 55, ['3'] = 56, ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60,
    ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

/* Four characters as 24 bits, of which `used` characters are not padding;
 * false where one is not of the alphabet or the unused bits are not 0. */
static bool read_group(const char *p, int used, uint32_t *bits)
{
    uint32_t v = 0;

    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)p[i];
        unsigned value = c < 128 ? base64_value[c] : 0;
        if (i >= used)
            value = c == '=';
        if (value == 0)
            return false;
        v = v << 6 | (value - 1);
    }
    *bits = v;
    return used == 4 || (v & (used == 3 ? 0xffu : 0xffffu)) == 0;
}

bool ait_base64_read(const char *s, size_t n, ait_buf *out)
{
    size_t padding = 0, start = out->len;
    uint32_t bits;
    char *to;

    if (n % 4 != 0 || !ait_buf_reserve(out, n / 4 * 3))
        return false;
    while (padding < 2 && padding < n && s[n - 1 - padding] == '=')
        padding++;
    to = out->data + start;
    for (size_t i = 0; i < n; i += 4) {
        int used = i + 4 == n ? 4 - (int)padding : 4;
        if (!read_group(s + i, used, &bits)) {
            out->data[start] = '\0';
            return false;
        }
        for (int k = 0; k < used - 1; k++)
            *to++ = (char)(bits >> (16 - 8 * k) & 0xff);
    }
    *to = '\0';
    out->len = (size_t)(to - out->data);
    return true;
}

/* ---- nearest word ------------------------------------------------------ */

enum { WORD_MOST = 40 };

/* Edit distance (insert, remove, replace) of words of at most WORD_MOST
 * bytes, row by row. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[WORD_MOST + 1];

    for (size_t k = 0; k <= nb; k++)
        row[k] = k;
    for (size_t i = 1; i <= na; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= nb; k++) {
            size_t best = corner + (a[i - 1] != b[k - 1]);
            corner = row[k];
            if (row[k] + 1 < best)
                best = row[k] + 1;
            if (row[k - 1] + 1 < best)
                best = row[k - 1] + 1;
            row[k] = best;
        }
    }
    return row[nb];
}

const char *ait_nearest(const char *word, const char *const *words)
{
    size_t n = strlen(word);
    size_t limit = (n + 2) / 3 + 1; /* one mistake per three letters */
    const char *best = NULL;

    if (n == 0 || n > WORD_MOST)
        return NULL;
    for (; *words; words++) {
        size_t len = strlen(*words), far;
        if (len > WORD_MOST)
            continue;
        far = distance(word, n, *words, len);
        if (far < limit && far < n) {
            limit = far;
            best = *words;
        }
    }
    return best;
}
