/*
 * Inputs for measuring, with their truth; the same arguments, the same bytes.
 *
 *   gen capture REQUESTS OPEN FILE    a capture, OPEN requests at a time
 *   gen log LINES FILE                a native gateway log
 *
 * FILE.truth gets a line a request (capture) in the form of the query in
 * bench.sh: id|outcome|milestones in ms|tokens|events, absent ones empty.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000
#define US 1000

static FILE *out, *truth;
static int64_t lines;
static uint64_t state = 88172645463325252u;

static int64_t draw(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

/* ---- one request ------------------------------------------------------- */
enum { CHAT, RESPONSES, ANTHROPIC, DIALECTS };
enum { ENVELOPE, REASONING, ACTION, TEXT, FINISH, USAGE, TERMINAL };

typedef struct request {
    int64_t id, next;           /* ns of its next record */
    int step;                   /* RECV … DONE, or which event */
    int dialect, thoughts, calls, texts;
    int event, events;          /* next and number of all */
    int cut;                    /* the connection breaks after `events` */
    int refused;                /* 429 instead of a body */
    int64_t start, head, sent, t3, t4, t5, tf, done;
    char rest[2048];            /* second half of a split event */
} request;
enum { RECV, PHASE, SEND, HEAD, BODY, END, DONE, OVER };

static int kind(const request *r, int e)
{
    if (e == 0)
        return ENVELOPE;
    if (e <= r->thoughts)
        return REASONING;
    if (e <= r->thoughts + r->calls)
        return ACTION;
    if (e <= r->thoughts + r->calls + r->texts)
        return TEXT;
    return FINISH + e - r->thoughts - r->calls - r->texts - 1;
}

static const char *words(int n)
{
    static const char *const list[] = {
        "kettle", "goose", "wall", "river", "lamp", "seven", "slowly", "of",
        "the", "and", "grey", "under", "copper", "window", "rain", "over"};
    static char text[512];

    *text = 0;
    while (n--) {
        strcat(text, list[draw(16)]);
        strcat(text, n ? " " : "");
    }
    return text;
}

