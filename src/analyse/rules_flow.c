/* Rules 13 to 16: how the answer flowed, and what it took to get one. */
#include <inttypes.h>

#include "analyse/part.h"

/* ---- stalls ------------------------------------------------------------ */

/* Between the first response and the end there may be silences that the
 * recording does not show. */
static ait_answer silence_unknown(ait_case *c)
{
    static const ait_point_id ends[] = {AIT_P_T4, AIT_P_TF, AIT_P_T6};
    const ait_trace *t = c->t;
    bool some_unseen = !ait_readable(t) || c->seen & AIT_SEEN_UNTIMED;

    if (!ait_has(t->point[AIT_P_T4].ns) && !ait_unseen(c, AIT_P_T4))
        return AIT_QUIET; /* there was no first response */
    if (!c->recorded || !ait_has(t->stat[AIT_S_LONGEST_GAP]))
        return ait_missing(c, "longest_gap_ms");
    for (int i = 0; i < 3; i++)
        if (!ait_has(ait_span(t, AIT_P_T4, ends[i])))
            ait_missing_point(c, ends[i]);
    if (!c->cannot->missing[0] && some_unseen)
        ait_missing(c, "longest_gap_ms"); /* some read in the middle */
    return c->cannot->missing[0] ? AIT_CANNOT : AIT_QUIET;
}

/* After the first response only: silences before it have rules of their
 * own. */
ait_answer ait_assess_stalled(ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t stall = t->stat[AIT_S_STALL];

    if (t->stream == 0)
        return AIT_QUIET;
    if (stall < ait_limit(c, AIT_L_STREAM_STALLED_MS))
        return c->recorded || !ait_has(stall) ? silence_unknown(c)
                                              : AIT_QUIET;
    c->f->explains = stall;
    ait_evidence(c, "stall_ms", AIT_U_MS, stall);
    ait_evidence(c, "stall_at_ms", AIT_U_MS, t->stat[AIT_S_STALL_AT]);
    ait_crossed(c, AIT_L_STREAM_STALLED_MS);
    return AIT_FIRES;
}

void ait_say_stalled(const ait_case *c, ait_finding *f)
{
    int64_t at = c->t->stat[AIT_S_STALL_AT];
    int64_t end = ait_plus(at, c->t->stat[AIT_S_STALL]);
    bool to_end = ait_has(c->t->point[AIT_P_T6].ns) &&
                  end == c->t->point[AIT_P_T6].ns;

    ait_say(f, "nothing came for %s", ait_duration(f->explains).text);
    if (ait_has(at))
        ait_say_more(f, ", from %s on", ait_duration(at).text);
    ait_say_more(f, to_end ? ", until the end" : ", in the middle of the "
                                                 "answer");
}

/* ---- bursts ------------------------------------------------------------ */

static bool few_reads(ait_case *c)
{
    int64_t events = c->t->stat[AIT_S_TEXT];
    int64_t reads = c->t->stat[AIT_S_TEXT_READS];

    if (events < ait_limit(c, AIT_L_BURSTY_EVENTS) || reads < 1 ||
        ait_share_cmp(reads, ait_limit(c, AIT_L_BURSTY_READ_RATIO),
                      events) > 0)
        return false;
    ait_crossed(c, AIT_L_BURSTY_EVENTS);
    ait_crossed(c, AIT_L_BURSTY_READ_RATIO);
    return true;
}

static bool one_big_read(ait_case *c)
{
    const int64_t *stat = c->t->stat;

    if (stat[AIT_S_TEXT_READS] < ait_limit(c, AIT_L_BURSTY_TEXT_READS) ||
        stat[AIT_S_BURST_GAP] < ait_limit(c, AIT_L_BURSTY_SILENCE_MS) ||
        stat[AIT_S_BURST_BYTES] <= 0 ||
        ait_share_cmp(stat[AIT_S_BURST_BYTES],
                      ait_limit(c, AIT_L_BURSTY_SHARE),
                      stat[AIT_S_TEXT_BYTES]) < 0)
        return false;
    c->f->explains = stat[AIT_S_BURST_GAP];
    ait_evidence(c, "burst_bytes", AIT_U_COUNT, stat[AIT_S_BURST_BYTES]);
    ait_evidence(c, "text_bytes", AIT_U_COUNT, stat[AIT_S_TEXT_BYTES]);
    ait_evidence(c, "silence_before_burst_ms", AIT_U_MS,
                 stat[AIT_S_BURST_GAP]);
    ait_crossed(c, AIT_L_BURSTY_TEXT_READS);
    ait_crossed(c, AIT_L_BURSTY_SHARE);
    ait_crossed(c, AIT_L_BURSTY_SILENCE_MS);
    return true;
}

/* Most of the text came in one read, and the silence before it is not known:
 * a read without a time, or the clock was set in between. */
