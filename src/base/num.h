#ifndef AIT_BASE_NUM_H
#define AIT_BASE_NUM_H
/*
 * Numbers and times. All times are int64 nanoseconds; all numbers of a
 * trace are int64 with ONE sentinel for "absent".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AIT_ABSENT INT64_MIN
#define AIT_MS INT64_C(1000000)
#define AIT_SEC INT64_C(1000000000)

static inline bool ait_has(int64_t v)
{
    return v != AIT_ABSENT;
}

/* a + b and a - b; absent where either is absent or the result overflows. */
static inline int64_t ait_plus(int64_t a, int64_t b)
{
    if (!ait_has(a) || !ait_has(b) ||
        (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b))
        return AIT_ABSENT;
    return a + b;
}

static inline int64_t ait_minus(int64_t a, int64_t b)
{
    if (!ait_has(a) || !ait_has(b) ||
        (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b))
        return AIT_ABSENT;
    return a - b;
}

/* JSON integer, digit by digit. false: not an integer (a fraction other
 * than zeros, an exponent that makes one), or beyond 64 bits; the smallest
 * int64 is AIT_ABSENT and therefore beyond. "1.0", "2e3" are integers. */
bool ait_int_read(const char *s, size_t n, int64_t *out);

/* Decimal number (JSON syntax, sign and exponent allowed) times `scale`
 * (a power of ten, 1 … 1e18), rounded half away from zero. false: not a
 * number or beyond 64 bits, and *out is as it was. Never through a double. */
bool ait_decimal_read(const char *s, size_t n, int64_t scale, int64_t *out);

/* Value / scale with up to `places` decimals, rounded half away from zero,
 * trailing zeros cut, "." in any locale: (1249000000, 1000000, 3) gives
 * "1249". AIT_ABSENT gives "-". Returns the length; out has at least 32
 * bytes. */
size_t ait_decimal_text(int64_t v, int64_t scale, int places, char *out);

/* RFC 3339 and its common relatives: 'T' or a space, 0 to 9+ decimals after
 * '.' or ',' (more are cut), 'Z', ±hh:mm, ±hhmm or no zone (read as UTC;
 * *has_zone = false). Second 60 only at the end of a UTC day; it is held at
 * that day's last nanosecond. false: not a time, or outside of what int64
 * nanoseconds hold (1677-09-21 to 2262-04-11). */
bool ait_time_read(const char *s, size_t n, int64_t *ns, bool *has_zone);

/* "2026-10-03T12:00:00.123456Z": `places` decimals (0, 3, 6, 9), rounded
 * down. With `local`, local time and its offset. AIT_ABSENT gives "-". out
 * has at least 48 bytes. */
size_t ait_time_text(int64_t ns, int places, bool local, char *out);

#endif
