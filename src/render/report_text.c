/* report for people: one table per group, origin and population. Its header
 * says what it is, so that a pasted table still does. */
#include <stdio.h>
#include <string.h>
#include "render/page.h"

enum { MARGIN = 11 };

typedef struct population {
    const char *name, *what;
    bool completed;
} population;

static const population populations[] = {
    {"all", "failures stay in", false},
    {"completed", "outcome complete only", true},
};

static const ait_quantiles *quantiles(const ait_metric *m,
                                      const population *pop)
{
    return pop->completed ? &m->completed : &m->all;
}

static const char *value_cell(const ait_metric *m, int64_t v, char *out)
{
    return m->kind == AIT_MK_TIME ? ait_cell_msn(v, out)
                                  : ait_cell_rate(v, out);
}

/* ---- columns ----------------------------------------------------------- */

static const char *cell_name(const ait_metric *m, const ait_quantiles *q,
                             char *out)
{
    (void)q;
    snprintf(out, AIT_CELL, "%s", m->name);
    return out;
}

static const char *cell_n(const ait_metric *m, const ait_quantiles *q,
                          char *out)
{
    (void)m;
    return ait_cell_int(q->n, out);
}

static const char *cell_absent(const ait_metric *m, const ait_quantiles *q,
                               char *out)
{
    (void)m;
    return ait_cell_int(q->absent, out);
}

static const char *cell_not_reached(const ait_metric *m,
                                    const ait_quantiles *q, char *out)
{
    (void)m;
    return ait_cell_int(q->not_reached, out);
}

/* With the mark of a small sample; without one a space keeps the figures
 * under each other. */
static const char *percentile_cell(const ait_metric *m,
                                   const ait_quantiles *q, int i, char *out)
{
    if (q->not_reached_at[i])
        snprintf(out, AIT_CELL, "not reached");
    else
        value_cell(m, q->value[i], out);
    strcat(out, q->n && q->small_sample[i] ? "*" : " ");
    return out;
}

static const char *cell_p50(const ait_metric *m, const ait_quantiles *q,
                            char *out)
{
    return percentile_cell(m, q, 0, out);
}

static const char *cell_p95(const ait_metric *m, const ait_quantiles *q,
                            char *out)
{
    return percentile_cell(m, q, 1, out);
}

static const char *cell_p99(const ait_metric *m, const ait_quantiles *q,
                            char *out)
{
    return percentile_cell(m, q, 2, out);
}

typedef struct report_column {
    const char *above, *title; /* of two lines */
    const char *(*cell)(const ait_metric *m, const ait_quantiles *q,
                        char *out);
} report_column;

static const report_column columns[] = {
    {"", "metric", cell_name},
    {"", "n", cell_n},
    {"", "absent", cell_absent},
    {"not", "reached", cell_not_reached},
    {"", "p50 ", cell_p50},
    {"", "p95 ", cell_p95},
    {"", "p99 ", cell_p99},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))
#define ABOVE 3 /* the last column with a title of two lines */

/* As wide as the widest cell, so that a table fits where it can. */
static void measure(const ait_group *g, const population *pop,
                    int width[COLUMNS])
{
    char cell[AIT_CELL];
    for (int c = 0; c < COLUMNS; c++) {
        width[c] = ait_text_columns(columns[c].title);
        for (int m = 0; m < g->metrics; m++) {
            const ait_metric *metric = &g->metric[m];
            int n = ait_text_columns(
                columns[c].cell(metric, quantiles(metric, pop), cell));
            width[c] = n > width[c] ? n : width[c];
        }
    }
}

/* The first column stands left, figures stand right. */
static void put_cell(ait_page *p, const char *text, int c, int width)
{
    if (c > 0)
        ait_page_add(p, c > 4 ? " " : "  ");
    ait_page_cell(p, text, c == 0 ? width : -width);
}

/* ---- the table's own header -------------------------------------------- */

static void group_key(ait_page *p, const ait_report *r, const ait_group *g)
{
    const char *const *field;
    int n = ait_report_by(r, &field);
    if (n == 0)
        ait_page_add(p, "all requests");
    for (int i = 0; i < n; i++) {
        ait_page_addf(p, "%s%s ", i ? ", " : "", field[i]);
        ait_page_value(p, g->key[i]);
    }
}

static void table_header(ait_page *p, const ait_report *r,
                         const ait_group *g, const population *pop)
{
    char cell[AIT_CELL];
    ait_page_ink(p, AIT_INK_BOLD);
    group_key(p, r, g);
    ait_page_dot(p);
    ait_page_addf(p, "from %s", ait_origin_name[g->origin]);
    ait_page_dot(p);
    ait_page_addf(p, "%s (%s)", pop->name, pop->what);
    ait_page_dot(p);
    int64_t n = pop->completed ? g->outcome[AIT_OUT_COMPLETE] : g->requests;
    ait_page_addf(p, "%s request%s", ait_cell_int(n, cell),
                  n == 1 ? "" : "s");
    ait_page_dot(p);
    ait_page_add(p, ait_method_name[ait_report_method(r)]);
    ait_page_ink(p, AIT_INK_PLAIN);
    ait_page_add(p, "\n");
}

static void column_titles(ait_page *p, const int width[COLUMNS])
{
    for (int c = 0; c <= ABOVE; c++)
        put_cell(p, columns[c].above, c, width[c]);
    ait_page_add(p, "\n");
    for (int c = 0; c < COLUMNS; c++)
        put_cell(p, columns[c].title, c, width[c]);
    ait_page_add(p, " request at p95\n");
}

