#ifndef AIT_BASE_FOLD_H
#define AIT_BASE_FOLD_H
/*
 * A quick hash of words, two at a time, by folded multiplication: as good as
 * any by chance, but whoever knows the seed finds words that collide. So it is
 * for tables whose seed nobody knows, or whose finds are compared.
 */
#include <stddef.h>
#include <stdint.h>

/* The halves of the product of 128 bits, one on the other. */
static inline uint64_t ait_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, one = ah * bl, two = al * bh;
    uint64_t mid = (low >> 32) + (uint32_t)one + (uint32_t)two;

    return (mid << 32 | (uint32_t)low) ^
           (ah * bh + (one >> 32) + (two >> 32) + (mid >> 32));
#endif
}

typedef struct ait_folded {
    uint64_t hash, key;
} ait_folded;

/* A factor that is 0 would forget all that came before: words that have no
 * 0xff for their highest byte are not the key. */
static inline ait_folded ait_fold_begin(uint64_t seed)
{
    uint64_t key = ait_fold(seed ^ UINT64_C(0x9e3779b97f4a7c15),
                            UINT64_C(0xd1342543de82ef95));

    return (ait_folded){ait_fold(seed ^ UINT64_C(0xa0761d6478bd642f), key),
                        key | UINT64_C(0xff) << 56};
}

static inline void ait_fold_mix(ait_folded *f, uint64_t one, uint64_t other)
{
    f->hash = ait_fold(one ^ f->key, other ^ f->hash);
}

static inline uint64_t ait_fold_end(const ait_folded *f, uint64_t count)
{
    return ait_fold(f->hash ^ UINT64_C(0xe7037ed1a0b428db),
                    count ^ f->key);
}

#endif
