#include <string.h>
#include "render/csv.h"

void ait_csv_init(ait_csv *c, ait_buf *out)
{
    c->out = out;
    c->started = false;
    c->failed = false;
}

static void put(ait_csv *c, const char *s, size_t n)
{
    if (!c->failed && !ait_buf_add(c->out, s, n))
        c->failed = true;
}

static void comma(ait_csv *c)
{
    if (c->started)
        put(c, ",", 1);
    c->started = true;
}

/* Spreadsheets take these first characters for the start of a formula. */
static bool is_formula(const char *text)
{
    return *text && strchr("=+-@\t\r", *text);
}

void ait_csv_text(ait_csv *c, const char *text)
{
    comma(c);
    if (!text)
        return;
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted)
        put(c, "\"", 1);
    if (is_formula(text))
        put(c, "'", 1);
    for (; *text; text++)
        put(c, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    if (quoted)
        put(c, "\"", 1);
}

void ait_csv_number(ait_csv *c, int64_t v, int64_t scale, int places)
{
    char text[32];
    comma(c);
    if (ait_has(v))
        put(c, text, ait_decimal_text(v, scale, places, text));
}

void ait_csv_tri(ait_csv *c, int v)
{
    static const char *const word[] = {"false", "true"};
    ait_csv_text(c, v < 0 ? NULL : word[v > 0]);
}

void ait_csv_row(ait_csv *c)
{
    put(c, "\r\n", 2);
    c->started = false;
}
