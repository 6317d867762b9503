/* show: everything that is known of one request, for people. */
#include <stdio.h>
#include <string.h>
#include "render/points.h"

enum { LABEL = 22, TIME = 12, MARGIN = 11 };
enum { PIECE = 256 }; /* lines of events that are made at a time */

static void section(ait_page *p, const char *title)
{
    ait_page_add(p, "\n");
    ait_page_ink(p, AIT_INK_BOLD);
    ait_page_add(p, title);
    ait_page_ink(p, AIT_INK_PLAIN);
    ait_page_add(p, "\n");
}

/* ---- points and the gaps between them ---------------------------------- */

static void point_row(ait_page *p, const ait_trace *t, const ait_row *row)
{
    char cell[AIT_CELL], note[AIT_CELL];
    ait_page_add(p, "  ");
    ait_page_cell(p, row->label, LABEL);
    ait_page_cell(p, ait_cell_ms(row->at, cell), -TIME);
    ait_row_note(t, row, note);
    if (row->why) {
        ait_page_addf(p, "  %s%s%s", row->why,
                      *note && *row->why ? "; " : "", note);
    } else {
        cell[0] = '+';
        ait_cell_ms(row->since, cell + 1);
        ait_page_cell(p, ait_has(row->since) ? cell : "-", -(TIME + 2));
        if (*note)
            ait_page_addf(p, "  %s", note);
    }
    ait_page_add(p, "\n");
}

/* What stands in the table of milestones but is no row of the timeline. */
static void other_times(ait_page *p, const ait_trace *t)
{
    static const ait_timing_field more[] = {
        AIT_T_AUTH, AIT_T_DISTRIBUTION, AIT_T_BODY_READ,
        AIT_T_FIRST_NONBLANK_TEXT};
    char cell[AIT_CELL];
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        ait_page_addf(p, "  %-*s", LABEL, ait_timings[more[i]].name);
        ait_page_cell(p, ait_cell_ms(ait_timing(t, more[i]), cell), -TIME);
        ait_page_add(p, "\n");
    }
    for (int g = 0; g < AIT_G_COUNT; g++) {
        ait_page_addf(p, "  %-*s", LABEL, ait_gaps[g].name);
        ait_page_cell(p, ait_cell_ms(ait_gap(t, (ait_gap_field)g), cell),
                      -TIME);
        ait_page_add(p, "\n");
    }
}

static void points(ait_page *p, const ait_trace *t)
{
    ait_row row[AIT_ROWS];
    char title[AIT_CELL], cell[AIT_CELL];
    ait_rows(t, row);
    snprintf(title, sizeof title,
             "points (from %s, since the point before)",
             ait_origin_name[t->origin]);
    section(p, title);
    for (int i = 0; i < AIT_ROWS; i++)
        point_row(p, t, &row[i]);
    section(p, "phases and gaps");
    other_times(p, t);
    if (ait_has(t->num[AIT_N_RESOLUTION]))
        ait_page_addf(p, "  figures are exact to %s\n",
                      ait_cell_ms(t->num[AIT_N_RESOLUTION], cell));
}

/* ---- attempts ---------------------------------------------------------- */

static void attempt_row(ait_page *p, const ait_attempt *a)
{
    char cell[AIT_CELL];
    const int64_t time[] = {a->wait_before, a->start, a->headers, a->done,
                            a->retry_after};
    ait_page_addf(p, "  %3d", a->number);
    ait_page_cell(p, ait_cell_int(a->status, cell), -7);
    ait_page_add(p, "  ");
    ait_page_cell(p, a->outcome < 0 ? "-" : ait_outcome_name[a->outcome],
                  17);
    for (size_t i = 0; i < sizeof time / sizeof *time; i++)
        ait_page_cell(p, ait_cell_ms(time[i], cell), -TIME);
    ait_page_add(p, "  ");
    ait_page_value(p, a->channel);
    ait_page_add(p, " ");
    ait_page_value(p, a->upstream);
    ait_page_add(p, "\n");
}

static void attempts(ait_page *p, const ait_trace *t)
{
    char cell[AIT_CELL];
    section(p, "attempts");
    if (!t->attempts) {
        ait_page_add(p, "  none: no upstream was asked\n");
        return;
    }
    ait_page_addf(p, "  %3s%7s  %-17s%*s%*s%*s%*s%*s  %s\n", "no",
                  "status", "outcome", TIME, "waited", TIME, "start", TIME,
                  "headers", TIME, "done", TIME, "retry-after",
                  "channel upstream");
    for (const ait_attempt *a = t->attempts; a; a = a->next)
        attempt_row(p, a);
    if (ait_has(t->num[AIT_N_RETRY_WAIT]))
        ait_page_addf(p, "  waited between attempts: %s\n",
                      ait_cell_ms(t->num[AIT_N_RETRY_WAIT], cell));
}

/* ---- tokens, rates, events --------------------------------------------- */

