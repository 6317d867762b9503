#ifndef AIT_STREAM_SSE_H
#define AIT_STREAM_SSE_H
/*
 * Push parser for server-sent events, by the grammar of the WHATWG. Takes
 * any split of the bytes; a whole event with one data line that lies in one
 * read is handed on without a copy.
 *
 * CR, LF and CRLF each end a line, a CR at once. A block is dispatched by
 * the line end of its blank line, and only if it has a data field (which may
 * be empty). A block cut off by the end is never dispatched; ait_sse_end
 * hands its data to `tail`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/mem.h"

/* Longest event name or id that is kept; more bytes are cut. */
#define AIT_SSE_NAME_MAX 128

/* One dispatched event. All spans live until the callback returns. */
typedef struct ait_sse_event {
    const char *name; /* NULL: none given, "message" by the standard */
    size_t name_len;
    const char *id;   /* last event id, "" at the start */
    size_t id_len;
    const char *data; /* data lines joined with LF */
    size_t len;       /* all of it, also where too_large */
    bool too_large;   /* over the maximum: `data` is NULL */
} ait_sse_event;

/* Who takes what; none may be NULL. */
typedef struct ait_sse_calls {
    void (*event)(void *ctx, const ait_sse_event *e);
    void (*comment)(void *ctx, size_t len); /* bytes after the colon */
    /* A line that is no field of the grammar, as it is. */
    void (*other)(void *ctx, const char *line, size_t n);
    void (*tail)(void *ctx, const ait_sse_event *e);
} ait_sse_calls;

typedef struct ait_sse {
    const ait_sse_calls *calls;
    void *ctx;
    ait_buf line;         /* start of a line whose end has not come */
    ait_buf data;         /* data lines so far, once they had to be copied */
    const char *held;     /* the only data line so far, not copied yet */
    size_t held_len;
    size_t lost;          /* bytes of data that is over the maximum */
    size_t line_lost;     /* bytes of an unfinished line beyond it */
    size_t max;           /* most bytes of one event's data */
    char name[AIT_SSE_NAME_MAX], id[AIT_SSE_NAME_MAX];
    size_t name_len, id_len;
    int64_t retry;        /* last valid retry field; absent */
    uint64_t block;       /* bytes of the block that is not ended */
    uint64_t fields;      /* fields of the grammar and comments seen */
    uint8_t bom;          /* bytes of a byte-order mark seen; 3: past it */
    bool swallow_lf;      /* the last read ended in CR */
    bool has_data, has_name;
    bool pending;         /* the block holds more than comments */
    bool too_long;        /* the unfinished line is over the maximum */
    bool failed;          /* out of memory */
} ait_sse;

/* Events over `max` bytes come with too_large. Allocates nothing. */
void ait_sse_init(ait_sse *s, const ait_sse_calls *calls, void *ctx,
                  size_t max);
void ait_sse_free(ait_sse *s);

/* One read. false: out of memory, now or before. */
bool ait_sse_feed(ait_sse *s, const char *bytes, size_t n);

/* The body is over. Calls `tail` where a cut-off block has data; returns
 * the bytes of that block, 0 where the body ended between blocks. */
uint64_t ait_sse_end(ait_sse *s);

#endif
