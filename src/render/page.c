#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "render/page.h"

static const char *const inks[AIT_INK_COUNT] = {
    "\033[0m", "\033[1m", "\033[2m", "\033[1;31m", "\033[36m",
};

void ait_page_init(ait_page *p, ait_buf *out, const ait_style *style)
{
    p->out = out;
    p->style = style;
    p->failed = false;
}

static void put(ait_page *p, const char *bytes, size_t n)
{
    if (!p->failed && !ait_buf_add(p->out, bytes, n))
        p->failed = true;
}

void ait_page_ink(ait_page *p, ait_ink ink)
{
    if (p->style->colour)
        ait_page_add(p, inks[ink]);
}

void ait_page_add(ait_page *p, const char *text)
{
    put(p, text, strlen(text));
}

void ait_page_addf(ait_page *p, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof line)
        p->failed = true;
    else
        put(p, line, (size_t)n);
}

void ait_page_dot(ait_page *p)
{
    ait_page_add(p, p->style->utf8 ? " \u00b7 " : " | ");
}

/* ---- characters -------------------------------------------------------- */

typedef struct char_range {
    uint32_t first, last;
} char_range;

/* Take no column of their own. */
static const char_range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},
    {0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

/* Take two columns. */
static const char_range wide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

#define IN(ranges, c) in_ranges(ranges, sizeof ranges / sizeof *ranges, c)

static bool in_ranges(const char_range *r, size_t n, uint32_t c)
{
    for (size_t i = 0; i < n; i++)
        if (c >= r[i].first && c <= r[i].last)
            return true;
    return false;
}

/* Length of the character at s and its code; kept text is valid UTF-8, a
 * stray byte counts as one unprintable character. */
static int next_char(const char *s, uint32_t *code)
{
    const unsigned char *u = (const unsigned char *)s;
    static const unsigned char lead[] = {0xc0, 0xe0, 0xf0};
    int more = u[0] < 0xc0 ? 0 : u[0] < 0xe0 ? 1 : u[0] < 0xf0 ? 2 : 3;
    if (more == 0) {
        *code = u[0] < 0x80 ? u[0] : 0;
        return 1;
    }
    uint32_t c = (uint32_t)(u[0] - lead[more - 1]);
    for (int i = 1; i <= more; i++) {
        if ((u[i] & 0xc0) != 0x80) {
            *code = 0;
            return 1;
        }
        c = c << 6 | (u[i] & 0x3fu);
    }
    *code = c;
    return more + 1;
}

static int char_columns(uint32_t c)
{
    if (IN(combining, c))
        return 0;
    return IN(wide, c) ? 2 : 1;
}

int ait_text_columns(const char *text)
{
    int columns = 0;
    uint32_t c;
    while (*text != '\0') {
        text += next_char(text, &c);
        columns += char_columns(c);
    }
    return columns;
}

/* Columns written. */
static int put_value(ait_page *p, const char *text)
{
    int columns = 0;
    uint32_t c;
    while (*text != '\0') {
        int n = next_char(text, &c);
        bool hide = c == 0 || ait_control(text) ||
                    (!p->style->utf8 && c >= 0x80);
        put(p, hide ? "?" : text, hide ? 1 : (size_t)n);
        columns += hide ? 1 : char_columns(c);
        text += n;
    }
    return columns;
}

void ait_page_value(ait_page *p, const char *text)
{
    put_value(p, text ? text : "-");
}

static void spaces(ait_page *p, int n)
{
    for (; n > 0; n--)
        put(p, " ", 1);
}

void ait_page_cell(ait_page *p, const char *text, int width)
{
    if (!text)
        text = "-";
    if (width < 0)
        spaces(p, -width - ait_text_columns(text));
    int used = put_value(p, text);
    if (width > 0)
        spaces(p, width - used);
}

/* A figure and its unit stay on one line. */
static const char *const units[] = {" ms", " s", " %", " tokens/s",
                                    " tokens"};

static size_t unit_length(const char *s)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i]);
        if (strncmp(s, units[i], n) == 0 && strchr(" ,;:.)]", s[n]))
            return n + strcspn(s + n, " ");
    }
    return 0;
}

static size_t word_length(const char *s)
{
    size_t n = strcspn(s, " ");
    bool figure = n && *s >= '0' && *s <= '9';
    return n + (figure ? unit_length(s + n) : 0);
}

void ait_page_block(ait_page *p, const char *label, int indent,
                    const char *text)
{
    ait_page_ink(p, AIT_INK_BOLD);
    ait_page_cell(p, label, indent);
    ait_page_ink(p, AIT_INK_PLAIN);
    int at = indent;
    bool fresh = true;
    while (*text != '\0') {
        size_t n = word_length(text);
        char word[1024];
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        int columns = ait_text_columns(word);
        if (!fresh && at + 1 + columns > p->style->width) {
            ait_page_add(p, "\n");
            spaces(p, indent);
            at = indent;
        } else if (!fresh) {
            ait_page_add(p, " ");
            at++;
        }
        ait_page_value(p, word);
        at += columns;
        fresh = false;
        text += n;
        text += strspn(text, " ");
    }
    ait_page_add(p, "\n");
}
