#include "input/log_plain.h"

#include <string.h>

#include "input/jsonline.h"
#include "input/map.h"
#include "input/wrap.h"

bool ait_log_plain_open(ait_log_plain *p, const ait_log_kind *kind,
                        bool forced)
{
    *p = (ait_log_plain){.kind = kind, .forced = forced};
    ait_trace_init(&p->empty);
    ait_json_init(&p->json, AIT_LINE_NODES);
    ait_buf_init(&p->text, AIT_LINE_MAX);
    p->self = kind->open(kind);
    return p->self != NULL;
}

void ait_log_plain_close(ait_log_plain *p)
{
    if (p->self)
        p->kind->close(p->self);
    ait_json_free(&p->json);
    ait_buf_free(&p->text);
}

static ait_log_result read_line(ait_log_plain *p, const ait_line *line,
                                ait_trace *t, ait_log_row *row)
{
    *row = (ait_log_row){.key = {NULL, 0}};
    ait_trace_reset_as(t, &p->empty);
    return p->kind->read(p->self, line, t, row);
}

/* Is the object that holds it a record itself? */
static bool is_record(ait_log_plain *p, ait_trace *t, ait_log_row *row)
{
    const ait_log_kind *k = p->kind;
    ait_json *j = &p->json;

    ait_trace_reset_as(t, &p->empty);
    return (!k->map || k->map->knows_own || k->match(k, j, AIT_JROOT)) &&
           k->fill(p->self, j, AIT_JROOT, t, row) != AIT_LOG_UNKNOWN;
}

/* The text of a wrapper, where it is all in this line. */
static bool unwrap(ait_log_plain *p, int *stream)
{
    bool pieces = false;
    ait_jref at = ait_wrapped_text(&p->json, AIT_JROOT, &pieces, stream);
    ait_buf *b = &p->text;

    ait_buf_clear(b);
    return at != AIT_JNONE && ait_json_text(&p->json, at, b) && b->len &&
           !(pieces && b->data[b->len - 1] != '\n');
}

void ait_log_trim(ait_line *line)
{
    while (line->n && strchr("\r\n\t ", line->p[line->n - 1]))
        line->n--;
    while (line->n && (*line->p == ' ' || *line->p == '\t')) {
        line->p++;
        line->n--;
    }
}

/* The text is kept with the trace: openings of lines are remembered when it is
 * their turn. */
static bool read_wrapped(ait_log_plain *p, const ait_line *line, ait_trace *t,
                         ait_log_row *row)
{
    ait_line inside = {.number = line->number, .finished = true};
    int stream = 0;

    if (*line->p != '{' || !ait_json_parse(&p->json, line->p, line->n) ||
        is_record(p, t, row) || !unwrap(p, &stream))
        return false;
    inside.p = p->text.data;
    inside.n = p->text.len;
    ait_log_trim(&inside);
    if (inside.n == 0 || read_line(p, &inside, t, row) != AIT_LOG_REQUEST)
        return false;
    row->inside.p = ait_arena_strndup(&t->arena, inside.p, inside.n);
    row->inside.n = inside.n;
    row->stream = stream;
    return row->inside.p != NULL;
}

bool ait_log_plain_read(ait_log_plain *p, const ait_line *line, ait_trace *t,
                        ait_log_row *row)
{
    ait_log_result got = AIT_LOG_UNKNOWN;

    if (!line->zeros)
        got = read_line(p, line, t, row);
    if (got == AIT_LOG_UNKNOWN && !line->zeros &&
        read_wrapped(p, line, t, row))
        got = AIT_LOG_REQUEST;
    return got == AIT_LOG_REQUEST &&
           (row->told == AIT_TOLD_SURELY || p->forced);
}
