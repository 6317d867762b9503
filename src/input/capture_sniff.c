/* Recognising a native capture. */
#include <string.h>

#include "input/reader.h"

enum { LOOK_AT_LINES = 16 };

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\0'))
        p++;
    return p;
}

/* Behind `token`, with white space around it; NULL: it is not there. */
static const char *expect(const char *p, const char *end, const char *token)
{
    size_t n = strlen(token);

    if (!p)
        return NULL;
    p = skip_space(p, end);
    if ((size_t)(end - p) < n || memcmp(p, token, n) != 0)
        return NULL;
    return p + n;
}

static bool holds(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);

    for (; (size_t)(end - p) >= n; p++)
        if (memcmp(p, word, n) == 0)
            return true;
    return false;
}

/* Does the line begin `{"type":"NAME"` with a record's name? Any record but
 * the opening one must also carry ns: logs have types, too. */
static bool is_record(const char *p, const char *end)
{
    const char *name =
        expect(expect(expect(expect(p, end, "{"), end, "\"type\""), end, ":"),
               end, "\"");
    const char *quote;
    int type;

    if (!name)
        return false;
    quote = memchr(name, '"', (size_t)(end - name));
    if (!quote)
        return false;
    type =
        ait_word(ait_record_name, AIT_REC_COUNT, name, (size_t)(quote - name));
    return type == AIT_REC_CAPTURE ||
           (type >= 0 && holds(quote, end, "\"ns\""));
}

/* The first lines may be torn, or the file the second part of a capture. */
bool ait_capture_sniff(const ait_format_row *row, const char *head, size_t n)
{
    const char *p = head, *end = head + n;
    int i;

    (void)row;
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        p += 3;
    for (i = 0; i < LOOK_AT_LINES && p < end; i++) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));

        if (is_record(p, lf ? lf : end))
            return true;
        if (!lf)
            break;
        p = lf + 1;
    }
    return false;
}
