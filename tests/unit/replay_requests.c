/* Requests and their attempts: origins, clocks, retries, segments, ids. */
#include "replay_run.h"

#define SEG "capture 0 v=1 seg=s1 wall=2026-03-02T10:00:00Z vantage=gateway " \
            "unit=read t1=exact\n"
#define CLIENT(t1) "capture 0 v=1 seg=s1 wall=2026-03-02T10:00:00Z " \
                   "vantage=client unit=read t1=" t1 "\n"
#define HEAD_OK " status=200 h.content-type=text/event-stream\n"

/* A whole answer of attempt 1 from a head at 100. */
#define ANSWER \
    "head 100 a att=1" HEAD_OK \
    "mark 110 a att=1 kinds=envelope read=1\n" \
    "mark 150 a att=1 kinds=text read=2 len=4\n" \
    "mark 180 a att=1 kinds=text read=3 len=6\n" \
    "mark 190 a att=1 kinds=finish,usage read=4 finish=stop " \
    "u.prompt_tokens=9 u.completion_tokens=20\n" \
    "end 200 a att=1 how=eof\n"

static const replay_case of_origins[] = {
    {"a gateway: everything from the receipt",
     SEG "recv 10 a\nsend 30 a att=1\n" ANSWER "done 205 a status=200\n",
     "n=1 origin=gateway_receipt vantage=gateway outcome=complete "
     "upstream_start_ms=20 upstream_headers_ms=70 first_sse_event_ms=100 "
     "first_response_ms=140 first_text_delta_ms=140 "
     "first_nonblank_text_ms=- final_response_ms=170 "
     "upstream_done_ms=190 total_handler_ms=195 before_upstream_ms=20 "
     "after_upstream_ms=5 headers_to_event_ms=10 event_to_response_ms=40 "
     "response_to_text_ms=0 visible_window_ms=30 status=200 retries=0 "
     "retry_wait_ms=- finish_reason=stop prompt_tokens=9 "
     "output_tokens=20 visible_tokens=20 stream=1 line=2 "
     "time=1772445600010000000 file=t.jsonl format=capture "
     "att.1.start=20 att.1.headers=70 att.1.done=190 att.1.wait=- "
     "att.1.outcome=complete serving=1"},
    {"a client: everything from the send, a measured 0 for the start",
     CLIENT("exact") "send 30 a att=1\n" ANSWER,
     "n=1 origin=request_send vantage=client upstream_start_ms=0 "
     "upstream_headers_ms=70 first_response_ms=120 upstream_done_ms=170 "
     "total_handler_ms=- before_upstream_ms=- after_upstream_ms=- "
     "time=1772445600030000000 issue.send_time_bracketed=- "
     "outcome=complete"},
    {"done without recv: no t7, its status counts",
     CLIENT("exact") "send 30 a att=1\n" ANSWER "done 205 a status=203\n",
     "origin=request_send total_handler_ms=- status=203"},
    {"bracketed: used as it is, and said",
     CLIENT("bracketed") "send 30 a att=1\n" ANSWER,
     "origin=request_send upstream_headers_ms=70 "
     "issue.send_time_bracketed=1"},
    {"unknown: only differences mean anything",
     CLIENT("unknown") "send 999 a att=1\n" ANSWER,
     "origin=first_record upstream_start_ms=- upstream_headers_ms=- "
     "headers_to_event_ms=10 first_sse_event_ms=10 first_response_ms=50 "
     "upstream_done_ms=100 issue.clock_went_back=- "
     "issue.record_order=- att.1.start=- att.1.headers=- "
     "att.1.done=100 time=1772445600100000000"},
    {"unknown, without a send at all",
     CLIENT("unknown") "mark 100 a kinds=text len=3\nend 130 a how=eof\n",
     "n=1 origin=first_record first_response_ms=0 upstream_done_ms=30 "
     "upstream_headers_ms=- issue.record_order=- att.1.outcome="
     "incomplete"},
    {"a send that was not recorded, though sends are",
     SEG "mark 100 a kinds=text len=3\nend 130 a how=eof\n",
     "n=1 origin=first_record issue.record_order=1"},
    {"receipt known, send unknown: no start, no headers",
     "capture 0 seg=s vantage=proxy t1=unknown\nrecv 10 a\n"
     "send 30 a att=1\n" ANSWER,
     "origin=gateway_receipt upstream_start_ms=- upstream_headers_ms=- "
     "headers_to_event_ms=- first_response_ms=140 vantage=proxy "
     "event_to_response_ms=40 time=-"},
    {"no capture record: nothing is known of where and when",
     "recv 10 a\nsend 30 a att=1\n" ANSWER,
     "n=1 origin=gateway_receipt vantage=client time=-"},
};

