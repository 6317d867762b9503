#ifndef AIT_ANALYSE_COLUMN_H
#define AIT_ANALYSE_COLUMN_H
/*
 * Private to analyse: what is remembered of the requests while memory
 * allows. Each group has a roll of its requests and, for each metric, a
 * column of values; a value is three or four bytes. Walking one column at a
 * time, the counters of its selection stay in the processor's cache.
 */
#include "analyse/packed.h"
#include "analyse/select.h"

/* The requests of a group, in order: number and "completed". */
typedef struct ait_roll {
    ait_packed list;
    uint32_t count, last;
} ait_roll;
bool ait_roll_add(ait_roll *r, ait_pool *p, uint32_t request,
                  bool completed);

/* The same unpacked, for walking many columns: number << 1 | completed.
 * NULL: out of memory; else given back to the pool by the caller, `count`
 * elements. */
uint32_t *ait_roll_open(const ait_roll *r, ait_pool *p);

/* The values of one metric; a request may have none. */
typedef struct ait_column {
    ait_packed list;
    uint32_t next; /* place in the roll of the request after the last one */
    unsigned unit; /* of the last value */
} ait_column;
/* The largest value that is kept: 73 years in ns. */
#define AIT_VALUE_MAX (INT64_MAX >> 2)
/* The value (0 to AIT_VALUE_MAX) of the request that was added to the roll
 * last. false: out of memory. */
bool ait_column_add(ait_column *c, ait_pool *p, const ait_roll *r,
                    int64_t value);
/* Feeds all values into a selection; `roll` is unpacked. false: out of
 * memory. */
bool ait_column_feed(const ait_column *c, const uint32_t *roll,
                     ait_select *s);

#endif
