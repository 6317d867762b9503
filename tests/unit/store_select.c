/* Selections: what is asked for, in the order asked for, and nothing that
 * `where` should not reach. */
#include <stddef.h>

#include "base/text.h"
#include "unit/store_help.h"

static ait_store *s; /* filled once; the tests only read */

/* ids of the selected requests, joined by commas */
static int join(void *ctx, ait_trace *t)
{
    char *out = ctx;
    const char *id = t->text[AIT_X_REQUEST_ID];

    if (out[0])
        strcat(out, ",");
    strcat(out, id ? id : "-");
    return AIT_OK;
}

static const char *select_ids(const ait_selection *sel)
{
    static char out[512];
    ait_error err;
    int64_t n;
    int commas = 0;

    out[0] = '\0';
    CHECK_OK(ait_store_each(s, sel, 0, join, out, &err));
    CHECK_OK(ait_store_count(s, sel, &n, &err));
    for (const char *p = out; *p; p++)
        commas += *p == ',';
    CHECK_INT(n, out[0] ? commas + 1 : 0);
    return out;
}

static void put_one(ait_trace *t, ait_rule_id rule, ait_by by)
{
    static ait_verdict v;
    ait_error err;

    v.visible_is = AIT_IS_NONE;
    v.visible_tokens = AIT_ABSENT;
    for (int i = 0; i < AIT_RATE_COUNT; i++)
        v.rate[i] = AIT_ABSENT;
    v.findings = rule == AIT_R_NONE ? 0 : 1;
    v.finding[0].rule = rule;
    v.finding[0].by = by;
    v.primary = rule;
    CHECK_OK(ait_store_put(s, t, &v, &err));
    drop(t);
}

static const char key_like[] = "sk-abcdefghijklmnopqrstuvwxyz";

static void fill(void)
{
    ait_error err;
    ait_trace *t;

    s = must_open(NULL, AIT_STORE_MEMORY);
    CHECK_OK(ait_store_begin(s, "a.jsonl", "capture", &err));
    t = plain("b", 20 * AIT_SEC);
    set_text(t, AIT_X_PROVIDER, "p");
    set_text(t, AIT_X_CHANNEL, "c1");
    set_text(t, AIT_X_GROUP, "vip");
    set_text(t, AIT_X_ROUTE, "r1");
    set_text(t, AIT_X_REGION, "eu");
    put_one(t, AIT_R_HEADERS_SLOW, AIT_BY_LIMIT);
    t = plain("a", 10 * AIT_SEC);
    set_text(t, AIT_X_MODEL, "it's");
    set_text(t, AIT_X_CHANNEL, "c2");
    set_text(t, AIT_X_FILE, "b.jsonl");
    t->point[AIT_P_T7].ns = 3000 * AIT_MS;
    put_one(t, AIT_R_SLOW_DECODE, AIT_BY_SHARE);
    t = plain("d", AIT_ABSENT);
    t->outcome = AIT_OUT_ERROR;
    t->point[AIT_P_T7].ns = AIT_ABSENT;
    CHECK(ait_trace_id(t, "cli-9", 5));
    put_one(t, AIT_R_NONE, AIT_BY_LIMIT);
    t = plain(key_like, 30 * AIT_SEC);
    t->point[AIT_P_T7].ns = 2000 * AIT_MS;
    put_one(t, AIT_R_NONE, AIT_BY_LIMIT);
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
}

static void everything_by_time(void)
{
    ait_selection sel;

    ait_selection_init(&sel);
    CHECK(strncmp(select_ids(&sel), "a,b,masked-", 11) == 0);
    sel.limit = 2;
    CHECK_TEXT(select_ids(&sel), "a,b");
}

static void by_fields(void)
{
    static const struct {
        size_t at;
        const char *value, *want;
    } cases[] = {
#define CASE(field, value, want) {offsetof(ait_selection, field), value, want}
        CASE(model, "it's", "a"),
        CASE(model, "it", ""),
        CASE(model, "%", ""),
        CASE(provider, "p", "b"),
        CASE(channel, "c2", "a"),
        CASE(group, "vip", "b"),
        CASE(route, "r1", "b"),
        CASE(region, "eu", "b"),
        CASE(source, "b.jsonl", "a"),
        CASE(outcome, "error", "d"),
        CASE(finding, "headers_slow", "b"),
        CASE(finding, "slow_decode", "a"),
        CASE(finding, "retried", ""),
        CASE(request_id, "b", "b"),
        CASE(request_id, "cli-9", "d"),
        CASE(request_id, "d", "d"),
        CASE(request_id, "nobody", ""),
        CASE(request_id, "' OR '1'='1", ""),
        CASE(where, "model = 'it''s'", "a"),
        CASE(where, "total_handler_ms > 1999.999 AND time IS NOT NULL"
                    " AND request_id NOT LIKE 'masked%'", "a"),
        CASE(where, "\"primary\" = 'headers_slow' -- why", "b"),
        CASE(where, "\"group\" = 'vip' /* of them */", "b"),
        CASE(where, "channel IN ('c1', 'c3')", "b"),
        CASE(where, "total_handler_ms = (SELECT max(total_handler_ms) FROM"
                    " request)", "a"),
        CASE(where, "row = 1", "b"),
        CASE(where, "time < '1970-01-01T00:00:15'", "a"),
        CASE(where, "0) OR (request_id = 'b'", "b"),
#undef CASE
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ait_selection sel;
        ait_selection_init(&sel);
        *(const char **)(void *)((char *)&sel + cases[i].at) =
            cases[i].value;
        if (!CHECK(strcmp(select_ids(&sel), cases[i].want) == 0))
            printf("# %s gives %s\n", cases[i].value, select_ids(&sel));
    }
}

