/* The import summary: one line a file, and its JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "render/page.h"

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* "format, recognised by X" */
static void format_text(ait_page *p, const ait_file_report *r)
{
    if (!*r->format) {
        ait_page_add(p, "not recognised");
        return;
    }
    ait_page_value(p, r->format);
    if (*r->recognised_by) {
        ait_page_add(p, " (recognised by ");
        ait_page_value(p, r->recognised_by);
        ait_page_add(p, ")");
    }
}

static void counts_text(ait_page *p, const ait_put_counts *c)
{
    char cell[AIT_CELL];
    int64_t all = c->new_ + c->present + c->updated;
    if (all > 0 && c->present == all) {
        ait_page_addf(p, "%s request%s already present, nothing changed",
                      ait_cell_int(all, cell), plural(all));
        return;
    }
    ait_page_addf(p, "%s new request%s", ait_cell_int(c->new_, cell),
                  plural(c->new_));
    if (c->present)
        ait_page_addf(p, ", %s already present",
                      ait_cell_int(c->present, cell));
    if (c->updated)
        ait_page_addf(p, ", %s updated", ait_cell_int(c->updated, cell));
    ait_page_addf(p, ", %s attempt%s", ait_cell_int(c->attempts, cell),
                  plural(c->attempts));
    ait_page_addf(p, ", %s event%s", ait_cell_int(c->events, cell),
                  plural(c->events));
}

/* Up to 20 numbers with the reason where one was given; the count exact. */
static void bad_lines_text(ait_page *p, const ait_file_report *r)
{
    char cell[AIT_CELL];
    const ait_places *bad = &r->places[AIT_I_BAD_LINE];
    int64_t n = r->issues.count[AIT_I_BAD_LINE];
    if (!n)
        return;
    ait_page_addf(p, "; %s bad line%s", ait_cell_int(n, cell), plural(n));
    for (int i = 0; i < bad->kept; i++) {
        ait_page_addf(p, "%s%" PRId64, i ? ", " : ": ", bad->line[i]);
        if (*r->bad_reason[i]) {
            ait_page_add(p, " (");
            ait_page_value(p, r->bad_reason[i]);
            ait_page_add(p, ")");
        }
    }
    if (bad->more)
        ait_page_add(p, ", ...");
}

/* A line is not always known: what breaks off has none. */
static void issue_places_text(ait_page *p, const ait_places *at)
{
    for (int i = 0; i < at->kept; i++)
        ait_page_addf(p, "%s%" PRId64, i ? ", " : " (line ", at->line[i]);
    if (at->kept)
        ait_page_addf(p, "%s)", at->more ? ", ..." : "");
}

static void issues_text(ait_page *p, const ait_import_summary *s)
{
    char cell[AIT_CELL];
    const char *joint = "; ";
    for (int i = 0; i < AIT_I_COUNT; i++) {
        if (!s->issues->count[i] || i == AIT_I_BAD_LINE)
            continue;
        ait_page_addf(p, "%s%s %s", joint, ait_issues[i].name,
                      ait_cell_int(s->issues->count[i], cell));
        issue_places_text(p, &s->report->places[i]);
        joint = ", ";
    }
}

bool ait_render_import(ait_buf *out, const ait_import_summary *s,
                       const ait_style *style)
{
    ait_page p;
    ait_page_init(&p, out, style);
    ait_page_value(&p, s->file);
    ait_page_add(&p, ": ");
    format_text(&p, s->report);
    ait_page_add(&p, ": ");
    counts_text(&p, s->counts);
    bad_lines_text(&p, s->report);
    issues_text(&p, s);
    ait_page_add(&p, "\n");
    return !p.failed;
}

static void requests_json(ait_jsonw *w, const ait_put_counts *c)
{
    ait_jsonw_key(w, "requests");
    ait_jsonw_object(w);
    ait_jsonw_kint(w, "new", c->new_);
    ait_jsonw_kint(w, "present", c->present);
    ait_jsonw_kint(w, "updated", c->updated);
    ait_jsonw_end(w, '}');
    ait_jsonw_kint(w, "attempts", c->attempts);
    ait_jsonw_kint(w, "events", c->events);
}

static void bad_lines_json(ait_jsonw *w, const ait_file_report *r)
{
    const ait_places *bad = &r->places[AIT_I_BAD_LINE];
    ait_jsonw_key(w, "bad_lines");
    ait_jsonw_object(w);
    ait_jsonw_kint(w, "count", r->issues.count[AIT_I_BAD_LINE]);
    ait_jsonw_key(w, "lines");
    ait_jsonw_array(w);
    for (int i = 0; i < bad->kept; i++)
        ait_jsonw_int(w, bad->line[i]);
    ait_jsonw_end(w, ']');
    ait_jsonw_end(w, '}');
}

void ait_render_import_json(ait_jsonw *w, const ait_import_summary *s)
{
    const ait_file_report *r = s->report;
    ait_issue_set others = *s->issues;
    others.count[AIT_I_BAD_LINE] = 0; /* told under bad_lines */
    ait_jsonw_object(w);
    ait_jsonw_ktext(w, "file", s->file);
    ait_jsonw_ktext(w, "format", *r->format ? r->format : NULL);
    ait_jsonw_ktext(w, "recognised_by",
                    *r->recognised_by ? r->recognised_by : NULL);
    requests_json(w, s->counts);
    bad_lines_json(w, r);
    ait_issues_json(w, &others);
    ait_jsonw_end(w, '}');
}
