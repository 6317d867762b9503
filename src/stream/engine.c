/*
 * One event: what kind of data it is, which dialect reads it, and whether it
 * has to be parsed at all. How a table is followed is in read.c, what its
 * rows do in acts.c, what is said by them in say.c.
 */
#include "stream/engine.h"
#include <stdlib.h>
#include <string.h>
#include "base/num.h"
#include "base/text.h"

/* Events that may pass before no model name is looked for any more. */
#define MODEL_TRIES 16

void ait_engine_init(ait_engine *e, ait_stream_work *work,
                     ait_stream_facts *facts)
{
    memset(e, 0, sizeof *e);
    e->work = work;
    e->facts = facts;
}

void ait_engine_free(ait_engine *e)
{
    free(e->times);
    ait_mould_free(&e->mould);
}

/* A string's bytes as they are, or unescaped into the scratch buffer. */
static const char *unescaped(ait_engine *e, const char *p, size_t raw,
                             bool escaped, size_t *n)
{
    ait_jnode node = {.len = (uint32_t)raw, .next = 1, .escaped = escaped,
                      .type = AIT_J_STRING};
    ait_json j = {.text = p, .len = raw, .node = &node, .count = 1};
    ait_buf *b = &e->work->text;

    *n = raw;
    if (!escaped)
        return p;
    ait_buf_clear(b);
    if (!ait_json_text(&j, AIT_JROOT, b)) {
        e->failed = true;
        return NULL;
    }
    *n = b->len;
    return b->data;
}

const char *ait_string(ait_engine *e, ait_jref r, size_t *n)
{
    const ait_json *j = &e->work->json;
    const ait_jnode *node;

    if (ait_json_type(j, r) != AIT_J_STRING)
        return NULL;
    node = &j->node[r];
    return unescaped(e, j->text + node->off, node->len, node->escaped, n);
}

/* ---- one event ------------------------------------------------------ */

/* A name has no white space; a sentence in its place is content. */
static bool has_blank(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
            return true;
    return false;
}

/* The first model name of the body. Bodies that name none would be searched
 * for ever: the name stands in the first events or nowhere. */
static void find_model(ait_engine *e)
{
    ait_stream_facts *f = e->facts;

    if (f->model[0] || e->tries++ >= MODEL_TRIES)
        return;
    for (int i = 0; i < AIT_MODELS_MAX && e->dialect->model[i]; i++) {
        ait_jref r = ait_json_at(&e->work->json, AIT_JROOT,
                                 e->dialect->model[i]);
        size_t n;
        const char *s = ait_string(e, r, &n);
        unsigned changed;

        if (!s || !n || has_blank(s, n))
            continue;
        changed = ait_keep_text(s, n, f->model);
        if (changed & AIT_TEXT_UTF8)
            ait_issue_add(&f->issues, AIT_I_INVALID_UTF8);
        if (changed & AIT_TEXT_MASKED)
            ait_issue_add(&f->issues, AIT_I_ID_MASKED);
        return;
    }
}

/* Parses; base64 payloads (model invocations of Bedrock) are unwrapped. Once
 * a dialect is known by an event that was not wrapped, none will be. */
static bool parse(ait_engine *e, const char *text, size_t n)
{
    static const char *const at[] = {"/bytes", "/chunk/bytes"};
    ait_json *j = &e->work->json;
    ait_buf *b = &e->work->payload;

    if (!ait_json_parse(j, text, n))
        return false;
    if (e->sure && !e->wrapped)
        return true;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ait_jref r = ait_json_at(j, AIT_JROOT, at[i]);

        if (ait_json_type(j, r) != AIT_J_STRING || j->node[r].escaped)
            continue;
        ait_buf_clear(b);
        if (!ait_base64_read(j->text + j->node[r].off, j->node[r].len, b))
            return !e->wrapped; /* it may mean something else */
        e->wrapped = true;
        return ait_json_parse(j, b->data ? b->data : "", b->len);
    }
    return true;
}

/* The end mark of OpenAI, which others send, too. */
static bool is_done(const char *p, size_t n)
{
    while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        n--;
    while (n && (*p == ' ' || *p == '\t')) {
        p++;
        n--;
    }
    return n == 6 && memcmp(p, "[DONE]", 6) == 0;
}

