/* JSON lines, and what is left of torn ones. */
#include "input/jsonline.h"

#include <string.h>
#include "input/reader.h"

void ait_jsonline_init(ait_jsonline *j)
{
    memset(j, 0, sizeof *j);
    ait_json_init(&j->json, AIT_LINE_NODES);
}

void ait_jsonline_free(ait_jsonline *j)
{
    ait_json_free(&j->json);
}

/* Remembers `{"key":`: records of one writer begin alike. */
static void remember(ait_jsonline *j, const char *p, size_t n)
{
    const char *colon;

    if (n > sizeof j->opening)
        n = sizeof j->opening;
    colon = memchr(p, ':', n);
    if (*p != '{' || !colon)
        return;
    j->opening_len = (size_t)(colon - p) + 1;
    memcpy(j->opening, p, j->opening_len);
}

/* Where a whole record may begin inside a torn line: behind the last zero
 * byte, else where the last good line's opening stands last. */
static const char *second_begin(const ait_jsonline *j, const char *p,
                                size_t n)
{
    size_t i;

    for (i = n; i > 1; i--)
        if (p[i - 1] == '\0')
            return p + i;
    if (j->opening_len == 0 || n <= j->opening_len)
        return NULL;
    for (i = n - j->opening_len; i > 0; i--)
        if (memcmp(p + i, j->opening, j->opening_len) == 0)
            return p + i;
    return NULL;
}

static bool memory_ran_out(const ait_json *j)
{
    return j->out_of_memory && j->count < j->max_nodes;
}

static const char *reason_of(const ait_json *j)
{
    if (j->out_of_memory)
        return "too many values in one line";
    return j->why ? j->why : "not JSON";
}

/* The line is no JSON: say so, and look for a whole record in it. */
static ait_code salvage(ait_jsonline *j, ait_file_report *r,
                        const ait_line *line, bool *usable)
{
    const char *p;

    if (!line->finished) {
        ait_file_issue(r, AIT_I_UNFINISHED_LAST_LINE, line->number);
        return AIT_OK;
    }
    ait_file_bad_line(r, line->number, reason_of(&j->json));
    p = second_begin(j, line->p, line->n);
    if (!p)
        return AIT_OK;
    *usable = ait_json_parse(&j->json, p, line->n - (size_t)(p - line->p));
    return !*usable && memory_ran_out(&j->json) ? AIT_ENOMEM : AIT_OK;
}

ait_code ait_jsonline_parse(ait_jsonline *j, ait_file_report *r,
                            const ait_line *line, bool *usable)
{
    *usable = ait_json_parse(&j->json, line->p, line->n);
    if (*usable) {
        if (line->zeros)
            ait_file_bad_line(r, line->number,
                              "zero bytes before the record");
        remember(j, line->p, line->n);
        return AIT_OK;
    }
    if (memory_ran_out(&j->json))
        return AIT_ENOMEM;
    return salvage(j, r, line, usable);
}
