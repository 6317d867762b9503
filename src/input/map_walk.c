/*
 * Places of a mapping as a tree of keys, and the walk over one object that
 * fills them all in a single pass.
 */
#include <stdlib.h>
#include <string.h>

#include "input/map.h"

/* Pointers come checked: none has more than this. */
enum { TOKEN_MAX = AIT_MAP_TOKEN + 1, INDEX_MAX = 16 };

typedef struct branch {
    ait_keys keys; /* index: child */
    ait_map_node *child[AIT_KEYS_MAX];
} branch;

struct ait_map_node {
    branch *below;     /* NULL: no named child */
    ait_map_node *any; /* '*' */
    int slot;          /* -1: not asked for itself */
    bool embedded;     /* a string here is JSON */
    bool pairs;        /* a list of {"key": …, "value": {…: …}} */
};

/* ---- pointers -------------------------------------------------------- */

/* The next token of a pointer, unescaped; false at the end. */
static bool next_token(const char **p, char *token)
{
    size_t n = 0;

    if (**p != '/')
        return false;
    for ((*p)++; **p && **p != '/' && n < TOKEN_MAX - 1; (*p)++) {
        char c = **p;

        if (c == '~' && ((*p)[1] == '0' || (*p)[1] == '1')) {
            c = (*p)[1] == '0' ? '~' : '/';
            (*p)++;
        }
        token[n++] = c;
    }
    token[n] = '\0';
    return true;
}

/* Members or elements of r, all of them. */
static bool each_below(ait_json *j, ait_jref r, const char *pointer,
                       ait_map_each_fn *fn, void *ctx)
{
    bool object = ait_json_type(j, r) == AIT_J_OBJECT;
    ait_jref c;

    for (c = ait_json_first(j, r); c != AIT_JNONE; c = ait_json_next(j, r, c))
        if (ait_map_each(j, object ? c + 1 : c, pointer, fn, ctx))
            return true;
    return false;
}

bool ait_map_each(ait_json *j, ait_jref r, const char *pointer,
                  ait_map_each_fn *fn, void *ctx)
{
    char token[TOKEN_MAX];

    while (r != AIT_JNONE && next_token(&pointer, token)) {
        if (strcmp(token, "*") == 0)
            return each_below(j, r, pointer, fn, ctx);
        if (ait_json_type(j, r) == AIT_J_ARRAY) {
            char one[TOKEN_MAX + 1] = "/";

            strcat(one, token);
            r = ait_json_at(j, r, one);
        } else {
            r = ait_json_get(j, r, token);
        }
    }
    return r != AIT_JNONE && fn(ctx, j, r);
}

static bool take_first(void *ctx, ait_json *j, ait_jref r)
{
    (void)j;
    *(ait_jref *)ctx = r;
    return true;
}

ait_jref ait_map_find(ait_json *j, ait_jref r, const char *pointer)
{
    ait_jref found = AIT_JNONE;

    ait_map_each(j, r, pointer, take_first, &found);
    return found;
}

/* ---- the tree -------------------------------------------------------- */

static ait_map_node *new_node(ait_map *m)
{
    ait_map_node *n = ait_arena_alloc(&m->arena, sizeof *n);

    if (n)
        n->slot = -1;
    return n;
}

/* The child of that name, made where it is not there. */
static ait_map_node *child_of(ait_map *m, ait_map_node *n, const char *name)
{
    const char *kept;
    int i;

    if (strcmp(name, "*") == 0) {
        if (!n->any)
            n->any = new_node(m);
        return n->any;
    }
    if (!n->below)
        n->below = ait_arena_alloc(&m->arena, sizeof *n->below);
    if (!n->below)
        return NULL;
    i = ait_keys_find(&n->below->keys, name, strlen(name));
    if (i >= 0)
        return n->below->child[i];
    kept = ait_arena_strdup(&m->arena, name);
    if (!kept || !ait_keys_add(&n->below->keys, kept))
        return NULL;
    return n->below->child[n->below->keys.count - 1] = new_node(m);
}

