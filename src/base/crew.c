#include "base/crew.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/belt.h"
#include "base/mem.h"

typedef struct helper {
    ait_crew *crew;
    pthread_t thread;
    int worker;
} helper;

/* Places are counted on and on; the counts are those of the next place to be
 * put, worked on, and to have its turn. All is held by the lock. */
struct ait_crew {
    ait_crew_job job;
    pthread_mutex_t lock;
    pthread_cond_t more; /* a place was put */
    pthread_cond_t less; /* one had its turn */
    uint64_t places, put, begun, turned;
    bool *done;   /* by place: it was worked on */
    bool turning; /* somebody is at it */
    bool waiting; /* the caller, for `less` … */
    uint64_t few; /* … until no more than these are out */
    bool over;    /* nobody needs to go on */
    int idle;     /* helpers that wait for `more` */
    int stopped;  /* by a turn, else 0 */
    int helpers;
    helper helper[AIT_CREW_MAX - 1];
};

static bool goes_on(const ait_crew *c)
{
    return !c->over && c->stopped == 0;
}

static void tell_caller(ait_crew *c)
{
    if (c->waiting && (c->put - c->turned <= c->few || c->stopped))
        pthread_cond_signal(&c->less);
}

/* Turns are taken by one thread until the next place is not done; then by
 * the one that does it. The lock is held but in the turn itself. */
static void take_turns(ait_crew *c)
{
    if (c->turning)
        return;
    c->turning = true;
    while (c->done[c->turned % c->places] && goes_on(c)) {
        int place = (int)(c->turned % c->places), stopped;

        pthread_mutex_unlock(&c->lock);
        stopped = c->job.turn(c->job.ctx, place);
        pthread_mutex_lock(&c->lock);
        c->stopped = stopped;
        c->done[place] = false;
        c->turned++;
        tell_caller(c);
    }
    c->turning = false;
}

/* Works on the next place. */
static void work_on(ait_crew *c, int worker)
{
    int place = (int)(c->begun++ % c->places);

    pthread_mutex_unlock(&c->lock);
    c->job.work(c->job.ctx, worker, place);
    pthread_mutex_lock(&c->lock);
    c->done[place] = true;
    take_turns(c);
}

static void *help(void *ctx)
{
    const helper *h = ctx;
    ait_crew *c = h->crew;

    pthread_mutex_lock(&c->lock);
    while (goes_on(c)) {
        if (c->begun != c->put) {
            work_on(c, h->worker);
            continue;
        }
        c->idle++;
        pthread_cond_wait(&c->more, &c->lock);
        c->idle--;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* The caller's part while more than `most` places are out. Where it must wait
 * it does so until they are `few`: to be woken for each takes too long. */
static void work_down(ait_crew *c, uint64_t most, uint64_t few)
{
    while (c->put - c->turned > most && c->stopped == 0) {
        if (c->begun != c->put) {
            work_on(c, 0);
            continue;
        }
        c->few = most = few;
        c->waiting = true;
        pthread_cond_wait(&c->less, &c->lock);
        c->waiting = false;
    }
}

int ait_crew_room(ait_crew *c)
{
    int place;

    pthread_mutex_lock(&c->lock);
    work_down(c, c->places - 1, c->places / 2);
    place = c->stopped ? -1 : (int)(c->put % c->places);
    pthread_mutex_unlock(&c->lock);
    return place;
}

void ait_crew_put(ait_crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->put++;
    if (c->idle)
        pthread_cond_signal(&c->more);
    pthread_mutex_unlock(&c->lock);
}

int ait_crew_settle(ait_crew *c)
{
    int stopped;

    pthread_mutex_lock(&c->lock);
    work_down(c, 0, 0);
    stopped = c->stopped;
    pthread_mutex_unlock(&c->lock);
    return stopped;
}

/* ---- begin and end ----------------------------------------------------- */

static bool init_shared(ait_crew *c)
{
    if (pthread_mutex_init(&c->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&c->more, NULL) == 0) {
        if (pthread_cond_init(&c->less, NULL) == 0)
            return true;
        pthread_cond_destroy(&c->more);
    }
    pthread_mutex_destroy(&c->lock);
    return false;
}

static void start_helpers(ait_crew *c, int threads)
{
    for (int i = 1; i < threads && i < AIT_CREW_MAX; i++) {
        helper *h = &c->helper[i - 1];

        *h = (helper){.crew = c, .worker = i};
        if (!ait_thread_start(&h->thread, help, h))
            return;
        c->helpers = i;
    }
}

ait_crew *ait_crew_new(int threads, int places, const ait_crew_job *job)
{
    ait_crew *c = ait_alloc(sizeof *c);

    if (!c)
        return NULL;
    c->job = *job;
    c->places = (uint64_t)places;
    c->done = ait_alloc((size_t)places * sizeof *c->done);
    if (!c->done || !init_shared(c)) {
        free(c->done);
        free(c);
        return NULL;
    }
    start_helpers(c, threads);
    return c;
}

void ait_crew_free(ait_crew *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->over = true;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->helpers; i++)
        pthread_join(c->helper[i].thread, NULL);
    pthread_cond_destroy(&c->less);
    pthread_cond_destroy(&c->more);
    pthread_mutex_destroy(&c->lock);
    free(c->done);
    free(c);
}
