/* Fuzz target: the SSE parser. Any bytes, whole and in small reads, give the
 * same events, comments and tail; no event is longer than its body. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strmap.h"
#include "stream/sse.h"

#define MAX 256 /* of an event, so that too long ones are met */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct sum {
    uint64_t hash;
    uint64_t events, comments;
    size_t size;
} sum;

static void add(sum *s, const char *p, size_t n)
{
    s->hash = ait_hash64(s->hash + n + 1, p, n);
}

static void on_event(void *ctx, const ait_sse_event *e)
{
    sum *s = ctx;

    if (e->len > s->size || e->too_large != (e->len > MAX) ||
        e->too_large != (e->data == NULL) ||
        e->name_len > AIT_SSE_NAME_MAX || e->id_len > AIT_SSE_NAME_MAX)
        AIT_BUG("an event out of bounds");
    s->events++;
    add(s, e->name ? e->name : "", e->name_len);
    add(s, e->id, e->id_len);
    if (e->data)
        add(s, e->data, e->len);
    add(s, (const char *)&e->len, sizeof e->len);
}

static void on_comment(void *ctx, size_t len)
{
    sum *s = ctx;

    s->comments += len < s->size; /* a cut one is shorter */
}

static void on_other(void *ctx, const char *line, size_t n)
{
    if (n == 0 || memchr(line, '\n', n) || memchr(line, '\r', n))
        AIT_BUG("a line that is none");
    (void)ctx;
}

static const ait_sse_calls calls = {on_event, on_comment, on_other, on_event};

static uint64_t run(const char *data, size_t size, size_t step, sum *s)
{
    ait_sse sse;
    uint64_t cut;

    memset(s, 0, sizeof *s);
    s->size = size;
    ait_sse_init(&sse, &calls, s, MAX);
    for (size_t at = 0; at < size; at += step) {
        size_t n = size - at < step ? size - at : step;
        char *copy = malloc(n); /* what is behind a read is not ours */

        memcpy(copy, data + at, n);
        ait_sse_feed(&sse, copy, n);
        free(copy);
    }
    cut = ait_sse_end(&sse);
    if (cut > size)
        AIT_BUG("more was cut off than there was");
    ait_sse_free(&sse);
    return cut;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t steps[] = {1, 2, 3, 7, 61};
    sum whole, parts;
    uint64_t cut = run((const char *)data, size, size + 1, &whole);

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (run((const char *)data, size, steps[i], &parts) != cut ||
            parts.hash != whole.hash || parts.events != whole.events)
            AIT_BUG("reads change the events");
    }
    return 0;
}
