#include "base/num.h"

#include <string.h>
#include <time.h>

/* ---- decimal numbers --------------------------------------------------- */

/* The parts of a JSON number. Digits before and after the point are spans of
 * the text, so a number of any length costs no memory. */
typedef struct parts {
    const char *whole, *fraction;
    int64_t n_whole, n_fraction;
    int64_t exponent; /* held inside ±EXPONENT_MOST */
    bool negative;
} parts;

/* Larger than any text is long, so that "0.00…1e+N" still comes out right,
 * and small enough that sums of two cannot overflow. */
#define EXPONENT_MOST INT64_C(1000000000000000)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

static bool read_exponent(const char *p, const char *end, parts *out)
{
    bool negative = p < end && *p == '-';
    int64_t v = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        v = v * 10 + (*p - '0');
        if (v > EXPONENT_MOST)
            v = EXPONENT_MOST;
    }
    out->exponent = negative ? -v : v;
    return true;
}

static bool split_number(const char *p, const char *end, parts *out)
{
    *out = (parts){.negative = p < end && *p == '-'};
    if (out->negative)
        p++;
    out->whole = p;
    p = skip_digits(p, end);
    out->n_whole = p - out->whole;
    if (out->n_whole == 0 || (out->n_whole > 1 && *out->whole == '0'))
        return false;
    if (p < end && *p == '.') {
        out->fraction = ++p;
        p = skip_digits(p, end);
        out->n_fraction = p - out->fraction;
        if (out->n_fraction == 0)
            return false;
    }
    if (p < end && (*p == 'e' || *p == 'E'))
        return read_exponent(p + 1, end, out);
    return p == end;
}

static int digit_at(const parts *n, int64_t i)
{
    if (i < 0 || i >= n->n_whole + n->n_fraction)
        return 0;
    return (i < n->n_whole ? n->whole[i] : n->fraction[i - n->n_whole]) - '0';
}

/* One more digit; false where the sum leaves 63 bits. */
static bool push_digit(uint64_t *sum, int digit)
{
    if (*sum > ((uint64_t)INT64_MAX - (uint64_t)digit) / 10)
        return false;
    *sum = *sum * 10 + (uint64_t)digit;
    return true;
}

/* The number with its point moved `shift` places to the right, rounded half
 * away from zero; *exact: no digit but zeros was dropped. */
static bool take_digits(const parts *n, int shift, int64_t *out, bool *exact)
{
    int64_t total = n->n_whole + n->n_fraction;
    int64_t keep = n->n_whole + n->exponent + shift;
    uint64_t sum = 0;
    int64_t i = 0;

    for (; i < keep && i < total; i++)
        if (!push_digit(&sum, digit_at(n, i)))
            return false;
    /* A zero stays one whatever the exponent; others soon overflow. */
    for (; sum > 0 && i < keep; i++)
        if (!push_digit(&sum, 0))
            return false;
    *exact = true;
    for (i = keep > 0 ? keep : 0; *exact && i < total; i++)
        *exact = digit_at(n, i) == 0;
    if (digit_at(n, keep) >= 5) {
        if (sum == INT64_MAX)
            return false;
        sum++;
    }
    *out = n->negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

/* Places of a power of ten. */
static int places_of(int64_t scale)
{
    int n = 0;

    for (; scale >= 10; scale /= 10)
        n++;
    return n;
}

/* Nearly every number of a record: up to 18 plain digits. */
static bool read_plain(const char *s, size_t n, int64_t *out)
{
    int64_t v = 0;

    if (n == 0 || n > 18 || (n > 1 && *s == '0'))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(s[i]))
            return false;
        v = v * 10 + (s[i] - '0');
    }
    *out = v;
    return true;
}

bool ait_int_read(const char *s, size_t n, int64_t *out)
{
    parts number;
    int64_t v;
    bool exact;

    if (read_plain(s, n, out))
        return true;
    if (!split_number(s, s + n, &number) ||
        !take_digits(&number, 0, &v, &exact) || !exact)
        return false;
    *out = v;
    return true;
}

/* Nearly every decimal of a log: up to 9 plain digits, perhaps a point among
 * them, with no more decimals than the scale has places. */
static bool read_short(const char *s, size_t n, int64_t scale, int64_t *out)
{
    const char *end = s + n;
    int64_t v = 0;

    if (n == 0 || n > 10 || !is_digit(*s) || scale > AIT_SEC ||
        (n > 1 && *s == '0' && s[1] != '.'))
        return false;
    for (; s < end && is_digit(*s); s++)
        v = v * 10 + (*s - '0');
    if (s < end && (*s++ != '.' || s == end))
        return false;
    for (; s < end && is_digit(*s) && scale > 1; s++, scale /= 10)
        v = v * 10 + (*s - '0');
    if (s < end || __builtin_mul_overflow(v, scale, &v))
        return false;
    *out = v;
    return true;
}

