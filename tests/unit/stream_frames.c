/* Framings beside SSE, how one is chosen, content encodings, whole bodies,
 * and events that a recorder had cut out. */
#include <zlib.h>
#include "stream_run.h"

#define CHAT(text) D("{'choices':[{'delta':{'content':'" text "'}}]}")
#define LINE(text) "{'message':{'content':'" text "'},'done':false}\n"

static const stream_case chosen[] = {
    {"SSE called JSON", "application/json", CHAT("a"), "text(1)",
     "openai_chat sse"},
    {"SSE called text", "text/plain; charset=utf-8", CHAT("a"), "text(1)",
     "openai_chat sse"},
    {"SSE behind blank lines and a mark", NULL,
     "\xef\xbb\xbf\r\n\r\n" CHAT("a"), "text(1)", "openai_chat sse"},
    {"NDJSON called event-stream", "text/event-stream", LINE("a") LINE("b"),
     "text(1) text(1)", "ollama_chat ndjson"},
    {"NDJSON called JSON, with blank lines", "application/json",
     LINE("a") "\r\n\n" LINE("b") LINE("c"), "text(1) text(1) text(1)",
     "ollama_chat ndjson"},
    {"NDJSON behind a mark", NULL, "\xef\xbb\xbf" LINE("a") LINE("b"),
     "text(1) text(1)", "ollama_chat ndjson"},
    {"one line that can only be an event", "application/json",
     "{'event_type':'text-generation','text':'a'}\n", "text(1)",
     "cohere_v1 ndjson"},
    {"NDJSON that is no JSON in places", "application/x-ndjson",
     LINE("a") "{'mess\n" LINE("b") "{'cut", "text(1) envelope! text(1)",
     "ollama_chat ndjson partial=5 #malformed_event"},
    {"a JSON array called event-stream", "text/event-stream",
     " [{'candidates':[{'content':{'parts':[{'text':'a'}]}}]}]", "text(1)",
     "gemini json_array beside"},
    {"an array with other things in it", NULL,
     "[1,'{',[{'a':1}],{'candidates':[]},null]", "envelope envelope",
     "gemini json_array beside"},
    {"JSON called event-stream", "text/event-stream",
     "{\n  'error': {\n    'code': 400,\n    'status': 'FAILED'\n  }\n}\n",
     "", "- json code=FAILED not_streamed"},
    {"a line of JSON in front of SSE", "text/event-stream",
     "{'debug':1}\n" CHAT("a"), "text(1)", "openai_chat sse"},
    {"pages of JSON in front of SSE", "text/event-stream",
     "{\n 'debug': 1\n}\n\n" CHAT("a"), "text(1)", "openai_chat sse"},
    {"a page", "text/html", "<html>\n<p>data: x</p>\n</html>\n", "",
     "- - not_streamed"},
    {"nothing, called event-stream", "text/event-stream", "", "", "- -"},
    {"nothing, called JSON", "application/json; charset=utf-8", "", "",
     "- - not_streamed"},
    {"nothing but white space", "application/json", " \r\n\n", "",
     "- - not_streamed"},
    {"a mark that is none", NULL, "\xef\xbb" CHAT("a") CHAT("b"), "text(1)",
     "openai_chat sse"},
    {"a zero byte that is no frame", "text/event-stream", "", "", "- -"},
};

