/* OpenAI Assistants: thread.* events. */
#include "stream/dialect.h"

/* ---- messages ---------------------------------------------------------- */
static const ait_rule text_rules[] = {
    SAYS("value", AIT_C_TEXT),
};
static const ait_shape text = SHAPE(text_rules);

static const ait_rule part_rules[] = {
    IN("text", &text),
    SAYS("refusal", AIT_C_REFUSAL),
    HAS("image_file", AIT_C_MEDIA),
};
static const ait_shape part = SHAPE(part_rules);

static const ait_rule message_rules[] = {
    EACH("content", &part),
};
static const ait_shape message = SHAPE(message_rules);

static const ait_rule message_delta_rules[] = {
    IN("delta", &message),
};
static const ait_shape message_delta = SHAPE(message_delta_rules);

/* ---- steps ------------------------------------------------------------- */
static const ait_rule tool_rules[] = {
    SAYS("name", AIT_C_ACTION_START),
    SAYS("arguments", AIT_C_ACTION),
    SAYS("input", AIT_C_ACTION),
    HAS("output", AIT_C_TOOL_RESULT),
    HAS("outputs", AIT_C_TOOL_RESULT),
};
static const ait_shape tool = SHAPE(tool_rules);

static const ait_rule call_rules[] = {
    CALL("index"),
    SAYS("id", AIT_C_ACTION_START),
    IN("function", &tool),
    IN("code_interpreter", &tool),
    IN("file_search", &tool),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule details_rules[] = {
    EACH("tool_calls", &call),
};
static const ait_shape details = SHAPE(details_rules);

static const ait_rule step_rules[] = {
    IN("step_details", &details),
};
static const ait_shape step = SHAPE(step_rules);

static const ait_rule step_delta_rules[] = {
    IN("delta", &step),
};
static const ait_shape step_delta = SHAPE(step_delta_rules);

/* ---- runs -------------------------------------------------------------- */
static const ait_rule incomplete_rules[] = {
    FINISH("reason"),
};
static const ait_shape incomplete = SHAPE(incomplete_rules);

static const ait_rule run_rules[] = {
    IN("incomplete_details", &incomplete),
    FINISH_ELSE("status"),
    IN("usage", &ait_openai_usage), /* a step's own is a part of it */
    ERROR_IN("last_error"),
};
static const ait_shape run = SHAPE(run_rules);

static const ait_rule event_rules[] = {
    SELECT("object"),
    ERROR_IN("error"),
};
static const ait_kind event_kinds[] = {
    KIND("thread.message.delta", 0, 0, &message_delta),
    KIND("thread.run.step.delta", 0, 0, &step_delta),
    KIND("thread.run", 0, 0, &run),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_openai_assistants = {
    .info = {"openai_assistants", "OpenAI Assistants",
             "first thread.message.delta or thread.run.step.delta with "
             "non-empty text, input or arguments",
             "first thread.message.delta with a non-empty text value",
             "inside"},
    .signature = {
        {"", 0, "thread.*", S_NAME},
        {"/object", J_STR, "thread.*", 0},
    },
    .model = {"/model"},
    .event = &event,
};
