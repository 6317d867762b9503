#ifndef AIT_STREAM_THINK_H
#define AIT_STREAM_THINK_H
/*
 * A leading <think> block inside visible text is reasoning. Fed with the
 * pieces of the text of one choice; the tags may be split anywhere. White
 * space before the first tag and right behind either tag is envelope; until
 * a tag can be told apart the pieces wait.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ait_think_state {
    AIT_THINK_START,  /* white space or a part of <think> so far */
    AIT_THINK_OPENED, /* white space right behind <think> */
    AIT_THINK_INSIDE,
    AIT_THINK_CLOSED, /* white space right behind </think> */
    AIT_THINK_TEXT    /* for good */
} ait_think_state;

typedef struct ait_think {
    uint8_t state;   /* ait_think_state */
    uint8_t matched; /* bytes of the awaited tag */
} ait_think;

/* What a piece turned out to hold. */
typedef struct ait_thought {
    size_t reasoning, text; /* bytes of each */
    bool nonblank;    /* the text holds more than white space */
    bool waits;       /* cannot be told yet */
    bool opened;      /* <think> came to its end in this piece */
    bool settles;     /* the pieces that waited before this one are … */
    uint32_t settled; /* … of this class; 0: envelope */
} ait_thought;

/* One piece, unescaped. */
void ait_think_piece(ait_think *t, const char *p, size_t n, ait_thought *out);

/* No more pieces: what the waiting ones are. */
uint32_t ait_think_end(const ait_think *t);

#endif
