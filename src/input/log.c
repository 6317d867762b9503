/*
 * Reading gateway logs. The first lines are held and looked at without
 * consequence until it is clear whose log they are; then they and all others
 * are read for good by the one kind that was chosen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/log_reader.h"

enum { PROBE_OBJECTS = 64, PROBE_BYTES = 4 << 20 };

/* Before each held line in `held`. */
typedef struct held_line {
    int64_t number, offset;
    size_t n;
    bool zeros, finished;
} held_line;

/* ---- whose log is it? ------------------------------------------------ */

static bool hold(ait_log_reader *l, const ait_line *line)
{
    held_line head = {line->number, line->offset, line->n, line->zeros,
                      line->finished};

    return ait_buf_add(&l->held, &head, sizeof head) &&
           ait_buf_add(&l->held, line->p, line->n);
}

static ait_code choose(ait_log_reader *l, const ait_log_kind *kind,
                       const char *how)
{
    ait_file_report *report = l->reading->report;

    l->kind = kind;
    l->dry = false;
    l->self = kind->open(kind);
    snprintf(report->format, sizeof report->format, "%s", kind->name);
    snprintf(report->recognised_by, sizeof report->recognised_by, "%s", how);
    if (kind->join != AIT_JOIN_NONE)
        l->join = ait_join_new(kind->join, ait_log_give, l);
    return l->self && (l->join || kind->join == AIT_JOIN_NONE) ? AIT_OK
                                                               : AIT_ENOMEM;
}

/* "nginx 3, native 60" */
static void list_counts(const ait_log_reader *l, char *out, size_t size)
{
    size_t at = 0;
    int i;

    out[0] = '\0';
    for (i = 0; i < l->kinds.count && at < size; i++)
        if (l->matched[i])
            at += (size_t)snprintf(out + at, size - at, "%s%s %d",
                                   at ? ", " : "", l->kinds.kind[i].name,
                                   l->matched[i]);
}

static void say_why(const ait_log_reader *l, ait_error *err)
{
    char counts[160];

    list_counts(l, counts, sizeof counts);
    if (l->objects == 0)
        ait_error_reason(err, "no line of it is a JSON object");
    else if (counts[0] || !l->near.name)
        ait_error_reason(err, "of %d JSON objects looked at: %s", l->objects,
                         counts[0] ? counts : "none is of a known form");
    else
        ait_error_reason(err, "of %d JSON objects looked at none is of a "
                         "known form; closest is %s, but for %s",
                         l->objects, l->near.name, l->near.missing);
}

static ait_code refuse(ait_log_reader *l)
{
    ait_reading *r = l->reading;
    int64_t bytes = r->report->bytes, lines = r->report->lines;

    memcpy(l->dry_report.name, r->report->name, sizeof r->report->name);
    *r->report = l->dry_report;
    r->report->bytes = bytes;
    r->report->lines = lines;
    ait_fail(r->err, AIT_EINPUT, "not the log of one known gateway");
    say_why(l, r->err);
    ait_error_hint(r->err, "aitrace formats lists what can be read; "
                           "--format NAME forces one, --map FILE gives a "
                           "mapping");
    ait_error_place(r->err, r->name, 0, 0, -1);
    return AIT_EINPUT;
}

