/* The belt between two threads: order, bounds, both kinds of end. */
#include "base/belt.h"

#include <signal.h>
#include <stdint.h>

#include "harness.h"

enum { PLACES = 3, MANY = 20000 };

typedef struct work {
    ait_belt belt;
    int64_t on[PLACES];
    int64_t sum;
    int count, most, ordered, signals;
} work;

static void *take_all(void *ctx)
{
    work *w = ctx;
    int64_t last = -1;
    int i;

    w->ordered = 1;
    while (w->count < w->most && (i = ait_belt_take(&w->belt)) >= 0) {
        w->ordered &= w->on[i] == last + 1;
        last = w->on[i];
        w->sum += last;
        w->count++;
        ait_belt_done(&w->belt);
    }
    ait_belt_refuse(&w->belt);
    return NULL;
}

/* Fills until all is given or nothing more is taken; gives how many. */
static int fill(work *w, int n)
{
    int given = 0, i;

    while (given < n && (i = ait_belt_room(&w->belt)) >= 0) {
        w->on[i] = given++;
        ait_belt_put(&w->belt);
    }
    ait_belt_end(&w->belt);
    return given;
}

static void all_comes_in_order(void)
{
    work w = {.most = MANY + 1};
    pthread_t thread;

    CHECK(ait_belt_init(&w.belt, PLACES));
    CHECK(ait_thread_start(&thread, take_all, &w));
    CHECK_INT(fill(&w, MANY), MANY);
    pthread_join(thread, NULL);
    CHECK(w.ordered);
    CHECK_INT(w.count, MANY);
    CHECK_INT(w.sum, (int64_t)MANY * (MANY - 1) / 2);
    ait_belt_free(&w.belt);
}

static void the_taker_may_stop(void)
{
    work w = {.most = 7};
    pthread_t thread;
    int given;

    CHECK(ait_belt_init(&w.belt, PLACES));
    CHECK(ait_thread_start(&thread, take_all, &w));
    given = fill(&w, MANY);
    pthread_join(thread, NULL);
    CHECK(given >= 7 && given <= 7 + PLACES);
    CHECK_INT(w.count, 7);
    ait_belt_free(&w.belt);
}

static void what_lies_there_at_the_end_is_taken(void)
{
    work w = {.most = MANY};

    CHECK(ait_belt_init(&w.belt, PLACES));
    CHECK_INT(fill(&w, PLACES), PLACES); /* nobody takes yet */
    take_all(&w);
    CHECK(w.ordered);
    CHECK_INT(w.count, PLACES);
    CHECK_INT(ait_belt_room(&w.belt), -1);
    ait_belt_free(&w.belt);
}

static void *look_at_signals(void *ctx)
{
    work *w = ctx;
    sigset_t now;

    pthread_sigmask(SIG_SETMASK, NULL, &now);
    w->signals = !sigismember(&now, SIGINT) || !sigismember(&now, SIGTERM);
    return NULL;
}

static void signals_are_for_the_others(void)
{
    work w = {.signals = 1};
    pthread_t thread;
    sigset_t now;

    CHECK(ait_thread_start(&thread, look_at_signals, &w));
    pthread_join(thread, NULL);
    CHECK_INT(w.signals, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    CHECK(!sigismember(&now, SIGINT));
}

int main(void)
{
    RUN(all_comes_in_order);
    RUN(the_taker_may_stop);
    RUN(what_lies_there_at_the_end_is_taken);
    RUN(signals_are_for_the_others);
    return t_done();
}
