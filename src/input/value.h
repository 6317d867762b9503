#ifndef AIT_INPUT_VALUE_H
#define AIT_INPUT_VALUE_H
/*
 * JSON values as logs write them: numbers also as strings, times in every
 * common form. false: the value is not of that kind.
 */
#include "base/json.h"
#include "input/record.h"

/* An escaped string, as ait_value_text. */
bool ait_value_unescaped(const ait_jvalue *v, ait_buf *scratch,
                         ait_str *out);
/* The text of a string, or of a number as written. An escaped string is
 * appended to `scratch`, unescaped; the span stays valid as long as that
 * buffer does not grow or is cleared. */
static inline bool ait_value_text(const ait_jvalue *v, ait_buf *scratch,
                                  ait_str *out)
{
    if (v->type != AIT_J_STRING && v->type != AIT_J_NUMBER)
        return false;
    *out = (ait_str){v->p, v->n};
    return !v->escaped || ait_value_unescaped(v, scratch, out);
}

/* The number that was worked out already, times `scale`; false where it was
 * not, or would have to be rounded. */
static inline bool ait_value_worked_out(const ait_jvalue *v, int64_t scale,
                                        int64_t *out)
{
    int64_t got;
    int i;

    if (v->decimals < 0)
        return false;
    for (i = 0; i < v->decimals; i++, scale /= 10)
        if (scale == 1)
            return false;
    if (__builtin_mul_overflow(v->mantissa, scale, &got))
        return false;
    *out = got;
    return true;
}

/* Any other number, as ait_value_number. */
bool ait_value_any_number(const ait_jvalue *v, int64_t scale, int64_t *out);
/* A number, or a string that holds nothing else, times `scale`, rounded. */
static inline bool ait_value_number(const ait_jvalue *v, int64_t scale,
                                    int64_t *out)
{
    return ait_value_worked_out(v, scale, out) ||
           ait_value_any_number(v, scale, out);
}
/* The same over text. A leading '+' is allowed. */
bool ait_text_number(const char *s, size_t n, int64_t scale, int64_t *out);

/* true, false, or a word or number that says so: "true", "TRUE", 1. */
bool ait_value_bool(const ait_jvalue *v, bool *out);

/* The same over text. */
bool ait_text_bool(const char *s, size_t n, bool *out);

/* A wall clock time: RFC 3339 or a relative of it, or a number since 1970
 * whose unit (s, ms, us, ns) follows from its size. *has_zone is false only
 * for a text without one. */
bool ait_value_time(const ait_jvalue *v, int64_t *ns, bool *has_zone);

/* The same of a node on a tape. */
static inline bool ait_node_text(const ait_json *j, ait_jref r,
                                 ait_buf *scratch, ait_str *out)
{
    ait_jvalue v = ait_json_value(j, r);

    return ait_value_text(&v, scratch, out);
}
static inline bool ait_node_number(const ait_json *j, ait_jref r,
                                   int64_t scale, int64_t *out)
{
    ait_jvalue v = ait_json_value(j, r);

    return ait_value_number(&v, scale, out);
}

#endif
