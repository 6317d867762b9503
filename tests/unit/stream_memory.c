/* Memory: every allocation fails once; nothing leaks, the failure is told;
 * what streams share; what too much of everything does. */
#include <zlib.h>

#include "stream_run.h"

static const char chat[] =
    "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\" \"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"\\n\"}}],\n"
    "data: \"usage\":{\"queue_time\":1}}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"a\\u00e9\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"c\"}}]}\n\n"
    "{\"error\":\n{\"code\":\"c\"}}\n";
static const char lines[] =
    "{\"bytes\":\"eyJvdXRwdXRUZXh0IjoiYWIifQ==\"}\n"
    "{\"bytes\":\"eyJvdXRwdXRUZXh0IjoiYWIifQ==\"}\n{\"a\":1}";
static const char array[] =
    "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}]";
static const char document[] = "{\"choices\":[{\"text\":\"\\u0061\"}]}";

static void ignore(void *ctx, const ait_event *e)
{
    (void)ctx;
    (void)e;
}

/* All of a body in small reads; false where memory ran out. */
static bool run(const char *type, const char *body, size_t n)
{
    ait_stream_head head = {.content_type = type};
    ait_stream *s = ait_stream_new(&head, ignore, NULL);
    bool good = s != NULL;

    for (size_t at = 0; good && at < n; at += 7)
        good = ait_stream_feed(s, 1, body + at, n - at < 7 ? n - at : 7) ==
               AIT_OK;
    if (s && ait_stream_end(s) != AIT_OK)
        good = false;
    ait_stream_free(s);
    return good;
}

static void every_allocation_fails_once(void)
{
    static const struct {
        const char *type, *body;
        size_t n;
    } bodies[] = {
        {"text/event-stream", chat, sizeof chat - 1},
        {"application/x-ndjson", lines, sizeof lines - 1},
        {NULL, lines, sizeof lines - 1},
        {NULL, array, sizeof array - 1},
        {"application/json", document, sizeof document - 1},
    };

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        long n = 1;

        for (; n < 200; n++) {
            bool good;

            ait_mem_fail_after(n);
            good = run(bodies[i].type, bodies[i].body, bodies[i].n);
            ait_mem_fail_after(0);
            if (good)
                break;
        }
        CHECK(n > 3 && n < 200);
    }
}

static void a_failed_stream_stays_failed(void)
{
    ait_stream_head head = {.content_type = "text/event-stream"};
    ait_stream *s = ait_stream_new(&head, ignore, NULL);

    ait_mem_fail_after(1);
    CHECK_INT(ait_stream_feed(s, 1, "data: ", 6), AIT_ENOMEM);
    ait_mem_fail_after(0);
    CHECK_INT(ait_stream_feed(s, 1, "a\n\n", 3), AIT_ENOMEM);
    CHECK_INT(ait_stream_end(s), AIT_ENOMEM);
    ait_stream_free(s);
}

/* Streams that share their scratch memory and take turns. */
static void shared_scratch_memory(void)
{
    ait_stream_work *work = ait_stream_work_new();
    ait_stream_head head = {.content_type = "text/event-stream",
                            .work = work};
    static seen a, b;
    ait_stream *one = ait_stream_new(&head, see, &a);
    ait_stream *two = ait_stream_new(&head, see, &b);

    ait_buf_init(&a.line, 1 << 16);
    ait_buf_init(&b.line, 1 << 16);
    for (size_t i = 0; i < sizeof chat - 1; i++) {
        CHECK_INT(ait_stream_feed(one, 1, chat + i, 1), AIT_OK);
        if (i % 2 == 0)
            CHECK_INT(ait_stream_feed(two, 1, chat + i / 2, 1), AIT_OK);
    }
    ait_stream_end(one);
    ait_stream_end(two);
    CHECK_TEXT(a.line.data, "text(1 ) text(1 ) text(3) text(1) text(1)");
    CHECK(strncmp(b.line.data, "text(1 ) text(1 )", 17) == 0);
    CHECK_TEXT(ait_stream_get(one)->error_code, "c");
    ait_stream_free(one);
    ait_stream_free(two);
    ait_stream_work_free(work);
    ait_buf_free(&a.line);
    ait_buf_free(&b.line);
}

/* An event over the maximum is counted, what follows is read. */
static void an_event_too_large(void)
{
    static char block[1 << 16];
    ait_stream_head head = {.content_type = "text/event-stream"};
    static seen s;
    ait_stream *stream = ait_stream_new(&head, see, &s);
    ait_buf said;

    ait_buf_init(&s.line, 1 << 16);
    ait_buf_init(&said, 1 << 16);
    memset(block, 'x', sizeof block);
    ait_stream_feed(stream, 1, "data: {\"", 8);
    for (size_t sent = 0; sent <= AIT_EVENT_MAX; sent += sizeof block)
        CHECK_INT(ait_stream_feed(stream, 2, block, sizeof block), AIT_OK);
    ait_stream_feed(stream, 3, "\n\n", 2);
    ait_stream_feed(stream, 3, chat, sizeof chat - 1);
    ait_stream_end(stream);
    say_facts(&said, ait_stream_get(stream));
    CHECK(strncmp(s.line.data, "envelope! text(1 )", 18) == 0);
    CHECK(strstr(said.data, "#event_too_large") != NULL);
    ait_stream_free(stream);
    ait_buf_free(&said);
    ait_buf_free(&s.line);
}

