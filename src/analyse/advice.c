/* What to look at next, and what is no cure, for each rule. Read by somebody
 * who is tired: short, concrete, in the order in which to try it. */
#include <stddef.h>

#include "analyse/part.h"

#define LIST(name, ...) \
    static const char *const name[] = {__VA_ARGS__, NULL}

LIST(rate_check,
     "which limit it was: requests or tokens a minute, of this key, model "
     "or channel",
     "how many requests the same key had in flight at that time",
     "the wait that the answer asked for, and whether the retry kept to it",
     "another channel or provider for the same model");
LIST(rate_no, "a longer timeout: the answer came at once, it was a refusal",
     "retrying sooner: it uses up the same limit",
     "a shorter answer length, where requests and not tokens are limited");

LIST(error_check,
     "the status and error code: 4xx is the request or the account, 5xx "
     "the provider",
     "the same model through another channel or region at that time",
     "how many requests of this channel failed in the same minutes",
     "the provider's own request id, for their support");
LIST(error_no, "a longer timeout: the failure was an answer, not a wait",
     "repeating a request that was refused with a 4xx unchanged");

LIST(cancel_check,
     "the timeout of the client and of every proxy in front of it",
     "what the user had seen by then: the first visible text",
     "whether requests of this client are always cancelled at the same age");
LIST(cancel_no, "a larger upstream timeout: the client gave up, not the "
                "gateway",
     "blaming the provider before the time to first text is looked at");

LIST(incomplete_check,
     "how it ended, and the silence before: an idle timeout cuts at a round "
     "number of seconds",
     "idle and read timeouts of gateway, load balancer and proxy",
     "whether other streams of this channel broke off at the same time",
     "the finish reason: without one the text may be cut");
LIST(incomplete_no, "status 200 is no proof that the answer is whole",
     "a higher output limit: no limit was reported as hit");

LIST(budget_check, "the output limit of the request: reasoning counts "
                   "towards it",
     "the reasoning effort, and whether it fits this task",
     "whether the same prompt with a higher limit gives text");
LIST(budget_no, "a longer timeout: the model had stopped by itself",
     "retrying with the same limit",
     "another channel of the same model");

LIST(no_text_check, "whether the model put its answer into reasoning only",
     "a content filter or a stop sequence that ended it",
     "whether the client reads all fields that hold output",
     "the prompt: was there anything to answer");
LIST(no_text_no, "a higher output limit: it was not hit",
     "a longer timeout: the stream ended by itself");

LIST(headers_check,
     "route and region: does another one answer sooner at the same time",
     "the provider's queue: other requests to this model and channel then",
     "the prompt's length: some servers read it whole before the headers",
     "load at that time: requests in flight",
     "connection set-up, where the connection was new");
LIST(headers_no, "a shorter answer: nothing had been written yet",
     "a higher output limit",
     "changing how the client reads the stream");

LIST(first_check,
     "the prompt's length and how much of it came from the cache",
     "the queue inside of the provider: the headers came at once, the work "
     "did not",
     "reasoning effort, where the model thinks without streaming it",
     "load at that time: requests in flight");
LIST(first_no, "a timeout for headers or first byte: they came in time",
     "a nearer region, where the headers came at once",
     "a shorter answer: nothing had been written yet");

LIST(event_check, "hidden reasoning: effort, and reasoning tokens reported",
     "the prompt's length and how much of it came from the cache",
     "a tool that the provider runs before it answers",
     "the provider's queue: some open the stream before they begin");
LIST(event_no,
     "a timeout on the first event: it came in time and says nothing",
     "counting the first event as the first token",
     "a shorter answer: nothing had been written yet");

LIST(action_check, "reasoning effort and the length of the reasoning",
     "the size of the tool arguments, where a call came first",
     "whether the client shows reasoning or calls while they come",
     "whether the answer needs text at all");
LIST(action_no,
     "a first-output timeout: output came, only not visible text",
     "a nearer region or another route: the stream was flowing",
     "a larger output limit");

LIST(decode_check,
     "other requests to this model and channel then: the same rate for all "
     "is the provider's load",
     "streams in flight at that time",
     "the context's length: long ones decode slower",
     "the length of the answer: the time grows with it",
     "provider, region and channel, with the same model elsewhere");
LIST(decode_no, "a first-output timeout: the first text came in time",
     "a shorter prompt alone, where the first text came in time",
     "retrying the whole request: it starts again from nothing");

LIST(local_check,
     "authentication, channel choice and reading of the body: which of them",
     "the gateway's own load: processor, open connections, log writing",
     "the size of the request body and the client's upload speed",
     "the client's reading speed, where the time is after the upstream");
LIST(local_no, "another provider, model or region",
     "a shorter answer, or a lower reasoning effort",
     "a longer upstream timeout");

LIST(stall_check,
     "where the silence began, and whether anything came after it",
     "other streams of the same channel: did they stop at the same time",
     "a tool or search that the provider ran in the middle of the answer",
     "proxies on the way that hold what they have");
LIST(stall_no, "a timeout on the first output: it had come",
     "heartbeats: they keep the connection, not the answer, alive",
     "a higher output limit");

LIST(bursty_check,
     "buffering in proxies: response buffering, compression, small-packet "
     "joining",
     "whether the recorder itself saw single reads",
     "whether other channels of this model deliver evenly");
LIST(bursty_no, "a faster model: the text was there, it was not passed on",
     "judging by the time between events: inside of a burst it means "
     "nothing");

LIST(buffered_check,
     "response buffering in every proxy between server and recorder",
     "compression of event streams: it holds small events back",
     "whether the provider streams this model or endpoint at all",
     "a recording at the server's side, to see on which side it was held");
LIST(buffered_no, "asking for a stream again: it was one",
     "reading first-text times of this request as the model's own",
     "a faster model or a shorter answer");

LIST(retried_check, "why the earlier attempts failed: status and code of "
                    "each",
     "the waits between attempts, against what the answers asked for",
     "whether the first channel should have been tried at all",
     "how often this channel is retried at that time");
LIST(retried_no, "tuning the model or the prompt: this time was not the "
                 "model's",
     "more retries: each adds its own wait");

const ait_advice ait_advices[AIT_R_COUNT] = {
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
