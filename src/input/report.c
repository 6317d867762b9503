/* What is said about a file. */
#include "input/reader.h"

#include <stdio.h>

/* Issues that mean: something of this file was not read. */
static const ait_issue_id losses[] = {
    AIT_I_BAD_LINE, AIT_I_LINE_TOO_LONG, AIT_I_COMPRESSED_INPUT_CUT,
};

bool ait_file_lost(const ait_file_report *r)
{
    bool lost = false;

    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        lost |= r->issues.count[losses[i]] > 0;
    return lost;
}

void ait_file_issue(ait_file_report *r, ait_issue_id id, int64_t line)
{
    ait_issue_add(&r->issues, id);
    ait_places_add(&r->places[id], line);
}

void ait_file_bad_line(ait_file_report *r, int64_t line, const char *why)
{
    const ait_places *bad = &r->places[AIT_I_BAD_LINE];
    int n = bad->kept;

    ait_file_issue(r, AIT_I_BAD_LINE, line);
    if (bad->kept > n) /* the first reason of a line */
        snprintf(r->bad_reason[n], sizeof r->bad_reason[n], "%s", why);
}
