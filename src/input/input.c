/* One file: source, recognition, reader. */
#include "input/input.h"

#include <string.h>

#include "input/ahead.h"
#include "input/reader.h"
#include "input/source.h"

static const ait_input_options no_options;

/* ---- the head, and what it looks like -------------------------------- */

/* Fills `head` until a sniff may judge it, or the input ends. */
static ait_code read_head(ait_source *s, ait_buf *head, bool *end)
{
    while (head->len < AIT_SNIFF_MAX && !*end) {
        const char *p = NULL;
        size_t n = 0;
        ait_code code = ait_source_next(s, &p, &n);

        if (code != AIT_OK)
            return code;
        *end = n == 0;
        if (!ait_buf_add(head, p, n))
            return AIT_ENOMEM;
    }
    return AIT_OK;
}

static ait_code say(const ait_reading *r, const char *message,
                    const char *reason, const char *hint)
{
    ait_fail(r->err, AIT_EINPUT, "%s", message);
    ait_error_reason(r->err, "%s", reason);
    ait_error_hint(r->err, "%s", hint);
    ait_error_place(r->err, r->name, 0, 0, -1);
    return AIT_EINPUT;
}

static ait_code refuse(const ait_reading *r, const ait_format_row *row,
                       const ait_buf *head)
{
    char reason[128];

    if (head->len == 0)
        return r->report->issues.count[AIT_I_COMPRESSED_INPUT_CUT]
                   ? say(r, "nothing to read",
                         "the gzip data breaks off at once", "")
                   : say(r, "nothing to read", "the file is empty", "");
    if (!row)
        return say(r, "format not recognised",
                   "the first bytes are of no known form",
                   "aitrace formats lists what can be read");
    strcpy(reason, "this is ");
    strncat(reason, row->info.title, sizeof reason - strlen(reason) - 1);
    return say(r, "format not supported", reason, row->hint);
}

static void recognised(ait_file_report *report, const ait_format_row *row,
                       const char *how)
{
    strcpy(report->format, row->info.name);
    strcpy(report->recognised_by, how);
}

static ait_code find_row(ait_reading *r, const ait_buf *head,
                         const ait_format_row **row)
{
    const char *name = r->options->format;

    /* names that are no row's are those of logs, which log.c knows */
    *row = name ? ait_format_by_name(name)
                : ait_format_by_content(head->data, head->len);
    if (name && !*row)
        *row = &ait_log_format_row;
    if ((r->options->map_file || r->options->map) && !name)
        *row = &ait_log_format_row;
    if (!*row || !(*row)->open || head->len == 0)
        return refuse(r, *row, head);
    recognised(r->report, *row, name ? "option" : "content");
    return AIT_OK;
}

/* ---- reading --------------------------------------------------------- */

/* The rest of the source, read ahead where there is a thread for it. */
static ait_code pump(ait_reading *r, const ait_format_row *row, ait_source *s)
{
    ait_ahead *ahead = row->info.capture && r->options->threads > 1
                           ? ait_ahead_start(s, r->options, r->report, r->err)
                           : NULL;
    ait_code code = AIT_OK;
    size_t n = 1;

    while (code == AIT_OK && n) {
        const char *p = NULL;

        code = ahead ? ait_ahead_next(ahead, &p, &n)
                     : ait_source_next(s, &p, &n);
        if (code == AIT_OK && n)
            code = row->feed(r, p, n);
    }
    ait_ahead_stop(ahead);
    return code;
}

static ait_code read_as(ait_reading *r, const ait_format_row *row,
                        ait_source *s, const ait_buf *head, bool end)
{
    ait_code code = row->open(r);

    if (code == AIT_OK)
        code = row->feed(r, head->data, head->len);
    if (code == AIT_OK && !end)
        code = pump(r, row, s);
    if (code == AIT_OK)
        code = row->finish(r);
    row->close(r);
    return code;
}

/* All lines were bad: there is nothing to show for it. */
static ait_code nothing_usable(const ait_reading *r)
{
    const ait_file_report *report = r->report;

    if (report->records || !ait_file_lost(report))
        return AIT_OK;
    return say(r, "nothing usable in the file",
               report->bad_reason[0][0] ? report->bad_reason[0]
                                        : "all of it is damaged",
               "");
}

static ait_code read_all(ait_reading *r, ait_source *s)
{
    const ait_format_row *row = NULL;
    ait_buf head;
    bool end = false;
    ait_code code;

    ait_buf_init(&head, SIZE_MAX - 1);
    code = read_head(s, &head, &end);
    if (code == AIT_OK)
        code = find_row(r, &head, &row);
    if (code == AIT_OK)
        code = read_as(r, row, s, &head, end);
    ait_buf_free(&head);
    return code == AIT_OK ? nothing_usable(r) : code;
}

/* An error that nobody put into words: memory, or what a sink returned. */
static ait_code pass_on(ait_code code, const ait_error *own, ait_error *err,
                        const char *name)
{
    if (code == AIT_OK || !err)
        return code;
    if (own->code != AIT_OK) {
        *err = *own;
    } else if (code == AIT_ENOMEM) {
        ait_fail(err, code, "out of memory while reading");
        ait_error_place(err, name, 0, 0, -1);
    } else {
        ait_fail(err, code, "reading was stopped");
        ait_error_place(err, name, 0, 0, -1);
    }
    return code;
}

static void reading_init(ait_reading *r, const char *name,
                         const ait_input_options *o, const ait_sink *sink,
                         ait_file_report *report, ait_error *own)
{
    memset(report, 0, sizeof *report);
    ait_error_clear(own);
    memset(r, 0, sizeof *r);
    r->name = name;
    ait_keep_file_name(name, report->name);
    r->options = o ? o : &no_options;
    r->sink = sink;
    r->report = report;
    r->err = own;
}

ait_code ait_input_file(const char *path, const ait_input_options *o,
                        const ait_sink *sink, ait_file_report *report,
                        ait_error *err)
{
    ait_reading r;
    ait_error own;
    ait_source *s;
    ait_code code;

    reading_init(&r, path, o, sink, report, &own);
    s = ait_source_open(path, o, report, &own);
    code = s ? read_all(&r, s) : own.code;
    ait_source_close(s);
    return pass_on(code, &own, err, path);
}

ait_code ait_input_bytes(const char *name, const void *bytes, size_t n,
                         const ait_input_options *o, const ait_sink *sink,
                         ait_file_report *report, ait_error *err)
{
    ait_reading r;
    ait_error own;
    ait_source *s;
    ait_code code;

    reading_init(&r, name, o, sink, report, &own);
    s = ait_source_bytes(name, bytes, n, o, report, &own);
    code = s ? read_all(&r, s) : own.code;
    ait_source_close(s);
    return pass_on(code, &own, err, name);
}
