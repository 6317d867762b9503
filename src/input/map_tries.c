/* Attempts out of lists: nginx's "502, 200", Kong's tries, a list of
 * channels. */
#include <string.h>

#include "base/num.h"
#include "input/map.h"
#include "input/value.h"

/* How many; absent where the record does not say. A list that is there but
 * empty counts none. */
static int64_t count_tries(ait_map_walk *w, const ait_map_tries *tries,
                           ait_trace *t)
{
    int i;

    if (tries->none_if && ait_map_any_in(tries->none_if, w))
        return 0;
    for (i = 0; i < tries->count.count; i++) {
        const ait_map_value *v = &w->value[tries->count.slot[i]];
        size_t n;

        if (v->ref == AIT_JNONE ||
            ait_json_type(v->json, v->ref) == AIT_J_NULL)
            continue;
        n = ait_map_items(w, tries->count.slot[i]);
        if (n == 1 && ait_json_is(v->json, v->ref, "-"))
            n = 0; /* how nginx writes an empty variable */
        if (n <= AIT_MAP_ITEMS)
            return (int64_t)n;
        ait_issue_add(&t->issues, AIT_I_VALUE_IGNORED);
        return AIT_ABSENT;
    }
    return AIT_ABSENT;
}

static bool column_text(ait_map_walk *w, const ait_map_column *c, size_t i,
                        ait_str *s)
{
    return c->slot >= 0 && ait_map_item(w, c->slot, i, c->at, s) && s->n &&
           !(s->n == 1 && *s->p == '-');
}

static int64_t column_number(ait_map_walk *w, const ait_map_column *c,
                             size_t i)
{
    ait_str s;
    int64_t v;

    if (!column_text(w, c, i, &s) ||
        !ait_text_number(s.p, s.n, c->scale, &v) || v < 0)
        return AIT_ABSENT;
    return v;
}

/* When it started, from the origin; the list has wall clock times. */
static int64_t column_start(ait_map_walk *w, const ait_map_column *c, size_t i,
                            const ait_trace *t)
{
    int64_t wall = column_number(w, c, i), start;

    start = ait_minus(wall, t->num[AIT_N_TIME]);
    return t->origin == AIT_O_GATEWAY_RECEIPT && start >= 0 ? start
                                                            : AIT_ABSENT;
}

static bool fill_try(ait_map_walk *w, const ait_map_tries *tries, size_t i,
                     ait_trace *t)
{
    const ait_map_column *c = tries->column;
    ait_attempt *a = ait_trace_attempt(t);
    ait_str s;

    if (!a)
        return false;
    a->number = (int)i + 1;
    a->status = column_number(w, &c[AIT_TRY_STATUS], i);
    a->headers = column_number(w, &c[AIT_TRY_HEADERS], i);
    a->start = column_start(w, &c[AIT_TRY_START], i, t);
    if (column_text(w, &c[AIT_TRY_CHANNEL], i, &s))
        a->channel = ait_trace_keep(t, s.p, s.n);
    a->outcome = a->status == 429 ? AIT_OUT_RATE_LIMITED : AIT_OUT_ERROR;
    t->serving = a;
    return true;
}

/* The last attempt is the serving one: it has what the request has. */
static void finish_serving(ait_trace *t)
{
    ait_attempt *a = t->serving;

    if (ait_has(a->start)) {
        ait_log_upstream(t, a->start, ait_span(t, AIT_P_T1, AIT_P_T2));
        ait_log_point(t, AIT_P_T1_FIRST, t->attempts->start, 0);
    }
    if (!ait_has(a->status))
        a->status = t->num[AIT_N_STATUS];
    if (!ait_has(a->headers))
        a->headers = ait_span(t, AIT_P_T1, AIT_P_T2);
    if (!a->channel)
        a->channel = t->text[AIT_X_CHANNEL];
    a->error_code = t->text[AIT_X_ERROR_CODE];
    a->done = ait_span(t, AIT_P_ORIGIN, AIT_P_T6);
}

bool ait_map_fill_tries(ait_map_walk *w, ait_trace *t)
{
    const ait_map_tries *tries = w->map->tries;
    int64_t n = tries ? count_tries(w, tries, t) : AIT_ABSENT, i;

    if (!ait_has(n))
        return true;
    t->num[AIT_N_RETRIES] = n > 0 ? n - 1 : 0;
    for (i = 0; i < n; i++)
        if (!fill_try(w, tries, (size_t)i, t))
            return false;
    if (n > 0)
        finish_serving(t);
    return true;
}
