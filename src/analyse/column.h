#ifndef AIT_ANALYSE_COLUMN_H
#define AIT_ANALYSE_COLUMN_H
/*
 * Private to analyse: what is remembered of the requests while memory
 * allows. Each group has a roll of its requests and, for each metric, a
 * column of values; most values are two or three bytes. Walking one column at
 * a time, the counters of its selection stay in the processor's cache.
 */
#include <string.h>

#include "analyse/packed.h"
#include "base/scan.h"

/* A request, in 32 bits: its number (below 2^31), and is it completed? */
static inline uint32_t ait_tag(uint32_t request, bool completed)
{
    return request << 1 | completed;
}

/* The requests of a group, in order. */
typedef struct ait_roll {
    ait_packed list;
    uint32_t count, last;
} ait_roll;
bool ait_roll_add(ait_roll *r, ait_pool *p, uint32_t tag);

/* The tags unpacked, for walking many columns: `count` of them, to be freed
 * by the caller. NULL: out of memory. */
uint32_t *ait_roll_open(const ait_roll *r);

/* The values of one metric; a request may have none. */
typedef struct ait_column {
    ait_packed list;
    uint32_t next; /* place in the roll of the request after the last one */
    uint8_t mode;  /* of the next entry: index of ait_modes */
} ait_column;

/*
 * How an entry is written. Most times are whole milliseconds, tenths of them,
 * or microseconds: the entry of a value is its quotient by a unit in which it
 * is whole, in as few bytes as the largest one of the column so far needs.
 * A unit is 10^k; a multiple of it, multiplied by the inverse of 5^k and
 * rotated by k bits, is the quotient, and any other number becomes larger
 * than every quotient.
 */
typedef struct ait_mode {
    uint64_t inverse, mask; /* all bits of an entry: no value, a mark */
    uint64_t most;          /* the largest quotient that fits */
    int64_t ns;
    unsigned k, width;
} ait_mode;
extern const ait_mode ait_modes[];

static inline uint64_t ait_quotient(const ait_mode *m, int64_t value)
{
    uint64_t v = (uint64_t)value * m->inverse;

    return v >> m->k | v << (-m->k & 63);
}

enum { AIT_ENTRY_ROOM = 8 }; /* an entry is written and read as eight bytes */

static inline void ait_entry_put(uint8_t *p, uint64_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, AIT_ENTRY_ROOM);
}

/* The largest value that is kept: 73 years in ns. */
#define AIT_VALUE_MAX (INT64_MAX >> 2)
/* Any value of the request that was added to the roll last. */
bool ait_column_add_any(ait_column *c, ait_pool *p, const ait_roll *r,
                        int64_t value);
/* The value (0 to AIT_VALUE_MAX) of the request that was added to the roll
 * last. false: out of memory. */
static inline bool ait_column_add(ait_column *c, ait_pool *p,
                                  const ait_roll *r, int64_t value)
{
    const ait_mode *m = &ait_modes[c->mode];
    uint64_t q = ait_quotient(m, value);

    if (q > m->most || c->next + 1 != r->count ||
        c->list.left < AIT_ENTRY_ROOM)
        return ait_column_add_any(c, p, r, value);
    ait_entry_put(c->list.at, q);
    ait_packed_put(&c->list, c->list.at + m->width);
    c->next++;
    return true;
}

/* Walks the values of a column. */
typedef struct ait_colcursor {
    ait_packcursor list;
    const ait_mode *mode;
    const uint32_t *roll; /* tag of the next value's request */
    int64_t value;        /* the one at hand */
    uint32_t tag;
} ait_colcursor;

/* `roll` is unpacked. */
static inline ait_colcursor ait_column_walk(const ait_column *c,
                                            const uint32_t *roll)
{
    return (ait_colcursor){ait_packed_walk(&c->list), ait_modes, roll, 0, 0};
}

/* Is there another one? */
static inline bool ait_column_next(ait_colcursor *c)
{
    while (ait_packed_more(&c->list)) {
        uint64_t q = ait_load64((const char *)c->list.at) & c->mode->mask;
        if (q != c->mode->mask) {
            c->list.at += c->mode->width;
            c->value = (int64_t)q * c->mode->ns;
            c->tag = *c->roll++;
            return true;
        }
        c->list.at = ait_unpack(c->list.at + c->mode->width, &q);
        if (q & 1)
            c->mode = &ait_modes[q >> 1];
        else
            c->roll += q >> 1;
    }
    return false;
}

#endif