static void origins(void)
{
    RUN_CASES(of_origins);
}

static const replay_case of_clocks[] = {
    {"a lower stamp counts as the one before",
     SEG "recv 0 a\nsend 10 a att=1\nhead 900 a att=1" HEAD_OK
     "mark 1000 a kinds=text\nmark 1040 a kinds=text\n"
     "mark 1038 a kinds=text\nmark 1080 a kinds=finish\n"
     "end 1090 a how=eof\n",
     "issue.clock_went_back=1 longest_gap_ms=40 longest_gap_at_ms=1000 "
     "final_response_ms=1040 upstream_done_ms=1090 outcome=complete"},
    {"a clock that was set: nothing is measured across",
     SEG "recv 5000 a\nsend 5010 a att=1\nhead 5100 a att=1" HEAD_OK
     "mark 5200 a kinds=text len=9\nmark 5300 a kinds=text\n"
     "mark 1000 a kinds=text\nmark 1250 a kinds=text,finish\n"
     "end 1300 a how=eof\ndone 1310 a\n",
     "issue.clock_went_back=1 first_response_ms=200 "
     "final_response_ms=- visible_window_ms=- upstream_done_ms=- "
     "total_handler_ms=- longest_gap_ms=250 longest_gap_at_ms=- "
     "after_upstream_ms=10 att.1.done=- outcome=complete"},
    {"lines of two requests may be out of order",
     SEG "recv 100 a\nrecv 50 b\nsend 60 b\nsend 110 a\n"
     "head 120 a" HEAD_OK "head 70 b" HEAD_OK
     "end 130 a how=eof\nend 80 b how=eof\n",
     "n=2 issue.clock_went_back=- upstream_done_ms=30 "
     "1: upstream_done_ms=30 issue.clock_went_back=-"},
    {"a phase may stand anywhere, its stamp is nobody's predecessor",
     SEG "phase 900 a name=auth dur_ns=2000000\nrecv 10 a\n"
     "send 20 a\n" ANSWER "done 205 a\n"
     "phase 5 a name=auth dur_ns=500000\n"
     "phase 5 a name=body_read dur_ns=0\n"
     "phase 7 a name=queue dur_ns=3000000\n"
     "phase 8 a name=queue dur_ns=4000000\n"
     "phase 9 a name=lunch dur_ns=1\nphase 9 a name=auth dur_ns=-4\n",
     "n=1 issue.clock_went_back=- auth_ms=2.5 distribution_ms=- "
     "body_read_ms=0 m.queue@local=7 issue.value_ignored=2 "
     "first_response_ms=140"},
    {"an end before its start is absent and said",
     SEG "recv 10 a\nsend 20 a\n" ANSWER "done 205 a\n"
     "end 300 a att=1 how=eof\n",
     "issue.record_order=1 after_upstream_ms=5"},
    {"done before the end of the body",
     SEG "recv 10 a\nsend 20 a\nhead 30 a" HEAD_OK
     "mark 40 a kinds=text,finish\ndone 50 a\nend 60 a how=eof\n",
     "n=1 total_handler_ms=40 upstream_done_ms=50 after_upstream_ms=- "
     "issue.negative_duration=1 outcome=complete"},
};

static void clocks(void)
{
    RUN_CASES(of_clocks);
}

#define LIMITED "recv 0 a channel=c0\nsend 40 a att=1 channel=c1\n" \
    "head 95 a att=1 status=429 h.retry-after=2 h.x-request-id=u-1\n" \
    "end 96 a att=1 how=eof\n"

