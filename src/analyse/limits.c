/* The limits of the rules: one table, and reading another set of values. */
#include "analyse/analyse.h"

#include <string.h>

#include "base/json.h"
#include "base/text.h"

#define MS(n) ((n)*AIT_MS)

/* Values in the unit's inner form: ns, counts, thousandths. */
const ait_limit_info ait_limits[AIT_L_COUNT] = {
    [AIT_L_HEADERS_SLOW_MS] = {"headers_slow_ms", AIT_U_MS, MS(2000),
        "upstream start to headers"},
    [AIT_L_FIRST_RESPONSE_SLOW_MS] = {"first_response_slow_ms", AIT_U_MS,
        MS(3000), "headers to first response"},
    [AIT_L_EVENT_BEFORE_RESPONSE_MS] = {"event_before_response_ms",
        AIT_U_MS, MS(2000), "first event to first response"},
    [AIT_L_ACTION_BEFORE_TEXT_MS] = {"action_before_text_ms", AIT_U_MS,
        MS(2000), "first response to first visible text"},
    [AIT_L_SLOW_DECODE_TPS] = {"slow_decode_tps", AIT_U_RATE, 15000,
        "visible tokens a second below which writing is slow"},
    [AIT_L_SLOW_DECODE_WINDOW_MS] = {"slow_decode_window_ms", AIT_U_MS,
        MS(3000), "shortest visible window that is judged"},
    [AIT_L_LOCAL_OVERHEAD_MS] = {"local_overhead_ms", AIT_U_MS, MS(1000),
        "time before and after the upstream"},
    [AIT_L_STREAM_STALLED_MS] = {"stream_stalled_ms", AIT_U_MS, MS(5000),
        "silence after the first response"},
    [AIT_L_BURSTY_EVENTS] = {"bursty_events", AIT_U_COUNT, 5,
        "fewest text events that are judged"},
    [AIT_L_BURSTY_READ_RATIO] = {"bursty_read_ratio", AIT_U_SHARE, 250,
        "reads per text event at or below which delivery is bursty"},
    [AIT_L_BURSTY_TEXT_READS] = {"bursty_text_reads", AIT_U_COUNT, 3,
        "fewest reads with text that are judged"},
    [AIT_L_BURSTY_SHARE] = {"bursty_share", AIT_U_SHARE, 500,
        "share of the text in one read after a silence"},
    [AIT_L_BURSTY_SILENCE_MS] = {"bursty_silence_ms", AIT_U_MS, MS(1000),
        "silence before that read"},
    [AIT_L_BUFFERED_EVENTS] = {"buffered_events", AIT_U_COUNT, 10,
        "fewest text events that are judged"},
    [AIT_L_BUFFERED_SHARE] = {"buffered_share", AIT_U_SHARE, 50,
        "share of the time to the end that the text took"},
    [AIT_L_BUFFERED_MS_PER_EVENT] = {"buffered_ms_per_event", AIT_U_MS,
        MS(1), "time a text event"},
    [AIT_L_BUFFERED_BODY_MS] = {"buffered_body_ms", AIT_U_MS, MS(1),
        "headers to the end of a body with text"},
    [AIT_L_BUDGET_TEXT_SHARE] = {"budget_text_share", AIT_U_SHARE, 100,
        "visible share of the output below which nothing was left"},
    [AIT_L_BUDGET_REASONING_SHARE] = {"budget_reasoning_share",
        AIT_U_SHARE, 900, "reasoning share of the output"},
    [AIT_L_SHARE] = {"share", AIT_U_SHARE, 500,
        "share of the end-to-end time at which a phase is named"},
    [AIT_L_SHARE_FLOOR_MS] = {"share_floor_ms", AIT_U_MS, MS(500),
        "shortest phase that is named for its share"},
};

void ait_thresholds_init(ait_thresholds *t)
{
    for (int i = 0; i < AIT_L_COUNT; i++)
        t->value[i] = ait_limits[i].value;
}

/* What one unit of the file is in the inner form. */
static int64_t scale_of(ait_unit unit)
{
    return unit == AIT_U_MS ? AIT_MS : unit == AIT_U_COUNT ? 1 : 1000;
}

static int limit_find(const char *name)
{
    for (int i = 0; i < AIT_L_COUNT; i++)
        if (strcmp(ait_limits[i].name, name) == 0)
            return i;
    return -1;
}

static const char *nearest_limit(const char *name)
{
    const char *names[AIT_L_COUNT + 1];

    for (int i = 0; i < AIT_L_COUNT; i++)
        names[i] = ait_limits[i].name;
    names[AIT_L_COUNT] = NULL;
    return ait_nearest(name, names);
}

