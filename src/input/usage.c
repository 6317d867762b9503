/* Usage objects: one table of names. */
#include "input/usage.h"

#include <stddef.h>

#define U(member) offsetof(ait_usage, member)

static const struct {
    const char *at; /* JSON Pointer */
    size_t field;
} names[] = {
    {"/prompt_tokens", U(prompt)},
    {"/input_tokens", U(prompt)},
    {"/completion_tokens", U(completion)},
    {"/output_tokens", U(completion)},
    {"/reasoning_tokens", U(reasoning)},
    {"/completion_tokens_details/reasoning_tokens", U(reasoning)},
    {"/output_tokens_details/reasoning_tokens", U(reasoning)},
    {"/cached_tokens", U(cached)},
    {"/prompt_tokens_details/cached_tokens", U(cached)},
    {"/input_tokens_details/cached_tokens", U(cached)},
    {"/cache_read_input_tokens", U(cached)},
    {"/total_tokens", U(total)},
};

unsigned ait_usage_read(ait_json *j, ait_jref object, ait_usage *u)
{
    unsigned ignored = 0;
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        ait_jref r = ait_json_at(j, object, names[i].at);
        ait_jtype type = ait_json_type(j, r);
        int64_t *to = (int64_t *)(void *)((char *)u + names[i].field);
        int64_t v;

        if (type == AIT_J_NONE || type == AIT_J_NULL || ait_has(*to))
            continue;
        if (!ait_json_int(j, r, &v))
            ignored++;
        else if (v >= 0)
            *to = v;
    }
    return ignored;
}
