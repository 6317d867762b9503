/* aitrace: the program. Only this folder exits, prints, reads the
 * environment. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/context.h"

const cmd_command *const cmd_commands[] = {
    &cmd_import, &cmd_list_command, &cmd_show, &cmd_diagnose, &cmd_report,
    &cmd_formats, &cmd_schema, &cmd_completion, &cmd_help, NULL,
};

/* Exit statuses, as every manual page says them. Interrupts end by their
 * signal. */
static const int exit_status[] = {
    [AIT_OK] = 0,     [AIT_ENOTFOUND] = 1, [AIT_EUSAGE] = 2,
    [AIT_EINPUT] = 3, [AIT_EDB] = 4,       [AIT_EOUTPUT] = 5,
    [AIT_ENOMEM] = 3, [AIT_EINTR] = 3,
};

/* A closed descriptor would be given to the next file that is opened, and a
 * line for people would land in the database. Reading from or writing to its
 * stand-in fails, as on the closed one. */
static void fill_descriptors(void)
{
    static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
            open("/dev/null", mode[fd]) != fd)
            _exit(5);
}

static ait_code read_thresholds(cmd_context *c)
{
    const char *path = c->args.thresholds;
    static char text[64 << 10];
    if (!path)
        return AIT_OK;
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    bool bad = !f || ferror(f);
    int why = errno;
    if (f)
        fclose(f);
    if (bad || n == sizeof text) {
        ait_fail(&c->err, AIT_EUSAGE, "cannot read limits from %s", path);
        ait_error_reason(&c->err, "%s", bad ? strerror(why)
                                            : "over 64 KiB");
        return AIT_EUSAGE;
    }
    return ait_thresholds_read(&c->limits, text, n, path, &c->err);
}

/* What the next command must be told to look at the same requests. */
static void remember_source(cmd_context *c)
{
    ait_buf b;
    bool ok = true;
    ait_buf_init(&b, sizeof c->again - 1);
    for (int i = 0; ok && i < c->args.from.n; i++) {
        c->once = c->once || strcmp(c->args.from.value[i], "-") == 0;
        ok = ait_buf_adds(&b, " --from ") &&
             ait_shell_word(&b, c->args.from.value[i]);
    }
    if (c->args.from.n == 0 && c->args.db)
        ok = ait_buf_adds(&b, " --db ") && ait_shell_word(&b, c->args.db);
    if (ok && c->args.thresholds)
        ok = ait_buf_adds(&b, " --thresholds ") &&
             ait_shell_word(&b, c->args.thresholds);
    if (ok && b.len)
        memcpy(c->again, b.data, b.len + 1);
    ait_buf_free(&b);
}

/* --source takes the name with or without its folder. */
static void choose_source(cmd_context *c)
{
    if (!c->args.sel.source)
        return;
    ait_keep_file_name(c->args.sel.source, c->source);
    c->args.sel.source = c->source;
}

/* --failed is a condition like any other, and one more beside --where. The
 * line end closes a comment in the user's. */
static ait_code choose_failed(cmd_context *c)
{
    const char *where = c->args.sel.where;
    ait_buf *b = &c->where;
    bool ok = true;
    if (!c->args.failed)
        return AIT_OK;
    ait_buf_init(b, 1 << 20);
    for (int i = 0; ok && i < AIT_OUT_COUNT; i++)
        if (ait_outcome_failed((ait_outcome)i))
            ok = ait_buf_addf(b, "%s'%s'", b->len ? ", " : "outcome IN (",
                              ait_outcome_name[i]);
    ok = ok && ait_buf_adds(b, ")");
    if (where)
        ok = ok && ait_buf_adds(b, " AND (") && ait_buf_adds(b, where) &&
             ait_buf_adds(b, "\n)");
    c->args.sel.where = b->data;
    return cmd_rendered(c, ok);
}

static void choose_database(cmd_context *c)
{
    const char *env = getenv("AITRACE_DB");
    c->db = c->args.db ? c->args.db : env && *env ? env : "aitrace.db";
}

/* As the XDG base directories say: a path that is not absolute is none. */
static void choose_formats(cmd_context *c)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    size_t room = sizeof c->formats_folder;
    int n = 0;
    if (config && *config == '/')
        n = snprintf(c->formats_folder, room, "%s/aitrace/formats", config);
    else if (home && *home)
        n = snprintf(c->formats_folder, room, "%s/.config/aitrace/formats",
                     home);
    if (n > 0 && (size_t)n < room)
        c->format_folders[0] = c->formats_folder;
}

static ait_code run_command(cmd_context *c)
{
    ait_code rc = cmd_output_open(c);
    if (rc != AIT_OK)
        return rc;
    cmd_style(c);
    rc = c->command->run(c);
    /* what was found before a failure is still an answer */
    ait_code wrote = c->out.pipe_closed ? AIT_EOUTPUT
                                        : cmd_output_spill(c, true);
    ait_code closed = cmd_output_close(c);
    if (rc == AIT_OK)
        rc = wrote;
    if (rc == AIT_OK)
        rc = closed;
    if (rc == AIT_OK && c->lost)
        rc = AIT_EINPUT;
    return rc;
}

static ait_code show_help(cmd_context *c)
{
    ait_code rc = cmd_output_open(c);
    if (rc != AIT_OK)
        return rc;
    ait_buf *out = &c->out.buf;
    bool ok;
    if (c->args.version)
        ok = ait_buf_addf(out, "aitrace %s\n", AIT_VERSION);
    else if (c->command)
        ok = cmd_help_command(out, c->command);
    else
        ok = cmd_help_overview(out);
    rc = cmd_rendered(c, ok);
    if (rc == AIT_OK)
        rc = cmd_output_spill(c, true);
    ait_code closed = cmd_output_close(c);
    return rc == AIT_OK ? closed : rc;
}

static ait_code no_command(cmd_context *c)
{
    ait_fail(&c->err, AIT_EUSAGE, "no command");
    ait_error_hint(&c->err, "aitrace --help lists them; most start with "
                   "aitrace import FILE");
    return AIT_EUSAGE;
}

static ait_code run(cmd_context *c, int argc, char **argv)
{
    ait_code rc = cmd_parse(argc, argv, &c->args, &c->command, &c->err);
    if (rc != AIT_OK)
        return rc;
    if (c->args.help || c->args.version)
        return show_help(c);
    if (!c->command)
        return no_command(c);
    choose_database(c);
    choose_source(c);
    choose_formats(c);
    remember_source(c);
    ait_thresholds_init(&c->limits);
    rc = cmd_check(c);
    if (rc == AIT_OK)
        rc = choose_failed(c);
    if (rc == AIT_OK)
        rc = read_thresholds(c);
    return rc == AIT_OK ? run_command(c) : rc;
}

int main(int argc, char **argv)
{
    static cmd_context c;
    fill_descriptors();
    cmd_signals_init();
    ait_error_clear(&c.err);
    ait_code rc = run(&c, argc, argv);
    if (c.out.pipe_closed)
        rc = AIT_OK;
    else if (c.err.code != AIT_OK)
        cmd_complain(&c.err);
    ait_buf_free(&c.where);
    cmd_args_free(&c.args);
    if (rc == AIT_EINTR && cmd_signal())
        cmd_die_of(cmd_signal());
    return exit_status[rc];
}
