/* The passes of a report: values into cells, ranks out of them. */
#include <stdlib.h>
#include <string.h>

#include "analyse/report_state.h"

/* ---- cells ------------------------------------------------------------- */

bool ait_cells_grow(ait_report *r, ait_bucket *b)
{
    int n = r->metrics.count;
    ait_cell *cell;

    if (b->cells >= n)
        return true;
    cell = ait_realloc(b->cell, (size_t)n * sizeof *cell);
    if (!cell) {
        r->code = AIT_ENOMEM;
        return false;
    }
    memset(cell + b->cells, 0, (size_t)(n - b->cells) * sizeof *cell);
    b->cell = cell;
    b->cells = n;
    return true;
}

static void drop_selects(ait_bucket *b)
{
    for (int i = 0; i < b->cells; i++) {
        ait_select_free(b->cell[i].select);
        b->cell[i].select = NULL;
    }
}

void ait_cells_free(ait_report *r, ait_bucket *b)
{
    drop_selects(b);
    for (int i = 0; i < b->cells; i++)
        ait_packed_free(&b->cell[i].column.list, &r->pool);
    ait_packed_free(&b->roll.list, &r->pool);
    free(b->tag);
    b->tag = NULL;
    free(b->cell);
    b->cell = NULL;
    b->cells = 0;
}

/* ---- a request's values ------------------------------------------------ */

static bool remember_id(ait_report *r, const ait_fact *f)
{
    uint8_t *p = ait_packed_room(&r->ids, &r->pool, 12 + AIT_ID_MAX);

    if (!p)
        return false;
    p = ait_pack(p, ait_has(f->row) ? (uint64_t)f->row + 1 : 0);
    *p++ = (uint8_t)f->id_len;
    if (f->id_len)
        memcpy(p, f->id, f->id_len);
    ait_packed_put(&r->ids, p + f->id_len);
    return true;
}

static inline void count(ait_cell *c, const ait_fact *f)
{
    c->present[f->completed]++;
    c->failed_present += f->failed;
}

/* Bounds are few. */
static void count_bounds(ait_bucket *b, const ait_fact *f)
{
    for (uint32_t left = f->values.bounds; left; left &= left - 1)
        b->cell[__builtin_ctz(left)].bounds[f->completed]++;
    for (int i = 0; i < f->values.measures; i++)
        b->cell[f->values.measure[i].metric].bounds[f->completed] +=
            f->values.measure[i].bound;
}

/* Does something with each value and its cell until it fails. */
typedef bool take_fn(ait_report *r, ait_bucket *b, ait_cell *c,
                     const ait_fact *f, int64_t value);

static inline bool each_value(ait_report *r, ait_bucket *b,
                              const ait_fact *f, take_fn *take)
{
    const ait_values *v = &f->values;
    ait_cell *cell = b->cell;

    for (int i = 0; i < AIT_FIXED_METRICS; i++)
        if (ait_is_value(v->fixed[i]) &&
            !take(r, b, &cell[i], f, v->fixed[i]))
            return false;
    for (int i = 0; i < v->measures; i++)
        if (!take(r, b, &cell[v->measure[i].metric], f,
                  v->measure[i].value))
            return false;
    return true;
}

static inline bool into_column(ait_report *r, ait_bucket *b, ait_cell *c,
                               const ait_fact *f, int64_t value)
{
    count(c, f);
    return ait_column_add(&c->column, &r->pool, &b->roll, value);
}

/* The first pass, and the only one. */
static bool into_columns(ait_report *r, ait_bucket *b, const ait_fact *f)
{
    return remember_id(r, f) &&
           ait_roll_add(&b->roll, &r->pool,
                        ait_tag((uint32_t)(r->seen - 1), f->completed)) &&
           each_value(r, b, f, into_column);
}

static inline bool into_select(ait_report *r, ait_bucket *b, ait_cell *c,
                               const ait_fact *f, int64_t value)
{
    if (r->pass == AIT_PASS_COUNT)
        count(c, f);
    if (b->work == AIT_W_DONE || b->work == AIT_W_DEFERRED || c->result)
        return true; /* its ranks are known already, or not looked for yet */
    if (!c->select && b->work == AIT_W_FIRST)
        c->select = ait_select_new(&r->pool);
    return c->select &&
           ait_select_add(c->select, value,
                          ait_tag((uint32_t)(r->seen - 1), f->completed));
}

/*
 * Rows of a database that is read in order follow each other but for a few
 * gaps: from the runs the row of any request is known, and no pass is needed
 * to look for those behind percentiles.
 */
enum { RUNS_MAX = 4096 };

static void note_row(ait_report *r, const ait_fact *f)
{
    uint32_t nth = (uint32_t)(r->seen - 1);
    const ait_run *last = r->runs > 0 ? &r->run[r->runs - 1] : NULL;

    if (r->runs < 0 || (last && f->row == last->row + (nth - last->nth)))
        return;
    if (!r->run)
        r->run = ait_alloc(RUNS_MAX * sizeof *r->run);
    if (!r->run || r->runs == RUNS_MAX || f->id || !ait_has(f->row))
        r->runs = -1; /* a pass finds them */
    else
        r->run[r->runs++] = (ait_run){nth, f->row};
}