static const replay_case of_attempts[] = {
    {"a retry after 429",
     SEG LIMITED "send 2110 a att=2 upstream=https://api.test:443/v1?k=1\n"
     "head 2390 a att=2" HEAD_OK "mark 2395 a att=2 kinds=envelope\n"
     "mark 2900 a att=2 kinds=text,finish len=4\n"
     "end 3300 a att=2 how=eof\ndone 3306 a\n",
     "n=1 outcome=complete retries=1 retry_wait_ms=2014 serving=2 "
     "upstream_start_ms=2110 upstream_headers_ms=280 "
     "before_upstream_ms=40 first_response_ms=2900 status=200 "
     "att.1.status=429 att.1.outcome=rate_limited att.1.retry_after=2000 "
     "att.1.start=40 att.1.headers=55 att.1.done=96 att.1.wait=- "
     "att.1.channel=c1 att.2.channel=c0 att.2.upstream=api.test "
     "att.2.wait=2014 att.2.outcome=complete channel=c0 s.reads=2 "
     "s.sse_events=2 ids=a,u-1 request_id=a"},
    {"the last attempt serves where none answered",
     SEG LIMITED "send 2110 a att=2\nhead 2390 a att=2 status=500\n"
     "end 2400 a att=2 how=eof\ndone 2401 a status=502\n",
     "outcome=error serving=2 status=502 att.2.status=500 "
     "att.2.outcome=error upstream_done_ms=2400"},
    {"an attempt without headers, the wait counts from its end",
     SEG "recv 0 a\nsend 10 a att=1\nend 510 a att=1 how=timeout\n"
     "send 600 a att=2\nhead 700 a att=2" HEAD_OK
     "mark 710 a att=2 kinds=text,finish\nend 720 a att=2 how=eof\n",
     "retry_wait_ms=90 att.1.outcome=timeout att.1.status=- "
     "outcome=complete"},
    {"an attempt without an end, the wait counts from its headers",
     SEG "recv 0 a\nsend 10 a att=1\nhead 60 a att=1 status=503\n"
     "send 100 a att=2\nhead 200 a att=2" HEAD_OK
     "mark 210 a att=2 kinds=text,finish\nend 220 a att=2 how=eof\n",
     "retry_wait_ms=40 att.1.outcome=error att.1.done=-"},
    {"neither: the wait is not known, nor the sum",
     SEG "recv 0 a\nsend 10 a att=1\nsend 100 a att=2\n"
     "head 200 a att=2" HEAD_OK "mark 210 a kinds=text,finish\n"
     "end 220 a how=eof\n",
     "retries=1 retry_wait_ms=- att.1.outcome=error"},
    {"two at once: the one that answered serves",
     SEG "recv 0 a\nsend 10 a att=1\nsend 500 a att=2\n"
     "head 600 a att=1" HEAD_OK "mark 610 a att=1 kinds=text,finish\n"
     "end 650 a att=2 how=cancelled\nend 700 a att=1 how=eof\n"
     "done 705 a status=200\n",
     "serving=1 outcome=complete upstream_start_ms=10 "
     "first_response_ms=610 upstream_done_ms=700 att.2.outcome=cancelled "
     "retry_wait_ms=- "},
    {"a partial answer, then a retry that got nothing",
     SEG "recv 0 a\nsend 10 a att=1\nhead 20 a att=1" HEAD_OK
     "mark 30 a att=1 kinds=text\nend 40 a att=1 how=reset\n"
     "send 50 a att=2\nend 60 a att=2 how=error\ndone 70 a status=200\n",
     "serving=1 outcome=incomplete first_response_ms=30 att.2.outcome="
     "error"},
    {"the same, but the recording stops while the retry is open",
     SEG "recv 0 a\nsend 10 a att=1\nhead 20 a att=1" HEAD_OK
     "mark 30 a att=1 kinds=text\nend 40 a att=1 how=reset\n"
     "send 50 a att=2\n",
     "serving=2 outcome=truncated_capture first_response_ms=- "
     "issue.capture_truncated=1"},
    {"answered by the gateway itself",
     SEG "recv 0 a stream=false\ndone 7 a status=403\n",
     "n=1 retries=0 outcome=error status=403 total_handler_ms=7 "
     "serving=- s.sse_events=- upstream_start_ms=- stream=0"},
    {"the same from a cache",
     SEG "recv 0 a stream=false\ndone 7 a status=200\n",
     "outcome=complete stream=0"},
    {"dates of retry-after, against the answer's own",
     SEG "recv 0 a\nsend 10 a\nhead 20 a status=503 "
     "h.retry-after=Mon,~02~Mar~2026~10:00:30~GMT "
     "h.date=Mon,~02~Mar~2026~10:00:10~GMT\nend 30 a how=eof\n",
     "att.1.retry_after=20000"},
    {"against the wall time where it gives none",
     SEG "recv 0 a\nsend 10 a\nhead 500 a status=503 "
     "h.Retry-After=Mon,~02~Mar~2026~10:00:30~GMT\nend 501 a how=eof\n",
     "att.1.retry_after=29500"},
    {"a past date is 0, a word is nothing",
     SEG "recv 0 a\nsend 10 a\nhead 20 a status=503 "
     "h.retry-after=Mon,~02~Mar~2026~09:00:30~GMT\nend 30 a how=eof\n"
     "recv 0 b\nsend 10 b\nhead 20 b status=503 h.retry-after=soon\n"
     "end 30 b how=eof\n",
     "att.1.retry_after=0 1: att.1.retry_after=-"},
    {"the older forms of a date, and blanks around a value",
     SEG "recv 0 a\nsend 10 a\nhead 500 a status=503 "
     "h.retry-after=Monday,~02-Mar-26~10:00:30~GMT\nend 501 a how=eof\n"
     "recv 0 b\nsend 10 b\nhead 500 b status=503 "
     "h.retry-after=~Mon~Mar~~2~10:00:30~2026~\nend 501 b how=eof\n"
     "recv 0 c\nsend 10 c\nhead 500 c status=503 "
     "h.retry-after=~3~~\nend 501 c how=eof\n"
     "recv 0 d\nsend 10 d\nhead 500 d status=503 "
     "h.retry-after=Monday,~02-Mar-99~10:00:30~GMT\nend 501 d how=eof\n",
     "att.1.retry_after=29500 1: att.1.retry_after=29500 "
     "2: att.1.retry_after=3000 3: att.1.retry_after=0"},
    {"dates that are none",
     SEG "recv 0 a\nsend 10 a\nhead 500 a status=503 "
     "h.retry-after=Mon,~02~Mar~2026~10:00:30~GMTx\nend 501 a how=eof\n"
     "recv 0 b\nsend 10 b\nhead 500 b status=503 "
     "h.retry-after=Mon,~02~Mrz~2026~10:00:30~GMT\nend 501 b how=eof\n"
     "recv 0 c\nsend 10 c\nhead 500 c status=503 "
     "h.retry-after=Mon~Mar~32~10:00:30~2026\nend 501 c how=eof\n"
     "recv 0 d\nsend 10 d\nhead 500 d status=503 "
     "h.retry-after=Monday,~02-Mar-26~10:00\nend 501 d how=eof\n",
     "att.1.retry_after=- 1: att.1.retry_after=- 2: att.1.retry_after=- "
     "3: att.1.retry_after=-"},
    {"1xx is not the answer; a second head is none either",
     SEG "recv 0 a\nsend 10 a\nhead 15 a status=100\n"
     "head 20 a" HEAD_OK "head 25 a status=500\n"
     "mark 30 a kinds=text,finish\nend 40 a how=eof\n",
     "upstream_headers_ms=10 status=200 issue.record_order=1 "
     "outcome=complete"},
    {"numbers that are none",
     SEG "recv 0 a\nsend 10 a att=0\nsend 11 a att=-3\n"
     "send 12 a att=99999999999\nsend 20 a att=7\nend 30 a how=error\n",
     "issue.value_ignored=3 retries=0 att.7.start=20 att.7.done=30"},
};

