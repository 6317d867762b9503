/* Fields of a mapping file, and the ways to their values. */
#include <string.h>

#include "input/map_build.h"
#include "input/timeform.h"

enum { WORDS_MAX = 64 };

/* ---- ways ------------------------------------------------------------ */

static const struct {
    const char *name;
    int64_t scale;
} units[] = {
    {"s", AIT_SEC},
    {"ms", AIT_MS},
    {"us", 1000},
    {"ns", 1},
};
#define UNITS (sizeof units / sizeof *units)

bool ait_read_scale(ait_build *b, ait_jref r, void *into)
{
    size_t i;

    for (i = 0; i < UNITS; i++)
        if (ait_json_is(b->json, r, units[i].name)) {
            *(int64_t *)into = units[i].scale;
            return true;
        }
    for (i = 0; i < UNITS; i++)
        ait_build_permit(b, units[i].name);
    ait_build_permit(b, "duration_string");
    return ait_build_fail(b, r, "not a unit");
}

static bool way_unit(ait_build *b, ait_jref r, void *into)
{
    ait_map_way *w = into;

    if (!ait_json_is(b->json, r, "duration_string"))
        return ait_read_scale(b, r, &w->scale);
    w->duration_text = true;
    return true;
}

static bool way_list(ait_build *b, ait_jref r, void *into)
{
    static const char *const words[] = {"none", "last",  "first",
                                        "sum",  "count", "lost"};
    int i;

    if (!ait_build_word(b, r, words, 6, &i))
        return false;
    ((ait_map_way *)into)->list = (ait_map_list)i;
    return true;
}

static bool way_side(ait_build *b, ait_jref r, void *into)
{
    static const char *const words[] = {"start", "end"};
    int i;

    if (!ait_build_word(b, r, words, 2, &i))
        return false;
    ((ait_map_way *)into)->side_end = i == 1;
    return true;
}

/* Only UTC can be assumed; times with another offset carry it. */
static bool way_zone(ait_build *b, ait_jref r, void *into)
{
    (void)into;
    return ait_json_is(b->json, r, "UTC") ||
           ait_build_fail(b, r, "only UTC can be assumed");
}

static bool way_format(ait_build *b, ait_jref r, void *into)
{
    const char **form = into;

    return ait_read_text(b, r, into) &&
           (ait_time_form_valid(*form) ||
            ait_build_fail(b, r,
                           "not a time format: it needs %%Y, %%m or "
                           "%%b, %%d, %%H, %%M and %%S"));
}

/* The words of end reasons are a closed set. */
static bool permitted_word(ait_build *b, ait_jref r, const char *word)
{
    size_t i;

    if (b->target || ait_map_end_word(word))
        return true;
    for (i = 0; i < ait_map_end_count; i++)
        ait_build_permit(b, ait_map_ends[i].word);
    return ait_build_fail(b, r, "not an end reason");
}

static bool read_pair(ait_build *b, ait_jref k, ait_map_pair *out)
{
    ait_jtype type = ait_json_type(b->json, k + 1);

    out->from = ait_build_string(b, k);
    if (!out->from)
        return false;
    out->from_len = strlen(out->from);
    if (type == AIT_J_TRUE || type == AIT_J_FALSE)
        out->to = type == AIT_J_TRUE ? "true" : "false";
    else
        out->to = ait_build_string(b, k + 1);
    return out->to && permitted_word(b, k + 1, out->to);
}

static bool way_enum(ait_build *b, ait_jref r, void *into)
{
    ait_map_pair *pairs = ait_build_alloc(b, sizeof *pairs * WORDS_MAX);
    ait_map_way *w = into;
    ait_jref k;

    if (!pairs)
        return false;
    if (ait_json_type(b->json, r) != AIT_J_OBJECT)
        return ait_build_fail(b, r, "an object of words is needed here");
    w->words = pairs;
    for (k = ait_json_first(b->json, r); k != AIT_JNONE;
         k = ait_json_next(b->json, r, k)) {
        if (w->word_count == WORDS_MAX)
            return ait_build_fail(b, k, "too many words");
        if (!read_pair(b, k, &pairs[w->word_count++]))
            return false;
    }
    return true;
}

static bool way_is(ait_build *b, ait_jref r, void *into)
{
    const char **is = into;

    return ait_read_text(b, r, into) && permitted_word(b, r, *is);
}

static const ait_build_key plausible_keys[] = {
    {"end", ait_read_slot, offsetof(ait_map_way, plausible_end)},
    {"tokens", ait_read_slot, offsetof(ait_map_way, plausible_tokens)},
};

static bool way_plausible(ait_build *b, ait_jref r, void *into)
{
    return AIT_BUILD_OBJECT(b, r, plausible_keys, into);
}

#define W(member) offsetof(ait_map_way, member)

static const ait_build_key way_keys[] = {
    {"at", ait_read_slots, W(at)},
    {"attr", ait_read_attributes, W(at)},
    {"sum", ait_read_slots, W(sum)},
    {"between", ait_read_two_slots, W(between)},
    {"members_of", ait_read_slot, W(members_of)},
    {"members", ait_read_text, W(members)},
    {"is", way_is, W(is)},
    {"unit", way_unit, 0},
    {"origin", ait_read_origin, W(origin)},
    {"boundary", ait_read_boundary, W(boundary)},
    {"resolution_ms", ait_read_ms, W(resolution)},
    {"add", ait_read_whole, W(add)},
    {"strip_prefix", ait_read_text, W(strip_prefix)},
    {"after", ait_read_text, W(after)},
    {"list", way_list, 0},
    {"absent", ait_read_absent, W(absent)},
    {"enum", way_enum, 0},
    {"when", ait_read_conds, W(when)},
    {"unless", ait_read_conds, W(unless)},
    {"zero_absent_if", ait_read_conds, W(zero_absent_if)},
    {"format", way_format, W(time_form)},
    {"zone", way_zone, 0},
    {"side", way_side, 0},
    {"plausible", way_plausible, 0},
};

