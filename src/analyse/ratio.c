/* Exact arithmetic of rates and shares. */
#include "analyse/part.h"

/* a * b / c by doubling, one bit of `a` at a time, so that nothing is ever
 * larger than twice the result. */
static int64_t long_ratio(int64_t a, int64_t b, int64_t c)
{
    uint64_t q = 0, rest = 0, d = (uint64_t)c;

    for (int bit = 62; bit >= 0; bit--) {
        q = 2 * q + (2 * rest >= d);
        rest = 2 * rest >= d ? 2 * rest - d : 2 * rest;
        if (q > INT64_MAX)
            return AIT_ABSENT;
        if (a >> bit & 1) {
            rest += (uint64_t)(b % c);
            q += (uint64_t)(b / c) + (rest >= d);
            rest -= rest >= d ? d : 0;
        }
        if (q > INT64_MAX)
            return AIT_ABSENT;
    }
    q += rest >= d - rest;
    return q > INT64_MAX ? AIT_ABSENT : (int64_t)q;
}

int64_t ait_ratio(int64_t a, int64_t b, int64_t c)
{
    int64_t product, rest;

    if (__builtin_mul_overflow(a, b, &product))
        return long_ratio(a, b, c);
    rest = product % c;
    return product / c + (rest >= c - rest);
}

int ait_share_cmp(int64_t part, int64_t share, int64_t whole)
{
    int64_t want, have;

    if (__builtin_mul_overflow(part, 1000, &have) ||
        __builtin_mul_overflow(share, whole, &want)) {
        /* to the nearest unit is near enough up there */
        have = part;
        want = ait_ratio(whole, share, 1000);
        if (!ait_has(want))
            return -1;
    }
    return (have > want) - (have < want);
}
