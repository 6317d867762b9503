#include <stdlib.h>
#include <string.h>
#include "base/num.h"
#include "base/text.h"
#include "cli/args.h"

typedef struct parser {
    char **argv;
    int argc, at;
    cmd_args *args;
    const cmd_command *command;
    ait_error *err;
    const cmd_option *seen[64]; /* given once already */
    int seens;
} parser;

/* ---- tables ------------------------------------------------------------ */

/* Groups in reach: the global ones, then those of the command. */
static const cmd_group *group_at(const parser *p, int i)
{
    if (i == 0)
        return &cmd_global;
    return p->command ? p->command->groups[i - 1] : NULL;
}

static const cmd_option *find_option(const parser *p, const char *name,
                                     size_t n, char letter)
{
    const cmd_group *g;
    for (int i = 0; (g = group_at(p, i)); i++)
        for (const cmd_option *o = g->option; o->name; o++)
            if (letter ? o->letter == letter
                       : name && strlen(o->name) == n &&
                             strncmp(o->name, name, n) == 0)
                return o;
    return NULL;
}

const cmd_command *cmd_find(const char *name)
{
    for (int i = 0; cmd_commands[i]; i++)
        if (strcmp(cmd_commands[i]->name, name) == 0)
            return cmd_commands[i];
    return NULL;
}

static void hint_options(const parser *p)
{
    ait_error_hint(p->err, "aitrace %s%s--help lists the options",
                   p->command ? p->command->name : "",
                   p->command ? " " : "");
}

static ait_code unknown_option(parser *p, const char *name, size_t n)
{
    const char *words[128];
    char word[64];
    const cmd_group *g;
    int count = 0;
    for (int i = 0; (g = group_at(p, i)); i++)
        for (const cmd_option *o = g->option; o->name && count < 127; o++)
            words[count++] = o->name;
    words[count] = NULL;
    n = n < sizeof word ? n : sizeof word - 1;
    memcpy(word, name, n);
    word[n] = '\0';
    ait_fail(p->err, AIT_EUSAGE, "unknown option --%s", word);
    const char *near = ait_nearest(word, words);
    if (near)
        ait_error_hint(p->err, "did you mean --%s?", near);
    else
        hint_options(p);
    return AIT_EUSAGE;
}

static ait_code unknown_command(parser *p, const char *name)
{
    const char *words[64];
    int n = 0;
    for (; n < 63 && cmd_commands[n]; n++)
        words[n] = cmd_commands[n]->name;
    words[n] = NULL;
    ait_fail(p->err, AIT_EUSAGE, "unknown command \"%s\"", name);
    const char *near = ait_nearest(name, words);
    if (near)
        ait_error_hint(p->err, "did you mean %s?", near);
    else
        ait_error_hint(p->err, "aitrace --help lists the commands");
    return AIT_EUSAGE;
}

/* ---- values ------------------------------------------------------------ */

static bool push(cmd_list *list, const char *value)
{
    size_t size = sizeof *list->value * ((size_t)list->n + 1);
    const char **grown = ait_realloc(list->value, size);
    if (!grown)
        return false;
    list->value = grown;
    list->value[list->n++] = value;
    return true;
}

static ait_code set_flag(parser *p, const cmd_option *o, void *to,
                         const char *value)
{
    (void)p, (void)o, (void)value;
    *(bool *)to = true;
    return AIT_OK;
}

static ait_code set_text(parser *p, const cmd_option *o, void *to,
                         const char *value)
{
    (void)p, (void)o;
    *(const char **)to = value;
    return AIT_OK;
}

static ait_code set_list(parser *p, const cmd_option *o, void *to,
                         const char *value)
{
    (void)o;
    if (!push(to, value))
        return ait_fail(p->err, AIT_ENOMEM, "out of memory");
    return AIT_OK;
}

static ait_code set_count(parser *p, const cmd_option *o, void *to,
                          const char *value)
{
    int64_t n;
    if (!ait_int_read(value, strlen(value), &n) || n < 0)
        return ait_fail(p->err, AIT_EUSAGE,
                        "--%s takes a whole number, not \"%s\"", o->name,
                        value);
    *(int64_t *)to = n;
    return AIT_OK;
}

/* A date alone is the start of that day, UTC. */
static ait_code set_time(parser *p, const cmd_option *o, void *to,
                         const char *value)
{
    char day[32];
    bool zone;
    size_t n = strlen(value);
    if (n == 10) {
        memcpy(day, value, 10);
        strcpy(day + 10, "T00:00:00Z");
        value = day;
        n = strlen(day);
    }
    if (!ait_time_read(value, n, to, &zone)) {
        ait_fail(p->err, AIT_EUSAGE, "--%s takes a time", o->name);
        ait_error_hint(p->err, "2026-10-03T12:00:00Z, or 2026-10-03");
        return AIT_EUSAGE;
    }
    return AIT_OK;
}

static ait_code set_choice(parser *p, const cmd_option *o, void *to,
                           const char *value)
{
    for (int i = 0; o->words[i]; i++)
        if (strcmp(o->words[i], value) == 0)
            return set_text(p, o, to, value);
    ait_fail(p->err, AIT_EUSAGE, "--%s takes %s, not \"%s\"", o->name,
             o->arg, value);
    const char *near = ait_nearest(value, o->words);
    if (near)
        ait_error_hint(p->err, "did you mean %s?", near);
    return AIT_EUSAGE;
}

