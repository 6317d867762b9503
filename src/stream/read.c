/* Follows the tables: finds the members of an object that have a row, and
 * applies the rows in their own order. */
#include <string.h>
#include "stream/engine.h"

bool ait_pattern(const char *pattern, size_t len, const char *s, size_t n)
{
    if (n == len && memcmp(s, pattern, n) == 0)
        return true;
    if (len == 0 || n < --len)
        return false;
    if (*pattern == '*')
        return memcmp(s + n - len, pattern + 1, len) == 0;
    return pattern[len] == '*' && memcmp(s, pattern, len) == 0;
}

/* ---- shapes --------------------------------------------------------- */

/* Row for a member, -1 where it has none. The type is asked first: most
 * members are null or of no interest. A key with escapes is compared
 * unescaped. */
static int row_of(ait_engine *e, const ait_shape *shape, ait_jref key,
                  uint8_t type)
{
    const ait_json *j = &e->work->json;
    const ait_jnode *k = &j->node[key];
    const char *text = j->text + k->off;

    for (int i = 0; i < shape->rule_count; i++) {
        const ait_rule *rule = &shape->rules[i];

        if (!(rule->types & type))
            continue;
        if (k->escaped ? ait_json_is(j, key, rule->key)
                       : k->len == rule->len &&
                             memcmp(text, rule->key, rule->len) == 0)
            return i;
    }
    return -1;
}

/* The values of the members that have a row, and which rows those are. Of
 * equal keys the last counts, which is why no row is applied before all
 * members have been seen. What was looked at can be no hole of a mould. */
static uint32_t find_members(ait_engine *e, const ait_shape *shape,
                             ait_jref r, ait_jref *value)
{
    const ait_jnode *node = e->work->json.node;
    uint32_t found = 0;
    ait_jref end = node[r].next;

    for (ait_jref k = r + 1; k < end; k = node[k + 1].next) {
        int i = row_of(e, shape, k, (uint8_t)(1u << node[k + 1].type));

        if (i < 0)
            continue;
        if (found >> i & 1) {
            ait_issue_add(&e->facts->issues, AIT_I_DUPLICATE_KEY);
            e->glance.more = true;
        }
        found |= UINT32_C(1) << i;
        value[i] = k + 1;
        if (k + 1 < AIT_MOULD_NODES)
            e->glance.looked[(k + 1) / 64] |= UINT64_C(1) << ((k + 1) % 64);
    }
    return found;
}

/* Has a row above, up to the first that is no ELSE, found something? */
static bool overridden(const ait_shape *shape, int i, uint32_t found)
{
    while (shape->rules[i].flags & R_ELSE) {
        i--;
        if (found >> i & 1)
            return true;
    }
    return false;
}

/* The first that matches: the tables put the usual ones first. */
static const ait_kind *kind_of(const ait_shape *shape, const char *s,
                               size_t n)
{
    for (int i = 0; s && i < shape->kind_count; i++)
        if (ait_pattern(shape->kinds[i].value, shape->kinds[i].len, s, n))
            return &shape->kinds[i];
    return NULL;
}

/* The kind's own classes come behind those of its shape, so that a snapshot
 * says text and arguments by their own rows first. */
static void read_kind(ait_engine *e, const ait_kind *kind, ait_jref r)
{
    uint8_t outer = e->repeat;

    e->glance.more |= kind->flags != 0;
    if (kind->flags & K_RESET) {
        memset(e->seen, 0, sizeof e->seen);
        e->announced = e->filled = 0;
    }
    if (kind->flags & K_REPEAT)
        e->repeat = AIT_SNAPSHOT;
    if (kind->shape)
        ait_read(e, kind->shape, r);
    ait_class_add(e, kind->bits);
    if (kind->flags & K_CLOSE)
        ait_close_call(e);
    if (kind->flags & K_ERROR)
        ait_error_read(e, r);
    if (kind->flags & K_END)
        ait_end_mark(e);
    e->repeat = outer;
}

/* The kind of an object: by its member, else by the event's name. */
static void choose(ait_engine *e, const ait_shape *shape, ait_jref r,
                   bool named, ait_jref value)
{
    const ait_kind *kind = NULL;
    size_t n = 0;

    if (named) {
        const char *s = ait_string(e, value, &n);
        kind = kind_of(shape, s, n);
    } else if (shape->by_name) {
        kind = kind_of(shape, e->frame->name, e->frame->name_len);
    }
    if (kind)
        read_kind(e, kind, r);
}

void ait_read(ait_engine *e, const ait_shape *shape, ait_jref r)
{
    ait_jref value[AIT_RULES_MAX], outer = e->here;
    uint32_t found = find_members(e, shape, r, value);

    e->here = r;
    for (uint32_t left = found; left && !e->stop; left &= left - 1) {
        int i = __builtin_ctz(left);

        if (!overridden(shape, i, found))
            ait_act_apply(e, &shape->rules[i], value[i]);
    }
    if (shape->kinds && !e->stop)
        choose(e, shape, r, found & 1, found & 1 ? value[0] : AIT_JNONE);
    if (shape->closes && !e->stop) {
        e->glance.more = true;
        ait_close_call(e);
    }
    e->stop = false;
    e->here = outer;
}

