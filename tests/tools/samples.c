/*
 * Prints the samples of a mapping file as the log lines they stand for, one a
 * line; those that are no request of their own are left out.
 *
 * usage: samples FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "input/map.h"

static bool is_skipped(ait_json *j, ait_jref sample)
{
    bool skip = false;

    ait_json_bool(j, ait_json_at(j, sample, "/expect/skipped"), &skip);
    return skip;
}

static void print_sample(ait_json *j, ait_jref sample)
{
    ait_jref text = ait_json_get(j, sample, "text");
    ait_jref line = ait_json_get(j, sample, "line");
    ait_buf out;
    size_t i;

    if (is_skipped(j, sample))
        return;
    ait_buf_init(&out, 1 << 20);
    if (text != AIT_JNONE)
        ait_json_text(j, text, &out);
    else
        ait_buf_add(&out, j->text + j->node[line].off, j->node[line].len);
    for (i = 0; i < out.len; i++)
        putchar(out.data[i] == '\n' ? ' ' : out.data[i]);
    putchar('\n');
    ait_buf_free(&out);
}

int main(int argc, char **argv)
{
    ait_error err;
    ait_buf text;
    ait_json j;
    ait_jref list, s;

    ait_json_init(&j, 1 << 20);
    if (argc != 2 || ait_map_file_text(argv[1], &text, &err) != AIT_OK ||
        !ait_json_parse(&j, text.data, text.len))
        return 1;
    list = ait_json_get(&j, AIT_JROOT, "samples");
    for (s = ait_json_first(&j, list); s != AIT_JNONE;
         s = ait_json_next(&j, list, s))
        print_sample(&j, s);
    ait_json_free(&j);
    ait_buf_free(&text);
    return 0;
}
