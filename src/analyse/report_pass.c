/* The passes of a report: values into cells, ranks out of them. */
#include <stdlib.h>

#include "analyse/report_state.h"

/* ---- cells ---------------------------------------------------------------------- */

/* Cells of a group grow with the metrics that are met in it. */
ait_cell *ait_cell_of(ait_report *r, ait_bucket *b, int metric)
{
    if (metric >= b->cells) {
        int n = metric < AIT_FIXED_METRICS ? AIT_FIXED_METRICS : metric + 8;
        ait_cell *cell = ait_realloc(b->cell, (size_t)n * sizeof *cell);
        if (!cell) {
            r->code = AIT_ENOMEM;
            return NULL;
        }
        for (int i = b->cells; i < n; i++)
            cell[i] = (ait_cell){.result = NULL};
        b->cell = cell;
        b->cells = n;
    }
    return &b->cell[metric];
}

static void drop_selects(ait_bucket *b)
{
    for (int i = 0; i < b->cells; i++) {
        ait_select_free(b->cell[i].select);
        b->cell[i].select = NULL;
    }
}

void ait_cells_free(ait_bucket *b)
{
    drop_selects(b);
    free(b->cell);
    b->cell = NULL;
    b->cells = 0;
}

static bool take_value(ait_report *r, ait_bucket *b, const ait_value *v,
                       bool completed, uint32_t nth)
{
    ait_cell *c = ait_cell_of(r, b, v->metric);

    if (!c)
        return false;
    if (c->result)
        return true; /* its ranks are known already */
    if (!c->select && b->work == AIT_W_FIRST)
        c->select = ait_select_new(&r->pool);
    return c->select &&
           ait_select_add(c->select, v->value, completed, nth);
}

void ait_pass_take(ait_report *r, const ait_fact *f)
{
    ait_bucket *b = r->bucket[f->group];
    bool ok = true;

    if (b->work == AIT_W_DONE || b->work == AIT_W_DEFERRED)
        return;
    for (int i = 0; ok && i < f->values.n; i++)
        ok = take_value(r, b, &f->values.v[i], f->completed,
                        (uint32_t)(r->seen - 1));
    if (!ok)
        r->code = AIT_ENOMEM;
}

/* ---- the budget ------------------------------------------------------------------ */

/* The last group that is being worked on, unless it is the only one. */
static ait_bucket *last_at_work(const ait_report *r)
{
    ait_bucket *last = NULL;
    int n = 0;

    for (int i = 0; i < r->buckets; i++)
        if (r->bucket[i]->work <= AIT_W_SEARCH) {
            last = r->bucket[i];
            n++;
        }
    return n > 1 ? last : NULL;
}

void ait_pass_fit(ait_report *r)
{
    ait_bucket *b;

    if (r->pool.used <= r->budget || r->pool.used <= r->accepted)
        return;
    if (r->logging && r->pass == AIT_PASS_COUNT) {
        r->logging = false;
        ait_factlog_free(&r->log);
    }
    while (r->pool.used > r->budget && (b = last_at_work(r))) {
        drop_selects(b);
        b->work = AIT_W_DEFERRED;
    }
    /* One group alone may need more; not to be asked at every request. */
    r->accepted = r->pool.used + r->pool.used / 16;
}

/* ---- the end of a pass -------------------------------------------------------------- */

/* One cell: asks for its ranks after the first pass, then searches. */
static bool search_cell(ait_report *r, ait_bucket *b, int metric,
                        bool *again)
{
    ait_cell *c = &b->cell[metric];
    bool more = false;

    if (c->result)
        return true;
    if (b->work == AIT_W_FIRST && c->select &&
        !ait_result_ask(r, c, b, metric))
        return false;
    if (c->select && !ait_select_step(c->select, &more))
        return false;
    *again = *again || more;
    return more || ait_result_write(r, c, b, metric);
}

static void search_bucket(ait_report *r, ait_bucket *b)
{
    bool again = false, ok = true;

    /* Milestones that nobody reached have a cell, too. */
    ok = ait_cell_of(r, b, 0) != NULL;
    for (int i = 0; ok && i < b->cells && i < r->metrics.count; i++)
        ok = search_cell(r, b, i, &again);
    if (!ok)
        r->code = AIT_ENOMEM;
    b->work = again ? AIT_W_SEARCH : AIT_W_DONE;
}

/* What was put off begins, when nothing else is left to do. */
static bool take_up_deferred(ait_report *r)
{
    bool any = false;

    for (int i = 0; i < r->buckets; i++)
        if (r->bucket[i]->work == AIT_W_DEFERRED) {
            r->bucket[i]->work = AIT_W_FIRST;
            any = true;
        }
    return any;
}

static bool search(ait_report *r)
{
    bool again = false;

    for (int i = 0; i < r->buckets && r->code == AIT_OK; i++) {
        ait_bucket *b = r->bucket[i];
        if (b->work <= AIT_W_SEARCH)
            search_bucket(r, b);
        again = again || b->work == AIT_W_SEARCH;
    }
    return again || take_up_deferred(r);
}

void ait_pass_end(ait_report *r)
{
    if (r->pass == AIT_PASS_COUNT)
        r->requests = r->seen;
    else if (r->seen != r->requests)
        r->code = AIT_EINPUT;
    r->seen = 0;
    if (r->code != AIT_OK)
        return;
    if (r->pass == AIT_PASS_NAMES) {
        r->pass = AIT_PASS_NONE;
    } else if (search(r)) {
        r->pass = AIT_PASS_VALUES;
    } else if (r->code == AIT_OK) {
        r->code = ait_names_gather(r);
        r->pass = r->names ? AIT_PASS_NAMES : AIT_PASS_NONE;
    }
}
