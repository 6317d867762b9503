/*
 * What to look at next, and what is no cure, for each rule. Read by somebody
 * who is tired: a few words each, in the order in which to try it. A page
 * for people puts the request's own figure behind an item, where it is known
 * (render/why.c).
 */
#include <stddef.h>

#include "analyse/part.h"

#define LIST(name, ...) \
    static const char *const name[] = {__VA_ARGS__, NULL}

LIST(rate_check,
     "which limit: requests or tokens a minute",
     "requests in flight with this key then",
     "the wait that was asked for",
     "another channel or provider");
LIST(rate_no,
     "a longer timeout: it was a refusal",
     "a sooner retry: it uses up the same limit");

LIST(error_check,
     "a 4xx: the request or the account",
     "a 5xx: the provider",
     "the same model elsewhere",
     "failures of this channel in the same minutes",
     "the provider's request id");
LIST(error_no,
     "a longer timeout: the failure was an answer",
     "the same request again after a 4xx");

LIST(cancel_check,
     "timeouts of the client and of proxies before it",
     "the wait for visible text",
     "the age at which this client cancels");
LIST(cancel_no,
     "a longer upstream timeout: the client gave up",
     "a retry: nobody waits for it any more");

LIST(incomplete_check,
     "idle timeouts on the way: they are round numbers",
     "other streams of this channel then",
     "half an answer shown as a whole one");
LIST(incomplete_no,
     "the status: it came before the break",
     "a higher output limit: none was hit");

LIST(budget_check,
     "the output limit: reasoning counts towards it",
     "reasoning effort",
     "the same prompt with a higher limit");
LIST(budget_no,
     "a longer timeout: the model had stopped",
     "a retry with the same limit");

LIST(no_text_check,
     "an answer that went into reasoning only",
     "a content filter or stop sequence",
     "output fields that the client does not read",
     "the prompt");
LIST(no_text_no,
     "a higher output limit: it was not hit",
     "a longer timeout: the answer had ended");

LIST(headers_check,
     "route and region",
     "the provider's queue",
     "prompt length",
     "streams in flight then",
     "set-up of a new connection");
LIST(headers_no,
     "a shorter answer: nothing was written yet",
     "another way to read the stream");

LIST(first_check,
     "prompt length",
     "the cached part of the prompt",
     "the provider's queue",
     "reasoning effort",
     "streams in flight then");
LIST(first_no,
     "a timeout on the headers: they say nothing here",
     "a shorter answer: nothing was written yet");

LIST(event_check,
     "hidden reasoning",
     "prompt length",
     "a tool that the provider runs first",
     "the provider's queue");
LIST(event_no,
     "a timeout on the first event: it came in time",
     "that event as the first token: it says nothing",
     "a shorter answer: nothing was written yet");

LIST(action_check,
     "reasoning effort",
     "length of reasoning and arguments",
     "whether the client shows them as they come",
     "whether text is needed at all");
LIST(action_no,
     "a first-output timeout: output came in time",
     "another route or region: the stream was flowing");

LIST(decode_check,
     "output length",
     "context length",
     "channel",
     "streams in flight then",
     "provider");
LIST(decode_no,
     "a first-output timeout: the first text came in time",
     "a retry: it starts from nothing");

LIST(local_check,
     "authentication",
     "channel choice",
     "the request's upload",
     "the gateway's own load",
     "a client that reads slowly");
LIST(local_no,
     "another provider, model or region",
     "a shorter answer");

LIST(stall_check,
     "other streams of this channel then",
     "a tool that the provider ran in between",
     "proxies that hold what they have");
LIST(stall_no,
     "a first-output timeout: it had come",
     "heartbeats: they keep the connection alive, not the answer");

LIST(bursty_check,
     "buffering or compression in proxies",
     "whether the recorder saw single reads",
     "other channels of this model");
LIST(bursty_no,
     "a faster model: the text was there, and held",
     "the time between events: inside a burst it means nothing");

LIST(buffered_check,
     "response buffering in every proxy",
     "compression of event streams",
     "whether the provider streams this endpoint",
     "a recording at the server's side");
