/* Any bytes as a capture: whatever comes out, the numbers of a trace make
 * sense among themselves, and blocks of 5 bytes give the same traces. */
#include <stddef.h>
#include <stdlib.h>

#include "replay/replay.h"

typedef struct sum {
    uint64_t hash;
    int64_t traces;
} sum;

#define MUST(holds) ((holds) ? (void)0 : AIT_BUG(#holds))

/* Where both points happened, they happened in this order. */
static void check_order(const ait_trace *t)
{
    static const ait_point_id pairs[][2] = {
        {AIT_P_T3, AIT_P_T4}, {AIT_P_T4, AIT_P_T5},
        {AIT_P_T5, AIT_P_T5_NONBLANK}, {AIT_P_T4, AIT_P_TF},
        {AIT_P_T5, AIT_P_TF}, {AIT_P_TF, AIT_P_T6}, {AIT_P_T2, AIT_P_T6},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const ait_point *a = &t->point[pairs[i][0]];
        const ait_point *b = &t->point[pairs[i][1]];

        MUST(!ait_has(a->ns) || !ait_has(b->ns) || a->axis != b->axis ||
             ait_has(ait_span(t, pairs[i][0], pairs[i][1])));
    }
}

static void check_numbers(const ait_trace *t)
{
    const int64_t *s = t->stat;

    for (int i = 0; i < AIT_T_COUNT; i++)
        MUST(ait_timing(t, i) >= 0 || !ait_has(ait_timing(t, i)));
    for (int i = 0; i < AIT_G_LONGEST_AT; i++)
        MUST(ait_gap(t, i) >= 0 || !ait_has(ait_gap(t, i)));
    MUST(ait_visible_tokens(t) >= 0 || !ait_has(ait_visible_tokens(t)));
    for (const ait_measure *m = t->measures; m; m = m->next)
        MUST(m->name && (m->value >= 0 || !ait_has(m->value)));
    MUST(t->text[AIT_X_REQUEST_ID] == NULL || t->ids);
    if (!t->serving)
        return;
    MUST(s[AIT_S_TEXT] <= s[AIT_S_EVENTS]);
    MUST(s[AIT_S_TEXT_READS] <= s[AIT_S_TEXT]);
    MUST(s[AIT_S_BURST_BYTES] <= s[AIT_S_TEXT_BYTES]);
    MUST(s[AIT_S_MALFORMED] >= 0 && s[AIT_S_PARTIAL_BYTES] >= 0);
    MUST(!ait_has(s[AIT_S_STALL]) || s[AIT_S_STALL] <= s[AIT_S_LONGEST_GAP]);
}

/* What is kept of the events is what was counted. */
static void check_timeline(const ait_trace *t)
{
    const ait_attempt *a = t->serving;
    ait_timeline_cursor c = {0};
    ait_event e;
    int64_t n = 0;

    if (!a || !a->timeline)
        return;
    c.at = a->timeline;
    c.end = a->timeline + a->timeline_len;
    while (ait_timeline_next(&c, &e))
        n++;
    MUST(c.at == c.end);
    MUST(n == t->stat[AIT_S_EVENTS] + t->stat[AIT_S_COMMENTS]);
}

static int on_trace(void *ctx, ait_trace *t)
{
    sum *s = ctx;

    check_order(t);
    check_numbers(t);
    check_timeline(t);
    s->hash = s->hash * 31 + ait_trace_identity(t);
    s->traces++;
    return AIT_OK;
}

static sum run(const uint8_t *data, size_t size, size_t block)
{
    ait_file_report *report = calloc(1, sizeof *report);
    ait_input_options o = {.format = "capture", .block = block};
    ait_sink sink = {.record = ait_replay_record};
    sum s = {0, 0};

    if (!report)
        return s;
    sink.ctx = ait_replay_new("fuzz", "capture", report, on_trace, &s);
    if (sink.ctx &&
        ait_input_bytes("fuzz", data, size, &o, &sink, report, NULL) ==
            AIT_OK)
        MUST(ait_replay_finish(sink.ctx) == AIT_OK);
    ait_replay_free(sink.ctx);
    free(report);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sum a = run(data, size, 0), b = run(data, size, 5);

    MUST(a.traces == b.traces && a.hash == b.hash);
    return 0;
}
