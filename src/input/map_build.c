/* What all parts of a mapping file are read with. */
#include "input/map_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------- */

/* Line and column of a byte of the file. */
void ait_build_locate(const ait_json *j, size_t off, int64_t *line,
                      int64_t *column)
{
    size_t i, start = 0;

    *line = 1;
    for (i = 0; i < off && i < j->len; i++)
        if (j->text[i] == '\n') {
            (*line)++;
            start = i + 1;
        }
    *column = (int64_t)(off - start) + 1;
}

static bool fail_off(ait_build *b, size_t off, const char *fmt, va_list args)
{
    char text[200];
    int64_t line, column;

    vsnprintf(text, sizeof text, fmt, args);
    ait_build_locate(b->json, off, &line, &column);
    ait_fail(b->err, AIT_EUSAGE, "mapping not usable");
    ait_error_reason(b->err, "%s", text);
    ait_error_place(b->err, b->file, line, column, (int64_t)off);
    return false;
}

bool ait_build_fail(ait_build *b, ait_jref r, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fail_off(b, b->json->node[r].off, fmt, args);
    va_end(args);
    return false;
}

bool ait_build_no_memory(ait_build *b)
{
    ait_fail(b->err, AIT_ENOMEM, "out of memory while reading a mapping");
    return false;
}

void ait_build_permit(ait_build *b, const char *word)
{
    if (!b->permitted)
        return;
    if (b->permitted->len)
        ait_buf_adds(b->permitted, ", ");
    ait_buf_adds(b->permitted, word);
}

/* ---- small values ---------------------------------------------------- */

void *ait_build_alloc(ait_build *b, size_t size)
{
    void *p = ait_arena_alloc(&b->map->arena, size);

    if (!p)
        ait_build_no_memory(b);
    return p;
}

/* A string of the file, kept. NULL: it is none, or memory ran out. */
const char *ait_build_string(ait_build *b, ait_jref r)
{
    const char *kept = NULL;
    bool zero = false;
    ait_buf text;

    if (ait_json_type(b->json, r) != AIT_J_STRING) {
        ait_build_fail(b, r, "a string is needed here");
        return NULL;
    }
    ait_buf_init(&text, 1 << 20);
    if (ait_json_text(b->json, r, &text)) {
        zero = text.len && memchr(text.data, '\0', text.len);
        kept = ait_arena_strndup(&b->map->arena, text.data ? text.data : "",
                                 text.len);
    }
    ait_buf_free(&text);
    if (!kept)
        ait_build_no_memory(b);
    if (kept && zero) /* it would end there */
        ait_build_fail(b, r, "a string with a zero byte in it");
    return zero ? NULL : kept;
}

bool ait_read_text(ait_build *b, ait_jref r, void *into)
{
    const char *s = ait_build_string(b, r);

    *(const char **)into = s;
    return s != NULL;
}

/* Shown to people as it is. */
bool ait_read_words(ait_build *b, ait_jref r, void *into)
{
    const char *s = ait_build_string(b, r);

    *(const char **)into = s;
    for (; s && *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            return ait_build_fail(b, r, "a control character in it");
    return *(const char **)into != NULL;
}

bool ait_read_whole(ait_build *b, ait_jref r, void *into)
{
    return ait_json_int(b->json, r, into) ||
           ait_build_fail(b, r, "a whole number is needed here");
}

bool ait_read_ms(ait_build *b, ait_jref r, void *into)
{
    return (ait_json_decimal(b->json, r, AIT_MS, into) &&
            *(int64_t *)into >= 0) ||
           ait_build_fail(b, r, "a number of milliseconds is needed here");
}

bool ait_read_bool(ait_build *b, ait_jref r, void *into)
{
    return ait_json_bool(b->json, r, into) ||
           ait_build_fail(b, r, "true or false is needed here");
}

/* What is wrong with the token behind a slash; NULL: nothing. Moves to the
 * next slash or the end. */
static const char *token_fault(const char **p)
{
    const char *from = ++*p;

    for (; **p && **p != '/'; (*p)++)
        if (**p == '~' && (*p)[1] != '0' && (*p)[1] != '1')
            return "in a JSON Pointer ~ is written ~0 and a slash in a key "
                   "~1";
    if (*p == from)
        return "an empty key cannot be a place";
    return *p - from > AIT_MAP_TOKEN ? "a key is too long to be a place"
                                     : NULL;
}

const char *ait_build_pointer(ait_build *b, ait_jref r)
{
    const char *s = ait_build_string(b, r), *p = s, *fault = NULL;
    int depth = 0;

    if (!s)
        return NULL;
    if (*p != '/')
        fault = "a JSON Pointer begins with a slash";
    while (!fault && *p) {
        fault = token_fault(&p);
        if (++depth > AIT_MAP_DEPTH)
            fault = "the place is too deep";
    }
    if (fault)
        ait_build_fail(b, r, "%s", fault);
    return fault ? NULL : s;
}

bool ait_read_pointer(ait_build *b, ait_jref r, void *into)
{
    return (*(const char **)into = ait_build_pointer(b, r)) != NULL;
}

static bool slot_got(ait_build *b, ait_jref r, int slot)
{
    if (slot >= 0)
        return true;
    return b->map->slots < AIT_MAP_SLOTS
               ? ait_build_no_memory(b)
               : ait_build_fail(b, r, "more places than a mapping may have");
}

bool ait_read_slot(ait_build *b, ait_jref r, void *into)
{
    const char *s = ait_build_pointer(b, r);

    if (!s)
        return false;
    *(int *)into = ait_map_place(b->map, s);
    return slot_got(b, r, *(int *)into);
}

bool ait_read_attribute(ait_build *b, ait_jref r, int *slot)
{
    const char *s = ait_build_string(b, r);

    if (!s)
        return false;
    if (!*s || strlen(s) > AIT_MAP_TOKEN)
        return ait_build_fail(b, r, "a key has 1 to %d bytes", AIT_MAP_TOKEN);
    if (!b->map->attributes)
        return ait_build_fail(b, r, "attributes needs its place at the top");
    *slot = ait_map_attribute(b->map, s);
    return slot_got(b, r, *slot);
}

/* One word of a table; its index. */
bool ait_build_word(ait_build *b, ait_jref r, const char *const *words, int n,
                    int *out)
{
    const char *s = ait_build_string(b, r);
    int i;

    if (!s)
        return false;
    *out = ait_word(words, n, s, strlen(s));
    if (*out >= 0)
        return true;
    for (i = 0; i < n; i++)
        ait_build_permit(b, words[i]);
    return ait_build_fail(b, r, "not a word that is known here");
}

bool ait_read_origin(ait_build *b, ait_jref r, void *into)
{
    return ait_build_word(b, r, ait_origin_name, AIT_O_COUNT, into);
}

bool ait_read_boundary(ait_build *b, ait_jref r, void *into)
{
    return ait_build_word(b, r, ait_boundary_name, AIT_B_COUNT, into);
}

/* ---- lists ----------------------------------------------------------- */

/* Elements of an array, or the one value itself. */
ait_jref ait_build_first(ait_build *b, ait_jref r)
{
    return ait_json_type(b->json, r) == AIT_J_ARRAY
               ? ait_json_first(b->json, r)
               : r;
}

ait_jref ait_build_next(ait_build *b, ait_jref r, ait_jref e)
{
    return ait_json_type(b->json, r) == AIT_J_ARRAY
               ? ait_json_next(b->json, r, e)
               : AIT_JNONE;
}

int ait_build_count(ait_build *b, ait_jref r)
{
    ait_jref e;
    int n = 0;

    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e))
        n++;
    return n;
}

