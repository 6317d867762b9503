/* list: one request a line, for people and as CSV. */
#include <stdio.h>
#include <stdlib.h>
#include "render/csv.h"
#include "render/page.h"

/* ---- for people: the id stands last, so that it is never cut ----------- */

typedef struct list_column {
    const char *title;
    int width; /* negative: right-aligned */
    const char *(*cell)(const ait_trace *t, const ait_verdict *v,
                        const ait_style *style, char *out);
} list_column;

#define COLUMN(name) \
    static const char *name(const ait_trace *t, const ait_verdict *v, \
                            const ait_style *style, char *out)

COLUMN(col_time)
{
    (void)v;
    return ait_cell_time(t->num[AIT_N_TIME], 0, style->local, out);
}

COLUMN(col_outcome)
{
    (void)v, (void)style, (void)out;
    return ait_outcome_name[t->outcome];
}

COLUMN(col_status)
{
    (void)v, (void)style;
    return ait_cell_int(t->num[AIT_N_STATUS], out);
}

COLUMN(col_response)
{
    (void)v, (void)style;
    return ait_cell_ms(ait_timing(t, AIT_T_FIRST_RESPONSE), out);
}

bool ait_list_marked(const ait_trace *t)
{
    return !ait_has(ait_end_to_end(t)) && ait_has(ait_whole_time(t));
}

COLUMN(col_total)
{
    (void)v, (void)style;
    *out = '~'; /* ait_render_list_foot says what it stands for */
    ait_cell_ms(ait_whole_time(t), out + 1);
    return out + !ait_list_marked(t);
}

COLUMN(col_tokens)
{
    (void)v, (void)style;
    return ait_cell_int(t->num[AIT_N_OUTPUT_TOKENS], out);
}

COLUMN(col_primary)
{
    (void)t, (void)style, (void)out;
    return ait_rule_name[v->primary];
}

COLUMN(col_model)
{
    (void)v, (void)style, (void)out;
    return t->text[AIT_X_MODEL];
}

static const list_column columns[] = {
    {"time", 21, col_time},
    {"outcome", 18, col_outcome},
    {"status", -6, col_status},
    {"first resp.", -13, col_response},
    {"end to end", -13, col_total},
    {"tokens", -8, col_tokens},
    {"  primary", 24, col_primary},
    {"model", 20, col_model},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))
#define PRIMARY 6 /* stands apart from the figures before it */
#define OFFSET 5  /* columns that "+02:00" takes more than "Z" */
#define ID 16     /* room for most ids; a longer one is not cut */

/* What is left out first where the terminal is narrow: its titles say so. */
static const int spare[] = {2, 5, 7, 3, 1};

static int column_width(int i, const ait_style *style)
{
    return columns[i].width + (i == 0 && style->local ? OFFSET : 0);
}

static unsigned columns_that_fit(const ait_style *style)
{
    unsigned shown = (1u << COLUMNS) - 1;
    int all = 1 + ID;
    for (int i = 0; i < COLUMNS; i++)
        all += abs(column_width(i, style));
    for (size_t i = 0; style->fit && all > style->width &&
                       i < sizeof spare / sizeof *spare; i++) {
        shown &= ~(1u << spare[i]);
        all -= abs(column_width(spare[i], style));
    }
    return shown;
}

bool ait_render_list_head(ait_buf *out, const ait_style *style)
{
    unsigned shown = columns_that_fit(style);
    ait_page p;
    ait_page_init(&p, out, style);
    ait_page_ink(&p, AIT_INK_BOLD);
    for (int i = 0; i < COLUMNS; i++)
        if (shown >> i & 1)
            ait_page_cell(&p, columns[i].title,
                          column_width(i, style));
    ait_page_add(&p, " request");
    ait_page_ink(&p, AIT_INK_PLAIN);
    ait_page_add(&p, "\n");
    return !p.failed;
}

bool ait_render_list_row(ait_buf *out, const ait_trace *t,
                         const ait_verdict *v, const ait_style *style)
{
    unsigned shown = columns_that_fit(style);
    char cell[AIT_CELL];
    ait_page p;
    ait_page_init(&p, out, style);
    for (int i = 0; i < COLUMNS; i++) {
        if (!(shown >> i & 1))
            continue;
        int width = column_width(i, style);
        if (i == PRIMARY) {
            ait_page_add(&p, "  ");
            width -= 2;
        }
        ait_page_cell(&p, columns[i].cell(t, v, style, cell), width);
    }
    ait_page_add(&p, " ");
    ait_page_value(&p, t->text[AIT_X_REQUEST_ID]);
    ait_page_add(&p, "\n");
    return !p.failed;
}

