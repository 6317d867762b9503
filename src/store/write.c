/* A trace into its tables, and out of them. */
#include <string.h>

#include "store/private.h"

static int64_t part_row(int64_t row, int64_t place)
{
    return row << AIT_PART_SHIFT | place;
}

/* ---- the parts ----------------------------------------------------- */

static ait_code attempt_texts(ait_store *s, const ait_attempt *a,
                              int64_t id[3], ait_error *err)
{
    ait_code rc = ait_dict_put(s, a->upstream, &id[0], err);

    if (rc == AIT_OK)
        rc = ait_dict_put(s, a->channel, &id[1], err);
    return rc == AIT_OK ? ait_dict_put(s, a->error_code, &id[2], err) : rc;
}

static ait_code write_attempt(ait_store *s, const ait_attempt *a,
                              bool serving, int64_t row, ait_error *err)
{
    int64_t text[3];
    sqlite3_stmt *st;
    ait_code rc = attempt_texts(s, a, text, err);

    if (rc == AIT_OK)
        rc = ait_db_stmt(s, AIT_ST_ATTEMPT_ADD, &st, err);
    if (rc != AIT_OK)
        return rc;
    const int64_t values[] = {
        row, a->number, serving, text[0], text[1], text[2], a->status,
        a->outcome < 0 ? AIT_ABSENT : a->outcome, a->start, a->done,
        a->headers, a->retry_after, a->wait_before, a->timeline_base,
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ait_bind_int(st, (int)i + 1, values[i]);
    sqlite3_bind_blob(st, 15, a->timeline, (int)a->timeline_len,
                      SQLITE_STATIC); /* NULL is bound as such */
    return ait_db_run(s, st, err);
}

static ait_code write_attempts(ait_store *s, const ait_trace *t, int64_t row,
                               ait_error *err)
{
    int64_t place = 0;
    ait_code rc = AIT_OK;

    for (const ait_attempt *a = t->attempts; rc == AIT_OK && a;
         a = a->next) {
        if (place > AIT_PART_MAX)
            return ait_fail(err, AIT_ENOMEM,
                            "a request has too many attempts");
        rc = write_attempt(s, a, a == t->serving, part_row(row, place++),
                           err);
    }
    return rc;
}

static ait_code write_measures(ait_store *s, const ait_trace *t, int64_t row,
                               ait_error *err)
{
    int64_t place = 0, kind;
    ait_code rc = AIT_OK;

    for (const ait_measure *m = t->measures; rc == AIT_OK && m;
         m = m->next) {
        if (place > AIT_PART_MAX)
            return ait_fail(err, AIT_ENOMEM,
                            "a request has too many measures");
        rc = ait_kind_put(s, m, &kind, err);
        if (rc == AIT_OK)
            rc = ait_batch_part(s, AIT_BATCH_MEASURES, part_row(row, place++),
                                kind, m->value, err);
    }
    return rc;
}

static ait_code write_issues(ait_store *s, const ait_trace *t, int64_t row,
                             ait_error *err)
{
    int64_t place = 0, name;
    ait_code rc = AIT_OK;

    for (int i = 0; rc == AIT_OK && i < AIT_I_COUNT; i++) {
        if (!t->issues.count[i])
            continue;
        rc = ait_dict_put(s, ait_issues[i].name, &name, err);
        if (rc == AIT_OK)
            rc = ait_batch_part(s, AIT_BATCH_ISSUES, part_row(row, place++),
                                name, t->issues.count[i], err);
    }
    return rc;
}

static ait_code write_ids(ait_store *s, const ait_trace *t, int64_t row,
                          ait_error *err)
{
    int64_t place = 0;
    ait_code rc = AIT_OK;

    for (const ait_id *id = t->ids; rc == AIT_OK && id; id = id->next)
        rc = ait_batch_id(s, part_row(row, place++), id->value, err);
    return rc;
}

/* Only where the points are not those that the timing fields say: then SQL
 * cannot subtract for itself. */
static ait_code write_gaps(ait_store *s, const ait_trace *t, int64_t row,
                           ait_error *err)
{
    ait_code rc = AIT_OK;

    for (int i = 0; rc == AIT_OK && i < AIT_G_LONGEST; i++) {
        int64_t ns = ait_gap(t, (ait_gap_field)i);
        if (ait_has(ns))
            rc = ait_batch_part(s, AIT_BATCH_GAPS, part_row(row, i), ns,
                                AIT_ABSENT, err);
    }
    return rc;
}

static ait_code write_parts(ait_store *s, const ait_trace *t, int64_t row,
                            int64_t more, ait_error *err)
{
    static const struct {
        int64_t bit;
        ait_code (*write)(ait_store *, const ait_trace *, int64_t,
                          ait_error *);
    } parts[] = {
        {AIT_MORE_ATTEMPTS, write_attempts},
        {AIT_MORE_MEASURES, write_measures},
        {AIT_MORE_ISSUES, write_issues},
        {AIT_MORE_IDS, write_ids},
        {AIT_MORE_GAPS, write_gaps},
    };
    ait_code rc = AIT_OK;

    for (size_t i = 0; rc == AIT_OK && i < sizeof parts / sizeof *parts; i++)
        if (more & parts[i].bit)
            rc = parts[i].write(s, t, row, err);
    return rc;
}

/* ---- the request --------------------------------------------------- */

ait_code ait_write_request(ait_store *s, const ait_trace *t,
                           const ait_ready *r, int64_t row, ait_error *err)
{
    int64_t common;
    ait_code rc = ait_batch_room(s, err);

    if (rc == AIT_OK)
        rc = ait_common_put(s, t, &r->common, &common, err);
    if (rc == AIT_OK)
        rc = ait_batch_add(s, r, row, common, err);
    if (rc == AIT_OK && r->more)
        rc = write_parts(s, t, row, r->more, err);
    return rc;
}

ait_code ait_delete_request(ait_store *s, int64_t row, ait_error *err)
{
    static const ait_stmt_id parts[] = {
        AIT_ST_ATTEMPT_DELETE, AIT_ST_MEASURE_DELETE, AIT_ST_ISSUE_DELETE,
        AIT_ST_ID_DELETE, AIT_ST_GAP_DELETE,
    };
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_REQUEST_DELETE, &st, err);

    if (rc != AIT_OK)
        return rc;
    ait_bind_int(st, 1, row);
    rc = ait_db_run(s, st, err);
    for (size_t i = 0; rc == AIT_OK && i < sizeof parts / sizeof *parts; i++) {
        rc = ait_db_stmt(s, parts[i], &st, err);
        if (rc != AIT_OK)
            break;
        ait_bind_int(st, 1, part_row(row, 0));
        ait_bind_int(st, 2, part_row(row, AIT_PART_MAX));
        rc = ait_db_run(s, st, err);
    }
    return rc;
}
