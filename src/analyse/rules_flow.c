/* Rules 13 to 16: how the answer flowed, and what it took to get one. */
#include <inttypes.h>

#include "analyse/part.h"

/* ---- stalls ------------------------------------------------------------ */

/* Between the first response and the end there may be silences that the
 * recording does not show. */
static bool silence_unknown(ait_case *c)
{
    static const ait_point_id ends[] = {AIT_P_T4, AIT_P_TF, AIT_P_T6};
    const ait_trace *t = c->t;
    bool some_unseen = !ait_readable(t) || c->seen & AIT_SEEN_UNTIMED;

    if (!ait_has(t->point[AIT_P_T4].ns) && !ait_unseen(c, AIT_P_T4))
        return false; /* there was no first response */
    if (!c->recorded || !ait_has(t->stat[AIT_S_LONGEST_GAP]))
        return ait_missing(c, "longest_gap_ms");
    for (int i = 0; i < 3; i++)
        if (!ait_has(ait_span(t, AIT_P_T4, ends[i])))
            ait_missing_point(c, ends[i]);
    if (!c->cannot->missing[0] && some_unseen)
        ait_missing(c, "longest_gap_ms"); /* some read in the middle */
    return c->cannot->missing[0] != NULL;
}

/* After the first response only: silences before it have rules of their
 * own. */
bool ait_fires_stalled(ait_case *c)
{
    int64_t stall = c->t->stat[AIT_S_STALL];

    if (c->t->stream == 0 || stall < ait_limit(c, AIT_L_STREAM_STALLED_MS))
        return false;
    c->f->explains = stall;
    ait_crossed(c, AIT_L_STREAM_STALLED_MS);
    return true;
}

bool ait_cannot_stalled(ait_case *c)
{
    return c->t->stream != 0 &&
           (c->recorded || !ait_has(c->t->stat[AIT_S_STALL])) &&
           silence_unknown(c);
}

void ait_say_stalled(const ait_case *c, ait_finding *f)
{
    int64_t at = c->t->stat[AIT_S_STALL_AT];
    int64_t end = ait_plus(at, c->t->stat[AIT_S_STALL]);
    bool to_end = ait_has(c->t->point[AIT_P_T6].ns) &&
                  end == c->t->point[AIT_P_T6].ns;

    ait_evidence(f, "stall_ms", AIT_U_MS, f->explains);
    ait_evidence(f, "stall_at_ms", AIT_U_MS, at);
    ait_say(f, "nothing came for %s", ait_duration(f->explains).text);
    if (ait_has(at))
        ait_say_more(f, ", from %s on", ait_duration(at).text);
    ait_say_more(f, to_end ? ", until the end" : ", in the middle of the "
                                                 "answer");
}

/* ---- bursts ------------------------------------------------------------ */

static bool few_reads(const ait_case *c)
{
    int64_t events = c->t->stat[AIT_S_TEXT];
    int64_t reads = c->t->stat[AIT_S_TEXT_READS];

    return reads >= 1 && events >= ait_limit(c, AIT_L_BURSTY_EVENTS) &&
           ait_share_cmp(reads, ait_limit(c, AIT_L_BURSTY_READ_RATIO),
                         events) <= 0;
}

/* Most of the text came in one of several reads. */
static bool big_read(const ait_case *c)
{
    const int64_t *stat = c->t->stat;

    return stat[AIT_S_BURST_BYTES] > 0 && stat[AIT_S_TEXT_BYTES] > 0 &&
           stat[AIT_S_TEXT_READS] >= ait_limit(c, AIT_L_BURSTY_TEXT_READS) &&
           ait_share_cmp(stat[AIT_S_BURST_BYTES],
                         ait_limit(c, AIT_L_BURSTY_SHARE),
                         stat[AIT_S_TEXT_BYTES]) >= 0;
}

static bool big_read_after_silence(const ait_case *c)
{
    return c->t->stat[AIT_S_BURST_GAP] >=
               ait_limit(c, AIT_L_BURSTY_SILENCE_MS) &&
           big_read(c);
}