/* An event of a dialect whose data is text: the name says what it is. */
static void read_plain(ait_engine *e)
{
    const ait_frame *f = e->frame;
    const ait_kind *k = e->dialect->plain;
    const char *name = f->name ? f->name : "message";
    size_t n = f->name ? f->name_len : strlen(name);

    while (k->value && !ait_pattern(k->value, k->len, name, n))
        k++;
    e->said->empty = f->len == 0;
    if (!k->value)
        return;
    if (!(k->bits & AIT_C_VISIBLE))
        ait_class_add(e, k->bits);
    else if (f->len)
        ait_say_text(e, k->bits, f->data, f->len);
    if (k->flags & K_ERROR)
        ait_error_read(e, AIT_JNONE);
    if (k->flags & K_END)
        ait_end_mark(e);
}

/* Whatever the dialect, an event of this name is one. */
static bool named_error(const ait_frame *f)
{
    return f->name_len == 5 && memcmp(f->name, "error", 5) == 0;
}

/* Data that is no JSON object: a dialect of plain text, an error in words,
 * or an event to count. */
static void read_text(ait_engine *e, ait_issue_id issue)
{
    const ait_frame *f = e->frame;

    e->parsed = false;
    if (!e->dialect && f->name)
        ait_detect(e);
    if (e->dialect && e->dialect->plain) {
        read_plain(e);
    } else if (named_error(f)) {
        ait_error_read(e, AIT_JNONE);
    } else if (e->dialect || *f->data == '{' || *f->data == '[') {
        e->said->malformed = true;
        ait_issue_add(&e->facts->issues, issue);
    }
}

/* The object an event is; an error may come in a list. */
static ait_jref root_object(const ait_json *j)
{
    ait_jref root = AIT_JROOT;

    if (ait_json_type(j, root) == AIT_J_ARRAY)
        root = ait_json_first(j, root);
    return ait_json_type(j, root) == AIT_J_OBJECT ? root : AIT_JNONE;
}

/* The parsed event, by its dialect; errors are known in any. */
static void read_object(ait_engine *e)
{
    const ait_dialect *d;
    ait_jref root = root_object(&e->work->json);

    if (root == AIT_JNONE) {
        read_text(e, AIT_I_MALFORMED_EVENT);
        return;
    }
    e->parsed = true;
    if (!e->sure)
        ait_detect(e);
    d = e->dialect;
    if (d)
        find_model(e);
    if (d && !d->plain)
        ait_read(e, e->whole && d->whole ? d->whole : d->event, root);
    else
        ait_read(e, &ait_error_shape, root);
    if (named_error(e->frame) && !(e->said->classes & AIT_C_ERROR))
        ait_error_read(e, root);
}

/* Says again what the mould's event said, by the values that fill it. */
static void say_again(ait_engine *e, const ait_fill *fill)
{
    for (int i = 0; i < e->mould.says; i++) {
        const ait_saying *s = &e->mould.said[i];
        const ait_fill *f = &fill[i];
        const char *p;
        size_t n;

        e->choice = s->choice;
        e->output = s->output;
        e->call = s->call;
        if (s->by == AIT_JNONE || (f->len && !(s->bits & AIT_C_VISIBLE))) {
            ait_class_add(e, s->bits);
        } else if (f->len) {
            p = unescaped(e, f->p, f->len, f->escaped, &n);
            if (p)
                ait_say_text(e, s->bits, p, n);
        }
    }
}

/* An event of the dialect that nothing is left to learn from but deltas. */
static void make_mould(ait_engine *e)
{
    const ait_frame *f = e->frame;

    if (!e->sure || e->wrapped || e->whole ||
        (!e->facts->model[0] && e->tries < MODEL_TRIES))
        return;
    if (!ait_mould_make(&e->mould, &e->work->json, &e->glance, f->name,
                        f->name_len))
        e->failed = true;
}

/* The order matters: a delta that fits the mould costs neither a look for
 * blanks nor a parse. */
static void read_data(ait_engine *e)
{
    const ait_frame *f = e->frame;
    ait_json *j = &e->work->json;
    ait_fill fill[AIT_MOULD_SAYS];

    if (ait_mould_fits(&e->mould, f->name, f->name_len, f->data, f->len,
                       fill)) {
        say_again(e, fill);
        return;
    }
    if (ait_is_blank(f->data, f->len)) {
        e->said->empty = true;
        e->parsed = false;
        if (!e->dialect && f->name)
            ait_detect(e);
    } else if (is_done(f->data, f->len)) {
        ait_end_mark(e);
    } else if (parse(e, f->data, f->len)) {
        memset(&e->glance.looked, 0, sizeof e->glance.looked);
        read_object(e);
        make_mould(e);
    } else if (j->out_of_memory && j->cap < j->max_nodes) {
        e->failed = true;
    } else {
        read_text(e, j->out_of_memory ? AIT_I_EVENT_TOO_LARGE
                                      : AIT_I_MALFORMED_EVENT);
    }
    if (j->duplicates)
        ait_issue_add(&e->facts->issues, AIT_I_DUPLICATE_KEY);
    j->duplicates = 0;
}

