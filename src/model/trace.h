#ifndef AIT_MODEL_TRACE_H
#define AIT_MODEL_TRACE_H
/*
 * The trace record: everything aitrace knows about one request. Filled by
 * replay (captures) or by input (gateway logs), kept by store, judged by
 * analyse, shown by render. Absent is AIT_ABSENT for numbers, NULL for text,
 * -1 for yes/no.
 *
 * All text is kept text (base/text.h): capped, cleaned, masked. It lives in
 * the trace's arena.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/mem.h"
#include "base/num.h"
#include "model/class.h"
#include "model/issue.h"
#include "model/timeline.h"

/* ---- words --------------------------------------------------------- */
typedef enum ait_vantage { /* where the recording was made */
    AIT_V_GATEWAY,
    AIT_V_PROXY,
    AIT_V_SERVER,
    AIT_V_CLIENT,
    AIT_V_WIRE,
    AIT_V_COUNT
} ait_vantage;

typedef enum ait_origin { /* where a duration starts */
    AIT_O_GATEWAY_RECEIPT,
    AIT_O_REQUEST_SEND,
    AIT_O_FIRST_RECORD,
    AIT_O_RELAY_START,
    AIT_O_UPSTREAM_START,
    AIT_O_SPAN_START,
    AIT_O_ENGINE_ARRIVAL,
    AIT_O_VENDOR_EDGE,
    AIT_O_ENGINE,  /* server-side timing carried by a stream */
    AIT_O_LOCAL,   /* a phase with its own start */
    AIT_O_COUNT
} ait_origin;

typedef enum ait_boundary { /* where a duration ends */
    AIT_B_HEADERS,
    AIT_B_FIRST_BODY_CHUNK,
    AIT_B_FIRST_SSE_EVENT,
    AIT_B_FIRST_TOKEN,
    AIT_B_FIRST_TEXT,
    AIT_B_BODY_END,
    AIT_B_HANDLER_END,
    AIT_B_PHASE_END,
    AIT_B_COUNT
} ait_boundary;

typedef enum ait_quality {
    AIT_Q_OK,
    AIT_Q_COARSE, /* resolution of 100 ms or more */
    AIT_Q_SUSPECT,
    AIT_Q_ESTIMATED,
    AIT_Q_COUNT
} ait_quality;

typedef enum ait_outcome {
    AIT_OUT_COMPLETE,
    AIT_OUT_RATE_LIMITED,
    AIT_OUT_ERROR,
    AIT_OUT_CANCELLED,
    AIT_OUT_TIMEOUT,
    AIT_OUT_INCOMPLETE,
    AIT_OUT_TRUNCATED_CAPTURE,
    AIT_OUT_UNKNOWN,
    AIT_OUT_COUNT
} ait_outcome;

typedef enum ait_end { /* how an attempt's body ended */
    AIT_E_NONE,        /* no end recorded */
    AIT_E_EOF,
    AIT_E_SHORT,
    AIT_E_RESET,
    AIT_E_TIMEOUT,
    AIT_E_CANCELLED,
    AIT_E_ERROR,
    AIT_E_UNKNOWN,
    AIT_E_COUNT
} ait_end;

/* Names, as in JSON and SQL; index is the enum. */
extern const char *const ait_vantage_name[AIT_V_COUNT];
extern const char *const ait_origin_name[AIT_O_COUNT];
extern const char *const ait_boundary_name[AIT_B_COUNT];
extern const char *const ait_quality_name[AIT_Q_COUNT];
extern const char *const ait_outcome_name[AIT_OUT_COUNT];
extern const char *const ait_end_name[AIT_E_COUNT]; /* [0]: "none" */

/* Index of a word in a table of `n` names, or -1. */
int ait_word(const char *const *names, int n, const char *s, size_t len);

/* ---- text and number fields, table-driven --------------------------- */
typedef enum ait_text_field {
    AIT_X_REQUEST_ID, /* the id shown to people */
    AIT_X_ENDPOINT,
    AIT_X_DIALECT,
    AIT_X_MODEL,
    AIT_X_PROVIDER,
    AIT_X_GROUP,
    AIT_X_CHANNEL,
    AIT_X_ROUTE,
    AIT_X_REGION,
    AIT_X_FINISH_REASON,
    AIT_X_ERROR_CODE,
    AIT_X_REASONING_EFFORT,
    AIT_X_FORMAT,     /* of the source: "capture", "native", … */
    AIT_X_FILE,       /* name of the source file, as given, no folder */
    AIT_X_COUNT
} ait_text_field;

