/* Reads of a response body: into the stream parser, and what comes out of
 * it into the tally and the timeline of the attempt. */
#include <string.h>

#include "base/text.h"
#include "replay/state.h"

/* ---- events ----------------------------------------------------------- */

static void take_event(ait_att *a, const ait_event *e, int axis)
{
    ait_replay *r = a->req->replay;
    size_t before = a->timeline.bytes.len;

    ait_tally_event(&a->tally, e, axis);
    if (r->timeline_bytes >= AIT_TIMELINES_MAX ||
        before + 64 > AIT_TIMELINE_MAX)
        return; /* counted, not kept */
    if (!ait_timeline_add(&a->timeline, e))
        r->no_memory = true;
    r->timeline_bytes += a->timeline.bytes.len - before;
}

/* Events may come out later than their read: the axis is that of the
 * read. */
static void on_event(void *ctx, const ait_event *e)
{
    ait_att *a = ctx;
    int axis = 0;

    while (axis < a->req->clock.steps && e->read > a->step_feed[axis])
        axis++;
    take_event(a, e, axis);
}

/* ---- reads ------------------------------------------------------------ */

/* The attempt and time of a record that is an arrival of its body; *out is
 * NULL where the record does not count. */
static ait_code arrival(ait_req *q, const ait_record *rec, ait_att **out,
                        ait_point *at)
{
    ait_code code = ait_att_of(q, rec, out);
    ait_att *a = *out;

    if (code != AIT_OK || !a)
        return code;
    if (a->ended) {
        ait_issue_add(&q->trace.issues, AIT_I_RECORD_ORDER);
        *out = NULL;
        return AIT_OK;
    }
    *at = (ait_point){.ns = AIT_ABSENT};
    if (rec->untimed) {
        a->untimed = true;
    } else {
        *at = ait_req_tick(q, rec->num[AIT_RN_NS]);
        ait_req_arrival(q, *at);
    }
    if (a->tally.stat[AIT_S_READS] == 0)
        a->first_read = *at;
    return AIT_OK;
}

static ait_code open_stream(ait_att *a)
{
    ait_replay *r = a->req->replay;
    ait_stream_head head = {
        .content_type = a->content_type,
        .content_encoding = a->content_encoding,
        .status = a->status,
        .ask = r->ask,
        .ask_ctx = r->ask_ctx,
    };

    if (a->stream)
        return AIT_OK;
    if (!r->work)
        r->work = ait_stream_work_new();
    if (!r->work)
        return AIT_ENOMEM;
    head.work = r->work;
    a->stream = ait_stream_new(&head, on_event, a);
    return a->stream ? AIT_OK : AIT_ENOMEM;
}

static void not_recorded(ait_att *a)
{
    a->lacking = true;
    ait_issue_add(&a->issues, AIT_I_CONTENT_NOT_RECORDED);
}

ait_code ait_on_data(ait_req *q, const ait_record *rec)
{
    ait_str bytes = rec->text[AIT_RT_DATA];
    ait_point at;
    ait_att *a;
    ait_code code = arrival(q, rec, &a, &at);

    if (code != AIT_OK || !a || (bytes.p && bytes.n == 0))
        return code;
    a->tally.stat[AIT_S_READS]++;
    if (!bytes.p) {
        a->blind |= a->tally.stat[AIT_S_READS] == 1;
        not_recorded(a);
        ait_tally_unseen(&a->tally);
        return AIT_OK;
    }
    code = open_stream(a);
    if (code != AIT_OK)
        return code;
    a->feeds++;
    return ait_stream_feed(a->stream, at.ns, bytes.p, bytes.n);
}

ait_code ait_on_event(ait_req *q, const ait_record *rec)
{
    ait_str data = rec->text[AIT_RT_DATA], name = rec->text[AIT_RT_EVENT];
    ait_point at;
    ait_att *a;
    ait_code code = arrival(q, rec, &a, &at);

    if (code != AIT_OK || !a)
        return code;
    code = open_stream(a);
    if (code != AIT_OK)
        return code;
    a->tally.stat[AIT_S_READS]++;
    a->feeds++;
    return ait_stream_event(a->stream, at.ns, name.p, name.n,
                            data.p ? data.p : "", data.n);
}

/* ---- marks ------------------------------------------------------------ */

/* Last word wins; one piece of memory for all of them. */
static ait_code overwrite(ait_att *a, ait_str s, char **to)
{
    if (!s.p || s.n == 0)
        return AIT_OK;
    if (!*to)
        *to = ait_arena_alloc(&a->req->trace.arena, AIT_TEXT_MAX + 1);
    if (!*to)
        return AIT_ENOMEM;
    ait_keep_text(s.p, s.n, *to);
    return AIT_OK;
}

/* Counts in a mark may be running ones; they are a lower bound where no end
 * follows. */
static ait_code mark_facts(ait_att *a, const ait_record *rec)
{
    ait_str finish = rec->text[AIT_RT_FINISH];
    ait_str error = rec->text[AIT_RT_ERROR];
    ait_code code = AIT_OK;

    if (ait_is_identifier(finish.p, finish.n)) /* a sentence is not kept */
        code = overwrite(a, finish, &a->finish);
    ait_usage_merge(&a->usage, &rec->usage);
    a->usage.running = true;
    a->terminal |= finish.n > 0 || rec->kinds & AIT_C_FINISH;
    a->stream_error |= error.n > 0 || rec->kinds & AIT_C_ERROR;
    if (!error.n || !ait_is_identifier(error.p, error.n))
        return code;
    a->rate_limit |= ait_is_rate_limit_word(error.p, error.n);
    return code == AIT_OK ? overwrite(a, error, &a->error_code) : code;
}

