/* The set of known names. */
#include "input/keys.h"

#include "harness.h"

static void finds_what_was_added(void)
{
    ait_keys k = {0};
    char names[AIT_KEYS_MAX][16];

    for (int i = 0; i < AIT_KEYS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        CHECK(ait_keys_add(&k, names[i]));
    }
    for (int i = 0; i < AIT_KEYS_MAX; i++)
        CHECK_INT(ait_keys_find(&k, names[i], strlen(names[i])), i);
    CHECK_INT(ait_keys_find(&k, "k", 1), -1);
    CHECK_INT(ait_keys_find(&k, "K1", 2), -1);
    CHECK_INT(ait_keys_find(&k, "", 0), -1);
    CHECK(!ait_keys_add(&k, "one more"));
}

static void names_alike_stay_apart(void)
{
    ait_keys k = {0};

    CHECK(ait_keys_add(&k, "abcd"));
    CHECK(ait_keys_add(&k, "axcd")); /* same length, ends and middle */
    CHECK(!ait_keys_add(&k, "abcd"));
    CHECK(!ait_keys_add(&k, ""));
    CHECK_INT(ait_keys_find(&k, "axcd", 4), 1);
    CHECK_INT(ait_keys_find(&k, "abcd", 4), 0);
    CHECK_INT(ait_keys_find(&k, "aycd", 4), -1);
}

static void long_names_are_refused(void)
{
    ait_keys k = {0};
    char name[300];

    memset(name, 'n', sizeof name);
    name[256] = '\0';
    CHECK(!ait_keys_add(&k, name));
    CHECK_INT(ait_keys_find(&k, name, 256), -1);
    name[255] = '\0';
    CHECK(ait_keys_add(&k, name));
    CHECK_INT(ait_keys_find(&k, name, 255), 0);
}

int main(void)
{
    RUN(finds_what_was_added);
    RUN(names_alike_stay_apart);
    RUN(long_names_are_refused);
    return t_done();
}
