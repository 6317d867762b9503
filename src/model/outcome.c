/* The outcome of a request: one table, the first row that holds decides. */
#include <string.h>

#include "model/trace.h"

typedef ait_outcome_facts facts;

/* No end, no terminal marker: the recording was cut, not the stream. */
static bool capture_cut(const facts *f)
{
    return !f->from_log && !f->ended && !f->terminal;
}

static bool rate_limited(const facts *f)
{
    return f->stream_rate_limit || (f->status == 429 && !f->output);
}

static bool stream_error(const facts *f)
{
    return f->stream_error;
}

/* A terminal marker, or one whole body that was not streamed. */
static bool complete(const facts *f)
{
    bool whole = f->ended && (f->from_log || f->end == AIT_E_EOF);

    return f->terminal || (f->stream == 0 && whole && !f->body_cut &&
                           ait_has(f->status) && f->status > 0 &&
                           f->status < 400);
}

static bool cancelled(const facts *f)
{
    return f->end == AIT_E_CANCELLED || f->status == 499;
}

static bool timed_out(const facts *f)
{
    return f->end == AIT_E_TIMEOUT || f->status == 408 || f->status == 504;
}

static bool failed(const facts *f)
{
    return f->status >= 400 ||
           (!f->from_log && f->ended && !f->got_headers);
}

/* Cut short: says so by itself, whether or not the bytes were kept. */
static bool cut_short(const facts *f)
{
    return f->end == AIT_E_SHORT || f->end == AIT_E_RESET ||
           f->end == AIT_E_ERROR;
}

/* A stream whose bytes were all seen ended, and no marker among them. */
static bool no_marker(const facts *f)
{
    return !f->from_log && f->stream == 1 && f->ended && f->body_read;
}

static bool body_cut(const facts *f)
{
    return f->stream == 0 && f->ended && f->body_cut;
}

static const struct {
    ait_outcome outcome;
    bool (*holds)(const facts *f);
} rows[] = {
    {AIT_OUT_TRUNCATED_CAPTURE, capture_cut},
    {AIT_OUT_RATE_LIMITED, rate_limited},
    {AIT_OUT_ERROR, stream_error},
    {AIT_OUT_COMPLETE, complete},
    {AIT_OUT_CANCELLED, cancelled},
    {AIT_OUT_TIMEOUT, timed_out},
    {AIT_OUT_ERROR, failed},
    {AIT_OUT_INCOMPLETE, cut_short},
    {AIT_OUT_INCOMPLETE, no_marker},
    {AIT_OUT_INCOMPLETE, body_cut},
};

ait_outcome ait_outcome_of(const ait_outcome_facts *f)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].holds(f))
            return rows[i].outcome;
    return AIT_OUT_UNKNOWN;
}

bool ait_outcome_failed(ait_outcome o)
{
    static const bool failures[AIT_OUT_COUNT] = {
        [AIT_OUT_RATE_LIMITED] = true, [AIT_OUT_ERROR] = true,
        [AIT_OUT_CANCELLED] = true,    [AIT_OUT_TIMEOUT] = true,
        [AIT_OUT_INCOMPLETE] = true,
    };

    return failures[o];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Providers differ in case only: RESOURCE_EXHAUSTED, ThrottlingException. */
static bool listed(const char *const *words, const char *s, size_t n)
{
    for (; *words; words++) {
        size_t i = 0;

        if (!n || lower(*s) != **words)
            continue;
        while (i < n && (*words)[i] && lower(s[i]) == (*words)[i])
            i++;
        if (i == n && !(*words)[i])
            return true;
    }
    return false;
}

bool ait_is_rate_limit_word(const char *s, size_t n)
{
    static const char *const words[] = {
        "rate_limit_exceeded", "rate_limit_error",   "rate_limited",
        "too_many_requests",   "resource_exhausted", "throttling",
        "throttlingexception", NULL,
    };

    return listed(words, s, n);
}

bool ait_is_limit_finish(const char *s)
{
    static const char *const words[] = {
        "length", "max_tokens", "max_output_tokens", "2", NULL,
    };

    return s && listed(words, s, strlen(s));
}
