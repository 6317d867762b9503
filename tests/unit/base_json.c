/* The grammar: what is accepted, what is refused, where and why. */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "harness.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Parses a copy without a terminator, so that reading past the end shows
 * under the sanitizers; parse and valid must agree. */
static bool accepts(const char *text, size_t n, size_t *at, const char **why)
{
    char *bare = malloc(n ? n : 1);
    ait_json j;
    bool ok;

    if (n)
        memcpy(bare, text, n);
    ait_json_init(&j, 100000);
    ok = ait_json_parse(&j, bare, n);
    CHECK_INT(ait_json_valid(bare, n), ok);
    CHECK(ok ? j.count > 0 && !j.why : j.count == 0 && j.why != NULL);
    CHECK(!j.out_of_memory);
    CHECK(j.error_at <= n);
    *at = j.error_at;
    *why = j.why;
    ait_json_free(&j);
    free(bare);
    return ok;
}

static const char *const good[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "12",
    "1.5",
    "1e5",
    "1E+5",
    "1.25e-10",
    "123456789012345678901234567890",
    "1e400",
    "\"\"",
    "\"a\"",
    "\"0123456789abcde\"",
    "\"0123456789abcdef\"",
    "\"0123456789abcdefg\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\ude00\\ud83d\"",
    "\"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"",
    "\"0123456789abcde\\\"\"",
    "\"0123456789abcd\\u00e9\"",
    "\"0123456789abcde\xC3\xA9\"",
    "\"0123456789abc\xF0\x9F\x98\x80 more text after it\"",
    "\"\x7f\"",
    "\"\xC2\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF\"",
    "\"\xEF\xBB\xBF\"",
    "[]",
    "{}",
    "[ ]",
    "{ }",
    " \t\r\n[ 1 , 2 ] \t\r\n",
    "[[],{},[[]],{\"a\":{}}]",
    "{\"\":0}",
    "{\"a\":1,\"a\":2}",
    "{ \"a\" : [ true , null ] , \"b\" : \"c\" }",
    "[1,2.0,-3e+2,\"x\",null,true,false,{},[]]",
};

typedef struct refusal {
    const char *text;
    int at; /* offset of the error */
    const char *why;
} refusal;

#define VALUE "a value is expected"
#define AFTER "something follows the value"
#define NUMBER "invalid number"
#define OPEN "a string does not end"
#define ESCAPE "invalid escape in a string"
#define CONTROL "control character in a string"
#define UTF8 "invalid UTF-8 in a string"
#define CLOSE "a comma or a closing bracket is expected"
#define KEY "a key is expected"
#define COLON "a colon is expected"

