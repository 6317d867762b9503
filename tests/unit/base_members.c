/* Objects of scalars without a tape: what is answered is what the tape
 * says, and what is plain is answered. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "members.h"

static ait_json_names names;

/* In memory of its own size, so that a byte too far is found. */
static bool agree(const char *text, size_t n, bool *answered)
{
    char *own = malloc(n ? n : 1);
    bool good;

    memcpy(own, text, n);
    good = members_agree(&names, own, n, answered);
    free(own);
    return good;
}

static const char *const plain[] = {
    " {\"a\":1}",
    "{\"a\":\"\"}",
    "{\"a\": null, \"b\" :true ,\"c\":false}\n",
    "{\"total_handler_ms\":9120.5,\"ts\":\"2026-10-01T00:00:00.075Z\"}",
    "{\"n\":0,\"n\":-0.5,\"n\":12345678,\"n\":1234567.1234567,\"n\":1e3}",
    "{\"n\":99999999999999999999999,\"n\":0.123456789012345678}",
    "{\"n\":1.5,\"n\":123456.7,\"n\":1.234567,\"n\":1234567.8,\"n\":12.34567}",
    "{\"n\":1234567,\"n\":12345678.5,\"n\":7.12345678,\"n\":0.0}",
    "{\"t\":\"a \\\"quoted\\\" text\",\"u\":\"gr\xc3\xbc\xc3\x9f\"}",
    "{\"a key of more than thirty-one bytes in all\":1,\"b\":2}",
    "{\"request_id\":\"req-000000003bab6c39\",\"model\":\"m\",\"status\":200}",
};

static const char *const others[] = {
    "",
    "{",
    "{}",
    " { } ",
    "[]",
    "1",
    "{\"a\":1}x",
    "{\"a\":1,}",
    "{,\"a\":1}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{\"a\":01}",
    "{\"a\":1.}",
    "{\"a\":.5}",
    "{\"a\":+1}",
    "{\"a\":-}",
    "{\"a\":1e}",
    "{\"a\":tru}",
    "{\"a\":\"\x01\"}",
    "{\"a\":\"\xff\"}",
    "{\"a\":\"\\x\"}",
    "{\"a\":{}}",
    "{\"a\":[1]}",
    "{\"\\u0061\":1}",
    "{\"a\":1 \"b\":2}",
};

static void plain_objects_are_read(void)
{
    bool answered;

    for (int round = 0; round < 2; round++) /* the keys are known then */
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
            CHECK(agree(plain[i], strlen(plain[i]), &answered));
            if (!CHECK(answered))
                printf("# %s\n", plain[i]);
        }
}

static void others_are_left_to_the_tape(void)
{
    bool answered;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(agree(others[i], strlen(others[i]), &answered));
        if (!CHECK(!answered))
            printf("# %s\n", others[i]);
    }
}

/* Every text cut at every place, and with every byte exchanged, also for a
 * zero byte, which ends what is read. */
static void damaged_text_is_judged_alike(void)
{
    static const char bytes[] = "\"\\{}[]:,0e.-+ nt\x01\x7f\xc3";
    char text[256];
    bool answered;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size_t n = strlen(plain[i]);
        for (size_t at = 0; at < n; at++) {
            if (!CHECK(agree(plain[i], at, &answered)))
                return;
            for (size_t b = 0; b < sizeof bytes; b++) {
                memcpy(text, plain[i], n);
                text[at] = bytes[b];
                if (!CHECK(agree(text, n, &answered)))
                    return;
            }
        }
    }
}

/* A key more than there are numbers, and a key that is too long, have none;
 * known ones keep theirs. */
static void numbers_of_keys_run_out(void)
{
    static ait_json_names all;
    char key[40];
    uint8_t first = ait_json_name_of(&all, "first", 5);

    CHECK_INT(first, 1);
    CHECK_INT(ait_json_name_of(&all, "", 0), 0);
    memset(key, 'k', sizeof key);
    CHECK_INT(ait_json_name_of(&all, key, AIT_JSON_NAME_MAX + 1), 0);
    CHECK_INT(ait_json_name_of(&all, key, AIT_JSON_NAME_MAX), 2);
    for (int i = 3; i < AIT_JSON_NAME_COUNT; i++) {
        int n = snprintf(key, sizeof key, "key %d", i);
        CHECK_INT(ait_json_name_of(&all, key, (size_t)n), i);
    }
    CHECK_INT(ait_json_name_of(&all, "one more", 8), 0);
    CHECK_INT(ait_json_name_of(&all, "first", 5), first);
    CHECK_INT(ait_json_name_of(&all, "key 255", 7), 255);
}

int main(void)
{
    RUN(plain_objects_are_read);
    RUN(others_are_left_to_the_tape);
    RUN(damaged_text_is_judged_alike);
    RUN(numbers_of_keys_run_out);
    return t_done();
}