/* An event of more values than are looked into. */
static void an_event_of_too_many_values(void)
{
    enum { VALUES = (1 << 20) + 10 };
    ait_stream_head head = {.content_type = NULL};
    static seen s;
    ait_stream *stream = ait_stream_new(&head, see, &s);
    char *data = malloc(2 * VALUES + 20);
    size_t n = 0;

    ait_buf_init(&s.line, 1 << 16);
    memcpy(data, "{\"a\":[1", 7);
    n = 7;
    for (int i = 0; i < VALUES; i++) {
        data[n++] = ',';
        data[n++] = '1';
    }
    memcpy(data + n, "]}", 2);
    CHECK_INT(ait_stream_event(stream, 1, NULL, 0, data, n + 2), AIT_OK);
    CHECK_TEXT(s.line.data, "envelope!");
    CHECK_INT(ait_stream_get(stream)->issues.count[AIT_I_EVENT_TOO_LARGE],
              1);
    ait_stream_free(stream);
    ait_buf_free(&s.line);
    free(data);
}

/* A document over the maximum is not kept, and said to be unread. */
static void a_document_too_large(void)
{
    static char block[1 << 16];
    ait_stream_head head = {.content_type = "application/json"};
    ait_stream *stream = ait_stream_new(&head, ignore, NULL);

    memset(block, 'x', sizeof block);
    ait_stream_feed(stream, 1, "{\"", 2);
    for (size_t sent = 0; sent <= AIT_EVENT_MAX; sent += sizeof block)
        CHECK_INT(ait_stream_feed(stream, 2, block, sizeof block), AIT_OK);
    ait_stream_end(stream);
    CHECK(ait_stream_get(stream)->unread);
    CHECK_INT(ait_stream_get(stream)->issues.count[AIT_I_EVENT_TOO_LARGE],
              1);
    ait_stream_free(stream);
}

/* ---- much out of little ----------------------------------------------- */

enum { INFLATED = 8 << 20 }; /* bytes of the body below */

/* A body of 8 MiB that compresses to some kilobytes. */
static void compressed(ait_buf *out)
{
    static const char event[] = "data: {\"choices\":[{\"delta\":{}}]}\n\n\n";
    z_stream z = {0};
    char room[65536];
    int state = Z_OK;

    CHECK_INT(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY),
              Z_OK);
    while (state != Z_STREAM_END) {
        z.next_in = (Bytef *)(uintptr_t)event;
        z.avail_in = z.total_in < INFLATED ? 36 : 0;
        do {
            z.next_out = (Bytef *)room;
            z.avail_out = sizeof room;
            state = deflate(&z, z.avail_in ? Z_NO_FLUSH : Z_FINISH);
            ait_buf_add(out, room, sizeof room - z.avail_out);
        } while (z.avail_in);
    }
    deflateEnd(&z);
}

typedef struct asked {
    int times, most;
} asked;

static int ask(void *ctx)
{
    asked *a = ctx;

    return ++a->times > a->most;
}

static ait_code feed_compressed(const ait_buf *b, asked *a)
{
    ait_stream_head head = {.content_type = "text/event-stream",
                            .content_encoding = "gzip",
                            .ask = ask, .ask_ctx = a};
    ait_stream *s = ait_stream_new(&head, ignore, NULL);
    ait_code rc = ait_stream_feed(s, 1, b->data, b->len);

    CHECK_INT(ait_stream_feed(s, 1, "", 0), rc);
    ait_stream_free(s);
    return rc;
}

static void a_read_that_becomes_much_can_be_stopped(void)
{
    asked a = {0, 100};
    ait_buf b;

    ait_buf_init(&b, 1 << 20);
    compressed(&b);
    CHECK(b.len < INFLATED / 100);
    CHECK_INT(feed_compressed(&b, &a), AIT_OK);
    CHECK_INT(a.times, 8); /* once a MiB */
    a = (asked){0, 2};
    CHECK_INT(feed_compressed(&b, &a), AIT_EINTR);
    CHECK_INT(a.times, 3); /* and no byte is looked at any more */
    ait_buf_free(&b);
}

static void free_of_nothing(void)
{
    ait_stream_free(NULL);
    ait_stream_work_free(NULL);
}

int main(void)
{
    RUN(every_allocation_fails_once);
    RUN(a_failed_stream_stays_failed);
    RUN(shared_scratch_memory);
    RUN(an_event_too_large);
    RUN(an_event_of_too_many_values);
    RUN(a_document_too_large);
    RUN(a_read_that_becomes_much_can_be_stopped);
    RUN(free_of_nothing);
    return t_done();
}
