/* Text Generation Inference, its native route. */
#include "stream/dialect.h"

static const ait_rule token_rules[] = {
    SKIP_IF("special"), /* end-of-text marks are not shown */
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape token = SHAPE(token_rules);

static const ait_rule details_rules[] = {
    FINISH("finish_reason"),
    NUMBER("generated_tokens", completion),
    NUMBER("input_length", prompt),
};
static const ait_shape details = SHAPE(details_rules);

static const ait_rule event_rules[] = {
    IN("token", &token),
    IN("details", &details),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

static const ait_rule whole_rules[] = {
    SAYS("generated_text", AIT_C_TEXT),
    IN("details", &details),
};
static const ait_shape whole = SHAPE(whole_rules);

const ait_dialect ait_tgi = {
    .info = {"tgi", "Text Generation Inference",
             "first token with non-empty text that is not special",
             "the same event", "none is reported"},
    .signature = {
        {"/token/text", J_STR, NULL, 0},
        {"/generated_text", J_STR, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
    .whole = &whole,
};
