/* Bodies: what their reads, events and marks say of an answer. */
#include "replay_run.h"

#define SEG "capture 0 v=1 seg=s1 vantage=gateway unit=read t1=exact\n"
#define OPEN "recv 0 a stream=true\nsend 10 a\n"
#define SSE "head 100 a status=200 h.content-type=text/event-stream\n"
#define CHAT(delta) "data: {\"object\":\"chat.completion.chunk\"," \
    "\"model\":\"m-9\",\"choices\":[{\"index\":0,\"delta\":{" delta \
    "},\"finish_reason\":null}]}\\n\\n"
#define STOP "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{" \
    "\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\\n\\n"
#define USAGE "data: {\"object\":\"chat.completion.chunk\",\"choices\":[]," \
    "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":20," \
    "\"total_tokens\":29}}\\n\\n"

static const replay_case of_streams[] = {
    {"a chat stream",
     SEG OPEN SSE
     "data 105 a | : hello\\n\\n\n"
     "data 110 a | " CHAT("\"role\":\"assistant\",\"content\":\"\"") "\n"
     "data 150 a | " CHAT("\"content\":\" \"") "\n"
     "data 160 a | " CHAT("\"content\":\"Alfa\"") "\n"
     "data 460 a | " CHAT("\"content\":\" be\"") CHAT("\"content\":\"ta\"")
     "\n"
     "data 470 a | " STOP USAGE "data: [DONE]\\n\\n\n"
     "end 480 a how=eof\ndone 481 a\n",
     "first_sse_event_ms=110 first_response_ms=150 "
     "first_text_delta_ms=150 first_nonblank_text_ms=160 "
     "final_response_ms=460 longest_gap_ms=300 longest_gap_at_ms=160 "
     "s.stall=300 s.stall_at=160 s.sse_events=8 s.comments=1 s.text=4 "
     "s.reads=6 s.text_reads=3 s.text_bytes=10 s.burst_bytes=5 "
     "s.burst_gap=300 s.text_last=460 dialect=openai_chat model=m-9 "
     "finish_reason=stop outcome=complete output_tokens=20 "
     "visible_tokens=20 stream=1 seen1=1 seen128=1 seen64=-"},
    {"the silence at the end counts, the one before the first does not",
     SEG OPEN SSE "data 5000 a | " CHAT("\"content\":\"x\"") "\n"
     "data 5100 a | " CHAT("\"content\":\"y\"") "\n"
     "end 9100 a how=timeout\n",
     "longest_gap_ms=4000 longest_gap_at_ms=5100 s.stall=4000 "
     "outcome=timeout s.end=4"},
    {"a silence before t4 is no stall",
     SEG OPEN SSE
     "data 110 a | " CHAT("\"role\":\"assistant\"") "\n"
     "data 3110 a | " CHAT("\"content\":\"x\"") "\n"
     "data 3200 a | " CHAT("\"content\":\"y\"") STOP "\n"
     "end 3210 a how=eof\n",
     "longest_gap_ms=3000 longest_gap_at_ms=110 s.stall=90 "
     "s.stall_at=3110 s.burst_gap=3000"},
    {"the silence inside the visible window is not the one before or after",
     SEG OPEN SSE "data 110 a | " CHAT("\"reasoning_content\":\"r\"") "\n"
     "data 3110 a | " CHAT("\"content\":\"x\"") "\n"
     "data 3400 a | " CHAT("\"role\":\"assistant\"") "\n"
     "data 4100 a | " CHAT("\"content\":\"y\"") "\n"
     "data 4200 a | " CHAT("\"content\":\"z\"") "\n"
     "data 9200 a | " STOP "\nend 19000 a how=eof\n",
     "s.stall=9800 s.window_stall=700 final_response_ms=4200"},
    {"one visible event leaves no window to be silent in",
     SEG OPEN SSE "data 110 a | " CHAT("\"reasoning_content\":\"r\"") "\n"
     "data 3110 a | " CHAT("\"content\":\"x\"") "\n"
     "data 9200 a | " STOP "\nend 9300 a how=eof\n",
     "s.stall=6090 s.window_stall=-"},
    {"one event over many reads has the time of the last",
     SEG OPEN SSE "data 110 a | data: {\"object\":\"chat.compl\n"
     "data 200 a | etion.chunk\",\"choices\":[{\"index\":0,\"delta\":"
     "{\"content\":\"x\"}}]}\\n\n"
     "data 300 a | \\n\n" "data 400 a | " STOP "\n"
     "end 410 a how=eof\n",
     "first_sse_event_ms=300 first_response_ms=300 s.reads=4 "
     "s.sse_events=2"},
    {"events that were cut out already",
     SEG OPEN SSE
     "event 110 a | {\"object\":\"chat.completion.chunk\",\"choices\":["
     "{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n"
     "event 120 a | [DONE]\nend 130 a how=eof\n",
     "first_response_ms=110 s.sse_events=2 s.reads=2 outcome=complete"},
    {"a body that was not streamed has no stream milestones",
     SEG OPEN "head 100 a status=200 h.content-type=application/json\n"
     "data 105 a | {\"object\":\"chat.completion\",\"choices\":[{\"index\""
     "\n"
     "data 110 a | :0,\"message\":{\"role\":\"assistant\",\"content\":"
     "\"Alfa\"},\"finish_reason\":\"stop\"}],\"usage\":{"
     "\"prompt_tokens\":5,\"completion_tokens\":7}}\n"
     "end 111 a how=eof\n",
     "stream=0 first_sse_event_ms=- first_response_ms=- "
     "first_text_delta_ms=- final_response_ms=- upstream_done_ms=111 "
     "s.reads=2 s.sse_events=0 output_tokens=7 outcome=complete "
     "seen4=1 seen256=1 longest_gap_ms=-"},
    {"reasoning in a whole body shares an output that is not split",
     SEG OPEN "head 100 a status=200 h.content-type=application/json\n"
     "data 105 a | {\"object\":\"chat.completion\",\"choices\":[{\"index\""
     ":0,\"message\":{\"content\":\"Alfa\",\"reasoning_content\":\"r\"},"
     "\"finish_reason\":\"stop\"}],\"usage\":{\"completion_tokens\":7}}\n"
     "end 111 a how=eof\n",
     "stream=0 output_tokens=7 visible_tokens=- seen256=1 seen1024=1"},
    {"a body that no dialect explains may hold anything",
     SEG OPEN "head 100 a status=200 h.content-type=application/json\n"
     "data 105 a | {\"data\":[{\"b64_json\":\"AAAA\"}]}\n"
     "end 111 a how=eof\n",
     "stream=0 outcome=complete dialect=- seen32=1 seen256=-"},
    {"so may text",
     SEG OPEN "head 100 a status=200 h.content-type=text/plain\n"
     "data 105 a | Alfa\nend 111 a how=eof\n",
     "stream=0 outcome=complete seen32=1 seen256=-"},
    {"a whole body that ends in the middle did not come whole",
     SEG OPEN "head 100 a status=200 h.content-type=application/json\n"
     "data 105 a | {\"choices\":[\nend 111 a how=eof\n",
     "stream=0 outcome=incomplete att.1.outcome=incomplete seen256=-"},
    {"an error body is judged by its status",
     SEG OPEN "head 100 a status=400 h.content-type=application/json\n"
     "data 105 a | {\"error\":{\"message\":\"no\",\"type\":"
     "\"invalid_request_error\",\"code\":null}}\nend 111 a how=eof\n",
     "outcome=error status=400 error_code=invalid_request_error "
     "att.1.error_code=invalid_request_error stream=0 seen32=-"},
    {"an error event in a 200",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") "\n"
     "data 120 a | data: {\"error\":{\"message\":\"m\",\"code\":"
     "\"server_error\"}}\\n\\ndata: [DONE]\\n\\n\nend 130 a how=eof\n",
     "outcome=error status=200 error_code=server_error seen2=1"},
    {"cut in the middle",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") "\n"
     "data 120 a | data: {\"object\":\n" "end 130 a how=short\n",
     "outcome=incomplete s.trailing_partial_bytes=16 s.sse_events=1 "
     "output_tokens=- finish_reason=-"},
    {"nothing came at all",
     SEG OPEN SSE "end 130 a how=eof\n",
     "outcome=incomplete stream=1 s.sse_events=0 s.reads=0 "
     "longest_gap_ms=- first_sse_event_ms=-"},
    {"the recording stops",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") "\n",
     "outcome=truncated_capture upstream_done_ms=- "
     "first_response_ms=110 issue.capture_truncated=1 s.end=0"},
    {"the recording stops after the marker",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") STOP "\n",
     "outcome=complete issue.capture_truncated=- upstream_done_ms=-"},
    {"how it ended is not known",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") STOP "\n"
     "end 130 a how=exploded\n",
     "outcome=complete issue.unknown_end=1 s.end=7"},
    {"bytes that cannot be read keep their reads",
     SEG OPEN "head 100 a status=200 h.content-type=text/event-stream "
     "h.content-encoding=br\ndata 150 a | abcdef\ndata 160 a | ghi\n"
     "end 170 a how=eof\n",
     "outcome=unknown s.reads=2 s.sse_events=0 first_response_ms=- "
     "m.first_chunk@upstream_start=140 seen32=1 visible_tokens=- "
     "issue.content_encoding_unread=1 stream=1"},
};

