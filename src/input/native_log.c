/*
 * The native gateway log: one object a finished request, the timing fields
 * under their own names. One table of names says where each value goes.
 */
#include "base/text.h"
#include "input/again.h"
#include "input/keys.h"
#include "input/log.h"
#include "input/logtrace.h"
#include "input/usage.h"
#include "input/value.h"

#include <stdlib.h>
#include <string.h>

/* Times of the line's end, best first. */
enum { END_TIMESTAMP, END_TS, END_TIME, STARTED_AT, CLOCKS };

typedef struct native native;

/* Takes one value over; false: it is of the wrong type. null is absent and
 * not asked about. */
typedef bool take_fn(native *n, const ait_jvalue *value, int index);

struct native {
    ait_keys keys; /* those of `fields`, then the timing fields */
    struct {
        take_fn *take;
        int index;
    } by_key[64];
    uint64_t facts; /* keys of `fields` but the id and the times */
    ait_json_names names; /* of the keys of lines read without a tape */
    ait_members members;
    /* By their numbers: 2 + index, 1 is none of `keys`, 0 not looked up, which
     * is always so of [0]. */
    uint8_t by_name[AIT_JSON_NAME_COUNT];
    ait_buf scratch, line;
    ait_again again;
    /* of the record at hand */
    ait_json *json; /* objects inside of it are read from its tape … */
    ait_jref at;    /* … where the value at hand stands there */
    ait_trace *trace;
    int64_t timing[AIT_T_COUNT];
    int64_t clock[CLOCKS];
    bool no_zone[CLOCKS];
    ait_usage top, inside; /* counts at the top, and in `usage` */
    int64_t attempts;
    uint64_t seen, said; /* keys; those whose values were of use */
    bool no_memory;
};

static bool take_kept(native *n, const ait_jvalue *value, int index)
{
    ait_str s;

    if (!ait_value_text(value, &n->scratch, &s))
        return false;
    if (!ait_again_text(&n->again, n->trace, (ait_text_field)index, s.p, s.n))
        n->no_memory = true;
    return true;
}

static bool take_id(native *n, const ait_jvalue *value, int index)
{
    ait_str s;

    (void)index;
    if (!ait_value_text(value, &n->scratch, &s))
        return false;
    if (!ait_trace_shown_id(n->trace, s.p, s.n))
        n->no_memory = true;
    return true;
}

static bool take_endpoint(native *n, const ait_jvalue *value, int index)
{
    char path[AIT_TEXT_MAX + 1];
    ait_str s;

    if (!ait_value_text(value, &n->scratch, &s))
        return false;
    ait_keep_path(s.p, s.n, path);
    if (!ait_trace_text(n->trace, (ait_text_field)index, path, strlen(path)))
        n->no_memory = true;
    return true;
}

static bool take_error(native *n, const ait_jvalue *value, int index)
{
    ait_str s;

    (void)index;
    if (!ait_value_text(value, &n->scratch, &s))
        return false;
    if (s.n && !ait_log_error_code(n->trace, s.p, s.n))
        n->no_memory = true;
    return true;
}

/* A count: a whole number; a negative one is absent. */
static bool count_of(const ait_jvalue *value, int64_t *out)
{
    int64_t v;

    if (!ait_value_number(value, 1, &v))
        return false;
    *out = v < 0 ? AIT_ABSENT : v;
    return true;
}

static bool take_count(native *n, const ait_jvalue *value, int index)
{
    return count_of(value, &n->trace->num[index]);
}

static bool take_stat(native *n, const ait_jvalue *value, int index)
{
    return count_of(value, &n->trace->stat[index]);
}

static bool take_attempts(native *n, const ait_jvalue *value, int index)
{
    (void)index;
    return count_of(value, &n->attempts);
}

static bool take_rate(native *n, const ait_jvalue *value, int index)
{
    int64_t v;

    if (!ait_value_number(value, 1000, &v))
        return false;
    n->trace->num[index] = v < 0 ? AIT_ABSENT : v;
    return true;
}

static bool take_stream(native *n, const ait_jvalue *value, int index)
{
    bool v;

    (void)index;
    if (!ait_value_bool(value, &v))
        return false;
    n->trace->stream = n->trace->asked_stream = v;
    return true;
}

static bool take_clock(native *n, const ait_jvalue *value, int index)
{
    bool zone;

    if (!ait_value_time(value, &n->clock[index], &zone))
        return false;
    n->no_zone[index] = !zone;
    return true;
}

