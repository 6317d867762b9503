/*
 * Two oracles over whole streams. The tape of every event against a full
 * cJSON parse: same structure, strings and numbers. And the stream as it is
 * read (deltas by the mould) against one that reads every event in full:
 * same classes, lengths, usage, finish.
 *
 * Without arguments it runs on streams of its own; with arguments on the
 * files named, printing what differs and "N passed, N failed".
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness.h"
#include "stream/framing.h"

typedef struct oracle {
    ait_stream_work *work, *full_work;
    ait_stream_facts facts, full_facts;
    ait_engine engine, full; /* `full` never has a mould */
    ait_json json;
    size_t events, fitted, differ;
} oracle;

/* ---- the two trees ----------------------------------------------------- */
static bool same_tree(ait_json *j, ait_jref r, const cJSON *c);

/* cJSON ends strings at an escaped NUL, the tape does not. */
static bool same_string(ait_json *j, ait_jref r, const char *text)
{
    ait_buf b;
    bool same;

    ait_buf_init(&b, AIT_EVENT_MAX);
    same = ait_json_text(j, r, &b) && strcmp(b.data ? b.data : "", text) == 0;
    ait_buf_free(&b);
    return same;
}

static bool same_number(ait_json *j, ait_jref r, double v)
{
    char text[64];
    size_t n = j->node[r].len;

    if (n >= sizeof text)
        return true;
    memcpy(text, j->text + j->node[r].off, n);
    text[n] = '\0';
    return fabs(strtod(text, NULL) - v) <= fabs(v) * 1e-15;
}

static bool same_children(ait_json *j, ait_jref r, const cJSON *c)
{
    bool object = ait_json_type(j, r) == AIT_J_OBJECT;
    const cJSON *child = c->child;

    for (ait_jref k = ait_json_first(j, r); k != AIT_JNONE;
         k = ait_json_next(j, r, k), child = child->next) {
        if (!child || (object && !same_string(j, k, child->string)) ||
            !same_tree(j, object ? k + 1 : k, child))
            return false;
    }
    return child == NULL;
}

static bool same_tree(ait_json *j, ait_jref r, const cJSON *c)
{
    switch (ait_json_type(j, r)) {
    case AIT_J_NULL:
        return cJSON_IsNull(c);
    case AIT_J_FALSE:
        return cJSON_IsFalse(c);
    case AIT_J_TRUE:
        return cJSON_IsTrue(c);
    case AIT_J_NUMBER:
        return cJSON_IsNumber(c) && same_number(j, r, c->valuedouble);
    case AIT_J_STRING:
        return cJSON_IsString(c) && same_string(j, r, c->valuestring);
    case AIT_J_ARRAY:
        return cJSON_IsArray(c) && same_children(j, r, c);
    case AIT_J_OBJECT:
        return cJSON_IsObject(c) && same_children(j, r, c);
    default:
        return false;
    }
}

static bool same_parse(oracle *o, const char *text, size_t n)
{
    const char *end = NULL;
    cJSON *c = cJSON_ParseWithLengthOpts(text, n, &end, 0);
    bool strict = ait_json_parse(&o->json, text, n), same = true;

    while (c && end < text + n && strchr(" \t\r\n", *end) && *end)
        end++;
    if (strict)
        same = c && end == text + n && same_tree(&o->json, AIT_JROOT, c);
    else if (c && end == text + n) /* what cJSON wrongly takes */
        same = ait_utf8_valid(text, n) < n || strstr(o->json.why, "number") ||
               strstr(o->json.why, "control");
    cJSON_Delete(c);
    return same;
}

/* ---- the two readings -------------------------------------------------- */
static bool same_said(const ait_said *a, const ait_said *b)
{
    return a->classes == b->classes && a->text_length == b->text_length &&
           a->nonblank == b->nonblank && a->empty == b->empty &&
           a->malformed == b->malformed &&
           a->waiting.choices == b->waiting.choices &&
           a->waiting.solid == b->waiting.solid &&
           a->settled == b->settled;
}

static bool same_facts(const ait_stream_facts *a, const ait_stream_facts *b)
{
    return a->dialect == b->dialect && a->terminal == b->terminal &&
           a->error_seen == b->error_seen && a->rate_limit == b->rate_limit &&
           strcmp(a->finish_reason, b->finish_reason) == 0 &&
           strcmp(a->error_code, b->error_code) == 0 &&
           strcmp(a->model, b->model) == 0 &&
           a->usage.prompt == b->usage.prompt &&
           a->usage.cached == b->usage.cached &&
           a->usage.completion == b->usage.completion &&
           a->usage.reasoning == b->usage.reasoning &&
           a->usage.total == b->usage.total &&
           a->usage.running == b->usage.running &&
           memcmp(&a->issues, &b->issues, sizeof a->issues) == 0;
}

static void on_event(void *ctx, const ait_frame *f)
{
    oracle *o = ctx;
    ait_said said, full;
    bool before = o->engine.mould.fitted;

    o->events++;
    o->engine.mould.fitted = false;
    ait_engine_event(&o->engine, f, &said);
    o->fitted += o->engine.mould.fitted;
    o->engine.mould.fitted |= before;
    o->full.mould.len = 0;
    ait_engine_event(&o->full, f, &full);
    if (!same_said(&said, &full) || !same_facts(&o->facts, &o->full_facts) ||
        !same_parse(o, f->data, f->len)) {
        o->differ++;
        printf("# event %zu differs\n", o->events);
    }
}

