#ifndef AIT_TESTS_RENDER_HAND_H
#define AIT_TESTS_RENDER_HAND_H
/* Traces made by hand, for the renderers. */
#include <string.h>
#include "model/trace.h"
#include "model/verdict.h"
#include "render/render.h"

static inline void hand_text(ait_trace *t, ait_text_field f, const char *s)
{
    ait_trace_text(t, f, s, strlen(s));
}

static inline void hand_at(ait_trace *t, ait_point_id p, int64_t ms)
{
    t->point[p].ns = ms * AIT_MS;
    t->point[p].axis = 0;
}

/* The third reference trace: early output, slow writing. */
static inline void hand_trace(ait_trace *t)
{
    static const struct {
        ait_point_id point;
        int64_t ms;
    } at[] = {{AIT_P_ORIGIN, 0}, {AIT_P_T0, 0}, {AIT_P_T1_FIRST, 12},
              {AIT_P_T1, 12}, {AIT_P_T2, 272}, {AIT_P_T3, 300},
              {AIT_P_T4, 420}, {AIT_P_T5, 430}, {AIT_P_T5_NONBLANK, 430},
              {AIT_P_TF, 20425}, {AIT_P_T6, 20428}, {AIT_P_T7, 20430}};
    ait_trace_init(t);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        hand_at(t, at[i].point, at[i].ms);
    hand_text(t, AIT_X_REQUEST_ID, "req-7f3a");
    ait_trace_id(t, "req-7f3a", 8);
    hand_text(t, AIT_X_MODEL, "m-large");
    hand_text(t, AIT_X_ROUTE, "eu-2");
    t->num[AIT_N_TIME] = INT64_C(1790942400) * AIT_SEC;
    t->num[AIT_N_STATUS] = 200;
    t->num[AIT_N_OUTPUT_TOKENS] = 196;
    t->tokens_source = 0;
    t->vantage = AIT_V_GATEWAY;
    t->origin = AIT_O_GATEWAY_RECEIPT;
    t->outcome = AIT_OUT_COMPLETE;
    t->stream = 1;
    t->stat[AIT_S_EVENTS] = 200;
    t->stat[AIT_S_TEXT] = 196;
    t->stat[AIT_S_SEEN] = AIT_SEEN_TRACED;
    t->stat[AIT_S_T4_CLASSES] = AIT_C_TEXT;
    t->stat[AIT_S_END] = AIT_E_EOF;
    ait_trace_attempt(t)->number = 1;
}

static inline void hand_verdict(ait_verdict *v)
{
    static const char *const check[] = {"output length", "channel", NULL};
    static const char *const no_help[] = {"a first-output timeout", NULL};
    static const char *const missing[] = {"auth_ms", "body_read_ms", NULL};
    memset(v, 0, sizeof *v);
    for (int i = 0; i < AIT_RATE_COUNT; i++)
        v->rate[i] = AIT_ABSENT;
    v->why[AIT_RATE_ITL] = AIT_A_NO_USAGE;
    v->why[AIT_RATE_OUTPUT_TPS] = AIT_A_NO_USAGE;
    v->rate[AIT_RATE_VISIBLE_TPS] = 9802;
    v->visible_is = AIT_IS_EXACT;
    v->window_end = "final_response";
    v->visible_tokens = 196;
    v->primary = AIT_R_SLOW_DECODE;
    v->findings = 1;
    ait_finding *f = &v->finding[0];
    f->rule = AIT_R_SLOW_DECODE;
    f->by = AIT_BY_LIMIT;
    f->share = 979;
    f->evidence[0] = (ait_figure){"visible_output_tps", AIT_U_RATE, 9802,
                                  NULL};
    f->limit[0] = (ait_figure){"slow_decode_tps", AIT_U_RATE, 15000, NULL};
    f->evidences = f->limits = 1;
    strcpy(f->what, "20.0 s of 20.4 s went into writing the answer");
    f->check = check;
    f->will_not_help = no_help;
    v->cannots = 1;
    v->cannot[0].rule = AIT_R_LOCAL_OVERHEAD;
    for (int i = 0; i < 3; i++)
        v->cannot[0].missing[i] = missing[i];
}

/* Text of a buffer that is to be compared; never NULL. */
static inline const char *hand_out(const ait_buf *b)
{
    return b->data ? b->data : "";
}

static const ait_style hand_style = {.width = 80, .from = ""};
static const ait_style hand_utf8 = {.width = 97, .utf8 = true, .from = ""};

#endif
