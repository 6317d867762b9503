#ifndef AIT_ANALYSE_REPORT_H
#define AIT_ANALYSE_REPORT_H
/*
 * Percentiles, outcomes and findings over many requests (definitions 7).
 * Always from rows, always exact. Groups never mix origins.
 *
 *   ait_report_new(…, &r, …);
 *   ait_report_budget(r, bytes);             where memory is to be bounded
 *   do
 *       for (each request) ait_report_add(r, t, v);
 *   while (ait_report_again(r));             the same requests, same order
 *   code = ait_report_finish(r);
 *
 * Without a budget one pass is enough and ait_report_again need not be
 * called.
 */
#include "analyse/analyse.h"

typedef enum ait_method {
    AIT_M_NEAREST_RANK,
    AIT_M_LINEAR
} ait_method;
extern const char *const ait_method_name[2]; /* nearest_rank, linear */

#define AIT_PERCENTILES 3
extern const int ait_percentile[AIT_PERCENTILES]; /* 50, 95, 99 */

typedef struct ait_quantiles {
    int64_t n;            /* present and not reached */
    int64_t absent;       /* the rest of the population */
    int64_t not_reached;
    int64_t lower_bounds; /* timeouts' times; bounds left out for rates */
    int64_t value[3];     /* p50, p95, p99 in the metric's inner unit;
                             absent: n = 0 or not reached */
    bool not_reached_at[3];
    bool small_sample[3]; /* the nearest rank is the maximum */
    /* The request behind each: of those with the value at the nearest rank
     * (linear: at the lower of the two ranks) the first in the order of
     * adding. Its id (NULL: none), its database row (absent: none), its
     * number in that order from 0 (absent: none). */
    const char *request_id[3];
    int64_t row[3], nth[3];
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
    ait_metric *metric; /* timings, rates, gaps, then measures by name; only
                           those that have a value or a not reached one */
    int metrics;
} ait_group;

typedef struct ait_report ait_report;

/* Fields a report may be grouped by; NULL-terminated. */
extern const char *const ait_report_fields[];

/* Most groups of one report, most fields to group by. */
#define AIT_GROUPS_MAX 10000
#define AIT_BY_MAX 8

/* `by`: comma-separated field names, "" for one group. AIT_EUSAGE names the
 * unknown field and the nearest. */
ait_code ait_report_new(const char *by, ait_method method, ait_report **out,
                        ait_error *err);
void ait_report_free(ait_report *r); /* NULL is allowed */

/* About how many bytes may be held while requests are added; none unless
 * told. Beyond, ait_report_again asks for further passes. At least one group
 * is always worked on, so a very small budget is exceeded, not refused. */
void ait_report_budget(ait_report *r, size_t bytes);

/* How many threads may search at the end; 1 unless told. The result is the
 * same. */
void ait_report_threads(ait_report *r, int threads);

/* Gives the id of a database row, "" for none, into AIT_TEXT_MAX + 1
 * bytes. For requests that are added without their ids: it is asked by
 * ait_report_finish, for those behind percentiles only. */
typedef ait_code ait_report_id_fn(void *ctx, int64_t row, char *out);
void ait_report_ids(ait_report *r, ait_report_id_fn *fn, void *ctx);

/* Which fields of a trace beside its timing the groups need: a bit for each
 * ait_text_field; any number other than the time. */
uint32_t ait_report_texts(const ait_report *r);
bool ait_report_numbers(const ait_report *r);

/* One request. Not AIT_OK: out of memory (AIT_ENOMEM), or more than
 * AIT_GROUPS_MAX groups or 1,024 metrics (AIT_EUSAGE); the report cannot be
 * used further. */
ait_code ait_report_add(ait_report *r, const ait_trace *t,
                        const ait_verdict *v);

/* After all requests: true where they are needed once more. Always false
 * after a failure, which ait_report_finish then gives. */
bool ait_report_again(ait_report *r);

/* The pass that is due looks at ids and rows only. */
bool ait_report_names_only(const ait_report *r);

/* Computes; groups sorted by key (absent first), then origin. The result
 * lives in `r`. AIT_EINPUT: the passes were not over the same requests.
 * AIT_EUSAGE: another pass was needed and not made. */
ait_code ait_report_finish(ait_report *r);
/* Says why it failed; gives its code. AIT_OK, and nothing said: it did not. */
ait_code ait_report_why(const ait_report *r, ait_error *err);
int64_t ait_report_requests(const ait_report *r);
int ait_report_groups(const ait_report *r, const ait_group **out);
int ait_report_by(const ait_report *r, const char *const **fields);
ait_method ait_report_method(const ait_report *r);

/* Exact nearest rank: ⌈p·n⌉ with p in percent, 1-based; 0 for n = 0. */
int64_t ait_rank(int64_t n, int percent);
/* Ranks of the 95 % interval from order statistics; 0: no such rank. */
void ait_ci_ranks(int64_t n, int percent, int64_t *low, int64_t *high);

#endif
