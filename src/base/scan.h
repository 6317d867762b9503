#ifndef AIT_BASE_SCAN_H
#define AIT_BASE_SCAN_H
/*
 * Private to base: looking at many bytes at once, and one UTF-8 character.
 *
 * A mask has bit i set where byte i of a block of 16 is of the kind asked
 * for. One form is made of vector instructions, one of 64-bit words; both
 * give the same masks (a test compares them).
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define AIT_BLOCK 16
#define AIT_SPAN (2 * AIT_BLOCK)

#define AIT_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Index of the lowest set bit; v is not 0. */
static inline unsigned ait_lowest(uint32_t v)
{
    return (unsigned)__builtin_ctz(v);
}

/* Eight bytes, the first one lowest, on any machine. */
static inline uint64_t ait_load64(const char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* Bit 7 set where the byte is no digit. Free of carries between bytes. */
static inline uint64_t ait_word_not_digit(uint64_t v)
{
    uint64_t x = v ^ AIT_EACH('0');

    return (x | ((x & AIT_EACH(0x7f)) + AIT_EACH(0x76))) & AIT_EACH(0x80);
}

/* Bit 7 of every byte, gathered into eight bits. */
static inline uint32_t ait_gather(uint64_t high)
{
    return (uint32_t)(((high >> 7) * UINT64_C(0x0102040810204080)) >> 56);
}

/* Bit 7 set where the byte equals c. Free of carries between bytes. */
static inline uint64_t ait_word_eq(uint64_t v, unsigned char c)
{
    uint64_t x = v ^ AIT_EACH(c);

    return ~(((x & AIT_EACH(0x7f)) + AIT_EACH(0x7f)) | x) & AIT_EACH(0x80);
}

/* Bit 7 set where a string needs a look: quote, backslash, control
 * character, or a byte of 0x80 and above. */
static inline uint64_t ait_word_special(uint64_t v)
{
    uint64_t printable = (v & AIT_EACH(0x7f)) + AIT_EACH(0x60);

    return ait_word_eq(v, '"') | ait_word_eq(v, '\\') |
           ((v | ~printable) & AIT_EACH(0x80));
}

static inline uint32_t ait_special_words(const char *p)
{
    return ait_gather(ait_word_special(ait_load64(p))) |
           ait_gather(ait_word_special(ait_load64(p + 8))) << 8;
}

static inline uint32_t ait_equal_words(const char *p, char c)
{
    return ait_gather(ait_word_eq(ait_load64(p), (unsigned char)c)) |
           ait_gather(ait_word_eq(ait_load64(p + 8), (unsigned char)c)) << 8;
}

static inline uint32_t ait_same_words(const char *a, const char *b)
{
    uint64_t x = ait_load64(a) ^ ait_load64(b);
    uint64_t y = ait_load64(a + 8) ^ ait_load64(b + 8);

    return ait_gather(ait_word_eq(x, 0)) | ait_gather(ait_word_eq(y, 0)) << 8;
}

static inline uint32_t ait_not_digits_words(const char *p)
{
    return ait_gather(ait_word_not_digit(ait_load64(p))) |
           ait_gather(ait_word_not_digit(ait_load64(p + 8))) << 8;
}

#ifdef __SSE2__

static inline uint32_t ait_special(const char *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    /* As signed bytes 0x80 and above are below a space, too: the difference
     * is negative, and bit 7 is all that is asked for. */
    __m128i m = _mm_subs_epi8(v, _mm_set1_epi8(0x20));

    m = _mm_or_si128(m, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
    m = _mm_or_si128(m, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    return (uint32_t)_mm_movemask_epi8(m);
}

static inline uint32_t ait_equal(const char *p, char c)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* Where two blocks are the same. */
static inline uint32_t ait_same(const char *a, const char *b)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)a);
    __m128i w = _mm_loadu_si128((const __m128i *)(const void *)b);

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, w));
}

/* Bytes that are no digits. */
static inline uint32_t ait_not_digits(const char *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i x = _mm_sub_epi8(v, _mm_set1_epi8('0'));
    __m128i most = _mm_min_epu8(x, _mm_set1_epi8(9));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(most, x)) ^ 0xffffu;
}

#else

static inline uint32_t ait_special(const char *p)
{
    return ait_special_words(p);
}

static inline uint32_t ait_equal(const char *p, char c)
{
    return ait_equal_words(p, c);
}

static inline uint32_t ait_same(const char *a, const char *b)
{
    return ait_same_words(a, b);
}

static inline uint32_t ait_not_digits(const char *p)
{
    return ait_not_digits_words(p);
}

#endif

/* The same for two blocks side by side. */
static inline uint32_t ait_special_span(const char *p)
{
    return ait_special(p) | ait_special(p + AIT_BLOCK) << AIT_BLOCK;
}

static inline uint32_t ait_same_span(const char *a, const char *b)
{
    return ait_same(a, b) | ait_same(a + AIT_BLOCK, b + AIT_BLOCK)
                                << AIT_BLOCK;
}

static inline uint32_t ait_equal_span(const char *p, char c)
{
    return ait_equal(p, c) | ait_equal(p + AIT_BLOCK, c) << AIT_BLOCK;
}

/*
 * Which bytes of a span are escaped, given its backslashes: of a run, every
 * second one escapes, and what follows a run of odd length is escaped. The
 * subtraction carries through each run; runs that begin on an odd bit come
 * out inverted, which the constant takes back. *carry (0 or 1) says that the
 * span's first byte is escaped, and then the same of the next span.
 */
static inline uint32_t ait_escaped(uint32_t slashes, uint32_t *carry)
{
    const uint32_t odd = 0xaaaaaaaa;
    uint32_t start = slashes & ~*carry;
    uint32_t codes = (((start << 1) | odd) - start) ^ odd;
    uint32_t escaped = codes ^ (slashes | *carry);

    *carry = (codes & slashes) >> (AIT_SPAN - 1);
    return escaped;
}

/* What the characters behind a backslash stand for in JSON; 0 for 'u' and
 * for what may not stand there. */
extern const char ait_json_escape[256];

/* Four hex digits at p as a number, -1 where they are not. */
int32_t ait_json_hex4(const char *p, const char *end);

/* `pad`, filled with what is left of the text (less than a span) and with
 * spaces behind it. */
static inline const char *ait_padded(const char *p, const char *end,
                                     char pad[AIT_SPAN])
{
    memset(pad, ' ', AIT_SPAN);
    memcpy(pad, p, (size_t)(end - p));
    return pad;
}

/*
 * Bytes of the valid UTF-8 character at p (p < end), else 0. Overlong forms,
 * surrogates and what lies above U+10FFFF are not valid.
 */
static inline size_t ait_utf8_step(const char *p, const char *end)
{
    const unsigned char *u = (const unsigned char *)p;
    size_t room = (size_t)(end - p);

    if (u[0] < 0x80)
        return 1;
    if (u[0] < 0xc2 || u[0] > 0xf4 || room < 2 || (u[1] & 0xc0) != 0x80)
        return 0;
    if (u[0] < 0xe0)
        return 2;
    if (room < 3 || (u[2] & 0xc0) != 0x80)
        return 0;
    if (u[0] < 0xf0) {
        if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f))
            return 0;
        return 3;
    }
    if ((u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f) ||
        room < 4 || (u[3] & 0xc0) != 0x80)
        return 0;
    return 4;
}

#endif
