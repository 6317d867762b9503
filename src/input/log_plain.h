#ifndef AIT_INPUT_LOG_PLAIN_H
#define AIT_INPUT_LOG_PLAIN_H
/*
 * One line of a log read by itself, without regard to any other: nearly every
 * line is one record of the chosen kind, or such a record wrapped in the line
 * of a container's log.
 */
#include "input/log.h"

typedef struct ait_log_plain {
    const ait_log_kind *kind;
    bool forced;   /* records need not be told surely */
    void *self;    /* the kind's own memory; NULL: not open */
    ait_trace empty;
    ait_json json; /* of a wrapper */
    ait_buf text;  /* what was in it */
} ait_log_plain;

/* false: out of memory. Close in any case. */
bool ait_log_plain_open(ait_log_plain *p, const ait_log_kind *kind,
                        bool forced);
void ait_log_plain_close(ait_log_plain *p);
/* Makes the trace what the line says; what `row` spans lives as long as the
 * trace. false: only the long way can tell, and the trace is of no use. */
bool ait_log_plain_read(ait_log_plain *p, const ait_line *line, ait_trace *t,
                        ait_log_row *row);

/* Takes white space off around what was wrapped. */
void ait_log_trim(ait_line *line);

#endif
