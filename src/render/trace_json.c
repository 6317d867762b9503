/* The trace object: the one JSON form of a request. Every key is written
 * always, in the order of the manual. */
#include "render/page.h"

typedef struct text_key {
    const char *key;
    ait_text_field field;
} text_key;

typedef struct num_key {
    const char *key;
    int field; /* index into num[] or stat[] */
} num_key;

static const text_key place_keys[] = {
    {"model", AIT_X_MODEL},     {"provider", AIT_X_PROVIDER},
    {"group", AIT_X_GROUP},     {"channel", AIT_X_CHANNEL},
    {"route", AIT_X_ROUTE},     {"region", AIT_X_REGION},
};

static const num_key token_keys[] = {
    {"prompt_tokens", AIT_N_PROMPT_TOKENS},
    {"cached_tokens", AIT_N_CACHED_TOKENS},
    {"output_tokens", AIT_N_OUTPUT_TOKENS},
    {"reasoning_tokens", AIT_N_REASONING_TOKENS},
};

static const num_key event_keys[] = {
    {"sse_events", AIT_S_EVENTS},
    {"comments", AIT_S_COMMENTS},
    {"envelope", AIT_S_ENVELOPE},
    {"reasoning", AIT_S_REASONING},
    {"action", AIT_S_ACTION},
    {"text", AIT_S_TEXT},
    {"malformed", AIT_S_MALFORMED},
    {"reads", AIT_S_READS},
    {"text_reads", AIT_S_TEXT_READS},
    {"trailing_partial_bytes", AIT_S_PARTIAL_BYTES},
};

#define EACH(table, i) \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)

static void open_object(ait_jsonw *w, const char *key)
{
    ait_jsonw_key(w, key);
    ait_jsonw_object(w);
}

static void open_array(ait_jsonw *w, const char *key)
{
    ait_jsonw_key(w, key);
    ait_jsonw_array(w);
}

static void word_list(ait_jsonw *w, const char *key,
                      const char *const *words)
{
    open_array(w, key);
    for (; words && *words; words++)
        ait_jsonw_text(w, *words);
    ait_jsonw_end(w, ']');
}

static void time_key(ait_jsonw *w, int64_t ns)
{
    char text[48];
    ait_jsonw_key(w, "time");
    if (!ait_has(ns)) {
        ait_jsonw_null(w);
        return;
    }
    ait_time_text(ns, 6, false, text);
    ait_jsonw_text(w, text);
}

static void ids_json(ait_jsonw *w, const ait_trace *t)
{
    open_array(w, "ids");
    for (const ait_id *id = t->ids; id; id = id->next)
        ait_jsonw_text(w, id->value);
    ait_jsonw_end(w, ']');
}

static void source_json(ait_jsonw *w, const ait_trace *t)
{
    open_object(w, "source");
    ait_jsonw_ktext(w, "file", t->text[AIT_X_FILE]);
    ait_jsonw_ktext(w, "format", t->text[AIT_X_FORMAT]);
    ait_jsonw_kint(w, "line", t->num[AIT_N_LINE]);
    ait_jsonw_end(w, '}');
}

static void params_json(ait_jsonw *w, const ait_trace *t)
{
    open_object(w, "params");
    ait_jsonw_ktri(w, "stream", t->asked_stream);
    ait_jsonw_kint(w, "max_tokens", t->num[AIT_N_MAX_TOKENS]);
    ait_jsonw_ktext(w, "reasoning_effort", t->text[AIT_X_REASONING_EFFORT]);
    ait_jsonw_key(w, "temperature");
    ait_jsonw_decimal(w, t->num[AIT_N_TEMPERATURE], 1000000, 6);
    ait_jsonw_key(w, "top_p");
    ait_jsonw_decimal(w, t->num[AIT_N_TOP_P], 1000000, 6);
    ait_jsonw_kint(w, "tools", t->num[AIT_N_TOOLS]);
    ait_jsonw_end(w, '}');
}