/* One kind with at least half of the objects, and no other. */
static int only_match(const ait_log_reader *l)
{
    int found = -1, i;

    for (i = 0; i < l->kinds.count; i++) {
        if (!l->matched[i])
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found >= 0 && 2 * l->matched[found] >= l->objects ? found : -1;
}

static ait_code release_held(ait_log_reader *l)
{
    const char *p = l->held.data, *end = p + l->held.len;
    ait_code code = AIT_OK;

    while (p < end && code == AIT_OK) {
        held_line head;
        ait_line line = {0};

        memcpy(&head, p, sizeof head);
        line.p = p + sizeof head;
        line.n = head.n;
        line.number = head.number;
        line.offset = head.offset;
        line.zeros = head.zeros;
        line.finished = head.finished;
        code = ait_log_take_line(l, &line);
        p = line.p + line.n;
    }
    ait_buf_free(&l->held);
    return code;
}

/* Nothing of the looking may show afterwards. */
static void forget_probe(ait_log_reader *l)
{
    ait_jsonline_free(&l->outer);
    ait_jsonline_init(&l->outer);
    ait_jsonline_free(&l->inner);
    ait_jsonline_init(&l->inner);
    ait_buf_clear(&l->pieces[0]);
    ait_buf_clear(&l->pieces[1]);
}

static ait_code decide(ait_log_reader *l)
{
    int found = only_match(l);
    char how[64];
    ait_code code;

    if (found < 0)
        return refuse(l);
    snprintf(how, sizeof how, "content (%d of %d lines)", l->matched[found],
             l->objects);
    forget_probe(l);
    code = choose(l, &l->kinds.kind[found], how);
    return code == AIT_OK ? release_held(l) : code;
}

static void note_good(ait_log_reader *l, const ait_line *line,
                      const ait_log_row *row)
{
    const ait_line inside = {.p = row->inside.p, .n = row->inside.n};

    ait_jsonline_good(&l->outer, line);
    if (inside.p)
        ait_jsonline_good(&l->inner, &inside);
}

/* A line whose turn it is. */
static ait_code take_turn(void *ctx, const ait_line *line, ait_trace *t,
                          const ait_log_row *row)
{
    ait_log_reader *l = ctx;

    if (!t || (row->inside.p && l->pieces[row->stream].len))
        return ait_log_take_line(l, line);
    note_good(l, line, row);
    l->objects++;
    if (!l->join)
        return (ait_code)ait_log_give(l, t);
    ait_trace_move(ait_join_blank(l->join), t);
    return ait_join_add(l->join, row);
}

static void start_ahead(ait_log_reader *l)
{
    const ait_log_ahead_setup setup = {
        .kind = l->kind, .forced = l->forced, .prepare = !l->join,
        .reading = l->reading, .fn = take_turn, .ctx = l};

    l->ahead_tried = true;
    if (l->kind->read)
        l->ahead = ait_log_ahead_start(&setup);
}

static int settle(void *ctx)
{
    const ait_log_reader *l = ctx;

    return l->ahead ? (int)ait_log_ahead_settle(l->ahead) : AIT_OK;
}

static int take_line(void *ctx, const ait_line *line)
{
    ait_log_reader *l = ctx;
    ait_code code;

    if (l->kind && !l->ahead_tried)
        start_ahead(l);
    if (l->kind)
        return l->ahead ? ait_log_ahead_line(l->ahead, line)
                        : ait_log_take_line(l, line);
    if (!hold(l, line))
        return AIT_ENOMEM;
    code = ait_log_take_line(l, line);
    if (code != AIT_OK)
        return code;
    if (l->objects >= PROBE_OBJECTS ||
        (l->objects && l->held.len >= PROBE_BYTES))
        return decide(l);
    return AIT_OK;
}

/* ---- reader ---------------------------------------------------------- */

static ait_code unknown_format(const ait_log_reader *l, const char *name)
{
    const char *words[AIT_LOG_KINDS_MAX + 2], *near;
    ait_error *err = l->reading->err;
    int i;

    for (i = 0; i < l->kinds.count; i++)
        words[i] = l->kinds.kind[i].name;
    words[i] = "capture";
    words[i + 1] = NULL;
    near = ait_nearest(name, words);
    ait_fail(err, AIT_EUSAGE, "unknown format");
    ait_error_reason(err, "--format names none of the known ones");
    if (near)
        ait_error_hint(err, "did you mean %s?", near);
    else
        ait_error_hint(err, "aitrace formats lists them");
    return AIT_EUSAGE;
}

static void init_parts(ait_log_reader *l)
{
    ait_document_init(&l->document, take_line, l, l->reading->report);
    l->document.settle = settle;
    ait_lines_init(&l->lines, ait_document_line, &l->document,
                   l->reading->report);
    l->lines.settle = settle;
    l->lines.settle_ctx = l;
    ait_jsonline_init(&l->outer);
    ait_jsonline_init(&l->inner);
    ait_trace_init(&l->trace);
    ait_buf_init(&l->held, AIT_DOCUMENT_MAX + 2 * PROBE_BYTES);
    ait_buf_init(&l->pieces[0], AIT_LINE_MAX);
    ait_buf_init(&l->pieces[1], AIT_LINE_MAX);
    ait_buf_init(&l->synthetic, AIT_LINE_MAX);
    l->dry = true;
}

static ait_code log_open(ait_reading *r)
{
    const char *name = r->options->format;
    ait_log_reader *l = ait_alloc(sizeof *l);
    const ait_log_kind *forced;
    ait_code code;

    if (!l)
        return AIT_ENOMEM;
    r->state = l;
    l->reading = r;
    init_parts(l);
    l->aside = ait_alloc(r->sink->aside);
    if (!l->aside)
        return AIT_ENOMEM;
    code = ait_log_kinds_load(&l->kinds, r->options, r->err);
    if (code != AIT_OK)
        return code;
    l->forced = l->kinds.forced || name;
    if (l->kinds.forced)
        return choose(l, l->kinds.forced, "mapping");
    if (!name)
        return AIT_OK;
    forced = ait_log_kind_named(&l->kinds, name);
    return forced ? choose(l, forced, "option") : unknown_format(l, name);
}

static ait_code log_feed(ait_reading *r, const char *p, size_t n)
{
    ait_log_reader *l = r->state;

    return ait_lines_feed(&l->lines, p, n);
}

static ait_code log_finish(ait_reading *r)
{
    ait_log_reader *l = r->state;
    ait_code code = ait_lines_finish(&l->lines);

    if (code == AIT_OK)
        code = ait_document_finish(&l->document);
    if (code == AIT_OK)
        code = (ait_code)settle(l);
    if (code == AIT_OK && !l->kind)
        code = decide(l);
    if (code != AIT_OK)
        return code;
    ait_log_end_pieces(l);
    return l->join ? ait_join_finish(l->join) : AIT_OK;
}

static void log_close(ait_reading *r)
{
    ait_log_reader *l = r->state;

    if (!l)
        return;
    ait_log_ahead_free(l->ahead);
    free(l->aside);
    if (l->kind)
        l->kind->close(l->self);
    ait_join_free(l->join);
    ait_log_kinds_free(&l->kinds);
    ait_lines_free(&l->lines);
    ait_jsonline_free(&l->outer);
    ait_jsonline_free(&l->inner);
    ait_trace_free(&l->trace);
    ait_buf_free(&l->held);
    ait_document_free(&l->document);
    ait_buf_free(&l->pieces[0]);
    ait_buf_free(&l->pieces[1]);
    ait_buf_free(&l->synthetic);
    free(l);
    r->state = NULL;
}

enum { LOOK_AT_LINES = 16 };

/* Some line among the first begins like JSON, or is a text line that a
 * mapping may know. */
static bool log_sniff(const ait_format_row *row, const char *head, size_t n)
{
    const char *p = head, *end = head + n;
    int i;

    (void)row;
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        p += 3;
    for (i = 0; i < LOOK_AT_LINES && p < end; i++) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));

        while (p < end && (*p == ' ' || *p == '\t' || *p == '\0'))
            p++;
        if (p < end && (*p == '{' || *p == '['))
            return true;
        p = lf ? lf + 1 : end;
    }
    return false;
}

const ait_format_row ait_log_format_row = {
    .info = {"native", "native gateway log, one JSON object a request",
             "receipt at the gateway", false, NULL},
    .priority = 100, /* whatever begins like JSON and is nothing else */
    .sniff = log_sniff,
    .open = log_open,
    .feed = log_feed,
    .finish = log_finish,
    .close = log_close,
};
