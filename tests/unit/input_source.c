/* Files, standard input and memory; plain, gzip, cut and damaged. */
#include "input/source.h"

#include <stdlib.h>
#include <unistd.h>

#include "input_sink.h"

static ait_file_report report;
static ait_error err;

/* The next block in the source's memory, or in the caller's `room`. */
static ait_code next_block(ait_source *s, char *room, const char **p,
                           size_t *n)
{
    return room ? ait_source_next_into(s, room, p, n)
                : ait_source_next(s, p, n);
}

/* All bytes of a source, read in blocks. Those of the caller's memory are
 * overwritten only after they were read: a block that stayed in the source
 * must still hold what it held. */
static ait_code drain_into(ait_source *s, char *room, ait_buf *out)
{
    ait_code code;
    const char *p = NULL, *first = NULL;
    char begin = '\0';
    size_t n = 0;

    ait_buf_init(out, 1 << 24);
    ait_buf_adds(out, "");
    do {
        code = next_block(s, room, &p, &n);
        if (code == AIT_OK && n) {
            ait_buf_add(out, p, n);
            if (room && p != room && !first)
                begin = *(first = p);
        }
    } while (code == AIT_OK && n);
    if (first)
        CHECK_INT(*first, begin);
    ait_source_close(s);
    return code;
}

static ait_code drain(ait_source *s, ait_buf *out)
{
    return drain_into(s, NULL, out);
}

static ait_code inflate_into(const void *bytes, size_t n, size_t block,
                             bool own, ait_buf *out)
{
    ait_input_options o = {.block = block};
    char *room = own ? ait_alloc_pages(block) : NULL;
    ait_source *s;
    ait_code code;

    memset(&report, 0, sizeof report);
    ait_error_clear(&err);
    s = ait_source_bytes("x", bytes, n, &o, &report, &err);
    ait_buf_init(out, 1);
    if (s && block)
        CHECK_INT(ait_source_block(s), block);
    code = s ? drain_into(s, room, out) : err.code;
    free(room);
    return code;
}

static ait_code inflate_all(const void *bytes, size_t n, size_t block,
                            ait_buf *out)
{
    return inflate_into(bytes, n, block, false, out);
}

/* Reads `in` at every block size; what comes out is `want`, and `issue`
 * (-1: none) is said once. */
static void expect(const ait_buf *in, const char *want, int issue)
{
    for (size_t twice = 2; twice <= 2 * (in->len + 1) + 1; twice++) {
        size_t block = twice / 2;
        bool own = twice % 2;
        ait_buf out;

        CHECK_INT(inflate_into(in->data, in->len, block, own, &out), AIT_OK);
        if (!CHECK_TEXT(out.data, want))
            printf("# at block size %zu, %d\n", block, own);
        for (int i = 0; i < AIT_I_COUNT; i++)
            CHECK_INT(report.issues.count[i], i == issue);
        CHECK_INT(ait_file_lost(&report), issue == AIT_I_COMPRESSED_INPUT_CUT);
        ait_buf_free(&out);
    }
}

static void start(ait_buf *b)
{
    ait_buf_init(b, 1 << 20);
    ait_buf_adds(b, "");
}

static void plain_bytes_go_through(void)
{
    ait_buf in;

    start(&in);
    expect(&in, "", -1);
    ait_buf_adds(&in, "abc");
    expect(&in, "abc", -1);
    ait_buf_clear(&in);
    ait_buf_adds(&in, "\x1f"); /* half a magic is plain */
    expect(&in, "\x1f", -1);
    ait_buf_free(&in);
}

static void members_follow_one_another(void)
{
    ait_buf in;

    start(&in);
    add_gzip(&in, "one ", 4);
    add_gzip(&in, "", 0);
    add_gzip(&in, "two", 3);
    expect(&in, "one two", -1);
    ait_buf_add(&in, "\0\0\0", 3);
    expect(&in, "one two", -1);
    add_gzip(&in, "!", 1);
    expect(&in, "one two!", -1);
    ait_buf_free(&in);
}

static void bytes_after_the_last_member_are_said(void)
{
    static const char *const tails[] = {"x", "\x1f", "\x1fx", "\x1f\x1f"};

    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        ait_buf in;

        start(&in);
        add_gzip(&in, "one", 3);
        ait_buf_add(&in, "\0", 1);
        ait_buf_adds(&in, tails[i]);
        expect(&in, "one", AIT_I_TRAILING_BYTES);
        ait_buf_free(&in);
    }
}

/* Whatever is missing at the end, what came before is kept. */
static void a_cut_member_keeps_its_begin(void)
{
    char text[400];
    ait_buf in;

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * i % 26);
    start(&in);
    add_gzip(&in, text, sizeof text);
    for (size_t cut = 2; cut < in.len; cut++) {
        ait_buf out;

        CHECK_INT(inflate_all(in.data, cut, 7, &out), AIT_OK);
        CHECK(out.len <= sizeof text);
        CHECK(memcmp(out.data, text, out.len) == 0);
        CHECK_INT(report.issues.count[AIT_I_COMPRESSED_INPUT_CUT], 1);
        CHECK(ait_file_lost(&report));
        if (cut == in.len - 1)
            CHECK_INT(out.len, sizeof text);
        ait_buf_free(&out);
    }
    ait_buf_free(&in);
}

