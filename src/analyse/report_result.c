/* From counts and ranks to the quantiles, metrics and groups of a report. */
#include <stdlib.h>
#include <string.h>

#include "analyse/part.h"
#include "analyse/report_state.h"
#include "base/text.h"

const int ait_percentile[AIT_PERCENTILES] = {50, 95, 99};

/* The ranks that a percentile needs, in a row of targets. */
enum { LOWER, UPPER, CI_LOW, CI_HIGH, RANKS };
enum { TARGETS = AIT_POP_COUNT * AIT_PERCENTILES * RANKS };

static int target_at(ait_population p, int i, int rank)
{
    return ((int)p * AIT_PERCENTILES + i) * RANKS + rank;
}

/* ---- counts ------------------------------------------------------------ */

typedef struct counts {
    int64_t population, present, not_reached, bounds;
} counts;

static counts counts_of(const ait_report *r, const ait_bucket *b, int metric,
                        ait_population p)
{
    const ait_cell *c = &b->cell[metric];

    if (p == AIT_POP_COMPLETED)
        return (counts){b->completed, c->present[1], 0, c->bounds[1]};
    return (counts){b->group.requests, c->present[0] + c->present[1],
                    r->metrics.def[metric].milestone
                        ? b->failed - c->failed_present
                        : 0,
                    c->bounds[0] + c->bounds[1]};
}

/* Ranks of a percentile among n: the nearest one, or the two that linear
 * interpolation (Hyndman and Fan, type 7) lies between. UPPER is 0 where the
 * lower one is exact. */
static void ranks_of(ait_method method, int64_t n, int percent,
                     int64_t rank[2])
{
    int64_t last = n - 1;

    rank[LOWER] = ait_rank(n, percent);
    rank[UPPER] = 0;
    if (method == AIT_M_LINEAR && n > 0) {
        rank[LOWER] = last / 100 * percent + last % 100 * percent / 100 + 1;
        rank[UPPER] = last % 100 * percent % 100 ? rank[LOWER] + 1 : 0;
    }
}

/* ---- asking ------------------------------------------------------------ */

bool ait_result_ask(const ait_report *r, ait_select *s, const ait_bucket *b,
                    int metric)
{
    ait_target target[TARGETS];

    memset(target, 0, sizeof target);
    for (int p = 0; p < AIT_POP_COUNT; p++) {
        counts n = counts_of(r, b, metric, (ait_population)p);
        for (int i = 0; i < AIT_PERCENTILES; i++) {
            int64_t rank[RANKS];
            ranks_of(r->method, n.present + n.not_reached,
                     ait_percentile[i], rank);
            ait_ci_ranks(n.present + n.not_reached, ait_percentile[i],
                         &rank[CI_LOW], &rank[CI_HIGH]);
            for (int k = 0; k < RANKS; k++) {
                ait_target *t = &target[target_at((ait_population)p, i, k)];
                t->population = (ait_population)p;
                t->rank = rank[k] <= n.present ? rank[k] : 0;
            }
        }
    }
    return ait_select_ask(s, target, TARGETS);
}

/* ---- writing ----------------------------------------------------------- */

/* Value at a rank; absent where there is no such rank, or it is not
 * reached. */
static int64_t value_of(const ait_target *t)
{
    return t && t->found ? t->value : AIT_ABSENT;
}

/* Between two neighbours, at what is left of the exact position. */
static int64_t between(int64_t low, int64_t high, int64_t n, int percent)
{
    return low + ait_ratio(high - low, (n - 1) % 100 * percent % 100, 100);
}

static void write_value(ait_quantiles *q, int i, ait_method method,
                        int64_t present, const ait_target *t)
{
    int64_t rank[2];
    int64_t low = t ? value_of(&t[LOWER]) : AIT_ABSENT;
    int64_t high = t ? value_of(&t[UPPER]) : AIT_ABSENT;

    ranks_of(method, q->n, ait_percentile[i], rank);
    q->not_reached_at[i] = rank[LOWER] > present || rank[UPPER] > present;
    q->small_sample[i] = q->n > 0 &&
                         ait_rank(q->n, ait_percentile[i]) == q->n;
    if (q->not_reached_at[i] || !ait_has(low))
        return;
    q->value[i] = rank[UPPER] && ait_has(high)
                      ? between(low, high, q->n, ait_percentile[i])
                      : low;
    q->nth[i] = t[LOWER].request;
}

