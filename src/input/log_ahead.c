#include "input/log_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "input/logtrace.h"

enum { LINES = 64, BYTES = 64 << 10, PLACES_EACH = 4 };

/* Lines that are handed over at once: to wake a thread costs as much as to
 * read a line. */
typedef struct batch {
    ait_buf bytes;
    ait_line line[LINES]; /* p is set when all are there … */
    size_t at[LINES];     /* … from the place in `bytes` */
    ait_trace trace[LINES];
    bool plain[LINES];
    int n;
    char *aside; /* of the sink, for each trace */
} batch;

struct ait_log_ahead {
    ait_log_ahead_setup to;
    ait_crew *crew;
    int threads, places;
    void *self[AIT_CREW_MAX]; /* the kind's own memory, by worker */
    batch *batch;             /* by place */
    batch *open;              /* being filled; NULL: none */
};

/* ---- by any thread ----------------------------------------------------- */

static bool read_line(const ait_log_ahead *a, void *self,
                      const ait_line *line, ait_trace *t)
{
    ait_log_row row = {.key = {NULL, 0}};

    ait_trace_reset(t);
    if (line->zeros ||
        a->to.kind->read(self, line, t, &row) != AIT_LOG_REQUEST)
        return false;
    return row.told == AIT_TOLD_SURELY || a->to.forced;
}

static void work(void *ctx, int worker, int place)
{
    const ait_log_ahead *a = ctx;
    const ait_sink *sink = a->to.reading->sink;
    batch *b = &a->batch[place];

    for (int i = 0; i < b->n; i++) {
        ait_trace *t = &b->trace[i];

        b->line[i].p = b->bytes.data + b->at[i];
        b->plain[i] = read_line(a, a->self[worker], &b->line[i], t);
        if (!b->plain[i])
            continue;
        ait_log_place(t, a->to.reading->report, b->line[i].number);
        ait_sink_prepare(sink, t, b->aside + (size_t)i * sink->aside);
    }
}

/* ---- in order ---------------------------------------------------------- */

static void tell_soon(const ait_sink *sink, const batch *b)
{
    for (int i = 0; sink->soon && i < b->n; i++)
        if (b->plain[i])
            sink->soon(sink->ctx, &b->trace[i]);
}

static int turn(void *ctx, int place)
{
    const ait_log_ahead *a = ctx;
    batch *b = &a->batch[place];
    ait_code code = AIT_OK;

    tell_soon(a->to.reading->sink, b);
    for (int i = 0; i < b->n && code == AIT_OK; i++)
        code = a->to.fn(a->to.ctx, &b->line[i],
                        b->plain[i] ? &b->trace[i] : NULL);
    b->n = 0;
    ait_buf_clear(&b->bytes);
    return (int)code;
}

/* ---- by the caller ----------------------------------------------------- */

ait_code ait_log_ahead_settle(ait_log_ahead *a)
{
    if (a->open && a->open->n)
        ait_crew_put(a->crew);
    a->open = NULL;
    return (ait_code)ait_crew_settle(a->crew);
}

static bool add(batch *b, const ait_line *line)
{
    static const char pad[AIT_MEMBERS_PAD];

    b->at[b->n] = b->bytes.len;
    b->line[b->n] = *line;
    b->line[b->n].padded = true;
    if (!ait_buf_add(&b->bytes, line->p, line->n) ||
        !ait_buf_add(&b->bytes, pad, sizeof pad))
        return false;
    b->n++;
    return true;
}

/* Too long to be copied. */
static ait_code take_long(ait_log_ahead *a, const ait_line *line)
{
    ait_code code = ait_log_ahead_settle(a);

    return code == AIT_OK ? a->to.fn(a->to.ctx, line, NULL) : code;
}

ait_code ait_log_ahead_line(ait_log_ahead *a, const ait_line *line)
{
    int place;

    if (line->n > BYTES)
        return take_long(a, line);
    if (!a->open) {
        place = ait_crew_room(a->crew);
        if (place < 0)
            return ait_log_ahead_settle(a);
        a->open = &a->batch[place];
    }
    if (!add(a->open, line))
        return AIT_ENOMEM;
    if (a->open->n < LINES && a->open->bytes.len <= BYTES)
        return AIT_OK;
    ait_crew_put(a->crew);
    a->open = NULL;
    return AIT_OK;
}

/* ---- begin and end ----------------------------------------------------- */

static bool init_batch(batch *b, size_t aside)
{
    ait_buf_init(&b->bytes, SIZE_MAX - 1);
    for (int i = 0; i < LINES; i++)
        ait_trace_init(&b->trace[i]);
    b->aside = aside ? ait_alloc(LINES * aside) : NULL;
    return b->aside || !aside;
}

static void free_batch(batch *b)
{
    ait_buf_free(&b->bytes);
    for (int i = 0; i < LINES; i++)
        ait_trace_free(&b->trace[i]);
    free(b->aside);
}

static bool start(ait_log_ahead *a)
{
    const ait_log_kind *kind = a->to.kind;
    bool ok;

    a->batch = ait_alloc((size_t)a->places * sizeof *a->batch);
    ok = a->batch != NULL;
    for (int i = 0; ok && i < a->places; i++)
        ok = init_batch(&a->batch[i], a->to.reading->sink->aside);
    for (int i = 0; ok && i < a->threads; i++)
        ok = (a->self[i] = kind->open(kind)) != NULL;
    if (ok)
        a->crew = ait_crew_new(a->threads, a->places,
                               &(ait_crew_job){work, turn, a});
    return a->crew != NULL;
}

ait_log_ahead *ait_log_ahead_start(const ait_log_ahead_setup *setup)
{
    int threads = setup->reading->options->threads;
    ait_log_ahead *a = threads > 1 ? ait_alloc(sizeof *a) : NULL;

    if (!a)
        return NULL;
    a->to = *setup;
    a->threads = threads < AIT_CREW_MAX ? threads : AIT_CREW_MAX;
    a->places = PLACES_EACH * a->threads;
    if (start(a))
        return a;
    ait_log_ahead_free(a);
    return NULL;
}

void ait_log_ahead_free(ait_log_ahead *a)
{
    if (!a)
        return;
    ait_crew_free(a->crew);
    for (int i = 0; i < a->threads && a->self[i]; i++)
        a->to.kind->close(a->self[i]);
    for (int i = 0; a->batch && i < a->places; i++)
        free_batch(&a->batch[i]);
    free(a->batch);
    free(a);
}
