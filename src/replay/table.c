/* Open requests: found by hash, kept in lists, bounded, recycled. */
#include <stdlib.h>
#include <string.h>

#include "replay/state.h"

/* Most of each list. Two recorder threads are a few hundred records apart
 * at most; retries come back within a few thousand requests. */
static const size_t list_max[AIT_LIST_COUNT] = {
    [AIT_LIST_OPEN] = 65536,
    [AIT_LIST_IDLE] = 2048,
    [AIT_LIST_CLOSING] = 512,
};
#define SPARE_MAX 256
#define ARENA_MAX ((size_t)8 << 20)

/* ---- lists ------------------------------------------------------------ */

static void unlink_req(ait_req *q)
{
    ait_list *l = &q->replay->list[q->list];

    *(q->prev ? &q->prev->next : &l->head) = q->next;
    *(q->next ? &q->next->prev : &l->tail) = q->prev;
    q->prev = q->next = NULL;
    l->count--;
}

static void append_req(ait_req *q, ait_list_id id)
{
    ait_list *l = &q->replay->list[id];

    q->list = id;
    q->prev = l->tail;
    *(l->tail ? &l->tail->next : &l->head) = q;
    l->tail = q;
    l->count++;
}

static ait_list_id list_of(const ait_req *q)
{
    if (q->finished)
        return AIT_LIST_CLOSING;
    return q->atts && q->att_open == 0 ? AIT_LIST_IDLE : AIT_LIST_OPEN;
}

ait_code ait_req_settle(ait_req *q)
{
    ait_replay *r = q->replay;
    ait_list_id id = list_of(q);

    if (id == q->list)
        return AIT_OK;
    unlink_req(q);
    append_req(q, id);
    if (r->list[id].count <= list_max[id])
        return AIT_OK;
    return ait_req_close(r->list[id].head);
}

/* ---- memory ----------------------------------------------------------- */

static void keep_att(ait_replay *r, ait_att *a)
{
    r->timeline_bytes -= a->timeline.bytes.len;
    r->atts--;
    ait_stream_free(a->stream);
    ait_timeline_free(&a->timeline);
    if (r->spare_att_count >= SPARE_MAX) {
        free(a);
        return;
    }
    a->next = r->spare_atts;
    r->spare_atts = a;
    r->spare_att_count++;
}

static void keep_req(ait_replay *r, ait_req *q)
{
    ait_trace trace;

    for (ait_att *a = q->atts, *next; a; a = next) {
        next = a->next;
        keep_att(r, a);
    }
    if (r->spare_req_count >= SPARE_MAX) {
        ait_trace_free(&q->trace);
        free(q);
        return;
    }
    ait_trace_reset(&q->trace);
    trace = q->trace;
    memset(q, 0, sizeof *q);
    q->trace = trace;
    q->next = r->spare_reqs;
    r->spare_reqs = q;
    r->spare_req_count++;
}

static ait_req *take_req(ait_replay *r)
{
    ait_req *q = r->spare_reqs;

    if (q) {
        r->spare_reqs = q->next;
        r->spare_req_count--;
        q->next = NULL;
        return q;
    }
    q = ait_alloc(sizeof *q);
    if (!q)
        return NULL;
    ait_trace_init(&q->trace);
    q->trace.arena.max = ARENA_MAX;
    return q;
}

static ait_att *take_att(ait_replay *r)
{
    ait_att *a = r->spare_atts;

    if (a) {
        r->spare_atts = a->next;
        r->spare_att_count--;
        memset(a, 0, sizeof *a);
    } else {
        a = ait_alloc(sizeof *a);
        if (!a)
            return NULL;
    }
    ait_timeline_init(&a->timeline);
    r->atts++;
    return a;
}

void ait_req_free_all(ait_replay *r)
{
    for (int i = 0; i < AIT_LIST_COUNT; i++)
        while (r->list[i].head) {
            ait_req *q = r->list[i].head;

            unlink_req(q);
            keep_req(r, q);
        }
    for (ait_req *q = r->spare_reqs, *next; q; q = next) {
        next = q->next;
        ait_trace_free(&q->trace);
        free(q);
    }
    for (ait_att *a = r->spare_atts, *next; a; a = next) {
        next = a->next;
        free(a);
    }
    ait_strmap_free(&r->map);
}

/* ---- closing ---------------------------------------------------------- */

/* Where a request stands that had a record of late. Keys that meet in one
 * place cost no more than a look into the map. */
static ait_req **recent_of(ait_replay *r, const char *key, size_t n)
{
    unsigned h = n ? (unsigned char)key[0] * 5u +
                         (unsigned char)key[n / 2] * 7u +
                         (unsigned char)key[n - 1]
                   : 0;

    return &r->recent[h % AIT_RECENT];
}

ait_code ait_req_close(ait_req *q)
{
    ait_replay *r = q->replay;
    ait_req **at;
    ait_code code = AIT_OK;

    unlink_req(q);
    ait_strmap_take(&r->map, q->key, q->key_len);
    at = recent_of(r, q->key, q->key_len);
    if (*at == q)
        *at = NULL;
    if (q->known) {
        code = ait_req_seal(q);
        if (code == AIT_OK)
            code = (ait_code)r->fn(r->ctx, &q->trace);
    } else { /* nothing but what belongs to a request that never came */
        ait_file_issue(r->report, AIT_I_RECORD_ORDER, q->line);
    }
    keep_req(r, q);
    return code;
}

