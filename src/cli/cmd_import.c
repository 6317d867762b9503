#include <stdlib.h>
#include "cli/context.h"

typedef struct import_run {
    cmd_context *c;
    ait_importer importer;
    ait_imported *got; /* of the file at hand */
    ait_jsonw w;
    int64_t new_, updated, stored; /* stored: these and those present */
    ait_code worst;
} import_run;

static void document_begin(import_run *r)
{
    if (!r->c->args.json)
        return;
    ait_jsonw_init(&r->w, &r->c->out.buf, false);
    ait_jsonw_object(&r->w);
    ait_jsonw_ktext(&r->w, "schema", "aitrace.import/1");
    ait_jsonw_key(&r->w, "files");
    ait_jsonw_array(&r->w);
}

static void document_file(import_run *r, const char *file)
{
    const ait_imported *got = r->got;
    ait_import_summary s = {file, &got->report, &got->counts, &got->issues};
    if (r->c->args.json)
        ait_render_import_json(&r->w, &s);
}

static ait_code document_end(import_run *r)
{
    if (!r->c->args.json)
        return AIT_OK;
    ait_jsonw_end(&r->w, ']');
    ait_jsonw_end(&r->w, '}');
    return cmd_rendered(r->c, !r->w.failed &&
                                  ait_buf_addc(&r->c->out.buf, '\n'));
}

/* Codes are ordered by how much they matter. */
static void worst(import_run *r, ait_code rc)
{
    if (rc > r->worst)
        r->worst = rc;
}

/* One file that fails does not keep the others out; a database that fails
 * or an interrupt does. */
static bool go_on(import_run *r, const char *file, ait_code rc)
{
    cmd_context *c = r->c;
    bool made = r->importer.created;
    r->importer.created = false;
    if (made)
        cmd_say(c, "created %s", c->db);
    if (rc == AIT_OK) {
        r->stored += r->got->counts.present;
        r->stored += r->got->counts.new_ + r->got->counts.updated;
        r->new_ += r->got->counts.new_;
        r->updated += r->got->counts.updated;
    } else {
        worst(r, rc);
        cmd_complain(&c->err);
        ait_error_clear(&c->err);
    }
    document_file(r, file);
    return rc == AIT_OK || rc == AIT_EINPUT || rc == AIT_ENOMEM;
}

static void import_files(import_run *r)
{
    const cmd_list *file = &r->c->args.operand;
    bool go = true;
    for (int i = 0; go && i < file->n; i++) {
        const char *name = file->value[i];
        ait_code rc = cmd_import_file(r->c, &r->importer, name, r->got,
                                      CMD_TELL_ALL);
        go = go_on(r, name, rc);
    }
}

static void say_end(const import_run *r)
{
    const cmd_context *c = r->c;
    if (!r->importer.store)
        return;
    if (r->new_ || r->updated)
        cmd_say(c, "%s: %lld new, %lld updated", c->db, (long long)r->new_,
                (long long)r->updated);
    else
        cmd_say(c, "%s: nothing changed", c->db);
    if (!r->stored)
        return;
    cmd_say(c, "next: aitrace diagnose%s --slowest 3, or aitrace report%s "
            "--by model", c->again, c->again);
}

static ait_code import_all(import_run *r)
{
    cmd_context *c = r->c;
    ait_code rc = ait_importer_open(&r->importer, c->db, AIT_STORE_WRITE,
                                    &c->err);
    if (rc != AIT_OK)
        return rc;
    document_begin(r);
    import_files(r);
    rc = document_end(r);
    say_end(r);
    worst(r, rc);
    return r->worst;
}

static ait_code run(cmd_context *c)
{
    import_run r = {.c = c};
    int64_t threads = c->args.threads;
    if (ait_has(threads) && (threads < 1 || threads > CMD_THREADS_MOST))
        return ait_fail(&c->err, AIT_EUSAGE, "--threads takes 1 to %d",
                        CMD_THREADS_MOST);
    r.got = ait_alloc(sizeof *r.got);
    if (!r.got)
        return ait_fail(&c->err, AIT_ENOMEM, "out of memory");
    ait_code rc = import_all(&r);
    ait_importer_close(&r.importer);
    free(r.got);
    return rc;
}

static const cmd_group more = {"reading", (const cmd_option[]){
    {"format", 0, CMD_TEXT, offsetof(cmd_args, format), "NAME", NULL,
     "take the files for this format (else by content)"},
    {"map", 0, CMD_TEXT, offsetof(cmd_args, map), "FILE", NULL,
     "a mapping for a log of your own"},
    {"threads", 0, CMD_COUNT, offsetof(cmd_args, threads), "N", NULL,
     "1 to 4; 1: none besides the program's own"},
    {"json", 0, CMD_FLAG, offsetof(cmd_args, json), NULL, NULL,
     "the summary as JSON on standard output"},
    {"output", 'o', CMD_TEXT, offsetof(cmd_args, output), "FILE", NULL,
     "write to FILE, opened before the work"},
    CMD_END}};

const cmd_command cmd_import = {
    .name = "import",
    .arguments = "FILE...",
    .least = 1,
    .most = -1,
    .what = "read captures and gateway logs into the database",
    .examples = (const char *const[]){
        "aitrace import capture.aicap.jsonl.gz",
        "a capture, plain or gzip; known by its content",
        "aitrace --db may.db import logs/*.jsonl",
        "a day of gateway logs into a database of its own",
        "zstd -dc capture.zst | aitrace import -",
        "from standard input", NULL},
    .groups = (const cmd_group *const[]){&more, NULL},
    .run = run,
};
