/* OpenAI audio transcription. */
#include "stream/dialect.h"

static const ait_rule delta_rules[] = {
    SAYS("delta", AIT_C_TEXT),
};
static const ait_shape delta = SHAPE(delta_rules);

static const ait_rule done_rules[] = {
    SAYS("text", AIT_C_TEXT),
    IN("usage", &ait_openai_usage),
};
static const ait_shape done = SHAPE(done_rules);

static const ait_rule event_rules[] = {
    SELECT("type"),
    ERROR_IN("error"),
};
static const ait_kind event_kinds[] = {
    KIND("transcript.text.delta", 0, 0, &delta),
    KIND("transcript.text.done", 0, K_REPEAT | K_END, &done),
    KIND("error", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_openai_transcription = {
    .info = {"openai_transcription", "OpenAI audio transcription",
             "first transcript.text.delta that is not empty",
             "the same event", "none is reported"},
    .signature = {
        {"/type", J_STR, "transcript.*", 0},
    },
    .model = {NULL},
    .event = &event,
};
