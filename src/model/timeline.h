#ifndef AIT_MODEL_TIMELINE_H
#define AIT_MODEL_TIMELINE_H
/*
 * The content-free record of one attempt's events: when, which classes, how
 * long, in which read. Packed as it grows (delta-coded varints): some five
 * bytes an event, four of them its time.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/mem.h"
#include "base/num.h"
#include "model/class.h"

/* What leaves the stream stage about one event. No text. */
typedef struct ait_event {
    int64_t ns;       /* time of the read that completed it, on the capture's
                         clock after clock-fault mending; absent: untimed */
    uint64_t read;    /* number of that read in the attempt, from 1 */
    uint32_t classes; /* set of ait_class; 0: content not recorded */
    uint32_t length;  /* bytes of the event's data, capped at 2^32 - 1 */
    uint32_t text_length; /* bytes of visible text in it */
    bool comment;     /* transport comment: not an event, moves nothing */
    bool empty;       /* data empty or blank: an event, but never t3 */
    bool nonblank;    /* visible text holds more than white space */
    bool malformed;   /* data is not what the dialect expects */
} ait_event;

typedef struct ait_timeline {
    ait_buf bytes;     /* packed events */
    int64_t last_ns;   /* time of the last timed event */
    uint64_t last_read;
    int64_t last_extra; /* bytes beside the text of the last event */
    uint32_t last_head; /* its flags and classes */
    uint64_t count;
} ait_timeline;

/* Most bytes of one packed timeline; events beyond are counted in the trace
 * but not kept. */
#define AIT_TIMELINE_MAX (64u << 20)

void ait_timeline_init(ait_timeline *t); /* allocates nothing */
void ait_timeline_free(ait_timeline *t);
/* Appends; text_length is kept for visible events only. false: over the
 * maximum or out of memory, the timeline is as it was. */
bool ait_timeline_add(ait_timeline *t, const ait_event *e);

/* Walks a packed timeline: zero the cursor, set at and end; false at the
 * end or where the bytes are damaged (then *at != end). */
typedef struct ait_timeline_cursor {
    const uint8_t *at, *end;
    int64_t last_ns;
    uint64_t last_read;
    int64_t last_extra;
    uint32_t last_head;
} ait_timeline_cursor;
bool ait_timeline_next(ait_timeline_cursor *c, ait_event *e);

#endif
