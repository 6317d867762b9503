#ifndef AIT_TESTS_INPUT_SINK_H
#define AIT_TESTS_INPUT_SINK_H
/*
 * What the input gives, as text: one line a record or trace, so that two
 * readings of the same bytes can be compared, and nothing in it that a
 * report or a message may not hold can hide.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "harness.h"
#include "input/input.h"

typedef struct dump {
    ait_buf out;
    ait_file_report report;
    ait_error err;
    ait_code code;
} dump;

static inline void put_str(ait_buf *b, const char *name, ait_str s)
{
    if (!s.p)
        return;
    ait_buf_addf(b, " %s=", name);
    ait_buf_add(b, s.p, s.n);
}

static inline void put_num(ait_buf *b, const char *name, int64_t v)
{
    if (ait_has(v))
        ait_buf_addf(b, " %s=%" PRId64, name, v);
}

static inline int dump_record(void *ctx, const ait_record *r)
{
    ait_buf *b = &((dump *)ctx)->out;
    char name[16];

    ait_buf_addf(b, "%" PRId64 " %s", r->line, ait_record_name[r->type]);
    for (int i = 0; i < AIT_RN_COUNT; i++) {
        snprintf(name, sizeof name, "n%d", i);
        put_num(b, name, r->num[i]);
    }
    for (int i = 0; i < AIT_RT_COUNT; i++) {
        snprintf(name, sizeof name, "t%d", i);
        put_str(b, name, r->text[i]);
    }
    for (int i = 0; i < r->headers; i++) {
        put_str(b, "h", r->header[i].name);
        put_str(b, "v", r->header[i].value);
    }
    ait_buf_addf(b, " %d %d %d %d %x", r->stream, r->reused, r->untimed,
                 r->comment, (unsigned)r->kinds);
    put_num(b, "prompt", r->usage.prompt);
    put_num(b, "completion", r->usage.completion);
    put_num(b, "reasoning", r->usage.reasoning);
    put_num(b, "cached", r->usage.cached);
    put_num(b, "total", r->usage.total);
    return ait_buf_addc(b, '\n') ? AIT_OK : AIT_ENOMEM;
}

static inline void put_measures(ait_buf *b, const ait_trace *t)
{
    for (const ait_measure *m = t->measures; m; m = m->next) {
        ait_buf_addf(b, " %s@%s>%s=", m->name, ait_origin_name[m->origin],
                     ait_boundary_name[m->boundary]);
        ait_buf_addf(b, "%" PRId64, m->value);
        if (ait_has(m->resolution))
            ait_buf_addf(b, "~%" PRId64, m->resolution);
    }
}

static inline int dump_trace(void *ctx, ait_trace *t)
{
    ait_buf *b = &((dump *)ctx)->out;

    ait_buf_addf(b, "trace %s", ait_outcome_name[t->outcome]);
    for (int i = 0; i < AIT_X_COUNT; i++)
        if (t->text[i])
            ait_buf_addf(b, " %s=%s", ait_text_name[i], t->text[i]);
    for (int i = 0; i < AIT_N_COUNT; i++)
        put_num(b, ait_num_name[i], t->num[i]);
    for (int i = 0; i < AIT_T_COUNT; i++)
        put_num(b, ait_timings[i].name, ait_timing(t, (ait_timing_field)i));
    put_measures(b, t);
    for (const ait_attempt *a = t->attempts; a; a = a->next) {
        ait_buf_addf(b, " [%d", a->number);
        put_num(b, "status", a->status);
        put_num(b, "start", a->start);
        put_num(b, "headers", a->headers);
        put_num(b, "done", a->done);
        ait_buf_addf(b, " %d %s]", a->outcome,
                     a->error_code ? a->error_code : "-");
    }
    for (int i = 0; i < AIT_I_COUNT; i++)
        if (t->issues.count[i])
            ait_buf_addf(b, " !%s=%u", ait_issues[i].name,
                         (unsigned)t->issues.count[i]);
    return ait_buf_addc(b, '\n') ? AIT_OK : AIT_ENOMEM;
}

static inline const char *dump_text(const dump *d)
{
    return d->out.data ? d->out.data : "";
}

static inline void dump_free(dump *d)
{
    ait_buf_free(&d->out);
}

/* Reads bytes; the caller frees the dump. */
static inline void dump_bytes(dump *d, const void *bytes, size_t n,
                              const char *format, size_t block)
{
    ait_input_options o = {.format = format, .block = block};
    ait_sink sink = {.ctx = d, .record = dump_record, .trace = dump_trace};

    ait_buf_init(&d->out, SIZE_MAX / 2);
    ait_error_clear(&d->err);
    d->code = ait_input_bytes("folder/file.log", bytes, n, &o, &sink,
                              &d->report, &d->err);
}

static inline void dump_string(dump *d, const char *text)
{
    dump_bytes(d, text, strlen(text), NULL, 0);
}

/* The same records, issues, places and errors at every block size. */
static inline void check_blocks(const void *bytes, size_t n)
{
    dump whole, part;

    dump_bytes(&whole, bytes, n, NULL, n + 1);
    for (size_t block = 1; block <= n && block < 300; block++) {
        dump_bytes(&part, bytes, n, NULL, block);
        if (!CHECK_TEXT(dump_text(&part), dump_text(&whole)))
            printf("# at block size %zu\n", block);
        CHECK_INT(part.code, whole.code);
        part.report.bytes = whole.report.bytes; /* may stop earlier */
        CHECK(memcmp(&part.report, &whole.report, sizeof part.report) == 0);
        CHECK_TEXT(part.err.reason, whole.err.reason);
        dump_free(&part);
    }
    dump_free(&whole);
}

/* One gzip member more at the end of `out`. */
static inline void add_gzip(ait_buf *out, const void *bytes, size_t n)
{
    z_stream z = {0};
    char piece[4096];
    int r;

    CHECK(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY)
          == Z_OK);
    z.next_in = (z_const Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)n;
    do {
        z.next_out = (Bytef *)piece;
        z.avail_out = sizeof piece;
        r = deflate(&z, Z_FINISH);
        ait_buf_add(out, piece, sizeof piece - z.avail_out);
    } while (r == Z_OK);
    deflateEnd(&z);
}

/* Is the word anywhere in what a report or an error would print? */
static inline int tells(const dump *d, const char *word)
{
    char line[1024];

    ait_error_line(&d->err, line, sizeof line);
    if (strstr(line, word) || strstr(d->err.hint, word))
        return 1;
    for (int i = 0; i < AIT_PLACES_MAX; i++)
        if (strstr(d->report.bad_reason[i], word))
            return 1;
    return strstr(d->report.format, word)
           || strstr(d->report.recognised_by, word);
}

#endif
