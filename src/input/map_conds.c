/* Conditions and absent values of a mapping file. */
#include "input/map_build.h"

enum { COND_DEPTH = 4 };

/* ---- conditions ------------------------------------------------------ */

static const struct {
    const char *name;
    uint32_t bits;
} types[] = {
    {"string", 1u << AIT_J_STRING},
    {"number", 1u << AIT_J_NUMBER},
    {"integer", AIT_MAP_INTEGER},
    {"numeric", AIT_MAP_NUMERIC},
    {"boolean", 1u << AIT_J_TRUE | 1u << AIT_J_FALSE},
    {"object", 1u << AIT_J_OBJECT},
    {"array", 1u << AIT_J_ARRAY},
    {"null", 1u << AIT_J_NULL},
    {"any", 0xffffu},
};
#define TYPES (sizeof types / sizeof *types)

static bool read_type(ait_build *b, ait_jref r, uint32_t *out)
{
    size_t i;

    for (i = 0; i < TYPES; i++)
        if (ait_json_is(b->json, r, types[i].name)) {
            *out |= types[i].bits;
            return true;
        }
    for (i = 0; i < TYPES; i++)
        ait_build_permit(b, types[i].name);
    return ait_build_fail(b, r, "not a type");
}

static bool read_types(ait_build *b, ait_jref r, void *into)
{
    ait_jref e;

    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e))
        if (!read_type(b, e, into))
            return false;
    return true;
}

/* What a condition reads of itself; places come before the walk as
 * pointers, after it as slots. */
typedef struct cond_parts {
    ait_map_cond *cond;
    bool slots;
    int depth;
} cond_parts;

static bool read_cond_list(ait_build *b, ait_jref r, bool slots, int depth,
                           const ait_map_cond **out);

static bool cond_at(ait_build *b, ait_jref r, void *into)
{
    cond_parts *p = into;

    p->cond->at = ait_build_pointer(b, r);
    return p->cond->at && (!p->slots || ait_read_slot(b, r, &p->cond->slot));
}

static bool cond_attr(ait_build *b, ait_jref r, void *into)
{
    cond_parts *p = into;

    if (!p->slots)
        return ait_build_fail(b, r, "attributes are not known to detection");
    p->cond->at = ait_build_string(b, r);
    return p->cond->at && ait_read_attribute(b, r, &p->cond->slot);
}

static bool cond_type(ait_build *b, ait_jref r, void *into)
{
    return read_types(b, r, &((cond_parts *)into)->cond->types);
}

static bool cond_in(ait_build *b, ait_jref r, void *into)
{
    ait_map_cond *c = ((cond_parts *)into)->cond;

    return ait_read_literals(b, r, &c->in, &c->in_count);
}

static bool cond_contains(ait_build *b, ait_jref r, void *into)
{
    return ait_read_text(b, r, &((cond_parts *)into)->cond->contains);
}

static bool cond_mentions(ait_build *b, ait_jref r, void *into)
{
    return ait_read_text(b, r, &((cond_parts *)into)->cond->mentions);
}

static bool cond_least(ait_build *b, ait_jref r, void *into)
{
    int64_t v;

    if (!ait_read_whole(b, r, &v))
        return false;
    if (v < 1 || v > 100)
        return ait_build_fail(b, r, "a number from 1 to 100 is needed here");
    ((cond_parts *)into)->cond->least = (int)v;
    return true;
}

static bool cond_of(ait_build *b, ait_jref r, void *into)
{
    cond_parts *p = into;

    return read_cond_list(b, r, p->slots, p->depth + 1, &p->cond->of);
}

static const ait_build_key cond_keys[] = {
    {"at", cond_at, 0},
    {"attr", cond_attr, 0},
    {"type", cond_type, 0},
    {"in", cond_in, 0},
    {"contains", cond_contains, 0},
    {"mentions", cond_mentions, 0},
    {"at_least", cond_least, 0},
    {"of", cond_of, 0},
};

static bool read_cond(ait_build *b, ait_jref r, bool slots, int depth,
                      ait_map_cond *c)
{
    cond_parts parts = {c, slots, depth};

    c->slot = -1;
    c->least = 1;
    if (depth > COND_DEPTH)
        return ait_build_fail(b, r, "conditions are nested too deep");
    if (ait_json_type(b->json, r) == AIT_J_STRING) /* it is there */
        return cond_at(b, r, &parts);
    if (!AIT_BUILD_OBJECT(b, r, cond_keys, &parts))
        return false;
    return c->at || c->of ||
           ait_build_fail(b, r, "a condition needs at, attr or of");
}

static bool read_cond_list(ait_build *b, ait_jref r, bool slots, int depth,
                           const ait_map_cond **out)
{
    ait_jref e;

    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e)) {
        ait_map_cond *c = ait_build_alloc(b, sizeof *c);

        if (!c || !read_cond(b, e, slots, depth, c))
            return false;
        *out = c;
        out = &c->next;
    }
    return true;
}

bool ait_read_conds(ait_build *b, ait_jref r, void *into)
{
    return read_cond_list(b, r, true, 0, into);
}

bool ait_read_early_conds(ait_build *b, ait_jref r, void *into)
{
    return read_cond_list(b, r, false, 0, into);
}

/* ---- absent ---------------------------------------------------------- */

static bool absent_strings(ait_build *b, ait_jref r, void *into)
{
    ait_map_absent *a = into;

    return ait_read_literals(b, r, &a->text, &a->texts);
}

static bool absent_numbers(ait_build *b, ait_jref r, void *into)
{
    ait_map_absent *a = into;

    return ait_read_literals(b, r, &a->number, &a->numbers);
}

static const ait_build_key absent_keys[] = {
    {"strings", absent_strings, 0},
    {"numbers", absent_numbers, 0},
    {"negative", ait_read_bool, offsetof(ait_map_absent, negative)},
};

bool ait_read_absent(ait_build *b, ait_jref r, void *into)
{
    ait_map_absent *a = ait_build_alloc(b, sizeof *a);

    *(const ait_map_absent **)into = a;
    return a && AIT_BUILD_OBJECT(b, r, absent_keys, a);
}