static const refusal bad[] = {
    {"", 0, VALUE},
    {"  ", 2, VALUE},
    {"nul", 0, VALUE},
    {"nulL", 0, VALUE},
    {"True", 0, VALUE},
    {"NaN", 0, VALUE},
    {"Infinity", 0, VALUE},
    {"undefined", 0, VALUE},
    {"'a'", 0, VALUE},
    {"a", 0, VALUE},
    {"]", 0, VALUE},
    {"}", 0, VALUE},
    {",", 0, VALUE},
    {"//c\n1", 0, VALUE},
    {"/**/1", 0, VALUE},
    {"\v1", 0, VALUE},
    {"\f1", 0, VALUE},
    {"\xC2\xA0" "1", 0, VALUE},
    {"\xEF\xBB\xBF{}", 0, VALUE},
    {"[\xEF\xBB\xBF" "1]", 1, VALUE},
    {"nullx", 4, AFTER},
    {"true false", 5, AFTER},
    {"1 2", 2, AFTER},
    {"{}{}", 2, AFTER},
    {"[]]", 2, AFTER},
    {"{},", 2, AFTER},
    {"\"a\"b", 3, AFTER},
    {"{}x", 2, AFTER},
    {"{}\xEF\xBB\xBF", 2, AFTER},
    /* numbers */
    {"01", 1, AFTER},
    {"-01", 2, AFTER},
    {"00", 1, AFTER},
    {"0x1", 1, AFTER},
    {"1_0", 1, AFTER},
    {"1.5.5", 3, AFTER},
    {"1e5e5", 3, AFTER},
    {"-", 0, NUMBER},
    {"--1", 0, NUMBER},
    {"-a", 0, NUMBER},
    {"-.5", 0, NUMBER},
    {"-Infinity", 0, NUMBER},
    {"1.", 0, NUMBER},
    {"1.e5", 0, NUMBER},
    {"1e", 0, NUMBER},
    {"1e+", 0, NUMBER},
    {"1E-", 0, NUMBER},
    {"12345678.", 0, NUMBER},
    {"+1", 0, VALUE},
    {".5", 0, VALUE},
    {"[1.]", 1, NUMBER},
    {"[01]", 2, CLOSE},
    /* strings */
    {"\"", 1, OPEN},
    {"\"abc", 4, OPEN},
    {"\"0123456789abcdef", 17, OPEN},
    {"\"abc\\", 5, OPEN},
    {"\"abc\\\"", 6, OPEN},
    {"\"0123456789abcde\\", 17, OPEN},
    {"\"0123456789abcde\\\"", 18, OPEN},
    {"\"\\a\"", 1, ESCAPE},
    {"\"\\x41\"", 1, ESCAPE},
    {"\"\\'\"", 1, ESCAPE},
    {"\"\\ \"", 1, ESCAPE},
    {"\"\\\n\"", 1, ESCAPE},
    {"\"\\N\"", 1, ESCAPE},
    {"\"\\U0041\"", 1, ESCAPE},
    {"\"\\\xC3\xA9\"", 1, ESCAPE},
    {"\"\\u\"", 1, ESCAPE},
    {"\"\\u1\"", 1, ESCAPE},
    {"\"\\u12\"", 1, ESCAPE},
    {"\"\\u123\"", 1, ESCAPE},
    {"\"\\u123g\"", 1, ESCAPE},
    {"\"\\u 123\"", 1, ESCAPE},
    {"\"\\u-123\"", 1, ESCAPE},
    {"\"\\u12", 1, ESCAPE},
    {"\"\\\\\\q\"", 3, ESCAPE},
    {"\"0123456789abcde\\q\"", 16, ESCAPE},
    {"\"ab\n\"", 3, CONTROL},
    {"\"ab\t\"", 3, CONTROL},
    {"\"\x1f\"", 1, CONTROL},
    {"\"0123456789abcdefghij\x01\"", 21, CONTROL},
    {"\"\x80\"", 1, UTF8},
    {"\"\xBF\"", 1, UTF8},
    {"\"a\xC3\"", 2, UTF8},
    {"\"a\xE4\xBD\"", 2, UTF8},
    {"\"a\xF0\x9F\x98\"", 2, UTF8},
    {"\"\xC0\x80\"", 1, UTF8},
    {"\"\xC1\x81\"", 1, UTF8},
    {"\"\xE0\x80\xAF\"", 1, UTF8},
    {"\"\xF0\x80\x80\xAF\"", 1, UTF8},
    {"\"\xED\xA0\x80\"", 1, UTF8},
    {"\"\xED\xBF\xBF\"", 1, UTF8},
    {"\"\xF4\x90\x80\x80\"", 1, UTF8},
    {"\"\xF8\x88\x80\x80\x80\"", 1, UTF8},
    {"\"\xFE\"", 1, UTF8},
    {"\"\xFF\"", 1, UTF8},
    {"\"0123456789abcde\xC3\"", 16, UTF8},
    {"{\"\x80\":1}", 2, UTF8},
    {"{\"a\\q\":1}", 3, ESCAPE},
    /* containers */
    {"[", 1, VALUE},
    {"[1", 2, CLOSE},
    {"[1,", 3, VALUE},
    {"[1,]", 3, VALUE},
    {"[,1]", 1, VALUE},
    {"[1 2]", 3, CLOSE},
    {"[1}", 2, CLOSE},
    {"[1:2]", 2, CLOSE},
    {"[\"a\":1]", 4, CLOSE},
    {"[[1]", 4, CLOSE},
    {"{", 1, KEY},
    {"{,}", 1, KEY},
    {"{1:2}", 1, KEY},
    {"{a:1}", 1, KEY},
    {"{'a':1}", 1, KEY},
    {"{null:1}", 1, KEY},
    {"{]", 1, KEY},
    {"{\"a\"", 4, COLON},
    {"{\"a\"}", 4, COLON},
    {"{\"a\" 1}", 5, COLON},
    {"{\"a\",1}", 4, COLON},
    {"{\"a\"=1}", 4, COLON},
    {"{\"a\":", 5, VALUE},
    {"{\"a\":}", 5, VALUE},
    {"{\"a\"::1}", 5, VALUE},
    {"{\"a\":1", 6, CLOSE},
    {"{\"a\":1]", 6, CLOSE},
    {"{\"a\":1 \"b\":2}", 7, CLOSE},
    {"{\"a\":1,}", 7, KEY},
    {"{\"a\":1,,\"b\":2}", 7, KEY},
    {"{\"a\":1;\"b\":2}", 6, CLOSE},
};

