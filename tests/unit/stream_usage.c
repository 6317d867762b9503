/* Usage by arithmetic, a case for every way in which providers report it:
 * the stream gives the fields, the model puts them together. */
#include "stream_run.h"

typedef struct usage_case {
    const char *name, *type, *body;
    int64_t prompt, cached, output, reasoning; /* -1: absent */
    bool running, inconsistent;
} usage_case;

#define CHAT(usage) \
    D("{'choices':[{'index':0,'delta':{'content':'a'},'finish_reason':null}]" \
      "}") \
    D("{'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}") \
    D("{'choices':[],'usage':{" usage "}}") D("[DONE]")
#define SSE "text/event-stream"
#define ND "application/x-ndjson"

static const usage_case cases[] = {
    {"OpenAI: once, reasoning inside", SSE,
     CHAT("'prompt_tokens':20,'completion_tokens':149,'total_tokens':169,"
          "'prompt_tokens_details':{'cached_tokens':16},"
          "'completion_tokens_details':{'reasoning_tokens':128}"),
     20, 16, 149, 128, false, false},
    {"OpenAI without include_usage", SSE,
     D("{'choices':[{'delta':{'content':'a'},'finish_reason':'stop'}],"
       "'usage':null}") D("[DONE]"), -1, -1, -1, -1, false, false},
    {"DeepSeek, Mistral, Together: in the event of the finish", SSE,
     D("{'choices':[{'delta':{'content':'a'}}],'usage':null}")
     D("{'choices':[{'delta':{'content':''},'finish_reason':'stop'}],"
       "'usage':{'prompt_tokens':41,'completion_tokens':15,'total_tokens':56,"
       "'prompt_cache_hit_tokens':8,'prompt_cache_miss_tokens':33}}"),
     41, 8, 15, -1, false, false},
    {"OpenRouter: reasoning is off by one", SSE,
     CHAT("'prompt_tokens':43,'completion_tokens':10,'total_tokens':53,"
          "'completion_tokens_details':{'reasoning_tokens':11}"),
     43, -1, 10, 11, false, true},
    {"Groq: twice the same", SSE,
     D("{'choices':[{'delta':{},'finish_reason':'stop'}],'x_groq':{'usage':"
       "{'prompt_tokens':17,'completion_tokens':1107,'total_tokens':1124,"
       "'completion_tokens_details':{'reasoning_tokens':963}}}}")
     D("{'choices':[],'usage':{'prompt_tokens':17,'completion_tokens':1107,"
       "'total_tokens':1124,'completion_tokens_details':"
       "{'reasoning_tokens':963}}}"),
     17, -1, 1107, 963, false, false},
    {"Perplexity, vLLM: grows with every event, and is cut", SSE,
     D("{'choices':[{'delta':{'content':'a'}}],'usage':{'prompt_tokens':9,"
       "'completion_tokens':1,'total_tokens':10}}")
     D("{'choices':[{'delta':{'content':'b'}}],'usage':{'prompt_tokens':9,"
       "'completion_tokens':2,'total_tokens':11}}"),
     9, -1, 2, -1, true, false},
    {"Databricks: null until the end", SSE,
     D("{'choices':[{'delta':{'content':'a'}}],'usage':{'prompt_tokens':397,"
       "'completion_tokens':null,'total_tokens':null,"
       "'cache_read_input_tokens':0}}")
     D("{'choices':[{'delta':{'content':''},'finish_reason':'stop'}],'usage':"
       "{'prompt_tokens':397,'completion_tokens':49,'total_tokens':446,"
       "'cache_read_input_tokens':0}}"), 397, 0, 49, -1, false, false},
    {"xAI: beside, the total says so", SSE,
     CHAT("'prompt_tokens':288,'completion_tokens':27,'total_tokens':628,"
          "'completion_tokens_details':{'reasoning_tokens':313}"),
     288, -1, 340, 313, false, false},
    {"the same provider behind OpenRouter: inside", SSE,
     CHAT("'prompt_tokens':288,'completion_tokens':340,'total_tokens':628,"
          "'completion_tokens_details':{'reasoning_tokens':313}"),
     288, -1, 340, 313, false, false},
    {"a gateway in front of Gemini: contradictory", SSE,
     CHAT("'prompt_tokens':28,'completion_tokens':9,'total_tokens':37,"
          "'completion_tokens_details':{'reasoning_tokens':61}"),
     28, -1, 9, 61, false, true},
    {"Azure DeepSeek: a zero beside streamed reasoning", SSE,
     D("{'choices':[{'delta':{'reasoning_content':'h'}}]}")
     CHAT("'prompt_tokens':19,'completion_tokens':1720,'total_tokens':1739,"
          "'reasoning_tokens':0"), 19, -1, 1720, 0, false, false},
    {"Responses: inside the last event", SSE,
     D("{'type':'response.completed','response':{'status':'completed',"
       "'output':[],'usage':{'input_tokens':20,'output_tokens':50,"
       "'total_tokens':70,'input_tokens_details':{'cached_tokens':10},"
       "'output_tokens_details':{'reasoning_tokens':30}}}}"),
     20, 10, 50, 30, false, false},
    {"Anthropic: the start's output count is none", SSE,
     E("message_start", "{'type':'message_start','message':{'usage':"
       "{'input_tokens':25,'output_tokens':1}}}"),
     25, -1, -1, -1, false, false},
    {"Anthropic: the delta replaces it, and restates the input", SSE,
     E("message_start", "{'type':'message_start','message':{'usage':"
       "{'input_tokens':25,'cache_read_input_tokens':3,'output_tokens':1}}}")
     E("message_delta", "{'type':'message_delta','delta':{'stop_reason':"
       "'end_turn'},'usage':{'input_tokens':24,'output_tokens':15,"
       "'cache_read_input_tokens':4}}"), 24, 4, 15, -1, false, false},
    {"Anthropic: thinking is itemised", SSE,
     E("message_delta", "{'type':'message_delta','delta':{'stop_reason':"
       "'end_turn'},'usage':{'output_tokens':15,'output_tokens_details':"
       "{'thinking_tokens':6}}}"), -1, -1, 15, 6, false, false},
    {"Gemini: beside, growing", SSE,
     D("{'candidates':[{'content':{'parts':[{'text':'a'}]}}],"
       "'usageMetadata':{'promptTokenCount':13,'candidatesTokenCount':2,"
       "'thoughtsTokenCount':190,'totalTokenCount':205}}")
     D("{'candidates':[{'finishReason':'STOP'}],'usageMetadata':"
       "{'promptTokenCount':13,'candidatesTokenCount':6,"
       "'thoughtsTokenCount':190,'totalTokenCount':209}}"),
     13, -1, 196, 190, true, false},
    {"Gemini: the prompt of tools is in the total, too", SSE,
     D("{'candidates':[{'finishReason':'STOP'}],'usageMetadata':"
       "{'promptTokenCount':147,'candidatesTokenCount':108,"
       "'thoughtsTokenCount':168,'toolUsePromptTokenCount':360,"
       "'totalTokenCount':783}}"), 147, -1, 276, 168, false, false},
    {"Gemini: thoughts only, so far", SSE,
     D("{'candidates':[{'content':{'parts':[{'text':'h','thought':true}]}}],"
       "'usageMetadata':{'promptTokenCount':13,'thoughtsTokenCount':50}}"),
     13, -1, 50, 50, false, false},
    {"Gemini: nothing but a traffic type", SSE,
     D("{'candidates':[{'content':{'parts':[{'text':'a'}]}}],"
       "'usageMetadata':{'trafficType':'ON_DEMAND'}}"),
     -1, -1, -1, -1, false, false},
    {"Interactions: beside", SSE,
     D("{'event_type':'interaction.completed','interaction':{'status':"
       "'completed','usage':{'total_input_tokens':53,'total_output_tokens':"
       "15,'total_thought_tokens':65,'total_tokens':133,"
       "'total_cached_tokens':0}}}"), 53, 0, 80, 65, false, false},
    {"Converse: metadata behind the stop", ND,
     "{'messageStop':{'stopReason':'end_turn'}}\n"
     "{'metadata':{'usage':{'inputTokens':80,'outputTokens':1113,"
     "'totalTokens':1193}}}\n", 80, -1, 1113, -1, false, false},
    {"Bedrock counts again what the model counted", SSE,
     E("message_delta", "{'type':'message_delta','delta':{'stop_reason':"
       "'end_turn'},'usage':{'output_tokens':38}}")
     E("message_stop", "{'type':'message_stop',"
       "'amazon-bedrock-invocationMetrics':{'inputTokenCount':568,"
       "'outputTokenCount':37}}"), 568, -1, 38, -1, false, false},
    {"Cohere: tokens, not billed units", SSE,
     E("message-end", "{'type':'message-end','delta':{'finish_reason':"
       "'COMPLETE','usage':{'billed_units':{'input_tokens':8,"
       "'output_tokens':50},'tokens':{'input_tokens':1394,'output_tokens':"
       "54}}}}"), 1394, -1, 54, -1, false, false},
    {"Cohere: billed units where there is nothing else", SSE,
     E("message-end", "{'type':'message-end','delta':{'finish_reason':"
       "'COMPLETE','usage':{'billed_units':{'input_tokens':8,"
       "'output_tokens':50}}}}"), 8, -1, 50, -1, false, false},
    {"Ollama", ND,
     "{'message':{'content':''},'done':true,'done_reason':'stop',"
     "'prompt_eval_count':11,'eval_count':12}\n",
     11, -1, 12, -1, false, false},
    {"SGLang: grows, and ends", SSE,
     D("{'text':'a','meta_info':{'prompt_tokens':9,'completion_tokens':1}}")
     D("{'text':'ab','meta_info':{'prompt_tokens':9,'completion_tokens':2,"
       "'finish_reason':{'type':'stop'}}}"), 9, -1, 2, -1, true, false},
    {"watsonx: the input is counted once", SSE,
     D("{'results':[{'generated_text':'','generated_token_count':0,"
       "'input_token_count':8,'stop_reason':'not_finished'}]}")
     D("{'results':[{'generated_text':'a','generated_token_count':11,"
       "'input_token_count':0,'stop_reason':'eos_token'}]}"),
     8, -1, 11, -1, true, false},
    {"transcription", SSE,
     D("{'type':'transcript.text.done','text':'a','usage':{'input_tokens':"
       "37,'output_tokens':12,'total_tokens':49}}"),
     37, -1, 12, -1, false, false},
};

