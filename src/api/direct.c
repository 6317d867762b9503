#include "api/direct.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* ---- the selection ------------------------------------------------------ */

/* Fields of a selection that are texts of a trace. */
static const struct {
    size_t at; /* in ait_selection */
    ait_text_field field;
} texts[] = {
    {offsetof(ait_selection, model), AIT_X_MODEL},
    {offsetof(ait_selection, provider), AIT_X_PROVIDER},
    {offsetof(ait_selection, channel), AIT_X_CHANNEL},
    {offsetof(ait_selection, group), AIT_X_GROUP},
    {offsetof(ait_selection, route), AIT_X_ROUTE},
    {offsetof(ait_selection, region), AIT_X_REGION},
    {offsetof(ait_selection, source), AIT_X_FILE},
};

bool ait_direct_can(const ait_selection *sel)
{
    return !sel->where && !sel->sort && !sel->limit && !sel->request_id &&
           (!sel->source || !strchr(sel->source, '/')) &&
           (!sel->finding || ait_rule_find(sel->finding) >= 0) &&
           (!sel->outcome ||
            ait_word(ait_outcome_name, AIT_OUT_COUNT, sel->outcome,
                     strlen(sel->outcome)) >= 0);
}

static bool by_texts(const ait_selection *sel, const ait_trace *t)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *want, *is;
        memcpy(&want, (const char *)sel + texts[i].at, sizeof want);
        if (!want)
            continue;
        is = t->text[texts[i].field];
        if (!is || strcmp(is, want) != 0)
            return false;
    }
    return true;
}

static bool by_time(const ait_selection *sel, int64_t time)
{
    if (ait_has(sel->since) && !(ait_has(time) && time >= sel->since))
        return false;
    return !ait_has(sel->until) || (ait_has(time) && time < sel->until);
}

static bool by_verdict(const ait_selection *sel, const ait_trace *t,
                       const ait_verdict *v)
{
    if (sel->finding &&
        !((ait_verdict_mask(v, AIT_BY_LIMIT) |
           ait_verdict_mask(v, AIT_BY_SHARE)) >>
              ait_rule_find(sel->finding) & 1))
        return false;
    return !sel->outcome ||
           strcmp(ait_outcome_name[t->outcome], sel->outcome) == 0;
}

/* ---- once each ---------------------------------------------------------- */

enum { SLOTS_FIRST = 1024 };

static uint64_t *place(uint64_t *seen, size_t slots, uint64_t identity)
{
    size_t i = (size_t)identity & (slots - 1);
    while (seen[i] && seen[i] != identity)
        i = (i + 1) & (slots - 1);
    return &seen[i];
}

static bool more_slots(ait_direct *d)
{
    size_t slots = d->slots ? d->slots * 2 : SLOTS_FIRST;
    uint64_t *seen = ait_alloc(slots * sizeof *seen);
    if (!seen)
        return false;
    for (size_t i = 0; i < d->slots; i++)
        if (d->seen[i])
            *place(seen, slots, d->seen[i]) = d->seen[i];
    free(d->seen);
    d->seen = seen;
    d->slots = slots;
    return true;
}

static bool has_id(const ait_trace *t)
{
    return t->text[AIT_X_REQUEST_ID] || t->ids;
}

void ait_direct_soon(const ait_direct *d, const ait_trace *t)
{
    if (d->slots)
        __builtin_prefetch(&d->seen[(size_t)t->identity & (d->slots - 1)]);
}

/* Records without an id are never merged with another of their file. */
static ait_code look(ait_direct *d, const ait_trace *t, bool *there,
                     ait_error *err)
{
    uint64_t identity, *at;
    *there = false;
    if (!has_id(t))
        return AIT_OK;
    identity = ait_trace_identity(t);
    identity += identity == 0;
    if (d->used >= d->slots / 2 && !more_slots(d))
        return ait_fail(err, AIT_ENOMEM, "out of memory");
    at = place(d->seen, d->slots, identity);
    *there = *at != 0;
    d->used += *at == 0;
    *at = identity;
    return AIT_OK;
}

static void count(ait_put_counts *c, const ait_trace *t)
{
    int64_t events = t->stat[AIT_S_EVENTS];
    c->new_++;
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        c->attempts++;
    c->events += events > 0 && events <= UINT32_MAX ? events : 0;
}

ait_code ait_direct_put(ait_direct *d, ait_trace *t, const ait_verdict *v,
                        ait_error *err)
{
    bool there;
    if (d->several &&
        (t->outcome == AIT_OUT_TRUNCATED_CAPTURE || !has_id(t))) {
        d->needs_store = true;
        return ait_fail(err, AIT_EINPUT, "requests may go on elsewhere");
    }
    ait_code rc = look(d, t, &there, err);
    if (rc != AIT_OK)
        return rc;
    if (there) {
        d->counts.present++;
        return AIT_OK;
    }
    count(&d->counts, t);
    if (!by_texts(d->sel, t) || !by_time(d->sel, t->num[AIT_N_TIME]) ||
        !by_verdict(d->sel, t, v))
        return AIT_OK;
    return (ait_code)d->fn(d->ctx, t, v);
}

void ait_direct_forget(ait_direct *d)
{
    free(d->seen);
    d->seen = NULL;
    d->used = d->slots = 0;
}