static void head_json(ait_jsonw *w, const ait_trace *t)
{
    ait_jsonw_ktext(w, "schema", "aitrace.trace/1");
    ait_jsonw_ktext(w, "request_id", t->text[AIT_X_REQUEST_ID]);
    ids_json(w, t);
    time_key(w, t->num[AIT_N_TIME]);
    source_json(w, t);
    ait_jsonw_ktext(w, "vantage", ait_vantage_name[t->vantage]);
    ait_jsonw_ktext(w, "origin", ait_origin_name[t->origin]);
    ait_jsonw_ktext(w, "endpoint", t->text[AIT_X_ENDPOINT]);
    ait_jsonw_ktext(w, "dialect", t->text[AIT_X_DIALECT]);
    ait_jsonw_ktri(w, "stream", t->stream);
    EACH(place_keys, i)
        ait_jsonw_ktext(w, place_keys[i].key, t->text[place_keys[i].field]);
    params_json(w, t);
    ait_jsonw_kint(w, "inflight", t->num[AIT_N_INFLIGHT]);
    ait_jsonw_kint(w, "status", t->num[AIT_N_STATUS]);
    ait_jsonw_ktext(w, "outcome", ait_outcome_name[t->outcome]);
    ait_jsonw_ktext(w, "finish_reason", t->text[AIT_X_FINISH_REASON]);
    ait_jsonw_ktext(w, "error_code", t->text[AIT_X_ERROR_CODE]);
}

static void timing_json(ait_jsonw *w, const ait_trace *t)
{
    open_object(w, "timing");
    for (int f = 0; f < AIT_T_COUNT; f++)
        ait_jsonw_kms(w, ait_timings[f].name,
                      ait_timing(t, (ait_timing_field)f));
    ait_jsonw_kms(w, "resolution_ms", t->num[AIT_N_RESOLUTION]);
    ait_jsonw_end(w, '}');
}

static void measures_json(ait_jsonw *w, const ait_trace *t)
{
    open_array(w, "measures");
    for (const ait_measure *m = t->measures; m; m = m->next) {
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "name", m->name);
        ait_jsonw_kms(w, "value_ms", m->value);
        ait_jsonw_kms(w, "resolution_ms", m->resolution);
        ait_jsonw_ktext(w, "origin", ait_origin_name[m->origin]);
        ait_jsonw_ktext(w, "boundary", ait_boundary_name[m->boundary]);
        ait_jsonw_ktext(w, "source_field", m->source_field);
        ait_jsonw_ktext(w, "quality", ait_quality_name[m->quality]);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
}

static void gaps_json(ait_jsonw *w, const ait_trace *t)
{
    open_object(w, "gaps");
    for (int f = 0; f < AIT_G_COUNT; f++)
        ait_jsonw_kms(w, ait_gaps[f].name, ait_gap(t, (ait_gap_field)f));
    ait_jsonw_end(w, '}');
}

static void tokens_json(ait_jsonw *w, const ait_trace *t,
                        const ait_verdict *v)
{
    static const char *const source[] = {"usage", "log"};
    open_object(w, "tokens");
    EACH(token_keys, i)
        ait_jsonw_kint(w, token_keys[i].key, t->num[token_keys[i].field]);
    ait_jsonw_kint(w, "visible_tokens", v->visible_tokens);
    ait_jsonw_ktext(w, "source", t->tokens_source < 0
                                     ? NULL : source[t->tokens_source]);
    ait_jsonw_key(w, "estimated");
    ait_jsonw_bool(w, t->tokens_estimated);
    ait_jsonw_end(w, '}');
}

static void rate_json(ait_jsonw *w, const ait_verdict *v, ait_rate_field f)
{
    bool time = f == AIT_RATE_ITL;
    ait_jsonw_key(w, ait_rate_name[f]);
    ait_jsonw_decimal(w, v->rate[f], time ? AIT_MS : 1000, 3);
}

static void rates_json(ait_jsonw *w, const ait_verdict *v)
{
    open_object(w, "rates");
    rate_json(w, v, AIT_RATE_VISIBLE_TPS);
    ait_jsonw_ktext(w, "visible_output_tps_is",
                    v->visible_is == AIT_IS_NONE
                        ? NULL : ait_rate_is_name[v->visible_is]);
    rate_json(w, v, AIT_RATE_ITL);
    rate_json(w, v, AIT_RATE_OUTPUT_TPS);
    ait_jsonw_ktext(w, "window_end", v->window_end);
    ait_jsonw_end(w, '}');
    open_object(w, "why_absent");
    for (int f = 0; f < AIT_RATE_COUNT; f++)
        if (!ait_has(v->rate[f]))
            ait_jsonw_ktext(w, ait_rate_name[f],
                            ait_absence_name[v->why[f]]);
    ait_jsonw_end(w, '}');
}