static ait_map_node *node_at(ait_map *m, const char *pointer)
{
    ait_map_node *n;
    char token[TOKEN_MAX];

    if (!m->root)
        m->root = new_node(m);
    n = m->root;
    while (n && next_token(&pointer, token))
        n = child_of(m, n, token);
    return n;
}

static int slot_of(ait_map *m, ait_map_node *n)
{
    if (!n || (n->slot < 0 && m->slots == AIT_MAP_SLOTS))
        return -1;
    if (n->slot < 0)
        n->slot = m->slots++;
    return n->slot;
}

int ait_map_place(ait_map *m, const char *pointer)
{
    return slot_of(m, node_at(m, pointer));
}

int ait_map_attribute(ait_map *m, const char *key)
{
    ait_map_node *n = m->attributes ? node_at(m, m->attributes) : NULL;

    if (!n)
        return -1;
    n->pairs = true;
    return slot_of(m, child_of(m, n, key));
}

bool ait_map_embedded(ait_map *m, const char *pointer)
{
    ait_map_node *n = node_at(m, pointer);

    if (n)
        n->embedded = true;
    return n != NULL;
}

/* ---- the walk -------------------------------------------------------- */

static bool visit(ait_map_walk *w, const ait_map_node *n, const ait_json *j,
                  ait_jref r, bool any);

/* Under '*' the first value counts, else the last. */
static void fill_slot(ait_map_walk *w, int slot, const ait_json *j, ait_jref r,
                      bool any)
{
    ait_map_value *v = &w->value[slot];

    if (v->ref != AIT_JNONE) {
        if (any && ait_json_type(v->json, v->ref) != AIT_J_NULL)
            return;
        w->duplicates += !any;
    }
    v->json = j;
    v->ref = r;
}

/* The child of that name; NULL: none. */
static const ait_map_node *child_named(const ait_map_node *n, const char *s,
                                       size_t len)
{
    int i = n->below ? ait_keys_find(&n->below->keys, s, len) : -1;

    return i >= 0 ? n->below->child[i] : NULL;
}

static const ait_map_node *child_by_key(ait_map_walk *w, const ait_map_node *n,
                                        const ait_json *j, ait_jref key)
{
    const ait_jnode *k = &j->node[key];
    size_t at = w->scratch.len;

    if (!k->escaped)
        return child_named(n, j->text + k->off, k->len);
    if (!ait_json_text(j, key, &w->scratch))
        return NULL;
    return child_named(n, w->scratch.data + at, w->scratch.len - at);
}

static bool visit_members(ait_map_walk *w, const ait_map_node *n,
                          const ait_json *j, ait_jref r, bool any)
{
    ait_jref k;

    for (k = ait_json_first(j, r); k != AIT_JNONE;
         k = ait_json_next(j, r, k)) {
        const ait_map_node *child = child_by_key(w, n, j, k);

        if (child && !visit(w, child, j, k + 1, any))
            return false;
        if (n->any && !visit(w, n->any, j, k + 1, true))
            return false;
    }
    return true;
}

static bool visit_elements(ait_map_walk *w, const ait_map_node *n,
                           const ait_json *j, ait_jref r, bool any)
{
    const ait_map_node *child;
    char name[4];
    ait_jref e;
    int i = 0;

    for (e = ait_json_first(j, r); e != AIT_JNONE && i < INDEX_MAX;
         e = ait_json_next(j, r, e), i++) {
        int len = 0;

        if (i >= 10)
            name[len++] = (char)('0' + i / 10);
        name[len++] = (char)('0' + i % 10);
        child = child_named(n, name, (size_t)len);
        if (child && !visit(w, child, j, e, any))
            return false;
        if (n->any && !visit(w, n->any, j, e, true))
            return false;
    }
    return true;
}

