/* OpenAI Responses: a small stream a row of the taxonomy, at every split. */
#include "stream_run.h"

#define T "'type':'response."
#define CREATED \
    D("{" T "created','response':{'id':'r','model':'m','status':" \
      "'in_progress','output':[],'usage':null}}")
#define COMPLETED(output) \
    D("{" T "completed','response':{'status':'completed','output':[" output \
      "],'usage':{'input_tokens':9,'output_tokens':5,'total_tokens':14," \
      "'input_tokens_details':{'cached_tokens':4}," \
      "'output_tokens_details':{'reasoning_tokens':3}}}}")
#define KNOWN "openai_responses sse model=m "
#define ENDED \
    "finish=completed terminal prompt=9 cached=4 completion=5 reasoning=3 " \
    "total=14"
#define ADDED(index, item) \
    D("{" T "output_item.added','output_index':" #index ",'item':{" item "}}")
#define ITEM(index, item) \
    D("{" T "output_item.done','output_index':" #index ",'item':{" item "}}")
#define DELTA(kind, index, text) \
    D("{" T kind ".delta','output_index':" #index ",'delta':'" text "'}")
#define AFTER(kind, index, field) \
    D("{" T kind ".done','output_index':" #index "," field "}")
#define MESSAGE \
    "'type':'message','content':[{'type':'output_text','text':'Hi'}]"

static const stream_case cases[] = {
    {"text, its snapshots and the end", "text/event-stream",
     CREATED
     D("{" T "in_progress','response':{'status':'in_progress'}}")
     ADDED(0, "'type':'message','content':[]")
     D("{" T "content_part.added','output_index':0,'part':{'type':"
       "'output_text','text':''}}")
     DELTA("output_text", 0, "Hi")
     AFTER("output_text", 0, "'text':'Hi'")
     D("{" T "content_part.done','output_index':0,'part':{'type':"
       "'output_text','text':'Hi'}}")
     ITEM(0, MESSAGE) COMPLETED("{" MESSAGE "}"),
     "envelope envelope envelope envelope text(2) envelope envelope envelope "
     "usage+finish", KNOWN ENDED},
    {"the type only in the event's name", NULL,
     E("response.created", "{'response':{'model':'m'}}")
     E("response.output_text.delta", "{'output_index':0,'delta':'Hi'}"),
     "envelope text(2)", "openai_responses sse model=m"},
    {"the type in the data wins", NULL,
     E("response.output_text.delta", "{" T "queued','delta':'Hi'}"),
     "envelope", "openai_responses sse"},
    {"refusal", NULL, DELTA("refusal", 0, "No")
     AFTER("refusal", 0, "'refusal':'No'")
     D("{" T "content_part.done','output_index':0,'part':{'type':'refusal',"
       "'refusal':'No'}}"), "refusal(2) envelope envelope",
     "openai_responses sse"},
    {"reasoning and its snapshots", NULL,
     ADDED(0, "'type':'reasoning','summary':[]")
     D("{" T "reasoning_summary_part.added','output_index':0,'part':{'type':"
       "'summary_text','text':''}}")
     DELTA("reasoning_summary_text", 0, "h")
     AFTER("reasoning_summary_text", 0, "'text':'h'")
     D("{" T "reasoning_summary_part.done','output_index':0,'part':{'type':"
       "'summary_text','text':'h'}}")
     ITEM(0, "'type':'reasoning','summary':[{'type':'summary_text','text':"
          "'h'}]")
     DELTA("reasoning_text", 1, "h") AFTER("reasoning_text", 1, "'text':'h'"),
     "envelope envelope reasoning envelope envelope envelope reasoning "
     "envelope", "openai_responses sse"},
    {"hidden reasoning", NULL,
     ADDED(0, "'type':'reasoning','summary':[]")
     ITEM(0, "'type':'reasoning','summary':[],'encrypted_content':'x'")
     COMPLETED("{'type':'reasoning','encrypted_content':'x'}"),
     "envelope reasoning_opaque usage+finish",
     "openai_responses sse " ENDED},
    {"a summary that only the item brings", NULL,
     ITEM(0, "'type':'reasoning','summary':[{'text':'a'},{'text':'b'}]")
     COMPLETED("{'type':'reasoning','summary':[{'text':'a'}]}"),
     "reasoning usage+finish", "openai_responses sse " ENDED},
    {"a function call", NULL,
     ADDED(0, "'type':'function_call','name':'f','arguments':''")
     DELTA("function_call_arguments", 0, "{}")
     AFTER("function_call_arguments", 0, "'arguments':'{}'")
     ITEM(0, "'type':'function_call','name':'f','arguments':'{}'")
     COMPLETED("{'type':'function_call','arguments':'{}'}"),
     "action_start action envelope envelope usage+finish",
     "openai_responses sse " ENDED},
    {"arguments only when they are done: LM Studio", NULL,
     ADDED(0, "'type':'function_call','name':'f','arguments':''")
     AFTER("function_call_arguments", 0, "'arguments':'{}'")
     ITEM(0, "'type':'function_call','name':'f','arguments':'{}'"),
     "action_start action envelope", "openai_responses sse"},
    {"a call without arguments", NULL,
     ADDED(0, "'type':'function_call','name':'f','arguments':''")
     ITEM(0, "'type':'function_call','name':'f','arguments':''")
     COMPLETED("{'type':'function_call','name':'f','arguments':''}"),
     "action_start action usage+finish", "openai_responses sse " ENDED},
    {"the output's number counts, not the item's id: Copilot", NULL,
     D("{" T "output_text.delta','item_id':'a','output_index':1,'delta':"
       "'H'}")
     D("{" T "output_text.done','item_id':'b','output_index':1,'text':'H'}")
     D("{" T "output_text.done','item_id':'a','output_index':2,'text':'H'}"),
     "text(1) envelope text(1)", "openai_responses sse"},
    {"nothing but the end", NULL,
     D("{" T "completed','response':{'output':[{" MESSAGE "},{'type':"
       "'function_call','arguments':'{}'}]}}"),
     "finish+action+text(2)",
     "openai_responses sse finish=completed terminal"},
    {"an output that came in parts is not said again in part", NULL,
     ITEM(0, "'type':'message','content':[{'type':'output_text','text':'a'},"
          "{'type':'output_text','text':'bc'}]")
     COMPLETED("{" MESSAGE "}"), "text(3) usage+finish",
     "openai_responses sse " ENDED},
};

static const stream_case tools[] = {
    {"web search", NULL, ADDED(0, "'type':'web_search_call'")
     D("{" T "web_search_call.searching','output_index':0}")
     ITEM(0, "'type':'web_search_call','action':{'type':'search','query':"
          "'q'}"), "action_start envelope action", "openai_responses sse"},
    {"file search", NULL,
     ADDED(0, "'type':'file_search_call','queries':[],'results':null")
     ITEM(0, "'type':'file_search_call','queries':['q'],'results':[{'t':1}]"),
     "action_start tool_result+action", "openai_responses sse"},
    {"tool search: an empty object is a placeholder", NULL,
     ADDED(0, "'type':'tool_search_call','arguments':{}")
     ITEM(0, "'type':'tool_search_call','arguments':{'paths':['p']}")
     ADDED(1, "'type':'tool_search_output','tools':[1]"),
     "action_start action tool_result", "openai_responses sse"},
    {"shell: null and [] are placeholders", NULL,
     ADDED(0, "'type':'shell_call','action':{'commands':[],'timeout_ms':"
           "null}")
     D("{" T "shell_call_command.added','output_index':0,'command':''}")
     DELTA("shell_call_command", 0, "ls")
     AFTER("shell_call_command", 0, "'command':'ls'")
     ITEM(0, "'type':'shell_call','action':{'commands':['ls']}")
     D("{" T "shell_call_output_content.delta','output_index':1,'delta':"
       "{'stdout':'x'}}")
     ITEM(1, "'type':'shell_call_output','output':[{'stdout':'x'}]"),
     "action_start envelope action envelope envelope tool_result "
     "tool_result", "openai_responses sse"},
    {"code interpreter", NULL,
     ADDED(0, "'type':'code_interpreter_call','code':'','outputs':[]")
     DELTA("code_interpreter_call_code", 0, "1+1")
     AFTER("code_interpreter_call_code", 0, "'code':'1+1'")
     ITEM(0, "'type':'code_interpreter_call','code':'1+1','outputs':"
          "[{'logs':'2'}]"),
     "action_start action envelope tool_result", "openai_responses sse"},
    {"MCP", NULL,
     ADDED(0, "'type':'mcp_list_tools','tools':[]")
     ADDED(1, "'type':'mcp_call','arguments':'','output':null")
     DELTA("mcp_call_arguments", 1, "{}")
     ITEM(1, "'type':'mcp_call','arguments':'{}','output':'x'")
     ITEM(2, "'type':'mcp_approval_request','arguments':'{}'"),
     "envelope action_start action tool_result action",
     "openai_responses sse"},
    {"patches, custom tools, programs", NULL,
     ADDED(0, "'type':'apply_patch_call','operation':{'type':'create_file',"
           "'diff':'','path':'a'}")
     DELTA("apply_patch_call_operation_diff", 0, "+a")
     ADDED(1, "'type':'custom_tool_call','input':''")
     DELTA("custom_tool_call_input", 1, "x")
     ADDED(2, "'type':'program','code':''")
     ITEM(2, "'type':'program','code':'x'"),
     "action action action_start action action_start action",
     "openai_responses sse"},
    {"images", NULL,
     ADDED(0, "'type':'image_generation_call'")
     D("{" T "image_generation_call.partial_image','output_index':0,"
       "'partial_image_b64':'AA=='}")
     ITEM(0, "'type':'image_generation_call','result':'AA=='")
     ITEM(1, "'type':'image_generation_call','result':'AA=='")
     COMPLETED(""), "action_start media envelope media usage+finish",
     "openai_responses sse " ENDED},
    {"audio", NULL, D("{" T "audio.delta','delta':'AA=='}")
     D("{" T "audio.transcript.delta','delta':'Hi'}"), "media media",
     "openai_responses sse"},
};

static const stream_case endings[] = {
    {"cut off by the limit", NULL, CREATED
     D("{" T "incomplete','response':{'status':'incomplete',"
       "'incomplete_details':{'reason':'max_output_tokens'},'usage':"
       "{'output_tokens':5}}}"), "envelope usage+finish",
     KNOWN "finish=max_output_tokens terminal completion=5"},
    {"failed", NULL, CREATED
     D("{'type':'error','code':null,'error':{'type':'insufficient_quota',"
       "'code':'insufficient_quota','message':'No'}}")
     D("{" T "failed','response':{'status':'failed','error':{'code':"
       "'server_error','message':'No'}}}"),
     "envelope error finish+error",
     KNOWN "finish=failed terminal error code=insufficient_quota"},
    {"a flat error", NULL, CREATED
     D("{'type':'error','code':'rate_limit_exceeded','message':'No','param':"
       "null}"), "envelope error",
     KNOWN "error code=rate_limit_exceeded rate_limit"},
    {"keepalive, annotations, what nobody knows", NULL, CREATED
     D("{'type':'keepalive','sequence_number':2}")
     D("{" T "output_text.annotation.added','annotation':{'type':'x'}}")
     D("{" T "something_new.delta','delta':'x'}"),
     "envelope heartbeat envelope envelope", "openai_responses sse model=m"},
    {"an event that is no JSON is counted, the stream goes on", NULL,
     CREATED D("{'type':'response.created") DELTA("output_text", 0, "Hi"),
     "envelope envelope! text(2)",
     "openai_responses sse model=m #malformed_event"},
    {"cancelled, and [DONE] behind it", NULL, CREATED
     D("{" T "cancelled','response':{'status':'cancelled'}}") D("[DONE]"),
     "envelope finish finish", KNOWN "finish=cancelled terminal"},
};

static void responses_text_and_reasoning(void)
{
    RUN_CASES(cases);
}

static void responses_tools(void)
{
    RUN_CASES(tools);
}

static void responses_endings(void)
{
    RUN_CASES(endings);
}

int main(void)
{
    RUN(responses_text_and_reasoning);
    RUN(responses_tools);
    RUN(responses_endings);
    return t_done();
}
