/* Anthropic Messages and its legacy sister: a small stream a row of the
 * taxonomy, at every split. */
#include "stream_run.h"

#define START \
    E("message_start", "{'type':'message_start','message':{'model':'m'," \
      "'content':[],'usage':{'input_tokens':9,'cache_read_input_tokens':4," \
      "'output_tokens':1}}}")
#define BLOCK(i, block) \
    E("content_block_start", "{'type':'content_block_start','index':" #i \
      ",'content_block':{" block "}}")
#define DELTA(i, delta) \
    E("content_block_delta", "{'type':'content_block_delta','index':" #i \
      ",'delta':{" delta "}}")
#define STOP(i) \
    E("content_block_stop", "{'type':'content_block_stop','index':" #i "}")
#define ENDS(reason) \
    E("message_delta", "{'type':'message_delta','delta':{'stop_reason':'" \
      reason "'},'usage':{'output_tokens':5}}")
#define END E("message_stop", "{'type':'message_stop'}")
#define TEXT(t) "'type':'text_delta','text':'" t "'"
#define JSON(t) "'type':'input_json_delta','partial_json':'" t "'"
#define KNOWN "anthropic_messages sse model=m "
#define COUNTED "prompt=9 cached=4 completion=5"

static const stream_case cases[] = {
    {"text", "text/event-stream",
     START E("ping", "{'type':'ping'}") BLOCK(0, "'type':'text','text':''")
     DELTA(0, TEXT("Hi")) STOP(0) ENDS("end_turn") END,
     "usage heartbeat envelope text(2) envelope usage+finish finish",
     KNOWN "finish=end_turn terminal " COUNTED},
    {"the first output count is none", NULL, START, "usage",
     KNOWN "prompt=9 cached=4"},
    {"thinking, its signature, text", NULL,
     START BLOCK(0, "'type':'thinking','thinking':''")
     DELTA(0, "'type':'thinking_delta','thinking':'h'")
     DELTA(0, "'type':'signature_delta','signature':'s'")
     STOP(0) DELTA(1, TEXT("a")),
     "usage envelope reasoning reasoning_opaque envelope text(1)",
     KNOWN "prompt=9 cached=4"},
    {"redacted and omitted thinking", NULL,
     START BLOCK(0, "'type':'redacted_thinking','data':'x'")
     BLOCK(1, "'type':'thinking','thinking':''")
     DELTA(1, "'type':'thinking_delta','thinking':''")
     DELTA(1, "'type':'signature_delta','signature':'s'"),
     "usage reasoning_opaque envelope envelope reasoning_opaque",
     KNOWN "prompt=9 cached=4"},
    {"a call", NULL,
     START BLOCK(0, "'type':'tool_use','id':'t','name':'f','input':{}")
     DELTA(0, JSON("")) DELTA(0, JSON("{}")) STOP(0) ENDS("tool_use") END,
     "usage action_start envelope action envelope usage+finish finish",
     KNOWN "finish=tool_use terminal " COUNTED},
    {"a call without input", NULL,
     START BLOCK(0, "'type':'tool_use','id':'t','name':'f','input':{}")
     DELTA(0, JSON("")) STOP(0) ENDS("tool_use"),
     "usage action_start envelope action usage+finish",
     KNOWN "finish=tool_use terminal " COUNTED},
    {"a call that starts with its input", NULL,
     START BLOCK(0, "'type':'tool_use','name':'f','input':{'a':1}") STOP(0),
     "usage action envelope", KNOWN "prompt=9 cached=4"},
    {"a call cut off by the limit", NULL,
     START BLOCK(0, "'type':'tool_use','name':'f','input':{}")
     ENDS("max_tokens") END, "usage action_start usage+finish finish",
     KNOWN "finish=max_tokens terminal " COUNTED},
    {"tools of the server and of MCP, with results", NULL,
     START BLOCK(0, "'type':'server_tool_use','name':'f','input':{}")
     DELTA(0, JSON("{}")) STOP(0)
     BLOCK(1, "'type':'web_search_tool_result','content':[]")
     BLOCK(2, "'type':'mcp_tool_use','name':'f','input':{}") STOP(2)
     BLOCK(3, "'type':'mcp_tool_result','content':[]"),
     "usage action_start action envelope tool_result action_start action "
     "tool_result", KNOWN "prompt=9 cached=4"},
    {"text in the start of a block, citations, compaction", NULL,
     START BLOCK(0, "'type':'text','text':'a'")
     DELTA(0, "'type':'citations_delta','citation':{'type':'x'}")
     BLOCK(1, "'type':'compaction','content':null")
     DELTA(1, "'type':'compaction_delta','content':'x'")
     BLOCK(2, "'type':'fallback'"),
     "usage text(1) envelope envelope envelope envelope",
     KNOWN "prompt=9 cached=4"},
    {"two messages in one stream", NULL,
     START BLOCK(0, "'type':'tool_use','name':'f','input':{}")
     DELTA(0, JSON("{}"))
     E("message_start", "{'type':'message_start','message':{'usage':"
       "{'input_tokens':7,'cache_read_input_tokens':0,'output_tokens':1}}}")
     BLOCK(0, "'type':'tool_use','name':'f','input':{}") STOP(0)
     ENDS("tool_use"),
     "usage action_start action usage action_start action usage+finish",
     KNOWN "finish=tool_use terminal prompt=7 cached=0 completion=5"},
    {"later usage wins, thinking is itemised", NULL,
     START E("message_delta", "{'type':'message_delta','delta':{'stop_reason'"
       ":null},'usage':{'input_tokens':8,'output_tokens':3}}")
     E("message_delta", "{'type':'message_delta','delta':{'stop_reason':"
       "'end_turn'},'usage':{'output_tokens':6,'output_tokens_details':"
       "{'thinking_tokens':2}}}"), "usage usage usage+finish",
     KNOWN "finish=end_turn terminal prompt=8 cached=4 completion=6 "
     "reasoning=2 running"},
    {"an error ends it", NULL, START DELTA(0, TEXT("a"))
     E("error", "{'type':'error','error':{'type':'overloaded_error',"
       "'message':'No'}}"), "usage text(1) error",
     KNOWN "error code=overloaded_error prompt=9 cached=4"},
    {"a rate limit", NULL,
     E("error", "{'type':'error','error':{'type':'rate_limit_error',"
       "'message':'No'}}"), "error",
     "- sse error code=rate_limit_error rate_limit"},
    {"a refusal is a stop reason", NULL, START ENDS("refusal") END,
     "usage usage+finish finish", KNOWN "finish=refusal terminal " COUNTED},
    {"the type only in the event's name", NULL,
     E("message_start", "{'message':{'model':'m'}}")
     E("content_block_delta", "{'index':0,'delta':{" TEXT("a") "}}")
     E("message_stop", "{}"), "envelope text(1) finish",
     KNOWN "terminal"},
    {"a ping first", NULL, E("ping", "{'type':'ping'}") START,
     "heartbeat usage", KNOWN "prompt=9 cached=4"},
    {"nothing but a ping", NULL, E("ping", "{'type':'ping'}"), "heartbeat",
     "anthropic_messages sse"},
    {"what nobody knows", NULL, START E("news", "{'type':'news'}")
     BLOCK(0, "'type':'advisor','text':'x'") DELTA(0, "'type':'x','text':"
     "'x'"), "usage envelope envelope envelope", KNOWN "prompt=9 cached=4"},
    {"behind Bedrock", NULL, START DELTA(0, TEXT("a")) ENDS("end_turn")
     D("{'type':'message_stop','amazon-bedrock-invocationMetrics':"
       "{'inputTokenCount':9,'outputTokenCount':4,'invocationLatency':1509,"
       "'firstByteLatency':1302}}"),
     "usage text(1) usage+finish usage+finish",
     KNOWN "finish=end_turn terminal " COUNTED
     " first_byte:1302000us total:1509000us"},
};

static const stream_case legacy[] = {
    {"text completion, with CRLF", NULL,
     "event: completion\r\ndata: {'type':'completion','completion':'a',"
     "'stop_reason':null,'model':'m'}\r\n\r\n"
     "event: ping\r\ndata: {'type':'ping'}\r\n\r\n"
     "event: completion\r\ndata: {'type':'completion','completion':'',"
     "'stop_reason':'stop_sequence'}\r\n\r\n",
     "text(1) heartbeat finish",
     "anthropic_complete sse model=m finish=stop_sequence terminal"},
};

static void messages(void)
{
    RUN_CASES(cases);
}

static void text_completions(void)
{
    RUN_CASES(legacy);
}

int main(void)
{
    RUN(messages);
    RUN(text_completions);
    return t_done();
}
