/* The public views: their names, their NULLs, their figures, and that the
 * words in SQL are those of the program. */
#include "migrations.h"
#include "unit/store_help.h"

static const char *path; /* a database with a few requests */

static void put_judged(ait_store *s, ait_trace *t, const ait_verdict *v)
{
    ait_error err;

    CHECK_OK(ait_store_put(s, t, v, &err));
    drop(t);
}

static ait_trace *bare(void)
{
    ait_trace *t = malloc(sizeof *t);

    if (!t)
        abort();
    ait_trace_init(t);
    return t;
}

/* Two attempts, an axis that breaks off after t4, a measure, issues. */
static ait_trace *rich(void)
{
    ait_trace *t = plain("rich", INT64_C(1790000000123456789));
    ait_attempt *a = ait_trace_attempt(t), *b = ait_trace_attempt(t);
    ait_measure *m = ait_trace_measure(t);

    a->number = 1;
    a->status = 429;
    a->outcome = AIT_OUT_RATE_LIMITED;
    a->start = 3 * AIT_MS;
    a->retry_after = 2 * AIT_SEC;
    b->number = 2;
    b->upstream = ait_trace_keep(t, "api.example", 11);
    t->serving = b;
    m->name = "first_chunk";
    m->value = 812499500;
    m->resolution = AIT_SEC;
    m->origin = AIT_O_RELAY_START;
    m->boundary = AIT_B_FIRST_SSE_EVENT;
    m->quality = AIT_Q_COARSE;
    t->point[AIT_P_T1_FIRST].ns = 3 * AIT_MS;
    for (int i = AIT_P_T5; i < AIT_P_COUNT; i++)
        t->point[i].axis = 1;
    t->issues.count[AIT_I_CLOCK_WENT_BACK] = 2;
    t->num[AIT_N_TEMPERATURE] = 700000;
    t->num[AIT_N_RETRIES] = 1;
    return t;
}

static void fill(void)
{
    static ait_places places[AIT_I_COUNT];
    ait_issue_set issues = {{0}};
    static ait_verdict v;
    ait_trace *t = plain("usual", INT64_C(1790000000123456789));
    ait_error err;
    ait_store *s;

    path = strdup(scratch_file("views.db"));
    s = must_open(path, AIT_STORE_WRITE);
    ait_trace_attempt(t);
    t->attempts->number = 1;
    t->serving = t->attempts;
    t->attempts->status = 200;
    t->attempts->outcome = AIT_OUT_COMPLETE;
    t->attempts->start = 12 * AIT_MS;
    t->attempts->headers = 218 * AIT_MS;
    t->attempts->done = 1560 * AIT_MS;
    v.rate[AIT_RATE_VISIBLE_TPS] = 42001;
    v.rate[AIT_RATE_ITL] = 1234567;
    v.rate[AIT_RATE_OUTPUT_TPS] = 1282;
    v.visible_is = AIT_IS_EXACT;
    v.window_end = "final_response";
    v.visible_tokens = 9;
    v.findings = 2;
    v.finding[0].rule = AIT_R_HEADERS_SLOW;
    v.finding[0].by = AIT_BY_SHARE;
    v.finding[1].rule = AIT_R_RETRIED;
    v.primary = AIT_R_HEADERS_SLOW;
    issues.count[AIT_I_BAD_LINE] = 2;
    ait_places_add(&places[AIT_I_BAD_LINE], 17);
    ait_places_add(&places[AIT_I_BAD_LINE], 20);
    CHECK_OK(ait_store_begin(s, "a.jsonl", "capture", &err));
    put_judged(s, t, &v);
    put_judged(s, rich(), NULL);
    put_judged(s, bare(), NULL);
    CHECK_OK(ait_store_commit(s, &issues, places, NULL, &err));
    ait_store_close(s);
}

static void check_sql(const char *sql, const char *want)
{
    const char *got = ask_sql(path, sql);

    if (!CHECK(same_text(got, want)))
        printf("# %s is %s, want %s\n", sql, got ? got : "(NULL)",
               want ? want : "(NULL)");
}

