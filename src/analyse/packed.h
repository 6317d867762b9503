#ifndef AIT_ANALYSE_PACKED_H
#define AIT_ANALYSE_PACKED_H
/*
 * Private to analyse: lists that are only appended to and walked, in few
 * bytes an item. An item never lies across two blocks, so it is written and
 * read through a plain pointer.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in use by everything that was given the same pool. */
typedef struct ait_pool {
    size_t used;
} ait_pool;
/* Zeroed; NULL: out of memory. */
void *ait_pool_alloc(ait_pool *p, size_t size);
void ait_pool_free(ait_pool *p, void *what, size_t size);

typedef struct ait_packblock {
    struct ait_packblock *next;
    size_t size, used; /* used: known when another block follows */
    uint8_t bytes[];
} ait_packblock;

typedef struct ait_packed { /* all zero: empty */
    ait_packblock *first, *last;
    uint8_t *at; /* where the next item goes */
    size_t left; /* bytes from there to the end of its block */
} ait_packed;

/* Adds a block with room for `most` bytes; false: out of memory. */
bool ait_packed_grow(ait_packed *l, ait_pool *p, size_t most);
void ait_packed_free(ait_packed *l, ait_pool *p);

/* Where the next item goes, with room for `most` bytes; NULL: out of
 * memory. */
static inline uint8_t *ait_packed_room(ait_packed *l, ait_pool *p,
                                       size_t most)
{
    if (l->left < most && !ait_packed_grow(l, p, most))
        return NULL;
    return l->at;
}

/* The item was written up to here. */
static inline void ait_packed_put(ait_packed *l, uint8_t *end)
{
    l->left -= (size_t)(end - l->at);
    l->at = end;
}

typedef struct ait_packcursor {
    const ait_packed *list;
    const ait_packblock *block; /* the one after that of `at` */
    const uint8_t *at; /* of the next item; the reader moves it on */
    const uint8_t *end;
} ait_packcursor;

static inline ait_packcursor ait_packed_walk(const ait_packed *l)
{
    return (ait_packcursor){l, l->first, NULL, NULL};
}

/* Is there an item at c->at? Blocks are never empty. */
static inline bool ait_packed_more(ait_packcursor *c)
{
    if (c->at == c->end && c->block) {
        c->at = c->block->bytes;
        c->end = c->block->next ? c->at + c->block->used : c->list->at;
        c->block = c->block->next;
    }
    return c->at != c->end;
}

/* Unsigned numbers, seven bits a byte; at most 10 bytes. */
static inline uint8_t *ait_pack(uint8_t *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    return p;
}

static inline const uint8_t *ait_unpack(const uint8_t *p, uint64_t *v)
{
    uint64_t got = *p & 0x7f;

    for (int shift = 7; *p++ & 0x80; shift += 7)
        got |= (uint64_t)(*p & 0x7f) << shift;
    *v = got;
    return p;
}

#endif
