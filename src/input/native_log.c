/*
 * The native gateway log: one object a finished request, the timing fields
 * under their own names. One table of names says where each value goes.
 */
#include "base/text.h"
#include "input/keys.h"
#include "input/log.h"
#include "input/logtrace.h"
#include "input/usage.h"
#include "input/value.h"

#include <stdlib.h>
#include <string.h>

/* Times of the line's end, best first. */
enum { END_TIMESTAMP, END_TS, END_TIME, STARTED_AT, CLOCKS };

typedef struct native {
    ait_keys keys; /* index: row of `fields`, then timing fields */
    uint64_t facts; /* keys of `fields` but the id and the times */
    /* What followed each of them last time, [0] what came first: 1 + index,
     * 0 is not known. The lines of a log are alike. */
    uint8_t after[AIT_KEYS_MAX + 1];
    ait_buf scratch;
    /* of the record at hand */
    ait_json *json;
    ait_trace *trace;
    int64_t timing[AIT_T_COUNT];
    int64_t clock[CLOCKS];
    bool no_zone[CLOCKS];
    ait_usage top, inside; /* counts at the top, and in `usage` */
    int64_t attempts;
    uint64_t said; /* keys whose values were of use */
    bool no_memory;
} native;

/* Takes one value over; false: it is of the wrong type. null is absent and
 * not asked about. */
typedef bool take_fn(native *n, ait_jref r, int index);

static bool take_kept(native *n, ait_jref r, int index)
{
    ait_str s;

    if (!ait_value_text(n->json, r, &n->scratch, &s))
        return false;
    if (!ait_trace_text(n->trace, (ait_text_field)index, s.p, s.n))
        n->no_memory = true;
    if (index == AIT_X_REQUEST_ID && !ait_trace_id(n->trace, s.p, s.n))
        n->no_memory = true;
    return true;
}

static bool take_endpoint(native *n, ait_jref r, int index)
{
    char path[AIT_TEXT_MAX + 1];
    ait_str s;

    if (!ait_value_text(n->json, r, &n->scratch, &s))
        return false;
    ait_keep_path(s.p, s.n, path);
    if (!ait_trace_text(n->trace, (ait_text_field)index, path, strlen(path)))
        n->no_memory = true;
    return true;
}

static bool take_error(native *n, ait_jref r, int index)
{
    ait_str s;

    (void)index;
    if (!ait_value_text(n->json, r, &n->scratch, &s))
        return false;
    if (s.n && !ait_log_error_code(n->trace, s.p, s.n))
        n->no_memory = true;
    return true;
}

/* A count: a whole number; a negative one is absent. */
static bool count_of(native *n, ait_jref r, int64_t *out)
{
    int64_t v;

    if (!ait_value_number(n->json, r, 1, &v))
        return false;
    *out = v < 0 ? AIT_ABSENT : v;
    return true;
}

static bool take_count(native *n, ait_jref r, int index)
{
    return count_of(n, r, &n->trace->num[index]);
}

static bool take_stat(native *n, ait_jref r, int index)
{
    return count_of(n, r, &n->trace->stat[index]);
}

static bool take_attempts(native *n, ait_jref r, int index)
{
    (void)index;
    return count_of(n, r, &n->attempts);
}

static bool take_rate(native *n, ait_jref r, int index)
{
    int64_t v;

    if (!ait_value_number(n->json, r, 1000, &v))
        return false;
    n->trace->num[index] = v < 0 ? AIT_ABSENT : v;
    return true;
}

static bool take_stream(native *n, ait_jref r, int index)
{
    bool v;

    (void)index;
    if (!ait_value_bool(n->json, r, &v))
        return false;
    n->trace->stream = n->trace->asked_stream = v;
    return true;
}

static bool take_clock(native *n, ait_jref r, int index)
{
    bool zone;

    if (!ait_value_time(n->json, r, &n->clock[index], &zone))
        return false;
    n->no_zone[index] = !zone;
    return true;
}

/* Counts at the top: offsets into ait_usage. */
static bool take_tokens(native *n, ait_jref r, int offset)
{
    return count_of(n, r, (int64_t *)(void *)((char *)&n->top + offset));
}

static bool take_usage(native *n, ait_jref r, int index)
{
    (void)index;
    ait_usage_init(&n->inside);
    return ait_json_type(n->json, r) == AIT_J_OBJECT &&
           ait_usage_read(n->json, r, &n->inside) == 0;
}

static const char *const event_names[] = {"sse", "text", "reasoning", "tool"};
static const ait_stat event_stats[] = {AIT_S_EVENTS, AIT_S_TEXT,
                                       AIT_S_REASONING, AIT_S_ACTION};

static bool take_events(native *n, ait_jref r, int index)
{
    ait_jref at[4];
    bool good = true;
    int i;

    (void)index;
    if (ait_json_type(n->json, r) != AIT_J_OBJECT)
        return false;
    ait_json_pick(n->json, r, event_names, 4, at);
    for (i = 0; i < 4; i++)
        if (ait_json_type(n->json, at[i]) > AIT_J_NULL)
            good &= take_stat(n, at[i], event_stats[i]);
    return good;
}

