#ifndef AIT_BASE_STRMAP_H
#define AIT_BASE_STRMAP_H
/*
 * Hash map from byte strings to pointers; open addressing, seeded hash
 * (keys come from hostile input).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ait_strmap {
    struct ait_strmap_slot *slots;
    size_t count, cap;
    uint64_t seed;
} ait_strmap;

void ait_strmap_init(ait_strmap *m); /* allocates nothing */
void ait_strmap_free(ait_strmap *m); /* values are the caller's */
/* NULL where the key is not there. */
void *ait_strmap_get(const ait_strmap *m, const char *key, size_t len);
/* Sets or replaces; the key's bytes are copied. false: out of memory. */
bool ait_strmap_set(ait_strmap *m, const char *key, size_t len, void *value);
/* Returns the value that was there, else NULL. */
void *ait_strmap_take(ait_strmap *m, const char *key, size_t len);
/* Walks in no particular order; start with *at = 0. false at the end.
 * The map must not change during the walk. */
bool ait_strmap_each(const ait_strmap *m, size_t *at, const char **key,
                     size_t *len, void **value);

/* 64-bit hash for identities (stable across runs and machines). */
uint64_t ait_hash64(uint64_t seed, const void *bytes, size_t n);
/* A seed unlike from run to run: the clock and where memory happens to be. */
uint64_t ait_new_seed(const void *where);

#endif
