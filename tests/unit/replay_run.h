#ifndef AIT_TESTS_REPLAY_RUN_H
#define AIT_TESTS_REPLAY_RUN_H
/*
 * Captures in short hand, and what must come of them.
 *
 * A capture is lines of words: the record's type, its time in ms ("-" for
 * untimed), the request, then members: `att=1`, `kinds=text,finish`,
 * `h.retry-after=2` (a header), `i.x-id=a` (an id), `u.completion_tokens=7`
 * (usage), `untimed`. All after " | " is `data`, with \n as in JSON. A type
 * of `capture`, `lost` or `close` has no request. "~" in a value is a space.
 *
 * An expectation is words `name=value`, "-" for absent: of the traces in
 * the order they came ("0:" before the first word of each), `n=` for their
 * number, `file.ISSUE=` for issues of the file.
 */
#include <stdlib.h>

#include "base/num.h"
#include "harness.h"
#include "replay/replay.h"

#define TRACES_MAX 16

typedef struct run {
    int n;
    ait_buf dump[TRACES_MAX]; /* "\nname=value\n…" */
    ait_buf file;
    ait_file_report report;
    int code;
} run;

/* ---- what a trace holds, as text --------------------------------------- */

static inline void say(ait_buf *b, const char *prefix, const char *name,
                       const char *value)
{
    if (value)
        ait_buf_addf(b, "%s%s=%s\n", prefix, name, value);
}

static inline void say_int(ait_buf *b, const char *prefix, const char *name,
                           int64_t v)
{
    if (ait_has(v))
        ait_buf_addf(b, "%s%s=%" PRId64 "\n", prefix, name, v);
}

static inline void say_ms(ait_buf *b, const char *prefix, const char *name,
                          int64_t v)
{
    char text[32];

    if (!ait_has(v))
        return;
    ait_decimal_text(v, AIT_MS, 3, text);
    say(b, prefix, name, text);
}

static inline void say_attempt(ait_buf *b, const ait_attempt *a)
{
    char p[32];

    snprintf(p, sizeof p, "att.%d.", a->number);
    say_int(b, p, "status", a->status);
    say(b, p, "outcome", ait_outcome_name[a->outcome]);
    say(b, p, "error_code", a->error_code);
    say(b, p, "channel", a->channel);
    say(b, p, "upstream", a->upstream);
    say_ms(b, p, "start", a->start);
    say_ms(b, p, "done", a->done);
    say_ms(b, p, "headers", a->headers);
    say_ms(b, p, "wait", a->wait_before);
    say_ms(b, p, "retry_after", a->retry_after);
}

static inline void say_stats(ait_buf *b, const ait_trace *t)
{
    static const ait_stat times[] = {
        AIT_S_BURST_GAP, AIT_S_LONGEST_GAP, AIT_S_LONGEST_GAP_AT,
        AIT_S_STALL,     AIT_S_STALL_AT,    AIT_S_TEXT_LAST,
        AIT_S_WINDOW_STALL};
    bool is_time[AIT_S_COUNT] = {false};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        is_time[times[i]] = true;
    for (int i = 0; i < AIT_S_COUNT; i++)
        (is_time[i] ? say_ms : say_int)(b, "s.", ait_stat_name[i],
                                        t->stat[i]);
    if (!ait_has(t->stat[AIT_S_SEEN]))
        return;
    for (int bit = 0; bit < 16; bit++)
        if (t->stat[AIT_S_SEEN] >> bit & 1)
            ait_buf_addf(b, "seen%d=1\n", 1 << bit);
}

static inline void say_lists(ait_buf *b, const ait_trace *t)
{
    char name[160], ids[1024] = "";

    for (const ait_id *i = t->ids; i; i = i->next) {
        strncat(ids, i == t->ids ? "" : ",", sizeof ids - strlen(ids) - 1);
        strncat(ids, i->value, sizeof ids - strlen(ids) - 1);
    }
    say(b, "", "ids", ids);
    for (const ait_measure *m = t->measures; m; m = m->next) {
        snprintf(name, sizeof name, "%s@%s", m->name,
                 ait_origin_name[m->origin]);
        say_ms(b, "m.", name, m->value);
    }
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        say_attempt(b, a);
    if (t->serving)
        say_int(b, "", "serving", t->serving->number);
    for (int i = 0; i < AIT_I_COUNT; i++)
        if (t->issues.count[i])
            say_int(b, "issue.", ait_issues[i].name, t->issues.count[i]);
}