static void write_population(const ait_report *r, ait_quantiles *q,
                             counts n, const ait_target *t)
{
    q->n = n.present + n.not_reached;
    q->absent = n.population - q->n;
    q->not_reached = n.not_reached;
    q->lower_bounds = n.bounds;
    for (int i = 0; i < AIT_PERCENTILES; i++) {
        const ait_target *own = t ? t + i * RANKS : NULL;
        q->value[i] = q->row[i] = q->nth[i] = AIT_ABSENT;
        q->ci_low[i] = own ? value_of(&own[CI_LOW]) : AIT_ABSENT;
        q->ci_high[i] = own ? value_of(&own[CI_HIGH]) : AIT_ABSENT;
        write_value(q, i, r->method, n.present, own);
    }
}

bool ait_result_write(ait_report *r, ait_bucket *b, int metric)
{
    ait_cell *c = &b->cell[metric];
    const ait_target *t = c->select ? c->select->target : NULL;

    c->result = ait_arena_alloc(&r->arena,
                                AIT_POP_COUNT * sizeof *c->result);
    if (!c->result)
        return false;
    for (int p = 0; p < AIT_POP_COUNT; p++)
        write_population(r, &c->result[p],
                         counts_of(r, b, metric, (ait_population)p),
                         t ? t + target_at((ait_population)p, 0, 0) : NULL);
    ait_select_free(c->select);
    c->select = NULL;
    return true;
}

/* ---- the requests behind percentiles ----------------------------------- */

/* Calls fn for every quantile slot that has a request. */
static void each_exemplar(ait_report *r,
                          void (*fn)(ait_report *r, ait_quantiles *q, int i))
{
    for (int b = 0; b < r->buckets; b++)
        for (int m = 0; m < r->bucket[b]->cells; m++)
            for (int p = 0; p < AIT_POP_COUNT; p++) {
                ait_quantiles *q = r->bucket[b]->cell[m].result;
                for (int i = 0; q && i < AIT_PERCENTILES; i++)
                    if (ait_has(q[p].nth[i]))
                        fn(r, &q[p], i);
            }
}

static void count_name(ait_report *r, ait_quantiles *q, int i)
{
    (void)q;
    (void)i;
    r->names++;
}

static void add_name(ait_report *r, ait_quantiles *q, int i)
{
    r->name[r->names++] = (ait_name){(uint32_t)q->nth[i], NULL, AIT_ABSENT};
}

static int by_nth(const void *a, const void *b)
{
    uint32_t x = ((const ait_name *)a)->nth, y = ((const ait_name *)b)->nth;

    return (x > y) - (x < y);
}

ait_code ait_names_gather(ait_report *r)
{
    size_t n = 0;

    r->names = r->name_at = 0;
    each_exemplar(r, count_name);
    if (r->names == 0)
        return AIT_OK;
    r->name = ait_alloc(r->names * sizeof *r->name);
    if (!r->name)
        return AIT_ENOMEM;
    r->names = 0;
    each_exemplar(r, add_name);
    qsort(r->name, r->names, sizeof *r->name, by_nth);
    for (size_t i = 0; i < r->names; i++)
        if (n == 0 || r->name[n - 1].nth != r->name[i].nth)
            r->name[n++] = r->name[i];
    r->names = n;
    return AIT_OK;
}

void ait_names_take(ait_report *r, uint32_t nth, const ait_fact *f)
{
    ait_name *name = &r->name[r->name_at];

    if (r->name_at >= r->names || name->nth != nth)
        return;
    r->name_at++;
    name->row = f->row;
    if (!f->id)
        return;
    name->id = ait_arena_strndup(&r->arena, f->id, f->id_len);
    if (!name->id)
        r->code = AIT_ENOMEM;
}

static void fill_name(ait_report *r, ait_quantiles *q, int i)
{
    ait_name want = {(uint32_t)q->nth[i], NULL, AIT_ABSENT};
    const ait_name *name = bsearch(&want, r->name, r->names, sizeof want,
                                   by_nth);

    if (!name)
        return;
    q->request_id[i] = name->id;
    q->row[i] = name->row;
}

