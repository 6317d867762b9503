#include "base/strmap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/sip.h"

uint64_t ait_hash64(uint64_t seed, const void *bytes, size_t n)
{
    ait_sip h = ait_sip_begin(seed);
    const char *p = bytes, *end;
    char last[8] = {0};

    if (n >= 8)
        for (end = p + n / 8 * 8; p < end; p += 8)
            ait_sip_mix(&h, ait_load64(p));
    if (n % 8)
        memcpy(last, p, n % 8);
    ait_sip_mix(&h, ait_load64(last) | (uint64_t)n << 56);
    return ait_sip_end(&h);
}

/* ---- map --------------------------------------------------------------- */

enum { MAP_FIRST = 16 };

typedef struct ait_strmap_slot {
    char *key; /* NULL: free */
    size_t len;
    uint64_t hash;
    void *value;
} slot;

void ait_strmap_init(ait_strmap *m)
{
    *m = (ait_strmap){0};
}

void ait_strmap_free(ait_strmap *m)
{
    for (size_t i = 0; i < m->cap; i++)
        free(m->slots[i].key);
    free(m->slots);
    ait_strmap_init(m);
}

uint64_t ait_new_seed(const void *where)
{
    struct timespec now = {0};
    uint64_t mix[3];

    clock_gettime(CLOCK_REALTIME, &now);
    mix[0] = (uint64_t)now.tv_sec;
    mix[1] = (uint64_t)now.tv_nsec;
    mix[2] = (uint64_t)(uintptr_t)where;
    return ait_hash64((uint64_t)(uintptr_t)&now, mix, sizeof mix);
}

/* Where the key is, or the free slot where it would go. At least a quarter
 * of the slots is free, so the walk ends. cap is a power of two, not 0. */
static slot *find(const ait_strmap *m, const char *key, size_t len,
                  uint64_t hash)
{
    size_t i = (size_t)hash & (m->cap - 1);

    for (;; i = (i + 1) & (m->cap - 1)) {
        slot *s = &m->slots[i];
        if (!s->key)
            return s;
        if (s->hash == hash && s->len == len && memcmp(s->key, key, len) == 0)
            return s;
    }
}

static bool grow(ait_strmap *m)
{
    ait_strmap bigger = *m;

    if (m->cap > SIZE_MAX / 2 / sizeof(slot))
        return false;
    bigger.cap = m->cap ? m->cap * 2 : MAP_FIRST;
    bigger.slots = ait_alloc(bigger.cap * sizeof(slot));
    if (!bigger.slots)
        return false;
    if (m->cap == 0)
        bigger.seed = ait_new_seed(bigger.slots);
    for (size_t i = 0; i < m->cap; i++) {
        const slot *s = &m->slots[i];
        if (s->key)
            *find(&bigger, s->key, s->len, s->hash) = *s;
    }
    free(m->slots);
    *m = bigger;
    return true;
}

void *ait_strmap_get(const ait_strmap *m, const char *key, size_t len)
{
    const slot *s;

    if (m->count == 0)
        return NULL;
    s = find(m, key, len, ait_hash64(m->seed, key, len));
    return s->key ? s->value : NULL;
}

bool ait_strmap_set(ait_strmap *m, const char *key, size_t len, void *value)
{
    uint64_t hash;
    slot *s;

    if (m->count >= m->cap - m->cap / 4 && !grow(m))
        return false;
    hash = ait_hash64(m->seed, key, len);
    s = find(m, key, len, hash);
    if (!s->key) {
        s->key = ait_realloc(NULL, len);
        if (!s->key)
            return false;
        if (len)
            memcpy(s->key, key, len);
        s->len = len;
        s->hash = hash;
        m->count++;
    }
    s->value = value;
    return true;
}

/* Moves later entries of the run into the gap where they may stand, so no
 * marks of removed entries pile up in a map that lives long. */
static void close_gap(ait_strmap *m, size_t gap)
{
    size_t mask = m->cap - 1;

    for (size_t i = (gap + 1) & mask; m->slots[i].key; i = (i + 1) & mask) {
        size_t home = (size_t)m->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* would stand before its home */
        m->slots[gap] = m->slots[i];
        gap = i;
    }
    m->slots[gap] = (slot){0};
}

void *ait_strmap_take(ait_strmap *m, const char *key, size_t len)
{
    void *value;
    slot *s;

    if (m->count == 0)
        return NULL;
    s = find(m, key, len, ait_hash64(m->seed, key, len));
    if (!s->key)
        return NULL;
    value = s->value;
    free(s->key);
    close_gap(m, (size_t)(s - m->slots));
    m->count--;
    return value;
}

bool ait_strmap_each(const ait_strmap *m, size_t *at, const char **key,
                     size_t *len, void **value)
{
    while (*at < m->cap) {
        const slot *s = &m->slots[(*at)++];
        if (!s->key)
            continue;
        *key = s->key;
        *len = s->len;
        *value = s->value;
        return true;
    }
    return false;
}
