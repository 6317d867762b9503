/*
 * What a recording shows. A point that is absent from a readable recording
 * did not happen, and rules about it do not apply. In a log, or where the
 * content could not be read or had no times, or where the clock was set, it
 * may have happened: rules about it cannot be assessed.
 */
#include "analyse/part.h"

ait_point_id ait_window_end(const ait_trace *t)
{
    /* a log holds no events; the window ends where the answer did */
    static const ait_point_id ends[] = {AIT_P_TF, AIT_P_T6, AIT_P_T7};
    int known = ait_recorded(t) ? 1 : 3, i = 0;

    while (i < known && !ait_has(t->point[ends[i]].ns))
        i++;
    return i < known ? ends[i] : AIT_P_COUNT;
}

int64_t ait_window(const ait_trace *t)
{
    ait_point_id end = ait_window_end(t);

    return end < AIT_P_COUNT ? ait_difference(t, AIT_P_T5, end) : AIT_ABSENT;
}

int64_t ait_reasoning(const ait_trace *t)
{
    int64_t n = t->num[AIT_N_REASONING_TOKENS];
    bool shown = ait_count(t, AIT_S_REASONING) > 0 ||
                 ait_seen(t) & AIT_SEEN_BODY_REASONING;

    return n == 0 && shown ? AIT_ABSENT : n;
}

bool ait_reversed(const ait_trace *t, ait_point_id from, ait_point_id to)
{
    const ait_point *a = &t->point[from], *b = &t->point[to];

    return ait_has(a->ns) && ait_has(b->ns) && a->axis == b->axis &&
           !ait_has(ait_span(t, from, to));
}

/* Events whose time is beyond what the clock can hold are counted all the
 * same. */
static bool counted(const ait_trace *t, ait_point_id p)
{
    static const ait_stat stats[] = {AIT_S_TEXT, AIT_S_REASONING,
                                     AIT_S_ACTION, AIT_S_MEDIA};
    int n = p == AIT_P_T5 ? 1 : 4;

    for (int i = 0; i < n; i++)
        if (ait_count(t, stats[i]) > 0)
            return true;
    return false;
}

bool ait_unseen(const ait_case *c, ait_point_id p)
{
    if (ait_has(c->t->point[p].ns) || c->t->stream == 0)
        return false;
    return !c->recorded || !ait_readable(c->t) ||
           c->seen & AIT_SEEN_UNTIMED || counted(c->t, p);
}

/* ---- names of what is missing ------------------------------------------ */

/* The timing field that holds a point. Headers count from t1, so that where
 * they are known it is t1 that lacks. */
static const char *field_of(const ait_trace *t, ait_point_id p)
{
    if (p == AIT_P_T2 && ait_has(ait_timing(t, AIT_T_UPSTREAM_HEADERS)))
        return ait_timings[AIT_T_UPSTREAM_START].name;
    for (int i = 0; i < AIT_T_COUNT; i++)
        if (ait_timings[i].to == p)
            return ait_timings[i].name;
    return NULL;
}

bool ait_missing_point(ait_case *c, ait_point_id p)
{
    if (ait_has(ait_span(c->t, AIT_P_ORIGIN, p)))
        return false;
    ait_missing(c, field_of(c->t, p));
    return true;
}

bool ait_missing_span(ait_case *c, ait_point_id from, ait_point_id to,
                      const char *name)
{
    bool first = ait_missing_point(c, from);
    bool last = ait_missing_point(c, to);

    return first || last || ait_missing(c, name);
}
