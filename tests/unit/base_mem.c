/* Buffers with a maximum, arenas, variable-length integers, and what each
 * does when memory runs out. */
#include "base/mem.h"

#include <stdlib.h>

#include "harness.h"

static void buffer_grows_to_its_maximum(void)
{
    ait_buf b;

    ait_buf_init(&b, 100);
    CHECK(b.data == NULL);
    for (int i = 0; i < 100; i++)
        CHECK(ait_buf_addc(&b, 'x'));
    CHECK_INT(b.len, 100);
    CHECK_INT(b.data[100], 0);
    CHECK(!ait_buf_addc(&b, 'y'));
    CHECK(!ait_buf_add(&b, "yy", 2));
    CHECK(!ait_buf_addf(&b, "%d", 7));
    CHECK(ait_buf_add(&b, "", 0));
    CHECK_INT(b.len, 100);
    CHECK(b.cap <= 101);
    ait_buf_clear(&b);
    CHECK_TEXT(b.data, "");
    CHECK(ait_buf_adds(&b, "again"));
    CHECK_TEXT(b.data, "again");
    ait_buf_free(&b);
    CHECK(b.data == NULL);
    CHECK(ait_buf_adds(&b, "usable"));
    ait_buf_free(&b);
}

static void a_trimmed_buffer_holds_what_it_held(void)
{
    ait_buf b;

    ait_buf_init(&b, 1000);
    ait_buf_trim(&b);
    CHECK(b.data == NULL && b.cap == 0);
    ait_buf_adds(&b, "twenty bytes of text");
    ait_buf_trim(&b);
    CHECK_INT(b.cap, 21);
    CHECK_TEXT(b.data, "twenty bytes of text");
    CHECK(ait_buf_adds(&b, ", and more"));
    CHECK_TEXT(b.data, "twenty bytes of text, and more");
    ait_buf_free(&b);
}

static void buffer_refuses_sizes_that_wrap(void)
{
    ait_buf b;

    ait_buf_init(&b, SIZE_MAX);
    CHECK(ait_buf_adds(&b, "abc"));
    CHECK(!ait_buf_reserve(&b, SIZE_MAX));
    CHECK(!ait_buf_reserve(&b, SIZE_MAX - 3));
    CHECK_TEXT(b.data, "abc");
    ait_buf_free(&b);
    ait_buf_init(&b, 0);
    CHECK(ait_buf_add(&b, "", 0));
    CHECK(!ait_buf_addc(&b, 'x'));
    ait_buf_free(&b);
}

static void buffer_formats(void)
{
    ait_buf b;

    ait_buf_init(&b, 1000);
    CHECK(ait_buf_addf(&b, "%s=%d", "a", 12));
    CHECK(ait_buf_addf(&b, "%100s", ""));
    CHECK_INT(b.len, 104);
    CHECK(strncmp(b.data, "a=12 ", 5) == 0);
    ait_buf_free(&b);
}

