#ifndef AIT_INPUT_MAP_H
#define AIT_INPUT_MAP_H
/*
 * A mapping: how the objects of one log become traces. Read from JSON
 * (map_read.c), it is a constant structure in its own arena; walking one
 * object (map_walk.c) finds all its values in one pass, filling a trace
 * (map_fill.c) takes them from there.
 */
#include "base/error.h"
#include "base/json.h"
#include "input/keys.h"
#include "input/log.h"
#include "input/logtrace.h"
#include "input/record.h"

/* ---- places ---------------------------------------------------------- */

/* Places of an object that a mapping looks at, each a JSON Pointer ('*' in it
 * is any member, the first that is there) or an attribute of a list of
 * key-value pairs. */
#define AIT_MAP_SLOTS 100
/* Keys in a pointer, and bytes of a key as it is written there. */
#define AIT_MAP_DEPTH 15
#define AIT_MAP_TOKEN 120
/* Strings that are JSON themselves, in one object. */
#define AIT_MAP_EMBEDDED 4

typedef struct ait_map_node ait_map_node; /* map_walk.c */

typedef struct ait_map_slots {
    const int *slot;
    int count;
} ait_map_slots;

/* What stands at a place; ref is AIT_JNONE where nothing does. */
typedef struct ait_map_value {
    const ait_json *json;
    ait_jref ref;
} ait_map_value;

/* ---- conditions ------------------------------------------------------ */

/* A literal of the mapping file, to compare with. */
typedef struct ait_map_literal {
    ait_jtype type;
    const char *text; /* string, or number as written */
    size_t n;
} ait_map_literal;

/* A typed place, or so many of a list. All parts given must hold. */
typedef struct ait_map_cond ait_map_cond;
struct ait_map_cond {
    const char *at; /* NULL: a list */
    int slot;
    uint32_t types; /* set of 1 << ait_jtype, and AIT_MAP_NUMERIC; 0: any */
    const ait_map_literal *in;
    int in_count;
    const char *contains; /* in a string */
    const char *mentions; /* anywhere in the value's JSON text */
    const ait_map_cond *of; /* list: at least `least` of them */
    int of_count, least;
    const ait_map_cond *next; /* of the same list */
};
#define AIT_MAP_NUMERIC (1u << 16) /* a number, or a string that holds one */
#define AIT_MAP_INTEGER (1u << 17)

/* ---- values ---------------------------------------------------------- */

typedef enum ait_map_list { /* of "60.000, 6.285" or ["7", "9"] */
    AIT_LIST_NONE,
    AIT_LIST_LAST,
    AIT_LIST_FIRST,
    AIT_LIST_SUM,
    AIT_LIST_COUNT,
    AIT_LIST_LOST /* sum of all but the last */
} ait_map_list;

/* What means "no value". */
typedef struct ait_map_absent {
    const ait_map_literal *text, *number;
    int texts, numbers;
    bool negative;
} ait_map_absent;

typedef struct ait_map_pair { /* "stream": true */
    const char *from;
    size_t from_len;
    const char *to; /* "true" and "false" for booleans */
} ait_map_pair;

/* One way to get at a value; a field has several, the first with a value
 * counts. */
typedef struct ait_map_way ait_map_way;
struct ait_map_way {
    const char *source; /* first place, for measures */
    ait_map_slots at;   /* the first present wins */
    ait_map_slots sum;  /* all must be there */
    ait_map_slots between; /* two times */
    int members_of;        /* slot of an object, -1 … */
    const char *members;   /* … whose `x` and `x_…` are added */
    const char *is;        /* this text, without any place */
    int64_t scale;  /* of a number; durations: ns of the unit */
    bool duration_text;
    int origin, boundary; /* -1: the target's own */
    int64_t resolution;   /* ns, absent: exact */
    int64_t add;
    const char *strip_prefix;
    const char *after; /* text: what stands behind the last of these bytes */
    ait_map_list list;
    const ait_map_absent *absent;
    const ait_map_pair *words; /* all words that are allowed, NULL: any */
    int word_count;
    const ait_map_cond *when, *unless, *zero_absent_if;
    const char *time_form;
    bool side_end;
    int plausible_end, plausible_tokens; /* slots, -1 */
    const ait_map_way *next;
};

typedef enum ait_map_kind {
    AIT_MK_TEXT,      /* index: ait_text_field */
    AIT_MK_ID,        /* the request's id */
    AIT_MK_OTHER_ID,
    AIT_MK_PATH,
    AIT_MK_ERROR,
    AIT_MK_NUMBER,    /* index: ait_num_field */
    AIT_MK_STREAM,
    AIT_MK_TIME,
    AIT_MK_TOKENS,    /* index: offset in ait_usage */
    AIT_MK_ESTIMATED,
    AIT_MK_ATTEMPTS,
    AIT_MK_ATTEMPT,   /* this row's number */
    AIT_MK_TIMING,    /* index: ait_timing_field */
    AIT_MK_MEASURE
} ait_map_kind;