static void figure_row(ait_page *p, const char *name, const char *value,
                       const char *note)
{
    ait_page_addf(p, "  %-*s", LABEL, name);
    ait_page_cell(p, value, -TIME);
    ait_page_addf(p, "%s%s\n", note && *note ? "  " : "", note ? note : "");
}

static void tokens(ait_page *p, const ait_trace *t, const ait_verdict *v)
{
    static const ait_num_field field[] = {
        AIT_N_PROMPT_TOKENS, AIT_N_CACHED_TOKENS, AIT_N_OUTPUT_TOKENS,
        AIT_N_REASONING_TOKENS};
    static const char *const name[] = {"prompt_tokens", "cached_tokens",
                                       "output_tokens", "reasoning_tokens"};
    static const char *const title[] = {
        "tokens (none reported)", "tokens (from usage)",
        "tokens (from the log)"};
    char cell[AIT_CELL];
    section(p, title[t->tokens_source + 1]);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        figure_row(p, name[i], ait_cell_int(t->num[field[i]], cell), NULL);
    figure_row(p, "visible_tokens", ait_cell_int(v->visible_tokens, cell),
               t->tokens_estimated ? "estimated by the source" : NULL);
}

static void rate_row(ait_page *p, const ait_verdict *v, ait_rate_field f)
{
    char cell[AIT_CELL], note[AIT_CELL] = "";
    bool time = f == AIT_RATE_ITL;
    if (!ait_has(v->rate[f]))
        snprintf(note, sizeof note, "%s", ait_absence_name[v->why[f]]
                                              ? ait_absence_name[v->why[f]]
                                              : "");
    else if (f == AIT_RATE_VISIBLE_TPS && v->visible_is != AIT_IS_NONE)
        snprintf(note, sizeof note, "%s%s%s",
                 ait_rate_is_name[v->visible_is],
                 v->window_end ? ", window ends at " : "",
                 v->window_end ? v->window_end : "");
    figure_row(p, ait_rate_name[f],
               time ? ait_cell_ms(v->rate[f], cell)
                    : ait_cell_rate(v->rate[f], cell), note);
}

static void events(ait_page *p, const ait_trace *t)
{
    static const ait_stat stat[] = {
        AIT_S_EVENTS, AIT_S_COMMENTS, AIT_S_ENVELOPE, AIT_S_REASONING,
        AIT_S_OPAQUE, AIT_S_ACTION, AIT_S_MEDIA, AIT_S_TEXT,
        AIT_S_MALFORMED, AIT_S_READS, AIT_S_TEXT_READS,
        AIT_S_PARTIAL_BYTES};
    static const char *const name[] = {
        "events", "comments", "envelope", "reasoning", "reasoning_opaque",
        "action", "media", "text", "malformed", "reads", "text_reads",
        "trailing_partial_bytes"};
    char cell[AIT_CELL];
    if (!ait_has(t->stat[AIT_S_EVENTS])) {
        section(p, "events (none recorded)");
        return;
    }
    section(p, "events");
    for (size_t i = 0; i < sizeof stat / sizeof *stat; i++)
        figure_row(p, name[i], ait_cell_int(t->stat[stat[i]], cell), NULL);
}

static void measures(ait_page *p, const ait_trace *t)
{
    char cell[AIT_CELL], note[AIT_CELL];
    if (!t->measures)
        return;
    section(p, "measures (other origins; never mixed with the points)");
    for (const ait_measure *m = t->measures; m; m = m->next) {
        snprintf(note, sizeof note, "%s to %s, %s",
                 ait_origin_name[m->origin], ait_boundary_name[m->boundary],
                 ait_quality_name[m->quality]);
        ait_page_add(p, "  ");
        ait_page_cell(p, m->name, LABEL);
        ait_page_cell(p, ait_cell_ms(m->value, cell), -TIME);
        ait_page_addf(p, "  %s", note);
        if (m->source_field) {
            ait_page_add(p, ", ");
            ait_page_value(p, m->source_field);
        }
        ait_page_add(p, "\n");
    }
}

/* ---- where it comes from ----------------------------------------------- */

static void named_value(ait_page *p, const char *name, const char *value)
{
    ait_page_addf(p, "  %-*s", LABEL, name);
    ait_page_value(p, value);
    ait_page_add(p, "\n");
}

static void source(ait_page *p, const ait_trace *t)
{
    static const ait_text_field field[] = {
        AIT_X_ENDPOINT, AIT_X_DIALECT, AIT_X_MODEL, AIT_X_PROVIDER,
        AIT_X_GROUP, AIT_X_CHANNEL, AIT_X_ROUTE, AIT_X_REGION,
        AIT_X_FINISH_REASON};
    static const char *const name[] = {
        "endpoint", "dialect", "model", "provider", "group", "channel",
        "route", "region", "finish_reason"};
    char cell[AIT_CELL];
    section(p, "request");
    for (const ait_id *id = t->ids; id; id = id->next)
        named_value(p, "id", id->value);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        named_value(p, name[i], t->text[field[i]]);
    named_value(p, "streams in flight",
                ait_cell_int(t->num[AIT_N_INFLIGHT], cell));
    named_value(p, "vantage", ait_vantage_name[t->vantage]);
    ait_page_addf(p, "  %-*s", LABEL, "source");
    ait_page_value(p, t->text[AIT_X_FILE]);
    ait_page_addf(p, ", %s, line %s\n",
                  t->text[AIT_X_FORMAT] ? t->text[AIT_X_FORMAT] : "-",
                  ait_cell_int(t->num[AIT_N_LINE], cell));
}

