/* From the values of one object to a trace: a table of targets. */
#include <string.h>

#include "base/text.h"
#include "input/map.h"

/* ---- one record ------------------------------------------------------ */

typedef struct fill {
    ait_map_walk *walk;
    ait_trace *trace;
    ait_log_row *row;
    const ait_map_field *field; /* at hand */
    ait_usage usage;
    int64_t timing[AIT_T_COUNT];
    int64_t total; /* from whatever origin */
    int64_t clock; /* wall time of the record, of its start or its end */
    bool clock_is_end;
    int64_t attempts;
    bool no_memory;
} fill;

static void bad_value(fill *f)
{
    ait_issue_add(&f->trace->issues, AIT_I_VALUE_IGNORED);
}

static bool text_of(fill *f, ait_str *s)
{
    const ait_map_way *way;
    ait_map_got got = ait_map_get_text(f->walk, f->field->way, s, &way);

    if (got == AIT_GOT_BAD)
        bad_value(f);
    return got == AIT_GOT_VALUE;
}

/* Whole numbers of 0 and above. */
static bool number_of(fill *f, int64_t *v)
{
    const ait_map_way *way;
    ait_map_got got = ait_map_get_number(f->walk, f->field->way, v, &way);

    if (got == AIT_GOT_BAD)
        bad_value(f);
    return got == AIT_GOT_VALUE && *v >= 0;
}

static void fill_text(fill *f, int index)
{
    ait_str s;

    if (f->trace->text[index] || !text_of(f, &s))
        return;
    f->no_memory |= !ait_trace_text(f->trace, (ait_text_field)index, s.p, s.n);
}

static void fill_id(fill *f, int index)
{
    ait_str s;

    (void)index;
    if (!text_of(f, &s))
        return;
    f->no_memory |= !ait_trace_shown_id(f->trace, s.p, s.n);
}

static void fill_other_id(fill *f, int index)
{
    ait_str s;

    (void)index;
    if (text_of(f, &s))
        f->no_memory |= !ait_trace_id(f->trace, s.p, s.n);
}

static void fill_path(fill *f, int index)
{
    char path[AIT_TEXT_MAX + 1];
    ait_str s;

    if (!text_of(f, &s))
        return;
    ait_keep_path(s.p, s.n, path);
    f->no_memory |=
        !ait_trace_text(f->trace, (ait_text_field)index, path, strlen(path));
}

static void fill_error(fill *f, int index)
{
    ait_str s;

    (void)index;
    if (text_of(f, &s))
        f->no_memory |= !ait_log_error_code(f->trace, s.p, s.n);
}

static void fill_number(fill *f, int index)
{
    int64_t v;

    if (!number_of(f, &v))
        return;
    if (index == AIT_N_STATUS && (v < 100 || v > 599))
        return; /* 0 where nothing was answered */
    f->trace->num[index] = v;
}

static void fill_stream(fill *f, int index)
{
    bool v;
    ait_map_got got = ait_map_get_bool(f->walk, f->field->way, &v);

    (void)index;
    if (got == AIT_GOT_BAD)
        bad_value(f);
    if (got == AIT_GOT_VALUE)
        f->trace->stream = f->trace->asked_stream = v;
}

static void fill_time(fill *f, int index)
{
    const ait_map_way *way;
    bool zone = true;
    ait_map_got got =
        ait_map_get_time(f->walk, f->field->way, &f->clock, &zone, &way);

    (void)index;
    if (got == AIT_GOT_BAD)
        bad_value(f);
    if (got != AIT_GOT_VALUE) {
        f->clock = AIT_ABSENT;
        return;
    }
    if (!zone)
        ait_issue_add(&f->trace->issues, AIT_I_TIME_WITHOUT_ZONE);
    f->clock_is_end = way->side_end;
}

static void fill_tokens(fill *f, int offset)
{
    int64_t v;

    if (number_of(f, &v))
        *(int64_t *)(void *)((char *)&f->usage + offset) = v;
}

