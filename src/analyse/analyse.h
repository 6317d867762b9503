#ifndef AIT_ANALYSE_ANALYSE_H
#define AIT_ANALYSE_ANALYSE_H
/*
 * The analyse stage: rates, findings, not assessable (definitions 4 and 6).
 * Pure functions over a trace; no SQL, no output.
 */
#include "base/error.h"
#include "model/trace.h"
#include "model/verdict.h"

/* Limits, settable by name; the table is in limits.c. */
typedef enum ait_limit_id {
    AIT_L_HEADERS_SLOW_MS,        /* upstream_headers_ms, 2000 */
    AIT_L_FIRST_RESPONSE_SLOW_MS, /* headers_to_response_ms, 3000 */
    AIT_L_EVENT_BEFORE_RESPONSE_MS,
    AIT_L_ACTION_BEFORE_TEXT_MS,
    AIT_L_SLOW_DECODE_TPS,        /* 15 tokens/s */
    AIT_L_SLOW_DECODE_WINDOW_MS,  /* 3000 */
    AIT_L_LOCAL_OVERHEAD_MS,      /* 1000 */
    AIT_L_STREAM_STALLED_MS,      /* 5000 */
    AIT_L_BURSTY_EVENTS,          /* 5 text events … */
    AIT_L_BURSTY_READ_RATIO,      /* … in at most a quarter as many reads */
    AIT_L_BURSTY_TEXT_READS,      /* 3 */
    AIT_L_BURSTY_SHARE,           /* half of the text bytes */
    AIT_L_BURSTY_SILENCE_MS,      /* 1000 */
    AIT_L_BUFFERED_EVENTS,        /* 10 */
    AIT_L_BUFFERED_SHARE,         /* 5 % */
    AIT_L_BUFFERED_MS_PER_EVENT,  /* 1 */
    AIT_L_BUFFERED_BODY_MS,       /* 1 */
    AIT_L_BUDGET_TEXT_SHARE,      /* 10 % */
    AIT_L_BUDGET_REASONING_SHARE, /* 90 % */
    AIT_L_SHARE,                  /* half of end-to-end … */
    AIT_L_SHARE_FLOOR_MS,         /* … and 500 ms */
    AIT_L_COUNT
} ait_limit_id;

typedef struct ait_limit_info {
    const char *name; /* key in a thresholds file and in JSON `limits` */
    ait_unit unit;
    int64_t value;    /* default, in the unit's inner form */
    const char *what;
} ait_limit_info;
extern const ait_limit_info ait_limits[AIT_L_COUNT];

typedef struct ait_thresholds {
    int64_t value[AIT_L_COUNT];
} ait_thresholds;
void ait_thresholds_init(ait_thresholds *t); /* defaults */
/* JSON object of limits by name. Unknown keys, wrong types and negative
 * numbers are errors that name the key and the nearest one. */
ait_code ait_thresholds_read(ait_thresholds *t, const char *json, size_t n,
                             const char *source, ait_error *err);

/* Fills `v` whole. May raise issues that follow from the figures
 * (reported_rate_differs, chunked_delivery) in the trace. */
void ait_judge(ait_trace *t, const ait_thresholds *limits, ait_verdict *v);
/* The same rates, findings and primary one, for reports: without sentences
 * (`what` is empty), evidence, and what cannot be assessed. */
void ait_judge_figures(ait_trace *t, const ait_thresholds *limits,
                       ait_verdict *v);

#endif