bool ait_decimal_read(const char *s, size_t n, int64_t scale, int64_t *out)
{
    parts number;
    int64_t v;
    bool exact;

    if (read_short(s, n, scale, out))
        return true;
    if (!split_number(s, s + n, &number) ||
        !take_digits(&number, places_of(scale), &v, &exact))
        return false;
    *out = v;
    return true;
}

/* ---- numbers as text --------------------------------------------------- */

/* At least `width` digits, zeros in front. Returns the end. */
static char *put_digits(char *out, uint64_t v, int width)
{
    char tmp[20];
    int n = 0;

    do {
        tmp[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    while (n < width)
        tmp[n++] = '0';
    while (n > 0)
        *out++ = tmp[--n];
    return out;
}

static uint64_t power_of_ten(int n)
{
    uint64_t p = 1;

    while (n-- > 0)
        p *= 10;
    return p;
}

size_t ait_decimal_text(int64_t v, int64_t scale, int places, char *out)
{
    uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    int have = places_of(scale);
    char *p = out;

    if (!ait_has(v)) {
        memcpy(out, "-", 2);
        return 1;
    }
    if (places < have) {
        uint64_t cut = power_of_ten(have - places);
        size = size / cut + (size % cut >= cut - cut / 2);
        have = places;
    }
    for (; have > 0 && size % 10 == 0; have--)
        size /= 10;
    if (v < 0 && size > 0)
        *p++ = '-';
    uint64_t unit = power_of_ten(have);
    p = put_digits(p, size / unit, 1);
    if (have > 0) {
        *p++ = '.';
        p = put_digits(p, size % unit, have);
    }
    *p = '\0';
    return (size_t)(p - out);
}

/* ---- calendar ---------------------------------------------------------- */

#define DAY_SECONDS INT64_C(86400)

/* Days from 1970-01-01, proleptic Gregorian. Years begin in March here, so
 * that the leap day is a year's last day. */
static int64_t days_from_date(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
           of_year - 719468;
}

static void date_from_days(int64_t days, struct tm *out)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t n = z - era * 146097;
    int64_t year = (n - n / 1460 + n / 36524 - n / 146096) / 365;
    int64_t of_year = n - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;

    out->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    out->tm_mon = (int)((month + 2) % 12);
    out->tm_year = (int)(year + era * 400 + (month >= 10) - 1900);
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30,
                               31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return month == 2 && leap ? 29 : days[month - 1];
}

/* Rounds towards the past, also before 1970. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- reading a time ---------------------------------------------------- */

typedef struct cursor {
    const char *p, *end;
} cursor;

/* Two digits with a value in [low, high]. */
static inline bool pair(cursor *c, int low, int high, int *out)
{
    int v;

    if (c->end - c->p < 2 || !is_digit(c->p[0]) || !is_digit(c->p[1]))
        return false;
    v = (c->p[0] - '0') * 10 + (c->p[1] - '0');
    c->p += 2;
    *out = v;
    return v >= low && v <= high;
}

/* One character, `a` or `b`. */
static bool one_of(cursor *c, char a, char b)
{
    if (c->p == c->end || (*c->p != a && *c->p != b))
        return false;
    c->p++;
    return true;
}

static bool read_date(cursor *c, int64_t *days)
{
    int century, year, month, day;

    if (!pair(c, 0, 99, &century) || !pair(c, 0, 99, &year))
        return false;
    year += century * 100;
    if (year == 0 || !one_of(c, '-', '-') || !pair(c, 1, 12, &month) ||
        !one_of(c, '-', '-') ||
        !pair(c, 1, days_in_month(year, month), &day))
        return false;
    *days = days_from_date(year, month, day);
    return true;
}

/* Decimals of a second as nanoseconds; more than nine are cut. */
static bool read_fraction(cursor *c, int64_t *ns)
{
    int64_t unit = AIT_SEC;

    *ns = 0;
    if (!one_of(c, '.', ','))
        return true;
    if (c->p == c->end || !is_digit(*c->p))
        return false;
    for (; c->p < c->end && is_digit(*c->p); c->p++) {
        unit /= 10;
        *ns += (*c->p - '0') * unit;
    }
    return true;
}

/* 'Z', ±hh:mm, ±hhmm or nothing, up to the end of the text. */
static bool read_zone(cursor *c, int64_t *offset, bool *has_zone)
{
    int hours, minutes;
    bool west;

    *offset = 0;
    *has_zone = c->p < c->end;
    if (!*has_zone)
        return true;
    if (one_of(c, 'Z', 'z'))
        return c->p == c->end;
    west = *c->p == '-';
    if (!one_of(c, '+', '-') || !pair(c, 0, 23, &hours))
        return false;
    one_of(c, ':', ':');
    if (!pair(c, 0, 59, &minutes))
        return false;
    *offset = (hours * 60 + minutes) * INT64_C(60);
    if (west)
        *offset = -*offset;
    return c->p == c->end;
}

/* A leap second is only one at the end of a UTC day; it is held at the last
 * nanosecond of that day, so that it never runs into the next one. */
static bool leap_second(int64_t *seconds, int64_t *fraction)
{
    int64_t last = *seconds - 1;

    if (last - floor_div(last, DAY_SECONDS) * DAY_SECONDS != DAY_SECONDS - 1)
        return false;
    *seconds = last;
    *fraction = AIT_SEC - 1;
    return true;
}

bool ait_time_read(const char *s, size_t n, int64_t *ns, bool *has_zone)
{
    cursor c = {s, s + n};
    int64_t days, fraction, offset, seconds;
    int hour, minute, second;
    bool zone;

    if (!read_date(&c, &days) ||
        (!one_of(&c, 'T', 't') && !one_of(&c, ' ', ' ')) ||
        !pair(&c, 0, 23, &hour) || !one_of(&c, ':', ':') ||
        !pair(&c, 0, 59, &minute) || !one_of(&c, ':', ':') ||
        !pair(&c, 0, 60, &second) || !read_fraction(&c, &fraction) ||
        !read_zone(&c, &offset, &zone))
        return false;
    seconds = days * DAY_SECONDS + hour * 3600 + minute * 60 + second -
              offset;
    if (second == 60 && !leap_second(&seconds, &fraction))
        return false;
    if (seconds < INT64_MIN / AIT_SEC || seconds >= INT64_MAX / AIT_SEC)
        return false;
    *ns = seconds * AIT_SEC + fraction;
    *has_zone = zone;
    return true;
}

/* ---- a time as text ---------------------------------------------------- */

/* Broken-down UTC of seconds since 1970, by arithmetic: no time zone data. */
static void utc_time(int64_t seconds, struct tm *out)
{
    int64_t days = floor_div(seconds, DAY_SECONDS);
    int rest = (int)(seconds - days * DAY_SECONDS);

    date_from_days(days, out);
    out->tm_hour = rest / 3600;
    out->tm_min = rest / 60 % 60;
    out->tm_sec = rest % 60;
}

/* Broken-down local time; returns its offset from UTC in seconds, which C11
 * has no field for. */
static int64_t local_time(int64_t seconds, struct tm *out)
{
    time_t t = (time_t)seconds;
    int64_t days;

    if (!localtime_r(&t, out)) {
        utc_time(seconds, out);
        return 0;
    }
    days = days_from_date(out->tm_year + 1900, out->tm_mon + 1, out->tm_mday);
    return days * DAY_SECONDS + out->tm_hour * 3600 + out->tm_min * 60 +
           out->tm_sec - seconds;
}

static char *put_zone(char *p, int64_t offset)
{
    int64_t minutes = (offset < 0 ? -offset : offset) / 60;

    *p++ = offset < 0 ? '-' : '+';
    p = put_digits(p, (uint64_t)(minutes / 60), 2);
    *p++ = ':';
    return put_digits(p, (uint64_t)(minutes % 60), 2);
}

/* The six fields with their separators, each with its width. */
static char *put_fields(char *p, const struct tm *t)
{
    const struct {
        int value, width;
        char after;
    } fields[] = {
        {t->tm_year + 1900, 4, '-'}, {t->tm_mon + 1, 2, '-'},
        {t->tm_mday, 2, 'T'},        {t->tm_hour, 2, ':'},
        {t->tm_min, 2, ':'},         {t->tm_sec, 2, '\0'},
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        p = put_digits(p, (uint64_t)fields[i].value, fields[i].width);
        if (fields[i].after)
            *p++ = fields[i].after;
    }
    return p;
}

size_t ait_time_text(int64_t ns, int places, bool local, char *out)
{
    struct tm t = {0};
    int64_t seconds = floor_div(ns, AIT_SEC);
    uint64_t fraction = (uint64_t)(ns - seconds * AIT_SEC);
    int64_t offset = 0;
    char *p;

    if (!ait_has(ns)) {
        memcpy(out, "-", 2);
        return 1;
    }
    if (local)
        offset = local_time(seconds, &t);
    else
        utc_time(seconds, &t);
    p = put_fields(out, &t);
    if (places > 0) {
        *p++ = '.';
        p = put_digits(p, fraction / power_of_ten(9 - places), places);
    }
    if (local)
        p = put_zone(p, offset);
    else
        *p++ = 'Z';
    *p = '\0';
    return (size_t)(p - out);
}