static void events_json(ait_jsonw *w, const ait_trace *t)
{
    open_object(w, "events");
    EACH(event_keys, i)
        ait_jsonw_kint(w, event_keys[i].key, t->stat[event_keys[i].field]);
    ait_jsonw_end(w, '}');
}

static void attempts_json(ait_jsonw *w, const ait_trace *t)
{
    open_array(w, "attempts");
    for (const ait_attempt *a = t->attempts; a; a = a->next) {
        ait_jsonw_object(w);
        ait_jsonw_kint(w, "attempt", a->number);
        ait_jsonw_ktext(w, "upstream", a->upstream);
        ait_jsonw_ktext(w, "channel", a->channel);
        ait_jsonw_kint(w, "status", a->status);
        ait_jsonw_ktext(w, "outcome", a->outcome < 0
                                          ? NULL
                                          : ait_outcome_name[a->outcome]);
        ait_jsonw_kms(w, "start_ms", a->start);
        ait_jsonw_kms(w, "headers_ms", a->headers);
        ait_jsonw_kms(w, "done_ms", a->done);
        ait_jsonw_kms(w, "retry_after_ms", a->retry_after);
        ait_jsonw_kms(w, "wait_before_ms", a->wait_before);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
    ait_jsonw_kint(w, "retries", t->num[AIT_N_RETRIES]);
    ait_jsonw_kms(w, "retry_wait_ms", t->num[AIT_N_RETRY_WAIT]);
}

static void figures_json(ait_jsonw *w, const char *key, const ait_figure *f,
                         int n)
{
    open_object(w, key);
    for (int i = 0; i < n; i++)
        ait_figure_json(w, &f[i]);
    ait_jsonw_end(w, '}');
}

static void finding_json(ait_jsonw *w, const ait_finding *f)
{
    ait_jsonw_object(w);
    ait_jsonw_ktext(w, "id", ait_rule_name[f->rule]);
    ait_jsonw_ktext(w, "by", f->by == AIT_BY_LIMIT ? "limit" : "share");
    figures_json(w, "evidence", f->evidence, f->evidences);
    figures_json(w, "limits", f->limit, f->limits);
    ait_jsonw_key(w, "share");
    ait_jsonw_decimal(w, f->share, 1000, 3);
    ait_jsonw_ktext(w, "what", f->what);
    word_list(w, "check", f->check);
    word_list(w, "will_not_help", f->will_not_help);
    ait_jsonw_end(w, '}');
}

static void verdict_json(ait_jsonw *w, const ait_verdict *v)
{
    ait_jsonw_ktext(w, "primary", ait_rule_name[v->primary]);
    open_array(w, "findings");
    for (int i = 0; i < v->findings; i++)
        finding_json(w, &v->finding[i]);
    ait_jsonw_end(w, ']');
    open_array(w, "not_assessable");
    for (int i = 0; i < v->cannots; i++) {
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "id", ait_rule_name[v->cannot[i].rule]);
        word_list(w, "missing", v->cannot[i].missing);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
}

void ait_issues_json(ait_jsonw *w, const ait_issue_set *issues)
{
    open_array(w, "issues");
    for (int i = 0; i < AIT_I_COUNT; i++) {
        if (!issues->count[i])
            continue;
        ait_jsonw_object(w);
        ait_jsonw_ktext(w, "id", ait_issues[i].name);
        ait_jsonw_kint(w, "count", issues->count[i]);
        ait_jsonw_end(w, '}');
    }
    ait_jsonw_end(w, ']');
}

void ait_render_trace_json(ait_jsonw *w, const ait_trace *t,
                           const ait_verdict *v)
{
    ait_jsonw_object(w);
    head_json(w, t);
    timing_json(w, t);
    measures_json(w, t);
    gaps_json(w, t);
    tokens_json(w, t, v);
    rates_json(w, v);
    events_json(w, t);
    attempts_json(w, t);
    verdict_json(w, v);
    ait_issues_json(w, &t->issues);
    ait_jsonw_end(w, '}');
}
