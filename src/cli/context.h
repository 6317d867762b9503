#ifndef AIT_CLI_CONTEXT_H
#define AIT_CLI_CONTEXT_H
/*
 * What every command works with: its arguments, where its output goes, how
 * text looks, the source of its traces.
 */
#include "api/pipeline.h"
#include "cli/args.h"
#include "render/render.h"

typedef struct cmd_output {
    ait_buf buf;     /* what is not written yet */
    int fd;
    bool pipe_closed;/* the reader went away: end quietly */
    bool file;       /* -o: not standard output */
} cmd_output;

typedef struct cmd_context {
    const cmd_command *command;
    cmd_args args;
    const char *db;   /* path of the database */
    cmd_output out;
    ait_style style;
    ait_thresholds limits;
    ait_error err;
    char source[AIT_TEXT_MAX + 1]; /* --source, as names are kept */
    ait_buf where;    /* --failed, and --where with it */
    /* the user's mapping files; see ait_input_options */
    char formats_folder[4096];
    const char *format_folders[2];
    char again[2048]; /* " --db FILE" or " --from FILE", and the limits, for
                         the next command */
    bool once; /* it cannot be run: standard input is read but once */
    int64_t quiet_verdicts; /* diagnoses without a finding */
    int told;         /* files of --from that were told of */
    bool lost;        /* an input was partly lost: exit status 3 */
} cmd_context;

/* AIT_EUSAGE for what cannot be meant: names of files that are empty, standard
 * input twice, words that are none (check.c). */
ait_code cmd_check(cmd_context *c);

/* ---- output (output.c) ------------------------------------------------- */
/* Opens -o FILE or takes standard output. A FILE that is the database or one
 * of the inputs is refused untouched. */
ait_code cmd_output_open(cmd_context *c);
/* Writes what has gathered, now (force) or once it is 64 KiB. AIT_EOUTPUT
 * also where the pipe was closed; then out.pipe_closed is set and no error. */
ait_code cmd_output_spill(cmd_context *c, bool force);
ait_code cmd_output_close(cmd_context *c);
/* Turns a renderer's false into an error. */
ait_code cmd_rendered(cmd_context *c, bool ok);

/* A line for people on stderr, unless -q. */
void cmd_say(const cmd_context *c, const char *fmt, ...) AIT_PRINTF(2, 3);
/* "aitrace: message …" with its hint, whatever -q says. */
void cmd_complain(const ait_error *err);

/* ---- terminal (terminal.c) --------------------------------------------- */
void cmd_style(cmd_context *c);
/* Progress of one file on stderr: fits ait_input_options.progress. Shows
 * nothing unless stderr is a terminal and half a second has passed. */
typedef struct cmd_progress {
    const char *file;
    const ait_imported *so_far;
    int64_t began, drawn; /* monotonic ns */
    bool on, visible;
} cmd_progress;
void cmd_progress_init(cmd_progress *p, const cmd_context *c,
                       const char *file, const ait_imported *so_far);
int cmd_progress_step(void *ctx, int64_t bytes, int64_t size);
void cmd_progress_end(cmd_progress *p); /* wipes its line */

/* ---- signals (signals.c) ----------------------------------------------- */
/* The first SIGINT or SIGTERM is remembered, the second ends at once. */
void cmd_signals_init(void);
int cmd_signal(void);       /* the one that came, 0: none */
_Noreturn void cmd_die_of(int signal);

/* ---- source of traces (source.c) --------------------------------------- */
/* Imports one file with progress and interrupt, and says on stderr what came
 * of it. */
typedef enum cmd_tell {
    CMD_TELL_ALL,
    CMD_TELL_LOST, /* only where something was lost */
    CMD_TELL_NOTHING
} cmd_tell;
ait_code cmd_import_file(cmd_context *c, ait_importer *im, const char *file,
                         ait_imported *got, cmd_tell tell);

enum { CMD_THREADS_MOST = 4 };
/* What the machine has, unless told. */
int cmd_threads(const cmd_context *c);