static void on_comment(void *ctx, size_t len)
{
    (void)ctx;
    (void)len;
}

static void on_stray(void *ctx, const char *text, size_t n, bool surely)
{
    (void)ctx;
    (void)text;
    (void)n;
    (void)surely;
}

static void on_damage(void *ctx)
{
    (void)ctx;
}

static void open_oracle(oracle *o)
{
    memset(o, 0, sizeof *o);
    o->work = ait_stream_work_new();
    o->full_work = ait_stream_work_new();
    ait_usage_init(&o->facts.usage);
    ait_usage_init(&o->full_facts.usage);
    ait_engine_init(&o->engine, o->work, &o->facts);
    ait_engine_init(&o->full, o->full_work, &o->full_facts);
    ait_json_init(&o->json, AIT_EVENT_NODES);
}

static void close_oracle(oracle *o)
{
    ait_engine_free(&o->engine);
    ait_engine_free(&o->full);
    ait_stream_work_free(o->work);
    ait_stream_work_free(o->full_work);
    ait_json_free(&o->json);
}

/* A whole body; false where anything differed. */
static bool check_body(oracle *o, const ait_framing *f, const char *body,
                       size_t n)
{
    ait_frames to = {o, on_event, on_comment, on_stray, on_event, on_damage};
    void *state = ait_alloc(f->size);

    f->start(state, &to);
    f->feed(state, body, n);
    f->end(state);
    f->free(state);
    free(state);
    return o->differ == 0;
}

/* ---- streams of its own ------------------------------------------------ */
#define CHAT(text) \
    "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0," \
    "\"delta\":{\"content\":\"" text "\"},\"logprobs\":null," \
    "\"finish_reason\":null}],\"obfuscation\":\"" text "\"}\n\n"
#define MESSAGE(text) \
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\"," \
    "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" text \
    "\"}}\n\n"

static const char chat[] =
    CHAT("<think>") CHAT("a") CHAT("\\n") CHAT("</thi") CHAT("nk>")
    CHAT("\\u00e9\\ud83d\\ude80") CHAT("\xc3\xa9") CHAT("\xc3") CHAT("")
    CHAT("\\q") CHAT("tab\\t") CHAT("x\\u0000y") CHAT(" ") CHAT("end")
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,"
    "\"completion_tokens\":1.5e1,\"x\":[1,-0,2.5E-3,true,false,{}]}}\n\n"
    CHAT("a") CHAT("b") "data: {\"choices\":[{\"delta\":{}}]} x\n\n"
    "data: [DONE]\n\n";
static const char messages[] =
    "data: {\"type\":\"message_start\",\"message\":{\"model\":\"m\"}}\n\n"
    MESSAGE("a") MESSAGE("b") MESSAGE("c\\\"d") MESSAGE("\\\\") MESSAGE("e");

static void the_mould_and_the_full_read_agree(void)
{
    oracle o;

    open_oracle(&o);
    CHECK(check_body(&o, &ait_framing_sse, chat, sizeof chat - 1));
    CHECK_INT(o.events, 19);
    CHECK(o.fitted >= 9);
    close_oracle(&o);
    open_oracle(&o);
    CHECK(check_body(&o, &ait_framing_sse, messages, sizeof messages - 1));
    CHECK_INT(o.fitted, 4);
    close_oracle(&o);
}

/* ---- files ------------------------------------------------------------- */
static const ait_framing *framing_of(const char *name)
{
    static const struct {
        const char *end;
        const ait_framing *framing;
    } ends[] = {
        {".sse", &ait_framing_sse},
        {".ndjson", &ait_framing_ndjson},
        {".json", &ait_framing_json_array},
        {".eventstream", &ait_framing_eventstream},
    };
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t len = strlen(ends[i].end);

        if (n > len && strcmp(name + n - len, ends[i].end) == 0)
            return ends[i].framing;
    }
    return NULL;
}

static bool check_file(const char *name, size_t *events, size_t *fitted)
{
    const ait_framing *f = framing_of(name);
    FILE *in = f ? fopen(name, "rb") : NULL;
    char *body = malloc(AIT_EVENT_MAX);
    size_t n = in && body ? fread(body, 1, AIT_EVENT_MAX, in) : 0;
    oracle o;
    bool good;

    open_oracle(&o);
    good = in && check_body(&o, f, body, n);
    if (!good)
        printf("# %s\n", name);
    *events += o.events;
    *fitted += o.fitted;
    close_oracle(&o);
    if (in)
        fclose(in);
    free(body);
    return good;
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0;
    size_t events = 0, fitted = 0;

    if (argc < 2) {
        RUN(the_mould_and_the_full_read_agree);
        return t_done();
    }
    for (int i = 1; i < argc; i++)
        *(check_file(argv[i], &events, &fitted) ? &passed : &failed) += 1;
    printf("# %zu events, %zu of them by the mould\n", events, fitted);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