static ait_event event_of_mark(const ait_att *a, const ait_record *rec,
                               int64_t ns)
{
    int64_t len = rec->num[AIT_RN_LEN];
    ait_event e = {.ns = ns, .read = a->mark_read, .classes = rec->kinds,
                   .comment = rec->comment};

    if (len > 0)
        e.length = len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
    e.text_length = rec->kinds & AIT_C_VISIBLE ? e.length : 0;
    return e;
}

ait_code ait_on_mark(ait_req *q, const ait_record *rec)
{
    int64_t read = rec->num[AIT_RN_READ];
    ait_point at;
    ait_att *a;
    ait_event e;
    ait_code code = arrival(q, rec, &a, &at);

    if (code != AIT_OK || !a)
        return code;
    if (read < 1 || (uint64_t)read != a->mark_read) {
        a->tally.stat[AIT_S_READS]++;
        a->mark_read = read < 1 ? a->mark_read + 1 : (uint64_t)read;
    }
    if (rec->kinds == 0 && !rec->comment)
        not_recorded(a);
    if (rec->kinds & AIT_C_VISIBLE)
        ait_tally_maybe_blank(&a->tally);
    e = event_of_mark(a, rec, at.ns);
    take_event(a, &e, q->clock.steps);
    return mark_facts(a, rec);
}

/* ---- the end of a body ------------------------------------------------ */

static ait_code take_measures(ait_att *a, const ait_measure *from)
{
    ait_arena *arena = &a->req->trace.arena;
    ait_measure **end = &a->measures;

    for (int n = 0; from && n < AIT_BODY_MEASURES_MAX; n++) {
        ait_measure *m = ait_arena_alloc(arena, sizeof *m);

        if (!m)
            return AIT_ENOMEM;
        *m = *from;
        m->next = NULL;
        m->name = ait_arena_strdup(arena, from->name);
        m->source_field = ait_arena_strdup(arena, from->source_field);
        if (!m->name || (from->source_field && !m->source_field))
            return AIT_ENOMEM;
        *end = m;
        end = &m->next;
        from = from->next;
    }
    return AIT_OK;
}

static ait_str str(const char *s)
{
    return (ait_str){s, strlen(s)};
}

static ait_code take_facts(ait_att *a, const ait_stream_facts *f)
{
    ait_code code = take_measures(a, f->measures);

    a->dialect = f->dialect;
    a->streamed = f->streamed;
    a->terminal |= f->terminal;
    a->stream_error |= f->error_seen;
    a->rate_limit |= f->rate_limit;
    a->unread = f->unread;
    a->body_text = f->body_text;
    a->body_other = f->body_other;
    a->body_reasoning = f->body_reasoning;
    a->body_opaque = f->body_opaque;
    a->body_cut = f->body_cut;
    a->tally.stat[AIT_S_PARTIAL_BYTES] = f->partial_bytes;
    ait_issue_merge(&a->issues, &f->issues);
    if (a->mark_read == 0)
        a->usage = f->usage;
    if (code == AIT_OK && f->model[0])
        a->model = ait_req_keep(a->req, str(f->model), &code);
    if (code == AIT_OK)
        code = overwrite(a, str(f->finish_reason), &a->finish);
    if (code == AIT_OK)
        code = overwrite(a, str(f->error_code), &a->error_code);
    return code;
}

ait_code ait_body_finish(ait_att *a)
{
    ait_code code = AIT_OK;

    if (a->over)
        return AIT_OK;
    a->over = true;
    if (a->content_type && !a->stream)
        code = open_stream(a); /* no bytes: the type still says what kind */
    if (code == AIT_OK && a->stream)
        code = ait_stream_end(a->stream);
    if (code == AIT_OK && a->stream)
        code = take_facts(a, ait_stream_get(a->stream));
    ait_stream_free(a->stream);
    a->stream = NULL;
    if (a->mark_read)
        a->streamed = 1;
    if (a->streamed == 0) {
        ait_tally_not_streamed(&a->tally);
        a->req->replay->timeline_bytes -= a->timeline.bytes.len;
        ait_buf_clear(&a->timeline.bytes);
    }
    ait_buf_trim(&a->timeline.bytes); /* it may wait for long */
    return code;
}

ait_code ait_on_end(ait_req *q, const ait_record *rec)
{
    ait_str how = rec->text[AIT_RT_HOW];
    int end = how.p ? ait_word(ait_end_name, AIT_E_COUNT, how.p, how.n) : -1;
    ait_att *a;
    ait_code code = ait_att_of(q, rec, &a);

    if (code != AIT_OK || !a)
        return code;
    if (a->ended) {
        ait_issue_add(&q->trace.issues, AIT_I_RECORD_ORDER);
        return AIT_OK;
    }
    a->ended = true;
    q->att_open--;
    a->end = end > AIT_E_NONE ? (ait_end)end : AIT_E_UNKNOWN;
    if (a->end == AIT_E_UNKNOWN)
        ait_issue_add(&a->issues, AIT_I_UNKNOWN_END);
    if (!rec->untimed)
        a->t6 = ait_req_tick(q, rec->num[AIT_RN_NS]);
    code = ait_body_finish(a);
    ait_tally_end(&a->tally, a->t6);
    return code == AIT_OK ? ait_req_settle(q) : code;
}
