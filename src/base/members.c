/* Objects of scalars, member by member. */
#include <string.h>

#include "base/json.h"
#include "base/jsonscan.h"

void ait_members_begin(ait_members *m, ait_json_names *names,
                       const char *text, size_t len)
{
    m->p = text;
    m->end = text + len;
    m->names = names;
    m->begun = false;
    m->name = 0;
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

static const char *number(ait_members *m, const char *p)
{
    const char *from = p + (*p == '-'), *point;
    const char *to = ait_scan_number(from, m->end, &point);
    bool plain = to && from == p;

    if (!to)
        to = ait_scan_any_number(from, m->end);
    if (!to)
        return NULL;
    m->value.type = AIT_J_NUMBER;
    m->value.n = (size_t)(to - p);
    if (plain)
        work_out(&m->value, point);
    return to;
}

static const char *string(ait_members *m, const char *p)
{
    const char *to = ait_scan_plain(p, m->end);

    if (!to)
        to = ait_json_string_end(p, m->end, &m->value.escaped);
    if (!to)
        return NULL;
    m->value.type = AIT_J_STRING;
    m->value.p = p;
    m->value.n = (size_t)(to - 1 - p);
    return to;
}

static const char *word(ait_members *m, const char *p)
{
    static const struct {
        const char *text;
        size_t len;
        ait_jtype type;
    } words[] = {
        {"null", 4, AIT_J_NULL},
        {"true", 4, AIT_J_TRUE},
        {"false", 5, AIT_J_FALSE},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(m->end - p) >= words[i].len &&
            memcmp(p, words[i].text, words[i].len) == 0) {
            m->value.type = words[i].type;
            m->value.n = words[i].len;
            return p + words[i].len;
        }
    return NULL;
}

static const char *value(ait_members *m, const char *p)
{
    p = ait_skip_space(p, m->end);
    m->value = (ait_jvalue){.p = p, .decimals = -1};
    if (p == m->end)
        return NULL;
    if (*p == '"')
        return string(m, p + 1);
    return *p == '-' || (*p >= '0' && *p <= '9') ? number(m, p) : word(m, p);
}

/* ---- keys -------------------------------------------------------------- */

/* Any plain key, from behind its quote, and its colon. */
static const char *other_key(ait_members *m, const char *p)
{
    const char *to = ait_scan_plain(p, m->end);
    uint8_t *after = &m->names->after[m->name];
    bool escaped = false;

    if (!to)
        to = ait_json_string_end(p, m->end, &escaped);
    if (!to || escaped)
        return NULL;
    m->key = p;
    m->key_len = (size_t)(to - 1 - p);
    m->name = *after = ait_json_name_of(m->names, m->key, m->key_len);
    to = ait_skip_space(to, m->end);
    return to < m->end && *to == ':' ? to + 1 : NULL;
}

static const char *key(ait_members *m, const char *p)
{
    uint8_t name;
    const char *to = ait_scan_usual(m->names, m->name, p, m->end, &name);

    if (!to) {
        p = ait_skip_space(p, m->end);
        return p < m->end && *p == '"' ? other_key(m, p + 1) : NULL;
    }
    m->name = name;
    m->key = p + 1;
    m->key_len = (size_t)(to - p) - 3;
    return to;
}

/* ---- one after another ------------------------------------------------- */

static ait_step end_of(const ait_members *m, const char *p)
{
    return ait_skip_space(p, m->end) == m->end ? AIT_STEP_END
                                               : AIT_STEP_UNSURE;
}

ait_step ait_members_next(ait_members *m)
{
    const char *p = ait_skip_space(m->p, m->end);

    if (p == m->end)
        return AIT_STEP_UNSURE;
    if (*p == '}' && m->begun)
        return end_of(m, p + 1);
    if (*p != (m->begun ? ',' : '{'))
        return AIT_STEP_UNSURE;
    m->begun = true;
    p = key(m, p + 1);
    if (p)
        p = value(m, p);
    m->p = p;
    return p ? AIT_STEP_MEMBER : AIT_STEP_UNSURE;
}
