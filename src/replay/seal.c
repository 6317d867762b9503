/* From what was recorded of a request to its trace. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "replay/state.h"

/* A capture of lines whose events lie closer than this was held back by
 * something, and headers closer than that to the body came with it. */
#define BUFFERED_SPAN (5 * AIT_MS)
#define BUFFERED_EVENTS 3
#define WITH_BODY AIT_MS

/* ---- milestones ------------------------------------------------------- */

/* Where the trace counts from (definitions, "Origin and vantage"). */
static ait_point origin_of(const ait_req *q, ait_origin *origin)
{
    *origin = AIT_O_GATEWAY_RECEIPT;
    if (ait_has(q->recv.ns))
        return q->recv;
    *origin = AIT_O_REQUEST_SEND;
    if (q->atts && ait_has(q->atts->t1.ns))
        return q->atts->t1;
    *origin = AIT_O_FIRST_RECORD;
    return ait_has(q->first_arrival.ns) ? q->first_arrival : q->first_stamp;
}

/* A point as the trace holds it: from the origin, on the origin's axis or a
 * later one. */
static ait_point from_origin(ait_point origin, ait_point p)
{
    if (!ait_has(p.ns) || p.axis < origin.axis)
        return (ait_point){.ns = AIT_ABSENT};
    return (ait_point){ait_minus(p.ns, origin.ns),
                       (uint8_t)(p.axis - origin.axis)};
}

/* Headers count from t1. Where only that is not known they are on its axis
 * and compare with nothing; a trace that counts from its first record has no
 * t1 at all, and differences are all it means. */
static void set_headers(ait_trace *t)
{
    ait_point *t2 = &t->point[AIT_P_T2];

    if (!ait_has(t->point[AIT_P_T1].ns) && ait_has(t2->ns) &&
        t->origin != AIT_O_FIRST_RECORD)
        t2->axis = AIT_AXIS_UPSTREAM;
}

static void set_points(ait_req *q, const ait_att *a, ait_point origin)
{
    ait_point *p = q->trace.point;

    p[AIT_P_ORIGIN] = (ait_point){.ns = 0};
    if (ait_has(q->recv.ns)) {
        p[AIT_P_T0] = p[AIT_P_ORIGIN];
        p[AIT_P_T7] = from_origin(origin, q->done);
    }
    if (!a)
        return;
    p[AIT_P_T1_FIRST] = from_origin(origin, q->atts->t1);
    p[AIT_P_T1] = from_origin(origin, a->t1);
    p[AIT_P_T2] = from_origin(origin, a->t2);
    set_headers(&q->trace);
    p[AIT_P_T3] = from_origin(origin, a->tally.first[AIT_FIRST_EVENT]);
    p[AIT_P_T4] = from_origin(origin, a->tally.first[AIT_FIRST_EFFECTIVE]);
    p[AIT_P_T5] = from_origin(origin, a->tally.first[AIT_FIRST_VISIBLE]);
    p[AIT_P_T5_NONBLANK] =
        from_origin(origin, a->tally.first[AIT_FIRST_NONBLANK]);
    p[AIT_P_TF] = from_origin(origin, a->tally.final);
    p[AIT_P_T6] = from_origin(origin, a->t6);
}

/* ---- stats ------------------------------------------------------------ */

/* ns from the origin, on its own axis only. */
static int64_t at(ait_point origin, ait_point p)
{
    return ait_tally_between(origin, p);
}

/* An image, a transcript, a vector: whole, and no dialect says what is in
 * it. An error's body is judged by its status. */
static bool unexplained(const ait_att *a)
{
    return a->streamed == 0 && !a->dialect && !a->error_code &&
           a->status < 400 &&
           a->tally.stat[AIT_S_READS] > 0;
}

