/*
 * Identity of a request: a hash over its ids, its start and what was
 * recorded of it. Left out are the place it was read from (file, line, row)
 * and what is derived (rates, outcome, stats that later versions may add),
 * so that the same record stays the same after an upgrade.
 */
#include <string.h>

#include "base/sip.h"
#include "model/trace.h"

static const ait_num_field nums[] = {
    AIT_N_TIME,          AIT_N_STATUS,
    AIT_N_INFLIGHT,      AIT_N_MAX_TOKENS,
    AIT_N_PROMPT_TOKENS, AIT_N_OUTPUT_TOKENS,
    AIT_N_CACHED_TOKENS, AIT_N_REASONING_TOKENS,
    AIT_N_RETRIES,       AIT_N_REPORTED_TPS,
};
static const ait_stat stats[] = {AIT_S_EVENTS, AIT_S_TEXT, AIT_S_READS};
static const ait_text_field texts[] = {
    AIT_X_MODEL, AIT_X_CHANNEL, AIT_X_FINISH_REASON, AIT_X_ERROR_CODE,
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---- what goes into it ------------------------------------------------- */

/* Up to eight bytes of text, the first one lowest on any machine. */
static inline uint64_t text_word(const char *s, size_t n)
{
    uint64_t v = 0;

    memcpy(&v, s, n);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The last word of a text says by its highest byte that it is one, so that
 * "ab","c" is not "a","bc": kept text has no character below 8, and no byte
 * like that of NULL. */
static void mix_text(ait_sip *to, const char *s)
{
    size_t n = s ? strlen(s) : 0;
    ait_sip h = *to;

    for (; n >= 8; s += 8, n -= 8)
        ait_sip_mix(&h, text_word(s, 8));
    ait_sip_mix(&h, s ? text_word(s, n) | (uint64_t)n << 56 : UINT64_MAX);
    *to = h;
}

/* Only what is there: a bit for each, mixed in behind, says what that was. */
static inline void mix_present(ait_sip *h, int64_t v, uint64_t *present)
{
    *present <<= 1;
    if (ait_has(v)) {
        *present |= 1;
        ait_sip_mix(h, (uint64_t)v);
    }
}

static void mix_measure(ait_sip *h, const ait_measure *m)
{
    mix_text(h, m->name);
    ait_sip_mix(h, (uint64_t)m->value);
}

static void mix_attempt(ait_sip *h, const ait_attempt *a)
{
    uint64_t present = (uint64_t)a->number;

    mix_present(h, a->status, &present);
    mix_present(h, a->start, &present);
    mix_present(h, a->done, &present);
    ait_sip_mix(h, present);
}

/* How many there are of each comes behind them. */
static void mix_lists(ait_sip *h, const ait_trace *t)
{
    uint64_t ids = 0, measures = 0, attempts = 0;

    for (const ait_id *id = t->ids; id; id = id->next, ids++)
        mix_text(h, id->value);
    for (const ait_measure *m = t->measures; m; m = m->next, measures++)
        mix_measure(h, m);
    for (const ait_attempt *a = t->attempts; a; a = a->next, attempts++)
        mix_attempt(h, a);
    ait_sip_mix(h, ids | measures << 16 | attempts << 40);
}

static void mix_numbers(ait_sip *to, const ait_trace *t)
{
    uint64_t present = 0;
    int64_t axes = 0; /* of the points; mostly all are on one */
    ait_sip h = *to;

    for (size_t i = 0; i < COUNT(nums); i++)
        mix_present(&h, t->num[nums[i]], &present);
    for (size_t i = 0; i < COUNT(stats); i++)
        mix_present(&h, t->stat[stats[i]], &present);
    for (int i = 0; i < 3; i++)
        mix_present(&h, t->phase[i], &present);
    for (int i = 0; i < AIT_P_COUNT; i++) {
        mix_present(&h, t->point[i].ns, &present);
        axes = axes << 5 ^ t->point[i].axis;
    }
    mix_present(&h, axes ? axes : AIT_ABSENT, &present);
    mix_present(&h, t->source ? (int64_t)(t->source >> 1) : AIT_ABSENT,
                &present);
    ait_sip_mix(&h, present);
    *to = h;
}

/* The shown id is mostly the first of all. */
static const char *other_shown_id(const ait_trace *t)
{
    const char *shown = t->text[AIT_X_REQUEST_ID];

    if (!shown || !t->ids)
        return shown;
    return shown == t->ids->value || strcmp(shown, t->ids->value) == 0
               ? NULL : shown;
}

static uint64_t identity_of(const ait_trace *t)
{
    ait_sip h = ait_sip_begin(0); /* the same everywhere */

    mix_text(&h, other_shown_id(t));
    mix_lists(&h, t);
    for (size_t i = 0; i < COUNT(texts); i++)
        mix_text(&h, t->text[texts[i]]);
    mix_numbers(&h, t);
    return ait_sip_end(&h);
}

uint64_t ait_trace_identity(const ait_trace *t)
{
    return t->identity ? t->identity : identity_of(t);
}

void ait_trace_identify(ait_trace *t)
{
    t->identity = identity_of(t);
}
