/* What a report is grouped by: fields, keys, groups. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/report_state.h"
#include "base/text.h"

/* Gives the field's text, in `room` (32 bytes) or elsewhere; NULL: absent. */
typedef const char *field_fn(const ait_trace *t, int index, char *room);

static const char *text_field(const ait_trace *t, int index, char *room)
{
    (void)room;
    return t->text[index];
}

static const char *outcome_field(const ait_trace *t, int index, char *room)
{
    (void)index;
    (void)room;
    return ait_outcome_name[t->outcome];
}

static const char *vantage_field(const ait_trace *t, int index, char *room)
{
    (void)index;
    (void)room;
    return ait_vantage_name[t->vantage];
}

static const char *number_field(const ait_trace *t, int index, char *room)
{
    if (!ait_has(t->num[index]))
        return NULL;
    snprintf(room, 32, "%" PRId64, t->num[index]);
    return room;
}

static const char *stream_field(const ait_trace *t, int index, char *room)
{
    (void)index;
    (void)room;
    return t->stream < 0 ? NULL : t->stream ? "true" : "false";
}

/* The first `index` characters of the time: a day, an hour (UTC). */
static const char *time_field(const ait_trace *t, int index, char *room)
{
    char text[64];

    if (!ait_has(t->num[AIT_N_TIME]))
        return NULL;
    ait_time_text(t->num[AIT_N_TIME], 0, false, text);
    memcpy(room, text, (size_t)index);
    strcpy(room + index, index > 10 ? ":00Z" : "");
    return room;
}

static const struct {
    field_fn *fn;
    int index;
} fields[] = {
    {text_field, AIT_X_MODEL},         {text_field, AIT_X_PROVIDER},
    {text_field, AIT_X_GROUP},         {text_field, AIT_X_CHANNEL},
    {text_field, AIT_X_ROUTE},         {text_field, AIT_X_REGION},
    {text_field, AIT_X_ENDPOINT},      {text_field, AIT_X_DIALECT},
    {text_field, AIT_X_FINISH_REASON}, {text_field, AIT_X_ERROR_CODE},
    {text_field, AIT_X_REASONING_EFFORT},
    {text_field, AIT_X_FORMAT},        {text_field, AIT_X_FILE},
    {vantage_field, 0},                {outcome_field, 0},
    {number_field, AIT_N_STATUS},      {stream_field, 0},
    {number_field, AIT_N_INFLIGHT},    {time_field, 10},
    {time_field, 13},
};

const char *const ait_report_fields[] = {
    "model",  "provider", "group",         "channel",    "route",
    "region", "endpoint", "dialect",       "finish_reason", "error_code",
    "reasoning_effort",   "format",        "file",       "vantage",
    "outcome", "status",  "stream",        "inflight",   "day",
    "hour",   NULL,
};

static ait_code bad_field(const char *name, ait_error *err)
{
    const char *near = ait_nearest(name, ait_report_fields);

    ait_fail(err, AIT_EUSAGE, "cannot group by \"%s\"", name);
    if (near)
        ait_error_hint(err, "did you mean \"%s\"?", near);
    return AIT_EUSAGE;
}

static ait_code add_field(ait_report *r, const char *s, size_t n,
                          ait_error *err)
{
    char name[AIT_TEXT_MAX + 1];
    int row;

    ait_keep_text(s, n, name);
    for (row = 0; ait_report_fields[row]; row++)
        if (strcmp(ait_report_fields[row], name) == 0)
            break;
    if (!ait_report_fields[row])
        return bad_field(name, err);
    if (r->fields == AIT_BY_MAX)
        return ait_fail(err, AIT_EUSAGE, "more than %d fields to group by",
                        AIT_BY_MAX);
    r->by_name[r->fields] = ait_report_fields[row];
    r->by[r->fields++] = row;
    return AIT_OK;
}

ait_code ait_by_read(ait_report *r, const char *by, ait_error *err)
{
    ait_code code = AIT_OK;

    while (*by && code == AIT_OK) {
        size_t n = strcspn(by, ",");
        code = add_field(r, by, n, err);
        by += n + (by[n] == ',');
    }
    return code;
}

