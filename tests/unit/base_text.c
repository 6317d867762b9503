/* The only way to a stored string: repaired, capped, masked. */
#include "base/text.h"

#include <stdlib.h>

#include "base/scan.h"
#include "harness.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define FFFD "\xEF\xBF\xBD"

static unsigned keep(const char *s, size_t n, char *out)
{
    char *bare = malloc(n ? n : 1); /* no terminator to lean on */
    unsigned bits;

    if (n)
        memcpy(bare, s, n);
    bits = ait_keep_text(bare, n, out);
    free(bare);
    return bits;
}

static void plain_text_is_kept(void)
{
    static const char *const texts[] = {
        "", "a", "gpt-5.6-luna", "req-000000-d0badd278d398f88", "1234567",
        "12345678", "claude \"quoted\" \\ ~", "你好, héllo",
    };
    char out[AIT_TEXT_MAX + 1];

    for (size_t i = 0; i < COUNT(texts); i++) {
        CHECK_INT(keep(texts[i], strlen(texts[i]), out), 0);
        CHECK_TEXT(out, texts[i]);
    }
}

static void control_characters_are_replaced(void)
{
    char out[AIT_TEXT_MAX + 1];

    CHECK_INT(keep("a\nb", 3, out), AIT_TEXT_CONTROL);
    CHECK_TEXT(out, "a?b");
    CHECK_INT(keep("a\0b", 3, out), AIT_TEXT_CONTROL);
    CHECK_TEXT(out, "a?b");
    CHECK_INT(keep("abcdefghijk\x7f", 12, out), AIT_TEXT_CONTROL);
    CHECK_TEXT(out, "abcdefghijk?");
    CHECK_INT(keep("\x7f", 1, out), AIT_TEXT_CONTROL);
    /* U+009B starts a terminal sequence as ESC [ does */
    CHECK_INT(keep("x\xC2\x9B" "31m", 6, out), AIT_TEXT_CONTROL);
    CHECK_TEXT(out, "x?31m");
    CHECK_INT(keep("x\xC2\xA0y", 4, out), 0);
}

/* Each byte at each place of a text of each length near the word size. */
static void every_byte_is_judged_alike_everywhere(void)
{
    char text[24], out[AIT_TEXT_MAX + 1];

    for (size_t n = 1; n <= sizeof text; n++) {
        for (size_t at = 0; at < n; at++) {
            for (int c = 0; c < 256; c++) {
                unsigned want = c >= 0x80             ? AIT_TEXT_UTF8
                                : c < 0x20 || c == 0x7f ? AIT_TEXT_CONTROL
                                                        : 0;
                memset(text, 'q', n);
                text[at] = (char)c;
                if (!CHECK_INT(ait_keep_text(text, n, out), want))
                    return;
            }
        }
    }
}

static void invalid_utf8_is_replaced(void)
{
    char out[AIT_TEXT_MAX + 1];

    CHECK_INT(keep("a\x80" "b", 3, out), AIT_TEXT_UTF8);
    CHECK_TEXT(out, "a" FFFD "b");
    CHECK_INT(keep("\xE4\xBD", 2, out), AIT_TEXT_UTF8);
    CHECK_TEXT(out, FFFD FFFD);
    CHECK_INT(keep("\xC0\xAF\x01", 3, out),
              AIT_TEXT_UTF8 | AIT_TEXT_CONTROL);
    CHECK_TEXT(out, FFFD FFFD "?");
}

static void long_text_is_cut_at_a_character(void)
{
    char text[300], out[AIT_TEXT_MAX + 1];

    memset(text, 'q', sizeof text);
    CHECK_INT(keep(text, 128, out), 0);
    CHECK_INT(strlen(out), 128);
    CHECK_INT(keep(text, 129, out), AIT_TEXT_CUT);
    CHECK_INT(strlen(out), 128);
    memcpy(text + 126, "\xE4\xBD\xA0", 3);
    CHECK_INT(keep(text, 300, out), AIT_TEXT_CUT);
    CHECK_INT(strlen(out), 126);
    memcpy(text + 125, "\xE4\xBD\xA0q", 4);
    CHECK_INT(keep(text, 128, out), 0);
    CHECK_INT(strlen(out), 128);
    text[127] = '\x80'; /* three bytes when replaced: no room */
    text[125] = text[126] = 'q';
    CHECK_INT(keep(text, 128, out), AIT_TEXT_CUT);
    CHECK_INT(strlen(out), 127);
}

