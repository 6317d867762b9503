#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long ait_control(const char *text)
{
    const unsigned char *u = (const unsigned char *)text;

    if (u[0] < 0x80)
        return (u[0] && u[0] < 0x20) || u[0] == 0x7f;
    if (u[0] == 0xc2) /* U+0080 to U+009F */
        return (u[1] & 0xe0) == 0x80 ? 2 : 0;
    if (u[0] != 0xe2)
        return 0;
    if (u[1] == 0x80) /* U+200E, U+200F, U+2028 to U+202E */
        return u[2] == 0x8e || u[2] == 0x8f ||
               (u[2] >= 0xa8 && u[2] <= 0xae) ? 3 : 0;
    return u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9 ? 3 : 0;
}

/* Terminal escapes must not travel through a message; a character that the
 * buffer's end cut in two is dropped whole. */
static void tidy(char *text)
{
    size_t n = strlen(text), back = 1;

    for (size_t i = 0; i < n; i++)
        if (ait_control(text + i))
            memset(text + i, '?', ait_control(text + i));
    while (back <= 3 && back < n && (text[n - back] & 0xc0) == 0x80)
        back++;
    if (n == 0 || (text[n - back] & 0xc0) != 0xc0)
        return;
    unsigned char lead = (unsigned char)text[n - back];
    size_t want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (back < want)
        text[n - back] = '\0';
}

static void set_text(char *out, size_t size, const char *fmt, va_list args)
{
    if (vsnprintf(out, size, fmt, args) < 0)
        out[0] = '\0';
    tidy(out);
}

void ait_error_clear(ait_error *err)
{
    if (!err)
        return;
    err->code = AIT_OK;
    err->line = err->column = 0;
    err->offset = -1;
    err->source[0] = err->message[0] = '\0';
    err->reason[0] = err->hint[0] = '\0';
}

ait_code ait_fail(ait_error *err, ait_code code, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return code;
    ait_error_clear(err);
    err->code = code;
    va_start(args, fmt);
    set_text(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return code;
}

void ait_error_place(ait_error *err, const char *source, int64_t line,
                     int64_t column, int64_t offset)
{
    if (!err)
        return;
    if (source) {
        size_t n = strlen(source);
        if (n >= sizeof err->source)
            n = sizeof err->source - 1;
        memcpy(err->source, source, n);
        err->source[n] = '\0';
        tidy(err->source);
    }
    err->line = line;
    err->column = column;
    err->offset = offset;
}

void ait_error_reason(ait_error *err, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return;
    va_start(args, fmt);
    set_text(err->reason, sizeof err->reason, fmt, args);
    va_end(args);
}

void ait_error_hint(ait_error *err, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return;
    va_start(args, fmt);
    set_text(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
}

/* Appends at *at; what does not fit is cut. */
static void append(char *out, size_t size, size_t *at, const char *text)
{
    size_t room = size - 1 - *at, n = strlen(text);

    if (n > room)
        n = room;
    memcpy(out + *at, text, n);
    *at += n;
    out[*at] = '\0';
}

void ait_error_line(const ait_error *err, char *out, unsigned long size)
{
    char line[64] = "", column[32] = "";
    size_t at = 0;
    const char *source = err->source;

    if (size == 0)
        return;
    out[0] = '\0';
    if (err->column > 0)
        snprintf(column, sizeof column, ", column %lld",
                 (long long)err->column);
    if (err->line > 0)
        snprintf(line, sizeof line, "line %lld%s", (long long)err->line,
                 column);
    append(out, size, &at, err->message);
    append(out, size, &at, err->reason[0] ? ": " : "");
    append(out, size, &at, err->reason);
    if (!source[0] && !line[0])
        return;
    append(out, size, &at, " (");
    append(out, size, &at, source);
    append(out, size, &at, source[0] && line[0] ? ", " : "");
    append(out, size, &at, line);
    append(out, size, &at, ")");
    tidy(out);
}

void ait_bug(const char *file, int line, const char *text)
{
    fprintf(stderr, "aitrace: bug at %s:%d: %s\n", file, line, text);
    abort();
}
