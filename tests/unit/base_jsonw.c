/* The writer: commas, escapes, indentation, sticky failure, and what it
 * wrote read back. */
#include "base/jsonw.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/num.h"
#include "harness.h"

static ait_buf b;
static ait_jsonw w;

static void start(bool pretty)
{
    ait_buf_free(&b);
    ait_buf_init(&b, 100000);
    ait_jsonw_init(&w, &b, pretty);
}

static void sample(void)
{
    ait_jsonw_object(&w);
    ait_jsonw_ktext(&w, "a", "x");
    ait_jsonw_key(&w, "b");
    ait_jsonw_array(&w);
    ait_jsonw_int(&w, 1);
    ait_jsonw_object(&w);
    ait_jsonw_end(&w, '}');
    ait_jsonw_array(&w);
    ait_jsonw_end(&w, ']');
    ait_jsonw_bool(&w, true);
    ait_jsonw_null(&w);
    ait_jsonw_end(&w, ']');
    ait_jsonw_kint(&w, "c", -5);
    ait_jsonw_end(&w, '}');
}

static void compact_form(void)
{
    start(false);
    sample();
    CHECK(!w.failed);
    CHECK_TEXT(b.data, "{\"a\":\"x\",\"b\":[1,{},[],true,null],\"c\":-5}");
    CHECK(ait_json_valid(b.data, b.len));
}

static void indented_form(void)
{
    start(true);
    sample();
    CHECK(!w.failed);
    CHECK_TEXT(b.data, "{\n"
                       "  \"a\": \"x\",\n"
                       "  \"b\": [\n"
                       "    1,\n"
                       "    {},\n"
                       "    [],\n"
                       "    true,\n"
                       "    null\n"
                       "  ],\n"
                       "  \"c\": -5\n"
                       "}");
    CHECK(ait_json_valid(b.data, b.len));
}

static void absent_is_null(void)
{
    start(false);
    ait_jsonw_object(&w);
    ait_jsonw_kint(&w, "a", AIT_ABSENT);
    ait_jsonw_kms(&w, "b", AIT_ABSENT);
    ait_jsonw_ktext(&w, "c", NULL);
    ait_jsonw_ktri(&w, "d", -1);
    ait_jsonw_ktri(&w, "e", 0);
    ait_jsonw_ktri(&w, "f", 1);
    ait_jsonw_kint(&w, "g", 0);
    ait_jsonw_kms(&w, "h", 1249123456);
    ait_jsonw_key(&w, "i");
    ait_jsonw_decimal(&w, 15, 10, 1);
    ait_jsonw_end(&w, '}');
    CHECK_TEXT(b.data,
               "{\"a\":null,\"b\":null,\"c\":null,\"d\":null,\"e\":false,"
               "\"f\":true,\"g\":0,\"h\":1249.123,\"i\":1.5}");
}

