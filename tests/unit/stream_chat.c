/* OpenAI chat completions and relatives, and legacy completions: a small
 * stream a row of the taxonomy, at every split. */
#include "stream_run.h"

#define CHAT(delta) D("{'choices':[{'index':0,'delta':{" delta "}}]}")
#define ENDS(reason) \
    D("{'choices':[{'index':0,'delta':{},'finish_reason':'" reason "'}]}")
#define DONE D("[DONE]")

static const stream_case texts[] = {
    {"role, text, finish, done", "text/event-stream",
     D("{'id':'c','model':'m-1','choices':[{'index':0,'delta':{'role':"
       "'assistant','content':''},'finish_reason':null}]}")
     CHAT("'content':'Hi'") CHAT("'content':' '") ENDS("stop") DONE,
     "envelope text(2) text(1 ) finish finish",
     "openai_chat sse model=m-1 finish=stop terminal"},
    {"null content", NULL, CHAT("'role':'assistant','content':null")
     CHAT("'content':'a'"),
     "envelope text(1)", "openai_chat sse"},
    {"text in the first event", NULL, CHAT("'role':'assistant','content':'a'")
     DONE, "text(1) finish", "openai_chat sse terminal"},
    {"escapes count as what they are", NULL,
     CHAT("'content':'\\u00e9\\n'") CHAT("'content':'\\n\\n'")
     CHAT("'content':'\\ud83d\\ude80'"),
     "text(3) text(2 ) text(4)", "openai_chat sse"},
    {"white space of Unicode is blank", NULL,
     CHAT("'content':'x'") CHAT("'content':'\xc2\xa0\xe3\x80\x80'"),
     "text(1) text(5 )", "openai_chat sse"},
    {"finish in the event of the text", NULL,
     D("{'choices':[{'index':0,'delta':{'content':'a'},'finish_reason':"
       "'length'}]}"),
     "finish+text(1)", "openai_chat sse finish=length terminal"},
    {"an empty finish reason is none", NULL,
     D("{'choices':[{'delta':{'content':'a'},'finish_reason':''}]}"),
     "text(1)", "openai_chat sse"},
    {"the last of two finish reasons", NULL, ENDS("tool_calls")
     ENDS("stop"), "finish finish",
     "openai_chat sse finish=stop terminal"},
    {"a finish reason that is a sentence is not kept", NULL,
     ENDS("because I say so"), "finish", "openai_chat sse terminal"},
    {"parts of a list: Mistral", NULL,
     CHAT("'content':[{'type':'thinking','thinking':[{'type':'text','text':"
          "'h'}]}]")
     CHAT("'content':[{'type':'thinking','thinking':[],'closed':true},"
          "{'type':'text','text':'Hi'}]")
     CHAT("'content':[{'type':'reference','reference_ids':[1]}]")
     CHAT("'content':[{'type':'thinking','thinking':'h'},"
          "{'type':'text','text':'Hi'}]"),
     "reasoning text(2) envelope reasoning+text(2)", "openai_chat sse"},
    {"parts of a list: Databricks", NULL,
     CHAT("'content':[{'type':'reasoning','summary':[{'type':'summary_text',"
          "'text':'h','signature':''}]}]")
     CHAT("'content':[{'type':'reasoning','summary':[{'text':'','signature':"
          "'x'}]}]"),
     "reasoning reasoning_opaque", "openai_chat sse"},
    {"images in a list, strings in a list", NULL,
     CHAT("'content':[{'type':'image_url','image_url':{'url':'x'}}]")
     CHAT("'content':['a','']"), "media text(1)", "openai_chat sse"},
    {"refusal", NULL, CHAT("'content':null,'refusal':''")
     CHAT("'refusal':'No'"), "envelope refusal(2)", "openai_chat sse"},
    {"several choices", NULL,
     D("{'choices':[{'index':1,'delta':{'content':'b'}}]}")
     D("{'choices':[{'index':0,'delta':{'content':'a'}},"
       "{'index':1,'delta':{'content':'bb'},'finish_reason':'length'}]}")
     ENDS("stop"),
     "text(1) finish+text(3) finish",
     "openai_chat sse finish=stop terminal"},
    {"message without delta is as a delta", NULL,
     D("{'choices':[{'index':0,'message':{'content':'a'}}]}")
     D("{'choices':[{'index':0,'message':{'content':'b'},'finish_reason':"
       "'stop'}]}"),
     "text(1) finish+text(1)", "openai_chat sse finish=stop terminal"},
    {"message beside delta repeats it", NULL,
     D("{'choices':[{'index':0,'delta':{'content':'a'},'message':{'content':"
       "'a'}}]}")
     D("{'choices':[{'index':0,'delta':{'content':''},'message':{'content':"
       "'a'},'finish_reason':'stop'}]}")
     D("{'choices':[{'index':0,'message':{'content':'a'}}]}"),
     "text(1) finish envelope", "openai_chat sse finish=stop terminal"},
    {"text beside delta is counted once: Together", NULL,
     D("{'choices':[{'index':0,'text':'ab','delta':{'content':'ab'}}]}"),
     "text(2)", "openai_chat sse"},
    {"events that carry nothing: Azure", NULL,
     D("{'choices':[],'id':'','model':'','object':'','prompt_filter_results':"
       "[{'prompt_index':0}]}") CHAT("'content':'a'")
     D("{'choices':[{'index':0,'delta':{},'content_filter_offsets':{},"
       "'content_filter_results':{}}]}"),
     "envelope text(1) envelope", "openai_chat sse"},
    {"citations and annotations: Perplexity, OpenRouter", NULL,
     D("{'citations':['u'],'search_results':[{'t':'x'}],'choices':[{'delta':"
       "{'content':'a'}}]}")
     CHAT("'content':'','annotations':[{'type':'url_citation'}]"),
     "text(1) envelope", "openai_chat sse"},
};

