#include "analyse/packed.h"

#include <stdlib.h>

#include "base/mem.h"

enum { BLOCK_FIRST = 128, BLOCK_MOST = 64 << 10 };

void *ait_pool_alloc(ait_pool *p, size_t size)
{
    void *new = ait_alloc(size);

    if (new)
        p->used += size;
    return new;
}

void ait_pool_free(ait_pool *p, void *what, size_t size)
{
    if (what)
        p->used -= size;
    free(what);
}

/* Blocks double, so that many short lists waste little. */
bool ait_packed_grow(ait_packed *l, ait_pool *p, size_t most)
{
    size_t size = l->last ? l->last->size * 2 : BLOCK_FIRST;
    ait_packblock *b;

    size = size > BLOCK_MOST ? BLOCK_MOST : size;
    size = size < most ? most : size;
    b = ait_pool_alloc(p, sizeof *b + size);
    if (!b)
        return false;
    b->size = size;
    if (l->last) {
        l->last->used = l->last->size - l->left;
        l->last->next = b;
    } else {
        l->first = b;
    }
    l->last = b;
    l->at = b->bytes;
    l->left = size;
    return true;
}

void ait_packed_free(ait_packed *l, ait_pool *p)
{
    ait_packblock *next;

    for (ait_packblock *b = l->first; b; b = next) {
        next = b->next;
        ait_pool_free(p, b, sizeof *b + b->size);
    }
    *l = (ait_packed){.first = NULL};
}
