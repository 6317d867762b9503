/* What is said of a request besides its times: recv, send, done, phases,
 * measures, issues. */
#include <string.h>

#include "base/text.h"
#include "replay/state.h"

static const struct {
    ait_rec_text from;
    ait_text_field to;
} text_facts[] = {
    {AIT_RT_MODEL, AIT_X_MODEL},   {AIT_RT_PROVIDER, AIT_X_PROVIDER},
    {AIT_RT_GROUP, AIT_X_GROUP},   {AIT_RT_ROUTE, AIT_X_ROUTE},
    {AIT_RT_REGION, AIT_X_REGION},
    {AIT_RT_REASONING_EFFORT, AIT_X_REASONING_EFFORT},
};
static const struct {
    ait_rec_num from;
    ait_num_field to;
} num_facts[] = {
    {AIT_RN_MAX_TOKENS, AIT_N_MAX_TOKENS},
    {AIT_RN_TOOLS, AIT_N_TOOLS},
    {AIT_RN_INFLIGHT, AIT_N_INFLIGHT},
    {AIT_RN_TEMPERATURE, AIT_N_TEMPERATURE},
    {AIT_RN_TOP_P, AIT_N_TOP_P},
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---- shared ----------------------------------------------------------- */

const char *ait_req_keep(ait_req *q, ait_str s, ait_code *code)
{
    const char *text = ait_trace_keep(&q->trace, s.p, s.n);

    if (!text && s.p && s.n)
        *code = AIT_ENOMEM;
    return text;
}

/* Before the clock's step, every attempt had this many reads: later ones
 * are on the next axis, however late their events come out. */
static void stepped(ait_req *q)
{
    for (ait_att *a = q->atts; a; a = a->next)
        a->step_feed[q->clock.steps - 1] = a->feeds;
}

ait_point ait_req_tick(ait_req *q, int64_t stamp)
{
    ait_clock_fault fault;
    ait_point now;

    now.ns = ait_clock_tick(&q->clock, stamp, &fault);
    now.axis = (uint8_t)q->clock.steps;
    if (fault != AIT_CLOCK_FINE)
        ait_issue_add(&q->trace.issues, AIT_I_CLOCK_WENT_BACK);
    if (fault == AIT_CLOCK_STEP && !q->clock.lost)
        stepped(q);
    if (!ait_has(q->first_stamp.ns))
        q->first_stamp = now;
    return now;
}

void ait_req_arrival(ait_req *q, ait_point at)
{
    if (!ait_has(q->first_arrival.ns))
        q->first_arrival = at;
}

/* ---- request facts ---------------------------------------------------- */

/* Ids may stand under any header name, but not a secret or an address. */
static bool secret_header(ait_str name)
{
    static const char *const parts[] = {"auth",   "key",    "cookie",
                                        "token",  "secret", "forwarded",
                                        "-ip",    "session"};

    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t n = strlen(parts[i]);

        for (size_t at = 0; at + n <= name.n; at++) {
            size_t k = 0;

            while (k < n && (name.p[at + k] | 0x20) == parts[i][k])
                k++;
            if (k == n)
                return true;
        }
    }
    return false;
}

static ait_code client_ids(ait_req *q, const ait_record *rec)
{
    ait_code code = AIT_OK;
    ait_id **end = &q->client_ids;
    int count = 0;

    for (; *end; end = &(*end)->next)
        count++;
    for (int i = 0; i < rec->headers && code == AIT_OK; i++) {
        const ait_header *h = &rec->header[i];
        const char *value;

        if (secret_header(h->name) || count == AIT_CLIENT_IDS_MAX)
            continue;
        value = ait_req_keep(q, h->value, &code);
        if (!value)
            continue;
        *end = ait_arena_alloc(&q->trace.arena, sizeof **end);
        if (!*end)
            return AIT_ENOMEM;
        (*end)->value = value;
        end = &(*end)->next;
        count++;
    }
    return code;
}