static const char *const keys[] = {
    "sk-0123456789abcdef",
    "sk-0123456789abc", /* 16 characters in all */
    "sk-proj-0123456789abcdef",
    "sk_live_0123456789abcdef",
    "AIzaSyA0123456789abcdef",
    "AKIA0123456789abcdef",
    "ghp_0123456789abcdef",
    "xoxb-0123456789abcdef",
    "Bearer 0123456789abcdef",
    "eyJhbGciOiJIUzI1NiJ9.e30.x",
    "key=sk-0123456789abcdef",
    "user sk-0123456789abcdef tail",
    "-sk-0123456789abcdef",
    "\"eyJ0123456789abcdef",
    "\xC3\xA9sk-0123456789abcdef",
    "sk-0123456789abcde\xC3\xA9",
    "sk-\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
};

static const char *const no_keys[] = {
    "sk-0123456789ab",          /* 15 characters in all */
    "task-0123456789abcdef",    /* after a letter */
    "9sk-0123456789abcdef",     /* after a digit */
    "SK-0123456789abcdef",      /* another case */
    "sk-\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
    "gpt-5.6-luna-2026-10-03-preview",
    "heyJ0123456789abcdef",
    "masked-0123456789abcdef",
};

static void keys_are_masked_stably(void)
{
    char out[AIT_TEXT_MAX + 1], again[AIT_TEXT_MAX + 1];

    for (size_t i = 0; i < COUNT(keys); i++) {
        size_t n = strlen(keys[i]);
        if (!CHECK_INT(keep(keys[i], n, out), AIT_TEXT_MASKED))
            printf("# key %zu\n", i);
        CHECK_INT(strlen(out), 7 + 16);
        CHECK(strncmp(out, "masked-", 7) == 0);
        CHECK_INT(strspn(out + 7, "0123456789abcdef"), 16);
        CHECK_INT(keep(keys[i], n, again), AIT_TEXT_MASKED);
        CHECK_TEXT(again, out);
        CHECK_INT(keep(out, strlen(out), again), 0);
        CHECK_TEXT(again, out);
        CHECK(!ait_is_identifier(keys[i], n));
    }
    for (size_t i = 0; i < COUNT(no_keys); i++)
        if (!CHECK(!(keep(no_keys[i], strlen(no_keys[i]), out) &
                     AIT_TEXT_MASKED)))
            printf("# no key %zu\n", i);
}

static const char *const addresses[] = {
    "jane@example.com", "jane.doe+x@mail.example.co.uk", "<j@example.com>",
    "user:j@example.com;x", "j@example.com.", "j%40example.com",
    "/v1/users/j@example.com/x", "j@b\xC3\xBC" "cher.de",
    "\xC3\xA9@example.com", "x\x01@example.com", "j@example.com-\xC2\x85",
    "10.1.2.3", "10.1.2.3:8080", "gw-10.1.2.3.log", "255.255.255.255",
    "host=10.1.2.3,x", "::ffff:10.1.2.3", "a.10.1.2.3",
    "2001:db8::1", "::1", "fe80::1%eth0", "[2001:DB8::1]:8080", "[::1]",
    "1:2:3:4:5:6:7:8", "1::8",
};

static const char *const no_addresses[] = {
    "name@20240620", "claude-3-5-sonnet@20240620", "m@v1.2", "name@host",
    "@example.com", "see @example.com", "j@example.c", "j@.com", "j@com",
    "j@example.com9", "a%4b.com", "a@",
    "1.2.3", "1.2.3.4.5", "v1.2.3.4", "1.2.3.256", "2026.10.03.12",
    "1.2.3.4x", "1..2.3", "gpt-5.6-luna", "x10.1.2.3", "1.26.10.03",
    "12:34:56", "2026-10-03T10:00:00", "a:b", "00:1a:2b:3c:4d:5e",
    "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "1:::2", "12345::1",
    "g::1", "[::1", "std::vector", "1:2:3:4::5:6:7:8:",
};

