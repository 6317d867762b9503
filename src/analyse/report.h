#ifndef AIT_ANALYSE_REPORT_H
#define AIT_ANALYSE_REPORT_H
/*
 * Percentiles, outcomes and findings over many requests (definitions 7).
 * Always from rows. Groups never mix origins.
 */
#include "analyse/analyse.h"

typedef enum ait_method {
    AIT_M_NEAREST_RANK,
    AIT_M_LINEAR
} ait_method;
extern const char *const ait_method_name[2]; /* nearest_rank, linear */

typedef struct ait_quantiles {
    int64_t n;            /* present and not reached */
    int64_t absent;       /* the rest of the population */
    int64_t not_reached;
    int64_t lower_bounds; /* timeouts' times; bounds left out for rates */
    int64_t value[3];     /* p50, p95, p99 in the metric's inner unit;
                             absent: n = 0 or not reached */
    bool not_reached_at[3];
    bool small_sample[3];
    const char *request_id[3]; /* behind each; NULL: none */
    int64_t ci_low[3], ci_high[3]; /* 95 %; absent: no such rank, or not
                                      reached */
} ait_quantiles;

typedef enum ait_metric_kind {
    AIT_MK_TIME, /* ns, printed as ms */
    AIT_MK_RATE  /* thousandths, printed as tokens/s */
} ait_metric_kind;

typedef struct ait_metric {
    const char *name; /* "first_text_delta_ms", "total@relay_start" */
    ait_metric_kind kind;
    ait_quantiles all, completed;
} ait_metric;

typedef struct ait_group {
    const char **key;  /* one per `by` field; NULL: absent */
    ait_origin origin;
    int64_t requests;
    int64_t outcome[AIT_OUT_COUNT];
    int64_t by_limit[AIT_R_COUNT], by_share[AIT_R_COUNT];
    ait_metric *metric;
    int metrics;
} ait_group;

typedef struct ait_report ait_report;

/* Fields a report may be grouped by; NULL-terminated. */
extern const char *const ait_report_fields[];

/* `by`: comma-separated field names, "" for one group. AIT_EUSAGE names the
 * unknown field and the nearest. */
ait_code ait_report_new(const char *by, ait_method method, ait_report **out,
                        ait_error *err);
void ait_report_free(ait_report *r);
ait_code ait_report_add(ait_report *r, const ait_trace *t,
                        const ait_verdict *v);
/* Computes; groups sorted by key, then origin. The result lives in `r`. */
ait_code ait_report_finish(ait_report *r);
int64_t ait_report_requests(const ait_report *r);
int ait_report_groups(const ait_report *r, const ait_group **out);
int ait_report_by(const ait_report *r, const char *const **fields);
ait_method ait_report_method(const ait_report *r);

/* Exact nearest rank: ⌈p·n⌉ with p in percent, 1-based. */
int64_t ait_rank(int64_t n, int percent);
/* Ranks of the 95 % interval from order statistics; 0: no such rank. */
void ait_ci_ranks(int64_t n, int percent, int64_t *low, int64_t *high);

#endif
