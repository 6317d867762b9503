/*
 * Identity of a request: a hash over its ids, its start and what was
 * recorded of it. Left out are the place it was read from (file, line, row)
 * and what is derived (rates, outcome, stats that later versions may add),
 * so that the same record stays the same after an upgrade.
 */
#include <string.h>

#include "base/fold.h"
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

/* ---- words -------------------------------------------------------------- */

enum { WORDS = 64 }; /* even */

/* What goes into the hash, a number of words at a time. */
typedef struct words {
    ait_folded hash;
    uint64_t count;
    uint64_t word[WORDS];
    unsigned n;
} words;

static void mix_words(words *w)
{
    ait_folded hash = w->hash;
    unsigned pairs = w->n / 2;

    for (unsigned i = 0; i < pairs; i++)
        ait_fold_mix(&hash, w->word[2 * i], w->word[2 * i + 1]);
    w->hash = hash;
    w->count += pairs;
    w->word[0] = w->word[2 * pairs]; /* of an odd number the last one */
    w->n %= 2;
}

/* For as many more. */
static inline void make_room(words *w, unsigned more)
{
    if (w->n + more > WORDS - 1)
        mix_words(w);
}

static inline void put(words *w, uint64_t word)
{
    make_room(w, 1);
    w->word[w->n++] = word;
}

static uint64_t end_words(words *w)
{
    put(w, 0); /* goes in where the number is odd */
    mix_words(w);
    return ait_fold_end(&w->hash, w->count);
}

/* ---- what goes into it ------------------------------------------------- */

/* Eight bytes of text, the first one lowest on any machine. */
static inline uint64_t eight(const char *s)
{
    uint64_t v;

    memcpy(&v, s, sizeof v);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The last n % 8 bytes of a text. */
static inline uint64_t rest(const char *s, size_t n)
{
    uint64_t v = 0;

    if (n >= 8)
        return n % 8 ? eight(s + n - 8) >> (64 - n % 8 * 8) : 0;
    while (n > 0)
        v = v << 8 | (unsigned char)s[--n];
    return v;
}

/* The last word of a text says by its highest byte that it is one, so that
 * "ab","c" is not "a","bc": kept text has no character below 8, and no byte
 * like the highest one of NULL. */
static void put_text(words *w, const char *s)
{
    size_t n = s ? strlen(s) : 0;

    for (size_t i = 0; i + 8 <= n; i += 8)
        put(w, eight(s + i));
    put(w, s ? rest(s, n) | (uint64_t)(n % 8) << 56 : UINT64_C(0xfe) << 56);
}

/* Only what is there: a bit for each, put behind, says what that was. There
 * is room for it. */
static inline void put_present(words *w, int64_t v, uint64_t *present)
{
    bool has = ait_has(v);

    w->word[w->n] = (uint64_t)v;
    w->n += has;
    *present = *present << 1 | has;
}

static void put_attempt(words *w, const ait_attempt *a)
{
    uint64_t present = (uint64_t)a->number;

    make_room(w, 4);
    put_present(w, a->status, &present);
    put_present(w, a->start, &present);
    put_present(w, a->done, &present);
    put(w, present);
}

/* How many there are of each comes behind them. */
static void put_lists(words *w, const ait_trace *t)
{
    uint64_t ids = 0, measures = 0, attempts = 0;

    for (const ait_id *id = t->ids; id; id = id->next, ids++)
        put_text(w, id->value);
    for (const ait_measure *m = t->measures; m; m = m->next, measures++) {
        put_text(w, m->name);
        put(w, (uint64_t)m->value);
    }
    for (const ait_attempt *a = t->attempts; a; a = a->next, attempts++)
        put_attempt(w, a);
    put(w, ids | measures << 16 | attempts << 40);
}

static void put_numbers(words *w, const ait_trace *t)
{
    uint64_t present = 0;
    int64_t axes = 0; /* of the points; mostly all are on one */

    make_room(w, COUNT(nums) + COUNT(stats) + 3 + AIT_P_COUNT + 3);
    for (size_t i = 0; i < COUNT(nums); i++)
        put_present(w, t->num[nums[i]], &present);
    for (size_t i = 0; i < COUNT(stats); i++)
        put_present(w, t->stat[stats[i]], &present);
    for (int i = 0; i < 3; i++)
        put_present(w, t->phase[i], &present);
    for (int i = 0; i < AIT_P_COUNT; i++) {
        put_present(w, t->point[i].ns, &present);
        axes = axes << 5 ^ t->point[i].axis;
    }
    put_present(w, axes ? axes : AIT_ABSENT, &present);
    put_present(w, t->source ? (int64_t)(t->source >> 1) : AIT_ABSENT,
                &present);
    put(w, present);
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

static uint64_t identity_of(const ait_trace *t, uint64_t seed)
{
    words w;

    w.n = 0;
    w.count = 0;
    w.hash = ait_fold_begin(seed);
    put_text(&w, other_shown_id(t));
    put_lists(&w, t);
    for (size_t i = 0; i < COUNT(texts); i++)
        put_text(&w, t->text[texts[i]]);
    put_numbers(&w, t);
    return end_words(&w);
}

uint64_t ait_trace_identity(const ait_trace *t)
{
    return t->identity ? t->identity : identity_of(t, 0);
}

void ait_trace_identify(ait_trace *t, uint64_t seed)
{
    t->identity = identity_of(t, seed);
}