static const stream_case whole[] = {
    {"chat", "application/json",
     "{'model':'m','choices':[{'message':{'content':'a','tool_calls':"
     "[{'function':{'name':'f','arguments':'{}'}}]},'finish_reason':"
     "'stop'}],'usage':{'prompt_tokens':9,'completion_tokens':5}}", "",
     "openai_chat json model=m finish=stop terminal prompt=9 completion=5 "
     "not_streamed body_text body_other"},
    {"chat over several lines", "application/json",
     "{\n 'choices': [\n  {'message': {'content': ' '}}\n ]\n}\n", "",
     "openai_chat json not_streamed body_text"},
    {"chat without text", NULL,
     "{'choices':[{'message':{'content':null,'reasoning':'h'}}]}", "",
     "openai_chat json not_streamed body_reasoning"},
    {"chat with both kinds of reasoning", NULL,
     "{'choices':[{'message':{'content':'a','reasoning_details':[{'type':"
     "'reasoning.encrypted','data':'x'}]}},{'index':1,'message':{'content':"
     "'<think>h</think>b'}}]}", "",
     "openai_chat json not_streamed body_text body_reasoning body_opaque "
     "#inline_think"},
    {"chat, thinking for ever", NULL,
     "{'choices':[{'message':{'content':'<think>h'}}]}", "",
     "openai_chat json not_streamed body_reasoning #inline_think"},
    {"completions", NULL, "{'choices':[{'text':'a'}]}", "",
     "openai_completions json not_streamed body_text"},
    {"Responses", NULL,
     "{'object':'response','status':'incomplete','model':'m',"
     "'incomplete_details':{'reason':'max_output_tokens'},'output':[{'type':"
     "'function_call','arguments':'{}'}],'usage':{'output_tokens':5}}", "",
     "openai_responses json model=m finish=max_output_tokens terminal "
     "completion=5 not_streamed body_other"},
    {"Messages", NULL,
     "{'type':'message','model':'m','content':[{'type':'text','text':'a'},"
     "{'type':'tool_use','input':{}}],'stop_reason':'tool_use','usage':"
     "{'input_tokens':9,'output_tokens':5}}", "",
     "anthropic_messages json model=m finish=tool_use terminal prompt=9 "
     "completion=5 not_streamed body_text body_other"},
    {"Gemini", NULL,
     "{'candidates':[{'content':{'parts':[{'text':'a'}]},'finishReason':"
     "'STOP'}],'usageMetadata':{'candidatesTokenCount':5}}", "",
     "gemini json finish=STOP terminal completion=5 beside not_streamed "
     "body_text"},
    {"Converse", NULL,
     "{'output':{'message':{'content':[{'text':'a'},{'toolUse':{'name':'f',"
     "'input':{}}},{'reasoningContent':{'reasoningText':{'text':'h'}}}]}},"
     "'stopReason':'end_turn','usage':{'outputTokens':5},'metrics':"
     "{'latencyMs':7}}", "",
     "bedrock_converse json finish=end_turn terminal completion=5 "
     "not_streamed body_text body_other body_reasoning total:7000us"},
    {"Titan", NULL,
     "{'inputTextTokenCount':9,'results':[{'tokenCount':5,'outputText':'a',"
     "'completionReason':'FINISH'}]}", "",
     "bedrock_titan json finish=FINISH terminal prompt=9 completion=5 "
     "not_streamed body_text"},
    {"Cohere", NULL,
     "{'message':{'content':[{'type':'text','text':'a'}],'tool_calls':"
     "[{'function':{'name':'f','arguments':'{}'}}]},'finish_reason':"
     "'COMPLETE'}", "", "cohere_v2 json finish=COMPLETE terminal not_streamed "
     "body_text body_other"},
    {"Cohere v1", NULL,
     "{'generation_id':'g','text':'a','finish_reason':'COMPLETE'}", "",
     "cohere_v1 json finish=COMPLETE terminal not_streamed body_text"},
    {"Ollama", NULL,
     "{'message':{'content':'a'},'done':true,'done_reason':'stop',"
     "'eval_count':5}", "",
     "ollama_chat json finish=stop terminal completion=5 not_streamed "
     "body_text"},
    {"Ollama generate", NULL, "{'response':'','done':true}\n", "",
     "ollama_generate json terminal not_streamed"},
    {"TGI", NULL, "{'generated_text':'a'}", "",
     "tgi json not_streamed body_text"},
    {"Interactions", NULL,
     "{'object':'interaction','status':'completed','outputs':[{'type':"
     "'text','text':'a'}]}", "",
     "gemini_interactions json finish=completed terminal beside not_streamed "
     "body_text"},
    {"SGLang, watsonx, completion", NULL, "{'text':'a','meta_info':{}}", "",
     "sglang json not_streamed body_text"},
    {"watsonx", NULL, "{'results':[{'generated_text':'a'}]}", "",
     "watsonx json not_streamed body_text"},
    {"legacy completion", NULL, "{'completion':'a','stop_reason':'x'}", "",
     "anthropic_complete json finish=x terminal not_streamed body_text"},
    {"an error is judged by the status", "application/json",
     "{'error':{'message':'x','type':'rate_limit_error'}}", "",
     "- json code=rate_limit_error not_streamed"},
    {"a document of something else", "application/json", "{'data':[1,2]}\n",
     "", "- json not_streamed"},
    {"a cut document", "application/json", "{'choices':[{'mess", "",
     "- json not_streamed body_cut partial=18"},
    {"cut behind a quoted bracket", "application/json", "{'a':[']}\\'],'b':3",
     "", "- json not_streamed body_cut partial=18"},
    {"no JSON, but over", "application/json", "{a:[1]}", "",
     "- json not_streamed partial=7"},
    {"whole, with something behind it", "application/json", "{'a':1} x", "",
     "- json not_streamed partial=9"},
};

