#ifndef AIT_INPUT_LOGTRACE_H
#define AIT_INPUT_LOGTRACE_H
/*
 * What all gateway logs share when a trace is made of one of their records:
 * attempts that are only counted, how a request ended, the outcome.
 */
#include "input/input.h"

/* More attempts than this are a broken counter. */
#define AIT_LOG_ATTEMPTS_MAX 1000

/* A gateway's own word (an error code, an end reason) for a client that went
 * away or a wait that was given up; AIT_E_NONE for any other word. */
ait_end ait_end_word(const char *s, size_t n);

/*
 * `count` attempts of which the last, the serving one, is filled from the
 * trace: start, headers, done, status, channel. 0: the gateway answered by
 * itself. A count out of range is ignored with an issue. false: out of
 * memory.
 */
bool ait_log_attempts(ait_trace *t, int64_t count);

/* How the log says that a request ended; all zero: it does not say. */
typedef struct ait_log_end {
    ait_end end;
    bool terminal;     /* it came to its regular end */
    bool failed;       /* it failed; status and code say how */
    bool rate_limited;
    bool unfinished;   /* written before it was over */
} ait_log_end;

/* Where it was read. The names belong to the file's report, which outlives its
 * traces. */
void ait_log_place(ait_trace *t, const ait_file_report *report,
                   int64_t line);

/* Outcome, stats, spans checked, and the serving attempt's outcome of a
 * filled trace. */
void ait_log_seal(ait_trace *t, const ait_log_end *end);

/* Point of a trace; axis 0 starts at the origin. */
void ait_log_point(ait_trace *t, ait_point_id p, int64_t ns, int axis);
/* t1 and t2: on the origin's axis only where `start` says when the upstream
 * request started; absent otherwise. */
void ait_log_upstream(ait_trace *t, int64_t start, int64_t headers);

/* An error code is kept only where it looks like an identifier. */
bool ait_log_error_code(ait_trace *t, const char *s, size_t n);

#endif
