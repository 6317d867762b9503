/* report as JSON and CSV. */
#include <string.h>
#include "render/csv.h"
#include "render/page.h"

static const char *const percentile[3] = {"p50", "p95", "p99"};

static int64_t scale_of(const ait_metric *m)
{
    return m->kind == AIT_MK_TIME ? AIT_MS : 1000;
}

static void open_object(ait_jsonw *w, const char *key)
{
    ait_jsonw_key(w, key);
    ait_jsonw_object(w);
}

/* ---- JSON -------------------------------------------------------------- */

static void marked(ait_jsonw *w, const char *key, const bool mark[3])
{
    ait_jsonw_key(w, key);
    ait_jsonw_array(w);
    for (int i = 0; i < 3; i++)
        if (mark[i])
            ait_jsonw_text(w, percentile[i]);
    ait_jsonw_end(w, ']');
}

static void intervals(ait_jsonw *w, const ait_metric *m,
                      const ait_quantiles *q)
{
    open_object(w, "ci95");
    for (int i = 0; i < 3; i++) {
        ait_jsonw_key(w, percentile[i]);
        ait_jsonw_array(w);
        ait_jsonw_decimal(w, q->ci_low[i], scale_of(m), 3);
        ait_jsonw_decimal(w, q->ci_high[i], scale_of(m), 3);
        ait_jsonw_end(w, ']');
    }
    ait_jsonw_end(w, '}');
}

static void population(ait_jsonw *w, const char *key, const ait_metric *m,
                       const ait_quantiles *q)
{
    open_object(w, key);
    ait_jsonw_kint(w, "n", q->n);
    ait_jsonw_kint(w, "absent", q->absent);
    ait_jsonw_kint(w, "not_reached", q->not_reached);
    ait_jsonw_kint(w, "lower_bounds", q->lower_bounds);
    for (int i = 0; i < 3; i++) {
        ait_jsonw_key(w, percentile[i]);
        ait_jsonw_decimal(w, q->value[i], scale_of(m), 3);
    }
    marked(w, "not_reached_at", q->not_reached_at);
    marked(w, "small_sample", q->small_sample);
    open_object(w, "request_ids");
    for (int i = 0; i < 3; i++)
        ait_jsonw_ktext(w, percentile[i], q->request_id[i]);
    ait_jsonw_end(w, '}');
    intervals(w, m, q);
    ait_jsonw_end(w, '}');
}

static void counters(ait_jsonw *w, const ait_group *g)
{
    open_object(w, "outcomes");
    for (int i = 0; i < AIT_OUT_COUNT; i++)
        if (g->outcome[i])
            ait_jsonw_kint(w, ait_outcome_name[i], g->outcome[i]);
    ait_jsonw_end(w, '}');
    open_object(w, "findings");
    for (int i = 0; i < AIT_R_COUNT; i++) {
        if (!g->by_limit[i] && !g->by_share[i])
            continue;
        open_object(w, ait_rule_name[i]);
        ait_jsonw_kint(w, "limit", g->by_limit[i]);
        ait_jsonw_kint(w, "share", g->by_share[i]);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, '}');
}

static void group_json(ait_jsonw *w, const ait_report *r, const ait_group *g)
{
    const char *const *field;
    int fields = ait_report_by(r, &field);
    ait_jsonw_object(w);
    open_object(w, "key");
    for (int i = 0; i < fields; i++)
        ait_jsonw_ktext(w, field[i], g->key[i]);
    ait_jsonw_end(w, '}');
    ait_jsonw_ktext(w, "origin", ait_origin_name[g->origin]);
    ait_jsonw_kint(w, "requests", g->requests);
    counters(w, g);
    open_object(w, "metrics");
    for (int i = 0; i < g->metrics; i++) {
        const ait_metric *m = &g->metric[i];
        open_object(w, m->name);
        population(w, "all", m, &m->all);
        population(w, "completed", m, &m->completed);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, '}');
    ait_jsonw_end(w, '}');
}

