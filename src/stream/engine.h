#ifndef AIT_STREAM_ENGINE_H
#define AIT_STREAM_ENGINE_H
/*
 * The engine reads events by the table of their dialect. Private to the
 * stage. One engine a body; the scratch memory is shared between bodies.
 */
#include "base/json.h"
#include "base/mem.h"
#include "stream/dialect.h"
#include "stream/mould.h"
#include "stream/stream.h"
#include "stream/think.h"

/* Most values in one event that is looked into. */
#define AIT_EVENT_NODES (1u << 20)

/* Choices whose text is told apart; later ones share the last place. */
#define AIT_CHOICES 8
/* Outputs (blocks, items) that are remembered; as above. */
#define AIT_OUTPUTS 128
#define AIT_TIMES_MAX 16

struct ait_stream_work {
    ait_json json;
    ait_buf text;    /* an unescaped string */
    ait_buf payload; /* base64-decoded event */
};

/* One event as a framing found it. */
typedef struct ait_frame {
    const char *name; /* event name; NULL: none */
    size_t name_len;
    const char *data; /* NULL where too_large */
    size_t len;
    bool too_large;
    bool exception;   /* binary frame that reports an error: name is its
                         kind */
    bool damaged;     /* checksum wrong: not looked into */
} ait_frame;

/* Text whose class waits for the end of a tag, by choice. */
typedef struct ait_waiting {
    uint8_t choices;              /* set of choices it waits for */
    uint8_t solid;                /* of these, not only white space */
    uint32_t len[AIT_CHOICES];
} ait_waiting;

/* What one event says. */
typedef struct ait_said {
    uint32_t classes;
    uint32_t text_length;
    bool nonblank, empty, malformed;
    ait_waiting waiting;
    uint8_t settled;              /* set of choices that are told now */
    uint32_t settled_as[AIT_CHOICES];
} ait_said;

typedef enum ait_repeat {
    AIT_NO_REPEAT, /* deltas */
    AIT_ASIDE,     /* stands beside deltas; without them it is one each time */
    AIT_SNAPSHOT   /* repeats all that came: says it at most once */
} ait_repeat;

struct ait_engine {
    ait_stream_work *work;
    ait_stream_facts *facts;
    const ait_dialect *dialect;   /* NULL: not recognised yet */
    bool sure;                    /* by a strong signature */
    bool whole;                   /* a body that is not a stream */
    bool wrapped;                 /* events come base64-coded */
    bool failed;                  /* out of memory */
    uint32_t tries;               /* events in which no model was named */
    /* memory across events */
    uint8_t seen[AIT_OUTPUTS];    /* effective classes deltas brought */
    uint64_t announced, filled;   /* calls; those that got arguments */
    size_t grown[AIT_CHOICES];    /* length of text that repeats itself … */
    uint64_t grown_hash[AIT_CHOICES]; /* … and its hash */
    ait_think think[AIT_CHOICES];
    ait_measure *times;           /* AIT_TIMES_MAX of them, once needed */
    size_t time_count;
    ait_mould mould;              /* of the last delta */
    /* the event being read */
    const ait_frame *frame;
    ait_said *said;
    ait_jref here;                /* the object being read */
    uint32_t choice, output, call;
    uint8_t repeat;               /* ait_repeat */
    uint8_t fresh;                /* what a snapshot of this event said … */
    uint32_t fresh_output;        /* … of this output: it may go on */
    bool counted;                 /* a completion count came */
    ait_glance glance;            /* what a mould of it must know */
    ait_jref speaker;             /* the value a row reads; AIT_JNONE */
    bool parsed;                  /* it is a JSON object */
    bool stop;                    /* no further rows of this object */
};

/* Allocates nothing; free in any case. */
void ait_engine_init(ait_engine *e, ait_stream_work *work,
                     ait_stream_facts *facts);
void ait_engine_free(ait_engine *e);

/* Reads one dispatched event. */
void ait_engine_event(ait_engine *e, const ait_frame *frame, ait_said *said);

/* Data that was never dispatched: counts for the outcome where it is whole
 * JSON or [DONE]. Returns whether it was. */
bool ait_engine_tail(ait_engine *e, const ait_frame *frame);

/* A whole body that was not streamed. false: it is no JSON. */
bool ait_engine_whole(ait_engine *e, const char *text, size_t n);

/* Is it an event of a dialect rather than a whole body of one? */
bool ait_engine_is_event(ait_engine *e, const char *text, size_t n);

/* Text outside the event grammar, JSON or not: an error where it says so
 * (`surely`: it stood in a field named error). */
void ait_engine_stray(ait_engine *e, const char *text, size_t n, bool surely);

/* ---- between the files of the engine -------------------------------- */

/* Reads the object r by a shape. */
void ait_read(ait_engine *e, const ait_shape *shape, ait_jref r);
/* Applies one row to the value of its member. */
void ait_act_apply(ait_engine *e, const ait_rule *rule, ait_jref value);
/* Adds classes, unless a snapshot repeats them. */
void ait_class_add(ait_engine *e, uint32_t bits);
/* The same for n > 0 bytes of text. */
void ait_say_text(ait_engine *e, uint32_t bits, const char *p, size_t n);
/* A new call takes the place of one that has the same number. */
void ait_open_call(ait_engine *e);
/* A call that never got arguments is over: an action. */
void ait_close_call(ait_engine *e);
void ait_end_mark(ait_engine *e);
/* An error object, text, or the object that holds it. */
void ait_error_read(ait_engine *e, ait_jref value);
/* The error is of this kind; its object may say more. */
void ait_error_named(ait_engine *e, const char *s, size_t n, ait_jref more);

/* String at r, unescaped; lives until the next call. NULL: no string. */
const char *ait_string(ait_engine *e, ait_jref r, size_t *n);

/* The dialect of a parsed event, by the table of signatures. */
void ait_detect(ait_engine *e);
/* Does a strong signature, of a whole body or of an event, match? */
bool ait_matches_any(ait_engine *e, bool whole);

#endif