static void attempts(void)
{
    RUN_CASES(of_attempts);
}

static const replay_case of_ids[] = {
    {"the answer's x-request-id is shown",
     SEG "recv 0 r1 i.X-Client-Id=cli-1 i.other=o-2\nsend 1 r1\n"
     "head 2 r1 status=200 h.request-id=q-1 h.X-Request-Id=x-1 "
     "h.x-task-id=t-1\nend 3 r1 how=eof\n",
     "request_id=x-1 ids=x-1,q-1,t-1,cli-1,o-2,r1"},
    {"else its request-id",
     SEG "recv 0 r1 i.c=cli-1\nsend 1 r1\n"
     "head 2 r1 status=200 h.request-id=q-1\nend 3 r1 how=eof\n",
     "request_id=q-1 ids=q-1,cli-1,r1"},
    {"else the first id of the client",
     SEG "recv 0 r1 i.c=cli-1\nsend 1 r1\nend 3 r1 how=eof\n",
     "request_id=cli-1 ids=cli-1,r1"},
    {"else req; the serving attempt's stands first",
     SEG "recv 0 r1\nsend 1 r1 att=1\n"
     "head 2 r1 att=1 status=429 h.x-request-id=x-1\n"
     "end 3 r1 att=1 how=eof\nsend 4 r1 att=2\n"
     "head 5 r1 att=2 status=200 h.x-request-id=x-2\n"
     "end 6 r1 att=2 how=eof\n",
     "request_id=x-2 ids=x-2,x-1,r1"},
    {"secrets and addresses are no ids",
     SEG "recv 0 r1 i.authorization=s-1 i.Cookie=s-2 i.x-api-key=s-3 "
     "i.X-Forwarded-For=s-4 i.x-real-ip=s-5\nsend 1 r1\n"
     "head 2 r1 status=200 h.set-cookie=s-6 h.x-other=s-7\n"
     "end 3 r1 how=eof\n",
     "request_id=r1 ids=r1"},
    {"server-side timings of headers are measures",
     SEG "recv 0 r1\nsend 1 r1\nhead 2 r1 status=200 "
     "h.openai-processing-ms=187 h.x-routing-time-ms=2.5\n"
     "end 3 r1 how=eof\nmeasure 4 r1 name=relay value_ns=5000000 "
     "origin=relay_start boundary=handler_end source_field=/f\n"
     "measure 5 r1 name=bad value_ns=5 origin=moon boundary=headers\n"
     "measure 5 r1 name=a~b value_ns=5 origin=local boundary=headers\n"
     "issue 6 r1 id=malformed_event count=3\nissue 7 r1 id=nonsense\n",
     "m.processing@vendor_edge=187 m.routing@vendor_edge=2.5 "
     "m.relay@relay_start=5 issue.value_ignored=3 "
     "issue.malformed_event=3"},
    {"facts of the request, the first of each",
     SEG "recv 0 r1 method=POST path=/v1/chat?key=x model=m1 provider=p "
     "group=g channel=c route=r region=eu stream=true max_tokens=400 "
     "reasoning_effort=low temperature=0.7 top_p=1 tools=2 inflight=31\n"
     "send 1 r1 model=m2 region=us\nend 3 r1 how=eof\n",
     "endpoint=/v1/chat model=m1 provider=p group=g channel=c route=r "
     "region=eu max_tokens=400 reasoning_effort=low temperature=700000 "
     "top_p=1000000 tools=2 inflight=31 stream=1"},
    {"without recv the send gives them",
     CLIENT("exact") "send 1 r1 path=/v1/x model=m2 i.id=k-1\n"
     "end 3 r1 how=eof\n",
     "endpoint=/v1/x model=m2 request_id=k-1"},
};