typedef enum ait_num_field {
    AIT_N_TIME,       /* wall clock ns of the start (or end: time_is_end) */
    AIT_N_LINE,       /* source line that opened the request */
    AIT_N_STATUS,     /* what the client got */
    AIT_N_INFLIGHT,
    AIT_N_MAX_TOKENS,
    AIT_N_TEMPERATURE, /* times 1e6 */
    AIT_N_TOP_P,       /* times 1e6 */
    AIT_N_TOOLS,
    AIT_N_PROMPT_TOKENS,
    AIT_N_CACHED_TOKENS,
    AIT_N_OUTPUT_TOKENS,   /* reasoning included */
    AIT_N_REASONING_TOKENS,
    AIT_N_RETRIES,     /* attempts - 1; absent where not known */
    AIT_N_RETRY_WAIT,  /* ns; absent without a retry */
    AIT_N_RESOLUTION,  /* ns; of the timing fields, absent: exact */
    AIT_N_REPORTED_TPS,/* the log's own visible rate, times 1000 */
    AIT_N_COUNT
} ait_num_field;

extern const char *const ait_text_name[AIT_X_COUNT];
extern const char *const ait_num_name[AIT_N_COUNT];

/* ---- milestones and spans ------------------------------------------ */
typedef enum ait_point_id {
    AIT_P_ORIGIN,   /* where this trace counts from; always there */
    AIT_P_T0,
    AIT_P_T1_FIRST, /* t1 of the first attempt */
    AIT_P_T1,       /* t1 of the serving attempt */
    AIT_P_T2,
    AIT_P_T3,
    AIT_P_T4,
    AIT_P_T5,
    AIT_P_T5_NONBLANK,
    AIT_P_TF,
    AIT_P_T6,
    AIT_P_T7,
    AIT_P_COUNT
} ait_point_id;

/*
 * A moment on an axis. Axis 0 starts at the trace's origin; AIT_AXIS_UPSTREAM
 * at t1 of the serving attempt where that is not known on axis 0; 1, 2, … are
 * axis 0 after the clock was set (a step back of more than a second), so a
 * span across the step is absent by the rule that two axes do not mix.
 */
typedef struct ait_point {
    int64_t ns; /* AIT_ABSENT: did not happen */
    uint8_t axis;
} ait_point;
#define AIT_AXIS_UPSTREAM 255

typedef enum ait_timing_field {
    AIT_T_AUTH,
    AIT_T_DISTRIBUTION,
    AIT_T_BODY_READ,
    AIT_T_UPSTREAM_START,
    AIT_T_UPSTREAM_HEADERS,
    AIT_T_FIRST_SSE_EVENT,
    AIT_T_FIRST_RESPONSE,
    AIT_T_FIRST_TEXT_DELTA,
    AIT_T_FIRST_NONBLANK_TEXT,
    AIT_T_FINAL_RESPONSE,
    AIT_T_UPSTREAM_DONE,
    AIT_T_TOTAL_HANDLER,
    AIT_T_COUNT
} ait_timing_field;

/* The table of milestones: a timing field is the span of two points, or a
 * local phase of its own (from == to). The two longest-gap rows of the gaps
 * have from == to as well: they come from the stats. */
typedef struct ait_timing_info {
    const char *name; /* "upstream_headers_ms" */
    ait_point_id from, to;
    const char *label; /* "headers", for people */
} ait_timing_info;
extern const ait_timing_info ait_timings[AIT_T_COUNT];

typedef enum ait_gap_field {
    AIT_G_HEADERS_TO_EVENT,
    AIT_G_EVENT_TO_RESPONSE,
    AIT_G_RESPONSE_TO_TEXT,
    AIT_G_VISIBLE_WINDOW,
    AIT_G_BEFORE_UPSTREAM, /* t0 to t1 of the first attempt */
    AIT_G_AFTER_UPSTREAM,  /* t6 to t7 */
    AIT_G_LONGEST,         /* from the stats, not a span */
    AIT_G_LONGEST_AT,
    AIT_G_COUNT
} ait_gap_field;
extern const ait_timing_info ait_gaps[AIT_G_COUNT];