static ait_code look_up(ait_report *r, ait_name *name)
{
    char id[AIT_TEXT_MAX + 1];
    ait_code code;

    if (name->id || !ait_has(name->row))
        return AIT_OK;
    code = r->id_of(r->id_ctx, name->row, id);
    if (code != AIT_OK || !*id)
        return code;
    name->id = ait_arena_strdup(&r->arena, id);
    return name->id ? AIT_OK : AIT_ENOMEM;
}

ait_code ait_names_fill(ait_report *r)
{
    ait_code code = AIT_OK;

    for (size_t i = 0; r->id_of && code == AIT_OK && i < r->names; i++)
        code = look_up(r, &r->name[i]);
    if (r->names)
        each_exemplar(r, fill_name);
    return code;
}

/* ---- groups ------------------------------------------------------------ */

/* Fixed metrics come in the order of the tables, measures by name. */
static int by_metric(const void *a, const void *b)
{
    return strcmp(((const ait_metric *)a)->name,
                  ((const ait_metric *)b)->name);
}

/* Has it a value, or is it a milestone that somebody did not reach? A
 * measure that no request of the group has is none of the group's. */
static bool listed(const ait_cell *c, int metric)
{
    return c->result && c->result[AIT_POP_ALL].n > 0 &&
           (metric < AIT_FIXED_METRICS || c->present[0] + c->present[1] > 0);
}

static bool write_metrics(ait_report *r, ait_bucket *b)
{
    ait_group *g = &b->group;
    int fixed = 0;

    g->metric = ait_arena_alloc(&r->arena, (size_t)(b->cells + 1) *
                                               sizeof *g->metric);
    if (!g->metric)
        return false;
    for (int m = 0; m < b->cells && m < r->metrics.count; m++) {
        const ait_cell *c = &b->cell[m];
        if (!listed(c, m))
            continue;
        g->metric[g->metrics++] = (ait_metric){
            r->metrics.def[m].name, r->metrics.def[m].kind,
            c->result[AIT_POP_ALL], c->result[AIT_POP_COMPLETED]};
        fixed += m < AIT_FIXED_METRICS;
    }
    qsort(g->metric + fixed, (size_t)(g->metrics - fixed),
          sizeof *g->metric, by_metric);
    return true;
}

/* Absent first, then by bytes. */
static int compare_key(const char *const *a, const char *const *b, int n)
{
    for (int i = 0; i < n; i++) {
        int order = !a[i] || !b[i] ? (a[i] != NULL) - (b[i] != NULL)
                                   : strcmp(a[i], b[i]);
        if (order)
            return order;
    }
    return 0;
}

static bool before(const ait_report *r, const ait_group *a,
                   const ait_group *b)
{
    int order = compare_key(a->key, b->key, r->fields);

    return order ? order < 0 : a->origin < b->origin;
}

/* Merge sort: qsort could not be told how many fields a key has. */
static void merge(const ait_report *r, ait_group *a, ait_group *room,
                  size_t n)
{
    size_t half = n / 2, i = 0, k = half, at = 0;

    if (n < 2)
        return;
    merge(r, a, room, half);
    merge(r, a + half, room, n - half);
    while (i < half || k < n)
        room[at++] = k == n || (i < half && !before(r, &a[k], &a[i]))
                         ? a[i++]
                         : a[k++];
    memcpy(a, room, n * sizeof *a);
}

ait_code ait_result_groups(ait_report *r)
{
    size_t n = (size_t)r->buckets;
    ait_group *room = ait_alloc((n + 1) * sizeof *room);
    ait_code code = AIT_ENOMEM;

    r->group = ait_arena_alloc(&r->arena, (n + 1) * sizeof *r->group);
    if (!room || !r->group)
        goto out;
    for (int i = 0; i < r->buckets; i++) {
        if (!write_metrics(r, r->bucket[i]))
            goto out;
        r->group[i] = r->bucket[i]->group;
    }
    merge(r, r->group, room, n);
    code = AIT_OK;
out:
    free(room);
    return code;
}
