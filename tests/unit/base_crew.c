/* Work by several threads: order, bounds, who works, how it stops. */
#include "base/crew.h"

#include <stdint.h>

#include "base/mem.h"
#include "harness.h"

enum { PLACES = 5, MANY = 20000 };

typedef struct job {
    ait_crew *crew;
    int64_t on[PLACES]; /* what was put; negated: worked on */
    int64_t next, sum, stop_at;
    int ordered, worked, workers_max;
} job;

static void work(void *ctx, int worker, int place)
{
    job *j = ctx;

    for (volatile int64_t i = j->on[place] % 7 * 50; i > 0; i--)
        ; /* some take longer than others */
    if (worker < j->workers_max)
        j->on[place] = -j->on[place];
}

static int turn(void *ctx, int place)
{
    job *j = ctx;

    j->ordered &= -j->on[place] == j->next;
    j->next++;
    j->sum -= j->on[place];
    return j->next == j->stop_at ? 42 : 0;
}

/* Gives how many were put. */
static int run(job *j, int threads, int n)
{
    int put = 0, place;

    j->next = j->ordered = 1;
    j->workers_max = threads;
    j->crew = ait_crew_new(threads, PLACES, &(ait_crew_job){work, turn, j});
    if (!j->crew)
        return -1;
    while (put < n && (place = ait_crew_room(j->crew)) >= 0) {
        j->on[place] = ++put;
        ait_crew_put(j->crew);
    }
    return put;
}

static void all_has_its_turn_in_order(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        job j = {0};

        CHECK_INT(run(&j, threads, MANY), MANY);
        CHECK_INT(ait_crew_settle(j.crew), 0);
        CHECK(j.ordered);
        CHECK_INT(j.sum, (int64_t)MANY * (MANY + 1) / 2);
        ait_crew_free(j.crew);
    }
}

/* What was put before the places are settled has had its turn then, and more
 * can be put afterwards. */
static void it_goes_on_after_settling(void)
{
    job j = {0};
    int place;

    CHECK_INT(run(&j, 3, 4), 4);
    CHECK_INT(ait_crew_settle(j.crew), 0);
    CHECK_INT(j.next, 5);
    CHECK_INT(ait_crew_settle(j.crew), 0);
    place = ait_crew_room(j.crew);
    CHECK_INT(ait_crew_room(j.crew), place);
    j.on[place] = 5;
    ait_crew_put(j.crew);
    CHECK_INT(ait_crew_settle(j.crew), 0);
    CHECK_INT(j.next, 6);
    CHECK(j.ordered);
    ait_crew_free(j.crew);
}

static void a_turn_can_stop_it(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        job j = {.stop_at = 1000};
        int put = run(&j, threads, MANY);

        CHECK(put >= 999 && put <= 999 + PLACES);
        CHECK_INT(ait_crew_room(j.crew), -1);
        CHECK_INT(ait_crew_settle(j.crew), 42);
        CHECK_INT(j.next, 1000); /* none behind it */
        ait_crew_free(j.crew);
    }
}

static void it_can_be_left(void)
{
    for (int i = 0; i < 200; i++) {
        job j = {0};

        CHECK_INT(run(&j, 4, i % PLACES), i % PLACES);
        ait_crew_free(j.crew);
        CHECK(j.ordered && j.next <= i % PLACES + 1);
    }
}

static void without_memory_there_is_none(void)
{
    for (long nth = 1; nth <= 2; nth++) {
        ait_mem_fail_after(nth);
        CHECK(!ait_crew_new(2, PLACES, &(ait_crew_job){work, turn, NULL}));
        ait_mem_fail_after(0);
    }
}

int main(void)
{
    RUN(all_has_its_turn_in_order);
    RUN(it_goes_on_after_settling);
    RUN(a_turn_can_stop_it);
    RUN(it_can_be_left);
    RUN(without_memory_there_is_none);
    return t_done();
}
