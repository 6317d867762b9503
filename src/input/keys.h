#ifndef AIT_INPUT_KEYS_H
#define AIT_INPUT_KEYS_H
/*
 * A small set of known names, looked up by length and bytes: JSON keys of
 * records and logs. Names must outlive the set.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AIT_KEYS_MAX 120

typedef struct ait_keys {
    uint8_t slot[256]; /* 1 + index, 0: free */
    const char *name[AIT_KEYS_MAX];
    uint8_t len[AIT_KEYS_MAX];
    unsigned count;
} ait_keys;

/* Adds a name (1 … 255 bytes); its index is the number added before it.
 * false: full, too long or there already. */
bool ait_keys_add(ait_keys *k, const char *name);
/* Index of a name, or -1. */
int ait_keys_find(const ait_keys *k, const char *s, size_t n);

#endif
