/* The SSE parser by itself: each case whole, at every chunk size. */
#include <stdlib.h>
#include "base/num.h"
#include "harness.h"
#include "stream/sse.h"

typedef struct result {
    ait_buf line;
    size_t fed; /* bytes given so far, the read at hand included */
} result;

static void field(ait_buf *b, const char *name, const char *p, size_t n)
{
    ait_buf_adds(b, name);
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\n')
            ait_buf_adds(b, "\\n");
        else if (p[i] == '\0')
            ait_buf_adds(b, "\\0");
        else
            ait_buf_addc(b, p[i]);
    }
}

static void say_event(result *r, const char *mark, const ait_sse_event *e)
{
    ait_buf_adds(&r->line, mark);
    if (e->name)
        field(&r->line, "", e->name, e->name_len);
    if (e->id_len)
        field(&r->line, "#", e->id, e->id_len);
    field(&r->line, "=", e->data, e->data ? e->len : 0);
    if (e->too_large)
        ait_buf_addf(&r->line, "%zu!", e->len);
    ait_buf_addc(&r->line, ' ');
}

static void on_event(void *ctx, const ait_sse_event *e)
{
    say_event(ctx, "", e);
}

static void on_tail(void *ctx, const ait_sse_event *e)
{
    say_event(ctx, "~", e);
}

static void on_comment(void *ctx, size_t len)
{
    ait_buf_addf(&((result *)ctx)->line, ":%zu ", len);
}

static void on_other(void *ctx, const char *line, size_t n)
{
    ait_buf *b = &((result *)ctx)->line;

    field(b, "?", line, n);
    ait_buf_addc(b, ' ');
}

static const ait_sse_calls calls = {on_event, on_comment, on_other, on_tail};

typedef struct sse_case {
    const char *name, *input;
    size_t len; /* 0: up to the terminator */
    const char *want; /* NAME#ID=DATA, :COMMENT, ?OTHER, ~TAIL, then what
                         was cut and the retry time */
} sse_case;

static const sse_case cases[] = {
    {"one event", "data: a\n\n", 0, "=a "},
    {"no space", "data:a\n\n", 0, "=a "},
    {"one space only", "data:  a\n\n", 0, "= a "},
    {"carriage returns", "data: a\r\rdata: b\r\r", 0, "=a =b "},
    {"both", "data: a\r\n\r\ndata: b\r\n\r\n", 0, "=a =b "},
    {"mixed", "data: a\rdata: b\ndata: c\r\n\r", 0, "=a\\nb\\nc "},
    {"LF CR is two", "data: a\n\rdata: b\n\n", 0, "=a =b "},
    {"CR LF CR", "data: a\r\n\rdata: b\n\n", 0, "=a =b "},
    {"lines are joined", "data: a\ndata: b\ndata: c\n\n", 0, "=a\\nb\\nc "},
    {"empty data", "data\n\ndata:\n\ndata: \n\n", 0, "= = = "},
    {"empty lines of data", "data\ndata:\ndata\n\n", 0, "=\\n\\n "},
    {"no data, no event", "event: x\n\ndata: a\n\n", 0, "=a "},
    {"event name", "event: x\ndata: a\n\ndata: b\n\n", 0, "x=a =b "},
    {"name behind the data", "data: a\nevent: x\n\n", 0, "x=a "},
    {"last name wins", "event: x\nevent: y\ndata: a\n\n", 0, "y=a "},
    {"empty name is none", "event: x\nevent:\ndata: a\n\n", 0, "=a "},
    {"field without a colon", "event\ndata: a\n\n", 0, "=a "},
    {"id stays", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", 0,
     "#1=a #1=b =c "},
    {"id of a block without data", "id: 7\n\ndata: a\n\n", 0, "#7=a "},
    {"id with NUL", "id: 1\nid: 2\0x\ndata: a\n\n", 23, "#1=a "},
    {"NUL in data", "data: a\0b\n\n", 11, "=a\\0b "},
    {"NUL in an event name", "event: \0\ndata: a\n\n", 18, "\\0=a "},
    {"comments", ": ping\n\n:\ndata: a\n: x\n\n", 0, ":5 :0 :2 =a "},
    {"comment between the lines", "data: a\n:x\ndata: b\n\n", 0,
     ":1 =a\\nb "},
    {"unknown fields", "foo: bar\n data: x\ndata: a\n\n", 0,
     "?foo: bar ? data: x =a "},
    {"names have case", "Data: x\nDATA: y\ndata: a\n\n", 0,
     "?Data: x ?DATA: y =a "},
    {"longer names", "datax: 1\nidx: 2\neventt\n\n", 0,
     "?datax: 1 ?idx: 2 ?eventt "},
    {"colon in the value", "data: a:b\n\n", 0, "=a:b "},
    {"retry", "retry: 250\nretry: x\nretry: -1\nretry:\n\n", 0, "retry 250"},
    {"retry is the last", "retry: 5\nretry: 0010\n\n", 0, "retry 10"},
    {"retry beyond 64 bits", "retry: 99999999999999999999\n\n", 0, ""},
    {"blank lines", "\n\n\r\n\rdata: a\n\n\n\n", 0, "=a "},
    {"byte-order mark", "\xef\xbb\xbf" "data: a\n\n", 0, "=a "},
    {"two marks", "\xef\xbb\xbf\xef\xbb\xbf" "data: a\n\ndata: b\n\n", 0,
     "?\xef\xbb\xbf" "data: a =b "},
    {"a mark later", "data: a\n\n\xef\xbb\xbf" "data: b\n\n", 0,
     "=a ?\xef\xbb\xbf" "data: b "},
    {"part of a mark", "\xef\xbb" "data: a\n\ndata: b\n\n", 0,
     "?\xef\xbb" "data: a =b "},
    {"nothing but a mark", "\xef\xbb\xbf", 0, ""},
    {"a cut mark", "\xef\xbb", 0, "?\xef\xbb cut 2"},
    {"other line separators", "data: a\xe2\x80\xa8" "b\xc2\x85" "c\x0b\x0c\n\n",
     0, "=a\xe2\x80\xa8" "b\xc2\x85" "c\x0b\x0c "},
    {"cut in the data", "data: a\n\ndata: b", 0, "=a ~=b cut 7"},
    {"cut before the blank line", "data: a\n\nevent: x\ndata: b\n", 0,
     "=a ~x=b cut 17"},
    {"cut behind a CR", "data: a\r", 0, "~=a cut 8"},
    {"cut in a field name", "data: a\n\nda", 0, "=a ?da cut 2"},
    {"cut without data", "event: x\n", 0, "cut 9"},
    {"cut in a comment", "data: a\n\n: pi", 0, "=a :3 "},
    {"cut behind a comment", "data: a\n\n: ping\n", 0, "=a :5 "},
    {"nothing", "", 0, ""},
    {"exactly the maximum", "data: 0123456789abcdef\n\n", 0,
     "=0123456789abcdef "},
    {"over the maximum", "data: 0123456789abcdefg\n\ndata: a\n\n", 0,
     "=17! =a "},
    {"over it in two lines", "data: 0123456789\ndata: abcdef\n\n", 0,
     "=17! "},
    {"over it by far", "data: 0123456789abcdefghijklmnopqrstuvwxyz0123456789"
     "\ndata: x\n\ndata: b\n\n", 0, "=48! =b "},
    {"over it in the second", "data: a\ndata:0123456789abcdef0123456789abcdefgh"
     "ijklmnopqrs\n\ndata: b\n\n", 0, "=47! =b "},
    {"a long other line", "dat: 0123456789abcdefghijklmnopqrstuvwxyz0123456789"
     "\ndata: b\n\n", 0, NULL}, /* told, or too long to be kept */
};

