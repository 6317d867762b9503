/* The rules of the phases and of the flow: at their limits, by share, and
 * what cannot be told. */
#include "analyse/part.h"
#include "analyse_trace.h"

static ait_trace t;
static ait_verdict v;

static const ait_finding *judge_for(ait_rule_id id)
{
    judged(&t, &v);
    return found(&v, id);
}

/* Moves everything from point `from` on. */
static void shift(ait_point_id from, int64_t ms)
{
    for (int p = from; p < AIT_P_COUNT; p++)
        t.point[p].ns += ms * MS;
}

/* Judges at a distance around a limit: quiet one nanosecond below it. */
static void at_limit(ait_rule_id id, ait_point_id p, int64_t limit_ms)
{
    const ait_finding *f;

    judged(&t, &v);
    f = found(&v, id);
    CHECK(f && f->by == AIT_BY_LIMIT);
    CHECK_INT(f ? f->explains : 0, limit_ms * MS);
    for (int i = p; i < AIT_P_COUNT; i++)
        t.point[i].ns -= 1;
    judged(&t, &v);
    f = found(&v, id);
    CHECK(!f || f->by == AIT_BY_SHARE);
    ait_trace_free(&t);
}

/* ---- phases ------------------------------------------------------------ */

static void headers_slow_at_its_limit(void)
{
    const ait_finding *f;

    good_capture(&t);
    shift(AIT_P_T2, 1812); /* 12 to 2012 */
    f = judge_for(AIT_R_HEADERS_SLOW);
    CHECK_INT(evidence(f, "upstream_headers_ms"), 2000 * MS);
    CHECK_INT(crossed(f, "headers_slow_ms"), 2000 * MS);
    CHECK_INT(f ? f->share : 0, 639); /* 2000 of 3128 */
    CHECK_INT(v.primary, AIT_R_HEADERS_SLOW);
    CHECK(f && strstr(f->what, "consistent with") != NULL);
    CHECK(f && strstr(f->what, ", 64 % of 3.1 s;") != NULL);
    at_limit(AIT_R_HEADERS_SLOW, AIT_P_T2, 2000);
}

static void first_response_slow_at_its_limit(void)
{
    good_capture(&t);
    shift(AIT_P_T3, 2900); /* 200 to 3200 */
    CHECK_INT(evidence(judge_for(AIT_R_FIRST_RESPONSE_SLOW),
                       "headers_to_response_ms"), 3000 * MS);
    CHECK(!found(&v, AIT_R_EVENT_BEFORE_RESPONSE));
    at_limit(AIT_R_FIRST_RESPONSE_SLOW, AIT_P_T3, 3000);
}

static void event_before_response_at_its_limit(void)
{
    good_capture(&t);
    shift(AIT_P_T4, 1920); /* 220 to 2220 */
    CHECK_INT(evidence(judge_for(AIT_R_EVENT_BEFORE_RESPONSE),
                       "event_to_response_ms"), 2000 * MS);
    at_limit(AIT_R_EVENT_BEFORE_RESPONSE, AIT_P_T4, 2000);
}

static void action_before_text_at_its_limit(void)
{
    good_capture(&t);
    t.stat[AIT_S_T4_CLASSES] = AIT_C_REASONING | AIT_C_USAGE;
    shift(AIT_P_T5, 2000);
    CHECK_INT(evidence(judge_for(AIT_R_ACTION_BEFORE_TEXT),
                       "response_to_text_ms"), 2000 * MS);
    at_limit(AIT_R_ACTION_BEFORE_TEXT, AIT_P_T5, 2000);
}

static const char *first_was(int64_t classes, int64_t reasoning,
                             int64_t action)
{
    const ait_finding *f;
    const char *word = NULL;

    t.stat[AIT_S_T4_CLASSES] = classes;
    t.stat[AIT_S_REASONING] = reasoning;
    t.stat[AIT_S_ACTION] = action;
    f = judge_for(AIT_R_ACTION_BEFORE_TEXT);
    for (int i = 0; f && i < f->evidences; i++)
        if (strcmp(f->evidence[i].name, "first_response_was") == 0)
            word = f->evidence[i].word;
    return word;
}

static void action_before_text_says_which(void)
{
    good_capture(&t);
    shift(AIT_P_T5, 3000);
    CHECK_TEXT(first_was(AIT_C_REASONING, 3, 0), "reasoning");
    CHECK_TEXT(first_was(AIT_C_ACTION, 3, 1), "action");
    CHECK_TEXT(first_was(AIT_C_ACTION | AIT_C_REASONING, 1, 1),
               "reasoning and action");
    CHECK_TEXT(first_was(AIT_C_MEDIA, 0, 0), NULL); /* does not fire */
    CHECK_TEXT(first_was(AIT_ABSENT, 4, 0), "reasoning"); /* a log's count */
    CHECK_TEXT(first_was(AIT_ABSENT, 0, 2), "action");
    CHECK_TEXT(first_was(AIT_ABSENT, 4, 2), "reasoning or action");
    CHECK_TEXT(first_was(AIT_ABSENT, AIT_ABSENT, AIT_ABSENT),
               "reasoning or action");
    ait_trace_free(&t);
}

