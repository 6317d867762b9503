/* The words and field names of the trace record, as JSON and SQL show them. */
#include <string.h>

#include "model/trace.h"

const char *const ait_vantage_name[AIT_V_COUNT] = {
    "gateway", "proxy", "server", "client", "wire",
};

const char *const ait_origin_name[AIT_O_COUNT] = {
    "gateway_receipt", "request_send",   "first_record", "relay_start",
    "upstream_start",  "span_start",     "engine_arrival", "vendor_edge",
    "engine",          "local",
};

const char *const ait_boundary_name[AIT_B_COUNT] = {
    "headers",    "first_body_chunk", "first_sse_event", "first_token",
    "first_text", "body_end",         "handler_end",     "phase_end",
};

const char *const ait_quality_name[AIT_Q_COUNT] = {
    "ok", "coarse", "suspect", "estimated",
};

const char *const ait_outcome_name[AIT_OUT_COUNT] = {
    "complete",   "rate_limited",      "error",   "cancelled", "timeout",
    "incomplete", "truncated_capture", "unknown",
};

const char *const ait_end_name[AIT_E_COUNT] = {
    "none",    "eof",       "short", "reset",
    "timeout", "cancelled", "error", "unknown",
};

const char *const ait_text_name[AIT_X_COUNT] = {
    [AIT_X_REQUEST_ID] = "request_id",
    [AIT_X_ENDPOINT] = "endpoint",
    [AIT_X_DIALECT] = "dialect",
    [AIT_X_MODEL] = "model",
    [AIT_X_PROVIDER] = "provider",
    [AIT_X_GROUP] = "group",
    [AIT_X_CHANNEL] = "channel",
    [AIT_X_ROUTE] = "route",
    [AIT_X_REGION] = "region",
    [AIT_X_FINISH_REASON] = "finish_reason",
    [AIT_X_ERROR_CODE] = "error_code",
    [AIT_X_REASONING_EFFORT] = "reasoning_effort",
    [AIT_X_FORMAT] = "format",
    [AIT_X_FILE] = "file",
};

const char *const ait_num_name[AIT_N_COUNT] = {
    [AIT_N_TIME] = "time",
    [AIT_N_LINE] = "line",
    [AIT_N_STATUS] = "status",
    [AIT_N_INFLIGHT] = "inflight",
    [AIT_N_MAX_TOKENS] = "max_tokens",
    [AIT_N_TEMPERATURE] = "temperature",
    [AIT_N_TOP_P] = "top_p",
    [AIT_N_TOOLS] = "tools",
    [AIT_N_PROMPT_TOKENS] = "prompt_tokens",
    [AIT_N_CACHED_TOKENS] = "cached_tokens",
    [AIT_N_OUTPUT_TOKENS] = "output_tokens",
    [AIT_N_REASONING_TOKENS] = "reasoning_tokens",
    [AIT_N_RETRIES] = "retries",
    [AIT_N_RETRY_WAIT] = "retry_wait_ms",
    [AIT_N_RESOLUTION] = "resolution_ms",
    [AIT_N_REPORTED_TPS] = "reported_tps",
};

const char *const ait_stat_name[AIT_S_COUNT] = {
    [AIT_S_EVENTS] = "sse_events",
    [AIT_S_COMMENTS] = "comments",
    [AIT_S_ENVELOPE] = "envelope",
    [AIT_S_REASONING] = "reasoning",
    [AIT_S_OPAQUE] = "reasoning_opaque",
    [AIT_S_ACTION] = "action",
    [AIT_S_MEDIA] = "media",
    [AIT_S_TEXT] = "text",
    [AIT_S_MALFORMED] = "malformed",
    [AIT_S_READS] = "reads",
    [AIT_S_TEXT_READS] = "text_reads",
    [AIT_S_PARTIAL_BYTES] = "trailing_partial_bytes",
    [AIT_S_TEXT_BYTES] = "text_bytes",
    [AIT_S_BURST_BYTES] = "burst_bytes",
    [AIT_S_BURST_GAP] = "burst_gap",
    [AIT_S_LONGEST_GAP] = "longest_gap",
    [AIT_S_LONGEST_GAP_AT] = "longest_gap_at",
    [AIT_S_STALL] = "stall",
    [AIT_S_STALL_AT] = "stall_at",
    [AIT_S_TEXT_LAST] = "text_last",
    [AIT_S_T4_CLASSES] = "t4_classes",
    [AIT_S_END] = "end",
    [AIT_S_SEEN] = "seen",
    [AIT_S_WINDOW_STALL] = "window_stall",
};

int ait_word(const char *const *names, int n, const char *s, size_t len)
{
    for (int i = 0; i < n; i++)
        if (names[i] && strlen(names[i]) == len &&
            memcmp(names[i], s, len) == 0)
            return i;
    return -1;
}
