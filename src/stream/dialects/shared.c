/* Parts that several dialects share. */
#include "stream/dialect.h"

/* ---- errors, whatever the dialect ----------------------------------- */
static const ait_rule error_rules[] = {
    SELECT("type"),
    ERROR_IN("error"),
};

static const ait_kind error_kinds[] = {
    KIND("error", 0, K_ERROR, NULL),
    KIND("ping", AIT_C_HEARTBEAT, 0, NULL),
    KIND("keepalive", AIT_C_HEARTBEAT, 0, NULL),
};

const ait_shape ait_error_shape = CHOOSES(error_rules, error_kinds);

/* ---- usage as OpenAI writes it, and as others extended it ----------- */
static const ait_rule cached_rules[] = {
    NUMBER("cached_tokens", cached),
};
static const ait_shape cached = SHAPE(cached_rules);

static const ait_rule reasoning_rules[] = {
    NUMBER("reasoning_tokens", reasoning),
};
static const ait_shape reasoning = SHAPE(reasoning_rules);

static const ait_rule usage_rules[] = {
    NUMBER("prompt_tokens", prompt),
    NUMBER_ELSE("input_tokens", prompt),
    NUMBER("completion_tokens", completion),
    NUMBER_ELSE("output_tokens", completion),
    NUMBER("total_tokens", total),
    NUMBER("reasoning_tokens", reasoning),
    NUMBER("cached_tokens", cached),
    NUMBER("prompt_cache_hit_tokens", cached), /* DeepSeek */
    NUMBER("cache_read_input_tokens", cached), /* Databricks */
    IN("prompt_tokens_details", &cached),
    IN("prompt_token_details", &cached), /* Assistants */
    IN("completion_tokens_details", &reasoning),
    IN("input_tokens_details", &cached),
    IN("output_tokens_details", &reasoning),
    /* Groq */
    TIME("queue_time", "queue", "/usage/queue_time", AIT_SEC_UNIT,
         AIT_B_PHASE_END),
    TIME("prompt_time", "prefill", "/usage/prompt_time", AIT_SEC_UNIT,
         AIT_B_PHASE_END),
    TIME("completion_time", "decode", "/usage/completion_time", AIT_SEC_UNIT,
         AIT_B_PHASE_END),
    TIME("total_time", "total", "/usage/total_time", AIT_SEC_UNIT,
         AIT_B_BODY_END),
    /* GPUStack */
    TIME("time_to_first_token_ms", "first_token",
         "/usage/time_to_first_token_ms", AIT_MS_UNIT, AIT_B_FIRST_TOKEN),
};
const ait_shape ait_openai_usage = SHAPE(usage_rules);

/* ---- Bedrock: what an invocation took ------------------------------- */
static const ait_rule invocation_rules[] = {
    NUMBER_AGAIN("inputTokenCount", prompt),
    NUMBER_AGAIN("outputTokenCount", completion),
    NUMBER_AGAIN("cacheReadInputTokenCount", cached),
    TIME("firstByteLatency", "first_byte",
         "/amazon-bedrock-invocationMetrics/firstByteLatency", AIT_MS_UNIT,
         AIT_B_FIRST_BODY_CHUNK),
    TIME("invocationLatency", "total",
         "/amazon-bedrock-invocationMetrics/invocationLatency", AIT_MS_UNIT,
         AIT_B_BODY_END),
};
const ait_shape ait_invocation = SHAPE(invocation_rules);

/* ---- Ollama: counts and times of the last line, in ns ------------------ */
static const ait_rule ollama_rules[] = {
    FINISH("done_reason"),
    END_IF("done"),
    NUMBER("prompt_eval_count", prompt),
    NUMBER("eval_count", completion),
    TIME("load_duration", "load", "/load_duration", 1, AIT_B_PHASE_END),
    TIME("prompt_eval_duration", "prefill", "/prompt_eval_duration", 1,
         AIT_B_PHASE_END),
    TIME("eval_duration", "decode", "/eval_duration", 1, AIT_B_PHASE_END),
    TIME("total_duration", "total", "/total_duration", 1, AIT_B_BODY_END),
};
const ait_shape ait_ollama_done = SHAPE(ollama_rules);
