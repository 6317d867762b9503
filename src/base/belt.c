#include "base/belt.h"

#include <signal.h>

bool ait_belt_init(ait_belt *b, int places)
{
    *b = (ait_belt){.places = places};
    if (pthread_mutex_init(&b->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&b->moved, NULL) == 0)
        return true;
    pthread_mutex_destroy(&b->lock);
    return false;
}

void ait_belt_free(ait_belt *b)
{
    pthread_cond_destroy(&b->moved);
    pthread_mutex_destroy(&b->lock);
}

/* Only one of the two can be waiting: a belt is not both full and empty. */
static void tell(ait_belt *b)
{
    pthread_cond_signal(&b->moved);
    pthread_mutex_unlock(&b->lock);
}

int ait_belt_room(ait_belt *b)
{
    int place;

    pthread_mutex_lock(&b->lock);
    while (b->full == b->places && !b->refused)
        pthread_cond_wait(&b->moved, &b->lock);
    place = b->refused ? -1 : b->next_in;
    pthread_mutex_unlock(&b->lock);
    return place;
}

void ait_belt_put(ait_belt *b)
{
    pthread_mutex_lock(&b->lock);
    b->full++;
    b->next_in = (b->next_in + 1) % b->places;
    tell(b);
}

void ait_belt_end(ait_belt *b)
{
    pthread_mutex_lock(&b->lock);
    b->ended = true;
    tell(b);
}

int ait_belt_take(ait_belt *b)
{
    int place;

    pthread_mutex_lock(&b->lock);
    while (b->full == 0 && !b->ended)
        pthread_cond_wait(&b->moved, &b->lock);
    place = b->full ? b->next_out : -1;
    pthread_mutex_unlock(&b->lock);
    return place;
}

void ait_belt_done(ait_belt *b)
{
    pthread_mutex_lock(&b->lock);
    b->full--;
    b->next_out = (b->next_out + 1) % b->places;
    tell(b);
}

void ait_belt_refuse(ait_belt *b)
{
    pthread_mutex_lock(&b->lock);
    b->refused = true;
    tell(b);
}

bool ait_thread_start(pthread_t *thread, void *(*fn)(void *), void *ctx)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    rc = pthread_create(thread, NULL, fn, ctx);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}
