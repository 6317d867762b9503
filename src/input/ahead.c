#include "input/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/belt.h"

enum { PIECES = 16 };

typedef struct piece {
    char *room;    /* made when it is first needed */
    const char *p; /* `room`, or memory of the source */
    size_t n;      /* 0: the end, or an error */
    int64_t read;  /* bytes of the file so far */
} piece;

struct ait_ahead {
    ait_source *source;
    const ait_input_options *options;
    ait_belt belt;
    pthread_t thread;
    piece piece[PIECES];
    /* what the thread finds, looked at when it is over */
    ait_file_report found;
    ait_error why;
    ait_code code;
    /* the reader's side */
    ait_file_report *report;
    ait_error *err;
    bool holding; /* the piece that was given last */
    bool over;
};

/* ---- the thread ---------------------------------------------------------- */

/* false: that was the last one. */
static bool fill(ait_ahead *a, piece *to)
{
    to->n = 0;
    if (!to->room)
        to->room = ait_alloc_pages(ait_source_block(a->source));
    a->code = to->room ? ait_source_next_into(a->source, to->room, &to->p,
                                              &to->n)
                       : ait_fail(&a->why, AIT_ENOMEM,
                                  "out of memory while reading");
    to->read = a->found.bytes;
    return a->code == AIT_OK && to->n;
}

static void *read_on(void *ctx)
{
    ait_ahead *a = ctx;
    bool more = true;
    int i;

    while (more && (i = ait_belt_room(&a->belt)) >= 0) {
        more = fill(a, &a->piece[i]);
        ait_belt_put(&a->belt);
    }
    return NULL;
}

/* ---- the reader ---------------------------------------------------------- */

ait_ahead *ait_ahead_start(ait_source *s, const ait_input_options *o,
                           ait_file_report *report, ait_error *err)
{
    ait_ahead *a = ait_source_is_file(s) ? ait_alloc(sizeof *a) : NULL;

    if (!a)
        return NULL;
    a->source = s;
    a->options = o;
    a->report = report;
    a->err = err;
    a->found.bytes = report->bytes;
    if (ait_belt_init(&a->belt, PIECES)) {
        ait_source_tell(s, NULL, &a->found, &a->why);
        if (ait_thread_start(&a->thread, read_on, a))
            return a;
        ait_source_tell(s, o, report, err);
        ait_belt_free(&a->belt);
    }
    free(a);
    return NULL;
}

static void join(ait_ahead *a)
{
    if (!a->over)
        pthread_join(a->thread, NULL);
    a->over = true;
}

/* What was found on the way is said at the end, where the file ends. */
static ait_code finish(ait_ahead *a)
{
    join(a);
    for (int i = 0; i < AIT_I_COUNT; i++)
        for (uint32_t n = a->found.issues.count[i]; n > 0; n--)
            ait_file_issue(a->report, (ait_issue_id)i, 0);
    memset(&a->found.issues, 0, sizeof a->found.issues);
    if (a->code != AIT_OK)
        *a->err = a->why;
    return a->code;
}

static ait_code tell_progress(const ait_ahead *a)
{
    const ait_input_options *o = a->options;

    if (!o->progress || o->progress(o->progress_ctx, a->report->bytes,
                                    ait_source_size(a->source)) == 0)
        return AIT_OK;
    return ait_fail(a->err, AIT_EINTR, "interrupted");
}

ait_code ait_ahead_next(ait_ahead *a, const char **p, size_t *n)
{
    const piece *next;

    *n = 0;
    if (a->over)
        return a->code;
    if (a->holding)
        ait_belt_done(&a->belt);
    next = &a->piece[ait_belt_take(&a->belt)];
    a->holding = true;
    *p = next->p;
    *n = next->n;
    a->report->bytes = next->read;
    return *n ? tell_progress(a) : finish(a);
}

void ait_ahead_stop(ait_ahead *a)
{
    if (!a)
        return;
    ait_belt_refuse(&a->belt);
    join(a);
    ait_belt_free(&a->belt);
    for (int i = 0; i < PIECES; i++)
        free(a->piece[i].room);
    free(a);
}
