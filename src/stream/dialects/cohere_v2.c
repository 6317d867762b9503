/* Cohere chat, version 2. */
#include "stream/dialect.h"

/* ---- parts ------------------------------------------------------------- */
static const ait_rule content_rules[] = {
    SAYS("text", AIT_C_TEXT),
    SAYS("thinking", AIT_C_REASONING),
};
static const ait_shape content = SHAPE(content_rules);

static const ait_rule function_rules[] = {
    SAYS("name", AIT_C_ACTION_START),
    SAYS("arguments", AIT_C_ACTION),
};
static const ait_shape function = SHAPE(function_rules);

static const ait_rule call_rules[] = {
    IN("function", &function),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule message_rules[] = { /* lists in a whole answer */
    SAYS("tool_plan", AIT_C_REASONING),
    IN("content", &content),
    EACH("content", &content),
    IN("tool_calls", &call),
    EACH("tool_calls", &call),
};
static const ait_shape message = SHAPE(message_rules);

/* ---- usage: tokens are real, billed units are smaller ------------------ */
static const ait_rule tokens_rules[] = {
    NUMBER("input_tokens", prompt),
    NUMBER("output_tokens", completion),
};
static const ait_shape tokens = SHAPE(tokens_rules);

static const ait_rule usage_rules[] = {
    IN("tokens", &tokens),
    IN_FLAGS("billed_units", &tokens, R_ELSE),
    NUMBER("cached_tokens", cached),
};
static const ait_shape usage = SHAPE(usage_rules);

/* ---- events ------------------------------------------------------------ */
static const ait_rule delta_rules[] = {
    IN("message", &message),
    FINISH("finish_reason"),
    IN("usage", &usage),
    ERROR_IN("error"),
};
static const ait_shape delta = SHAPE(delta_rules);

static const ait_rule body_rules[] = {
    IN("delta", &delta),
};
static const ait_shape body = SHAPE(body_rules);

static const ait_rule event_rules[] = {
    SELECT("type"),
    INDEX("index"),
};
static const ait_kind event_kinds[] = {
    KIND("content-delta", 0, 0, &body),
    KIND("content-start", 0, 0, &body),
    KIND("tool-plan-delta", 0, 0, &body),
    KIND("tool-call-start", 0, 0, &body),
    KIND("tool-call-delta", 0, 0, &body),
    KIND("tool-call-end", 0, K_CLOSE, NULL),
    KIND("message-end", 0, K_END, &body),
    KIND("error", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_cohere_v2 = {
    .info = {"cohere_v2", "Cohere chat v2",
             "first content-delta (text or thinking), tool-plan-delta or "
             "tool-call-delta that is not empty",
             "first content-delta with non-empty text",
             "inside, not itemised"},
    .signature = {
        {"/type", J_STR, "message-*", 0},
        {"/type", J_STR, "content-*", 0},
        {"/type", J_STR, "tool-*", 0},
        {"/message/content", J_ARR, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
    .whole = &delta,
};
