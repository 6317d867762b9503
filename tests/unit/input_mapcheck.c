/* Checking a mapping file: mistakes with their place, samples. */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "input/input.h"

static ait_code check_file(const char *text, ait_buf *out, ait_error *err)
{
    static const char path[] = "input-maps-check.json";
    FILE *f = fopen(path, "wb");
    ait_code code;

    CHECK(f && fputs(text, f) >= 0);
    if (f)
        fclose(f);
    ait_buf_init(out, 1 << 20);
    ait_buf_adds(out, "");
    ait_error_clear(err);
    code = ait_formats_check(path, out, err);
    remove(path);
    return code;
}

/* Read no further than a mapping may be, and nothing of it stays. */
static void a_file_may_be_too_large(void)
{
    static const char path[] = "input-maps-large.json";
    FILE *f = fopen(path, "wb");
    ait_error err;
    ait_buf out;

    for (int i = 0; f && i < 5 << 16; i++)
        fputs("                ", f);
    if (f)
        fclose(f);
    ait_buf_init(&out, 1 << 10);
    ait_error_clear(&err);
    CHECK_INT(ait_formats_check(path, &out, &err), AIT_EUSAGE);
    CHECK(strstr(err.reason, "4 MiB") != NULL);
    ait_buf_free(&out);
    remove(path);
}

static void a_good_file_passes(void)
{
    ait_buf out;
    ait_error err;

    CHECK_INT(check_file("{\"aitrace_map\": 1, \"name\": \"x\", \"fields\": "
                         "{\"model\": \"/m\"}, \"samples\": [{\"line\": "
                         "{\"m\": \"a\"}, \"expect\": {\"model\": \"a\", "
                         "\"group\": null}}]}",
                         &out, &err),
              AIT_OK);
    CHECK_TEXT(out.data, "x: 1 samples, 0 failed\n");
    ait_buf_free(&out);
}

static void a_failing_sample_is_explained(void)
{
    ait_buf out;
    ait_error err;

    CHECK_INT(check_file("{\"aitrace_map\": 1, \"name\": \"x\",\n\"fields\": "
                         "{\"model\": \"/m\", \"group\": \"/g\"},\n"
                         "\"samples\": [{\"line\": {\"m\": \"a\"},\n"
                         "\"expect\": {\"model\": \"b\",\n\"group\": 3, "
                         "\"nonsense\": 1}},\n{\"line\": {}, \"expect\": "
                         "{\"skipped\": true}}]}",
                         &out, &err),
              AIT_EUSAGE);
    CHECK(strstr(out.data, "sample 1 (line 4): model is a, want b\n"));
    CHECK(strstr(out.data, "sample 1 (line 5): group is absent, want 3\n"));
    CHECK(strstr(out.data, "nonsense is no figure of a request"));
    CHECK(strstr(out.data, "sample 2 (line 6)"));
    CHECK(strstr(out.data, "2 samples, 2 failed"));
    CHECK(strstr(err.reason, "2 of 2") != NULL);
    ait_buf_free(&out);
}

static void a_mistake_has_a_caret(void)
{
    ait_buf out;
    ait_error err;

    CHECK_INT(
        check_file("{\"aitrace_map\": 1,\n \"nam\": \"x\"}\n", &out, &err),
        AIT_EUSAGE);
    CHECK(strstr(out.data, "    2 |  \"nam\": \"x\"}\n      |   ^ ") != NULL);
    CHECK(strstr(out.data, "permitted here: aitrace_map, name,") != NULL);
    CHECK_INT(err.line, 2);
    CHECK_INT(err.column, 3);
    ait_buf_free(&out);
    CHECK_INT(check_file("{\"aitrace_map\": 1, \"name\": \"x\", \"fields\": "
                         "{\"model\": \"/m\"},\n\"samples\": [{\"line\": {}, "
                         "\"expects\": {\"model\": \"a\"}}]}",
                         &out, &err),
              AIT_EUSAGE);
    CHECK(strstr(out.data, "permitted here: line, text, expect") != NULL);
    ait_buf_free(&out);
    /* a bell, a tab, a character of two bytes: the caret still fits */
    CHECK_INT(check_file("{\"aitrace_map\": 1, \"n\a\t\xc3\xa9\": }", &out,
                         &err),
              AIT_EUSAGE);
    CHECK(strchr(out.data, '\a') == NULL && strstr(out.data, "\"n? ") != NULL);
    ait_buf_free(&out);
    CHECK_INT(check_file("{\"aitrace_map\": 1, \"name\": \"native\"}", &out,
                         &err),
              AIT_EUSAGE);
    CHECK(strstr(err.reason, "aitrace's own") != NULL);
    ait_buf_free(&out);
    CHECK_INT(ait_formats_check("/nonexistent/x.json", &out, &err),
              AIT_EUSAGE);
    CHECK(err.reason[0] != '\0');
}

int main(void)
{
    RUN(a_file_may_be_too_large);
    RUN(a_good_file_passes);
    RUN(a_failing_sample_is_explained);
    RUN(a_mistake_has_a_caret);
    return t_done();
}
