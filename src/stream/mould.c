/* Deltas that look like the one before. */
#include "stream/mould.h"
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

/* After so many moulds in vain one is made now and then only. */
#define IDLE_MAX 4
#define IDLE_STEP 16

void ait_mould_free(ait_mould *m)
{
    free(m->text);
    m->text = NULL;
}

/* ---- making ------------------------------------------------------------ */

/* A string is a key where a colon follows it. */
static bool is_key(const ait_json *j, const ait_jnode *n)
{
    size_t at = (size_t)n->off + n->len + 1;

    if (n->type != AIT_J_STRING)
        return false;
    while (at < j->len && (j->text[at] == ' ' || j->text[at] == '\t' ||
                           j->text[at] == '\n' || j->text[at] == '\r'))
        at++;
    return at < j->len && j->text[at] == ':';
}

static int saying_of(const ait_glance *g, ait_jref r)
{
    for (int i = 0; i < g->says; i++)
        if (g->said[i].by == r)
            return i;
    return -1;
}

/* Adds a string or number that may differ in the next event. */
static void add_leaf(ait_mould *m, const ait_json *j, const ait_glance *g,
                     ait_jref r)
{
    const ait_jnode *n = &j->node[r];
    int saying = saying_of(g, r);
    ait_leaf *leaf = &m->leaf[m->leaves];

    if (n->type != AIT_J_STRING && n->type != AIT_J_NUMBER)
        return;
    if (saying < 0 && (g->looked[r / 64] >> (r % 64) & 1))
        return;
    if (m->leaves == AIT_MOULD_LEAVES || is_key(j, n))
        return;
    *leaf = (ait_leaf){.off = (uint16_t)n->off, .len = (uint16_t)n->len,
                       .saying = (int8_t)saying,
                       .number = n->type == AIT_J_NUMBER,
                       .hole = saying >= 0};
    m->leaves++;
}

/* Two sayings by one value would need two holes in one place; a value that
 * found no place among the leaves could never change. */
static bool all_placed(const ait_mould *m, const ait_glance *g)
{
    int placed = 0, wanted = 0;

    for (int i = 0; i < m->leaves; i++)
        placed += m->leaf[i].saying >= 0;
    for (int i = 0; i < g->says; i++)
        wanted += g->said[i].by != AIT_JNONE;
    return placed == wanted && wanted > 0;
}

static bool keep_text(ait_mould *m, const ait_json *j)
{
    if (m->cap < j->len) {
        char *text = ait_realloc(m->text, j->len);

        if (!text)
            return false;
        m->text = text;
        m->cap = (uint16_t)j->len;
    }
    memcpy(m->text, j->text, j->len);
    m->len = (uint16_t)j->len;
    return true;
}

/* Making moulds that nothing fits costs: then it is done less often. */
static bool worth_it(ait_mould *m)
{
    if (m->fitted)
        m->idle = 0;
    else if (m->idle < IDLE_MAX + IDLE_STEP)
        m->idle++;
    else
        m->idle = IDLE_MAX;
    return m->idle <= IDLE_MAX;
}

bool ait_mould_make(ait_mould *m, const ait_json *j, const ait_glance *g,
                    const char *name, size_t name_len)
{
    if (m->widened) {
        m->widened = false;
        return true;
    }
    if (g->more || g->says == 0 || j->count > AIT_MOULD_NODES ||
        j->len > AIT_MOULD_BYTES || name_len > AIT_MOULD_NAME ||
        j->duplicates || !worth_it(m))
        return true;
    m->leaves = 0;
    m->fitted = false;
    if (!keep_text(m, j))
        return false;
    for (ait_jref r = 0; r < j->count; r++)
        add_leaf(m, j, g, r);
    if (!all_placed(m, g))
        m->len = 0; /* fits nothing */
    m->says = g->says;
    memcpy(m->said, g->said, sizeof m->said);
    m->name_len = (uint8_t)name_len;
    if (name_len)
        memcpy(m->name, name, name_len);
    return true;
}

/* ---- fitting ----------------------------------------------------------- */

/* The bytes at `at` of the mould differ: the value they belong to becomes a
 * hole, if nothing looks at it. */
static void widen(ait_mould *m, size_t at)
{
    for (int i = 0; i < m->leaves; i++) {
        ait_leaf *leaf = &m->leaf[i];

        if (leaf->hole || at < leaf->off || at > (size_t)leaf->off + leaf->len)
            continue;
        leaf->hole = m->widened = true;
        return;
    }
}

/* Compares the mould's bytes [from, to); false where the event differs. */
static bool same(ait_mould *m, size_t from, size_t to, const char *p,
                 const char *end)
{
    size_t n = to - from, left = (size_t)(end - p), i = 0;

    if (left >= n && memcmp(p, m->text + from, n) == 0)
        return true;
    while (i < n && i < left && p[i] == m->text[from + i])
        i++;
    if (i < n)
        widen(m, from + i);
    return false;
}

static const char *skip_integer(const char *p, const char *end)
{
    const char *digits = p += p < end && *p == '-';

    while (p < end && *p >= '0' && *p <= '9')
        p++;
    if (p == digits || (*digits == '0' && p - digits > 1))
        return NULL;
    return p;
}

/* The value at p, up to its end; NULL where it is none of the kind. */
static const char *take(const ait_leaf *leaf, const char *p, const char *end,
                        ait_fill *f)
{
    const char *to;

    f->p = p;
    f->escaped = false;
    if (leaf->number) {
        to = skip_integer(p, end);
    } else {
        to = ait_json_string_end(p, end, &f->escaped);
        to = to ? to - 1 : NULL;
    }
    f->len = to ? (size_t)(to - p) : 0;
    return to;
}

bool ait_mould_fits(ait_mould *m, const char *name, size_t name_len,
                    const char *text, size_t n, ait_fill *fill)
{
    const char *p = text, *end = text + n;
    size_t at = 0;
    ait_fill unused;

    if (m->len == 0 || name_len != m->name_len ||
        (name_len && memcmp(name, m->name, name_len) != 0))
        return false;
    for (int i = 0; i < m->leaves; i++) {
        const ait_leaf *leaf = &m->leaf[i];

        if (!leaf->hole)
            continue;
        if (!same(m, at, leaf->off, p, end))
            return false;
        p += leaf->off - at;
        p = take(leaf, p, end, leaf->saying < 0 ? &unused
                                                : &fill[leaf->saying]);
        if (!p)
            return false;
        at = (size_t)leaf->off + leaf->len;
    }
    if (!same(m, at, m->len, p, end) || (size_t)(end - p) != m->len - at)
        return false;
    m->fitted = true;
    return true;
}
