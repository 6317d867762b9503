/* Which dialect a body speaks: the registry and its signatures. */
#include <string.h>
#include "stream/engine.h"

const ait_dialect *const ait_dialect_table[] = {
    &ait_openai_chat,
    &ait_openai_completions,
    &ait_openai_responses,
    &ait_anthropic_messages,
    &ait_gemini,
    &ait_gemini_interactions,
    &ait_bedrock_converse,
    &ait_bedrock_titan,
    &ait_cohere_v2,
    &ait_cohere_v1,
    &ait_ollama_chat,
    &ait_ollama_generate,
    &ait_tgi,
    &ait_sglang,
    &ait_watsonx,
    &ait_openai_assistants,
    &ait_openai_transcription,
    &ait_anthropic_complete,
    &ait_replicate,
    NULL,
};

static bool value_matches(ait_engine *e, const ait_signature *s)
{
    ait_json *j = &e->work->json;
    ait_jref r = ait_json_at(j, AIT_JROOT, s->at);
    ait_jtype type = ait_json_type(j, r);
    size_t n;
    const char *text;

    if (type == AIT_J_NONE || !(s->types & 1u << type))
        return false;
    if (!s->value)
        return true;
    text = ait_string(e, r, &n);
    return text && ait_pattern(s->value, strlen(s->value), text, n);
}

static bool matches(ait_engine *e, const ait_dialect *d,
                    const ait_signature *s)
{
    const ait_frame *f = e->frame;

    if (((s->flags & S_WHOLE) != 0) != e->whole)
        return false;
    if (s->flags & S_NAME)
        return f->name && !(d->plain && e->parsed) &&
               ait_pattern(s->value, strlen(s->value), f->name, f->name_len);
    return e->parsed && value_matches(e, s);
}

/* The first dialect with such a signature. */
static const ait_dialect *find(ait_engine *e, uint32_t weak)
{
    for (size_t i = 0; ait_dialect_table[i]; i++) {
        const ait_dialect *d = ait_dialect_table[i];

        for (size_t k = 0; k < AIT_SIGNATURES_MAX && d->signature[k].at; k++)
            if ((d->signature[k].flags & S_WEAK) == weak &&
                matches(e, d, &d->signature[k]))
                return d;
    }
    return NULL;
}

void ait_detect(ait_engine *e)
{
    const ait_dialect *d = find(e, 0);

    e->sure = d != NULL;
    if (!d && !e->dialect)
        d = find(e, S_WEAK);
    if (!d)
        return;
    e->dialect = d;
    e->facts->dialect = d->info.name;
    e->facts->usage.reasoning_beside = d->beside;
}

bool ait_matches_any(ait_engine *e, bool whole)
{
    bool was = e->whole, found;

    e->whole = whole;
    found = find(e, 0) != NULL;
    e->whole = was;
    return found;
}

size_t ait_dialects(const ait_dialect_info **out)
{
    static ait_dialect_info all[sizeof ait_dialect_table /
                                sizeof *ait_dialect_table];
    size_t n = 0;

    for (; ait_dialect_table[n]; n++)
        all[n] = ait_dialect_table[n]->info;
    *out = all;
    return n;
}