static void ids(void)
{
    RUN_CASES(of_ids);
}

static const replay_case of_segments[] = {
    {"times of two segments never meet",
     SEG "recv 5000 a\nsend 5010 a\n"
     "capture 0 seg=s2 wall=2026-03-02T11:00:00Z vantage=proxy\n"
     "recv 10 a\nsend 20 a\n" ANSWER "close 210 records=10\n",
     "n=2 file.segment_unclosed=1 outcome=truncated_capture "
     "issue.clock_went_back=- upstream_start_ms=10 "
     "time=1772445605000000000 "
     "1: outcome=complete upstream_start_ms=10 vantage=proxy "
     "time=1772449200010000000"},
    {"a rotated file goes on where the first stopped",
     SEG "recv 10 a\nsend 20 a\n" SEG ANSWER "close 210 records=99\n",
     "n=1 outcome=complete file.segment_unclosed=1"},
    {"the same id with another anchor is another segment",
     SEG "recv 10 a\nsend 20 a\n"
     "capture 0 seg=s1 wall=2026-03-02T10:00:01Z\n" ANSWER,
     "n=2 outcome=truncated_capture 1: origin=first_record"},
    {"closed with the right count",
     SEG "recv 10 a\nsend 20 a\n" ANSWER "close 210 records=10\n",
     "n=1 file.segment_unclosed=-"},
    {"not closed",
     SEG "recv 10 a\nsend 20 a\n" ANSWER,
     "n=1 file.segment_unclosed=1"},
    {"lost data is said of the file and of what was open then",
     SEG "recv 0 a\ndone 1 a\n"
     "recv 2 b\nlost 3 n=7 why=full\nsend 4 b\nend 5 b how=error\n"
     "recv 6 c\nsend 7 c\nend 8 c how=error\n",
     "n=3 file.recorder_lost_data=1 0: issue.recorder_lost_data=1 "
     "1: issue.recorder_lost_data=1 2: issue.recorder_lost_data=-"},
    {"what belongs to a request that never came is no request",
     SEG "phase 1 x name=auth dur_ns=1\nend 2 y how=eof\ndone 3 z\n"
     "measure 4 w name=m value_ns=1 origin=local boundary=headers\n",
     "n=0 file.record_order=4"},
    {"records that cannot be placed",
     SEG "recv 10 a\nrecv 11 a\nsend 20 a\nsend 21 a\n" ANSWER
     "mark 300 a kinds=text\nend 301 a how=eof\nhead 302 a status=200\n"
     "done 303 a\ndone 304 a\n",
     "n=1 issue.record_order=6 upstream_start_ms=10 "
     "total_handler_ms=293 final_response_ms=170"},
    {"an id that is used again after done",
     SEG "recv 10 a\nsend 20 a\nend 30 a how=error\ndone 31 a\n"
     "recv 40 a\nsend 60 a\nend 90 a how=error\ndone 91 a\n",
     "n=2 upstream_start_ms=10 1: upstream_start_ms=20"},
    {"ids that differ only where nobody looks first",
     SEG "recv 0 aXbYc\nrecv 1 aRbSc\nsend 3 aXbYc\nsend 5 aRbSc\n"
     "end 6 aXbYc how=error\ndone 7 aXbYc\nend 8 aRbSc how=error\n"
     "done 9 aRbSc\nrecv 10 aXbYc\nsend 14 aXbYc\n",
     "n=3 request_id=aXbYc upstream_start_ms=3 "
     "1: request_id=aRbSc upstream_start_ms=4 total_handler_ms=8 "
     "2: request_id=aXbYc upstream_start_ms=4 total_handler_ms=-"},
    {"a recv that comes late still counts",
     SEG "send 20 a\nrecv 10 a\n" ANSWER "done 205 a\n",
     "n=1 origin=gateway_receipt issue.clock_went_back=1 "
     "upstream_start_ms=0 total_handler_ms=185"},
    {"ended requests come out first, in the order they ended",
     SEG "recv 0 a\nrecv 1 b\nrecv 2 c\nsend 3 c\nend 4 c how=error\n"
     "done 5 c\nsend 6 a\nend 7 a how=error\ndone 8 a\n",
     "n=3 request_id=c 1: request_id=a 2: request_id=b"},
};

