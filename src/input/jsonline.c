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

/* How an opening ends no other begins: it has one colon. */
static bool begins_with(const ait_line *line, const ait_opening *o)
{
    return o->len && line->n >= o->len &&
           memcmp(o->text, line->p, o->len) == 0;
}

/* Remembers `{"key":`: records of one writer begin alike. */
void ait_jsonline_good(ait_jsonline *j, const ait_line *line)
{
    ait_opening *o = &j->opening[j->next_opening % AIT_OPENINGS];
    size_t n = line->n < sizeof o->text ? line->n : sizeof o->text;
    const char *colon;

    if (line->made)
        return;
    for (int i = 0; i < AIT_OPENINGS; i++)
        if (begins_with(line, &j->opening[i]))
            return;
    colon = memchr(line->p, ':', n);
    if (*line->p != '{' || !colon)
        return;
    o->len = (size_t)(colon - line->p) + 1;
    memcpy(o->text, line->p, o->len);
    j->next_opening++;
}

/* Where `o` stands last, but not at the begin; NULL: nowhere. */
static const char *last_opening(const ait_opening *o, const char *p, size_t n)
{
    size_t i;

    if (o->len == 0 || n <= o->len)
        return NULL;
    for (i = n - o->len; i > 0; i--)
        if (memcmp(p + i, o->text, o->len) == 0)
            return p + i;
    return NULL;
}

static const char *behind_zeros(const char *p, size_t n)
{
    size_t i;

    for (i = n; i > 1; i--)
        if (p[i - 1] == '\0')
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

static bool parses_from(ait_jsonline *j, const ait_line *line, const char *p)
{
    return p && ait_json_parse(&j->json, p, line->n - (size_t)(p - line->p));
}

/* A whole record inside a torn line: behind the last zero byte, else where
 * the opening of an earlier line stands. */
static bool find_whole(ait_jsonline *j, const ait_line *line)
{
    int i;

    if (parses_from(j, line, behind_zeros(line->p, line->n)))
        return true;
    for (i = 0; i < AIT_OPENINGS; i++)
        if (parses_from(j, line,
                        last_opening(&j->opening[i], line->p, line->n)))
            return true;
    return false;
}

/* The line is no JSON: say so, and look for a whole record in it. */
static ait_code salvage(ait_jsonline *j, ait_file_report *r,
                        const ait_line *line, bool *usable)
{
    if (!line->finished) {
        ait_file_issue(r, AIT_I_UNFINISHED_LAST_LINE, line->number);
        return AIT_OK;
    }
    ait_file_bad_line(r, line->number, reason_of(&j->json));
    *usable = find_whole(j, line);
    return !*usable && memory_ran_out(&j->json) ? AIT_ENOMEM : AIT_OK;
}

ait_code ait_jsonline_parse(ait_jsonline *j, ait_file_report *r,
                            const ait_line *line, bool *usable)
{
    *usable = ait_json_parse(&j->json, line->p, line->n);
    if (*usable) {
        if (line->zeros)
            ait_file_bad_line(r, line->number, "zero bytes before the record");
        ait_jsonline_good(j, line);
        return AIT_OK;
    }
    if (memory_ran_out(&j->json))
        return AIT_ENOMEM;
    return salvage(j, r, line, usable);
}
