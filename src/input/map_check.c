/*
 * Samples of a mapping: each is a line of the log and what must come of it.
 * They go the same way as any log.
 */
#include <stdio.h>
#include <string.h>

#include "input/map.h"

enum { TEXT_ROOM = 192, FIRST_CHARS = 100 };

typedef struct check {
    const ait_map *map;
    const char *text; /* of the file */
    ait_buf *out;
    ait_json json; /* of the samples */
    int sample;    /* number, from 1 */
    ait_jref expect;
    int requests, wrong;
} check;

/* ---- figures of a trace by name -------------------------------------- */

/* As text; false: absent. */
static bool put_number(int64_t v, int64_t scale, char *out)
{
    if (!ait_has(v))
        return false;
    ait_decimal_text(v, scale, 6, out);
    return true;
}

static bool put_text(const char *s, char *out)
{
    if (!s)
        return false;
    snprintf(out, TEXT_ROOM, "%s", s);
    return true;
}

static bool name_is(const char *name, size_t n, const char *want)
{
    return strlen(want) == n && memcmp(name, want, n) == 0;
}

static bool is_measure(const char *name, size_t n)
{
    const ait_map_target *t = ait_map_targets;

    while (t->name &&
           !(t->kind == AIT_MK_MEASURE && name_is(name, n, t->name)))
        t++;
    return t->name != NULL;
}

/* "total@relay_start", or "total" from wherever. */
static bool put_measure(const ait_trace *t, const char *name, char *out,
                        bool *known)
{
    const char *at = strchr(name, '@');
    size_t n = at ? (size_t)(at - name) : strlen(name);
    const ait_measure *m;

    *known = is_measure(name, n) &&
             (!at || ait_word(ait_origin_name, AIT_O_COUNT, at + 1,
                              strlen(at + 1)) >= 0);
    for (m = t->measures; m; m = m->next)
        if (name_is(name, n, m->name) &&
            (!at || strcmp(at + 1, ait_origin_name[m->origin]) == 0))
            return put_number(m->value, AIT_MS, out);
    return false;
}

static bool put_own(const ait_trace *t, const char *name, char *out,
                    bool *known)
{
    const ait_attempt *a;
    int n = 0;

    *known = true;
    if (strcmp(name, "outcome") == 0)
        return put_text(ait_outcome_name[t->outcome], out);
    if (strcmp(name, "stream") == 0)
        return t->stream >= 0 && put_text(t->stream ? "true" : "false", out);
    if (strcmp(name, "attempts") == 0) {
        for (a = t->attempts; a; a = a->next)
            n++;
        return ait_has(t->num[AIT_N_RETRIES]) && put_number(n, 1, out);
    }
    if (strcmp(name, "time") == 0)
        return ait_has(t->num[AIT_N_TIME]) &&
               ait_time_text(t->num[AIT_N_TIME], 9, false, out);
    *known = false;
    return false;
}

static bool put_figure(const ait_trace *t, const char *name, char *out,
                       bool *known)
{
    size_t n = strlen(name);
    bool there = put_own(t, name, out, known);
    int i;

    if (*known)
        return there;
    *known = true;
    i = ait_word(ait_text_name, AIT_X_COUNT, name, n);
    if (i >= 0)
        return put_text(t->text[i], out);
    i = ait_word(ait_num_name, AIT_N_COUNT, name, n);
    if (i >= 0)
        return put_number(t->num[i], 1, out);
    for (i = 0; i < AIT_T_COUNT; i++)
        if (strcmp(ait_timings[i].name, name) == 0)
            return put_number(ait_timing(t, (ait_timing_field)i), AIT_MS, out);
    i = ait_issue_find(name, n);
    if (i >= 0)
        return t->issues.count[i] && put_number(t->issues.count[i], 1, out);
    return put_measure(t, name, out, known);
}

/* ---- against what is wanted ------------------------------------------ */

static void say(check *c, ait_jref where, const char *name, const char *got,
                const char *want, size_t want_len)
{
    size_t off = (size_t)c->map->samples_at + c->json.node[where].off, i;
    int line = 1;

    for (i = 0; i < off; i++)
        line += c->text[i] == '\n';
    ait_buf_addf(c->out, "sample %d (line %d): %s is %s, want %.*s\n",
                 c->sample, line, name, got, (int)want_len, want);
    c->wrong++;
}