/* ---- events summary -------------------------------------------------- */
/* Counters and scalars of the serving attempt's body, all absent in a log
 * that knows no events. One table of names; packed by the store as is. */
typedef enum ait_stat {
    AIT_S_EVENTS,       /* dispatched, empty ones included */
    AIT_S_COMMENTS,
    AIT_S_ENVELOPE,
    AIT_S_REASONING,
    AIT_S_OPAQUE,       /* reasoning_opaque */
    AIT_S_ACTION,
    AIT_S_MEDIA,
    AIT_S_TEXT,         /* text or refusal */
    AIT_S_MALFORMED,
    AIT_S_READS,
    AIT_S_TEXT_READS,
    AIT_S_PARTIAL_BYTES,
    AIT_S_TEXT_BYTES,
    AIT_S_BURST_BYTES,  /* text bytes of the read that brought most of them
                           (of equal ones: after the longer silence) */
    AIT_S_BURST_GAP,    /* ns from the event before that read; absent where
                           the body begins with it, or untimed */
    AIT_S_LONGEST_GAP,  /* ns between neighbouring events, or last to end */
    AIT_S_LONGEST_GAP_AT,   /* its start, ns from the origin */
    AIT_S_STALL,        /* the same, only gaps that begin at or after t4 */
    AIT_S_STALL_AT,
    AIT_S_TEXT_LAST,    /* time of the last visible text, ns from the origin */
    AIT_S_T4_CLASSES,   /* set of classes of the event that is t4 */
    AIT_S_END,          /* ait_end of the serving attempt */
    AIT_S_SEEN,         /* AIT_SEEN_* bits */
    AIT_S_WINDOW_STALL, /* ns: longest silence between events inside the
                           visible window, from t5 to tf */
    AIT_S_COUNT
} ait_stat;
extern const char *const ait_stat_name[AIT_S_COUNT]; /* JSON's, if any */

enum {
    AIT_SEEN_TERMINAL = 1,  /* terminal marker or finish reason */
    AIT_SEEN_ERROR = 2,     /* error event or text in the stream */
    AIT_SEEN_BODY_TEXT = 4, /* a body that was not streamed holds text … */
    AIT_SEEN_BODY_OTHER = 8,/* … action or media */
    AIT_SEEN_RUNNING_USAGE = 16, /* usage came from a stream that was cut */
    AIT_SEEN_UNREAD = 32,   /* bytes not kept, or not readable, or no dialect
                               says what a whole body means */
    AIT_SEEN_UNTIMED = 64,  /* the body has no event times */
    AIT_SEEN_TRACED = 128,  /* body came from a capture, not a log */
    AIT_SEEN_BODY = 256,    /* a whole, non-streamed body was looked into */
    AIT_SEEN_LIMIT = 512,   /* finish reason is the token limit */
    AIT_SEEN_BODY_REASONING = 1024, /* a body that was not streamed holds
                                       readable … */
    AIT_SEEN_BODY_OPAQUE = 2048     /* … or opaque reasoning */
};

/* ---- measures, attempts ---------------------------------------------- */
typedef struct ait_measure {
    const char *name;         /* "first_chunk", "total", "queue", … */
    const char *source_field; /* JSON Pointer in the log; may be NULL */
    int64_t value;            /* ns */
    int64_t resolution;       /* ns; absent: exact */
    ait_origin origin;
    ait_boundary boundary;
    ait_quality quality;
    struct ait_measure *next;
} ait_measure;

typedef struct ait_attempt {
    int number;             /* 1, 2, … */
    const char *upstream;   /* host name only; may be NULL */
    const char *channel;
    const char *error_code;
    int64_t status;
    int outcome;            /* ait_outcome, -1 not known */
    int64_t start, done;    /* ns from the origin */
    int64_t headers;        /* ns from its own start */
    int64_t retry_after;    /* ns */
    int64_t wait_before;    /* ns from the previous attempt's end */
    const uint8_t *timeline; /* packed events, NULL: none kept */
    size_t timeline_len;
    int64_t timeline_base;  /* ns of the timeline's clock at the origin:
                               event.ns - base is from the origin */
    struct ait_attempt *next;
} ait_attempt;