static void figures(void)
{
    static const struct {
        const char *column, *usual, *rich;
    } cases[] = {
        {"time", "2026-09-21T14:13:20.123456Z",
         "2026-09-21T14:13:20.123456Z"},
        {"time_ns", "1790000000123456789", "1790000000123456789"},
        {"file", "a.jsonl", "a.jsonl"},
        {"vantage", "gateway", "gateway"},
        {"origin", "gateway_receipt", "gateway_receipt"},
        {"outcome", "complete", "complete"},
        {"status", "200", "200"},
        {"model", "m-chat", "m-chat"},
        {"temperature", NULL, "0.7"},
        {"auth_ms", NULL, NULL},
        {"upstream_start_ms", "12.0", "12.0"},
        {"upstream_headers_ms", "218.0", "218.0"},
        {"first_response_ms", "1480.0", "1480.0"},
        {"first_text_delta_ms", "1480.0", NULL},
        {"total_handler_ms", "1566.0", NULL},
        {"headers_to_event_ms", "1.0", "1.0"},
        {"event_to_response_ms", "1249.0", "1249.0"},
        {"response_to_text_ms", "0.0", NULL},
        {"visible_window_ms", "70.0", "70.0"},
        {"before_upstream_ms", "12.0", "3.0"},
        {"after_upstream_ms", "6.0", "6.0"},
        {"longest_gap_ms", NULL, NULL},
        {"visible_tokens", "9", NULL},
        {"tokens_source", NULL, NULL},
        {"visible_output_tps", "42.001", NULL},
        {"visible_output_tps_is", "exact", NULL},
        {"itl_ms", "1.235", NULL},
        {"output_tps", "1.282", NULL},
        {"window_end", "final_response", NULL},
        {"attempts", "1", "2"},
        {"retries", NULL, "1"},
        {"\"primary\"", "headers_slow", NULL},
        {"\"group\"", NULL, NULL},
    };
    char sql[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(sql, sizeof sql,
                 "SELECT %s FROM request WHERE request_id = 'usual'",
                 cases[i].column);
        check_sql(sql, cases[i].usual);
        snprintf(sql, sizeof sql,
                 "SELECT %s FROM request WHERE request_id = 'rich'",
                 cases[i].column);
        check_sql(sql, cases[i].rich);
    }
}

/* What a bare record does not know is NULL in every column but those that
 * always have a word. */
static void absent_is_null(void)
{
    static const char *const known[] = {
        "row", "vantage", "origin", "outcome", "tokens_estimated", "attempts",
    };
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;

    CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(db, "SELECT * FROM request WHERE row = 3",
                                 -1, &st, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_step(st), SQLITE_ROW);
    CHECK(sqlite3_column_count(st) > 60);
    for (int i = 0; i < sqlite3_column_count(st); i++) {
        const char *name = sqlite3_column_name(st, i);
        int null = sqlite3_column_type(st, i) == SQLITE_NULL, want = 1;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            want = want && strcmp(known[k], name) != 0;
        if (!CHECK_INT(null, want))
            printf("# column %s\n", name);
    }
    sqlite3_finalize(st);
    sqlite3_close(db);
}

static void other_views(void)
{
    check_sql("SELECT group_concat(request || attempt || serving || "
              "coalesce(outcome, '-'), ' ') FROM attempt",
              "210rate_limited 221- 111complete");
    check_sql("SELECT retry_after_ms FROM attempt WHERE retry_after_ms",
              "2000.0");
    check_sql("SELECT upstream FROM attempt WHERE upstream IS NOT NULL",
              "api.example");
    check_sql("SELECT start_ms + headers_ms + done_ms FROM attempt"
              " WHERE request = 1", "1790.0");
    check_sql("SELECT group_concat(request || ' ' || rule || ' ' || id || "
              "' ' || \"by\", ', ') FROM finding",
              "1 7 headers_slow share, 1 16 retried limit");
    check_sql("SELECT request || id || count FROM issue WHERE request",
              "2clock_went_back2");
    check_sql("SELECT import || id || count || ' ' || lines FROM issue"
              " WHERE request IS NULL", "1bad_line2 17 20");
    check_sql("SELECT file || format || new || present || updated ||"
              " attempts || events FROM import", "a.jsonlcapture30030");
    check_sql("SELECT request || name || ' ' || value_ms || ' ' ||"
              " resolution_ms || ' ' || origin || ' ' || boundary || ' ' ||"
              " quality FROM measure", "2first_chunk 812.5 1000.0 "
              "relay_start first_sse_event coarse");
    check_sql("SELECT source_field FROM measure", NULL);
}

