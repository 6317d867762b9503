/* diagnose for people: the verdict, the timeline with bars, why, what to
 * check, what will not help, what cannot be told, what to run next. */
#include <stdio.h>
#include <string.h>
#include "render/points.h"

enum {
    TIME = 27,    /* least columns of a point's name and its time */
    NOTE = 27,    /* columns kept free for what stands beside the bar */
    BAR_MIN = 8,  /* a shorter bar says nothing */
    MARGIN = 11   /* columns of "won't help " */
};

/* Columns a bar may take; 0 where the page is too narrow. */
static int bar_room(const ait_style *style, int time)
{
    int room = style->width - 2 - time - 2 - 2 - NOTE;
    return room < BAR_MIN ? 0 : room;
}

/* At least one block for one percent of the whole, so that a phase that can
 * be seen in the figures can be seen here, too. */
static int bar_length(int64_t part, int64_t whole, int room)
{
    if (!ait_has(part) || !ait_has(whole) || whole <= 0 || part <= 0)
        return 0;
    if (part >= whole)
        return room;
    int64_t n = (int64_t)((double)part / (double)whole * room + 0.5);
    return n == 0 && part >= whole / 100 ? room > 0 : (int)n;
}

static void bar(ait_page *p, int blocks, int room)
{
    ait_page_add(p, "  ");
    ait_page_ink(p, AIT_INK_BAR);
    for (int i = 0; i < blocks; i++)
        ait_page_add(p, p->style->utf8 ? "\u2588" : "#");
    ait_page_ink(p, AIT_INK_PLAIN);
    for (int i = blocks; i < room; i++)
        ait_page_add(p, " ");
}

static void timeline_row(ait_page *p, const ait_trace *t, const ait_row *row,
                         int room, int time)
{
    char cell[AIT_CELL], note[AIT_CELL];
    ait_page_add(p, "  ");
    ait_page_add(p, row->label);
    ait_page_cell(p, ait_cell_ms(row->at, cell),
                  ait_text_columns(row->label) - time);
    if (row->why) {
        ait_page_ink(p, AIT_INK_DIM);
        ait_page_addf(p, "  %s", row->why);
        ait_page_ink(p, AIT_INK_PLAIN);
        room = 0;
    }
    ait_row_note(t, row, note);
    int blocks = bar_length(row->since, ait_end_to_end(t), room);
    /* notes stand right of the bars' column only where a bar is beside */
    if (blocks)
        bar(p, blocks, *note ? room : blocks);
    if (*note)
        ait_page_addf(p, "%s%s", row->why && *row->why ? "; " :
                      row->why ? "" : "  ", note);
    ait_page_add(p, "\n");
}

/* Columns of the widest name and time together, a space between. */
static int time_columns(const ait_row row[AIT_ROWS])
{
    char cell[AIT_CELL];
    int most = TIME;
    for (int i = 0; i < AIT_ROWS; i++) {
        int n = ait_text_columns(row[i].label) + 1 +
                ait_text_columns(ait_cell_ms(row[i].at, cell));
        most = n > most ? n : most;
    }
    return most;
}

static void timeline(ait_page *p, const ait_trace *t)
{
    ait_row row[AIT_ROWS];
    ait_rows(t, row);
    int time = time_columns(row);
    ait_page_add(p, "\n");
    for (int i = 0; i < AIT_ROWS; i++)
        timeline_row(p, t, &row[i], bar_room(p->style, time), time);
    ait_page_add(p, "\n");
}

/* What a log measured from an origin of its own: under the timeline, never
 * in it. */
static void measure_blocks(ait_page *p, const ait_trace *t)
{
    char line[4 * AIT_CELL], cell[AIT_CELL], exact[AIT_CELL];
    for (const ait_measure *m = t->measures; m; m = m->next) {
        bool rough = ait_has(m->resolution) && m->resolution > 0;
        const char *about = p->style->utf8 ? ", \u00b1" : ", +-";
        snprintf(line, sizeof line, "%s %s from %s to %s%s%s", m->name,
                 ait_cell_ms(m->value, cell), ait_origin_name[m->origin],
                 ait_boundary_name[m->boundary], rough ? about : "",
                 rough ? ait_cell_ms(m->resolution, exact) : "");
        ait_page_block(p, "measured", MARGIN, line);
    }
}

/* ---- the blocks under the timeline ------------------------------------- */

