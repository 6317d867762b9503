/* What is said about a file. */
#include "input/reader.h"

#include <stdio.h>

/* Issues that mean: something of this file was not read. */
static bool loses(ait_issue_id id)
{
    return id == AIT_I_BAD_LINE || id == AIT_I_LINE_TOO_LONG ||
           id == AIT_I_COMPRESSED_INPUT_CUT;
}

void ait_file_issue(ait_file_report *r, ait_issue_id id, int64_t line)
{
    ait_issue_add(&r->issues, id);
    ait_places_add(&r->places[id], line);
    if (loses(id))
        r->lost = true;
}

void ait_file_bad_line(ait_file_report *r, int64_t line, const char *why)
{
    const ait_places *bad = &r->places[AIT_I_BAD_LINE];
    int n = bad->kept;

    ait_file_issue(r, AIT_I_BAD_LINE, line);
    if (bad->kept > n) /* the first reason of a line */
        snprintf(r->bad_reason[n], sizeof r->bad_reason[n], "%s", why);
}
