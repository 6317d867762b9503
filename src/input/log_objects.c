/*
 * The records in the lines of a log: objects, lists and pages of them, lines
 * wrapped in other lines, text lines.
 */
#include <string.h>

#include "input/log_plain.h"
#include "input/log_reader.h"
#include "input/logtrace.h"
#include "input/map.h"
#include "input/textline.h"
#include "input/wrap.h"

enum { NESTED_MAX = 3 };

/* What is being read: of which line, inside which list. */
typedef struct place {
    ait_log_reader *log;
    int64_t line;
    int nested;
    bool unwrapped; /* the text of a wrapper: not unwrapped again */
    ait_code code;
} place;

static ait_code unrecognised(place *p)
{
    ait_file_issue(ait_log_report(p->log), AIT_I_UNRECOGNISED_LINE, p->line);
    return AIT_OK;
}

static bool knows(const ait_log_kind *k, ait_json *j, ait_jref r)
{
    return (!k->map || k->map->all) && k->match(k, j, r);
}

/* ---- records of the chosen kind -------------------------------------- */

/* Is a record of the chosen kind, told as it is, its own? */
static bool is_own(const ait_log_reader *l, ait_json *j, ait_jref r,
                   ait_log_told told)
{
    int i;

    if (told == AIT_TOLD_SURELY || l->forced)
        return true;
    for (i = 0; i < l->kinds.count; i++)
        if (strcmp(l->kinds.kind[i].name, l->kind->name) != 0 &&
            knows(&l->kinds.kind[i], j, r))
            return false;
    return told != AIT_TOLD_HARDLY;
}

int ait_log_give(void *ctx, ait_trace *t)
{
    ait_log_reader *l = ctx;
    const ait_reading *r = l->reading;
    const ait_sink *sink = r->sink;

    r->report->records++;
    if (!t->aside)
        ait_sink_prepare(sink, t, l->aside);
    return sink->trace ? sink->trace(sink->ctx, t) : AIT_OK;
}

static ait_code give_request(place *p, ait_trace *t, const ait_log_row *row)
{
    ait_log_reader *l = p->log;
    bool entries = p->nested || l->kind->records;

    ait_log_place(t, l->reading->report, entries ? ++l->entry : p->line);
    return l->join ? ait_join_add(l->join, row) : (ait_code)ait_log_give(l, t);
}

/* One record; *unknown: it is none of this kind. */
static ait_code take_record(place *p, ait_json *j, ait_jref r, bool *unknown)
{
    ait_log_reader *l = p->log;
    ait_trace *t = l->join ? ait_join_blank(l->join) : &l->trace;
    ait_log_row row = {.key = {NULL, 0}};
    ait_log_result got;

    if (!l->join)
        ait_trace_reset(t);
    got = l->kind->fill(l->self, j, r, t, &row);
    *unknown = got == AIT_LOG_UNKNOWN ||
               (got == AIT_LOG_REQUEST && !is_own(l, j, r, row.told));
    if (got == AIT_LOG_REQUEST && !*unknown)
        return give_request(p, t, &row);
    return got == AIT_LOG_NOMEM ? AIT_ENOMEM : AIT_OK;
}

static bool take_each(void *ctx, ait_json *j, ait_jref r)
{
    place *p = ctx;
    bool unknown = false;

    p->code = take_record(p, j, r, &unknown);
    return p->code != AIT_OK;
}

/* An object of the chosen kind: a record, or the document around them. Some
 * kinds know their own only as they read them. */
static ait_code take_object(place *p, ait_json *j, ait_jref r, bool *unknown)
{
    const ait_log_kind *k = p->log->kind;

    *unknown = k->map && !k->map->knows_own && !k->match(k, j, r);
    if (*unknown)
        return AIT_OK;
    if (!k->records)
        return take_record(p, j, r, unknown);
    p->code = AIT_OK;
    ait_map_each(j, r, k->records, take_each, p);
    return p->code;
}

