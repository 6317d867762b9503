#ifndef AIT_BASE_BELT_H
#define AIT_BASE_BELT_H
/*
 * A belt between two threads: a fixed number of places that one fills and
 * the other empties, in order. Knows the numbers of the places only; what
 * lies on them is the caller's, and belongs to whoever was given the number.
 */
#include <pthread.h>
#include <stdbool.h>

typedef struct ait_belt {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int places, full, next_in, next_out;
    bool ended;   /* nothing more comes */
    bool refused; /* nothing more is taken */
} ait_belt;

bool ait_belt_init(ait_belt *b, int places); /* false: out of memory */
void ait_belt_free(ait_belt *b);

/* For the thread that fills: waits for an empty place; -1: nothing more is
 * taken. Then the place is handed over. */
int ait_belt_room(ait_belt *b);
void ait_belt_put(ait_belt *b);
void ait_belt_end(ait_belt *b); /* that was all */

/* For the thread that empties: waits for a full place; -1: that was all.
 * Then the place is given back. */
int ait_belt_take(ait_belt *b);
void ait_belt_done(ait_belt *b);
void ait_belt_refuse(ait_belt *b); /* wants nothing more */

/* A thread that leaves all signals to the others. false: there is none. */
bool ait_thread_start(pthread_t *thread, void *(*fn)(void *), void *ctx);

#endif
