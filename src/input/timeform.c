/* Time formats: rewritten as RFC 3339, read by the one reader of times. */
#include "input/timeform.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* The parts of a time as they stand in the text. */
typedef struct parts {
    char year[5], month[3], day[3], hour[3], minute[3], second[3];
    char fraction[11], zone[8];
} parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Exactly `want` digits into `to`. */
static bool take_digits(const char **s, const char *end, char *to, int want)
{
    int i;

    for (i = 0; i < want; i++) {
        if (*s == end || !is_digit(**s))
            return false;
        to[i] = *(*s)++;
    }
    to[want] = '\0';
    return true;
}

static bool take_fraction(const char **s, const char *end, char *to)
{
    int n = 0;

    while (*s < end && is_digit(**s)) {
        if (n < 9)
            to[n++] = **s;
        (*s)++;
    }
    to[n] = '\0';
    return n > 0;
}

static bool take_month_name(const char **s, const char *end, char *to)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int i;

    for (i = 0; i < 12 && end - *s >= 3; i++)
        if (memcmp(*s, names + 3 * i, 3) == 0) {
            to[0] = (char)('0' + (i + 1) / 10);
            to[1] = (char)('0' + (i + 1) % 10);
            to[2] = '\0';
            *s += 3;
            return true;
        }
    return false;
}

static bool take_zone(const char **s, const char *end, char *to)
{
    size_t n = (size_t)(end - *s);
    size_t want = n && **s == 'Z' ? 1 : n >= 6 && (*s)[3] == ':' ? 6 : 5;

    if (n < want)
        return false;
    memcpy(to, *s, want);
    to[want] = '\0';
    *s += want;
    return true;
}

/* One conversion; `c` is its letter. */
static bool take_part(char c, const char **s, const char *end, parts *p)
{
    const struct {
        char letter, *to;
        int digits;
    } numbers[] = {
        {'Y', p->year, 4}, {'m', p->month, 2},  {'d', p->day, 2},
        {'H', p->hour, 2}, {'M', p->minute, 2}, {'S', p->second, 2},
    };
    size_t i;

    for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].letter == c)
            return take_digits(s, end, numbers[i].to, numbers[i].digits);
    if (c == 'b')
        return take_month_name(s, end, p->month);
    if (c == 'f')
        return take_fraction(s, end, p->fraction);
    return c == 'z' && take_zone(s, end, p->zone);
}

/* The letter of the conversion at `form` ("%3f" is "%f"); moves behind it. */
static char conversion(const char **form)
{
    (*form)++;
    if (is_digit(**form))
        (*form)++;
    return **form ? *(*form)++ : '\0';
}

static bool take_all(const char *form, const char *s, const char *end,
                     parts *p)
{
    while (*form) {
        if (*form == '%') {
            if (!take_part(conversion(&form), &s, end, p))
                return false;
        } else if (s == end || *s++ != *form++) {
            return false;
        }
    }
    return s == end;
}

bool ait_time_form_read(const char *form, const char *s, size_t n, int64_t *ns,
                        bool *has_zone)
{
    parts p = {.zone = ""};
    char text[64];
    int len;

    if (!take_all(form, s, s + n, &p))
        return false;
    len = snprintf(text, sizeof text, "%s-%s-%sT%s:%s:%s%s%s%s", p.year,
                   p.month, p.day, p.hour, p.minute, p.second,
                   p.fraction[0] ? "." : "", p.fraction, p.zone);
    return ait_time_read(text, (size_t)len, ns, has_zone);
}

bool ait_time_form_valid(const char *form)
{
    bool date = strstr(form, "%Y") && strstr(form, "%d") &&
                strstr(form, "%H") && strstr(form, "%S");

    while (*form) {
        char c;

        if (*form != '%') {
            form++;
            continue;
        }
        c = conversion(&form);
        if (!c || !strchr("YmdbHMSfz", c))
            return false;
    }
    return date;
}

static const struct {
    const char *name;
    int64_t ns;
} units[] = {
    {"ns", 1},      {"us", 1000},        {"\xc2\xb5s", 1000},   {"ms", AIT_MS},
    {"s", AIT_SEC}, {"m", 60 * AIT_SEC}, {"h", 3600 * AIT_SEC},
};

/* The unit at s; its length, 0 where there is none. */
static size_t unit_at(const char *s, const char *end, int64_t *ns)
{
    size_t i;

    for (i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);

        if ((size_t)(end - s) >= n && memcmp(s, units[i].name, n) == 0) {
            *ns = units[i].ns;
            return n;
        }
    }
    return 0;
}

/* Minutes and hours are no power of ten: read with nine decimals. */
static bool scaled(const char *s, size_t n, int64_t unit, int64_t *ns)
{
    int64_t v, scale = unit % (60 * AIT_SEC) == 0 ? AIT_SEC : unit;

    if (!ait_decimal_read(s, n, scale, &v) || v < 0)
        return false;
    if (v > INT64_MAX / (unit / scale))
        return false;
    *ns = v * (unit / scale);
    return true;
}

bool ait_duration_read(const char *s, size_t n, int64_t *ns)
{
    const char *end = s + n;
    int64_t sum = 0;

    if (n == 0)
        return false;
    while (s < end) {
        const char *digits = s;
        int64_t unit = 1, part;
        size_t len;

        while (s < end && (is_digit(*s) || *s == '.'))
            s++;
        len = unit_at(s, end, &unit);
        if (!len || !scaled(digits, (size_t)(s - digits), unit, &part))
            return false;
        sum = ait_plus(sum, part);
        s += len;
    }
    *ns = sum;
    return ait_has(sum);
}