uint32_t ait_report_texts(const ait_report *r)
{
    uint32_t bits = 0;

    for (int i = 0; i < r->fields; i++)
        if (fields[r->by[i]].fn == text_field)
            bits |= UINT32_C(1) << fields[r->by[i]].index;
    return bits;
}

bool ait_report_numbers(const ait_report *r)
{
    for (int i = 0; i < r->fields; i++)
        if (fields[r->by[i]].fn == number_field)
            return true;
    return false;
}

/* ---- groups ------------------------------------------------------------ */

/* A key: the texts one after another, each with a mark in front that tells
 * absent from empty, and the origin. */
typedef struct key {
    size_t len;
    unsigned mark; /* of lengths and last bytes: a few keys mostly differ */
    char bytes[AIT_BY_MAX * (AIT_TEXT_MAX + 2) + 1];
} key;

static void make_key(const ait_report *r, const ait_trace *t, key *k)
{
    char room[32];

    k->len = k->mark = 0;
    k->bytes[k->len++] = (char)('a' + t->origin);
    for (int i = 0; i < r->fields; i++) {
        int row = r->by[i];
        const char *s = fields[row].fn(t, fields[row].index, room);
        size_t n = s ? strlen(s) : 0;
        n = n < AIT_TEXT_MAX ? n : AIT_TEXT_MAX;
        k->bytes[k->len++] = s ? '+' : '-';
        if (n) {
            memcpy(k->bytes + k->len, s, n);
            k->mark = k->mark * 31 + (unsigned)n * 7 + (uint8_t)s[n - 1];
        }
        k->len += n;
        k->bytes[k->len++] = '\0';
    }
}

/* The texts of the group are those in its key. */
static bool keep_key(ait_report *r, ait_bucket *b, const key *k)
{
    const char *at;

    b->key = at = ait_arena_strndup(&r->arena, k->bytes, k->len);
    b->key_len = k->len;
    b->group.key = ait_arena_alloc(&r->arena, (size_t)(r->fields + 1) *
                                                  sizeof *b->group.key);
    if (!b->key || !b->group.key)
        return false;
    at++; /* the origin */
    for (int i = 0; i < r->fields; i++) {
        b->group.key[i] = *at == '+' ? at + 1 : NULL;
        at += strlen(at) + 1;
    }
    return true;
}

static bool more_buckets(ait_report *r)
{
    int room = r->bucket_room ? r->bucket_room * 2 : 16;
    ait_bucket **bucket;

    if (r->buckets >= AIT_GROUPS_MAX) {
        ait_report_over(r, AIT_GROUPS_MAX, "groups");
        return false;
    }
    if (r->buckets < r->bucket_room)
        return true;
    bucket = ait_realloc(r->bucket, (size_t)room * sizeof *bucket);
    if (!bucket)
        return false;
    r->bucket = bucket;
    r->bucket_room = room;
    return true;
}

static ait_bucket *new_bucket(ait_report *r, const ait_trace *t,
                              const key *k)
{
    ait_bucket *b;

    if (!more_buckets(r))
        return NULL;
    b = ait_arena_alloc(&r->arena, sizeof *b);
    if (!b || !keep_key(r, b, k) ||
        !ait_strmap_set(&r->map, k->bytes, k->len, b))
        return NULL;
    b->group.origin = t->origin;
    b->nth = (uint32_t)r->buckets;
    r->bucket[r->buckets++] = b;
    return b;
}

ait_bucket *ait_bucket_of(ait_report *r, const ait_trace *t)
{
    ait_bucket **recent, *b;
    key k;

    make_key(r, t, &k);
    recent = &r->recent[k.mark % AIT_RECENT];
    b = *recent;
    if (b && b->key_len == k.len && memcmp(b->key, k.bytes, k.len) == 0)
        return b;
    b = ait_strmap_get(&r->map, k.bytes, k.len);
    if (b)
        return *recent = b;
    /* A group that the first pass did not meet: not the same requests. */
    if (r->pass != AIT_PASS_COUNT)
        r->code = AIT_EINPUT;
    else if (!(b = new_bucket(r, t, &k)) && r->code == AIT_OK)
        r->code = AIT_ENOMEM;
    return b;
}
