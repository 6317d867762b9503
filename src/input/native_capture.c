/*
 * Native captures: each line parsed once into a record. This is the hot path
 * of large imports: keys are looked up by length and bytes, text stays in
 * the line unless it holds an escape.
 */
#include "base/text.h"
#include "input/capture_fast.h"
#include "input/jsonline.h"
#include "input/keys.h"
#include "input/reader.h"
#include "input/usage.h"
#include "input/value.h"

#include <stdlib.h>
#include <string.h>

typedef struct capture {
    ait_reading *reading;
    ait_lines lines;
    ait_jsonline json;
    ait_keys keys;   /* index: row of `members` */
    ait_keys types;  /* index: ait_record_type */
    ait_buf scratch; /* unescaped text of one record */
    ait_record record;
    ait_record data; /* empty but for what every read has */
} capture;

/* ---- values of members ----------------------------------------------- */

/* Takes over one value; false where it is of the wrong type. null is
 * absent, and not asked about. */
typedef bool take_fn(capture *c, ait_jref value, int index);

/*
 * Channels and the like are often numbers. The scratch buffer has room for
 * the whole line twice, and nothing grows when it is unescaped, nor when the
 * base64 in it is decoded behind it: spans into it stay valid.
 */
static bool text_of(capture *c, ait_jref r, ait_str *out)
{
    return ait_node_text(&c->json.json, r, &c->scratch, out);
}

static bool take_text(capture *c, ait_jref r, int index)
{
    return text_of(c, r, &c->record.text[index]);
}

static bool take_int(capture *c, ait_jref r, int index)
{
    return ait_json_int(&c->json.json, r, &c->record.num[index]);
}

/* What is no integer is a version all the same, and not this one. */
static bool take_version(capture *c, ait_jref r, int index)
{
    if (!ait_json_int(&c->json.json, r, &c->record.num[index]))
        c->record.num[index] = 0;
    return true;
}

static bool take_millionths(capture *c, ait_jref r, int index)
{
    return ait_json_decimal(&c->json.json, r, 1000000, &c->record.num[index]);
}

enum { FLAG_STREAM, FLAG_REUSED, FLAG_UNTIMED };

static bool take_flag(capture *c, ait_jref r, int index)
{
    bool v;

    if (!ait_json_bool(&c->json.json, r, &v))
        return false;
    if (index == FLAG_STREAM)
        c->record.stream = v;
    else if (index == FLAG_REUSED)
        c->record.reused = v;
    else
        c->record.untimed = v;
    return true;
}

static bool take_type(capture *c, ait_jref r, int index)
{
    ait_str name;
    int type;

    (void)index;
    if (ait_json_type(&c->json.json, r) != AIT_J_STRING ||
        !text_of(c, r, &name))
        return false;
    type = ait_keys_find(&c->types, name.p, name.n);
    c->record.type = type < 0 ? AIT_REC_COUNT : (ait_record_type)type;
    return true;
}

/* Bytes that are not base64 are lost; the read itself still happened. */
static bool take_base64(capture *c, ait_jref r, int index)
{
    ait_str coded;
    size_t at;

    if (ait_json_type(&c->json.json, r) != AIT_J_STRING ||
        !text_of(c, r, &coded))
        return false;
    at = c->scratch.len;
    if (!ait_base64_read(coded.p, coded.n, &c->scratch)) {
        ait_file_bad_line(c->reading->report, c->record.line,
                          "data_base64 is not base64");
        return true;
    }
    c->record.text[index].p = c->scratch.data ? c->scratch.data + at : "";
    c->record.text[index].n = c->scratch.len - at;
    return true;
}

/* A header's value; of several the first. */
static bool header_value(capture *c, ait_jref r, ait_str *out)
{
    if (ait_json_type(&c->json.json, r) == AIT_J_ARRAY)
        r = ait_json_first(&c->json.json, r);
    return r != AIT_JNONE && text_of(c, r, out);
}