static void strings_are_escaped(void)
{
    start(false);
    ait_jsonw_array(&w);
    ait_jsonw_text(&w, "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    ait_jsonw_textn(&w, "a\0b", 3);
    ait_jsonw_text(&w, "\xE4\xBD\xA0 \xF0\x9F\x98\x80");
    ait_jsonw_text(&w, "a\x80\xC3");
    ait_jsonw_text(&w, "0123456789abcdef0123\"456789\\");
    ait_jsonw_textn(&w, "", 0);
    ait_jsonw_end(&w, ']');
    CHECK_TEXT(b.data,
               "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\","
               "\"a\\u0000b\",\"\xE4\xBD\xA0 \xF0\x9F\x98\x80\","
               "\"a\xEF\xBF\xBD\xEF\xBF\xBD\","
               "\"0123456789abcdef0123\\\"456789\\\\\",\"\"]");
    CHECK(ait_json_valid(b.data, b.len));
}

static void several_values_at_the_top_are_separated(void)
{
    start(false);
    ait_jsonw_int(&w, 1);
    ait_jsonw_int(&w, 2);
    CHECK_TEXT(b.data, "1,2");
}

static void failure_stays(void)
{
    start(false);
    ait_buf_free(&b);
    ait_buf_init(&b, 6);
    ait_jsonw_init(&w, &b, false);
    ait_jsonw_array(&w);
    ait_jsonw_text(&w, "longer than that");
    CHECK(w.failed);
    size_t len = b.len;
    ait_jsonw_int(&w, 1);
    ait_jsonw_end(&w, ']');
    CHECK_INT(b.len, len);
}

static void depth_is_bounded(void)
{
    start(false);
    for (int i = 0; i < 62; i++)
        ait_jsonw_array(&w);
    CHECK(!w.failed);
    for (int i = 0; i < 62; i++)
        ait_jsonw_end(&w, ']');
    CHECK(!w.failed);
    CHECK(ait_json_valid(b.data, b.len));
    ait_jsonw_end(&w, ']');
    CHECK(w.failed);
    start(true);
    for (int i = 0; i < 100; i++)
        ait_jsonw_object(&w);
    CHECK(w.failed);
}

/* ---- what was read, written, reads the same ---------------------------- */

static void copy_value(ait_json *j, ait_jref r, ait_buf *text);

static void copy_children(ait_json *j, ait_jref r, ait_buf *text)
{
    bool object = ait_json_type(j, r) == AIT_J_OBJECT;

    object ? ait_jsonw_object(&w) : ait_jsonw_array(&w);
    for (ait_jref c = ait_json_first(j, r); c != AIT_JNONE;
         c = ait_json_next(j, r, c)) {
        if (object) {
            ait_buf_clear(text);
            CHECK(ait_json_text(j, c, text));
            ait_jsonw_key(&w, text->data ? text->data : "");
        }
        copy_value(j, object ? c + 1 : c, text);
    }
    ait_jsonw_end(&w, object ? '}' : ']');
}

static void copy_value(ait_json *j, ait_jref r, ait_buf *text)
{
    int64_t v = 0;
    bool yes;

    if (ait_json_type(j, r) >= AIT_J_ARRAY) {
        copy_children(j, r, text);
    } else if (ait_json_type(j, r) == AIT_J_STRING) {
        ait_buf_clear(text);
        CHECK(ait_json_text(j, r, text));
        ait_jsonw_textn(&w, text->data, text->len);
    } else if (ait_json_bool(j, r, &yes)) {
        ait_jsonw_bool(&w, yes);
    } else if (ait_json_type(j, r) == AIT_J_NUMBER) {
        ait_json_int(j, r, &v);
        ait_jsonw_int(&w, v);
    } else {
        ait_jsonw_null(&w);
    }
}

static const char document[] =
    "{\"type\":\"data\",\"n\":[1,-2,30,{\"k\":null,\"\\u00e9\":true}],"
    "\"t\":\"event: a\\ndata: {\\\"x\\\":\\\"\\u4f60 \\ud83d\\ude00\\\"}\\n\","
    "\"u\":\"\xE4\xBD\xA0\xE5\xA5\xBD\",\"e\":{},\"f\":[[],\"\\\\\\\"\"]}";

/* Damages the sample; whatever is still JSON is written in both forms, and
 * each is read back and written again: nothing may change any more. */
static void what_is_read_is_written_and_reads_the_same(void)
{
    uint64_t seed = 11;
    ait_json j;
    ait_buf text, first;
    int rounds = 0;

    ait_json_init(&j, 1000);
    ait_buf_init(&text, 10000);
    ait_buf_init(&first, 10000);
    for (int i = 0; i < 20000; i++) {
        char copy[sizeof document];
        size_t n = sizeof document - 1;
        memcpy(copy, document, sizeof copy);
        for (int k = i % 3; k > 0; k--) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            copy[(seed >> 33) % n] = "ab\"\\u019{}[],: \x80"[(seed >> 20) % 17];
        }
        if (!ait_json_parse(&j, copy, n))
            continue;
        rounds++;
        start(i % 2);
        copy_value(&j, AIT_JROOT, &text);
        CHECK(!w.failed);
        ait_buf_clear(&first);
        CHECK(ait_buf_add(&first, b.data, b.len));
        if (!CHECK(ait_json_parse(&j, first.data, first.len)))
            break;
        start(i % 2);
        copy_value(&j, AIT_JROOT, &text);
        CHECK_TEXT(b.data, first.data);
    }
    CHECK(rounds > 8000);
    ait_buf_free(&text);
    ait_buf_free(&first);
    ait_json_free(&j);
}

int main(void)
{
    ait_buf_init(&b, 1);
    RUN(compact_form);
    RUN(indented_form);
    RUN(absent_is_null);
    RUN(strings_are_escaped);
    RUN(several_values_at_the_top_are_separated);
    RUN(failure_stays);
    RUN(depth_is_bounded);
    RUN(what_is_read_is_written_and_reads_the_same);
    ait_buf_free(&b);
    return t_done();
}
