/* Objects of scalars, member by member. The steps take a place in the text and
 * give the next one; NULL: it is not as plain as that. Zero bytes behind the
 * text end whatever goes too far, so that nothing looks where the end is, and
 * whole blocks can be read up to it. */
#include "base/json.h"
#include "base/jsonscan.h"

static inline const char *skip(const char *p)
{
    while ((unsigned char)*p <= ' ' &&
           (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* ---- values ------------------------------------------------------------ */

/* One to eight digits as a number: pairs, then fours, then eights are put
 * together, all at once. */
static uint64_t eight_digits(uint64_t v, unsigned n)
{
    v <<= 64 - 8 * n;
    v = (v & AIT_EACH(0x0f)) * 2561 >> 8;
    v = (v & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
    return (v & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
}

/* Works out what nearly every number of a log is: of eight bytes, with its
 * point taken out of the middle. */
static void work_out(ait_jvalue *v, const char *point)
{
    unsigned whole = (unsigned)(point - v->p), all = (unsigned)v->n;
    uint64_t word, before;

    if (all > 8)
        return;
    word = ait_load64(v->p);
    v->decimals = 0;
    if (whole < all) {
        before = (UINT64_C(1) << 8 * whole) - 1;
        word = (word & before) | (word >> 8 & ~before);
        v->decimals = (int)(--all - whole);
    }
    v->mantissa = (int64_t)eight_digits(word, all);
}

static inline const char *number(ait_jvalue *v, const char *p,
                                 const char *end)
{
    const char *from = p + (*p == '-'), *point;
    const char *to = ait_scan_number(from, from + AIT_BLOCK, &point);
    bool plain = to && from == p;

    if (!to)
        to = ait_scan_any_number(from, end);
    if (!to)
        return NULL;
    v->type = AIT_J_NUMBER;
    v->n = (size_t)(to - p);
    if (plain)
        work_out(v, point);
    return to;
}

static inline const char *string(ait_jvalue *v, const char *p,
                                 const char *end)
{
    const char *to = ait_scan_plain(p, end + AIT_BLOCK);

    if (!to)
        to = ait_json_string_end(p, end, &v->escaped);
    if (!to)
        return NULL;
    v->type = AIT_J_STRING;
    v->p = p;
    v->n = (size_t)(to - 1 - p);
    return to;
}

static inline const char *word(ait_jvalue *v, const char *p,
                               const char *end)
{
    const char *to = ait_scan_word(p, end, &v->type);

    v->n = to ? (size_t)(to - p) : 0;
    return to;
}

static inline const char *value(ait_jvalue *v, const char *p, const char *end)
{
    p = skip(p);
    *v = (ait_jvalue){.p = p, .decimals = -1};
    if (*p == '"')
        return string(v, p + 1, end);
    return *p == '-' || (*p >= '0' && *p <= '9') ? number(v, p, end)
                                                 : word(v, p, end);
}

/* ---- keys -------------------------------------------------------------- */

/* Any key without escapes, and its colon. */
static const char *other_key(ait_member *m, ait_json_names *names,
                             uint8_t last, const char *p, const char *end)
{
    bool escaped = false;
    const char *to;

    p = skip(p);
    if (*p != '"')
        return NULL;
    to = ait_json_string_end(++p, end, &escaped);
    if (!to || escaped)
        return NULL;
    m->key = p;
    m->key_len = (size_t)(to - 1 - p);
    m->name = ait_json_name_of(names, m->key, m->key_len);
    names->after[last] = m->name;
    to = skip(to);
    return *to == ':' ? to + 1 : NULL;
}

static inline const char *key(ait_member *m, ait_json_names *names,
                              uint8_t last, const char *p, const char *end)
{
    const char *to = ait_scan_usual(names, last, p, p + AIT_SPAN, &m->name);

    if (!to)
        return other_key(m, names, last, p, end);
    m->key = p + 1;
    m->key_len = (size_t)(to - p) - 3;
    return to;
}

/* ---- the object -------------------------------------------------------- */

bool ait_members_read(ait_members *m, ait_json_names *names, const char *text,
                      size_t len)
{
    const char *end = text + len, *p = skip(text);
    uint8_t last = 0;
    int n = 0;

    if (*p != '{')
        return false;
    do {
        ait_member *one = &m->member[n];
        p = n < AIT_MEMBERS_MAX ? key(one, names, last, p + 1, end) : NULL;
        if (p)
            p = value(&one->value, p, end);
        if (!p)
            return false;
        last = one->name;
        n++;
        p = skip(p);
    } while (*p == ',');
    m->count = n;
    return *p == '}' && skip(p + 1) == end;
}
