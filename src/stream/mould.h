#ifndef AIT_STREAM_MOULD_H
#define AIT_STREAM_MOULD_H
/*
 * A delta nearly always looks like the one before it: the same bytes but for
 * the text it brings and a counter or two. The mould is the last event that
 * was read in full, with holes where values may differ. An event that fits
 * it says the same things, with the new text, and is not parsed again.
 *
 * This is exact. Outside of the holes the bytes are equal; a hole holds a
 * valid string where there was a string, an integer where there was one: so
 * the event is valid JSON of the same structure. A hole is either a value
 * that a row said something about (said again, by the same row), or one that
 * no row looked at.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/json.h"

#define AIT_MOULD_LEAVES 24
#define AIT_MOULD_SAYS 4
#define AIT_MOULD_NODES 256   /* events with more values are not moulded */
#define AIT_MOULD_BYTES 4096  /* nor longer ones */
#define AIT_MOULD_NAME 64     /* nor those with longer names */

/* Something an event said, and by which value. */
typedef struct ait_saying {
    ait_jref by;       /* node of the string; AIT_JNONE: whatever it holds */
    uint32_t bits;
    uint32_t choice, output, call;
} ait_saying;

/* What was seen while an event was read in full. */
typedef struct ait_glance {
    uint64_t looked[AIT_MOULD_NODES / 64]; /* values that a row looked at */
    ait_saying said[AIT_MOULD_SAYS];
    uint8_t says;
    bool more; /* it did what only reading in full can do again */
} ait_glance;

/* A value of the mould that may be a hole. */
typedef struct ait_leaf {
    uint16_t off, len;
    int8_t saying;  /* what it says; -1: nothing looks at it */
    bool number;
    bool hole;
} ait_leaf;

typedef struct ait_mould {
    char *text;     /* NULL: none */
    uint16_t len, cap;
    uint8_t leaves, says, name_len;
    uint8_t idle;   /* moulds in a row that nothing fitted */
    bool fitted;    /* something did */
    bool widened;   /* this event made a hole: the mould stays */
    char name[AIT_MOULD_NAME];
    ait_leaf leaf[AIT_MOULD_LEAVES];
    ait_saying said[AIT_MOULD_SAYS];
} ait_mould;

/* A value that lies in a hole. */
typedef struct ait_fill {
    const char *p;
    size_t len;
    bool escaped;
} ait_fill;

/* Usable again afterwards. */
void ait_mould_free(ait_mould *m);

/* Makes a mould of the event just read. false: out of memory. */
bool ait_mould_make(ait_mould *m, const ait_json *j, const ait_glance *g,
                    const char *name, size_t name_len);

/* Does an event fit? fill[i] is then what m->said[i] is said by. */
bool ait_mould_fits(ait_mould *m, const char *name, size_t name_len,
                    const char *text, size_t n, ait_fill *fill);

#endif
