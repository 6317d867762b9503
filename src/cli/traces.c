/* Documents of traces, shared by list, show and diagnose. */
#include <stdio.h>
#include <string.h>
#include "cli/context.h"

void cmd_traces_begin(cmd_traces *d, cmd_context *c)
{
    char schema[64];
    d->c = c;
    d->given = d->with_finding = 0;
    d->marked = false;
    *d->id = '\0';
    if (!c->args.json)
        return;
    snprintf(schema, sizeof schema, "aitrace.%s/1", c->command->name);
    ait_jsonw_init(&d->w, &c->out.buf, false);
    ait_jsonw_object(&d->w);
    ait_jsonw_ktext(&d->w, "schema", schema);
    ait_jsonw_key(&d->w, "traces");
    ait_jsonw_array(&d->w);
}

ait_code cmd_traces_take(void *ctx, ait_trace *t, const ait_verdict *v)
{
    cmd_traces *d = ctx;
    cmd_context *c = d->c;
    const char *id = t->text[AIT_X_REQUEST_ID];
    uint32_t found = ait_verdict_mask(v, AIT_BY_LIMIT);
    bool ok;
    if (!*d->id && id && strlen(id) < sizeof d->id)
        strcpy(d->id, id);
    if (c->args.share)
        found |= ait_verdict_mask(v, AIT_BY_SHARE);
    d->with_finding += found != 0;
    if (c->args.json) {
        ait_render_trace_json(&d->w, t, v);
        ok = !d->w.failed;
    } else {
        ok = d->row(d, t, v);
    }
    d->given++;
    ait_code rc = cmd_rendered(c, ok);
    return rc == AIT_OK ? cmd_output_spill(c, false) : rc;
}

ait_code cmd_traces_end(cmd_traces *d)
{
    cmd_context *c = d->c;
    if (d->marked)
        return cmd_rendered(c, ait_render_list_foot(&c->out.buf, &c->style));
    if (!c->args.json)
        return AIT_OK;
    ait_jsonw_end(&d->w, ']');
    ait_jsonw_end(&d->w, '}');
    return cmd_rendered(c, !d->w.failed &&
                               ait_buf_addc(&c->out.buf, '\n'));
}

ait_code cmd_none_or_many(cmd_context *c, int64_t n)
{
    const char *id = c->args.sel.request_id;
    if (n == 1 || (n > 1 && !id))
        return AIT_OK;
    if (n == 0 && id)
        ait_fail(&c->err, AIT_ENOTFOUND, "no request has the id \"%s\"", id);
    else if (n == 0)
        ait_fail(&c->err, AIT_ENOTFOUND, "no request is selected");
    else
        ait_fail(&c->err, AIT_ENOTFOUND, "%lld requests have the id \"%s\"",
                 (long long)n, id);
    if (n == 0)
        ait_error_hint(&c->err, "aitrace list%s shows what is there",
                       c->again);
    else
        ait_error_hint(&c->err, "use an id of the last column where these "
                       "differ, else --source, --since or --where");
    return AIT_ENOTFOUND;
}

void cmd_say_next(const cmd_context *c, const char *id)
{
    ait_buf word;
    if (c->once)
        return;
    ait_buf_init(&word, 8 * AIT_TEXT_MAX);
    if (*id && ait_shell_word(&word, id))
        cmd_say(c, "next: aitrace diagnose%s --request-id %s", c->again,
                word.data);
    else
        cmd_say(c, "next: aitrace diagnose%s --slowest 3", c->again);
    ait_buf_free(&word);
}

bool cmd_list_row(cmd_traces *d, const ait_trace *t, const ait_verdict *v)
{
    cmd_context *c = d->c;
    if (d->given == 0 && !ait_render_list_head(&c->out.buf, &c->style))
        return false;
    d->marked = d->marked || ait_list_marked(t);
    return ait_render_list_row(&c->out.buf, t, v, &c->style);
}

static ait_code exit_finding(const cmd_traces *d)
{
    cmd_context *c = d->c;
    if (!c->args.exit_finding || d->with_finding == 0)
        return AIT_OK;
    return ait_fail(&c->err, AIT_ENOTFOUND,
                    "%lld of %lld requests have a finding",
                    (long long)d->with_finding, (long long)d->given);
}

ait_code cmd_answer(const cmd_traces *d)
{
    ait_code rc = cmd_none_or_many(d->c, d->given);
    if (rc == AIT_OK)
        rc = exit_finding(d);
    return rc == AIT_OK ? cmd_output_spill(d->c, true) : rc;
}
