/* Values of a mapping: from places to text, numbers, times, durations. */
#include <string.h>

#include "base/num.h"
#include "input/map.h"
#include "input/timeform.h"
#include "input/value.h"

/* ---- what is there --------------------------------------------------- */

bool ait_map_is_there(const ait_map_value *v)
{
    ait_jtype type =
        v->ref == AIT_JNONE ? AIT_J_NONE : ait_json_type(v->json, v->ref);

    return type != AIT_J_NONE && type != AIT_J_NULL;
}

bool ait_map_string(ait_map_walk *w, const ait_map_value *v, ait_str *out)
{
    ait_buf_clear(&w->scratch);
    return ait_node_text(v->json, v->ref, &w->scratch, out);
}

/* "", and what the mapping calls absent. */
static bool means_absent(const ait_map_way *way, const ait_map_value *v)
{
    const ait_map_absent *a = way->absent;
    bool string = ait_json_type(v->json, v->ref) == AIT_J_STRING;
    int64_t number;
    int i;

    if (string && v->json->node[v->ref].len == 0)
        return true;
    for (i = 0; a && i < a->texts; i++)
        if ((string || a->text[i].type != AIT_J_STRING) &&
            ait_map_literal_is(&a->text[i], v->json, v->ref))
            return true;
    for (i = 0; a && i < a->numbers; i++)
        if (ait_map_literal_is(&a->number[i], v->json, v->ref))
            return true;
    return a && a->negative &&
           ait_node_number(v->json, v->ref, 1000, &number) && number < 0;
}

/* A text may be absent, too: an item of a list. */
static bool text_means_absent(const ait_map_way *way, ait_str s)
{
    const ait_map_absent *a = way->absent;
    int i;

    for (i = 0; a && i < a->texts; i++)
        if (a->text[i].n == s.n && memcmp(a->text[i].text, s.p, s.n) == 0)
            return true;
    return s.n == 0;
}

static bool applies(const ait_map_way *way, ait_map_walk *w)
{
    return (!way->when || ait_map_all_in(way->when, w)) &&
           !ait_map_any_in(way->unless, w);
}

/* The first place of a way that holds a value; NULL: none. */
static const ait_map_value *first_there(const ait_map_way *way,
                                        ait_map_walk *w)
{
    int i;

    for (i = 0; i < way->at.count; i++) {
        const ait_map_value *v = &w->value[way->at.slot[i]];

        if (ait_map_is_there(v) && !means_absent(way, v))
            return v;
    }
    return NULL;
}

/* ---- text ------------------------------------------------------------ */

/* Text of a value, true and false too. */
static bool any_text(ait_map_walk *w, const ait_map_value *v, ait_str *out)
{
    ait_jtype type = ait_json_type(v->json, v->ref);

    if (type != AIT_J_TRUE && type != AIT_J_FALSE)
        return ait_map_string(w, v, out);
    out->p = type == AIT_J_TRUE ? "true" : "false";
    out->n = strlen(out->p);
    return true;
}

/* The one item of a list that a way asks for. */
static bool pick_item(ait_map_walk *w, const ait_map_way *way,
                      const ait_map_value *v, ait_str *out)
{
    int slot = (int)(v - w->value);
    size_t n = ait_map_items(w, slot);

    return n && ait_map_item(w, slot, way->list == AIT_LIST_FIRST ? 0 : n - 1,
                             NULL, out);
}

static void cut_front(const ait_map_way *way, ait_str *s)
{
    size_t n = way->strip_prefix ? strlen(way->strip_prefix) : 0;
    size_t i;

    if (n && s->n >= n && memcmp(s->p, way->strip_prefix, n) == 0) {
        s->p += n;
        s->n -= n;
    }
    for (i = s->n; way->after && i > 0; i--)
        if (strchr(way->after, s->p[i - 1])) {
            s->p += i;
            s->n -= i;
            return;
        }
}

/* Through the word list; a word that is not in it says nothing. */
static bool translate(const ait_map_way *way, ait_str *s)
{
    int i;

    for (i = 0; i < way->word_count; i++)
        if (way->words[i].from_len == s->n &&
            memcmp(way->words[i].from, s->p, s->n) == 0) {
            s->p = way->words[i].to;
            s->n = strlen(s->p);
            return true;
        }
    return way->word_count == 0;
}

static ait_map_got text_by(ait_map_walk *w, const ait_map_way *way,
                           ait_str *out)
{
    const ait_map_value *v = first_there(way, w);
    bool good;

    if (way->is) {
        out->p = way->is;
        out->n = strlen(way->is);
        return AIT_GOT_VALUE;
    }
    if (!v)
        return AIT_GOT_NOTHING;
    good = way->list == AIT_LIST_NONE ? any_text(w, v, out)
                                      : pick_item(w, way, v, out);
    if (!good)
        return AIT_GOT_BAD;
    cut_front(way, out);
    if (text_means_absent(way, *out) || !translate(way, out))
        return AIT_GOT_NOTHING;
    return AIT_GOT_VALUE;
}

