#include "replay/clock.h"

#include "base/num.h"

#define STEP AIT_SEC /* a step back of more than this: the clock was set */

void ait_clock_init(ait_clock *c)
{
    *c = (ait_clock){.last = AIT_ABSENT};
}

/* The stamp is `back` ns before its predecessor; an absent `back` is one
 * beyond 63 bits. */
static ait_clock_fault went_back(ait_clock *c, int64_t back)
{
    if (ait_has(back) && back <= STEP)
        return AIT_CLOCK_BACK;
    c->shift = ait_plus(c->shift, back);
    if (c->steps == AIT_STEPS_MAX || !ait_has(c->shift))
        c->lost = true;
    else
        c->steps++;
    return AIT_CLOCK_STEP;
}

int64_t ait_clock_tick(ait_clock *c, int64_t stamp, ait_clock_fault *fault)
{
    int64_t now;

    *fault = AIT_CLOCK_FINE;
    if (c->lost)
        return AIT_ABSENT;
    now = ait_plus(stamp, c->shift);
    if (!ait_has(now))
        return AIT_ABSENT;
    if (ait_has(c->last) && now < c->last) {
        *fault = went_back(c, ait_minus(c->last, now));
        return c->lost ? AIT_ABSENT : c->last;
    }
    return c->last = now;
}
