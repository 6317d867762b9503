#ifndef AIT_BASE_CREW_H
#define AIT_BASE_CREW_H
/*
 * Work that comes in order, is done by several threads, and has its effect in
 * order. Places go round: the caller fills one and puts it; any thread works
 * on it, several at once on several places; then it has its turn, one place
 * at a time and in the order they were put, on whatever thread is free, which
 * mostly is the one that worked on it and has it in its cache. A caller that
 * has to wait works, too, so it needs no other thread.
 *
 * Knows the numbers of the places only; what lies on them is the caller's.
 */
#include <stdbool.h>

typedef struct ait_crew_job {
    /* Works on what lies on a place. `worker` is 0 for the caller's thread,
     * 1, 2, … for the others. */
    void (*work)(void *ctx, int worker, int place);
    /* Anything but 0 stops it all. */
    int (*turn)(void *ctx, int place);
    void *ctx;
} ait_crew_job;

#define AIT_CREW_MAX 64 /* threads */

typedef struct ait_crew ait_crew;

/* `threads` counts the caller; where one cannot be had, there are fewer.
 * NULL: out of memory. */
ait_crew *ait_crew_new(int threads, int places, const ait_crew_job *job);
/* Waits for whoever is at work; what has not begun is dropped. */
void ait_crew_free(ait_crew *c);

/* An empty place, the same one until it is put; -1: a turn has stopped it
 * all. */
int ait_crew_room(ait_crew *c);
void ait_crew_put(ait_crew *c);
/* Waits until all that was put has had its turn; gives what stopped it, else
 * 0. */
int ait_crew_settle(ait_crew *c);

#endif
