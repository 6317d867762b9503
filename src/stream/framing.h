#ifndef AIT_STREAM_FRAMING_H
#define AIT_STREAM_FRAMING_H
/*
 * Framings: how events lie in the bytes of a body. Each is one file with
 * one ait_framing; a new one is a file and a row in the table of framing.c.
 */
#include "stream/engine.h"

/* Who takes what a framing finds. */
typedef struct ait_frames {
    void *ctx;
    void (*event)(void *ctx, const ait_frame *f);
    void (*comment)(void *ctx, size_t len);
    /* Text outside the grammar; surely: it says itself that it is an
     * error. */
    void (*stray)(void *ctx, const char *text, size_t n, bool surely);
    /* Data that the body's end cut off from being an event. */
    void (*tail)(void *ctx, const ait_frame *f);
    void (*damage)(void *ctx); /* the rest cannot be read */
} ait_frames;

typedef enum ait_start {
    AIT_START_NO,
    AIT_START_YES,
    AIT_START_MORE /* too few bytes to tell */
} ait_start;

typedef struct ait_framing {
    const char *name;       /* "sse" */
    const char *const *types; /* content types, NULL-terminated */
    size_t size;            /* of its state, which starts as zeros */
    void (*start)(void *state, const ait_frames *to);
    bool (*feed)(void *state, const char *bytes, size_t n); /* false: memory */
    /* The body is over; returns the bytes that were cut off. */
    int64_t (*end)(void *state);
    void (*free)(void *state);
    bool (*spoke)(const void *state); /* was anything of its grammar there */
    /* Is this how such a body starts? After white space and a byte-order
     * mark (`raw`: before them). */
    ait_start (*starts)(const char *p, const char *raw, const char *end,
                        bool by_type);
} ait_framing;

extern const ait_framing ait_framing_sse, ait_framing_ndjson,
    ait_framing_json_array, ait_framing_eventstream;

/* All of them; ends with NULL. */
extern const ait_framing *const ait_framing_table[];

/* The framing that a Content-Type names; NULL: none. */
const ait_framing *ait_framing_of_type(const char *content_type);
/* Does a Content-Type name a plain JSON document? */
bool ait_type_is_json(const char *content_type);

/* ---- choosing ------------------------------------------------------- */

typedef struct ait_stamp {
    int64_t ns;
    uint64_t read;
} ait_stamp;

/*
 * Looks at the start of a body until it can tell. A body that starts with an
 * object stays here: it may be one whole document (known at the end), NDJSON
 * (known when a second object starts) or SSE behind a line of JSON.
 */
typedef struct ait_sniff {
    ait_buf buf;         /* what came while it could not be told */
    const ait_framing *by_type; /* NULL: the type does not say */
    bool document;       /* it starts with an object */
    bool looked;         /* its first line has been looked at */
    bool over;           /* a document over the maximum: not kept whole */
    size_t lost;         /* its bytes that were not kept */
    size_t start;        /* where the document starts */
    size_t line;         /* start of the line that is not over … */
    size_t searched;     /* … and how far no end of it was found */
    size_t first;        /* end of the first line if it is whole JSON */
    ait_stamp first_at;  /* when that line ended */
} ait_sniff;

/* By the content type, NULL where there was none; free in any case. */
void ait_sniff_init(ait_sniff *s, const char *content_type);
void ait_sniff_free(ait_sniff *s);

/*
 * One read. *chosen stays NULL while it cannot be told. Once it is set, the
 * bytes to feed are those of s->buf if it holds any (they end with these),
 * else these; where s->first is set, that many came at s->first_at.
 */
ait_code ait_sniff_feed(ait_sniff *s, ait_stamp now, const char *bytes,
                        size_t n, const ait_framing **chosen);

#endif
