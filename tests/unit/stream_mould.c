/* The mould: an event that fits says what it would say if it were read in
 * full; one that does not is not taken for one that does. */
#include "stream/engine.h"
#include "stream_run.h"

#define CHAT(text) \
    "{'id':'c','created':1,'model':'m','choices':[{'index':0,'delta':" \
    "{'content':'" text "'},'finish_reason':null}],'usage':null,'n':1.5}"
#define DELTA(n, text, noise) \
    "{'type':'response.output_text.delta','sequence_number':" n \
    ",'output_index':1,'delta':'" text "','logprobs':[],'obfuscation':'" \
    noise "'}"

typedef struct pair {
    const char *first, *second;
    bool parsed; /* must the second be read in full */
} pair;

/* The engine of one stream, to see whether its mould was used. */
typedef struct body {
    ait_stream_work *work;
    ait_stream_facts facts;
    ait_engine engine;
} body;

static void open_body(body *b)
{
    memset(b, 0, sizeof *b);
    b->work = ait_stream_work_new();
    ait_usage_init(&b->facts.usage);
    ait_engine_init(&b->engine, b->work, &b->facts);
}

static void close_body(body *b)
{
    ait_engine_free(&b->engine);
    ait_stream_work_free(b->work);
}

/* Reads one event; tells whether it fitted the mould. */
static bool read_event(body *b, const char *name, const char *json,
                       ait_said *said)
{
    size_t n = strlen(json);
    char *text = quoted(json, n);
    ait_frame f = {.name = name, .name_len = name ? strlen(name) : 0,
                   .data = text, .len = n};
    bool before = b->engine.mould.fitted, fitted;

    b->engine.mould.fitted = false;
    ait_engine_event(&b->engine, &f, said);
    fitted = b->engine.mould.fitted;
    b->engine.mould.fitted |= before;
    free(text);
    return fitted;
}

static void same_said(const ait_said *got, const ait_said *want)
{
    CHECK_INT(got->classes, want->classes);
    CHECK_INT(got->text_length, want->text_length);
    CHECK_INT(got->nonblank, want->nonblank);
    CHECK_INT(got->malformed, want->malformed);
    CHECK_INT(got->empty, want->empty);
}

/* Reads `first` until its mould is there, then `second` by it, and once
 * more by an engine that has no mould. */
static void check_pair(const pair *p)
{
    body with, without;
    ait_said said, want;
    bool fitted = false;

    open_body(&with);
    open_body(&without);
    for (int i = 0; i < 3; i++)
        fitted = read_event(&with, NULL, p->first, &said);
    CHECK(fitted);
    fitted = read_event(&with, NULL, p->second, &said);
    /* the first value that differs makes a hole: then it may fit */
    if (!fitted && !p->parsed)
        fitted = read_event(&with, NULL, p->second, &said);
    read_event(&without, NULL, p->first, &want);
    read_event(&without, NULL, p->second, &want);
    same_said(&said, &want);
    if (!CHECK_INT(fitted, !p->parsed))
        printf("# second: %s\n", p->second);
    close_body(&with);
    close_body(&without);
}

static const pair pairs[] = {
    {CHAT("a"), CHAT("bcd"), false},
    {CHAT("a"), CHAT(""), false},
    {CHAT("a"), CHAT(" \\n"), false},
    {CHAT("a"), CHAT("\\\\ \\' \\u00e9 \xc3\xa9"), false},
    {CHAT("a"), CHAT("a longer text than one block of vectors can hold, and "
                     "some more of it"), false},
    {CHAT("a"), CHAT("\\x"), true},           /* no such escape */
    {CHAT("a"), CHAT("\\ud83d"), false},      /* lone: replaced */
    {CHAT("a"), CHAT("\xc3"), true},          /* bad UTF-8 */
    {CHAT("a"), CHAT("\x01"), true},          /* control character */
    {CHAT("a"), CHAT("b','content':''"), true},
    {CHAT("a"), CHAT("b") "x", true},         /* bytes behind it */
    {CHAT("a"), "{'choices':[]}", true},
    {CHAT("a"), "[DONE]", true},
    {CHAT("a"), "", true},
    /* what a row looked at must not differ */
    {CHAT("a"), "{'id':'c','created':1,'model':'m','choices':[{'index':1,"
     "'delta':{'content':'a'},'finish_reason':null}],'usage':null,'n':1.5}",
     true},
    {CHAT("a"), "{'id':'c','created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'a'},'finish_reason':'stop'}],'usage':null,"
     "'n':1.5}", true},
    /* what none looked at may: of the same kind */
    {CHAT("a"), "{'id':'d','created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'b'},'finish_reason':null}],'usage':null,'n':1.5}",
     false},
    {CHAT("a"), "{'id':7,'created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'b'},'finish_reason':null}],'usage':null,'n':1.5}",
     true},
    {CHAT("a"), "{'id':'c','created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'b'},'finish_reason':null}],'usage':null,'n':25}",
     false},
    {CHAT("a"), "{'id':'c','created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'b'},'finish_reason':null}],'usage':null,'n':2.5}",
     true}, /* only integers are recognised without a parse */
    {CHAT("a"), "{'id':'c','created':1,'model':'m','choices':[{'index':0,"
     "'delta':{'content':'b'},'finish_reason':null}],'usage':null,'n':01}",
     true},
};

