#include <stdio.h>
#include "cli/context.h"
#include "stream/stream.h"

static bool formats_text(ait_buf *out)
{
    const ait_format_info *f;
    size_t n = ait_formats(&f);
    bool ok = ait_buf_adds(out, "files (import --format NAME)\n");
    for (size_t i = 0; ok && i < n; i++)
        ok = ait_buf_addf(out, "  %-20s %s%s\n  %-20s times from: %s\n",
                          f[i].name, f[i].title,
                          f[i].capture ? " (capture)" : " (log)", "",
                          f[i].origin);
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

static void formats_json(ait_jsonw *w)
{
    const ait_format_info *f;
    size_t n = ait_formats(&f);
    ait_jsonw_key(w, "formats");
    ait_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "name", f[i].name);
        ait_jsonw_ktext(w, "title", f[i].title);
        ait_jsonw_ktext(w, "origin", f[i].origin);
        ait_jsonw_ktext(w, "kind", f[i].capture ? "capture" : "log");
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

static ait_code run(cmd_context *c)
{
    ait_buf *out = &c->out.buf;
    ait_jsonw w;
    if (!c->args.json)
        return cmd_rendered(c, formats_text(out) && dialects_text(out));
    ait_jsonw_init(&w, out, false);
    ait_jsonw_object(&w);
    ait_jsonw_ktext(&w, "schema", "aitrace.formats/1");
    formats_json(&w);
    dialects_json(&w);
    ait_jsonw_end(&w, '}');
    return cmd_rendered(c, !w.failed && ait_buf_addc(out, '\n'));
}

const cmd_command cmd_formats = {
    .name = "formats",
    .arguments = "",
    .what = "what can be read",
    .examples = (const char *const[]){
        "aitrace formats", "files and the streams inside them",
        "aitrace formats --json", "the same for a program", NULL},
    .groups = (const cmd_group *const[]){&cmd_output_options, NULL},
    .run = run,
};