ait_map_got ait_map_get_text(ait_map_walk *w, const ait_map_way *ways,
                             ait_str *out, const ait_map_way **way)
{
    ait_map_got worst = AIT_GOT_NOTHING;

    for (; ways; ways = ways->next) {
        ait_map_got got =
            applies(ways, w) ? text_by(w, ways, out) : AIT_GOT_NOTHING;

        *way = ways;
        if (got == AIT_GOT_VALUE)
            return got;
        if (got == AIT_GOT_BAD)
            worst = got;
    }
    return worst;
}

ait_map_got ait_map_get_bool(ait_map_walk *w, const ait_map_way *ways,
                             bool *out)
{
    const ait_map_way *way;
    ait_str s;
    ait_map_got got = ait_map_get_text(w, ways, &s, &way);

    if (got == AIT_GOT_VALUE && !ait_text_bool(s.p, s.n, out))
        return AIT_GOT_BAD;
    return got;
}

/* ---- numbers --------------------------------------------------------- */

/* All places, or none. */
static ait_map_got sum_places(ait_map_walk *w, const ait_map_way *way,
                              int64_t *out)
{
    int64_t sum = 0, v;
    int i;

    for (i = 0; i < way->sum.count; i++) {
        const ait_map_value *value = &w->value[way->sum.slot[i]];

        if (!ait_map_is_there(value) || means_absent(way, value))
            return AIT_GOT_NOTHING;
        if (!ait_node_number(value->json, value->ref, way->scale, &v))
            return AIT_GOT_BAD;
        sum = ait_plus(sum, v);
    }
    *out = sum;
    return ait_has(sum) ? AIT_GOT_VALUE : AIT_GOT_BAD;
}

/* Is the key `name`, or does it begin with "name_"? */
static bool belongs(const ait_json *j, ait_jref key, const char *name)
{
    const ait_jnode *k = &j->node[key];
    size_t n = strlen(name);

    return k->len >= n && memcmp(j->text + k->off, name, n) == 0 &&
           (k->len == n || j->text[k->off + n] == '_');
}

static ait_map_got sum_members(ait_map_walk *w, const ait_map_way *way,
                               int64_t *out)
{
    const ait_map_value *v = &w->value[way->members_of];
    int64_t sum = AIT_ABSENT, one;
    ait_jref k;

    if (!ait_map_is_there(v))
        return AIT_GOT_NOTHING;
    for (k = ait_json_first(v->json, v->ref); k != AIT_JNONE;
         k = ait_json_next(v->json, v->ref, k)) {
        if (!belongs(v->json, k, way->members) ||
            !ait_node_number(v->json, k + 1, way->scale, &one))
            continue;
        sum = ait_has(sum) ? ait_plus(sum, one) : one;
    }
    *out = sum;
    return ait_has(sum) ? AIT_GOT_VALUE : AIT_GOT_NOTHING;
}

/* Over a list: how many, or the sum; absent items do not count as 0. */
static ait_map_got sum_list(ait_map_walk *w, const ait_map_way *way,
                            const ait_map_value *v, int64_t *out)
{
    int slot = (int)(v - w->value);
    size_t n = ait_map_items(w, slot), i;
    size_t end = way->list == AIT_LIST_LOST && n ? n - 1 : n;
    int64_t sum = AIT_ABSENT, one;
    ait_str s;

    if (way->list == AIT_LIST_COUNT) {
        *out = (int64_t)n;
        return AIT_GOT_VALUE;
    }
    if (n > AIT_MAP_ITEMS)
        return AIT_GOT_BAD;
    for (i = 0; i < end; i++) {
        if (!ait_map_item(w, slot, i, NULL, &s) || text_means_absent(way, s))
            continue;
        if (!ait_text_number(s.p, s.n, way->scale, &one))
            return AIT_GOT_BAD;
        sum = ait_has(sum) ? ait_plus(sum, one) : one;
    }
    *out = sum;
    return ait_has(sum) ? AIT_GOT_VALUE : AIT_GOT_NOTHING;
}

static bool whole_list(const ait_map_way *way)
{
    return way->list == AIT_LIST_COUNT || way->list == AIT_LIST_SUM ||
           way->list == AIT_LIST_LOST;
}

static ait_map_got number_by(ait_map_walk *w, const ait_map_way *way,
                             int64_t *out)
{
    const ait_map_value *v;
    ait_map_got got;
    ait_str s;

    if (way->sum.count)
        return sum_places(w, way, out);
    if (way->members_of >= 0)
        return sum_members(w, way, out);
    v = first_there(way, w);
    if (v && whole_list(way))
        return sum_list(w, way, v, out);
    got = text_by(w, way, &s);
    if (got != AIT_GOT_VALUE)
        return got;
    if (way->duration_text)
        return ait_duration_read(s.p, s.n, out) ? AIT_GOT_VALUE
                                                : AIT_GOT_NOTHING;
    return ait_text_number(s.p, s.n, way->scale, out) ? AIT_GOT_VALUE
                                                      : AIT_GOT_BAD;
}

