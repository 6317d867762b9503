#ifndef AIT_ANALYSE_METRICS_H
#define AIT_ANALYSE_METRICS_H
/*
 * Private to analyse: which figures of a request a report is about, and how
 * they are taken from a trace and its verdict.
 */
#include "analyse/report.h"

enum {
    AIT_FIXED_METRICS = AIT_T_COUNT + AIT_RATE_COUNT + AIT_G_LONGEST + 1,
    AIT_METRICS_MAX = 1024,    /* fixed ones and measures, of one report */
    AIT_VALUES_MAX = AIT_FIXED_METRICS + 64 /* of one request */
};

typedef struct ait_metric_def {
    const char *name;
    ait_metric_kind kind;
    bool milestone; /* a failed request without it did not reach it */
    const char *measure; /* its name alone; NULL: a fixed metric */
    ait_origin origin;   /* of the measure */
} ait_metric_def;

/* The metrics of one report: the fixed ones in the order of the tables,
 * then measures (name@origin) as they were met. */
typedef struct ait_metric_list {
    ait_arena arena;
    ait_metric_def *def;
    int count, room;
} ait_metric_list;

bool ait_metric_list_init(ait_metric_list *m); /* false: out of memory */
void ait_metric_list_free(ait_metric_list *m);

/* One figure of one request. */
typedef struct ait_value {
    int64_t value; /* absent: only a bound was there, which is left out */
    int metric;
    bool bound;    /* a lower bound, or left out for being one */
} ait_value;
typedef struct ait_values {
    ait_value v[AIT_VALUES_MAX];
    int n;
    bool left_out; /* some are absent */
} ait_values;

/* false: out of memory, or over AIT_METRICS_MAX. */
bool ait_metric_values(ait_metric_list *m, const ait_trace *t,
                       const ait_verdict *verdict, ait_values *out);

#endif
