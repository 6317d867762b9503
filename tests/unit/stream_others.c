/* The other dialects: a small stream a row of the taxonomy, at every
 * split. */
#include "stream_run.h"

/* ---- Gemini ------------------------------------------------------------ */
#define PART(part) "{'candidates':[{'content':{'parts':[{" part "}]}}]}"

static const stream_case gemini[] = {
    {"thought, text, finish with CRLF", "text/event-stream",
     "data: {'candidates':[{'content':{'parts':[{'text':'h','thought':true}]"
     "}}],'modelVersion':'m'}\r\n\r\n"
     "data: " PART("'text':'Hi'") "\r\n\r\n"
     "data: {'candidates':[{'content':{'parts':[{'text':''}]},'finishReason'"
     ":'STOP'}],'usageMetadata':{'promptTokenCount':9,"
     "'cachedContentTokenCount':4,'candidatesTokenCount':5,"
     "'thoughtsTokenCount':3,'totalTokenCount':17}}\r\n\r\n",
     "reasoning text(2) usage+finish",
     "gemini sse model=m finish=STOP terminal prompt=9 cached=4 completion=5 "
     "reasoning=3 total=17 beside"},
    {"calls, code, media, signatures", NULL,
     D(PART("'functionCall':{'name':'f','args':{'a':1}}"))
     D(PART("'functionCall':{'name':'f','args':{}}"))
     D(PART("'functionCall':{'name':'f'},'thoughtSignature':'s'"))
     D(PART("'executableCode':{'code':'x'}"))
     D(PART("'toolCall':{'toolType':'x'}"))
     D(PART("'codeExecutionResult':{'output':'x'}"))
     D(PART("'toolResponse':{'x':1}"))
     D(PART("'inlineData':{'data':'AA=='}"))
     D(PART("'fileData':{'fileUri':'x'}"))
     D(PART("'text':'','thoughtSignature':'s'"))
     D(PART("'text':'','thought':true,'thoughtSignature':'s'")),
     "action action reasoning_opaque+action action action tool_result "
     "tool_result media media reasoning_opaque reasoning_opaque",
     "gemini sse beside"},
    {"arguments in parts", NULL,
     D(PART("'functionCall':{'name':'f','willContinue':true}"))
     D(PART("'functionCall':{'partialArgs':[{'jsonPath':'$.a'}],"
            "'willContinue':true}"))
     D(PART("'functionCall':{}"))
     D(PART("'functionCall':{'name':'g','willContinue':true}"))
     D(PART("'functionCall':{}")),
     "action_start action envelope action_start action",
     "gemini sse beside"},
    {"the prompt is blocked", NULL,
     D("{'promptFeedback':{'blockReason':'SAFETY','blockReasonMessage':'x'}}"),
     "finish", "gemini sse finish=prompt_blocked:SAFETY terminal beside"},
    {"chunks without content, usage that grows", NULL,
     D("{'usageMetadata':{'trafficType':'ON_DEMAND'}}")
     D("{'candidates':[{'content':{'role':'model'}}],'usageMetadata':"
       "{'promptTokenCount':9}}")
     D("{'candidates':[{'content':{'parts':[{'text':'a'}]}}],"
       "'usageMetadata':{'candidatesTokenCount':2}}"),
     "envelope usage usage+text(1)",
     "gemini sse prompt=9 completion=2 beside running"},
    {"wrapped: Code Assist", NULL,
     D("{'response':{'candidates':[{'content':{'parts':[{'text':'a'}]},"
       "'finishReason':'STOP'}],'modelVersion':'m'}}"), "finish+text(1)",
     "gemini sse model=m finish=STOP terminal beside"},
    {"a JSON array, enumerations as numbers", "application/json",
     "[" PART("'text':'a'") "\n,\r\n{'candidates':[{'finishReason':1}]},"
     "{'candidates':[{'finishReason':0}]}]",
     "text(1) finish envelope",
     "gemini json_array finish=1 terminal beside"},
    {"a cut array", "application/json",
     "[{'candidates':[{'content':{'parts':[{'text':'}],\\\\\\' a'}]}}]},\n"
     "{'candidates':[", "text(7)",
     "gemini json_array beside partial=15"},
    {"an error in the array", NULL,
     "[" PART("'text':'a'") ",{'error':{'code':429,'status':"
     "'RESOURCE_EXHAUSTED','message':'x'}}]", "text(1) error",
     "gemini json_array error code=RESOURCE_EXHAUSTED rate_limit beside"},
};

