/* Strings read in one go: the same as parsed and then unescaped. */
#include "base/json.h"

#include "harness.h"

static ait_json j;

/* Both ways over `body` between quotes, with `pad` bytes behind it. */
static void compare(const char *body, size_t n, size_t pad)
{
    ait_buf text, one, two;
    const char *behind;
    bool good;

    ait_buf_init(&text, 1 << 16);
    ait_buf_init(&one, 1 << 16);
    ait_buf_init(&two, 1 << 16);
    ait_buf_addc(&text, '"');
    ait_buf_add(&text, body, n);
    ait_buf_addc(&text, '"');
    good = ait_json_parse(&j, text.data, text.len) &&
           ait_json_text(&j, AIT_JROOT, &one);
    for (size_t i = 0; i < pad; i++)
        ait_buf_addc(&text, i % 3 ? 'x' : '"');
    ait_buf_adds(&two, "kept");
    behind = ait_json_string(text.data + 1, text.data + text.len, &two);
    if (good) {
        CHECK(behind == text.data + n + 2);
        CHECK_INT(two.len, one.len + 4);
        CHECK(memcmp(two.data + 4, one.data, one.len) == 0);
    } else {
        /* a quote of the padding may end what has no end of its own */
        CHECK(!behind || behind > text.data + n + 2 || memchr(body, '"', n));
    }
    CHECK(memcmp(two.data, "kept", 4) == 0);
    ait_buf_free(&text);
    ait_buf_free(&one);
    ait_buf_free(&two);
}

static const char *const bodies[] = {
    "",
    "a",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/\\b\\f\\r\\t",
    "\\u0041",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud800",
    "\\ud800x",
    "\\udc00\\ud800",
    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
    "\x7f",
    "data: {\\\"a\\\":[1,\\\"b\\\"]}\\n\\n",
    /* not valid */
    "\\",
    "\\x",
    "\\u12",
    "\\u12g4",
    "\x01",
    "\n",
    "\xff",
    "\xc3",
    "\xc3x",
    "\xed\xa0\x80",
    "\xc0\x80",
    "\\\xc3\xa9",
};

/* Each body at every place of a block, with much and little behind it. */
static void both_ways_agree(void)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (size_t before = 0; before < 40; before++) {
            char text[256];
            int n = snprintf(text, sizeof text, "%.*s%s%.*s", (int)before,
                             "0123456789abcdefghijklmnopqrstuvwxyzABCDEF",
                             bodies[i], (int)(before % 7), "tttttttt");

            compare(text, (size_t)n, 0);
            compare(text, (size_t)n, 1);
            compare(text, (size_t)n, 40);
        }
}

static void what_has_no_end_is_refused(void)
{
    ait_buf out;
    char text[100];

    memset(text, 'a', sizeof text);
    ait_buf_init(&out, 1 << 10);
    for (size_t n = 0; n < sizeof text; n++)
        CHECK(!ait_json_string(text, text + n, &out));
    CHECK_INT(out.len, 0);
    ait_buf_free(&out);
}

static void a_full_buffer_stays_as_it_was(void)
{
    ait_buf out;

    ait_buf_init(&out, 20);
    ait_buf_adds(&out, "kept");
    CHECK(!ait_json_string(bodies[14], bodies[14] + 20, &out));
    CHECK_TEXT(out.data, "kept");
    ait_buf_free(&out);
}

int main(void)
{
    ait_json_init(&j, 100);
    RUN(both_ways_agree);
    RUN(what_has_no_end_is_refused);
    RUN(a_full_buffer_stays_as_it_was);
    ait_json_free(&j);
    return t_done();
}
