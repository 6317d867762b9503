#include "base/jsonw.h"

#include <string.h>

#include "base/num.h"
#include "base/scan.h"

enum { DEPTH_MOST = 62 };

void ait_jsonw_init(ait_jsonw *w, ait_buf *out, bool pretty)
{
    *w = (ait_jsonw){.out = out, .pretty = pretty};
}

/* The one way into the buffer: what failed once stays failed. */
static void put(ait_jsonw *w, const char *bytes, size_t n)
{
    if (!w->failed && !ait_buf_add(w->out, bytes, n))
        w->failed = true;
}

static void new_line(ait_jsonw *w)
{
    if (!w->pretty)
        return;
    put(w, "\n", 1);
    for (int i = 0; i < w->depth; i++)
        put(w, "  ", 2);
}

/* What stands in front of a value or key at this depth. */
static void separate(ait_jsonw *w)
{
    uint64_t bit = UINT64_C(1) << w->depth;

    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->nonempty & bit)
        put(w, ",", 1);
    w->nonempty |= bit;
    if (w->depth > 0)
        new_line(w);
}

static void begin(ait_jsonw *w, char open)
{
    separate(w);
    put(w, &open, 1);
    if (w->depth == DEPTH_MOST) {
        w->failed = true;
        return;
    }
    w->depth++;
    w->nonempty &= ~(UINT64_C(1) << w->depth);
}

void ait_jsonw_object(ait_jsonw *w)
{
    begin(w, '{');
}

void ait_jsonw_array(ait_jsonw *w)
{
    begin(w, '[');
}

void ait_jsonw_end(ait_jsonw *w, char close)
{
    bool empty = !(w->nonempty >> w->depth & 1);

    if (w->depth == 0) {
        w->failed = true;
        return;
    }
    w->depth--;
    if (!empty)
        new_line(w);
    put(w, &close, 1);
}

/* ---- strings ----------------------------------------------------------- */

/* The short escapes; the other control characters are \u00XX. */
static const char short_escape[128] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
    ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
};

static void put_escape(ait_jsonw *w, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    char text[6] = {'\\', short_escape[c], '0', '0', hex[c >> 4], hex[c & 15]};
    bool is_short = text[1] != '\0';

    if (!is_short)
        text[1] = 'u';
    put(w, text, is_short ? 2 : sizeof text);
}

/* Bytes from p on that a string may hold as they are. */
static size_t plain_run(const char *p, const char *end)
{
    const char *from = p;
    char pad[AIT_SPAN];

    while (p < end) {
        bool whole = end - p >= AIT_BLOCK;
        uint32_t marks = ait_special(whole ? p : ait_padded(p, end, pad));
        if (marks)
            return (size_t)(p - from) + ait_lowest(marks);
        p += AIT_BLOCK;
    }
    return (size_t)(end - from);
}

static void put_string(ait_jsonw *w, const char *p, size_t n)
{
    const char *end = p + n;

    put(w, "\"", 1);
    while (p < end) {
        size_t run = plain_run(p, end), step;
        put(w, p, run);
        p += run;
        if (p == end)
            break;
        step = ait_utf8_step(p, end);
        if (step == 1)
            put_escape(w, (unsigned char)*p);
        else if (step > 1)
            put(w, p, step);
        else
            put(w, "\xEF\xBF\xBD", 3); /* U+FFFD */
        p += step ? step : 1;
    }
    put(w, "\"", 1);
}

void ait_jsonw_key(ait_jsonw *w, const char *key)
{
    separate(w);
    put_string(w, key, strlen(key));
    put(w, ": ", w->pretty ? 2 : 1);
    w->after_key = true;
}

void ait_jsonw_textn(ait_jsonw *w, const char *text, size_t n)
{
    separate(w);
    put_string(w, text, n);
}

void ait_jsonw_text(ait_jsonw *w, const char *text)
{
    if (text)
        ait_jsonw_textn(w, text, strlen(text));
    else
        ait_jsonw_null(w);
}

/* ---- other values ------------------------------------------------------ */

static void put_word(ait_jsonw *w, const char *word)
{
    separate(w);
    put(w, word, strlen(word));
}

void ait_jsonw_null(ait_jsonw *w)
{
    put_word(w, "null");
}

void ait_jsonw_bool(ait_jsonw *w, bool v)
{
    put_word(w, v ? "true" : "false");
}

void ait_jsonw_decimal(ait_jsonw *w, int64_t v, int64_t scale, int places)
{
    char text[32];

    if (!ait_has(v)) {
        ait_jsonw_null(w);
        return;
    }
    ait_decimal_text(v, scale, places, text);
    put_word(w, text);
}

void ait_jsonw_int(ait_jsonw *w, int64_t v)
{
    ait_jsonw_decimal(w, v, 1, 0);
}

/* ---- key and value ----------------------------------------------------- */

void ait_jsonw_ktext(ait_jsonw *w, const char *key, const char *text)
{
    ait_jsonw_key(w, key);
    ait_jsonw_text(w, text);
}

void ait_jsonw_kint(ait_jsonw *w, const char *key, int64_t v)
{
    ait_jsonw_key(w, key);
    ait_jsonw_int(w, v);
}

void ait_jsonw_kms(ait_jsonw *w, const char *key, int64_t ns)
{
    ait_jsonw_key(w, key);
    ait_jsonw_decimal(w, ns, AIT_MS, 3);
}

void ait_jsonw_ktri(ait_jsonw *w, const char *key, int v)
{
    ait_jsonw_key(w, key);
    if (v < 0)
        ait_jsonw_null(w);
    else
        ait_jsonw_bool(w, v > 0);
}
