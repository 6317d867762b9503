/* The packed columns: counters, unusual points, timelines. */
#include <string.h>

#include "store/private.h"

/* ---- counters: a mask of those that are there, then their values ---- */

static bool has_column(int i)
{
    return i == AIT_S_EVENTS || i == AIT_S_LONGEST_GAP ||
           i == AIT_S_LONGEST_GAP_AT;
}

bool ait_pack_stats(ait_buf *out, const int64_t stat[AIT_S_COUNT])
{
    uint64_t mask = 0;

    for (int i = 0; i < AIT_S_COUNT; i++)
        if (!has_column(i) && ait_has(stat[i]))
            mask |= UINT64_C(1) << i;
    if (!mask)
        return true;
    if (!ait_buf_add_varint(out, mask))
        return false;
    for (int i = 0; i < AIT_S_COUNT; i++)
        if (mask >> i & 1 && !ait_buf_add_svarint(out, stat[i]))
            return false;
    return true;
}

bool ait_unpack_stats(const uint8_t *p, size_t n, int64_t stat[AIT_S_COUNT])
{
    const uint8_t *end = p + n;
    uint64_t mask;

    if (n == 0)
        return true;
    if (!ait_varint(&p, end, &mask) || mask >> AIT_S_COUNT)
        return false;
    for (int i = 0; i < AIT_S_COUNT; i++)
        if (mask >> i & 1 && !ait_svarint(&p, end, &stat[i]))
            return false;
    return p == end;
}

/* ---- points: number with a bit for absent, axis, time -------------- */

enum { POINT_ABSENT = 0x80 };

static bool same_point(const ait_point *a, const ait_point *b)
{
    return a->ns == b->ns && a->axis == b->axis;
}

static bool pack_point(ait_buf *out, int i, const ait_point *p)
{
    bool absent = !ait_has(p->ns);

    return ait_buf_addc(out, (char)(i | (absent ? POINT_ABSENT : 0))) &&
           ait_buf_addc(out, (char)p->axis) &&
           (absent || ait_buf_add_svarint(out, p->ns));
}

bool ait_pack_points(ait_buf *out, const ait_point point[AIT_P_COUNT],
                     const ait_point usual[AIT_P_COUNT])
{
    for (int i = 0; i < AIT_P_COUNT; i++)
        if (!same_point(&point[i], &usual[i]) &&
            !pack_point(out, i, &point[i]))
            return false;
    return true;
}

bool ait_unpack_points(const uint8_t *p, size_t n,
                       ait_point point[AIT_P_COUNT])
{
    const uint8_t *end = p + n;

    while (p < end) {
        unsigned head = *p++, i = head & ~(unsigned)POINT_ABSENT;
        ait_point at = {AIT_ABSENT, 0};
        if (i >= AIT_P_COUNT || p == end)
            return false;
        at.axis = *p++;
        if (!(head & POINT_ABSENT) && !ait_svarint(&p, end, &at.ns))
            return false;
        point[i] = at;
    }
    return true;
}

/* ---- timelines: a byte for the method, then the bytes -------------- */

enum {
    PLAIN = 0,
    DEFLATED = 1,      /* the plain length as a varint, raw deflate */
    WINDOW_BITS = -14, /* raw; a timeline is small, and so is the memory */
    MEMORY_LEVEL = 7,
    WORTH_IT = 48      /* shorter ones do not get shorter */
};

void ait_packer_free(ait_packer *p)
{
    if (p->ready)
        deflateEnd(&p->z);
    p->ready = false;
}

static bool packer_reset(ait_packer *p)
{
    if (p->ready)
        return deflateReset(&p->z) == Z_OK;
    memset(&p->z, 0, sizeof p->z);
    p->ready = deflateInit2(&p->z, 1, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    return p->ready;
}

/* Appends; false where it did not fit into `n` bytes, that is, where plain
 * is as good. */
static bool deflate_into(ait_packer *p, const uint8_t *bytes, size_t n,
                         ait_buf *out)
{
    if (!packer_reset(p) || !ait_buf_reserve(out, n))
        return false;
    p->z.next_in = (z_const Bytef *)bytes;
    p->z.avail_in = (uInt)n;
    p->z.next_out = (Bytef *)out->data + out->len;
    p->z.avail_out = (uInt)n;
    if (deflate(&p->z, Z_FINISH) != Z_STREAM_END)
        return false;
    out->len += n - p->z.avail_out;
    return true;
}

bool ait_pack_timeline(ait_packer *p, const uint8_t *bytes, size_t n,
                       ait_buf *out)
{
    size_t start = out->len;

    if (n > AIT_TIMELINE_MAX)
        return false;
    if (n >= WORTH_IT && ait_buf_addc(out, DEFLATED) &&
        ait_buf_add_varint(out, n) && deflate_into(p, bytes, n, out))
        return true;
    out->len = start;
    return ait_buf_addc(out, PLAIN) && ait_buf_add(out, bytes, n);
}

static bool inflate_into(const uint8_t *p, size_t n, uint8_t *to, size_t len)
{
    z_stream z;
    int rc;

    memset(&z, 0, sizeof z);
    z.next_in = (z_const Bytef *)p;
    z.avail_in = (uInt)n;
    z.next_out = to;
    z.avail_out = (uInt)len;
    if (inflateInit2(&z, WINDOW_BITS) != Z_OK)
        return false;
    rc = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return rc == Z_STREAM_END && z.avail_out == 0;
}

bool ait_unpack_timeline(const uint8_t *p, size_t n, ait_arena *arena,
                         const uint8_t **out, size_t *len)
{
    const uint8_t *end = p + n;
    uint8_t *to;
    uint64_t size;
    int method;

    if (n == 0 || n > (size_t)AIT_TIMELINE_MAX + 16)
        return false;
    method = *p++;
    size = (uint64_t)(end - p);
    if (method > DEFLATED ||
        (method == DEFLATED && !ait_varint(&p, end, &size)) ||
        size > AIT_TIMELINE_MAX)
        return false;
    to = ait_arena_alloc(arena, size ? (size_t)size : 1);
    if (!to)
        return false;
    if (method == PLAIN && size)
        memcpy(to, p, (size_t)size);
    if (method == DEFLATED &&
        !inflate_into(p, (size_t)(end - p), to, (size_t)size))
        return false;
    *out = to;
    *len = (size_t)size;
    return true;
}
