/*
 * All of a row that one request says by itself, before its turn comes: the
 * turn is one request's at a time, this is any thread's.
 */
#include <string.h>

#include "store/private.h"

/* ---- which tables have more to say --------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Is `a` what ait_row_attempt would say of its request? */
static bool says_no_more(const ait_trace *t)
{
    const ait_attempt *a = t->attempts;
    ait_attempt usual;

    if (!a || a->next || t->serving != a || a->timeline)
        return false;
    ait_row_attempt(t, &usual);
    return a->number == usual.number && a->outcome == usual.outcome &&
           !a->upstream && same_text(a->channel, usual.channel) &&
           same_text(a->error_code, usual.error_code) &&
           a->status == usual.status && a->start == usual.start &&
           a->done == usual.done && a->headers == usual.headers &&
           a->retry_after == usual.retry_after &&
           a->wait_before == usual.wait_before &&
           a->timeline_base == usual.timeline_base;
}

static bool only_shown_id(const ait_trace *t)
{
    const char *shown = t->text[AIT_X_REQUEST_ID];

    if (!t->ids)
        return !shown;
    return shown && !t->ids->next && strcmp(t->ids->value, shown) == 0;
}

static bool has_issues(const ait_trace *t)
{
    static const ait_issue_set none;

    return memcmp(&t->issues, &none, sizeof none) != 0;
}

static int64_t more_of(const ait_trace *t, bool unusual_points)
{
    int64_t more = unusual_points ? AIT_MORE_GAPS : 0;

    if (t->attempts && !says_no_more(t))
        more |= AIT_MORE_ATTEMPTS;
    if (t->measures)
        more |= AIT_MORE_MEASURES;
    if (has_issues(t))
        more |= AIT_MORE_ISSUES;
    /* A shown id without a list is told from the list of itself. */
    if (!only_shown_id(t))
        more |= AIT_MORE_IDS;
    return more;
}

/* ---- columns ------------------------------------------------------- */

static bool id_bytes(ait_buf *b, const ait_trace *t, const ait_row *image)
{
    const char *id = t->text[AIT_X_REQUEST_ID];

    (void)image;
    return !id || ait_buf_adds(b, id);
}

static bool stat_bytes(ait_buf *b, const ait_trace *t, const ait_row *image)
{
    (void)image;
    return ait_pack_stats(b, t->stat);
}

static bool point_bytes(ait_buf *b, const ait_trace *t, const ait_row *image)
{
    ait_point usual[AIT_P_COUNT];

    ait_row_points(image, usual);
    return ait_pack_points(b, t->point, usual);
}

/* Where there is nothing to pack the column is NULL. */
static void pack(const ait_trace *t, const ait_row *image, ait_ready *r)
{
    static bool (*const side[AIT_SIDE])(ait_buf *, const ait_trace *,
                                        const ait_row *) = {
        id_bytes, stat_bytes, point_bytes,
    };
    ait_buf b = {r->side, 0, sizeof r->side, AIT_SIDE_MAX};

    for (int i = 0; i < AIT_SIDE; i++) {
        size_t from = b.len;
        if (!side[i](&b, t, image))
            AIT_BUG("more bytes than a row may have");
        r->side_len[i] = (uint16_t)(b.len - from);
    }
}

static void take_columns(const ait_row *image, ait_ready *r)
{
    r->has = UINT64_C(1) << AIT_COLUMN_COMMON;
    for (int i = 0; i < AIT_COLUMNS; i++) {
        r->value[i] = ait_row_get(image, &ait_row_columns[i]);
        r->has |= (uint64_t)ait_has(r->value[i]) << i;
    }
    for (int i = 0; i < AIT_SIDE; i++)
        r->has |= (uint64_t)(r->side_len[i] > 0) << (AIT_COLUMNS + i);
}

size_t ait_store_aside(void)
{
    return sizeof(ait_ready);
}

void ait_store_prepare(const ait_trace *t, const ait_verdict *v, void *kept)
{
    ait_ready *r = kept;
    ait_row image;

    ait_row_fill(&image, t, v);
    pack(t, &image, r);
    r->more = more_of(t, r->side_len[AIT_SIDE - 1] > 0);
    image.fact[AIT_F_MORE] = r->more;
    image.common = AIT_ABSENT;
    ait_row_pack(&image);
    take_columns(&image, r);
    ait_key_make(t, r);
    ait_common_make_key(t, &r->common);
}
