/* What a mapping may fill, and the words for how a request ended: two closed
 * tables. What a request or an answer says is in neither. */
#include <stddef.h>
#include <string.h>

#include "input/map.h"

#define TOKENS(member) (int)offsetof(ait_usage, member)
#define LOCAL AIT_O_LOCAL, AIT_B_PHASE_END
#define ENGINE AIT_O_ENGINE, AIT_B_PHASE_END
#define NONE 0, -1, -1

const ait_map_target ait_map_targets[] = {
    {"request_id", AIT_MK_ID, NONE},
    {"upstream_request_id", AIT_MK_OTHER_ID, NONE},
    {"trace_id", AIT_MK_OTHER_ID, NONE},
    {"call_id", AIT_MK_OTHER_ID, NONE},
    {"time", AIT_MK_TIME, NONE},
    {"endpoint", AIT_MK_PATH, AIT_X_ENDPOINT, -1, -1},
    {"model", AIT_MK_TEXT, AIT_X_MODEL, -1, -1},
    {"provider", AIT_MK_TEXT, AIT_X_PROVIDER, -1, -1},
    {"group", AIT_MK_TEXT, AIT_X_GROUP, -1, -1},
    {"channel", AIT_MK_TEXT, AIT_X_CHANNEL, -1, -1},
    {"route", AIT_MK_TEXT, AIT_X_ROUTE, -1, -1},
    {"region", AIT_MK_TEXT, AIT_X_REGION, -1, -1},
    {"status", AIT_MK_NUMBER, AIT_N_STATUS, -1, -1},
    {"error_code", AIT_MK_ERROR, NONE},
    {"finish_reason", AIT_MK_TEXT, AIT_X_FINISH_REASON, -1, -1},
    {"stream", AIT_MK_STREAM, NONE},
    {"attempts", AIT_MK_ATTEMPTS, NONE},
    {"attempt", AIT_MK_ATTEMPT, NONE},
    {"inflight", AIT_MK_NUMBER, AIT_N_INFLIGHT, -1, -1},
    {"max_tokens", AIT_MK_NUMBER, AIT_N_MAX_TOKENS, -1, -1},
    {"auth_ms", AIT_MK_TIMING, AIT_T_AUTH, -1, -1},
    {"distribution_ms", AIT_MK_TIMING, AIT_T_DISTRIBUTION, -1, -1},
    {"body_read_ms", AIT_MK_TIMING, AIT_T_BODY_READ, -1, -1},
    {"upstream_start_ms", AIT_MK_TIMING, AIT_T_UPSTREAM_START, -1, -1},
    {"upstream_headers_ms", AIT_MK_TIMING, AIT_T_UPSTREAM_HEADERS, -1, -1},
    {"first_sse_event_ms", AIT_MK_TIMING, AIT_T_FIRST_SSE_EVENT, -1, -1},
    {"first_response_ms", AIT_MK_TIMING, AIT_T_FIRST_RESPONSE, -1, -1},
    {"first_text_delta_ms", AIT_MK_TIMING, AIT_T_FIRST_TEXT_DELTA, -1, -1},
    {"first_nonblank_text_ms", AIT_MK_TIMING, AIT_T_FIRST_NONBLANK_TEXT, -1,
     -1},
    {"final_response_ms", AIT_MK_TIMING, AIT_T_FINAL_RESPONSE, -1, -1},
    {"upstream_done_ms", AIT_MK_TIMING, AIT_T_UPSTREAM_DONE, -1, -1},
    {"total_handler_ms", AIT_MK_TIMING, AIT_T_TOTAL_HANDLER, -1, -1},
    {"total", AIT_MK_MEASURE, 0, -1, AIT_B_HANDLER_END},
    {"upstream_headers", AIT_MK_MEASURE, 0, AIT_O_UPSTREAM_START,
     AIT_B_HEADERS},
    {"headers", AIT_MK_MEASURE, 0, -1, AIT_B_HEADERS},
    {"first_chunk", AIT_MK_MEASURE, 0, -1, AIT_B_FIRST_BODY_CHUNK},
    {"body_end", AIT_MK_MEASURE, 0, -1, AIT_B_BODY_END},
    {"service", AIT_MK_MEASURE, 0, -1, AIT_B_BODY_END},
    {"lost_attempts", AIT_MK_MEASURE, 0, AIT_O_UPSTREAM_START, AIT_B_BODY_END},
    {"queue", AIT_MK_MEASURE, 0, LOCAL},
    {"overhead", AIT_MK_MEASURE, 0, LOCAL},
    {"connect", AIT_MK_MEASURE, 0, LOCAL},
    {"finalize", AIT_MK_MEASURE, 0, LOCAL},
    {"load", AIT_MK_MEASURE, 0, ENGINE},
    {"engine_queue", AIT_MK_MEASURE, 0, ENGINE},
    {"prefill", AIT_MK_MEASURE, 0, ENGINE},
    {"decode", AIT_MK_MEASURE, 0, ENGINE},
    {"vendor_latency", AIT_MK_MEASURE, 0, AIT_O_VENDOR_EDGE,
     AIT_B_HANDLER_END},
    {"vendor_generation", AIT_MK_MEASURE, 0, AIT_O_VENDOR_EDGE,
     AIT_B_PHASE_END},
    {"vendor_moderation", AIT_MK_MEASURE, 0, AIT_O_VENDOR_EDGE,
     AIT_B_PHASE_END},
    {"prompt_tokens", AIT_MK_TOKENS, TOKENS(prompt), -1, -1},
    {"completion_tokens", AIT_MK_TOKENS, TOKENS(completion), -1, -1},
    {"reasoning_tokens", AIT_MK_TOKENS, TOKENS(reasoning), -1, -1},
    {"cached_tokens", AIT_MK_TOKENS, TOKENS(cached), -1, -1},
    {"total_tokens", AIT_MK_TOKENS, TOKENS(total), -1, -1},
    {"tokens_estimated", AIT_MK_ESTIMATED, NONE},
    {NULL, AIT_MK_TEXT, NONE},
};

const ait_map_end ait_map_ends[] = {
    {"done", {AIT_E_NONE, true, false, false, false}},
    {"client_gone", {AIT_E_CANCELLED, false, false, false, false}},
    {"timeout", {AIT_E_TIMEOUT, false, false, false, false}},
    {"upstream_timeout", {AIT_E_TIMEOUT, false, false, false, false}},
    {"queue_timeout", {AIT_E_TIMEOUT, false, false, false, false}},
    {"upstream_closed", {AIT_E_SHORT, false, false, false, false}},
    {"upstream_reset", {AIT_E_RESET, false, false, false, false}},
    {"error", {AIT_E_NONE, false, true, false, false}},
    {"rate_limited", {AIT_E_NONE, false, true, true, false}},
    {"unfinished", {AIT_E_NONE, false, false, false, true}},
};
const size_t ait_map_end_count = sizeof ait_map_ends / sizeof *ait_map_ends;

const ait_map_end *ait_map_end_word(const char *s)
{
    size_t i;

    for (i = 0; i < ait_map_end_count; i++)
        if (strcmp(ait_map_ends[i].word, s) == 0)
            return &ait_map_ends[i];
    return NULL;
}
