/* Traces made of log records. */
#include "input/logtrace.h"

#include <string.h>
#include "base/text.h"

static const struct {
    const char *word;
    ait_end end;
} end_words[] = {
    {"client_gone", AIT_E_CANCELLED},
    {"client_closed", AIT_E_CANCELLED},
    {"client_closed_request", AIT_E_CANCELLED},
    {"client_disconnected", AIT_E_CANCELLED},
    {"client_disconnect", AIT_E_CANCELLED},
    {"client_cancelled", AIT_E_CANCELLED},
    {"client_canceled", AIT_E_CANCELLED},
    {"cancelled", AIT_E_CANCELLED},
    {"canceled", AIT_E_CANCELLED},
    {"context_canceled", AIT_E_CANCELLED},
    {"request_cancelled", AIT_E_CANCELLED},
    {"request_canceled", AIT_E_CANCELLED},
    {"timeout", AIT_E_TIMEOUT},
    {"Timeout", AIT_E_TIMEOUT},
    {"timed_out", AIT_E_TIMEOUT},
    {"upstream_timeout", AIT_E_TIMEOUT},
    {"gateway_timeout", AIT_E_TIMEOUT},
    {"queue_timeout", AIT_E_TIMEOUT},
    {"request_timeout", AIT_E_TIMEOUT},
    {"deadline_exceeded", AIT_E_TIMEOUT},
    {"context_deadline_exceeded", AIT_E_TIMEOUT},
};

ait_end ait_end_word(const char *s, size_t n)
{
    size_t i;

    if (n == 0 || !strchr("cdgqrtTu", *s)) /* how they begin: few others do */
        return AIT_E_NONE;
    for (i = 0; i < sizeof end_words / sizeof *end_words; i++)
        if (end_words[i].word[0] == *s && strlen(end_words[i].word) == n &&
            memcmp(end_words[i].word, s, n) == 0)
            return end_words[i].end;
    return AIT_E_NONE;
}

static void fill_serving(ait_trace *t, ait_attempt *a)
{
    a->channel = t->text[AIT_X_CHANNEL];
    a->error_code = t->text[AIT_X_ERROR_CODE];
    a->status = t->num[AIT_N_STATUS];
    a->start = ait_span(t, AIT_P_ORIGIN, AIT_P_T1);
    a->done = ait_span(t, AIT_P_ORIGIN, AIT_P_T6);
    a->headers = ait_span(t, AIT_P_T1, AIT_P_T2);
    t->serving = a;
}

bool ait_log_attempts(ait_trace *t, int64_t count)
{
    int64_t i;

    if (!ait_has(count))
        return true;
    if (count < 0 || count > AIT_LOG_ATTEMPTS_MAX) {
        ait_issue_add(&t->issues, AIT_I_VALUE_IGNORED);
        return true;
    }
    t->num[AIT_N_RETRIES] = count > 0 ? count - 1 : 0;
    for (i = 1; i <= count; i++) {
        ait_attempt *a = ait_trace_attempt(t);

        if (!a)
            return false;
        a->number = (int)i;
        if (i == count)
            fill_serving(t, a);
    }
    return true;
}

void ait_log_place(ait_trace *t, const ait_file_report *report,
                   int64_t line)
{
    t->num[AIT_N_LINE] = line;
    t->text[AIT_X_FORMAT] = report->format;
    t->text[AIT_X_FILE] = report->name;
}

bool ait_log_error_code(ait_trace *t, const char *s, size_t n)
{
    if (!ait_is_identifier(s, n)) {
        ait_issue_add(&t->issues, AIT_I_VALUE_IGNORED);
        return true;
    }
    return ait_trace_text(t, AIT_X_ERROR_CODE, s, n);
}

void ait_log_point(ait_trace *t, ait_point_id p, int64_t ns, int axis)
{
    t->point[p].ns = ns;
    t->point[p].axis = (uint8_t)axis;
}

void ait_log_upstream(ait_trace *t, int64_t start, int64_t headers)
{
    int axis = ait_has(start) ? 0 : AIT_AXIS_UPSTREAM;

    if (!ait_has(start))
        start = ait_has(headers) ? 0 : AIT_ABSENT;
    ait_log_point(t, AIT_P_T1, start, axis);
    ait_log_point(t, AIT_P_T2, ait_plus(start, headers), axis);
}

static bool any_output(const ait_trace *t)
{
    return ait_has(t->point[AIT_P_T4].ns) || ait_has(t->point[AIT_P_T5].ns) ||
           t->num[AIT_N_OUTPUT_TOKENS] > 0 || t->stat[AIT_S_TEXT] > 0;
}

/* What an error code says beyond the status. */
static void judge_code(const ait_trace *t, const ait_log_end *end,
                       ait_outcome_facts *f)
{
    const char *code = t->text[AIT_X_ERROR_CODE];

    if (code && f->end == AIT_E_NONE)
        f->end = ait_end_word(code, strlen(code));
    f->stream_rate_limit =
        end->rate_limited ||
        (code && ait_is_rate_limit_word(code, strlen(code)));
    /* an error that no status told of came in the stream */
    f->stream_error = (code || end->failed) && f->end == AIT_E_NONE &&
                      !f->stream_rate_limit && f->status < 400;
}

/* A finish reason may be the gateway's word for a request that broke off;
 * then it is no terminal marker. */
static void judge_finish(const ait_trace *t, ait_outcome_facts *f)
{
    const char *finish = t->text[AIT_X_FINISH_REASON];
    ait_end word = finish ? ait_end_word(finish, strlen(finish)) : AIT_E_NONE;

    f->terminal |= finish && word == AIT_E_NONE;
    if (word != AIT_E_NONE && f->end == AIT_E_NONE)
        f->end = word;
}

static void note_seen(ait_trace *t, const ait_outcome_facts *f)
{
    int64_t seen = 0;

    if (f->terminal)
        seen |= AIT_SEEN_TERMINAL;
    if (f->stream_error)
        seen |= AIT_SEEN_ERROR;
    if (ait_is_limit_finish(t->text[AIT_X_FINISH_REASON]))
        seen |= AIT_SEEN_LIMIT;
    t->stat[AIT_S_SEEN] = seen;
    if (f->end != AIT_E_NONE)
        t->stat[AIT_S_END] = f->end;
}

void ait_log_seal(ait_trace *t, const ait_log_end *end)
{
    ait_outcome_facts f = {
        .from_log = true,
        .ended = !end->unfinished,
        .terminal = end->terminal,
        .output = any_output(t),
        .got_headers = ait_has(t->point[AIT_P_T2].ns),
        .stream = t->stream,
        .status = t->num[AIT_N_STATUS],
        .end = end->end,
    };

    judge_finish(t, &f);
    judge_code(t, end, &f);
    note_seen(t, &f);
    ait_check_spans(t);
    t->outcome = ait_outcome_of(&f);
    if (t->serving)
        t->serving->outcome = (int)t->outcome;
}
