/* Fuzz target: the JSON reader. Whatever the bytes are, the two ways of
 * checking agree, and so do the two ways of reading, the tape stays inside
 * the text, lookups are safe, and what was accepted can be written and read
 * again. */
#include <stdlib.h>

#include "base/json.h"
#include "base/jsonw.h"
#include "base/num.h"
#include "../members.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_nodes(const ait_json *j)
{
    for (uint32_t i = 0; i < j->count; i++) {
        const ait_jnode *n = &j->node[i];
        must((size_t)n->off + n->len <= j->len);
        must(n->next > i && n->next <= j->count);
    }
}

/* Every question about every node: answers are right or "none". */
static void ask_everything(ait_json *j, ait_jref r, ait_buf *text)
{
    static const char *const keys[] = {"type", "data", "ns", ""};
    ait_jref out[4];
    int64_t v;
    bool yes;

    ait_buf_clear(text);
    if (ait_json_text(j, r, text)) {
        must(text->len == ait_json_text_len(j, r));
        must(text->len <= j->node[r].len);
        must((text->len > 0) == ait_json_nonempty(j, r));
    }
    ait_json_bool(j, r, &yes);
    if (ait_json_int(j, r, &v))
        must(ait_has(v));
    if (ait_json_decimal(j, r, AIT_MS, &v))
        must(ait_has(v));
    ait_json_pick(j, r, keys, 4, out);
    for (int i = 0; i < 4; i++)
        must(out[i] == ait_json_get(j, r, keys[i]));
    ait_json_at(j, r, "/data/0/type");
}

/* Children found by walking are the ones the tape counts. */
static void walk(ait_json *j, ait_jref r)
{
    ait_jref last = AIT_JNONE;
    ait_jtype type = ait_json_type(j, r);

    for (ait_jref c = ait_json_first(j, r); c != AIT_JNONE;
         c = ait_json_next(j, r, c)) {
        must(c > r && c < j->node[r].next);
        must(last == AIT_JNONE || c > last);
        if (type == AIT_J_OBJECT)
            must(ait_json_type(j, c) == AIT_J_STRING);
        last = c;
    }
}

/* A string of the text, written anew, reads as the same bytes. */
static void write_again(const ait_json *j, ait_jref r, ait_buf *text)
{
    ait_json again;
    ait_jsonw w;
    ait_buf out, back;

    ait_buf_clear(text);
    if (!ait_json_text(j, r, text))
        return;
    ait_buf_init(&out, text->len * 6 + 16);
    ait_buf_init(&back, text->len * 6 + 16);
    ait_json_init(&again, 4);
    ait_jsonw_init(&w, &out, false);
    ait_jsonw_textn(&w, text->data, text->len);
    must(!w.failed);
    must(ait_json_parse(&again, out.data, out.len));
    must(ait_json_text(&again, AIT_JROOT, &back));
    must(back.len == text->len);
    for (size_t i = 0; i < back.len; i++)
        must(back.data[i] == text->data[i]);
    ait_json_free(&again);
    ait_buf_free(&out);
    ait_buf_free(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    static ait_json_names names;
    ait_json j;
    ait_buf text;
    bool ok, answered;

    ait_json_init(&j, 100000);
    ait_buf_init(&text, size + 1);
    ok = ait_json_parse(&j, bytes, size);
    must(ok == ait_json_valid(bytes, size) || j.out_of_memory);
    must(ok || (j.error_at <= size && j.why));
    must(members_agree(&names, bytes, size, &answered));
    check_nodes(&j);
    /* Questions go through whole objects: enough of them is enough. */
    for (ait_jref r = 0; r < j.count && r < 200; r++) {
        ask_everything(&j, r, &text);
        walk(&j, r);
        write_again(&j, r, &text);
    }
    ait_buf_free(&text);
    ait_json_free(&j);
    return 0;
}