static void fill_estimated(fill *f, int index)
{
    bool v;

    (void)index;
    if (ait_map_get_bool(f->walk, f->field->way, &v) != AIT_GOT_VALUE || !v)
        return;
    f->trace->tokens_estimated = true;
    ait_issue_add(&f->trace->issues, AIT_I_TOKENS_ESTIMATED);
}

static void fill_attempts(fill *f, int index)
{
    int64_t v;

    (void)index;
    if (number_of(f, &v))
        f->attempts = v;
}

static void fill_attempt(fill *f, int index)
{
    int64_t v;

    (void)index;
    if (number_of(f, &v) && v >= 1 && v <= AIT_LOG_ATTEMPTS_MAX)
        f->row->attempt = v;
}

static bool duration_of(fill *f, int64_t *ns, const ait_map_way **way)
{
    ait_map_got got =
        ait_map_get_duration(f->walk, f->field->way, f->trace, ns, way);

    if (got == AIT_GOT_BAD)
        bad_value(f);
    return got == AIT_GOT_VALUE;
}

static bool is_coarse(int64_t resolution)
{
    return ait_has(resolution) && resolution >= 100 * AIT_MS;
}

static void note_resolution(ait_trace *t, int64_t resolution)
{
    if (is_coarse(resolution))
        ait_issue_add(&t->issues, AIT_I_COARSE_RESOLUTION);
}

static void fill_timing(fill *f, int index)
{
    const ait_map_way *way;
    int64_t ns;

    if (!duration_of(f, &ns, &way))
        return;
    f->timing[index] = ns;
    note_resolution(f->trace, way->resolution);
    if (ait_has(way->resolution) &&
        !(f->trace->num[AIT_N_RESOLUTION] > way->resolution))
        f->trace->num[AIT_N_RESOLUTION] = way->resolution;
}

/* The timing field that a measure is, where origin and boundary are exactly
 * that field's; the origin must also be the trace's own. */
static int field_of(const ait_trace *t, int origin, int boundary)
{
    static const struct {
        ait_origin origin;
        ait_boundary boundary;
        ait_timing_field field;
    } same[] = {
        {AIT_O_UPSTREAM_START, AIT_B_HEADERS, AIT_T_UPSTREAM_HEADERS},
        {AIT_O_GATEWAY_RECEIPT, AIT_B_HANDLER_END, AIT_T_TOTAL_HANDLER},
        {AIT_O_GATEWAY_RECEIPT, AIT_B_BODY_END, AIT_T_UPSTREAM_DONE},
        {AIT_O_GATEWAY_RECEIPT, AIT_B_FIRST_SSE_EVENT, AIT_T_FIRST_SSE_EVENT},
    };
    size_t i;

    for (i = 0; i < sizeof same / sizeof *same; i++)
        if ((int)same[i].origin == origin &&
            (int)same[i].boundary == boundary &&
            (i == 0 || t->origin == same[i].origin))
            return (int)same[i].field;
    return -1;
}

static void add_measure(fill *f, const ait_map_way *way, int origin,
                        int boundary, int64_t ns)
{
    ait_measure *m = ait_trace_measure(f->trace);

    if (!m) {
        f->no_memory = true;
        return;
    }
    m->name = f->field->target->name;
    m->source_field = way->source;
    m->value = ns;
    m->resolution = way->resolution;
    m->origin = (ait_origin)origin;
    m->boundary = (ait_boundary)boundary;
    m->quality = is_coarse(way->resolution) ? AIT_Q_COARSE : AIT_Q_OK;
}

static void fill_measure(fill *f, int index)
{
    const ait_map_target *target = f->field->target;
    bool total = strcmp(target->name, "total") == 0;
    const ait_map_way *way;
    int origin, boundary, field;
    int64_t ns;

    (void)index;
    if (!duration_of(f, &ns, &way))
        return;
    origin = way->origin >= 0 ? way->origin : target->origin;
    boundary = way->boundary >= 0 ? way->boundary : target->boundary;
    if (total) {
        f->trace->origin = (ait_origin)origin;
        f->total = ns;
    }
    note_resolution(f->trace, way->resolution);
    field = field_of(f->trace, origin, boundary);
    if (field >= 0)
        f->timing[field] = ns;
    else
        add_measure(f, way, origin, boundary, ns);
}

