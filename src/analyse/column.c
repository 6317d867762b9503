#include "analyse/column.h"

#include "base/mem.h"

/* ---- rolls ------------------------------------------------------------- */

bool ait_roll_add(ait_roll *r, ait_pool *p, uint32_t tag)
{
    uint8_t *at = ait_packed_room(&r->list, p, 10);
    uint32_t step = (tag >> 1) - r->last;

    if (!at)
        return false;
    ait_packed_put(&r->list, ait_pack(at, (uint64_t)step << 1 | (tag & 1)));
    r->last = tag >> 1;
    r->count++;
    return true;
}

uint32_t *ait_roll_open(const ait_roll *r)
{
    uint32_t *roll = ait_alloc(r->count * sizeof *roll);
    ait_packcursor c = ait_packed_walk(&r->list);
    uint32_t request = 0;
    uint64_t step;

    for (uint32_t i = 0; roll && i < r->count && ait_packed_more(&c); i++) {
        c.at = ait_unpack(c.at, &step);
        request += (uint32_t)(step >> 1);
        roll[i] = ait_tag(request, step & 1);
    }
    return roll;
}

/* ---- columns ----------------------------------------------------------- */

/*
 * Units from coarse to fine, of each the widths. A column goes down this
 * table only: what once was fine will mostly be again. An entry of which all
 * bits are set is followed by a packed number: how many requests have no
 * value, or the mode of the entries from here on; its lowest bit tells which.
 */
#define MASK(width) (UINT64_MAX >> (64 - (width) * 8))
#define MOST(mask, ns) ((mask) - 1 < UINT64_MAX / (ns) ? (mask) - 1 \
                                                       : UINT64_MAX / (ns))
#define MODE(ns, inverse, k, width) \
    {inverse, MASK(width), MOST(MASK(width), ns), ns, k, width}
#define UNIT(ns, inverse, k) \
    MODE(ns, inverse, k, 1), MODE(ns, inverse, k, 2), \
    MODE(ns, inverse, k, 3), MODE(ns, inverse, k, 5), MODE(ns, inverse, k, 8)

enum { WIDTHS = 5, MODES = 4 * WIDTHS };

const ait_mode ait_modes[MODES] = {
    UNIT(1000000, UINT64_C(0x790fb65668c26139), 6),
    UNIT(100000, UINT64_C(0x5d4e8fb00bcbe61d), 5),
    UNIT(1000, UINT64_C(0x1cac083126e978d5), 3),
    UNIT(1, 1, 0),
};

/* The next mode that is as wide and takes the value; the last one takes any.
 */
static unsigned mode_for(unsigned mode, int64_t value)
{
    unsigned wide = mode % WIDTHS;

    while (ait_quotient(&ait_modes[mode], value) > ait_modes[mode].most)
        mode += mode % WIDTHS + 1 < WIDTHS ? 1 : 1 + wide;
    return mode;
}

static uint8_t *put_mark(uint8_t *at, unsigned mode, uint64_t what)
{
    ait_entry_put(at, UINT64_MAX);
    return ait_pack(at + ait_modes[mode].width, what);
}

bool ait_column_add_any(ait_column *c, ait_pool *p, const ait_roll *r,
                        int64_t value)
{
    uint8_t *at = ait_packed_room(&c->list, p, 5 * AIT_ENTRY_ROOM);
    uint32_t gap = r->count - 1 - c->next;
    unsigned mode = mode_for(c->mode, value);

    if (!at)
        return false;
    if (gap)
        at = put_mark(at, c->mode, (uint64_t)gap << 1);
    if (mode != c->mode)
        at = put_mark(at, c->mode, mode << 1 | 1);
    ait_entry_put(at, ait_quotient(&ait_modes[mode], value));
    ait_packed_put(&c->list, at + ait_modes[mode].width);
    c->mode = (uint8_t)mode;
    c->next = r->count;
    return true;
}
