/* The words of a verdict. */
#include "model/verdict.h"

#include <string.h>

const char *const ait_rule_name[AIT_R_COUNT + 1] = {
    "rate_limited",      "upstream_error",
    "client_cancelled",  "incomplete_stream",
    "reasoning_exhausted_budget", "no_visible_text",
    "headers_slow",      "first_response_slow",
    "event_before_response", "action_before_text",
    "slow_decode",       "local_overhead",
    "stream_stalled",    "bursty_delivery",
    "buffered_delivery", "retried",
    "none",
};

int ait_rule_find(const char *name)
{
    for (int i = 0; i < AIT_R_COUNT; i++)
        if (strcmp(ait_rule_name[i], name) == 0)
            return i;
    return -1;
}

const char *const ait_absence_name[AIT_A_COUNT] = {
    [AIT_A_PRESENT] = NULL,
    [AIT_A_NO_USAGE] = "no_usage",
    [AIT_A_NO_TEXT] = "no_text",
    [AIT_A_WINDOW_TOO_SHORT] = "window_too_short",
    [AIT_A_NOT_STREAMED] = "not_streamed",
    [AIT_A_NOT_IN_LOG] = "not_in_log",
    [AIT_A_NO_EVENT_TIMES] = "no_event_times",
    [AIT_A_REASONING_NOT_COUNTED] = "reasoning_not_counted",
    [AIT_A_TOO_FEW_TOKENS] = "too_few_tokens",
    [AIT_A_NO_RESPONSE] = "no_response",
    [AIT_A_DIFFERENT_ORIGINS] = "different_origins",
};

const char *const ait_rate_name[AIT_RATE_COUNT] = {
    "visible_output_tps", "itl_ms", "output_tps",
};

const char *const ait_rate_is_name[AIT_IS_COUNT] = {
    "exact", "upper_bound", "lower_bound", "reported",
};

void ait_verdict_pack(const ait_verdict *v, ait_verdict_brief *out)
{
    memcpy(out->head, v, sizeof out->head);
    for (int i = 0; i < v->findings; i++) {
        out->rule[i] = (uint8_t)v->finding[i].rule;
        out->by[i] = (uint8_t)v->finding[i].by;
    }
}

void ait_verdict_unpack(const ait_verdict_brief *brief, ait_verdict *out)
{
    memcpy(out, brief->head, sizeof brief->head);
    out->cannots = 0;
    for (int i = 0; i < out->findings; i++) {
        out->finding[i].rule = (ait_rule_id)brief->rule[i];
        out->finding[i].by = (ait_by)brief->by[i];
    }
}

uint32_t ait_verdict_mask(const ait_verdict *v, ait_by by)
{
    uint32_t mask = 0;

    for (int i = 0; i < v->findings; i++)
        if (v->finding[i].by == by)
            mask |= UINT32_C(1) << v->finding[i].rule;
    return mask;
}
