#include "base/address.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters of other scripts are letters here. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static bool is_hex(char c)
{
    char low = (char)(c | 0x20);

    return is_digit(c) || (low >= 'a' && low <= 'f');
}

/* ---- e-mail ------------------------------------------------------------ */

static bool of_domain(char c)
{
    return is_letter(c) || is_digit(c) || c == '-' || c == '.';
}

/* Does a domain begin at p? Its top level is letters only, two or more. */
static bool domain_at(const char *p, const char *end)
{
    const char *to = p, *top;

    while (to < end && of_domain(*to))
        to++;
    while (to > p && (to[-1] == '.' || to[-1] == '-')) /* a full stop */
        to--;
    for (top = to; top > p && is_letter(top[-1]); top--)
        ;
    return to - top >= 2 && top - p >= 2 && top[-1] == '.' && top[-2] != '.';
}

/* `at` of `size` bytes is an @. Almost anything may be a local part. */
static bool email_at(const char *s, const char *at, size_t size,
                     const char *end)
{
    return at > s && at[-1] != ' ' && domain_at(at + size, end);
}

static bool has_email(const char *s, const char *end)
{
    const char *p;

    for (p = s; (p = memchr(p, '@', (size_t)(end - p))) != NULL; p++)
        if (email_at(s, p, 1, end))
            return true;
    for (p = s; (p = memchr(p, '%', (size_t)(end - p))) != NULL; p++)
        if (end - p > 3 && p[1] == '4' && p[2] == '0' &&
            email_at(s, p, 3, end))
            return true;
    return false;
}

/* ---- IPv4 -------------------------------------------------------------- */

/* Behind a number of 0 to 255 without leading zeros; NULL: none. */
static const char *octet(const char *p, const char *end)
{
    const char *start = p;
    int v = 0;

    while (p < end && p - start < 3 && is_digit(*p))
        v = v * 10 + (*p++ - '0');
    if (p == start || v > 255 || (*start == '0' && p - start > 1) ||
        (p < end && is_digit(*p)))
        return NULL;
    return p;
}

/* Behind four of them; NULL: none, or the start of something longer. */
static const char *ipv4_end(const char *p, const char *end)
{
    for (int i = 0; i < 4; i++) {
        if (i && (p == end || *p++ != '.'))
            return NULL;
        p = octet(p, end);
        if (!p)
            return NULL;
    }
    if (p < end && is_letter(*p))
        return NULL;
    return end - p > 1 && *p == '.' && is_digit(p[1]) ? NULL : p;
}

/* Can a number of its own begin at p? */
static bool border(const char *s, const char *p)
{
    if (p == s)
        return true;
    if (p[-1] == '.')
        return p - s < 2 || !is_digit(p[-2]);
    return !is_letter(p[-1]) && !is_digit(p[-1]);
}

static bool has_ipv4(const char *s, const char *end)
{
    const char *dot = s;

    for (; (dot = memchr(dot, '.', (size_t)(end - dot))) != NULL; dot++) {
        const char *p = dot;

        while (p > s && is_digit(p[-1]))
            p--;
        if (p < dot && border(s, p) && ipv4_end(p, end))
            return true;
    }
    return false;
}

/* ---- IPv6 -------------------------------------------------------------- */

/* All of [p, end): up to eight groups of hexadecimal digits, "::" once in
 * place of one or more. An IPv4 address at its end is found by itself. */
static bool all_ipv6(const char *p, const char *end)
{
    int groups = 0, digits = 0, colons = 0;
    bool gap = false;

    for (; p < end; p++) {
        if (is_hex(*p)) {
            groups += digits == 0;
            colons = 0;
            if (++digits > 4)
                return false;
        } else if (*p == ':') {
            digits = 0;
            if (++colons == 2 && gap)
                return false;
            gap |= colons == 2;
            if (colons > 2)
                return false;
        } else {
            return false;
        }
    }
    return gap ? groups < 8 && colons != 1 : groups == 8 && colons == 0;
}

static bool is_ipv6(const char *s, const char *end)
{
    const char *close;

    if (!memchr(s, ':', (size_t)(end - s)))
        return false;
    if (*s == '[') { /* what stands behind is a port */
        close = memchr(s, ']', (size_t)(end - s));
        s++;
        end = close ? close : s;
    }
    close = memchr(s, '%', (size_t)(end - s)); /* the zone */
    return all_ipv6(s, close ? close : end);
}

bool ait_has_address(const char *s, size_t n)
{
    const char *end = s + n;

    return n && (has_ipv4(s, end) || has_email(s, end) || is_ipv6(s, end));
}
