/*
 * A request that an earlier file brought in another state: a recording goes
 * on while it is imported, and its file comes again, longer. Only what
 * earlier files brought is looked at, so that the result does not depend on
 * how a file is stored.
 *
 * Where the source has a name for the request (native captures: segment and
 * req), that name finds it, whatever its outcome was: an answer may be
 * complete before its end, its `done` or a retry is recorded. Elsewhere it
 * must have been left open, and have the same ids, start and format.
 */
#include <string.h>

#include "store/private.h"

static bool has_id(const ait_trace *t, const char *value)
{
    for (const ait_id *id = t->ids; id; id = id->next)
        if (strcmp(id->value, value) == 0)
            return true;
    return false;
}

/* Every id of `part` is one of `whole`. A recording cut before the answer's
 * headers does not have the ids that came with them. */
static bool ids_within(const ait_trace *part, const ait_trace *whole)
{
    if (!part->ids)
        return false;
    for (const ait_id *id = part->ids; id; id = id->next)
        if (!has_id(whole, id->value))
            return false;
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_start(const ait_trace *a, const ait_trace *b)
{
    return a->num[AIT_N_TIME] == b->num[AIT_N_TIME] &&
           same_text(a->text[AIT_X_FORMAT], b->text[AIT_X_FORMAT]);
}

static int64_t last_moment(const ait_trace *t)
{
    int64_t last = AIT_ABSENT;

    for (int i = 0; i < AIT_P_COUNT; i++)
        if (t->point[i].axis == 0 && t->point[i].ns > last)
            last = t->point[i].ns;
    return last;
}

/* How far a recording got: its events, then its last moment. */
static bool got_further(const ait_trace *a, const ait_trace *b)
{
    int64_t x = a->stat[AIT_S_EVENTS], y = b->stat[AIT_S_EVENTS];

    if (a->outcome != AIT_OUT_TRUNCATED_CAPTURE)
        return true;
    if (x != y)
        return x > y;
    return last_moment(a) > last_moment(b);
}

/* One candidate: *row is set where it is the same request. */
static ait_code judge(ait_store *s, const ait_trace *t, ait_trace *stored,
                      int64_t candidate, int64_t *row, bool *replace,
                      ait_error *err)
{
    bool found, open;
    ait_code rc = ait_read_request(s, candidate, stored, &found, err);

    if (rc != AIT_OK || !found || !same_start(t, stored))
        return rc;
    open = stored->outcome == AIT_OUT_TRUNCATED_CAPTURE;
    if (open && ids_within(stored, t) && got_further(t, stored)) {
        *row = candidate;
        *replace = true;
        return ait_key_drop(s, stored, candidate, err);
    }
    if (t->outcome == AIT_OUT_TRUNCATED_CAPTURE && ids_within(t, stored))
        *row = candidate;
    return AIT_OK;
}

/* Steps through candidates until one is the same request. */
static ait_code judge_all(ait_store *s, sqlite3_stmt *st,
                          const ait_trace *t, int64_t *row, bool *replace,
                          ait_error *err)
{
    ait_trace stored;
    ait_code rc = AIT_OK;
    bool more = true;

    ait_trace_init(&stored);
    while (rc == AIT_OK && more && !ait_has(*row)) {
        int64_t candidate;
        rc = ait_db_step(s, st, &more, err);
        if (rc != AIT_OK || !more)
            break;
        candidate = sqlite3_column_int64(st, 0);
        if (candidate < s->first_row)
            rc = judge(s, t, &stored, candidate, row, replace, err);
    }
    sqlite3_reset(st);
    ait_trace_free(&stored);
    return rc;
}

/* ---- by the source's own name --------------------------------------- */

/* Each never goes back while a recording grows, an earlier one weighs
 * more: the attempt that serves may change with the number of attempts or
 * of ends, and then the rest starts anew. */
enum {
    STEP_ATTEMPTS,
    STEP_ENDS,
    STEP_CLOSED,
    STEP_EVENTS,
    STEP_READS,
    STEP_LAST,
    STEP_KNOWN,
    STEPS
};

static int64_t counted(const ait_trace *t, ait_stat stat)
{
    return ait_has(t->stat[stat]) ? t->stat[stat] : 0;
}

/* How much is known, whatever it is: a late phase or measure, a status. */
static int64_t known(const ait_trace *t)
{
    int64_t n = 0;

    for (int i = 0; i < AIT_P_COUNT; i++)
        n += ait_has(t->point[i].ns);
    for (int i = 0; i < AIT_N_COUNT; i++)
        n += ait_has(t->num[i]);
    for (int i = 0; i < 3; i++)
        n += ait_has(t->phase[i]);
    for (const ait_measure *m = t->measures; m; m = m->next)
        n++;
    for (const ait_id *id = t->ids; id; id = id->next)
        n++;
    return n;
}

static void steps_of(const ait_trace *t, int64_t step[STEPS])
{
    step[STEP_ATTEMPTS] = step[STEP_ENDS] = 0;
    for (const ait_attempt *a = t->attempts; a; a = a->next) {
        step[STEP_ATTEMPTS]++;
        step[STEP_ENDS] += ait_has(a->done);
    }
    step[STEP_CLOSED] = t->outcome != AIT_OUT_TRUNCATED_CAPTURE;
    step[STEP_EVENTS] = counted(t, AIT_S_EVENTS);
    step[STEP_READS] = counted(t, AIT_S_READS);
    step[STEP_LAST] = last_moment(t);
    step[STEP_KNOWN] = known(t);
}

static bool grew(const ait_trace *stored, const ait_trace *t)
{
    int64_t was[STEPS], is[STEPS];

    steps_of(stored, was);
    steps_of(t, is);
    for (int i = 0; i < STEPS; i++)
        if (was[i] != is[i])
            return is[i] > was[i];
    return false;
}

/* A name is used again where the request starts at another time; without
 * `recv` and `send` the start is that of whatever came first. */
static bool same_request(const ait_trace *a, const ait_trace *b)
{
    return same_text(a->text[AIT_X_FORMAT], b->text[AIT_X_FORMAT]) &&
           a->origin == b->origin &&
           (a->num[AIT_N_TIME] == b->num[AIT_N_TIME] ||
            a->origin == AIT_O_FIRST_RECORD);
}

static ait_code by_source(ait_store *s, const ait_trace *t, int64_t *row,
                          bool *replace, ait_error *err)
{
    ait_code rc = AIT_OK;
    uint64_t name = t->source;
    ait_trace stored;

    ait_trace_init(&stored);
    while (rc == AIT_OK && !ait_has(*row)) {
        int64_t candidate;
        bool found;

        rc = ait_key_source(s, &name, &candidate, err);
        if (rc != AIT_OK || !ait_has(candidate))
            break;
        if (candidate >= s->first_row)
            continue;
        rc = ait_read_request(s, candidate, &stored, &found, err);
        if (rc == AIT_OK && found && same_request(&stored, t))
            *row = candidate;
    }
    if (rc == AIT_OK && ait_has(*row) && grew(&stored, t)) {
        *replace = true;
        stored.source = t->source;
        rc = ait_key_drop(s, &stored, *row, err);
    }
    ait_trace_free(&stored);
    return rc;
}

/* ---- by ids and start, where it was left open ----------------------- */

static ait_code among_open(ait_store *s, const ait_trace *t, int64_t *row,
                           bool *replace, ait_error *err)
{
    const char *text = t->text[AIT_X_FORMAT];
    int64_t format = AIT_ABSENT;
    sqlite3_stmt *st;
    ait_code rc = text ? ait_dict_find(s, text, &format, err) : AIT_OK;

    if (rc != AIT_OK || (text && !ait_has(format)))
        return rc;
    rc = ait_db_stmt(s, AIT_ST_OPEN_FIND, &st, err);
    if (rc != AIT_OK)
        return rc;
    ait_bind_int(st, 1, t->num[AIT_N_TIME]);
    ait_bind_int(st, 2, format);
    ait_bind_int(st, 3, s->first_row);
    return judge_all(s, st, t, row, replace, err);
}

static ait_code among_ids(ait_store *s, const ait_trace *t, int64_t *row,
                          bool *replace, ait_error *err)
{
    int64_t low, high;
    sqlite3_stmt *st;
    ait_code rc = ait_db_stmt(s, AIT_ST_KEY_RANGE, &st, err);

    if (rc != AIT_OK)
        return rc;
    ait_key_bounds(t->ids->value, &low, &high);
    sqlite3_bind_int64(st, 1, low);
    sqlite3_bind_int64(st, 2, high);
    return judge_all(s, st, t, row, replace, err);
}

ait_code ait_earlier_match(ait_store *s, const ait_trace *t, int64_t *row,
                           bool *replace, ait_error *err)
{
    ait_code rc = AIT_OK;

    *row = AIT_ABSENT;
    *replace = false;
    if (t->source)
        return s->had_keys ? by_source(s, t, row, replace, err) : AIT_OK;
    if (!t->ids)
        return AIT_OK;
    if (s->had_open)
        rc = among_open(s, t, row, replace, err);
    if (rc == AIT_OK && !ait_has(*row) && s->had_keys &&
        t->outcome == AIT_OUT_TRUNCATED_CAPTURE)
        rc = among_ids(s, t, row, replace, err);
    return rc;
}
