#ifndef AIT_TESTS_MEMBERS_H
#define AIT_TESTS_MEMBERS_H
/*
 * The two readers of an object side by side: the one without a tape may be
 * unsure, but where it answers it says what the tape says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"

/* A number that was worked out is the number that stands there. */
static inline bool number_is_right(const ait_jvalue *v)
{
    int64_t scale = 1, want;

    if (v->type != AIT_J_NUMBER || v->decimals < 0)
        return true;
    for (int i = 0; i < v->decimals; i++)
        scale *= 10;
    return ait_decimal_read(v->p, v->n, scale, &want) && want == v->mantissa;
}

static inline bool member_is(const ait_member *m, const ait_json *j,
                             ait_jref key)
{
    ait_jvalue k = ait_json_value(j, key), v = ait_json_value(j, key + 1);

    return !k.escaped && m->key == k.p && m->key_len == k.n &&
           m->value.type == v.type && m->value.p == v.p &&
           m->value.n == v.n && m->value.escaped == v.escaped &&
           number_is_right(&m->value);
}

/* The number of a key is that of its bytes. */
static inline bool name_is_right(const ait_json_names *names,
                                 const ait_member *m)
{
    const ait_json_name *n = &names->name[m->name];

    return m->name == 0 || (n->len == m->key_len + 3 &&
                            memcmp(n->text + 1, m->key, m->key_len) == 0);
}

/* With the zero bytes that it asks for, and not one more. */
static inline bool members_read(ait_members *m, ait_json_names *names,
                                char **own, const char *text, size_t n)
{
    *own = calloc(1, n + AIT_MEMBERS_PAD);
    memcpy(*own, text, n);
    return ait_members_read(m, names, *own, n);
}

/* *answered: the reader without a tape was sure. */
static inline bool members_agree(ait_json_names *names, const char *text,
                                 size_t n, bool *answered)
{
    static ait_members m;
    bool good = true;
    ait_json j;
    ait_jref key;
    char *own;

    ait_json_init(&j, 1u << 16);
    *answered = members_read(&m, names, &own, text, n);
    if (*answered)
        good = ait_json_parse(&j, own, n) &&
               ait_json_type(&j, AIT_JROOT) == AIT_J_OBJECT;
    key = ait_json_first(&j, AIT_JROOT);
    for (int i = 0; *answered && good && i < m.count; i++) {
        good = key != AIT_JNONE && member_is(&m.member[i], &j, key) &&
               name_is_right(names, &m.member[i]);
        key = good ? ait_json_next(&j, AIT_JROOT, key) : key;
    }
    good = good && (!*answered || key == AIT_JNONE);
    ait_json_free(&j);
    free(own);
    return good;
}

#endif
