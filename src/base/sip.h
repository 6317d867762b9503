#ifndef AIT_BASE_SIP_H
#define AIT_BASE_SIP_H
/*
 * SipHash-1-3, a word at a time: a hash for which nobody finds keys that
 * collide without knowing the seed, and hardly by chance. The words decide,
 * not how the machine keeps them.
 */
#include <stdint.h>

typedef struct ait_sip {
    uint64_t a, b, c, d;
} ait_sip;

static inline ait_sip ait_sip_begin(uint64_t seed)
{
    /* "somepseudorandomlygeneratedbytes" */
    return (ait_sip){seed ^ UINT64_C(0x736f6d6570736575),
                     UINT64_C(0x646f72616e646f6d),
                     seed ^ UINT64_C(0x6c7967656e657261),
                     UINT64_C(0x7465646279746573)};
}

static inline uint64_t ait_sip_rotate(uint64_t v, int by)
{
    return v << by | v >> (64 - by);
}

static inline void ait_sip_round(ait_sip *h)
{
    h->a += h->b;
    h->b = ait_sip_rotate(h->b, 13) ^ h->a;
    h->a = ait_sip_rotate(h->a, 32);
    h->c += h->d;
    h->d = ait_sip_rotate(h->d, 16) ^ h->c;
    h->a += h->d;
    h->d = ait_sip_rotate(h->d, 21) ^ h->a;
    h->c += h->b;
    h->b = ait_sip_rotate(h->b, 17) ^ h->c;
    h->c = ait_sip_rotate(h->c, 32);
}

static inline void ait_sip_mix(ait_sip *h, uint64_t word)
{
    h->d ^= word;
    ait_sip_round(h);
    h->a ^= word;
}

static inline uint64_t ait_sip_end(ait_sip *h)
{
    h->c ^= 0xff;
    for (int i = 0; i < 3; i++)
        ait_sip_round(h);
    return h->a ^ h->b ^ h->c ^ h->d;
}

#endif
