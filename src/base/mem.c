#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- allocation with the test hook ------------------------------------- */

static long fail_in; /* 0: off; 1: the next allocation fails, and all after */

void ait_mem_fail_after(long n)
{
    fail_in = n > 0 ? n : 0;
}

static bool told_to_fail(void)
{
    if (fail_in == 0)
        return false;
    if (fail_in == 1)
        return true;
    fail_in--;
    return false;
}

void *ait_alloc(size_t size)
{
    return told_to_fail() ? NULL : calloc(1, size ? size : 1);
}

void *ait_realloc(void *p, size_t size)
{
    return told_to_fail() ? NULL : realloc(p, size ? size : 1);
}

enum { PAGE = 4096 };

void *ait_alloc_pages(size_t size)
{
    void *p = NULL;

    if (told_to_fail() || posix_memalign(&p, PAGE, size ? size : 1) != 0)
        return NULL;
    return p;
}

/* ---- buffer ------------------------------------------------------------ */

enum { BUF_FIRST = 64 };

void ait_buf_init(ait_buf *b, size_t max)
{
    /* One byte is the terminator's. */
    *b = (ait_buf){.max = max < SIZE_MAX ? max : SIZE_MAX - 1};
}

void ait_buf_free(ait_buf *b)
{
    free(b->data);
    *b = (ait_buf){.max = b->max};
}

void ait_buf_clear(ait_buf *b)
{
    b->len = 0;
    if (b->data)
        b->data[0] = '\0';
}

void ait_buf_trim(ait_buf *b)
{
    char *data = b->data ? realloc(b->data, b->len + 1) : NULL;

    if (!data)
        return; /* nothing to give back, or it stays as it was */
    b->data = data;
    b->cap = b->len + 1;
}

/* Doubles, so that adding is linear over all; never beyond max and its
 * terminator. */
static bool buf_grow(ait_buf *b, size_t need)
{
    size_t cap = b->cap ? b->cap : BUF_FIRST;
    char *data;

    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    if (cap - 1 > b->max)
        cap = b->max + 1;
    data = ait_realloc(b->data, cap);
    if (!data)
        return false;
    if (!b->data)
        data[0] = '\0';
    b->data = data;
    b->cap = cap;
    return true;
}

bool ait_buf_reserve(ait_buf *b, size_t more)
{
    if (more < b->cap - b->len)
        return true;
    if (b->len > b->max || more > b->max - b->len)
        return false;
    return buf_grow(b, b->len + more + 1);
}

bool ait_buf_add(ait_buf *b, const void *bytes, size_t n)
{
    if (!ait_buf_reserve(b, n))
        return false;
    if (n)
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
    b->data[b->len] = '\0';
    return true;
}

bool ait_buf_addc(ait_buf *b, char c)
{
    return ait_buf_add(b, &c, 1);
}

bool ait_buf_adds(ait_buf *b, const char *text)
{
    return ait_buf_add(b, text, strlen(text));
}

bool ait_buf_addf(ait_buf *b, const char *fmt, ...)
{
    va_list args, again;
    bool ok = false;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    if (n >= 0 && ait_buf_reserve(b, (size_t)n)) {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
        ok = true;
    }
    va_end(again);
    va_end(args);
    return ok;
}

/* ---- variable-length integers ------------------------------------------ */

enum { VARINT_MAX = 10 }; /* 64 bits in groups of 7 */

bool ait_buf_add_varint(ait_buf *b, uint64_t v)
{
    unsigned char tmp[VARINT_MAX];
    size_t n = 0;

    while (v >= 0x80) {
        tmp[n++] = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    tmp[n++] = (unsigned char)v;
    return ait_buf_add(b, tmp, n);
}

bool ait_buf_add_svarint(ait_buf *b, int64_t v)
{
    uint64_t u = (uint64_t)v;

    return ait_buf_add_varint(b, (u << 1) ^ (v < 0 ? UINT64_MAX : 0));
}

bool ait_varint(const uint8_t **at, const uint8_t *end, uint64_t *v)
{
    const uint8_t *p = *at;
    uint64_t sum = 0;

    for (unsigned shift = 0; shift < 7 * VARINT_MAX && p < end; shift += 7) {
        uint8_t c = *p++;
        if (shift == 63 && c > 1)
            return false; /* more than 64 bits */
        sum |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) {
            *at = p;
            *v = sum;
            return true;
        }
    }
    return false;
}

bool ait_svarint(const uint8_t **at, const uint8_t *end, int64_t *v)
{
    uint64_t u;

    if (!ait_varint(at, end, &u))
        return false;
    *v = (u & 1) ? -(int64_t)(u >> 1) - 1 : (int64_t)(u >> 1);
    return true;
}

/* ---- arena ------------------------------------------------------------- */

enum { ARENA_ALIGN = 16, ARENA_FIRST = 1024, ARENA_MOST = 65536 };

struct ait_arena_block {
    struct ait_arena_block *older;
    size_t size, used;
    _Alignas(ARENA_ALIGN) char bytes[];
};

void ait_arena_init(ait_arena *a, size_t max)
{
    *a = (ait_arena){.max = max};
}

void ait_arena_free(ait_arena *a)
{
    ait_arena_reset(a);
    free(a->head);
    a->head = NULL;
}

void ait_arena_reset(ait_arena *a)
{
    while (a->head && a->head->older) {
        struct ait_arena_block *older = a->head->older;
        free(a->head);
        a->head = older;
    }
    if (a->head)
        a->head->used = 0;
    a->used = 0;
}

/* A new block in front: twice the last one's size up to a limit, so small
 * arenas stay small and large ones take few blocks. */
static bool arena_grow(ait_arena *a, size_t size)
{
    size_t room = a->head ? a->head->size * 2 : ARENA_FIRST;
    struct ait_arena_block *block;

    if (room > ARENA_MOST)
        room = ARENA_MOST;
    if (room < size)
        room = size;
    block = ait_realloc(NULL, sizeof *block + room);
    if (!block)
        return false;
    *block = (struct ait_arena_block){.older = a->head, .size = room};
    a->head = block;
    return true;
}

/* Room of that size, with whatever is in it; NULL: out of memory. */
static inline char *arena_room(ait_arena *a, size_t size)
{
    size_t pad = (ARENA_ALIGN - size % ARENA_ALIGN) % ARENA_ALIGN;
    char *p;

    if (size == 0)
        pad = ARENA_ALIGN; /* distinct addresses, never NULL */
    if (a->used > a->max || size > a->max - a->used || size > SIZE_MAX / 2)
        return NULL;
    size += pad;
    if (!a->head || a->head->size - a->head->used < size) {
        if (!arena_grow(a, size))
            return NULL;
    }
    p = a->head->bytes + a->head->used;
    a->head->used += size;
    a->used += size;
    return p;
}

void *ait_arena_alloc(ait_arena *a, size_t size)
{
    void *p = arena_room(a, size);

    return p ? memset(p, 0, size) : NULL;
}

char *ait_arena_strndup(ait_arena *a, const char *text, size_t n)
{
    char *copy;

    if (!text || n == SIZE_MAX)
        return NULL;
    copy = arena_room(a, n + 1);
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *ait_arena_strdup(ait_arena *a, const char *text)
{
    return text ? ait_arena_strndup(a, text, strlen(text)) : NULL;
}