static void addresses_are_masked_stably(void)
{
    char out[AIT_TEXT_MAX + 1], again[AIT_TEXT_MAX + 1];

    for (size_t i = 0; i < COUNT(addresses); i++) {
        size_t n = strlen(addresses[i]);
        if (!CHECK_INT(keep(addresses[i], n, out), AIT_TEXT_MASKED))
            printf("# %s\n", addresses[i]);
        CHECK_INT(strlen(out), 7 + 16);
        CHECK_INT(keep(addresses[i], n, again), AIT_TEXT_MASKED);
        CHECK_TEXT(again, out);
        CHECK_INT(keep(out, strlen(out), again), 0);
        CHECK(!ait_is_identifier(addresses[i], n));
    }
    for (size_t i = 0; i < COUNT(no_addresses); i++) {
        size_t n = strlen(no_addresses[i]);
        if (!CHECK_INT(keep(no_addresses[i], n, out), 0))
            printf("# %s\n", no_addresses[i]);
    }
    CHECK(ait_is_identifier("v1.2.3.4", 8));
    CHECK(ait_is_identifier("12:34:56", 8));
}

/* The cut leaves four numbers of five. */
static void an_address_is_not_made_by_the_cut(void)
{
    char text[140], out[AIT_TEXT_MAX + 1];

    memset(text, '-', sizeof text);
    memcpy(text + 121, "1.2.3.4.5", 9);
    CHECK_INT(keep(text, sizeof text, out), AIT_TEXT_MASKED);
}

static void keys_differ_when_masked(void)
{
    char a[AIT_TEXT_MAX + 1], b[AIT_TEXT_MAX + 1], text[400];

    keep("sk-0123456789abcdef", 19, a);
    keep("sk-0123456789abcdeg", 19, b);
    CHECK(strcmp(a, b) != 0);
    /* a key behind the cap masks the value, too */
    memset(text, '.', sizeof text);
    memcpy(text + 200, keys[0], strlen(keys[0]));
    CHECK_INT(keep(text, sizeof text, a), AIT_TEXT_MASKED);
    text[399] = '!';
    CHECK_INT(keep(text, sizeof text, b), AIT_TEXT_MASKED);
    CHECK(strcmp(a, b) != 0);
}

/* Kept text is valid, bounded, and a second pass changes nothing. */
static void keeping_twice_is_keeping_once(void)
{
    static const char alphabet[] = "sk-_eyJxoxAIzaKghp_Bearer q@.com:1."
                                   "\x01\x7f\x80"
                                   "\xC3\xA9\xE4\xBD\xA0\xF0\x9F\x98\x80";
    uint64_t seed = 99;
    char text[200], once[AIT_TEXT_MAX + 1], twice[AIT_TEXT_MAX + 1];

    for (int round = 0; round < 20000; round++) {
        size_t n = 0;
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        size_t want = seed >> 57;
        for (uint64_t x = seed; n < want; n++) {
            x = x * UINT64_C(6364136223846793005) + 1;
            text[n] = alphabet[(x >> 40) % (sizeof alphabet - 1)];
        }
        ait_keep_text(text, n, once);
        size_t len = strlen(once);
        CHECK(len <= AIT_TEXT_MAX);
        CHECK_INT(ait_utf8_valid(once, len), len);
        if (!CHECK_INT(ait_keep_text(once, len, twice), 0) ||
            !CHECK_TEXT(twice, once))
            return;
    }
}

static void identifiers_are_words(void)
{
    char text[65];

    memset(text, 'a', sizeof text);
    CHECK(ait_is_identifier("rate_limit_exceeded", 19));
    CHECK(ait_is_identifier("a.b:c,d-e_9", 11));
    CHECK(ait_is_identifier(text, 64));
    CHECK(!ait_is_identifier(text, 65));
    CHECK(!ait_is_identifier("", 0));
    CHECK(!ait_is_identifier("two words", 9));
    CHECK(!ait_is_identifier("a\0b", 3));
    CHECK(!ait_is_identifier("h\xC3\xA9", 3));
    CHECK(!ait_is_identifier("a/b", 3));
}

typedef struct pair {
    const char *text, *want;
} pair;

