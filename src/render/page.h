#ifndef AIT_RENDER_PAGE_H
#define AIT_RENDER_PAGE_H
/*
 * Text for people: columns that count characters as a terminal does,
 * numbers with thousands separators, wrapping, colour. A failed write is
 * remembered and everything after it ignored; callers check `failed` once.
 */
#include "render/render.h"

typedef enum ait_ink {
    AIT_INK_PLAIN,
    AIT_INK_BOLD,
    AIT_INK_DIM,
    AIT_INK_BAD,
    AIT_INK_BAR,
    AIT_INK_COUNT
} ait_ink;

typedef struct ait_page {
    ait_buf *out;
    const ait_style *style;
    bool failed;
} ait_page;

#define AIT_CELL 160 /* bytes of one formatted figure, terminator included */

/* Starts a page that appends to `out`. */
void ait_page_init(ait_page *p, ait_buf *out, const ait_style *style);
/* Switches colour on or, with AIT_INK_PLAIN, off; nothing without colour. */
void ait_page_ink(ait_page *p, ait_ink ink);
/* Text of our own, as it is. */
void ait_page_add(ait_page *p, const char *text);
void ait_page_addf(ait_page *p, const char *fmt, ...) AIT_PRINTF(2, 3);
/* Text that came from an input: what would move the cursor or turn the
 * reading direction becomes '?'; without UTF-8 so does all but ASCII. NULL
 * is "-". */
void ait_page_value(ait_page *p, const char *text);
/* The same, filled with spaces to `width` columns: left-aligned, or
 * right-aligned where width is negative. Never cut. */
void ait_page_cell(ait_page *p, const char *text, int width);
/* " · ", or " | " where the terminal has no UTF-8. */
void ait_page_dot(ait_page *p);
/* `label` in the left margin of `indent` columns, then the words of `text`
 * wrapped to the page's width under a hanging indent; a line end follows. */
void ait_page_block(ait_page *p, const char *label, int indent,
                    const char *text);

/* Columns a terminal gives to a UTF-8 text. */
int ait_text_columns(const char *text);

/* ---- figures, each into AIT_CELL bytes; absent is "-" ------------------ */
/* 20425000000 ns is "20,425 ms"; under 10 ms with one decimal. */
const char *ait_cell_ms(int64_t ns, char *out);
/* The same without the unit, where a title names it. */
const char *ait_cell_msn(int64_t ns, char *out);
/* "20.0 s", "0.43 s". */
const char *ait_cell_s(int64_t ns, char *out);
/* A count with thousands separators. */
const char *ait_cell_int(int64_t n, char *out);
/* Thousandths as "9.8": one decimal, none where it is 0. */
const char *ait_cell_rate(int64_t thousandths, char *out);
/* Thousandths as "79.8 %". */
const char *ait_cell_share(int64_t thousandths, char *out);
/* A named figure in its unit. */
const char *ait_cell_figure(const ait_figure *f, char *out);
/* "2026-10-03 12:00:00Z": `places` decimals unless the second is whole. */
const char *ait_cell_time(int64_t ns, int places, bool local, char *out);

/* Scale and decimals of a unit in JSON; 0 for AIT_U_WORD. */
typedef struct ait_unit_scale {
    int64_t scale;
    int places;
} ait_unit_scale;
extern const ait_unit_scale ait_unit_scales[AIT_U_WORD + 1];

/* "issues": [{id, count}, …] of all that were met, in the table's order. */
void ait_issues_json(ait_jsonw *w, const ait_issue_set *issues);
/* Key and value of a figure in its unit, as JSON. */
void ait_figure_json(ait_jsonw *w, const ait_figure *f);
/* "limits": {…}: every limit that was used. */
void ait_limits_json(ait_jsonw *w, const ait_thresholds *limits);
/* "limits     headers_slow_ms 2,000 ms, …": every limit that was used. */
void ait_page_limits(ait_page *p, const ait_thresholds *limits, int indent);

#endif
