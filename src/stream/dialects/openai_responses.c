/* OpenAI Responses. Outputs are told apart by output_index: some gateways
 * change the item ids with every event. */
#include "stream/dialect.h"

/* ---- parts of messages and of reasoning ----------------------------- */
static const ait_rule thought_rules[] = {
    SAYS("text", AIT_C_REASONING),
};
static const ait_shape thought = SHAPE(thought_rules);

static const ait_rule text_rules[] = {
    SAYS("text", AIT_C_TEXT),
};
static const ait_shape text = SHAPE(text_rules);

static const ait_rule refusal_rules[] = {
    SAYS("refusal", AIT_C_REFUSAL),
};
static const ait_shape refusal = SHAPE(refusal_rules);

static const ait_rule part_rules[] = {
    SELECT("type"),
};
static const ait_kind part_kinds[] = {
    KIND("output_text", 0, 0, &text),
    KIND("refusal", 0, 0, &refusal),
    KIND("reasoning_text", 0, 0, &thought),
    KIND("summary_text", 0, 0, &thought),
};
static const ait_shape part = CHOOSES(part_rules, part_kinds);

/* ---- items ---------------------------------------------------------- */
static const ait_rule message_rules[] = {
    EACH("content", &part),
};
static const ait_shape message = SHAPE(message_rules);

static const ait_rule reasoning_rules[] = {
    EACH("summary", &thought),
    EACH("content", &thought),
    SAYS("encrypted_content", AIT_C_REASONING_OPAQUE),
};
static const ait_shape reasoning = SHAPE(reasoning_rules);

static const ait_rule operation_rules[] = {
    SAYS("diff", AIT_C_ACTION),
    SAYS("path", AIT_C_ACTION), /* what to patch is known before how */
};
static const ait_shape operation = SHAPE(operation_rules);

static const ait_rule action_rules[] = { /* null and [] are placeholders */
    SAYS("query", AIT_C_ACTION),
    HAS("queries", AIT_C_ACTION),
    HAS("commands", AIT_C_ACTION),
    HAS("command", AIT_C_ACTION),
    SAYS("url", AIT_C_ACTION),
};
static const ait_shape action = SHAPE(action_rules);

static const ait_rule call_rules[] = {
    HAS("arguments", AIT_C_ACTION),
    SAYS("input", AIT_C_ACTION),
    SAYS("code", AIT_C_ACTION),
    HAS("queries", AIT_C_ACTION),
    IN("operation", &operation),
    IN("action", &action),
    HAS("output", AIT_C_TOOL_RESULT),
    HAS("outputs", AIT_C_TOOL_RESULT),
    HAS("results", AIT_C_TOOL_RESULT),
};
static const ait_shape call = SHAPE(call_rules);

static const ait_rule image_rules[] = {
    SAYS("result", AIT_C_MEDIA),
};
static const ait_shape image = SHAPE(image_rules);

static const ait_rule item_rules[] = {
    SELECT("type"),
};
/* An item that begins: what was asked for may follow. */
static const ait_kind added_kinds[] = {
    KIND("reasoning", 0, 0, &reasoning),
    KIND("image_generation_call", AIT_C_ACTION_START, 0, NULL),
    KIND("*_call", AIT_C_ACTION_START, 0, &call),
    KIND("program", AIT_C_ACTION_START, 0, &call),
    KIND("mcp_approval_request", AIT_C_ACTION_START, 0, &call),
    KIND("*_output", AIT_C_TOOL_RESULT, 0, NULL),
};
static const ait_shape added_item = CHOOSES(item_rules, added_kinds);

/* An item that is whole: a call is an action, with arguments or without. */
static const ait_kind whole_kinds[] = {
    KIND("message", 0, 0, &message),
    KIND("reasoning", 0, 0, &reasoning),
    KIND("image_generation_call", 0, 0, &image),
    KIND("*_call", AIT_C_ACTION, 0, &call),
    KIND("program", AIT_C_ACTION, 0, &call),
    KIND("mcp_approval_request", AIT_C_ACTION, 0, &call),
    KIND("*_output", AIT_C_TOOL_RESULT, 0, NULL),
};
static const ait_shape whole_item = CHOOSES(item_rules, whole_kinds);