/* The value inside {"stringValue": …}; of a list of such the first. */
static ait_jref pair_value(const ait_json *j, ait_jref r)
{
    int depth;

    for (depth = 0; depth < 6; depth++) {
        ait_jtype type = ait_json_type(j, r);

        if (type != AIT_J_OBJECT && type != AIT_J_ARRAY)
            return r;
        r = ait_json_first(j, r);
        if (r != AIT_JNONE && type == AIT_J_OBJECT)
            r++;
    }
    return AIT_JNONE;
}

static bool visit_pairs(ait_map_walk *w, const ait_map_node *n,
                        const ait_json *j, ait_jref r)
{
    static const char *const names[] = {"key", "value"};
    ait_jref e;

    for (e = ait_json_first(j, r); e != AIT_JNONE;
         e = ait_json_next(j, r, e)) {
        const ait_map_node *child;
        ait_jref at[2], value;

        /* looking up only counts duplicates in the tape's head */
        ait_json_pick((ait_json *)(uintptr_t)j, e, names, 2, at);
        value = pair_value(j, at[1]);
        if (ait_json_type(j, at[0]) != AIT_J_STRING || value == AIT_JNONE)
            continue;
        child = child_by_key(w, n, j, at[0]);
        if (child && !visit(w, child, j, value, false))
            return false;
    }
    return true;
}

/* A string that is JSON: parsed beside, the walk goes on inside. What is no
 * JSON stays the string it is. */
static bool enter_embedded(ait_map_walk *w, const ait_json **j, ait_jref *r)
{
    int k = w->embedded_used;

    if (ait_json_type(*j, *r) != AIT_J_STRING || k == AIT_MAP_EMBEDDED)
        return true;
    ait_buf_clear(&w->text[k]);
    if (!ait_json_text(*j, *r, &w->text[k]))
        return false;
    if (!ait_json_parse(&w->embedded[k], w->text[k].data, w->text[k].len))
        return !w->embedded[k].out_of_memory ||
               w->embedded[k].count == w->embedded[k].max_nodes;
    w->embedded_used++;
    *j = &w->embedded[k];
    *r = AIT_JROOT;
    return true;
}

static bool visit(ait_map_walk *w, const ait_map_node *n, const ait_json *j,
                  ait_jref r, bool any)
{
    ait_jtype type;

    if (n->embedded && !enter_embedded(w, &j, &r))
        return false;
    if (n->slot >= 0)
        fill_slot(w, n->slot, j, r, any);
    if (!n->below && !n->any)
        return true;
    type = ait_json_type(j, r);
    if (n->pairs && type == AIT_J_ARRAY)
        return visit_pairs(w, n, j, r);
    if (type == AIT_J_OBJECT)
        return visit_members(w, n, j, r, any);
    return type != AIT_J_ARRAY || visit_elements(w, n, j, r, any);
}

void ait_map_walk_init(ait_map_walk *w, const ait_map *m)
{
    int i;

    memset(w, 0, sizeof *w);
    w->map = m;
    ait_buf_init(&w->scratch, AIT_LINE_MAX);
    for (i = 0; i < AIT_MAP_EMBEDDED; i++) {
        ait_json_init(&w->embedded[i], 1u << 20);
        ait_buf_init(&w->text[i], AIT_LINE_MAX);
    }
}

void ait_map_walk_free(ait_map_walk *w)
{
    int i;

    ait_buf_free(&w->scratch);
    for (i = 0; i < AIT_MAP_EMBEDDED; i++) {
        ait_json_free(&w->embedded[i]);
        ait_buf_free(&w->text[i]);
    }
}

bool ait_map_walk_object(ait_map_walk *w, const ait_json *j, ait_jref r)
{
    int i;

    for (i = 0; i < w->map->slots; i++)
        w->value[i].ref = AIT_JNONE;
    w->row++;
    w->embedded_used = 0;
    w->duplicates = 0;
    ait_buf_clear(&w->scratch);
    return !w->map->root || visit(w, w->map->root, j, r, false);
}
