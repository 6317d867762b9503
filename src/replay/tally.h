#ifndef AIT_REPLAY_TALLY_H
#define AIT_REPLAY_TALLY_H
/*
 * What the events of one body add up to: counters, milestones, silences.
 * Fed event by event, in order; allocates nothing.
 */
#include "model/trace.h"

typedef enum ait_first { /* milestones that are the first event of a kind */
    AIT_FIRST_EVENT,
    AIT_FIRST_EFFECTIVE,
    AIT_FIRST_VISIBLE,
    AIT_FIRST_NONBLANK,
    AIT_FIRST_COUNT
} ait_first;

typedef struct ait_tally {
    int64_t stat[AIT_S_COUNT];
    ait_point first[AIT_FIRST_COUNT]; /* absent: not reached, or not timed */
    unsigned reached;      /* bit per ait_first */
    ait_point final;       /* last effective event */
    ait_point text_last;   /* last visible text */
    ait_point last;        /* last event */
    ait_point longest_from, stall_from; /* where those silences began */
    int64_t since_text;    /* longest silence after t5, counted once tf is
                              behind it */
    uint64_t read;         /* read of the last event */
    uint64_t text_read;    /* last read with text */
    int64_t read_gap;      /* silence before `read` */
    int64_t read_text;     /* bytes of text in it so far */
} ait_tally;

/* Of a body without events. */
void ait_tally_init(ait_tally *t);

/* One event; `axis` is that of its time. A class set of 0 is an event whose
 * content was not recorded: milestones it might have moved stay absent. */
void ait_tally_event(ait_tally *t, const ait_event *e, int axis);

/* An event of no known class: whatever was not reached before it may have
 * been that. */
void ait_tally_unknown(ait_tally *t);

/* A read whose bytes were not kept: whatever was not reached before it may
 * have been in it, and the silence around it may have been none. */
void ait_tally_unseen(ait_tally *t);

/* Visible text comes that may be nothing but white space (a mark does not
 * say): the first with more cannot be told any more, unless it came before. */
void ait_tally_maybe_blank(ait_tally *t);

/* The end of the body: the silence before it. */
void ait_tally_end(ait_tally *t, ait_point end);

/* A body that was not streamed has reads, but no events. */
void ait_tally_not_streamed(ait_tally *t);

/* Time from a to b; absent where either is, or on different axes. */
int64_t ait_tally_between(ait_point a, ait_point b);

#endif
