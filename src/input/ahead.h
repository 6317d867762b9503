#ifndef AIT_INPUT_AHEAD_H
#define AIT_INPUT_AHEAD_H
/*
 * Reading ahead: a thread of its own reads and inflates a file, a bounded
 * number of blocks before they are asked for. The blocks, their order and
 * what is said about the file are those of the source alone.
 */
#include "input/source.h"

typedef struct ait_ahead ait_ahead;

/*
 * Takes the source over until ait_ahead_stop; its report and progress are
 * still those of the options. NULL: there is no thread or no memory, the
 * source is as it was. A pipe is not read ahead: its writer works ahead
 * already, and a read that waits could not be interrupted.
 */
ait_ahead *ait_ahead_start(ait_source *s, const ait_input_options *o,
                           ait_file_report *report, ait_error *err);
/* As ait_source_next. */
ait_code ait_ahead_next(ait_ahead *a, const char **p, size_t *n);
void ait_ahead_stop(ait_ahead *a); /* NULL is allowed */

#endif