/* The silence before it is not known: a read without a time, or the clock was
 * set in between. */
static bool silence_before_unknown(const ait_case *c)
{
    const ait_trace *t = c->t;
    bool steps = t->point[AIT_P_T3].axis != t->point[AIT_P_TF].axis;

    return !ait_has(t->stat[AIT_S_BURST_GAP]) &&
           (steps || c->seen & AIT_SEEN_UNTIMED) && big_read(c);
}

/* Are the counts of text events and their reads not there? */
static bool text_reads_unseen(const ait_case *c)
{
    const ait_trace *t = c->t;

    if (t->stream == 0 || (t->stat[AIT_S_TEXT] == 0 && ait_readable(t)))
        return false;
    return !ait_readable(t) ||
           (!c->recorded && !ait_has(t->stat[AIT_S_TEXT_READS]));
}

static bool untimed(const ait_case *c, ait_point_id p)
{
    return ait_unseen(c, p) && !ait_has(ait_span(c->t, AIT_P_ORIGIN, p));
}

/* Text without times may have been written down in one piece: its reads say
 * nothing. */
static bool text_untimed(const ait_case *c)
{
    return c->recorded && c->t->stat[AIT_S_TEXT] > 0 &&
           (untimed(c, AIT_P_T5) || untimed(c, AIT_P_TF));
}

bool ait_fires_bursty(ait_case *c)
{
    bool few = few_reads(c), big = big_read_after_silence(c);

    if ((!few && !big) || text_reads_unseen(c) || text_untimed(c))
        return false;
    if (few) {
        ait_crossed(c, AIT_L_BURSTY_EVENTS);
        ait_crossed(c, AIT_L_BURSTY_READ_RATIO);
    }
    if (big) {
        c->f->explains = c->t->stat[AIT_S_BURST_GAP];
        ait_crossed(c, AIT_L_BURSTY_TEXT_READS);
        ait_crossed(c, AIT_L_BURSTY_SHARE);
        ait_crossed(c, AIT_L_BURSTY_SILENCE_MS);
    }
    return true;
}

bool ait_cannot_bursty(ait_case *c)
{
    if (text_reads_unseen(c)) {
        ait_missing_if(c, c->t->stat[AIT_S_TEXT], "text");
        return ait_missing(c, "text_reads");
    }
    if (text_untimed(c)) {
        if (ait_unseen(c, AIT_P_T5))
            ait_missing_point(c, AIT_P_T5);
        if (ait_unseen(c, AIT_P_TF))
            ait_missing_point(c, AIT_P_TF);
        return true;
    }
    return silence_before_unknown(c) &&
           ait_missing(c, "silence_before_burst_ms");
}

static void evidence_bursty(const int64_t *stat, ait_finding *f)
{
    if (ait_has(f->explains)) {
        ait_evidence(f, "burst_bytes", AIT_U_COUNT, stat[AIT_S_BURST_BYTES]);
        ait_evidence(f, "text_bytes", AIT_U_COUNT, stat[AIT_S_TEXT_BYTES]);
        ait_evidence(f, "silence_before_burst_ms", AIT_U_MS, f->explains);
    }
    ait_evidence(f, "text_events", AIT_U_COUNT, stat[AIT_S_TEXT]);
    ait_evidence(f, "text_reads", AIT_U_COUNT, stat[AIT_S_TEXT_READS]);
}

