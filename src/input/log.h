#ifndef AIT_INPUT_LOG_H
#define AIT_INPUT_LOG_H
/*
 * Gateway logs: one JSON object a finished request. A kind of log says
 * which objects are its own and fills a trace from one.
 */
#include "base/json.h"
#include "input/reader.h"

typedef enum ait_log_result {
    AIT_LOG_REQUEST, /* the trace is filled */
    AIT_LOG_SKIPPED, /* of this log, but no request */
    AIT_LOG_UNKNOWN, /* not of this log */
    AIT_LOG_NOMEM
} ait_log_result;

typedef struct ait_log_kind ait_log_kind;
struct ait_log_kind {
    const char *name;
    /* Is the object of this kind? Looks at a few typed keys. */
    bool (*match)(const ait_log_kind *k, ait_json *j, ait_jref r);
    /* Makes an empty trace a full one: everything but format, file and
     * line. `self` is the kind's own memory of this file (see open). */
    ait_log_result (*fill)(void *self, ait_json *j, ait_jref r,
                           ait_trace *t);
    void *(*open)(const ait_log_kind *k); /* NULL: out of memory */
    void (*close)(void *self);
};

extern const ait_log_kind ait_native_log; /* native_log.c */

#endif
