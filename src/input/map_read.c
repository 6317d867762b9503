/*
 * Reading a mapping file. Every object is one table of keys; what is not in
 * it is an error that shows the place and names what would be permitted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/map_build.h"

enum { MAP_NODES = 1 << 20, MAP_ARENA = 64 << 20 };

/* ---- attempts, joins, lines, detection ------------------------------- */

static const ait_build_key column_keys[] = {
    {"at", ait_read_slot, offsetof(ait_map_column, slot)},
    {"item", ait_read_pointer, offsetof(ait_map_column, at)},
    {"unit", ait_read_scale, offsetof(ait_map_column, scale)},
};

static bool read_column(ait_build *b, ait_jref r, void *into)
{
    return AIT_BUILD_OBJECT(b, r, column_keys, into);
}

#define C(which) \
    offsetof(ait_map_tries, column) + which * sizeof(ait_map_column)

static const ait_build_key tries_keys[] = {
    {"count", ait_read_slots, offsetof(ait_map_tries, count)},
    {"none_if", ait_read_conds, offsetof(ait_map_tries, none_if)},
    {"status", read_column, C(AIT_TRY_STATUS)},
    {"headers", read_column, C(AIT_TRY_HEADERS)},
    {"start", read_column, C(AIT_TRY_START)},
    {"channel", read_column, C(AIT_TRY_CHANNEL)},
};

static bool read_tries(ait_build *b, ait_jref r, void *into)
{
    ait_map_tries *t = ait_build_alloc(b, sizeof *t);
    int i;

    *(const ait_map_tries **)into = t;
    if (!t)
        return false;
    for (i = 0; i < AIT_TRY_COLUMNS; i++) {
        t->column[i].slot = -1;
        t->column[i].scale = 1;
    }
    return AIT_BUILD_OBJECT(b, r, tries_keys, t);
}

static bool join_rule(ait_build *b, ait_jref r, void *into)
{
    static const char *const words[] = {"none", "failed_rows", "retries",
                                        "numbered"};
    int i;

    if (!ait_build_word(b, r, words, 4, &i))
        return false;
    *(ait_log_join *)into = (ait_log_join)i;
    return true;
}

static const ait_build_key join_keys[] = {
    {"rule", join_rule, offsetof(ait_map_join, rule)},
    {"by", ait_read_slot, offsetof(ait_map_join, slot)},
    {"failed", ait_read_conds, offsetof(ait_map_join, failed)},
};

static bool read_join(ait_build *b, ait_jref r, void *into)
{
    ait_map_join *j = ait_build_alloc(b, sizeof *j);

    *(const ait_map_join **)into = j;
    if (!j)
        return false;
    j->slot = -1;
    return AIT_BUILD_OBJECT(b, r, join_keys, j) &&
           (j->slot >= 0 || ait_build_fail(b, r, "a join needs by"));
}

static const ait_build_key line_keys[] = {
    {"pattern", ait_read_text, offsetof(ait_map_line, pattern)},
    {"must", ait_read_text, offsetof(ait_map_line, must)},
};

static bool read_line(ait_build *b, ait_jref r, void *into)
{
    ait_map_line *l = ait_build_alloc(b, sizeof *l);

    *(const ait_map_line **)into = l;
    return l && AIT_BUILD_OBJECT(b, r, line_keys, l) &&
           ((l->pattern && l->must && *l->must &&
             strstr(l->pattern, "%{json}")) ||
            ait_build_fail(b, r, "a line needs a pattern with %%{json} and "
                                 "what it must hold"));
}

static const ait_build_key detect_keys[] = {
    {"all", ait_read_early_conds, offsetof(ait_map, all)},
    {"none", ait_read_early_conds, offsetof(ait_map, none)},
};

static bool read_detect(ait_build *b, ait_jref r, void *into)
{
    return AIT_BUILD_OBJECT(b, r, detect_keys, into);
}

static bool read_embedded(ait_build *b, ait_jref r, void *into)
{
    ait_jref e;

    (void)into;
    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e)) {
        const char *s = ait_build_pointer(b, e);

        if (!s)
            return false;
        if (b->map->embedded_count == AIT_MAP_EMBEDDED)
            return ait_build_fail(b, e, "at most %d such places",
                                  AIT_MAP_EMBEDDED);
        if (!ait_map_embedded(b->map, s))
            return ait_build_no_memory(b);
        b->map->embedded[b->map->embedded_count++] = s;
    }
    return true;
}

static bool read_top_absent(ait_build *b, ait_jref r, void *into)
{
    (void)into;
    return ait_read_absent(b, r, &b->absent);
}

static bool read_version(ait_build *b, ait_jref r, void *into)
{
    int64_t v;

    (void)into;
    return (ait_json_int(b->json, r, &v) && v == 1) ||
           ait_build_fail(b, r, "only version 1 of mappings is known");
}

/* A name is used on the command line and stored. */
static bool read_name(ait_build *b, ait_jref r, void *into)
{
    const char **name = into;

    if (!ait_read_text(b, r, into))
        return false;
    if (strcmp(*name, "native") == 0 || strcmp(*name, "capture") == 0)
        return ait_build_fail(b, r, "this name is aitrace's own");
    return ait_is_identifier(*name, strlen(*name)) ||
           ait_build_fail(b, r, "a name is letters, digits, . _ -");
}

