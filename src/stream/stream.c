/* One response body: encoding, framing, dialect, events out in order. */
#include "stream/stream.h"
#include <stdlib.h>
#include <string.h>
#include "base/num.h"
#include "stream/encoding.h"
#include "stream/framing.h"
#include "stream/queue.h"

struct ait_stream {
    ait_stream_facts facts;
    ait_engine engine;
    ait_decoder decoder;
    ait_sniff sniff;
    ait_queue queue;
    ait_frames to;
    const ait_framing *framing; /* NULL: not told yet */
    void *state;                /* of the framing */
    ait_stream_work *own;       /* scratch memory nobody shares */
    ait_stamp now;
    uint64_t reads;
    bool unfamiliar;            /* events that no dialect explains */
    int (*ask)(void *ctx);      /* may this read go on? */
    void *ask_ctx;
    size_t grown;               /* decoded bytes since it was asked */
    bool failed, stopped, ended;
};

#define ASK_EVERY (1u << 20)

/* ---- scratch memory ------------------------------------------------- */

ait_stream_work *ait_stream_work_new(void)
{
    ait_stream_work *w = ait_alloc(sizeof *w);

    if (!w)
        return NULL;
    ait_json_init(&w->json, AIT_EVENT_NODES);
    ait_buf_init(&w->text, AIT_EVENT_MAX);
    ait_buf_init(&w->payload, AIT_EVENT_MAX);
    return w;
}

void ait_stream_work_free(ait_stream_work *w)
{
    if (!w)
        return;
    ait_json_free(&w->json);
    ait_buf_free(&w->text);
    ait_buf_free(&w->payload);
    free(w);
}

/* ---- what the framing finds ----------------------------------------- */

static void hand_on(ait_stream *s, const ait_event *e, const ait_waiting *w)
{
    if (!ait_queue_add(&s->queue, e, w))
        s->failed = true;
}

/* The text of every choice is what it is so far. */
static void settle_all(ait_stream *s)
{
    for (unsigned c = 0; c < AIT_CHOICES; c++) {
        ait_think *t = &s->engine.think[c];

        ait_queue_settle(&s->queue, c, ait_think_end(t));
        t->matched = 0;
        if (t->state == AIT_THINK_START)
            t->state = AIT_THINK_TEXT;
    }
}

/* Is it an event that only a dialect could explain? */
static bool is_unfamiliar(const ait_stream *s, const ait_said *said)
{
    return !s->engine.dialect && !said->empty && !said->malformed &&
           said->classes == AIT_C_ENVELOPE;
}

static void on_event(void *ctx, const ait_frame *f)
{
    ait_stream *s = ctx;
    ait_said said;
    ait_event e = {.ns = s->now.ns, .read = s->now.read};

    ait_engine_event(&s->engine, f, &said);
    s->failed |= s->engine.failed;
    s->unfamiliar |= is_unfamiliar(s, &said);
    for (unsigned c = 0; said.settled >> c; c++)
        if (said.settled >> c & 1)
            ait_queue_settle(&s->queue, c, said.settled_as[c]);
    e.classes = said.classes;
    e.length = f->len > UINT32_MAX ? UINT32_MAX : (uint32_t)f->len;
    e.text_length = said.text_length;
    e.empty = said.empty;
    e.nonblank = said.nonblank;
    e.malformed = said.malformed;
    hand_on(s, &e, &said.waiting);
    if (s->queue.count == AIT_WAITING_MAX)
        settle_all(s);
}

static void on_comment(void *ctx, size_t len)
{
    static const ait_waiting nothing;
    ait_stream *s = ctx;
    ait_event e = {.ns = s->now.ns, .read = s->now.read, .comment = true};

    e.length = len > UINT32_MAX ? UINT32_MAX : (uint32_t)len;
    hand_on(s, &e, &nothing);
}

static void on_stray(void *ctx, const char *text, size_t n, bool surely)
{
    ait_stream *s = ctx;

    ait_engine_stray(&s->engine, text, n, surely);
}

static void on_tail(void *ctx, const ait_frame *f)
{
    ait_stream *s = ctx;

    if (ait_engine_tail(&s->engine, f))
        ait_issue_add(&s->facts.issues, AIT_I_UNDISPATCHED_TAIL);
}