static inline int keep_trace(void *ctx, ait_trace *t)
{
    run *r = ctx;
    ait_buf *b;

    if (r->n++ >= TRACES_MAX)
        return AIT_OK;
    b = &r->dump[r->n - 1];
    ait_buf_init(b, 1 << 20);
    ait_buf_addc(b, '\n');
    for (int i = 0; i < AIT_T_COUNT; i++)
        say_ms(b, "", ait_timings[i].name, ait_timing(t, i));
    for (int i = 0; i < AIT_G_COUNT; i++)
        say_ms(b, "", ait_gaps[i].name, ait_gap(t, i));
    for (int i = 0; i < AIT_N_COUNT; i++)
        (i == AIT_N_RETRY_WAIT ? say_ms : say_int)(b, "", ait_num_name[i],
                                                   t->num[i]);
    for (int i = 0; i < AIT_X_COUNT; i++)
        say(b, "", ait_text_name[i], t->text[i]);
    say_int(b, "", "visible_tokens", ait_visible_tokens(t));
    say(b, "", "vantage", ait_vantage_name[t->vantage]);
    say(b, "", "origin", ait_origin_name[t->origin]);
    say(b, "", "outcome", ait_outcome_name[t->outcome]);
    say_int(b, "", "stream", t->stream);
    say_stats(b, t);
    say_lists(b, t);
    return AIT_OK;
}

/* ---- short hand to a capture ------------------------------------------- */

static inline void add_value(ait_buf *b, const char *v, size_t n)
{
    bool number = n > 0 && n < 18;
    bool word = n >= 4 && (!memcmp(v, "true", 4) || !memcmp(v, "false", 4));

    for (size_t i = 0; i < n; i++)
        number = number && ((v[i] >= '0' && v[i] <= '9') || v[i] == '.' ||
                            (v[i] == '-' && i == 0));
    if (!number && !word)
        ait_buf_addc(b, '"');
    for (size_t i = 0; i < n; i++)
        ait_buf_addc(b, v[i] == '~' ? ' ' : v[i]);
    if (!number && !word)
        ait_buf_addc(b, '"');
}

/* Members of one group ("h." → headers), which stand together. */
static inline void add_group(ait_buf *b, const char *words, const char *mark,
                             const char *name, bool text)
{
    const char *at = strstr(words, mark);

    if (!at)
        return;
    ait_buf_addf(b, ",\"%s\":{", name);
    for (const char *comma = ""; at; at = strstr(at, mark)) {
        const char *eq = strchr(at, '=');
        size_t n = strcspn(eq + 1, " ");

        at += strlen(mark);
        ait_buf_addf(b, "%s\"%.*s\":", comma, (int)(eq - at), at);
        if (text)
            ait_buf_addf(b, "\"%.*s\"", (int)n, eq + 1);
        else
            add_value(b, eq + 1, n);
        comma = ",";
        at = eq;
    }
    ait_buf_addc(b, '}');
    for (size_t i = 0; i < b->len; i++)
        b->data[i] = b->data[i] == '~' ? ' ' : b->data[i];
}

static inline void add_kinds(ait_buf *b, const char *v, size_t n)
{
    ait_buf_adds(b, "[");
    for (size_t at = 0; at < n; at++) {
        size_t len = strcspn(v + at, ", ");

        ait_buf_addf(b, "%s\"%.*s\"", at ? "," : "", (int)len, v + at);
        at += len;
    }
    ait_buf_adds(b, "]");
}

static inline void add_member(ait_buf *b, const char *w, size_t n)
{
    const char *eq = memchr(w, '=', n);
    size_t len = eq ? (size_t)(eq - w) : n;

    if (n > 1 && w[1] == '.')
        return; /* of a group */
    ait_buf_addf(b, ",\"%.*s\":", (int)len, w);
    if (!eq)
        ait_buf_adds(b, "true");
    else if (len == 5 && memcmp(w, "kinds", 5) == 0)
        add_kinds(b, eq + 1, n - len - 1);
    else if (len == 3 && memcmp(w, "req", 3) == 0)
        ait_buf_addf(b, "\"%.*s\"", (int)(n - len - 1), eq + 1);
    else
        add_value(b, eq + 1, n - len - 1);
}

static inline void add_data(ait_buf *b, const char *data)
{
    ait_buf_adds(b, ",\"data\":\"");
    for (; *data; data++) {
        if (*data == '"')
            ait_buf_addc(b, '\\');
        ait_buf_addc(b, *data);
    }
    ait_buf_addc(b, '"');
}

