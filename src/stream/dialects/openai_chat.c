/* OpenAI chat completions and all who speak like it. */
#include "stream/dialect.h"

/* ---- content as a list of parts (Mistral, Databricks) --------------- */
static const ait_rule thought_rules[] = {
    SAYS("text", AIT_C_REASONING),
    SAYS("signature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape thought = SHAPE(thought_rules);

static const ait_rule text_part_rules[] = {
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape text_part = SHAPE(text_part_rules);

static const ait_rule thinking_part_rules[] = {
    SAYS("thinking", AIT_C_REASONING),
    EACH("thinking", &thought),
    EACH("summary", &thought),
    SAYS("text", AIT_C_REASONING),
    SAYS("signature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape thinking_part = SHAPE(thinking_part_rules);

static const ait_rule refusal_part_rules[] = {
    SAYS("refusal", AIT_C_REFUSAL),
};
static const ait_shape refusal_part = SHAPE(refusal_part_rules);

static const ait_rule part_rules[] = {
    SELECT("type"),
};
static const ait_kind part_kinds[] = {
    KIND("text", 0, 0, &text_part),
    KIND("thinking", 0, 0, &thinking_part),
    KIND("reasoning", 0, 0, &thinking_part),
    KIND("refusal", 0, 0, &refusal_part),
    KIND("image*", AIT_C_MEDIA, 0, NULL),
};
static const ait_shape part = CHOOSES(part_rules, part_kinds);

/* ---- calls ---------------------------------------------------------- */
static const ait_rule function_rules[] = {
    SAYS("name", AIT_C_ACTION_START),
    HAS("arguments", AIT_C_ACTION),
    HAS("input", AIT_C_ACTION), /* custom tools */
};
static const ait_shape function = SHAPE(function_rules);

static const ait_rule call_rules[] = {
    CALL("index"),
    SAYS("id", AIT_C_ACTION_START),
    IN("function", &function),
    IN("custom", &function),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule executed_rules[] = { /* Groq: run at the provider */
    CALL("index"),
    SAYS("type", AIT_C_ACTION_START),
    HAS("arguments", AIT_C_ACTION),
    HAS("output", AIT_C_TOOL_RESULT),
    HAS("search_results", AIT_C_TOOL_RESULT),
};
static const ait_shape executed = SHAPE(executed_rules);

/* ---- reasoning, by its many names ----------------------------------- */
static const ait_rule detail_rules[] = {
    SAYS("text", AIT_C_REASONING),
    SAYS("summary", AIT_C_REASONING),
    SAYS("data", AIT_C_REASONING_OPAQUE),
    SAYS("signature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape detail = SHAPE(detail_rules);

static const ait_rule audio_rules[] = {
    /* A transcript is not shown as chat text: it belongs to the sound. */
    SAYS("data", AIT_C_MEDIA),
    SAYS("transcript", AIT_C_MEDIA),
};
static const ait_shape audio = SHAPE(audio_rules);

static const ait_rule delta_rules[] = {
    SAYS("content", AIT_C_TEXT),
    EACH_FLAGS("content", &part, 0, AIT_C_TEXT),
    SAYS("reasoning_content", AIT_C_REASONING),
    SAYS("reasoning", AIT_C_REASONING),
    SAYS("reasoning_text", AIT_C_REASONING),
    SAYS("reasoning_opaque", AIT_C_REASONING_OPAQUE),
    EACH("reasoning_details", &detail),
    EACH("tool_calls", &call),
    IN("function_call", &function),
    EACH("executed_tools", &executed),
    SAYS("refusal", AIT_C_REFUSAL),
    IN("audio", &audio),
    HAS("images", AIT_C_MEDIA),
};
static const ait_shape delta = SHAPE(delta_rules);

/* ---- events --------------------------------------------------------- */
static const ait_rule choice_rules[] = {
    CHOICE("index"),
    IN("delta", &delta),
    IN_FLAGS("message", &delta, R_ELSE | R_REPEAT),
    SAYS_ELSE("text", AIT_C_TEXT), /* Together sends both */
    IN("usage", &ait_openai_usage), /* Moonshot */
    FINISH("finish_reason"),
};
static const ait_shape choice = SHAPE(choice_rules);

static const ait_rule groq_rules[] = {
    IN("usage", &ait_openai_usage),
    ERROR_IN("error"),
};
static const ait_shape groq = SHAPE(groq_rules);

static const ait_rule llama_rules[] = {
    TIME("prompt_ms", "prefill", "/timings/prompt_ms", AIT_MS_UNIT,
         AIT_B_PHASE_END),
    TIME("predicted_ms", "decode", "/timings/predicted_ms", AIT_MS_UNIT,
         AIT_B_PHASE_END),
};
static const ait_shape llama = SHAPE(llama_rules);

static const ait_rule cerebras_rules[] = {
    TIME("queue_time", "queue", "/time_info/queue_time", AIT_SEC_UNIT,
         AIT_B_PHASE_END),
    TIME("prompt_time", "prefill", "/time_info/prompt_time", AIT_SEC_UNIT,
         AIT_B_PHASE_END),
    TIME("completion_time", "decode", "/time_info/completion_time",
         AIT_SEC_UNIT, AIT_B_PHASE_END),
    TIME("total_time", "total", "/time_info/total_time", AIT_SEC_UNIT,
         AIT_B_BODY_END),
};
static const ait_shape cerebras = SHAPE(cerebras_rules);

static const ait_rule event_rules[] = {
    EACH("choices", &choice),
    IN("usage", &ait_openai_usage),
    ERROR_IN("error"),
    IN("x_groq", &groq),
    IN("timings", &llama),
    IN("time_info", &cerebras),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_openai_chat = {
    .info = {"openai_chat", "OpenAI chat completions and relatives",
             "first choices[].delta with non-empty content, reasoning "
             "(reasoning_content, reasoning, reasoning_text, "
             "reasoning_details), call arguments, refusal or media",
             "first delta.content (text parts of a list included) or "
             "delta.refusal that is not empty",
             "inside, unless total_tokens says beside (xAI)"},
    .signature = {
        {"/choices/0/delta", J_OBJ, NULL, 0},
        {"/choices/0/message", J_OBJ, NULL, 0},
        {"/object", J_STR, "chat.completion*", 0},
        {"/choices", J_ARR, NULL, S_WEAK}, /* Azure's first event */
        {"/choices/0/message", J_OBJ, NULL, S_WHOLE},
    },
    .model = {"/model"},
    .event = &event,
};
