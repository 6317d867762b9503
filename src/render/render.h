#ifndef AIT_RENDER_RENDER_H
#define AIT_RENDER_RENDER_H
/*
 * The render stage: traces, findings and reports into a buffer, as text for
 * people, JSON or CSV. Opens nothing, prints nothing. false: the buffer is
 * full or out of memory.
 */
#include "analyse/analyse.h"
#include "analyse/report.h"
#include "base/jsonw.h"
#include "input/input.h"
#include "store/store.h"

/* How text for people looks; JSON and CSV do not depend on it. */
typedef struct ait_style {
    int width;   /* columns; bars and wrapping follow it */
    bool fit;    /* there is such an edge: a table leaves out what is beyond
                    it; else a pipe or a file takes all of it */
    bool utf8;   /* else plain ASCII */
    bool colour;
    bool local;  /* local times instead of UTC with Z */
    bool ci;     /* report: print the 95 % intervals, too */
    bool share;  /* report: count findings by share, too */
    const char *from; /* " --db FILE" as the next command needs it;
                         NULL: none is named */
} ait_style;

/* A word for the shell: quoted where it needs it. */
bool ait_shell_word(ait_buf *out, const char *word);

/* The trace object, one value into a running document. */
void ait_render_trace_json(ait_jsonw *w, const ait_trace *t,
                           const ait_verdict *v);

/* diagnose: verdict first, then timeline, evidence, check, won't help. */
bool ait_render_diagnosis(ait_buf *out, const ait_trace *t,
                          const ait_verdict *v, const ait_style *style);
/* The limits in use, for an output that no finding names them in. */
bool ait_render_limits(ait_buf *out, const ait_thresholds *limits,
                       const ait_style *style);
/* show: every point, the gaps between them, attempts, tokens, rates with
 * reasons, measures, issues. */
bool ait_render_show(ait_buf *out, const ait_trace *t, const ait_verdict *v,
                     const ait_thresholds *limits, const ait_style *style);

/* One line an event, attempt by attempt, in pieces: they may be millions. */
typedef struct ait_event_walk {
    const ait_attempt *attempt; /* NULL: all were given */
    ait_timeline_cursor at;
    int64_t before; /* time of the event before it; absent: none */
    bool begun;     /* the attempt's title stands */
} ait_event_walk;
void ait_event_walk_init(ait_event_walk *w, const ait_trace *t);
/* Adds a piece of some kilobytes; not where w->attempt is NULL. */
bool ait_render_events(ait_buf *out, ait_event_walk *w,
                       const ait_style *style);
/* list: header once, then a line a request. */
bool ait_render_list_head(ait_buf *out, const ait_style *style);
bool ait_render_list_row(ait_buf *out, const ait_trace *t,
                         const ait_verdict *v, const ait_style *style);
/* Is the row's time a measured total, marked with ~? Then the list ends with
 * the foot that says so. */
bool ait_list_marked(const ait_trace *t);
bool ait_render_list_foot(ait_buf *out, const ait_style *style);
bool ait_render_list_csv_head(ait_buf *out);
bool ait_render_list_csv(ait_buf *out, const ait_trace *t,
                         const ait_verdict *v);

/* A finished report with the limits it was judged by. */
bool ait_render_report(ait_buf *out, const ait_report *r,
                       const ait_thresholds *limits, const ait_style *style);
bool ait_render_report_json(ait_buf *out, const ait_report *r,
                            const ait_thresholds *limits);
bool ait_render_report_csv(ait_buf *out, const ait_report *r);

/* What came of one file, as the import summary says it. */
typedef struct ait_import_summary {
    const char *file;
    const ait_file_report *report;
    const ait_put_counts *counts;
    const ait_issue_set *issues; /* of the file and of its traces */
} ait_import_summary;

/* One line a file on stderr; one object a file in the document. */
bool ait_render_import(ait_buf *out, const ait_import_summary *s,
                       const ait_style *style);
void ait_render_import_json(ait_jsonw *w, const ait_import_summary *s);

#endif
