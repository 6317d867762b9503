#ifndef AIT_INPUT_WRAP_H
#define AIT_INPUT_WRAP_H
/*
 * Records inside something else: the JSON lines of docker, journald and
 * CloudWatch around a log's own lines, and pages and exports around lists of
 * records.
 */
#include "base/json.h"

/* The member that holds a log line as text, where the object is such a
 * wrapper; AIT_JNONE: it is none. *pieces: a line may come in several, only
 * the last ends with a line end (docker cuts at 16 KiB). *stream tells
 * standard output (0) from standard error (1). */
ait_jref ait_wrapped_text(ait_json *j, ait_jref r, bool *pieces, int *stream);

/* The list (or single object) of records inside a page; AIT_JNONE: none. */
ait_jref ait_wrapped_records(ait_json *j, ait_jref r);

#endif