/* Half of what a detector asks for is enough to be worth naming. */
static void note_near(ait_log_reader *l, ait_json *j, ait_jref r)
{
    const char *missing;
    int i;

    for (i = 0; i < l->kinds.count; i++) {
        const ait_log_kind *k = &l->kinds.kind[i];
        int share = k->nearly ? k->nearly(k, j, r, &missing) : 0;

        if (share < 500 || share <= l->near.share || !missing)
            continue;
        l->near.share = share;
        l->near.name = k->name;
        l->near.missing = missing;
    }
}

/* While looking: which kinds know the object? */
static bool count_matches(ait_log_reader *l, ait_json *j, ait_jref r)
{
    bool any = false;
    int i;

    for (i = 0; i < l->kinds.count; i++) {
        bool match = knows(&l->kinds.kind[i], j, r);

        any |= match;
        l->matched[i] += match;
    }
    return any;
}

/* ---- objects, lists, pages ------------------------------------------- */

static ait_code take_value(place *p, ait_json *j, ait_jref r);
static ait_code take_wrapped(place *p, ait_json *j, ait_jref text, bool pieces,
                             int stream);

static ait_code take_list(place *p, ait_json *j, ait_jref list)
{
    ait_code code = AIT_OK;
    ait_jref e;

    if (p->nested == NESTED_MAX)
        return unrecognised(p);
    p->nested++;
    for (e = ait_json_first(j, list); e != AIT_JNONE && code == AIT_OK;
         e = ait_json_next(j, list, e))
        code = take_value(p, j, e);
    p->nested--;
    return code;
}

/* An object that is no record: a wrapper, a page, or nobody's. */
static ait_code look_inside(place *p, ait_json *j, ait_jref r)
{
    bool pieces = false;
    int stream = 0;
    ait_jref at =
        p->unwrapped ? AIT_JNONE : ait_wrapped_text(j, r, &pieces, &stream);
    ait_code code;

    if (at != AIT_JNONE)
        return take_wrapped(p, j, at, pieces, stream);
    at = ait_wrapped_records(j, r);
    if (at != AIT_JNONE && p->nested < NESTED_MAX) {
        p->nested++;
        code = take_value(p, j, at);
        p->nested--;
        return code;
    }
    p->log->objects++;
    return unrecognised(p);
}

static ait_code take_value(place *p, ait_json *j, ait_jref r)
{
    ait_log_reader *l = p->log;
    ait_jtype type = ait_json_type(j, r);
    bool unknown;
    ait_code code = AIT_OK;

    if (type == AIT_J_ARRAY)
        return take_list(p, j, r);
    if (type != AIT_J_OBJECT) {
        ait_file_bad_line(ait_log_report(l), p->line, "not a JSON object");
        return AIT_OK;
    }
    if (l->dry) {
        unknown = !count_matches(l, j, r);
        if (unknown)
            note_near(l, j, r);
    } else {
        code = take_object(p, j, r, &unknown);
    }
    if (code != AIT_OK || unknown)
        return code == AIT_OK ? look_inside(p, j, r) : code;
    l->objects++;
    return AIT_OK;
}

/* ---- lines ----------------------------------------------------------- */

bool ait_log_text_line(const ait_log_kind *k, const ait_line *line,
                       ait_buf *out)
{
    const ait_map_line *pattern = k->map ? k->map->line : NULL;
    size_t n = pattern ? strlen(pattern->must) : 0, i;

    for (i = 0; n && i + n <= line->n; i++)
        if (memcmp(line->p + i, pattern->must, n) == 0)
            return ait_text_line(pattern->pattern, line->p, line->n, out);
    return false;
}

/* Is it a text line of the kind, or of any while none is chosen? */
static bool is_text_line(ait_log_reader *l, const ait_line *line)
{
    int i;

    if (l->kind)
        return ait_log_text_line(l->kind, line, &l->synthetic);
    for (i = 0; i < l->kinds.count; i++)
        if (ait_log_text_line(&l->kinds.kind[i], line, &l->synthetic))
            return true;
    return false;
}

