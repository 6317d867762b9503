#ifndef AIT_INPUT_LOG_AHEAD_H
#define AIT_INPUT_LOG_AHEAD_H
/*
 * Lines of a log read ahead of their turn: several threads make traces of
 * those that are plain records, and prepare them for the sink. Whatever has
 * to do with the lines before stays with the one that gives the lines.
 */
#include "input/log.h"
#include "input/reader.h"

typedef struct ait_log_ahead ait_log_ahead;

/* Takes a line when it is its turn; the trace is what it says, `row` what else
 * is known of it. NULL: only the long way can tell. */
typedef ait_code ait_ahead_fn(void *ctx, const ait_line *line, ait_trace *t,
                              const ait_log_row *row);

typedef struct ait_log_ahead_setup {
    const ait_log_kind *kind; /* has `read` */
    bool forced;              /* its records need not be told surely */
    bool prepare;             /* traces are for the sink as they are */
    const ait_reading *reading;
    ait_ahead_fn *fn; /* for one line at a time, on whatever thread */
    void *ctx;
} ait_log_ahead_setup;

/* NULL: there is no memory for it, or no other thread. */
ait_log_ahead *ait_log_ahead_start(const ait_log_ahead_setup *setup);
void ait_log_ahead_free(ait_log_ahead *a);
/* Takes a line over (its bytes are copied); others may have their turn. */
ait_code ait_log_ahead_line(ait_log_ahead *a, const ait_line *line);
/* All lines that were given have had their turn, and the others wait. */
ait_code ait_log_ahead_settle(ait_log_ahead *a);

#endif