typedef struct ait_map_target {
    const char *name;
    ait_map_kind kind;
    int index;
    int origin, boundary; /* of a measure, -1: the mapping must say */
} ait_map_target;

typedef struct ait_map_field {
    const ait_map_target *target;
    const ait_map_way *way;
} ait_map_field;

/* ---- attempts -------------------------------------------------------- */

/* A column of the list of attempts: item i of a list, or a place in item i of
 * an array of objects. */
typedef struct ait_map_column {
    int slot; /* -1: not given */
    const char *at; /* inside the item, JSON Pointer */
    int64_t scale;
} ait_map_column;

typedef enum ait_map_try {
    AIT_TRY_STATUS,
    AIT_TRY_HEADERS, /* from its own start */
    AIT_TRY_START,   /* wall clock */
    AIT_TRY_CHANNEL,
    AIT_TRY_COLUMNS
} ait_map_try;

typedef struct ait_map_tries {
    ait_map_slots count; /* the first list that is there counts them */
    const ait_map_cond *none_if; /* answered without an upstream */
    ait_map_column column[AIT_TRY_COLUMNS];
} ait_map_tries;

/* Which rows are one request. */
typedef struct ait_map_join {
    ait_log_join rule;
    int slot; /* of the key */
    const ait_map_cond *failed; /* is this row a failed attempt? */
} ait_map_join;

/* A line of text that holds what a JSON object would: literal pieces and
 * captures. */
typedef struct ait_map_line {
    const char *pattern; /* "…| %{request_id} | … %{*}params=%{json}" */
    const char *must;    /* cheap test: the line holds it */
} ait_map_line;

/* ---- the mapping ----------------------------------------------------- */

typedef struct ait_map {
    ait_arena arena;
    const char *name, *title, *about, *file;
    const ait_map_cond *all, *none; /* detection */
    bool knows_own; /* detection has slots: filling tells what is no record */
    const char *embedded[AIT_MAP_EMBEDDED]; /* pointers to JSON strings */
    int embedded_count;
    const char *records;     /* pointer with '*', NULL: the object itself */
    const char *attributes;  /* list of pairs inside a record, or NULL */
    const ait_map_cond *skip_if, *only_if; /* lists: any, all */
    const ait_map_cond *estimated_if;
    const ait_map_field *field;
    int field_count;
    ait_origin usual_origin; /* of its totals: where none says otherwise */
    const ait_map_field *end_reason; /* ways to one of the end words */
    const ait_map_tries *tries;
    const ait_map_join *join;
    const ait_map_line *line;
    ait_map_slots total_tokens; /* what input and output must add up to */
    ait_map_node *root; /* what to walk to fill the slots */
    int slots;
    const char *samples; /* JSON text of the samples, for the check */
    size_t samples_len;
    int64_t samples_at; /* its offset in the file */
} ait_map;

/* Reads a mapping; `name` is the file's, for messages. NULL: err says where
 * and why, `permitted` (may be NULL) gets the words that would do there. */
ait_map *ait_map_read(const char *name, const char *text, size_t n,
                      ait_buf *permitted, ait_error *err);
void ait_map_free(ait_map *m);
/* The text of a mapping file; the caller frees it after AIT_OK. */
ait_code ait_map_file_text(const char *path, ait_buf *text, ait_error *err);

/* End reasons, and what each says about how the request ended. */
typedef struct ait_map_end {
    const char *word;
    ait_log_end says;
} ait_map_end;
extern const ait_map_end ait_map_ends[];
extern const size_t ait_map_end_count;
const ait_map_end *ait_map_end_word(const char *s);

/* ---- places (map_walk.c) --------------------------------------------- */

/* Adds a place; its slot, or -1: full or out of memory. `embedded` says
 * that a string there is JSON. Pointers have at most AIT_MAP_DEPTH keys. */
int ait_map_place(ait_map *m, const char *pointer);
int ait_map_attribute(ait_map *m, const char *key);
bool ait_map_embedded(ait_map *m, const char *pointer);

/* A place read as a time, where `row` is the walk's. */
typedef struct ait_map_time {
    int64_t row, ns;
    bool good, zone;
} ait_map_time;