static bool equal(const ait_json *j, ait_jref want, const char *name,
                  const char *got)
{
    const ait_jnode *node = &j->node[want];
    const char *text = j->text + node->off;
    int64_t a, b;
    bool zone;

    if (strcmp(name, "time") == 0)
        return ait_time_read(text, node->len, &a, &zone) &&
               ait_time_read(got, strlen(got), &b, &zone) && a == b;
    if (node->type == AIT_J_NUMBER)
        return ait_decimal_read(text, node->len, 1000000, &a) &&
               ait_decimal_read(got, strlen(got), 1000000, &b) && a == b;
    if (node->type == AIT_J_STRING)
        return ait_json_is(j, want, got);
    return name_is(text, node->len, got); /* true, false */
}

static void compare(check *c, const ait_trace *t, ait_jref key)
{
    const ait_jnode *want = &c->json.node[key + 1];
    const ait_jnode *k = &c->json.node[key];
    char name[64], got[TEXT_ROOM];
    bool known, there;

    snprintf(name, sizeof name, "%.*s", (int)k->len, c->json.text + k->off);
    if (strcmp(name, "requests") == 0 || strcmp(name, "skipped") == 0)
        return;
    there = put_figure(t, name, got, &known);
    if (!known) {
        say(c, key, name, "no figure of a request", "one of them", 11);
        return;
    }
    if (want->type == AIT_J_NULL
            ? !there
            : there && equal(&c->json, key + 1, name, got))
        return;
    say(c, key, name, there ? got : "absent", c->json.text + want->off,
        want->len);
}

/* Only the first request of a sample is looked at. */
static int take(void *ctx, ait_trace *t)
{
    check *c = ctx;
    ait_jref k;

    if (c->requests++)
        return AIT_OK;
    for (k = ait_json_first(&c->json, c->expect); k != AIT_JNONE;
         k = ait_json_next(&c->json, c->expect, k))
        compare(c, t, k);
    return AIT_OK;
}

/* ---- one sample ------------------------------------------------------ */

/* The line of the log: text as it is, an object on one line. */
static bool sample_line(check *c, ait_jref sample, ait_buf *line)
{
    ait_jref text = ait_json_get(&c->json, sample, "text");
    ait_jref object = ait_json_get(&c->json, sample, "line");
    size_t i;

    if (text != AIT_JNONE)
        return ait_json_text(&c->json, text, line);
    if (object == AIT_JNONE)
        return false;
    if (!ait_buf_add(line, c->json.text + c->json.node[object].off,
                     c->json.node[object].len))
        return false;
    for (i = 0; i < line->len; i++)
        if (line->data[i] == '\n' || line->data[i] == '\r')
            line->data[i] = ' ';
    return true;
}

static void count_requests(check *c, ait_jref sample)
{
    ait_jref want = ait_json_get(&c->json, c->expect, "requests");
    ait_jref skipped = ait_json_get(&c->json, c->expect, "skipped");
    bool skip = false;
    int64_t n = 1;
    char got[24];

    if (ait_json_bool(&c->json, skipped, &skip) && skip)
        n = 0;
    ait_json_int(&c->json, want, &n);
    if (c->requests == n)
        return;
    snprintf(got, sizeof got, "%d", c->requests);
    say(c, sample, "the number of requests", got, n == 0 ? "none" : "more", 4);
}

static void run_sample(check *c, ait_jref sample)
{
    ait_input_options o = {.map = c->map};
    ait_sink sink = {.ctx = c, .trace = take};
    ait_file_report report;
    ait_error err;
    ait_buf line;

    ait_buf_init(&line, AIT_LINE_MAX);
    c->requests = 0;
    c->expect = ait_json_get(&c->json, sample, "expect");
    if (sample_line(c, sample, &line) && ait_buf_addc(&line, '\n')) {
        ait_input_bytes("sample", line.data, line.len, &o, &sink, &report,
                        &err);
        count_requests(c, sample);
    } else {
        say(c, sample, "its line", "missing", "line or text", 12);
    }
    ait_buf_free(&line);
}

int ait_map_check(const ait_map *m, const char *text, size_t n, ait_buf *out,
                  int *ran)
{
    check c = {.map = m, .text = text, .out = out};
    int failed = 0;
    ait_jref s;

    (void)n;
    *ran = 0;
    ait_json_init(&c.json, AIT_LINE_MAX);
    if (m->samples && ait_json_parse(&c.json, m->samples, m->samples_len))
        for (s = ait_json_first(&c.json, AIT_JROOT); s != AIT_JNONE;
             s = ait_json_next(&c.json, AIT_JROOT, s)) {
            c.wrong = 0;
            c.sample = ++*ran;
            run_sample(&c, s);
            failed += c.wrong > 0;
        }
    ait_json_free(&c.json);
    return failed;
}

