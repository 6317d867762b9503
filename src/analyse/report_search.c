/* The end of a report whose values are all there: columns are searched by
 * several threads, results written in order. */
#include <stdlib.h>

#include "analyse/report_state.h"
#include "base/crew.h"
#include "base/mem.h"

enum {
    PLACES_EACH = 2, /* per thread */
    /* What one place takes: one large column, or some small ones. */
    CELLS_MOST = 64,
    VALUES_MOST = 32 << 10
};

typedef struct batch {
    struct {
        ait_bucket *bucket;
        int metric;
    } of[CELLS_MOST];
    int cells;
    int64_t values;
    ait_pool pool; /* of the selections */
    bool failed;   /* out of memory */
} batch;

typedef struct search {
    ait_report *r;
    ait_crew *crew;
    batch *batch; /* by place */
    int places;
} search;

/* ---- one batch --------------------------------------------------------- */

/* All passes over one column. */
static bool search_column(const ait_report *r, ait_bucket *b, int metric,
                          ait_pool *pool)
{
    ait_cell *c = &b->cell[metric];
    bool more = c->column.list.first != NULL, ok = true;

    if (more)
        ok = (c->select = ait_select_new(pool)) != NULL;
    while (ok && more)
        ok = ait_select_column(c->select, &c->column, b->tag) &&
             ait_cell_step(r, b, metric, &more);
    return ok;
}

static void work(void *ctx, int worker, int place)
{
    search *s = ctx;
    batch *b = &s->batch[place];

    (void)worker;
    for (int i = 0; !b->failed && i < b->cells; i++)
        b->failed = !search_column(s->r, b->of[i].bucket, b->of[i].metric,
                                   &b->pool);
}

/* Gives back what the search has taken: each group's tags after its last
 * cell. */
static bool write_cell(ait_report *r, ait_bucket *b, int metric)
{
    if (!ait_result_write(r, b, metric))
        return false;
    ait_packed_free(&b->cell[metric].column.list, &r->pool);
    if (metric + 1 == b->cells) {
        free(b->tag);
        b->tag = NULL;
        b->work = AIT_W_DONE;
    }
    return true;
}

static int turn(void *ctx, int place)
{
    search *s = ctx;
    batch *b = &s->batch[place];

    if (b->failed)
        return AIT_ENOMEM;
    for (int i = 0; i < b->cells; i++)
        if (!write_cell(s->r, b->of[i].bucket, b->of[i].metric))
            return AIT_ENOMEM;
    b->cells = 0;
    b->values = 0;
    return 0;
}

/* What had no turn. */
static void drop(batch *b)
{
    for (int i = 0; i < b->cells; i++) {
        ait_cell *c = &b->of[i].bucket->cell[b->of[i].metric];
        ait_select_free(c->select);
        c->select = NULL;
    }
}

/* ---- all of them ------------------------------------------------------- */

static bool put_cell(search *s, ait_bucket *b, int metric)
{
    const ait_cell *c = &b->cell[metric];
    int place = ait_crew_room(s->crew);
    batch *to = place < 0 ? NULL : &s->batch[place];

    if (!to)
        return false;
    to->of[to->cells].bucket = b;
    to->of[to->cells++].metric = metric;
    to->values += c->present[0] + c->present[1];
    if (to->cells == CELLS_MOST || to->values >= VALUES_MOST)
        ait_crew_put(s->crew);
    return true;
}

static bool put_all(search *s)
{
    for (int i = 0; i < s->r->buckets; i++) {
        ait_bucket *b = s->r->bucket[i];
        if (!(b->tag = ait_roll_open(&b->roll)))
            return false;
        for (int m = 0; m < b->cells; m++)
            if (!put_cell(s, b, m))
                return false;
    }
    if (ait_crew_room(s->crew) < 0)
        return false;
    ait_crew_put(s->crew); /* perhaps empty */
    return ait_crew_settle(s->crew) == 0;
}

bool ait_search_columns(ait_report *r)
{
    search s = {r, NULL, NULL, PLACES_EACH * r->threads};
    bool ok = false;

    s.batch = ait_alloc((size_t)s.places * sizeof *s.batch);
    if (s.batch)
        s.crew = ait_crew_new(r->threads, s.places,
                              &(ait_crew_job){work, turn, &s});
    if (s.crew)
        ok = put_all(&s);
    ait_crew_free(s.crew);
    for (int i = 0; s.batch && i < s.places; i++)
        drop(&s.batch[i]);
    free(s.batch);
    return ok;
}
