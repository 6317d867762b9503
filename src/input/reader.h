#ifndef AIT_INPUT_READER_H
#define AIT_INPUT_READER_H
/*
 * What every reader gets, and the table row of a format. A reader is feed
 * plus finish: feed takes any split of the (inflated) bytes; holding back
 * half a record is the reader's own job.
 */
#include "input/input.h"
#include "input/lines.h"

typedef struct ait_reading {
    const char *name; /* of the file, for messages */
    const ait_input_options *options; /* never NULL */
    const ait_sink *sink;
    ait_file_report *report;
    ait_error *err;
    void *state; /* the reader's own */
} ait_reading;

/* Before a trace is given; `aside` has room for the sink's bytes. */
static inline void ait_sink_prepare(const ait_sink *sink, ait_trace *t,
                                    void *aside)
{
    if (!sink->prepare)
        return;
    t->aside = aside;
    sink->prepare(sink->ctx, t);
}

/* The bytes a sniff may look at. */
#define AIT_SNIFF_MAX (64u << 10)

/*
 * A format. One without `open` is recognised only to be refused with a hint
 * (how to get something readable out of it).
 */
typedef struct ait_format_row ait_format_row;
struct ait_format_row {
    ait_format_info info;
    int priority; /* unique; the lowest that knows the bytes wins */
    /* Does the head of a file look like it? n <= AIT_SNIFF_MAX. */
    bool (*sniff)(const ait_format_row *row, const char *head, size_t n);
    ait_code (*open)(ait_reading *r); /* sets state */
    ait_code (*feed)(ait_reading *r, const char *p, size_t n);
    ait_code (*finish)(ait_reading *r);
    void (*close)(ait_reading *r); /* also after a failed open */
    const char *hint;
    /* for sniffs by signature: the first bytes ('#' is any digit), and what
     * else must stand in the first 4 KiB */
    const char *begin;
    size_t begin_len;
    const char *holds[2];
};

extern const ait_format_row ait_capture_row; /* native_capture.c */
/* Its sniff (capture_sniff.c). */
bool ait_capture_sniff(const ait_format_row *row, const char *head, size_t n);
extern const ait_format_row ait_log_format_row;     /* log.c */

/* Readable formats, ends with NULL. */
extern const ait_format_row *const ait_format_rows[];
/* Formats that are only refused. */
extern const ait_format_row ait_refused_rows[];
extern const size_t ait_refused_count;

/* A readable format by --format's name; NULL: none. */
const ait_format_row *ait_format_by_name(const char *name);
/* By content, the refused ones too; NULL: not recognised. */
const ait_format_row *ait_format_by_content(const char *head, size_t n);
/* The sniff of the signature fields. */
bool ait_sniff_signature(const ait_format_row *row, const char *head,
                         size_t n);

/* bad_line with its place and reason (a constant sentence, or a reason made
 * of nothing but such). */
void ait_file_bad_line(ait_file_report *r, int64_t line, const char *why);

#endif