static void advice_block(ait_page *p, const ait_trace *t, const char *label,
                         const char *const *items, const char *joint)
{
    ait_buf line;
    ait_buf_init(&line, 4096);
    if (!ait_advice_text(&line, t, items, joint))
        p->failed = true;
    else if (line.len)
        ait_page_block(p, label, MARGIN, line.data);
    ait_buf_free(&line);
}

static void why_block(ait_page *p, const ait_trace *t, const ait_finding *f)
{
    ait_buf line;
    ait_buf_init(&line, 4096);
    if (!ait_why_text(&line, t, f))
        p->failed = true;
    else if (line.len)
        ait_page_block(p, "why", MARGIN, line.data);
    ait_buf_free(&line);
}

static void also_blocks(ait_page *p, const ait_verdict *v,
                        const ait_finding *primary)
{
    char line[320];
    for (int i = 0; i < v->findings; i++) {
        if (&v->finding[i] == primary)
            continue;
        snprintf(line, sizeof line, "%s: %s",
                 ait_rule_name[v->finding[i].rule], v->finding[i].what);
        ait_page_block(p, "also", MARGIN, line);
    }
}

/* ---- the next command -------------------------------------------------- */

bool ait_shell_word(ait_buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_./:@%+,=";
    if (*word && word[strspn(word, plain)] == '\0')
        return ait_buf_adds(out, word);
    bool ok = ait_buf_addc(out, '\'');
    for (size_t n; ok && *word; word += n) {
        n = ait_control(word);
        if (n) /* a terminal would obey: a pattern that fits it instead */
            ok = ait_buf_adds(out, "'*'");
        else if (*word == '\'')
            ok = ait_buf_adds(out, "'\\''");
        else
            ok = ait_buf_addc(out, *word);
        n += n == 0;
    }
    return ok && ait_buf_addc(out, '\'');
}

/* What the same requests are best told apart by, as far as it is known. */
static const char *report_by(const ait_trace *t)
{
    static const struct {
        ait_text_field field;
        const char *name;
    } by[] = {{AIT_X_CHANNEL, "channel"}, {AIT_X_ROUTE, "route"},
              {AIT_X_PROVIDER, "provider"}, {AIT_X_GROUP, "group"},
              {AIT_X_REGION, "region"}};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (t->text[by[i].field])
            return by[i].name;
    return "provider";
}

static void next_line(ait_page *p, const ait_trace *t, const ait_verdict *v)
{
    ait_buf line;
    ait_buf_init(&line, 8192);
    const char *from = p->style->from;
    const char *id = t->text[AIT_X_REQUEST_ID], *m = t->text[AIT_X_MODEL];
    bool ok;
    if (v->primary != AIT_R_NONE || !id) {
        ok = ait_buf_addf(&line, "aitrace report%s", from);
        if (m)
            ok = ok && ait_buf_adds(&line, " --model ") &&
                 ait_shell_word(&line, m);
        ok = ok && ait_buf_addf(&line, " --by %s", report_by(t));
    } else {
        ok = ait_buf_addf(&line, "aitrace show%s --request-id ", from) &&
             ait_shell_word(&line, id);
    }
    ait_page_ink(p, AIT_INK_BOLD);
    ait_page_cell(p, "next", MARGIN);
    ait_page_ink(p, AIT_INK_PLAIN);
    if (ok)
        ait_page_value(p, line.data);
    else
        p->failed = true;
    ait_page_add(p, "\n");
    ait_buf_free(&line);
}

bool ait_render_diagnosis(ait_buf *out, const ait_trace *t,
                          const ait_verdict *v, const ait_style *style)
{
    ait_page p;
    const ait_finding *f = ait_primary(v);
    ait_page_init(&p, out, style);
    ait_page_headline(&p, t);
    ait_page_verdict(&p, t, v);
    timeline(&p, t);
    measure_blocks(&p, t);
    if (f) {
        why_block(&p, t, f);
        advice_block(&p, t, "check", f->check, ", ");
        advice_block(&p, t, "won't help", f->will_not_help, "; ");
    }
    also_blocks(&p, v, f);
    ait_page_issues(&p, t, MARGIN);
    ait_page_cannot(&p, t, v, MARGIN);
    if (style->from)
        next_line(&p, t, v);
    return !p.failed;
}

bool ait_render_limits(ait_buf *out, const ait_thresholds *limits,
                       const ait_style *style)
{
    ait_page p;
    ait_page_init(&p, out, style);
    ait_page_limits(&p, limits, MARGIN);
    return !p.failed;
}
