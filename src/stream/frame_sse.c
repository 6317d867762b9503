/* Framing: server-sent events. Also looks for errors that stand outside the
 * grammar: a field named error, and bare JSON lines behind the events. */
#include <string.h>
#include "stream/framing.h"
#include "stream/sse.h"

/* Most bytes of text outside the grammar that are looked into. */
#define STRAY_MAX 65536
/* Times a text is tried as JSON before its end is waited for. */
#define STRAY_TRIES 32

typedef struct sse_state {
    ait_sse sse;
    const ait_frames *to;
    ait_buf stray; /* bare JSON so far */
    int tries;
} sse_state;

static void frame_of(const ait_sse_event *e, ait_frame *f)
{
    *f = (ait_frame){.name = e->name, .name_len = e->name_len,
                     .data = e->data, .len = e->len,
                     .too_large = e->too_large};
}

static void on_event(void *ctx, const ait_sse_event *e)
{
    sse_state *s = ctx;
    ait_frame f;

    frame_of(e, &f);
    s->to->event(s->to->ctx, &f);
}

static void on_tail(void *ctx, const ait_sse_event *e)
{
    sse_state *s = ctx;
    ait_frame f;

    frame_of(e, &f);
    s->to->tail(s->to->ctx, &f);
}

static void on_comment(void *ctx, size_t len)
{
    sse_state *s = ctx;

    s->to->comment(s->to->ctx, len);
}

static void stray_over(sse_state *s)
{
    if (s->stray.len)
        s->to->stray(s->to->ctx, s->stray.data, s->stray.len, false);
    ait_buf_free(&s->stray);
    s->tries = 0;
}

/* Bare JSON grows line by line until it is whole. */
static void grow_stray(sse_state *s, const char *line, size_t n)
{
    char last = line[n - 1];

    if (!ait_buf_add(&s->stray, line, n) || !ait_buf_addc(&s->stray, '\n')) {
        ait_buf_free(&s->stray); /* too long to be an error object */
        return;
    }
    if ((last == '}' || last == ']') && s->tries++ < STRAY_TRIES &&
        ait_json_valid(s->stray.data, s->stray.len))
        stray_over(s);
}

static void on_other(void *ctx, const char *line, size_t n)
{
    sse_state *s = ctx;

    if (n > 6 && memcmp(line, "error:", 6) == 0)
        s->to->stray(s->to->ctx, line + 6, n - 6, true);
    else if (s->stray.len || *line == '{' || *line == '[')
        grow_stray(s, line, n);
}

static const ait_sse_calls calls = {on_event, on_comment, on_other, on_tail};

static void start(void *state, const ait_frames *to)
{
    sse_state *s = state;

    s->to = to;
    ait_sse_init(&s->sse, &calls, s, AIT_EVENT_MAX);
    ait_buf_init(&s->stray, STRAY_MAX);
}

static bool feed(void *state, const char *bytes, size_t n)
{
    sse_state *s = state;

    return ait_sse_feed(&s->sse, bytes, n);
}

static int64_t end(void *state)
{
    sse_state *s = state;
    int64_t cut = (int64_t)ait_sse_end(&s->sse);

    stray_over(s);
    return cut;
}

static void release(void *state)
{
    sse_state *s = state;

    ait_sse_free(&s->sse);
    ait_buf_free(&s->stray);
}

static bool spoke(const void *state)
{
    const sse_state *s = state;

    return s->sse.fields > 0;
}

/* Takes what no other framing does, but no document. */
static ait_start starts(const char *p, const char *raw, const char *end,
                        bool by_type)
{
    (void)raw;
    (void)end;
    (void)by_type;
    return *p == '{' ? AIT_START_NO : AIT_START_YES;
}

static const char *const types[] = {"text/event-stream", NULL};

const ait_framing ait_framing_sse = {
    "sse", types, sizeof(sse_state), start, feed, end, release, spoke, starts,
};