/* The timing and gap columns have the names of the trace object, and no
 * field of it is forgotten. */
static void names_of_the_trace(void)
{
    char sql[120];

    for (int i = 0; i < AIT_T_COUNT + AIT_G_COUNT + AIT_RATE_COUNT; i++) {
        int gap = i - AIT_T_COUNT, rate = gap - AIT_G_COUNT;
        snprintf(sql, sizeof sql, "SELECT count(%s) >= 0 FROM request",
                 rate >= 0  ? ait_rate_name[rate]
                 : gap >= 0 ? ait_gaps[gap].name
                            : ait_timings[i].name);
        check_sql(sql, "1");
    }
    for (int i = 0; i < AIT_X_COUNT; i++) {
        snprintf(sql, sizeof sql, "SELECT count(\"%s\") >= 0 FROM request",
                 ait_text_name[i]);
        check_sql(sql, "1");
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('request')"
                 " WHERE name = '%s'", ait_text_name[i]);
        check_sql(sql, "1");
    }
}

static void check_words(const char *kind, const char *const *names, int n)
{
    char sql[160], count[16];

    for (int i = 0; i < n; i++) {
        snprintf(sql, sizeof sql,
                 "SELECT name FROM raw_word WHERE kind = '%s' AND id = %d",
                 kind, i);
        check_sql(sql, names[i]);
    }
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM raw_word WHERE kind = '%s'", kind);
    snprintf(count, sizeof count, "%d", n);
    check_sql(sql, count);
}

static void words_of_the_program(void)
{
    static const char *const source[] = {"usage", "log"};
    static const char *const window[] = {"final_response", "upstream_done",
                                         "total_handler"};

    check_words("vantage", ait_vantage_name, AIT_V_COUNT);
    check_words("origin", ait_origin_name, AIT_O_COUNT);
    check_words("boundary", ait_boundary_name, AIT_B_COUNT);
    check_words("quality", ait_quality_name, AIT_Q_COUNT);
    check_words("outcome", ait_outcome_name, AIT_OUT_COUNT);
    check_words("rule", ait_rule_name, AIT_R_COUNT + 1);
    check_words("rate_is", ait_rate_is_name, AIT_IS_COUNT);
    check_words("tokens_source", source, 2);
    check_words("window_end", window, 3);
    /* SQL that names a number of a list */
    CHECK_INT(AIT_OUT_TRUNCATED_CAPTURE, 6);
    CHECK_INT(AIT_O_GATEWAY_RECEIPT, 0);
}

/* A fresh database is what the chain of migrations makes. */
static void the_chain_of_migrations(void)
{
    static const char schema[] =
        "SELECT group_concat(type || name || coalesce(sql, ''), char(10))"
        " FROM (SELECT * FROM sqlite_schema ORDER BY type, name)";
    const char *chained = scratch_file("chain.db");
    sqlite3_stmt *st[2];
    sqlite3 *db[2];
    int n = 0;

    CHECK_INT(sqlite3_open(chained, &db[0]), SQLITE_OK);
    CHECK_INT(sqlite3_open(path, &db[1]), SQLITE_OK);
    for (; ait_migrations[n].name; n++)
        CHECK_INT(sqlite3_exec(db[0], (const char *)ait_migrations[n].bytes,
                               NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(ait_store_version(), n);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sqlite3_prepare_v2(db[i], schema, -1, &st[i], NULL),
                  SQLITE_OK);
        CHECK_INT(sqlite3_step(st[i]), SQLITE_ROW);
    }
    CHECK_TEXT((const char *)sqlite3_column_text(st[0], 0),
               (const char *)sqlite3_column_text(st[1], 0));
    for (int i = 0; i < 2; i++) {
        sqlite3_finalize(st[i]);
        sqlite3_close(db[i]);
    }
    check_sql("PRAGMA integrity_check", "ok");
    check_sql("PRAGMA foreign_key_check", NULL);
}

int main(void)
{
    RUN(fill);
    RUN(figures);
    RUN(absent_is_null);
    RUN(other_views);
    RUN(names_of_the_trace);
    RUN(words_of_the_program);
    RUN(the_chain_of_migrations);
    free((void *)(uintptr_t)path);
    return scratch_done();
}
