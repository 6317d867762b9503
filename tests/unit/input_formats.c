/* The built-in mappings: each is read, and its samples hold. */
#include "input/map.h"

#include "input_sink.h"

#include "formats.h"

static void every_mapping_is_readable_and_its_samples_hold(void)
{
    for (size_t i = 0; ait_format_files[i].name; i++) {
        const char *text = (const char *)ait_format_files[i].bytes;
        size_t n = ait_format_files[i].size;
        int ran = 0;
        ait_error err;
        ait_buf out;
        ait_map *m;

        ait_error_clear(&err);
        ait_buf_init(&out, 1 << 20);
        ait_buf_adds(&out, "");
        m = ait_map_read(ait_format_files[i].name, text, n, NULL, &err);
        if (!CHECK(m != NULL)) {
            printf("# %s line %d column %d: %s\n", ait_format_files[i].name,
                   (int)err.line, (int)err.column, err.reason);
            continue;
        }
        CHECK(m->title && m->about && m->all);
        CHECK_INT(ait_map_check(m, text, n, &out, &ran), 0);
        CHECK(ran > 0);
        if (out.len)
            printf("# %s: %s", m->name, out.data);
        ait_buf_free(&out);
        ait_map_free(m);
    }
}

/* The samples' lines of one mapping as a log. */
static void sample_log(const ait_map *m, int most, ait_buf *log)
{
    ait_json j;
    ait_jref s;

    ait_json_init(&j, 1 << 20);
    CHECK(ait_json_parse(&j, m->samples, m->samples_len));
    for (s = ait_json_first(&j, AIT_JROOT); s != AIT_JNONE && most--;
         s = ait_json_next(&j, AIT_JROOT, s)) {
        ait_jref line = ait_json_get(&j, s, "line");

        if (line == AIT_JNONE) {
            ait_json_text(&j, ait_json_get(&j, s, "text"), log);
        } else {
            size_t at = log->len;

            ait_buf_add(log, j.text + j.node[line].off, j.node[line].len);
            for (; at < log->len; at++)
                if (log->data[at] == '\n')
                    log->data[at] = ' ';
        }
        ait_buf_addc(log, '\n');
    }
    ait_json_free(&j);
}

static ait_map *read_nth(size_t i)
{
    ait_error err;

    return ait_map_read(ait_format_files[i].name,
                        (const char *)ait_format_files[i].bytes,
                        ait_format_files[i].size, NULL, &err);
}

static void every_format_is_recognised_by_content(void)
{
    for (size_t i = 0; ait_format_files[i].name; i++) {
        ait_map *m = read_nth(i);
        ait_buf log;
        dump d;

        ait_buf_init(&log, 1 << 20);
        sample_log(m, 100, &log);
        dump_bytes(&d, log.data, log.len, NULL, 0);
        CHECK_INT(d.code, AIT_OK);
        CHECK_TEXT(d.report.format, m->name);
        CHECK(!strstr(dump_text(&d), "not kept"));
        CHECK(!strstr(dump_text(&d), "not-kept"));
        dump_free(&d);
        ait_buf_free(&log);
        ait_map_free(m);
    }
}

/* A line of one format and one of another are nobody's log. */
static void mixed_logs_are_refused(void)
{
    size_t n = sizeof ait_format_files / sizeof *ait_format_files - 1;

    for (size_t i = 0; i < n; i++) {
        ait_map *a = read_nth(i), *b = read_nth((i + 1) % n);
        ait_buf log;
        dump d;

        ait_buf_init(&log, 1 << 20);
        sample_log(a, 1, &log);
        sample_log(b, 1, &log);
        dump_bytes(&d, log.data, log.len, NULL, 0);
        CHECK_INT(d.code, AIT_EINPUT);
        CHECK(strstr(d.err.reason, a->name) != NULL);
        CHECK(strstr(d.err.reason, b->name) != NULL);
        CHECK_TEXT(dump_text(&d), "");
        dump_free(&d);
        ait_buf_free(&log);
        ait_map_free(a);
        ait_map_free(b);
    }
}

static void every_block_size_gives_the_same(void)
{
    ait_buf log;
    ait_map *m = read_nth(0);

    ait_buf_init(&log, 1 << 20);
    sample_log(m, 1, &log);
    check_blocks(log.data, log.len);
    ait_buf_free(&log);
    ait_map_free(m);
}

static void all_are_listed(void)
{
    const ait_format_info *info;
    size_t n = ait_formats(&info), i, k;

    for (i = 0; ait_format_files[i].name; i++) {
        ait_map *m = read_nth(i);

        for (k = 0; k < n && strcmp(info[k].name, m->name) != 0;)
            k++;
        CHECK(k < n);
        ait_map_free(m);
    }
    CHECK_INT(n, i + 2); /* and the capture and the native log */
}

int main(void)
{
    RUN(every_mapping_is_readable_and_its_samples_hold);
    RUN(every_format_is_recognised_by_content);
    RUN(mixed_logs_are_refused);
    RUN(every_block_size_gives_the_same);
    RUN(all_are_listed);
    return t_done();
}
