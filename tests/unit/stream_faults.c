/* Errors inside an answer of status 200, and what the end of a body says. */
#include "stream_run.h"

#define CHAT(text) D("{'choices':[{'delta':{'content':'" text "'}}]}")
#define KNOWN "openai_chat sse"

static const stream_case errors[] = {
    {"an error object, and [DONE] behind it", NULL,
     CHAT("a") D("{'error':{'message':'What it was','type':'server_error',"
       "'code':null}}") D("[DONE]"), "text(1) error finish",
     KNOWN " terminal error code=server_error"},
    {"the code before the type", NULL,
     CHAT("a") D("{'error':{'type':'t','code':'c'}}"), "text(1) error",
     KNOWN " error code=c"},
    {"a code that is a status gives way to the type", NULL,
     CHAT("a") D("{'error':{'code':502,'type':'bad_upstream'}}")
     D("{'error':{'code':'500'}}"), "text(1) error error",
     KNOWN " error code=bad_upstream"},
    {"nothing but a status", NULL,
     CHAT("a") D("{'error':{'code':400,'message':'What it was'}}"),
     "text(1) error", KNOWN " error code=400"},
    {"other numbers are codes", NULL,
     D("{'error':{'code':1302,'type':'t'}}"), "error",
     "- sse error code=1302"},
    {"else the status word", NULL,
     D("{'error':{'code':503,'status':'UNAVAILABLE'}}"), "error",
     "- sse error code=UNAVAILABLE"},
    {"sentences are never kept", NULL,
     D("{'error':{'code':'What it was','type':'What it was'}}")
     D("{'error':'word'}"), "error error", "- sse error"},
    {"nothing is said by null, \"\" and {}", NULL,
     D("{'error':null,'choices':[{'delta':{'content':'a'}}]}")
     D("{'error':'','choices':[]}") D("{'error':{},'choices':[]}"),
     "text(1) envelope envelope", "openai_chat sse"},
    {"an error and a finish in one event: OpenRouter", NULL,
     CHAT("a") D("{'error':{'code':429,'message':'x'},'choices':[{'delta':"
       "{'content':''},'finish_reason':'error'}],'usage':{"
       "'completion_tokens':5}}"),
     "text(1) usage+finish+error", KNOWN
     " finish=error terminal error code=429 rate_limit completion=5"},
    {"an event named error: Groq", NULL,
     CHAT("a") E("error", "{'error':{'type':'invalid_request_error','code':"
       "'tool_use_failed'}}"), "text(1) error",
     KNOWN " error code=tool_use_failed"},
    {"an event named error, in words", NULL,
     CHAT("a") E("error", "What it was"), "text(1) error", KNOWN " error"},
    {"an event named error, flat", NULL,
     CHAT("a") E("error", "{'code':'c','message':'x'}"), "text(1) error",
     KNOWN " error code=c"},
    {"a field named error: llama.cpp", NULL,
     CHAT("a") "error: {'code':500,'message':'x','type':'server_error'}\n\n",
     "text(1)", KNOWN " error code=server_error"},
    {"a field named error around an object", NULL,
     CHAT("a") "error:{'error':{'code':'c','message':'x'}}\n\n",
     "text(1)", KNOWN " error code=c"},
    {"a field named error in words", NULL, CHAT("a") "error: no more\n\n",
     "text(1)", KNOWN " error"},
    {"bare JSON behind the events: Vertex", NULL,
     CHAT("a") "{\n  'error': {\n    'code': 499,\n    'message': 'x',\n\n"
     "    'status': 'CANCELLED'\n  }\n}\n", "text(1)",
     KNOWN " error code=CANCELLED partial=32"},
    {"bare JSON without its line end", NULL,
     CHAT("a") "[{'error':{'code':'c'}}]", "text(1)",
     KNOWN " error code=c partial=24"},
    {"bare JSON that says no error, and what is no JSON", NULL,
     CHAT("a") "{'detail':'x'}\n{'error':\n\n" CHAT("b"), "text(1) text(1)",
     KNOWN},
    {"errors of a whole list", NULL,
     D("[{'error':{'code':400,'status':'INVALID_ARGUMENT'}}]"), "error",
     "- sse error code=INVALID_ARGUMENT"},
    {"every word that means a rate limit", NULL,
     D("{'error':{'type':'too_many_requests'}}"), "error",
     "- sse error code=too_many_requests rate_limit"},
    {"overloaded is an error, no rate limit", NULL,
     D("{'error':{'type':'overloaded_error'}}"), "error",
     "- sse error code=overloaded_error"},
    {"an error that is a key is not kept", NULL,
     D("{'error':{'code':'sk-abcdefghijklmnopqrstuvwx','type':'t'}}"),
     "error", "- sse error code=t"},
};

