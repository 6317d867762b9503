/* Anthropic text completions (legacy). */
#include "stream/dialect.h"

static const ait_rule event_rules[] = {
    SELECT("type"),
    SAYS("completion", AIT_C_TEXT),
    FINISH("stop_reason"),
};
static const ait_kind event_kinds[] = {
    KIND("ping", AIT_C_HEARTBEAT, 0, NULL),
    KIND("error", 0, K_ERROR, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_anthropic_complete = {
    .info = {"anthropic_complete", "Anthropic text completions (legacy)",
             "first completion that is not empty", "the same event",
             "no usage is reported"},
    .signature = {
        {"/completion", J_STR, NULL, 0},
        {"/completion", J_STR, NULL, S_WHOLE},
    },
    .model = {"/model"},
    .event = &event,
};