static void phases_fire_by_share_of_the_whole(void)
{
    const ait_finding *f;

    good_capture(&t); /* 500 of 1000 */
    at(&t, AIT_P_T2, 512);
    for (int p = AIT_P_T3; p <= AIT_P_T5_NONBLANK; p++)
        at(&t, (ait_point_id)p, 600);
    at(&t, AIT_P_TF, 980);
    at(&t, AIT_P_T6, 990);
    at(&t, AIT_P_T7, 1000);
    f = judge_for(AIT_R_HEADERS_SLOW);
    CHECK(f && f->by == AIT_BY_SHARE);
    CHECK_INT(crossed(f, "share"), 500);
    CHECK_INT(crossed(f, "share_floor_ms"), 500 * MS);
    CHECK_INT(crossed(f, "headers_slow_ms"), INT64_MAX);
    CHECK_INT(f ? f->share : 0, 500);
    CHECK_INT(ait_verdict_mask(&v, AIT_BY_SHARE),
              1u << AIT_R_HEADERS_SLOW);
    CHECK_INT(ait_verdict_mask(&v, AIT_BY_LIMIT), 0);
    t.point[AIT_P_T7].ns += 1; /* a hair under half */
    CHECK(!judge_for(AIT_R_HEADERS_SLOW));
    t.point[AIT_P_T7].ns -= 1;
    t.point[AIT_P_T2].ns -= 1; /* a hair under the floor */
    at(&t, AIT_P_T7, 700);
    CHECK(!judge_for(AIT_R_HEADERS_SLOW));
    ait_trace_free(&t);
}

static void the_manuals_example_is_found(void)
{
    static const int64_t ms[AIT_P_COUNT] = {0, 0, 12, 12, 230, 231, 1480,
                                            1480, 1480, 1550, 1560, 1566};
    const ait_finding *f;

    good_capture(&t);
    for (int p = 0; p < AIT_P_COUNT; p++)
        at(&t, (ait_point_id)p, ms[p]);
    t.num[AIT_N_OUTPUT_TOKENS] = 2;
    f = judge_for(AIT_R_EVENT_BEFORE_RESPONSE);
    CHECK(f && f->by == AIT_BY_SHARE && f->evidences == 1);
    CHECK_INT(evidence(f, "event_to_response_ms"), 1249 * MS);
    CHECK_INT(f ? f->share : 0, 798);
    CHECK_INT(v.rate[AIT_RATE_OUTPUT_TPS], 1282);
    CHECK_INT(v.why[AIT_RATE_VISIBLE_TPS], AIT_A_WINDOW_TOO_SHORT);
    CHECK_INT(v.why[AIT_RATE_ITL], AIT_A_WINDOW_TOO_SHORT);
    ait_trace_free(&t);
}

static void first_response_stands_in_where_headers_are_elsewhere(void)
{
    log_line(&t, 1999, 3000, 3100, 30000, AIT_ABSENT);
    CHECK_INT(evidence(judge_for(AIT_R_FIRST_RESPONSE_SLOW),
                       "first_response_ms"), 3000 * MS);
    at(&t, AIT_P_T4, 2999);
    CHECK(!judge_for(AIT_R_FIRST_RESPONSE_SLOW));
    CHECK_TEXT(missing(&v, AIT_R_FIRST_RESPONSE_SLOW), "");
    at(&t, AIT_P_T4, 3000);
    headers_only(&t, 2000); /* the headers explain it */
    CHECK(judge_for(AIT_R_HEADERS_SLOW) != NULL);
    CHECK(!found(&v, AIT_R_FIRST_RESPONSE_SLOW));
    ait_trace_free(&t);
    /* half of the whole is no proof for a part of unknown size */
    log_line(&t, 400, 2000, 2100, 2500, AIT_ABSENT);
    CHECK(!judge_for(AIT_R_FIRST_RESPONSE_SLOW));
    ait_trace_free(&t);
}

/* ---- decode ------------------------------------------------------------ */

static const ait_finding *decode(int64_t tokens, int64_t window_ms)
{
    t.num[AIT_N_OUTPUT_TOKENS] = tokens;
    t.point[AIT_P_TF].ns = t.point[AIT_P_T5].ns + window_ms * MS;
    t.point[AIT_P_T6].ns = t.point[AIT_P_T7].ns = t.point[AIT_P_TF].ns;
    return judge_for(AIT_R_SLOW_DECODE);
}

