/* Records about the recording itself. */
#include <string.h>

#include "base/text.h"
#include "replay/state.h"

static const char *const t1_names[] = {"exact", "bracketed", "unknown"};

static int word_of(const char *const *names, int n, ait_str s, int fallback)
{
    int i = s.p ? ait_word(names, n, s.p, s.n) : -1;

    return i < 0 ? fallback : i;
}

static bool same_text(ait_str a, const char *b)
{
    return a.p && strlen(b) == a.n && memcmp(a.p, b, a.n) == 0;
}

ait_code ait_segment_end(ait_replay *r)
{
    ait_segment *s = &r->segment;
    ait_code code = ait_req_close_all(r);

    if (r->native && s->begun && !s->closed)
        ait_file_issue(r->report, AIT_I_SEGMENT_UNCLOSED, s->line);
    s->begun = false;
    return code;
}

static int64_t wall_of(ait_replay *r, const ait_record *rec)
{
    ait_str wall = rec->text[AIT_RT_WALL];
    int64_t ns;
    bool zone;

    if (!wall.p)
        return AIT_ABSENT;
    if (!ait_time_read(wall.p, wall.n, &ns, &zone)) {
        ait_file_issue(r->report, AIT_I_VALUE_IGNORED, rec->line);
        return AIT_ABSENT;
    }
    if (!zone)
        ait_file_issue(r->report, AIT_I_TIME_WITHOUT_ZONE, rec->line);
    return ns;
}

/*
 * A recorder that rotates its file repeats its `capture` line at the head
 * of the next one: same id, same anchor. Joined files then go on as if they
 * had never been cut. Anything else is a new segment, whose times compare
 * with nothing before: nothing more can come for the open requests.
 */
ait_code ait_on_capture(ait_replay *r, const ait_record *rec)
{
    ait_segment *s = &r->segment, next = {.begun = true, .records = 1};
    ait_str id = rec->text[AIT_RT_SEG], unit = rec->text[AIT_RT_UNIT];
    int64_t wall = wall_of(r, rec);
    ait_code code;

    if (s->begun && !s->closed && id.n && wall == s->wall) {
        char kept[AIT_TEXT_MAX + 1];

        ait_keep_text(id.p, id.n, kept);
        if (strcmp(kept, s->id) == 0)
            return AIT_OK;
    }
    code = ait_segment_end(r);
    if (code != AIT_OK)
        return code;
    if (id.p)
        ait_keep_text(id.p, id.n, next.id);
    next.wall = wall;
    next.line = rec->line;
    next.vantage = (ait_vantage)word_of(
        ait_vantage_name, AIT_V_COUNT, rec->text[AIT_RT_VANTAGE],
        AIT_V_CLIENT);
    next.t1 = (ait_t1_kind)word_of(t1_names, 3, rec->text[AIT_RT_T1],
                                   AIT_T1_EXACT);
    next.lines = same_text(unit, "line");
    *s = next;
    return AIT_OK;
}

ait_code ait_on_lost(ait_replay *r, const ait_record *rec)
{
    r->lost++;
    ait_file_issue(r->report, AIT_I_RECORDER_LOST_DATA, rec->line);
    return AIT_OK;
}

/* The count is of lines; where blank or unreadable ones stand between, the
 * records that came are counted instead. */
ait_code ait_on_close(ait_replay *r, const ait_record *rec)
{
    ait_segment *s = &r->segment;
    int64_t want = rec->num[AIT_RN_RECORDS];
    int64_t lines = ait_plus(ait_minus(rec->line, s->line), 1);

    s->closed = true;
    if (!s->begun)
        ait_file_issue(r->report, AIT_I_RECORD_ORDER, rec->line);
    else if (ait_has(want) && want != lines && want != s->records)
        ait_file_issue(r->report, AIT_I_SEGMENT_UNCLOSED, rec->line);
    return AIT_OK;
}