typedef struct cmd_source cmd_source;
/* The database, or the files of --from. */
ait_code cmd_source_open(cmd_context *c, cmd_source **out);
void cmd_source_close(cmd_source *s);
/* The work of a command between the two. */
ait_code cmd_with_source(cmd_context *c,
                         ait_code (*work)(cmd_context *c, cmd_source *s));
/*
 * Without any database: can the selection be taken of the files of --from as
 * they are read? *once: they cannot be read again. Then each request, judged
 * by the limits in use, in the order of rows. *needs_store: what was given
 * is void, a source has to be opened (never where *once).
 */
bool cmd_direct_can(const cmd_context *c, bool *once);
ait_code cmd_direct_each(cmd_context *c, ait_judged_fn *fn, void *ctx,
                         bool *needs_store);

/* Requests that the selection takes, limits aside. */
ait_code cmd_source_count(cmd_context *c, cmd_source *s, int64_t *n);

/* Takes a trace with its verdict by the limits in use. */
typedef ait_code cmd_take(void *ctx, ait_trace *t, const ait_verdict *v);
/* Gives the selected traces, in order. */
ait_code cmd_source_each(cmd_context *c, cmd_source *s, unsigned need,
                         cmd_take *take, void *ctx);
/* The same by what was judged when the requests were stored, where their
 * limits are those in use; rates, primary, rules and `by` of findings only.
 * Much faster over many. */
ait_code cmd_source_each_stored(cmd_context *c, cmd_source *s, unsigned need,
                                cmd_take *take, void *ctx);
/* The shown id of a stored request (ctx: the cmd_source); fits
 * ait_report_ids. */
ait_code cmd_source_id(void *ctx, int64_t row, char *out);
/* Gives the n that took longest from end to end, the slowest first. */
ait_code cmd_source_slowest(cmd_context *c, cmd_source *s, int64_t n,
                            unsigned need, cmd_take *take, void *ctx);

#define CMD_NEED (AIT_NEED_ALL & ~(unsigned)AIT_NEED_TIMELINES)
#define CMD_DOCUMENT_MAX ((size_t)1 << 30) /* unwritten output, bytes */

/* ---- documents of traces (traces.c): list, show, diagnose -------------- */
typedef struct cmd_traces {
    cmd_context *c;
    ait_jsonw w;
    int64_t given, with_finding; /* traces; those that count for
                                    --exit-finding */
    char id[AIT_TEXT_MAX + 1]; /* of the first that has one, "": none */
    bool marked; /* a row of the list is explained at its foot */
    /* text or CSV of one trace */
    bool (*row)(struct cmd_traces *d, const ait_trace *t,
                const ait_verdict *v);
} cmd_traces;
/* Opens `"schema": "aitrace.NAME/1", "traces": [` where --json was asked. */
void cmd_traces_begin(cmd_traces *d, cmd_context *c);
ait_code cmd_traces_take(void *ctx, ait_trace *t, const ait_verdict *v);
ait_code cmd_traces_end(cmd_traces *d);
/* A selection that gave nothing, an id that is not there or not one's own:
 * AIT_ENOTFOUND with a sentence; else AIT_OK. */
ait_code cmd_none_or_many(cmd_context *c, int64_t n);
/* "next: aitrace diagnose", with an id that is there; where it is "", by what
 * always is. */
void cmd_say_next(const cmd_context *c, const char *id);
/* The list table, as the answer to an ambiguous question. */
bool cmd_list_row(cmd_traces *d, const ait_trace *t, const ait_verdict *v);
/* What the command has to answer: the code of cmd_none_or_many, AIT_ENOTFOUND
 * with --exit-finding where a finding was met; else what was asked for is
 * written, before anything is said about it. */
ait_code cmd_answer(const cmd_traces *d);

/* ---- commands ---------------------------------------------------------- */
extern const cmd_command cmd_import, cmd_list_command, cmd_show, cmd_diagnose,
    cmd_report, cmd_formats, cmd_schema, cmd_completion, cmd_help;

#endif