static void (*const fills[])(fill *f, int index) = {
    [AIT_MK_TEXT] = fill_text,         [AIT_MK_ID] = fill_id,
    [AIT_MK_OTHER_ID] = fill_other_id, [AIT_MK_PATH] = fill_path,
    [AIT_MK_ERROR] = fill_error,       [AIT_MK_NUMBER] = fill_number,
    [AIT_MK_STREAM] = fill_stream,     [AIT_MK_TIME] = fill_time,
    [AIT_MK_TOKENS] = fill_tokens,     [AIT_MK_ESTIMATED] = fill_estimated,
    [AIT_MK_ATTEMPTS] = fill_attempts, [AIT_MK_ATTEMPT] = fill_attempt,
    [AIT_MK_TIMING] = fill_timing,     [AIT_MK_MEASURE] = fill_measure,
};

/* ---- what follows from all of them ----------------------------------- */

static const ait_vantage vantages[AIT_O_COUNT] = {
    [AIT_O_GATEWAY_RECEIPT] = AIT_V_GATEWAY,
    [AIT_O_RELAY_START] = AIT_V_GATEWAY,
    [AIT_O_UPSTREAM_START] = AIT_V_GATEWAY,
    [AIT_O_REQUEST_SEND] = AIT_V_CLIENT,
    [AIT_O_FIRST_RECORD] = AIT_V_CLIENT,
    [AIT_O_SPAN_START] = AIT_V_CLIENT,
    [AIT_O_ENGINE_ARRIVAL] = AIT_V_SERVER,
    [AIT_O_ENGINE] = AIT_V_SERVER,
    [AIT_O_VENDOR_EDGE] = AIT_V_PROXY,
    [AIT_O_LOCAL] = AIT_V_GATEWAY,
};

/* Points from the timing fields. Those that count from the receipt stand on
 * the trace's axis only where that is its origin. */
static void place_points(fill *f)
{
    ait_trace *t = f->trace;
    bool from_receipt = t->origin == AIT_O_GATEWAY_RECEIPT;
    int i;

    t->vantage = vantages[t->origin];
    ait_log_point(t, AIT_P_ORIGIN, 0, 0);
    if (from_receipt)
        ait_log_point(t, AIT_P_T0, 0, 0);
    for (i = 0; i < AIT_T_COUNT; i++) {
        const ait_timing_info *info = &ait_timings[i];

        if (info->from == info->to)
            t->phase[i] = f->timing[i];
        else if (info->from != AIT_P_ORIGIN || !ait_has(f->timing[i]))
            continue;
        else if (from_receipt)
            ait_log_point(t, info->to, f->timing[i], 0);
        else
            bad_value(f);
    }
    ait_log_upstream(
        t, from_receipt ? f->timing[AIT_T_UPSTREAM_START] : AIT_ABSENT,
        f->timing[AIT_T_UPSTREAM_HEADERS]);
}

/* An end minus a total gives the start only where the total counts from
 * the receipt. */
static void place_time(fill *f)
{
    ait_trace *t = f->trace;
    int64_t whole = t->origin == AIT_O_GATEWAY_RECEIPT
                        ? f->timing[AIT_T_TOTAL_HANDLER]
                        : AIT_ABSENT;

    t->num[AIT_N_TIME] = f->clock;
    f->row->end = f->clock_is_end ? f->clock : ait_plus(f->clock, f->total);
    if (!f->clock_is_end || !ait_has(f->clock))
        return;
    if (ait_has(whole))
        t->num[AIT_N_TIME] = ait_minus(f->clock, whole);
    else
        ait_issue_add(&t->issues, AIT_I_TIME_IS_END);
}

