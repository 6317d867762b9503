/* help: the manual page where man has it, else the help text. completion: a
 * script for a shell. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/text.h"
#include "cli/context.h"

/* Runs man with its complaints silenced. false: it did not show the page. */
static bool man_page(const char *page)
{
    pid_t child = fork();
    int status;
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0)
            dup2(null, STDERR_FILENO);
        signal(SIGPIPE, SIG_DFL);
        execlp("man", "man", page, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (cmd_signal())
            break;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static ait_code unknown_page(cmd_context *c, const char *name)
{
    const char *words[64];
    int n = 0;
    for (; n < 63 && cmd_commands[n]; n++)
        words[n] = cmd_commands[n]->name;
    words[n] = NULL;
    ait_fail(&c->err, AIT_EUSAGE, "no command is named \"%s\"", name);
    const char *near = ait_nearest(name, words);
    if (near)
        ait_error_hint(&c->err, "did you mean %s?", near);
    return AIT_EUSAGE;
}

static ait_code run_help(cmd_context *c)
{
    char page[64] = "aitrace";
    const cmd_command *command = NULL;
    if (c->args.operand.n == 0)
        return cmd_rendered(c, cmd_help_overview(&c->out.buf));
    command = cmd_find(c->args.operand.value[0]);
    if (!command)
        return unknown_page(c, c->args.operand.value[0]);
    snprintf(page, sizeof page, "aitrace-%s", command->name);
    if (man_page(page))
        return AIT_OK;
    return cmd_rendered(c, cmd_help_command(&c->out.buf, command));
}

const cmd_command cmd_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .most = 1,
    .what = "the manual page of a command",
    .examples = (const char *const[]){
        "aitrace help", "the commands",
        "aitrace help diagnose", "all about one of them", NULL},
    .groups = (const cmd_group *const[]){NULL},
    .run = run_help,
};

static ait_code run_completion(cmd_context *c)
{
    const char *shell = c->args.operand.value[0];
    for (int i = 0; cmd_shells[i]; i++)
        if (strcmp(shell, cmd_shells[i]) == 0)
            return cmd_rendered(c, cmd_completion_script(&c->out.buf,
                                                         shell));
    ait_fail(&c->err, AIT_EUSAGE, "no completion for \"%s\"", shell);
    ait_error_hint(&c->err, "there is bash, zsh and fish");
    return AIT_EUSAGE;
}

const cmd_command cmd_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .what = "a completion script for a shell",
    .examples = (const char *const[]){
        "eval \"$(aitrace completion bash)\"", "in ~/.bashrc",
        "aitrace completion fish > "
        "~/.config/fish/completions/aitrace.fish",
        "once", NULL},
    .groups = (const cmd_group *const[]){NULL},
    .run = run_completion,
};