/* Forgets the event before; what lasts longer stays. */
static void begin(ait_engine *e, const ait_frame *f, ait_said *said)
{
    memset(said, 0, sizeof *said);
    e->frame = f;
    e->said = said;
    e->here = AIT_JNONE;
    e->choice = e->output = e->call = 0;
    e->repeat = AIT_NO_REPEAT;
    e->fresh = 0;
    e->counted = e->stop = false;
    e->speaker = AIT_JNONE;
    e->glance.says = 0;
    e->glance.more = false;
}

/* What is known only when the whole event has been read. */
static void finish(ait_engine *e)
{
    ait_said *s = e->said;

    if (s->classes & AIT_C_ACTION)
        s->classes &= ~(uint32_t)AIT_C_ACTION_START;
    if (e->counted && !e->facts->terminal)
        e->facts->usage.running = true;
    if (e->whole)
        return;
    if (s->classes & AIT_C_ERROR)
        e->facts->error_seen = true;
    if (!s->classes && !s->waiting.choices)
        s->classes = AIT_C_ENVELOPE;
}

void ait_engine_event(ait_engine *e, const ait_frame *f, ait_said *said)
{
    begin(e, f, said);
    if (f->too_large || f->damaged) {
        said->malformed = true;
        ait_issue_add(&e->facts->issues, f->damaged ? AIT_I_MALFORMED_EVENT
                                                    : AIT_I_EVENT_TOO_LARGE);
    } else if (f->exception) {
        bool json = ait_json_parse(&e->work->json, f->data, f->len);

        ait_error_named(e, f->name, f->name_len,
                        json ? AIT_JROOT : AIT_JNONE);
    } else if (e->dialect && e->dialect->plain) {
        read_plain(e);
    } else {
        read_data(e);
    }
    finish(e);
}

bool ait_engine_tail(ait_engine *e, const ait_frame *f)
{
    ait_said said;

    if (f->too_large)
        return false;
    if (!is_done(f->data, f->len) && !ait_json_valid(f->data, f->len))
        return false;
    ait_engine_event(e, f, &said);
    return true;
}

/* What still waits for a tag. No tag comes any more. */
static uint32_t waits(const ait_engine *e, const ait_waiting *w)
{
    uint32_t classes = 0;

    for (int c = 0; w->choices >> c; c++)
        if (w->choices >> c & 1)
            classes |= ait_think_end(&e->think[c]);
    return classes;
}

bool ait_engine_whole(ait_engine *e, const char *text, size_t n)
{
    ait_frame f = {.data = text, .len = n};
    ait_said said;
    uint32_t has;

    if (!ait_json_valid(text, n))
        return false;
    e->whole = true;
    ait_engine_event(e, &f, &said);
    has = said.classes | waits(e, &said.waiting);
    e->facts->body_text = has & AIT_C_VISIBLE;
    e->facts->body_other = has & (AIT_C_ACTION | AIT_C_MEDIA);
    e->facts->body_reasoning = has & AIT_C_REASONING;
    e->facts->body_opaque = has & AIT_C_REASONING_OPAQUE;
    return true;
}

bool ait_engine_is_event(ait_engine *e, const char *text, size_t n)
{
    ait_frame f = {.data = text, .len = n};
    ait_said said;

    begin(e, &f, &said);
    if (!ait_json_parse(&e->work->json, text, n))
        return false;
    e->parsed = true;
    return !ait_matches_any(e, true) && ait_matches_any(e, false);
}

void ait_engine_stray(ait_engine *e, const char *text, size_t n, bool surely)
{
    ait_frame f = {.data = text, .len = n};
    ait_said said;
    ait_jref root;

    begin(e, &f, &said);
    if (!ait_json_parse(&e->work->json, text, n))
        root = AIT_JNONE;
    else
        root = root_object(&e->work->json);
    if (surely && n)
        ait_error_read(e, root);
    else if (root != AIT_JNONE)
        ait_read(e, &ait_error_shape, root);
    if (said.classes & AIT_C_ERROR)
        e->facts->error_seen = true;
}
