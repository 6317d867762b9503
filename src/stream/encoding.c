/* Content encodings, decoded as they come. */
#include "stream/encoding.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include "base/mem.h"

#define STEP 16384 /* bytes decoded at a time */

#define WINDOW_GZIP (15 + 16)
#define WINDOW_ZLIB 15
#define WINDOW_RAW (-15)

typedef struct encoding {
    const char *name;
    ait_decoding is;
} encoding;

static const encoding encodings[] = {
    {"", AIT_DEC_PLAIN},         {"identity", AIT_DEC_PLAIN},
    {"gzip", AIT_DEC_GZIP},      {"x-gzip", AIT_DEC_GZIP},
    {"deflate", AIT_DEC_DEFLATE},
};

void ait_decoder_init(ait_decoder *d, const char *content_encoding)
{
    const char *p = content_encoding ? content_encoding : "";
    size_t n;

    memset(d, 0, sizeof *d);
    p += strspn(p, " \t");
    n = strcspn(p, " \t\r\n");
    d->is = AIT_DEC_UNREAD;
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (strlen(encodings[i].name) == n &&
            strncasecmp(encodings[i].name, p, n) == 0)
            d->is = encodings[i].is;
}

void ait_decoder_free(ait_decoder *d)
{
    if (d->z)
        inflateEnd(d->z);
    free(d->z);
    d->z = NULL;
}

/* A new member: the state is made once and reset afterwards. */
static ait_code begin(ait_decoder *d, int window)
{
    z_stream *z = d->z;

    d->open = true;
    if (z)
        return inflateReset2(z, window) == Z_OK ? AIT_OK : AIT_ENOMEM;
    z = ait_alloc(sizeof *z);
    if (!z)
        return AIT_ENOMEM;
    if (inflateInit2(z, window) != Z_OK) {
        free(z);
        return AIT_ENOMEM;
    }
    d->z = z;
    return AIT_OK;
}

static void damaged(ait_decoder *d)
{
    d->is = AIT_DEC_DAMAGED;
    d->open = false;
}

/* Inflates up to the end of the member or of the bytes given. Returns how
 * many bytes are left over; *rc tells of memory. */
static size_t inflate_some(ait_decoder *d, const char *p, size_t n,
                           ait_decoded_fn *fn, void *ctx, ait_code *rc)
{
    z_stream *z = d->z;
    char out[STEP];
    int state = Z_OK;

    z->next_in = (Bytef *)(uintptr_t)p;
    z->avail_in = (uInt)n;
    do {
        z->next_out = (Bytef *)out;
        z->avail_out = sizeof out;
        state = inflate(z, Z_SYNC_FLUSH);
        if (z->avail_out < sizeof out &&
            !fn(ctx, out, sizeof out - z->avail_out))
            state = Z_MEM_ERROR;
    } while (state == Z_OK && (z->avail_in || !z->avail_out));
    if (state == Z_MEM_ERROR) {
        *rc = AIT_ENOMEM;
    } else if (state == Z_STREAM_END) {
        d->open = false;
        d->whole = true;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
        damaged(d);
    }
    return z->avail_in;
}

/* The compressed body: members one behind the other. */
static ait_code feed_members(ait_decoder *d, int window, const char *p,
                             size_t n, ait_decoded_fn *fn, void *ctx)
{
    ait_code rc = AIT_OK;

    while (n && rc == AIT_OK && d->is != AIT_DEC_DAMAGED) {
        /* zlib counts in unsigned int: larger reads go in pieces */
        size_t piece = n < (1u << 30) ? n : 1u << 30, left;

        if (!d->open) {
            if (d->whole && (window != WINDOW_GZIP || *p != '\x1f')) {
                d->trailing = true;
                break;
            }
            rc = begin(d, window);
            if (rc != AIT_OK)
                break;
        }
        left = inflate_some(d, p, piece, fn, ctx, &rc);
        p += piece - left;
        n -= piece - left;
    }
    return rc;
}

/* Is it what a decoded body starts with? */
static bool looks_plain(char c)
{
    return c && strchr("deir:{[\n\r \xef", c);
}

static ait_code feed_gzip(ait_decoder *d, const char *p, size_t n,
                          ait_decoded_fn *fn, void *ctx)
{
    if (!d->open && !d->whole && looks_plain(*p)) {
        d->is = AIT_DEC_PLAIN;
        return fn(ctx, p, n) ? AIT_OK : AIT_ENOMEM;
    }
    return feed_members(d, WINDOW_GZIP, p, n, fn, ctx);
}

/* "deflate" should be zlib, and is raw at some servers: the first two bytes
 * tell. */
static ait_code feed_deflate(ait_decoder *d, const char *p, size_t n,
                             ait_decoded_fn *fn, void *ctx)
{
    unsigned head;
    int window;
    ait_code rc = AIT_OK;

    if (d->firsts == 2)
        return feed_members(d, WINDOW_RAW, p, n, fn, ctx);
    while (d->firsts < 2 && n) {
        d->first[d->firsts++] = *p++;
        n--;
    }
    if (d->firsts < 2)
        return AIT_OK;
    head = (unsigned)(unsigned char)d->first[0] << 8 |
           (unsigned char)d->first[1];
    window = (head & 0x0f00) == 0x0800 && head % 31 == 0 ? WINDOW_ZLIB
                                                         : WINDOW_RAW;
    rc = feed_members(d, window, d->first, 2, fn, ctx);
    if (rc == AIT_OK && n)
        rc = feed_members(d, window, p, n, fn, ctx);
    return rc;
}

ait_code ait_decoder_feed(ait_decoder *d, const char *bytes, size_t n,
                          ait_decoded_fn *fn, void *ctx)
{
    if (n == 0)
        return AIT_OK;
    if (d->is == AIT_DEC_PLAIN)
        return fn(ctx, bytes, n) ? AIT_OK : AIT_ENOMEM;
    if (d->is == AIT_DEC_GZIP)
        return feed_gzip(d, bytes, n, fn, ctx);
    if (d->is == AIT_DEC_DEFLATE)
        return feed_deflate(d, bytes, n, fn, ctx);
    return AIT_OK;
}

bool ait_decoder_cut(const ait_decoder *d)
{
    return d->open;
}
