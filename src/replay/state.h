#ifndef AIT_REPLAY_STATE_H
#define AIT_REPLAY_STATE_H
/*
 * Private to replay: what is known of the requests that are open.
 *
 * A request is in one of three lists. OPEN: something is to come. IDLE: all
 * its attempts ended, but no `done` came: a retry or the `done` may follow.
 * CLOSING: done; late records (phases, measures, the end of an attempt) may
 * follow. A list that is full seals its oldest request, so memory is bounded
 * and the order of the traces follows from the order of the records alone.
 */
#include "base/strmap.h"
#include "model/trace.h"
#include "replay/clock.h"
#include "replay/replay.h"
#include "replay/tally.h"
#include "stream/stream.h"

#define AIT_ATTEMPTS_MAX 1000       /* of one request */
#define AIT_ATTEMPTS_OPEN_MAX 131072 /* of all requests in the lists */
#define AIT_MEASURES_MAX 64         /* of one request */
#define AIT_BODY_MEASURES_MAX 16    /* of one body */
#define AIT_CLIENT_IDS_MAX 16
#define AIT_KEY_MAX 128             /* bytes of a request's key */
#define AIT_RECENT 64               /* requests found without the map */
#define AIT_TIMELINES_MAX ((size_t)256 << 20) /* bytes, all requests */

typedef enum ait_list_id {
    AIT_LIST_OPEN,
    AIT_LIST_IDLE,
    AIT_LIST_CLOSING,
    AIT_LIST_COUNT
} ait_list_id;

typedef enum ait_t1_kind { AIT_T1_EXACT, AIT_T1_BRACKETED, AIT_T1_UNKNOWN }
    ait_t1_kind;

/* Ids in a response's headers, in the order of definitions section 1. */
typedef enum ait_head_id {
    AIT_ID_X_REQUEST,
    AIT_ID_REQUEST,
    AIT_ID_TASK,
    AIT_ID_BILLING,
    AIT_ID_COUNT
} ait_head_id;

struct ait_req;

/* One attempt. Its texts are kept texts in the request's arena. */
typedef struct ait_att {
    struct ait_att *next; /* ascending number */
    struct ait_req *req;
    int number;
    ait_point t1, t2, t6;
    ait_point first_read; /* first read of the body, bytes kept or not;
                             absent where that is untimed */
    bool sent, headed, ended;
    bool blind;           /* the first read came without its bytes */
    int64_t status;
    ait_end end;
    int64_t retry_after;  /* ns, of its header */
    const char *upstream, *channel;
    const char *content_type, *content_encoding;
    const char *id[AIT_ID_COUNT];
    int64_t processing, routing;  /* ns, of headers */
    const char *processing_field;

    ait_stream *stream;   /* NULL: no bytes yet, or over */
    uint64_t feeds;       /* reads given to it */
    uint64_t step_feed[AIT_STEPS_MAX]; /* feeds before the clock's steps */
    bool over;            /* the facts below are complete */
    ait_tally tally;
    ait_timeline timeline;
    uint64_t mark_read;   /* read of the last mark */
    bool untimed, lacking; /* events without times; bytes not kept */

    int streamed;         /* 1, 0, -1 */
    bool terminal, stream_error, rate_limit, unread;
    bool body_text, body_other, body_reasoning, body_opaque, body_cut;
    ait_usage usage;
    ait_issue_set issues; /* of its body */
    char *finish, *error_code; /* NULL or AIT_TEXT_MAX + 1 bytes */
    const char *dialect, *model;
    ait_measure *measures; /* engine's, in the arena */
} ait_att;

typedef struct ait_req {
    struct ait_req *prev, *next;
    ait_list_id list;
    struct ait_replay *replay;
    char *key; /* in the arena */
    size_t key_len;
    ait_trace trace;
    ait_clock clock;
    ait_point recv, done, first_arrival, first_stamp;
    bool received, finished, known; /* recv; done; more than side records */
    int64_t status; /* of done */
    int64_t line;
    uint64_t lost_before; /* `lost` records before it was opened */
    const char *name;     /* req, kept */
    const char *channel;
    ait_id *client_ids;
    ait_att *atts, *current;
    int att_count, att_open;
    int measures;
} ait_req;

typedef struct ait_segment {
    bool begun, closed;
    char id[AIT_TEXT_MAX + 1];
    int64_t wall;
    ait_vantage vantage;
    ait_t1_kind t1;
    bool lines; /* unit `line` */
    int64_t line, records;
} ait_segment;

