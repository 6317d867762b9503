/* What can be said against the arguments before anything is opened. */
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "cli/context.h"

/* ---- files -------------------------------------------------------------- */

/* A name that is empty is most often a variable that was not set; standard
 * input has nothing left for a second reading. */
static ait_code check_files(cmd_context *c, const cmd_list *files)
{
    int inputs = 0;
    for (int i = 0; i < files->n; i++) {
        if (*files->value[i] == '\0')
            return ait_fail(&c->err, AIT_EUSAGE, "a file's name is empty");
        inputs += strcmp(files->value[i], "-") == 0;
    }
    if (inputs > 1)
        return ait_fail(&c->err, AIT_EUSAGE,
                        "standard input (-) can be read but once");
    return AIT_OK;
}

/* ---- words -------------------------------------------------------------- */

static void hint_words(cmd_context *c, const char *word,
                       const char *const *words)
{
    char all[sizeof c->err.hint] = "";
    size_t n = 0;
    const char *near = ait_nearest(word, words);
    for (int i = 0; words[i] && n < sizeof all; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s",
                              i ? ", " : "", words[i]);
    if (near)
        ait_error_hint(&c->err, "did you mean %s?", near);
    else if (n + 16 < sizeof all)
        ait_error_hint(&c->err, "there is %s", all);
    else
        ait_error_hint(&c->err, "aitrace-metrics(7) lists them");
}

static ait_code check_word(cmd_context *c, const char *kind,
                           const char *word, const char *const *names, int n)
{
    const char *words[64];
    if (!word || ait_word(names, n, word, strlen(word)) >= 0)
        return AIT_OK;
    memcpy(words, names, (size_t)n * sizeof *words);
    words[n] = NULL;
    ait_fail(&c->err, AIT_EUSAGE, "there is no %s \"%s\"", kind, word);
    if (strcmp(word, "failed") == 0)
        ait_error_hint(&c->err, "--failed selects all that failed");
    else
        hint_words(c, word, words);
    return AIT_EUSAGE;
}

ait_code cmd_check(cmd_context *c)
{
    const ait_selection *sel = &c->args.sel;
    ait_code rc = check_files(c, &c->args.from);
    if (rc == AIT_OK)
        rc = check_files(c, &c->args.operand);
    if (rc == AIT_OK)
        rc = check_word(c, "outcome", sel->outcome, ait_outcome_name,
                        AIT_OUT_COUNT);
    if (rc == AIT_OK)
        rc = check_word(c, "finding", sel->finding, ait_rule_name,
                        AIT_R_COUNT);
    return rc;
}
