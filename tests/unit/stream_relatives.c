/* Who speaks like OpenAI chat completions, each in its own way: one short
 * answer a provider, from its first event to its last, at every split. */
#include "stream_run.h"

#define SSE "text/event-stream"
#define DONE D("[DONE]")

static const stream_case providers[] = {
    {"Azure: a filter first, padding, filters behind", SSE,
     D("{'choices':[],'created':0,'id':'','model':'','object':'',"
       "'prompt_filter_results':[{'prompt_index':0}]}")
     D("{'choices':[{'content_filter_results':{},'delta':{'content':'',"
       "'refusal':null,'role':'assistant'},'finish_reason':null,'index':0}],"
       "'model':'m','object':'chat.completion.chunk','obfuscation':'xy'}")
     D("{'choices':[{'content_filter_results':{'hate':{'filtered':false}},"
       "'delta':{'content':'Hi'},'index':0}],'obfuscation':'z'}")
     D("{'choices':[{'content_filter_results':{},'delta':{},'finish_reason':"
       "'stop','index':0}]}")
     D("{'choices':[],'usage':{'prompt_tokens':9,'completion_tokens':5}}")
     DONE,
     "envelope envelope text(2) finish usage finish",
     "openai_chat sse model=m finish=stop terminal prompt=9 completion=5"},
    {"DeepSeek: comments under load, role in every event", SSE,
     ": keep-alive\n\n: keep-alive\n\n"
     D("{'model':'m','choices':[{'delta':{'role':'assistant','content':null,"
       "'reasoning_content':''}}],'usage':null}")
     D("{'choices':[{'delta':{'role':'assistant','content':null,"
       "'reasoning_content':'h'}}]}")
     D("{'choices':[{'delta':{'role':'assistant','content':'a',"
       "'reasoning_content':null}}]}") DONE,
     ": : envelope reasoning text(1) finish",
     "openai_chat sse model=m terminal"},
    {"Groq: reasoning with a channel, an error named by its event", SSE,
     D("{'model':'m','x_groq':{'id':'r'},'choices':[{'delta':{'role':"
       "'assistant'}}]}")
     D("{'choices':[{'delta':{'reasoning':'h','channel':'analysis'}}]}")
     D("{'choices':[{'delta':{'content':'a'}}]}")
     E("error", "{'error':{'message':'x','type':'invalid_request_error',"
       "'code':'tool_use_failed','failed_generation':'x'}}"),
     "envelope reasoning text(1) error",
     "openai_chat sse model=m error code=tool_use_failed"},
    {"OpenRouter: comments, two finishes, details beside", SSE,
     ": OPENROUTER PROCESSING\n\n"
     D("{'model':'m','provider':'x','choices':[{'index':0,'delta':{'role':"
       "'assistant','content':'','reasoning':'h','reasoning_details':"
       "[{'type':'reasoning.text','text':'h'}]},'finish_reason':null}]}")
     D("{'choices':[{'delta':{'role':'assistant','content':'a'},"
       "'finish_reason':'stop','native_finish_reason':'completed'}]}")
     D("{'choices':[{'delta':{'content':''},'finish_reason':'stop'}],"
       "'usage':{'completion_tokens':5,'cost':0.1}}") DONE,
     ": reasoning finish+text(1) usage+finish finish",
     "openai_chat sse model=m finish=stop terminal completion=5"},
    {"Perplexity: a message that grows beside, CRLF, no [DONE]", SSE,
     "data: {'model':'m','citations':['u'],'choices':[{'index':0,"
     "'finish_reason':null,'message':{'role':'assistant','content':'a'},"
     "'delta':{'role':'assistant','content':'a'}}],'usage':"
     "{'completion_tokens':1}}\r\n\r\n"
     "data: {'choices':[{'index':0,'finish_reason':'stop','message':"
     "{'content':'ab'},'delta':{'content':'b'}}],'usage':"
     "{'completion_tokens':2}}\r\n\r\n",
     "usage+text(1) usage+finish+text(1)",
     "openai_chat sse model=m finish=stop terminal completion=2 running"},
    {"xAI: text in the first event", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'content':'a','role':"
       "'assistant'}}]}")
     D("{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}") DONE,
     "text(1) finish finish", "openai_chat sse model=m finish=stop terminal"},
    {"Together: completions and chat in one", SSE,
     D("{'model':'m','choices':[{'index':0,'text':'a','delta':{'token_id':1,"
       "'role':'assistant','content':'a'}}],'usage':null}")
     D("{'choices':[{'index':0,'text':'','finish_reason':'stop','seed':"
       "1395002666759424000,'delta':{'token_id':2,'content':''}}],'usage':"
       "{'completion_tokens':2,'cached_tokens':0}}") DONE,
     "text(1) usage+finish finish",
     "openai_chat sse model=m finish=stop terminal cached=0 completion=2"},
    {"Cloudflare: neither role nor finish until the end", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'content':'a'}}]}")
     D("{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}],'usage':"
       "{'completion_tokens':2}}") DONE, "text(1) usage+finish finish",
     "openai_chat sse model=m finish=stop terminal completion=2"},
    {"Databricks: a call that gets no arguments", SSE,
     D("{'model':'m','choices':[{'delta':{'role':'assistant','content':'I'}"
       "}],'usage':{'prompt_tokens':9,'completion_tokens':null}}")
     D("{'choices':[{'delta':{'role':'assistant','content':'','tool_calls':"
       "[{'index':0,'id':'t','type':'function','function':{'name':'f',"
       "'arguments':''}}]}}],'usage':{'completion_tokens':null}}")
     D("{'choices':[{'delta':{'content':''},'finish_reason':'tool_calls'}],"
       "'usage':{'completion_tokens':49}}") DONE,
     "usage+text(1) action_start usage+finish+action finish",
     "openai_chat sse model=m finish=tool_calls terminal prompt=9 "
     "completion=49"},
    {"Snowflake: reasoning in details only, no finish", SSE,
     D("{'model':'m','choices':[{'delta':{'content':'','reasoning_details':"
       "[{'format':'x','text':'h','type':'reasoning.text'}],'refusal':'',"
       "'tool_calls':null}}]}")
     D("{'choices':[{'delta':{'content':'a','refusal':''}}]}") DONE,
     "reasoning text(1) finish", "openai_chat sse model=m terminal"},
    {"Cerebras: the whole call in one event", SSE,
     D("{'model':'m','choices':[{'delta':{'role':'assistant'},'index':0}]}")
     D("{'choices':[{'delta':{'tool_calls':[{'function':{'name':'f',"
       "'arguments':'{}'},'id':'c','index':0}]},'finish_reason':"
       "'tool_calls'}],'time_info':{'queue_time':0.5}}"),
     "envelope finish+action",
     "openai_chat sse model=m finish=tool_calls terminal queue:500000us"},
    {"z.ai: reasoning in the first event", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'role':'assistant',"
       "'reasoning_content':'h'}}]}")
     D("{'choices':[{'index':0,'finish_reason':'stop','delta':{'role':"
       "'assistant','content':''}}]}") DONE, "reasoning finish finish",
     "openai_chat sse model=m finish=stop terminal"},
    {"Copilot: reasoning_text, and what it hides", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'content':null,"
       "'reasoning_text':'h'}}]}")
     D("{'choices':[{'delta':{'content':null,'reasoning_opaque':'x'}}]}")
     D("{'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}]}"),
     "reasoning reasoning_opaque finish+text(1)",
     "openai_chat sse model=m finish=stop terminal"},
    {"llama.cpp: an error in a field of its name", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'content':'a'}}]}")
     "error: {'code':500,'message':'x','type':'server_error'}\n\n",
     "text(1)", "openai_chat sse model=m error code=server_error"},
    {"llama.cpp: the end without its blank line", SSE,
     D("{'model':'m','choices':[{'delta':{},'finish_reason':'stop'}],"
       "'timings':{'prompt_ms':1.5,'predicted_ms':2}}") "data: [DONE]\n",
     "finish", "openai_chat sse model=m finish=stop terminal partial=13 "
     "prefill:1500us decode:2000us #undispatched_tail"},
    {"vLLM: stop_reason, token ids", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'role':'assistant',"
       "'content':''},'logprobs':null}],'prompt_token_ids':null}")
     D("{'choices':[{'index':0,'delta':{'reasoning':'h'},'token_ids':null}]}"
       )
     D("{'choices':[{'index':0,'delta':{'content':'a'},'finish_reason':"
       "'length','stop_reason':null}]}") DONE,
     "envelope reasoning finish+text(1) finish",
     "openai_chat sse model=m finish=length terminal"},
    {"SGLang: matched_stop", SSE,
     D("{'model':'m','choices':[{'delta':{'role':null,'content':null,"
       "'reasoning_content':'h','tool_calls':null}}]}")
     D("{'choices':[{'delta':{'role':null,'content':null},'finish_reason':"
       "'stop','matched_stop':1}]}"), "reasoning finish",
     "openai_chat sse model=m finish=stop terminal"},
    {"TGI in the manner of chat: no space, logprobs, another object", SSE,
     "data:{'object':'text_completion','model':'m','choices':[{'index':0,"
     "'delta':{'role':'assistant','content':'a'},'logprobs':{'content':"
     "[{'token':'a'}]}}]}\n\n", "text(1)", "openai_chat sse model=m"},
    {"Writer: message and delta, no [DONE]", SSE,
     D("{'model':'m','choices':[{'index':0,'message':{'content':null},"
       "'delta':{'content':null}}],'usage':null}")
     D("{'choices':[{'index':1,'message':{'content':'a'},'delta':{'content':"
       "'a'}}]}")
     D("{'choices':[{'index':1,'finish_reason':'stop','message':{'content':"
       "null},'delta':{'content':null}}]}"),
     "envelope text(1) finish",
     "openai_chat sse model=m finish=stop terminal"},
    {"Moonshot: usage in the choice", SSE,
     D("{'model':'m','choices':[{'index':0,'delta':{'content':'a'},"
       "'finish_reason':'stop','usage':{'prompt_tokens':9,"
       "'completion_tokens':5}}]}") DONE, "usage+finish+text(1) finish",
     "openai_chat sse model=m finish=stop terminal prompt=9 completion=5"},
    {"Alibaba: ids and names that come again empty", SSE,
     D("{'choices':[{'delta':{'content':null,'tool_calls':[{'index':0,'id':"
       "'c','function':{'name':'f','arguments':''}}],'role':'assistant'}}],"
       "'model':'m'}")
     D("{'choices':[{'delta':{'tool_calls':[{'index':0,'id':'','function':"
       "{'name':'','arguments':'{}'}}]}}]}")
     D("{'choices':[{'delta':{},'finish_reason':'tool_calls'}]}") DONE,
     "action_start action finish finish",
     "openai_chat sse model=m finish=tool_calls terminal"},
    {"empty frames between events", SSE,
     D("{'model':'m','choices':[{'delta':{'content':'a'}}]}") "data: \n\n"
     DONE, "text(1) envelope() finish", "openai_chat sse model=m terminal"},
};

static void relatives_of_chat(void)
{
    RUN_CASES(providers);
}

int main(void)
{
    RUN(relatives_of_chat);
    return t_done();
}