static inline void add_line(ait_buf *b, char *line)
{
    char *data = strstr(line, " | ");
    const char *words = line;
    bool request = strncmp(line, "capture", 7) && strncmp(line, "lost", 4) &&
                   strncmp(line, "close", 5);
    size_t n = strcspn(line, " ");

    if (data)
        *data = '\0';
    ait_buf_addf(b, "{\"type\":\"%.*s\"", (int)n, line);
    for (int i = 0; *(words += n); i++) {
        words += strspn(words, " ");
        n = strcspn(words, " ");
        if (i == 0)
            ait_buf_addf(b, ",\"ns\":%.0f", atof(words) * 1e6);
        if (i == 0 && *words == '-' && n == 1)
            ait_buf_adds(b, ",\"untimed\":true");
        if (i == 1 && request)
            ait_buf_addf(b, ",\"req\":\"%.*s\"", (int)n, words);
        if (i > 1 || (i == 1 && !request))
            add_member(b, words, n);
    }
    add_group(b, line, " h.", "headers", true);
    add_group(b, line, " i.", "ids", true);
    add_group(b, line, " u.", "usage", false);
    if (data)
        add_data(b, data + 3);
    ait_buf_adds(b, "}\n");
}

static inline void to_capture(const char *script, ait_buf *out)
{
    char line[4096];

    for (const char *at = script; *at; at += strspn(at, "\n")) {
        size_t n = strcspn(at, "\n");

        snprintf(line, sizeof line, "%.*s", (int)n, at);
        add_line(out, line);
        at += n;
    }
}

/* ---- running ----------------------------------------------------------- */

static inline void run_bytes(run *r, const char *bytes, size_t n,
                             size_t block)
{
    ait_sink sink = {.record = ait_replay_record};
    ait_input_options o = {.format = "capture", .block = block};
    ait_error err;
    ait_replay *replay;

    memset(r, 0, sizeof *r);
    ait_error_clear(&err);
    ait_buf_init(&r->file, 1 << 20);
    replay = ait_replay_new("t.jsonl", "capture", &r->report, keep_trace, r);
    sink.ctx = replay;
    r->code = ait_input_bytes("t.jsonl", bytes, n, &o, &sink, &r->report,
                              &err);
    if (r->code == AIT_OK)
        r->code = ait_replay_finish(replay);
    ait_replay_free(replay);
    ait_buf_addc(&r->file, '\n');
    say_int(&r->file, "", "n", r->n);
    for (int i = 0; i < AIT_I_COUNT; i++)
        if (r->report.issues.count[i])
            say_int(&r->file, "file.", ait_issues[i].name,
                    r->report.issues.count[i]);
}

static inline void run_script(run *r, const char *script)
{
    ait_buf capture;

    ait_buf_init(&capture, 64 << 20);
    to_capture(script, &capture);
    run_bytes(r, capture.data, capture.len, 0);
    ait_buf_free(&capture);
}

static inline void run_free(run *r)
{
    for (int i = 0; i < r->n && i < TRACES_MAX; i++)
        ait_buf_free(&r->dump[i]);
    ait_buf_free(&r->file);
}

/* One word of an expectation. */
static inline void expect_word(const ait_buf *in, const char *w, size_t n,
                               const char *why)
{
    char want[512];
    const char *at;

    if (n > 1 && w[n - 1] == '-' && w[n - 2] == '=') {
        snprintf(want, sizeof want, "\n%.*s", (int)n - 1, w);
        at = strstr(in->data, want);
        t_check(!at, why, 0, want + 1);
        if (at)
            printf("#   it is %.*s\n", (int)strcspn(at + 1, "\n"), at + 1);
        return;
    }
    snprintf(want, sizeof want, "\n%.*s\n", (int)n, w);
    if (t_check(strstr(in->data, want) != NULL, why, 0, w))
        return;
    snprintf(want, sizeof want, "\n%.*s", (int)strcspn(w, "=") + 1, w);
    at = strstr(in->data, want);
    if (at)
        printf("#   it is %.*s\n", (int)strcspn(at + 1, "\n"), at + 1);
}

static inline void expect(run *r, const char *words, const char *why)
{
    const ait_buf *in = &r->dump[0];

    if (!CHECK_INT(r->code, AIT_OK))
        printf("# %s\n", why);
    for (size_t n; *words; words += n) {
        words += strspn(words, " ");
        n = strcspn(words, " ");
        if (n > 1 && words[n - 1] == ':') {
            int i = atoi(words);

            if (!t_check(i < r->n, why, 0, "so many traces"))
                return;
            in = &r->dump[i];
            continue;
        }
        if (n && (strncmp(words, "n=", 2) == 0 ||
                  strncmp(words, "file.", 5) == 0))
            expect_word(&r->file, words, n, why);
        else if (n)
            expect_word(in, words, n, why);
    }
}

typedef struct replay_case {
    const char *why, *script, *want;
} replay_case;

static inline void run_cases(const replay_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        run r;

        run_script(&r, cases[i].script);
        expect(&r, cases[i].want, cases[i].why);
        run_free(&r);
    }
}
#define RUN_CASES(table) run_cases(table, sizeof(table) / sizeof(table)[0])

#endif