static void segments(void)
{
    RUN_CASES(of_segments);
}

/* A retry may come long after: the request waits, though not for ever. */
static void idle_requests_wait_for_a_retry(void)
{
    static const int between[] = {10, 5000};
    ait_buf b;
    run r;

    for (int i = 0; i < 2; i++) {
        ait_buf_init(&b, 8 << 20);
        to_capture(CLIENT("exact") "send 1 a att=1\n"
                   "head 2 a att=1 status=429\nend 3 a att=1 how=eof\n", &b);
        for (int n = 0; n < between[i]; n++)
            ait_buf_addf(&b,
                         "{\"type\":\"send\",\"ns\":5,\"req\":\"q%d\"}\n"
                         "{\"type\":\"end\",\"ns\":6,\"req\":\"q%d\","
                         "\"how\":\"error\"}\n", n, n);
        to_capture("send 9000 a att=2\nhead 9001 a att=2 status=429\n", &b);
        run_bytes(&r, b.data, b.len, 0);
        CHECK_INT(r.code, AIT_OK);
        /* given up: a second trace begins with the late attempt */
        CHECK_INT(r.n, between[i] + 1 + i);
        run_free(&r);
        ait_buf_free(&b);
    }
}

static void hostile_captures_are_bounded(void)
{
    ait_buf b;
    run r;
    int i;

    ait_buf_init(&b, 64 << 20);
    for (i = 0; i < 70000; i++)
        ait_buf_addf(&b, "{\"type\":\"recv\",\"ns\":5,\"req\":\"q%d\"}\n", i);
    for (i = 1; i <= 2000; i++)
        ait_buf_addf(&b, "{\"type\":\"send\",\"ns\":5,\"req\":\"q69999\","
                     "\"att\":%d}\n", i);
    ait_buf_adds(&b, "{\"type\":\"recv\",\"ns\":5,\"req\":\"");
    for (i = 0; i < 1 << 20; i++)
        ait_buf_addc(&b, 'x');
    ait_buf_adds(&b, "\"}\n{\"type\":\"done\",\"ns\":6,\"req\":\"");
    for (i = 0; i < 1 << 20; i++)
        ait_buf_addc(&b, 'x');
    ait_buf_adds(&b, "\"}\n");
    run_bytes(&r, b.data, b.len, 0);
    CHECK_INT(r.code, AIT_OK);
    CHECK_INT(r.n, 70001);
    run_free(&r);
    ait_buf_free(&b);
}