static void framing_is_chosen_by_content(void)
{
    RUN_CASES(chosen);
}

static void whole_bodies(void)
{
    RUN_CASES(whole);
}

/* ---- AWS event stream -------------------------------------------------- */
static void put_word(ait_buf *b, uint32_t v)
{
    for (int i = 24; i >= 0; i -= 8)
        ait_buf_addc(b, (char)(v >> i & 0xff));
}

static void put_header(ait_buf *b, const char *name, const char *value)
{
    size_t n = strlen(value);

    ait_buf_addc(b, (char)strlen(name));
    ait_buf_adds(b, name);
    ait_buf_addc(b, 7);
    ait_buf_addc(b, (char)(n >> 8));
    ait_buf_addc(b, (char)(n & 0xff));
    ait_buf_add(b, value, n);
}

static uint32_t crc(const char *p, size_t n)
{
    return (uint32_t)crc32(0, (const Bytef *)p, (uInt)n);
}

/* A frame; `kind` is the name of the header that holds `name`. */
static void put_frame(ait_buf *out, const char *kind, const char *name,
                      const char *payload)
{
    ait_buf head;
    size_t start = out->len, n = strlen(payload);
    char *body = quoted(payload, n);

    ait_buf_init(&head, 4096);
    ait_buf_add(&head, "\x01x\x04\0\0\0\x01", 7); /* an integer before it */
    ait_buf_add(&head, "\x01y\x00", 3);           /* and a truth value */
    put_header(&head, kind, name);
    put_word(out, (uint32_t)(16 + head.len + n));
    put_word(out, (uint32_t)head.len);
    put_word(out, crc(out->data + start, 8));
    ait_buf_add(out, head.data, head.len);
    ait_buf_add(out, body, n);
    put_word(out, crc(out->data + start, out->len - start));
    ait_buf_free(&head);
    free(body);
}

static void check_frames(const char *type, const ait_buf *b,
                         const char *events, const char *facts)
{
    static seen bytes, s;
    ait_buf said;

    int good = 1;

    for (size_t step = 1; good && step <= b->len; step++) {
        seen *now = step == 1 ? &bytes : &s;

        ait_buf_init(&said, 1 << 16);
        run_bytes(type, NULL, b->data, b->len, step, now, &said);
        good = CHECK_TEXT(now->line.data ? now->line.data : "", events) &&
               CHECK_TEXT(said.data, facts);
        for (size_t i = 0; good && i < now->events; i++)
            good = CHECK_INT(now->read[i], (bytes.read[i] + step - 1) / step);
        ait_buf_free(&said);
        if (step > 1)
            ait_buf_free(&s.line);
    }
    ait_buf_free(&bytes.line);
}

#define AWS "application/vnd.amazon.eventstream"

static void frames_of_bedrock(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    put_frame(&b, ":event-type", "messageStart", "{'role':'assistant'}");
    put_frame(&b, ":event-type", "contentBlockDelta",
              "{'contentBlockIndex':0,'delta':{'text':'a'},'p':'abc'}");
    put_frame(&b, ":event-type", "messageStop", "{'stopReason':'end_turn'}");
    check_frames(AWS, &b, "envelope text(1) finish",
                 "bedrock_converse eventstream finish=end_turn terminal");
    check_frames(NULL, &b, "envelope text(1) finish",
                 "bedrock_converse eventstream finish=end_turn terminal");
    b.len -= 3;
    check_frames("text/event-stream", &b, "envelope text(1)",
                 "bedrock_converse eventstream partial=74");
    ait_buf_free(&b);
}

static void exceptions_are_errors(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    put_frame(&b, ":event-type", "contentBlockDelta",
              "{'contentBlockIndex':0,'delta':{'text':'a'}}");
    put_frame(&b, ":exception-type", "ThrottlingException",
              "{'message':'What it was'}");
    put_frame(&b, ":error-code", "InternalFailure", "");
    check_frames(AWS, &b, "text(1) error error",
                 "bedrock_converse eventstream error "
                 "code=ThrottlingException rate_limit");
    ait_buf_free(&b);
}