/* ---- findings ---------------------------------------------------------- */

static void findings(ait_page *p, const ait_trace *t, const ait_verdict *v)
{
    ait_buf line;
    ait_buf_init(&line, 8192);
    for (int i = 0; i < v->findings; i++) {
        const ait_finding *f = &v->finding[i];
        ait_buf_clear(&line);
        if (ait_buf_addf(&line, "%s: %s [by %s: ", ait_rule_name[f->rule],
                         f->what, f->by == AIT_BY_LIMIT ? "limit" : "share")
            && ait_why_text(&line, t, f) && ait_buf_addc(&line, ']'))
            ait_page_block(p, "finding", MARGIN, line.data);
        else
            p->failed = true;
    }
    ait_buf_clear(&line);
    ait_page_issues(p, t, MARGIN);
    ait_page_cannot(p, t, v, MARGIN);
    ait_buf_free(&line);
}

/* ---- events one by one ------------------------------------------------- */

static void class_names(const ait_event *e, char *out, size_t size)
{
    out[0] = '\0';
    if (e->comment)
        snprintf(out, size, "comment");
    for (int i = 0; i < AIT_C_COUNT; i++)
        if (e->classes & ait_classes[i].bit)
            snprintf(out + strlen(out), size - strlen(out), "%s%s",
                     *out ? "," : "", ait_classes[i].name);
    if (!*out)
        snprintf(out, size, "%s", e->empty ? "empty" : "-");
}

static void event_row(ait_page *p, const ait_event *e, int64_t at,
                      int64_t before)
{
    char cell[AIT_CELL], names[256];
    class_names(e, names, sizeof names);
    ait_page_cell(p, ait_cell_ms(at, cell), -(TIME + 2));
    cell[0] = '+';
    ait_cell_ms(ait_minus(at, before), cell + 1);
    ait_page_cell(p, ait_has(ait_minus(at, before)) ? cell : "-",
                  -(TIME + 2));
    ait_page_cell(p, ait_cell_int((int64_t)e->read, cell), -8);
    ait_page_cell(p, ait_cell_int(e->length, cell), -10);
    ait_page_addf(p, "  %s%s\n", names, e->malformed ? " (malformed)" : "");
}

static void events_title(ait_page *p, const ait_attempt *a)
{
    char title[64];
    snprintf(title, sizeof title, "events of attempt %d", a->number);
    section(p, title);
    ait_page_addf(p, "%*s%*s%8s%10s  %s\n", TIME + 2, "time", TIME + 2,
                  "since", "read", "bytes", "classes");
}

/* The next attempt that has events. */
static void step(ait_event_walk *w, const ait_attempt *a)
{
    while (a && !a->timeline)
        a = a->next;
    *w = (ait_event_walk){.attempt = a, .before = AIT_ABSENT};
    if (a) {
        w->at.at = a->timeline;
        w->at.end = a->timeline + a->timeline_len;
    }
}

void ait_event_walk_init(ait_event_walk *w, const ait_trace *t)
{
    step(w, t->attempts);
}

bool ait_render_events(ait_buf *out, ait_event_walk *w,
                       const ait_style *style)
{
    ait_page p;
    ait_event e;
    int lines = 0;
    ait_page_init(&p, out, style);
    if (!w->begun)
        events_title(&p, w->attempt);
    w->begun = true;
    for (; lines < PIECE && ait_timeline_next(&w->at, &e); lines++) {
        int64_t at = ait_minus(e.ns, w->attempt->timeline_base);
        event_row(&p, &e, at, w->before);
        if (ait_has(at))
            w->before = at;
    }
    if (lines < PIECE) {
        if (w->at.at != w->at.end)
            ait_page_add(&p, "  (the rest of this timeline is damaged)\n");
        step(w, w->attempt->next);
    }
    return !p.failed;
}

bool ait_render_show(ait_buf *out, const ait_trace *t, const ait_verdict *v,
                     const ait_thresholds *limits, const ait_style *style)
{
    ait_page p;
    ait_page_init(&p, out, style);
    ait_page_headline(&p, t);
    ait_page_verdict(&p, t, v);
    points(&p, t);
    attempts(&p, t);
    tokens(&p, t, v);
    section(&p, "rates");
    for (int f = 0; f < AIT_RATE_COUNT; f++)
        rate_row(&p, v, (ait_rate_field)f);
    events(&p, t);
    measures(&p, t);
    source(&p, t);
    section(&p, "what it says");
    findings(&p, t, v);
    ait_page_limits(&p, limits, MARGIN);
    return !p.failed;
}