/* ---- a file ---------------------------------------------------------- */

static bool is_follower(char c) /* inside a character of UTF-8 */
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes of a line that a terminal shows as they are; a character that was
 * cut at either end is left off. */
static void put_line(ait_buf *out, const char *p, const char *end, bool more)
{
    while (more && p < end && is_follower(end[-1]))
        end--;
    if (more && p < end && (unsigned char)end[-1] >= 0xc0)
        end--;
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;

        ait_buf_addc(out, c == '\t' ? ' ' : c < 0x20 || c == 0x7f ? '?' : *p);
    }
}

/* The line of a mistake with a caret under it. */
static void show_place(const char *text, size_t n, const ait_error *err,
                       ait_buf *out)
{
    const char *p = text, *end = text + n, *stop, *at;
    int64_t line;

    for (line = 1; line < err->line && p < end; p++)
        line += *p == '\n';
    for (stop = p; stop < end && *stop != '\n' && *stop != '\r';)
        stop++;
    at = p + err->column - 1 < stop ? p + err->column - 1 : stop;
    if (at - p > FIRST_CHARS)
        p = at - FIRST_CHARS / 2;
    while (p < at && is_follower(*p))
        p++;
    end = stop - p > FIRST_CHARS + 20 ? p + FIRST_CHARS + 20 : stop;
    ait_buf_addf(out, "%s, line %d, column %d\n%5d | ", err->source,
                 (int)err->line, (int)err->column, (int)err->line);
    put_line(out, p, end, end < stop);
    ait_buf_adds(out, "\n      | ");
    for (; p < at; p++)
        if (!is_follower(*p))
            ait_buf_addc(out, ' ');
    ait_buf_addf(out, "^ %s\n", err->reason);
}

static ait_code samples_fail(const char *path, int failed, int ran,
                             ait_error *err)
{
    ait_fail(err, AIT_EUSAGE, "the samples do not hold");
    ait_error_reason(err, "%d of %d differ", failed, ran);
    ait_error_place(err, path, 0, 0, -1);
    return AIT_EUSAGE;
}

/* Words that would do, "a, b, c", wrapped. */
static void show_permitted(const char *words, ait_buf *out)
{
    enum { WIDTH = 78, INDENT = 4 };
    size_t column = strlen("permitted here:");

    ait_buf_adds(out, "permitted here:");
    while (*words) {
        size_t n = strcspn(words, " ");

        if (column + 1 + n > WIDTH) {
            ait_buf_addf(out, "\n%*s", INDENT, "");
            column = INDENT;
        } else {
            ait_buf_addc(out, ' ');
            column++;
        }
        ait_buf_add(out, words, n);
        column += n;
        words += n + (words[n] == ' ');
    }
    ait_buf_addc(out, '\n');
}

static ait_code check_text(const char *path, const char *text, size_t n,
                           ait_buf *out, ait_error *err)
{
    ait_buf permitted;
    ait_map *m;
    int failed, ran;

    ait_buf_init(&permitted, 1 << 16);
    m = ait_map_read(path, text, n, &permitted, err);
    if (!m && err->line > 0)
        show_place(text, n, err, out);
    if (permitted.len)
        show_permitted(permitted.data, out);
    ait_buf_free(&permitted);
    if (!m)
        return err->code;
    failed = ait_map_check(m, text, n, out, &ran);
    if (ran)
        ait_buf_addf(out, "%s: %d samples, %d failed\n", m->name, ran,
                     failed);
    else
        ait_buf_addf(out, "%s: can be read; it has no samples to try\n",
                     m->name);
    ait_map_free(m);
    return failed ? samples_fail(path, failed, ran, err) : AIT_OK;
}

ait_code ait_formats_check(const char *path, ait_buf *out, ait_error *err)
{
    ait_error own; /* read here, which the caller's may not be */
    ait_buf text;
    ait_code code;

    ait_error_clear(&own);
    code = ait_map_file_text(path, &text, &own);
    if (code == AIT_OK) {
        code =
            check_text(path, text.data ? text.data : "", text.len, out, &own);
        ait_buf_free(&text);
    }
    if (code != AIT_OK && err)
        *err = own;
    return code;
}
