#include "analyse/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    PARTS = 256,
    OCTAVES = 56,      /* pages of the root: 0 to 255, then powers of two */
    FEW = 256,         /* distinct values that a root keeps … */
    FEW_BELOW = 1024,  /* … and any other node */
    SLOTS_FIRST = 16
};

/* A distinct value. Counts and first request by "completed". */
typedef struct entry {
    int64_t value;
    uint32_t count[2];
    uint32_t first[2];
} entry;

typedef struct page {
    uint32_t count[PARTS][2];
} page;

/*
 * Values low … low + 2^bits - 1; the root (bits 63) covers all. `slot` is a
 * hash table until `pages` takes over; sorted and dense after the pass.
 */
typedef struct ait_node {
    int64_t low;
    int bits;
    entry *slot;
    uint32_t used, slots;
    page **pages;
} ait_node;

/* ---- memory ------------------------------------------------------------ */

static bool is_root(const ait_node *n)
{
    return n->bits == 63;
}

static int page_count(const ait_node *n)
{
    return is_root(n) ? OCTAVES : 1;
}

static ait_node *node_new(ait_pool *p, int64_t low, int bits)
{
    ait_node *n = ait_pool_alloc(p, sizeof *n);

    if (!n)
        return NULL;
    n->low = low;
    n->bits = bits;
    return n;
}

static void node_free(ait_pool *p, ait_node *n)
{
    if (!n)
        return;
    ait_pool_free(p, n->slot, n->slots * sizeof *n->slot);
    for (int i = 0; n->pages && i < page_count(n); i++)
        ait_pool_free(p, n->pages[i], sizeof(page));
    ait_pool_free(p, n->pages, (size_t)page_count(n) * sizeof *n->pages);
    ait_pool_free(p, n, sizeof *n);
}

static void free_nodes(ait_select *s)
{
    for (int i = 0; i < s->nodes; i++)
        node_free(s->pool, s->node[i]);
    ait_pool_free(s->pool, s->node, (size_t)s->nodes * sizeof *s->node);
    ait_pool_free(s->pool, s->low, (size_t)s->nodes * sizeof *s->low);
    s->node = NULL;
    s->low = NULL;
    s->nodes = 0;
}

static int by_low(const void *a, const void *b)
{
    int64_t x = (*(ait_node *const *)a)->low;
    int64_t y = (*(ait_node *const *)b)->low;

    return (x > y) - (x < y);
}

/* Takes over the nodes of a pass; on failure they are freed. */
static bool set_nodes(ait_select *s, ait_node **node, int n)
{
    ait_node **own = NULL;
    int64_t *low = NULL;

    if (n == 0)
        return true;
    own = ait_pool_alloc(s->pool, (size_t)n * sizeof *own);
    low = ait_pool_alloc(s->pool, (size_t)n * sizeof *low);
    if (!own || !low) {
        for (int i = 0; i < n; i++)
            node_free(s->pool, node[i]);
        ait_pool_free(s->pool, own, (size_t)n * sizeof *own);
        ait_pool_free(s->pool, low, (size_t)n * sizeof *low);
        return false;
    }
    qsort(node, (size_t)n, sizeof *node, by_low);
    for (int i = 0; i < n; i++) {
        own[i] = node[i];
        low[i] = node[i]->low;
    }
    s->node = own;
    s->low = low;
    s->nodes = n;
    return true;
}

/* ---- parts of a range -------------------------------------------------- */

/* The root's parts: 256 to an octave, from 256 on; the page in the higher
 * bits. The nine highest bits of a value are those of its page and part. */
static inline unsigned root_part(int64_t v)
{
    unsigned top = 63 ^ (unsigned)__builtin_clzll((uint64_t)v | PARTS);

    return (top - 8) * PARTS + (unsigned)(v >> (top - 8));
}

/* Where a value is counted: page * PARTS + part. */
static unsigned part_of(const ait_node *n, int64_t v)
{
    if (is_root(n))
        return root_part(v);
    return (unsigned)((v - n->low) >> (n->bits > 8 ? n->bits - 8 : 0));
}

/* The range that a part covers. */
static void range_of(const ait_node *n, int at, int part, int64_t *low,
                     int *bits)
{
    if (!is_root(n)) {
        *bits = n->bits > 8 ? n->bits - 8 : 0;
        *low = n->low + ((int64_t)part << *bits);
        return;
    }
    *bits = at > 0 ? at - 1 : 0;
    *low = at > 0 ? ((int64_t)(PARTS + part) << *bits) : part;
}

/* ---- feeding ----------------------------------------------------------- */

static inline bool is_used(const entry *e)
{
    return e->count[0] + e->count[1] > 0;
}

static uint32_t slot_of(const ait_node *n, int64_t value)
{
    uint64_t hash = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(hash >> 32) & (n->slots - 1);
}

static entry *find_slot(const ait_node *n, int64_t value)
{
    uint32_t i = slot_of(n, value);

    while (is_used(&n->slot[i]) && n->slot[i].value != value)
        i = (i + 1) & (n->slots - 1);
    return &n->slot[i];
}