static void paths_lose_host_and_query(void)
{
    static const pair cases[] = {
        {"", ""},
        {"/", "/"},
        {"/v1/chat/completions", "/v1/chat/completions"},
        {"/v1/x?api_key=secret", "/v1/x"},
        {"/v1/x#frag", "/v1/x"},
        {"/v1/x#a?b", "/v1/x"},
        {"/v1beta/models/g:streamGenerateContent?key=1",
         "/v1beta/models/g:streamGenerateContent"},
        {"https://api.example.com/v1/x?y", "/v1/x"},
        {"https://user:pass@api.example.com:8443/v1", "/v1"},
        {"https://api.example.com", "/"},
        {"https://api.example.com?key=1", "/"},
        {"//api.example.com/v1", "/v1"},
        {"api.example.com/v1", "/v1"},
        {"10.0.0.1:8080/v1", "/v1"},
        {"10.0.0.1", "/"},
        {"[::1]:80/v1", "/v1"},
        {"me@example.com", "/"},
        {"v1/models", "v1/models"},
        {"models/g:generate", "models/g:generate"},
        {"/x?u=https://b/c", "/x"},
        {"?q", ""},
        {"/a\nb", "/a?b"},
    };
    char out[AIT_TEXT_MAX + 1];

    for (size_t i = 0; i < COUNT(cases); i++) {
        ait_keep_path(cases[i].text, strlen(cases[i].text), out);
        CHECK_TEXT(out, cases[i].want);
    }
    ait_keep_path("/k/sk-0123456789abcdef", 22, out);
    CHECK(strncmp(out, "masked-", 7) == 0);
}

static void hosts_lose_everything_else(void)
{
    static const pair cases[] = {
        {"", ""},
        {"https://api.example.com/v1?x", "api.example.com"},
        {"https://API.Example.com:8443", "api.example.com"},
        {"https://user:pass@host.example/x", "host.example"},
        {"https://a@b@host.example/x", "host.example"},
        {"host.example:443", "host.example"},
        {"host.example.", "host.example"},
        {"localhost", "localhost"},
        {"//cdn.example/x", "cdn.example"},
        {"http://my_host-1/x", "my_host-1"},
        {"10.0.0.1", ""},
        {"10.0.0.1:80", ""},
        {"http://10.0.0.1/x", ""},
        {"http://10.0.0.1./x", ""},
        {"http://0x7f.1/", ""},
        {"http://127.0x1/", ""},
        {"2130706433", ""},
        {"[2001:db8::1]:443", ""},
        {"https://[::1]/x", ""},
        {"2001:db8::1", ""},
        {"::1", ""},
        {"/v1/x", ""},
        {"https:///x", ""},
        {"not a host", ""},
        {"h\xC3\xB6st.example", ""},
        {"host.example:80x", ""},
        {"7up.example", "7up.example"},
    };
    char out[AIT_TEXT_MAX + 1];

    for (size_t i = 0; i < COUNT(cases); i++) {
        ait_keep_host(cases[i].text, strlen(cases[i].text), out);
        if (!CHECK_TEXT(out, cases[i].want))
            printf("# host %s\n", cases[i].text);
    }
    ait_keep_host("a\0b", 3, out);
    CHECK_TEXT(out, "");
}

static void utf8_is_judged_by_the_standard(void)
{
    static const struct {
        const char *text;
        size_t len, valid;
    } cases[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"abcdefghij\x80", 11, 10},
        {"\x7f\xC2\x80\xDF\xBF", 5, 5},
        {"\xE0\xA0\x80\xEF\xBF\xBF", 6, 6},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8, 8},
        {"\xC0\x80", 2, 0},
        {"\xC1\xBF", 2, 0},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xED\x9F\xBF", 3, 3},
        {"\xED\xA0\x80", 3, 0},
        {"\xEE\x80\x80", 3, 3},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF4\x90\x80\x80", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"a\xBF", 2, 1},
        {"a\xE4\xBD", 3, 1},
        {"a\xF0\x9F\x98", 4, 1},
        {"a\xC3" "b", 3, 1},
        {"\xFF", 1, 0},
        {"\0\0", 2, 2},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        if (!CHECK_INT(ait_utf8_valid(cases[i].text, cases[i].len),
                       cases[i].valid))
            printf("# UTF-8 case %zu\n", i);
}