/* Counts at the top: offsets into ait_usage. */
static bool take_tokens(native *n, const ait_jvalue *value, int offset)
{
    return count_of(value, (int64_t *)(void *)((char *)&n->top + offset));
}

static bool take_usage(native *n, const ait_jvalue *value, int index)
{
    (void)index;
    ait_usage_init(&n->inside);
    return value->type == AIT_J_OBJECT &&
           ait_usage_read(n->json, n->at, &n->inside) == 0;
}

static const char *const event_names[] = {"sse", "text", "reasoning", "tool"};
static const ait_stat event_stats[] = {AIT_S_EVENTS, AIT_S_TEXT,
                                       AIT_S_REASONING, AIT_S_ACTION};

static bool take_events(native *n, const ait_jvalue *value, int index)
{
    ait_jref at[4];
    bool good = true;
    int i;

    (void)index;
    if (value->type != AIT_J_OBJECT)
        return false;
    ait_json_pick(n->json, n->at, event_names, 4, at);
    for (i = 0; i < 4; i++) {
        ait_jvalue one = ait_json_value(n->json, at[i]);
        if (one.type > AIT_J_NULL)
            good &= take_stat(n, &one, event_stats[i]);
    }
    return good;
}

/* Milliseconds; negative is absent, and said. */
static bool take_timing(native *n, const ait_jvalue *value, int index)
{
    int64_t v;

    if (!ait_value_number(value, AIT_MS, &v))
        return false;
    if (v < 0)
        ait_issue_add(&n->trace->issues, AIT_I_NEGATIVE_DURATION);
    n->timing[index] = v < 0 ? AIT_ABSENT : v;
    return true;
}

#define TOKENS(member) (int)offsetof(ait_usage, member)

static const struct field {
    const char *name;
    take_fn *take;
    int index;
} fields[] = {
    {"request_id", take_id, 0},
    {"model", take_kept, AIT_X_MODEL},
    {"provider", take_kept, AIT_X_PROVIDER},
    {"group", take_kept, AIT_X_GROUP},
    {"channel", take_kept, AIT_X_CHANNEL},
    {"route", take_kept, AIT_X_ROUTE},
    {"region", take_kept, AIT_X_REGION},
    {"endpoint", take_endpoint, AIT_X_ENDPOINT},
    {"status", take_count, AIT_N_STATUS},
    {"error_code", take_error, 0},
    {"finish_reason", take_kept, AIT_X_FINISH_REASON},
    {"stream", take_stream, 0},
    {"attempts", take_attempts, 0},
    {"inflight", take_count, AIT_N_INFLIGHT},
    {"max_tokens", take_count, AIT_N_MAX_TOKENS},
    {"visible_output_tps", take_rate, AIT_N_REPORTED_TPS},
    {"prompt_tokens", take_tokens, TOKENS(prompt)},
    {"input_tokens", take_tokens, TOKENS(prompt)},
    {"completion_tokens", take_tokens, TOKENS(completion)},
    {"output_tokens", take_tokens, TOKENS(completion)},
    {"reasoning_tokens", take_tokens, TOKENS(reasoning)},
    {"cached_tokens", take_tokens, TOKENS(cached)},
    {"total_tokens", take_tokens, TOKENS(total)},
    {"usage", take_usage, 0},
    {"event_count", take_stat, AIT_S_EVENTS},
    {"event_counts", take_events, 0},
    {"timestamp", take_clock, END_TIMESTAMP},
    {"ts", take_clock, END_TS},
    {"time", take_clock, END_TIME},
    {"started_at", take_clock, STARTED_AT},
};
#define FIELDS ((int)(sizeof fields / sizeof *fields))
_Static_assert(FIELDS + AIT_T_COUNT <= 64, "keys seen are one bit each");

/* ---- one record ------------------------------------------------------ */

static void begin(native *n, ait_trace *t)
{
    int i;

    n->trace = t;
    for (i = 0; i < AIT_T_COUNT; i++)
        n->timing[i] = AIT_ABSENT;
    for (i = 0; i < CLOCKS; i++)
        n->clock[i] = AIT_ABSENT;
    memset(n->no_zone, 0, sizeof n->no_zone);
    ait_usage_init(&n->top);
    ait_usage_init(&n->inside);
    n->attempts = AIT_ABSENT;
    n->seen = n->said = 0;
    n->no_memory = false;
    ait_buf_clear(&n->scratch);
}

