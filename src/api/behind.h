#ifndef AIT_API_BEHIND_H
#define AIT_API_BEHIND_H
/*
 * Writing behind: a thread of its own puts traces where they go, a bounded
 * number after they were given, in their order. From start to finish that
 * place (a store, a report) is this thread's.
 */
#include "base/error.h"
#include "model/trace.h"
#include "model/verdict.h"

typedef struct ait_behind ait_behind;
typedef ait_code ait_put_fn(void *ctx, ait_trace *t, ait_verdict *v,
                            ait_error *err);

/* NULL: there is no thread or no memory for it. */
ait_behind *ait_behind_start(ait_put_fn *put, void *ctx);
/* Where the verdict of the next trace goes. NULL: putting has failed, which
 * ait_behind_finish explains. */
ait_verdict *ait_behind_verdict(ait_behind *b);
/* Takes the trace over. false: out of memory. */
bool ait_behind_put(ait_behind *b, ait_trace *t);
/* Waits until all is put and frees; gives the first error. */
ait_code ait_behind_finish(ait_behind *b, ait_error *err);

#endif