bool ait_render_report_json(ait_buf *out, const ait_report *r,
                            const ait_thresholds *limits)
{
    const char *const *field;
    const ait_group *g;
    ait_jsonw w;
    ait_jsonw_init(&w, out, false);
    ait_jsonw_object(&w);
    ait_jsonw_ktext(&w, "schema", "aitrace.report/1");
    ait_jsonw_key(&w, "by");
    ait_jsonw_array(&w);
    int n = ait_report_by(r, &field);
    for (int i = 0; i < n; i++)
        ait_jsonw_text(&w, field[i]);
    ait_jsonw_end(&w, ']');
    ait_jsonw_ktext(&w, "percentile_method",
                    ait_method_name[ait_report_method(r)]);
    ait_limits_json(&w, limits);
    ait_jsonw_kint(&w, "requests", ait_report_requests(r));
    ait_jsonw_key(&w, "groups");
    ait_jsonw_array(&w);
    n = ait_report_groups(r, &g);
    for (int i = 0; i < n; i++)
        group_json(&w, r, &g[i]);
    ait_jsonw_end(&w, ']');
    ait_jsonw_end(&w, '}');
    return !w.failed && ait_buf_addc(out, '\n');
}

/* ---- CSV: a row per group, metric and population ----------------------- */

static const char *const csv_columns[] = {
    "origin", "percentile_method", "metric", "population", "requests", "n",
    "absent", "not_reached", "lower_bounds", "p50", "p95", "p99",
    "p50_request", "p95_request", "p99_request", "not_reached_at",
    "small_sample", "p50_low", "p50_high", "p95_low", "p95_high", "p99_low",
    "p99_high",
};

static void marked_cell(ait_csv *c, const bool mark[3])
{
    char text[16] = "";
    for (int i = 0; i < 3; i++)
        if (mark[i]) {
            if (*text)
                strcat(text, " ");
            strcat(text, percentile[i]);
        }
    ait_csv_text(c, *text ? text : NULL);
}

/* In the order of csv_columns, from `n` on. */
static void quantile_cells(ait_csv *c, const ait_metric *m,
                           const ait_quantiles *q)
{
    ait_csv_number(c, q->n, 1, 0);
    ait_csv_number(c, q->absent, 1, 0);
    ait_csv_number(c, q->not_reached, 1, 0);
    ait_csv_number(c, q->lower_bounds, 1, 0);
    for (int i = 0; i < 3; i++)
        ait_csv_number(c, q->value[i], scale_of(m), 3);
    for (int i = 0; i < 3; i++)
        ait_csv_text(c, q->request_id[i]);
    marked_cell(c, q->not_reached_at);
    marked_cell(c, q->small_sample);
    for (int i = 0; i < 3; i++) {
        ait_csv_number(c, q->ci_low[i], scale_of(m), 3);
        ait_csv_number(c, q->ci_high[i], scale_of(m), 3);
    }
}

static void metric_row(ait_csv *c, const ait_report *r, const ait_group *g,
                       const ait_metric *m, bool completed)
{
    const char *const *field;
    int fields = ait_report_by(r, &field);
    for (int i = 0; i < fields; i++)
        ait_csv_text(c, g->key[i]);
    ait_csv_text(c, ait_origin_name[g->origin]);
    ait_csv_text(c, ait_method_name[ait_report_method(r)]);
    ait_csv_text(c, m->name);
    ait_csv_text(c, completed ? "completed" : "all");
    ait_csv_number(c, completed ? g->outcome[AIT_OUT_COMPLETE]
                                : g->requests, 1, 0);
    quantile_cells(c, m, completed ? &m->completed : &m->all);
    ait_csv_row(c);
}

bool ait_render_report_csv(ait_buf *out, const ait_report *r)
{
    const char *const *field;
    const ait_group *g;
    ait_csv c;
    ait_csv_init(&c, out);
    int fields = ait_report_by(r, &field);
    for (int i = 0; i < fields; i++)
        ait_csv_text(&c, field[i]);
    for (size_t i = 0; i < sizeof csv_columns / sizeof *csv_columns; i++)
        ait_csv_text(&c, csv_columns[i]);
    ait_csv_row(&c);
    int groups = ait_report_groups(r, &g);
    for (int i = 0; i < groups; i++)
        for (int m = 0; m < g[i].metrics; m++) {
            metric_row(&c, r, &g[i], &g[i].metric[m], false);
            metric_row(&c, r, &g[i], &g[i].metric[m], true);
        }
    return !c.failed;
}