/* One known key; of equal ones the last counts. */
static inline void take_known(native *n, int i, const ait_jvalue *value)
{
    uint64_t bit = UINT64_C(1) << i;

    if (n->seen & bit)
        ait_issue_add(&n->trace->issues, AIT_I_DUPLICATE_KEY);
    n->seen |= bit;
    if (value->type == AIT_J_NULL)
        return;
    if (n->by_key[i].take(n, value, n->by_key[i].index))
        n->said |= bit;
    else
        ait_issue_add(&n->trace->issues, AIT_I_VALUE_IGNORED);
}

/* Index of a key on the tape, -1: none of ours. */
static int key_of(native *n, ait_jref k)
{
    ait_str s;

    return ait_node_text(n->json, k, &n->scratch, &s)
               ? ait_keys_find(&n->keys, s.p, s.n)
               : -1;
}

static void take_tape(native *n, ait_json *j, ait_jref r)
{
    ait_jref k;

    n->json = j;
    for (k = ait_json_first(j, r); k != AIT_JNONE;
         k = ait_json_next(j, r, k)) {
        ait_jvalue value = ait_json_value(j, k + 1);
        int i = key_of(n, k);

        n->at = k + 1;
        if (i >= 0)
            take_known(n, i, &value);
    }
}

/* The same by the key's number; a key without one is looked up. */
static int find_numbered(native *n, const ait_member *m)
{
    int i = ait_keys_find(&n->keys, m->key, m->key_len);

    if (m->name)
        n->by_name[m->name] = (uint8_t)(2 + i);
    return i;
}

/* The text with zero bytes behind; NULL: out of memory. */
static const char *padded(native *n, const ait_line *line)
{
    static const char pad[AIT_MEMBERS_PAD];

    if (line->padded)
        return line->p;
    ait_buf_clear(&n->line);
    return ait_buf_add(&n->line, line->p, line->n) &&
                   ait_buf_add(&n->line, pad, sizeof pad)
               ? n->line.data
               : NULL;
}

/* Without a tape; false where only that can tell. */
static bool take_members(native *n, const ait_line *line)
{
    const ait_member *m = n->members.member, *end;
    const char *text = padded(n, line);

    if (!text || !ait_members_read(&n->members, &n->names, text, line->n))
        return false;
    for (end = m + n->members.count; m < end; m++) {
        int i = n->by_name[m->name] - 2;

        if (i == -2)
            i = find_numbered(n, m);
        if (i >= 0)
            take_known(n, i, &m->value);
    }
    return true;
}

/* The points that ait_timing() gives back as the log's fields. */
static void place_points(native *n)
{
    ait_trace *t = n->trace;
    int i;

    t->vantage = AIT_V_GATEWAY;
    t->origin = AIT_O_GATEWAY_RECEIPT;
    ait_log_point(t, AIT_P_ORIGIN, 0, 0);
    ait_log_point(t, AIT_P_T0, 0, 0);
    for (i = 0; i < AIT_T_COUNT; i++) {
        const ait_timing_info *info = &ait_timings[i];

        if (info->from == info->to)
            t->phase[i] = n->timing[i];
        else if (info->from == AIT_P_ORIGIN)
            ait_log_point(t, info->to, n->timing[i], 0);
    }
    ait_log_upstream(t, n->timing[AIT_T_UPSTREAM_START],
                     n->timing[AIT_T_UPSTREAM_HEADERS]);
    if (n->attempts == 1)
        t->point[AIT_P_T1_FIRST] = t->point[AIT_P_T1];
}

/* The line's time is its end; the start lies the whole time before it. */
static void place_time(native *n)
{
    int64_t total = n->timing[AIT_T_TOTAL_HANDLER], end = AIT_ABSENT;
    ait_trace *t = n->trace;
    int used = STARTED_AT, i;

    for (i = 0; i < STARTED_AT && !ait_has(n->clock[used]); i++)
        if (ait_has(n->clock[i]))
            used = i;
    if (!ait_has(n->clock[used]))
        return;
    if (n->no_zone[used])
        ait_issue_add(&t->issues, AIT_I_TIME_WITHOUT_ZONE);
    if (used == STARTED_AT) {
        t->num[AIT_N_TIME] = n->clock[STARTED_AT];
        return;
    }
    end = n->clock[used];
    t->num[AIT_N_TIME] = ait_minus(end, total);
    if (ait_has(t->num[AIT_N_TIME]))
        return;
    t->num[AIT_N_TIME] = end;
    ait_issue_add(&t->issues, AIT_I_TIME_IS_END);
}

