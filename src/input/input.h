#ifndef AIT_INPUT_INPUT_H
#define AIT_INPUT_INPUT_H
/*
 * The input stage: a file, standard input or bytes, plain or gzip (any
 * number of members), recognised once by content, read in blocks, given on
 * as capture records or as finished trace records.
 *
 * What is good is kept, what is not is counted with its place. Memory
 * depends on the longest line (at most AIT_LINE_MAX), not on the file.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "input/record.h"
#include "model/trace.h"

#define AIT_LINE_MAX (16u << 20)

/* Where records and traces go. A callback returns an ait_code; anything but
 * AIT_OK stops the reading and is returned. */
typedef struct ait_sink {
    void *ctx;
    int (*record)(void *ctx, const ait_record *r); /* captures */
    ait_trace_fn *trace;                           /* gateway logs */
    /* What the sink can do with a trace of a log before its turn and without
     * a look at any other; on whatever thread, for several at once. It may
     * leave something behind t->aside, which has room for `aside` bytes until
     * `trace` has returned. NULL: nothing. */
    void (*prepare)(void *ctx, ait_trace *t);
    size_t aside;
    /* This one will come soon, if it comes: a time to fetch what it takes.
     * Called in turn with `trace`, of some. NULL: nothing. */
    void (*soon)(void *ctx, const ait_trace *t);
} ait_sink;

typedef struct ait_input_options {
    const char *format;   /* NULL: by content */
    const char *map_file; /* NULL: none */
    /* Folders with mapping files of the user's, ends with NULL; may be
     * NULL. A folder that is not there is no error. */
    const char *const *format_folders;
    /* A mapping that is read already and then the only one; NULL: none. */
    const struct ait_map *map;
    /* Threads that may be used, this one among them; 0 is 1. What is given
     * and said does not depend on it. A capture is read ahead. Lines of a log
     * are read by all of them: then the sink, too, is called on any of them,
     * in order and, but for `prepare`, by one at a time. */
    int threads;
    size_t block;         /* bytes a read; 0: 64 KiB (tests set 1, 2, …) */
    /* Called now and then with bytes read so far (compressed) and the size
     * of the file (-1 not known); a result other than 0 stops with
     * AIT_EINTR. May be NULL. */
    int (*progress)(void *ctx, int64_t bytes, int64_t size);
    void *progress_ctx;
} ait_input_options;

/* What was found in one file; filled as far as reading came. */
typedef struct ait_file_report {
    char name[AIT_TEXT_MAX + 1]; /* of the file, no folder, as it is kept */
    char format[48];        /* "" where none was recognised */
    char recognised_by[64]; /* "content", "option", detector and rate … */
    bool capture;           /* records, not traces */
    int64_t bytes, lines, records;
    ait_issue_set issues;   /* of the file; those of traces come on top */
    ait_places places[AIT_I_COUNT]; /* by issue: lines */
    char bad_reason[AIT_PLACES_MAX][64]; /* why, for bad_line's places */
} ait_file_report;

/* Bad lines, or a cut file: exit status 3. */
bool ait_file_lost(const ait_file_report *r);

/* Counts an issue of the file, with its line where that is above 0. */
void ait_file_issue(ait_file_report *r, ait_issue_id id, int64_t line);

/*
 * Reads `path` ("-": standard input). AIT_OK also where lines were bad (see
 * ait_file_lost). AIT_EINPUT: nothing usable; the error says why and what would
 * help. `report` is zeroed first.
 */
ait_code ait_input_file(const char *path, const ait_input_options *o,
                        const ait_sink *sink, ait_file_report *report,
                        ait_error *err);
/* The same over bytes in memory; `name` for messages and the trace's file. */
ait_code ait_input_bytes(const char *name, const void *bytes, size_t n,
                         const ait_input_options *o, const ait_sink *sink,
                         ait_file_report *report, ait_error *err);

/* Formats for `aitrace formats`: what is built in; made at the first call,
 * constant from then on (not for several threads at once). */
typedef struct ait_format_info {
    const char *name;   /* as --format takes it */
    const char *title;  /* one line */
    const char *origin; /* what its times start at, one line */
    bool capture;
    const char *file; /* the user's mapping file; NULL: built in */
} ait_format_info;
size_t ait_formats(const ait_format_info **out);

/* The same with the mapping files of a user's folders (see
 * ait_input_options). One that cannot be read is an error. Zero the list
 * before, free it in any case. */
typedef struct ait_format_list {
    ait_format_info *info;
    size_t count;
    struct ait_log_kinds *kinds; /* holds the texts */
} ait_format_list;
ait_code ait_format_list_load(ait_format_list *l,
                              const char *const *folders, ait_error *err);
void ait_format_list_free(ait_format_list *l);

/*
 * Checks a mapping file: reads it and runs its samples. `out` gets what a
 * person wants to see: of a mistake in the file the line, a caret under it
 * and the words that would do there; of a sample what came and what was
 * wanted. AIT_EUSAGE: not usable, or a sample does not hold.
 */
ait_code ait_formats_check(const char *path, ait_buf *out, ait_error *err);

#endif
