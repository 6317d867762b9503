#ifndef AIT_STREAM_ENCODING_H
#define AIT_STREAM_ENCODING_H
/*
 * Content encodings of a body: gzip (several members), deflate (zlib or
 * raw), identity. Decoded as it comes, in bounded steps. Anything else (br,
 * zstd) is not read: the caller keeps times and sizes.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef enum ait_decoding {
    AIT_DEC_PLAIN,   /* bytes go through as they are */
    AIT_DEC_GZIP,
    AIT_DEC_DEFLATE,
    AIT_DEC_UNREAD,  /* an encoding that is not read */
    AIT_DEC_DAMAGED  /* broke off in the middle: the rest is not read */
} ait_decoding;

typedef struct ait_decoder {
    ait_decoding is;
    bool open;        /* in the middle of a gzip member or zlib stream */
    bool whole;       /* at least one came to its end */
    bool trailing;    /* bytes behind the end that belong to nothing */
    char first[2];    /* deflate: its first bytes, to tell zlib from raw */
    size_t firsts;
    void *z;          /* z_stream, NULL before the first byte */
} ait_decoder;

/* Takes decoded bytes; false stops (out of memory). */
typedef bool ait_decoded_fn(void *ctx, const char *bytes, size_t n);

/* By the header's value, NULL or "" being identity. Allocates nothing. */
void ait_decoder_init(ait_decoder *d, const char *content_encoding);
void ait_decoder_free(ait_decoder *d);

/* AIT_ENOMEM is the only failure; damage shows in d->is. A body that is
 * declared gzip but is plain text (the recorder had decoded it) is read as
 * it is. */
ait_code ait_decoder_feed(ait_decoder *d, const char *bytes, size_t n,
                          ait_decoded_fn *fn, void *ctx);

/* Did the compressed data stop before its end? Asked at the body's end. */
bool ait_decoder_cut(const ait_decoder *d);

#endif