typedef struct ait_list {
    ait_req *head, *tail;
    size_t count;
} ait_list;

struct ait_replay {
    char file[AIT_TEXT_MAX + 1], format[AIT_TEXT_MAX + 1];
    bool native; /* segments end with `close` */
    ait_file_report *report;
    ait_trace_fn *fn;
    void *ctx;
    int (*ask)(void *ctx); /* may reading go on? NULL: yes */
    void *ask_ctx;
    ait_stream_work *work; /* scratch memory of all streams */
    ait_segment segment;
    ait_strmap map;
    ait_req *recent[AIT_RECENT]; /* by their keys, NULL: none */
    ait_list list[AIT_LIST_COUNT];
    ait_req *spare_reqs;
    ait_att *spare_atts;
    int spare_req_count, spare_att_count;
    size_t atts, timeline_bytes;
    uint64_t lost;
    bool no_memory; /* inside a callback that cannot say so */
};

/* ---- table.c: requests, attempts, lists ------------------------------- */
/* The request of a record, opened where it is not known yet. NULL: out of
 * memory. */
ait_req *ait_req_of(ait_replay *r, const ait_record *rec);
/* The attempt of a record, opened where it is not known yet. *out is NULL
 * where there are too many, or its number is no number: not to be used. */
ait_code ait_att_of(ait_req *q, const ait_record *rec, ait_att **out);
/* Seals the oldest requests while too many are open. */
ait_code ait_req_bound(ait_replay *r);
/* Puts a request into the list where it belongs now; seals the oldest of a
 * full list. */
ait_code ait_req_settle(ait_req *q);
/* Out of its list and the map, given to the sink, its memory kept for the
 * next one. */
ait_code ait_req_close(ait_req *q);
/* The oldest of CLOSING, IDLE, OPEN, in this order, until none is left. */
ait_code ait_req_close_all(ait_replay *r);
/* The same without giving anything to the sink. */
void ait_req_free_all(ait_replay *r);

/* ---- handlers: one per record type ------------------------------------ */
typedef ait_code ait_handler(ait_req *q, const ait_record *rec);
ait_handler ait_on_recv, ait_on_send, ait_on_head, ait_on_data, ait_on_event,
    ait_on_mark, ait_on_end, ait_on_done, ait_on_phase, ait_on_measure,
    ait_on_issue;

typedef ait_code ait_file_handler(ait_replay *r, const ait_record *rec);
ait_file_handler ait_on_capture, ait_on_lost, ait_on_close;

/* End of a segment: what is open is sealed, a missing `close` is said. */
ait_code ait_segment_end(ait_replay *r);

/* ---- shared by the handlers ------------------------------------------- */
/* The time of a record on the request's clock, with its issues. */
ait_point ait_req_tick(ait_req *q, int64_t stamp);
/* Something arrived for the first time, perhaps. */
void ait_req_arrival(ait_req *q, ait_point at);
/* Takes over request facts and ids that are not known yet. */
ait_code ait_req_facts(ait_req *q, const ait_record *rec);
/* A measure, or NULL where the request has too many (then *code is AIT_OK)
 * or memory ran out. */
ait_measure *ait_req_measure(ait_req *q, ait_code *code);
/* Keeps a text of a record; NULL stays NULL. AIT_ENOMEM in *code. */
const char *ait_req_keep(ait_req *q, ait_str s, ait_code *code);

/* ---- body.c ----------------------------------------------------------- */
/* No more comes: flushes the parser, takes over its facts. Once. */
ait_code ait_body_finish(ait_att *a);

/* ---- choose.c --------------------------------------------------------- */
/* The attempt that delivered the answer, else the last; NULL: none. */
ait_att *ait_att_serving(const ait_req *q);
/* What decides the outcome of one attempt. */
ait_outcome_facts ait_att_facts(const ait_req *q, const ait_att *a);

/* ---- seal.c ----------------------------------------------------------- */
/* Fills the trace from what was recorded. */
ait_code ait_req_seal(ait_req *q);

/* ---- date.c ----------------------------------------------------------- */
/* An HTTP date in any of its forms ("Mon, 30 Nov 2026 19:55:16 GMT"); absent:
 * none. */
int64_t ait_http_date(const char *s, size_t n);

#endif