static void run(const sse_case *c, size_t step, result *r)
{
    size_t n = c->len ? c->len : strlen(c->input);
    ait_sse s;
    uint64_t cut;

    ait_buf_init(&r->line, 1 << 16);
    ait_sse_init(&s, &calls, r, 16);
    for (size_t at = 0; at < n; at += step) {
        size_t piece = n - at < step ? n - at : step;
        char *copy = malloc(piece);

        memcpy(copy, c->input + at, piece);
        CHECK(ait_sse_feed(&s, copy, piece));
        free(copy);
    }
    cut = ait_sse_end(&s);
    if (cut)
        ait_buf_addf(&r->line, "cut %d", (int)cut);
    if (ait_has(s.retry))
        ait_buf_addf(&r->line, "retry %d", (int)s.retry);
    ait_sse_free(&s);
}

static void all_cases_at_every_split(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sse_case *c = &cases[i];

        for (size_t step = 1; step <= 80; step++) {
            result r;

            run(c, step, &r);
            if (c->want &&
                !CHECK_TEXT(r.line.data ? r.line.data : "", c->want))
                printf("# case \"%s\", reads of %zu bytes\n", c->name, step);
            ait_buf_free(&r.line);
        }
    }
}

/* A whole event with one data line in one read is handed on as it lies. */
static const char *given;

static void note_place(void *ctx, const ait_sse_event *e)
{
    (void)ctx;
    given = e->data;
}

static void one_line_in_one_read_is_not_copied(void)
{
    static const ait_sse_calls mine = {note_place, on_comment, on_other,
                                       note_place};
    static const char input[] = "event: x\ndata: abc\n\n";
    ait_sse s;

    ait_sse_init(&s, &mine, NULL, 100);
    CHECK(ait_sse_feed(&s, input, sizeof input - 1));
    CHECK(given == input + 15);
    CHECK(s.data.data == NULL && s.line.data == NULL);
    ait_sse_free(&s);
}

static void names_and_ids_are_capped(void)
{
    result r;
    ait_sse s;
    char input[600];

    ait_buf_init(&r.line, 1 << 16);
    ait_sse_init(&s, &calls, &r, 400);
    memset(input, 'n', sizeof input);
    memcpy(input, "event: ", 7);
    memcpy(input + 307, "\nid: ", 5);
    memcpy(input + 590, "\ndata: a\n\n", 10);
    CHECK(ait_sse_feed(&s, input, sizeof input));
    CHECK_INT(r.line.len, 128 + 1 + 128 + 3);
    ait_sse_free(&s);
    ait_buf_free(&r.line);
}

static void memory_that_runs_out_is_told(void)
{
    for (long n = 1; n < 4; n++) {
        result r;
        ait_sse s;
        bool good;

        ait_buf_init(&r.line, 1 << 16);
        ait_buf_reserve(&r.line, 4096);
        ait_sse_init(&s, &calls, &r, 100);
        ait_mem_fail_after(n);
        good = ait_sse_feed(&s, "data: a", 7) &&
               ait_sse_feed(&s, "b\ndata: c\n\n", 11);
        ait_mem_fail_after(0);
        CHECK(good == (n == 3)); /* the line, and the data */
        CHECK(good || !ait_sse_feed(&s, "\n", 1));
        ait_sse_free(&s);
        ait_buf_free(&r.line);
    }
}

int main(void)
{
    RUN(all_cases_at_every_split);
    RUN(one_line_in_one_read_is_not_copied);
    RUN(names_and_ids_are_capped);
    RUN(memory_that_runs_out_is_told);
    return t_done();
}
