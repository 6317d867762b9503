/*
 * Identity of a request: a hash over its ids, its start and what was
 * recorded of it. Left out are the place it was read from (file, line, row)
 * and what is derived (rates, outcome, stats that later versions may add),
 * so that the same record stays the same after an upgrade.
 */
#include <string.h>

#include "base/strmap.h"
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

/* What goes into the hash, gathered: hashing a few hundred bytes at once is
 * several times faster than hashing each value. */
typedef struct gather {
    uint64_t hash;
    size_t len;
    uint8_t bytes[1024];
} gather;

static void hash_gathered(gather *g)
{
    g->hash = ait_hash64(g->hash, g->bytes, g->len);
    g->len = 0;
}

/* Eight bytes, the lowest first: equal on machines of either byte order. */
static void mix(gather *g, int64_t v)
{
    uint64_t u = (uint64_t)v;
    uint8_t *p;

    if (g->len + 8 > sizeof g->bytes)
        hash_gathered(g);
    p = g->bytes + g->len;
    p[0] = (uint8_t)u;
    p[1] = (uint8_t)(u >> 8);
    p[2] = (uint8_t)(u >> 16);
    p[3] = (uint8_t)(u >> 24);
    p[4] = (uint8_t)(u >> 32);
    p[5] = (uint8_t)(u >> 40);
    p[6] = (uint8_t)(u >> 48);
    p[7] = (uint8_t)(u >> 56);
    g->len += 8;
}

/* With its length, so that "ab","c" is not "a","bc"; NULL is not "". Filled
 * up with zeros, so that what follows lies at a word again. */
static void mix_text(gather *g, const char *s)
{
    size_t n = s ? strlen(s) : 0, room = (n + 7) / 8 * 8;

    mix(g, s ? (int64_t)n : AIT_ABSENT);
    if (g->len + room > sizeof g->bytes)
        hash_gathered(g);
    if (n > sizeof g->bytes) {
        g->hash = ait_hash64(g->hash, s, n);
    } else if (n) {
        memset(g->bytes + g->len + room - 8, 0, 8);
        memcpy(g->bytes + g->len, s, n);
        g->len += room;
    }
}

static void mix_lists(gather *g, const ait_trace *t)
{
    for (const ait_id *id = t->ids; id; id = id->next)
        mix_text(g, id->value);
    for (const ait_measure *m = t->measures; m; m = m->next) {
        mix_text(g, m->name);
        mix(g, m->value);
    }
    for (const ait_attempt *a = t->attempts; a; a = a->next) {
        mix(g, a->number);
        mix(g, a->status);
        mix(g, a->start);
        mix(g, a->done);
    }
}

uint64_t ait_trace_identity(const ait_trace *t)
{
    uint64_t axes = 0;
    gather g;

    g.hash = g.len = 0;
    mix_text(&g, t->text[AIT_X_REQUEST_ID]);
    mix_lists(&g, t);
    for (size_t i = 0; i < COUNT(nums); i++)
        mix(&g, t->num[nums[i]]);
    for (size_t i = 0; i < COUNT(stats); i++)
        mix(&g, t->stat[stats[i]]);
    for (size_t i = 0; i < COUNT(texts); i++)
        mix_text(&g, t->text[texts[i]]);
    for (int i = 0; i < AIT_P_COUNT; i++)
        mix(&g, t->point[i].ns);
    for (int i = 0; i < AIT_P_COUNT; i++)
        axes = axes * 31 + t->point[i].axis;
    mix(&g, (int64_t)(axes & INT64_MAX));
    for (int i = 0; i < 3; i++)
        mix(&g, t->phase[i]);
    if (t->source)
        mix(&g, (int64_t)(t->source >> 1));
    hash_gathered(&g);
    return g.hash;
}
