/* Looking things up: keys, pointers, values, text. */
#include "base/json.h"

#include <stdlib.h>

#include "base/num.h"
#include "harness.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static ait_json j;

/* Parses a text that lives as long as the tests. */
static bool read_text(const char *text)
{
    ait_json_free(&j);
    ait_json_init(&j, 10000);
    return CHECK(ait_json_parse(&j, text, strlen(text)));
}

/* The string at r; valid until the next call. "(none)" where it is none. */
static const char *text_of(ait_jref r)
{
    static ait_buf b;
    static char out[512];

    ait_buf_init(&b, sizeof out - 1);
    out[0] = '\0';
    if (!ait_json_text(&j, r, &b))
        strcpy(out, "(none)");
    else if (b.len)
        memcpy(out, b.data, b.len + 1);
    CHECK(ait_json_type(&j, r) != AIT_J_STRING ||
          ait_json_text_len(&j, r) == b.len);
    ait_buf_free(&b);
    return out;
}

static int64_t int_of(ait_jref r)
{
    int64_t v;

    return ait_json_int(&j, r, &v) ? v : AIT_ABSENT;
}

static void members_are_found(void)
{
    read_text("{\"a\":1,\"b\":{\"a\":2,\"c\":[3,{\"a\":4}]},\"\":5,\"ab\":6}");
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "a")), 1);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "ab")), 6);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "")), 5);
    CHECK(ait_json_get(&j, AIT_JROOT, "c") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JROOT, "A") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JROOT, "abc") == AIT_JNONE);
    ait_jref b = ait_json_get(&j, AIT_JROOT, "b");
    CHECK_INT(int_of(ait_json_get(&j, b, "a")), 2);
    CHECK_INT(ait_json_type(&j, ait_json_get(&j, b, "c")), AIT_J_ARRAY);
    CHECK(ait_json_get(&j, ait_json_get(&j, b, "c"), "a") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JNONE, "a") == AIT_JNONE);
    CHECK(ait_json_get(&j, 1000, "a") == AIT_JNONE);
    CHECK_INT(j.duplicates, 0);
}

static void of_equal_keys_the_last_wins(void)
{
    static const char *const keys[] = {"a", "b"};
    ait_jref out[2];

    read_text("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":4}");
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "a")), 4);
    CHECK_INT(j.duplicates, 2);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "b")), 2);
    CHECK_INT(j.duplicates, 2);
    read_text("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":4}");
    CHECK_INT(ait_json_pick(&j, AIT_JROOT, keys, 2, out), 0);
    CHECK_INT(int_of(out[0]), 4);
    CHECK_INT(int_of(out[1]), 2);
    CHECK_INT(j.duplicates, 2);
    CHECK(ait_json_parse(&j, "{}", 2));
    CHECK_INT(j.duplicates, 0);
}

static void escaped_keys_are_compared_unescaped(void)
{
    read_text("{\"a\\/b\":1,\"\\u00e9\":2,\"\\ud83d\\ude00x\":3,\"q\\\"\":4,"
              "\"n\\u0000l\":5}");
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "a/b")), 1);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "\xC3\xA9")), 2);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "\xF0\x9F\x98\x80x")), 3);
    CHECK_INT(int_of(ait_json_get(&j, AIT_JROOT, "q\"")), 4);
    CHECK(ait_json_get(&j, AIT_JROOT, "n") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JROOT, "a\\/b") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JROOT, "a/") == AIT_JNONE);
    CHECK(ait_json_get(&j, AIT_JROOT, "a/bc") == AIT_JNONE);
}

static void pick_finds_in_any_order(void)
{
    static const char *const keys[] = {"type", "ns", "req", "att", "", "ty"};
    ait_jref out[COUNT(keys)];

    read_text("{\"att\":4,\"x\":0,\"ns\":2,\"type\":1,\"typ\":0,\"\":5,"
              "\"r\\u0065q\":3,\"nsx\":[1,2,{\"ns\":9}]}");
    CHECK_INT(ait_json_pick(&j, AIT_JROOT, keys, COUNT(keys), out), 3);
    for (int i = 0; i < 5; i++)
        CHECK_INT(int_of(out[i]), i + 1);
    CHECK(out[5] == AIT_JNONE);
    CHECK_INT(ait_json_pick(&j, AIT_JROOT, keys, 0, out), 8);
    CHECK_INT(ait_json_pick(&j, out[0], keys, COUNT(keys), out), 0);
    for (size_t i = 0; i < COUNT(keys); i++)
        CHECK(out[i] == AIT_JNONE);
    read_text("{}");
    CHECK_INT(ait_json_pick(&j, AIT_JROOT, keys, COUNT(keys), out), 0);
}