/* ---- rows -------------------------------------------------------------- */

static void interval_row(ait_page *p, const ait_metric *m,
                         const ait_quantiles *q)
{
    char low[AIT_CELL], high[AIT_CELL];
    static const char *const name[] = {"p50", "p95", "p99"};
    ait_page_add(p, "  95 % interval: ");
    for (int i = 0; i < 3; i++)
        ait_page_addf(p, "%s%s %s to %s", i ? ", " : "", name[i],
                      value_cell(m, q->ci_low[i], low),
                      value_cell(m, q->ci_high[i], high));
    ait_page_add(p, "\n");
}

static void metric_row(ait_page *p, const ait_metric *m,
                       const ait_quantiles *q, const int width[COLUMNS])
{
    char cell[AIT_CELL];
    for (int c = 0; c < COLUMNS; c++)
        put_cell(p, columns[c].cell(m, q, cell), c, width[c]);
    ait_page_add(p, " ");
    ait_page_value(p, q->request_id[1]);
    ait_page_add(p, "\n");
    if (p->style->ci)
        interval_row(p, m, q);
}

/* Does any metric of the population carry a small-sample mark? */
static bool any_small(const ait_group *g, const population *pop)
{
    for (int m = 0; m < g->metrics; m++) {
        const ait_quantiles *q = quantiles(&g->metric[m], pop);
        for (int i = 0; i < 3; i++)
            if (q->n && q->small_sample[i])
                return true;
    }
    return false;
}

static void lower_bounds(ait_page *p, const ait_metric *m,
                         const ait_quantiles *q)
{
    char cell[AIT_CELL];
    if (!q->lower_bounds)
        return;
    ait_page_addf(p, "%s: %s ", m->name, ait_cell_int(q->lower_bounds, cell));
    ait_page_add(p, m->kind == AIT_MK_TIME
                        ? "of timeouts, lower bounds\n"
                        : "left out: only a bound is known\n");
}

static void table(ait_page *p, const ait_report *r, const ait_group *g,
                  const population *pop)
{
    int width[COLUMNS];
    measure(g, pop, width);
    table_header(p, r, g, pop);
    column_titles(p, width);
    for (int i = 0; i < g->metrics; i++)
        metric_row(p, &g->metric[i], quantiles(&g->metric[i], pop), width);
    for (int i = 0; i < g->metrics; i++)
        lower_bounds(p, &g->metric[i], quantiles(&g->metric[i], pop));
    if (any_small(g, pop))
        ait_page_add(p, "* sample too small: the percentile is its "
                        "largest value\n");
    ait_page_add(p, "\n");
}

/* ---- outcomes and findings --------------------------------------------- */

static void outcomes(ait_page *p, const ait_group *g)
{
    ait_buf line;
    char cell[AIT_CELL];
    ait_buf_init(&line, 4096);
    for (int i = 0; i < AIT_OUT_COUNT; i++)
        if (g->outcome[i] &&
            !ait_buf_addf(&line, "%s%s %s", line.len ? ", " : "",
                          ait_outcome_name[i],
                          ait_cell_int(g->outcome[i], cell)))
            p->failed = true;
    if (line.len)
        ait_page_block(p, "outcomes", MARGIN, line.data);
    ait_buf_free(&line);
}

static bool finding_count(ait_buf *line, const ait_group *g, int rule,
                          bool with_share)
{
    char cell[AIT_CELL];
    int64_t limit = g->by_limit[rule], share = g->by_share[rule];
    bool ok = true;
    if (!limit && !(with_share && share))
        return true;
    ok = ait_buf_addf(line, "%s%s %s", line->len ? ", " : "",
                      ait_rule_name[rule], ait_cell_int(limit, cell));
    if (ok && with_share && share)
        ok = ait_buf_addf(line, " and %s by share",
                          ait_cell_int(share, cell));
    return ok;
}

static void findings(ait_page *p, const ait_group *g)
{
    ait_buf line;
    ait_buf_init(&line, 4096);
    for (int i = 0; i < AIT_R_COUNT; i++)
        if (!finding_count(&line, g, i, p->style->share))
            p->failed = true;
    ait_page_block(p, "findings", MARGIN, line.len ? line.data : "none");
    ait_buf_free(&line);
}

static void group(ait_page *p, const ait_report *r, const ait_group *g)
{
    bool same = g->outcome[AIT_OUT_COMPLETE] == g->requests;
    table(p, r, g, &populations[0]);
    if (!same && g->outcome[AIT_OUT_COMPLETE])
        table(p, r, g, &populations[1]);
    outcomes(p, g);
    findings(p, g);
    if (same)
        ait_page_block(p, "completed", MARGIN,
                       "every request is complete: the population "
                       "`completed` is the one above");
    ait_page_add(p, "\n");
}

bool ait_render_report(ait_buf *out, const ait_report *r,
                       const ait_thresholds *limits, const ait_style *style)
{
    const ait_group *g;
    ait_page p;
    ait_page_init(&p, out, style);
    int n = ait_report_groups(r, &g);
    for (int i = 0; i < n; i++)
        group(&p, r, &g[i]);
    ait_page_limits(&p, limits, MARGIN);
    return !p.failed;
}
