/* Milestones: the tables, what contradicts them, and the whole time. */
#include <string.h>

#include "model/trace.h"

const ait_timing_info ait_timings[AIT_T_COUNT] = {
    [AIT_T_AUTH] = {"auth_ms", AIT_P_ORIGIN, AIT_P_ORIGIN,
                    "authentication"},
    [AIT_T_DISTRIBUTION] = {"distribution_ms", AIT_P_ORIGIN, AIT_P_ORIGIN,
                            "distribution"},
    [AIT_T_BODY_READ] = {"body_read_ms", AIT_P_ORIGIN, AIT_P_ORIGIN,
                         "request body read"},
    [AIT_T_UPSTREAM_START] = {"upstream_start_ms", AIT_P_ORIGIN, AIT_P_T1,
                              "upstream started"},
    [AIT_T_UPSTREAM_HEADERS] = {"upstream_headers_ms", AIT_P_T1, AIT_P_T2,
                                "headers"},
    [AIT_T_FIRST_SSE_EVENT] = {"first_sse_event_ms", AIT_P_ORIGIN,
                               AIT_P_T3, "first event"},
    [AIT_T_FIRST_RESPONSE] = {"first_response_ms", AIT_P_ORIGIN, AIT_P_T4,
                              "first response"},
    [AIT_T_FIRST_TEXT_DELTA] = {"first_text_delta_ms", AIT_P_ORIGIN,
                                AIT_P_T5, "first visible text"},
    [AIT_T_FIRST_NONBLANK_TEXT] = {"first_nonblank_text_ms", AIT_P_ORIGIN,
                                   AIT_P_T5_NONBLANK,
                                   "first text not blank"},
    [AIT_T_FINAL_RESPONSE] = {"final_response_ms", AIT_P_ORIGIN, AIT_P_TF,
                              "final response"},
    [AIT_T_UPSTREAM_DONE] = {"upstream_done_ms", AIT_P_ORIGIN, AIT_P_T6,
                             "upstream closed"},
    [AIT_T_TOTAL_HANDLER] = {"total_handler_ms", AIT_P_ORIGIN, AIT_P_T7,
                             "handler done"},
};

const ait_timing_info ait_gaps[AIT_G_COUNT] = {
    [AIT_G_HEADERS_TO_EVENT] = {"headers_to_event_ms", AIT_P_T2, AIT_P_T3,
                                "headers to first event"},
    [AIT_G_EVENT_TO_RESPONSE] = {"event_to_response_ms", AIT_P_T3,
                                 AIT_P_T4,
                                 "first event to first response"},
    [AIT_G_RESPONSE_TO_TEXT] = {"response_to_text_ms", AIT_P_T4, AIT_P_T5,
                                "first response to first visible text"},
    [AIT_G_VISIBLE_WINDOW] = {"visible_window_ms", AIT_P_T5, AIT_P_TF,
                              "visible window"},
    [AIT_G_BEFORE_UPSTREAM] = {"before_upstream_ms", AIT_P_T0,
                               AIT_P_T1_FIRST, "before the upstream"},
    [AIT_G_AFTER_UPSTREAM] = {"after_upstream_ms", AIT_P_T6, AIT_P_T7,
                              "after the upstream"},
    [AIT_G_LONGEST] = {"longest_gap_ms", AIT_P_ORIGIN, AIT_P_ORIGIN,
                       "longest silence"},
    [AIT_G_LONGEST_AT] = {"longest_gap_at_ms", AIT_P_ORIGIN, AIT_P_ORIGIN,
                          "longest silence began"},
};

/* By less than the resolution the order of two figures is not known. */
static inline void check_span(ait_trace *t, ait_point_id from,
                              ait_point_id to)
{
    const ait_point *a = &t->point[from], *b = &t->point[to];
    int64_t back;

    if (a->ns <= b->ns || a->axis != b->axis) /* absent is below all */
        return;
    back = ait_minus(a->ns, b->ns);
    if (back > 0 && back >= t->num[AIT_N_RESOLUTION])
        ait_issue_add(&t->issues, AIT_I_NEGATIVE_DURATION);
}

void ait_check_spans(ait_trace *t)
{
    for (int i = 0; i < AIT_T_COUNT; i++)
        check_span(t, ait_timings[i].from, ait_timings[i].to);
    for (int i = 0; i < AIT_G_COUNT; i++)
        check_span(t, ait_gaps[i].from, ait_gaps[i].to);
    if (ait_has(t->point[AIT_P_TF].ns))
        return;
    check_span(t, AIT_P_T5, AIT_P_T6); /* where a log's window ends */
    check_span(t, AIT_P_T5, AIT_P_T7);
}

int64_t ait_end_to_end(const ait_trace *t)
{
    static const ait_point_id ends[] = {AIT_P_T7, AIT_P_T6, AIT_P_TF};
    int i = 0;

    /* an end that happened on another axis is not replaced by a sooner one */
    while (i < 2 && !ait_has(t->point[ends[i]].ns))
        i++;
    return ait_span(t, AIT_P_ORIGIN, ends[i]);
}

int64_t ait_whole_time(const ait_trace *t)
{
    int64_t whole = ait_end_to_end(t);

    for (const ait_measure *m = t->measures; m && !ait_has(whole);
         m = m->next)
        if (m->name && strcmp(m->name, "total") == 0)
            whole = m->value;
    return whole;
}