static void pointers_reach_everything(void)
{
    static const struct {
        const char *pointer;
        int64_t want;
    } cases[] = {
        {"/a/0", 1},       {"/a/1/b", 2},   {"/a/1/", 3},
        {"/m~0n", 4},      {"/m~1n", 5},    {"/~01", 6},
        {"/", 7},          {"/0", 8},       {"/a/10", 20},
        {"/ /\"", 9},      {"/e\xC3\xA9", 10},
        {"/a/2/0/0", 11},
    };
    static const char *const none[] = {
        "a",     "/b",    "/a/00",  "/a/01",   "/a/-",  "/a/11", "/a/+1",
        "/a/1x", "/a/",   "/m~n",   "/m~2n",   "/m~",   "/a/0/0", "/00",
        "/a/99999999999999999999", "//", "/a/1/b/",
    };

    read_text("{\"a\":[1,{\"b\":2,\"\":3},[[11]],0,0,0,0,0,0,0,20],"
              "\"m~n\":4,\"m/n\":5,\"~1\":6,\"\":7,\"0\":8,"
              "\" \":{\"\\\"\":9},\"e\\u00e9\":10}");
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!CHECK_INT(int_of(ait_json_at(&j, AIT_JROOT, cases[i].pointer)),
                       cases[i].want))
            printf("# %s\n", cases[i].pointer);
    for (size_t i = 0; i < COUNT(none); i++)
        if (!CHECK(ait_json_at(&j, AIT_JROOT, none[i]) == AIT_JNONE))
            printf("# %s\n", none[i]);
    CHECK_INT(ait_json_at(&j, AIT_JROOT, ""), AIT_JROOT);
    ait_jref a = ait_json_at(&j, AIT_JROOT, "/a");
    CHECK_INT(int_of(ait_json_at(&j, a, "/1/b")), 2);
    CHECK(ait_json_at(&j, AIT_JNONE, "") == AIT_JNONE);
    char longer[400] = "/";
    memset(longer + 1, 'k', sizeof longer - 2);
    CHECK(ait_json_at(&j, AIT_JROOT, longer) == AIT_JNONE);
}

static void walks_meet_each_child_once(void)
{
    int64_t sum = 0;
    int n = 0;

    read_text("[1,[2,[3]],{\"a\":4},[],{},\"x\",6]");
    for (ait_jref c = ait_json_first(&j, AIT_JROOT); c != AIT_JNONE;
         c = ait_json_next(&j, AIT_JROOT, c), n++)
        sum += ait_has(int_of(c)) ? int_of(c) : 100;
    CHECK_INT(n, 7);
    CHECK_INT(sum, 507);
    read_text("{\"a\":{\"x\":1},\"b\":[2,3],\"c\":4}");
    n = 0;
    for (ait_jref c = ait_json_first(&j, AIT_JROOT); c != AIT_JNONE;
         c = ait_json_next(&j, AIT_JROOT, c))
        CHECK_INT(text_of(c)[0], "abc"[n++]);
    CHECK_INT(n, 3);
    CHECK(ait_json_first(&j, ait_json_at(&j, AIT_JROOT, "/c")) == AIT_JNONE);
    CHECK(ait_json_first(&j, AIT_JNONE) == AIT_JNONE);
    CHECK(ait_json_next(&j, AIT_JROOT, AIT_JNONE) == AIT_JNONE);
    read_text("[]");
    CHECK(ait_json_first(&j, AIT_JROOT) == AIT_JNONE);
}

static void values_are_exact(void)
{
    int64_t v = 5;
    bool b = false;

    read_text("[9007199254740993,1.5,true,false,null,\"1\",1e3,"
              "18446744073709551616,0.0000005,-9223372036854775807]");
    CHECK_INT(int_of(1), INT64_C(9007199254740993));
    CHECK_INT(int_of(2), AIT_ABSENT);
    CHECK_INT(int_of(3), AIT_ABSENT);
    CHECK_INT(int_of(6), AIT_ABSENT);
    CHECK_INT(int_of(7), 1000);
    CHECK_INT(int_of(8), AIT_ABSENT);
    CHECK_INT(int_of(10), -INT64_MAX);
    CHECK(ait_json_decimal(&j, 2, 1000000, &v));
    CHECK_INT(v, 1500000);
    CHECK(ait_json_decimal(&j, 9, 1000000, &v));
    CHECK_INT(v, 1);
    CHECK(!ait_json_decimal(&j, 6, 1, &v));
    CHECK(!ait_json_decimal(&j, AIT_JNONE, 1, &v));
    CHECK_INT(v, 1);
    CHECK(ait_json_bool(&j, 3, &b) && b);
    CHECK(ait_json_bool(&j, 4, &b) && !b);
    CHECK(!ait_json_bool(&j, 5, &b));
    CHECK(!ait_json_bool(&j, 1, &b));
    CHECK(!ait_json_bool(&j, AIT_JNONE, &b));
    CHECK_INT(ait_json_type(&j, 0), AIT_J_ARRAY);
    CHECK_INT(ait_json_type(&j, 1), AIT_J_NUMBER);
    CHECK_INT(ait_json_type(&j, 5), AIT_J_NULL);
    CHECK_INT(ait_json_type(&j, 6), AIT_J_STRING);
    CHECK_INT(ait_json_type(&j, 11), AIT_J_NONE);
    CHECK_INT(ait_json_type(&j, AIT_JNONE), AIT_J_NONE);
}

