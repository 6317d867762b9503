/* Why a finding was made, in figures and limits; and its advice with the
 * figures of the request. */
#include <stdio.h>
#include <string.h>
#include "render/points.h"

/* ---- limits and the figures they speak of ------------------------------ */

static const struct {
    const char *limit, *figure;
} pairs[] = {
    {"headers_slow_ms", "upstream_headers_ms"},
    {"first_response_slow_ms", "headers_to_response_ms"},
    {"first_response_slow_ms", "first_response_ms"},
    {"event_before_response_ms", "event_to_response_ms"},
    {"action_before_text_ms", "response_to_text_ms"},
    {"slow_decode_tps", "visible_output_tps"},
    {"slow_decode_window_ms", "visible_window_ms"},
    {"local_overhead_ms", "local_overhead_ms"},
    {"stream_stalled_ms", "stall_ms"},
    {"bursty_events", "text_events"},
    {"bursty_text_reads", "text_reads"},
    {"bursty_silence_ms", "silence_before_burst_ms"},
    {"buffered_events", "text_events"},
    {"buffered_body_ms", "headers_to_end_ms"},
    /* by share: the phase, which is the first figure of its rule */
    {"share_floor_ms", "upstream_headers_ms"},
    {"share_floor_ms", "headers_to_response_ms"},
    {"share_floor_ms", "event_to_response_ms"},
    {"share_floor_ms", "response_to_text_ms"},
    {"share_floor_ms", "local_overhead_ms"},
};

static bool speaks_of(const char *limit, const char *figure)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i].limit, limit) == 0 &&
            strcmp(pairs[i].figure, figure) == 0)
            return true;
    return false;
}

static const ait_figure *limit_of(const ait_finding *f, const char *figure)
{
    for (int i = 0; i < f->limits; i++)
        if (speaks_of(f->limit[i].name, figure))
            return &f->limit[i];
    return NULL;
}

/* ---- evidence ----------------------------------------------------------- */

/* Does a page say it elsewhere: in the sentence, or beside the advice? */
static bool said_elsewhere(const ait_figure *e)
{
    static const char *const names[] = {"end", "inflight", "prompt_tokens",
                                        "max_tokens"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(e->name, names[i]) == 0)
            return true;
    return e->unit == AIT_U_WORD && e->word && strcmp(e->word, "exact") == 0;
}

/* The name of a figure says its unit. */
static const char *number(const ait_figure *e, char *cell)
{
    switch (e->unit) {
    case AIT_U_MS:
        return ait_cell_msn(e->value, cell);
    case AIT_U_RATE:
        return ait_cell_rate(e->value, cell);
    default:
        return ait_cell_figure(e, cell);
    }
}

/* Some figures are read in a form of their own: `lead` stands for name and
 * comma. */
static const struct {
    const char *name, *lead;
    const char *(*form)(int64_t value, char *out);
} forms[] = {
    {"visible_window_ms", " over ", ait_cell_s},
    {"first_response_was", ", the first response was ", NULL},
    {"visible_output_tps_is", " as ", NULL},
};

static const char *word_of(const ait_figure *e)
{
    static const struct {
        const char *word, *say;
    } words[] = {
        {"upper_bound", "an upper bound"},
        {"lower_bound", "a lower bound"},
        {"reported", "the log's own figure"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (e->word && strcmp(e->word, words[i].word) == 0)
            return words[i].say;
    return e->word ? e->word : "-";
}

static bool figure_text(ait_buf *out, const ait_figure *e,
                        const ait_figure *limit, bool first)
{
    char cell[AIT_CELL], most[AIT_CELL];
    const char *(*form)(int64_t, char *) = NULL;
    const char *lead = NULL, *value;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, e->name) == 0) {
            lead = first ? NULL : forms[i].lead;
            form = forms[i].form;
        }
    value = e->unit == AIT_U_WORD ? word_of(e)
            : form ? form(e->value, cell) : number(e, cell);
    bool ok = lead ? ait_buf_adds(out, lead)
                   : ait_buf_addf(out, "%s%s ", first ? "" : ", ", e->name);
    ok = ok && ait_buf_adds(out, value);
    if (!ok || !limit)
        return ok;
    value = form ? form(limit->value, most) : number(limit, most);
    return ait_buf_addf(out, " (limit %s)", value);
}

static bool evidence_text(ait_buf *out, const ait_finding *f)
{
    bool ok = true, first = true;
    for (int i = 0; ok && i < f->evidences; i++) {
        const ait_figure *e = &f->evidence[i];
        if (said_elsewhere(e))
            continue;
        ok = figure_text(out, e, limit_of(f, e->name), first);
        first = false;
    }
    return ok;
}

