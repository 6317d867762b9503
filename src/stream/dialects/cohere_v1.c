/* Cohere chat, version 1. */
#include "stream/dialect.h"

/* ---- parts ------------------------------------------------------------- */
static const ait_rule text_rules[] = {
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape text = SHAPE(text_rules);

static const ait_rule call_rules[] = { /* a call of a list is whole */
    OPENS("name"),
    HAS("parameters", AIT_C_ACTION),
};
static const ait_shape call = CLOSES(call_rules);

static const ait_rule calls_rules[] = {
    EACH_FLAGS("tool_calls", &call, R_PLACE, 0),
};
static const ait_shape calls = SHAPE(calls_rules);

static const ait_rule call_delta_rules[] = {
    INDEX("index"),
    SAYS("name", AIT_C_ACTION_START),
    SAYS("parameters", AIT_C_ACTION),
};
static const ait_shape call_delta = SHAPE(call_delta_rules);

static const ait_rule call_chunk_rules[] = { /* the text is the plan */
    SAYS("text", AIT_C_REASONING),
    IN("tool_call_delta", &call_delta),
};
static const ait_shape call_chunk = SHAPE(call_chunk_rules);

/* ---- the answer -------------------------------------------------------- */
static const ait_rule tokens_rules[] = {
    NUMBER("input_tokens", prompt),
    NUMBER("output_tokens", completion),
};
static const ait_shape tokens = SHAPE(tokens_rules);

static const ait_rule meta_rules[] = {
    IN("tokens", &tokens),
    IN_FLAGS("billed_units", &tokens, R_ELSE),
};
static const ait_shape meta = SHAPE(meta_rules);

static const ait_rule response_rules[] = {
    SAYS("text", AIT_C_TEXT),
    EACH_FLAGS("tool_calls", &call, R_PLACE, 0),
    FINISH("finish_reason"),
    IN("meta", &meta),
};
static const ait_shape response = SHAPE(response_rules);

static const ait_rule end_rules[] = {
    IN("response", &response),
    FINISH("finish_reason"),
};
static const ait_shape end = SHAPE(end_rules);

/* ---- events ------------------------------------------------------------ */
static const ait_rule event_rules[] = {
    SELECT("event_type"),
    ERROR_IN("error"),
};
static const ait_kind event_kinds[] = {
    KIND("text-generation", 0, 0, &text),
    KIND("tool-calls-chunk", 0, 0, &call_chunk),
    KIND("tool-calls-generation", 0, K_REPEAT, &calls),
    KIND("search-queries-generation", AIT_C_ACTION, 0, NULL),
    KIND("search-results", AIT_C_TOOL_RESULT, 0, NULL),
    KIND("stream-end", 0, K_REPEAT | K_END, &end),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_cohere_v1 = {
    .info = {"cohere_v1", "Cohere chat v1",
             "first text-generation or tool-calls-* that is not empty",
             "first text-generation with non-empty text",
             "none is reported"},
    .signature = {
        {"/event_type", J_STR, "stream-*", 0},
        {"/event_type", J_STR, "text-generation", 0},
        {"/event_type", J_STR, "tool-calls-*", 0},
        {"/event_type", J_STR, "search-*", 0},
        {"/generation_id", J_STR, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
    .whole = &response,
};
