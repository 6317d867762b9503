#ifndef AIT_ANALYSE_FACTLOG_H
#define AIT_ANALYSE_FACTLOG_H
/*
 * Private to analyse: the figures of the requests that were added, packed,
 * so that later passes need not ask for the requests again. A few bytes a
 * figure.
 */
#include "analyse/metrics.h"
#include "analyse/select.h"

/* One request, as a pass sees it. */
typedef struct ait_fact {
    uint32_t group;
    bool completed;
    int64_t row;       /* absent outside a database */
    const char *id;    /* not terminated; NULL: none */
    size_t id_len;     /* at most 128 */
    ait_values values; /* no absent ones */
} ait_fact;

typedef struct ait_factlog {
    ait_pool *pool;
    struct ait_factblock *first, *last;
} ait_factlog;

void ait_factlog_init(ait_factlog *l, ait_pool *pool);
void ait_factlog_free(ait_factlog *l); /* empty and usable afterwards */
bool ait_factlog_add(ait_factlog *l, const ait_fact *f);

/* Walks in the order of adding; zero the cursor first. */
typedef struct ait_factcursor {
    const struct ait_factblock *block;
    size_t at;
    bool begun;
} ait_factcursor;
/* false at the end. `id` points into the log. */
bool ait_factlog_next(const ait_factlog *l, ait_factcursor *c, ait_fact *f);

#endif
