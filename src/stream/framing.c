/* The table of framings, and how one is chosen. */
#include "stream/framing.h"
#include <string.h>
#include <strings.h>

const ait_framing *const ait_framing_table[] = {
    &ait_framing_eventstream,
    &ait_framing_json_array,
    &ait_framing_ndjson,
    &ait_framing_sse, /* last: takes what nobody else does */
    NULL,
};

/* Does the header's value start with this type, whatever follows? */
static bool is_type(const char *header, const char *type)
{
    size_t n = strlen(type);

    return header && strncasecmp(header, type, n) == 0 &&
           (header[n] == '\0' || strchr("; \t", header[n]));
}

const ait_framing *ait_framing_of_type(const char *content_type)
{
    for (size_t i = 0; ait_framing_table[i]; i++)
        for (const char *const *t = ait_framing_table[i]->types; *t; t++)
            if (is_type(content_type, *t))
                return ait_framing_table[i];
    return NULL;
}

bool ait_type_is_json(const char *content_type)
{
    return is_type(content_type, "application/json") ||
           is_type(content_type, "application/problem+json");
}
