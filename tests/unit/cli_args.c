/* The option parser and the help, over a table of their own. */
#include "../../src/cli/args.c"
#include "../../src/cli/completion.c"
#include "../../src/cli/help.c"
#include "../../src/cli/options.c"
#include "harness.h"

static const char *const words[] = {"nearest-rank", "linear", NULL};
static const cmd_group own = {"own", (const cmd_option[]){
    {"slowest", 0, CMD_COUNT, AT(slowest), "N", NULL, "a number"},
    {"percentile-method", 'm', CMD_CHOICE, AT(method),
     "nearest-rank|linear", words, "a word"},
    {"a-name-that-is-far-too-long", 0, CMD_TEXT, AT(by), "X", NULL, "text"},
    CMD_END}};
static const cmd_command list = {
    .name = "list", .arguments = "", .what = "it's a list",
    .examples = (const char *const[]){"aitrace list", "all", NULL},
    .groups = (const cmd_group *const[]){&cmd_selection, &own, &cmd_from,
                                         &cmd_output_options, NULL}};
static const cmd_command import = {
    .name = "import", .arguments = "FILE...", .least = 1, .most = -1,
    .what = "files", .examples = (const char *const[]){NULL},
    .groups = (const cmd_group *const[]){NULL}};
const cmd_command *const cmd_commands[] = {&list, &import, NULL};

static cmd_args args;
static const cmd_command *command;
static ait_error err;

/* Words separated by spaces; a word of its own for "". */
static ait_code parse(const char *line)
{
    static char text[512];
    char *argv[32] = {"aitrace"};
    int argc = 1;
    cmd_args_free(&args);
    ait_error_clear(&err);
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    return cmd_parse(argc, argv, &args, &command, &err);
}

static void values_of_both_forms(void)
{
    CHECK_INT(parse("list --model m1 --provider=p1 --limit=7"), AIT_OK);
    CHECK(command == &list);
    CHECK_TEXT(args.sel.model, "m1");
    CHECK_TEXT(args.sel.provider, "p1");
    CHECK_INT(args.sel.limit, 7);
    CHECK(args.limit_given);
    CHECK_INT(parse("list --where=a=b"), AIT_OK);
    CHECK_TEXT(args.sel.where, "a=b");
    CHECK_INT(parse("list --model --json"), AIT_OK); /* it is the value */
    CHECK_TEXT(args.sel.model, "--json");
    CHECK(!args.json);
    CHECK(!args.limit_given);
}

static void global_options_stand_anywhere(void)
{
    CHECK_INT(parse("--db a.db list"), AIT_OK);
    CHECK_TEXT(args.db, "a.db");
    CHECK_INT(parse("list --db a.db -q"), AIT_OK);
    CHECK_TEXT(args.db, "a.db");
    CHECK(args.quiet);
    CHECK_INT(parse("--model m list"), AIT_EUSAGE);
}

static void letters(void)
{
    CHECK_INT(parse("list -o out"), AIT_OK);
    CHECK_TEXT(args.output, "out");
    CHECK_INT(parse("list -oout"), AIT_OK);
    CHECK_TEXT(args.output, "out");
    CHECK_INT(parse("list -qh"), AIT_EUSAGE);
    CHECK_INT(parse("list -x"), AIT_EUSAGE);
    CHECK_INT(parse("list -m linear"), AIT_OK);
}

static void repeated(void)
{
    CHECK_INT(parse("list --from a --from=b"), AIT_OK);
    CHECK_INT(args.from.n, 2);
    CHECK_TEXT(args.from.value[0], "a");
    CHECK_TEXT(args.from.value[1], "b");
    CHECK_INT(parse("list --json --json"), AIT_OK);
    CHECK_INT(parse("list --model a --model b"), AIT_EUSAGE);
    CHECK_TEXT(err.message, "--model is given twice");
}

