/* Bedrock Converse: as frames named by their type, or decoded with the type
 * as the one key; Nova speaks it inside invocations, too. */
#include "stream/dialect.h"

/* ---- blocks ------------------------------------------------------------ */
static const ait_rule reasoning_rules[] = {
    SAYS("text", AIT_C_REASONING),
    SAYS("signature", AIT_C_REASONING_OPAQUE),
    SAYS("redactedContent", AIT_C_REASONING_OPAQUE),
};
static const ait_shape reasoning = SHAPE(reasoning_rules);

static const ait_rule input_rules[] = {
    HAS("input", AIT_C_ACTION),
};
static const ait_shape input = SHAPE(input_rules);

static const ait_rule delta_rules[] = {
    SAYS("text", AIT_C_TEXT),
    IN("reasoningContent", &reasoning),
    IN("toolUse", &input),
    HAS("toolResult", AIT_C_TOOL_RESULT),
    HAS("image", AIT_C_MEDIA),
};
static const ait_shape delta = SHAPE(delta_rules);

static const ait_rule use_rules[] = {
    SAYS("name", AIT_C_ACTION_START),
};
static const ait_shape use = SHAPE(use_rules);

static const ait_rule start_rules[] = {
    IN("toolUse", &use),
    HAS("toolResult", AIT_C_TOOL_RESULT),
};
static const ait_shape start = SHAPE(start_rules);

/* ---- events ------------------------------------------------------------ */
static const ait_rule block_delta_rules[] = {
    INDEX("contentBlockIndex"),
    IN("delta", &delta),
};
static const ait_shape block_delta = SHAPE(block_delta_rules);

static const ait_rule block_start_rules[] = {
    INDEX("contentBlockIndex"),
    IN("start", &start),
};
static const ait_shape block_start = SHAPE(block_start_rules);

static const ait_rule block_stop_rules[] = {
    INDEX("contentBlockIndex"),
};
static const ait_shape block_stop = CLOSES(block_stop_rules);

static const ait_rule stop_rules[] = {
    FINISH("stopReason"),
};
static const ait_shape stop = SHAPE(stop_rules);

static const ait_rule usage_rules[] = {
    NUMBER("inputTokens", prompt),
    NUMBER("outputTokens", completion),
    NUMBER("totalTokens", total),
    NUMBER("cacheReadInputTokens", cached),
    NUMBER("cacheReadInputTokenCount", cached),
};
static const ait_shape usage = SHAPE(usage_rules);

static const ait_rule metrics_rules[] = {
    TIME("latencyMs", "total", "/metrics/latencyMs", AIT_MS_UNIT,
         AIT_B_BODY_END),
};
static const ait_shape metrics = SHAPE(metrics_rules);

static const ait_rule metadata_rules[] = {
    IN("usage", &usage),
    IN("metrics", &metrics),
};
static const ait_shape metadata = SHAPE(metadata_rules);

static const ait_rule event_rules[] = {
    SELECT("type"),
    IN("contentBlockDelta", &block_delta),
    IN("contentBlockStart", &block_start),
    IN("contentBlockStop", &block_stop),
    IN("messageStop", &stop),
    IN("metadata", &metadata),
    IN("amazon-bedrock-invocationMetrics", &ait_invocation),
    ERROR_AS("throttlingException"),
    ERROR_AS("internalServerException"),
    ERROR_AS("modelStreamErrorException"),
    ERROR_AS("serviceUnavailableException"),
    ERROR_AS("validationException"),
    ERROR_IN("error"),
};
static const ait_kind event_kinds[] = {
    KIND("contentBlockDelta", 0, 0, &block_delta),
    KIND("contentBlockStart", 0, 0, &block_start),
    KIND("contentBlockStop", 0, 0, &block_stop),
    KIND("messageStop", 0, 0, &stop),
    KIND("metadata", 0, 0, &metadata),
    KIND("*Exception", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

/* ---- a whole answer ---------------------------------------------------- */
static const ait_rule whole_reasoning_rules[] = {
    IN("reasoningText", &reasoning),
    SAYS("redactedContent", AIT_C_REASONING_OPAQUE),
};
static const ait_shape whole_reasoning = SHAPE(whole_reasoning_rules);

static const ait_rule whole_use_rules[] = {
    OPENS("name"),
    HAS("input", AIT_C_ACTION),
};
static const ait_shape whole_use = CLOSES(whole_use_rules);

static const ait_rule block_rules[] = {
    SAYS("text", AIT_C_TEXT),
    IN("reasoningContent", &whole_reasoning),
    IN("toolUse", &whole_use),
    HAS("image", AIT_C_MEDIA),
};
static const ait_shape block = SHAPE(block_rules);

static const ait_rule message_rules[] = {
    EACH("content", &block),
};
static const ait_shape message = SHAPE(message_rules);

static const ait_rule output_rules[] = {
    IN("message", &message),
};
static const ait_shape output = SHAPE(output_rules);

static const ait_rule whole_rules[] = {
    IN("output", &output),
    FINISH("stopReason"),
    IN("usage", &usage),
    IN("metrics", &metrics),
};
static const ait_shape whole = SHAPE(whole_rules);

const ait_dialect ait_bedrock_converse = {
    .info = {"bedrock_converse", "Bedrock Converse, Nova invocations",
             "first contentBlockDelta with non-empty text, reasoning text or "
             "tool input, or the stop of a call that got none",
             "first contentBlockDelta with non-empty text",
             "inside, never itemised"},
    .signature = {
        {"", 0, "contentBlock*", S_NAME},
        {"", 0, "messageStart", S_NAME},
        {"", 0, "messageStop", S_NAME},
        {"/messageStart", J_OBJ, NULL, 0},
        {"/contentBlockStart", J_OBJ, NULL, 0},
        {"/contentBlockDelta", J_OBJ, NULL, 0},
        {"/messageStop", J_OBJ, NULL, 0},
        {"/output/message", J_OBJ, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
    .whole = &whole,
};
