#ifndef AIT_ANALYSE_METRICS_H
#define AIT_ANALYSE_METRICS_H
/*
 * Private to analyse: which figures of a request a report is about, and how
 * they are taken from a trace and its verdict.
 */
#include "analyse/column.h"
#include "analyse/report.h"

enum {
    AIT_FIXED_METRICS = AIT_T_COUNT + AIT_RATE_COUNT + AIT_G_LONGEST + 1,
    AIT_METRICS_MAX = 1024,    /* fixed ones and measures, of one report */
    AIT_MEASURES_MAX = 64      /* of one request */
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

/* The figures of one request. */
typedef struct ait_values {
    int64_t fixed[AIT_FIXED_METRICS]; /* what ait_is_value refuses is absent */
    uint32_t bounds; /* bit of each that is a lower bound, or absent for being
                        a bound */
    struct {
        int64_t value;
        int metric;
        bool bound;
    } measure[AIT_MEASURES_MAX];
    int measures;
} ait_values;

_Static_assert(AIT_FIXED_METRICS <= 32, "a bit for each");

/* A negative figure is absent, and one of more than 73 years measures
 * nothing. */
static inline bool ait_is_value(int64_t v)
{
    return (uint64_t)v <= (uint64_t)AIT_VALUE_MAX;
}

/* false: out of memory, or over AIT_METRICS_MAX. */
bool ait_metric_values(ait_metric_list *m, const ait_trace *t,
                       const ait_verdict *verdict, ait_values *out);

#endif