static void text_is_unescaped(void)
{
    static const struct {
        const char *json, *want;
    } cases[] = {
        {"\"\"", ""},
        {"\"plain\"", "plain"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xC3\xA9\xE2\x82\xAC"},
        {"\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
         "\x7f\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"",
         "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
        /* half a pair */
        {"\"\\ud83d\"", "\xEF\xBF\xBD"},
        {"\"\\ude00\"", "\xEF\xBF\xBD"},
        {"\"\\ud83dx\"", "\xEF\xBF\xBDx"},
        {"\"\\ud83d\\n\"", "\xEF\xBF\xBD\n"},
        {"\"\\ud83d\\u0041\"", "\xEF\xBF\xBD" "A"},
        {"\"\\ud83d\\ud83d\\ude00\"", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {"\"\\ude00\\ud83d\"", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\"0123456789abcde\\n0123456789abcdef\\\\\\\\0123456789\"",
         "0123456789abcde\n0123456789abcdef\\\\0123456789"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        read_text(cases[i].json);
        if (!CHECK_TEXT(text_of(AIT_JROOT), cases[i].want))
            printf("# %s\n", cases[i].json);
        CHECK(ait_json_is(&j, AIT_JROOT, cases[i].want));
        CHECK_INT(ait_json_nonempty(&j, AIT_JROOT), i != 0);
        CHECK(!ait_json_is(&j, AIT_JROOT, "something else"));
    }
    read_text("[1,null,{}]");
    for (ait_jref r = 0; r < 5; r++) {
        CHECK_TEXT(text_of(r), "(none)");
        CHECK_INT(ait_json_text_len(&j, r), 0);
        CHECK(!ait_json_nonempty(&j, r));
        CHECK(!ait_json_is(&j, r, ""));
    }
}

static void nul_in_text_is_kept(void)
{
    ait_buf b;

    read_text("[\"a\\u0000b\"]");
    ait_buf_init(&b, 10);
    CHECK(ait_json_text(&j, 1, &b));
    CHECK_INT(b.len, 3);
    CHECK(memcmp(b.data, "a\0b", 4) == 0);
    CHECK_INT(ait_json_text_len(&j, 1), 3);
    CHECK(!ait_json_is(&j, 1, "a"));
    ait_buf_free(&b);
}

static void text_appends_or_says_no(void)
{
    ait_buf b;

    read_text("[\"abcdef\",\"a\\nb\"]");
    ait_buf_init(&b, 8);
    CHECK(ait_json_text(&j, 1, &b));
    CHECK(!ait_json_text(&j, 1, &b));
    CHECK_TEXT(b.data, "abcdef");
    CHECK(!ait_json_text(&j, 2, &b));
    CHECK_TEXT(b.data, "abcdef");
    ait_buf_clear(&b);
    CHECK(ait_json_text(&j, 2, &b));
    CHECK(ait_json_text(&j, 2, &b));
    CHECK_TEXT(b.data, "a\nba\nb");
    ait_buf_free(&b);
    ait_buf_init(&b, 100);
    ait_mem_fail_after(1);
    CHECK(!ait_json_text(&j, 2, &b));
    ait_mem_fail_after(0);
    ait_buf_free(&b);
}

/* Reads a string in one pass; where that is refused, so must it be by the
 * check alone, and the same end is found. */
static bool unescapes_as_checked(const char *text, size_t n)
{
    char *bare = malloc(n); /* not a byte more */
    const char *checked, *read;
    bool escaped = false, good;
    ait_buf out;

    ait_buf_init(&out, n - 1);
    memcpy(bare, text, n);
    checked = ait_json_string_end(bare, bare + n, &escaped);
    read = ait_json_string(bare, bare + n, &out);
    good = read == checked;
    if (good && read && !escaped)
        good = out.len == (size_t)(read - bare) - 1 &&
               memcmp(out.data, bare, out.len) == 0;
    if (good && read && escaped)
        good = out.len < (size_t)(read - bare) - 1;
    free(bare);
    ait_buf_free(&out);
    return good;
}

/* Every mix of runs and escapes against unescaping byte by byte. */
static void blocks_unescape_as_bytes_do(void)
{
    static const char *const pieces[] = {
        "a", "bcdefghijk", "0123456789abcdefgh", "\\n", "\\\"", "\\\\",
        "\\u00e9", "\\ud83d\\ude00", "\xE4\xBD\xA0",
    };
    static const char *const plain[] = {
        "a", "bcdefghijk", "0123456789abcdefgh", "\n", "\"", "\\",
        "\xC3\xA9", "\xF0\x9F\x98\x80", "\xE4\xBD\xA0",
    };
    uint64_t seed = 7;
    ait_json doc;
    ait_buf b;

    ait_json_init(&doc, 10);
    for (int round = 0; round < 20000; round++) {
        char text[512] = "\"", want[512] = "";
        size_t n = 1, w = 0;
        for (int k = round % 16; k >= 0; k--) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            size_t pick = (seed >> 33) % COUNT(pieces);
            n += (size_t)sprintf(text + n, "%s", pieces[pick]);
            w += (size_t)sprintf(want + w, "%s", plain[pick]);
        }
        text[n++] = '"';
        char *bare = malloc(n);
        memcpy(bare, text, n);
        ait_buf_init(&b, n); /* not a byte more than the text */
        if (CHECK(ait_json_parse(&doc, bare, n)) &&
            CHECK(ait_json_text(&doc, AIT_JROOT, &b)))
            CHECK(b.len == w && memcmp(b.data, want, w) == 0);
        CHECK_INT(ait_json_text_len(&doc, AIT_JROOT), w);
        CHECK(ait_json_is(&doc, AIT_JROOT, want));
        CHECK(unescapes_as_checked(bare + 1, n - 1));
        CHECK_INT(doc.node[0].escaped, memchr(bare, '\\', n) != NULL);
        ait_buf_free(&b);
        free(bare);
    }
    ait_json_free(&doc);
}

/* Every cut, and every byte in every place, around the ends of blocks. */
static void one_pass_refuses_what_the_check_does(void)
{
    static const char *const texts[] = {
        "\"", "ab\\n\"rest", "0123456789abcdef0123456789abcdef\"",
        "0123456789abcd\\\"\\u00e9 and \\ud83d\\ude00 more\": 1}",
        "\xE4\xBD\xA0\xF0\x9F\x98\x80\xC3\xA9\xE4\xBD\xA0\xE4\xBD\xA0"
        "\xE4\xBD\xA0\xE4\xBD\xA0 end of it all, and some more text\"",
        "\\u12x4\"",
        "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"
        "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"",
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        char text[128];
        size_t n = strlen(texts[i]);
        for (size_t cut = 1; cut <= n; cut++)
            CHECK(unescapes_as_checked(texts[i], cut));
        for (size_t at = 0; at < n; at++)
            for (int c = 0; c < 256; c++) {
                memcpy(text, texts[i], n);
                text[at] = (char)c;
                if (!CHECK(unescapes_as_checked(text, n)))
                    printf("# text %zu, byte %d at %zu\n", i, c, at);
            }
    }
}

/* A backslash that comes soon after a short string is not that string's. */
static void escapes_belong_to_their_string(void)
{
    read_text("{\"a\":\"\\n\",\"b\":\"x\",\"c\\\"\":\"y\"}");
    CHECK_INT(j.node[1].escaped, 0);
    CHECK_INT(j.node[2].escaped, 1);
    CHECK_INT(j.node[3].escaped, 0);
    CHECK_INT(j.node[4].escaped, 0);
    CHECK_INT(j.node[5].escaped, 1);
    CHECK_INT(j.node[6].escaped, 0);
}

int main(void)
{
    ait_json_init(&j, 1);
    RUN(members_are_found);
    RUN(of_equal_keys_the_last_wins);
    RUN(escaped_keys_are_compared_unescaped);
    RUN(pick_finds_in_any_order);
    RUN(pointers_reach_everything);
    RUN(walks_meet_each_child_once);
    RUN(values_are_exact);
    RUN(text_is_unescaped);
    RUN(nul_in_text_is_kept);
    RUN(text_appends_or_says_no);
    RUN(blocks_unescape_as_bytes_do);
    RUN(one_pass_refuses_what_the_check_does);
    RUN(escapes_belong_to_their_string);
    ait_json_free(&j);
    return t_done();
}
