#ifndef AIT_CLI_ARGS_H
#define AIT_CLI_ARGS_H
/*
 * Options and commands as tables. One table row is the source of parsing,
 * help and completion. Options are never abbreviated; `--opt=value` and
 * `--opt value` are the same; `--` ends the options.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "store/store.h"

typedef struct cmd_list { /* values of a repeatable option */
    const char **value;
    int n;
} cmd_list;

/* Every value an option may have; which ones a command takes is its table's
 * matter. Texts point into argv. */
typedef struct cmd_args {
    const char *db, *color, *output, *thresholds, *format, *map, *by,
        *method;
    cmd_list from;
    ait_selection sel;
    int64_t slowest, threads; /* absent: not given */
    bool quiet, help, version, json, csv, local, events, ci, share,
        exit_finding, limit_given, failed;
    cmd_list operand;
} cmd_args;

typedef enum cmd_kind {
    CMD_FLAG,
    CMD_TEXT,
    CMD_LIST,
    CMD_COUNT, /* a whole number, 0 or more */
    CMD_TIME,  /* RFC 3339, or a date */
    CMD_CHOICE /* one of `words` */
} cmd_kind;

typedef struct cmd_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    cmd_kind kind;
    size_t at;        /* offset in cmd_args */
    const char *arg;  /* "FILE"; NULL for a flag */
    const char *const *words; /* NULL-terminated; CMD_CHOICE */
    const char *help;
} cmd_option;

/* Rows that several commands have between rows of their own. */
#define CMD_FLAG_ROW(name, member, help) \
    {name, 0, CMD_FLAG, offsetof(cmd_args, member), NULL, NULL, help}
#define CMD_CSV_ROW CMD_FLAG_ROW("csv", csv, "CSV instead of text")
#define CMD_FINDING_ROWS \
    CMD_FLAG_ROW("exit-finding", exit_finding, \
                 "exit status 1 where a request has a finding"), \
    CMD_FLAG_ROW("share", share, "findings by share of the time count, too")
#define CMD_END {NULL, 0, CMD_FLAG, 0, NULL, NULL, NULL} /* of the rows */

typedef struct cmd_group { /* a heading of the help with its options */
    const char *title;
    const cmd_option *option; /* ends with a NULL name */
} cmd_group;

struct cmd_context;

typedef struct cmd_command {
    const char *name;
    const char *arguments;    /* "FILE...", "" */
    int least, most;          /* operands; most < 0: any number */
    const char *what;         /* one line */
    const char *const *examples; /* command, what it does, … NULL */
    const cmd_group *const *groups; /* NULL-terminated */
    ait_code (*run)(struct cmd_context *c);
} cmd_command;

extern const cmd_command *const cmd_commands[]; /* NULL-terminated */
const cmd_command *cmd_find(const char *name);  /* NULL: none */

/* Groups that several commands share (options.c). */
extern const cmd_group cmd_global, cmd_output_options, cmd_selection,
    cmd_from, cmd_limits;
extern const char *const cmd_shells[]; /* bash, zsh, fish */

/*
 * Parses argv[1..]. *command is NULL where none was named (help, version, or
 * nothing at all). AIT_EUSAGE says what is wrong and names the nearest.
 * `args` owns its lists: cmd_args_free in any case.
 */
ait_code cmd_parse(int argc, char **argv, cmd_args *args,
                   const cmd_command **command, ait_error *err);
void cmd_args_free(cmd_args *args);

/* Help into `out`: the overview, or a command with its examples first. */
bool cmd_help_overview(ait_buf *out);
bool cmd_help_command(ait_buf *out, const cmd_command *command);
/* A completion script for a shell of cmd_shells. */
bool cmd_completion_script(ait_buf *out, const char *shell);

#endif