static void good_text_is_accepted(void)
{
    const char *why;
    size_t at;

    for (size_t i = 0; i < COUNT(good); i++)
        if (!CHECK(accepts(good[i], strlen(good[i]), &at, &why)))
            printf("# %s: %s at %zu\n", good[i], why, at);
}

static void bad_text_is_refused_with_its_place(void)
{
    const char *why;
    size_t at;

    for (size_t i = 0; i < COUNT(bad); i++) {
        bool ok = accepts(bad[i].text, strlen(bad[i].text), &at, &why);
        if (!CHECK(!ok) || !CHECK_INT(at, bad[i].at) ||
            !CHECK_TEXT(why, bad[i].why))
            printf("# refusal %zu: %s\n", i, bad[i].text);
    }
}

static void nul_bytes_are_no_space(void)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {
        {"\0", 1}, {"1\0", 2}, {"[\0]", 3}, {"\"a\0b\"", 5}, {"{}\0", 3},
        {"\"\\\0\"", 4}, {"\"\\u00\0" "0\"", 8},
    };
    const char *why;
    size_t at;

    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK(!accepts(cases[i].text, cases[i].n, &at, &why));
}

static void every_truncation_is_refused(void)
{
    static const char *const samples[] = {
        "{\"type\":\"data\",\"ns\":367859976,\"req\":\"00\",\"att\":1,"
        "\"data\":\"event: a\\ndata: {\\\"k\\\":\\\"v \\u00e9\\\"}\\n\\n\"}",
        "[1.5e3,-2,true,[null,{\"a\":[]}],\"\xE4\xBD\xA0\xE5\xA5\xBD\"]",
        "{\"a\\\\\":{\"b\":{\"c\":[[[\"\\\\\\\\\\\"\"]]]}}}",
    };
    const char *why;
    size_t at;

    for (size_t i = 0; i < COUNT(samples); i++) {
        size_t n = strlen(samples[i]);
        CHECK(accepts(samples[i], n, &at, &why));
        for (size_t k = 0; k < n; k++)
            if (!CHECK(!accepts(samples[i], k, &at, &why)))
                printf("# sample %zu cut at %zu\n", i, k);
    }
}

/* Strings of every length around the block, with each kind of byte at each
 * place: the blocks' borders must not show. */
