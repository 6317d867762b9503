/* Ollama /api/chat. */
#include "stream/dialect.h"

static const ait_rule function_rules[] = { /* calls arrive whole */
    OPENS("name"),
    HAS("arguments", AIT_C_ACTION),
};
static const ait_shape function = CLOSES(function_rules);

static const ait_rule call_rules[] = {
    IN("function", &function),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule message_rules[] = {
    SAYS("content", AIT_C_TEXT),
    SAYS("thinking", AIT_C_REASONING),
    EACH("tool_calls", &call),
    HAS("images", AIT_C_MEDIA),
};
static const ait_shape message = SHAPE(message_rules);

static const ait_rule event_rules[] = {
    IN("message", &message),
    ALSO_IF("done", &ait_ollama_done),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_ollama_chat = {
    .info = {"ollama_chat", "Ollama /api/chat",
             "first line whose message has non-empty content, thinking or a "
             "call",
             "first line with non-empty message.content",
             "inside, not itemised"},
    .signature = {
        {"/message/content", J_STR, NULL, 0},
        {"/message/content", J_STR, NULL, S_WHOLE},
    },
    .model = {"/model"},
    .event = &event,
};