static ait_req *oldest(const ait_replay *r, const ait_req *but)
{
    for (int i = AIT_LIST_COUNT - 1; i >= 0; i--) {
        ait_req *q = r->list[i].head;

        if (q == but && q)
            q = q->next;
        if (q)
            return q;
    }
    return NULL;
}

ait_code ait_req_close_all(ait_replay *r)
{
    ait_code code = AIT_OK;

    for (ait_req *q; code == AIT_OK && (q = oldest(r, NULL)) != NULL;)
        code = ait_req_close(q);
    return code;
}

/* ---- finding and opening ---------------------------------------------- */

/* The key of a request: its `req`, a hash in place of what is too long. */
static ait_str key_of(const ait_record *rec, char *room)
{
    ait_str req = rec->text[AIT_RT_REQ];
    uint64_t h[2];

    if (!req.p)
        return (ait_str){"", 0};
    if (req.n <= AIT_KEY_MAX)
        return req;
    h[0] = ait_hash64(1, req.p, req.n);
    h[1] = ait_hash64(2, req.p, req.n);
    memcpy(room, req.p, AIT_KEY_MAX - sizeof h);
    memcpy(room + AIT_KEY_MAX - sizeof h, h, sizeof h);
    return (ait_str){room, AIT_KEY_MAX};
}

static ait_req *open_req(ait_replay *r, const ait_record *rec, ait_str key)
{
    const ait_point nowhere = {.ns = AIT_ABSENT};
    ait_req *q = take_req(r);

    if (!q)
        return NULL;
    q->replay = r;
    ait_clock_init(&q->clock);
    q->recv = q->done = q->first_arrival = q->first_stamp = nowhere;
    q->status = AIT_ABSENT;
    q->line = rec->line;
    q->lost_before = r->lost;
    q->name = ait_trace_keep(&q->trace, rec->text[AIT_RT_REQ].p,
                             rec->text[AIT_RT_REQ].n);
    q->key = ait_arena_strndup(&q->trace.arena, key.p, key.n);
    q->key_len = key.n;
    append_req(q, AIT_LIST_OPEN);
    if (!q->key || !ait_strmap_set(&r->map, key.p, key.n, q)) {
        unlink_req(q);
        keep_req(r, q);
        return NULL;
    }
    return q;
}

ait_req *ait_req_of(ait_replay *r, const ait_record *rec)
{
    char room[AIT_KEY_MAX];
    ait_str key = key_of(rec, room);
    ait_req **at = recent_of(r, key.p, key.n), *q = *at;

    if (q && q->key_len == key.n && memcmp(q->key, key.p, key.n) == 0)
        return q;
    q = ait_strmap_get(&r->map, key.p, key.n);
    if (!q)
        q = open_req(r, rec, key);
    return *at = q;
}

ait_code ait_req_bound(ait_replay *r)
{
    const ait_list *open = &r->list[AIT_LIST_OPEN];
    ait_code code = AIT_OK;

    while (code == AIT_OK && open->count > list_max[AIT_LIST_OPEN])
        code = ait_req_close(open->head);
    return code;
}

static ait_code open_att(ait_req *q, int number, ait_att **at)
{
    const ait_point nowhere = {.ns = AIT_ABSENT};
    ait_att *a = take_att(q->replay);

    if (!a)
        return AIT_ENOMEM;
    a->req = q;
    a->number = number;
    a->t1 = a->t2 = a->t6 = a->first_read = nowhere;
    a->status = a->retry_after = AIT_ABSENT;
    a->processing = a->routing = AIT_ABSENT;
    a->streamed = -1;
    ait_usage_init(&a->usage);
    ait_tally_init(&a->tally);
    a->next = *at;
    *at = a;
    q->att_count++;
    q->att_open++;
    q->current = a;
    return AIT_OK;
}

/* Room for one more attempt: the oldest other request gives way. */
static ait_code make_room(ait_req *q)
{
    ait_replay *r = q->replay;
    ait_req *old;
    ait_code code = AIT_OK;

    while (code == AIT_OK && r->atts >= AIT_ATTEMPTS_OPEN_MAX &&
           (old = oldest(r, q)) != NULL)
        code = ait_req_close(old);
    return code;
}

/* The number a record gives; without one, that of the last attempt. */
static int64_t number_of(const ait_req *q, const ait_record *rec)
{
    int64_t n = rec->num[AIT_RN_ATT];

    if (ait_has(n))
        return n;
    return q->current ? q->current->number : 1;
}

ait_code ait_att_of(ait_req *q, const ait_record *rec, ait_att **out)
{
    int64_t n = number_of(q, rec);
    ait_att **at = &q->atts;
    ait_code code;

    *out = q->current;
    if (q->current && q->current->number == n)
        return AIT_OK;
    while (*at && (*at)->number < n)
        at = &(*at)->next;
    *out = *at && (*at)->number == n ? *at : NULL;
    if (*out) {
        q->current = *out;
        return AIT_OK;
    }
    if (n < 1 || n > INT32_MAX || q->att_count >= AIT_ATTEMPTS_MAX) {
        ait_issue_add(&q->trace.issues, AIT_I_VALUE_IGNORED);
        return AIT_OK;
    }
    code = make_room(q);
    if (code == AIT_OK)
        code = open_att(q, (int)n, at);
    *out = code == AIT_OK ? *at : NULL;
    return code;
}