/* An event of a dialect as it is on the wire. */
static void chat(const request *r, int k, char *to, size_t size)
{
    static const char *const delta[] = {
        "{\"role\":\"assistant\",\"content\":\"\"}",
        "{\"reasoning_content\":\"%s \"}",
        "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"%s\"}}]}",
        "{\"content\":\"%s \"}", "{}"};
    char inner[700];
    int64_t n = r->thoughts + r->calls + r->texts;

    if (k == TERMINAL) {
        snprintf(to, size, "data: [DONE]\n\n");
        return;
    }
    if (k == USAGE) {
        snprintf(to, size, "data: {\"id\":\"c%" PRId64 "\",\"object\":"
                 "\"chat.completion.chunk\",\"choices\":[],\"usage\":"
                 "{\"prompt_tokens\":%" PRId64 ",\"completion_tokens\":%"
                 PRId64 ",\"completion_tokens_details\":{"
                 "\"reasoning_tokens\":%d}}}\n\n", r->id, 20 + r->id % 900,
                 n, r->thoughts);
        return;
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(inner, sizeof inner, delta[k], words(4 + (int)draw(30)));
#pragma GCC diagnostic pop
    snprintf(to, size, "data: {\"id\":\"c%" PRId64 "\",\"object\":"
             "\"chat.completion.chunk\",\"created\":1790000000,\"model\":"
             "\"m-%d\",\"choices\":[{\"index\":0,\"delta\":%s,"
             "\"finish_reason\":%s}]}\n\n", r->id, (int)(r->id % 3), inner,
             k == FINISH ? "\"stop\"" : "null");
}

static void responses(const request *r, int k, char *to, size_t size)
{
    static const char *const type[] = {
        "response.created", "response.reasoning_summary_text.delta",
        "response.function_call_arguments.delta",
        "response.output_text.delta", "response.output_text.done",
        "response.in_progress", "response.completed"};
    char more[700];

    if (k == FINISH && !r->texts)
        k = USAGE; /* nothing to repeat */
    if (k == TERMINAL)
        snprintf(more, sizeof more, "\"response\":{\"status\":\"completed\","
                 "\"usage\":{\"input_tokens\":%" PRId64
                 ",\"output_tokens\":%d,\"output_tokens_details\":{"
                 "\"reasoning_tokens\":%d}}}", 20 + r->id % 900,
                 r->thoughts + r->calls + r->texts, r->thoughts);
    else if (k == ENVELOPE || k == USAGE)
        snprintf(more, sizeof more, "\"response\":{\"id\":\"rs\"}");
    else
        snprintf(more, sizeof more, "\"item_id\":\"it%d\",\"output_index\":%d,"
                 "\"%s\":\"%s\"", k, k == FINISH ? TEXT : k,
                 k == FINISH ? "text" : "delta", words(4 + (int)draw(30)));
    snprintf(to, size, "event: %s\ndata: {\"type\":\"%s\","
             "\"sequence_number\":%d,%s}\n\n", type[k], type[k], r->event,
             more);
}

static void anthropic(const request *r, int k, char *to, size_t size)
{
    static const struct {
        const char *event, *more;
    } form[] = {
        {"message_start", "\"message\":{\"usage\":{\"input_tokens\":%s,"
                          "\"output_tokens\":1}}"},
        {"content_block_delta", "\"index\":0,\"delta\":{\"type\":"
                                "\"thinking_delta\",\"thinking\":\"%s \"}"},
        {"content_block_delta", "\"index\":1,\"delta\":{\"type\":"
                                "\"input_json_delta\",\"partial_json\":"
                                "\"%s\"}"},
        {"content_block_delta", "\"index\":2,\"delta\":{\"type\":"
                                "\"text_delta\",\"text\":\"%s \"}"},
        {"content_block_stop", "\"index\":2"},
        {"message_delta", "\"delta\":{\"stop_reason\":\"end_turn\"},"
                          "\"usage\":{\"output_tokens\":%s}"},
        {"message_stop", "\"x\":0"},
    };
    char number[24], more[900];
    const char *s = number;

    snprintf(number, sizeof number, "%d", (int)(20 + r->id % 900));
    if (k == USAGE)
        snprintf(number, sizeof number, "%d",
                 r->thoughts + r->calls + r->texts);
    else if (k != ENVELOPE)
        s = words(4 + (int)draw(30));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(more, sizeof more, form[k].more, s);
#pragma GCC diagnostic pop
    snprintf(to, size, "event: %s\ndata: {\"type\":\"%s\",%s}\n\n",
             form[k].event, form[k].event, more);
}

static void (*const write_event[DIALECTS])(const request *, int, char *,
                                           size_t) = {chat, responses,
                                                      anthropic};

/* ---- records ----------------------------------------------------------- */
static void put(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vfprintf(out, fmt, ap);
#pragma GCC diagnostic pop
    va_end(ap);
    fputc('\n', out);
    lines++;
}

static void put_data(const request *r, const char *bytes)
{
    fprintf(out, "{\"type\":\"data\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"att\":1,\"data\":\"", r->next, r->id);
    for (; *bytes; bytes++) {
        if (*bytes == '"' || *bytes == '\\')
            fputc('\\', out);
        if (*bytes == '\n')
            fputs("\\n", out);
        else
            fputc(*bytes, out);
    }
    fputs("\"}\n", out);
    lines++;
}

static void reached(request *r, int k)
{
    if (r->t3 < 0)
        r->t3 = r->next;
    if (k < REASONING || k > TEXT)
        return;
    if (r->t4 < 0)
        r->t4 = r->next;
    if (k == TEXT && r->t5 < 0)
        r->t5 = r->next;
    r->tf = r->next;
}

static void body(request *r)
{
    char bytes[2048];
    size_t n;
    int k = kind(r, r->event);

    if (*r->rest) { /* the second read completes the event */
        put_data(r, r->rest);
        *r->rest = 0;
    } else {
        write_event[r->dialect](r, k, bytes, sizeof bytes);
        n = strlen(bytes);
        if (draw(64) == 0) {
            memcpy(r->rest, bytes + n / 2, n - n / 2 + 1);
            bytes[n / 2] = 0;
            put_data(r, bytes);
            r->next += (1 + draw(900)) * US;
            return;
        }
        put_data(r, bytes);
    }
    reached(r, k);
    r->event++;
    r->next += (2000 + draw(60000)) * US;
    if (r->event == r->events)
        r->step = END;
}

static void begin(request *r, int64_t id, int64_t at)
{
    memset(r, 0, sizeof *r);
    r->id = id;
    r->next = r->start = at;
    r->t3 = r->t4 = r->t5 = r->tf = -1;
    r->dialect = (int)draw(DIALECTS);
    r->thoughts = draw(3) ? 0 : 5 + (int)draw(120);
    r->calls = draw(6) ? 0 : 1 + (int)draw(20);
    r->texts = r->calls && draw(2) ? 0 : 20 + (int)draw(500);
    r->events = r->thoughts + r->calls + r->texts + 4;
    r->cut = !draw(20);
    r->refused = !draw(30);
    if (r->cut)
        r->events -= 3 + (int)draw(r->events - 4);
}

static void opening(request *r)
{
    switch (r->step++) {
    case RECV:
        put("{\"type\":\"recv\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"method\":\"POST\",\"path\":\"/v1/x\",\"ids\":{"
            "\"x-request-id\":\"q-%07" PRId64 "\"},\"model\":\"m-%d\","
            "\"channel\":\"c-%d\",\"stream\":true}", r->next, r->id, r->id,
            (int)(r->id % 3), (int)(r->id % 7));
        r->next += (1 + draw(900)) * US;
        break;
    case PHASE:
        put("{\"type\":\"phase\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"name\":\"auth\",\"dur_ns\":%d}", r->next, r->id, 300 * US);
        r->next += (1 + draw(900)) * US;
        break;
    case SEND:
        put("{\"type\":\"send\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"att\":1}", r->next, r->id);
        r->sent = r->next;
        r->next += (20000 + draw(900000)) * US;
        break;
    default:
        put("{\"type\":\"head\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"att\":1,\"status\":%d,\"headers\":{\"content-type\":\"%s\""
            "}}", r->next, r->id, r->refused ? 429 : 200,
            r->refused ? "application/json" : "text/event-stream");
        r->head = r->next;
        r->next += (1000 + draw(900000)) * US;
        r->step = r->refused ? END : BODY;
    }
}

static void say_ms(int64_t from, int64_t to)
{
    if (to < 0)
        fputc('|', truth);
    else
        fprintf(truth, "|%" PRId64 ".%03" PRId64, (to - from) / MS,
                (to - from) / US % 1000);
}

static void closing(request *r)
{
    int64_t n = r->thoughts + r->calls + r->texts;

    if (r->step++ == END) {
        put("{\"type\":\"end\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
            "\",\"att\":1,\"how\":\"%s\"}", r->next, r->id,
            r->cut && !r->refused ? "reset" : "eof");
        r->done = r->next;
        r->next += (1 + draw(90)) * US;
        return;
    }
    put("{\"type\":\"done\",\"ns\":%" PRId64 ",\"req\":\"r%" PRId64
        "\",\"status\":%d}", r->next, r->id, r->refused ? 429 : 200);
    fprintf(truth, "q-%07" PRId64 "|%s", r->id, r->refused ? "rate_limited" :
            r->cut ? "incomplete" : "complete");
    say_ms(r->sent, r->head);
    say_ms(r->start, r->t3);
    say_ms(r->start, r->t4);
    say_ms(r->start, r->t5);
    say_ms(r->start, r->tf);
    say_ms(r->start, r->done);
    say_ms(r->start, r->next);
    if (r->refused || r->cut)
        fprintf(truth, "|");
    else
        fprintf(truth, "|%" PRId64, n);
    fprintf(truth, "|%d\n", r->refused ? 0 : r->event);
}

/* ---- many requests ----------------------------------------------------- */
static void one_record(request *r)
{
    if (r->step < BODY)
        opening(r);
    else if (r->step == BODY)
        body(r);
    else
        closing(r);
}

static void sift(request **heap, int n, int i)
{
    for (;;) {
        int least = i, l = 2 * i + 1;
        if (l < n && heap[l]->next < heap[least]->next)
            least = l;
        if (l + 1 < n && heap[l + 1]->next < heap[least]->next)
            least = l + 1;
        if (least == i)
            return;
        request *t = heap[i];
        heap[i] = heap[least];
        heap[least] = t;
        i = least;
    }
}

static int captures(int64_t requests, int open)
{
    request *pool = calloc((size_t)open, sizeof *pool);
    request **heap = calloc((size_t)open, sizeof *heap);
    int64_t id = 0, last = 0;
    int n = 0;

    if (!pool || !heap)
        return 1;
    put("{\"type\":\"capture\",\"ns\":0,\"v\":1,\"seg\":\"bench\",\"wall\":"
        "\"2026-10-03T12:00:00Z\",\"clock\":\"mono\",\"vantage\":\"gateway\""
        ",\"unit\":\"read\",\"tool\":\"gen\",\"t1\":\"exact\"}");
    for (; n < open && id < requests; n++, id++) {
        heap[n] = &pool[n];
        begin(heap[n], id, (n + 1) * MS);
    }
    while (n) {
        request *r = heap[0];
        last = r->next;
        one_record(r);
        if (r->step == OVER && id < requests)
            begin(r, id++, r->next + (1 + draw(900)) * US);
        else if (r->step == OVER)
            heap[0] = heap[--n];
        sift(heap, n, 0);
    }
    put("{\"type\":\"close\",\"ns\":%" PRId64 ",\"records\":%" PRId64 "}",
        last, lines + 1);
    free(pool);
    free(heap);
    return 0;
}

static int log_lines(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t h = 100 + draw(1500), r = h + draw(800), t = r + draw(500);
        int64_t total = t + 300 + draw(9000);
        put("{\"request_id\":\"g-%08" PRId64 "\",\"ts\":%" PRId64 ".%03d,"
            "\"model\":\"m-%d\",\"provider\":\"north\",\"group\":\"default\","
            "\"channel\":\"c-%d\",\"status\":200,\"stream\":true,"
            "\"auth_ms\":1.5,\"upstream_headers_ms\":%" PRId64
            ",\"first_sse_event_ms\":%" PRId64 ",\"first_response_ms\":%"
            PRId64 ",\"first_text_delta_ms\":%" PRId64
            ",\"upstream_done_ms\":%" PRId64 ",\"total_handler_ms\":%" PRId64
            ",\"finish_reason\":\"stop\",\"usage\":{\"prompt_tokens\":%d,"
            "\"completion_tokens\":%d,\"reasoning_tokens\":0}}", i,
            1790000000 + i / 20, (int)(i % 20 * 50), (int)(i % 4),
            (int)(i % 12), h, h + 5, r, t, total - 2, total,
            (int)draw(4000), (int)draw(900));
    }
    return 0;
}

int main(int argc, char **argv)
{
    char name[1024];
    const char *file = argv[argc - 1];
    int capture = argc == 5 && !strcmp(argv[1], "capture"), rc;

    if (!capture && !(argc == 4 && !strcmp(argv[1], "log"))) {
        fprintf(stderr, "usage: gen capture REQUESTS OPEN FILE\n"
                        "       gen log LINES FILE\n");
        return 2;
    }
    snprintf(name, sizeof name, "%s.truth", file);
    out = fopen(file, "w");
    truth = fopen(name, "w");
    if (!out || !truth)
        return 1;
    rc = capture ? captures(atoll(argv[2]), atoi(argv[3]))
                 : log_lines(atoll(argv[2]));
    return fclose(out) || fclose(truth) || rc;
}