/* Counts that do not add up to the total the log gives are no counts. */
static void check_total(fill *f)
{
    const ait_map_slots *slots = &f->walk->map->total_tokens;
    int64_t total;
    int i;

    for (i = 0; i < slots->count; i++) {
        const ait_map_value *v = &f->walk->value[slots->slot[i]];

        if (v->ref == AIT_JNONE || !ait_json_int(v->json, v->ref, &total) ||
            total == ait_plus(f->usage.prompt, f->usage.completion))
            continue;
        ait_usage_init(&f->usage);
        ait_issue_add(&f->trace->issues, AIT_I_USAGE_INCONSISTENT);
        return;
    }
}

static void place_tokens(fill *f)
{
    check_total(f);
    ait_usage_apply(f->trace, &f->usage);
    if (f->trace->tokens_source >= 0)
        f->trace->tokens_source = 1;
}

static void place_end(fill *f)
{
    static const ait_log_end unsaid;
    const ait_map_field *reason = f->walk->map->end_reason;
    const ait_map_end *end = NULL;
    ait_str s;

    f->field = reason;
    if (reason && text_of(f, &s))
        end = ait_map_end_word(s.p);
    ait_log_seal(f->trace, end ? &end->says : &unsaid);
}

static void start_fill(fill *f, ait_map_walk *w, ait_trace *t,
                       ait_log_row *row)
{
    int i;

    memset(f, 0, sizeof *f);
    f->walk = w;
    f->trace = t;
    f->row = row;
    ait_usage_init(&f->usage);
    for (i = 0; i < AIT_T_COUNT; i++)
        f->timing[i] = AIT_ABSENT;
    f->total = f->clock = f->attempts = AIT_ABSENT;
    row->key.p = NULL;
    row->failed_attempt = false;
    row->attempt = row->end = AIT_ABSENT;
    t->origin = w->map->usual_origin;
    if (w->duplicates)
        ait_issue_add(&t->issues, AIT_I_DUPLICATE_KEY);
}

/* The key under which rows of one request find each other. */
static void place_row(fill *f)
{
    const ait_map_join *join = f->walk->map->join;
    const ait_map_value *v;
    ait_str s;

    if (!join)
        return;
    v = &f->walk->value[join->slot];
    f->row->failed_attempt = ait_map_any_in(join->failed, f->walk);
    if (v->ref == AIT_JNONE ||
        ait_json_type(v->json, v->ref) != AIT_J_STRING ||
        !ait_json_nonempty(v->json, v->ref))
        return;
    s.p = v->json->text + v->json->node[v->ref].off;
    s.n = v->json->node[v->ref].len;
    f->row->key = s; /* as written: equal keys are written alike */
}

ait_log_result ait_map_fill(ait_map_walk *w, ait_json *j, ait_jref r,
                            ait_trace *t, ait_log_row *row)
{
    const ait_map *m = w->map;
    fill f;
    int i;

    if (!ait_map_walk_object(w, j, r))
        return AIT_LOG_NOMEM;
    if (m->knows_own &&
        (!ait_map_all_in(m->all, w) || ait_map_any_in(m->none, w)))
        return AIT_LOG_UNKNOWN;
    if (ait_map_any_in(m->skip_if, w) || !ait_map_all_in(m->only_if, w))
        return AIT_LOG_SKIPPED;
    start_fill(&f, w, t, row);
    for (i = 0; i < m->field_count; i++) {
        f.field = &m->field[i];
        fills[f.field->target->kind](&f, f.field->target->index);
    }
    place_points(&f);
    place_time(&f);
    place_tokens(&f);
    if (!ait_map_fill_tries(w, t))
        return AIT_LOG_NOMEM;
    if (!t->attempts && !ait_has(t->num[AIT_N_RETRIES]))
        f.no_memory |= !ait_log_attempts(t, f.attempts);
    place_end(&f);
    place_row(&f);
    return f.no_memory ? AIT_LOG_NOMEM : AIT_LOG_REQUEST;
}
