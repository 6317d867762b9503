#ifndef AIT_TESTS_STREAM_RUN_H
#define AIT_TESTS_STREAM_RUN_H
/*
 * Runs a body through the stream stage and says in one line what came out:
 * the events, then what was learned. A case is run in one piece and at every
 * chunk size; the lines must be equal, and so must the times: an event's
 * read is the one that brought the byte which completed it.
 *
 * Bodies are written with ' for ", which JSON needs so often.
 */
#include <stdlib.h>
#include "base/mem.h"
#include "base/num.h"
#include "harness.h"
#include "stream/stream.h"

#define SEEN_MAX 512

typedef struct seen {
    ait_buf line;
    uint64_t read[SEEN_MAX];
    size_t events; /* comments, too */
} seen;

typedef struct stream_case {
    const char *name;
    const char *type;   /* Content-Type, NULL: none */
    const char *body;
    const char *events; /* "envelope text(2) finish+usage" */
    const char *facts;  /* "openai_chat sse finish=stop" */
} stream_case;

static void say_classes(seen *s, const ait_event *e)
{
    const char *join = "";

    for (int i = 0; i < AIT_C_COUNT; i++) {
        if (!(e->classes & ait_classes[i].bit))
            continue;
        ait_buf_addf(&s->line, "%s%s", join, ait_classes[i].name);
        join = "+";
    }
}

/* "text(5)": five bytes; "text(2 )": of white space; "!" malformed. */
static void see(void *ctx, const ait_event *e)
{
    seen *s = ctx;

    if (s->events < SEEN_MAX)
        s->read[s->events] = e->read;
    s->events++;
    if (s->line.len)
        ait_buf_addc(&s->line, ' ');
    if (e->comment) {
        ait_buf_addc(&s->line, ':');
        return;
    }
    say_classes(s, e);
    if (e->text_length)
        ait_buf_addf(&s->line, "(%u%s)", e->text_length,
                     e->nonblank ? "" : " ");
    if (e->empty)
        ait_buf_adds(&s->line, "()");
    if (e->malformed)
        ait_buf_addc(&s->line, '!');
}

static void say_number(ait_buf *b, const char *name, int64_t v)
{
    if (ait_has(v))
        ait_buf_addf(b, " %s=%" PRId64, name, v);
}

static void say_flag(ait_buf *b, const char *name, bool set)
{
    if (set)
        ait_buf_addf(b, " %s", name);
}

static void say_word(ait_buf *b, const char *name, const char *word)
{
    if (*word)
        ait_buf_addf(b, " %s=%s", name, word);
}

static void say_facts(ait_buf *b, const ait_stream_facts *f)
{
    ait_buf_addf(b, "%s %s", f->dialect ? f->dialect : "-",
                 f->framing ? f->framing : "-");
    say_word(b, "model", f->model);
    say_word(b, "finish", f->finish_reason);
    say_flag(b, "terminal", f->terminal);
    say_flag(b, "error", f->error_seen);
    say_word(b, "code", f->error_code);
    say_flag(b, "rate_limit", f->rate_limit);
    say_number(b, "prompt", f->usage.prompt);
    say_number(b, "cached", f->usage.cached);
    say_number(b, "completion", f->usage.completion);
    say_number(b, "reasoning", f->usage.reasoning);
    say_number(b, "total", f->usage.total);
    say_flag(b, "beside", f->usage.reasoning_beside);
    say_flag(b, "running", f->usage.running);
    say_flag(b, "not_streamed", f->streamed == 0);
    say_flag(b, "body_text", f->body_text);
    say_flag(b, "body_other", f->body_other);
    say_flag(b, "body_reasoning", f->body_reasoning);
    say_flag(b, "body_opaque", f->body_opaque);
    say_flag(b, "body_cut", f->body_cut);
    say_flag(b, "unread", f->unread);
    if (f->partial_bytes)
        say_number(b, "partial", f->partial_bytes);
    for (const ait_measure *m = f->measures; m; m = m->next)
        ait_buf_addf(b, " %s:%" PRId64 "us", m->name, m->value / 1000);
    for (int i = 0; i < AIT_I_COUNT; i++)
        if (f->issues.count[i])
            ait_buf_addf(b, " #%s", ait_issues[i].name);
}

/* Bytes of a body in reads of `step` bytes, each a copy of its own so that
 * the sanitizer sees its end; encoding may be NULL. */
static void run_bytes(const char *type, const char *encoding,
                      const char *body, size_t n, size_t step, seen *s,
                      ait_buf *facts)
{
    ait_stream_head head = {.content_type = type,
                            .content_encoding = encoding};
    ait_stream *stream = ait_stream_new(&head, see, s);
    int64_t ns = 0;

    memset(s, 0, sizeof *s);
    ait_buf_init(&s->line, 1 << 20);
    for (size_t at = 0; at < n; at += step) {
        size_t piece = n - at < step ? n - at : step;
        char *copy = malloc(piece);

        memcpy(copy, body + at, piece);
        CHECK_INT(ait_stream_feed(stream, ++ns, copy, piece), AIT_OK);
        free(copy);
    }
    CHECK_INT(ait_stream_end(stream), AIT_OK);
    say_facts(facts, ait_stream_get(stream));
    ait_stream_free(stream);
}

static inline char *quoted(const char *body, size_t n)
{
    char *copy = malloc(n + 1);

    memcpy(copy, body, n);
    copy[n] = '\0';
    for (char *p = copy; p < copy + n; p++)
        if (*p == '\'')
            *p = '"';
    return copy;
}

/* One chunk size against what is wanted; `bytes` holds the reads of the run
 * byte by byte, NULL for that run itself. */
static int run_step(const stream_case *c, const char *body, size_t n,
                    size_t step, seen *s, const seen *bytes)
{
    ait_buf facts;
    int good;

    ait_buf_init(&facts, 1 << 20);
    run_bytes(c->type, NULL, body, n, step, s, &facts);
    good = CHECK_TEXT(s->line.data ? s->line.data : "", c->events) &&
           CHECK_TEXT(facts.data, c->facts);
    for (size_t i = 0; good && bytes && i < s->events; i++)
        good &= CHECK_INT(s->read[i], (bytes->read[i] + step - 1) / step);
    if (!good)
        printf("# case \"%s\", reads of %zu bytes\n", c->name, step);
    ait_buf_free(&facts);
    return good;
}

/* Every chunk size of a short body; the small and some large ones of a long
 * one. */
static size_t next_step(size_t step, size_t n)
{
    return n <= 700 || step < 48 ? step + 1 : step + step / 2;
}

static inline void run_case(const stream_case *c)
{
    size_t n = strlen(c->body);
    char *body = quoted(c->body, n);
    static seen bytes, s;
    int good = run_step(c, body, n, 1, &bytes, NULL);

    for (size_t step = 2; good && step <= n; step = next_step(step, n)) {
        good = run_step(c, body, n, step, &s, &bytes);
        ait_buf_free(&s.line);
    }
    if (good && n > 1) {
        run_step(c, body, n, n, &s, &bytes);
        ait_buf_free(&s.line);
    }
    ait_buf_free(&bytes.line);
    free(body);
}

static inline void run_cases(const stream_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        run_case(&c[i]);
}

#define RUN_CASES(table) run_cases(table, sizeof(table) / sizeof *(table))

/* An SSE event. */
#define D(json) "data: " json "\n\n"
#define E(name, json) "event: " name "\ndata: " json "\n\n"

#endif
