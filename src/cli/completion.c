/* Completion scripts, from the same tables as the parser. */
#include <stdio.h>
#include <string.h>
#include "analyse/report.h"
#include "cli/args.h"
#include "input/input.h"
#include "model/trace.h"
#include "model/verdict.h"

/* ---- values of options -------------------------------------------------- */

/* The i-th word an option may have, NULL behind the last. */
typedef const char *word_fn(int i);

static const char *outcome_word(int i)
{
    return i < AIT_OUT_COUNT ? ait_outcome_name[i] : NULL;
}

static const char *finding_word(int i)
{
    return i < AIT_R_COUNT ? ait_rule_name[i] : NULL;
}

static const char *field_word(int i)
{
    return ait_report_fields[i];
}

static const char *format_word(int i)
{
    const ait_format_info *formats;
    return (size_t)i < ait_formats(&formats) ? formats[i].name : NULL;
}

/* Those whose words are another stage's. */
static const struct {
    const char *option;
    word_fn *word;
} values[] = {
    {"outcome", outcome_word}, {"finding", finding_word},
    {"by", field_word},        {"format", format_word},
};

static const char *word_of(const cmd_option *o, int i)
{
    if (o->words)
        return o->words[i];
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (strcmp(values[k].option, o->name) == 0)
            return values[k].word(i);
    return NULL;
}

static bool words_text(ait_buf *out, const cmd_option *o)
{
    const char *word;
    bool ok = true;
    for (int i = 0; ok && (word = word_of(o, i)); i++)
        ok = ait_buf_addf(out, "%s%s", i ? " " : "", word);
    return ok;
}

static bool takes_file(const cmd_option *o)
{
    return o->arg && strcmp(o->arg, "FILE") == 0;
}

/* ---- bash and zsh ------------------------------------------------------- */

static bool all_options(ait_buf *out, const cmd_command *c)
{
    bool ok = true;
    for (int g = -1; ok && (g < 0 || (c && c->groups[g])); g++) {
        const cmd_group *group = g < 0 ? &cmd_global : c->groups[g];
        for (const cmd_option *o = group->option; ok && o->name; o++)
            ok = ait_buf_addf(out, " --%s", o->name);
    }
    return ok;
}

static const char *command_word(int i)
{
    return cmd_commands[i] ? cmd_commands[i]->name : NULL;
}

static const char *shell_word(int i)
{
    return cmd_shells[i];
}

static bool words_of(ait_buf *out, word_fn *word)
{
    bool ok = true;
    for (int i = 0; ok && word(i); i++)
        ok = ait_buf_addf(out, " %s", word(i));
    return ok;
}

/* Words that stand behind the command itself. */
static bool operand_words(ait_buf *out, const cmd_command *c)
{
    if (strcmp(c->name, "help") == 0)
        return words_of(out, command_word);
    return strcmp(c->name, "completion") != 0 || words_of(out, shell_word);
}

/* What may come behind a command: where it takes operands, options only
 * behind a dash, so that there is room for files. */
static bool bash_command(ait_buf *out, const cmd_command *c)
{
    bool ok = ait_buf_addf(out, "    %s%s) list=\"", c->name,
                           c->most ? ",-*" : ",*") &&
              all_options(out, c) && ait_buf_adds(out, "\" ;;\n");
    if (c->most)
        ok = ok && ait_buf_addf(out, "    %s,*) list=\"", c->name) &&
             operand_words(out, c) && ait_buf_adds(out, "\" ;;\n");
    return ok;
}

/* The first row of this name: commands share options. */
static bool is_first(const cmd_option *option, int command)
{
    for (int i = 0; i < command; i++)
        for (int g = 0; cmd_commands[i]->groups[g]; g++)
            for (const cmd_option *o = cmd_commands[i]->groups[g]->option;
                 o->name; o++)
                if (strcmp(o->name, option->name) == 0)
                    return false;
    return true;
}

/* What follows an option that takes a value. Files are the shell's own
 * matter; where nobody can know the value, nothing is offered. */
static bool bash_value(ait_buf *out, const cmd_option *o)
{
    if (!o->arg)
        return true;
    bool ok = o->letter
                  ? ait_buf_addf(out, "    --%s|-%c) ", o->name, o->letter)
                  : ait_buf_addf(out, "    --%s) ", o->name);
    if (takes_file(o))
        return ok && ait_buf_adds(out, "return ;;\n");
    if (!word_of(o, 0))
        return ok && ait_buf_adds(out, "compopt +o default 2>/dev/null; "
                                       "return ;;\n");
    return ok && ait_buf_adds(out, "list=\"") && words_text(out, o) &&
           ait_buf_adds(out, "\" ;;\n");
}

static bool bash_values(ait_buf *out)
{
    bool ok = true;
    for (const cmd_option *o = cmd_global.option; ok && o->name; o++)
        ok = bash_value(out, o);
    for (int i = 0; ok && cmd_commands[i]; i++)
        for (int g = 0; ok && cmd_commands[i]->groups[g]; g++)
            for (const cmd_option *o = cmd_commands[i]->groups[g]->option;
                 ok && o->name; o++)
                ok = !is_first(o, i) || bash_value(out, o);
    return ok;
}

/* zsh reads the same function through bashcompinit. */
static bool bash_script(ait_buf *out)
{
    bool ok = ait_buf_adds(out,
        "_aitrace() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} command= w list= head=\n"
        "    local last=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    COMPREPLY=()\n"
        "    # --option=value is three words\n"
        "    if [ \"$word\" = \"=\" ]; then\n"
        "        word=\n"
        "    elif [ \"$last\" = \"=\" ]; then\n"
        "        last=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        "        case $w in\n"
        "        -*) ;;\n"
        "        *) case \" $_aitrace_commands \" in\n"
        "           *\" $w \"*) command=$w; break ;;\n"
        "           esac ;;\n"
        "        esac\n"
        "    done\n"
        "    case $last in\n");
    ok = ok && bash_values(out);
    ok = ok && ait_buf_adds(out,
        "    *) case $command,$word in\n"
        "    ,-*) list=\"") && all_options(out, NULL) &&
        ait_buf_adds(out, "\" ;;\n"
        "    ,*) list=$_aitrace_commands ;;\n");
    for (int i = 0; ok && cmd_commands[i]; i++)
        ok = bash_command(out, cmd_commands[i]);
    ok = ok && ait_buf_adds(out,
        "    esac ;;\n"
        "    esac\n"
        "    case $word in\n"
        "    *,*) head=${word%,*}, word=${word##*,} ;;\n"
        "    esac\n"
        "    COMPREPLY=($(compgen -P \"$head\" -W \"$list\" -- \"$word\"))\n"
        "}\n"
        "_aitrace_commands=\"");
    ok = ok && words_of(out, command_word);
    return ok && ait_buf_adds(out, " \"\n"
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
    bool ok = true;
    for (const cmd_option *o = group->option; ok && o->name; o++) {
        ait_buf start;
        ait_buf_init(&start, 8192);
        ok = ait_buf_addf(&start, "-n '__fish_seen_subcommand_from %s' -l %s"
                          "%s", c->name, o->name,
                          !o->arg ? "" : takes_file(o) ? " -r" : " -x -a '");
        if (o->arg && !takes_file(o))
            ok = ok && words_text(&start, o) && ait_buf_adds(&start, "'");
        ok = ok && fish_line(out, start.data, o->help);
        ait_buf_free(&start);
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