static void varints_come_back(void)
{
    static const uint64_t values[] = {
        0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
    static const int64_t signed_values[] = {
        0, -1, 1, -64, 63, 64, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    ait_buf b;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const uint8_t *at, *end;
        uint64_t v = 99;
        int64_t s = 99;
        ait_buf_init(&b, 64);
        CHECK(ait_buf_add_varint(&b, values[i]));
        CHECK(ait_buf_add_svarint(&b, signed_values[i]));
        at = (const uint8_t *)b.data;
        end = at + b.len;
        CHECK(ait_varint(&at, end, &v) && v == values[i]);
        CHECK(ait_svarint(&at, end, &s));
        CHECK_INT(s, signed_values[i]);
        CHECK(at == end);
        CHECK(!ait_varint(&at, end, &v));
        ait_buf_free(&b);
    }
}

static void cut_and_long_varints_are_refused(void)
{
    static const uint8_t cut[] = {0x80, 0x80};
    static const uint8_t eleven[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                     0x80, 0x80, 0x80, 0x80, 0x01};
    static const uint8_t over[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 0xff, 0xff, 0xff, 0x02};
    const uint8_t *at = cut;
    uint64_t v = 5;
    int64_t s = 5;

    CHECK(!ait_varint(&at, cut + sizeof cut, &v));
    CHECK(at == cut);
    CHECK(!ait_svarint(&at, cut + sizeof cut, &s));
    at = eleven;
    CHECK(!ait_varint(&at, eleven + sizeof eleven, &v));
    at = over;
    CHECK(!ait_varint(&at, over + sizeof over, &v));
    CHECK_INT(v, 5);
    CHECK_INT(s, 5);
}

static void arena_gives_aligned_zeroes(void)
{
    ait_arena a;
    size_t sum = 0;

    ait_arena_init(&a, 1 << 20);
    for (size_t size = 0; size < 3000; size += 37) {
        unsigned char *p = ait_arena_alloc(&a, size);
        if (!CHECK(p != NULL))
            break;
        CHECK_INT((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            sum += p[i];
        memset(p, 0xff, size);
    }
    CHECK_INT(sum, 0);
    ait_arena_reset(&a);
    CHECK_INT(a.used, 0);
    CHECK(a.head != NULL);
    unsigned char *p = ait_arena_alloc(&a, 500); /* memory of before */
    for (size_t i = 0; i < 500; i++)
        sum += p[i];
    CHECK_INT(sum, 0);
    ait_arena_free(&a);
    CHECK(a.head == NULL);
}

static void arena_keeps_to_its_maximum(void)
{
    ait_arena a;

    ait_arena_init(&a, 100);
    CHECK(ait_arena_alloc(&a, 64) != NULL);
    CHECK(ait_arena_alloc(&a, 64) == NULL);
    CHECK(ait_arena_alloc(&a, SIZE_MAX) == NULL);
    CHECK(ait_arena_alloc(&a, SIZE_MAX - 8) == NULL);
    CHECK(ait_arena_alloc(&a, 16) != NULL);
    CHECK(a.used <= 100);
    ait_arena_free(&a);
    ait_arena_init(&a, SIZE_MAX);
    CHECK(ait_arena_alloc(&a, SIZE_MAX - 8) == NULL);
    ait_arena_free(&a);
}

static void arena_copies_text(void)
{
    ait_arena a;

    ait_arena_init(&a, 4096);
    CHECK_TEXT(ait_arena_strdup(&a, "hello"), "hello");
    CHECK_TEXT(ait_arena_strndup(&a, "hello", 2), "he");
    CHECK_TEXT(ait_arena_strndup(&a, "", 0), "");
    CHECK(ait_arena_strdup(&a, NULL) == NULL);
    CHECK(ait_arena_strndup(&a, NULL, 3) == NULL);
    CHECK(ait_arena_strndup(&a, "x", SIZE_MAX) == NULL);
    ait_arena_free(&a);
}

static void failing_memory_changes_nothing(void)
{
    ait_arena a;
    ait_buf b;

    ait_buf_init(&b, 1000);
    ait_arena_init(&a, 100000);
    CHECK(ait_buf_adds(&b, "kept"));
    ait_mem_fail_after(1);
    CHECK(ait_alloc(1) == NULL);
    CHECK(ait_alloc_pages(1) == NULL);
    CHECK(!ait_buf_reserve(&b, 500));
    CHECK_TEXT(b.data, "kept");
    CHECK(ait_arena_alloc(&a, 8) == NULL);
    ait_mem_fail_after(2);
    CHECK(ait_arena_alloc(&a, 8) != NULL);
    CHECK(ait_arena_alloc(&a, 80000) == NULL);
    CHECK(ait_alloc(1) == NULL);
    ait_mem_fail_after(0);
    CHECK(ait_buf_reserve(&b, 500));
    void *p = ait_alloc(0);
    CHECK(p != NULL);
    free(p);
    p = ait_alloc_pages(70000);
    CHECK(p != NULL);
    CHECK_INT((uintptr_t)p % 4096, 0);
    free(p);
    ait_arena_free(&a);
    ait_buf_free(&b);
}

int main(void)
{
    RUN(buffer_grows_to_its_maximum);
    RUN(a_trimmed_buffer_holds_what_it_held);
    RUN(buffer_refuses_sizes_that_wrap);
    RUN(buffer_formats);
    RUN(varints_come_back);
    RUN(cut_and_long_varints_are_refused);
    RUN(arena_gives_aligned_zeroes);
    RUN(arena_keeps_to_its_maximum);
    RUN(arena_copies_text);
    RUN(failing_memory_changes_nothing);
    return t_done();
}