static void place_tokens(native *n)
{
    ait_usage usage = n->inside;

    ait_usage_merge(&usage, &n->top);
    ait_usage_apply(n->trace, &usage);
    if (n->trace->tokens_source >= 0)
        n->trace->tokens_source = 1;
}

/* A request that failed early has no figures to show, and stays in all the
 * same. Messages may carry the id and the time of a request, too. */
static ait_log_told told_by(const native *n, uint64_t timings)
{
    bool id = n->trace->text[AIT_X_REQUEST_ID] != NULL;

    if (id && (timings & (timings - 1)) != 0) /* two or more */
        return AIT_TOLD_SURELY;
    return timings || n->said & n->facts ? AIT_TOLD_SOMEHOW : AIT_TOLD_HARDLY;
}

/* All that was taken becomes the trace. */
static ait_log_result finish(native *n, ait_log_row *row)
{
    static const ait_log_end unsaid;
    uint64_t timings = n->seen >> FIELDS;
    ait_trace *t = n->trace;

    row->key.p = NULL;
    if (timings == 0 && !t->text[AIT_X_REQUEST_ID])
        return n->no_memory ? AIT_LOG_NOMEM : AIT_LOG_UNKNOWN;
    row->told = told_by(n, timings);
    place_points(n);
    place_time(n);
    place_tokens(n);
    if (n->no_memory || !ait_log_attempts(t, n->attempts))
        return AIT_LOG_NOMEM;
    ait_log_seal(t, &unsaid);
    return AIT_LOG_REQUEST;
}

static ait_log_result native_fill(void *self, ait_json *j, ait_jref r,
                                  ait_trace *t, ait_log_row *row)
{
    native *n = self;

    begin(n, t);
    take_tape(n, j, r);
    return finish(n, row);
}

static ait_log_result native_read(void *self, const ait_line *line,
                                  ait_trace *t, ait_log_row *row)
{
    native *n = self;

    begin(n, t);
    return take_members(n, line) ? finish(n, row) : AIT_LOG_UNKNOWN;
}

/* ---- the kind -------------------------------------------------------- */

static bool is_number_or_null(const ait_json *j, ait_jref r)
{
    ait_jtype type = ait_json_type(j, r);

    return type == AIT_J_NUMBER || type == AIT_J_NULL;
}

/* A request id and two timing fields; the total may be missing. */
static bool native_match(const ait_log_kind *k, ait_json *j, ait_jref r)
{
    static const char *const id[] = {"request_id"};
    const char *names[AIT_T_COUNT];
    ait_jref at[AIT_T_COUNT], id_at, total;
    int i, timings = 0;

    (void)k;
    for (i = 0; i < AIT_T_COUNT; i++)
        names[i] = ait_timings[i].name;
    ait_json_pick(j, r, id, 1, &id_at);
    ait_json_pick(j, r, names, AIT_T_COUNT, at);
    for (i = 0; i < AIT_T_COUNT; i++)
        timings += is_number_or_null(j, at[i]);
    total = at[AIT_T_TOTAL_HANDLER];
    return ait_json_type(j, id_at) == AIT_J_STRING &&
           (total == AIT_JNONE || is_number_or_null(j, total)) &&
           timings >= 2;
}

static void *native_open(const ait_log_kind *k)
{
    native *n = ait_alloc(sizeof *n);
    int i;

    (void)k;
    if (!n)
        return NULL;
    ait_buf_init(&n->scratch, AIT_LINE_MAX);
    ait_buf_init(&n->line, AIT_LINE_MAX + AIT_MEMBERS_PAD);
    for (i = 0; i < FIELDS; i++) {
        ait_keys_add(&n->keys, fields[i].name);
        n->by_key[i].take = fields[i].take;
        n->by_key[i].index = fields[i].index;
        if (fields[i].take != take_clock &&
            strcmp(fields[i].name, "request_id") != 0)
            n->facts |= UINT64_C(1) << i;
    }
    for (i = 0; i < AIT_T_COUNT; i++) {
        ait_keys_add(&n->keys, ait_timings[i].name);
        n->by_key[FIELDS + i].take = take_timing;
        n->by_key[FIELDS + i].index = i;
    }
    return n;
}

static void native_close(void *self)
{
    native *n = self;

    if (!n)
        return;
    ait_buf_free(&n->scratch);
    ait_buf_free(&n->line);
    free(n);
}

const ait_log_kind ait_native_log = {
    .name = "native",
    .match = native_match,
    .fill = native_fill,
    .read = native_read,
    .open = native_open,
    .close = native_close,
};