/* Header names and values, for `headers` and `ids`. */
static bool take_headers(capture *c, ait_jref r, int index)
{
    const ait_json *j = &c->json.json;
    bool good = ait_json_type(j, r) == AIT_J_OBJECT;
    ait_jref k;

    (void)index;
    c->record.headers = 0;
    for (k = good ? ait_json_first(j, r) : AIT_JNONE; k != AIT_JNONE;
         k = ait_json_next(j, r, k)) {
        ait_header *h = &c->record.header[c->record.headers];

        if (c->record.headers == AIT_REC_HEADERS_MAX)
            return false;
        if (text_of(c, k, &h->name) && header_value(c, k + 1, &h->value))
            c->record.headers++;
        else
            good = false;
    }
    return good;
}

static bool take_kind(capture *c, ait_jref r)
{
    ait_str name;
    uint32_t bit;

    if (ait_json_type(&c->json.json, r) != AIT_J_STRING ||
        !text_of(c, r, &name))
        return false;
    if (name.n == 7 && memcmp(name.p, "comment", 7) == 0) {
        c->record.comment = true;
        return true;
    }
    bit = ait_class_bit(name.p, name.n);
    c->record.kinds |= bit;
    return bit != 0;
}

static bool take_kinds(capture *c, ait_jref r, int index)
{
    const ait_json *j = &c->json.json;
    bool good = ait_json_type(j, r) == AIT_J_ARRAY;
    ait_jref k;

    (void)index;
    c->record.kinds = 0;
    c->record.comment = false;
    for (k = good ? ait_json_first(j, r) : AIT_JNONE; k != AIT_JNONE;
         k = ait_json_next(j, r, k))
        good &= take_kind(c, k);
    return good;
}

static bool take_usage(capture *c, ait_jref r, int index)
{
    (void)index;
    ait_usage_init(&c->record.usage);
    return ait_json_type(&c->json.json, r) == AIT_J_OBJECT &&
           ait_usage_read(&c->json.json, r, &c->record.usage) == 0;
}

/* Known, and of no use here. */
static bool take_nothing(capture *c, ait_jref r, int index)
{
    (void)c;
    (void)r;
    (void)index;
    return true;
}

static const struct member {
    const char *name;
    take_fn *take;
    int index;
} members[] = {
    {"type", take_type, 0},
    {"ns", take_int, AIT_RN_NS},
    {"req", take_text, AIT_RT_REQ},
    {"att", take_int, AIT_RN_ATT},
    {"data", take_text, AIT_RT_DATA},
    {"data_base64", take_base64, AIT_RT_DATA},
    {"len", take_int, AIT_RN_LEN},
    {"v", take_version, AIT_RN_V},
    {"seg", take_text, AIT_RT_SEG},
    {"wall", take_text, AIT_RT_WALL},
    {"clock", take_text, AIT_RT_CLOCK},
    {"vantage", take_text, AIT_RT_VANTAGE},
    {"unit", take_text, AIT_RT_UNIT},
    {"tool", take_text, AIT_RT_TOOL},
    {"t1", take_text, AIT_RT_T1},
    {"method", take_text, AIT_RT_METHOD},
    {"path", take_text, AIT_RT_PATH},
    {"ids", take_headers, 0},
    {"model", take_text, AIT_RT_MODEL},
    {"provider", take_text, AIT_RT_PROVIDER},
    {"group", take_text, AIT_RT_GROUP},
    {"channel", take_text, AIT_RT_CHANNEL},
    {"route", take_text, AIT_RT_ROUTE},
    {"region", take_text, AIT_RT_REGION},
    {"stream", take_flag, FLAG_STREAM},
    {"max_tokens", take_int, AIT_RN_MAX_TOKENS},
    {"reasoning_effort", take_text, AIT_RT_REASONING_EFFORT},
    {"temperature", take_millionths, AIT_RN_TEMPERATURE},
    {"top_p", take_millionths, AIT_RN_TOP_P},
    {"tools", take_int, AIT_RN_TOOLS},
    {"inflight", take_int, AIT_RN_INFLIGHT},
    {"bytes", take_nothing, 0},
    {"name", take_text, AIT_RT_NAME},
    {"dur_ns", take_int, AIT_RN_DUR_NS},
    {"upstream", take_text, AIT_RT_UPSTREAM},
    {"reused", take_flag, FLAG_REUSED},
    {"status", take_int, AIT_RN_STATUS},
    {"http", take_nothing, 0},
    {"headers", take_headers, 0},
    {"untimed", take_flag, FLAG_UNTIMED},
    {"event", take_text, AIT_RT_EVENT},
    {"id", take_text, AIT_RT_ID},
    {"kinds", take_kinds, 0},
    {"read", take_int, AIT_RN_READ},
    {"usage", take_usage, 0},
    {"finish", take_text, AIT_RT_FINISH},
    {"error", take_text, AIT_RT_ERROR},
    {"value_ns", take_int, AIT_RN_VALUE_NS},
    {"origin", take_text, AIT_RT_ORIGIN},
    {"boundary", take_text, AIT_RT_BOUNDARY},
    {"source_field", take_text, AIT_RT_SOURCE_FIELD},
    {"quality", take_text, AIT_RT_QUALITY},
    {"count", take_int, AIT_RN_COUNT_OF},
    {"how", take_text, AIT_RT_HOW},
    {"exit", take_int, AIT_RN_EXIT},
    {"n", take_int, AIT_RN_N},
    {"why", take_text, AIT_RT_WHY},
    {"records", take_int, AIT_RN_RECORDS},
};
#define MEMBERS (sizeof members / sizeof *members)
_Static_assert(MEMBERS <= 64, "members seen are one bit each");