static void streams(void)
{
    RUN_CASES(of_streams);
}

static const replay_case of_untimed_and_unkept[] = {
    {"a body without event times keeps what it says",
     SEG OPEN SSE "data - a | " CHAT("\"content\":\"x\"") STOP USAGE "\n"
     "end 500 a how=eof\n",
     "first_sse_event_ms=- first_response_ms=- longest_gap_ms=- "
     "s.sse_events=3 s.text=1 output_tokens=20 outcome=complete "
     "issue.no_event_times=1 seen64=1 upstream_done_ms=500"},
    {"an end without a time",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") STOP "\n"
     "end - a how=eof\n",
     "upstream_done_ms=- outcome=complete first_response_ms=110"},
    {"reads whose bytes were not kept: a measure, never t3",
     SEG OPEN SSE "data 150 a len=40\ndata 160 a len=30\n"
     "end 170 a how=eof\n",
     "first_sse_event_ms=- s.reads=2 m.first_chunk@upstream_start=140 "
     "issue.content_not_recorded=2 outcome=unknown stream=1"},
    {"one that was cut is judged by how it ended",
     SEG OPEN SSE "data 150 a len=40\nend 170 a how=reset\n",
     "outcome=incomplete"},
    {"a client's own word is kept",
     SEG OPEN SSE "data 150 a len=40\nend 170 a how=eof\n"
     "measure 0 a name=first_chunk value_ns=77000000 origin=span_start "
     "boundary=first_body_chunk\n",
     "m.first_chunk@span_start=77 m.first_chunk@upstream_start=-"},
    {"what is known later may have been there before",
     SEG OPEN SSE "data 120 a | " CHAT("\"role\":\"assistant\"") "\n"
     "data 150 a len=40\ndata 160 a | " CHAT("\"content\":\"x\"") "\n"
     "end 170 a how=eof\n",
     "first_sse_event_ms=120 first_response_ms=- "
     "first_text_delta_ms=- final_response_ms=160"},
    {"a first read that was not kept may have held the first event",
     SEG OPEN SSE "data 120 a len=40\ndata 150 a | "
     CHAT("\"content\":\"x\"") STOP "\nend 170 a how=eof\n",
     "first_sse_event_ms=- first_response_ms=- s.sse_events=2 "
     "m.first_chunk@upstream_start=110 outcome=complete"},
    {"a first chunk without a time is none; a second is not the first",
     SEG OPEN SSE "data - a len=40\ndata 150 a len=40\n"
     "end 170 a how=eof\n",
     "first_sse_event_ms=- m.first_chunk@upstream_start=- s.reads=2"},
    {"an empty read is none",
     SEG OPEN SSE "data 110 a | \ndata 150 a len=40\n"
     "end 170 a how=eof\n",
     "m.first_chunk@upstream_start=140 s.reads=1"},
    {"no silence is measured over a read that was not kept",
     SEG OPEN SSE "data 120 a | " CHAT("\"content\":\"x\"") "\n"
     "data 150 a | " CHAT("\"content\":\"y\"") "\n"
     "data 5150 a len=40\ndata 9000 a | " CHAT("\"content\":\"z\"") "\n"
     "data 9050 a | " CHAT("\"content\":\".\"") STOP "\n"
     "end 9055 a how=eof\n",
     "longest_gap_ms=50 longest_gap_at_ms=9000 s.stall=50 "
     "final_response_ms=9050"},
    {"nor from one to the end",
     SEG OPEN SSE "data 120 a | " CHAT("\"content\":\"x\"") STOP "\n"
     "data 150 a len=40\nend 9170 a how=eof\n",
     "longest_gap_ms=0 s.stall=0"},
    {"marks without content move t3 only",
     SEG OPEN SSE "mark 120 a kinds= read=1\nmark 150 a kinds= read=2\n"
     "end 170 a how=eof\n",
     "first_sse_event_ms=120 first_response_ms=- s.sse_events=2 "
     "s.reads=2 issue.content_not_recorded=2 outcome=unknown stream=1 "
     "longest_gap_ms=30 m.first_chunk@upstream_start=-"},
};

