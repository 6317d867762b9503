#ifndef AIT_INPUT_MAP_BUILD_H
#define AIT_INPUT_MAP_BUILD_H
/*
 * Private to the reading of mapping files: one table of keys for each kind
 * of object, errors with their place and what would be permitted there.
 * Every function that gives bool says false after it has set the error.
 */
#include "input/map.h"

typedef struct ait_build {
    ait_map *map;
    ait_json *json;
    const char *file;
    ait_buf *permitted; /* words that would do; may be NULL */
    ait_error *err;
    const ait_map_absent *absent; /* the mapping's own */
    const ait_map_target *target; /* of the field at hand; NULL: end reason */
} ait_build;

/* Reads the value at r into a member of a structure. */
typedef bool ait_read_fn(ait_build *b, ait_jref r, void *into);

typedef struct ait_build_key {
    const char *name;
    ait_read_fn *read;
    size_t offset; /* of the member */
} ait_build_key;

/* Sets the error with the place of r; false. */
bool ait_build_fail(ait_build *b, ait_jref r, const char *fmt, ...)
    AIT_PRINTF(3, 4);
bool ait_build_no_memory(ait_build *b);
/* Line and column of a byte of the file. */
void ait_build_locate(const ait_json *j, size_t off, int64_t *line,
                      int64_t *column);
/* Adds to the words that would do. */
void ait_build_permit(ait_build *b, const char *word);
/* Zeroed memory of the mapping; NULL with the error set. */
void *ait_build_alloc(ait_build *b, size_t size);
/* A string, or a pointer, kept; NULL with the error set. */
const char *ait_build_string(ait_build *b, ait_jref r);
const char *ait_build_pointer(ait_build *b, ait_jref r);
/* Index of a word in a table. */
bool ait_build_word(ait_build *b, ait_jref r, const char *const *words,
                    int n, int *out);
/* Elements of an array; a value that is none counts as its only one. */
ait_jref ait_build_first(ait_build *b, ait_jref r);
ait_jref ait_build_next(ait_build *b, ait_jref r, ait_jref e);
int ait_build_count(ait_build *b, ait_jref r);
/* All members of an object by a table, in the table's order. */
bool ait_build_object(ait_build *b, ait_jref r, const ait_build_key *keys,
                      size_t n, void *into);
#define AIT_BUILD_OBJECT(b, r, keys, into) \
    ait_build_object(b, r, keys, sizeof keys / sizeof *keys, into)

/* Values; the type behind `into` is named. */
ait_read_fn ait_read_text;      /* const char * */
ait_read_fn ait_read_words;     /* the same, of one line */
ait_read_fn ait_read_whole;     /* int64_t */
ait_read_fn ait_read_ms;        /* int64_t, ns */
ait_read_fn ait_read_bool;      /* bool */
ait_read_fn ait_read_pointer;   /* const char * */
ait_read_fn ait_read_slot;      /* int */
ait_read_fn ait_read_slots;     /* ait_map_slots */
ait_read_fn ait_read_attributes; /* ait_map_slots */
ait_read_fn ait_read_two_slots; /* ait_map_slots */
ait_read_fn ait_read_origin;    /* int */
ait_read_fn ait_read_boundary;  /* int */
ait_read_fn ait_read_scale;     /* int64_t, ns of a unit */
ait_read_fn ait_read_conds;     /* const ait_map_cond *, by slots */
ait_read_fn ait_read_early_conds; /* the same, by pointers */
ait_read_fn ait_read_absent;    /* const ait_map_absent * */
ait_read_fn ait_read_fields;    /* the mapping's fields */
ait_read_fn ait_read_end_reason; /* const ait_map_field * */
bool ait_read_attribute(ait_build *b, ait_jref r, int *slot);
bool ait_read_literals(ait_build *b, ait_jref r, const ait_map_literal **out,
                       int *count);
bool ait_read_ways(ait_build *b, ait_jref r, const ait_map_way **out);

#endif