/* Samples are read when they are run; here only their keys are looked at, so
 * that none is passed over for a letter. */
static bool leave(ait_build *b, ait_jref r, void *into)
{
    (void)b, (void)r, (void)into;
    return true;
}

static const ait_build_key sample_keys[] = {
    {"line", leave, 0},
    {"text", leave, 0},
    {"expect", leave, 0},
};

static bool keep_samples(ait_build *b, ait_jref r, void *into)
{
    const ait_jnode *node = &b->json->node[r];
    ait_map *m = into;
    ait_jref e;

    if (node->type != AIT_J_ARRAY)
        return ait_build_fail(b, r, "a list of samples is needed here");
    for (e = ait_json_first(b->json, r); e != AIT_JNONE;
         e = ait_json_next(b->json, r, e))
        if (!AIT_BUILD_OBJECT(b, e, sample_keys, m))
            return false;
    m->samples =
        ait_arena_strndup(&m->arena, b->json->text + node->off, node->len);
    m->samples_len = node->len;
    m->samples_at = (int64_t)node->off;
    return m->samples || ait_build_no_memory(b);
}

#define M(member) offsetof(ait_map, member)

/* In the order they build on one another. */
static const ait_build_key map_keys[] = {
    {"aitrace_map", read_version, 0},
    {"name", read_name, M(name)},
    {"title", ait_read_words, M(title)},
    {"about", ait_read_words, M(about)},
    {"attributes", ait_read_pointer, M(attributes)},
    {"parse_json_at", read_embedded, 0},
    {"absent", read_top_absent, 0},
    {"detect", read_detect, 0},
    {"records", ait_read_pointer, M(records)},
    {"skip_if", ait_read_conds, M(skip_if)},
    {"only_if", ait_read_conds, M(only_if)},
    {"fields", ait_read_fields, 0},
    {"total_tokens", ait_read_slots, M(total_tokens)},
    {"end_reason", ait_read_end_reason, M(end_reason)},
    {"tries", read_tries, M(tries)},
    {"join", read_join, M(join)},
    {"line", read_line, M(line)},
    {"samples", keep_samples, 0},
};

/* A string that is JSON has become its value when slots are looked at. */
static bool is_embedded(const ait_map *m, const char *at)
{
    int i;

    for (i = 0; i < m->embedded_count; i++)
        if (strncmp(at, m->embedded[i], strlen(m->embedded[i])) == 0)
            return true;
    return false;
}

/* Slots for the places of detection; false: one cannot have any. */
static bool place_detection(ait_map *m, const ait_map_cond *list)
{
    for (; list; list = list->next) {
        ait_map_cond *c = (ait_map_cond *)(uintptr_t)list;

        if (!place_detection(m, c->of))
            return false;
        if (!c->at)
            continue;
        c->slot = is_embedded(m, c->at) ? -1 : ait_map_place(m, c->at);
        if (c->slot < 0)
            return false;
    }
    return true;
}

static bool read_map(ait_build *b)
{
    ait_map *m = b->map;

    if (!AIT_BUILD_OBJECT(b, AIT_JROOT, map_keys, m))
        return false;
    if (ait_json_get(b->json, AIT_JROOT, "aitrace_map") == AIT_JNONE)
        return ait_build_fail(b, AIT_JROOT,
                              "not a mapping: aitrace_map is missing");
    if (!m->name || !m->field)
        return ait_build_fail(b, AIT_JROOT, "a mapping needs name and fields");
    m->knows_own = !m->records && place_detection(m, m->all) &&
                   place_detection(m, m->none);
    return true;
}

static bool parse(ait_build *b, const char *text, size_t n)
{
    int64_t line, column;

    if (ait_json_parse(b->json, text, n))
        return true;
    if (b->json->out_of_memory)
        return ait_build_no_memory(b);
    b->json->text = text;
    b->json->len = n;
    ait_build_locate(b->json, b->json->error_at, &line, &column);
    ait_fail(b->err, AIT_EUSAGE, "mapping not usable");
    ait_error_reason(b->err, "%s", b->json->why);
    ait_error_place(b->err, b->file, line, column, (int64_t)b->json->error_at);
    return false;
}

ait_map *ait_map_read(const char *name, const char *text, size_t n,
                      ait_buf *permitted, ait_error *err)
{
    ait_map *m = ait_alloc(sizeof *m);
    ait_json json;
    ait_build b = {m, &json, name, permitted, err, NULL, NULL};
    bool good;

    if (!m) {
        ait_build_no_memory(&b);
        return NULL;
    }
    ait_arena_init(&m->arena, MAP_ARENA);
    ait_json_init(&json, MAP_NODES);
    good = parse(&b, text, n) && read_map(&b);
    ait_json_free(&json);
    m->file = ait_arena_strdup(&m->arena, name);
    if (good)
        return m;
    ait_map_free(m);
    return NULL;
}

void ait_map_free(ait_map *m)
{
    if (!m)
        return;
    ait_arena_free(&m->arena);
    free(m);
}