static bool more_slots(ait_pool *p, ait_node *n)
{
    ait_node old = *n;

    n->slots = old.slots ? old.slots * 2 : SLOTS_FIRST;
    n->slot = ait_pool_alloc(p, n->slots * sizeof *n->slot);
    if (!n->slot) {
        *n = old;
        return false;
    }
    for (uint32_t i = 0; i < old.slots; i++)
        if (is_used(&old.slot[i]))
            *find_slot(n, old.slot[i].value) = old.slot[i];
    ait_pool_free(p, old.slot, old.slots * sizeof *old.slot);
    return true;
}

/* The two counters of a value's part; NULL: out of memory. */
static inline uint32_t *part_counts(ait_pool *p, ait_node *n, int64_t value)
{
    unsigned part = part_of(n, value);
    page **at = &n->pages[part / PARTS];

    if (!*at)
        *at = ait_pool_alloc(p, sizeof(page));
    return *at ? (*at)->count[part % PARTS] : NULL;
}

static bool count_entry_parts(ait_pool *p, ait_node *n, const entry *e)
{
    uint32_t *count = part_counts(p, n, e->value);

    if (!count)
        return false;
    count[0] += e->count[0];
    count[1] += e->count[1];
    return true;
}

/* Too many distinct values: from here on parts are counted. */
static bool to_pages(ait_pool *p, ait_node *n)
{
    bool ok;

    n->pages = ait_pool_alloc(p, (size_t)page_count(n) * sizeof *n->pages);
    ok = n->pages != NULL;
    for (uint32_t i = 0; ok && i < n->slots; i++)
        if (is_used(&n->slot[i]))
            ok = count_entry_parts(p, n, &n->slot[i]);
    ait_pool_free(p, n->slot, n->slots * sizeof *n->slot);
    n->slot = NULL;
    n->slots = n->used = 0;
    return ok;
}

static inline void count_entry(entry *e, uint32_t tag)
{
    if (e->count[tag & 1]++ == 0)
        e->first[tag & 1] = tag >> 1;
}

/* A value that is not in the table: into it, or into the parts once the table
 * is full. */
static bool node_new_value(ait_pool *p, ait_node *n, int64_t value,
                           uint32_t tag)
{
    uint32_t few = is_root(n) ? FEW : FEW_BELOW;
    uint32_t *count;
    entry *e;

    if (!n->pages && n->used * 2 >= n->slots &&
        (n->used < few ? !more_slots(p, n) : !to_pages(p, n)))
        return false;
    if (n->pages) {
        count = part_counts(p, n, value);
        if (count)
            count[tag & 1]++;
        return count != NULL;
    }
    e = find_slot(n, value);
    *e = (entry){value, {0, 0}, {AIT_NO_REQUEST, AIT_NO_REQUEST}};
    n->used++;
    count_entry(e, tag);
    return true;
}

static inline bool node_add(ait_pool *p, ait_node *n, int64_t value,
                            uint32_t tag)
{
    entry *e = n->slots ? find_slot(n, value) : NULL;

    if (!e || !is_used(e))
        return node_new_value(p, n, value, tag);
    count_entry(e, tag);
    return true;
}

ait_select *ait_select_new(ait_pool *pool)
{
    ait_select *s = ait_pool_alloc(pool, sizeof *s);
    ait_node *root;

    if (!s)
        return NULL;
    s->pool = pool;
    root = node_new(pool, 0, 63);
    if (root && set_nodes(s, &root, 1))
        return s;
    ait_select_free(s);
    return NULL;
}

void ait_select_free(ait_select *s)
{
    ait_pool *p;

    if (!s)
        return;
    p = s->pool;
    free_nodes(s);
    ait_pool_free(p, s->near, OCTAVES * PARTS / 8);
    ait_pool_free(p, s->target, (size_t)s->targets * sizeof *s->target);
    ait_pool_free(p, s, sizeof *s);
}

/* The first pass: nearly all go into the parts of the root. */
static inline bool root_add(ait_pool *p, ait_node *root, int64_t value,
                            uint32_t tag)
{
    unsigned part = root_part(value);
    page *at = root->pages ? root->pages[part / PARTS] : NULL;

    if (!at)
        return node_add(p, root, value, tag);
    at->count[part % PARTS][tag & 1]++;
    return true;
}

/* One of the nodes of a later pass, perhaps. */
static bool near_add(ait_select *s, int64_t value, uint32_t tag)
{
    ait_node *n;
    int at = 0;

    for (int i = 0; i < s->nodes; i++)
        at += s->low[i] <= value;
    if (at == 0)
        return true;
    n = s->node[at - 1];
    if ((value - n->low) >> n->bits)
        return true;
    return node_add(s->pool, n, value, tag);
}

/* Nearly always no wanted rank is near. */
static inline bool is_near(const ait_select *s, int64_t value)
{
    unsigned part = root_part(value);

    return s->near[part / 8] >> (part % 8) & 1;
}

bool ait_select_add(ait_select *s, int64_t value, uint32_t tag)
{
    if (!s->near)
        return root_add(s->pool, s->node[0], value, tag);
    return !is_near(s, value) || near_add(s, value, tag);
}

