/* Text lines as JSON. */
#include "input/textline.h"

#include <string.h>

#include "base/json.h"
#include "base/jsonw.h"

enum { NAME_MAX = 32 };

/* The name in "%{name}"; moves behind it. false: no capture here. */
static bool capture_name(const char **pattern, char *name)
{
    const char *p = *pattern, *close;
    size_t n;

    if (p[0] != '%' || p[1] != '{')
        return false;
    close = strchr(p, '}');
    n = close ? (size_t)(close - p) - 2 : NAME_MAX;
    if (n >= NAME_MAX)
        return false;
    memcpy(name, p + 2, n);
    name[n] = '\0';
    *pattern = close + 1;
    return true;
}

/* Where the next literal of the pattern begins in [s, end). */
static const char *find_literal(const char *pattern, const char *s,
                                const char *end)
{
    const char *stop = strstr(pattern, "%{");
    size_t n = stop ? (size_t)(stop - pattern) : strlen(pattern);

    for (; (size_t)(end - s) >= n; s++)
        if (memcmp(s, pattern, n) == 0)
            return s;
    return NULL;
}

static void put(ait_jsonw *w, const char *name, const char *s, size_t n)
{
    if (strcmp(name, "*") == 0)
        return;
    ait_jsonw_key(w, name);
    ait_jsonw_textn(w, s, n);
}

/* Captures up to %{json}; where that begins, or NULL. */
static const char *take_captures(const char *pattern, const char *s,
                                 const char *end, ait_jsonw *w)
{
    char name[NAME_MAX];

    while (*pattern) {
        const char *next;

        if (!capture_name(&pattern, name)) {
            if (s == end || *s++ != *pattern++)
                return NULL;
            continue;
        }
        if (strcmp(name, "json") == 0)
            return s;
        next = find_literal(pattern, s, end);
        if (!next)
            return NULL;
        put(w, name, s, (size_t)(next - s));
        s = next;
    }
    return NULL;
}

bool ait_text_line(const char *pattern, const char *s, size_t n, ait_buf *out)
{
    const char *end = s + n, *json;
    ait_jsonw w;

    ait_buf_clear(out);
    ait_jsonw_init(&w, out, false);
    ait_jsonw_object(&w);
    ait_jsonw_key(&w, "line");
    ait_jsonw_object(&w);
    json = take_captures(pattern, s, end, &w);
    ait_jsonw_end(&w, '}');
    if (!json || w.failed || !ait_json_valid(json, (size_t)(end - json)))
        return false;
    return ait_buf_adds(out, ",\"json\":") &&
           ait_buf_add(out, json, (size_t)(end - json)) &&
           ait_buf_adds(out, "}");
}