/* A line that is one plain record of the native log, without a tape: what
 * nearly every line of it is. *done: that was it. */
static ait_code take_plain(place *p, ait_jsonline *json, const ait_line *line,
                           bool *done)
{
    ait_log_reader *l = p->log;
    ait_log_row row = {.key = {NULL, 0}};
    ait_log_result got;

    *done = false;
    if (l->dry || line->zeros || l->kind->map)
        return AIT_OK;
    ait_trace_reset(&l->trace);
    got = l->kind->read(l->self, line, &l->trace, &row);
    if (got == AIT_LOG_NOMEM)
        return AIT_ENOMEM;
    *done = got == AIT_LOG_REQUEST &&
            (row.told == AIT_TOLD_SURELY || l->forced);
    if (!*done)
        return AIT_OK;
    ait_jsonline_good(json, line);
    l->objects++;
    return give_request(p, &l->trace, &row);
}

static ait_code take_json(place *p, ait_jsonline *json, const ait_line *line)
{
    bool usable = false, done;
    ait_code code = take_plain(p, json, line, &done);

    if (code != AIT_OK || done)
        return code;
    code = ait_jsonline_parse(json, ait_log_report(p->log), line, &usable);
    if (code != AIT_OK || !usable)
        return code;
    return take_value(p, &json->json, AIT_JROOT);
}

/* One line of the log itself, freed of what was around it. */
static ait_code take_inner(place *p, ait_jsonline *json, const ait_line *line)
{
    ait_log_reader *l = p->log;
    ait_line made = *line;

    if (*line->p == '{')
        return take_json(p, json, line);
    if (is_text_line(l, line)) {
        made.p = l->synthetic.data;
        made.n = l->synthetic.len;
        made.padded = false;
        made.made = true;
        return take_json(p, json, &made);
    }
    if (l->kind && l->kind->map && l->kind->map->line)
        return unrecognised(p);
    return take_json(p, json, line);
}

/* The whole of a wrapped line. */
static ait_code take_pieces(place *p, int stream)
{
    ait_log_reader *l = p->log;
    ait_buf *b = &l->pieces[stream];
    ait_line line = {.p = b->data, .n = b->len, .finished = true,
                     .number = l->pieces_line[stream]};
    place inside = {l, line.number, 0, true, AIT_OK};
    ait_code code = AIT_OK;

    ait_log_trim(&line);
    if (line.n)
        code = take_inner(&inside, &l->inner, &line);
    ait_buf_clear(b);
    return code;
}

/* The text inside a wrapper. One that is cut in pieces waits for its last,
 * which ends with a line end; some shippers take all line ends off. */
static ait_code take_wrapped(place *p, ait_json *j, ait_jref text, bool pieces,
                             int stream)
{
    ait_log_reader *l = p->log;
    ait_buf *b = &l->pieces[stream];

    if (b->len == 0)
        l->pieces_line[stream] = p->line;
    if (!ait_json_text(j, text, b)) {
        ait_file_issue(ait_log_report(l), AIT_I_LINE_TOO_LONG, p->line);
        ait_buf_clear(b);
        return AIT_OK;
    }
    if (pieces && b->len && b->data[b->len - 1] != '\n' &&
        !ait_json_valid(b->data, b->len))
        return AIT_OK;
    return take_pieces(p, stream);
}

void ait_log_end_pieces(ait_log_reader *l)
{
    int i;

    for (i = 0; i < 2; i++)
        if (l->pieces[i].len) {
            ait_file_issue(ait_log_report(l), AIT_I_UNFINISHED_LAST_LINE,
                           l->pieces_line[i]);
            ait_buf_clear(&l->pieces[i]);
        }
}

ait_code ait_log_take_line(ait_log_reader *l, const ait_line *line)
{
    place p = {l, line->number, 0, false, AIT_OK};

    return take_inner(&p, &l->outer, line);
}