static void slow_decode_at_its_limits(void)
{
    const ait_finding *f;

    good_capture(&t);
    CHECK(!decode(45, 3000)); /* 15.000 */
    f = decode(44, 3000);     /* 14.667 */
    CHECK_INT(evidence(f, "visible_output_tps"), 14667);
    CHECK_INT(evidence(f, "visible_window_ms"), 3000 * MS);
    CHECK_INT(crossed(f, "slow_decode_tps"), 15000);
    CHECK_INT(crossed(f, "slow_decode_window_ms"), 3000 * MS);
    CHECK(!decode(2, 2999));
    see(&t, AIT_SEEN_RUNNING_USAGE); /* never on a lower bound */
    CHECK(!decode(44, 3000));
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "output_tokens");
    CHECK(!decode(4400, 3000));
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), ""); /* fast enough */
    ait_trace_free(&t);
}

static void an_upper_bound_proves_slowness_only(void)
{
    good_capture(&t);
    t.stat[AIT_S_OPAQUE] = 1;
    CHECK(decode(44, 3000) != NULL);
    CHECK(!decode(400, 3000));
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "reasoning_tokens");
    t.stat[AIT_S_ACTION] = 1;
    CHECK(!decode(400, 3000));
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "visible_tokens");
    CHECK(!decode(AIT_ABSENT, 3000));
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "output_tokens");
    CHECK(!decode(AIT_ABSENT, 2999)); /* too short to be slow anyway */
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "");
    ait_trace_free(&t);
}

/* ---- local ------------------------------------------------------------- */

static void local_overhead_at_its_limit(void)
{
    const ait_finding *f;

    good_capture(&t);
    at(&t, AIT_P_T1_FIRST, 12);
    t.point[AIT_P_T7].ns = t.point[AIT_P_T6].ns + 988 * MS;
    f = judge_for(AIT_R_LOCAL_OVERHEAD);
    CHECK(f && f->by == AIT_BY_LIMIT);
    CHECK_INT(evidence(f, "before_upstream_ms"), 12 * MS);
    CHECK_INT(evidence(f, "after_upstream_ms"), 988 * MS);
    t.point[AIT_P_T7].ns -= 1;
    CHECK(!judge_for(AIT_R_LOCAL_OVERHEAD));
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "");
    t.point[AIT_P_T7].ns = AIT_ABSENT; /* the end may have been slow */
    CHECK(!judge_for(AIT_R_LOCAL_OVERHEAD));
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "total_handler_ms");
    ait_trace_free(&t);
}

static void local_phases_count_where_t1_is_unknown(void)
{
    log_line(&t, 300, 900, 1500, 5500, AIT_ABSENT);
    CHECK(!judge_for(AIT_R_LOCAL_OVERHEAD));
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD),
               "auth_ms distribution_ms body_read_ms");
    t.phase[AIT_T_AUTH] = 400 * MS;
    CHECK(!judge_for(AIT_R_LOCAL_OVERHEAD));
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD),
               "distribution_ms body_read_ms");
    t.phase[AIT_T_BODY_READ] = 600 * MS; /* enough without the third */
    CHECK_INT(evidence(judge_for(AIT_R_LOCAL_OVERHEAD), "auth_ms"),
              400 * MS);
    t.phase[AIT_T_BODY_READ] = 0;
    t.phase[AIT_T_DISTRIBUTION] = 599 * MS;
    CHECK(!judge_for(AIT_R_LOCAL_OVERHEAD));
    CHECK_TEXT(missing(&v, AIT_R_LOCAL_OVERHEAD), "");
    at(&t, AIT_P_T6, 5499); /* and what came after the upstream */
    CHECK(judge_for(AIT_R_LOCAL_OVERHEAD) != NULL);
    ait_trace_free(&t);
}

/* ---- flow -------------------------------------------------------------- */

static void stream_stalled_at_its_limit(void)
{
    const ait_finding *f;

    good_capture(&t);
    t.stat[AIT_S_LONGEST_GAP] = 60000 * MS; /* before t4: not its business */
    t.stat[AIT_S_STALL] = 5000 * MS - 1;
    CHECK(!judge_for(AIT_R_STREAM_STALLED));
    t.stat[AIT_S_STALL] = 5000 * MS;
    f = judge_for(AIT_R_STREAM_STALLED);
    CHECK_INT(evidence(f, "stall_ms"), 5000 * MS);
    CHECK_INT(evidence(f, "stall_at_ms"), 300 * MS);
    CHECK_INT(crossed(f, "stream_stalled_ms"), 5000 * MS);
    CHECK_INT(f ? f->share : 0, 1000); /* never more than all */
    t.stat[AIT_S_STALL] = AIT_ABSENT;  /* nothing came after t4 */
    CHECK(!judge_for(AIT_R_STREAM_STALLED));
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "");
    see(&t, AIT_SEEN_UNTIMED);
    CHECK(!judge_for(AIT_R_STREAM_STALLED));
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "longest_gap_ms");
    ait_trace_free(&t);
}

