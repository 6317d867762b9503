/* Lines out of blocks. */
#include "input/lines.h"

#include <string.h>

#include "input/reader.h"

void ait_lines_init(ait_lines *l, ait_line_fn *fn, void *ctx,
                    ait_file_report *report)
{
    memset(l, 0, sizeof *l);
    l->fn = fn;
    l->ctx = ctx;
    l->report = report;
    l->max = AIT_LINE_MAX;
    l->number = 1;
    ait_buf_init(&l->carry, AIT_LINE_MAX + 1);
}

void ait_lines_free(ait_lines *l)
{
    ait_buf_free(&l->carry);
}

static bool is_filler(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

static void take_off_bom(ait_line *line)
{
    if (line->number == 1 && line->n >= 3 &&
        memcmp(line->p, "\xEF\xBB\xBF", 3) == 0) {
        line->p += 3;
        line->n -= 3;
    }
}

static void trim(ait_line *line)
{
    while (line->n && is_filler(*line->p)) {
        line->zeros |= *line->p == '\0';
        line->p++;
        line->n--;
    }
    while (line->n && is_filler(line->p[line->n - 1]))
        line->n--;
}

static ait_code settled(const ait_lines *l)
{
    return l->settle ? (ait_code)l->settle(l->settle_ctx) : AIT_OK;
}

static ait_code too_long(ait_lines *l, int64_t line)
{
    ait_code code = settled(l);

    if (code == AIT_OK)
        ait_file_issue(l->report, AIT_I_LINE_TOO_LONG, line);
    return code;
}

/* What a crash left of a line. */
static ait_code only_zeros(ait_lines *l, int64_t line)
{
    ait_code code = settled(l);

    if (code == AIT_OK)
        ait_file_bad_line(l->report, line, "nothing but zero bytes");
    return code;
}

/* Gives one line and moves on behind it; `whole` counts its LF. */
static ait_code give(ait_lines *l, const char *p, size_t n, bool finished)
{
    ait_line line = {.p = p, .n = n, .number = l->number,
                     .offset = l->offset, .finished = finished};

    l->report->lines++;
    l->number++;
    l->offset += (int64_t)n + finished;
    if (n > l->max)
        return too_long(l, line.number);
    take_off_bom(&line);
    trim(&line);
    if (line.n)
        return (ait_code)l->fn(l->ctx, &line);
    return line.zeros ? only_zeros(l, line.number) : AIT_OK;
}

/* Drops the rest of a line over the maximum. */
static void skip(ait_lines *l, size_t n, bool finished)
{
    l->offset += (int64_t)n + finished;
    if (!finished)
        return;
    l->report->lines++;
    l->number++;
    l->skipping = false;
}

/* A piece of a line whose LF is not in this block. */
static ait_code keep(ait_lines *l, const char *p, size_t n)
{
    if (l->skipping) {
        skip(l, n, false);
        return AIT_OK;
    }
    if (l->carry.len + n > l->max) {
        l->skipping = true;
        skip(l, l->carry.len + n, false);
        ait_buf_free(&l->carry);
        return too_long(l, l->number);
    }
    return ait_buf_add(&l->carry, p, n) ? AIT_OK : AIT_ENOMEM;
}

/* The piece that ends a line begun in an earlier block. */
static ait_code complete(ait_lines *l, const char *p, size_t n)
{
    ait_code code = keep(l, p, n);

    if (code != AIT_OK)
        return code;
    if (l->skipping) {
        skip(l, 0, true);
        return AIT_OK;
    }
    code = give(l, l->carry.data, l->carry.len, true);
    ait_buf_clear(&l->carry);
    return code;
}

ait_code ait_lines_feed(ait_lines *l, const char *p, size_t n)
{
    const char *end = p + n;

    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        bool begun = l->carry.len || l->skipping;
        ait_code code;

        if (!lf)
            return keep(l, p, (size_t)(end - p));
        code = begun ? complete(l, p, (size_t)(lf - p))
                     : give(l, p, (size_t)(lf - p), true);
        if (code != AIT_OK)
            return code;
        p = lf + 1;
    }
    return AIT_OK;
}

ait_code ait_lines_finish(ait_lines *l)
{
    if (l->skipping) {
        l->report->lines++;
        return AIT_OK;
    }
    if (l->carry.len == 0)
        return AIT_OK;
    return give(l, l->carry.data, l->carry.len, false);
}
