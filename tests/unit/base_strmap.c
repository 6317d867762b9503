/* The map against a plain array, and the hash against published values. */
#include "base/strmap.h"

#include <stdlib.h>

#include "base/mem.h"
#include "harness.h"

static int numbers[2000];

static const char *name(int i, size_t *len)
{
    static char text[32];

    *len = (size_t)snprintf(text, sizeof text, "key-%d", i);
    return text;
}

static void empty_map_answers(void)
{
    ait_strmap m;
    const char *key;
    size_t at = 0, len;
    void *value;

    ait_strmap_init(&m);
    CHECK(ait_strmap_get(&m, "x", 1) == NULL);
    CHECK(ait_strmap_take(&m, "x", 1) == NULL);
    CHECK(!ait_strmap_each(&m, &at, &key, &len, &value));
    ait_strmap_free(&m);
}

static void keys_are_bytes(void)
{
    ait_strmap m;

    ait_strmap_init(&m);
    CHECK(ait_strmap_set(&m, "", 0, &numbers[0]));
    CHECK(ait_strmap_set(&m, "a\0b", 3, &numbers[1]));
    CHECK(ait_strmap_set(&m, "a", 1, &numbers[2]));
    CHECK(ait_strmap_get(&m, "", 0) == &numbers[0]);
    CHECK(ait_strmap_get(&m, "a\0b", 3) == &numbers[1]);
    CHECK(ait_strmap_get(&m, "a\0c", 3) == NULL);
    CHECK(ait_strmap_set(&m, "a", 1, &numbers[3]));
    CHECK(ait_strmap_get(&m, "a", 1) == &numbers[3]);
    CHECK_INT(m.count, 3);
    ait_strmap_free(&m);
    CHECK_INT(m.count, 0);
}

static void many_keys_come_and_go(void)
{
    ait_strmap m;
    size_t len;

    ait_strmap_init(&m);
    for (int i = 0; i < 2000; i++) {
        const char *key = name(i, &len);
        CHECK(ait_strmap_set(&m, key, len, &numbers[i]));
    }
    for (int i = 0; i < 2000; i += 3) {
        const char *key = name(i, &len);
        CHECK(ait_strmap_take(&m, key, len) == &numbers[i]);
        CHECK(ait_strmap_take(&m, key, len) == NULL);
    }
    for (int i = 0; i < 2000; i++) {
        const char *key = name(i, &len);
        void *want = i % 3 ? &numbers[i] : NULL;
        CHECK(ait_strmap_get(&m, key, len) == want);
    }
    CHECK_INT(m.count, 2000 - 667);
    ait_strmap_free(&m);
}

/* A long life with few entries: the table must not grow. */
static void a_window_of_keys_stays_small(void)
{
    ait_strmap m;
    size_t len;

    ait_strmap_init(&m);
    for (int i = 0; i < 20000; i++) {
        const char *key = name(i, &len);
        CHECK(ait_strmap_set(&m, key, len, &numbers[i % 2000]));
        if (i >= 8) {
            key = name(i - 8, &len);
            CHECK(ait_strmap_take(&m, key, len) == &numbers[(i - 8) % 2000]);
        }
    }
    CHECK_INT(m.count, 8);
    CHECK(m.cap <= 32);
    ait_strmap_free(&m);
}

static void walk_meets_every_key_once(void)
{
    ait_strmap m;
    int seen[100] = {0};
    size_t at = 0, len;
    const char *key;
    void *value;

    ait_strmap_init(&m);
    for (int i = 0; i < 100; i++) {
        key = name(i, &len);
        CHECK(ait_strmap_set(&m, key, len, &numbers[i]));
    }
    while (ait_strmap_each(&m, &at, &key, &len, &value)) {
        long i = (int *)value - numbers;
        size_t want_len;
        const char *want = name((int)i, &want_len);
        CHECK(len == want_len && memcmp(key, want, len) == 0);
        seen[i]++;
    }
    for (int i = 0; i < 100; i++)
        CHECK_INT(seen[i], 1);
    ait_strmap_free(&m);
}

static void failing_memory_is_said(void)
{
    for (long n = 1; n <= 40; n++) {
        ait_strmap m;
        size_t len;
        bool ok = true;
        int i = 0;
        ait_strmap_init(&m);
        ait_mem_fail_after(n);
        for (; ok && i < 60; i++) {
            const char *key = name(i, &len);
            ok = ait_strmap_set(&m, key, len, &numbers[i]);
        }
        ait_mem_fail_after(0);
        CHECK(!ok);
        CHECK_INT(m.count, i - 1); /* all but the failed one */
        for (int k = 0; k < i - 1; k++) {
            const char *key = name(k, &len);
            CHECK(ait_strmap_get(&m, key, len) == &numbers[k]);
        }
        ait_strmap_free(&m);
    }
}

static void hash_is_stable(void)
{
    unsigned char bytes[64];
    uint64_t all = 0;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    /* Worked out apart from this program, with the key's second half 0. */
    CHECK(ait_hash64(0, "", 0) == UINT64_C(0xd1fba762150c532c));
    CHECK(ait_hash64(0, "abc", 3) == UINT64_C(0xc03bc3a0042630f2));
    CHECK(ait_hash64(7, bytes, 64) == UINT64_C(0x50248b1c026ad1fe));
    for (size_t n = 0; n <= sizeof bytes; n++) {
        uint64_t h = ait_hash64(1, bytes, n);
        CHECK(h != ait_hash64(2, bytes, n));
        CHECK(h != all);
        all = h;
    }
}

int main(void)
{
    RUN(empty_map_answers);
    RUN(keys_are_bytes);
    RUN(many_keys_come_and_go);
    RUN(a_window_of_keys_stays_small);
    RUN(walk_meets_every_key_once);
    RUN(failing_memory_is_said);
    RUN(hash_is_stable);
    return t_done();
}