typedef struct ait_id {
    const char *value;
    struct ait_id *next;
} ait_id;

/* ---- the record ------------------------------------------------------ */
typedef struct ait_trace {
    ait_arena arena;
    const char *text[AIT_X_COUNT];
    int64_t num[AIT_N_COUNT];
    ait_point point[AIT_P_COUNT];
    int64_t phase[3];       /* auth, distribution, body_read; ns */
    int64_t stat[AIT_S_COUNT];
    ait_vantage vantage;
    ait_origin origin;
    ait_outcome outcome;
    int stream;             /* did the answer come as a stream */
    int asked_stream;       /* the request's parameter */
    int tokens_source;      /* 0 usage, 1 log, -1 no tokens */
    bool tokens_estimated;
    ait_id *ids;            /* all ids, the shown one among them */
    ait_measure *measures;  /* in the order they were met */
    ait_attempt *attempts;  /* ascending; NULL: none (answered by itself) */
    ait_attempt *serving;   /* one of them, or NULL */
    ait_issue_set issues;
    uint64_t source;        /* hash of the name that the source itself has
                               for this request (segment and req of a native
                               capture), equal however far it got; 0: none */
    int64_t row;            /* database row, absent outside one */
    uint64_t identity;      /* 0: not worked out yet */
    void *aside;            /* what its sink has prepared for it (input.h) */
} ait_trace;

/* An empty trace: everything absent, vantage client, outcome unknown. */
void ait_trace_init(ait_trace *t);
/* Empties it for the next record; the arena keeps its first block. */
void ait_trace_reset(ait_trace *t);
/* The same where an empty trace is at hand: a copy takes a third. */
void ait_trace_reset_as(ait_trace *t, const ait_trace *empty);
void ait_trace_free(ait_trace *t);
/* `to` becomes what `from` is. `from` has the memory that was `to`'s then, and
 * must be reset before anything else. */
void ait_trace_move(ait_trace *to, ait_trace *from);

/* Keeps text by the rules of base/text.h (raises invalid_utf8, id_masked);
 * an empty text is absent. A finish reason or error code that is no identifier
 * is dropped (value_ignored). false: out of memory. */
bool ait_trace_text(ait_trace *t, ait_text_field f, const char *s, size_t n);
/* Adds an id unless it is there already; beyond AIT_IDS_MAX it is left out
 * with the issue value_ignored. */
#define AIT_IDS_MAX 256
bool ait_trace_id(ait_trace *t, const char *s, size_t n);
/* Both: the id that is shown, and one of all ids. */
bool ait_trace_shown_id(ait_trace *t, const char *s, size_t n);
/* Adds a zeroed measure or attempt at the end of its list; all its numbers
 * absent. Same-named phases are NOT joined here. NULL: out of memory. */
ait_measure *ait_trace_measure(ait_trace *t);
ait_attempt *ait_trace_attempt(ait_trace *t);
/* A kept text in the arena, for fields outside the table. NULL: absent. */
const char *ait_trace_keep(ait_trace *t, const char *s, size_t n);

/*
 * THE function that makes durations: absent where a point is missing, where
 * the two are on different axes, or where the result would be negative.
 */
static inline int64_t ait_span(const ait_trace *t, ait_point_id from,
                               ait_point_id to)
{
    const ait_point *a = &t->point[from], *b = &t->point[to];
    uint64_t span = (uint64_t)b->ns - (uint64_t)a->ns;

    /* absent is below all: `b` is there where it is not below `a` */
    if (a->axis != b->axis || !ait_has(a->ns) || b->ns < a->ns)
        return AIT_ABSENT;
    return span <= INT64_MAX ? (int64_t)span : AIT_ABSENT;
}

/* Raises negative_duration for every timing field, gap or window whose end
 * lies before its start, which ait_span leaves absent. Records of two threads,
 * or fields of a log, may contradict each other. Once, of a filled trace. */
void ait_check_spans(ait_trace *t);

/* The span of two points as a difference of two figures: absent, too, where
 * it is smaller than their resolution. */