/* The sentence of a phase says its share, unless that is what crossed. */
static bool share_text(ait_buf *out, const ait_finding *f)
{
    char cell[AIT_CELL], limit[AIT_CELL];
    bool said = f->rule >= AIT_R_HEADERS_SLOW &&
                f->rule <= AIT_R_LOCAL_OVERHEAD;
    if (!ait_has(f->share) || (said && f->by == AIT_BY_LIMIT))
        return true;
    bool ok = ait_buf_addf(out, "%s%s of the whole time",
                           out->len ? "; " : "",
                           ait_cell_share(f->share, cell));
    for (int i = 0; ok && i < f->limits; i++)
        if (strcmp(f->limit[i].name, "share") == 0)
            ok = ait_buf_addf(out, " (limit %s)",
                              ait_cell_figure(&f->limit[i], limit));
    return ok;
}

static bool stands_beside(const ait_finding *f, const char *limit)
{
    if (f->by == AIT_BY_SHARE && strcmp(limit, "share") == 0)
        return true;
    for (int i = 0; i < f->evidences; i++)
        if (!said_elsewhere(&f->evidence[i]) &&
            limit_of(f, f->evidence[i].name) &&
            strcmp(limit_of(f, f->evidence[i].name)->name, limit) == 0)
            return true;
    return false;
}

static bool rest_of_limits(ait_buf *out, const ait_finding *f)
{
    char cell[AIT_CELL];
    int n = 0;
    bool ok = true;
    for (int i = 0; ok && i < f->limits; i++)
        if (!stands_beside(f, f->limit[i].name))
            ok = ait_buf_addf(out, "%s%s %s", n++ ? ", " : "; limits: ",
                              f->limit[i].name,
                              number(&f->limit[i], cell));
    return ok;
}

bool ait_why_text(ait_buf *out, const ait_trace *t, const ait_finding *f)
{
    bool ok = evidence_text(out, f) && share_text(out, f) &&
              rest_of_limits(out, f);
    if (ok && t->tokens_source >= 0 && f->rule == AIT_R_SLOW_DECODE)
        ok = ait_buf_addf(out, "; tokens from %s%s",
                          t->tokens_source ? "log" : "usage",
                          t->tokens_estimated ? ", estimated" : "");
    return ok;
}

/* ---- advice ------------------------------------------------------------- */

typedef enum figure_kind { NUMBER, TOKENS, TIMING, RETRY_AFTER } figure_kind;

/* Items that the request has a figure for; the words are those of the
 * lists in analyse/advice.c. */
static const struct {
    const char *item;
    figure_kind kind;
    int field;
} known[] = {
    {"streams in flight then", NUMBER, AIT_N_INFLIGHT},
    {"requests in flight with this key then", NUMBER, AIT_N_INFLIGHT},
    {"the wait that was asked for", RETRY_AFTER, 0},
    {"the wait for visible text", TIMING, AIT_T_FIRST_TEXT_DELTA},
    {"the output limit: reasoning counts towards it", TOKENS,
     AIT_N_MAX_TOKENS},
    {"prompt length", TOKENS, AIT_N_PROMPT_TOKENS},
    {"context length", TOKENS, AIT_N_PROMPT_TOKENS},
    {"the cached part of the prompt", TOKENS, AIT_N_CACHED_TOKENS},
    {"hidden reasoning", TOKENS, AIT_N_REASONING_TOKENS},
    {"length of reasoning and arguments", TOKENS, AIT_N_REASONING_TOKENS},
    {"output length", TOKENS, AIT_N_OUTPUT_TOKENS},
    {"a timeout on the first event: it came in time", TIMING,
     AIT_T_FIRST_SSE_EVENT},
    {"a first-output timeout: output came in time", TIMING,
     AIT_T_FIRST_RESPONSE},
    {"a first-output timeout: the first text came in time", TIMING,
     AIT_T_FIRST_TEXT_DELTA},
    {"a first-output timeout: it had come", TIMING, AIT_T_FIRST_RESPONSE},
};

/* The figure of an item in brackets, "" where there is none. */
static void figure_of(const ait_trace *t, size_t i, char *out)
{
    char cell[AIT_CELL];
    int64_t v = AIT_ABSENT;
    figure_kind kind = known[i].kind;
    if (kind == RETRY_AFTER)
        v = t->serving ? t->serving->retry_after : AIT_ABSENT;
    else if (kind == TIMING)
        v = ait_timing(t, (ait_timing_field)known[i].field);
    else
        v = t->num[known[i].field];
    *out = '\0';
    if (!ait_has(v))
        return;
    bool count = kind == NUMBER || kind == TOKENS;
    snprintf(out, AIT_CELL, " (%.100s%s)",
             count ? ait_cell_int(v, cell) : ait_cell_s(v, cell),
             kind != TOKENS ? "" : v == 1 ? " token" : " tokens");
}

bool ait_advice_text(ait_buf *out, const ait_trace *t,
                     const char *const *items, const char *joint)
{
    char figure[AIT_CELL];
    bool ok = true;
    for (int i = 0; ok && items && items[i]; i++) {
        *figure = '\0';
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(known[k].item, items[i]) == 0)
                figure_of(t, k, figure);
        ok = ait_buf_addf(out, "%s%s%s", i ? joint : "", items[i], figure);
    }
    return ok;
}
