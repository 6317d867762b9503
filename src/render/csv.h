#ifndef AIT_RENDER_CSV_H
#define AIT_RENDER_CSV_H
/*
 * CSV by RFC 4180 (CRLF line ends, quotes where needed). Absent is an empty
 * cell. A text that a spreadsheet would run as a formula gets a leading
 * apostrophe; numbers never do.
 */
#include "base/mem.h"
#include "base/num.h"

typedef struct ait_csv {
    ait_buf *out;
    bool started; /* a cell was written in this row */
    bool failed;
} ait_csv;

/* Writes to `out`, which stays the caller's. */
void ait_csv_init(ait_csv *c, ait_buf *out);
void ait_csv_text(ait_csv *c, const char *text); /* NULL: empty */
/* v / scale with up to `places` decimals; absent: empty. */
void ait_csv_number(ait_csv *c, int64_t v, int64_t scale, int places);
/* -1 empty, 0 false, 1 true. */
void ait_csv_tri(ait_csv *c, int v);
void ait_csv_row(ait_csv *c); /* ends the row */

#endif
