/* formats: what can be read; formats check: a mapping file explained. */
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "cli/context.h"
#include "stream/stream.h"

/* ---- the list ---------------------------------------------------------- */

static bool format_text(ait_buf *out, const ait_format_info *f)
{
    bool ok = ait_buf_addf(out, "  %-20s %s%s\n", f->name, f->title,
                           f->capture ? " (capture)" : " (log)");
    if (ok && *f->origin)
        ok = ait_buf_addf(out, "  %-20s times from: %s\n", "", f->origin);
    if (ok && f->file)
        ok = ait_buf_addf(out, "  %-20s mapping of your own: %s\n", "",
                          f->file);
    return ok;
}

static bool formats_text(ait_buf *out, const ait_format_list *l)
{
    bool ok = ait_buf_adds(out, "files (import --format NAME)\n");
    for (size_t i = 0; ok && i < l->count; i++)
        ok = format_text(out, &l->info[i]);
    return ok;
}

static bool dialects_text(ait_buf *out)
{
    const ait_dialect_info *d;
    size_t n = ait_dialects(&d);
    bool ok = ait_buf_adds(out, "\nstreams inside captures\n");
    for (size_t i = 0; ok && i < n; i++)
        ok = ait_buf_addf(out, "  %-20s %s\n  %-20s first response: %s\n"
                          "  %-20s first visible text: %s\n"
                          "  %-20s reasoning: %s\n", d[i].name, d[i].title,
                          "", d[i].t4, "", d[i].t5, "", d[i].reasoning);
    return ok;
}

static void formats_json(ait_jsonw *w, const ait_format_list *l)
{
    const ait_format_info *f = l->info;
    ait_jsonw_key(w, "formats");
    ait_jsonw_array(w);
    for (size_t i = 0; i < l->count; i++) {
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "name", f[i].name);
        ait_jsonw_ktext(w, "title", f[i].title);
        ait_jsonw_ktext(w, "origin", f[i].origin);
        ait_jsonw_ktext(w, "kind", f[i].capture ? "capture" : "log");
        ait_jsonw_ktext(w, "file", f[i].file);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
}

static void dialects_json(ait_jsonw *w)
{
    const ait_dialect_info *d;
    size_t n = ait_dialects(&d);
    ait_jsonw_key(w, "dialects");
    ait_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "name", d[i].name);
        ait_jsonw_ktext(w, "title", d[i].title);
        ait_jsonw_ktext(w, "first_response", d[i].t4);
        ait_jsonw_ktext(w, "first_visible_text", d[i].t5);
        ait_jsonw_ktext(w, "reasoning", d[i].reasoning);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
}

static ait_code put_list(cmd_context *c, const ait_format_list *l)
{
    ait_buf *out = &c->out.buf;
    ait_jsonw w;
    if (!c->args.json)
        return cmd_rendered(c, formats_text(out, l) && dialects_text(out));
    ait_jsonw_init(&w, out, false);
    ait_jsonw_object(&w);
    ait_jsonw_ktext(&w, "schema", "aitrace.formats/1");
    formats_json(&w, l);
    dialects_json(&w);
    ait_jsonw_end(&w, '}');
    return cmd_rendered(c, !w.failed && ait_buf_addc(out, '\n'));
}

/* Also where a mapping file cannot be read: what can be is listed. */
static ait_code list(cmd_context *c)
{
    ait_format_list l = {0};
    ait_code rc = ait_format_list_load(&l, c->format_folders, &c->err);
    ait_code put = rc == AIT_ENOMEM ? rc : put_list(c, &l);
    ait_format_list_free(&l);
    return rc != AIT_OK ? rc : put;
}

/* ---- check ------------------------------------------------------------- */

/* A mapping file is the input here: what is wrong with it is no wrong use. */
static ait_code check(cmd_context *c)
{
    const cmd_list *file = &c->args.operand;
    ait_code worst = AIT_OK;
    if (file->n < 2)
        return ait_fail(&c->err, AIT_EUSAGE, "formats check wants FILE...");
    if (c->args.json)
        return ait_fail(&c->err, AIT_EUSAGE, "formats check has no --json; "
                        "its exit status says whether all is well");
    for (int i = 1; i < file->n; i++) {
        ait_error err;
        ait_error_clear(&err);
        ait_code rc = ait_formats_check(file->value[i], &c->out.buf, &err);
        if (rc == AIT_OK)
            continue;
        cmd_complain(&err);
        worst = rc == AIT_EUSAGE ? AIT_EINPUT : rc;
    }
    return worst;
}

static ait_code unknown(cmd_context *c, const char *word)
{
    static const char *const words[] = {"check", NULL};
    ait_fail(&c->err, AIT_EUSAGE, "formats does not take \"%s\"", word);
    if (ait_nearest(word, words))
        ait_error_hint(&c->err, "did you mean check?");
    else
        ait_error_hint(&c->err, "aitrace formats check FILE checks a mapping "
                       "file");
    return AIT_EUSAGE;
}

static ait_code run(cmd_context *c)
{
    const cmd_list *word = &c->args.operand;
    if (word->n == 0)
        return list(c);
    if (strcmp(word->value[0], "check") == 0)
        return check(c);
    return unknown(c, word->value[0]);
}

const cmd_command cmd_formats = {
    .name = "formats",
    .arguments = "[check FILE...]",
    .most = -1,
    .what = "what can be read; check a mapping file",
    .examples = (const char *const[]){
        "aitrace formats", "files and the streams inside them",
        "aitrace formats --json", "the same for a program",
        "aitrace formats check my-gateway.json",
        "a mapping file: its mistakes, its samples", NULL},
    .groups = (const cmd_group *const[]){&cmd_output_options, NULL},
    .run = run,
};