static void block_borders_do_not_show(void)
{
    static const struct {
        const char *piece;
        bool ok;
    } pieces[] = {
        {"x", true},        {"\\\"", true},       {"\\\\", true},
        {"\\n", true},      {"\\t", true},        {"\\u00e9", true},
        {"\\u00g9", false}, {"\xC3\xA9", true},   {"\xE4\xBD\xA0", true},
        {"\xF0\x9F\x98\x80", true}, {"\x80", false}, {"\xC3", false},
        {"\x01", false},    {"\\q", false},       {"\\\\\\\\\\\"", true},
    };
    const char *why;
    char text[160];
    size_t at;

    for (size_t k = 0; k < COUNT(pieces); k++) {
        for (size_t before = 0; before < 68; before++) {
            for (size_t after = 0; after < 36; after++) {
                size_t n = 0, len = strlen(pieces[k].piece);
                text[n++] = '"';
                memset(text + n, 'a', before);
                n += before;
                memcpy(text + n, pieces[k].piece, len);
                n += len;
                memset(text + n, 'b', after);
                n += after;
                text[n++] = '"';
                if (!CHECK_INT(accepts(text, n, &at, &why), pieces[k].ok)) {
                    printf("# piece %zu after %zu\n", k, before);
                    return;
                }
            }
        }
    }
}

static void nest(char *text, int depth, char open, char close)
{
    memset(text, open, (size_t)depth);
    memset(text + depth, close, (size_t)depth);
}

static void depth_is_bounded(void)
{
    static char text[400000];
    const char *why;
    size_t at;

    nest(text, AIT_JSON_DEPTH, '[', ']');
    CHECK(accepts(text, 2 * AIT_JSON_DEPTH, &at, &why));
    nest(text, AIT_JSON_DEPTH + 1, '[', ']');
    CHECK(!accepts(text, 2 * AIT_JSON_DEPTH + 2, &at, &why));
    CHECK_INT(at, AIT_JSON_DEPTH);
    CHECK_TEXT(why, "nested too deeply");
    nest(text, 200000, '[', ']');
    CHECK(!accepts(text, 400000, &at, &why));
    for (int i = 0; i < 80000; i++)
        memcpy(text + (size_t)i * 5, "{\"a\":", 5);
    CHECK(!accepts(text, sizeof text, &at, &why));
    CHECK_INT(at, 5 * AIT_JSON_DEPTH);
}

static void nodes_are_bounded(void)
{
    ait_json j;

    ait_json_init(&j, 4);
    CHECK(ait_json_parse(&j, "[1,2,3]", 7));
    CHECK_INT(j.count, 4);
    CHECK(!ait_json_parse(&j, "[1,2,3,4]", 9));
    CHECK(j.out_of_memory);
    CHECK_INT(j.count, 0);
    CHECK(ait_json_valid("[1,2,3,4]", 9));
    CHECK(ait_json_parse(&j, "true", 4));
    CHECK(!j.out_of_memory);
    CHECK_INT(ait_json_type(&j, AIT_JROOT), AIT_J_TRUE);
    ait_json_free(&j);
    ait_json_init(&j, 0);
    CHECK(!ait_json_parse(&j, "1", 1));
    CHECK(j.out_of_memory);
    ait_json_free(&j);
}

static void failing_memory_is_said(void)
{
    static char text[2001];
    ait_json j;

    memset(text, ',', sizeof text);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = '7';
    text[0] = '[';
    text[2000] = ']';
    for (long n = 1; n <= 6; n++) {
        ait_json_init(&j, 10000);
        ait_mem_fail_after(n);
        bool ok = ait_json_parse(&j, text, sizeof text);
        ait_mem_fail_after(0);
        CHECK_INT(ok, n > 5); /* 64 nodes doubled four times */
        CHECK_INT(j.out_of_memory, !ok);
        CHECK(ait_json_parse(&j, text, sizeof text));
        CHECK_INT(j.count, 1001);
        ait_json_free(&j);
    }
}

/* ---- another reader's word --------------------------------------------- */