bool ait_render_list_foot(ait_buf *out, const ait_style *style)
{
    ait_page p;
    ait_page_init(&p, out, style);
    ait_page_add(&p, "~ a total that the log measured from another "
                     "origin; show names it\n");
    return !p.failed;
}

/* ---- CSV --------------------------------------------------------------- */

typedef struct csv_number {
    const char *name;
    int field;
} csv_number;

static const struct {
    const char *name;
    ait_text_field field;
} csv_texts[] = {
    {"request_id", AIT_X_REQUEST_ID}, {"file", AIT_X_FILE},
    {"format", AIT_X_FORMAT},         {"endpoint", AIT_X_ENDPOINT},
    {"dialect", AIT_X_DIALECT},       {"model", AIT_X_MODEL},
    {"provider", AIT_X_PROVIDER},     {"group", AIT_X_GROUP},
    {"channel", AIT_X_CHANNEL},       {"route", AIT_X_ROUTE},
    {"region", AIT_X_REGION},         {"finish_reason", AIT_X_FINISH_REASON},
    {"error_code", AIT_X_ERROR_CODE},
};

static const csv_number csv_counts[] = {
    {"line", AIT_N_LINE},
    {"status", AIT_N_STATUS},
    {"inflight", AIT_N_INFLIGHT},
    {"prompt_tokens", AIT_N_PROMPT_TOKENS},
    {"cached_tokens", AIT_N_CACHED_TOKENS},
    {"output_tokens", AIT_N_OUTPUT_TOKENS},
    {"reasoning_tokens", AIT_N_REASONING_TOKENS},
    {"retries", AIT_N_RETRIES},
};

static const char *const csv_words[] = {
    "time", "vantage", "origin", "outcome", "stream", "primary",
    "visible_tokens", "visible_output_tps_is",
};

#define EACH(table, i) \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)

bool ait_render_list_csv_head(ait_buf *out)
{
    ait_csv c;
    ait_csv_init(&c, out);
    EACH(csv_texts, i)
        ait_csv_text(&c, csv_texts[i].name);
    EACH(csv_words, i)
        ait_csv_text(&c, csv_words[i]);
    EACH(csv_counts, i)
        ait_csv_text(&c, csv_counts[i].name);
    for (int f = 0; f < AIT_T_COUNT; f++)
        ait_csv_text(&c, ait_timings[f].name);
    for (int f = 0; f < AIT_G_COUNT; f++)
        ait_csv_text(&c, ait_gaps[f].name);
    for (int f = 0; f < AIT_RATE_COUNT; f++)
        ait_csv_text(&c, ait_rate_name[f]);
    ait_csv_row(&c);
    return !c.failed;
}

/* In the order of csv_words. */
static void word_cells(ait_csv *c, const ait_trace *t, const ait_verdict *v)
{
    char time[48];
    if (ait_has(t->num[AIT_N_TIME]))
        ait_time_text(t->num[AIT_N_TIME], 6, false, time);
    ait_csv_text(c, ait_has(t->num[AIT_N_TIME]) ? time : NULL);
    ait_csv_text(c, ait_vantage_name[t->vantage]);
    ait_csv_text(c, ait_origin_name[t->origin]);
    ait_csv_text(c, ait_outcome_name[t->outcome]);
    ait_csv_tri(c, t->stream);
    ait_csv_text(c, ait_rule_name[v->primary]);
    ait_csv_number(c, v->visible_tokens, 1, 0);
    ait_csv_text(c, v->visible_is == AIT_IS_NONE
                        ? NULL : ait_rate_is_name[v->visible_is]);
}

bool ait_render_list_csv(ait_buf *out, const ait_trace *t,
                         const ait_verdict *v)
{
    ait_csv c;
    ait_csv_init(&c, out);
    EACH(csv_texts, i)
        ait_csv_text(&c, t->text[csv_texts[i].field]);
    word_cells(&c, t, v);
    EACH(csv_counts, i)
        ait_csv_number(&c, t->num[csv_counts[i].field], 1, 0);
    for (int f = 0; f < AIT_T_COUNT; f++)
        ait_csv_number(&c, ait_timing(t, (ait_timing_field)f), AIT_MS, 3);
    for (int f = 0; f < AIT_G_COUNT; f++)
        ait_csv_number(&c, ait_gap(t, (ait_gap_field)f), AIT_MS, 3);
    for (int f = 0; f < AIT_RATE_COUNT; f++)
        ait_csv_number(&c, v->rate[f], f == AIT_RATE_ITL ? AIT_MS : 1000, 3);
    ait_csv_row(&c);
    return !c.failed;
}
