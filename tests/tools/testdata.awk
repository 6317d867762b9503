# Writes the captures and logs of testdata/ (see its README.md) into `dir`.
# Called by testdata.sh; what is written is committed, so that a test never
# depends on this file. Times are in milliseconds; all words are invented.

# ---- records -----------------------------------------------------------------
function open(name) { file = dir "/" name; records = 0 }
function put(s) { print s > file; records++ }
function shut() { close(file) }
function ns(ms) { return sprintf("%.0f", ms * 1000000) }

# A JSON string; only what occurs here is escaped.
function str(s,    i, c, o) {
    o = "\""
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "\"" || c == "\\") c = "\\" c
        else if (c == "\n") c = "\\n"
        else if (c == "\r") c = "\\r"
        else if (c == "\t") c = "\\t"
        o = o c
    }
    return o "\""
}
function rec(type, ms, more) {
    put("{\"type\":\"" type "\",\"ns\":" ns(ms) more "}")
}
function id(req, att) {
    return ",\"req\":\"" req "\"" (att ? ",\"att\":" att : "")
}
function capture(seg, wall, more) {
    if (more !~ /"vantage"/) more = more ",\"vantage\":\"gateway\""
    if (more !~ /"t1"/) more = more ",\"t1\":\"exact\""
    if (more !~ /"unit"/) more = more ",\"unit\":\"read\""
    rec("capture", 0, ",\"v\":1,\"seg\":\"" seg "\",\"wall\":\"" wall \
        "\",\"clock\":\"mono\",\"tool\":\"testdata\"" more)
    records = 1
}
function shut_segment(ms) {
    rec("close", ms, ",\"records\":" (records + 1))
}
function recv(ms, req, more) {
    rec("recv", ms, id(req) ",\"method\":\"POST\",\"path\":\"" \
        path "\"" more)
}
function send(ms, req, att, more) { rec("send", ms, id(req, att) more) }
function head(ms, req, att, status, type, more) {
    rec("head", ms, id(req, att) ",\"status\":" status \
        ",\"headers\":{\"content-type\":\"" type "\"" more "}")
}
function data(ms, req, att, bytes) {
    rec("data", ms, id(req, att) ",\"data\":" str(bytes))
}
function end(ms, req, att, how) {
    rec("end", ms, id(req, att) ",\"how\":\"" how "\"")
}
function done(ms, req, more) { rec("done", ms, id(req) more) }
function ids(value) { return ",\"ids\":{\"x-request-id\":\"" value "\"}" }

# ---- bodies --------------------------------------------------------------------
function sse(ms, req, att, json) { data(ms, req, att, "data: " json "\n\n") }
function named(ms, req, att, name, json) {
    data(ms, req, att, "event: " name "\ndata: " json "\n\n")
}
function chunk(delta, finish) {
    return "{\"id\":\"cc-1\",\"object\":\"chat.completion.chunk\"," \
        "\"model\":\"" model "\",\"choices\":[{\"index\":0,\"delta\":" \
        delta ",\"finish_reason\":" (finish ? "\"" finish "\"" : "null") "}]}"
}
function chat(ms, req, att, delta, finish) {
    sse(ms, req, att, chunk(delta, finish))
}
function text(ms, req, att, s) {
    chat(ms, req, att, "{\"content\":" str(s) "}")
}
function think(ms, req, att, s) {
    chat(ms, req, att, "{\"reasoning_content\":" str(s) "}")
}
function usage_of(prompt, completion, reasoning) {
    return "{\"prompt_tokens\":" prompt ",\"completion_tokens\":" \
        completion ",\"total_tokens\":" (prompt + completion) \
        (reasoning == "" ? "" : ",\"completion_tokens_details\":" \
        "{\"reasoning_tokens\":" reasoning "}") "}"
}
function usage(ms, req, att, prompt, completion, reasoning) {
    sse(ms, req, att, "{\"id\":\"cc-1\",\"object\":" \
        "\"chat.completion.chunk\",\"model\":\"" model \
        "\",\"choices\":[],\"usage\":" \
        usage_of(prompt, completion, reasoning) "}")
}
function last(ms, req, att) { data(ms, req, att, "data: [DONE]\n\n") }
function word(i) { return words[i % nwords + 1] " " }
# n pieces of text from `from` to `to`, evenly.
function texts(from, to, n, req, att,    i) {
    for (i = 0; i < n; i++)
        text(n > 1 ? from + (to - from) * i / (n - 1) : from, req, att, word(i))
}
# A short whole answer: role, n words, finish, usage.
function answer(ms, step, n, req, att) {
    chat(ms, req, att, "{\"role\":\"assistant\",\"content\":\"\"}")
    texts(ms + step, ms + step * n, n, req, att)
    chat(ms + step * (n + 1), req, att, "{}", "stop")
    usage(ms + step * (n + 1), req, att, 40, n, "")
    last(ms + step * (n + 1), req, att)
}

