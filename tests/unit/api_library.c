/* The library as another program uses it: files in, documents out. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "aitrace.h"
#include "api/pipeline.h"
#include "harness.h"

#define LINE(id, ms) \
    "{\"request_id\":\"" id "\",\"timestamp\":\"2026-10-03T12:00:00Z\"," \
    "\"model\":\"m\",\"status\":200,\"stream\":true," \
    "\"finish_reason\":\"stop\",\"upstream_headers_ms\":200," \
    "\"first_response_ms\":300,\"total_handler_ms\":" ms "}\n"

static char folder[64], db_path[96], log_path[96];
static aitrace_db *db;

static void write_log(const char *text)
{
    FILE *f = fopen(log_path, "wb");
    CHECK(f != NULL);
    if (!f)
        return;
    fputs(text, f);
    fclose(f);
}

static void reopen(void)
{
    aitrace_close(db);
    unlink(db_path);
    CHECK_INT(aitrace_open(db_path, AITRACE_WRITE, &db), AITRACE_OK);
}

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void import_and_again(void)
{
    aitrace_imported got;
    reopen();
    CHECK(!exists(db_path)); /* made when there is something to keep */
    write_log(LINE("a", "900") LINE("b", "800"));
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, &got), AITRACE_OK);
    CHECK_INT(got.requests_new, 2);
    CHECK_INT(got.requests_present, 0);
    CHECK_TEXT(got.format, "native");
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, &got), AITRACE_OK);
    CHECK_INT(got.requests_new, 0);
    CHECK_INT(got.requests_present, 2);
    struct stat st;
    CHECK_INT(stat(db_path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
}

static void documents(void)
{
    char *json;
    CHECK_INT(aitrace_trace_json(db, "a", &json), AITRACE_OK);
    CHECK(json && strstr(json, "\"request_id\":\"a\""));
    CHECK(json && strstr(json, "\"total_handler_ms\":900"));
    CHECK(json && strstr(json, "\"file\":\"gateway.log.jsonl\""));
    aitrace_free(json);
    CHECK_INT(aitrace_report_json(db, "model", &json), AITRACE_OK);
    CHECK(json && strstr(json, "\"key\":{\"model\":\"m\"}"));
    aitrace_free(json);
    CHECK_INT(aitrace_report_json(db, "colour", &json), AITRACE_USAGE);
    CHECK(json == NULL);
    CHECK(*aitrace_message(db) != '\0');
}

static void an_id_that_is_not_there_or_not_alone(void)
{
    char *json;
    CHECK_INT(aitrace_trace_json(db, "nobody", &json), AITRACE_NOT_FOUND);
    CHECK(json == NULL);
    CHECK_TEXT(aitrace_message(db), "no request has this id");
    write_log(LINE("a", "901"));
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, NULL), AITRACE_OK);
    CHECK_INT(aitrace_trace_json(db, "a", &json), AITRACE_NOT_FOUND);
    CHECK(json == NULL);
    CHECK_TEXT(aitrace_message(db), "2 requests have this id");
}

static void what_is_good_is_kept(void)
{
    aitrace_imported got;
    reopen();
    write_log(LINE("a", "900") "{\"request_id\": broken\n"
              LINE("b", "800") LINE("c", "700"));
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, &got),
              AITRACE_INPUT);
    CHECK_INT(got.requests_new, 3);
    CHECK_INT(got.bad_lines, 1);
    CHECK(strstr(aitrace_message(db), "part of the file was lost"));
}

static void nothing_usable_makes_no_database(void)
{
    reopen();
    write_log("hello\nworld\n");
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, NULL),
              AITRACE_INPUT);
    CHECK(!exists(db_path));
    CHECK(!strstr(aitrace_message(db), "hello"));
    char *json;
    CHECK_INT(aitrace_trace_json(db, "a", &json), AITRACE_NOT_FOUND);
    CHECK_TEXT(aitrace_message(db), "the database is empty");
}

static int stop_later(void *ctx, int64_t bytes, int64_t size,
                      int64_t requests)
{
    int *calls = ctx;
    (void)bytes, (void)size, (void)requests;
    return ++*calls > 1;
}

