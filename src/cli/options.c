/* Option groups that several commands share. */
#include "cli/args.h"

#define AT(field) offsetof(cmd_args, field)

static const char *const color_words[] = {"auto", "always", "never", NULL};
const char *const cmd_shells[] = {"bash", "zsh", "fish", NULL};

const cmd_group cmd_global = {"always", (const cmd_option[]){
    {"db", 0, CMD_TEXT, AT(db), "FILE", NULL,
     "database (else AITRACE_DB, else aitrace.db)"},
    {"quiet", 'q', CMD_FLAG, AT(quiet), NULL, NULL,
     "no progress, no summary, no next command"},
    {"color", 0, CMD_CHOICE, AT(color), "auto|always|never", color_words,
     "colour of text for people"},
    {"help", 'h', CMD_FLAG, AT(help), NULL, NULL, "this help"},
    {"version", 0, CMD_FLAG, AT(version), NULL, NULL,
     "the program's version"},
    CMD_END}};

const cmd_group cmd_output_options = {"output", (const cmd_option[]){
    {"json", 0, CMD_FLAG, AT(json), NULL, NULL, "JSON instead of text"},
    {"output", 'o', CMD_TEXT, AT(output), "FILE", NULL,
     "write to FILE, opened before the work"},
    {"local", 0, CMD_FLAG, AT(local), NULL, NULL,
     "local times in text (else UTC, with Z)"},
    CMD_END}};

const cmd_group cmd_from = {"source", (const cmd_option[]){
    {"from", 0, CMD_LIST, AT(from), "FILE", NULL,
     "analyse FILE directly, no database (repeatable)"},
    CMD_END}};

const cmd_group cmd_selection = {"selection", (const cmd_option[]){
    {"request-id", 0, CMD_TEXT, AT(sel.request_id), "ID", NULL,
     "a request by any of its ids"},
    {"model", 0, CMD_TEXT, AT(sel.model), "NAME", NULL, "requests of a model"},
    {"provider", 0, CMD_TEXT, AT(sel.provider), "NAME", NULL,
     "... of a provider"},
    {"channel", 0, CMD_TEXT, AT(sel.channel), "NAME", NULL,
     "... over a channel"},
    {"group", 0, CMD_TEXT, AT(sel.group), "NAME", NULL, "... of a group"},
    {"route", 0, CMD_TEXT, AT(sel.route), "NAME", NULL, "... over a route"},
    {"region", 0, CMD_TEXT, AT(sel.region), "NAME", NULL, "... of a region"},
    {"outcome", 0, CMD_TEXT, AT(sel.outcome), "NAME", NULL,
     "... that ended so: complete, error, timeout, ..."},
    {"failed", 0, CMD_FLAG, AT(failed), NULL, NULL,
     "... that failed: error, rate_limited, timeout, ..."},
    {"finding", 0, CMD_TEXT, AT(sel.finding), "ID", NULL,
     "... with this finding"},
    {"since", 0, CMD_TIME, AT(sel.since), "TIME", NULL,
     "... that began at or after an RFC 3339 time, or a date (UTC)"},
    {"until", 0, CMD_TIME, AT(sel.until), "TIME", NULL,
     "... that began before a time or date"},
    {"source", 0, CMD_TEXT, AT(sel.source), "FILE", NULL,
     "... that were read from this file"},
    {"where", 0, CMD_TEXT, AT(sel.where), "SQL", NULL,
     "... for which an SQL expression over the request view holds"},
    {"sort", 0, CMD_TEXT, AT(sel.sort), "COLUMN", NULL,
     "by a column of the request view; -COLUMN: descending"},
    {"limit", 0, CMD_COUNT, AT(sel.limit), "N", NULL,
     "at most N requests; 0: all"},
    CMD_END}};

const cmd_group cmd_limits = {"limits", (const cmd_option[]){
    {"thresholds", 0, CMD_TEXT, AT(thresholds), "FILE", NULL,
     "limits of the findings, a JSON object"},
    CMD_END}};
