#ifndef AIT_TESTS_ANALYSE_TRACE_H
#define AIT_TESTS_ANALYSE_TRACE_H
/* Traces made by hand for the tests of the analyse stage. */
#include "analyse/analyse.h"
#include "harness.h"

#define MS AIT_MS

/* A point on axis 0, in milliseconds from the origin. */
static inline void at(ait_trace *t, ait_point_id p, int64_t ms)
{
    t->point[p].ns = ms * MS;
    t->point[p].axis = 0;
}

/* t1 is not known on axis 0: headers count from it alone. */
static inline void headers_only(ait_trace *t, int64_t ms)
{
    t->point[AIT_P_T1] = (ait_point){0, AIT_AXIS_UPSTREAM};
    t->point[AIT_P_T2] = (ait_point){ms * MS, AIT_AXIS_UPSTREAM};
}

static inline void see(ait_trace *t, int64_t bits)
{
    t->stat[AIT_S_SEEN] = (ait_has(t->stat[AIT_S_SEEN])
                               ? t->stat[AIT_S_SEEN] : 0) | bits;
}

/* A capture of a streamed answer, complete: 12 / 200 / 220 / 300 / 300 /
 * 1300 / 1310 / 1316 ms, 51 tokens in 50 text events, nothing wrong. */
static inline void good_capture(ait_trace *t)
{
    static const int64_t ms[AIT_P_COUNT] = {0, 0, 12, 12, 200, 220, 300,
                                            300, 300, 1300, 1310, 1316};

    ait_trace_init(t);
    for (int p = 0; p < AIT_P_COUNT; p++)
        at(t, (ait_point_id)p, ms[p]);
    for (int s = 0; s <= AIT_S_TEXT_BYTES; s++)
        t->stat[s] = 0;
    see(t, AIT_SEEN_TRACED | AIT_SEEN_TERMINAL);
    t->stat[AIT_S_EVENTS] = 53;
    t->stat[AIT_S_TEXT] = t->stat[AIT_S_TEXT_READS] = 50;
    t->stat[AIT_S_READS] = 53;
    t->stat[AIT_S_TEXT_BYTES] = 400;
    t->stat[AIT_S_LONGEST_GAP] = t->stat[AIT_S_STALL] = 80 * MS;
    t->stat[AIT_S_LONGEST_GAP_AT] = t->stat[AIT_S_STALL_AT] = 300 * MS;
    t->stat[AIT_S_WINDOW_STALL] = 80 * MS;
    t->stat[AIT_S_TEXT_LAST] = 1300 * MS;
    t->stat[AIT_S_T4_CLASSES] = AIT_C_TEXT;
    t->stat[AIT_S_END] = AIT_E_EOF;
    t->num[AIT_N_OUTPUT_TOKENS] = 51;
    t->num[AIT_N_STATUS] = 200;
    t->num[AIT_N_RETRIES] = 0;
    t->text[AIT_X_FINISH_REASON] = "stop";
    t->text[AIT_X_DIALECT] = "openai_chat";
    t->stream = t->asked_stream = 1;
    t->outcome = AIT_OUT_COMPLETE;
    t->vantage = AIT_V_GATEWAY;
    t->origin = AIT_O_GATEWAY_RECEIPT;
    t->attempts = t->serving = ait_trace_attempt(t);
    t->serving->number = 1;
    t->serving->start = 12 * MS;
    t->serving->headers = 188 * MS;
    t->serving->done = 1310 * MS;
}

/* A line of a gateway log: four times, a rate of its own, nothing else. */
static inline void log_line(ait_trace *t, int64_t headers, int64_t response,
                            int64_t text, int64_t total, int64_t tps)
{
    ait_trace_init(t);
    at(t, AIT_P_ORIGIN, 0);
    at(t, AIT_P_T0, 0);
    headers_only(t, headers);
    at(t, AIT_P_T4, response);
    at(t, AIT_P_T5, text);
    at(t, AIT_P_T7, total);
    t->num[AIT_N_REPORTED_TPS] = tps;
    t->num[AIT_N_STATUS] = 200;
    t->stream = 1;
    t->stat[AIT_S_SEEN] = 0;
    t->outcome = AIT_OUT_UNKNOWN;
    t->vantage = AIT_V_GATEWAY;
    t->origin = AIT_O_GATEWAY_RECEIPT;
}

/* Judges with the default limits. */
static inline void judged(ait_trace *t, ait_verdict *v)
{
    ait_thresholds limits;

    ait_thresholds_init(&limits);
    ait_judge(t, &limits, v);
}

static inline const ait_finding *found(const ait_verdict *v, ait_rule_id id)
{
    for (int i = 0; i < v->findings; i++)
        if (v->finding[i].rule == id)
            return &v->finding[i];
    return NULL;
}

/* The missing fields of a rule that is not assessable, joined by spaces;
 * "" where it is assessable. */
static inline const char *missing(const ait_verdict *v, ait_rule_id id)
{
    static char text[256];

    text[0] = '\0';
    for (int i = 0; i < v->cannots; i++)
        for (int k = 0; v->cannot[i].rule == id && v->cannot[i].missing[k];
             k++) {
            if (k)
                strcat(text, " ");
            strcat(text, v->cannot[i].missing[k]);
        }
    return text;
}

/* A figure of a list by name; INT64_MAX where it is not there. */
static inline int64_t figure(const ait_figure *list, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    return INT64_MAX;
}

static inline int64_t evidence(const ait_finding *f, const char *name)
{
    return f ? figure(f->evidence, f->evidences, name) : INT64_MAX;
}

static inline int64_t crossed(const ait_finding *f, const char *name)
{
    return f ? figure(f->limit, f->limits, name) : INT64_MAX;
}

#endif