static void invocations_are_unwrapped(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    put_frame(&b, ":event-type", "chunk", /* {"outputText":"ab"} */
              "{'bytes':'eyJvdXRwdXRUZXh0IjoiYWIifQ==','p':'x'}");
    check_frames(AWS, &b, "text(2)", "bedrock_titan eventstream");
    ait_buf_free(&b);
}

static void checksums_are_checked(void)
{
    ait_buf b;
    size_t second;

    ait_buf_init(&b, 1 << 16);
    put_frame(&b, ":event-type", "contentBlockDelta",
              "{'contentBlockIndex':0,'delta':{'text':'a'}}");
    second = b.len;
    put_frame(&b, ":event-type", "contentBlockDelta",
              "{'contentBlockIndex':0,'delta':{'text':'b'}}");
    put_frame(&b, ":event-type", "messageStop", "{'stopReason':'x'}");
    b.data[second - 8] ^= 1; /* the payload of the first */
    check_frames(AWS, &b, "envelope! text(1) finish",
                 "bedrock_converse eventstream finish=x terminal "
                 "#malformed_event");
    b.data[second + 3] ^= 1; /* the length of the second */
    check_frames(AWS, &b, "envelope!",
                 "- eventstream unread #malformed_event #content_damaged");
    ait_buf_free(&b);
}

static void hostile_frames_do_no_harm(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    put_word(&b, 16); /* no headers, no payload */
    put_word(&b, 0);
    put_word(&b, crc(b.data, 8));
    put_word(&b, crc(b.data, 12));
    put_word(&b, 20); /* headers that are cut */
    put_word(&b, 4);
    put_word(&b, crc(b.data + 16, 8));
    ait_buf_add(&b, "\xff:e\x07", 4);
    put_word(&b, crc(b.data + 16, 16));
    put_word(&b, 0x7fffffff); /* far too long */
    put_word(&b, 0);
    put_word(&b, crc(b.data + 36, 8));
    check_frames(AWS, &b, "envelope() envelope()",
                 "- eventstream unread #content_damaged");
    ait_buf_free(&b);
}

/* ---- content encodings ------------------------------------------------- */
/* 31: gzip, 15: zlib, -15: raw. */
static void compress_to(ait_buf *out, const char *text, int window)
{
    z_stream z;
    char room[4096];

    memset(&z, 0, sizeof z);
    deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = (Bytef *)room;
    z.avail_out = sizeof room;
    CHECK_INT(deflate(&z, Z_FINISH), Z_STREAM_END);
    ait_buf_add(out, room, sizeof room - z.avail_out);
    deflateEnd(&z);
}

static void check_encoded(const char *encoding, const ait_buf *b,
                          const char *events, const char *facts)
{
    static seen s;
    ait_buf said;

    for (size_t step = 1; step <= b->len; step++) {
        ait_buf_init(&said, 1 << 16);
        run_bytes("text/event-stream", encoding, b->data, b->len, step, &s,
                  &said);
        if (!CHECK_TEXT(s.line.data ? s.line.data : "", events) ||
            !CHECK_TEXT(said.data, facts))
            printf("# reads of %zu bytes\n", step);
        ait_buf_free(&said);
        ait_buf_free(&s.line);
    }
}

static const char chat_a[] =
    "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";

static void encodings_are_decoded_in_any_split(void)
{
    static const struct {
        const char *name;
        int window;
    } known[] = {
        {"gzip", 31}, {"x-gzip", 31}, {" GZIP ", 31},
        {"deflate", 15}, {"deflate", -15},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ait_buf b;

        ait_buf_init(&b, 1 << 16);
        compress_to(&b, chat_a, known[i].window);
        check_encoded(known[i].name, &b, "text(1)", "openai_chat sse");
        if (known[i].window == 31) {
            compress_to(&b, chat_a, 31);
            check_encoded(known[i].name, &b, "text(1) text(1)",
                          "openai_chat sse");
        }
        ait_buf_add(&b, "zzz", 3);
        check_encoded(known[i].name, &b,
                      known[i].window == 31 ? "text(1) text(1)" : "text(1)",
                      "openai_chat sse #trailing_bytes");
        ait_buf_free(&b);
    }
}

