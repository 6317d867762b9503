/* Server-sent events: bytes in any split to events. */
#include "stream/sse.h"
#include <string.h>
#include "base/num.h"

/* A buffer that grew beyond this is given back after its event. */
#define KEEP_MAX 16384

static const char bom[3] = "\xef\xbb\xbf";

void ait_sse_init(ait_sse *s, const ait_sse_calls *calls, void *ctx,
                  size_t max)
{
    memset(s, 0, sizeof *s);
    s->calls = calls;
    s->ctx = ctx;
    s->max = max;
    s->retry = AIT_ABSENT;
    ait_buf_init(&s->line, max + 16); /* field name and colon beside it */
    ait_buf_init(&s->data, max + 1);
}

void ait_sse_free(ait_sse *s)
{
    ait_buf_free(&s->line);
    ait_buf_free(&s->data);
}

static void empty(ait_buf *b)
{
    if (b->cap > KEEP_MAX)
        ait_buf_free(b);
    else
        ait_buf_clear(b);
}

/* ---- data of the block ---------------------------------------------- */

/* Adds to the data; beyond the maximum only the length is kept. */
static void add_data(ait_sse *s, const char *p, size_t n)
{
    if (s->lost || n > s->max - s->data.len) {
        s->lost += s->data.len + n;
        empty(&s->data);
    } else if (!ait_buf_add(&s->data, p, n)) {
        s->failed = true;
    }
}

/* Copies the held line: its bytes are about to go away. */
static void settle(ait_sse *s)
{
    if (!s->held)
        return;
    add_data(s, s->held, s->held_len);
    s->held = NULL;
}

static void on_data(ait_sse *s, const char *p, size_t n)
{
    if (!s->has_data) {
        s->has_data = true;
        s->held = p;
        s->held_len = n;
        return;
    }
    settle(s);
    add_data(s, "\n", 1);
    add_data(s, p, n);
}

/* ---- other fields --------------------------------------------------- */

static size_t keep_name(char *into, const char *p, size_t n)
{
    size_t kept = n < AIT_SSE_NAME_MAX ? n : AIT_SSE_NAME_MAX;

    if (kept)
        memcpy(into, p, kept);
    return kept;
}

static void on_event(ait_sse *s, const char *p, size_t n)
{
    s->name_len = keep_name(s->name, p, n);
    s->has_name = n > 0; /* an empty name is none */
}

static void on_id(ait_sse *s, const char *p, size_t n)
{
    if (!memchr(p, 0, n))
        s->id_len = keep_name(s->id, p, n);
}

static void on_retry(ait_sse *s, const char *p, size_t n)
{
    int64_t v;

    for (size_t i = 0; i < n; i++)
        if (p[i] < '0' || p[i] > '9')
            return;
    while (n > 1 && *p == '0') { /* the grammar allows leading zeros */
        p++;
        n--;
    }
    if (ait_int_read(p, n, &v))
        s->retry = v;
}

typedef struct field {
    const char *name;
    size_t len;
    void (*take)(ait_sse *s, const char *value, size_t n);
} field;

static const field fields[] = {
    {"data", 4, on_data},
    {"event", 5, on_event},
    {"id", 2, on_id},
    {"retry", 5, on_retry},
};

static const field *field_of(const char *p, size_t n)
{
    if (n > 4 && memcmp(p, "data:", 5) == 0) /* nearly always */
        return fields;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const field *f = &fields[i];

        if (n >= f->len && memcmp(p, f->name, f->len) == 0 &&
            (n == f->len || p[f->len] == ':'))
            return f;
    }
    return NULL;
}

/* ---- lines ---------------------------------------------------------- */

static void spoken(const ait_sse *s, ait_sse_event *e)
{
    e->name = s->has_name ? s->name : NULL;
    e->name_len = s->has_name ? s->name_len : 0;
    e->id = s->id;
    e->id_len = s->id_len;
    e->data = s->held ? s->held : s->data.data;
    e->len = s->held ? s->held_len : s->data.len;
    e->too_large = s->lost || e->len > s->max;
    if (s->lost)
        e->len = s->lost;
    if (e->too_large)
        e->data = NULL;
    else if (!e->data)
        e->data = "";
}

static void blank_line(ait_sse *s)
{
    if (s->has_data && !s->failed) {
        ait_sse_event e;

        spoken(s, &e);
        s->calls->event(s->ctx, &e);
    }
    s->has_data = s->has_name = s->pending = false;
    s->held = NULL;
    s->lost = s->name_len = 0;
    s->block = 0;
    empty(&s->data);
}