#define STEP(type, rest) D("{'event_type':'" type "'," rest "}")

static const stream_case interactions[] = {
    {"thoughts, a call, text", NULL,
     STEP("interaction.created", "'interaction':{'status':'in_progress',"
          "'model':'m'}")
     STEP("step.start", "'index':0,'step':{'type':'thought'}")
     STEP("step.delta", "'index':0,'delta':{'type':'thought_summary',"
          "'content':{'type':'text','text':'h'}}")
     STEP("step.delta", "'index':0,'delta':{'type':'thought_signature',"
          "'signature':'s'}")
     STEP("step.stop", "'index':0")
     STEP("step.start", "'index':1,'step':{'type':'function_call','name':"
          "'f','arguments':{}}")
     STEP("step.delta", "'index':1,'delta':{'type':'arguments_delta',"
          "'arguments':'{}'}")
     STEP("step.stop", "'index':1")
     STEP("step.start", "'index':2,'step':{'type':'function_call','name':"
          "'f','arguments':{}}")
     STEP("step.stop", "'index':2")
     STEP("step.delta", "'index':3,'delta':{'type':'text','text':'a'}")
     STEP("interaction.completed", "'interaction':{'status':'completed',"
          "'outputs':[{},{},{},{'type':'text','text':'a'}],"
          "'usage':{'total_input_tokens':9,'total_output_tokens':5,"
          "'total_thought_tokens':3,'total_tokens':17,"
          "'total_cached_tokens':4}}"),
     "envelope envelope reasoning reasoning_opaque envelope action_start "
     "action envelope action_start action text(1) usage+finish",
     "gemini_interactions sse model=m finish=completed terminal prompt=9 "
     "cached=4 completion=5 reasoning=3 total=17 beside"},
    {"results and media", NULL,
     STEP("step.start", "'index':0,'step':{'type':'code_execution_result'}")
     STEP("content.delta", "'index':1,'delta':{'type':'image','data':'A'}")
     STEP("interaction.failed", "'interaction':{'status':'failed','error':"
          "{'code':'internal'}}"), "tool_result media finish+error",
     "gemini_interactions sse finish=failed terminal error code=internal "
     "beside"},
};

/* ---- Bedrock, decoded -------------------------------------------------- */
static const stream_case bedrock[] = {
    {"Converse as NDJSON", "application/x-ndjson",
     "{'messageStart':{'role':'assistant'}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':0,'delta':"
     "{'reasoningContent':{'text':'h'}}}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':0,'delta':"
     "{'reasoningContent':{'signature':'s'}}}}\n"
     "{'contentBlockStop':{'contentBlockIndex':0}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':1,'delta':{'text':'a'}}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':1,'delta':{'citation':"
     "{'x':1}}}}\n"
     "{'contentBlockStart':{'contentBlockIndex':2,'start':{'toolUse':"
     "{'name':'f'}}}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':2,'delta':{'toolUse':"
     "{'input':'{}'}}}}\n"
     "{'contentBlockStart':{'contentBlockIndex':3,'start':{'toolUse':"
     "{'name':'f'}}}}\n"
     "{'contentBlockStop':{'contentBlockIndex':3}}\n"
     "{'contentBlockDelta':{'contentBlockIndex':4,'delta':{'toolResult':"
     "[{'text':'x'}]}}}\n"
     "{'messageStop':{'stopReason':'tool_use'}}\n"
     "{'metadata':{'usage':{'inputTokens':9,'outputTokens':5,'totalTokens':"
     "14},'metrics':{'latencyMs':255}}}\n",
     "envelope reasoning reasoning_opaque envelope text(1) envelope "
     "action_start action action_start action tool_result finish usage",
     "bedrock_converse ndjson finish=tool_use terminal prompt=9 "
     "completion=5 total=14 total:255000us"},
    {"an exception as NDJSON", NULL,
     "{'contentBlockDelta':{'delta':{'text':'a'}}}\n"
     "{'throttlingException':{'message':'x'}}\n", "text(1) error",
     "bedrock_converse ndjson error code=throttlingException rate_limit"},
    {"as SSE with the frames' names", NULL,
     E("messageStart", "{'role':'assistant'}")
     E("contentBlockDelta", "{'contentBlockIndex':0,'delta':{'text':'a'},"
       "'p':'abc'}")
     E("modelStreamErrorException", "{'message':'x'}"),
     "envelope text(1) error", "bedrock_converse sse error"},
    {"Titan", "application/x-ndjson",
     "{'outputText':'a','index':0}\n"
     "{'outputText':'','completionReason':'FINISH',"
     "'totalOutputTextTokenCount':5,'inputTextTokenCount':9,"
     "'amazon-bedrock-invocationMetrics':{'invocationLatency':606}}\n",
     "text(1) usage+finish",
     "bedrock_titan ndjson finish=FINISH terminal prompt=9 completion=5 "
     "total:606000us"},
    {"payloads as base64", "application/x-ndjson",
     /* {"outputText":"ab"} */
     "{'bytes':'eyJvdXRwdXRUZXh0IjoiYWIifQ=='}\n"
     "{'chunk':{'bytes':'eyJvdXRwdXRUZXh0IjoiYWIifQ=='}}\n"
     "{'bytes':'?'}\n", "text(2) text(2) envelope!",
     "bedrock_titan ndjson #malformed_event"},
};

