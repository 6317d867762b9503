#ifndef AIT_ANALYSE_SELECT_H
#define AIT_ANALYSE_SELECT_H
/*
 * Private to analyse: exact values at given ranks of a sample that need not
 * fit into memory.
 *
 * The sample is fed in passes, the same values in the same order each time.
 * A node covers a range of values. It keeps the distinct values with their
 * counts while these are few; beyond that it counts in 256 parts of its
 * range, and the parts that hold a wanted rank become nodes of the next
 * pass. So a small sample needs one pass, and the memory does not grow with
 * the sample.
 *
 * Two populations are kept at once: every value, and those of completed
 * requests.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/column.h"

typedef enum ait_population {
    AIT_POP_ALL,
    AIT_POP_COMPLETED,
    AIT_POP_COUNT
} ait_population;

#define AIT_NO_REQUEST UINT32_MAX

/* One rank asked for. */
typedef struct ait_target {
    int64_t rank; /* from 1, in its population; 0: not asked for */
    ait_population population;
    bool found;
    int64_t value;    /* the value at the rank */
    uint32_t request; /* first request in the order of feeding that has it */
    struct ait_node *node; /* where it is searched, and … */
    int64_t rest;          /* … its rank in there */
} ait_target;

typedef struct ait_select {
    ait_pool *pool;
    struct ait_node **node; /* of this pass, in the order of their ranges */
    int64_t *low;           /* where each begins */
    int nodes;
    uint8_t *near;          /* bit per part of the root: a node is in it;
                               NULL: in the first pass */
    ait_target *target;
    int targets;
} ait_select;

/* A selection that waits for its first pass. NULL: out of memory. */
ait_select *ait_select_new(ait_pool *pool);
void ait_select_free(ait_select *s); /* NULL is allowed */

/* One value (>= 0) of the request that its tag names. false: out of memory. */
bool ait_select_add(ait_select *s, int64_t value, uint32_t tag);
/* All values of a column; `roll` is unpacked. false: out of memory. */
bool ait_select_column(ait_select *s, const ait_column *c,
                       const uint32_t *roll);

/* After the first pass: the ranks, each at most the size of its population.
 * Copied. false: out of memory. */
bool ait_select_ask(ait_select *s, const ait_target *target, int n);
/* After a pass: finds what can be found; *again: another pass is needed.
 * false: out of memory. */
bool ait_select_step(ait_select *s, bool *again);

#endif
