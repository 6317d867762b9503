/* Response headers: the status, and the few fields that are kept. */
#include <string.h>

#include "replay/state.h"

typedef ait_code take_header(ait_att *a, const ait_header *h);

static ait_code keep_into(ait_att *a, ait_str value, const char **to)
{
    ait_code code = AIT_OK;

    if (!*to)
        *to = ait_req_keep(a->req, value, &code);
    return code;
}

static ait_code content_type(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->content_type);
}

static ait_code content_encoding(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->content_encoding);
}

static ait_code x_request_id(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->id[AIT_ID_X_REQUEST]);
}

static ait_code request_id(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->id[AIT_ID_REQUEST]);
}

static ait_code task_id(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->id[AIT_ID_TASK]);
}

static ait_code billing_id(ait_att *a, const ait_header *h)
{
    return keep_into(a, h->value, &a->id[AIT_ID_BILLING]);
}

static bool named(const char *s, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] | 0x20) : s[i];

        if (c != name[i] || !name[i])
            return false;
    }
    return name[n] == '\0';
}

/* Without the blanks around it, which belong to no value. */
static ait_str trimmed(ait_str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t')) {
        s.p++;
        s.n--;
    }
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* A number of at least 0 times scale; absent where it is none. */
static int64_t number(ait_str s, int64_t scale)
{
    int64_t v;

    return ait_decimal_read(s.p, s.n, scale, &v) && v >= 0 ? v : AIT_ABSENT;
}

static ait_code routing(ait_att *a, const ait_header *h)
{
    a->routing = number(h->value, AIT_MS);
    return AIT_OK;
}

/* Dates are given against the answer's own date: one clock. The wall time
 * of the headers is the next best. */
static int64_t until(const ait_record *rec, int64_t then, int64_t wall)
{
    for (int i = 0; i < rec->headers; i++) {
        const ait_header *h = &rec->header[i];
        ait_str value = trimmed(h->value);
        int64_t date;

        if (!h->name.p || !h->value.p || !named(h->name.p, h->name.n, "date"))
            continue;
        date = ait_http_date(value.p, value.n);
        if (ait_has(date))
            wall = date;
    }
    then = ait_minus(then, wall);
    return ait_has(then) && then < 0 ? 0 : then;
}

static void retry_after(ait_att *a, const ait_record *rec, ait_str value)
{
    int64_t wall = ait_plus(a->req->replay->segment.wall, a->t2.ns);
    int64_t then = ait_http_date(value.p, value.n);

    a->retry_after = ait_has(then) ? until(rec, then, wall)
                                   : number(value, AIT_SEC);
}

/* ---- the allow-list --------------------------------------------------- */

/* Rate-limit figures are allowed in a capture, but nothing shows them: they
 * are dropped like any other header. */
static const struct {
    const char *name;
    take_header *take;
} headers[] = {
    {"content-type", content_type},
    {"content-encoding", content_encoding},
    {"x-request-id", x_request_id},
    {"request-id", request_id},
    {"x-routing-time-ms", routing},
    {"x-task-id", task_id},
    {"x-billing-transaction-id", billing_id},
};

static bool ends_with(ait_str s, const char *end)
{
    size_t n = strlen(end);

    return s.n > n && named(s.p + s.n - n, n, end);
}

static ait_code one_header(ait_att *a, const ait_record *rec,
                           const ait_header *h)
{
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (named(h->name.p, h->name.n, headers[i].name))
            return headers[i].take(a, h);
    if (named(h->name.p, h->name.n, "retry-after"))
        retry_after(a, rec, h->value);
    if (ends_with(h->name, "-processing-ms") && !ait_has(a->processing)) {
        a->processing = number(h->value, AIT_MS);
        return keep_into(a, h->name, &a->processing_field);
    }
    return AIT_OK;
}

ait_code ait_on_head(ait_req *q, const ait_record *rec)
{
    int64_t status = rec->num[AIT_RN_STATUS];
    ait_att *a;
    ait_code code = ait_att_of(q, rec, &a);

    if (code != AIT_OK || !a)
        return code;
    if (status >= 100 && status < 200) {
        ait_req_tick(q, rec->num[AIT_RN_NS]);
        return AIT_OK;
    }
    if (a->headed || a->ended) {
        ait_issue_add(&q->trace.issues, AIT_I_RECORD_ORDER);
        return AIT_OK;
    }
    a->headed = true;
    a->status = status >= 100 ? status : AIT_ABSENT;
    a->t2 = ait_req_tick(q, rec->num[AIT_RN_NS]);
    ait_req_arrival(q, a->t2);
    for (int i = 0; i < rec->headers && code == AIT_OK; i++) {
        ait_header h = rec->header[i];

        h.value = trimmed(h.value);
        if (h.name.p && h.value.p)
            code = one_header(a, rec, &h);
    }
    return code;
}