/* ---- Cohere ------------------------------------------------------------ */
#define C2(type, index, message) \
    E(type, "{'type':'" type "','index':" #index ",'delta':{'message':{" \
      message "}}}")

static const stream_case cohere[] = {
    {"v2", NULL,
     E("message-start", "{'type':'message-start','delta':{'message':{'role':"
       "'assistant','content':[],'tool_plan':'','tool_calls':[]}}}")
     C2("content-start", 0, "'content':{'type':'thinking','thinking':''}")
     C2("content-delta", 0, "'content':{'thinking':'h'}")
     C2("tool-plan-delta", 0, "'tool_plan':'h'")
     C2("tool-call-start", 0, "'tool_calls':{'function':{'name':'f',"
        "'arguments':''}}")
     C2("tool-call-delta", 0, "'tool_calls':{'function':{'arguments':'{}'}}")
     E("tool-call-end", "{'type':'tool-call-end','index':0}")
     C2("tool-call-start", 1, "'tool_calls':{'function':{'name':'f'}}")
     E("tool-call-end", "{'type':'tool-call-end','index':1}")
     C2("content-delta", 1, "'content':{'text':'a'}")
     E("citation-start", "{'type':'citation-start','delta':{'message':"
       "{'citations':{'text':'a'}}}}")
     E("message-end", "{'type':'message-end','delta':{'finish_reason':"
       "'COMPLETE','usage':{'billed_units':{'input_tokens':1,"
       "'output_tokens':2},'tokens':{'input_tokens':9,'output_tokens':5},"
       "'cached_tokens':4}}}") D("[DONE]"),
     "envelope envelope reasoning reasoning action_start action envelope "
     "action_start action text(1) envelope usage+finish finish",
     "cohere_v2 sse finish=COMPLETE terminal prompt=9 cached=4 "
     "completion=5"},
    {"v2: an error is a finish reason", NULL,
     C2("content-delta", 0, "'content':{'text':'a'}")
     E("message-end", "{'type':'message-end','delta':{'error':'What it was',"
       "'finish_reason':'ERROR'}}"), "text(1) finish+error",
     "cohere_v2 sse finish=ERROR terminal error"},
    {"v1", NULL,
     "{'event_type':'stream-start','is_finished':false}\n"
     "{'event_type':'search-queries-generation','search_queries':[1]}\n"
     "{'event_type':'search-results','documents':[1]}\n"
     "{'event_type':'tool-calls-chunk','text':'h'}\n"
     "{'event_type':'tool-calls-chunk','tool_call_delta':{'index':0,'name':"
     "'f'}}\n"
     "{'event_type':'tool-calls-chunk','tool_call_delta':{'index':0,"
     "'parameters':'{'}}\n"
     "{'event_type':'tool-calls-generation','tool_calls':[{'name':'f',"
     "'parameters':{'a':1}}]}\n"
     "{'event_type':'text-generation','text':'a'}\n"
     "{'event_type':'citation-generation','citations':[1]}\n"
     "{'event_type':'stream-end','finish_reason':'COMPLETE','response':"
     "{'text':'a','finish_reason':'COMPLETE','meta':{'billed_units':"
     "{'input_tokens':1,'output_tokens':2}}}}\n",
     "envelope action tool_result reasoning action_start action envelope "
     "text(1) envelope usage+finish",
     "cohere_v1 ndjson finish=COMPLETE terminal prompt=1 completion=2"},
};