static const stream_case thoughts[] = {
    {"reasoning by its names", NULL,
     CHAT("'content':null,'reasoning_content':'h'")
     CHAT("'reasoning':'h','channel':'analysis'")
     CHAT("'reasoning_text':'h'")
     CHAT("'reasoning_details':[{'type':'reasoning.text','text':'h'}]")
     CHAT("'reasoning_details':[{'type':'reasoning.summary','summary':'h'}]")
     CHAT("'reasoning':'h','reasoning_details':[{'text':'h'}]")
     CHAT("'reasoning_content':''"),
     "reasoning reasoning reasoning reasoning reasoning reasoning envelope",
     "openai_chat sse"},
    {"hidden reasoning", NULL,
     CHAT("'reasoning_details':[{'type':'reasoning.encrypted','data':'x'}]")
     CHAT("'reasoning_details':[{'type':'reasoning.text','text':'',"
          "'signature':'s'}]") CHAT("'reasoning_opaque':'x'"),
     "reasoning_opaque reasoning_opaque reasoning_opaque",
     "openai_chat sse"},
    {"reasoning, then text", NULL,
     CHAT("'reasoning_content':'h'") CHAT("'content':'a'") ENDS("stop"),
     "reasoning text(1) finish",
     "openai_chat sse finish=stop terminal"},
    {"audio and images", NULL,
     CHAT("'audio':{'id':'x'}") CHAT("'audio':{'data':'AA=='}")
     CHAT("'audio':{'transcript':'Hi'}")
     CHAT("'images':[{'image_url':{'url':'x'}}]"),
     "envelope media media media", "openai_chat sse"},
};

#define CALLS(calls) CHAT("'tool_calls':[" calls "]")

