/* TIOCGWINSZ is no part of POSIX 2008; every system at hand shows it only
 * under its own name for "everything". */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "base/term.h"

#include <stddef.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 20, WIDTH_MOST = 1000 };

bool ait_term_is(int fd)
{
    return isatty(fd) == 1;
}

/* A decimal number above 0, held at WIDTH_MOST; 0 where it is none. */
static int read_width(const char *text)
{
    int v = 0;

    if (!text)
        return 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        v = v * 10 + (*text - '0');
        if (v > WIDTH_MOST)
            v = WIDTH_MOST;
    }
    return *text == '\0' ? v : 0;
}

static int terminal_width(int fd)
{
    struct winsize size = {0};

    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int ait_term_width(int fd, const char *columns)
{
    int width = read_width(columns);

    if (width == 0)
        width = terminal_width(fd);
    if (width == 0)
        width = AIT_TERM_WIDTH;
    if (width < WIDTH_LEAST)
        return WIDTH_LEAST;
    return width < WIDTH_MOST ? width : WIDTH_MOST;
}

/* The codeset of "language_TERRITORY.codeset@modifier". */
static bool names_utf8(const char *locale)
{
    while (*locale && *locale != '.')
        locale++;
    if (*locale == '.')
        locale++;
    return strncasecmp(locale, "utf-8", 5) == 0 ||
           strncasecmp(locale, "utf8", 4) == 0;
}

bool ait_term_utf8(const char *lc_all, const char *lc_ctype,
                   const char *lang)
{
    const char *const order[] = {lc_all, lc_ctype, lang};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] && *order[i])
            return names_utf8(order[i]);
    return false;
}
