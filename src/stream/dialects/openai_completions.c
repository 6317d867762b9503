/* Legacy text completions. */
#include "stream/dialect.h"

static const ait_rule choice_rules[] = {
    CHOICE("index"),
    SAYS("text", AIT_C_TEXT),
    FINISH("finish_reason"),
};
static const ait_shape choice = SHAPE(choice_rules);

static const ait_rule event_rules[] = {
    EACH("choices", &choice),
    IN("usage", &ait_openai_usage),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_openai_completions = {
    .info = {"openai_completions", "OpenAI text completions (legacy)",
             "first choices[].text that is not empty",
             "the same event", "inside"},
    .signature = {
        {"/choices/0/text", J_STR, NULL, 0},
        {"/object", J_STR, "text_completion*", S_WEAK},
        {"/choices/0/text", J_STR, NULL, S_WHOLE},
    },
    .model = {"/model"},
    .event = &event,
};
