/* watsonx text generation. */
#include "stream/dialect.h"

static const ait_rule result_rules[] = {
    SAYS("generated_text", AIT_C_TEXT),
    FINISH("stop_reason"),
    NUMBER("generated_token_count", completion),
    NUMBER("input_token_count", prompt),
};
static const ait_shape result = SHAPE(result_rules);

static const ait_rule event_rules[] = {
    EACH("results", &result),
    ERROR_IN("error"),
    ERRORS_IN("errors"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_watsonx = {
    .info = {"watsonx", "watsonx text generation",
             "first result with a non-empty generated_text",
             "the same event", "none is reported"},
    .signature = {
        {"/results/0/generated_text", J_STR, NULL, 0},
        {"/results/0/generated_text", J_STR, NULL, S_WHOLE},
    },
    .model = {"/model_id"},
    .event = &event,
};
