#ifndef AIT_INPUT_DOCUMENT_H
#define AIT_INPUT_DOCUMENT_H
/*
 * Between the lines of a file and a reader of JSON lines: a value that is
 * spread over lines (a page of an API, indented) is given as one line. A
 * file that only began like one is given line by line, with its numbers.
 */
#include "input/lines.h"

/* The largest document that is read as one. */
#define AIT_DOCUMENT_MAX (64u << 20)

typedef struct ait_document {
    ait_line_fn *fn;
    void *ctx;
    ait_file_report *report;
    ait_buf text;
    int64_t first, last; /* lines of the document; first 0: none begun */
    int (*settle)(void *ctx); /* as of ait_lines, of the lines given again */
    bool decided;        /* lines go straight through */
} ait_document;

/* Allocates nothing; `fn` takes each element. Free in any case. */
void ait_document_init(ait_document *d, ait_line_fn *fn, void *ctx,
                       ait_file_report *report);
void ait_document_free(ait_document *d);
/* Fits ait_line_fn: ctx is the ait_document. */
int ait_document_line(void *ctx, const ait_line *line);
/* Gives what is held. */
ait_code ait_document_finish(ait_document *d);

#endif
