#ifndef AIT_INPUT_SOURCE_H
#define AIT_INPUT_SOURCE_H
/*
 * Bytes of a file, of standard input or of memory, in blocks, inflated
 * where they are gzip (any number of members). Pull: the caller asks for the
 * next block; it stays valid until the next call.
 */
#include "input/input.h"

typedef struct ait_source ait_source;

/* Opens `path` ("-": standard input). NULL: `err` says why. Options and
 * report must outlive the source; a damaged or cut gzip member and bytes
 * after the last one become issues of the report. */
ait_source *ait_source_open(const char *path, const ait_input_options *o,
                            ait_file_report *report, ait_error *err);
/* The same over bytes, which must outlive the source. */
ait_source *ait_source_bytes(const char *name, const void *bytes, size_t n,
                             const ait_input_options *o,
                             ait_file_report *report, ait_error *err);
void ait_source_close(ait_source *s); /* NULL is allowed */

/* A regular file, which can be read without waiting for anybody. */
bool ait_source_is_file(const ait_source *s);
int64_t ait_source_size(const ait_source *s); /* -1: not known */
/* From now on progress (NULL: none), report and error are these. */
void ait_source_tell(ait_source *s, const ait_input_options *o,
                     ait_file_report *report, ait_error *err);

/* The next block; *n is 0 at the end. report->bytes counts what was taken
 * from the file (compressed bytes). */
ait_code ait_source_next(ait_source *s, const char **p, size_t *n);
/* The same into the caller's memory of ait_source_block() bytes, from
 * ait_alloc_pages(). *p is `room`, or memory of the source's own that stays
 * as it is until the source is closed. */
ait_code ait_source_next_into(ait_source *s, char *room, const char **p,
                              size_t *n);
size_t ait_source_block(const ait_source *s);

#endif
