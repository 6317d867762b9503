/* Which figures of a request a report is about. */
#include "analyse/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_RATE = AIT_T_COUNT,
    FIRST_GAP = FIRST_RATE + AIT_RATE_COUNT,
    GAPS = AIT_G_LONGEST + 1 /* where the longest gap is, is no duration */
};

/* Milestones that a failed request may not have reached (definitions,
 * section 7). The others of it are measured, or do not apply. */
static const bool milestone[AIT_T_COUNT] = {
    [AIT_T_UPSTREAM_HEADERS] = true,
    [AIT_T_FIRST_SSE_EVENT] = true,
    [AIT_T_FIRST_RESPONSE] = true,
    [AIT_T_FIRST_TEXT_DELTA] = true,
    [AIT_T_FIRST_NONBLANK_TEXT] = true,
    [AIT_T_FINAL_RESPONSE] = true,
};

static bool more_room(ait_metric_list *m)
{
    int room = m->room ? m->room * 2 : 32;
    ait_metric_def *def;

    if (m->count < m->room)
        return true;
    if (m->count >= AIT_METRICS_MAX)
        return false;
    def = ait_realloc(m->def, (size_t)room * sizeof *def);
    if (!def)
        return false;
    m->def = def;
    m->room = room;
    return true;
}

static bool add_def(ait_metric_list *m, ait_metric_def def)
{
    if (!more_room(m))
        return false;
    m->def[m->count++] = def;
    return true;
}

static bool add_fixed(ait_metric_list *m, const char *name,
                      ait_metric_kind kind, bool reached)
{
    return add_def(m, (ait_metric_def){name, kind, reached, NULL,
                                       AIT_O_LOCAL});
}

bool ait_metric_list_init(ait_metric_list *m)
{
    bool ok = true;

    memset(m, 0, sizeof *m);
    ait_arena_init(&m->arena, AIT_METRICS_MAX * (size_t)256);
    for (int i = 0; ok && i < AIT_T_COUNT; i++)
        ok = add_fixed(m, ait_timings[i].name, AIT_MK_TIME, milestone[i]);
    for (int i = 0; ok && i < AIT_RATE_COUNT; i++)
        ok = add_fixed(m, ait_rate_name[i],
                       i == AIT_RATE_ITL ? AIT_MK_TIME : AIT_MK_RATE, false);
    for (int i = 0; ok && i < GAPS; i++)
        ok = add_fixed(m, ait_gaps[i].name, AIT_MK_TIME, false);
    return ok;
}

void ait_metric_list_free(ait_metric_list *m)
{
    ait_arena_free(&m->arena);
    free(m->def);
    m->def = NULL;
    m->count = m->room = 0;
}

/* ---- values ------------------------------------------------------------ */

/* The time of a request that timed out is a lower bound of what it would
 * have taken. */
static uint32_t cut_short(const ait_values *out)
{
    uint32_t bounds = 0;

    for (int i = AIT_T_UPSTREAM_DONE; i <= AIT_T_TOTAL_HANDLER; i++)
        bounds |= (uint32_t)ait_is_value(out->fixed[i]) << i;
    return bounds;
}

static void put_timings(const ait_trace *t, ait_values *out)
{
    for (int i = 0; i < AIT_T_COUNT; i++)
        out->fixed[i] = ait_timing(t, (ait_timing_field)i);
    for (int i = 0; i < GAPS; i++)
        out->fixed[FIRST_GAP + i] = ait_gap(t, (ait_gap_field)i);
    out->bounds = t->outcome == AIT_OUT_TIMEOUT ? cut_short(out) : 0;
}

/* Percentiles take exact and reported figures; bounds are left out and
 * counted. */
static void put_rates(const ait_verdict *v, ait_values *out)
{
    enum { VISIBLE = FIRST_RATE + AIT_RATE_VISIBLE_TPS };

    memcpy(&out->fixed[FIRST_RATE], v->rate, sizeof v->rate);
    if (v->visible_is != AIT_IS_UPPER_BOUND &&
        v->visible_is != AIT_IS_LOWER_BOUND)
        return;
    out->fixed[VISIBLE] = AIT_ABSENT;
    out->bounds |= UINT32_C(1) << VISIBLE;
}

/* A failed request has its measured total and its own phases; of the rest
 * it did not reach what it does not have. */
static bool measure_is_milestone(const ait_measure *m)
{
    return m->boundary != AIT_B_PHASE_END && m->origin != AIT_O_LOCAL &&
           m->origin != AIT_O_ENGINE && strcmp(m->name, "total") != 0;
}

/* The metric of a measure; -1: no room for another. */
static int measure_metric(ait_metric_list *m, const ait_measure *measure)
{
    ait_metric_def def = {NULL, AIT_MK_TIME, measure_is_milestone(measure),
                          NULL, measure->origin};
    char name[300];

    for (int i = AIT_FIXED_METRICS; i < m->count; i++)
        if (m->def[i].origin == measure->origin &&
            strcmp(m->def[i].measure, measure->name) == 0)
            return i;
    snprintf(name, sizeof name, "%s@%s", measure->name,
             ait_origin_name[measure->origin]);
    def.name = ait_arena_strdup(&m->arena, name);
    def.measure = ait_arena_strdup(&m->arena, measure->name);
    if (!def.name || !def.measure || !add_def(m, def))
        return -1;
    return m->count - 1;
}

/* Phases of one name add up; of other measures of one name the first
 * counts. */
static bool put_measure(ait_metric_list *m, const ait_trace *t,
                        const ait_measure *measure, ait_values *out)
{
    int metric = measure_metric(m, measure);

    for (int i = 0; i < out->measures; i++) {
        int64_t *value = &out->measure[i].value;
        if (out->measure[i].metric != metric)
            continue;
        if (measure->boundary == AIT_B_PHASE_END &&
            ait_has(ait_plus(*value, measure->value)))
            *value = ait_plus(*value, measure->value);
        return true;
    }
    if (metric >= 0 && out->measures < AIT_MEASURES_MAX &&
        ait_is_value(measure->value)) {
        int i = out->measures++;
        out->measure[i].value = measure->value;
        out->measure[i].metric = metric;
        out->measure[i].bound = t->outcome == AIT_OUT_TIMEOUT &&
                                strcmp(measure->name, "total") == 0;
    }
    return metric >= 0;
}

bool ait_metric_values(ait_metric_list *m, const ait_trace *t,
                       const ait_verdict *verdict, ait_values *out)
{
    out->measures = 0;
    put_timings(t, out);
    put_rates(verdict, out);
    for (const ait_measure *one = t->measures; one; one = one->next)
        if (one->name && one->value >= 0 && !put_measure(m, t, one, out))
            return false;
    return true;
}