# ---- the three reference traces -------------------------------------------------
# t4 comes before t5 because some reasoning is streamed first; it is counted,
# so that the visible count is exact.
function reference(name, req, wall, facts, t2, t3, t4, t5, tf, n, thought, fin, t6, t7, thoughts,    k) {
    open(name)
    capture("seg-" req, wall)
    recv(0, req, ids(req) facts)
    send(12, req, 1)
    head(t2, req, 1, 200, "text/event-stream")
    chat(t3, req, 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    for (k = 0; k < thoughts; k++)
        think(t4 + (t5 - t4) * k / thoughts, req, 1, word(k))
    texts(t5, tf, n, req, 1)
    chat(fin, req, 1, "{}", "stop")
    usage(fin, req, 1, 412, n + thought, thought)
    last(fin, req, 1)
    end(t6, req, 1, "eof")
    done(t7, req, ",\"status\":200")
    shut_segment(t7)
    shut()
}
function references() {
    model = "gpt-5.6-luna"
    facts = ",\"model\":\"" model "\",\"provider\":\"north\",\"stream\":true"
    reference("trace-a.aicap.jsonl", "req-1a2b", "2026-10-03T11:40:00Z",
        facts ",\"group\":\"default\",\"channel\":\"12\",\"route\":\"eu-1\"" \
        ",\"inflight\":9", 6112, 6200, 6350, 6400, 8900, 105, 5, 8905, 9190, 9200, 2)
    reference("trace-b.aicap.jsonl", "req-4c5d", "2026-10-03T11:50:00Z",
        facts ",\"group\":\"default\",\"channel\":\"12\",\"route\":\"eu-1\"" \
        ",\"reasoning_effort\":\"high\",\"inflight\":4", \
        252, 2890, 2900, 8700, 10100, 77, 310, 10105, 10190, 10200, 58)
    reference("trace-c.aicap.jsonl", "req-7f3a", "2026-10-03T12:00:00Z",
        facts ",\"group\":\"vip\",\"channel\":\"31\",\"route\":\"eu-2\"" \
        ",\"inflight\":31", 272, 300, 420, 430, 20425, 196, 4, 20426, 20428, 20430, 1)
}

# ---- many requests, many attempts ------------------------------------------------
function interleaved() {
    open("interleaved.aicap.jsonl")
    model = "m-small"
    capture("seg-interleaved", "2026-10-03T09:00:00.250Z")
    recv(0, "i1", ids("il-1") ",\"model\":\"m-small\",\"stream\":true")
    send(2, "i1", 1)
    recv(5, "i2", ids("il-2") ",\"model\":\"m-large\",\"stream\":true")
    send(9, "i2", 1)
    head(120, "i1", 1, 200, "text/event-stream")
    chat(130, "i1", 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    recv(131, "i3", ids("il-3") ",\"model\":\"m-small\",\"stream\":true")
    send(132, "i3", 1)
    # an event in two reads: its time is that of the second
    data(150, "i1", 1, "data: " substr(chunk("{\"content\":\"One \"}"), 1, 60))
    head(160, "i2", 1, 200, "text/event-stream")
    data(190, "i1", 1, substr(chunk("{\"content\":\"One \"}"), 61) "\n\n")
    chat(200, "i2", 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    text(210, "i2", 1, "Left ")
    # another recorder thread was late: earlier than its neighbours
    head(205, "i3", 1, 200, "text/event-stream")
    text(230, "i1", 1, "two ")
    # two events in one read
    data(240, "i3", 1, "data: " chunk("{\"role\":\"assistant\"}") \
        "\n\ndata: " chunk("{\"content\":\"Only \"}") "\n\n")
    text(260, "i2", 1, "right ")
    chat(280, "i1", 1, "{}", "stop")
    usage(281, "i1", 1, 11, 2, "")
    last(281, "i1", 1)
    end(282, "i1", 1, "eof")
    done(283, "i1")
    chat(300, "i3", 1, "{}", "stop")
    last(301, "i3", 1)
    end(302, "i3", 1, "eof")
    done(303, "i3")
    chat(320, "i2", 1, "{}", "length")
    last(321, "i2", 1)
    end(322, "i2", 1, "eof")
    done(325, "i2")
    shut_segment(326)
    shut()
}
function retries() {
    open("retry-429.aicap.jsonl")
    model = "m-small"
    capture("seg-retry", "2026-10-03T09:10:00Z")
    recv(0, "r1", ids("retry-1") ",\"model\":\"m-small\",\"stream\":true")
    send(5, "r1", 1, ",\"channel\":\"c-1\",\"upstream\":\"one.example\"")
    head(60, "r1", 1, 429, "application/json", ",\"retry-after\":\"1\"")
    data(61, "r1", 1, "{\"error\":{\"type\":\"rate_limit_error\"," \
        "\"message\":\"slow down\"}}")
    end(62, "r1", 1, "eof")
    send(1062, "r1", 2, ",\"channel\":\"c-1\",\"upstream\":\"one.example\"")
    head(1100, "r1", 2, 429, "application/json", ",\"date\":" \
        "\"Sat, 03 Oct 2026 09:10:01 GMT\",\"retry-after\":" \
        "\"Sat, 03 Oct 2026 09:10:03 GMT\"")
    end(1102, "r1", 2, "eof")
    send(3102, "r1", 3, ",\"channel\":\"c-2\",\"upstream\":\"two.example\"")
    head(3300, "r1", 3, 200, "text/event-stream")
    answer(3320, 20, 8, "r1", 3)
    end(3520, "r1", 3, "eof")
    done(3525, "r1", ",\"status\":200")
    # nothing but a refusal
    recv(4000, "r2", ids("retry-2") ",\"model\":\"m-small\",\"stream\":true")
    send(4002, "r2", 1)
    head(4050, "r2", 1, 429, "application/json", ",\"retry-after\":\"30\"")
    data(4051, "r2", 1, "{\"error\":{\"code\":\"rate_limit_exceeded\"," \
        "\"message\":\"slow down\"}}")
    end(4052, "r2", 1, "eof")
    done(4053, "r2", ",\"status\":429")
    # the gateway answered by itself
    recv(5000, "r3", ids("retry-3") ",\"model\":\"m-small\"")
    done(5001, "r3", ",\"status\":401")
    shut_segment(5002)
    shut()
}
function segments() {
    open("segments.aicap.jsonl")
    model = "m-small"
    capture("seg-one", "2026-10-03T09:20:00Z")
    recv(10, "s1", ids("seg-req-1") ",\"model\":\"m-small\",\"stream\":true")
    send(12, "s1", 1)
    head(100, "s1", 1, 200, "text/event-stream")
    answer(110, 10, 5, "s1", 1)
    end(180, "s1", 1, "eof")
    done(181, "s1")
    recv(200, "s2", ids("seg-req-2") ",\"model\":\"m-small\",\"stream\":true")
    send(202, "s2", 1)
    # the recorder was restarted here: no close, s2 stays open, and the next
    # segment uses the name s1 again on a clock of its own
    capture("seg-two", "2026-10-03T09:25:00Z")
    recv(5, "s1", ids("seg-req-3") ",\"model\":\"m-small\",\"stream\":true")
    send(6, "s1", 1)
    head(90, "s1", 1, 200, "text/event-stream")
    answer(100, 10, 5, "s1", 1)
    end(170, "s1", 1, "eof")
    done(171, "s1")
    shut_segment(172)
    shut()
}

# ---- dialects ---------------------------------------------------------------------
function tools() {
    open("tool-only.aicap.jsonl")
    model = "m-agent"
    capture("seg-tool", "2026-10-03T09:30:00Z")
    recv(0, "t1", ids("tool-1") ",\"model\":\"m-agent\",\"stream\":true,\"tools\":3")
    send(3, "t1", 1)
    head(150, "t1", 1, 200, "text/event-stream")
    chat(160, "t1", 1, "{\"role\":\"assistant\",\"content\":null}")
    chat(400, "t1", 1, "{\"tool_calls\":[{\"index\":0,\"id\":\"call-1\"," \
        "\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}")
    chat(430, "t1", 1, "{\"tool_calls\":[{\"index\":0,\"function\":" \
        "{\"arguments\":\"{\\\"city\\\":\"}}]}")
    chat(450, "t1", 1, "{\"tool_calls\":[{\"index\":0,\"function\":" \
        "{\"arguments\":\"\\\"Ulm\\\"}\"}}]}")
    chat(470, "t1", 1, "{}", "tool_calls")
    usage(471, "t1", 1, 90, 18, "")
    last(471, "t1", 1)
    end(475, "t1", 1, "eof")
    done(476, "t1")
    # a call first, text after it: the count is shared
    recv(1000, "t2", ids("tool-2") ",\"model\":\"m-agent\",\"stream\":true,\"tools\":1")
    send(1003, "t2", 1)
    head(1150, "t2", 1, 200, "text/event-stream")
    chat(1500, "t2", 1, "{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0," \
        "\"id\":\"call-2\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}")
    texts(4000, 4900, 10, "t2", 1)
    chat(4950, "t2", 1, "{}", "stop")
    usage(4950, "t2", 1, 70, 25, "")
    last(4950, "t2", 1)
    end(4960, "t2", 1, "eof")
    done(4961, "t2")
    shut_segment(4970)
    shut()
}
function responses(    r) {
    open("responses.aicap.jsonl")
    path = "/v1/responses"
    r = "\"output_index\":"
    capture("seg-resp", "2026-10-03T09:40:00Z")
    recv(0, "p1", ids("resp-1") ",\"model\":\"m-omni\",\"stream\":true")
    send(4, "p1", 1)
    head(300, "p1", 1, 200, "text/event-stream")
    named(310, "p1", 1, "response.created", "{\"type\":\"response.created\"," \
        "\"response\":{\"id\":\"rs-1\",\"status\":\"in_progress\",\"usage\":null}}")
    named(311, "p1", 1, "response.in_progress", \
        "{\"type\":\"response.in_progress\",\"response\":{\"id\":\"rs-1\"}}")
    named(320, "p1", 1, "response.output_item.added", \
        "{\"type\":\"response.output_item.added\"," r "0,\"item\":" \
        "{\"id\":\"o-0\",\"type\":\"reasoning\",\"summary\":[]}}")
    named(900, "p1", 1, "response.reasoning_summary_text.delta", \
        "{\"type\":\"response.reasoning_summary_text.delta\"," r \
        "0,\"summary_index\":0,\"delta\":\"Comparing both.\"}")
    named(1200, "p1", 1, "response.output_item.done", \
        "{\"type\":\"response.output_item.done\"," r "0,\"item\":" \
        "{\"id\":\"o-0\",\"type\":\"reasoning\",\"summary\":" \
        "[{\"type\":\"summary_text\",\"text\":\"Comparing both.\"}]}}")
    named(1210, "p1", 1, "response.output_item.added", \
        "{\"type\":\"response.output_item.added\"," r "1,\"item\":" \
        "{\"id\":\"o-1\",\"type\":\"message\",\"content\":[]}}")
    named(1220, "p1", 1, "response.output_text.delta", \
        "{\"type\":\"response.output_text.delta\"," r \
        "1,\"content_index\":0,\"delta\":\"Both \"}")
    named(1320, "p1", 1, "response.output_text.delta", \
        "{\"type\":\"response.output_text.delta\"," r \
        "1,\"content_index\":0,\"delta\":\"hold.\"}")
    named(1330, "p1", 1, "response.output_text.done", \
        "{\"type\":\"response.output_text.done\"," r \
        "1,\"content_index\":0,\"text\":\"Both hold.\"}")
    named(1400, "p1", 1, "response.completed", "{\"type\":\"response.completed\"," \
        "\"response\":{\"id\":\"rs-1\",\"status\":\"completed\",\"output\":" \
        "[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":" \
        "\"Both hold.\"}]}],\"usage\":{\"input_tokens\":30,\"output_tokens\":24," \
        "\"output_tokens_details\":{\"reasoning_tokens\":20},\"total_tokens\":54}}}")
    end(1405, "p1", 1, "eof")
    done(1410, "p1")
    shut_segment(1411)
    shut()
    path = "/v1/chat/completions"
}
function anthropic(    i) {
    open("anthropic.aicap.jsonl")
    path = "/v1/messages"
    capture("seg-anth", "2026-10-03T09:50:00Z")
    recv(0, "a1", ids("anth-1") ",\"model\":\"m-sonata\",\"stream\":true,\"max_tokens\":1024")
    send(6, "a1", 1)
    head(400, "a1", 1, 200, "text/event-stream", ",\"request-id\":\"up-77\"")
    named(410, "a1", 1, "message_start", "{\"type\":\"message_start\",\"message\":" \
        "{\"id\":\"msg-1\",\"role\":\"assistant\",\"content\":[],\"model\":\"m-sonata\"," \
        "\"usage\":{\"input_tokens\":25,\"cache_read_input_tokens\":10,\"output_tokens\":1}}}")
    named(411, "a1", 1, "ping", "{\"type\":\"ping\"}")
    named(420, "a1", 1, "content_block_start", "{\"type\":\"content_block_start\"," \
        "\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}")
    named(700, "a1", 1, "content_block_delta", "{\"type\":\"content_block_delta\"," \
        "\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Counting.\"}}")
    named(800, "a1", 1, "content_block_delta", "{\"type\":\"content_block_delta\"," \
        "\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}}")
    named(801, "a1", 1, "content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}")
    named(820, "a1", 1, "content_block_start", "{\"type\":\"content_block_start\"," \
        "\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}")
    for (i = 0; i < 6; i++)
        named(850 + 50 * i, "a1", 1, "content_block_delta", \
            "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":" \
            "{\"type\":\"text_delta\",\"text\":" str(word(i)) "}}")
    named(1110, "a1", 1, "content_block_stop", "{\"type\":\"content_block_stop\",\"index\":1}")
    named(1120, "a1", 1, "message_delta", "{\"type\":\"message_delta\",\"delta\":" \
        "{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":31}}")
    named(1121, "a1", 1, "message_stop", "{\"type\":\"message_stop\"}")
    end(1130, "a1", 1, "eof")
    done(1131, "a1")
    # a call without arguments, and an error in the middle of a 200
    recv(2000, "a2", ids("anth-2") ",\"model\":\"m-sonata\",\"stream\":true,\"tools\":1")
    send(2005, "a2", 1)
    head(2300, "a2", 1, 200, "text/event-stream")
    named(2310, "a2", 1, "message_start", "{\"type\":\"message_start\",\"message\":" \
        "{\"id\":\"msg-2\",\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}")
    named(2400, "a2", 1, "content_block_start", "{\"type\":\"content_block_start\"," \
        "\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"tu-1\",\"name\":\"now\",\"input\":{}}}")
    named(2410, "a2", 1, "content_block_delta", "{\"type\":\"content_block_delta\"," \
        "\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\"}}")
    named(2420, "a2", 1, "content_block_stop", "{\"type\":\"content_block_stop\",\"index\":0}")
    named(2500, "a2", 1, "error", "{\"type\":\"error\",\"error\":" \
        "{\"type\":\"overloaded_error\",\"message\":\"too busy\"}}")
    end(2501, "a2", 1, "eof")
    done(2502, "a2")
    shut_segment(2503)
    shut()
    path = "/v1/chat/completions"
}
function inline_think() {
    open("think.aicap.jsonl")
    model = "m-open"
    capture("seg-think", "2026-10-03T10:00:00Z")
    recv(0, "k1", ids("think-1") ",\"model\":\"m-open\",\"stream\":true")
    send(2, "k1", 1)
    head(100, "k1", 1, 200, "text/event-stream")
    text(200, "k1", 1, "<th")
    text(250, "k1", 1, "ink>")
    text(300, "k1", 1, "\n")
    text(400, "k1", 1, "First the sum. ")
    text(500, "k1", 1, "Then</thi")
    text(600, "k1", 1, "nk>\n\n")
    text(700, "k1", 1, "Forty")
    text(900, "k1", 1, "-two")
    chat(950, "k1", 1, "{}", "stop")
    usage(950, "k1", 1, 12, 16, "")
    last(950, "k1", 1)
    end(960, "k1", 1, "eof")
    done(961, "k1")
    # a tag that is none
    recv(2000, "k2", ids("think-2") ",\"model\":\"m-open\",\"stream\":true")
    send(2002, "k2", 1)
    head(2100, "k2", 1, 200, "text/event-stream")
    text(2200, "k2", 1, "<th")
    text(2300, "k2", 1, "ead> of a table")
    chat(2400, "k2", 1, "{}", "stop")
    last(2400, "k2", 1)
    end(2401, "k2", 1, "eof")
    done(2402, "k2")
    shut_segment(2403)
    shut()
}

# ---- how requests go wrong ---------------------------------------------------------
function one(name, req, start) {
    open(name)
    model = "m-small"
    capture("seg-" req, start)
    recv(0, req, ids(req) ",\"model\":\"m-small\",\"provider\":\"south\"" \
        ",\"channel\":\"c-9\",\"stream\":true" facts)
    send(5, req, 1)
}
function close_one(ms, req, how, status) {
    end(ms, req, 1, how)
    done(ms + 1, req, status ? ",\"status\":" status : "")
    shut_segment(ms + 2)
    shut()
}
function failures() {
    facts = ""
    one("error-200.aicap.jsonl", "err-1", "2026-10-03T10:10:00Z")
    head(200, "err-1", 1, 200, "text/event-stream")
    chat(210, "err-1", 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    texts(300, 400, 3, "err-1", 1)
    sse(500, "err-1", 1, "{\"error\":{\"code\":\"server_error\",\"message\":\"broke\"}}")
    last(501, "err-1", 1)
    close_one(502, "err-1", "eof", 200)

    one("cancelled.aicap.jsonl", "can-1", "2026-10-03T10:11:00Z")
    head(200, "can-1", 1, 200, "text/event-stream")
    texts(300, 900, 7, "can-1", 1)
    close_one(1000, "can-1", "cancelled", 499)

    one("timeout.aicap.jsonl", "tim-1", "2026-10-03T10:12:00Z")
    close_one(60005, "tim-1", "timeout", 504)

    one("incomplete.aicap.jsonl", "inc-1", "2026-10-03T10:13:00Z")
    head(200, "inc-1", 1, 200, "text/event-stream")
    texts(300, 900, 7, "inc-1", 1)
    data(7400, "inc-1", 1, "data: {\"choices\":[{\"del")
    close_one(7500, "inc-1", "reset", 200)

    one("stalled.aicap.jsonl", "sta-1", "2026-10-03T10:14:00Z")
    head(200, "sta-1", 1, 200, "text/event-stream")
    texts(300, 900, 7, "sta-1", 1)
    data(4000, "sta-1", 1, ": still here\n\n")
    texts(8000, 8200, 3, "sta-1", 1)
    chat(8210, "sta-1", 1, "{}", "stop")
    usage(8210, "sta-1", 1, 10, 40, "")
    last(8210, "sta-1", 1)
    close_one(8220, "sta-1", "eof", 200)

    one("event-before-response.aicap.jsonl", "ebr-1", "2026-10-03T10:15:00Z")
    head(200, "ebr-1", 1, 200, "text/event-stream")
    chat(210, "ebr-1", 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    texts(2700, 3000, 4, "ebr-1", 1)
    chat(3010, "ebr-1", 1, "{}", "stop")
    last(3010, "ebr-1", 1)
    close_one(3015, "ebr-1", "eof", 200)

    one("first-response-slow.aicap.jsonl", "frs-1", "2026-10-03T10:16:00Z")
    head(200, "frs-1", 1, 200, "text/event-stream")
    texts(4300, 4500, 3, "frs-1", 1)
    chat(4510, "frs-1", 1, "{}", "stop")
    last(4510, "frs-1", 1)
    close_one(4515, "frs-1", "eof", 200)

    one("bursty.aicap.jsonl", "bur-1", "2026-10-03T10:17:00Z")
    head(200, "bur-1", 1, 200, "text/event-stream")
    data(300, "bur-1", 1, burst(6))
    data(700, "bur-1", 1, burst(6))
    chat(710, "bur-1", 1, "{}", "stop")
    usage(710, "bur-1", 1, 10, 24, "")
    last(710, "bur-1", 1)
    close_one(715, "bur-1", "eof", 200)

    one("buffered.aicap.jsonl", "buf-1", "2026-10-03T10:18:00Z")
    head(3000, "buf-1", 1, 200, "text/event-stream")
    data(3000.2, "buf-1", 1, burst(12) "data: " chunk("{}", "stop") "\n\ndata: [DONE]\n\n")
    close_one(3000.4, "buf-1", "eof", 200)

    facts = ",\"max_tokens\":64"
    one("budget.aicap.jsonl", "bud-1", "2026-10-03T10:19:00Z")
    head(200, "bud-1", 1, 200, "text/event-stream")
    for (i = 0; i < 8; i++)
        think(300 + 100 * i, "bud-1", 1, word(i))
    chat(1200, "bud-1", 1, "{}", "length")
    usage(1200, "bud-1", 1, 10, 64, 64)
    last(1200, "bud-1", 1)
    close_one(1205, "bud-1", "eof", 200)
    facts = ""

    one("no-text.aicap.jsonl", "not-1", "2026-10-03T10:20:00Z")
    head(200, "not-1", 1, 200, "text/event-stream")
    chat(210, "not-1", 1, "{\"role\":\"assistant\",\"content\":\"\"}")
    chat(400, "not-1", 1, "{}", "stop")
    last(400, "not-1", 1)
    close_one(405, "not-1", "eof", 200)

    one("server-error.aicap.jsonl", "srv-1", "2026-10-03T10:21:00Z")
    head(900, "srv-1", 1, 503, "application/json")
    data(901, "srv-1", 1, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}")
    close_one(902, "srv-1", "eof", 503)
}
function burst(n,    i, s) {
    for (i = 0; i < n; i++)
        s = s "data: " chunk("{\"content\":" str(word(i)) "}") "\n\n"
    return s
}
function whole_body() {
    open("not-streamed.aicap.jsonl")
    model = "m-small"
    capture("seg-whole", "2026-10-03T10:30:00Z")
    recv(0, "w1", ids("whole-1") ",\"model\":\"m-small\",\"stream\":false")
    send(3, "w1", 1)
    head(2000, "w1", 1, 200, "application/json")
    data(2001, "w1", 1, "{\"id\":\"cc-9\",\"object\":\"chat.completion\",\"choices\":" \
        "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"All of it.\"}," \
        "\"finish_reason\":\"stop\"}],\"usage\":" usage_of(20, 5, "") "}")
    end(2003, "w1", 1, "eof")
    done(2004, "w1", ",\"status\":200")
    shut_segment(2005)
    shut()
}
function local() {
    open("local-overhead.aicap.jsonl")
    model = "m-small"
    capture("seg-local", "2026-10-03T10:31:00Z")
    recv(0, "l1", ids("local-1") ",\"model\":\"m-small\",\"stream\":true")
    rec("phase", 700, id("l1") ",\"name\":\"auth\",\"dur_ns\":" ns(690))
    rec("phase", 1100, id("l1") ",\"name\":\"distribution\",\"dur_ns\":" ns(390))
    rec("phase", 1200, id("l1") ",\"name\":\"body_read\",\"dur_ns\":" ns(95))
    rec("phase", 1210, id("l1") ",\"name\":\"queue\",\"dur_ns\":" ns(8))
    send(1210, "l1", 1)
    head(1300, "l1", 1, 200, "text/event-stream")
    answer(1310, 20, 6, "l1", 1)
    end(1470, "l1", 1, "eof")
    done(1475, "l1")
    shut_segment(1476)
    shut()
}
function clocks() {
    open("clock-back.aicap.jsonl")
    model = "m-small"
    capture("seg-clock", "2026-10-03T10:40:00Z")
    recv(0, "b1", ids("clock-1") ",\"model\":\"m-small\",\"stream\":true")
    send(5, "b1", 1)
    head(200, "b1", 1, 200, "text/event-stream")
    text(300, "b1", 1, "One ")
    text(280, "b1", 1, "two ")
    text(500, "b1", 1, "three")
    chat(510, "b1", 1, "{}", "stop")
    last(510, "b1", 1)
    end(515, "b1", 1, "eof")
    done(516, "b1")
    # set back by five seconds in the middle of the stream
    recv(10000, "b2", ids("clock-2") ",\"model\":\"m-small\",\"stream\":true")
    send(10005, "b2", 1)
    head(10200, "b2", 1, 200, "text/event-stream")
    text(10300, "b2", 1, "One ")
    text(5400, "b2", 1, "two ")
    chat(5500, "b2", 1, "{}", "stop")
    last(5500, "b2", 1)
    end(5510, "b2", 1, "eof")
    done(5511, "b2")
    shut_segment(5600)
    shut()
}
function origins() {
    open("client.aicap.jsonl")
    model = "m-small"
    capture("seg-client", "2026-10-03T10:50:00Z", ",\"vantage\":\"client\",\"t1\":\"bracketed\"")
    send(100, "o1", 1, ",\"method\":\"POST\",\"path\":\"/v1/chat/completions\",\"model\":\"m-small\"" ids("client-1"))
    head(300, "o1", 1, 200, "text/event-stream")
    answer(320, 30, 6, "o1", 1)
    end(560, "o1", 1, "eof")
    shut_segment(561)
    capture("seg-late", "2026-10-03T10:51:00Z", ",\"vantage\":\"client\",\"t1\":\"unknown\"")
    send(0, "o2", 1, ids("client-2"))
    head(50, "o2", 1, 200, "text/event-stream")
    answer(70, 30, 6, "o2", 1)
    end(310, "o2", 1, "eof")
    shut_segment(311)
    shut()
}
function contentless() {
    open("marks.aicap.jsonl")
    capture("seg-marks", "2026-10-03T10:55:00Z")
    recv(0, "m1", ids("marks-1") ",\"model\":\"m-small\",\"stream\":true")
    send(4, "m1", 1)
    head(100, "m1", 1, 200, "text/event-stream")
    mark(110, 1, "\"comment\"", "")
    mark(120, 2, "\"envelope\"", ",\"len\":80")
    mark(200, 3, "\"reasoning\"", ",\"len\":120")
    mark(300, 4, "\"text\"", ",\"len\":90")
    mark(300, 4, "\"text\"", ",\"len\":91")
    mark(400, 5, "\"text\",\"finish\"", ",\"len\":95,\"finish\":\"stop\"")
    mark(401, 6, "\"usage\"", ",\"len\":70,\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":9,\"reasoning_tokens\":3}")
    mark(402, 7, "", ",\"len\":6")
    rec("measure", 402, id("m1") ",\"name\":\"queue\",\"value_ns\":3000000," \
        "\"origin\":\"engine\",\"boundary\":\"phase_end\"")
    rec("issue", 402, id("m1") ",\"id\":\"inline_think\",\"count\":1")
    end(405, "m1", 1, "eof")
    done(406, "m1")
    # events already cut out, and a body whose bytes were not kept
    recv(1000, "m2", ids("marks-2") ",\"model\":\"m-small\",\"stream\":true")
    send(1004, "m2", 1)
    head(1100, "m2", 1, 200, "text/event-stream")
    rec("event", 1200, id("m2", 1) ",\"data\":" str(chunk("{\"content\":\"Hi\"}")))
    rec("event", 1300, id("m2", 1) ",\"data\":" str(chunk("{}", "stop")))
    rec("event", 1301, id("m2", 1) ",\"data\":\"[DONE]\"")
    end(1310, "m2", 1, "eof")
    done(1311, "m2")
    recv(2000, "m3", ids("marks-3") ",\"model\":\"m-small\",\"stream\":true")
    send(2004, "m3", 1)
    head(2100, "m3", 1, 200, "text/event-stream")
    rec("data", 2200, id("m3", 1) ",\"len\":300")
    rec("data", 2300, id("m3", 1) ",\"len\":310")
    end(2310, "m3", 1, "eof")
    done(2311, "m3")
    shut_segment(2312)
    shut()
}
function mark(ms, read, kinds, more) {
    rec("mark", ms, id("m1", 1) ",\"kinds\":[" kinds "],\"read\":" read more)
}

# ---- lines that are not as they should be ---------------------------------------------
function bad_lines() {
    open("bad-lines.aicap.jsonl")
    model = "m-small"
    capture("seg-bad", "2026-10-03T11:00:00Z")
    recv(0, "x1", ids("bad-1") ",\"model\":\"m-small\",\"stream\":true")
    put("{\"type\":\"send\",\"ns\":5,")
    put("not JSON at all")
    send(5, "x1", 1)
    put("{\"type\":\"weather\",\"ns\":6,\"req\":\"x1\"}")
    head(100, "x1", 1, 200, "text/event-stream")
    put("")
    answer(120, 10, 4, "x1", 1)
    put("{\"type\":\"end\",\"ns\":\"soon\",\"req\":\"x1\",\"att\":1}")
    rec("lost", 180, ",\"n\":2,\"why\":\"queue full\"")
    end(190, "x1", 1, "eof")
    done(191, "x1")
    shut_segment(192)
    shut()
}

# ---- gateway logs ---------------------------------------------------------------------
function log_line(s) { put("{" s "}") }
function logs() {
    open("traces.log.jsonl")
    log_line("\"request_id\":\"gw-a\",\"timestamp\":\"2026-10-03T11:40:09.200Z\",\"model\":\"gpt-5.6-luna\",\"group\":\"default\",\"channel\":12,\"status\":200,\"stream\":true,\"upstream_headers_ms\":6100,\"first_response_ms\":6350,\"first_text_delta_ms\":6400,\"total_handler_ms\":9200,\"visible_output_tps\":42,\"finish_reason\":\"stop\"")
    log_line("\"request_id\":\"gw-b\",\"timestamp\":\"2026-10-03T11:50:10.200Z\",\"model\":\"gpt-5.6-luna\",\"group\":\"default\",\"channel\":12,\"status\":200,\"stream\":true,\"upstream_headers_ms\":240,\"first_response_ms\":2900,\"first_text_delta_ms\":8700,\"total_handler_ms\":10200,\"visible_output_tps\":55,\"finish_reason\":\"stop\"")
    log_line("\"request_id\":\"gw-c\",\"timestamp\":\"2026-10-03T12:00:20.430Z\",\"model\":\"gpt-5.6-luna\",\"group\":\"vip\",\"channel\":31,\"status\":200,\"stream\":true,\"upstream_headers_ms\":260,\"first_response_ms\":420,\"first_text_delta_ms\":430,\"total_handler_ms\":20430,\"visible_output_tps\":9.8,\"finish_reason\":\"stop\"")
    shut()

    open("fields.log.jsonl")
    log_line("\"request_id\":\"f-all\",\"ts\":\"2026-10-03T08:00:05.5Z\",\"model\":\"m-small\",\"provider\":\"north\",\"group\":\"default\",\"channel\":\"c-1\",\"route\":\"eu-1\",\"region\":\"eu\",\"endpoint\":\"/v1/chat/completions?key=none\",\"status\":200,\"stream\":true,\"inflight\":7,\"attempts\":2,\"max_tokens\":512,\"auth_ms\":2,\"distribution_ms\":1,\"body_read_ms\":4,\"upstream_headers_ms\":310,\"first_sse_event_ms\":325,\"first_response_ms\":900,\"first_text_delta_ms\":1500,\"upstream_done_ms\":5480,\"total_handler_ms\":5500,\"visible_output_tps\":45.2,\"usage\":{\"prompt_tokens\":812,\"completion_tokens\":240,\"reasoning_tokens\":60,\"cached_tokens\":512},\"finish_reason\":\"stop\",\"event_counts\":{\"sse\":181,\"text\":150,\"reasoning\":20,\"tool\":0}")
    log_line("\"request_id\":\"f-absent\",\"ts\":\"2026-10-03T08:01:00Z\",\"model\":\"m-small\",\"status\":200,\"stream\":true,\"upstream_headers_ms\":-1,\"first_response_ms\":null,\"total_handler_ms\":800.25")
    log_line("\"request_id\":\"f-zone\",\"time\":\"2026-10-03 08:02:00\",\"model\":\"m-small\",\"status\":200,\"stream\":true,\"auth_ms\":0,\"upstream_headers_ms\":90,\"total_handler_ms\":700")
    log_line("\"request_id\":\"f-rate\",\"ts\":\"2026-10-03T10:03:00+02:00\",\"model\":\"m-small\",\"status\":200,\"stream\":true,\"upstream_headers_ms\":90,\"first_response_ms\":100,\"first_text_delta_ms\":100,\"upstream_done_ms\":2100,\"total_handler_ms\":2105,\"visible_output_tps\":80,\"completion_tokens\":100,\"reasoning_tokens\":0,\"finish_reason\":\"stop\"")
    log_line("\"request_id\":\"f-refused\",\"started_at\":\"2026-10-03T08:04:00Z\",\"ts\":\"2026-10-03T08:04:00.06Z\",\"model\":\"m-small\",\"status\":429,\"stream\":true,\"upstream_headers_ms\":50,\"total_handler_ms\":60,\"error_code\":\"rate_limit_exceeded\",\"prompt\":\"never kept\"")
    shut()
}
# A morning of two models over three channels; one channel is slow, one fails.
function morning(    i, m, c, status, h, r, t, total, tail, s) {
    open("morning.log.jsonl")
    seed = 12345
    for (i = 1; i <= 120; i++) {
        m = i % 3 ? "m-small" : "m-large"
        c = 11 + i % 4 % 3
        h = 150 + rnd(200) + (c == 13 ? 1500 + rnd(2500) : 0)
        r = h + 20 + rnd(300)
        t = r + (m == "m-large" ? rnd(4000) : rnd(20))
        total = t + 600 + rnd(3000)
        status = 200
        tail = ",\"finish_reason\":\"stop\",\"completion_tokens\":" \
            (50 + rnd(200)) ",\"reasoning_tokens\":0"
        if (i % 17 == 0) {
            status = 429; total = h + 5
            tail = ",\"error_code\":\"rate_limit_exceeded\""
        } else if (i % 23 == 0) {
            status = 504; total = 60000 + rnd(20)
            tail = ",\"error_code\":\"gateway_timeout\""
        } else if (c == 12 && i % 5 == 0) {
            status = 502; total = h + 40; tail = ""
        }
        s = "\"request_id\":\"day-" i "\",\"ts\":\"2026-10-03T0" \
            sprintf("%d:%02d:%02d.%03dZ", 6 + int(i / 60), i % 60, rnd(60), rnd(1000)) \
            "\",\"model\":\"" m "\",\"channel\":" c ",\"status\":" status \
            ",\"stream\":true"
        if (status != 504)
            s = s ",\"upstream_headers_ms\":" h
        if (status == 200)
            s = s ",\"first_sse_event_ms\":" (h + 12) ",\"first_response_ms\":" r \
                ",\"first_text_delta_ms\":" t ",\"upstream_done_ms\":" (total - 3)
        log_line(s ",\"total_handler_ms\":" total tail)
    }
    shut()
}
function rnd(n) {
    seed = (seed * 16807) % 2147483647
    return seed % n
}

# ---- planted -------------------------------------------------------------------------
# Every place where content or a secret may stand holds MARKER.
function planted(    M, key) {
    M = "MARKER"
    key = "sk-MARKER0123456789abcdef"
    open("planted.aicap.jsonl")
    model = "m-small"
    capture("seg-planted", "2026-10-03T11:30:00Z", ",\"note\":\"" M "\"")
    path = "/v1/chat/completions?key=" M
    recv(0, "z1", ",\"ids\":{\"x-request-id\":\"" key "\"},\"model\":\"" key "\",\"stream\":true" \
        ",\"prompt\":\"" M "\",\"messages\":[{\"role\":\"user\",\"content\":\"" M "\"}]")
    path = "/v1/chat/completions"
    send(5, "z1", 1, ",\"upstream\":\"https://" M ":" M "@up.example/" M "?" M "\",\"channel\":\"" key "\"")
    head(100, "z1", 1, 200, "text/event-stream", ",\"set-cookie\":\"" M "\",\"authorization\":\"Bearer " M "\"")
    data(110, "z1", 1, ": " M "\n\n")
    think(120, "z1", 1, M)
    text(130, "z1", 1, M)
    data(135, "z1", 1, "event: " M "\ndata: not JSON " M "\n\n")
    chat(140, "z1", 1, "{\"tool_calls\":[{\"index\":0,\"id\":\"" M "\",\"function\":{\"name\":\"" M "\",\"arguments\":\"" M "\"}}]}")
    chat(145, "z1", 1, "{\"refusal\":\"" M "\"}")
    chat(150, "z1", 1, "{}", "stop")
    data(155, "z1", 1, "data: {\"choices\":[{\"delta\":{\"content\":\"" M)
    end(160, "z1", 1, "eof")
    done(161, "z1")
    recv(200, "z2", ids("planted-2") ",\"stream\":true")
    send(205, "z2", 1)
    head(300, "z2", 1, 400, "application/json")
    data(301, "z2", 1, "{\"error\":{\"message\":\"" M " is wrong\",\"type\":\"" M " a sentence\",\"code\":\"" key "\"}}")
    end(302, "z2", 1, "eof")
    done(303, "z2")
    recv(400, "z3", ids("planted-3") ",\"stream\":true")
    send(405, "z3", 1)
    head(500, "z3", 1, 200, "text/event-stream")
    data(510, "z3", 1, "error: {\"message\":\"" M "\"}\n\n" M "\n\n")
    sse(520, "z3", 1, "{\"error\":{\"message\":\"" M "\",\"code\":\"" M " sentence\"}}")
    end(530, "z3", 1, "eof")
    done(531, "z3")
    rec("lost", 600, ",\"n\":1,\"why\":\"" M "\"")
    put("{\"type\":\"data\",\"ns\":601,\"req\":\"z3\",\"data\":\"" M)
    put(M " is not JSON")
    put("{\"type\":\"" M "\",\"ns\":602,\"" M "\":\"" M "\"}")
    shut_segment(700)
    shut()

    open("planted.log.jsonl")
    log_line("\"request_id\":\"" key "\",\"ts\":\"2026-10-03T08:00:05Z\",\"model\":\"m-small\",\"status\":500,\"stream\":true,\"total_handler_ms\":100,\"upstream_headers_ms\":90,\"endpoint\":\"/v1/x?key=" M "\",\"prompt\":\"" M "\",\"response\":{\"" M "\":\"" M "\"},\"error_code\":\"" M " is a sentence\",\"api_key\":\"" key "\",\"ip\":\"" M "\"")
    put("{\"request_id\":\"" M "\",\"total_handler_ms\":")
    log_line("\"request_id\":\"planted-log\",\"ts\":\"" M "\",\"model\":\"m-small\",\"status\":\"" M "\",\"total_handler_ms\":\"" M "\",\"upstream_headers_ms\":10,\"first_response_ms\":20")
    shut()
}

BEGIN {
    nwords = split("The kettle sings while two grey geese walk along " \
        "the old wall and nobody counts them", words, " ")
    path = "/v1/chat/completions"
    references(); interleaved(); retries(); segments()
    tools(); responses(); anthropic(); inline_think()
    failures(); whole_body(); local(); clocks(); origins(); contentless()
    bad_lines(); logs(); morning(); planted()
}
