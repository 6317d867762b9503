#include "cli/context.h"

static ait_code run(cmd_context *c)
{
    ait_buf *out = &c->out.buf;
    ait_jsonw w;
    if (!c->args.json)
        return cmd_rendered(c, ait_buf_adds(out, ait_store_schema()));
    ait_jsonw_init(&w, out, false);
    ait_jsonw_object(&w);
    ait_jsonw_ktext(&w, "schema", "aitrace.schema/1");
    ait_jsonw_kint(&w, "version", ait_store_version());
    ait_jsonw_ktext(&w, "sql", ait_store_schema());
    ait_jsonw_end(&w, '}');
    return cmd_rendered(c, !w.failed && ait_buf_addc(out, '\n'));
}

const cmd_command cmd_schema = {
    .name = "schema",
    .arguments = "",
    .what = "the database's public views",
    .examples = (const char *const[]){
        "aitrace schema", "views and columns, with what they mean",
        "sqlite3 aitrace.db 'SELECT model, count(*) FROM request "
        "GROUP BY model'",
        "questions of your own", NULL},
    .groups = (const cmd_group *const[]){&cmd_output_options, NULL},
    .run = run,
};