/* ---- deltas and their snapshots ------------------------------------- */
#define FIELD_SHAPE(shape, key, bits) \
    static const ait_rule shape##_rules[] = {SAYS(key, bits)}; \
    static const ait_shape shape = SHAPE(shape##_rules)

FIELD_SHAPE(text_delta, "delta", AIT_C_TEXT);
FIELD_SHAPE(refusal_delta, "delta", AIT_C_REFUSAL);
FIELD_SHAPE(reasoning_delta, "delta", AIT_C_REASONING);
FIELD_SHAPE(action_delta, "delta", AIT_C_ACTION);
FIELD_SHAPE(media_delta, "delta", AIT_C_MEDIA);
FIELD_SHAPE(partial_image, "partial_image_b64", AIT_C_MEDIA);

static const ait_rule action_done_rules[] = {
    SAYS("arguments", AIT_C_ACTION), SAYS("input", AIT_C_ACTION),
    SAYS("code", AIT_C_ACTION),      SAYS("diff", AIT_C_ACTION),
    SAYS("command", AIT_C_ACTION),
};
static const ait_shape action_done = SHAPE(action_done_rules);

static const ait_rule part_done_rules[] = {
    IN("part", &part),
};
static const ait_shape part_done = SHAPE(part_done_rules);

static const ait_rule added_rules[] = {
    IN("item", &added_item),
};
static const ait_shape added = SHAPE(added_rules);

static const ait_rule done_rules[] = {
    IN("item", &whole_item),
};
static const ait_shape done = SHAPE(done_rules);

/* ---- the response object -------------------------------------------- */
static const ait_rule details_rules[] = {
    FINISH("reason"),
};
static const ait_shape details = SHAPE(details_rules);

static const ait_rule response_rules[] = {
    EACH_FLAGS("output", &whole_item, R_PLACE, 0),
    IN("usage", &ait_openai_usage),
    IN("incomplete_details", &details),
    FINISH_ELSE("status"),
    ERROR_IN("error"),
};
static const ait_shape response = SHAPE(response_rules);

/* Some gateways send no status: then the event's type says it. */
#define FINAL_SHAPE(word) \
    static const ait_rule word##_rules[] = { \
        ENDS_AS("type", #word), \
        IN("response", &response), \
    }; \
    static const ait_shape word = SHAPE(word##_rules)

FINAL_SHAPE(completed);
FINAL_SHAPE(incomplete);
FINAL_SHAPE(failed);
FINAL_SHAPE(cancelled);

/* ---- events --------------------------------------------------------- */
static const ait_rule event_rules[] = {
    SELECT("type"),
    INDEX("output_index"),
};

#define REPEATS(type, shape) KIND(type, 0, K_REPEAT, shape)

static const ait_kind event_kinds[] = {
    KIND("response.output_text.delta", 0, 0, &text_delta),
    KIND("response.reasoning_summary_text.delta", 0, 0, &reasoning_delta),
    KIND("response.function_call_arguments.delta", 0, 0, &action_delta),
    KIND("response.reasoning_text.delta", 0, 0, &reasoning_delta),
    KIND("response.refusal.delta", 0, 0, &refusal_delta),
    KIND("response.custom_tool_call_input.delta", 0, 0, &action_delta),
    KIND("response.mcp_call_arguments.delta", 0, 0, &action_delta),
    KIND("response.code_interpreter_call_code.delta", 0, 0, &action_delta),
    KIND("response.apply_patch_call_operation_diff.delta", 0, 0,
         &action_delta),
    KIND("response.shell_call_command.delta", 0, 0, &action_delta),
    KIND("response.shell_call_output_content.*", AIT_C_TOOL_RESULT, 0, NULL),
    KIND("response.audio.delta", 0, 0, &media_delta),
    KIND("response.audio.transcript.delta", 0, 0, &media_delta),
    KIND("response.image_generation_call.partial_image", 0, 0,
         &partial_image),
    REPEATS("response.output_text.done", &text),
    REPEATS("response.refusal.done", &refusal),
    REPEATS("response.reasoning_text.done", &thought),
    REPEATS("response.reasoning_summary_text.done", &thought),
    REPEATS("response.content_part.done", &part_done),
    REPEATS("response.reasoning_part.done", &part_done),
    REPEATS("response.reasoning_summary_part.done", &part_done),
    REPEATS("response.function_call_arguments.done", &action_done),
    REPEATS("response.custom_tool_call_input.done", &action_done),
    REPEATS("response.mcp_call_arguments.done", &action_done),
    REPEATS("response.code_interpreter_call_code.done", &action_done),
    REPEATS("response.apply_patch_call_operation_diff.done", &action_done),
    REPEATS("response.shell_call_command.done", &action_done),
    KIND("response.output_item.added", 0, 0, &added),
    REPEATS("response.output_item.done", &done),
    KIND("response.completed", 0, K_REPEAT | K_END, &completed),
    KIND("response.incomplete", 0, K_REPEAT | K_END, &incomplete),
    KIND("response.failed", 0, K_REPEAT | K_END | K_ERROR, &failed),
    KIND("response.cancelled", 0, K_REPEAT | K_END, &cancelled),
    KIND("error", 0, K_ERROR, NULL),
    KIND("keepalive", AIT_C_HEARTBEAT, 0, NULL),
};
static const ait_shape event = CHOOSES_BY_NAME(event_rules, event_kinds);

const ait_dialect ait_openai_responses = {
    .info = {"openai_responses", "OpenAI Responses",
             "first response.*.delta of text, reasoning, summary, arguments "
             "or code; else the first *.done that brings what no delta did",
             "first response.output_text.delta or response.refusal.delta",
             "inside"},
    .signature = {
        {"/type", J_STR, "response.*", 0},
        {"", 0, "response.*", S_NAME},
        {"/object", J_STR, "response", S_WHOLE},
    },
    .model = {"/response/model", "/model"},
    .event = &event,
    .whole = &response,
};
