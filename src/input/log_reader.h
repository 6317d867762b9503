#ifndef AIT_INPUT_LOG_READER_H
#define AIT_INPUT_LOG_READER_H
/*
 * Private to the reading of logs: log.c reads lines and chooses the kind,
 * log_objects.c finds the records in them.
 */
#include "input/document.h"
#include "input/join.h"
#include "input/jsonline.h"
#include "input/log.h"
#include "input/log_ahead.h"

typedef struct ait_log_reader {
    ait_reading *reading;
    ait_log_kinds kinds;
    ait_lines lines;
    ait_document document;
    ait_jsonline outer, inner; /* the line, and a line wrapped in it */
    ait_trace trace;
    ait_join *join;
    ait_log_ahead *ahead; /* NULL: not begun, or cannot be had */
    bool ahead_tried;
    void *aside;          /* of the sink, for a trace that is not ahead */
    ait_buf held;      /* lines that wait for the choice */
    ait_buf pieces[2]; /* of a wrapped line, by stream */
    int64_t pieces_line[2];
    ait_buf synthetic; /* a text line as JSON */
    int64_t entry;     /* records inside documents, counted */
    /* While it is not clear whose log it is, lines are only looked at, and
     * what is said of them goes nowhere. */
    bool dry;
    ait_file_report dry_report;
    int objects, matched[AIT_LOG_KINDS_MAX];
    ait_log_near near; /* name NULL: nobody is near to what none knows */
    const ait_log_kind *kind; /* NULL: not chosen yet */
    bool forced;              /* by the options */
    void *self;
} ait_log_reader;

/* Where issues go: to the file's report, or nowhere. */
static inline ait_file_report *ait_log_report(ait_log_reader *l)
{
    return l->dry ? &l->dry_report : l->reading->report;
}

/* All records of one line; while looking, all objects are counted. */
ait_code ait_log_take_line(ait_log_reader *l, const ait_line *line);
/* Pieces of wrapped lines whose last never came are said. */
void ait_log_end_pieces(ait_log_reader *l);
/* Fits ait_trace_fn, ctx is the ait_log_reader: gives a trace on. */
int ait_log_give(void *ctx, ait_trace *t);

#endif