static void never_abbreviated(void)
{
    CHECK_INT(parse("list --mode m"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "did you mean --model?");
    CHECK_INT(parse("lis"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "did you mean list?");
    CHECK_INT(parse("list --zzzzzzzzzzzz"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "aitrace list --help lists the options");
}

static void what_is_no_value(void)
{
    CHECK_INT(parse("list --limit -1"), AIT_EUSAGE);
    CHECK_INT(parse("list --limit 1.5"), AIT_EUSAGE);
    CHECK_INT(parse("list --limit 99999999999999999999"), AIT_EUSAGE);
    CHECK_INT(parse("list --limit"), AIT_EUSAGE);
    CHECK_TEXT(err.message, "--limit wants N");
    CHECK_INT(parse("list --json=yes"), AIT_EUSAGE);
    CHECK_INT(parse("list --percentile-method linaer"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "did you mean linear?");
    CHECK_INT(parse("list --color=blue"), AIT_EUSAGE);
    CHECK_INT(parse("list --json --csv"), AIT_EUSAGE);
}

static void times(void)
{
    CHECK_INT(parse("list --since 2026-10-03 --until=2026-10-03T12:00:00Z"),
              AIT_OK);
    CHECK_INT(args.sel.since, INT64_C(1790985600) * AIT_SEC);
    CHECK_INT(args.sel.until, INT64_C(1791028800) * AIT_SEC);
    CHECK_INT(parse("list --since yesterday"), AIT_EUSAGE);
    CHECK_INT(parse("list --since 2026-13-03"), AIT_EUSAGE);
}

static void operands(void)
{
    CHECK_INT(parse("import a - b"), AIT_OK);
    CHECK_INT(args.operand.n, 3);
    CHECK_TEXT(args.operand.value[1], "-");
    CHECK_INT(parse("import -- --db"), AIT_OK);
    CHECK_TEXT(args.operand.value[0], "--db");
    CHECK_INT(parse("import"), AIT_EUSAGE);
    CHECK_TEXT(err.message, "import wants FILE...");
    CHECK_INT(parse("import --help"), AIT_OK);
    CHECK_INT(parse("list req-1"), AIT_EUSAGE);
    CHECK_TEXT(err.hint, "a request is named by --request-id ID, a file by "
                         "--from FILE");
}

/* What a person typed may hold anything; the terminal must not see it. */
static void messages_are_clean(void)
{
    CHECK_INT(parse("li\033[31mst"), AIT_EUSAGE);
    CHECK(!strchr(err.message, '\033'));
}

static void nothing_at_all(void)
{
    CHECK_INT(parse(""), AIT_OK);
    CHECK(command == NULL);
    CHECK_INT(parse("--version"), AIT_OK);
    CHECK(args.version);
}

static void help_is_the_table(void)
{
    ait_buf out;
    ait_buf_init(&out, 1 << 20);
    CHECK(cmd_help_command(&out, &list));
    CHECK(strstr(out.data, "examples\n  aitrace list\n      all\n"));
    for (int i = 0; list.groups[i]; i++)
        for (const cmd_option *o = list.groups[i]->option; o->name; o++) {
            char name[64];
            snprintf(name, sizeof name, "--%s", o->name);
            CHECK(strstr(out.data, name));
            CHECK(strstr(out.data, o->help));
        }
    ait_buf_clear(&out);
    CHECK(cmd_help_overview(&out));
    CHECK(strstr(out.data, "\n  list "));
    ait_buf_free(&out);
}

static void completion_names_everything(void)
{
    ait_buf out;
    ait_buf_init(&out, 1 << 20);
    for (int i = 0; cmd_shells[i]; i++) {
        ait_buf_clear(&out);
        CHECK(cmd_completion_script(&out, cmd_shells[i]));
        CHECK(strstr(out.data, "import"));
        CHECK(strstr(out.data, "percentile-method"));
    }
    CHECK(strstr(out.data, "'it\\'s a list'"));
    CHECK(!cmd_completion_script(&out, "csh"));
    ait_buf_free(&out);
}

int main(void)
{
    RUN(values_of_both_forms);
    RUN(global_options_stand_anywhere);
    RUN(letters);
    RUN(repeated);
    RUN(never_abbreviated);
    RUN(what_is_no_value);
    RUN(times);
    RUN(operands);
    RUN(messages_are_clean);
    RUN(nothing_at_all);
    RUN(help_is_the_table);
    RUN(completion_names_everything);
    cmd_args_free(&args);
    return t_done();
}