static bool silence_before_unknown(const ait_case *c)
{
    const ait_trace *t = c->t;
    bool steps = t->point[AIT_P_T3].axis != t->point[AIT_P_TF].axis;

    return !ait_has(t->stat[AIT_S_BURST_GAP]) &&
           t->stat[AIT_S_BURST_BYTES] > 0 &&
           (steps || c->seen & AIT_SEEN_UNTIMED) &&
           t->stat[AIT_S_TEXT_READS] >=
               ait_limit(c, AIT_L_BURSTY_TEXT_READS) &&
           ait_share_cmp(t->stat[AIT_S_BURST_BYTES],
                         ait_limit(c, AIT_L_BURSTY_SHARE),
                         t->stat[AIT_S_TEXT_BYTES]) >= 0;
}

/* The two rules about text events look at the same counts. */
static bool text_reads_unseen(ait_case *c)
{
    const ait_trace *t = c->t;

    if (t->stream == 0 || (t->stat[AIT_S_TEXT] == 0 && ait_readable(t)))
        return false;
    if (ait_readable(t) &&
        (c->recorded || ait_has(t->stat[AIT_S_TEXT_READS])))
        return false;
    ait_missing_if(c, t->stat[AIT_S_TEXT], "text");
    ait_missing(c, "text_reads");
    return true;
}

/* Text without times may have been written down in one piece: its reads say
 * nothing. */
static bool text_untimed(ait_case *c)
{
    bool first = ait_unseen(c, AIT_P_T5) && ait_missing_point(c, AIT_P_T5);
    bool last = ait_unseen(c, AIT_P_TF) && ait_missing_point(c, AIT_P_TF);

    return c->t->stat[AIT_S_TEXT] > 0 && (first || last);
}

ait_answer ait_assess_bursty(ait_case *c)
{
    bool few, big;

    if (text_reads_unseen(c) || (c->recorded && text_untimed(c)))
        return AIT_CANNOT;
    few = few_reads(c);
    big = one_big_read(c);
    if (!few && !big)
        return silence_before_unknown(c)
                   ? ait_missing(c, "silence_before_burst_ms")
                   : AIT_QUIET;
    ait_evidence(c, "text_events", AIT_U_COUNT, c->t->stat[AIT_S_TEXT]);
    ait_evidence(c, "text_reads", AIT_U_COUNT, c->t->stat[AIT_S_TEXT_READS]);
    return AIT_FIRES;
}

void ait_say_bursty(const ait_case *c, ait_finding *f)
{
    const int64_t *stat = c->t->stat;

    ait_say(f, "%" PRId64 " text events came in %" PRId64 " read%s",
            stat[AIT_S_TEXT], stat[AIT_S_TEXT_READS],
            stat[AIT_S_TEXT_READS] == 1 ? "" : "s");
    if (ait_has(f->explains))
        ait_say_more(f, "; one read after %s of silence held %" PRId64
                        " of %" PRId64 " text bytes",
                     ait_duration(f->explains).text,
                     stat[AIT_S_BURST_BYTES], stat[AIT_S_TEXT_BYTES]);
}

/* ---- a body that was held back ----------------------------------------- */

/* First to last visible text. */
static int64_t text_span(const ait_trace *t)
{
    return ait_minus(t->stat[AIT_S_TEXT_LAST],
                     ait_span(t, AIT_P_ORIGIN, AIT_P_T5));
}

static bool text_at_once(ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t events = t->stat[AIT_S_TEXT], span = text_span(t);
    int64_t whole = ait_timing(t, AIT_T_UPSTREAM_DONE);

    if (events < ait_limit(c, AIT_L_BUFFERED_EVENTS) || span < 0 ||
        !ait_has(whole) ||
        ait_share_cmp(span, ait_limit(c, AIT_L_BUFFERED_SHARE), whole) >= 0 ||
        span / events >= ait_limit(c, AIT_L_BUFFERED_MS_PER_EVENT))
        return false;
    ait_evidence(c, "text_events", AIT_U_COUNT, events);
    ait_evidence(c, "text_span_ms", AIT_U_MS, span);
    ait_evidence(c, "upstream_done_ms", AIT_U_MS, whole);
    ait_crossed(c, AIT_L_BUFFERED_EVENTS);
    ait_crossed(c, AIT_L_BUFFERED_SHARE);
    ait_crossed(c, AIT_L_BUFFERED_MS_PER_EVENT);
    return true;
}

static bool body_at_once(ait_case *c)
{
    int64_t body = ait_span(c->t, AIT_P_T2, AIT_P_T6);

    if (body < 0 || body > ait_limit(c, AIT_L_BUFFERED_BODY_MS) ||
        (!ait_has(c->t->point[AIT_P_T5].ns) &&
         ait_count(c->t, AIT_S_TEXT) <= 0))
        return false;
    ait_evidence(c, "headers_to_end_ms", AIT_U_MS, body);
    ait_crossed(c, AIT_L_BUFFERED_BODY_MS);
    return true;
}

