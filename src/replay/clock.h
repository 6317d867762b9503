#ifndef AIT_REPLAY_CLOCK_H
#define AIT_REPLAY_CLOCK_H
/*
 * The one clock of a request (definitions, section 1, clock faults). Stamps
 * come in arrival order; what comes out never goes back.
 */
#include <stdbool.h>
#include <stdint.h>

/* Most steps of a clock that are followed in one request; after more its
 * times are absent. */
#define AIT_STEPS_MAX 4

typedef struct ait_clock {
    int64_t last;  /* the time it showed last; absent: none yet */
    int64_t shift; /* added to stamps since the clock was set back */
    int steps;     /* how often it was set back by more than a second: the
                      axis of the times that come out */
    bool lost;
} ait_clock;

typedef enum ait_clock_fault {
    AIT_CLOCK_FINE,
    AIT_CLOCK_BACK, /* counts as the stamp before it */
    AIT_CLOCK_STEP  /* was set: a new axis begins */
} ait_clock_fault;

/* Shows nothing yet. */
void ait_clock_init(ait_clock *c);

/* The mended time of a stamp; absent where the stamp is, or where the clock
 * stepped too often. */
int64_t ait_clock_tick(ait_clock *c, int64_t stamp, ait_clock_fault *fault);

#endif
