#ifndef AIT_API_DIRECT_H
#define AIT_API_DIRECT_H
/*
 * Files without a database: their requests are given to a function as they
 * come, judged. They are those that a store would keep of these files, in
 * the same order; no more is remembered of them than 16 bytes each.
 */
#include "store/store.h"

typedef struct ait_direct {
    const ait_selection *sel;
    ait_judged_fn *fn;
    void *ctx;
    bool several;      /* files: then a request may go on in another */
    bool needs_store;  /* it did, or may have: only a store can tell. What
                          was given so far is void. */
    ait_put_counts counts; /* of the file at hand */
    ait_verdict verdict;   /* of the trace at hand: no words, no figures */
    uint64_t seed;     /* of the identities: nothing but them tells */
    uint64_t *seen;    /* hash table of identities; 0 is free */
    size_t used, slots;
} ait_direct;

/* Can the selection be applied to a trace as it comes? Not where it asks
 * for SQL, an order or a number, or for an outcome or finding that there is
 * not. */
bool ait_direct_can(const ait_selection *sel);
/* The trace, whose identity is worked out, will be put soon: where it is looked
 * up lies in a table that is larger than any cache. */
void ait_direct_soon(const ait_direct *d, const ait_trace *t);
/* One trace, as ait_store_put; sets needs_store, and fails, where only a
 * store can tell. */
ait_code ait_direct_put(ait_direct *d, ait_trace *t, const ait_verdict *v,
                        ait_error *err);
/* For another pass over the same files, or at the end. */
void ait_direct_forget(ait_direct *d);

#endif