static void a_masked_id_is_found(void)
{
    ait_selection sel;

    ait_selection_init(&sel);
    sel.request_id = key_like;
    CHECK(strncmp(select_ids(&sel), "masked-", 7) == 0);
}

static void by_time_range(void)
{
    ait_selection sel;

    ait_selection_init(&sel);
    sel.since = 10 * AIT_SEC;
    sel.until = 20 * AIT_SEC;
    CHECK_TEXT(select_ids(&sel), "a");
    sel.since = 10 * AIT_SEC + 1;
    sel.until = 20 * AIT_SEC + 1;
    CHECK_TEXT(select_ids(&sel), "b");
    sel.model = "other";
    CHECK_TEXT(select_ids(&sel), "");
}

static void sorted(void)
{
    static const struct {
        const char *sort, *want;
    } cases[] = {
        {"-total_handler_ms", "a,masked,b,d"}, /* absent last, both ways */
        {"total_handler_ms", "b,masked,a,d"},
        {"row", "b,a,d,masked"},
        {"-row", "masked,d,a,b"},
        {"-time", "masked,b,a,d"},
        {"model", "a,b,d,masked"},
        {"group", "b,a,d,masked"},
        {"primary", "b,d,masked,a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[128], *tail;
        ait_selection sel;
        ait_selection_init(&sel);
        sel.sort = cases[i].sort;
        snprintf(out, sizeof out, "%s", select_ids(&sel));
        tail = strstr(out, "masked-");
        if (tail)
            memmove(tail + 6, tail + 23, strlen(tail + 23) + 1);
        CHECK_TEXT(out, cases[i].want);
    }
}

/* ---- refusals ------------------------------------------------------ */

static ait_code select_code(const ait_selection *sel, ait_error *err)
{
    char out[512] = "";
    int64_t n;
    ait_code rc = ait_store_each(s, sel, 0, join, out, err);
    ait_error other;

    if (!sel->sort)
        CHECK_INT(ait_store_count(s, sel, &n, &other), rc);
    return rc;
}

static void unknown_words(void)
{
    ait_selection sel;
    ait_error err;

    ait_selection_init(&sel);
    sel.outcome = "complet";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    CHECK(strstr(err.hint, "complete") != NULL);
    sel.outcome = NULL;
    sel.finding = "slow_headers";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    sel.finding = "header_slow";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    CHECK(strstr(err.hint, "headers_slow") != NULL);
    sel.finding = "none";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    sel.finding = NULL;
    sel.sort = "-total_handler";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    CHECK(strstr(err.hint, "total_handler_ms") != NULL);
    sel.sort = "row; DROP TABLE raw_request";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
    sel.sort = "";
    CHECK_INT(select_code(&sel, &err), AIT_EUSAGE);
}

static void where_attacks(void)
{
    static const char *const attacks[] = {
        "",
        "model =",
        "no_such_column = 1",
        "1; DROP TABLE raw_request",
        "1); DROP TABLE raw_request; --",
        "1) UNION SELECT row FROM raw_key --",
        "1) LIMIT (1",
        "1)) LIMIT ((1",
        "1) GROUP BY (model",
        "1) ORDER BY (model",
        "EXISTS (SELECT 1 FROM raw_text)",
        "'m' = (SELECT model FROM raw_common)",
        "EXISTS (SELECT 1 FROM raw_request)",
        "EXISTS (SELECT 1 FROM sqlite_schema)",
        "EXISTS (SELECT 1 FROM finding)",
        "EXISTS (SELECT 1 FROM pragma_table_info('raw_request'))",
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT max(i) FROM n)",
        "load_extension('x')",
        "zeroblob(1000000000) IS NOT NULL",
        "hex(randomblob(9)) = 'x'",
        "printf('%1000000000d', 1) = ''",
        "sqlite_version() > ''",
        "count(*) > 1",
        "row_number() OVER () > 1",
        "model MATCH 'x'",
        "model REGEXP 'x'",
        "model = ?1",
        "model = :model",
        "request_id = 'a' COLLATE nothing",
        "raise(ABORT, 'x')",
        "'unclosed",
        "1 /* unclosed",
    };
    ait_selection sel;
    ait_error err;

    ait_selection_init(&sel);
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        sel.where = attacks[i];
        ait_error_clear(&err);
        if (!CHECK_INT(select_code(&sel, &err), AIT_EUSAGE))
            printf("# let through: %s\n", attacks[i]);
        CHECK(err.reason[0] != '\0' && err.hint[0] != '\0');
    }
    sel.where = NULL;
    CHECK(strlen(select_ids(&sel)) > 10);
}

/* An expression that goes wrong while it runs is no harm, and says nothing
 * of what it met. */
static void where_that_fails_late(void)
{
    ait_selection sel;
    ait_error err;

    ait_selection_init(&sel);
    ait_error_clear(&err);
    sel.where = "abs(-9223372036854775807 - 1) > 0";
    CHECK(select_code(&sel, &err) != AIT_OK);
    CHECK(err.message[0] != '\0');
}

static void request_ids_by_row(void)
{
    char out[AIT_TEXT_MAX + 1];
    ait_error err;

    CHECK_OK(ait_store_request_id(s, 1, out, &err));
    CHECK_TEXT(out, "b");
    CHECK_INT(ait_store_request_id(s, 99, out, &err), AIT_ENOTFOUND);
}

int main(void)
{
    RUN(fill);
    RUN(everything_by_time);
    RUN(by_fields);
    RUN(a_masked_id_is_found);
    RUN(by_time_range);
    RUN(sorted);
    RUN(unknown_words);
    RUN(where_attacks);
    RUN(where_that_fails_late);
    RUN(request_ids_by_row);
    ait_store_close(s);
    return scratch_done();
}