static int64_t seen_of(const ait_att *a)
{
    bool unknown = a->issues.count[AIT_I_UNKNOWN_DIALECT] || unexplained(a);
    bool unread = a->unread || a->lacking || unknown;
    int64_t seen = AIT_SEEN_TRACED;

    seen |= a->terminal ? AIT_SEEN_TERMINAL : 0;
    seen |= a->stream_error ? AIT_SEEN_ERROR : 0;
    seen |= a->body_text ? AIT_SEEN_BODY_TEXT : 0;
    seen |= a->body_other ? AIT_SEEN_BODY_OTHER : 0;
    seen |= a->usage.running && !a->terminal ? AIT_SEEN_RUNNING_USAGE : 0;
    seen |= a->body_reasoning ? AIT_SEEN_BODY_REASONING : 0;
    seen |= a->body_opaque ? AIT_SEEN_BODY_OPAQUE : 0;
    seen |= unread ? AIT_SEEN_UNREAD : 0;
    seen |= a->untimed ? AIT_SEEN_UNTIMED : 0;
    seen |= a->streamed == 0 && !unread ? AIT_SEEN_BODY : 0;
    seen |= ait_is_limit_finish(a->finish) ? AIT_SEEN_LIMIT : 0;
    return seen;
}

static void set_stats(ait_trace *t, const ait_att *a, ait_point origin)
{
    memcpy(t->stat, a->tally.stat, sizeof t->stat);
    t->stat[AIT_S_LONGEST_GAP_AT] = at(origin, a->tally.longest_from);
    t->stat[AIT_S_STALL_AT] = at(origin, a->tally.stall_from);
    t->stat[AIT_S_TEXT_LAST] = at(origin, a->tally.text_last);
    t->stat[AIT_S_END] = a->end;
    t->stat[AIT_S_SEEN] = seen_of(a);
}

/* ---- attempts --------------------------------------------------------- */

/* From the end of the attempt before (else its headers) to this one's
 * start. */
static int64_t wait_before(ait_trace *t, const ait_att *previous,
                           const ait_att *a)
{
    ait_point end = ait_has(previous->t6.ns) ? previous->t6 : previous->t2;
    int64_t wait = ait_tally_between(end, a->t1);

    if (ait_has(wait) && wait < 0) {
        ait_issue_add(&t->issues, AIT_I_NEGATIVE_DURATION);
        return AIT_ABSENT;
    }
    return wait;
}

static ait_attempt *set_attempt(ait_req *q, const ait_att *a,
                                ait_point origin)
{
    ait_attempt *p = ait_trace_attempt(&q->trace);
    ait_outcome_facts f = ait_att_facts(q, a);
    int64_t headers = ait_tally_between(a->t1, a->t2);

    if (!p)
        return NULL;
    p->number = a->number;
    p->upstream = a->upstream;
    p->channel = a->channel ? a->channel : q->channel;
    p->error_code = a->error_code;
    p->status = a->status;
    p->outcome = ait_outcome_of(&f);
    p->start = at(origin, a->t1);
    p->done = at(origin, a->t6);
    p->headers = headers < 0 ? AIT_ABSENT : headers;
    p->retry_after = a->retry_after;
    if (a->timeline.bytes.len) {
        p->timeline = (const uint8_t *)a->timeline.bytes.data;
        p->timeline_len = a->timeline.bytes.len;
        p->timeline_base = ait_has(origin.ns) ? origin.ns : 0;
    }
    return p;
}

static ait_code set_attempts(ait_req *q, const ait_att *serving,
                             ait_point origin)
{
    ait_trace *t = &q->trace;
    int64_t waited = 0;
    const ait_att *previous = NULL;

    for (const ait_att *a = q->atts; a; previous = a, a = a->next) {
        ait_attempt *p = set_attempt(q, a, origin);

        if (!p)
            return AIT_ENOMEM;
        if (a == serving)
            t->serving = p;
        if (previous) {
            p->wait_before = wait_before(t, previous, a);
            waited = ait_plus(waited, p->wait_before);
        }
    }
    t->num[AIT_N_RETRIES] = q->att_count ? q->att_count - 1 : 0;
    t->num[AIT_N_RETRY_WAIT] = q->att_count > 1 ? waited : AIT_ABSENT;
    return AIT_OK;
}

/* ---- ids -------------------------------------------------------------- */

static bool add_id(ait_trace *t, const char *id)
{
    return !id || ait_trace_id(t, id, strlen(id));
}