void ait_say_bursty(const ait_case *c, ait_finding *f)
{
    const int64_t *stat = c->t->stat;

    evidence_bursty(stat, f);
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

static bool text_at_once(const ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t events = t->stat[AIT_S_TEXT], span, whole;

    if (events < ait_limit(c, AIT_L_BUFFERED_EVENTS))
        return false;
    span = text_span(t);
    whole = ait_timing(t, AIT_T_UPSTREAM_DONE);
    return span >= 0 && ait_has(whole) &&
           ait_share_cmp(span, ait_limit(c, AIT_L_BUFFERED_SHARE),
                         whole) < 0 &&
           span / events < ait_limit(c, AIT_L_BUFFERED_MS_PER_EVENT);
}

static bool body_at_once(const ait_case *c)
{
    int64_t body = ait_span(c->t, AIT_P_T2, AIT_P_T6);

    return body >= 0 && body <= ait_limit(c, AIT_L_BUFFERED_BODY_MS) &&
           (ait_has(c->t->point[AIT_P_T5].ns) ||
            ait_count(c->t, AIT_S_TEXT) > 0);
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

static bool buffering_unknown(ait_case *c)
{
    bool text = text_may_be_at_once(c), body = body_may_be_at_once(c);

    if (!text && !body)
        return false;
    if (body)
        ait_missing_point(c, AIT_P_T2);
    if (text) {
        ait_missing_point(c, AIT_P_T5);
        ait_missing_point(c, AIT_P_TF);
    }
    ait_missing_point(c, AIT_P_T6);
    return c->cannot->missing[0] || ait_missing(c, "text_span_ms");
}

bool ait_fires_buffered(ait_case *c)
{
    bool text, body;

    if (c->t->stream == 0)
        return false;
    text = text_at_once(c);
    body = body_at_once(c);
    if (text) {
        ait_crossed(c, AIT_L_BUFFERED_EVENTS);
        ait_crossed(c, AIT_L_BUFFERED_SHARE);
        ait_crossed(c, AIT_L_BUFFERED_MS_PER_EVENT);
    }
    if (body)
        ait_crossed(c, AIT_L_BUFFERED_BODY_MS);
    return text || body;
}

bool ait_cannot_buffered(ait_case *c)
{
    const ait_trace *t = c->t;

    if (t->stream == 0 || (t->stat[AIT_S_TEXT] == 0 && ait_readable(t)))
        return false;
    if (c->recorded && ait_readable(t))
        return buffering_unknown(c);
    ait_missing_if(c, t->stat[AIT_S_TEXT], "text");
    return ait_missing(c, "text_reads");
}

static void evidence_buffered(const ait_case *c, ait_finding *f)
{
    const ait_trace *t = c->t;

    if (text_at_once(c)) {
        ait_evidence(f, "text_events", AIT_U_COUNT, t->stat[AIT_S_TEXT]);
        ait_evidence(f, "text_span_ms", AIT_U_MS, text_span(t));
        ait_evidence(f, "upstream_done_ms", AIT_U_MS,
                     ait_timing(t, AIT_T_UPSTREAM_DONE));
    }
    if (body_at_once(c))
        ait_evidence(f, "headers_to_end_ms", AIT_U_MS,
                     ait_span(t, AIT_P_T2, AIT_P_T6));
}

void ait_say_buffered(const ait_case *c, ait_finding *f)
{
    int64_t body = ait_span(c->t, AIT_P_T2, AIT_P_T6);

    evidence_buffered(c, f);
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

bool ait_fires_retried(ait_case *c)
{
    const ait_trace *t = c->t;
    int64_t wait = t->num[AIT_N_RETRY_WAIT], lost;

    if (attempts_of(t) < 2)
        return false;
    lost = ait_lost_attempts(t);
    c->f->explains = ait_has(wait) && ait_has(lost) ? ait_plus(wait, lost)
                     : ait_has(wait)                ? wait
                                                    : lost;
    return true;
}

bool ait_cannot_retried(ait_case *c)
{
    return !c->recorded && !ait_has(c->t->num[AIT_N_RETRIES]) &&
           ait_missing(c, "attempts");
}

void ait_say_retried(const ait_case *c, ait_finding *f)
{
    int64_t wait = c->t->num[AIT_N_RETRY_WAIT];
    int64_t lost = ait_lost_attempts(c->t);

    ait_evidence(f, "attempts", AIT_U_COUNT, attempts_of(c->t));
    ait_evidence(f, "retry_wait_ms", AIT_U_MS, wait);
    ait_evidence(f, "lost_attempts_ms", AIT_U_MS, lost);
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