static const stream_case actions[] = {
    {"a call announced, then its arguments", NULL,
     CALLS("{'index':0,'id':'c1','type':'function','function':{'name':'f',"
           "'arguments':''}}")
     CALLS("{'index':0,'function':{'arguments':'{\\'a\\''}}")
     CALLS("{'index':0,'id':'','function':{'name':'','arguments':':1}'}}")
     ENDS("tool_calls"),
     "action_start action action finish",
     "openai_chat sse finish=tool_calls terminal"},
    {"a whole call", NULL,
     D("{'choices':[{'delta':{'tool_calls':[{'id':'c1','function':{'name':"
       "'f','arguments':'{}'}}]},'finish_reason':'tool_calls'}]}"),
     "finish+action", "openai_chat sse finish=tool_calls terminal"},
    {"arguments as an object", NULL,
     CALLS("{'index':0,'function':{'name':'f','arguments':{'a':1}}}"),
     "action", "openai_chat sse"},
    {"a call without arguments is an action when it is closed", NULL,
     CALLS("{'index':0,'id':'c1','function':{'name':'f','arguments':''}}")
     ENDS("tool_calls"), "action_start finish+action",
     "openai_chat sse finish=tool_calls terminal"},
    {"one of two calls without arguments", NULL,
     CALLS("{'index':0,'id':'c1','function':{'name':'f'}}")
     CALLS("{'index':0,'function':{'arguments':'{}'}}")
     CALLS("{'index':1,'id':'c2','function':{'name':'g'}}")
     ENDS("tool_calls"), "action_start action action_start finish+action",
     "openai_chat sse finish=tool_calls terminal"},
    {"the limit leaves a call unfinished", NULL,
     CALLS("{'index':0,'id':'c1','function':{'name':'f'}}") ENDS("length"),
     "action_start finish", "openai_chat sse finish=length terminal"},
    {"an id that comes again opens nothing", NULL,
     CALLS("{'index':0,'id':'c1','function':{'name':'f','arguments':'{'}}")
     CALLS("{'index':0,'id':'c1','function':{'arguments':''}}")
     ENDS("tool_calls"), "action action_start finish",
     "openai_chat sse finish=tool_calls terminal"},
    {"custom tools", NULL,
     CALLS("{'index':0,'id':'c1','custom':{'name':'f','input':''}}")
     CALLS("{'index':0,'custom':{'input':'x'}}"),
     "action_start action", "openai_chat sse"},
    {"legacy function call", NULL,
     CHAT("'function_call':{'name':'f','arguments':''}")
     CHAT("'function_call':{'arguments':'{}'}") ENDS("function_call"),
     "action_start action finish",
     "openai_chat sse finish=function_call terminal"},
    {"tools run at the provider: Groq", NULL,
     CHAT("'executed_tools':[{'index':0,'type':'search','arguments':''}]")
     CHAT("'executed_tools':[{'index':0,'type':'search','arguments':'{}'}]")
     CHAT("'executed_tools':[{'index':0,'output':'x'}]"),
     "action_start action tool_result", "openai_chat sse"},
    {"text and a call in one event", NULL,
     CHAT("'content':'a','tool_calls':[{'index':0,'function':{'name':'f',"
          "'arguments':'{}'}}]"), "action+text(1)", "openai_chat sse"},
};

#define USAGE(fields) D("{'choices':[],'usage':{" fields "}}")

