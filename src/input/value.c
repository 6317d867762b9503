/* Values of logs. */
#include "input/value.h"

#include <string.h>

bool ait_value_text(const ait_json *j, ait_jref r, ait_buf *scratch,
                    ait_str *out)
{
    ait_jtype type = ait_json_type(j, r);
    size_t at = scratch->len;

    if (type != AIT_J_STRING && type != AIT_J_NUMBER)
        return false;
    out->p = j->text + j->node[r].off;
    out->n = j->node[r].len;
    if (type == AIT_J_NUMBER || !j->node[r].escaped)
        return true;
    if (!ait_json_text(j, r, scratch))
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

bool ait_value_number(const ait_json *j, ait_jref r, int64_t scale,
                      int64_t *out)
{
    ait_jtype type = ait_json_type(j, r);

    if (type == AIT_J_NUMBER)
        return ait_json_decimal(j, r, scale, out);
    return type == AIT_J_STRING && !j->node[r].escaped &&
           ait_text_number(j->text + j->node[r].off, j->node[r].len, scale,
                           out);
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

bool ait_value_bool(const ait_json *j, ait_jref r, bool *out)
{
    ait_jtype type = ait_json_type(j, r);

    if (ait_json_bool(j, r, out))
        return true;
    if (type != AIT_J_STRING && type != AIT_J_NUMBER)
        return false;
    return ait_text_bool(j->text + j->node[r].off, j->node[r].len, out);
}

/* The unit of a time since 1970 follows from its size, that is, from the
 * digits before its point: seconds have nine from 1973 on. */
static const struct {
    size_t digits;
    int64_t scale;
} epochs[] = {{18, 1}, {15, 1000}, {12, AIT_MS}, {9, AIT_SEC}};

static bool epoch_time(const ait_json *j, ait_jref r, int64_t *ns)
{
    ait_jtype type = ait_json_type(j, r);
    const char *s;
    size_t n, i;

    if (type != AIT_J_NUMBER && type != AIT_J_STRING)
        return false;
    s = j->text + j->node[r].off;
    for (n = 0; n < j->node[r].len && s[n] >= '0' && s[n] <= '9';)
        n++;
    for (i = 0; i < sizeof epochs / sizeof *epochs; i++)
        if (n >= epochs[i].digits)
            return ait_value_number(j, r, epochs[i].scale, ns);
    return false;
}

bool ait_value_time(const ait_json *j, ait_jref r, int64_t *ns, bool *has_zone)
{
    const ait_jnode *node;

    *has_zone = true;
    if (epoch_time(j, r, ns))
        return true;
    if (ait_json_type(j, r) != AIT_J_STRING)
        return false;
    node = &j->node[r];
    return !node->escaped &&
           ait_time_read(j->text + node->off, node->len, ns, has_zone);
}
