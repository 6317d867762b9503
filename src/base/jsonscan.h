#ifndef AIT_BASE_JSONSCAN_H
#define AIT_BASE_JSONSCAN_H
/*
 * Private to base: the quick steps through JSON text that both readers of it
 * take, the one with a tape and the one without. All give the place behind
 * what they read, and NULL where it is not as usual: then a slower step says
 * what it is.
 */
#include "base/json.h"
#include "base/scan.h"

/* Most bytes that are looked at are none: one comparison for them. */
static inline const char *ait_skip_space(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= ' ' &&
           (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* A string of printable ASCII without escapes, from behind its opening
 * quote. */
static inline const char *ait_scan_plain(const char *p, const char *end)
{
    for (; end - p >= AIT_BLOCK; p += AIT_BLOCK) {
        uint32_t marks = ait_special(p);

        if (marks == 0)
            continue;
        p += ait_lowest(marks);
        return *p == '"' ? p + 1 : NULL;
    }
    return NULL;
}

static inline const char *ait_skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* One digit or more; NULL where there is none. */
static inline const char *ait_some_digits(const char *p, const char *end)
{
    const char *q = ait_skip_digits(p, end);

    return q > p ? q : NULL;
}

/* Behind the number whose first digit should be at p; NULL: it is none. After
 * a leading zero nothing but a point or an exponent may follow; a digit there
 * is refused as what follows the value. */
static inline const char *ait_scan_any_number(const char *p, const char *end)
{
    p = p < end && *p == '0' ? p + 1 : ait_some_digits(p, end);
    if (p && p < end && *p == '.')
        p = ait_some_digits(p + 1, end);
    if (p && p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        p = ait_some_digits(p, end);
    }
    return p;
}

/* A number that one block holds, without sign and exponent and without zeros
 * in front. *point is its point's place, or that of its end. */
static inline const char *ait_scan_number(const char *p, const char *end,
                                          const char **point)
{
    uint32_t other;
    unsigned n;

    if (end - p < AIT_BLOCK || (*p == '0' && p[1] >= '0' && p[1] <= '9'))
        return NULL;
    other = ait_not_digits(p);
    n = other ? ait_lowest(other) : 0;
    *point = p + n;
    if (n && p[n] == '.') {
        other &= other - 1;
        if (!other || ait_lowest(other) == n + 1)
            return NULL;
        n = ait_lowest(other);
    }
    return n && (p[n] | 0x20) != 'e' ? p + n : NULL;
}

/* One of the three words. */
static inline const char *ait_scan_word(const char *p, const char *end,
                                        ait_jtype *type)
{
    static const struct {
        char text[6];
        uint8_t len, type;
    } words[] = {
        {"null", 4, AIT_J_NULL},
        {"true", 4, AIT_J_TRUE},
        {"false", 5, AIT_J_FALSE},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - p) >= words[i].len &&
            memcmp(p, words[i].text, words[i].len) == 0) {
            *type = (ait_jtype)words[i].type;
            return p + words[i].len;
        }
    return NULL;
}

/* The key that followed the one numbered `last` the last time, with its
 * colon: mostly it does again. *name is its number. */
static inline const char *ait_scan_usual(const ait_json_names *names,
                                         uint8_t last, const char *p,
                                         const char *end, uint8_t *name)
{
    const ait_json_name *n;

    if (end - p < AIT_SPAN)
        return NULL;
    *name = names->after[last];
    n = &names->name[*name];
    if (*name == 0 || ~ait_same_span(p, n->text) & n->bits)
        return NULL;
    return p + n->len;
}

#endif