static void blank_is_what_the_definitions_say(void)
{
    static const char white[] = " \t\r\n\xC2\xA0\xE2\x80\x80\xE2\x80\x8B"
                                "\xE2\x80\xA8\xE2\x80\xA9\xE3\x80\x80"
                                "\xEF\xBB\xBF";
    CHECK(ait_is_blank("", 0));
    CHECK(ait_is_blank(white, sizeof white - 1));
    CHECK(!ait_is_blank("a", 1));
    CHECK(!ait_is_blank(" a", 2));
    CHECK(!ait_is_blank("\v", 1));
    CHECK(!ait_is_blank("\0", 1));
    CHECK(!ait_is_blank("\xE2\x80\x8C", 3)); /* U+200C */
    CHECK(!ait_is_blank("\xE2\x81\x9F", 3)); /* U+205F */
    CHECK(!ait_is_blank("\xE2\x80", 2));
    CHECK(!ait_is_blank("\x80", 1));
}

static void base64_is_strict(void)
{
    static const pair good[] = {
        {"", ""},           {"Zg==", "f"},      {"Zm8=", "fo"},
        {"Zm9v", "foo"},    {"Zm9vYg==", "foob"}, {"+/+/", "\xFB\xFF\xBF"},
        {"Zm9vYmE=", "fooba"},
    };
    static const char *const bad[] = {
        "Z",        "Zg",   "Zg=",  "Zg===",     "Z===", "====", "Zm9v\n",
        "Zm 9",     "Zh==", "Zm9=", "Zg==Zg==",  "Zm9-", "Zm_v", "=m9v",
        "Zm=v",     "\xC3\xA9==",
    };
    ait_buf b;

    ait_buf_init(&b, 100);
    for (size_t i = 0; i < COUNT(good); i++) {
        ait_buf_clear(&b);
        ait_buf_adds(&b, ">");
        CHECK(ait_base64_read(good[i].text, strlen(good[i].text), &b));
        CHECK_TEXT(b.data + 1, good[i].want);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        ait_buf_clear(&b);
        ait_buf_adds(&b, "kept");
        if (!CHECK(!ait_base64_read(bad[i], strlen(bad[i]), &b)))
            printf("# base64 %s\n", bad[i]);
        CHECK_TEXT(b.data, "kept");
        CHECK_INT(b.len, 4);
    }
    ait_buf_free(&b);
    ait_buf_init(&b, 2);
    CHECK(!ait_base64_read("Zm9v", 4, &b));
    ait_buf_free(&b);
}

static void nearest_word_is_near(void)
{
    static const char *const words[] = {"provider", "model", "since",
                                        "status", "group", NULL};

    CHECK_TEXT(ait_nearest("provder", words), "provider");
    CHECK_TEXT(ait_nearest("models", words), "model");
    CHECK_TEXT(ait_nearest("stat", words), "status");
    CHECK_TEXT(ait_nearest("gruop", words), "group");
    CHECK_TEXT(ait_nearest("model", words), "model");
    CHECK(ait_nearest("banana", words) == NULL);
    CHECK(ait_nearest("x", words) == NULL);
    CHECK(ait_nearest("", words) == NULL);
    CHECK(ait_nearest("a-very-long-option-name-that-no-program-has-ever",
                      words) == NULL);
}

/* Both ways of looking at a block say the same of every byte. */
static void block_masks_agree(void)
{
    uint64_t seed = 5;
    char block[AIT_BLOCK];

    for (int round = 0; round < 20000; round++) {
        uint32_t special = 0, quote = 0;
        for (int i = 0; i < AIT_BLOCK; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 99;
            unsigned char c = (unsigned char)(seed >> 50);
            c = round % 3 ? c : (unsigned char)"\"\\ \x1f"[c & 3];
            block[i] = (char)c;
            if (c == '"' || c == '\\' || c < 0x20 || c >= 0x80)
                special |= 1u << i;
            if (c == '"')
                quote |= 1u << i;
        }
        CHECK_INT(ait_special(block), special);
        CHECK_INT(ait_special_words(block), special);
        CHECK_INT(ait_equal(block, '"'), quote);
        if (!CHECK_INT(ait_equal_words(block, '"'), quote))
            return;
    }
}

/* What is told at once is what the whole way says, for every length and with
 * every byte at every place of texts that come close to being changed. */
