/* Ollama /api/generate. */
#include "stream/dialect.h"

static const ait_rule event_rules[] = {
    SAYS("response", AIT_C_TEXT),
    SAYS("thinking", AIT_C_REASONING),
    ALSO_IF("done", &ait_ollama_done),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_ollama_generate = {
    .info = {"ollama_generate", "Ollama /api/generate",
             "first line with a non-empty response or thinking",
             "first line with a non-empty response",
             "inside, not itemised"},
    .signature = {
        {"/response", J_STR, NULL, 0},
        {"/response", J_STR, NULL, S_WHOLE},
    },
    .model = {"/model"},
    .event = &event,
};
