/*
 * Reading gateway logs: the first lines are held until it is clear whose
 * they are; then they and all others go to the one kind that was chosen.
 */
#include "input/log.h"
#include "input/jsonline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_LINES = 64, PROBE_BYTES = 1 << 20 };

static const ait_log_kind *const kinds[] = {
    &ait_native_log,
};
enum { KINDS = (int)(sizeof kinds / sizeof *kinds) };

/* Before each held line in `held`. */
typedef struct held_line {
    int64_t number, offset;
    size_t n;
} held_line;

typedef struct log {
    ait_reading *reading;
    ait_lines lines;
    ait_jsonline json;
    ait_trace trace;
    ait_buf held;
    int objects, matched[KINDS]; /* among the lines probed */
    const ait_log_kind *kind;    /* NULL: not chosen yet */
    void *self;
} log_reader;

/* ---- records of the chosen kind -------------------------------------------- */

static bool name_source(const ait_reading *r, const ait_log_kind *kind,
                        ait_trace *t, int64_t line)
{
    t->num[AIT_N_LINE] = line;
    return ait_trace_text(t, AIT_X_FORMAT, kind->name, strlen(kind->name))
           && ait_trace_text(t, AIT_X_FILE, r->base, strlen(r->base));
}

static ait_code give_trace(log_reader *l, int64_t line)
{
    ait_reading *r = l->reading;

    if (!name_source(r, l->kind, &l->trace, line))
        return AIT_ENOMEM;
    r->report->records++;
    return r->sink->trace ? (ait_code)r->sink->trace(r->sink->ctx, &l->trace)
                          : AIT_OK;
}

static ait_code map_object(log_reader *l, ait_jref object, int64_t line)
{
    ait_trace_reset(&l->trace);
    switch (l->kind->fill(l->self, &l->json.json, object, &l->trace)) {
    case AIT_LOG_REQUEST:
        return give_trace(l, line);
    case AIT_LOG_UNKNOWN:
        ait_file_issue(l->reading->report, AIT_I_UNRECOGNISED_LINE, line);
        return AIT_OK;
    case AIT_LOG_SKIPPED:
        return AIT_OK;
    default:
        return AIT_ENOMEM;
    }
}

/* ---- whose log is it? -------------------------------------------------------- */

/* What is held is what was usable of the line. */
static bool hold(log_reader *l, const ait_line *line)
{
    const ait_json *j = &l->json.json;
    held_line head = {line->number, line->offset, j->len};

    return ait_buf_add(&l->held, &head, sizeof head)
           && ait_buf_add(&l->held, j->text, j->len);
}

static void probe(log_reader *l)
{
    int i;

    l->objects++;
    for (i = 0; i < KINDS; i++)
        l->matched[i] += kinds[i]->match(kinds[i], &l->json.json,
                                         AIT_JROOT);
}

static ait_code choose(log_reader *l, const ait_log_kind *kind,
                       const char *how)
{
    ait_file_report *report = l->reading->report;

    l->kind = kind;
    l->self = kind->open(kind);
    snprintf(report->format, sizeof report->format, "%s", kind->name);
    snprintf(report->recognised_by, sizeof report->recognised_by, "%s",
             how);
    return l->self ? AIT_OK : AIT_ENOMEM;
}

/* "nginx 3, native 60" */
static void list_counts(const log_reader *l, char *out, size_t size)
{
    size_t at = 0;
    int i;

    out[0] = '\0';
    for (i = 0; i < KINDS && at < size; i++)
        if (l->matched[i])
            at += (size_t)snprintf(out + at, size - at, "%s%s %d",
                                   at ? ", " : "", kinds[i]->name,
                                   l->matched[i]);
}

