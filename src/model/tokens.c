/* Token counts: what the provider reported, put together by arithmetic. */
#include "model/trace.h"

void ait_usage_init(ait_usage *u)
{
    u->prompt = u->cached = u->completion = AIT_ABSENT;
    u->reasoning = u->total = AIT_ABSENT;
    u->reasoning_beside = u->running = false;
}

static void take(int64_t *into, int64_t v)
{
    if (v >= 0)
        *into = v;
}

void ait_usage_merge(ait_usage *into, const ait_usage *u)
{
    take(&into->prompt, u->prompt);
    take(&into->cached, u->cached);
    take(&into->completion, u->completion);
    take(&into->reasoning, u->reasoning);
    take(&into->total, u->total);
    into->reasoning_beside |= u->reasoning_beside;
    into->running = u->running;
}

/* Is the reported reasoning beside the completion, not inside it? */
static bool beside(const ait_usage *u)
{
    int64_t sum = ait_plus(ait_plus(u->prompt, u->completion),
                           u->reasoning);

    return u->reasoning_beside || (ait_has(sum) && sum == u->total);
}

/* Everything generated, reasoning included. */
static int64_t output_of(ait_trace *t, const ait_usage *u)
{
    if (!ait_has(u->reasoning))
        return u->completion;
    if (!ait_has(u->completion)) /* only reasoning came so far */
        return u->reasoning_beside ? u->reasoning : AIT_ABSENT;
    if (beside(u))
        return ait_plus(u->completion, u->reasoning);
    if (u->reasoning > u->completion)
        ait_issue_add(&t->issues, AIT_I_USAGE_INCONSISTENT);
    return u->completion;
}

void ait_usage_apply(ait_trace *t, const ait_usage *u)
{
    ait_usage clean; /* negative counts are none */

    ait_usage_init(&clean);
    ait_usage_merge(&clean, u);
    t->num[AIT_N_PROMPT_TOKENS] = clean.prompt;
    t->num[AIT_N_CACHED_TOKENS] = clean.cached;
    t->num[AIT_N_REASONING_TOKENS] = clean.reasoning;
    t->num[AIT_N_OUTPUT_TOKENS] = output_of(t, &clean);
    if (ait_has(clean.prompt) || ait_has(clean.cached) ||
        ait_has(clean.reasoning) || ait_has(clean.completion))
        t->tokens_source = 0;
}

static int64_t seen_of(const ait_trace *t)
{
    return ait_has(t->stat[AIT_S_SEEN]) ? t->stat[AIT_S_SEEN] : 0;
}

/* Was there visible text? 1 yes, 0 no, -1 the recording cannot tell. */
static int has_text(const ait_trace *t)
{
    int64_t seen = seen_of(t);

    if (seen & AIT_SEEN_BODY)
        return seen & AIT_SEEN_BODY_TEXT ? 1 : 0;
    if (!ait_has(t->stat[AIT_S_TEXT]))
        return -1;
    if (t->stat[AIT_S_TEXT] > 0)
        return 1;
    return seen & AIT_SEEN_UNREAD || t->stream == 0 ? -1 : 0;
}

static bool action_shares(const ait_trace *t)
{
    int64_t seen = seen_of(t);

    return t->stat[AIT_S_ACTION] > 0 ||
           (seen & AIT_SEEN_BODY && seen & AIT_SEEN_BODY_OTHER);
}

/* Readable reasoning came, as events or in a whole body. */
static bool showed_reasoning(const ait_trace *t)
{
    return t->stat[AIT_S_REASONING] > 0 ||
           seen_of(t) & AIT_SEEN_BODY_REASONING;
}

static bool hid_reasoning(const ait_trace *t)
{
    return t->stat[AIT_S_OPAQUE] > 0 || seen_of(t) & AIT_SEEN_BODY_OPAQUE;
}

int64_t ait_visible_tokens(const ait_trace *t)
{
    int64_t out = t->num[AIT_N_OUTPUT_TOKENS], rest;
    int64_t reasoning = t->num[AIT_N_REASONING_TOKENS];
    int text = has_text(t);

    if (!ait_has(out) || text == 0)
        return ait_has(out) ? 0 : AIT_ABSENT;
    if (action_shares(t))
        return AIT_ABSENT;
    if (reasoning == 0 && showed_reasoning(t))
        reasoning = AIT_ABSENT; /* it is there and was not counted */
    if (ait_has(reasoning)) {
        rest = ait_minus(out, reasoning);
        /* some providers count one or two tokens twice */
        return rest >= 0 ? rest : rest >= -2 ? 0 : AIT_ABSENT;
    }
    if (text < 0 || showed_reasoning(t) || hid_reasoning(t))
        return AIT_ABSENT;
    return out;
}
