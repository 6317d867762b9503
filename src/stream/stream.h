#ifndef AIT_STREAM_STREAM_H
#define AIT_STREAM_STREAM_H
/*
 * The stream stage: bytes of one response body with the time of each read
 * in, classified events out. Only classes, lengths and the facts below
 * leave it; text never does. Knows nothing of files or databases.
 *
 * Feed any split: events, their times and the facts are the same (an event's
 * time is the time of the read that brought the line end which dispatched
 * it). Input is hostile: everything that is held is bounded.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "model/trace.h"

/* Longest event that is looked into; a longer one is dispatched with class
 * envelope, counted as malformed, issue event_too_large. */
#define AIT_EVENT_MAX (16u << 20)

typedef struct ait_stream ait_stream;

/* Scratch memory that the streams of one thread share. Streams that share
 * must be gone before it is freed. */
typedef struct ait_stream_work ait_stream_work;
ait_stream_work *ait_stream_work_new(void); /* NULL: out of memory */
void ait_stream_work_free(ait_stream_work *w);

/* What the response headers said; all may be NULL / absent. The texts are
 * copied. */
typedef struct ait_stream_head {
    const char *content_type;
    const char *content_encoding; /* gzip, deflate, identity; br and zstd
                                     keep read times only */
    int64_t status;
    ait_stream_work *work; /* NULL: the stream makes its own */
    /* A few compressed bytes may become gigabytes: asked for every MiB of
     * them within one read. Other than 0: AIT_EINTR. NULL: never asked. */
    int (*ask)(void *ctx);
    void *ask_ctx;
} ait_stream_head;

/*
 * Takes one event, in order. May be called during a feed, or later than the
 * event's own time (classes wait while a <think> tag cannot be told apart),
 * never earlier. Comments come here too (e->comment).
 */
typedef void ait_event_fn(void *ctx, const ait_event *e);

/* What was learned from the body besides its events. */
typedef struct ait_stream_facts {
    const char *dialect;  /* constant name, NULL: not recognised */
    const char *framing;  /* "sse", "ndjson", "json_array", "eventstream",
                             "json", NULL: nothing came, or none of these */
    int streamed;         /* 1 a stream, 0 one whole body, -1 unknown */
    ait_usage usage;
    bool terminal;        /* terminal marker or finish reason seen */
    bool error_seen;      /* error event, frame or text in a stream */
    bool rate_limit;      /* … that says rate limit */
    char finish_reason[AIT_TEXT_MAX + 1]; /* the provider's word; "" none */
    char error_code[65];  /* code, else type, else status word; "" none */
    char model[AIT_TEXT_MAX + 1]; /* first model name in the body; "" */
    bool body_text, body_other; /* non-streamed body: has visible text; has
                                   action or media … */
    bool body_reasoning, body_opaque; /* … readable or opaque reasoning */
    bool body_cut;        /* … it is JSON that ends in the middle */
    bool unread;          /* bytes that could not be read (br, damaged) */
    int64_t partial_bytes;/* block cut off by the end of the body */
    ait_issue_set issues;
    const ait_measure *measures; /* server-side timings, origin engine; list
                                    lives as long as the stream */
} ait_stream_facts;

/* NULL: out of memory. `fn` may be NULL (facts only). */
ait_stream *ait_stream_new(const ait_stream_head *head, ait_event_fn *fn,
                           void *ctx);
void ait_stream_free(ait_stream *s);

/* One read. ns absent: untimed (events get absent times). AIT_ENOMEM and
 * AIT_EINTR are the only failures. */
ait_code ait_stream_feed(ait_stream *s, int64_t ns, const char *bytes,
                         size_t n);

/* An event that was already cut out by the recorder (SSE `event` records).
 * `name` may be NULL. Counts as one read of its own. */
ait_code ait_stream_event(ait_stream *s, int64_t ns, const char *name,
                          size_t name_len, const char *data, size_t n);

/* The body is over (or the recording is): flushes what waits, looks into the
 * undispatched tail and into a whole JSON body. Once. */
ait_code ait_stream_end(ait_stream *s);

/* Valid any time; complete after ait_stream_end. */
const ait_stream_facts *ait_stream_get(const ait_stream *s);

/* Names of the framings, NULL-terminated; constant. */
const char *const *ait_framings(void);

/* Names of all dialects for `aitrace formats`; constant. */
typedef struct ait_dialect_info {
    const char *name, *title;  /* "openai_chat", "OpenAI chat completions…" */
    const char *t4, *t5;       /* which event gives them, one line each */
    const char *reasoning;     /* inside the reported count, or beside it */
} ait_dialect_info;
size_t ait_dialects(const ait_dialect_info **out);

#endif
