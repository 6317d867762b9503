#include "model/issue.h"

#include <string.h>

const ait_issue_info ait_issues[AIT_I_COUNT] = {
    {"clock_went_back", AIT_SEV_NOTICE,
     "A time stamp was lower than the one before it; it counts as that one, "
     "and nothing is measured across a step of more than a second."},
    {"negative_duration", AIT_SEV_NOTICE,
     "A duration would have been negative and was left out."},
    {"time_without_zone", AIT_SEV_INFO,
     "A time had no zone and was read as UTC."},
    {"time_is_end", AIT_SEV_INFO,
     "The time of the request is its end; its start is not known."},
    {"send_time_bracketed", AIT_SEV_INFO,
     "The time the request was sent is taken from the nearest stamp, not "
     "from the send itself."},
    {"headers_with_body", AIT_SEV_NOTICE,
     "The response headers came together with the body: the recorder, or "
     "something before it, may have held them back."},
    {"recorder_buffered", AIT_SEV_NOTICE,
     "All lines carry nearly the same time: the recorder, or something "
     "before it, held the stream; this is no fast answer."},
    {"no_event_times", AIT_SEV_NOTICE,
     "The body was kept without the times of its events."},
    {"content_not_recorded", AIT_SEV_NOTICE,
     "Events were recorded without what they hold; only the first event is "
     "known."},
    {"content_encoding_unread", AIT_SEV_NOTICE,
     "The body is compressed in a way that cannot be read here; the times "
     "and sizes of its reads are kept."},
    {"undispatched_tail", AIT_SEV_NOTICE,
     "The body ended inside an event; what it says counts for the outcome, "
     "not for any time."},
    {"malformed_event", AIT_SEV_NOTICE,
     "An event held data that its dialect does not allow."},
    {"unknown_dialect", AIT_SEV_NOTICE,
     "The stream is of no known dialect: the first response and the first "
     "text are not guessed."},
    {"inline_think", AIT_SEV_INFO,
     "The visible text began with a think block, which counts as "
     "reasoning."},
    {"usage_inconsistent", AIT_SEV_NOTICE,
     "The reported token counts contradict each other."},
    {"chunked_delivery", AIT_SEV_INFO,
     "Many tokens came in few arrivals: the visible rate rests on few "
     "points, the rate over the whole time is the better figure."},
    {"reported_rate_differs", AIT_SEV_NOTICE,
     "The rate in the log and the rate from its own figures differ by more "
     "than 5 %."},
    {"first_chunk_suspect", AIT_SEV_NOTICE,
     "The log's first-chunk time is a value its gateway is known to write "
     "wrongly."},
    {"coarse_resolution", AIT_SEV_INFO,
     "Times are held at a coarse resolution; smaller differences are left "
     "out."},
    {"tokens_estimated", AIT_SEV_NOTICE,
     "The token counts are estimates of the source, not the provider's."},
    {"duplicate_key", AIT_SEV_NOTICE,
     "An object had a key twice; the last one counts."},
    {"invalid_utf8", AIT_SEV_NOTICE,
     "A kept text held bytes that are not UTF-8; they were replaced."},
    {"id_masked", AIT_SEV_NOTICE,
     "A kept text looked like a key, or held an e-mail or IP address, and "
     "was masked; equal ones stay equal."},
    {"unknown_end", AIT_SEV_NOTICE,
     "How the body ended is not said, or with a word not known here."},
    {"recorder_lost_data", AIT_SEV_LOSS,
     "The recorder says that it dropped data."},
    {"capture_truncated", AIT_SEV_LOSS,
     "The recording stopped while the request was open."},
    {"bad_line", AIT_SEV_LOSS, "A line could not be read and was skipped."},
    {"line_too_long", AIT_SEV_LOSS,
     "A line was longer than 16 MiB and was skipped."},
    {"unfinished_last_line", AIT_SEV_NOTICE,
     "The last line had no line end."},
    {"unrecognised_line", AIT_SEV_NOTICE,
     "A line is not of this format and was skipped."},
    {"trailing_bytes", AIT_SEV_NOTICE,
     "Bytes stood behind the end of the data and were ignored."},
    {"compressed_input_cut", AIT_SEV_LOSS,
     "The compressed file is cut or damaged; what came out before is "
     "kept."},
    {"unknown_record", AIT_SEV_INFO,
     "A record type or key is not known here and was ignored."},
    {"record_order", AIT_SEV_NOTICE,
     "A record belongs to a request or an attempt whose start was not "
     "recorded, or comes twice."},
    {"segment_unclosed", AIT_SEV_NOTICE,
     "A segment has no closing record, or fewer records than that says."},
    {"content_damaged", AIT_SEV_LOSS,
     "A compressed body is damaged or breaks off."},
    {"event_too_large", AIT_SEV_LOSS,
     "An event was larger than the maximum and was not looked into."},
    {"value_ignored", AIT_SEV_NOTICE,
     "A value had the wrong type or was out of range and was ignored."},
};

int ait_issue_find(const char *name, size_t len)
{
    for (int i = 0; i < AIT_I_COUNT; i++)
        if (strlen(ait_issues[i].name) == len &&
            memcmp(ait_issues[i].name, name, len) == 0)
            return i;
    return -1;
}

void ait_issue_merge(ait_issue_set *into, const ait_issue_set *from)
{
    static const ait_issue_set none;

    if (memcmp(from, &none, sizeof none) == 0) /* as it mostly is */
        return;
    for (int i = 0; i < AIT_I_COUNT; i++) {
        uint32_t room = UINT32_MAX - into->count[i];

        into->count[i] += from->count[i] < room ? from->count[i] : room;
    }
}

void ait_places_add(ait_places *p, int64_t line)
{
    int i = 0;

    if (p->count < INT64_MAX)
        p->count++;
    while (i < p->kept && p->line[i] != line)
        i++;
    if (line <= 0 || i < p->kept)
        return;
    if (i < AIT_PLACES_MAX)
        p->line[p->kept++] = line;
    else
        p->more = true;
}