static const ait_finding *bursty(int64_t events, int64_t reads)
{
    t.stat[AIT_S_TEXT] = events;
    t.stat[AIT_S_TEXT_READS] = reads;
    return judge_for(AIT_R_BURSTY_DELIVERY);
}

static void bursty_by_events_in_few_reads(void)
{
    good_capture(&t);
    CHECK(bursty(8, 2) != NULL);
    CHECK(!bursty(8, 3));
    CHECK(!bursty(7, 2));
    CHECK(bursty(5, 1) != NULL);
    CHECK(!bursty(4, 1));
    CHECK_INT(crossed(bursty(8, 2), "bursty_read_ratio"), 250);
    CHECK_INT(evidence(bursty(8, 2), "text_events"), 8);
    ait_trace_free(&t);
}

static const ait_finding *burst(int64_t bytes, int64_t gap_ns)
{
    t.stat[AIT_S_BURST_BYTES] = bytes;
    t.stat[AIT_S_BURST_GAP] = gap_ns;
    return judge_for(AIT_R_BURSTY_DELIVERY);
}

static void bursty_by_one_read_after_a_silence(void)
{
    good_capture(&t);
    CHECK(burst(200, 1000 * MS) != NULL);
    CHECK_INT(evidence(found(&v, AIT_R_BURSTY_DELIVERY),
                       "silence_before_burst_ms"), 1000 * MS);
    CHECK(!burst(199, 1000 * MS));
    CHECK(!burst(200, 1000 * MS - 1));
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 3;
    CHECK(burst(200, 1000 * MS) != NULL);
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 2;
    CHECK(!burst(200, 1000 * MS));
    ait_trace_free(&t);
}

/* 10 text events in `us` microseconds, body's end at 1310 ms. */
static const ait_finding *held(int64_t events, int64_t us)
{
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = events;
    t.stat[AIT_S_TEXT_LAST] = t.point[AIT_P_T5].ns + us * 1000;
    return judge_for(AIT_R_BUFFERED_DELIVERY);
}

static void buffered_by_text_at_once(void)
{
    const ait_finding *f;

    good_capture(&t);
    f = held(10, 9999);
    CHECK_INT(evidence(f, "text_span_ms"), 9999000);
    CHECK_INT(crossed(f, "buffered_events"), 10);
    CHECK(!held(10, 10000)); /* 1 ms an event */
    CHECK(!held(9, 100));
    CHECK(held(100, 65499) != NULL);
    CHECK(!held(100, 65500)); /* 5 % of 1310 */
    ait_trace_free(&t);
}

static void buffered_by_a_body_right_behind_its_headers(void)
{
    good_capture(&t);
    t.point[AIT_P_T6].ns = t.point[AIT_P_T2].ns + MS;
    CHECK_INT(evidence(judge_for(AIT_R_BUFFERED_DELIVERY),
                       "headers_to_end_ms"), MS);
    t.point[AIT_P_T6].ns += 1;
    CHECK(!judge_for(AIT_R_BUFFERED_DELIVERY));
    t.point[AIT_P_T6].ns -= 1;
    t.stat[AIT_S_TEXT] = 0; /* no text, nothing was held */
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    CHECK(!judge_for(AIT_R_BUFFERED_DELIVERY));
    t.stat[AIT_S_TEXT] = 5;
    t.stream = 0; /* a whole body comes at once */
    CHECK(!judge_for(AIT_R_BUFFERED_DELIVERY));
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "");
    ait_trace_free(&t);
}

int main(void)
{
    RUN(headers_slow_at_its_limit);
    RUN(first_response_slow_at_its_limit);
    RUN(event_before_response_at_its_limit);
    RUN(action_before_text_at_its_limit);
    RUN(action_before_text_says_which);
    RUN(phases_fire_by_share_of_the_whole);
    RUN(the_manuals_example_is_found);
    RUN(first_response_stands_in_where_headers_are_elsewhere);
    RUN(slow_decode_at_its_limits);
    RUN(an_upper_bound_proves_slowness_only);
    RUN(local_overhead_at_its_limit);
    RUN(local_phases_count_where_t1_is_unknown);
    RUN(stream_stalled_at_its_limit);
    RUN(bursty_by_events_in_few_reads);
    RUN(bursty_by_one_read_after_a_silence);
    RUN(buffered_by_text_at_once);
    RUN(buffered_by_a_body_right_behind_its_headers);
    return t_done();
}