/* One thresholds text while it is read. */
typedef struct reading {
    ait_json json;
    const char *source;
    ait_error *err;
    char key[AIT_TEXT_MAX + 1]; /* of the member at hand */
} reading;

/* Line and column of a byte of the text. */
static void place(const reading *r, size_t at)
{
    int64_t line = 1, column = 1;

    for (size_t i = 0; i < at && i < r->json.len; i++, column++)
        if (r->json.text[i] == '\n') {
            line++;
            column = 0;
        }
    ait_error_place(r->err, r->source, line, column, (int64_t)at);
}

static ait_code unknown_key(reading *r, ait_jref key)
{
    const char *near = nearest_limit(r->key);

    ait_fail(r->err, AIT_EUSAGE, "unknown limit \"%s\"", r->key);
    place(r, r->json.node[key].off);
    if (near)
        ait_error_hint(r->err, "did you mean \"%s\"?", near);
    return AIT_EUSAGE;
}

static ait_code bad_value(reading *r, ait_jref value, int limit,
                          const char *why)
{
    ait_fail(r->err, AIT_EUSAGE, "limit \"%s\" cannot be used", r->key);
    ait_error_reason(r->err, "%s", why);
    place(r, r->json.node[value].off);
    ait_error_hint(r->err, "a number %s: %s",
                   ait_limits[limit].unit == AIT_U_SHARE ? "from 0 to 1"
                                                         : "of 0 or more",
                   ait_limits[limit].what);
    return AIT_EUSAGE;
}

static ait_code read_value(reading *r, ait_jref value, int limit,
                           int64_t *out)
{
    ait_unit unit = ait_limits[limit].unit;
    int64_t v;

    if (ait_json_type(&r->json, value) != AIT_J_NUMBER)
        return bad_value(r, value, limit, "it is not a number");
    if (unit == AIT_U_COUNT ? !ait_json_int(&r->json, value, &v)
                            : !ait_json_decimal(&r->json, value,
                                                scale_of(unit), &v))
        return bad_value(r, value, limit,
                         unit == AIT_U_COUNT ? "it is not a whole number"
                                             : "it is too large");
    if (v < 0)
        return bad_value(r, value, limit, "it is negative");
    if (unit == AIT_U_SHARE && v > scale_of(unit))
        return bad_value(r, value, limit, "a share is at most 1");
    *out = v;
    return AIT_OK;
}

static ait_code read_member(reading *r, ait_jref key, ait_thresholds *t)
{
    ait_buf name;
    int limit;

    /* A key is shown in the message: cleaned and capped like kept text. */
    ait_buf_init(&name, 65536);
    if (!ait_json_text(&r->json, key, &name))
        ait_buf_clear(&name);
    ait_keep_text(name.data ? name.data : "", name.len, r->key);
    ait_buf_free(&name);
    limit = limit_find(r->key);
    if (limit < 0)
        return unknown_key(r, key);
    return read_value(r, key + 1, limit, &t->value[limit]);
}

static ait_code parse(reading *r, const char *json, size_t n)
{
    if (ait_json_parse(&r->json, json, n)) {
        if (ait_json_type(&r->json, AIT_JROOT) == AIT_J_OBJECT)
            return AIT_OK;
        ait_fail(r->err, AIT_EUSAGE, "thresholds are not a JSON object");
        place(r, 0);
    } else if (r->json.out_of_memory) {
        return ait_fail(r->err, AIT_ENOMEM, "thresholds are too large");
    } else {
        ait_fail(r->err, AIT_EUSAGE, "thresholds are not JSON");
        ait_error_reason(r->err, "%s", r->json.why);
        place(r, r->json.error_at);
    }
    ait_error_hint(r->err, "for example {\"headers_slow_ms\": 2500}");
    return AIT_EUSAGE;
}

ait_code ait_thresholds_read(ait_thresholds *t, const char *json, size_t n,
                             const char *source, ait_error *err)
{
    ait_thresholds read = *t; /* `t` changes only if all is well */
    reading r = {.source = source, .err = err};
    ait_code code;

    ait_json_init(&r.json, 4096);
    code = parse(&r, json, n);
    if (code != AIT_OK)
        goto out;
    for (ait_jref k = ait_json_first(&r.json, AIT_JROOT);
         k != AIT_JNONE && code == AIT_OK;
         k = ait_json_next(&r.json, AIT_JROOT, k))
        code = read_member(&r, k, &read);
    if (code == AIT_OK)
        *t = read;
out:
    ait_json_free(&r.json);
    return code;
}
