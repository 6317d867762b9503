/*
 * Runs a file of conformance cases through the SSE parser: each in its
 * pieces, in one piece, and byte by byte.
 *
 * usage: sse_conformance FILE     One JSON object a line: name, chunks_hex,
 * events [{event, id, data_hex}], n_comments, retry, undispatched (null,
 * "data", "no_data"). Prints what differs, then "N passed, N failed".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "base/num.h"
#include "stream/sse.h"

#define EVENTS_MAX 64

typedef struct result {
    ait_sse sse;
    ait_buf said[EVENTS_MAX]; /* "name\nid\ndata" */
    size_t events, comments;
    bool tail_data;
} result;

static void on_event(void *ctx, const ait_sse_event *e)
{
    result *r = ctx;
    ait_buf *b;

    if (r->events == EVENTS_MAX)
        abort();
    b = &r->said[r->events++];
    ait_buf_add(b, e->name ? e->name : "message", e->name ? e->name_len : 7);
    ait_buf_addc(b, '\n');
    ait_buf_add(b, e->id, e->id_len);
    ait_buf_addc(b, '\n');
    ait_buf_add(b, e->data, e->len);
}

static void on_comment(void *ctx, size_t len)
{
    (void)len;
    ((result *)ctx)->comments++;
}

static void on_other(void *ctx, const char *line, size_t n)
{
    (void)ctx;
    (void)line;
    (void)n;
}

static void on_tail(void *ctx, const ait_sse_event *e)
{
    (void)e;
    ((result *)ctx)->tail_data = true;
}

static const ait_sse_calls calls = {on_event, on_comment, on_other, on_tail};

static int digit(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Hex digits of a JSON string, as bytes. */
static void unhex(const ait_json *j, ait_jref r, ait_buf *out)
{
    const char *p = j->text + j->node[r].off;

    for (uint32_t i = 0; i + 1 < j->node[r].len; i += 2)
        ait_buf_addc(out, (char)(digit(p[i]) * 16 + digit(p[i + 1])));
}

/* Feeds the bytes of a case; step 0: in its own pieces. A read is copied so
 * that the sanitizer sees every byte behind its end. */
static void feed(result *r, const char *p, size_t n)
{
    char *copy = malloc(n ? n : 1);

    if (!copy)
        abort();
    if (n)
        memcpy(copy, p, n);
    ait_sse_feed(&r->sse, copy, n);
    free(copy);
}

static void run(ait_json *j, result *r, size_t step)
{
    ait_jref chunks = ait_json_get(j, AIT_JROOT, "chunks_hex");
    ait_buf all;

    ait_buf_init(&all, 1 << 20);
    for (ait_jref c = ait_json_first(j, chunks); c != AIT_JNONE;
         c = ait_json_next(j, chunks, c)) {
        size_t before = all.len;

        unhex(j, c, &all);
        if (step == 0)
            feed(r, all.data + before, all.len - before);
    }
    for (size_t at = 0; step && at < all.len; at += step)
        feed(r, all.data + at, all.len - at < step ? all.len - at : step);
    ait_buf_free(&all);
}

static bool same_event(ait_json *j, ait_jref want, const ait_buf *got)
{
    ait_buf b;
    bool same;

    ait_buf_init(&b, 1 << 20);
    ait_json_text(j, ait_json_get(j, want, "event"), &b);
    ait_buf_addc(&b, '\n');
    ait_json_text(j, ait_json_get(j, want, "id"), &b);
    ait_buf_addc(&b, '\n');
    unhex(j, ait_json_get(j, want, "data_hex"), &b);
    same = b.len == got->len && memcmp(b.data, got->data, b.len) == 0;
    ait_buf_free(&b);
    return same;
}

/* What differs; NULL: nothing. */
static const char *compare(ait_json *j, const result *r, uint64_t cut)
{
    ait_jref events = ait_json_get(j, AIT_JROOT, "events");
    ait_jref tail = ait_json_get(j, AIT_JROOT, "undispatched");
    int64_t comments = 0, retry = AIT_ABSENT;
    size_t i = 0;

    for (ait_jref c = ait_json_first(j, events); c != AIT_JNONE;
         c = ait_json_next(j, events, c), i++)
        if (i >= r->events || !same_event(j, c, &r->said[i]))
            return "events";
    if (i != r->events)
        return "number of events";
    ait_json_int(j, ait_json_get(j, AIT_JROOT, "n_comments"), &comments);
    if ((int64_t)r->comments != comments)
        return "comments";
    ait_json_int(j, ait_json_get(j, AIT_JROOT, "retry"), &retry);
    if (r->sse.retry != retry)
        return "retry";
    if (r->tail_data != ait_json_is(j, tail, "data") ||
        (cut > 0) != (ait_json_type(j, tail) == AIT_J_STRING))
        return "undispatched";
    return NULL;
}

static bool check(ait_json *j, size_t step)
{
    static result r;
    const char *differs;
    ait_buf name;
    uint64_t cut;

    memset(&r, 0, sizeof r);
    for (size_t i = 0; i < EVENTS_MAX; i++)
        ait_buf_init(&r.said[i], 1 << 20);
    ait_sse_init(&r.sse, &calls, &r, 1 << 20);
    run(j, &r, step);
    cut = ait_sse_end(&r.sse);
    differs = compare(j, &r, cut);
    if (differs) {
        ait_buf_init(&name, 256);
        ait_json_text(j, ait_json_get(j, AIT_JROOT, "name"), &name);
        printf("%s (%s): %s\n", name.data ? name.data : "?",
               step == 0 ? "pieces" : step == 1 ? "bytes" : "whole", differs);
        ait_buf_free(&name);
    }
    for (size_t i = 0; i < EVENTS_MAX; i++)
        ait_buf_free(&r.said[i]);
    ait_sse_free(&r.sse);
    return !differs;
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    static const size_t steps[] = {0, SIZE_MAX, 1};
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    int passed = 0, failed = 0;
    ait_json j;

    if (!f) {
        fprintf(stderr, "usage: sse_conformance FILE\n");
        return 2;
    }
    ait_json_init(&j, 1 << 16);
    while (fgets(line, sizeof line, f)) {
        bool good = ait_json_parse(&j, line, strlen(line));

        for (size_t i = 0; good && i < sizeof steps / sizeof *steps; i++)
            good &= check(&j, steps[i]);
        *(good ? &passed : &failed) += 1;
    }
    fclose(f);
    ait_json_free(&j);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
