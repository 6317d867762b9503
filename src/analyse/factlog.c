#include "analyse/factlog.h"

#include <string.h>

#include "base/text.h"

enum {
    BLOCK_FIRST = 16 << 10,
    BLOCK_MOST = 256 << 10,
    ID_MOST = AIT_TEXT_MAX,
    RECORD_MOST = 48 + ID_MOST + AIT_VALUES_MAX * 13
};

typedef struct ait_factblock {
    struct ait_factblock *next;
    size_t size, used;
    uint8_t bytes[];
} ait_factblock;

void ait_factlog_init(ait_factlog *l, ait_pool *pool)
{
    l->pool = pool;
    l->first = l->last = NULL;
}

void ait_factlog_free(ait_factlog *l)
{
    ait_factblock *b = l->first, *next;

    for (; b; b = next) {
        next = b->next;
        ait_pool_free(l->pool, b, sizeof *b + b->size);
    }
    l->first = l->last = NULL;
}

/* Room for one record of any length. */
static ait_factblock *roomy(ait_factlog *l)
{
    ait_factblock *b = l->last;
    size_t size = b ? BLOCK_MOST : BLOCK_FIRST;

    if (b && b->size - b->used >= RECORD_MOST)
        return b;
    b = ait_pool_alloc(l->pool, sizeof *b + size);
    if (!b)
        return NULL;
    b->size = size;
    if (l->last)
        l->last->next = b;
    else
        l->first = b;
    l->last = b;
    return b;
}

static uint8_t *put_varint(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

static const uint8_t *get_varint(const uint8_t *p, uint64_t *v)
{
    int shift = 0;

    for (*v = 0; *p & 0x80; p++, shift += 7)
        *v |= (uint64_t)(*p & 0x7f) << shift;
    *v |= (uint64_t)*p++ << shift;
    return p;
}

/* Most times are whole milliseconds, tenths, or microseconds: the number
 * of the unit goes with the metric, the value is kept in that unit. */
static const int64_t units[4] = {1, 1000, 100000, 1000000};

static uint8_t *put_value(uint8_t *p, const ait_value *v)
{
    int unit = 3;

    while (v->value % units[unit] != 0)
        unit--;
    p = put_varint(p, (uint64_t)v->metric << 2 | (unsigned)unit);
    return put_varint(p, (uint64_t)(v->value / units[unit]));
}

bool ait_factlog_add(ait_factlog *l, const ait_fact *f)
{
    ait_factblock *b = roomy(l);
    uint8_t *p;

    if (!b)
        return false;
    p = b->bytes + b->used;
    p = put_varint(p, (uint64_t)f->group << 1 | f->completed);
    p = put_varint(p, ait_has(f->row) ? (uint64_t)f->row + 1 : 0);
    *p++ = (uint8_t)f->id_len;
    if (f->id_len)
        memcpy(p, f->id, f->id_len);
    p += f->id_len;
    p = put_varint(p, (uint64_t)f->values.n);
    for (int i = 0; i < f->values.n; i++)
        p = put_value(p, &f->values.v[i]);
    b->used = (size_t)(p - b->bytes);
    return true;
}

static const uint8_t *get_value(const uint8_t *p, ait_value *v)
{
    uint64_t tag, value;

    p = get_varint(p, &tag);
    p = get_varint(p, &value);
    v->metric = (int)(tag >> 2);
    v->value = (int64_t)value * units[tag & 3];
    v->bound = false;
    return p;
}

bool ait_factlog_next(const ait_factlog *l, ait_factcursor *c, ait_fact *f)
{
    const uint8_t *p;
    uint64_t v;

    if (!c->begun)
        *c = (ait_factcursor){l->first, 0, true};
    else if (c->block && c->at >= c->block->used)
        *c = (ait_factcursor){c->block->next, 0, true};
    if (!c->block)
        return false;
    p = get_varint(c->block->bytes + c->at, &v);
    f->completed = v & 1;
    f->group = (uint32_t)(v >> 1);
    p = get_varint(p, &v);
    f->row = v ? (int64_t)(v - 1) : AIT_ABSENT;
    f->id_len = *p++;
    f->id = f->id_len ? (const char *)p : NULL;
    p += f->id_len;
    p = get_varint(p, &v);
    f->values.n = (int)v;
    for (int i = 0; i < f->values.n; i++)
        p = get_value(p, &f->values.v[i]);
    c->at = (size_t)(p - c->block->bytes);
    return true;
}
