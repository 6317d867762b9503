#ifndef AIT_BASE_MEM_H
#define AIT_BASE_MEM_H
/*
 * Memory: growable buffer with a maximum, and an arena.
 *
 * Every function that may run out of memory says so in its result; nothing
 * exits. Tests make allocation n fail through ait_mem_fail_after().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* malloc/realloc with the test hook in between; free with free(). */
void *ait_alloc(size_t size);            /* zeroed; NULL when out of memory */
void *ait_realloc(void *p, size_t size); /* NULL: p is untouched */
/* Not zeroed, at the begin of a page, for what the system copies into: 16
 * bytes behind it, where malloc puts large blocks, processors that copy with
 * one instruction (x86-64 of 2020-22) take four times as long. */
void *ait_alloc_pages(size_t size);
/* The n-th allocation from now on fails, and all after it; 0 turns it off.
 * Only for tests, single-threaded. */
void ait_mem_fail_after(long n);

/* ---- buffer: bytes that grow up to `max` ------------------------------- */
typedef struct ait_buf {
    char *data; /* NULL or `cap` bytes; data[len] is 0 once written */
    size_t len, cap, max;
} ait_buf;

void ait_buf_init(ait_buf *b, size_t max); /* allocates nothing */
void ait_buf_free(ait_buf *b);
void ait_buf_clear(ait_buf *b); /* keeps the memory */
void ait_buf_trim(ait_buf *b);  /* gives back what is behind len */
/* Room for `more` bytes after len. false: over max or out of memory; the
 * buffer is as it was. */
bool ait_buf_reserve(ait_buf *b, size_t more);
bool ait_buf_add(ait_buf *b, const void *bytes, size_t n);
bool ait_buf_addc(ait_buf *b, char c);
bool ait_buf_adds(ait_buf *b, const char *text);
bool ait_buf_addf(ait_buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Unsigned LEB128, and zigzag for signed. */
bool ait_buf_add_varint(ait_buf *b, uint64_t v);
bool ait_buf_add_svarint(ait_buf *b, int64_t v);
/* Reads one; advances *at. false at the end or when longer than 10 bytes. */
bool ait_varint(const uint8_t **at, const uint8_t *end, uint64_t *v);
bool ait_svarint(const uint8_t **at, const uint8_t *end, int64_t *v);

/* ---- arena: many small things freed together --------------------------- */
typedef struct ait_arena {
    struct ait_arena_block *head;
    size_t used, max; /* bytes handed out, and the most it may hand out */
} ait_arena;

void ait_arena_init(ait_arena *a, size_t max); /* allocates nothing */
void ait_arena_free(ait_arena *a);             /* usable again afterwards */
void ait_arena_reset(ait_arena *a);            /* keeps the first block */
/* 16-byte aligned, zeroed. NULL: over max or out of memory. */
void *ait_arena_alloc(ait_arena *a, size_t size);
/* A terminated copy; NULL text gives NULL. */
char *ait_arena_strndup(ait_arena *a, const char *text, size_t n);
char *ait_arena_strdup(ait_arena *a, const char *text);

#endif
