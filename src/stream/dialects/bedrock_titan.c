/* Titan text models behind Bedrock invocations. */
#include "stream/dialect.h"

static const ait_rule event_rules[] = {
    SAYS("outputText", AIT_C_TEXT),
    FINISH("completionReason"),
    NUMBER("inputTextTokenCount", prompt),
    NUMBER("totalOutputTextTokenCount", completion),
    IN("amazon-bedrock-invocationMetrics", &ait_invocation),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

static const ait_rule result_rules[] = {
    SAYS("outputText", AIT_C_TEXT),
    FINISH("completionReason"),
    NUMBER("tokenCount", completion),
};
static const ait_shape result = SHAPE(result_rules);

static const ait_rule whole_rules[] = {
    EACH("results", &result),
    NUMBER("inputTextTokenCount", prompt),
};
static const ait_shape whole = SHAPE(whole_rules);

const ait_dialect ait_bedrock_titan = {
    .info = {"bedrock_titan", "Titan through Bedrock invocations",
             "first chunk with a non-empty outputText", "the same event",
             "none is reported"},
    .signature = {
        {"/outputText", J_STR, NULL, 0},
        {"/results/0/outputText", J_STR, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
    .whole = &whole,
};