/* The one shown to people comes first. */
static ait_code set_ids(ait_req *q, const ait_att *serving)
{
    ait_trace *t = &q->trace;
    const char *shown = q->client_ids ? q->client_ids->value : q->name;
    bool ok;

    for (int i = AIT_ID_REQUEST; serving && i >= AIT_ID_X_REQUEST; i--)
        shown = serving->id[i] ? serving->id[i] : shown;
    t->text[AIT_X_REQUEST_ID] = shown;
    ok = add_id(t, shown);
    for (const ait_att *a = q->atts; a; a = a->next)
        for (int i = 0; i < AIT_ID_COUNT; i++)
            ok = ok && add_id(t, a->id[i]);
    for (const ait_id *id = q->client_ids; id; id = id->next)
        ok = ok && add_id(t, id->value);
    return ok && add_id(t, q->name) ? AIT_OK : AIT_ENOMEM;
}

/* ---- measures --------------------------------------------------------- */

static ait_code add_measure(ait_req *q, ait_measure from)
{
    ait_code code = AIT_OK;
    ait_measure *m;

    if (!ait_has(from.value) || from.value < 0)
        return AIT_OK;
    m = ait_req_measure(q, &code);
    if (!m)
        return code;
    from.next = NULL;
    *m = from;
    return AIT_OK;
}

static bool measured(const ait_trace *t, const char *name)
{
    for (const ait_measure *m = t->measures; m; m = m->next)
        if (strcmp(m->name, name) == 0)
            return true;
    return false;
}

/* Reads with times and no bytes: the first is a first chunk, never t3, also
 * where later ones were kept. */
static int64_t first_chunk(const ait_req *q, const ait_att *a)
{
    bool no_events = a->tally.stat[AIT_S_EVENTS] == 0;

    if (!(a->blind || (no_events && (a->lacking || a->unread))) ||
        measured(&q->trace, "first_chunk"))
        return AIT_ABSENT;
    return ait_tally_between(a->t1, a->first_read);
}

static ait_code set_measures(ait_req *q, const ait_att *a)
{
    const ait_measure own[] = {
        {.name = "first_chunk", .value = first_chunk(q, a),
         .resolution = AIT_ABSENT, .origin = AIT_O_UPSTREAM_START,
         .boundary = AIT_B_FIRST_BODY_CHUNK},
        {.name = "processing", .source_field = a->processing_field,
         .value = a->processing, .resolution = AIT_MS,
         .origin = AIT_O_VENDOR_EDGE, .boundary = AIT_B_HEADERS},
        {.name = "routing", .source_field = "x-routing-time-ms",
         .value = a->routing, .resolution = AIT_MS,
         .origin = AIT_O_VENDOR_EDGE, .boundary = AIT_B_PHASE_END},
    };
    ait_code code = AIT_OK;

    for (size_t i = 0; code == AIT_OK && i < sizeof own / sizeof own[0]; i++)
        code = add_measure(q, own[i]);
    for (const ait_measure *m = a->measures; code == AIT_OK && m; m = m->next)
        code = add_measure(q, *m);
    return code;
}

/* ---- issues ----------------------------------------------------------- */

/* Did something hold back the lines of a capture that stamps lines? Such
 * headers have no time of their own. */
static void check_buffering(ait_req *q, ait_att *a)
{
    const ait_tally *y = &a->tally;
    int64_t span = ait_tally_between(y->first[AIT_FIRST_EVENT], y->last);
    int64_t body = ait_tally_between(a->t2, a->first_read);

    if (!q->replay->segment.lines)
        return;
    if (y->stat[AIT_S_EVENTS] >= BUFFERED_EVENTS && ait_has(span) &&
        span < BUFFERED_SPAN)
        ait_issue_add(&q->trace.issues, AIT_I_RECORDER_BUFFERED);
    if (ait_has(body) && body >= 0 && body < WITH_BODY) {
        ait_issue_add(&q->trace.issues, AIT_I_HEADERS_WITH_BODY);
        a->t2.ns = AIT_ABSENT;
    }
}

static void set_issues(ait_req *q, const ait_att *a)
{
    const ait_segment *s = &q->replay->segment;
    ait_issue_set *issues = &q->trace.issues;

    if (q->lost_before < q->replay->lost)
        ait_issue_add(issues, AIT_I_RECORDER_LOST_DATA);
    if (q->trace.outcome == AIT_OUT_TRUNCATED_CAPTURE)
        ait_issue_add(issues, AIT_I_CAPTURE_TRUNCATED);
    ait_check_spans(&q->trace);
    if (!a)
        return;
    ait_issue_merge(issues, &a->issues);
    if (a->untimed)
        ait_issue_add(issues, AIT_I_NO_EVENT_TIMES);
    if (a->sent && s->t1 == AIT_T1_BRACKETED)
        ait_issue_add(issues, AIT_I_SEND_TIME_BRACKETED);
    if (!a->sent && s->t1 != AIT_T1_UNKNOWN)
        ait_issue_add(issues, AIT_I_RECORD_ORDER);
}