static void untimed_and_unkept(void)
{
    RUN_CASES(of_untimed_and_unkept);
}

static const replay_case of_marks[] = {
    {"every class, and what it moves",
     SEG OPEN SSE "mark 101 a kinds=comment read=1\n"
     "mark 110 a kinds=heartbeat read=2\nmark 120 a kinds=envelope "
     "read=2\nmark 130 a kinds=reasoning_opaque read=3\n"
     "mark 140 a kinds=action_start read=4\n"
     "mark 150 a kinds=tool_result read=4\n"
     "mark 160 a kinds=reasoning read=5 len=50\n"
     "mark 170 a kinds=action read=6 len=8\n"
     "mark 180 a kinds=media read=6\n"
     "mark 190 a kinds=refusal read=7 len=5\n"
     "mark 200 a kinds=text,finish read=8 len=6 finish=length\n"
     "mark 210 a kinds=usage read=8 u.prompt_tokens=3 "
     "u.completion_tokens=90 u.reasoning_tokens=80\n"
     "end 220 a how=eof\n",
     "first_sse_event_ms=110 first_response_ms=160 "
     "first_text_delta_ms=190 first_nonblank_text_ms=- "
     "final_response_ms=200 s.sse_events=11 "
     "s.comments=1 s.reads=8 s.envelope=1 s.reasoning=1 "
     "s.reasoning_opaque=1 s.action=1 s.media=1 s.text=2 s.text_reads=2 "
     "s.text_bytes=11 s.t4_classes=256 finish_reason=length seen512=1 "
     "output_tokens=90 reasoning_tokens=80 visible_tokens=- "
     "outcome=complete dialect=-"},
    {"a mark behind text does not take its time away",
     SEG OPEN SSE "data 110 a | " CHAT("\"content\":\"x\"") "\n"
     "mark 120 a kinds=text read=9 len=1\nend 220 a how=eof\n",
     "first_text_delta_ms=110 first_nonblank_text_ms=110 s.text=2"},
    {"text behind a mark may not be the first",
     SEG OPEN SSE "mark 120 a kinds=text read=9 len=1\n"
     "data 130 a | " CHAT("\"content\":\"x\"") "\nend 220 a how=eof\n",
     "first_text_delta_ms=120 first_nonblank_text_ms=- s.text=2"},
    {"an error code, and a rate limit by its word",
     SEG OPEN SSE "mark 110 a kinds=error error=rate_limit_exceeded\n"
     "end 120 a how=eof\n",
     "outcome=rate_limited error_code=rate_limit_exceeded seen2=1"},
    {"an error sentence is no code",
     SEG OPEN SSE "mark 110 a kinds=error error=you~are~out~of~luck\n"
     "end 120 a how=eof\n",
     "outcome=error error_code=-"},
    {"counts of a stream that was cut are a lower bound",
     SEG OPEN SSE "mark 110 a kinds=text,usage len=3 "
     "u.completion_tokens=1\nmark 120 a kinds=text,usage len=3 "
     "u.completion_tokens=2\nend 130 a how=reset\n",
     "output_tokens=2 seen16=1 outcome=incomplete"},
    {"the last finish word wins, an empty one is none",
     SEG OPEN SSE "mark 110 a kinds=finish finish=length\n"
     "mark 120 a kinds=finish finish=stop\nmark 130 a kinds=finish "
     "finish=\nend 140 a how=eof\n",
     "finish_reason=stop"},
    {"a finish word is no sentence",
     SEG OPEN SSE "mark 110 a kinds=finish finish=no,John!\n"
     "end 140 a how=eof\n",
     "finish_reason=- outcome=complete"},
};

