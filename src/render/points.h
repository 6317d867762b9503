#ifndef AIT_RENDER_POINTS_H
#define AIT_RENDER_POINTS_H
/*
 * The timeline as rows, shared by diagnose and show: nine points, where each
 * lies from the origin, or why it is not there.
 */
#include "render/page.h"

#define AIT_ROWS 9

typedef struct ait_row {
    ait_point_id point;
    const char *label;
    int64_t at;      /* ns from the origin; absent with a reason in `why` */
    int64_t since;   /* ns from the last point before it that is there */
    const char *why; /* constant sentence, "" where a note says it; NULL
                        where `at` is there */
} ait_row;

/* The rows of the timeline, in their fixed order. */
void ait_rows(const ait_trace *t, ait_row row[AIT_ROWS]);

/* What there is to say beside a row, "" for nothing: what the first response
 * was, the visible window, how the body ended. `out` has AIT_CELL bytes. */
const char *ait_row_note(const ait_trace *t, const ait_row *row, char *out);

/* "not in this log" or "not in this recording". */
const char *ait_not_here(const ait_trace *t);

/* id · model · route · time · outcome, tokens; one line. */
void ait_page_headline(ait_page *p, const ait_trace *t);

/* "primary: what", one line. */
void ait_page_verdict(ait_page *p, const ait_trace *t, const ait_verdict *v);

/* The finding that `primary` names, or NULL. */
const ait_finding *ait_primary(const ait_verdict *v);

/* "evidence (limit …), …" of a finding. false: out is full. */
bool ait_why_text(ait_buf *out, const ait_trace *t, const ait_finding *f);

/* Items of advice, joined, each with the request's own figure where there is
 * one: "output length (196 tokens)". false: out is full. */
bool ait_advice_text(ait_buf *out, const ait_trace *t,
                     const char *const *items, const char *joint);

/* Blocks under a label: what cannot be told, what the data itself says. */
void ait_page_cannot(ait_page *p, const ait_trace *t, const ait_verdict *v,
                     int indent);
void ait_page_issues(ait_page *p, const ait_trace *t, int indent);

#endif