/* ---- records --------------------------------------------------------- */

enum { VERSION = 1 }; /* of the format */
enum { NEEDS_REQ = 1, NEEDS_NS = 2 };

/* What a record means nothing without. */
static const unsigned char needs[AIT_REC_COUNT] = {
    [AIT_REC_RECV] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_PHASE] = NEEDS_REQ,
    [AIT_REC_SEND] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_HEAD] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_DATA] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_EVENT] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_MARK] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_MEASURE] = NEEDS_REQ,
    [AIT_REC_ISSUE] = NEEDS_REQ,
    [AIT_REC_END] = NEEDS_REQ | NEEDS_NS,
    [AIT_REC_DONE] = NEEDS_REQ | NEEDS_NS,
};

/* Everything but the headers, which `headers` counts. */
static void clear_record(ait_record *r, int64_t line)
{
    int i;

    r->type = AIT_REC_COUNT;
    r->line = line;
    memset(r->text, 0, sizeof r->text);
    for (i = 0; i < AIT_RN_COUNT; i++)
        r->num[i] = AIT_ABSENT;
    r->stream = r->reused = -1;
    r->untimed = r->comment = false;
    r->headers = 0;
    r->kinds = 0;
    ait_usage_init(&r->usage);
}

static int member_of(capture *c, ait_jref key)
{
    ait_str name;

    return text_of(c, key, &name) ? ait_keys_find(&c->keys, name.p, name.n)
                                  : -1;
}

/* All members of the line's object, in order: of equal keys the last
 * wins. */
static void take_members(capture *c)
{
    const ait_json *j = &c->json.json;
    ait_file_report *report = c->reading->report;
    uint64_t seen = 0;
    ait_jref k;

    for (k = ait_json_first(j, AIT_JROOT); k != AIT_JNONE;
         k = ait_json_next(j, AIT_JROOT, k)) {
        int m = member_of(c, k);

        if (m < 0) {
            ait_file_issue(report, AIT_I_UNKNOWN_RECORD, c->record.line);
            continue;
        }
        if (seen >> m & 1)
            ait_file_issue(report, AIT_I_DUPLICATE_KEY, c->record.line);
        seen |= UINT64_C(1) << m;
        if (ait_json_type(j, k + 1) != AIT_J_NULL &&
            !members[m].take(c, k + 1, members[m].index))
            ait_file_issue(report, AIT_I_VALUE_IGNORED, c->record.line);
    }
}

static const char *missing(const ait_record *r)
{
    unsigned need = needs[r->type];

    if (need & NEEDS_REQ && !r->text[AIT_RT_REQ].p)
        return "a record without req";
    if (need & NEEDS_NS && !r->untimed && !ait_has(r->num[AIT_RN_NS]))
        return "a record without ns as an integer";
    return NULL;
}

static ait_code give(capture *c, const ait_record *record)
{
    ait_reading *r = c->reading;

    r->report->records++;
    return r->sink->record ? (ait_code)r->sink->record(r->sink->ctx, record)
                           : AIT_OK;
}