static void kept_whole_is_kept_as_it_is(void)
{
    static const char *const near[] = {
        "gpt-5.6-luna", "req-000000003bab6c39", "stop", "a.b.c", "1.2.3.4",
        "10.20.30.40", "x@y.org", "::1", "fe80::1", "a%40b.org",
        "sk-0123456789abcd", "x sk-0123456789abcd", "eyJhbGciOiJIUzI1NiJ9",
        "Bearer 0123456789", "user%40example", "2026-10-01T00:00:00Z",
        "a text of more than sixty-four bytes, which nobody would have to read",
    };
    char text[80], out[AIT_TEXT_MAX + 1];
    int whole = 0;

    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        for (size_t at = 0, n = strlen(near[i]); at <= n; at++)
            for (int c = 0; c < 256; c++) {
                memcpy(text, near[i], n);
                text[at] = (char)c; /* behind the end, too: one more */
                size_t len = at == n ? n + 1 : n;
                if (!ait_is_kept_whole(text, len))
                    continue;
                whole++;
                if (!CHECK_INT(ait_keep_text(text, len, out), 0) ||
                    !CHECK(strlen(out) == len && !memcmp(out, text, len)))
                    return;
            }
    CHECK(whole > 1000); /* else nothing was asked */
    CHECK(ait_is_kept_whole("gpt-5.6-luna", 12));
    CHECK(!ait_is_kept_whole("1.2.3.4", 7));
    CHECK(!ait_is_kept_whole("", 0));
}

static void file_names_have_no_folders(void)
{
    char out[AIT_TEXT_MAX + 1];

    ait_keep_file_name("/home/anna/a.jsonl", out);
    CHECK_TEXT(out, "a.jsonl");
    ait_keep_file_name("a.jsonl", out);
    CHECK_TEXT(out, "a.jsonl");
    ait_keep_file_name("-", out);
    CHECK_TEXT(out, "-");
    ait_keep_file_name("a\nb", out);
    CHECK_TEXT(out, "a?b");
}

static void digits_of_a_block_are_told(void)
{
    for (int c = 0; c < 256; c++) {
        for (int at = 0; at < AIT_BLOCK; at++) {
            char block[AIT_BLOCK], other[AIT_BLOCK];
            bool digit = c >= '0' && c <= '9';
            uint32_t bit = UINT32_C(1) << at, want = digit ? 0 : bit;
            memset(block, '5', sizeof block);
            memcpy(other, block, sizeof block);
            block[at] = (char)c;
            CHECK_INT(ait_not_digits(block), want);
            CHECK_INT(ait_not_digits_words(block), want);
            want = c == '5' ? 0xffff : 0xffff & ~bit;
            CHECK_INT(ait_same(block, other), want);
            if (!CHECK_INT(ait_same_words(block, other), want))
                return;
        }
    }
}

/* Against the plain way: a backslash that is not escaped escapes the next.
 * All patterns of 16 bits, low, high and across the middle of the span. */
static void escapes_of_a_span_are_found(void)
{
    for (uint32_t round = 0; round < 0x60000; round++) {
        uint32_t slashes = (round & 0xffff) << (round >> 16) / 2 * 8;
        uint32_t first = round >> 16 & 1, carry = first, next = first;
        uint32_t want = 0;
        for (int i = 0; i < AIT_SPAN; i++) {
            want |= next << i;
            next = next ? 0 : slashes >> i & 1;
        }
        if (!CHECK_INT(ait_escaped(slashes, &carry), want) ||
            !CHECK_INT(carry, next))
            return;
    }
}

int main(void)
{
    RUN(plain_text_is_kept);
    RUN(control_characters_are_replaced);
    RUN(every_byte_is_judged_alike_everywhere);
    RUN(invalid_utf8_is_replaced);
    RUN(long_text_is_cut_at_a_character);
    RUN(keys_are_masked_stably);
    RUN(addresses_are_masked_stably);
    RUN(an_address_is_not_made_by_the_cut);
    RUN(keys_differ_when_masked);
    RUN(keeping_twice_is_keeping_once);
    RUN(identifiers_are_words);
    RUN(paths_lose_host_and_query);
    RUN(hosts_lose_everything_else);
    RUN(utf8_is_judged_by_the_standard);
    RUN(blank_is_what_the_definitions_say);
    RUN(base64_is_strict);
    RUN(nearest_word_is_near);
    RUN(block_masks_agree);
    RUN(kept_whole_is_kept_as_it_is);
    RUN(file_names_have_no_folders);
    RUN(digits_of_a_block_are_told);
    RUN(escapes_of_a_span_are_found);
    return t_done();
}