static void lose(ait_stream *s, ait_issue_id why)
{
    if (!s->facts.unread)
        ait_issue_add(&s->facts.issues, why);
    s->facts.unread = true;
}

static void on_damage(void *ctx)
{
    lose(ctx, AIT_I_CONTENT_DAMAGED);
}

/* ---- life ----------------------------------------------------------- */

static void init_facts(ait_stream *s, const char *content_type)
{
    ait_usage_init(&s->facts.usage);
    s->facts.streamed = s->sniff.by_type              ? 1
                        : ait_type_is_json(content_type) ? 0 : -1;
}

ait_stream *ait_stream_new(const ait_stream_head *head, ait_event_fn *fn,
                           void *ctx)
{
    ait_stream *s = ait_alloc(sizeof *s);

    if (!s)
        return NULL;
    if (!head->work && !(s->own = ait_stream_work_new())) {
        free(s);
        return NULL;
    }
    ait_engine_init(&s->engine, head->work ? head->work : s->own, &s->facts);
    ait_decoder_init(&s->decoder, head->content_encoding);
    ait_sniff_init(&s->sniff, head->content_type);
    ait_queue_init(&s->queue, fn, ctx);
    s->to = (ait_frames){s, on_event, on_comment, on_stray, on_tail,
                         on_damage};
    s->now.ns = AIT_ABSENT;
    s->ask = head->ask;
    s->ask_ctx = head->ask_ctx;
    init_facts(s, head->content_type);
    return s;
}

void ait_stream_free(ait_stream *s)
{
    if (!s)
        return;
    if (s->state)
        s->framing->free(s->state);
    free(s->state);
    ait_engine_free(&s->engine);
    ait_decoder_free(&s->decoder);
    ait_sniff_free(&s->sniff);
    ait_queue_free(&s->queue);
    ait_stream_work_free(s->own);
    free(s);
}

/* ---- bytes ---------------------------------------------------------- */

/* Notes that the framing's grammar was there at all. */
static void look_at_framing(ait_stream *s)
{
    if (s->facts.framing || !s->framing->spoke(s->state))
        return;
    s->facts.framing = s->framing->name;
    s->facts.streamed = 1;
}

static bool feed_framing(ait_stream *s, const char *bytes, size_t n)
{
    bool good = s->framing->feed(s->state, bytes, n) && !s->failed;

    look_at_framing(s);
    return good;
}

static bool begin_framing(ait_stream *s, const ait_framing *f)
{
    s->state = ait_alloc(f->size);
    if (!s->state)
        return false;
    s->framing = f;
    f->start(s->state, &s->to);
    return true;
}

/* The framing has been told: what was looked at so far goes to it, the first
 * line with its own time. */
static bool replay_start(ait_stream *s, const ait_framing *f,
                         const char *bytes, size_t n)
{
    ait_buf *b = &s->sniff.buf;
    size_t first = s->sniff.first;
    ait_stamp now = s->now;
    bool good;

    if (!begin_framing(s, f))
        return false;
    if (b->len == 0)
        return feed_framing(s, bytes, n);
    s->now = s->sniff.first_at;
    good = first == 0 || feed_framing(s, b->data, first);
    s->now = now;
    good = good && feed_framing(s, b->data + first, b->len - first);
    ait_buf_free(b);
    return good;
}

static bool may_go_on(ait_stream *s, size_t n)
{
    s->grown += n;
    if (s->grown < ASK_EVERY || !s->ask)
        return true;
    s->grown = 0;
    s->stopped = s->ask(s->ask_ctx) != 0;
    return !s->stopped;
}

static bool take_decoded(void *ctx, const char *bytes, size_t n)
{
    ait_stream *s = ctx;
    const ait_framing *f;

    if (!may_go_on(s, n))
        return false;
    if (s->framing)
        return feed_framing(s, bytes, n);
    if (ait_sniff_feed(&s->sniff, s->now, bytes, n, &f) != AIT_OK)
        return false;
    return !f || replay_start(s, f, bytes, n);
}