static void check_number(const ait_trace *t, ait_num_field f, int64_t want)
{
    CHECK_INT(t->num[f], want < 0 ? AIT_ABSENT : want);
}

static void check_usage(const usage_case *c)
{
    ait_stream_head head = {.content_type = c->type};
    ait_stream *s = ait_stream_new(&head, NULL, NULL);
    size_t n = strlen(c->body);
    char *body = quoted(c->body, n);
    const ait_stream_facts *f = ait_stream_get(s);
    int before = t_bad;
    ait_trace t;

    CHECK_INT(ait_stream_feed(s, 1, body, n), AIT_OK);
    CHECK_INT(ait_stream_end(s), AIT_OK);
    ait_trace_init(&t);
    ait_usage_apply(&t, &f->usage);
    check_number(&t, AIT_N_PROMPT_TOKENS, c->prompt);
    check_number(&t, AIT_N_CACHED_TOKENS, c->cached);
    check_number(&t, AIT_N_OUTPUT_TOKENS, c->output);
    check_number(&t, AIT_N_REASONING_TOKENS, c->reasoning);
    CHECK_INT(f->usage.running, c->running);
    CHECK_INT(t.issues.count[AIT_I_USAGE_INCONSISTENT], c->inconsistent);
    if (t_bad != before)
        printf("# case \"%s\"\n", c->name);
    ait_trace_free(&t);
    ait_stream_free(s);
    free(body);
}

static void usage_of_every_provider(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_usage(&cases[i]);
}

int main(void)
{
    RUN(usage_of_every_provider);
    return t_done();
}
