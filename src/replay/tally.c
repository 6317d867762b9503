#include "replay/tally.h"

#include <string.h>

static const ait_point nowhere = {.ns = AIT_ABSENT};

static const struct {
    uint32_t classes;
    ait_stat stat;
} counters[] = {
    {AIT_C_ENVELOPE, AIT_S_ENVELOPE},
    {AIT_C_REASONING, AIT_S_REASONING},
    {AIT_C_REASONING_OPAQUE, AIT_S_OPAQUE},
    {AIT_C_ACTION, AIT_S_ACTION},
    {AIT_C_MEDIA, AIT_S_MEDIA},
    {AIT_C_VISIBLE, AIT_S_TEXT},
};

/* Scalars that are absent until something is measured. */
static const ait_stat measured[] = {
    AIT_S_BURST_GAP, AIT_S_LONGEST_GAP, AIT_S_LONGEST_GAP_AT,
    AIT_S_STALL,     AIT_S_STALL_AT,    AIT_S_TEXT_LAST,
    AIT_S_T4_CLASSES, AIT_S_WINDOW_STALL,
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

void ait_tally_init(ait_tally *t)
{
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < COUNT(measured); i++)
        t->stat[measured[i]] = AIT_ABSENT;
    for (int i = 0; i < AIT_FIRST_COUNT; i++)
        t->first[i] = nowhere;
    t->final = t->text_last = t->last = nowhere;
    t->longest_from = t->stall_from = nowhere;
    t->read_gap = t->since_text = AIT_ABSENT;
}

int64_t ait_tally_between(ait_point a, ait_point b)
{
    return a.axis == b.axis ? ait_minus(b.ns, a.ns) : AIT_ABSENT;
}

static void longer(ait_tally *t, ait_stat stat, ait_point *from,
                   int64_t gap)
{
    if (ait_has(t->stat[stat]) && gap <= t->stat[stat])
        return;
    t->stat[stat] = gap;
    *from = t->last;
}

/* A silence that began with the last event. */
static void silence(ait_tally *t, int64_t gap)
{
    if (gap < 0)
        return; /* absent */
    longer(t, AIT_S_LONGEST_GAP, &t->longest_from, gap);
    if (ait_has(t->first[AIT_FIRST_EFFECTIVE].ns))
        longer(t, AIT_S_STALL, &t->stall_from, gap);
    if (ait_has(t->first[AIT_FIRST_VISIBLE].ns) && gap > t->since_text)
        t->since_text = gap;
}

/* true where this is the first of its kind. The milestone of an untimed
 * event is reached and absent; a later one does not stand in for it. */
static bool reach(ait_tally *t, ait_first first, ait_point now)
{
    if (t->reached & 1u << first)
        return false;
    t->reached |= 1u << first;
    t->first[first] = now;
    return true;
}

/* The read with most text, for bursty delivery. */
static void text(ait_tally *t, const ait_event *e)
{
    int64_t *most = &t->stat[AIT_S_BURST_BYTES];
    int64_t *gap = &t->stat[AIT_S_BURST_GAP];

    t->stat[AIT_S_TEXT_BYTES] += e->text_length;
    t->read_text += e->text_length;
    if (e->read != t->text_read)
        t->stat[AIT_S_TEXT_READS]++;
    t->text_read = e->read;
    if (t->read_text > *most ||
        (t->read_text == *most && t->read_gap > *gap)) {
        *most = t->read_text;
        *gap = t->read_gap;
    }
}

static void milestones(ait_tally *t, const ait_event *e, ait_point now)
{
    if (!e->empty)
        reach(t, AIT_FIRST_EVENT, now);
    if (!(e->classes & AIT_C_EFFECTIVE))
        return;
    t->final = now;
    t->stat[AIT_S_WINDOW_STALL] = t->since_text;
    if (reach(t, AIT_FIRST_EFFECTIVE, now))
        t->stat[AIT_S_T4_CLASSES] = e->classes;
    if (!(e->classes & AIT_C_VISIBLE))
        return;
    t->text_last = now;
    reach(t, AIT_FIRST_VISIBLE, now);
    if (e->nonblank)
        reach(t, AIT_FIRST_NONBLANK, now);
    text(t, e);
}

void ait_tally_event(ait_tally *t, const ait_event *e, int axis)
{
    ait_point now = {e->ns, (uint8_t)axis};
    int64_t gap = ait_tally_between(t->last, now);

    if (e->comment) {
        t->stat[AIT_S_COMMENTS]++;
        return;
    }
    if (e->read != t->read) {
        t->read = e->read;
        t->read_gap = gap;
        t->read_text = 0;
    }
    t->stat[AIT_S_EVENTS]++;
    t->stat[AIT_S_MALFORMED] += e->malformed;
    for (size_t i = 0; i < COUNT(counters); i++)
        t->stat[counters[i].stat] += (e->classes & counters[i].classes) != 0;
    silence(t, gap);
    milestones(t, e, now);
    if (e->classes == 0 && !e->empty && !e->malformed)
        ait_tally_unknown(t);
    t->last = now;
}

void ait_tally_unknown(ait_tally *t)
{
    reach(t, AIT_FIRST_EVENT, nowhere);
    reach(t, AIT_FIRST_EFFECTIVE, nowhere);
    reach(t, AIT_FIRST_VISIBLE, nowhere);
    reach(t, AIT_FIRST_NONBLANK, nowhere);
    t->final = t->text_last = nowhere;
}

void ait_tally_unseen(ait_tally *t)
{
    ait_tally_unknown(t);
    t->last = nowhere;
}

void ait_tally_maybe_blank(ait_tally *t)
{
    reach(t, AIT_FIRST_NONBLANK, nowhere);
}

void ait_tally_end(ait_tally *t, ait_point end)
{
    silence(t, ait_tally_between(t->last, end));
}

void ait_tally_not_streamed(ait_tally *t)
{
    int64_t reads = t->stat[AIT_S_READS];

    ait_tally_init(t);
    t->stat[AIT_S_READS] = reads;
}