/* The same words may mean something else in another version. */
static ait_code refuse_version(const capture *c)
{
    const ait_reading *r = c->reading;
    bool newer = c->record.num[AIT_RN_V] > VERSION;

    ait_fail(r->err, AIT_EINPUT, "the capture is of another version");
    ait_error_reason(r->err, "%s",
                     newer ? "its v is newer than the one known here, 1"
                           : "its v is not the one known here, 1");
    ait_error_hint(r->err, "%s",
                   newer ? "a newer aitrace may read it"
                         : "aitrace-formats(5) describes the format");
    ait_error_place(r->err, r->name, c->record.line, 0, -1);
    return AIT_EINPUT;
}

static ait_code give_record(capture *c)
{
    const char *why = missing(&c->record);
    int64_t version = c->record.num[AIT_RN_V];

    if (c->record.type == AIT_REC_CAPTURE && ait_has(version) &&
        version != VERSION)
        return refuse_version(c);
    if (!why)
        return give(c, &c->record);
    ait_file_bad_line(c->reading->report, c->record.line, why);
    return AIT_OK;
}

static ait_code take_object(capture *c, const ait_line *line)
{
    ait_file_report *report = c->reading->report;
    ait_jref type;

    clear_record(&c->record, line->number);
    ait_buf_clear(&c->scratch);
    if (!ait_buf_reserve(&c->scratch, 2 * line->n))
        return AIT_ENOMEM;
    take_members(c);
    if (c->record.type != AIT_REC_COUNT)
        return give_record(c);
    type = ait_json_get(&c->json.json, AIT_JROOT, "type");
    if (ait_json_type(&c->json.json, type) == AIT_J_STRING)
        ait_file_issue(report, AIT_I_UNKNOWN_RECORD, line->number);
    else
        ait_file_bad_line(report, line->number, "a record without type");
    return AIT_OK;
}

static int take_line(void *ctx, const ait_line *line)
{
    capture *c = ctx;
    bool usable = false;
    ait_code code;

    ait_buf_clear(&c->scratch);
    if (!line->zeros &&
        ait_capture_fast(line->p, line->n, &c->data, &c->scratch)) {
        c->data.line = line->number;
        ait_jsonline_good(&c->json, line);
        return give(c, &c->data);
    }
    code = ait_jsonline_parse(&c->json, c->reading->report, line, &usable);

    if (code != AIT_OK || !usable)
        return code;
    if (ait_json_type(&c->json.json, AIT_JROOT) != AIT_J_OBJECT) {
        ait_file_bad_line(c->reading->report, line->number,
                          "not a JSON object");
        return AIT_OK;
    }
    return take_object(c, line);
}

/* ---- reader ---------------------------------------------------------- */

static ait_code capture_open(ait_reading *r)
{
    capture *c = ait_alloc(sizeof *c);
    size_t i;

    if (!c)
        return AIT_ENOMEM;
    r->state = c;
    r->report->capture = true;
    c->reading = r;
    ait_lines_init(&c->lines, take_line, c, r->report);
    ait_jsonline_init(&c->json);
    ait_buf_init(&c->scratch, 2 * (size_t)AIT_LINE_MAX);
    clear_record(&c->data, 0);
    c->data.type = AIT_REC_DATA;
    for (i = 0; i < MEMBERS; i++)
        ait_keys_add(&c->keys, members[i].name);
    for (i = 0; i < AIT_REC_COUNT; i++)
        ait_keys_add(&c->types, ait_record_name[i]);
    return AIT_OK;
}

static ait_code capture_feed(ait_reading *r, const char *p, size_t n)
{
    capture *c = r->state;

    return ait_lines_feed(&c->lines, p, n);
}

static ait_code capture_finish(ait_reading *r)
{
    capture *c = r->state;

    return ait_lines_finish(&c->lines);
}

static void capture_close(ait_reading *r)
{
    capture *c = r->state;

    if (!c)
        return;
    ait_lines_free(&c->lines);
    ait_jsonline_free(&c->json);
    ait_buf_free(&c->scratch);
    free(c);
    r->state = NULL;
}

const ait_format_row ait_capture_row = {
    .info = {"capture", "native capture (.aicap.jsonl), version 1",
             "receipt at a gateway, else the send of the request", true,
             NULL},
    .priority = 10,
    .sniff = ait_capture_sniff,
    .open = capture_open,
    .feed = capture_feed,
    .finish = capture_finish,
    .close = capture_close,
};
