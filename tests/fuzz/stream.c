/* Fuzz target: a whole response body. The first byte chooses type and
 * encoding, the second the size of the reads. Whole and in reads the events
 * and the facts are the same, and they make sense. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"
#include "stream/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(holds) ((holds) ? (void)0 : AIT_BUG(#holds))

typedef struct sum {
    uint64_t hash, events;
    uint64_t read; /* of the last event */
} sum;

static void add(sum *s, const void *p, size_t n)
{
    s->hash = ait_hash64(s->hash, p, n);
}

static void on_event(void *ctx, const ait_event *e)
{
    sum *s = ctx;
    uint32_t numbers[] = {e->classes, e->length, e->text_length, e->comment,
                          e->empty, e->nonblank, e->malformed};

    MUST(e->comment == (e->classes == 0));
    MUST(e->classes < 1u << AIT_C_COUNT);
    MUST((e->text_length > 0) == ((e->classes & AIT_C_VISIBLE) != 0));
    MUST(!e->nonblank || e->text_length);
    MUST(e->read >= s->read && e->read > 0); /* in order */
    s->read = e->read;
    s->events++;
    add(s, numbers, sizeof numbers);
}

static void check_word(const char *word)
{
    MUST(!*word || ait_is_identifier(word, strlen(word)) ||
         strncmp(word, "prompt_blocked:", 15) == 0);
}

static void add_facts(sum *s, const ait_stream_facts *f)
{
    const ait_usage *u = &f->usage;
    int64_t numbers[] = {f->streamed, f->terminal, f->error_seen,
                         f->rate_limit, f->body_text, f->body_other,
                         f->unread, f->partial_bytes, u->prompt, u->cached,
                         u->completion, u->reasoning, u->total,
                         u->reasoning_beside, u->running};

    check_word(f->finish_reason);
    check_word(f->error_code);
    MUST(!f->rate_limit || f->error_seen);
    MUST(!f->finish_reason[0] || f->terminal);
    MUST(f->partial_bytes >= 0);
    for (const ait_measure *m = f->measures; m; m = m->next)
        MUST(m->value >= 0 && m->origin == AIT_O_ENGINE && m->name);
    add(s, numbers, sizeof numbers);
    add(s, f->finish_reason, strlen(f->finish_reason));
    add(s, f->error_code, strlen(f->error_code));
    add(s, f->model, strlen(f->model));
    if (f->dialect)
        add(s, f->dialect, strlen(f->dialect));
    if (f->framing)
        add(s, f->framing, strlen(f->framing));
    add(s, &f->issues, sizeof f->issues);
}

static void run(const ait_stream_head *head, const char *p, size_t size,
                size_t step, sum *s)
{
    ait_stream *stream = ait_stream_new(head, on_event, s);

    memset(s, 0, sizeof *s);
    for (size_t at = 0; at < size; at += step) {
        size_t n = size - at < step ? size - at : step;
        char *copy = malloc(n); /* what is behind a read is not ours */

        memcpy(copy, p + at, n);
        MUST(ait_stream_feed(stream, (int64_t)at, copy, n) == AIT_OK);
        free(copy);
    }
    MUST(ait_stream_end(stream) == AIT_OK);
    add_facts(s, ait_stream_get(stream));
    ait_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {
        "text/event-stream", "application/json", "application/x-ndjson",
        "application/vnd.amazon.eventstream", NULL,
    };
    static const char *const encodings[] = {NULL, NULL, "gzip", "deflate"};
    ait_stream_head head = {.content_type = NULL};
    sum whole, parts;
    size_t step;

    if (size < 2)
        return 0;
    head.content_type = types[data[0] % 5];
    head.content_encoding = encodings[data[0] / 5 % 4];
    step = data[1] % 97 + 1u;
    run(&head, (const char *)data + 2, size - 2, size, &whole);
    run(&head, (const char *)data + 2, size - 2, step, &parts);
    if (whole.hash != parts.hash || whole.events != parts.events)
        AIT_BUG("reads change what is seen");
    return 0;
}