/* Could the text have come at once, for all that is known? */
static bool text_may_be_at_once(const ait_case *c)
{
    int64_t events = c->t->stat[AIT_S_TEXT], span = text_span(c->t);
    bool whole = ait_has(ait_timing(c->t, AIT_T_UPSTREAM_DONE));

    if (events < ait_limit(c, AIT_L_BUFFERED_EVENTS) || (span >= 0 && whole))
        return false;
    return span < 0 ||
           span / events < ait_limit(c, AIT_L_BUFFERED_MS_PER_EVENT);
}

/* And the body? It took no less time than the text in it. */
static bool body_may_be_at_once(const ait_case *c)
{
    const ait_trace *t = c->t;

    return ait_count(t, AIT_S_TEXT) > 0 &&
           !ait_has(ait_span(t, AIT_P_T2, AIT_P_T6)) &&
           ait_span(t, AIT_P_T5, AIT_P_TF) <=
               ait_limit(c, AIT_L_BUFFERED_BODY_MS);
}

static ait_answer buffering_unknown(ait_case *c)
{
    bool text = text_may_be_at_once(c), body = body_may_be_at_once(c);

    if (!text && !body)
        return AIT_QUIET;
    if (body)
        ait_missing_point(c, AIT_P_T2);
    if (text) {
        ait_missing_point(c, AIT_P_T5);
        ait_missing_point(c, AIT_P_TF);
    }
    ait_missing_point(c, AIT_P_T6);
    return c->cannot->missing[0] ? AIT_CANNOT
                                 : ait_missing(c, "text_span_ms");
}

ait_answer ait_assess_buffered(ait_case *c)
{
    const ait_trace *t = c->t;
    bool text, body;

    if (t->stream == 0)
        return AIT_QUIET;
    text = text_at_once(c);
    body = body_at_once(c);
    if (text || body)
        return AIT_FIRES;
    if (t->stat[AIT_S_TEXT] == 0 && ait_readable(t))
        return AIT_QUIET;
    if (c->recorded && ait_readable(t))
        return buffering_unknown(c);
    ait_missing_if(c, t->stat[AIT_S_TEXT], "text");
    return ait_missing(c, "text_reads");
}

void ait_say_buffered(const ait_case *c, ait_finding *f)
{
    int64_t body = ait_span(c->t, AIT_P_T2, AIT_P_T6);

    if (body >= 0 && body <= ait_limit(c, AIT_L_BUFFERED_BODY_MS))
        ait_say(f, "the whole stream came within %s of its headers",
                ait_duration(body).text);
    else
        ait_say(f, "%" PRId64 " text events came within %s",
                c->t->stat[AIT_S_TEXT],
                ait_duration(text_span(c->t)).text);
    ait_say_more(f, "; consistent with something between server and "
                    "recorder that held the stream");
}

/* ---- retries ----------------------------------------------------------- */

static int64_t attempts_of(const ait_trace *t)
{
    int64_t n = 0;

    if (ait_has(t->num[AIT_N_RETRIES]))
        return ait_plus(t->num[AIT_N_RETRIES], 1);
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        n++;
    return n;
}

ait_answer ait_assess_retried(ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t n = attempts_of(t), wait = t->num[AIT_N_RETRY_WAIT];
    int64_t lost = ait_lost_attempts(t);

    if (!c->recorded && !ait_has(t->num[AIT_N_RETRIES]) && n < 2)
        return ait_missing(c, "attempts");
    if (n < 2)
        return AIT_QUIET;
    c->f->explains = ait_has(wait) && ait_has(lost) ? ait_plus(wait, lost)
                     : ait_has(wait)                ? wait
                                                    : lost;
    ait_evidence(c, "attempts", AIT_U_COUNT, n);
    ait_evidence(c, "retry_wait_ms", AIT_U_MS, wait);
    ait_evidence(c, "lost_attempts_ms", AIT_U_MS, lost);
    return AIT_FIRES;
}

void ait_say_retried(const ait_case *c, ait_finding *f)
{
    int64_t wait = c->t->num[AIT_N_RETRY_WAIT];
    int64_t lost = ait_lost_attempts(c->t);

    ait_say(f, "%" PRId64 " attempts were made", attempts_of(c->t));
    if (ait_has(wait))
        ait_say_more(f, "; %s of waiting between them",
                     ait_duration(wait).text);
    if (ait_has(lost))
        ait_say_more(f, "%s%s in attempts that were lost",
                     ait_has(wait) ? " and " : "; ",
                     ait_duration(lost).text);
    if (ait_has(f->explains))
        ait_say_more(f, ", apart from the model's own time");
}
