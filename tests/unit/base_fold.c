/* Folded multiplication: both ways to the product, and what words change. */
#include "base/fold.h"

#include "base/sip.h"
#include "harness.h"

/* The product in base 2^32, as by hand. */
static uint64_t by_hand(uint64_t a, uint64_t b)
{
    uint64_t x[2] = {(uint32_t)a, a >> 32}, y[2] = {(uint32_t)b, b >> 32};
    uint64_t digit[4] = {0};

    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < 2; k++) {
            carry += digit[i + k] + x[i] * y[k];
            digit[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        digit[i + 2] = carry;
    }
    return (digit[0] | digit[1] << 32) ^ (digit[2] | digit[3] << 32);
}

static void the_product_is_folded(void)
{
    ait_sip random = ait_sip_begin(7);

    CHECK_INT((int64_t)ait_fold(UINT64_MAX, UINT64_MAX),
              (int64_t)by_hand(UINT64_MAX, UINT64_MAX));
    CHECK_INT((int64_t)ait_fold(0, UINT64_MAX), 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t a, b;
        ait_sip_mix(&random, (uint64_t)i);
        a = random.a >> i % 64;
        b = random.b >> i % 7;
        CHECK_INT((int64_t)ait_fold(a, b), (int64_t)by_hand(a, b));
    }
}

static uint64_t hash_of(uint64_t seed, const uint64_t *word, size_t n)
{
    ait_folded f = ait_fold_begin(seed);

    for (size_t i = 0; i < n; i += 2)
        ait_fold_mix(&f, word[i], word[i + 1]);
    return ait_fold_end(&f, n / 2);
}

/* A bit that changes in a word changes about half of the bits of the hash. */
static void every_bit_counts(void)
{
    uint64_t word[4] = {1, 0, 200, 12345678}, h = hash_of(0, word, 4);
    int least = 64;

    for (int i = 0; i < 4 * 64; i++) {
        uint64_t bit = UINT64_C(1) << i % 64;
        int changed;
        word[i / 64] ^= bit;
        changed = __builtin_popcountll(hash_of(0, word, 4) ^ h);
        word[i / 64] ^= bit;
        least = changed < least ? changed : least;
    }
    CHECK(least >= 12);
    CHECK(hash_of(1, word, 4) != h);
    CHECK(hash_of(0, word, 2) != h);
}

int main(void)
{
    RUN(the_product_is_folded);
    RUN(every_bit_counts);
    return t_done();
}