/* The n-th allocation fails, for every n: an error, no crash, no leak. */
static void out_of_memory_is_an_error(void)
{
    static const char script[] =
        SEG LIMITED "send 2110 a att=2\n"
        "head 2390 a att=2" HEAD_OK "mark 2395 a att=2 kinds=text,finish "
        "finish=stop error=oops\nphase 1 a name=dns dur_ns=4\n"
        "end 3300 a att=2 how=eof\ndone 3306 a\n";
    ait_buf b;
    run r;
    int fails = 0;

    ait_buf_init(&b, 1 << 20);
    to_capture(script, &b);
    for (long n = 1; n < 400; n++) {
        ait_file_report *report = calloc(1, sizeof *report);
        ait_sink sink = {.record = ait_replay_record};
        ait_input_options o = {.format = "capture"};
        ait_replay *p;
        int code = AIT_ENOMEM;

        memset(&r, 0, sizeof r);
        ait_mem_fail_after(n);
        p = sink.ctx = ait_replay_new("t", "capture", report, keep_trace, &r);
        if (p)
            code = ait_input_bytes("t", b.data, b.len, &o, &sink, report,
                                   NULL);
        if (code == AIT_OK)
            code = ait_replay_finish(p);
        ait_mem_fail_after(0);
        CHECK(code == AIT_OK || code == AIT_ENOMEM);
        fails += code == AIT_ENOMEM;
        ait_replay_free(p);
        run_free(&r);
        free(report);
    }
    CHECK(fails > 9 && fails < 399);
    ait_buf_free(&b);
}

static int refuse(void *ctx, ait_trace *t)
{
    (void)ctx;
    (void)t;
    return AIT_EDB;
}

static void the_sink_can_stop_it(void)
{
    ait_file_report *report = calloc(1, sizeof *report);
    ait_replay *p = ait_replay_new("t", "capture", report, refuse, NULL);
    ait_record rec = {.type = AIT_REC_RECV, .line = 1, .stream = -1};

    for (int i = 0; i < AIT_RN_COUNT; i++)
        rec.num[i] = AIT_ABSENT;
    rec.num[AIT_RN_NS] = 4;
    rec.text[AIT_RT_REQ] = (ait_str){"a", 1};
    CHECK_INT(ait_replay_record(p, &rec), AIT_OK);
    rec.type = AIT_REC_COUNT; /* a type of a later version */
    CHECK_INT(ait_replay_record(p, &rec), AIT_OK);
    CHECK_INT(ait_replay_finish(p), AIT_EDB);
    ait_replay_free(p);
    ait_replay_free(NULL);
    free(report);
}

int main(void)
{
    RUN(origins);
    RUN(clocks);
    RUN(attempts);
    RUN(ids);
    RUN(segments);
    RUN(idle_requests_wait_for_a_retry);
    RUN(hostile_captures_are_bounded);
    RUN(out_of_memory_is_an_error);
    RUN(the_sink_can_stop_it);
    return t_done();
}
