/* Help, from the same tables as the parser. */
#include <stdio.h>
#include <string.h>
#include "cli/args.h"

enum { NAME = 26 }; /* columns of an option in the help */

static bool option_line(ait_buf *out, const cmd_option *o)
{
    char name[96];
    char letter[8] = "";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(name, sizeof name, "%s--%s%s%s", letter, o->name,
             o->arg ? " " : "", o->arg ? o->arg : "");
    /* a long name stands on a line of its own */
    if (strlen(name) >= NAME)
        return ait_buf_addf(out, "  %s\n  %*s %s\n", name, NAME, "",
                            o->help);
    return ait_buf_addf(out, "  %-*s %s\n", NAME, name, o->help);
}

static bool group_text(ait_buf *out, const cmd_group *g)
{
    bool ok = ait_buf_addf(out, "\n%s\n", g->title);
    for (const cmd_option *o = g->option; ok && o->name; o++)
        ok = option_line(out, o);
    return ok;
}

bool cmd_help_command(ait_buf *out, const cmd_command *c)
{
    bool ok = ait_buf_addf(out, "aitrace %s - %s\n\nexamples\n", c->name,
                           c->what);
    for (int i = 0; ok && c->examples[i]; i += 2)
        ok = ait_buf_addf(out, "  %s\n      %s\n", c->examples[i],
                          c->examples[i + 1]);
    ok = ok && ait_buf_addf(out, "\nusage: aitrace [--db FILE] %s "
                            "[OPTIONS]%s%s\n", c->name,
                            *c->arguments ? " " : "", c->arguments);
    for (int i = 0; ok && c->groups[i]; i++)
        ok = group_text(out, c->groups[i]);
    ok = ok && group_text(out, &cmd_global);
    return ok && ait_buf_addf(out, "\nexit status: 0 done, 1 no, 2 usage, "
                              "3 input, 4 database, 5 output\n"
                              "manual: aitrace help %s\n", c->name);
}

bool cmd_help_overview(ait_buf *out)
{
    bool ok = ait_buf_adds(out,
        "aitrace - why a request to a language model took its time\n\n"
        "examples\n"
        "  aitrace import capture.aicap.jsonl\n"
        "  aitrace diagnose --slowest 3\n"
        "  aitrace report --by model\n\n"
        "usage: aitrace [--db FILE] COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        "commands\n");
    for (int i = 0; ok && cmd_commands[i]; i++)
        ok = ait_buf_addf(out, "  %-11s %-15s %s\n", cmd_commands[i]->name,
                          cmd_commands[i]->arguments, cmd_commands[i]->what);
    ok = ok && group_text(out, &cmd_global);
    return ok && ait_buf_adds(out,
        "\naitrace COMMAND --help shows the examples and options of a "
        "command,\naitrace help COMMAND its manual page.\n");
}