static bool names_from_runs(ait_report *r)
{
    int at = 0;

    for (size_t i = 0; r->runs > 0 && i < r->names; i++) {
        ait_name *name = &r->name[i];
        while (at + 1 < r->runs && r->run[at + 1].nth <= name->nth)
            at++;
        name->row = r->run[at].row + (name->nth - r->run[at].nth);
    }
    return r->runs > 0;
}

void ait_pass_take(ait_report *r, ait_bucket *b, const ait_fact *f)
{
    if (r->pass == AIT_PASS_COUNT) {
        note_row(r, f);
        count_bounds(b, f);
    }
    if (r->columns ? !into_columns(r, b, f)
                   : !each_value(r, b, f, into_select))
        r->code = AIT_ENOMEM;
}

/* ---- the budget -------------------------------------------------------- */

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

/* A column becomes a selection that has seen it. */
static bool give_up_column(ait_report *r, ait_cell *c, const uint32_t *roll)
{
    bool ok = true;

    if (c->column.list.first) {
        c->select = ait_select_new(&r->pool);
        ok = c->select && ait_select_column(c->select, &c->column, roll);
    }
    ait_packed_free(&c->column.list, &r->pool);
    return ok;
}

static bool give_up_columns(ait_report *r)
{
    bool ok = true;

    r->columns = false;
    ait_packed_free(&r->ids, &r->pool);
    for (int i = 0; i < r->buckets; i++) {
        ait_bucket *b = r->bucket[i];
        uint32_t *roll = ait_roll_open(&b->roll);
        ok = ok && roll;
        for (int m = 0; ok && m < b->cells; m++)
            ok = give_up_column(r, &b->cell[m], roll);
        free(roll);
        ait_packed_free(&b->roll.list, &r->pool);
    }
    return ok;
}

void ait_pass_fit(ait_report *r)
{
    ait_bucket *b;

    if (r->pool.used <= r->budget || r->pool.used <= r->accepted)
        return;
    if (r->columns && !give_up_columns(r))
        r->code = AIT_ENOMEM;
    while (r->pool.used > r->budget && (b = last_at_work(r))) {
        drop_selects(b);
        b->work = AIT_W_DEFERRED;
    }
    /* One group alone may need more; not to be asked at every request. */
    r->accepted = r->pool.used + r->pool.used / 16;
}

/* ---- searching --------------------------------------------------------- */

bool ait_cell_step(const ait_report *r, ait_bucket *b, int metric,
                   bool *more)
{
    ait_select *s = b->cell[metric].select;

    return (s->target || ait_result_ask(r, s, b, metric)) &&
           ait_select_step(s, more);
}

/* After a pass over the values of a cell; *more: it needs another one. */
static bool step(ait_report *r, ait_bucket *b, int metric, bool *more)
{
    const ait_cell *c = &b->cell[metric];

    *more = false;
    if (c->result)
        return true;
    if (c->select && !ait_cell_step(r, b, metric, more))
        return false;
    return *more || ait_result_write(r, b, metric);
}

static bool search_cells(ait_report *r, ait_bucket *b)
{
    bool again = false, more = false, ok = true;

    for (int m = 0; ok && m < b->cells; m++) {
        ok = step(r, b, m, &more);
        again = again || more;
    }
    b->work = again ? AIT_W_SEARCH : AIT_W_DONE;
    return ok;
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

/* Gives whether another pass over the values is needed. */
static bool search(ait_report *r)
{
    bool again = false, ok = true;

    for (int i = 0; ok && i < r->buckets; i++) /* also unreached ones */
        ok = r->bucket[i]->work > AIT_W_SEARCH ||
             ait_cells_grow(r, r->bucket[i]);
    if (ok && r->columns)
        ok = ait_search_columns(r);
    for (int i = 0; ok && !r->columns && i < r->buckets; i++) {
        ait_bucket *b = r->bucket[i];
        ok = b->work > AIT_W_SEARCH || search_cells(r, b);
        again = again || b->work == AIT_W_SEARCH;
    }
    if (!ok)
        r->code = AIT_ENOMEM;
    return !r->columns && (again || take_up_deferred(r));
}

/* ---- the end of a pass ------------------------------------------------- */

static void names_from_ids(ait_report *r)
{
    ait_packcursor c = ait_packed_walk(&r->ids);
    uint64_t row;
    ait_fact f;

    for (uint32_t nth = 0; ait_packed_more(&c) && r->code == AIT_OK; nth++) {
        c.at = ait_unpack(c.at, &row);
        f.id_len = *c.at++;
        f.id = f.id_len ? (const char *)c.at : NULL;
        c.at += f.id_len;
        if (r->name_at >= r->names || r->name[r->name_at].nth != nth)
            continue; /* nearly always */
        f.row = row ? (int64_t)(row - 1) : AIT_ABSENT;
        ait_names_take(r, nth, &f);
    }
    ait_packed_free(&r->ids, &r->pool);
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
        r->pass = AIT_PASS_NONE;
        if (r->columns && r->code == AIT_OK)
            names_from_ids(r);
        else if (r->names && !names_from_runs(r))
            r->pass = AIT_PASS_NAMES;
    }
}
