/* Which attempt delivered the answer, and how an attempt ended. */
#include "replay/state.h"

static bool has_output(const ait_att *a)
{
    const int64_t *n = a->tally.stat;

    return n[AIT_S_REASONING] || n[AIT_S_ACTION] || n[AIT_S_MEDIA] ||
           n[AIT_S_TEXT] || a->body_text || a->body_other;
}

/*
 * An attempt whose end was not recorded is over all the same once the next
 * one began or the handler is done: the recording was not cut there. A
 * stream of an unknown dialect was read, but its marker would not have been
 * known.
 */
ait_outcome_facts ait_att_facts(const ait_req *q, const ait_att *a)
{
    return (ait_outcome_facts){
        .ended = a->ended || a->next || q->finished,
        .terminal = a->terminal,
        .stream_error = a->stream_error,
        .stream_rate_limit = a->rate_limit,
        .output = has_output(a),
        .got_headers = a->headed || a->tally.stat[AIT_S_READS] > 0,
        .body_read = !a->unread && !a->lacking &&
                     !a->issues.count[AIT_I_UNKNOWN_DIALECT],
        .body_cut = a->body_cut,
        .stream = a->streamed >= 0 ? a->streamed : q->trace.asked_stream,
        .status = a->status,
        .end = a->end,
    };
}

/* Attempts may overlap (a second one is sent while the first is slow), so
 * the last one is not always the one that answered. */
ait_att *ait_att_serving(const ait_req *q)
{
    ait_att *complete = NULL, *answered = NULL, *last = NULL;

    for (ait_att *a = q->atts; a; a = a->next) {
        ait_outcome_facts f = ait_att_facts(q, a);

        last = a;
        if (ait_outcome_of(&f) == AIT_OUT_COMPLETE)
            complete = a;
        if (f.output && a->status < 400)
            answered = a;
    }
    if (complete)
        return complete;
    if (last && !last->ended && !q->finished)
        return last; /* still open: its answer may have been to come */
    return answered ? answered : last;
}