/* ---- Ollama and other engines ------------------------------------------ */
static const stream_case engines[] = {
    {"Ollama chat", "application/x-ndjson",
     "{'model':'m','message':{'role':'assistant','content':'','thinking':"
     "'h'},'done':false}\n"
     "{'message':{'content':'a'},'done':false}\n"
     "{'message':{'content':'','tool_calls':[{'function':{'name':'f',"
     "'arguments':{'a':1}}},{'function':{'name':'g','arguments':{}}}]},"
     "'done':false}\n"
     "{'message':{'content':''},'done':true,'done_reason':'stop',"
     "'total_duration':4000000,'load_duration':1000000,'prompt_eval_count':"
     "9,'prompt_eval_duration':2000000,'eval_count':5,'eval_duration':"
     "3000000}\n",
     "reasoning text(1) action usage+finish",
     "ollama_chat ndjson model=m finish=stop terminal prompt=9 completion=5 "
     "load:1000us prefill:2000us decode:3000us total:4000us"},
    {"a call without arguments arrives whole", "application/x-ndjson",
     "{'message':{'content':'','tool_calls':[{'function':{'name':'f',"
     "'arguments':{}}}]},'done':false}\n", "action", "ollama_chat ndjson"},
    {"Ollama generate, the last line without its end",
     "application/x-ndjson",
     "{'model':'m','response':'a','done':false}\n"
     "{'response':'','thinking':'h','done':false}\r\n\n"
     "{'response':'','done':true,'done_reason':'length','eval_count':5}",
     "text(1) reasoning usage+finish",
     "ollama_generate ndjson model=m finish=length terminal completion=5"},
    {"an error as a line", "application/x-ndjson",
     "{'model':'m','response':'a','done':false}\n{'error':'What it was'}\n",
     "text(1) error", "ollama_generate ndjson model=m error"},
    {"TGI", NULL,
     "data:{'token':{'id':1,'text':'a','special':false},'generated_text':"
     "null}\n\n:\n\n"
     "data:{'token':{'id':2,'text':'</s>','special':true},'generated_text':"
     "'a','details':{'finish_reason':'eos_token','generated_tokens':2}}\n\n",
     "text(1) : usage+finish",
     "tgi sse finish=eos_token terminal completion=2"},
    {"TGI: an error", NULL,
     "data:{'token':{'text':'a','special':false}}\n\n"
     "data:{'error':'What it was','error_type':'overloaded'}\n\n",
     "text(1) error", "tgi sse error code=overloaded"},
    {"SGLang repeats its text", NULL,
     D("{'text':'a','meta_info':{'prompt_tokens':9,'completion_tokens':1}}")
     D("{'text':'a b','meta_info':{'completion_tokens':2,'finish_reason':"
       "null}}")
     D("{'text':'a b','meta_info':{'completion_tokens':2,'finish_reason':"
       "{'type':'stop','matched':1},'e2e_latency':1.5}}") D("[DONE]"),
     "usage+text(1) usage+text(2) usage+finish finish",
     "sglang sse finish=stop terminal prompt=9 completion=2 running "
     "total:1500000us"},
    {"SGLang that sends only what is new", NULL,
     D("{'text':'abc','meta_info':{}}") D("{'text':'de','meta_info':{}}")
     D("{'text':'fgh','meta_info':{}}"), "text(3) text(2) text(3)",
     "sglang sse"},
    {"watsonx", NULL,
     "id: 1\nevent: message\ndata: {'model_id':'m','results':[{"
     "'generated_text':'','generated_token_count':0,'input_token_count':9,"
     "'stop_reason':'not_finished'}]}\n\n"
     "id: 2\nevent: message\ndata: {'results':[{'generated_text':'a',"
     "'generated_token_count':5,'input_token_count':0,'stop_reason':"
     "'eos_token'}]}\n\n"
     "data: {'errors':[{'code':'rate_limited','message':'x'}]}\n\n",
     "usage usage+finish+text(1) error",
     "watsonx sse model=m finish=eos_token terminal error code=rate_limited "
     "rate_limit prompt=9 completion=5 running"},
};