LIST(buffered_no,
     "asking for a stream again: it was one",
     "its first-text time as the model's own");

LIST(retried_check,
     "status and code of each attempt",
     "the waits against what was asked for",
     "whether to try the first channel at all",
     "retries of this channel then");
LIST(retried_no,
     "another model or prompt: the time was not the model's",
     "more retries: each adds its wait");

/* ---- answers that were not streamed -------------------------------------- */

LIST(waiting_check,
     "timeouts of the client and of proxies before it",
     "the wait for the whole answer",
     "the age at which this client cancels");

LIST(no_answer_check,
     "the timeout that ran out: it is a round number",
     "output length",
     "other requests of this channel then");
LIST(no_answer_no,
     "the same request again with the same timeout",
     "a higher output limit: none was hit");

LIST(whole_check,
     "output length",
     "route and region",
     "the provider's queue",
     "prompt length",
     "whether to ask for a stream: it begins sooner");
LIST(whole_no,
     "a retry: it starts from nothing",
     "another way to read the answer");

static const ait_advice advices[AIT_R_COUNT] = {
    [AIT_R_RATE_LIMITED] = {rate_check, rate_no},
    [AIT_R_UPSTREAM_ERROR] = {error_check, error_no},
    [AIT_R_CLIENT_CANCELLED] = {cancel_check, cancel_no},
    [AIT_R_INCOMPLETE_STREAM] = {incomplete_check, incomplete_no},
    [AIT_R_REASONING_EXHAUSTED_BUDGET] = {budget_check, budget_no},
    [AIT_R_NO_VISIBLE_TEXT] = {no_text_check, no_text_no},
    [AIT_R_HEADERS_SLOW] = {headers_check, headers_no},
    [AIT_R_FIRST_RESPONSE_SLOW] = {first_check, first_no},
    [AIT_R_EVENT_BEFORE_RESPONSE] = {event_check, event_no},
    [AIT_R_ACTION_BEFORE_TEXT] = {action_check, action_no},
    [AIT_R_SLOW_DECODE] = {decode_check, decode_no},
    [AIT_R_LOCAL_OVERHEAD] = {local_check, local_no},
    [AIT_R_STREAM_STALLED] = {stall_check, stall_no},
    [AIT_R_BURSTY_DELIVERY] = {bursty_check, bursty_no},
    [AIT_R_BUFFERED_DELIVERY] = {buffered_check, buffered_no},
    [AIT_R_RETRIED] = {retried_check, retried_no},
};

/* ---- the choice ---------------------------------------------------------- */

/* Most servers write an answer that is not streamed to its end before they
 * send its headers: a shorter one may well help. Where nothing says whether
 * it was streamed, next to nothing must have come behind the headers. */
ait_whole ait_whole_answer(const ait_trace *t, int64_t share)
{
    enum { NEARLY_ALL = 900 }; /* thousandths of the whole time */

    if (t->stream == 1 || ait_outcome_failed(t->outcome))
        return AIT_WHOLE_NO;
    if (t->stream == 0)
        return AIT_WHOLE_YES;
    return share >= NEARLY_ALL ? AIT_WHOLE_PERHAPS : AIT_WHOLE_NO;
}

ait_advice ait_advice_on(ait_rule_id rule, const ait_trace *t,
                         int64_t share)
{
    bool waits = rule == AIT_R_HEADERS_SLOW ||
                 rule == AIT_R_FIRST_RESPONSE_SLOW;

    if (waits && ait_whole_answer(t, share) != AIT_WHOLE_NO)
        return (ait_advice){whole_check, whole_no};
    if (rule == AIT_R_CLIENT_CANCELLED && t->stream == 0)
        return (ait_advice){waiting_check, cancel_no};
    if (rule == AIT_R_INCOMPLETE_STREAM && t->outcome == AIT_OUT_TIMEOUT &&
        !ait_has(t->point[AIT_P_T2].ns))
        return (ait_advice){no_answer_check, no_answer_no};
    return advices[rule];
}
