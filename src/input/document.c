/* Documents over several lines. */
#include "input/document.h"

#include "base/json.h"

void ait_document_init(ait_document *d, ait_line_fn *fn, void *ctx,
                       ait_file_report *report)
{
    d->fn = fn;
    d->ctx = ctx;
    d->report = report;
    ait_buf_init(&d->text, AIT_DOCUMENT_MAX);
    d->first = d->last = 0;
    d->settle = NULL;
    d->decided = false;
}

void ait_document_free(ait_document *d)
{
    ait_buf_free(&d->text);
}

/* Does the first line look like the begin of a longer value? */
static bool opens_document(const ait_line *line)
{
    char last = line->p[line->n - 1];

    return (*line->p == '{' || *line->p == '[') &&
           (last == '{' || last == '[' || last == ',') &&
           !ait_json_valid(line->p, line->n);
}

/* With the line ends between, so that numbers can be told again. */
static bool add(ait_document *d, const ait_line *line)
{
    int64_t i;

    for (i = d->last ? d->last : line->number; i < line->number; i++)
        if (!ait_buf_addc(&d->text, '\n'))
            return false;
    d->last = line->number;
    return ait_buf_add(&d->text, line->p, line->n);
}

/* It was no document: its lines one by one. */
static ait_code give_lines(ait_document *d)
{
    int64_t lines = d->report->lines; /* they are counted already */
    ait_lines again;
    ait_code code;

    ait_lines_init(&again, d->fn, d->ctx, d->report);
    again.number = d->first;
    again.settle = d->settle;
    again.settle_ctx = d->ctx;
    code = ait_lines_feed(&again, d->text.data, d->text.len);
    if (code == AIT_OK)
        code = ait_lines_feed(&again, "\n", 1);
    ait_lines_free(&again);
    d->report->lines = lines;
    return code;
}

ait_code ait_document_finish(ait_document *d)
{
    ait_line whole = {.p = d->text.data, .n = d->text.len,
                      .number = d->first, .finished = true};
    ait_code code;

    if (d->decided || !d->first)
        return AIT_OK;
    d->decided = true;
    if (ait_json_valid(whole.p, whole.n))
        code = (ait_code)d->fn(d->ctx, &whole);
    else
        code = give_lines(d);
    ait_buf_free(&d->text);
    return code;
}

int ait_document_line(void *ctx, const ait_line *line)
{
    ait_document *d = ctx;
    ait_code code;

    if (d->decided)
        return d->fn(d->ctx, line);
    if (!d->first && !opens_document(line)) {
        d->decided = true;
        return d->fn(d->ctx, line);
    }
    if (!d->first)
        d->first = line->number;
    if (add(d, line))
        return AIT_OK;
    code = ait_document_finish(d); /* too large for one */
    return code == AIT_OK ? d->fn(d->ctx, line) : (int)code;
}