static bool other_accepts(const char *text)
{
    const char *end = NULL;
    cJSON *c = cJSON_ParseWithOpts(text, &end, 1);
    bool ok = c != NULL;

    cJSON_Delete(c);
    return ok;
}

/* cJSON is the more lenient of the two: all that we accept it accepts, and
 * all that it refuses we refuse. What it takes wrongly is in `bad`. */
static void the_other_reader_refuses_no_more(void)
{
    size_t wrongly = 0;

    for (size_t i = 0; i < COUNT(good); i++) {
        /* two things that cJSON does not hold: lone surrogates, NUL */
        if (strstr(good[i], "\\ud800") || strstr(good[i], "\\ude00\\ud83d"))
            continue;
        if (!CHECK(other_accepts(good[i])))
            printf("# %s\n", good[i]);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        wrongly += other_accepts(bad[i].text);
    CHECK(wrongly > 10); /* else the oracle is not asked what matters */
}

/* ---- random damage ----------------------------------------------------- */

static uint64_t seed = 2026;

static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((seed >> 33) % n);
}

static void damage(char *text, size_t *n)
{
    static const char bytes[] = "\"\\{}[],:0123456789.eE+-untrfals\x01\x80"
                                "\xC3\xA9 \n";
    size_t at = random_below((uint32_t)*n);

    switch (random_below(3)) {
    case 0:
        text[at] = bytes[random_below(sizeof bytes - 1)];
        break;
    case 1:
        memmove(text + at, text + at + 1, *n - at - 1);
        *n -= *n > 1;
        break;
    default:
        memmove(text + at + 1, text + at, *n - at);
        text[at] = bytes[random_below(sizeof bytes - 1)];
        (*n)++;
    }
}

/* Is the order of the tape sound: every node inside its parent? */
static void check_tape(const ait_json *j)
{
    for (uint32_t i = 0; i < j->count; i++) {
        const ait_jnode *n = &j->node[i];
        CHECK((size_t)n->off + n->len <= j->len);
        CHECK(n->next > i && n->next <= j->count);
        for (uint32_t k = i + 1; k < n->next; k++)
            CHECK(j->node[k].next <= n->next);
    }
}

static bool other_accepts_bytes(const char *text, size_t n)
{
    cJSON *c = cJSON_ParseWithLength(text, n);
    bool ok = c != NULL;

    cJSON_Delete(c);
    return ok;
}

/* No crash on anything, the two ways of checking agree, and what we accept
 * the lenient reader accepts, too (it does not take lone surrogates). */
static void damaged_text_is_judged_alike(void)
{
    int accepted = 0;
    ait_json j;

    ait_json_init(&j, 1000);
    for (int round = 0; round < 60000; round++) {
        const char *sample = good[random_below(COUNT(good))];
        size_t n = strlen(sample);
        char *text = malloc(n + 8);
        memcpy(text, sample, n);
        for (uint32_t k = 1 + random_below(3); k > 0; k--)
            damage(text, &n);
        text = realloc(text, n); /* nothing behind the text */
        bool ok = ait_json_parse(&j, text, n);
        CHECK_INT(ait_json_valid(text, n), ok);
        if (ok) {
            accepted++;
            check_tape(&j);
            if (!memchr(text, 'u', n))
                CHECK(other_accepts_bytes(text, n));
        }
        free(text);
    }
    CHECK(accepted > 1000);
    ait_json_free(&j);
}

int main(void)
{
    RUN(good_text_is_accepted);
    RUN(bad_text_is_refused_with_its_place);
    RUN(nul_bytes_are_no_space);
    RUN(every_truncation_is_refused);
    RUN(block_borders_do_not_show);
    RUN(depth_is_bounded);
    RUN(nodes_are_bounded);
    RUN(failing_memory_is_said);
    RUN(the_other_reader_refuses_no_more);
    RUN(damaged_text_is_judged_alike);
    return t_done();
}