static ait_code (*const setters[])(parser *, const cmd_option *, void *,
                                   const char *) = {
    [CMD_FLAG] = set_flag,   [CMD_TEXT] = set_text, [CMD_LIST] = set_list,
    [CMD_COUNT] = set_count, [CMD_TIME] = set_time,
    [CMD_CHOICE] = set_choice,
};

/* A value given twice is refused: silently taking one of two would answer
 * another question than the one that was asked. */
static ait_code seen_before(parser *p, const cmd_option *o)
{
    if (o->kind == CMD_LIST || o->kind == CMD_FLAG)
        return AIT_OK;
    for (int i = 0; i < p->seens; i++)
        if (p->seen[i] == o)
            return ait_fail(p->err, AIT_EUSAGE, "--%s is given twice",
                            o->name);
    if (p->seens < 64)
        p->seen[p->seens++] = o;
    return AIT_OK;
}

/* `value` is what stood behind "=", or NULL. */
static ait_code take_option(parser *p, const cmd_option *o,
                            const char *value)
{
    void *to = (char *)p->args + o->at;
    if (o->kind == CMD_FLAG && value)
        return ait_fail(p->err, AIT_EUSAGE, "--%s takes no value", o->name);
    if (o->kind != CMD_FLAG && !value) {
        if (p->at >= p->argc)
            return ait_fail(p->err, AIT_EUSAGE, "--%s wants %s", o->name,
                            o->arg);
        value = p->argv[p->at++];
    }
    if (to == &p->args->sel.limit)
        p->args->limit_given = true;
    ait_code rc = seen_before(p, o);
    return rc == AIT_OK ? setters[o->kind](p, o, to, value) : rc;
}

/* ---- words of the command line ----------------------------------------- */

static ait_code long_option(parser *p, const char *word)
{
    size_t n = strcspn(word, "=");
    const cmd_option *o = find_option(p, word, n, 0);
    if (!o)
        return unknown_option(p, word, n);
    return take_option(p, o, word[n] == '=' ? word + n + 1 : NULL);
}

/* -o FILE or -oFILE; letters are not bundled. */
static ait_code short_option(parser *p, const char *word)
{
    const cmd_option *o = find_option(p, NULL, 0, word[0]);
    if (!o) {
        ait_fail(p->err, AIT_EUSAGE, "unknown option -%c", word[0]);
        hint_options(p);
        return AIT_EUSAGE;
    }
    if (o->kind == CMD_FLAG && word[1])
        return ait_fail(p->err, AIT_EUSAGE,
                        "-%c stands alone: letters are not joined", word[0]);
    return take_option(p, o, word[1] ? word + 1 : NULL);
}

static ait_code take_word(parser *p, const char *word)
{
    if (p->command) {
        if (!push(&p->args->operand, word))
            return ait_fail(p->err, AIT_ENOMEM, "out of memory");
        return AIT_OK;
    }
    p->command = cmd_find(word);
    return p->command ? AIT_OK : unknown_command(p, word);
}

static ait_code parse_words(parser *p)
{
    bool options = true;
    ait_code rc = AIT_OK;
    while (rc == AIT_OK && p->at < p->argc) {
        const char *word = p->argv[p->at++];
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            rc = long_option(p, word + 2);
        else if (options && word[0] == '-' && word[1])
            rc = short_option(p, word + 1);
        else
            rc = take_word(p, word);
    }
    return rc;
}

/* Too few, too many; a lone id is what people try first. */
static ait_code check_operands(const parser *p)
{
    const cmd_command *c = p->command;
    const cmd_list *got = &p->args->operand;
    if (!c || p->args->help)
        return AIT_OK;
    if (got->n < c->least) {
        ait_fail(p->err, AIT_EUSAGE, "%s wants %s", c->name, c->arguments);
        ait_error_hint(p->err, "aitrace %s --help shows examples", c->name);
        return AIT_EUSAGE;
    }
    if (c->most < 0 || got->n <= c->most)
        return AIT_OK;
    ait_fail(p->err, AIT_EUSAGE, "%s does not take \"%s\"", c->name,
             got->value[c->most]);
    if (find_option(p, "request-id", 10, 0))
        ait_error_hint(p->err, "a request is named by --request-id ID, a "
                       "file by --from FILE");
    return AIT_EUSAGE;
}

ait_code cmd_parse(int argc, char **argv, cmd_args *args,
                   const cmd_command **command, ait_error *err)
{
    parser p = {.argv = argv, .argc = argc, .at = 1, .args = args,
                .err = err};
    memset(args, 0, sizeof *args);
    ait_selection_init(&args->sel);
    args->slowest = args->threads = AIT_ABSENT;
    ait_code rc = parse_words(&p);
    if (rc == AIT_OK)
        rc = check_operands(&p);
    if (rc == AIT_OK && args->json && args->csv)
        rc = ait_fail(err, AIT_EUSAGE, "--json and --csv do not go "
                      "together");
    *command = p.command;
    return rc;
}

void cmd_args_free(cmd_args *args)
{
    free((void *)args->from.value);
    free((void *)args->operand.value);
}
