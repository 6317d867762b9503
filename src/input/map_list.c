/* Lists in a string or an array: "502, 200", ["7", "9"]. */
#include "input/map.h"

/* The item of "a, b : c" that begins at *p; moves behind it. */
static ait_str next_item(const char **p, const char *end)
{
    ait_str item = {*p, 0};
    const char *s;

    while (item.p < end && *item.p == ' ')
        item.p++;
    for (s = item.p; s < end && *s != ','; s++)
        if (*s == ' ' && end - s >= 3 && s[1] == ':' && s[2] == ' ')
            break;
    item.n = (size_t)(s - item.p);
    while (item.n && item.p[item.n - 1] == ' ')
        item.n--;
    *p = s == end ? end : *s == ',' ? s + 1 : s + 3;
    return item;
}

static size_t count_items(ait_str s)
{
    const char *p = s.p, *end = s.p + s.n;
    size_t n = 0;

    while (p < end) {
        next_item(&p, end);
        n++;
    }
    return n;
}

size_t ait_map_items(ait_map_walk *w, int slot)
{
    const ait_map_value *v = &w->value[slot];
    size_t n = 0;
    ait_jref e;
    ait_str s;

    if (!ait_map_is_there(v))
        return 0;
    if (ait_map_string(w, v, &s))
        return count_items(s);
    if (ait_json_type(v->json, v->ref) == AIT_J_ARRAY)
        for (e = ait_json_first(v->json, v->ref); e != AIT_JNONE;
             e = ait_json_next(v->json, v->ref, e))
            n++;
    return n;
}

static bool element(ait_map_walk *w, const ait_map_value *v, size_t i,
                    const char *at, ait_str *out)
{
    ait_json *j = (ait_json *)(uintptr_t)v->json; /* counts look-ups */
    ait_jref e = ait_json_first(j, v->ref);
    ait_map_value found = {j, AIT_JNONE};

    while (e != AIT_JNONE && i--)
        e = ait_json_next(j, v->ref, e);
    found.ref = e == AIT_JNONE || !at ? e : ait_json_at(j, e, at);
    return ait_map_is_there(&found) && ait_map_string(w, &found, out);
}

bool ait_map_item(ait_map_walk *w, int slot, size_t i, const char *at,
                  ait_str *out)
{
    const ait_map_value *v = &w->value[slot];
    const char *p, *end;
    ait_str s;

    if (!ait_map_is_there(v))
        return false;
    if (ait_json_type(v->json, v->ref) == AIT_J_ARRAY)
        return element(w, v, i, at, out);
    if (!ait_map_string(w, v, &s))
        return false;
    for (p = s.p, end = s.p + s.n; p < end;) {
        *out = next_item(&p, end);
        if (i-- == 0)
            return true;
    }
    return false;
}
