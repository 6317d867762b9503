#ifndef AIT_REPLAY_REPLAY_H
#define AIT_REPLAY_REPLAY_H
/*
 * The replay stage: capture records in, finished traces out. One stream
 * parser per open attempt; open requests are found by hash. Memory depends
 * on the requests in flight.
 */
#include "input/input.h"

typedef struct ait_replay ait_replay;

/* `file` is kept in the traces; `report` receives the file's issues (it must
 * outlive the replay). NULL: out of memory. */
ait_replay *ait_replay_new(const char *file, const char *format,
                           ait_file_report *report, ait_trace_fn *fn,
                           void *ctx);
void ait_replay_free(ait_replay *r);

/* Asked now and then while one record takes long; other than 0 stops with
 * AIT_EINTR. */
void ait_replay_ask(ait_replay *r, int (*ask)(void *ctx), void *ctx);

/* Fits ait_sink.record: ctx is the ait_replay. */
int ait_replay_record(void *ctx, const ait_record *rec);

/* End of the file: seals what is still open, in the order it was opened. */
int ait_replay_finish(ait_replay *r);

#endif