static ait_code endpoint(ait_req *q, const ait_record *rec)
{
    char path[AIT_TEXT_MAX + 1];
    ait_str s = rec->text[AIT_RT_PATH];

    if (!s.p || q->trace.text[AIT_X_ENDPOINT])
        return AIT_OK;
    ait_keep_path(s.p, s.n, path);
    return ait_trace_text(&q->trace, AIT_X_ENDPOINT, path, strlen(path))
               ? AIT_OK : AIT_ENOMEM;
}

ait_code ait_req_facts(ait_req *q, const ait_record *rec)
{
    ait_trace *t = &q->trace;
    ait_code code = AIT_OK;

    for (size_t i = 0; i < COUNT(text_facts); i++) {
        ait_str s = rec->text[text_facts[i].from];

        if (!t->text[text_facts[i].to])
            t->text[text_facts[i].to] = ait_req_keep(q, s, &code);
    }
    for (size_t i = 0; i < COUNT(num_facts); i++) {
        int64_t *to = &t->num[num_facts[i].to];

        if (!ait_has(*to) && rec->num[num_facts[i].from] >= 0)
            *to = rec->num[num_facts[i].from];
    }
    if (t->asked_stream < 0)
        t->asked_stream = rec->stream;
    if (code == AIT_OK)
        code = endpoint(q, rec);
    return code == AIT_OK ? client_ids(q, rec) : code;
}

static void out_of_order(ait_req *q)
{
    ait_issue_add(&q->trace.issues, AIT_I_RECORD_ORDER);
}

ait_code ait_on_recv(ait_req *q, const ait_record *rec)
{
    ait_code code = AIT_OK;

    if (q->received) {
        out_of_order(q);
        return AIT_OK;
    }
    q->received = true;
    q->recv = ait_req_tick(q, rec->num[AIT_RN_NS]);
    if (!q->channel)
        q->channel = ait_req_keep(q, rec->text[AIT_RT_CHANNEL], &code);
    return code == AIT_OK ? ait_req_facts(q, rec) : code;
}

static ait_code upstream(ait_req *q, ait_att *a, const ait_record *rec)
{
    char host[AIT_TEXT_MAX + 1];
    ait_str s = rec->text[AIT_RT_UPSTREAM];
    ait_code code = AIT_OK;

    if (!s.p)
        return AIT_OK;
    ait_keep_host(s.p, s.n, host);
    a->upstream = ait_req_keep(q, (ait_str){host, strlen(host)}, &code);
    return code;
}

ait_code ait_on_send(ait_req *q, const ait_record *rec)
{
    ait_att *a;
    ait_code code = ait_att_of(q, rec, &a);

    if (code != AIT_OK || !a)
        return code;
    if (a->sent) {
        out_of_order(q);
        return AIT_OK;
    }
    a->sent = true;
    if (q->replay->segment.t1 != AIT_T1_UNKNOWN)
        a->t1 = ait_req_tick(q, rec->num[AIT_RN_NS]);
    a->channel = ait_req_keep(q, rec->text[AIT_RT_CHANNEL], &code);
    if (code == AIT_OK)
        code = upstream(q, a, rec);
    if (code == AIT_OK)
        code = ait_req_facts(q, rec);
    return code == AIT_OK ? ait_req_settle(q) : code;
}

ait_code ait_on_done(ait_req *q, const ait_record *rec)
{
    if (q->finished) {
        out_of_order(q);
        return AIT_OK;
    }
    q->finished = true;
    q->done = ait_req_tick(q, rec->num[AIT_RN_NS]);
    if (rec->num[AIT_RN_STATUS] >= 100)
        q->status = rec->num[AIT_RN_STATUS];
    return ait_req_settle(q);
}

/* ---- phases, measures, issues ----------------------------------------- */

/* The three named phases have fields of their own, the others are
 * measures. */
static const struct {
    const char *name;
    int field; /* -1: a measure */
} phases[] = {
    {"auth", AIT_T_AUTH}, {"distribution", AIT_T_DISTRIBUTION},
    {"body_read", AIT_T_BODY_READ}, {"queue", -1}, {"dns", -1},
    {"tcp", -1}, {"tls", -1}, {"backoff", -1},
};

