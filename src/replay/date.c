/* HTTP dates, the one form that is sent today (RFC 9110, IMF-fixdate). */
#include <stdio.h>
#include <string.h>

#include "replay/state.h"

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

/* "Mon, 30 Nov 2026 19:55:16 GMT" */
#define DATE_LEN 29

int64_t ait_http_date(const char *s, size_t n)
{
    char text[32];
    int64_t ns;
    bool zone;
    int month = -1;

    if (n != DATE_LEN || memcmp(s + 3, ", ", 2) != 0 ||
        memcmp(s + 25, " GMT", 4) != 0)
        return AIT_ABSENT;
    for (int i = 0; i < 12; i++)
        if (memcmp(months + 3 * i, s + 8, 3) == 0)
            month = i + 1;
    if (month < 0)
        return AIT_ABSENT;
    /* put together anew for the one reader of times */
    snprintf(text, sizeof text, "%.4s-%02d-%.2sT%.8sZ", s + 12, month, s + 5,
             s + 17);
    return ait_time_read(text, strlen(text), &ns, &zone) ? ns : AIT_ABSENT;
}
