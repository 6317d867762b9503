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

/* Most times are whole milliseconds, tenths of them, or microseconds: a
 * value is kept in a unit in which it is whole. */
static const int64_t units[4] = {1000000, 100000, 1000, 1};

bool ait_column_add(ait_column *c, ait_pool *p, const ait_roll *r,
                    int64_t value)
{
    uint8_t *at = ait_packed_room(&c->list, p, 20);
    uint32_t gap = r->count - 1 - c->next;

    if (!at)
        return false;
    /* from a finer unit there is no way back: the next value needs it, too */
    while (value % units[c->unit] != 0)
        c->unit++;
    at = ait_pack(at, (uint64_t)(value / units[c->unit]) << 3 |
                          c->unit << 1 | (gap != 0));
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
        if (!ait_select_add(s, (int64_t)(value >> 3) * units[value >> 1 & 3],
                            *roll & 1, *roll >> 1))
            return false;
    }
    return true;
}
