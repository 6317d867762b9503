/* Conditions of a mapping. */
#include <string.h>

#include "base/num.h"
#include "input/map.h"
#include "input/value.h"

static bool contains(const char *p, size_t n, const char *word)
{
    size_t len = strlen(word), i;

    for (i = 0; i + len <= n; i++)
        if (p[i] == word[0] && memcmp(p + i, word, len) == 0)
            return true;
    return false;
}

/* Numbers compare by value, also where one of them is a string. */
static bool same_number(const ait_map_literal *l, const ait_json *j,
                        ait_jref r)
{
    int64_t a, b;

    return ait_node_number(j, r, 1000000, &a) &&
           ait_text_number(l->text, l->n, 1000000, &b) && a == b;
}

bool ait_map_literal_is(const ait_map_literal *l, const ait_json *j,
                        ait_jref r)
{
    ait_jtype type = ait_json_type(j, r);
    const ait_jnode *node;

    if (l->type == AIT_J_NUMBER)
        return same_number(l, j, r);
    if (type != l->type || type != AIT_J_STRING)
        return type == l->type;
    node = &j->node[r];
    if (node->escaped)
        return ait_json_is(j, r, l->text);
    return node->len == l->n && memcmp(j->text + node->off, l->text, l->n) == 0;
}

static bool has_type(uint32_t types, const ait_json *j, ait_jref r)
{
    int64_t v;

    if (!types || types & 1u << ait_json_type(j, r))
        return true;
    if (types & AIT_MAP_INTEGER && ait_json_int(j, r, &v))
        return true;
    return types & AIT_MAP_NUMERIC && ait_node_number(j, r, 1, &v);
}

/* A value against everything the condition says of it. */
static bool value_holds(const ait_map_cond *c, const ait_json *j, ait_jref r)
{
    const ait_jnode *node;
    bool found = c->in_count == 0;
    int i;

    if (r == AIT_JNONE || !has_type(c->types, j, r))
        return false;
    for (i = 0; i < c->in_count && !found; i++)
        found = ait_map_literal_is(&c->in[i], j, r);
    node = &j->node[r];
    if (!found || (c->contains && node->type != AIT_J_STRING))
        return false;
    if (c->contains && !contains(j->text + node->off, node->len, c->contains))
        return false;
    return !c->mentions ||
           contains(j->text + node->off, node->len, c->mentions);
}

/* One value that a pointer stands for is enough. */
typedef struct wanted {
    const ait_map_cond *cond;
} wanted;

static bool holds_here(void *ctx, ait_json *j, ait_jref r)
{
    return value_holds(((wanted *)ctx)->cond, j, r);
}

bool ait_map_cond_at(const ait_map_cond *c, ait_json *j, ait_jref r)
{
    const ait_map_cond *part;
    wanted want = {c};
    int held = 0;

    if (c->at)
        return ait_map_each(j, r, c->at, holds_here, &want);
    for (part = c->of; part; part = part->next)
        held += ait_map_cond_at(part, j, r);
    return held >= c->least;
}

bool ait_map_all_at(const ait_map_cond *list, ait_json *j, ait_jref r)
{
    for (; list; list = list->next)
        if (!ait_map_cond_at(list, j, r))
            return false;
    return true;
}

bool ait_map_any_at(const ait_map_cond *list, ait_json *j, ait_jref r)
{
    for (; list; list = list->next)
        if (ait_map_cond_at(list, j, r))
            return true;
    return false;
}

bool ait_map_cond_in(const ait_map_cond *c, ait_map_walk *w)
{
    const ait_map_cond *part;
    int held = 0;

    if (c->at)
        return value_holds(c, w->value[c->slot].json, w->value[c->slot].ref);
    for (part = c->of; part; part = part->next)
        held += ait_map_cond_in(part, w);
    return held >= c->least;
}

bool ait_map_all_in(const ait_map_cond *list, ait_map_walk *w)
{
    for (; list; list = list->next)
        if (!ait_map_cond_in(list, w))
            return false;
    return true;
}

bool ait_map_any_in(const ait_map_cond *list, ait_map_walk *w)
{
    for (; list; list = list->next)
        if (ait_map_cond_in(list, w))
            return true;
    return false;
}
