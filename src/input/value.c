/* Values of logs. */
#include "input/value.h"

#include <string.h>

bool ait_value_unescaped(const ait_jvalue *v, ait_buf *scratch, ait_str *out)
{
    size_t at = scratch->len;

    if (!ait_json_string(v->p, v->p + v->n + 1, scratch))
        return false;
    out->p = scratch->data + at;
    out->n = scratch->len - at;
    return true;
}

bool ait_text_number(const char *s, size_t n, int64_t scale, int64_t *out)
{
    if (n > 1 && *s == '+') {
        s++;
        n--;
    }
    return ait_decimal_read(s, n, scale, out);
}

bool ait_value_any_number(const ait_jvalue *v, int64_t scale, int64_t *out)
{
    if (v->type == AIT_J_NUMBER)
        return ait_decimal_read(v->p, v->n, scale, out);
    return v->type == AIT_J_STRING && !v->escaped &&
           ait_text_number(v->p, v->n, scale, out);
}

static const struct {
    const char *text;
    bool value;
} bool_words[] = {
    {"true", true},   {"True", true},   {"TRUE", true},   {"1", true},
    {"false", false}, {"False", false}, {"FALSE", false}, {"0", false},
};

bool ait_text_bool(const char *s, size_t n, bool *out)
{
    size_t i;

    for (i = 0; i < sizeof bool_words / sizeof *bool_words; i++)
        if (strlen(bool_words[i].text) == n &&
            memcmp(bool_words[i].text, s, n) == 0) {
            *out = bool_words[i].value;
            return true;
        }
    return false;
}

bool ait_value_bool(const ait_jvalue *v, bool *out)
{
    *out = v->type == AIT_J_TRUE;
    if (*out || v->type == AIT_J_FALSE)
        return true;
    return (v->type == AIT_J_STRING || v->type == AIT_J_NUMBER) &&
           ait_text_bool(v->p, v->n, out);
}

/* The unit of a time since 1970 follows from its size, that is, from the
 * digits before its point: seconds have nine from 1973 on. */
static const struct {
    size_t digits;
    int64_t scale;
} epochs[] = {{18, 1}, {15, 1000}, {12, AIT_MS}, {9, AIT_SEC}};

static bool epoch_time(const ait_jvalue *v, int64_t *ns)
{
    size_t n, i;

    for (n = 0; n < v->n && v->p[n] >= '0' && v->p[n] <= '9';)
        n++;
    for (i = 0; i < sizeof epochs / sizeof *epochs; i++)
        if (n >= epochs[i].digits)
            return ait_value_number(v, epochs[i].scale, ns);
    return false;
}

bool ait_value_time(const ait_jvalue *v, int64_t *ns, bool *has_zone)
{
    *has_zone = true;
    if (v->type != AIT_J_NUMBER && v->type != AIT_J_STRING)
        return false;
    if (epoch_time(v, ns))
        return true;
    return v->type == AIT_J_STRING && !v->escaped &&
           ait_time_read(v->p, v->n, ns, has_zone);
}