/* One line without its end. */
static void take_line(ait_sse *s, const char *p, size_t n)
{
    const field *f;
    size_t at;

    if (n && *p == ':') {
        s->fields++;
        s->calls->comment(s->ctx, n - 1);
        return;
    }
    s->pending = true;
    f = field_of(p, n);
    if (!f) {
        s->calls->other(s->ctx, p, n);
        return;
    }
    s->fields++;
    at = n > f->len ? f->len + 1 : n;
    if (at < n && p[at] == ' ')
        at++;
    f->take(s, p + at, n - at);
}

/* Adds to the unfinished line; of one over the maximum its start is kept. */
static void keep_line(ait_sse *s, const char *p, size_t n)
{
    size_t room = s->line.max - s->line.len, kept = n < room ? n : room;

    if (kept < n) {
        s->too_long = true;
        s->line_lost += n - kept;
    }
    if (kept && !ait_buf_add(&s->line, p, kept))
        s->failed = true;
}

/* A line over the maximum: what was kept of it says what field it is. */
static void take_too_long(ait_sse *s)
{
    const char *line = s->line.data;
    const field *f = field_of(line, s->line.len);

    s->pending = true;
    if (f && f->take == on_data) {
        size_t name = f->len + 1u + (line[f->len + 1] == ' ');

        settle(s);
        s->lost += s->data.len + s->has_data + s->line.len - name +
                   s->line_lost;
        s->has_data = true;
        empty(&s->data);
    }
    s->too_long = false;
    s->line_lost = 0;
}

/* The line in the buffer is whole; what it leaves must not point there. */
static void take_kept(ait_sse *s)
{
    if (s->too_long) {
        take_too_long(s);
    } else {
        take_line(s, s->line.data, s->line.len);
        settle(s);
    }
    empty(&s->line);
}

static void end_line(ait_sse *s, const char *p, size_t n)
{
    if (s->line.len || s->too_long) {
        keep_line(s, p, n);
        take_kept(s);
    } else if (n == 0) {
        blank_line(s);
    } else {
        take_line(s, p, n);
    }
}

/* ---- reads ---------------------------------------------------------- */

/* The next byte c at or after p, else end. What was found is kept, so that
 * a read is searched once whatever its lines look like. */
static const char *next(const char *known, const char *p, const char *end,
                        int c)
{
    const char *at;

    if (known && known >= p)
        return known;
    if (*p == c)
        return p;
    at = memchr(p, c, (size_t)(end - p));
    return at ? at : end;
}

/* Matches a byte-order mark at the very start, also a split one. */
static const char *skip_bom(ait_sse *s, const char *p, const char *end)
{
    while (s->bom < sizeof bom && p < end) {
        if (*p == bom[s->bom]) {
            s->bom++;
            p++;
            continue;
        }
        keep_line(s, bom, s->bom);
        s->block += s->bom;
        s->bom = sizeof bom;
    }
    return p;
}

/* Bytes of the line end at `at`: a CR takes the LF behind it along. */
static size_t end_width(ait_sse *s, const char *at, const char *end)
{
    if (*at == '\n')
        return 1;
    s->swallow_lf = at + 1 == end;
    return at + 1 < end && at[1] == '\n' ? 2 : 1;
}

bool ait_sse_feed(ait_sse *s, const char *bytes, size_t n)
{
    const char *p = bytes, *end = bytes + n, *lf = NULL, *cr = NULL;

    p = skip_bom(s, p, end);
    if (s->swallow_lf && p < end) {
        if (*p == '\n') { /* belongs to the line that its CR ended */
            s->block += s->block != 0;
            p++;
        }
        s->swallow_lf = false;
    }
    while (p < end && !s->failed) {
        const char *at;
        size_t width;

        lf = next(lf, p, end, '\n');
        cr = next(cr, p, end, '\r');
        at = lf < cr ? lf : cr;
        if (at == end) {
            s->block += (uint64_t)(end - p);
            keep_line(s, p, (size_t)(end - p));
            break;
        }
        width = end_width(s, at, end);
        s->block += (uint64_t)(at - p) + width;
        end_line(s, p, (size_t)(at - p));
        p = at + width;
    }
    settle(s);
    return !s->failed;
}

uint64_t ait_sse_end(ait_sse *s)
{
    ait_sse_event e;

    if (s->bom < sizeof bom) {
        keep_line(s, bom, s->bom);
        s->block += s->bom;
    }
    if (s->line.len || s->too_long)
        take_kept(s);
    if (s->has_data && !s->failed) {
        spoken(s, &e);
        s->calls->tail(s->ctx, &e);
    }
    return s->pending ? s->block : 0;
}
