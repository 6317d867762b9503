/* The packed columns: counters, unusual points. */
#include <string.h>

#include "store/private.h"

/* ---- counters: a mask of those that are there, then their values ---- */

static bool has_column(int i)
{
    return i == AIT_S_EVENTS || i == AIT_S_LONGEST_GAP ||
           i == AIT_S_LONGEST_GAP_AT || i == AIT_S_SEEN;
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