/* ---- the rest ---------------------------------------------------------- */
static const stream_case rest[] = {
    {"Assistants", NULL,
     E("thread.run.created", "{'object':'thread.run','status':'queued',"
       "'model':'m','usage':null}")
     E("thread.run.step.delta", "{'object':'thread.run.step.delta','delta':"
       "{'step_details':{'type':'tool_calls','tool_calls':[{'index':0,'id':"
       "'c','type':'code_interpreter','code_interpreter':{'input':'',"
       "'outputs':[]}}]}}}")
     E("thread.run.step.delta", "{'object':'thread.run.step.delta','delta':"
       "{'step_details':{'tool_calls':[{'index':0,'code_interpreter':"
       "{'input':'1'}}]}}}")
     E("thread.run.step.delta", "{'object':'thread.run.step.delta','delta':"
       "{'step_details':{'tool_calls':[{'index':0,'code_interpreter':"
       "{'outputs':[{'logs':'1'}]}}]}}}")
     E("thread.run.step.completed", "{'object':'thread.run.step','usage':"
       "{'completion_tokens':1}}")
     E("thread.message.delta", "{'object':'thread.message.delta','delta':"
       "{'content':[{'index':0,'type':'text','text':{'value':'a'}}]}}")
     E("thread.message.completed", "{'object':'thread.message','content':"
       "[{'type':'text','text':{'value':'a'}}]}")
     E("thread.run.completed", "{'object':'thread.run','status':'completed',"
       "'incomplete_details':null,'usage':{'prompt_tokens':9,"
       "'completion_tokens':5,'total_tokens':14}}") E("done", "[DONE]"),
     "envelope action_start action tool_result envelope text(1) envelope "
     "usage+finish finish",
     "openai_assistants sse model=m finish=completed terminal prompt=9 "
     "completion=5 total=14"},
    {"Assistants: a run that failed", NULL,
     E("thread.run.failed", "{'object':'thread.run','status':'failed',"
       "'last_error':{'code':'rate_limit_exceeded','message':'x'}}"),
     "finish+error", "openai_assistants sse finish=failed terminal error "
     "code=rate_limit_exceeded rate_limit"},
    {"transcription", NULL,
     "data: {'type':'transcript.text.delta','delta':'a'}\r\n\r\n"
     "data: {'type':'transcript.text.done','text':'a','usage':"
     "{'input_tokens':9,'output_tokens':5,'total_tokens':14}}\r\n\r\n",
     "text(1) usage+finish",
     "openai_transcription sse terminal prompt=9 completion=5 total=14"},
    {"Replicate: data is text", NULL,
     ": hi\n\n" E("output", "") E("output", "a") E("output", "\ndata: b")
     E("output", "42") E("done", "{}"),
     ": envelope() text(1) text(2) text(2) finish", "replicate sse terminal"},
    {"Replicate: an error", NULL, E("output", "a") E("error", "What it was"),
     "text(1) error", "replicate sse error"},
    {"unknown stays unknown", NULL,
     D("{'value':'a'}") D("{'value':'b','finished':true}"),
     "envelope envelope", "- sse #unknown_dialect"},
    {"unknown text, too", NULL, D("Hello") D("world"), "envelope envelope",
     "- sse #unknown_dialect"},
    {"nothing but an error is no unknown dialect", NULL,
     D("{'error':{'type':'server_error'}}") D("[DONE]"), "error finish",
     "- sse terminal error code=server_error"},
};

static void gemini_in_its_framings(void)
{
    RUN_CASES(gemini);
}

static void gemini_interactions(void)
{
    RUN_CASES(interactions);
}

static void bedrock_decoded(void)
{
    RUN_CASES(bedrock);
}

static void cohere_both(void)
{
    RUN_CASES(cohere);
}

static void engines_of_ones_own(void)
{
    RUN_CASES(engines);
}

static void the_rest(void)
{
    RUN_CASES(rest);
}

int main(void)
{
    RUN(gemini_in_its_framings);
    RUN(gemini_interactions);
    RUN(bedrock_decoded);
    RUN(cohere_both);
    RUN(engines_of_ones_own);
    RUN(the_rest);
    return t_done();
}
