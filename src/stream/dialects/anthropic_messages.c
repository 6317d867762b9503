/* Anthropic Messages; also inside Bedrock invocations and at Vertex. */
#include "stream/dialect.h"

/* ---- blocks --------------------------------------------------------- */
static const ait_rule text_rules[] = {
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape text = SHAPE(text_rules);

static const ait_rule thinking_rules[] = {
    SAYS("thinking", AIT_C_REASONING),
    SAYS("signature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape thinking = SHAPE(thinking_rules);

static const ait_rule use_rules[] = { /* {} is a placeholder */
    HAS("input", AIT_C_ACTION),
};
static const ait_shape use = SHAPE(use_rules);

static const ait_rule json_rules[] = {
    SAYS("partial_json", AIT_C_ACTION),
};
static const ait_shape json = SHAPE(json_rules);

static const ait_rule typed_rules[] = {
    SELECT("type"),
};

static const ait_kind delta_kinds[] = {
    KIND("text_delta", 0, 0, &text),
    KIND("thinking_delta", 0, 0, &thinking),
    KIND("input_json_delta", 0, 0, &json),
    KIND("signature_delta", AIT_C_REASONING_OPAQUE, 0, NULL),
};
static const ait_shape delta = CHOOSES(typed_rules, delta_kinds);

static const ait_kind block_kinds[] = {
    KIND("text", 0, 0, &text),
    KIND("thinking", 0, 0, &thinking),
    KIND("redacted_thinking", AIT_C_REASONING_OPAQUE, 0, NULL),
    KIND("tool_use", AIT_C_ACTION_START, 0, &use),
    KIND("*_tool_use", AIT_C_ACTION_START, 0, &use), /* server, MCP */
    KIND("*_tool_result", AIT_C_TOOL_RESULT, 0, NULL),
};
static const ait_shape block = CHOOSES(typed_rules, block_kinds);

/* ---- usage: the output count of message_start is none --------------- */
static const ait_rule details_rules[] = {
    NUMBER("thinking_tokens", reasoning),
};
static const ait_shape details = SHAPE(details_rules);

static const ait_rule start_usage_rules[] = {
    NUMBER("input_tokens", prompt),
    NUMBER("cache_read_input_tokens", cached),
};
static const ait_shape start_usage = SHAPE(start_usage_rules);

static const ait_rule usage_rules[] = {
    NUMBER("input_tokens", prompt),
    NUMBER("cache_read_input_tokens", cached),
    NUMBER("output_tokens", completion),
    IN("output_tokens_details", &details),
};
static const ait_shape usage = SHAPE(usage_rules);

/* ---- events --------------------------------------------------------- */
static const ait_rule block_delta_rules[] = {
    IN("delta", &delta),
};
static const ait_shape block_delta = SHAPE(block_delta_rules);

static const ait_rule block_start_rules[] = {
    IN("content_block", &block),
};
static const ait_shape block_start = SHAPE(block_start_rules);

static const ait_rule message_rules[] = {
    IN("usage", &start_usage),
};
static const ait_shape message = SHAPE(message_rules);

static const ait_rule start_rules[] = {
    IN("message", &message),
};
static const ait_shape start = SHAPE(start_rules);

static const ait_rule stop_rules[] = {
    FINISH("stop_reason"),
};
static const ait_shape stop = SHAPE(stop_rules);

static const ait_rule message_delta_rules[] = {
    IN("delta", &stop),
    IN("usage", &usage),
};
static const ait_shape message_delta = SHAPE(message_delta_rules);

static const ait_rule last_rules[] = {
    IN("amazon-bedrock-invocationMetrics", &ait_invocation),
};
static const ait_shape last = SHAPE(last_rules);

static const ait_rule event_rules[] = {
    SELECT("type"),
    INDEX("index"),
};
static const ait_kind event_kinds[] = {
    KIND("content_block_delta", 0, 0, &block_delta),
    KIND("content_block_start", 0, 0, &block_start),
    KIND("content_block_stop", 0, K_CLOSE, NULL),
    KIND("ping", AIT_C_HEARTBEAT, 0, NULL),
    KIND("message_start", 0, K_RESET, &start),
    KIND("message_delta", 0, 0, &message_delta),
    KIND("message_stop", 0, K_END, &last),
    KIND("error", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

static const ait_rule whole_rules[] = {
    EACH_FLAGS("content", &block, R_PLACE, 0),
    FINISH("stop_reason"),
    IN("usage", &usage),
    ERROR_IN("error"),
};
static const ait_shape whole = SHAPE(whole_rules);

const ait_dialect ait_anthropic_messages = {
    .info = {"anthropic_messages", "Anthropic Messages",
             "first content_block_delta with non-empty text, thinking or "
             "partial_json, or the stop of a call that got no input",
             "first text_delta that is not empty",
             "inside; counted only in output_tokens_details"},
    .signature = {
        {"/type", J_STR, "message_start", 0},
        {"/type", J_STR, "content_block_*", 0},
        {"/type", J_STR, "message_delta", 0},
        {"/type", J_STR, "message_stop", 0},
        {"", 0, "message_start", S_NAME},
        {"", 0, "content_block_*", S_NAME},
        {"", 0, "message_stop", S_NAME},
        {"/type", J_STR, "ping", S_WEAK},
        {"/type", J_STR, "message", S_WHOLE},
    },
    .model = {"/message/model", "/model"},
    .event = &event,
    .whole = &whole,
};
