/* <think> inside visible text, and events that wait for their class. */
#include "stream/think.h"
#include "stream_run.h"

#define CHAT(text) D("{'choices':[{'index':0,'delta':{'content':'" text "'}}]}")
#define CHOICE(i, text) \
    D("{'choices':[{'index':" #i ",'delta':{'content':'" text "'}}]}")
#define ENDS D("{'choices':[{'delta':{},'finish_reason':'stop'}]}")
#define FOUND "openai_chat sse finish=stop terminal #inline_think"
#define NONE "openai_chat sse finish=stop terminal"

static const stream_case cases[] = {
    {"tags as events of their own", NULL,
     CHAT("<think>") CHAT("\\n") CHAT("h") CHAT("</think>") CHAT("\\n\\n")
     CHAT("a") CHAT("\\n") ENDS,
     "envelope envelope reasoning envelope envelope text(1) text(1 ) finish",
     FOUND},
    {"all in one event", NULL, CHAT("<think>h</think>\\n\\na") ENDS,
     "reasoning+text(1) finish", FOUND},
    {"white space before the tag", NULL,
     CHAT("\\n") CHAT(" ") CHAT("<think>h") CHAT("</think> a") ENDS,
     "envelope envelope reasoning text(1) finish", FOUND},
    {"the opening tag in pieces", NULL,
     CHAT("<") CHAT("th") CHAT("ink") CHAT(">") CHAT("h</think>a") ENDS,
     "envelope envelope envelope envelope reasoning+text(1) finish", FOUND},
    {"the closing tag in pieces", NULL,
     CHAT("<think>h") CHAT("</") CHAT("thi") CHAT("nk>") CHAT("a") ENDS,
     "reasoning envelope envelope envelope text(1) finish", FOUND},
    {"reasoning up to a piece of the tag", NULL,
     CHAT("<think>h") CHAT("h</th") CHAT("ink>a") ENDS,
     "reasoning reasoning text(1) finish", FOUND},
    {"what looked like the closing tag", NULL,
     CHAT("<think>h") CHAT("</") CHAT("b>") CHAT("<") CHAT("</think>") CHAT("a")
     ENDS,
     "reasoning reasoning reasoning reasoning envelope text(1) finish",
     FOUND},
    {"no thoughts", NULL, CHAT("<think>\\n\\n</think>\\n\\n") CHAT("a") ENDS,
     "envelope text(1) finish", FOUND},
    {"never closed", NULL, CHAT("<think>") CHAT("h") CHAT("</th") ENDS,
     "envelope reasoning reasoning finish", FOUND},
    {"what looked like the opening tag", NULL,
     CHAT("<") CHAT("thi") CHAT("s>") CHAT("<think>") ENDS,
     "text(1) text(3) text(2) text(7) finish", NONE},
    {"a part of the tag and then the end", NULL, CHAT("<thi") ENDS,
     "text(4) finish", NONE},
    {"white space and then text", NULL, CHAT("\\n\\n") CHAT("a") ENDS,
     "text(2 ) text(1) finish", NONE},
    {"nothing but white space", NULL, CHAT(" ") CHAT("\\n") ENDS,
     "text(1 ) text(1 ) finish", NONE},
    {"white space of Unicode around the tags", NULL,
     CHAT("\xc2\xa0<think>\xe2\x80\xaf" "h</think>\xe3\x80\x80" "a") ENDS,
     "reasoning+text(1) finish", FOUND},
    {"a tag later in the text is text", NULL, CHAT("a") CHAT("<think>") ENDS,
     "text(1) text(7) finish", NONE},
    {"comments and other events wait in order", NULL,
     CHAT(" ") ": x\n\n"
     D("{'choices':[],'usage':{'completion_tokens':5}}") CHAT("<think>h"),
     "envelope : usage reasoning",
     "openai_chat sse completion=5 running #inline_think"},
    {"two choices", NULL,
     CHOICE(0, " ") CHOICE(1, "<th") CHOICE(0, "a") CHOICE(1, "ink>")
     CHOICE(1, "h") CHOICE(1, "</think>b") ENDS,
     "text(1 ) envelope text(1) envelope reasoning text(1) finish", FOUND},
    {"two choices in one event", NULL,
     D("{'choices':[{'index':0,'delta':{'content':' '}},"
       "{'index':1,'delta':{'content':'<'}}]}")
     CHOICE(0, "a") CHOICE(1, "think>h") ENDS,
     "text(1 ) text(1) reasoning finish", FOUND},
    {"what waits can be told by its own event", NULL,
     D("{'choices':[{'index':0,'delta':{'content':[{'type':'text','text':"
       "'<'},{'type':'text','text':'b'}]}}]}"),
     "text(2)", "openai_chat sse"},
    {"refusals never wait", NULL,
     D("{'choices':[{'delta':{'refusal':' '}}]}"), "refusal(1 )",
     "openai_chat sse"},
    {"a whole body", "application/json",
     "{'choices':[{'message':{'content':'<think>h</think>'},"
     "'finish_reason':'length'}]}", "",
     "openai_chat json finish=length terminal not_streamed "
     "body_reasoning #inline_think"},
    {"a whole body of which nothing is left to wait for",
     "application/json",
     "{'choices':[{'message':{'content':'<thi'},'finish_reason':'stop'}]}",
     "", "openai_chat json finish=stop terminal not_streamed body_text"},
};

static void think_blocks(void)
{
    RUN_CASES(cases);
}

/* The parser itself: a text cut in two at every place says the same. */
typedef struct total {
    size_t reasoning, text;
    bool opened;
} total;

static void add_pieces(const char *text, size_t cut, total *t)
{
    ait_think think = {0, 0};
    size_t n = strlen(text), held = 0;
    const char *piece[] = {text, text + cut};
    size_t len[] = {cut, n - cut};

    for (int i = 0; i < 2; i++) {
        ait_thought out;

        if (len[i] == 0)
            continue;
        ait_think_piece(&think, piece[i], len[i], &out);
        if (out.settles && out.settled == AIT_C_TEXT)
            t->text += held;
        if (out.settles && out.settled == AIT_C_REASONING)
            t->reasoning += held;
        if (out.settles)
            held = 0;
        if (out.waits)
            held += len[i];
        t->reasoning += out.reasoning;
        t->text += out.text;
        t->opened |= out.opened;
    }
    if (held && ait_think_end(&think) == AIT_C_TEXT)
        t->text += held;
}

static void cut_at_every_place(void)
{
    static const char *const texts[] = {
        "<think>abc</think>xyz", " <think> a <b </thin </think> \nxyz",
        "<thinking>abc", "  plain", "<think></think>xyz",
        "<think><</think>xyz", "<think></</think>xyz",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        total whole = {0, 0, false};

        add_pieces(texts[i], 0, &whole);
        for (size_t cut = 1; cut < strlen(texts[i]); cut++) {
            total t = {0, 0, false};

            add_pieces(texts[i], cut, &t);
            CHECK_INT(t.text, whole.text);
            CHECK_INT(t.reasoning > 0, whole.reasoning > 0);
            CHECK_INT(t.opened, whole.opened);
        }
    }
}

/* More events than may wait: then the text is what it is. */
static void waiting_is_bounded(void)
{
    static const char event[] =
        "data: {\"choices\":[{\"delta\":{\"content\":\" \"}}]}\n\n";
    static seen s;
    ait_stream_head head = {.content_type = "text/event-stream"};
    ait_stream *stream = ait_stream_new(&head, see, &s);

    ait_buf_init(&s.line, 1 << 20);
    for (int i = 0; i < 255; i++)
        ait_stream_feed(stream, i, event, sizeof event - 1);
    CHECK_INT(s.events, 0);
    ait_stream_feed(stream, 255, event, sizeof event - 1);
    CHECK_INT(s.events, 256);
    ait_stream_feed(stream, 256, event, sizeof event - 1);
    CHECK_INT(s.events, 257);
    CHECK(strncmp(s.line.data, "text(1 ) text(1 )", 17) == 0);
    ait_stream_free(stream);
    ait_buf_free(&s.line);
}

int main(void)
{
    RUN(think_blocks);
    RUN(cut_at_every_place);
    RUN(waiting_is_bounded);
    return t_done();
}