static void a_damaged_member_ends_the_reading(void)
{
    ait_buf in;

    start(&in);
    add_gzip(&in, "one", 3);
    add_gzip(&in, "two", 3);
    in.data[in.len - 8] ^= 1; /* check sum of the second */
    expect(&in, "onetwo", AIT_I_COMPRESSED_INPUT_CUT);
    ait_buf_free(&in);

    start(&in);
    add_gzip(&in, "one", 3);
    ait_buf_adds(&in, "\x1f\x8bgarbage");
    expect(&in, "one", AIT_I_COMPRESSED_INPUT_CUT);
    ait_buf_free(&in);
}

static void big_members_come_whole(void)
{
    size_t n = 300000;
    char *text = malloc(n);
    ait_buf in, out;

    for (size_t i = 0; i < n; i++)
        text[i] = i % 1000 ? 'x' : (char)('a' + i / 1000 % 26);
    start(&in);
    add_gzip(&in, text, n);
    CHECK_INT(inflate_all(in.data, in.len, 0, &out), AIT_OK);
    CHECK_INT(out.len, n);
    CHECK(memcmp(out.data, text, n) == 0);
    CHECK_INT(report.bytes, in.len);
    ait_buf_free(&out);
    ait_buf_free(&in);
    free(text);
}

/* ---- files ----------------------------------------------------------- */

static char path[] = "input-source-XXXXXX";

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    CHECK(f && fwrite(bytes, 1, n, f) == n);
    if (f)
        fclose(f);
}

static void files_read_like_memory(void)
{
    ait_buf in, out;

    start(&in);
    add_gzip(&in, "from a file", 11);
    write_file(in.data, in.len);
    for (size_t block = 0; block < 5; block++) {
        ait_input_options o = {.block = block};
        ait_source *s = ait_source_open(path, &o, &report, &err);

        CHECK(s != NULL);
        CHECK_INT(drain(s, &out), AIT_OK);
        CHECK_TEXT(out.data, "from a file");
        ait_buf_free(&out);
    }
    ait_buf_free(&in);
}

static void what_cannot_be_read_is_said(void)
{
    CHECK(!ait_source_open("/nonexistent/x", NULL, &report, &err));
    CHECK_INT(err.code, AIT_EINPUT);
    CHECK_TEXT(err.source, "/nonexistent/x");
    CHECK(err.reason[0] != '\0');
    ait_error_clear(&err);
    CHECK(!ait_source_open(".", NULL, &report, &err));
    CHECK_INT(err.code, AIT_EINPUT);
    CHECK(strstr(err.reason, "irectory") != NULL);
}

static void standard_input_is_a_dash(void)
{
    ait_source *s;
    ait_buf out;
    int old = dup(0);

    write_file("typed", 5);
    CHECK(freopen(path, "rb", stdin) != NULL);
    s = ait_source_open("-", NULL, &report, &err);
    CHECK(s != NULL);
    CHECK_INT(drain(s, &out), AIT_OK);
    CHECK_TEXT(out.data, "typed");
    ait_buf_free(&out);
    dup2(old, 0);
    close(old);
}

static int calls;
static int64_t last_size;

static int progress(void *ctx, int64_t bytes, int64_t size)
{
    (void)ctx;
    (void)bytes;
    last_size = size;
    return ++calls > 3;
}

static void progress_can_stop_it(void)
{
    ait_input_options o = {.block = 2, .progress = progress};
    ait_source *s;
    ait_buf out;

    write_file("0123456789", 10);
    ait_error_clear(&err);
    s = ait_source_open(path, &o, &report, &err);
    CHECK(s != NULL);
    CHECK_INT(drain(s, &out), AIT_EINTR);
    CHECK_TEXT(out.data, "012345");
    CHECK_INT(last_size, 10);
    CHECK_INT(err.code, AIT_EINTR);
    ait_buf_free(&out);
}

static void memory_may_end_anywhere(void)
{
    ait_buf in, out;

    start(&in);
    add_gzip(&in, "text", 4);
    for (long n = 1; n < 4; n++) {
        ait_mem_fail_after(n);
        if (inflate_all(in.data, in.len, 8, &out) != AIT_OK)
            CHECK_INT(err.code, AIT_ENOMEM);
        ait_mem_fail_after(0);
        ait_buf_free(&out);
    }
    ait_mem_fail_after(1);
    CHECK_INT(inflate_all(in.data, in.len, 8, &out), AIT_ENOMEM);
    ait_mem_fail_after(0);
    ait_buf_free(&in);
}

int main(void)
{
    int fd = mkstemp(path);

    if (fd < 0)
        return 1;
    close(fd);
    RUN(plain_bytes_go_through);
    RUN(members_follow_one_another);
    RUN(bytes_after_the_last_member_are_said);
    RUN(a_cut_member_keeps_its_begin);
    RUN(a_damaged_member_ends_the_reading);
    RUN(big_members_come_whole);
    RUN(files_read_like_memory);
    RUN(what_cannot_be_read_is_said);
    RUN(standard_input_is_a_dash);
    RUN(progress_can_stop_it);
    RUN(memory_may_end_anywhere);
    unlink(path);
    return t_done();
}