static ait_code refuse(log_reader *l)
{
    ait_reading *r = l->reading;
    char counts[160];

    list_counts(l, counts, sizeof counts);
    ait_fail(r->err, AIT_EINPUT, "not the log of one known gateway");
    if (l->objects == 0)
        ait_error_reason(r->err, "no line of it is a JSON object");
    else
        ait_error_reason(r->err, "of %d JSON lines looked at: %s",
                         l->objects,
                         counts[0] ? counts : "none is of a known form");
    ait_error_hint(r->err, "aitrace formats lists what can be read; "
                           "--format NAME forces one, --map FILE gives a "
                           "mapping");
    ait_error_place(r->err, r->name, 0, 0, -1);
    return AIT_EINPUT;
}

/* One kind with at least half of the objects, and no other. */
static int only_match(const log_reader *l)
{
    int found = -1, i;

    for (i = 0; i < KINDS; i++) {
        if (!l->matched[i])
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found >= 0 && 2 * l->matched[found] >= l->objects ? found : -1;
}

static int take_line(void *ctx, const ait_line *line);

static ait_code release_held(log_reader *l)
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
        line.finished = true;
        code = (ait_code)take_line(l, &line);
        p = line.p + line.n;
    }
    ait_buf_free(&l->held);
    return code;
}

static ait_code decide(log_reader *l)
{
    int found = only_match(l);
    char how[64];
    ait_code code;

    if (found < 0)
        return refuse(l);
    snprintf(how, sizeof how, "content (%d of %d lines)", l->matched[found],
             l->objects);
    code = choose(l, kinds[found], how);
    return code == AIT_OK ? release_held(l) : code;
}

/* ---- lines --------------------------------------------------------------------- */

static int take_line(void *ctx, const ait_line *line)
{
    log_reader *l = ctx;
    bool usable = false;
    ait_code code = ait_jsonline_parse(&l->json, l->reading->report, line,
                                       &usable);

    if (code != AIT_OK || !usable)
        return code;
    if (ait_json_type(&l->json.json, AIT_JROOT) != AIT_J_OBJECT) {
        ait_file_bad_line(l->reading->report, line->number,
                          "not a JSON object");
        return AIT_OK;
    }
    if (l->kind)
        return map_object(l, AIT_JROOT, line->number);
    probe(l);
    if (!hold(l, line))
        return AIT_ENOMEM;
    if (l->objects < PROBE_LINES && l->held.len < PROBE_BYTES)
        return AIT_OK;
    return decide(l);
}

static ait_code log_open(ait_reading *r)
{
    log_reader *l = ait_alloc(sizeof *l);
    int i;

    if (!l)
        return AIT_ENOMEM;
    r->state = l;
    l->reading = r;
    ait_lines_init(&l->lines, take_line, l, r->report);
    ait_jsonline_init(&l->json);
    ait_trace_init(&l->trace);
    ait_buf_init(&l->held, AIT_LINE_MAX + PROBE_BYTES + 4096);
    for (i = 0; i < KINDS && r->options->format; i++)
        if (strcmp(r->options->format, kinds[i]->name) == 0)
            return choose(l, kinds[i], "option");
    return AIT_OK;
}

static ait_code log_feed(ait_reading *r, const char *p, size_t n)
{
    log_reader *l = r->state;

    return ait_lines_feed(&l->lines, p, n);
}

static ait_code log_finish(ait_reading *r)
{
    log_reader *l = r->state;
    ait_code code = ait_lines_finish(&l->lines);

    return code == AIT_OK && !l->kind ? decide(l) : code;
}

static void log_close(ait_reading *r)
{
    log_reader *l = r->state;

    if (!l)
        return;
    if (l->kind)
        l->kind->close(l->self);
    ait_lines_free(&l->lines);
    ait_jsonline_free(&l->json);
    ait_trace_free(&l->trace);
    ait_buf_free(&l->held);
    free(l);
    r->state = NULL;
}

enum { LOOK_AT_LINES = 16 };

/* Some line among the first begins like JSON. */
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

const ait_format_row ait_log_row = {
    .info = {"native", "native gateway log, one JSON object a request",
             "receipt at the gateway", false},
    .priority = 100, /* whatever begins like JSON and is nothing else */
    .sniff = log_sniff,
    .open = log_open,
    .feed = log_feed,
    .finish = log_finish,
    .close = log_close,
};
