/* HTTP dates in their three forms (RFC 9110, section 5.6.7): the one that is
 * sent today and the two that must still be read. */
#include <stdio.h>
#include <string.h>

#include "replay/state.h"

/* D, M, Y, T stand for the digits of the day, the month's name, the year and
 * the time of day; "*" is the name of a weekday, anything else is itself. */
static const char *const forms[] = {
    "*, DD MMM YYYY TTTTTTTT GMT", /* Mon, 30 Nov 2026 19:55:16 GMT */
    "*, DD-MMM-YY TTTTTTTT GMT",   /* Monday, 30-Nov-26 19:55:16 GMT */
    "* MMM DD TTTTTTTT YYYY",      /* Mon Nov 30 19:55:16 2026 */
};
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

typedef struct parts {
    char day[3], month[4], year[5], time[9];
} parts;

/* Where the bytes that such a letter stands for go; NULL: it is itself. */
static char *part_of(parts *p, char c)
{
    return c == 'D'   ? p->day
           : c == 'M' ? p->month
           : c == 'Y' ? p->year
           : c == 'T' ? p->time
                      : NULL;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Nothing but "GMT" begins with a G, and all of it is itself. */
static bool fits(const char *form, const char *s, const char *end, parts *p)
{
    memset(p, 0, sizeof *p);
    for (; *form; form++) {
        char *part = part_of(p, *form);

        if (*form == '*') {
            while (s < end && is_letter(*s))
                s++;
            continue;
        }
        if (*form == 'G')
            return end - s == 3 && memcmp(s, form, 3) == 0;
        if (s == end || (!part && *s != *form))
            return false;
        if (part)
            part[strlen(part)] = *s;
        s++;
    }
    return s == end;
}

/* Put together anew for the one reader of times. */
static int64_t time_of(const parts *p)
{
    const char *century = p->year[2] ? "" : p->year[0] < '7' ? "20" : "19";
    char text[32], tens = p->day[0] == ' ' ? '0' : p->day[0];
    int64_t ns;
    bool zone;
    int month = 1;

    while (month <= 12 && memcmp(months + 3 * (month - 1), p->month, 3) != 0)
        month++;
    if (month > 12)
        return AIT_ABSENT;
    snprintf(text, sizeof text, "%s%s-%02d-%c%cT%sZ", century, p->year, month,
             tens, p->day[1], p->time);
    return ait_time_read(text, strlen(text), &ns, &zone) ? ns : AIT_ABSENT;
}

int64_t ait_http_date(const char *s, size_t n)
{
    parts p;

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (fits(forms[i], s, s + n, &p))
            return time_of(&p);
    return AIT_ABSENT;
}
