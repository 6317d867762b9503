#ifndef AIT_API_BEHIND_H
#define AIT_API_BEHIND_H
/*
 * Writing behind: a thread of its own puts traces into the store, a bounded
 * number after they were given. From start to finish the store is this
 * thread's; what is stored is the same as without it.
 */
#include "model/verdict.h"
#include "store/store.h"

typedef struct ait_behind ait_behind;

/* NULL: there is no thread or no memory for it. */
ait_behind *ait_behind_start(ait_store *s);
/* Where the verdict of the next trace goes. NULL: putting has failed, which
 * ait_behind_finish explains. */
ait_verdict *ait_behind_verdict(ait_behind *b);
/* Takes the trace over. false: out of memory. */
bool ait_behind_put(ait_behind *b, ait_trace *t);
/* Waits until all is put and frees; gives the first error. */
ait_code ait_behind_finish(ait_behind *b, ait_error *err);

#endif