static const stream_case tails[] = {
    {"[DONE] without its blank line: llama-server", NULL,
     CHAT("a") "data: [DONE]\n", "text(1)",
     KNOWN " terminal partial=13 #undispatched_tail"},
    {"a whole event without its blank line", NULL,
     CHAT("a") "data: {'choices':[{'delta':{'content':'b'},'finish_reason':"
     "'stop'}],'usage':{'completion_tokens':5}}", "text(1)",
     KNOWN " finish=stop terminal completion=5 partial=100 "
     "#undispatched_tail"},
    {"an error without its blank line", NULL,
     CHAT("a") "data: {'error':{'code':'c'}}\n", "text(1)",
     KNOWN " error code=c partial=29 #undispatched_tail"},
    {"half an event", NULL, CHAT("a") "data: {'choices':[{'del", "text(1)",
     KNOWN " partial=23"},
    {"a name without data", NULL, CHAT("a") "event: message_stop\n",
     "text(1)", KNOWN " partial=20"},
    {"a comment", NULL, CHAT("a") ": ping\n", "text(1) :", KNOWN},
    {"a body of one event that was cut", NULL,
     "data: {'promptFeedback':{'blockReason':'SAFETY'}}", "",
     "gemini sse finish=prompt_blocked:SAFETY terminal beside partial=49 "
     "#undispatched_tail"},
};

static const stream_case odd[] = {
    {"empty and blank events", NULL,
     "data\n\n" CHAT("a") "data: \n\ndata:   \ndata:\n\n",
     "envelope() text(1) envelope() envelope()", "openai_chat sse"},
    {"events that are no JSON are counted", NULL,
     CHAT("a") D("{'choices':") D("oops") D("'text'") D("12")
     D("{'a':1}x") CHAT("b"),
     "text(1) envelope! envelope! envelope! envelope! envelope! text(1)",
     KNOWN " #malformed_event"},
    {"bad UTF-8 is no JSON", NULL, CHAT("\xc3") CHAT("a"),
     "envelope! text(1)", KNOWN " #malformed_event"},
    {"of equal keys the last counts", NULL,
     D("{'choices':[{'delta':{'content':'abc','content':'a'}}]}")
     D("{'choices':[{'delta':{'content':'abc','content':''}}]}"),
     "text(1) envelope", KNOWN " #duplicate_key"},
    {"keys and values with escapes", NULL,
     D("{'ch\\u006fices':[{'delta':{'c\\u006fntent':'\\u0061'}}]}"),
     "text(1)", KNOWN},
    {"models: a sentence is none", NULL,
     D("{'model':'my patient John','choices':[{'delta':{}}]}"),
     "envelope", KNOWN},
    {"models: masked where they look like a key", NULL,
     D("{'model':'sk-abcdefghijklmnopqrstuvwx','choices':[{'delta':{}}]}"),
     "envelope", KNOWN " model=masked-ae52ac43f4c84ac1 #id_masked"},
    {"data over several lines", NULL,
     "data: {'choices':\ndata: [{'delta':{'content'\n: x\n"
     "data: :'a'}}]}\n\n", ": text(1)", KNOWN},
    {"deep nesting", NULL,
     D("{'a':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
       "[[[[[[[[") CHAT("a"), "envelope! text(1)", KNOWN " #malformed_event"},
};

static void errors_inside(void)
{
    RUN_CASES(errors);
}

static void undispatched_tails(void)
{
    RUN_CASES(tails);
}

static void odd_events(void)
{
    RUN_CASES(odd);
}

int main(void)
{
    RUN(errors_inside);
    RUN(undispatched_tails);
    RUN(odd_events);
    return t_done();
}
