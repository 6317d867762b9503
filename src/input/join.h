#ifndef AIT_INPUT_JOIN_H
#define AIT_INPUT_JOIN_H
/*
 * Rows of one request become one trace with attempts. The last rows are held
 * for a while, so that their partners are found in whichever order a log or
 * an export has them; memory does not depend on the file.
 */
#include "input/log.h"

typedef struct ait_join ait_join;

/* Gives every finished trace to `fn`. NULL: out of memory. */
ait_join *ait_join_new(ait_log_join rule, ait_trace_fn *fn, void *ctx);
void ait_join_free(ait_join *j);
/* An empty trace to fill with the next row; the join's own. */
ait_trace *ait_join_blank(ait_join *j);
/* The blank is filled: takes it over. */
ait_code ait_join_add(ait_join *j, const ait_log_row *row);
/* Gives on what is still held, in the order it came. */
ait_code ait_join_finish(ait_join *j);

#endif
