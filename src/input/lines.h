#ifndef AIT_INPUT_LINES_H
#define AIT_INPUT_LINES_H
/*
 * Push line splitter: any split of the input gives the same lines. A line
 * ends at LF; a CR before it, a byte order mark at the start of the file,
 * and white space and zero bytes around the line are taken off. A line that
 * lies within one block is not copied.
 */
#include "input/input.h"

typedef struct ait_line {
    const char *p;  /* valid during the call */
    size_t n;
    int64_t number; /* 1-based */
    int64_t offset; /* of its first byte, before anything was taken off */
    bool zeros;     /* zero bytes stood before it: a hole in the file */
    bool finished;  /* its LF was there */
    bool made;      /* it does not stand like that in the file */
    bool padded;    /* AIT_MEMBERS_PAD zero bytes stand behind it */
} ait_line;

/* Anything but AIT_OK stops the splitter and is returned by feed. Blank
 * lines are not given; those of zero bytes are counted as bad. */
typedef int ait_line_fn(void *ctx, const ait_line *line);

typedef struct ait_lines {
    ait_line_fn *fn;
    void *ctx;
    ait_file_report *report; /* counts lines, gets what is wrong with them */
    /* Called before anything wrong is said of a line, for whoever has not
     * dealt with all lines before it; gives an ait_code. NULL: nothing. */
    int (*settle)(void *ctx);
    void *settle_ctx;
    size_t max;              /* AIT_LINE_MAX; tests set less */
    ait_buf carry;           /* begin of a line that goes on */
    int64_t number, offset;  /* of the line that comes next */
    bool skipping;           /* inside a line over the maximum */
} ait_lines;

/* Allocates nothing; feed blocks of any size; free in any case. */
void ait_lines_init(ait_lines *l, ait_line_fn *fn, void *ctx,
                    ait_file_report *report);
void ait_lines_free(ait_lines *l);
ait_code ait_lines_feed(ait_lines *l, const char *p, size_t n);
/* The last line, where it has no LF. */
ait_code ait_lines_finish(ait_lines *l);

#endif
