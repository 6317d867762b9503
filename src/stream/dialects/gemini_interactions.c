/* Gemini Interactions: steps that start, grow and stop. */
#include "stream/dialect.h"

/* ---- steps and what they are made of ----------------------------------- */
static const ait_rule text_rules[] = {
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape text = SHAPE(text_rules);

static const ait_rule thought_rules[] = {
    SAYS("text", AIT_C_REASONING),
};
static const ait_shape thought = SHAPE(thought_rules);

static const ait_rule summary_rules[] = {
    IN("content", &thought),
    SAYS("text", AIT_C_REASONING),
};
static const ait_shape summary = SHAPE(summary_rules);

static const ait_rule signature_rules[] = {
    SAYS("signature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape signature = SHAPE(signature_rules);

static const ait_rule call_rules[] = { /* {} is a placeholder */
    HAS("arguments", AIT_C_ACTION),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule typed_rules[] = {
    SELECT("type"),
};
static const ait_kind piece_kinds[] = {
    KIND("text", 0, 0, &text),
    KIND("thought_summary", 0, 0, &summary),
    KIND("thought_signature", 0, 0, &signature),
    KIND("arguments_delta", 0, 0, &call),
    KIND("*_call", AIT_C_ACTION_START, 0, &call),
    KIND("*_result", AIT_C_TOOL_RESULT, 0, NULL),
    KIND("image", AIT_C_MEDIA, 0, NULL),
    KIND("audio", AIT_C_MEDIA, 0, NULL),
    KIND("video", AIT_C_MEDIA, 0, NULL),
};
static const ait_shape piece = CHOOSES(typed_rules, piece_kinds);

/* ---- the interaction --------------------------------------------------- */
static const ait_rule usage_rules[] = {
    NUMBER("total_input_tokens", prompt),
    NUMBER("total_cached_tokens", cached),
    NUMBER("total_output_tokens", completion),
    NUMBER("total_thought_tokens", reasoning),
    NUMBER("total_tokens", total),
};
static const ait_shape usage = SHAPE(usage_rules);

static const ait_rule interaction_rules[] = {
    EACH_FLAGS("outputs", &piece, R_PLACE, 0),
    IN("usage", &usage),
    FINISH("status"),
    ERROR_IN("error"),
};
static const ait_shape interaction = SHAPE(interaction_rules);

/* ---- events ------------------------------------------------------------ */
static const ait_rule delta_rules[] = {
    IN("delta", &piece),
};
static const ait_shape delta = SHAPE(delta_rules);

static const ait_rule start_rules[] = {
    IN("step", &piece),
    IN("content", &piece),
};
static const ait_shape start = SHAPE(start_rules);

static const ait_rule final_rules[] = {
    IN("interaction", &interaction),
};
static const ait_shape final = SHAPE(final_rules);

static const ait_rule event_rules[] = {
    SELECT("event_type"),
    INDEX("index"),
};
static const ait_kind event_kinds[] = {
    KIND("step.delta", 0, 0, &delta),
    KIND("step.start", 0, 0, &start),
    KIND("step.stop", 0, K_CLOSE, NULL),
    KIND("content.delta", 0, 0, &delta),
    KIND("content.start", 0, 0, &start),
    KIND("content.stop", 0, K_CLOSE, NULL),
    KIND("interaction.complete*", 0, K_REPEAT | K_END, &final),
    KIND("interaction.failed", 0, K_END | K_ERROR, &final),
    KIND("error", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_gemini_interactions = {
    .info = {"gemini_interactions", "Gemini Interactions",
             "first step.delta with non-empty text, thought summary or "
             "arguments",
             "first step.delta of type text that is not empty",
             "beside"},
    .signature = {
        {"/event_type", J_STR, "interaction.*", 0},
        {"/event_type", J_STR, "step.*", 0},
        {"/event_type", J_STR, "content.*", 0},
        {"/object", J_STR, "interaction", S_WHOLE},
    },
    .model = {"/interaction/model", "/model"},
    .event = &event,
    .whole = &interaction,
    .beside = true,
};