static void marks(void)
{
    RUN_CASES(of_marks);
}

#define LINES "capture 0 seg=s vantage=client unit=line t1=bracketed\n"

static const replay_case of_held_back_lines[] = {
    {"headers that came with the body have no time of their own",
     LINES "send 10 a\nhead 300 a status=200 "
     "h.content-type=text/event-stream\n"
     "mark 300.4 a kinds=envelope\nmark 350 a kinds=text\n"
     "mark 400 a kinds=finish\nend 410 a how=eof\n",
     "issue.headers_with_body=1 upstream_headers_ms=- "
     "headers_to_event_ms=- first_sse_event_ms=290.4 "
     "issue.recorder_buffered=- att.1.headers=-"},
    {"a millisecond apart is apart",
     LINES "send 10 a\nhead 300 a status=200\n"
     "mark 301 a kinds=text,finish\nend 410 a how=eof\n",
     "issue.headers_with_body=- upstream_headers_ms=290"},
    {"everything at once",
     LINES "send 10 a\nhead 300 a status=200\n"
     "mark 304 a kinds=envelope\nmark 306 a kinds=text\n"
     "mark 308.9 a kinds=finish\nend 410 a how=eof\n",
     "issue.recorder_buffered=1 issue.headers_with_body=-"},
    {"two events are no burst",
     LINES "send 10 a\nhead 300 a status=200\n"
     "mark 304 a kinds=text\nmark 306 a kinds=finish\n"
     "end 410 a how=eof\n",
     "issue.recorder_buffered=-"},
    {"nor are 5 ms",
     LINES "send 10 a\nhead 300 a status=200\n"
     "mark 304 a kinds=envelope\nmark 306 a kinds=text\n"
     "mark 309 a kinds=finish\nend 410 a how=eof\n",
     "issue.recorder_buffered=-"},
    {"a recorder of reads may see both at once",
     SEG OPEN "head 100 a status=200\nmark 100 a kinds=envelope\n"
     "mark 100 a kinds=text\nmark 100 a kinds=finish\n"
     "end 101 a how=eof\n",
     "issue.recorder_buffered=- issue.headers_with_body=- "
     "upstream_headers_ms=90"},
};