/* ---- the trace -------------------------------------------------------- */

/* A request without attempts was answered by the gateway itself: `done` is
 * all that is known of the answer. */
static ait_outcome outcome_of(const ait_req *q, const ait_att *a)
{
    ait_outcome_facts f = {
        .ended = q->finished,
        .got_headers = true,
        .stream = q->trace.asked_stream,
        .end = q->finished ? AIT_E_EOF : AIT_E_NONE,
    };

    if (a)
        f = ait_att_facts(q, a);
    f.status = q->trace.num[AIT_N_STATUS];
    return ait_outcome_of(&f);
}

static ait_code set_answer(ait_req *q, const ait_att *a, ait_point origin)
{
    ait_trace *t = &q->trace;

    t->stream = a->streamed >= 0 ? a->streamed : t->asked_stream;
    t->text[AIT_X_DIALECT] = a->dialect;
    t->text[AIT_X_FINISH_REASON] = a->finish;
    t->text[AIT_X_ERROR_CODE] = a->error_code;
    if (a->channel)
        t->text[AIT_X_CHANNEL] = a->channel;
    if (!t->text[AIT_X_MODEL])
        t->text[AIT_X_MODEL] = a->model;
    if (!ait_has(q->status))
        t->num[AIT_N_STATUS] = a->status;
    ait_usage_apply(t, &a->usage);
    set_stats(t, a, origin);
    return set_measures(q, a);
}

static uint64_t hash_number(uint64_t seed, int64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)v);

    return ait_hash64(seed, digits, (size_t)n);
}

/* Segment and req (the start told apart where a req is used again). A
 * recording that grew brings the same request once more. */
static uint64_t source_of(const ait_req *q)
{
    const ait_replay *r = q->replay;
    const char *seg = r->segment.id;
    uint64_t h;

    if (!r->native || !r->segment.begun || !seg[0])
        return 0;
    h = ait_hash64(0, seg, strlen(seg));
    h = hash_number(h, r->segment.wall);
    h = ait_hash64(h, q->key, q->key_len);
    h = hash_number(h, q->recv.ns);
    return h ? h : 1;
}

static void set_frame(ait_req *q)
{
    const ait_replay *r = q->replay;
    ait_trace *t = &q->trace;

    t->vantage = r->segment.begun ? r->segment.vantage : AIT_V_CLIENT;
    t->text[AIT_X_FORMAT] = r->format;
    t->text[AIT_X_FILE] = r->file;
    t->text[AIT_X_CHANNEL] = q->channel;
    t->num[AIT_N_LINE] = q->line;
    t->source = source_of(q);
    t->num[AIT_N_STATUS] = q->status;
    t->stream = t->asked_stream;
    t->stat[AIT_S_SEEN] = AIT_SEEN_TRACED; /* also where nobody was asked */
}

ait_code ait_req_seal(ait_req *q)
{
    ait_trace *t = &q->trace;
    ait_code code = AIT_OK;
    ait_point origin;
    ait_att *serving;

    for (ait_att *a = q->atts; code == AIT_OK && a; a = a->next)
        code = ait_body_finish(a);
    serving = ait_att_serving(q);
    origin = origin_of(q, &t->origin);
    set_frame(q);
    if (q->replay->segment.begun)
        t->num[AIT_N_TIME] = ait_plus(q->replay->segment.wall, origin.ns);
    if (serving)
        check_buffering(q, serving);
    set_points(q, serving, origin);
    if (code == AIT_OK && serving)
        code = set_answer(q, serving, origin);
    if (code == AIT_OK)
        code = set_attempts(q, serving, origin);
    if (code == AIT_OK)
        code = set_ids(q, serving);
    t->outcome = outcome_of(q, serving);
    set_issues(q, serving);
    return q->replay->no_memory ? AIT_ENOMEM : code;
}