/* The values of one object. */
typedef struct ait_map_walk {
    const ait_map *map;
    int64_t row; /* number of the object, from 1 */
    ait_map_value value[AIT_MAP_SLOTS];
    ait_map_time time[AIT_MAP_SLOTS];
    ait_json embedded[AIT_MAP_EMBEDDED];
    ait_buf text[AIT_MAP_EMBEDDED]; /* what `embedded` was parsed from */
    int embedded_used;
    unsigned duplicates; /* equal keys met */
    ait_buf scratch;     /* the text at hand, unescaped */
} ait_map_walk;
void ait_map_walk_init(ait_map_walk *w, const ait_map *m);
void ait_map_walk_free(ait_map_walk *w);
/* false: out of memory. */
bool ait_map_walk_object(ait_map_walk *w, const ait_json *j, ait_jref r);

/* Everything a pointer with '*' stands for, in order, until `fn` says stop
 * (true); r is one of them. */
typedef bool ait_map_each_fn(void *ctx, ait_json *j, ait_jref r);
bool ait_map_each(ait_json *j, ait_jref r, const char *pointer,
                  ait_map_each_fn *fn, void *ctx);
/* The first of them, or AIT_JNONE. */
ait_jref ait_map_find(ait_json *j, ait_jref r, const char *pointer);

/* ---- conditions (map_cond.c) ----------------------------------------- */

/* Before the walk: straight from an object. */
bool ait_map_cond_at(const ait_map_cond *c, ait_json *j, ait_jref r);
/* All, any of a list; true for all of none, false for any of none. */
bool ait_map_all_at(const ait_map_cond *list, ait_json *j, ait_jref r);
bool ait_map_any_at(const ait_map_cond *list, ait_json *j, ait_jref r);
/* After the walk: from slots. */
bool ait_map_cond_in(const ait_map_cond *c, ait_map_walk *w);
bool ait_map_all_in(const ait_map_cond *list, ait_map_walk *w);
bool ait_map_any_in(const ait_map_cond *list, ait_map_walk *w);
bool ait_map_literal_is(const ait_map_literal *l, const ait_json *j,
                        ait_jref r);

/* ---- values (map_value.c, map_list.c) -------------------------------- */

typedef enum ait_map_got {
    AIT_GOT_NOTHING, /* absent */
    AIT_GOT_VALUE,
    AIT_GOT_BAD /* there, and not of the kind that is needed */
} ait_map_got;

/* The first way that has a value; *way is that one. A text lives until the
 * next value is got. */
ait_map_got ait_map_get_text(ait_map_walk *w, const ait_map_way *ways,
                             ait_str *out, const ait_map_way **way);
ait_map_got ait_map_get_number(ait_map_walk *w, const ait_map_way *ways,
                               int64_t *out, const ait_map_way **way);
ait_map_got ait_map_get_bool(ait_map_walk *w, const ait_map_way *ways,
                             bool *out);
/* A wall clock time. */
ait_map_got ait_map_get_time(ait_map_walk *w, const ait_map_way *ways,
                             int64_t *ns, bool *has_zone,
                             const ait_map_way **way);
/* A duration in ns. What is suspicious in it becomes an issue of `t`. */
ait_map_got ait_map_get_duration(ait_map_walk *w, const ait_map_way *ways,
                                 ait_trace *t, int64_t *ns,
                                 const ait_map_way **way);
/* Something but null. */
bool ait_map_is_there(const ait_map_value *v);
/* The text of a string or a number, until the next value is got. */
bool ait_map_string(ait_map_walk *w, const ait_map_value *v, ait_str *out);
/* Tries of one request and such; a longer list is no such list. Items are
 * looked for from the start each time. */
#define AIT_MAP_ITEMS 100
/* Item i of a list in a string or an array, as text; how many there are.
 * A list that is absent as a whole has none. */
size_t ait_map_items(ait_map_walk *w, int slot);
bool ait_map_item(ait_map_walk *w, int slot, size_t i, const char *at,
                  ait_str *out);

/* ---- filling (map_fill.c) -------------------------------------------- */

/* One record of the log. */
ait_log_result ait_map_fill(ait_map_walk *w, ait_json *j, ait_jref r,
                            ait_trace *t, ait_log_row *row);
/* Attempts out of lists; false: out of memory. */
bool ait_map_fill_tries(ait_map_walk *w, ait_trace *t);

/* Targets, by name; ends with a NULL name. */
extern const ait_map_target ait_map_targets[];

/* ---- check (map_check.c) --------------------------------------------- */

/* Runs the samples of a mapping, whose file's text it was read from. What
 * differs is added to `out`, a line each. Returns how many samples failed;
 * *ran: how many there are. */
int ait_map_check(const ait_map *m, const char *text, size_t n, ait_buf *out,
                  int *ran);

#endif