#define TOKENS(member) (int)offsetof(ait_usage, member)

static const struct field {
    const char *name;
    take_fn *take;
    int index;
} fields[] = {
    {"request_id", take_kept, AIT_X_REQUEST_ID},
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

/* Milliseconds; negative is absent, and said. */
static bool take_timing(native *n, ait_jref r, int index)
{
    int64_t v;

    if (!ait_value_number(n->json, r, AIT_MS, &v))
        return false;
    if (v < 0)
        ait_issue_add(&n->trace->issues, AIT_I_NEGATIVE_DURATION);
    n->timing[index] = v < 0 ? AIT_ABSENT : v;
    return true;
}

/* ---- one record ------------------------------------------------------ */

static void begin(native *n, ait_json *j, ait_trace *t)
{
    int i;

    n->json = j;
    n->trace = t;
    for (i = 0; i < AIT_T_COUNT; i++)
        n->timing[i] = AIT_ABSENT;
    for (i = 0; i < CLOCKS; i++)
        n->clock[i] = AIT_ABSENT;
    memset(n->no_zone, 0, sizeof n->no_zone);
    ait_usage_init(&n->top);
    ait_usage_init(&n->inside);
    n->attempts = AIT_ABSENT;
    n->said = 0;
    n->no_memory = false;
    ait_buf_clear(&n->scratch);
}

/* The key behind the known one with index `last` (-1: the first). */
static int usual_key(native *n, const char *s, size_t len, int last)
{
    uint8_t *after = &n->after[last + 1];
    int i = *after - 1;

    if (i >= 0 && n->keys.len[i] == len &&
        memcmp(n->keys.name[i], s, len) == 0)
        return i;
    i = ait_keys_find(&n->keys, s, len);
    *after = (uint8_t)(i + 1);
    return i;
}

static int key_of(native *n, ait_jref k, int last)
{
    const ait_jnode *node = &n->json->node[k];
    ait_str s;

    if (!node->escaped)
        return usual_key(n, n->json->text + node->off, node->len, last);
    return ait_value_text(n->json, k, &n->scratch, &s)
               ? ait_keys_find(&n->keys, s.p, s.n)
               : -1;
}

/* All known keys in order, of equal ones the last; which were there. */
static uint64_t take_all(native *n, ait_jref r)
{
    ait_issue_set *issues = &n->trace->issues;
    uint64_t seen = 0;
    int last = -1;
    ait_jref k;

    for (k = ait_json_first(n->json, r); k != AIT_JNONE;
         k = ait_json_next(n->json, r, k)) {
        int i = key_of(n, k, last);
        bool good = true;

        if (i < 0)
            continue;
        last = i;
        if (seen >> i & 1)
            ait_issue_add(issues, AIT_I_DUPLICATE_KEY);
        seen |= UINT64_C(1) << i;
        if (ait_json_type(n->json, k + 1) == AIT_J_NULL)
            continue;
        if (i < FIELDS)
            good = fields[i].take(n, k + 1, fields[i].index);
        else
            good = take_timing(n, k + 1, i - FIELDS);
        if (good)
            n->said |= UINT64_C(1) << i;
        else
            ait_issue_add(issues, AIT_I_VALUE_IGNORED);
    }
    return seen;
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

static ait_log_result native_fill(void *self, ait_json *j, ait_jref r,
                                  ait_trace *t, ait_log_row *row)
{
    static const ait_log_end unsaid;
    native *n = self;
    uint64_t seen;

    row->key.p = NULL;
    begin(n, j, t);
    seen = take_all(n, r);
    if (seen >> FIELDS == 0 && !t->text[AIT_X_REQUEST_ID])
        return n->no_memory ? AIT_LOG_NOMEM : AIT_LOG_UNKNOWN;
    row->told = told_by(n, seen >> FIELDS);
    place_points(n);
    place_time(n);
    place_tokens(n);
    if (n->no_memory || !ait_log_attempts(t, n->attempts))
        return AIT_LOG_NOMEM;
    ait_log_seal(t, &unsaid);
    return AIT_LOG_REQUEST;
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
    for (i = 0; i < FIELDS; i++) {
        ait_keys_add(&n->keys, fields[i].name);
        if (fields[i].take != take_clock &&
            strcmp(fields[i].name, "request_id") != 0)
            n->facts |= UINT64_C(1) << i;
    }
    for (i = 0; i < AIT_T_COUNT; i++)
        ait_keys_add(&n->keys, ait_timings[i].name);
    return n;
}

static void native_close(void *self)
{
    native *n = self;

    if (n)
        ait_buf_free(&n->scratch);
    free(n);
}

const ait_log_kind ait_native_log = {
    .name = "native",
    .match = native_match,
    .fill = native_fill,
    .open = native_open,
    .close = native_close,
};
