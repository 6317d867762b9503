#ifndef AIT_INPUT_LOG_H
#define AIT_INPUT_LOG_H
/*
 * Gateway logs: one JSON object a finished request. A kind of log says
 * which objects are its own and fills a trace from one.
 */
#include "base/json.h"
#include "input/reader.h"
#include "input/record.h"

typedef enum ait_log_result {
    AIT_LOG_REQUEST, /* the trace is filled */
    AIT_LOG_SKIPPED, /* of this log, but no request */
    AIT_LOG_UNKNOWN, /* not of this log */
    AIT_LOG_NOMEM
} ait_log_result;

/* How surely a record is of its kind. */
typedef enum ait_log_told {
    AIT_TOLD_SURELY,  /* as the file is told, or by a mapping's own rules */
    AIT_TOLD_SOMEHOW, /* where no other kind knows it */
    AIT_TOLD_HARDLY   /* where the user says what the log is */
} ait_log_told;

/* What else is known of a record: whether other rows may belong to the same
 * request. */
typedef struct ait_log_row {
    ait_log_told told;
    ait_str key;         /* rows of one request share it; NULL span: none.
                            Lives as long as the record. */
    bool failed_attempt; /* this row is one that failed */
    int64_t attempt;     /* its number; absent */
    int64_t end;         /* wall clock; absent */
    ait_str inside;      /* of a line that was a wrapper: what was in it */
    int stream;          /* that it went to */
} ait_log_row;

typedef enum ait_log_join { /* which rows are one request */
    AIT_JOIN_NONE,
    AIT_JOIN_FAILED_ROWS, /* a row each failed attempt, with its id */
    AIT_JOIN_RETRIES,     /* a failed row, and a later one on its route */
    AIT_JOIN_NUMBERED     /* rows with an attempt's number */
} ait_log_join;

typedef struct ait_log_kind ait_log_kind;
/* Who comes closest to knowing an object. */
typedef struct ait_log_near {
    const char *name, *missing;
    int share; /* thousandths */
} ait_log_near;
struct ait_log_kind {
    const char *name;
    const struct ait_map *map; /* NULL: the native log */
    ait_log_join join;
    const char *records; /* pointer with '*' to the records in an object that
                            matches; NULL: the object is the record */
    /* Is the object of this kind? Looks at a few typed keys. */
    bool (*match)(const ait_log_kind *k, ait_json *j, ait_jref r);
    /* Of an object that does not match: how much of detection holds, in
     * thousandths, and the first key that it misses (constant; NULL: none
     * that would be enough to name). May be NULL. */
    int (*nearly)(const ait_log_kind *k, ait_json *j, ait_jref r,
                  const char **missing);
    /* Makes an empty trace a full one: everything but format, file and
     * line. `self` is the kind's own memory of this file (see open). */
    ait_log_result (*fill)(void *self, ait_json *j, ait_jref r, ait_trace *t,
                           ait_log_row *row);
    /* The same straight from a line of the file, if it is one record of the
     * kind and nothing else; what row->key spans lives as long as the trace,
     * then. Not AIT_LOG_REQUEST: only the long way can tell, and the trace has
     * what it had by then. NULL: there is no such way. */
    ait_log_result (*read)(void *self, const ait_line *line, ait_trace *t,
                           ait_log_row *row);
    void *(*open)(const ait_log_kind *k); /* NULL: out of memory */
    void (*close)(void *self);
    bool from_user; /* its mapping file is the user's */
};

extern const ait_log_kind ait_native_log; /* native_log.c */

/* Is it a text line of the kind? Then `out` holds its object. */
bool ait_log_text_line(const ait_log_kind *k, const ait_line *line,
                       ait_buf *out);

/* All kinds: the native log, the mappings that are built in, those of the
 * options' folders (of equal names the last), and the options' file. */
typedef struct ait_log_kinds {
    ait_log_kind *kind;
    int count, newest; /* index of the one added last */
    const ait_log_kind *forced; /* by the options; NULL: none */
    bool borrowed;              /* the mapping is the caller's */
} ait_log_kinds;

#define AIT_LOG_KINDS_MAX 200

/* A mapping that cannot be read is an error. Free in any case. */
ait_code ait_log_kinds_load(ait_log_kinds *k, const ait_input_options *o,
                            ait_error *err);
void ait_log_kinds_free(ait_log_kinds *k);
const ait_log_kind *ait_log_kind_named(const ait_log_kinds *k,
                                       const char *name);

/* A kind as a mapping makes it; the mapping is the caller's. */
ait_log_kind ait_log_kind_of(const struct ait_map *m);

#endif