ait_map_got ait_map_get_number(ait_map_walk *w, const ait_map_way *ways,
                               int64_t *out, const ait_map_way **way)
{
    ait_map_got worst = AIT_GOT_NOTHING;

    for (; ways; ways = ways->next) {
        ait_map_got got =
            applies(ways, w) ? number_by(w, ways, out) : AIT_GOT_NOTHING;

        *way = ways;
        if (got == AIT_GOT_VALUE) {
            *out = ait_plus(*out, ways->add);
            return ait_has(*out) ? got : AIT_GOT_BAD;
        }
        if (got == AIT_GOT_BAD)
            worst = got;
    }
    return worst;
}

/* ---- times ----------------------------------------------------------- */

/* Once for each place: a start is asked for by the time and by every
 * duration from it. */
static bool common_time(ait_map_walk *w, const ait_map_value *v, int64_t *ns,
                        bool *zone)
{
    ait_map_time *t = &w->time[v - w->value];
    ait_jvalue stamp = ait_json_value(v->json, v->ref);

    if (t->row != w->row) {
        t->row = w->row;
        t->good = ait_value_time(&stamp, &t->ns, &t->zone);
    }
    *ns = t->ns;
    *zone = t->zone;
    return t->good;
}

static bool read_time(ait_map_walk *w, const ait_map_way *way,
                      const ait_map_value *v, int64_t *ns, bool *zone)
{
    ait_str s;

    if (!way->time_form)
        return common_time(w, v, ns, zone);
    return ait_map_string(w, v, &s) &&
           ait_time_form_read(way->time_form, s.p, s.n, ns, zone);
}

ait_map_got ait_map_get_time(ait_map_walk *w, const ait_map_way *ways,
                             int64_t *ns, bool *has_zone,
                             const ait_map_way **way)
{
    ait_map_got worst = AIT_GOT_NOTHING;

    for (; ways; ways = ways->next) {
        const ait_map_value *v =
            applies(ways, w) ? first_there(ways, w) : NULL;

        *way = ways;
        if (v && read_time(w, ways, v, ns, has_zone))
            return AIT_GOT_VALUE;
        if (v)
            worst = AIT_GOT_BAD;
    }
    return worst;
}

/* ---- durations ------------------------------------------------------- */

static bool time_in(ait_map_walk *w, const ait_map_way *way, int slot,
                    int64_t *ns)
{
    bool zone;

    return slot >= 0 && ait_map_is_there(&w->value[slot]) &&
           read_time(w, way, &w->value[slot], ns, &zone);
}

/*
 * A gateway that never saw the first chunk writes the end of the request, or
 * a moment before it, in its place. Many tokens in the last hundredth of
 * the time give that away. An end before the start proves nothing.
 */
static bool suspicious(ait_map_walk *w, const ait_map_way *way, int64_t start,
                       int64_t first)
{
    int64_t end, tokens = 0, left, total;
    const ait_map_value *v;

    if (!time_in(w, way, way->plausible_end, &end) || end < start)
        return false;
    if (first >= end)
        return true;
    left = end - first;
    total = end - start;
    if (way->plausible_tokens >= 0) {
        v = &w->value[way->plausible_tokens];
        if (!ait_map_is_there(v) ||
            !ait_node_number(v->json, v->ref, 1, &tokens))
            return false;
    }
    return tokens >= 16 && (left < total / 100 || left < 5 * AIT_MS);
}

static ait_map_got between_by(ait_map_walk *w, const ait_map_way *way,
                              ait_trace *t, int64_t *ns)
{
    int64_t from, to;

    if (!time_in(w, way, way->between.slot[0], &from) ||
        !time_in(w, way, way->between.slot[1], &to))
        return AIT_GOT_NOTHING;
    *ns = ait_minus(to, from);
    if (*ns >= 0 && suspicious(w, way, from, to)) {
        ait_issue_add(&t->issues, AIT_I_FIRST_CHUNK_SUSPECT);
        return AIT_GOT_NOTHING;
    }
    return ait_has(*ns) ? AIT_GOT_VALUE : AIT_GOT_NOTHING;
}

static ait_map_got duration_by(ait_map_walk *w, const ait_map_way *way,
                               ait_trace *t, int64_t *ns)
{
    ait_map_got got =
        way->between.count ? between_by(w, way, t, ns) : number_by(w, way, ns);

    if (got != AIT_GOT_VALUE)
        return got;
    if (*ns < 0) {
        ait_issue_add(&t->issues, AIT_I_NEGATIVE_DURATION);
        return AIT_GOT_NOTHING;
    }
    if (*ns == 0 && way->zero_absent_if &&
        ait_map_any_in(way->zero_absent_if, w))
        return AIT_GOT_NOTHING;
    return got;
}

ait_map_got ait_map_get_duration(ait_map_walk *w, const ait_map_way *ways,
                                 ait_trace *t, int64_t *ns,
                                 const ait_map_way **way)
{
    ait_map_got worst = AIT_GOT_NOTHING;

    for (; ways; ways = ways->next) {
        ait_map_got got =
            applies(ways, w) ? duration_by(w, ways, t, ns) : AIT_GOT_NOTHING;

        *way = ways;
        if (got == AIT_GOT_VALUE)
            return got;
        if (got == AIT_GOT_BAD)
            worst = got;
    }
    return worst;
}