static bool read_slots_by(ait_build *b, ait_jref r, ait_map_slots *out,
                          bool attributes)
{
    int *slot =
        ait_build_alloc(b, sizeof *slot * (size_t)ait_build_count(b, r));
    ait_jref e;
    int n = 0;

    if (!slot)
        return false;
    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e), n++)
        if (!(attributes ? ait_read_attribute(b, e, &slot[n])
                         : ait_read_slot(b, e, &slot[n])))
            return false;
    out->slot = slot;
    out->count = n;
    return true;
}

bool ait_read_slots(ait_build *b, ait_jref r, void *into)
{
    return read_slots_by(b, r, into, false);
}

bool ait_read_attributes(ait_build *b, ait_jref r, void *into)
{
    return read_slots_by(b, r, into, true);
}

bool ait_read_two_slots(ait_build *b, ait_jref r, void *into)
{
    ait_map_slots *out = into;

    return ait_read_slots(b, r, into) &&
           (out->count == 2 ||
            ait_build_fail(b, r, "two places are needed: from and to"));
}

static bool read_literal(ait_build *b, ait_jref r, ait_map_literal *out)
{
    const ait_jnode *node = &b->json->node[r];

    out->type = (ait_jtype)node->type;
    if (node->type == AIT_J_ARRAY || node->type == AIT_J_OBJECT)
        return ait_build_fail(b, r, "a plain value is needed here");
    if (node->type == AIT_J_STRING) {
        out->text = ait_build_string(b, r);
    } else {
        out->text = ait_arena_strndup(&b->map->arena,
                                      b->json->text + node->off, node->len);
        if (!out->text)
            return ait_build_no_memory(b);
    }
    if (!out->text)
        return false;
    out->n = strlen(out->text);
    return true;
}

bool ait_read_literals(ait_build *b, ait_jref r, const ait_map_literal **out,
                       int *count)
{
    ait_map_literal *list =
        ait_build_alloc(b, sizeof *list * (size_t)ait_build_count(b, r));
    ait_jref e;
    int n = 0;

    if (!list)
        return false;
    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e), n++)
        if (!read_literal(b, e, &list[n]))
            return false;
    *out = list;
    *count = n;
    return true;
}

/* ---- objects by tables ----------------------------------------------- */

static bool unknown_key(ait_build *b, ait_jref k, const ait_build_key *keys,
                        size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        ait_build_permit(b, keys[i].name);
    return ait_build_fail(b, k, "a key that is not known here");
}

/* Every member by its key, in the table's order. */
bool ait_build_object(ait_build *b, ait_jref r, const ait_build_key *keys,
                      size_t n, void *into)
{
    ait_jref k;
    size_t i;

    if (ait_json_type(b->json, r) != AIT_J_OBJECT)
        return ait_build_fail(b, r, "an object is needed here");
    for (k = ait_json_first(b->json, r); k != AIT_JNONE;
         k = ait_json_next(b->json, r, k)) {
        for (i = 0; i < n && !ait_json_is(b->json, k, keys[i].name);)
            i++;
        if (i == n)
            return unknown_key(b, k, keys, n);
        if (ait_json_get(b->json, r, keys[i].name) != k + 1)
            return ait_build_fail(b, k, "a key that stands here twice");
    }
    for (i = 0; i < n; i++) {
        ait_jref v = ait_json_get(b->json, r, keys[i].name);

        if (v != AIT_JNONE &&
            !keys[i].read(b, v, (char *)into + keys[i].offset))
            return false;
    }
    return true;
}