static void an_event_that_fits_says_the_same(void)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_pair(&pairs[i]);
}

static void several_holes(void)
{
    body b;
    ait_said said;
    static const char *const events[] = {
        DELTA("8", "a", "xyz"), DELTA("9", "b", "uvwxyz"),
        DELTA("10", "c", "x"), DELTA("11", "d", ""),
        DELTA("-112", "", "uvw"), DELTA("0", "f", "uvw"),
    };
    bool fits[] = {false, false, false, true, true, true};

    open_body(&b);
    b.engine.tries = 16; /* no model is looked for any more */
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        CHECK_INT(read_event(&b, NULL, events[i], &said), fits[i]);
    CHECK_INT(said.classes, AIT_C_TEXT);
    close_body(&b);
}

/* Events in turns of two kinds: moulds in vain become rare, all is read. */
static void alternating_events(void)
{
    static const char *const events[] = {
        "{'choices':[{'index':0,'delta':{'content':'a'}}]}",
        "{'choices':[{'index':1,'delta':{'reasoning':'h'}}]}",
    };
    body b;
    ait_said said;

    open_body(&b);
    for (int i = 0; i < 200; i++) {
        read_event(&b, NULL, events[i % 2], &said);
        CHECK_INT(said.classes, i % 2 ? AIT_C_REASONING : AIT_C_TEXT);
    }
    close_body(&b);
}

static void the_name_belongs_to_the_mould(void)
{
    static const char json[] = "{'output_index':0,'delta':'a'}";
    static const char text[] = "response.output_text.delta";
    static const char action[] = "response.function_call_arguments.delta";
    body b;
    ait_said said;

    open_body(&b);
    read_event(&b, text, json, &said);
    b.engine.tries = 16; /* no model is looked for any more */
    read_event(&b, text, json, &said);
    CHECK(read_event(&b, text, json, &said));
    CHECK(!read_event(&b, action, json, &said));
    CHECK_INT(said.classes, AIT_C_ACTION);
    CHECK(!read_event(&b, NULL, json, &said));
    CHECK_INT(said.classes, AIT_C_ENVELOPE);
    close_body(&b);
}

/* Two values by two rows, and one value that a row names twice over. */
static void several_sayings(void)
{
    static const char *const events[] = {
        "{'model':'m','choices':[{'delta':{'content':'a','reasoning':'h'}}]}",
        "{'model':'m','choices':[{'delta':{'content':'a','reasoning':'h'}}]}",
        "{'model':'m','choices':[{'delta':{'content':'','reasoning':'h'}}]}",
        "{'model':'m','choices':[{'delta':{'content':'a','reasoning':''}}]}",
    };
    uint32_t want[] = {AIT_C_TEXT | AIT_C_REASONING,
                       AIT_C_TEXT | AIT_C_REASONING, AIT_C_REASONING,
                       AIT_C_TEXT};
    body b;
    ait_said said;

    open_body(&b);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        CHECK_INT(read_event(&b, NULL, events[i], &said), i > 0);
        CHECK_INT(said.classes, want[i]);
    }
    close_body(&b);
}

/* Events that do more than say are always read in full. */
static void no_mould_of_what_does_more(void)
{
    static const char *const events[] = {
        "{'model':'m','choices':[{'delta':{'content':'a'}}],'usage':"
        "{'completion_tokens':1}}",
        "{'model':'m','choices':[{'delta':{'content':'a'},'finish_reason':"
        "'stop'}]}",
        "{'model':'m','choices':[{'delta':{'content':'a'}}],'error':"
        "{'code':'c'}}",
        "{'model':'m','choices':[{'delta':{'content':'a','content':'b'}}]}",
        "{'model':'m','choices':[{'delta':{'role':'assistant'}}]}",
    };

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        body b;
        ait_said said;

        open_body(&b);
        for (int k = 0; k < 4; k++)
            CHECK(!read_event(&b, NULL, events[i], &said));
        close_body(&b);
    }
}

int main(void)
{
    RUN(an_event_that_fits_says_the_same);
    RUN(several_holes);
    RUN(alternating_events);
    RUN(the_name_belongs_to_the_mould);
    RUN(several_sayings);
    RUN(no_mould_of_what_does_more);
    return t_done();
}
