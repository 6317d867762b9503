#include "analyse/column.h"

bool ait_roll_add(ait_roll *r, ait_pool *p, uint32_t request, bool completed)
{
    uint8_t *at = ait_packed_room(&r->list, p, 10);

    if (!at)
        return false;
    at = ait_pack(at, (uint64_t)(request - r->last) << 1 | completed);
    ait_packed_put(&r->list, at);
    r->last = request;
    r->count++;
    return true;
}

uint32_t *ait_roll_open(const ait_roll *r, ait_pool *p)
{
    uint32_t *roll = ait_pool_alloc(p, r->count * sizeof *roll);
    ait_packcursor c = {r->list.first, NULL, NULL};
    uint32_t request = 0;
    uint64_t step;

    for (uint32_t i = 0; roll && i < r->count && ait_packed_more(&c); i++) {
        c.at = ait_unpack(c.at, &step);
        request += (uint32_t)(step >> 1);
        roll[i] = request << 1 | (uint32_t)(step & 1);
    }
    return roll;
}

/*
 * Most times are whole milliseconds, tenths of them, or microseconds: a
 * value is kept in a unit in which it is whole. A unit is 10^k; a multiple
 * of it, multiplied by the inverse of 5^k and rotated by k bits, is the
 * quotient, and any other number becomes larger than every quotient.
 */
static const struct unit {
    int64_t ns;
    uint64_t inverse, most;
    unsigned k;
} units[4] = {
    {1000000, UINT64_C(0x790fb65668c26139), UINT64_MAX / 1000000, 6},
    {100000, UINT64_C(0x5d4e8fb00bcbe61d), UINT64_MAX / 100000, 5},
    {1000, UINT64_C(0x1cac083126e978d5), UINT64_MAX / 1000, 3},
    {1, 1, UINT64_MAX, 0},
};

static inline uint64_t quotient(const struct unit *u, int64_t value)
{
    uint64_t v = (uint64_t)value * u->inverse;

    return v >> u->k | v << (-u->k & 63);
}

bool ait_column_add(ait_column *c, ait_pool *p, const ait_roll *r,
                    int64_t value)
{
    uint8_t *at = ait_packed_room(&c->list, p, 20);
    uint32_t gap = r->count - 1 - c->next;
    uint64_t q;

    if (!at)
        return false;
    /* from a finer unit there is no way back: the next value needs it, too */
    while ((q = quotient(&units[c->unit], value)) > units[c->unit].most)
        c->unit++;
    at = ait_pack(at, q << 3 | c->unit << 1 | (gap != 0));
    if (gap)
        at = ait_pack(at, gap);
    ait_packed_put(&c->list, at);
    c->next = r->count;
    return true;
}

bool ait_column_feed(const ait_column *c, const uint32_t *roll,
                     ait_select *s)
{
    ait_packcursor column = {c->list.first, NULL, NULL};
    uint64_t value, gap;

    for (; ait_packed_more(&column); roll++) {
        column.at = ait_unpack(column.at, &value);
        if (value & 1) {
            column.at = ait_unpack(column.at, &gap);
            roll += gap;
        }
        if (!ait_select_add(s, (int64_t)(value >> 3) * units[value >> 1 & 3].ns,
                            *roll & 1, *roll >> 1))
            return false;
    }
    return true;
}
