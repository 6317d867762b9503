/* Lines out of blocks: the same at every block size. */
#include "input/lines.h"

#include "harness.h"

typedef struct seen {
    ait_buf out;
    int stop_at; /* 0: never */
    int64_t last_offset;
} seen;

static int see(void *ctx, const ait_line *l)
{
    seen *s = ctx;

    ait_buf_addf(&s->out, "%d%s%s:", (int)l->number, l->zeros ? "z" : "",
                 l->finished ? "" : "u");
    ait_buf_add(&s->out, l->p, l->n);
    ait_buf_addc(&s->out, '|');
    s->last_offset = l->offset;
    return s->stop_at == l->number ? AIT_EINTR : AIT_OK;
}

static ait_file_report report;

/* Splits `text` in pieces of `block`; what came is in s->out. */
static ait_code split(seen *s, const char *text, size_t n, size_t block,
                      size_t max)
{
    ait_lines l;
    ait_code code = AIT_OK;

    memset(&report, 0, sizeof report);
    ait_buf_init(&s->out, 1 << 20);
    ait_buf_adds(&s->out, "");
    ait_lines_init(&l, see, s, &report);
    if (max)
        l.max = max;
    for (size_t at = 0; at < n && code == AIT_OK; at += block)
        code = ait_lines_feed(&l, text + at,
                              n - at < block ? n - at : block);
    if (code == AIT_OK)
        code = ait_lines_finish(&l);
    ait_lines_free(&l);
    return code;
}

#define ALL(text, want) all(text, sizeof(text) - 1, want, 0)

static void all(const char *text, size_t n, const char *want, size_t max)
{
    for (size_t block = 1; block <= n + 1; block++) {
        seen s = {0};

        CHECK_INT(split(&s, text, n, block, max), AIT_OK);
        if (!CHECK_TEXT(s.out.data, want))
            printf("# at block size %zu\n", block);
        ait_buf_free(&s.out);
    }
}

static void ends_lines_at_lf(void)
{
    ALL("", "");
    ALL("a\nbb\nccc\n", "1:a|2:bb|3:ccc|");
    ALL("a\nb", "1:a|2u:b|");
}

static void skips_blank_lines_and_counts_them(void)
{
    ALL("\n\na\n \t \n\nb\n", "3:a|6:b|");
    ALL("\n", "");
    ALL("a\n   ", "1:a|");
}

static void takes_cr_off(void)
{
    ALL("a\r\nb\r\n", "1:a|2:b|");
    ALL("a\rb\n", "1:a\rb|");
    ALL("a\r", "1u:a|");
}

static void takes_one_bom_off(void)
{
    ALL("\xEF\xBB\xBF{}\n", "1:{}|");
    ALL("\xEF\xBB\xBF\xEF\xBB\xBF{}\n", "1:\xEF\xBB\xBF{}|");
    ALL("a\n\xEF\xBB\xBF{}\n", "1:a|2:\xEF\xBB\xBF{}|");
    ALL("\xEF\xBB\xBF\n{}\n", "2:{}|");
}

static void zero_bytes_never_end_a_line(void)
{
    ALL("a\n\0\0\0{1}\n{2}\n", "1:a|2z:{1}|3:{2}|");
    ALL("\0\0\0\n{2}\n", "2:{2}|");
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 1); /* not overlooked */
    CHECK_INT(report.places[AIT_I_BAD_LINE].line[0], 1);
    CHECK_TEXT(report.bad_reason[0], "nothing but zero bytes");
    ALL("{1}\n\0 \0", "1:{1}|");
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 1);
    ALL("{1}\n \t\r\n\n", "1:{1}|");
    CHECK_INT(report.issues.count[AIT_I_BAD_LINE], 0);
    ALL(" \0 {1}\0\0\n", "1z:{1}|");
}

static void keeps_zero_bytes_inside(void)
{
    seen s = {0};

    CHECK_INT(split(&s, "a\0b\n", 4, 64, 0), AIT_OK);
    CHECK_INT(s.out.len, 6);
    CHECK(memcmp(s.out.data, "1:a\0b|", 6) == 0);
    ait_buf_free(&s.out);
}

static void skips_lines_over_the_maximum(void)
{
    all("123456\n12345\n1234567890\nx\n", 26, "2:12345|4:x|", 5);
    all("12345\n123456", 12, "1:12345|", 5);
}

static void reports_lines_over_the_maximum(void)
{
    for (size_t block = 1; block < 30; block++) {
        seen s = {0};

        split(&s, "123456\n12345\n1234567890\nx\n123456", 32, block, 5);
        CHECK_INT(report.issues.count[AIT_I_LINE_TOO_LONG], 3);
        CHECK_INT(report.places[AIT_I_LINE_TOO_LONG].line[0], 1);
        CHECK_INT(report.places[AIT_I_LINE_TOO_LONG].line[1], 3);
        CHECK_INT(report.places[AIT_I_LINE_TOO_LONG].line[2], 5);
        CHECK_INT(report.lines, 5);
        CHECK(ait_file_lost(&report));
        ait_buf_free(&s.out);
    }
}

static void knows_offsets(void)
{
    for (size_t block = 1; block < 30; block++) {
        seen s = {0};

        split(&s, "12345678\r\n\n  ab\n12\n", 19, block, 7);
        CHECK_INT(s.last_offset, 16);
        ait_buf_free(&s.out);
    }
}

static void stops_when_told(void)
{
    for (size_t block = 1; block < 8; block++) {
        seen s = {.stop_at = 2};

        CHECK_INT(split(&s, "a\nb\nc\n", 6, block, 0), AIT_EINTR);
        CHECK_TEXT(s.out.data, "1:a|2:b|");
        ait_buf_free(&s.out);
    }
}

static void says_when_memory_ends(void)
{
    seen s = {0};
    ait_lines l;

    ait_lines_init(&l, see, &s, &report);
    ait_mem_fail_after(1);
    CHECK_INT(ait_lines_feed(&l, "no line end", 11), AIT_ENOMEM);
    ait_mem_fail_after(0);
    ait_lines_free(&l);
}

int main(void)
{
    RUN(ends_lines_at_lf);
    RUN(skips_blank_lines_and_counts_them);
    RUN(takes_cr_off);
    RUN(takes_one_bom_off);
    RUN(zero_bytes_never_end_a_line);
    RUN(keeps_zero_bytes_inside);
    RUN(skips_lines_over_the_maximum);
    RUN(reports_lines_over_the_maximum);
    RUN(knows_offsets);
    RUN(stops_when_told);
    RUN(says_when_memory_ends);
    return t_done();
}
