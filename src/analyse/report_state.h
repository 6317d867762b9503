#ifndef AIT_ANALYSE_REPORT_STATE_H
#define AIT_ANALYSE_REPORT_STATE_H
/*
 * Private to analyse: a report while it is made.
 */
#include "analyse/column.h"
#include "analyse/metrics.h"
#include "analyse/select.h"
#include "base/strmap.h"

/* Requests are numbered in 32 bits, counts too. */
#define AIT_REQUESTS_MAX INT32_MAX
#define AIT_ID_MAX 128
/* Groups that are found without hashing: most reports have few. */
#define AIT_RECENT 64

/* One metric of one group. Counts are made in the first pass over the
 * requests; index 1 is completed requests, 0 the others. */
typedef struct ait_cell {
    int64_t present[2], bounds[2];
    int64_t failed_present; /* failed, could have not reached it, did */
    ait_column column;      /* its values, while memory allows */
    ait_select *select;     /* while ranks are searched */
    ait_quantiles *result;  /* one per population; NULL: not there yet */
} ait_cell;

typedef enum ait_work {
    AIT_W_FIRST,    /* values are taken for the first time */
    AIT_W_SEARCH,   /* ranks are asked for; later passes narrow them down */
    AIT_W_DEFERRED, /* did not fit into the budget: its turn comes later */
    AIT_W_DONE
} ait_work;

typedef struct ait_bucket { /* a group while it is filled */
    ait_group group;
    const char *key; /* as it is looked up */
    size_t key_len;
    uint32_t nth;   /* in the order they were met */
    ait_cell *cell;
    int cells;
    ait_work work;
    ait_roll roll;  /* its requests, as long as there are columns */
    uint32_t *tag;  /* the same unpacked, while these are searched */
    int64_t completed;
    int64_t failed; /* that could have not reached a milestone */
} ait_bucket;

/* One request, as a pass sees it. */
typedef struct ait_fact {
    bool completed;
    bool failed;       /* and could have not reached a milestone */
    int64_t row;       /* absent outside a database */
    const char *id;    /* not terminated; NULL: none */
    size_t id_len;     /* at most AIT_ID_MAX */
    ait_values values;
} ait_fact;

typedef enum ait_pass {
    AIT_PASS_COUNT,  /* the first: also counts */
    AIT_PASS_VALUES, /* only values */
    AIT_PASS_NAMES,  /* only the ids behind the percentiles */
    AIT_PASS_NONE    /* all is known */
} ait_pass;

typedef struct ait_name { /* a request that stands behind a percentile */
    uint32_t nth;
    const char *id;
    int64_t row;
} ait_name;

typedef struct ait_run { /* requests whose rows follow each other */
    uint32_t nth;
    int64_t row;
} ait_run;

struct ait_report {
    int by[AIT_BY_MAX];      /* rows of the table of fields */
    const char *by_name[AIT_BY_MAX + 1];
    int fields;
    ait_method method;
    int threads;             /* that search the columns */
    ait_code code;           /* first failure */
    ait_error why;           /* it, where its code alone does not say */
    ait_arena arena;         /* keys, ids, results */
    ait_metric_list metrics;
    ait_strmap map;          /* group key to ait_bucket */
    ait_bucket *recent[AIT_RECENT]; /* by mark of the key; may be NULL */
    ait_bucket **bucket;     /* in the order they were met */
    int buckets, bucket_room;
    ait_group *group;        /* the result, sorted */
    ait_pool pool;
    size_t budget, accepted; /* accepted: beyond it, nothing could go */
    bool columns;            /* every value is remembered in columns */
    ait_packed ids;          /* and the id and row of every request */
    ait_pass pass;
    int64_t requests, seen;  /* in all; in this pass */
    ait_run *run;            /* of the rows; NULL: none yet */
    int runs;                /* -1: there are too many */
    ait_name *name;          /* sorted by nth */
    size_t names, name_at;
    ait_report_id_fn *id_of; /* NULL: requests bring their ids */
    void *id_ctx;
};

/* ---- report.c: failing ------------------------------------------------- */
/* More than the most of something; gives the code. */
ait_code ait_report_over(ait_report *r, int64_t most, const char *what);

/* ---- report_by.c: the fields of a key ---------------------------------- */
ait_code ait_by_read(ait_report *r, const char *by, ait_error *err);
/* The bucket of a trace, made where it is new; sets r->code on failure. */
ait_bucket *ait_bucket_of(ait_report *r, const ait_trace *t);

/* ---- report_pass.c: values into cells ---------------------------------- */
/* Cells of a group for every metric there is; false: out of memory. */
bool ait_cells_grow(ait_report *r, ait_bucket *b);
void ait_cells_free(ait_report *r, ait_bucket *b);
/* One request's values into the cells of its group. */
void ait_pass_take(ait_report *r, ait_bucket *b, const ait_fact *f);
/* Drops what may be dropped until the budget is kept. */
void ait_pass_fit(ait_report *r);
/* Everything of this pass was given: searches, and says which pass is
 * next. With columns there is none. */
void ait_pass_end(ait_report *r);
/* After a pass over the values of a cell that has a selection: asks it for
 * its ranks where that was not done yet, and looks for them; *more: it needs
 * another pass. Changes nothing else. false: out of memory. */
bool ait_cell_step(const ait_report *r, ait_bucket *b, int metric,
                   bool *more);

/* ---- report_search.c: ranks out of columns ----------------------------- */
/* The results of all cells of all groups, by r->threads threads; the columns
 * are gone then. false: out of memory. */
bool ait_search_columns(ait_report *r);

/* ---- report_result.c: ranks and quantiles ------------------------------ */
/* Asks the selection of a cell for the ranks it needs. */
bool ait_result_ask(const ait_report *r, ait_select *s, const ait_bucket *b,
                    int metric);
/* Writes both populations of a cell whose ranks are found. */
bool ait_result_write(ait_report *r, ait_bucket *b, int metric);
/* The groups with their metrics, in their final order. */
ait_code ait_result_groups(ait_report *r);
/* The list of requests that stand behind percentiles. */
ait_code ait_names_gather(ait_report *r);
/* Keeps id and row of one, if it is one. */
void ait_names_take(ait_report *r, uint32_t nth, const ait_fact *f);
/* Ids that are missing are asked for; then all go into the result. */
ait_code ait_names_fill(ait_report *r);

#endif