ait_measure *ait_req_measure(ait_req *q, ait_code *code)
{
    ait_measure *m;

    if (q->measures >= AIT_MEASURES_MAX) {
        ait_issue_add(&q->trace.issues, AIT_I_VALUE_IGNORED);
        return NULL;
    }
    m = ait_trace_measure(&q->trace);
    if (!m)
        *code = AIT_ENOMEM;
    else
        q->measures++;
    return m;
}

static ait_code phase_measure(ait_req *q, const char *name, int64_t ns)
{
    ait_code code = AIT_OK;
    ait_measure *m;

    for (m = q->trace.measures; m; m = m->next)
        if (m->origin == AIT_O_LOCAL && strcmp(m->name, name) == 0)
            break;
    if (m) {
        m->value = ait_plus(m->value, ns);
        return AIT_OK;
    }
    m = ait_req_measure(q, &code);
    if (!m)
        return code;
    m->name = name;
    m->value = ns;
    m->origin = AIT_O_LOCAL;
    m->boundary = AIT_B_PHASE_END;
    return AIT_OK;
}

ait_code ait_on_phase(ait_req *q, const ait_record *rec)
{
    ait_str name = rec->text[AIT_RT_NAME];
    int64_t ns = rec->num[AIT_RN_DUR_NS], *field;
    size_t i = 0;

    while (i < COUNT(phases) &&
           !(name.p && strlen(phases[i].name) == name.n &&
             memcmp(phases[i].name, name.p, name.n) == 0))
        i++;
    if (i == COUNT(phases) || ns < 0) {
        ait_issue_add(&q->trace.issues, AIT_I_VALUE_IGNORED);
        return AIT_OK;
    }
    if (phases[i].field < 0)
        return phase_measure(q, phases[i].name, ns);
    field = &q->trace.phase[phases[i].field];
    *field = ait_has(*field) ? ait_plus(*field, ns) : ns;
    return AIT_OK;
}

static int word_of(const char *const *names, int n, ait_str s)
{
    return s.p ? ait_word(names, n, s.p, s.n) : -1;
}

ait_code ait_on_measure(ait_req *q, const ait_record *rec)
{
    int origin = word_of(ait_origin_name, AIT_O_COUNT,
                         rec->text[AIT_RT_ORIGIN]);
    int boundary = word_of(ait_boundary_name, AIT_B_COUNT,
                           rec->text[AIT_RT_BOUNDARY]);
    int quality = word_of(ait_quality_name, AIT_Q_COUNT,
                          rec->text[AIT_RT_QUALITY]);
    ait_str name = rec->text[AIT_RT_NAME];
    ait_code code = AIT_OK;
    ait_measure *m;

    if (origin < 0 || boundary < 0 || rec->num[AIT_RN_VALUE_NS] < 0 ||
        !name.p || !ait_is_identifier(name.p, name.n)) {
        ait_issue_add(&q->trace.issues, AIT_I_VALUE_IGNORED);
        return AIT_OK;
    }
    m = ait_req_measure(q, &code);
    if (!m)
        return code;
    m->name = ait_req_keep(q, name, &code);
    m->source_field = ait_req_keep(q, rec->text[AIT_RT_SOURCE_FIELD], &code);
    m->value = rec->num[AIT_RN_VALUE_NS];
    m->origin = (ait_origin)origin;
    m->boundary = (ait_boundary)boundary;
    m->quality = quality < 0 ? AIT_Q_OK : (ait_quality)quality;
    return code;
}

ait_code ait_on_issue(ait_req *q, const ait_record *rec)
{
    ait_str id = rec->text[AIT_RT_ID];
    int issue = id.p ? ait_issue_find(id.p, id.n) : -1;
    int64_t n = rec->num[AIT_RN_COUNT_OF];
    uint32_t *count;

    if (issue < 0 || (ait_has(n) && n < 0)) {
        ait_issue_add(&q->trace.issues, AIT_I_VALUE_IGNORED);
        return AIT_OK;
    }
    count = &q->trace.issues.count[issue];
    n = ait_has(n) ? n : 1;
    *count = n > UINT32_MAX - *count ? UINT32_MAX : *count + (uint32_t)n;
    return AIT_OK;
}