static inline int64_t ait_difference(const ait_trace *t, ait_point_id from,
                                     ait_point_id to)
{
    int64_t span = ait_span(t, from, to);
    int64_t resolution = t->num[AIT_N_RESOLUTION];

    /* counted from the origin it is a figure itself, no difference */
    if (from <= AIT_P_T0 || !ait_has(resolution) || span >= resolution)
        return span;
    return AIT_ABSENT;
}

/* Timing fields and gaps in ns, by their tables. */
static inline int64_t ait_timing(const ait_trace *t, ait_timing_field f)
{
    const ait_timing_info *i = &ait_timings[f];

    return f <= AIT_T_BODY_READ ? t->phase[f] : ait_span(t, i->from, i->to);
}

static inline int64_t ait_gap(const ait_trace *t, ait_gap_field f)
{
    const ait_timing_info *i = &ait_gaps[f];

    if (i->from != i->to)
        return ait_difference(t, i->from, i->to);
    return t->stat[f == AIT_G_LONGEST ? AIT_S_LONGEST_GAP
                                      : AIT_S_LONGEST_GAP_AT];
}

/* end_to_end of the definitions, section 4: origin to t7, else t6, else tf.
 * Absent where the last end there is lies across a clock step: a sooner one
 * is not the whole time. */
int64_t ait_end_to_end(const ait_trace *t);
/* How long the request took as far as anything tells: end_to_end, else the
 * measure "total", which may have another origin. To rank and to show beside
 * a mark; never for figures that are compared. */
int64_t ait_whole_time(const ait_trace *t);

/* ---- tokens (definitions, section 3) ---------------------------------- */
typedef struct ait_usage {
    int64_t prompt, cached, completion, reasoning, total; /* absent: none */
    bool reasoning_beside; /* the dialect's reasoning is never inside
                              completion (Gemini) */
    bool running;          /* counts grow with the stream; last seen is a
                              lower bound unless the stream ended */
} ait_usage;
void ait_usage_init(ait_usage *u); /* everything absent */
/* Takes over every value of `u` that is present into `into`. */
void ait_usage_merge(ait_usage *into, const ait_usage *u);
/* Writes the token fields of a trace by arithmetic; raises
 * usage_inconsistent. */
void ait_usage_apply(ait_trace *t, const ait_usage *u);
/* visible_tokens; absent where it cannot be told, or where no output tokens
 * are known. */
int64_t ait_visible_tokens(const ait_trace *t);

/* ---- outcome (definitions, section 5) --------------------------------- */
typedef struct ait_outcome_facts {
    bool from_log;      /* a gateway log: a 200 does not say complete */
    bool ended;         /* an end was recorded, or the log has a total */
    bool terminal;      /* terminal marker or finish reason */
    bool stream_error;  /* error event or error text in a stream */
    bool stream_rate_limit;
    bool output;        /* any effective event */
    bool got_headers;
    bool body_read;     /* bytes were kept and could be read */
    bool body_cut;      /* a whole body ends in the middle of its JSON */
    int stream;         /* -1 not known */
    int64_t status;
    ait_end end;        /* cancelled and timeout come from here or status */
} ait_outcome_facts;
/* The first row of the table that holds decides. */
ait_outcome ait_outcome_of(const ait_outcome_facts *f);
/* error, rate_limited, timeout, incomplete, cancelled. */
bool ait_outcome_failed(ait_outcome o);
/* A provider's word or type that means a rate limit (definitions, 1). */
bool ait_is_rate_limit_word(const char *s, size_t n);
/* A finish reason that says the token limit was hit (section 6, rule 5). */
bool ait_is_limit_finish(const char *s);

/* ---- identity ---------------------------------------------------------- */
/* Hash over ids, start and recorded facts; equal for the same record of the
 * same request in any file (source file, line and row are left out). */
uint64_t ait_trace_identity(const ait_trace *t);
/* Works it out now, for whoever asks later and has less time. The trace must
 * stay as it is from then on. 0 is the seed of those that are stored, and held
 * against the rows; where the hash alone tells, nobody may know the seed. */
void ait_trace_identify(ait_trace *t, uint64_t seed);

/* ---- sink -------------------------------------------------------------- */
/* Takes one finished trace; it stays the caller's and is reused after the
 * call. Anything but AIT_OK stops the import. */
typedef int ait_trace_fn(void *ctx, ait_trace *t);

#endif