static void held_back_lines(void)
{
    RUN_CASES(of_held_back_lines);
}

/* ---- splits ------------------------------------------------------------ */

/* A body with everything that makes an event wait, and when each of its
 * bytes arrived: a byte's time is its offset, in ms. */
static const char body[] =
    ": ping\n\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{\"content\":\"<th\"}}]}\r\n\r\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{\"content\":\"ink>hm\"}}]}\n\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{\"content\":\"</think>\\nYes\"}}]}\n\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

static void put_read(ait_buf *b, size_t at, size_t n)
{
    ait_buf_addf(b, "{\"type\":\"data\",\"ns\":%zu000000,\"req\":\"a\","
                 "\"data\":\"", 1000 + at + n);
    for (size_t i = 0; i < n; i++) {
        char c = body[at + i];

        ait_buf_adds(b, c == '\n' ? "\\n" : c == '\r' ? "\\r" :
                     c == '"' ? "\\\"" : c == '\\' ? "\\\\" : "");
        if (c != '\n' && c != '\r' && c != '"' && c != '\\')
            ait_buf_addc(b, c);
    }
    ait_buf_adds(b, "\"}\n");
}

static void run_split(run *r, const size_t *cuts, size_t n, size_t block)
{
    ait_buf b;
    size_t at = 0;

    ait_buf_init(&b, 1 << 20);
    to_capture(SEG OPEN SSE, &b);
    for (size_t i = 0; i < n; at = cuts[i++])
        put_read(&b, at, cuts[i] - at);
    to_capture("end 9000 a how=eof\n", &b);
    run_bytes(r, b.data, b.len, block);
    ait_buf_free(&b);
}

/* Ends of the events, found as a reader of the grammar finds them. */
static size_t event_end(const char *needle)
{
    const char *at = strstr(strstr(body, needle), "\n");

    at += at[1] == '\r' ? 2 : 1; /* CR alone ends the blank line */
    return (size_t)(at - body) + (at[-1] == '\n');
}

/* The time of an event is that of the read that completed it, however the
 * body is cut; an event that waits for a tag keeps its time. */
static void times_of_events_do_not_depend_on_the_reads(void)
{
    size_t cuts[sizeof body];
    char want[256];

    for (size_t size = 1; size < sizeof body; size += size < 40 ? 1 : 97) {
        size_t ends[3] = {event_end("\"role\""), event_end("ink>hm"),
                          event_end("Yes")}, n = 0;
        run r;

        for (size_t at = size; at < sizeof body - 1; at += size)
            cuts[n++] = at;
        cuts[n++] = sizeof body - 1;
        for (int i = 0; i < 3; i++) { /* to the end of the read it is in */
            ends[i] = (ends[i] + size - 1) / size * size;
            ends[i] = ends[i] < sizeof body - 1 ? ends[i] : sizeof body - 1;
        }
        snprintf(want, sizeof want, "n=1 s.sse_events=6 s.comments=1 "
                 "first_sse_event_ms=%zu first_response_ms=%zu "
                 "first_text_delta_ms=%zu outcome=complete s.reads=%zu "
                 "issue.inline_think=1", 1000 + ends[0], 1000 + ends[1],
                 1000 + ends[2], n);
        run_split(&r, cuts, n, size % 3 ? 0 : size);
        expect(&r, want, "split");
        run_free(&r);
    }
}