static const stream_case figures[] = {
    {"usage behind the finish", NULL, CHAT("'content':'a'") ENDS("stop")
     USAGE("'prompt_tokens':9,'completion_tokens':5,'total_tokens':14,"
           "'prompt_tokens_details':{'cached_tokens':4},"
           "'completion_tokens_details':{'reasoning_tokens':3}") DONE,
     "text(1) finish usage finish",
     "openai_chat sse finish=stop terminal prompt=9 cached=4 completion=5 "
     "reasoning=3 total=14"},
    {"null usage says nothing", NULL,
     D("{'choices':[{'delta':{'content':'a'}}],'usage':null}")
     D("{'choices':[{'delta':{'content':'b'}}],'usage':{'completion_tokens':"
       "null,'prompt_tokens':7}}"),
     "text(1) usage+text(1)", "openai_chat sse prompt=7"},
    {"running usage of a cut stream", NULL,
     D("{'choices':[{'delta':{'content':'a'}}],'usage':{'completion_tokens':"
       "1}}")
     D("{'choices':[{'delta':{'content':'b'}}],'usage':{'completion_tokens':"
       "2}}"), "usage+text(1) usage+text(1)",
     "openai_chat sse completion=2 running"},
    {"the last value of a field wins, a later zero is a placeholder", NULL,
     USAGE("'prompt_tokens':0,'completion_tokens':0")
     USAGE("'prompt_tokens':9,'completion_tokens':5,'cached_tokens':3")
     USAGE("'prompt_tokens':0,'cached_tokens':0") ENDS("stop"),
     "usage usage usage finish",
     "openai_chat sse finish=stop terminal prompt=9 cached=0 completion=5 "
     "running"},
    {"other names of the counts", NULL, ENDS("stop")
     USAGE("'input_tokens':9,'output_tokens':5,'reasoning_tokens':0,"
           "'prompt_cache_hit_tokens':2"), "finish usage",
     "openai_chat sse finish=stop terminal prompt=9 cached=2 completion=5 "
     "reasoning=0"},
    {"usage of a choice: Moonshot", NULL,
     D("{'choices':[{'delta':{},'finish_reason':'stop','usage':"
       "{'prompt_tokens':9,'completion_tokens':5}}]}"), "usage+finish",
     "openai_chat sse finish=stop terminal prompt=9 completion=5"},
    {"negative, fractional and huge counts are none", NULL, ENDS("stop")
     USAGE("'prompt_tokens':-1,'completion_tokens':1.5,'total_tokens':"
           "99999999999999999999"), "finish envelope",
     "openai_chat sse finish=stop terminal"},
    {"timings: Groq", NULL,
     D("{'choices':[{'delta':{},'finish_reason':'stop'}],'x_groq':{'usage':"
       "{'queue_time':0.25,'prompt_tokens':9,'prompt_time':0.001,"
       "'completion_tokens':5,'completion_time':1.5,'total_time':1.501}}}"),
     "usage+finish",
     "openai_chat sse finish=stop terminal prompt=9 completion=5 "
     "queue:250000us prefill:1000us decode:1500000us total:1501000us"},
    {"timings: llama.cpp", NULL,
     D("{'choices':[{'delta':{},'finish_reason':'stop'}],'timings':"
       "{'prompt_ms':79.751,'predicted_ms':139.164}}"), "finish",
     "openai_chat sse finish=stop terminal prefill:79751us "
     "decode:139164us"},
    {"timings: Cerebras", NULL,
     D("{'choices':[{'delta':{}}],'time_info':{'queue_time':0.003,"
       "'prompt_time':0.01,'completion_time':0.2,'total_time':0.34}}"),
     "envelope", "openai_chat sse queue:3000us prefill:10000us "
     "decode:200000us total:340000us"},
    {"timings: GPUStack", NULL, ENDS("stop")
     USAGE("'completion_tokens':5,'time_to_first_token_ms':38.5"),
     "finish usage", "openai_chat sse finish=stop terminal completion=5 "
     "first_token:38500us"},
};

static const stream_case completions[] = {
    {"legacy completions", NULL,
     D("{'object':'text_completion','model':'m','choices':[{'index':0,"
       "'text':'ab','finish_reason':null}]}")
     D("{'choices':[{'text':'','index':0,'finish_reason':'length'}],'usage':"
       "{'prompt_tokens':2,'completion_tokens':3,'total_tokens':5}}") DONE,
     "text(2) usage+finish finish",
     "openai_completions sse model=m finish=length terminal prompt=2 "
     "completion=3 total=5"},
    {"an empty start, as Azure sends it", NULL,
     D("{'choices':[],'prompt_filter_results':[]}")
     D("{'choices':[{'text':'a'}]}"), "envelope text(1)",
     "openai_completions sse"},
    {"a last delta in the manner of chat", NULL,
     D("{'choices':[{'text':'a'}]}")
     D("{'choices':[{'delta':{},'finish_reason':'stop'}]}"),
     "text(1) finish", "openai_completions sse finish=stop terminal"},
};

static void chat_text(void)
{
    RUN_CASES(texts);
}

static void chat_reasoning_and_media(void)
{
    RUN_CASES(thoughts);
}

static void chat_calls(void)
{
    RUN_CASES(actions);
}

static void chat_usage_and_timings(void)
{
    RUN_CASES(figures);
}

static void legacy_completions(void)
{
    RUN_CASES(completions);
}

int main(void)
{
    RUN(chat_text);
    RUN(chat_reasoning_and_media);
    RUN(chat_calls);
    RUN(chat_usage_and_timings);
    RUN(legacy_completions);
    return t_done();
}
