/* Which framing a body has, by its type and by its first bytes. */
#include "stream/framing.h"
#include <string.h>

void ait_sniff_init(ait_sniff *s, const char *content_type)
{
    memset(s, 0, sizeof *s);
    ait_buf_init(&s->buf, AIT_EVENT_MAX);
    s->by_type = ait_framing_of_type(content_type);
}

void ait_sniff_free(ait_sniff *s)
{
    ait_buf_free(&s->buf);
}

/* Behind a byte-order mark and white space; NULL where a mark may still be
 * on its way. */
static const char *skip_start(const char *p, const char *end)
{
    static const char bom[] = "\xef\xbb\xbf";
    size_t n = (size_t)(end - p);

    if (n < 3 && memcmp(p, bom, n) == 0)
        return NULL;
    if (n >= 3 && memcmp(p, bom, 3) == 0)
        p += 3;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
        p++;
    return p < end ? p : NULL;
}

/* By the first bytes. NULL: not told yet, or a document. */
static const ait_framing *by_start(ait_sniff *s, const char *raw, size_t n)
{
    const char *end = raw + n, *p = skip_start(raw, end);

    if (!p)
        return NULL;
    for (size_t i = 0; ait_framing_table[i]; i++) {
        const ait_framing *f = ait_framing_table[i];
        ait_start is = f->starts(p, raw, end, f == s->by_type);

        if (is == AIT_START_MORE)
            return NULL;
        if (is == AIT_START_YES)
            return f;
    }
    s->document = true;
    s->start = s->line = (size_t)(p - raw);
    return NULL;
}

/* Does an event stream start here, behind JSON that belongs to nothing? */
static ait_start sse_line(const char *p, const char *end)
{
    static const char *const fields[] = {"data:", "event:"};
    size_t n = (size_t)(end - p);

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        size_t len = strlen(fields[i]);

        if (memcmp(p, fields[i], n < len ? n : len) == 0)
            return n < len ? AIT_START_MORE : AIT_START_YES;
    }
    return AIT_START_NO;
}

/* The end of the line at s->line, NULL where it has not come. */
static const char *line_end(ait_sniff *s)
{
    const ait_buf *b = &s->buf;
    size_t from = s->searched > s->line ? s->searched : s->line;
    const char *at = from < b->len ? memchr(b->data + from, '\n',
                                            b->len - from) : NULL;

    s->searched = at ? (size_t)(at - b->data) : b->len;
    return at;
}

/* The first line of a document, now that it is over. */
static void look_at_first(ait_sniff *s, ait_stamp now, const char *end)
{
    const char *p = s->buf.data + s->line;

    s->looked = true;
    s->line = (size_t)(end - s->buf.data) + 1;
    if (ait_json_valid(p, (size_t)(end - p))) {
        s->first = s->line;
        s->first_at = now;
    }
}

/* What follows a document's first line tells it from NDJSON and SSE. */
static const ait_framing *by_lines(ait_sniff *s, ait_stamp now)
{
    const char *end = s->buf.data + s->buf.len, *at;

    if (!s->looked) {
        if ((at = line_end(s)) == NULL)
            return NULL;
        look_at_first(s, now, at);
    }
    for (;;) {
        const char *p = s->buf.data + s->line;
        ait_start is;

        while (s->first && p < end && (*p == '\n' || *p == '\r'))
            p++;
        if (p == end)
            return NULL;
        if (s->first && *p == '{')
            return &ait_framing_ndjson;
        is = sse_line(p, end);
        if (is != AIT_START_NO)
            return is == AIT_START_YES ? &ait_framing_sse : NULL;
        if ((at = line_end(s)) == NULL)
            return NULL;
        s->line = (size_t)(at - s->buf.data) + 1;
    }
}

static ait_code keep(ait_sniff *s, const char *bytes, size_t n)
{
    if (s->over || n > s->buf.max - s->buf.len) {
        s->over = true;
        s->lost += n;
        return AIT_OK;
    }
    return ait_buf_add(&s->buf, bytes, n) ? AIT_OK : AIT_ENOMEM;
}

ait_code ait_sniff_feed(ait_sniff *s, ait_stamp now, const char *bytes,
                        size_t n, const ait_framing **chosen)
{
    ait_code rc;

    *chosen = NULL;
    if (s->buf.len == 0 && !s->document) {
        *chosen = by_start(s, bytes, n);
        if (*chosen)
            return AIT_OK;
    }
    rc = keep(s, bytes, n);
    if (rc != AIT_OK || s->over)
        return rc;
    if (!s->document)
        *chosen = by_start(s, s->buf.data, s->buf.len);
    if (s->document)
        *chosen = by_lines(s, now);
    return AIT_OK;
}