/* Base64 may hold escapes like any string: what is unescaped and what is
 * decoded then lie in one buffer. */
static void base64_with_escapes(void)
{
    ait_buf b;
    run r;

    for (int n = 2; n < 400; n += 7) {
        ait_buf_init(&b, 1 << 20);
        to_capture(SEG OPEN SSE, &b);
        ait_buf_adds(&b, "{\"type\":\"data\",\"ns\":110000000,"
                     "\"req\":\"a\",\"data_base64\":\"\\u005aGF0");
        for (int i = 0; i < n; i++)
            ait_buf_adds(&b, "YTog");
        ait_buf_adds(&b, "Cgo=\"}\n");
        to_capture("end 130 a how=eof\n", &b);
        run_bytes(&r, b.data, b.len, 0);
        expect(&r, "s.sse_events=1 s.reads=1 first_sse_event_ms=110",
               "base64");
        run_free(&r);
        ait_buf_free(&b);
    }
}

/* Two requests whose records alternate come out as if alone. */
static void interleaved_requests_do_not_mix(void)
{
    static const char *const a[] = {
        "recv 0 a", "send 10 a", "head 100 a status=200 "
        "h.content-type=text/event-stream",
        "data 110 a | " CHAT("\"content\":\"x\""), "data 120 a | " STOP,
        "end 130 a how=eof", "done 140 a"};
    static const char *const b[] = {
        "recv 3 b", "send 8 b", "head 60 b status=200 "
        "h.content-type=text/event-stream",
        "data 70 b | " CHAT("\"reasoning\":\"y\""), "data 90 b | " STOP,
        "end 99 b how=short", "done 100 b"};
    run r;
    ait_buf out;

    for (unsigned order = 0; order < 128; order++) {
        int i = 0, j = 0;
        char line[1024];

        ait_buf_init(&out, 1 << 20);
        to_capture(SEG, &out);
        while (i < 7 || j < 7) {
            bool first = j == 7 || (i < 7 && (order >> (i + j) % 7 & 1));

            snprintf(line, sizeof line, "%s", first ? a[i++] : b[j++]);
            add_line(&out, line);
        }
        run_bytes(&r, out.data, out.len, 1 + order);
        CHECK_INT(r.n, 2);
        i = strstr(r.dump[0].data, "request_id=a") ? 0 : 1;
        expect_word(&r.dump[i], "first_text_delta_ms=110", 23, "a");
        expect_word(&r.dump[i], "total_handler_ms=140", 20, "a");
        expect_word(&r.dump[1 - i], "first_response_ms=67", 20, "b");
        expect_word(&r.dump[1 - i], "first_text_delta_ms=-", 21, "b");
        run_free(&r);
        ait_buf_free(&out);
    }
}

/* Events that come out late are on the clock of their own read. */
static void a_step_while_events_wait(void)
{
    run r;

    run_script(&r, SEG "recv 5000 a\nsend 5010 a\n"
               "head 5100 a status=200 h.content-type=text/event-stream\n"
               "data 5200 a | " CHAT("\"content\":\"<thi\"") "\n"
               "data 1000 a | " CHAT("\"content\":\"s is text\"") "\n"
               "data 1100 a | " STOP "\nend 1110 a how=eof\n");
    expect(&r, "n=1 first_response_ms=200 first_text_delta_ms=200 "
           "final_response_ms=- issue.clock_went_back=1 s.text=2 "
           "longest_gap_ms=100", "step");
    run_free(&r);
}

int main(void)
{
    RUN(streams);
    RUN(untimed_and_unkept);
    RUN(marks);
    RUN(held_back_lines);
    RUN(times_of_events_do_not_depend_on_the_reads);
    RUN(base64_with_escapes);
    RUN(interleaved_requests_do_not_mix);
    RUN(a_step_while_events_wait);
    return t_done();
}