/* The place that a measure names as its source. */
static bool note_source(ait_build *b, ait_jref r, ait_map_way *w)
{
    static const char *const from[] = {"at", "attr", "sum", "between"};
    size_t i;

    for (i = 0; i < 4; i++) {
        ait_jref v = ait_json_get(b->json, r, from[i]);

        if (v == AIT_JNONE)
            continue;
        v = i == 3 ? ait_json_at(b->json, v, "/1") : ait_build_first(b, v);
        w->source = v == AIT_JNONE ? NULL : ait_build_string(b, v);
        return true;
    }
    return true;
}

static bool check_way(ait_build *b, ait_jref r, const ait_map_way *w)
{
    const ait_map_target *t = b->target;
    int i;

    if (!w->at.count && !w->sum.count && !w->between.count &&
        w->members_of < 0 && !w->is)
        return ait_build_fail(b, r,
                              "where from? at, attr, sum, between or "
                              "members_of");
    if (w->members_of >= 0 && !w->members)
        return ait_build_fail(b, r, "members_of needs members");
    if (!t || t->kind != AIT_MK_MEASURE || t->origin >= 0 || w->origin >= 0)
        return true;
    for (i = 0; i < AIT_O_COUNT; i++)
        ait_build_permit(b, ait_origin_name[i]);
    return ait_build_fail(b, r, "this duration needs its origin");
}

static bool is_duration(const ait_map_target *t)
{
    return t && (t->kind == AIT_MK_MEASURE || t->kind == AIT_MK_TIMING);
}

static bool read_way(ait_build *b, ait_jref r, ait_map_way *w)
{
    w->members_of = w->plausible_end = w->plausible_tokens = -1;
    w->origin = w->boundary = -1;
    w->resolution = AIT_ABSENT;
    w->scale = is_duration(b->target) ? AIT_MS : 1;
    w->absent = b->absent;
    if (ait_json_type(b->json, r) == AIT_J_STRING) {
        w->source = ait_build_pointer(b, r);
        return w->source && ait_read_slots(b, r, &w->at) && check_way(b, r, w);
    }
    return AIT_BUILD_OBJECT(b, r, way_keys, w) && note_source(b, r, w) &&
           check_way(b, r, w);
}

bool ait_read_ways(ait_build *b, ait_jref r, const ait_map_way **out)
{
    ait_jref e;

    for (e = ait_build_first(b, r); e != AIT_JNONE;
         e = ait_build_next(b, r, e)) {
        ait_map_way *w = ait_build_alloc(b, sizeof *w);

        if (!w || !read_way(b, e, w))
            return false;
        *out = w;
        out = &w->next;
    }
    return true;
}

/* ---- fields ---------------------------------------------------------- */

static bool find_target(ait_build *b, ait_jref k)
{
    const ait_map_target *t = ait_map_targets;

    while (t->name && !ait_json_is(b->json, k, t->name))
        t++;
    b->target = t;
    if (t->name)
        return true;
    for (t = ait_map_targets; t->name; t++)
        ait_build_permit(b, t->name);
    return ait_build_fail(b, k,
                          "not a target; what a request says is never one");
}

/* The target at hand among the n fields read already: an error. */
static bool is_twice(ait_build *b, ait_jref k, const ait_map_field *field,
                     int n)
{
    int i;

    for (i = 0; i < n; i++)
        if (field[i].target == b->target)
            return !ait_build_fail(b, k, "a key that stands here twice");
    return false;
}

/* The total's origin is the trace's own. */
static void note_total(ait_map *m, const ait_map_field *total)
{
    const ait_map_way *way = total->way;

    for (; way; way = way->next)
        if (way->origin >= 0)
            m->usual_origin = (ait_origin)way->origin;
}

/* Members of `fields`; the total comes first, since the trace's origin is
 * its own. */
bool ait_read_fields(ait_build *b, ait_jref r, void *into)
{
    ait_map_field *field;
    ait_jref k;
    int n = 0, i;

    (void)into;
    if (ait_json_type(b->json, r) != AIT_J_OBJECT)
        return ait_build_fail(b, r, "an object is needed here");
    for (k = ait_json_first(b->json, r); k != AIT_JNONE;
         k = ait_json_next(b->json, r, k))
        n++;
    field = ait_build_alloc(b, sizeof *field * (size_t)n);
    if (!field)
        return false;
    for (k = ait_json_first(b->json, r), i = 0; k != AIT_JNONE;
         k = ait_json_next(b->json, r, k), i++) {
        if (!find_target(b, k) || is_twice(b, k, field, i) ||
            !ait_read_ways(b, k + 1, &field[i].way))
            return false;
        field[i].target = b->target;
        if (strcmp(b->target->name, "total") == 0) {
            ait_map_field total = field[i];

            note_total(b->map, &total);
            field[i] = field[0];
            field[0] = total;
        }
    }
    b->map->field = field;
    b->map->field_count = n;
    return true;
}

bool ait_read_end_reason(ait_build *b, ait_jref r, void *into)
{
    ait_map_field *f = ait_build_alloc(b, sizeof *f);

    *(const ait_map_field **)into = f;
    b->target = NULL;
    return f && ait_read_ways(b, r, &f->way);
}