static void damage_and_cuts_are_told(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    compress_to(&b, chat_a, 31);
    b.len -= 5; /* the trailer: what it held has come */
    check_encoded("gzip", &b, "text(1)", "openai_chat sse #content_damaged");
    ait_buf_clear(&b);
    ait_buf_adds(&b, "\x1f\x8bzzzzzzzzz");
    check_encoded("gzip", &b, "", "- - unread #content_damaged");
    ait_buf_clear(&b);
    ait_buf_adds(&b, "zzzzzzzzzzz");
    check_encoded("gzip", &b, "", "- - unread #content_damaged");
    ait_buf_free(&b);
}

static void what_is_not_read_says_so(void)
{
    ait_buf b;

    ait_buf_init(&b, 1 << 16);
    ait_buf_adds(&b, chat_a);
    check_encoded("br", &b, "", "- - unread #content_encoding_unread");
    check_encoded("zstd", &b, "", "- - unread #content_encoding_unread");
    check_encoded("gzip, br", &b, "", "- - unread #content_encoding_unread");
    check_encoded("identity", &b, "text(1)", "openai_chat sse");
    check_encoded("", &b, "text(1)", "openai_chat sse");
    /* declared, but the recorder had decoded it */
    check_encoded("gzip", &b, "text(1)", "openai_chat sse");
    ait_buf_free(&b);
}

/* Much more comes out than goes in: in bounded steps. */
static void a_bomb_is_read_in_steps(void)
{
    static char zeros[3 << 20];
    static seen s;
    ait_stream_head head = {.content_encoding = "gzip"};
    ait_stream *stream = ait_stream_new(&head, see, &s);
    ait_buf b;
    char *room = malloc(1 << 16);
    z_stream z;

    memset(zeros, ' ', sizeof zeros);
    memcpy(zeros, ": ", 2);
    memcpy(zeros + sizeof zeros - 2, "\n\n", 2);
    memset(&z, 0, sizeof z);
    deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)zeros;
    z.avail_in = sizeof zeros;
    z.next_out = (Bytef *)room;
    z.avail_out = 1 << 16;
    deflate(&z, Z_FINISH);
    ait_buf_init(&b, 1 << 16);
    ait_buf_init(&s.line, 1 << 16);
    CHECK_INT(ait_stream_feed(stream, 1, room, (1u << 16) - z.avail_out),
              AIT_OK);
    CHECK_TEXT(s.line.data, ":");
    deflateEnd(&z);
    ait_stream_free(stream);
    ait_buf_free(&s.line);
    free(room);
}

/* ---- events that were cut out already ---------------------------------- */
static void recorded_events(void)
{
    static const char *const data[] = {
        "{\"type\":\"message_start\",\"message\":{\"model\":\"m\"}}",
        "{\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}", "", "[DONE]",
    };
    static const char *const names[] = {"message_start",
                                        "content_block_delta", NULL, NULL};
    static seen s;
    ait_stream_head head = {.content_type = NULL};
    ait_stream *stream = ait_stream_new(&head, see, &s);
    ait_buf said;

    ait_buf_init(&s.line, 1 << 16);
    ait_buf_init(&said, 1 << 16);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ait_stream_event(stream, AIT_ABSENT, names[i],
                                   names[i] ? strlen(names[i]) : 0, data[i],
                                   strlen(data[i])), AIT_OK);
    CHECK_INT(ait_stream_end(stream), AIT_OK);
    CHECK_INT(ait_stream_end(stream), AIT_OK); /* twice is once */
    say_facts(&said, ait_stream_get(stream));
    CHECK_TEXT(s.line.data, "envelope text(2) envelope() finish");
    CHECK_TEXT(said.data, "anthropic_messages sse model=m terminal");
    CHECK_INT(s.read[0], 1);
    CHECK_INT(s.read[3], 4);
    ait_stream_free(stream);
    ait_buf_free(&said);
    ait_buf_free(&s.line);
}

int main(void)
{
    RUN(framing_is_chosen_by_content);
    RUN(whole_bodies);
    RUN(frames_of_bedrock);
    RUN(exceptions_are_errors);
    RUN(invocations_are_unwrapped);
    RUN(checksums_are_checked);
    RUN(hostile_frames_do_no_harm);
    RUN(encodings_are_decoded_in_any_split);
    RUN(damage_and_cuts_are_told);
    RUN(what_is_not_read_says_so);
    RUN(a_bomb_is_read_in_steps);
    RUN(recorded_events);
    return t_done();
}