static ait_code result(ait_stream *s, bool good)
{
    s->failed |= !good;
    if (!s->failed)
        return AIT_OK;
    return s->stopped ? AIT_EINTR : AIT_ENOMEM;
}

ait_code ait_stream_feed(ait_stream *s, int64_t ns, const char *bytes,
                         size_t n)
{
    bool good;

    if (s->failed)
        return result(s, true);
    s->now = (ait_stamp){ns, ++s->reads};
    s->grown = 0;
    good = ait_decoder_feed(&s->decoder, bytes, n, take_decoded, s) ==
           AIT_OK;
    if (s->decoder.is == AIT_DEC_UNREAD && n)
        lose(s, AIT_I_CONTENT_ENCODING_UNREAD);
    if (s->decoder.is == AIT_DEC_DAMAGED)
        lose(s, AIT_I_CONTENT_DAMAGED);
    return result(s, good);
}

ait_code ait_stream_event(ait_stream *s, int64_t ns, const char *name,
                          size_t name_len, const char *data, size_t n)
{
    ait_frame f = {.name = name_len ? name : NULL, .name_len = name_len,
                   .data = data, .len = n};

    s->now = (ait_stamp){ns, ++s->reads};
    if (!s->facts.framing)
        s->facts.framing = ait_framing_sse.name;
    s->facts.streamed = 1;
    f.too_large = n > AIT_EVENT_MAX;
    on_event(s, &f);
    return result(s, true);
}

/* ---- the end -------------------------------------------------------- */

static void end_framing(ait_stream *s)
{
    int64_t cut = s->framing->end(s->state);

    look_at_framing(s);
    if (s->facts.framing || s->sniff.by_type)
        s->facts.partial_bytes = cut;
    else
        s->facts.streamed = 0; /* text of no known grammar */
}

/* Does JSON end in the middle? What is whole, or no JSON at all, does not. */
static bool ends_inside(const char *text, size_t n)
{
    int64_t depth = 0;
    bool string = false;

    for (size_t i = 0; i < n; i++) {
        char c = text[i];

        if (c == '"')
            string = !string;
        else if (string)
            i += c == '\\';
        else
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return string || depth > 0;
}

/* A body that stayed a document: whole JSON, one that was cut, or a stream
 * of one line. False: out of memory. */
static bool end_document(ait_stream *s)
{
    const ait_sniff *d = &s->sniff;
    const char *text = d->buf.data + d->start;
    size_t n = d->buf.len - d->start;

    if (d->first && !d->over && ait_engine_is_event(&s->engine, text, n)) {
        bool good = replay_start(s, &ait_framing_ndjson, text, n);

        end_framing(s);
        return good;
    }
    s->facts.framing = "json";
    s->facts.streamed = 0;
    if (d->over) {
        lose(s, AIT_I_EVENT_TOO_LARGE);
    } else if (!ait_engine_whole(&s->engine, text, n)) {
        s->facts.partial_bytes = (int64_t)d->buf.len;
        s->facts.body_cut = ends_inside(text, n);
    }
    return true;
}

ait_code ait_stream_end(ait_stream *s)
{
    ait_issue_set *issues = &s->facts.issues;
    bool good = true;

    if (s->ended || s->failed)
        return result(s, true);
    s->ended = true;
    if (ait_decoder_cut(&s->decoder))
        ait_issue_add(issues, AIT_I_CONTENT_DAMAGED);
    if (s->decoder.trailing)
        ait_issue_add(issues, AIT_I_TRAILING_BYTES);
    if (s->framing)
        end_framing(s);
    else if (s->sniff.document)
        good = end_document(s);
    settle_all(s);
    if (s->facts.streamed == 1 && s->unfamiliar && !s->facts.dialect)
        ait_issue_add(issues, AIT_I_UNKNOWN_DIALECT);
    return result(s, good && !s->engine.failed);
}

const ait_stream_facts *ait_stream_get(const ait_stream *s)
{
    return &s->facts;
}

const char *const *ait_framings(void)
{
    static const char *const names[] = {"sse", "ndjson", "json_array",
                                        "eventstream", "json", NULL};

    return names;
}
