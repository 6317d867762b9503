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

/* Byte by byte: equal on machines of either byte order. */
static uint64_t mix(uint64_t h, int64_t v)
{
    uint8_t b[8];

    for (int i = 0; i < 8; i++)
        b[i] = (uint8_t)((uint64_t)v >> 8 * i);
    return ait_hash64(h, b, sizeof b);
}

/* With the terminator, so that "ab","c" is not "a","bc"; NULL is not "". */
static uint64_t mix_text(uint64_t h, const char *s)
{
    return s ? ait_hash64(h, s, strlen(s) + 1) : mix(h, -1);
}

static uint64_t mix_lists(uint64_t h, const ait_trace *t)
{
    for (const ait_id *id = t->ids; id; id = id->next)
        h = mix_text(h, id->value);
    for (const ait_measure *m = t->measures; m; m = m->next)
        h = mix(mix_text(h, m->name), m->value);
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        h = mix(mix(mix(mix(h, a->number), a->status), a->start), a->done);
    return h;
}

uint64_t ait_trace_identity(const ait_trace *t)
{
    uint64_t h = mix_lists(mix_text(0, t->text[AIT_X_REQUEST_ID]), t);

    for (size_t i = 0; i < COUNT(nums); i++)
        h = mix(h, t->num[nums[i]]);
    for (size_t i = 0; i < COUNT(stats); i++)
        h = mix(h, t->stat[stats[i]]);
    for (size_t i = 0; i < COUNT(texts); i++)
        h = mix_text(h, t->text[texts[i]]);
    for (int i = 0; i < AIT_P_COUNT; i++)
        h = mix(mix(h, t->point[i].ns), t->point[i].axis);
    for (int i = 0; i < 3; i++)
        h = mix(h, t->phase[i]);
    return h;
}