bool ait_select_column(ait_select *s, const ait_column *c,
                       const uint32_t *roll)
{
    ait_colcursor at = ait_column_walk(c, roll);
    bool ok = true;

    if (s->near)
        while (ok && ait_column_next(&at))
            ok = !is_near(s, at.value) || near_add(s, at.value, at.tag);
    else
        while (ok && ait_column_next(&at))
            ok = root_add(s->pool, s->node[0], at.value, at.tag);
    return ok;
}

/* ---- searching --------------------------------------------------------- */

static int64_t members(const uint32_t count[2], ait_population population)
{
    return population == AIT_POP_ALL ? (int64_t)count[0] + count[1]
                                     : count[1];
}

static uint32_t first_of(const entry *e, ait_population population)
{
    if (population == AIT_POP_COMPLETED || e->first[1] < e->first[0])
        return e->first[1];
    return e->first[0];
}

static int by_value(const void *a, const void *b)
{
    int64_t x = ((const entry *)a)->value, y = ((const entry *)b)->value;

    return (x > y) - (x < y);
}

/* The table's values in order; nothing is added afterwards. */
static void sort_node(ait_node *n)
{
    uint32_t used = 0;

    if (n->pages || !n->slot)
        return;
    for (uint32_t i = 0; i < n->slots; i++)
        if (is_used(&n->slot[i]))
            n->slot[used++] = n->slot[i];
    qsort(n->slot, used, sizeof *n->slot, by_value);
}

static void find_in_entries(const ait_node *n, ait_target *t)
{
    int64_t below = 0;

    for (uint32_t i = 0; i < n->used && !t->found; i++) {
        const entry *e = &n->slot[i];
        below += members(e->count, t->population);
        if (below < t->rest)
            continue;
        t->found = true;
        t->value = e->value;
        t->request = first_of(e, t->population);
    }
}

/* The part that holds the rank; t->rest becomes the rank in the part. */
static bool find_part(const ait_node *n, ait_target *t, int *at, int *part)
{
    for (*at = 0; *at < page_count(n); ++*at)
        for (*part = 0; n->pages[*at] && *part < PARTS; ++*part) {
            int64_t here = members(n->pages[*at]->count[*part],
                                   t->population);
            if (t->rest <= here)
                return true;
            t->rest -= here;
        }
    return false; /* fewer values came than in the pass before */
}

/* Marks the root's parts that hold a node. */
static bool mark_near(ait_select *s)
{
    const size_t size = OCTAVES * PARTS / 8;

    if (s->nodes == 0)
        return true;
    if (!s->near)
        s->near = ait_pool_alloc(s->pool, size);
    if (!s->near)
        return false;
    memset(s->near, 0, size);
    for (int i = 0; i < s->nodes; i++) {
        unsigned part = root_part(s->low[i]);
        s->near[part / 8] |= (uint8_t)(1 << part % 8);
    }
    return true;
}

/* The node of the next pass for a range, made where it is not there yet. */
static ait_node *next_node(ait_select *s, ait_node **next, int *n,
                           int64_t low, int bits)
{
    for (int i = 0; i < *n; i++)
        if (next[i]->low == low && next[i]->bits == bits)
            return next[i];
    next[*n] = node_new(s->pool, low, bits);
    return next[*n] ? next[(*n)++] : NULL;
}

static bool descend(ait_select *s, ait_target *t, ait_node **next, int *n)
{
    int at, part, bits;
    int64_t low;

    if (!t->node->pages) {
        find_in_entries(t->node, t);
        t->node = NULL;
        return true;
    }
    if (!find_part(t->node, t, &at, &part)) {
        t->node = NULL;
        return true;
    }
    range_of(t->node, at, part, &low, &bits);
    t->node = next_node(s, next, n, low, bits);
    return t->node != NULL;
}

bool ait_select_ask(ait_select *s, const ait_target *target, int n)
{
    s->target = ait_pool_alloc(s->pool, (size_t)n * sizeof *s->target);
    if (!s->target)
        return false;
    s->targets = n;
    for (int i = 0; i < n; i++) {
        s->target[i] = target[i];
        s->target[i].found = false;
        s->target[i].request = AIT_NO_REQUEST;
        s->target[i].rest = target[i].rank;
        s->target[i].node = target[i].rank > 0 ? s->node[0] : NULL;
    }
    return true;
}

bool ait_select_step(ait_select *s, bool *again)
{
    ait_node **next;
    bool ok = true;
    int n = 0;

    *again = false;
    if (s->targets == 0)
        return true;
    next = ait_alloc((size_t)s->targets * sizeof *next);
    if (!next)
        return false;
    for (int i = 0; i < s->nodes; i++)
        sort_node(s->node[i]);
    for (int i = 0; ok && i < s->targets; i++)
        if (s->target[i].node)
            ok = descend(s, &s->target[i], next, &n);
    free_nodes(s);
    ok = set_nodes(s, next, n) && mark_near(s) && ok;
    *again = n > 0;
    free(next);
    return ok;
}
