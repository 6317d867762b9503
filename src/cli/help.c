/* Help and completion, from the same tables as the parser. */
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

/* ---- completion -------------------------------------------------------- */

static bool all_options(ait_buf *out, const cmd_command *c)
{
    bool ok = true;
    for (int g = -1; ok && (g < 0 || c->groups[g]); g++) {
        const cmd_group *group = g < 0 ? &cmd_global : c->groups[g];
        for (const cmd_option *o = group->option; ok && o->name; o++)
            ok = ait_buf_addf(out, " --%s", o->name);
    }
    return ok;
}

static bool command_names(ait_buf *out)
{
    bool ok = true;
    for (int i = 0; ok && cmd_commands[i]; i++)
        ok = ait_buf_addf(out, "%s%s", i ? " " : "", cmd_commands[i]->name);
    return ok;
}

/* zsh reads the same function through bashcompinit. */
static bool bash_script(ait_buf *out)
{
    bool ok = ait_buf_adds(out,
        "_aitrace() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} command= w\n"
        "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        "        case $w in\n"
        "        -*) ;;\n"
        "        *) case \" $_aitrace_commands \" in\n"
        "           *\" $w \"*) command=$w; break ;;\n"
        "           esac ;;\n"
        "        esac\n"
        "    done\n"
        "    local list=$_aitrace_commands\n"
        "    case $command in\n");
    for (int i = 0; ok && cmd_commands[i]; i++)
        ok = ait_buf_addf(out, "    %s) list=\"", cmd_commands[i]->name) &&
             all_options(out, cmd_commands[i]) &&
             ait_buf_adds(out, "\" ;;\n");
    ok = ok && ait_buf_adds(out,
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$list\" -- \"$word\"))\n"
        "}\n"
        "_aitrace_commands=\"");
    ok = ok && command_names(out);
    return ok && ait_buf_adds(out, "\"\n"
        "complete -o default -F _aitrace aitrace\n");
}

static bool zsh_script(ait_buf *out)
{
    return ait_buf_adds(out, "autoload -U +X bashcompinit && "
                             "bashcompinit\n") && bash_script(out);
}

/* A line of fish with its description in single quotes. */
static bool fish_line(ait_buf *out, const char *start, const char *what)
{
    bool ok = ait_buf_addf(out, "complete -c aitrace %s -d '", start);
    for (; ok && *what; what++)
        ok = (*what != '\'' || ait_buf_addc(out, '\\')) &&
             ait_buf_addc(out, *what);
    return ok && ait_buf_adds(out, "'\n");
}

static bool fish_options(ait_buf *out, const cmd_command *c,
                         const cmd_group *group)
{
    char start[160];
    bool ok = true;
    for (const cmd_option *o = group->option; ok && o->name; o++) {
        snprintf(start, sizeof start,
                 "-n '__fish_seen_subcommand_from %s' -l %s%s", c->name,
                 o->name, o->arg ? " -r" : "");
        ok = fish_line(out, start, o->help);
    }
    return ok;
}

static bool fish_script(ait_buf *out)
{
    char start[96];
    bool ok = true;
    for (int i = 0; ok && cmd_commands[i]; i++) {
        const cmd_command *c = cmd_commands[i];
        snprintf(start, sizeof start, "-n __fish_use_subcommand -f -a %s",
                 c->name);
        ok = fish_line(out, start, c->what);
        for (int g = 0; ok && c->groups[g]; g++)
            ok = fish_options(out, c, c->groups[g]);
        ok = ok && fish_options(out, c, &cmd_global);
    }
    return ok;
}

bool cmd_completion_script(ait_buf *out, const char *shell)
{
    static bool (*const script[])(ait_buf *) = {bash_script, zsh_script,
                                                fish_script};
    for (int i = 0; cmd_shells[i]; i++)
        if (strcmp(cmd_shells[i], shell) == 0)
            return script[i](out);
    return false;
}