static void an_interrupt_keeps_what_was_there(void)
{
    reopen();
    write_log(LINE("first", "900"));
    CHECK_INT(aitrace_import(db, log_path, NULL, NULL, NULL), AITRACE_OK);
    FILE *f = fopen(log_path, "wb");
    for (int i = 0; f && i < 20000; i++)
        fputs(LINE("later", "900"), f);
    if (f)
        fclose(f);
    int calls = 0;
    CHECK_INT(aitrace_import(db, log_path, stop_later, &calls, NULL),
              AITRACE_INTERRUPTED);
    char *json;
    CHECK_INT(aitrace_trace_json(db, "first", &json), AITRACE_OK);
    aitrace_free(json);
    CHECK_INT(aitrace_trace_json(db, "later", &json), AITRACE_NOT_FOUND);
}

static int stop_when_read(void *ctx, int64_t bytes, int64_t size,
                          int64_t requests)
{
    (void)ctx, (void)bytes, (void)size;
    return requests > 0;
}

/* All of it was read by then: only the look before the commit tells. */
static void an_interrupt_after_the_last_byte_counts(void)
{
    reopen();
    write_log(LINE("only", "900"));
    CHECK_INT(aitrace_import(db, log_path, stop_when_read, NULL, NULL),
              AITRACE_INTERRUPTED);
    char *json;
    CHECK_INT(aitrace_trace_json(db, "only", &json), AITRACE_NOT_FOUND);
}

static void in_memory(void)
{
    aitrace_db *mem;
    char *json;
    CHECK_INT(aitrace_open(NULL, AITRACE_MEMORY_ONLY, &mem), AITRACE_OK);
    write_log(LINE("a", "900"));
    CHECK_INT(aitrace_import(mem, log_path, NULL, NULL, NULL), AITRACE_OK);
    CHECK_INT(aitrace_trace_json(mem, "a", &json), AITRACE_OK);
    aitrace_free(json);
    aitrace_close(mem);
}

static void refusals(void)
{
    aitrace_db *other;
    char path[128];
    snprintf(path, sizeof path, "%s/none.db", folder);
    CHECK_INT(aitrace_open(path, AITRACE_READ, &other), AITRACE_DATABASE);
    CHECK(strstr(aitrace_message(other), "none.db"));
    aitrace_close(other);
    write_log("a letter to a friend, and no database at all");
    CHECK_INT(aitrace_open(log_path, AITRACE_WRITE, &other),
              AITRACE_DATABASE);
    aitrace_close(other);
    aitrace_close(NULL);
    aitrace_free(NULL);
    CHECK(*aitrace_version() != '\0');
}

static void any_allocation_may_fail(void)
{
    write_log(LINE("a", "900") LINE("b", "800"));
    for (long n = 1; n < 40; n++) {
        aitrace_db *mem = NULL;
        char *json = NULL;
        ait_mem_fail_after(n);
        if (aitrace_open(NULL, AITRACE_MEMORY_ONLY, &mem) == AITRACE_OK &&
            aitrace_import(mem, log_path, NULL, NULL, NULL) == AITRACE_OK)
            aitrace_report_json(mem, "model", &json);
        ait_mem_fail_after(0);
        aitrace_free(json);
        aitrace_close(mem);
    }
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/aitrace-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    snprintf(db_path, sizeof db_path, "%s/a.db", folder);
    snprintf(log_path, sizeof log_path, "%s/gateway.log.jsonl", folder);
    RUN(import_and_again);
    RUN(documents);
    RUN(an_id_that_is_not_there_or_not_alone);
    RUN(what_is_good_is_kept);
    RUN(nothing_usable_makes_no_database);
    RUN(an_interrupt_keeps_what_was_there);
    RUN(an_interrupt_after_the_last_byte_counts);
    RUN(in_memory);
    RUN(refusals);
    RUN(any_allocation_may_fail);
    aitrace_close(db);
    unlink(db_path);
    unlink(log_path);
    rmdir(folder);
    return t_done();
}
