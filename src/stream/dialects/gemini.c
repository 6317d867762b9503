/* Gemini generateContent, as SSE, as one JSON array, bare or wrapped. */
#include "stream/dialect.h"

/* ---- parts ------------------------------------------------------------- */
/* A call arrives whole, or grows: then willContinue says there is more. */
static const ait_rule call_rules[] = {
    OPENS("name"),
    HAS("args", AIT_C_ACTION),
    HAS("partialArgs", AIT_C_ACTION),
    SKIP_IF("willContinue"),
};
static const ait_shape call = CLOSES(call_rules);

static const ait_rule thought_rules[] = {
    SAYS("text", AIT_C_REASONING),
    SAYS("thoughtSignature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape thought = SHAPE(thought_rules);

static const ait_rule part_rules[] = {
    INSTEAD_IF("thought", &thought),
    SAYS("text", AIT_C_TEXT),
    IN("functionCall", &call),
    HAS("executableCode", AIT_C_ACTION),
    HAS("toolCall", AIT_C_ACTION),
    HAS("codeExecutionResult", AIT_C_TOOL_RESULT),
    HAS("toolResponse", AIT_C_TOOL_RESULT),
    HAS("inlineData", AIT_C_MEDIA),
    HAS("fileData", AIT_C_MEDIA),
    SAYS("thoughtSignature", AIT_C_REASONING_OPAQUE),
};
static const ait_shape part = SHAPE(part_rules);

static const ait_rule content_rules[] = {
    EACH("parts", &part),
};
static const ait_shape content = SHAPE(content_rules);

/* ---- events ------------------------------------------------------------ */
static const ait_rule candidate_rules[] = {
    CHOICE("index"),
    IN("content", &content),
    FINISH("finishReason"),
};
static const ait_shape candidate = SHAPE(candidate_rules);

static const ait_rule feedback_rules[] = {
    FINISH_AS("blockReason", "prompt_blocked:"),
};
static const ait_shape feedback = SHAPE(feedback_rules);

static const ait_rule usage_rules[] = {
    NUMBER("promptTokenCount", prompt),
    NUMBER("cachedContentTokenCount", cached),
    NUMBER("candidatesTokenCount", completion),
    NUMBER("thoughtsTokenCount", reasoning),
    NUMBER("totalTokenCount", total),
};
static const ait_shape usage = SHAPE(usage_rules);

static const ait_shape event;

static const ait_rule event_rules[] = {
    IN("response", &event), /* Code Assist wraps */
    EACH("candidates", &candidate),
    IN("promptFeedback", &feedback),
    IN("usageMetadata", &usage),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_gemini = {
    .info = {"gemini", "Gemini generateContent",
             "first part with non-empty text (a thought's, too), a call, "
             "code to run, or media",
             "first part with non-empty text that is no thought",
             "beside"},
    .signature = {
        {"/candidates", J_ARR, NULL, 0},
        {"/response/candidates", J_ARR, NULL, 0},
        {"/promptFeedback", J_OBJ, NULL, 0},
        {"/usageMetadata", J_OBJ, NULL, S_WEAK},
        {"/candidates", J_ARR, NULL, S_WHOLE},
        {"/promptFeedback", J_OBJ, NULL, S_WHOLE},
    },
    .model = {"/modelVersion", "/response/modelVersion"},
    .event = &event,
    .beside = true,
};
