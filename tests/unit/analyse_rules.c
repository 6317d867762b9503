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

/* ---- retries ----------------------------------------------------------- */

/* A lost attempt in front: 12 … 112 ms, then a wait. */
static void lost_attempt(int64_t status, int outcome, int64_t wait_ms)
{
    ait_attempt *lost = t.attempts, *last = ait_trace_attempt(&t);

    *last = *lost;
    last->next = NULL;
    last->number = 2;
    lost->next = last;
    lost->done = 112 * MS;
    lost->status = status;
    lost->outcome = outcome;
    t.serving = last;
    t.num[AIT_N_RETRIES] = 1;
    t.num[AIT_N_RETRY_WAIT] = wait_ms * MS;
}

static void retried_keeps_waits_apart(void)
{
    const ait_finding *f;

    good_capture(&t);
    lost_attempt(500, AIT_OUT_ERROR, 900);
    f = judge_for(AIT_R_RETRIED);
    CHECK_INT(evidence(f, "attempts"), 2);
    CHECK_INT(evidence(f, "retry_wait_ms"), 900 * MS);
    CHECK_INT(evidence(f, "lost_attempts_ms"), 100 * MS);
    CHECK_INT(f ? f->explains : 0, 1000 * MS);
    CHECK(!found(&v, AIT_R_RATE_LIMITED));
    CHECK_INT(v.primary, AIT_R_RETRIED);
    ait_trace_free(&t);
}

static void one_known_time_of_a_retry_is_enough(void)
{
    good_capture(&t);
    lost_attempt(500, AIT_OUT_ERROR, 900);
    t.num[AIT_N_RETRY_WAIT] = AIT_ABSENT;
    CHECK_INT(judge_for(AIT_R_RETRIED)->explains, 100 * MS);
    t.attempts->done = AIT_ABSENT; /* its headers are all that is known */
    t.attempts->headers = 60 * MS;
    CHECK_INT(judge_for(AIT_R_RETRIED)->explains, 60 * MS);
    t.attempts->headers = AIT_ABSENT;
    t.num[AIT_N_RETRY_WAIT] = 900 * MS;
    CHECK_INT(judge_for(AIT_R_RETRIED)->explains, 900 * MS);
    CHECK_TEXT(judge_for(AIT_R_RETRIED)->what,
               "2 attempts were made; 900 ms of waiting between them, apart "
               "from the model's own time");
    ait_trace_free(&t);
}

static void a_429_before_names_the_retry(void)
{
    good_capture(&t);
    lost_attempt(429, -1, 900);
    CHECK(judge_for(AIT_R_RATE_LIMITED) != NULL);
    CHECK(found(&v, AIT_R_RETRIED) != NULL);
    CHECK_INT(v.primary, AIT_R_RATE_LIMITED);
    CHECK_INT(v.finding[0].rule, AIT_R_RATE_LIMITED); /* fixed order */
    shift(AIT_P_T3, 5000); /* something else explains more */
    CHECK(judge_for(AIT_R_FIRST_RESPONSE_SLOW) != NULL);
    CHECK_INT(v.primary, AIT_R_FIRST_RESPONSE_SLOW);
    ait_trace_free(&t);
    good_capture(&t);
    lost_attempt(200, AIT_OUT_RATE_LIMITED, 900); /* said in a stream */
    CHECK(judge_for(AIT_R_RATE_LIMITED) != NULL);
    ait_trace_free(&t);
}

static void a_log_that_only_counts_attempts(void)
{
    log_line(&t, 300, 900, 1500, 5500, AIT_ABSENT);
    CHECK(!judge_for(AIT_R_RETRIED));
    CHECK_TEXT(missing(&v, AIT_R_RETRIED), "attempts");
    t.num[AIT_N_RETRIES] = 0;
    CHECK(!judge_for(AIT_R_RETRIED));
    CHECK_TEXT(missing(&v, AIT_R_RETRIED), "");
    t.num[AIT_N_RETRIES] = 2;
    CHECK_INT(evidence(judge_for(AIT_R_RETRIED), "attempts"), 3);
    CHECK_INT(found(&v, AIT_R_RETRIED)->explains, AIT_ABSENT);
    CHECK_INT(v.primary, AIT_R_RETRIED); /* the first other finding */
    ait_trace_free(&t);
}

/* ---- the primary one --------------------------------------------------- */

static void primary_is_what_explains_most(void)
{
    good_capture(&t); /* headers 2.5 s, first response 4 s */
    shift(AIT_P_T2, 2312);
    shift(AIT_P_T3, 3900);
    judged(&t, &v);
    CHECK(found(&v, AIT_R_HEADERS_SLOW) != NULL);
    CHECK_INT(v.primary, AIT_R_FIRST_RESPONSE_SLOW);
    t.outcome = AIT_OUT_CANCELLED; /* how it ended comes first */
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_CLIENT_CANCELLED);
    ait_trace_free(&t);
}

static void each_phase_competes(void)
{
    good_capture(&t); /* headers 5 s; 1.5 s after the end */
    shift(AIT_P_T2, 4812);
    t.point[AIT_P_T7].ns += 1500 * MS;
    judged(&t, &v);
    CHECK(found(&v, AIT_R_LOCAL_OVERHEAD) != NULL);
    CHECK_INT(v.primary, AIT_R_HEADERS_SLOW);
    t.point[AIT_P_T7].ns += 4000 * MS;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_LOCAL_OVERHEAD);
    t.stat[AIT_S_STALL] = 9000 * MS;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_STREAM_STALLED);
    lost_attempt(500, AIT_OUT_ERROR, 9000);
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_RETRIED);
    t.num[AIT_N_RETRY_WAIT] = 8900 * MS; /* as much: the earlier rule */
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_STREAM_STALLED);
    ait_trace_free(&t);
}

static void a_stall_is_not_slow_decode(void)
{
    good_capture(&t); /* 10 s for 51 tokens, 8 s of them one silence */
    decode(51, 10000);
    t.stat[AIT_S_STALL] = 8000 * MS;
    t.stat[AIT_S_STALL_AT] = 1000 * MS;
    CHECK(judge_for(AIT_R_SLOW_DECODE) != NULL);
    CHECK_INT(found(&v, AIT_R_SLOW_DECODE)->explains, 10000 * MS);
    CHECK_INT(v.primary, AIT_R_STREAM_STALLED);
    t.stat[AIT_S_STALL] = 5000 * MS - 1; /* no stall; all is decode's */
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_SLOW_DECODE);
    /* a silence behind the text takes nothing from the window */
    t.stat[AIT_S_STALL] = 8000 * MS;
    t.stat[AIT_S_STALL_AT] = t.point[AIT_P_TF].ns;
    t.point[AIT_P_T6].ns += 8000 * MS;
    t.point[AIT_P_T7].ns += 8000 * MS;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_SLOW_DECODE);
    ait_trace_free(&t);
}

static void delivery_alone_is_named_last(void)
{
    good_capture(&t);
    t.stat[AIT_S_TEXT] = 50;
    t.stat[AIT_S_TEXT_READS] = 5;
    t.stat[AIT_S_TEXT_LAST] = t.point[AIT_P_T5].ns;
    judged(&t, &v);
    CHECK_INT(v.findings, 2);
    CHECK_INT(v.primary, AIT_R_BURSTY_DELIVERY);
    ait_trace_free(&t);
}

static void reference_traces_as_logs(void)
{
    static const struct {
        int64_t ms[4], tps;
        ait_rule_id primary;
    } cases[] = {
        {{6100, 6350, 6400, 9200}, 42000, AIT_R_HEADERS_SLOW},
        {{240, 2900, 8700, 10200}, 55000, AIT_R_ACTION_BEFORE_TEXT},
        {{260, 420, 430, 20430}, 9800, AIT_R_SLOW_DECODE},
    };

    for (int i = 0; i < 3; i++) {
        const int64_t *ms = cases[i].ms;
        log_line(&t, ms[0], ms[1], ms[2], ms[3], cases[i].tps);
        judged(&t, &v);
        CHECK_INT(v.primary, cases[i].primary);
        CHECK_INT(v.findings, 1);
        CHECK(v.finding[0].check[0] && v.finding[0].will_not_help[0]);
        ait_trace_free(&t);
    }
    CHECK(strncmp(v.finding[0].what, "20.0 s of 20.4 s went into writing "
                                     "the answer, at 9.8 tokens/s", 59) == 0);
}

/* ---- not assessable ---------------------------------------------------- */

static void a_bare_log_line_cannot_tell_most(void)
{
    ait_trace_init(&t);
    at(&t, AIT_P_ORIGIN, 0);
    at(&t, AIT_P_T7, 900);
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_INT(v.cannots, 16);
    CHECK_TEXT(missing(&v, AIT_R_RATE_LIMITED), "status finish_reason");
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
               "finish_reason");
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "upstream_headers_ms");
    CHECK_TEXT(missing(&v, AIT_R_FIRST_RESPONSE_SLOW), "first_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_EVENT_BEFORE_RESPONSE),
               "first_sse_event_ms first_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT),
               "first_response_ms first_text_delta_ms");
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE),
               "first_text_delta_ms output_tokens");
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "longest_gap_ms");
    CHECK_TEXT(missing(&v, AIT_R_BURSTY_DELIVERY), "text text_reads");
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "text text_reads");
    ait_trace_free(&t);
}

static void what_did_not_happen_is_not_listed(void)
{
    good_capture(&t); /* a tool-only answer */
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.stat[AIT_S_ACTION] = 5;
    t.stat[AIT_S_T4_CLASSES] = AIT_C_ACTION;
    t.point[AIT_P_T5].ns = t.point[AIT_P_T5_NONBLANK].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_INT(v.cannots, 0);
    ait_trace_free(&t);
    good_capture(&t); /* an answer that was not streamed */
    for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    for (int s = 0; s <= AIT_S_TEXT_BYTES; s++)
        t.stat[s] = 0;
    t.stat[AIT_S_STALL] = t.stat[AIT_S_LONGEST_GAP] = AIT_ABSENT;
    see(&t, AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT);
    t.stream = 0;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_INT(v.cannots, 0);
    ait_trace_free(&t);
}

static void content_that_cannot_be_read_is_said(void)
{
    good_capture(&t);
    see(&t, AIT_SEEN_UNREAD);
    for (int p = AIT_P_T4; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.stat[AIT_S_STALL] = AIT_ABSENT;
    t.text[AIT_X_FINISH_REASON] = NULL;
    t.outcome = AIT_OUT_UNKNOWN;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_TEXT(missing(&v, AIT_R_FIRST_RESPONSE_SLOW), "first_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED), "longest_gap_ms");
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "text_reads");
    CHECK_TEXT(missing(&v, AIT_R_INCOMPLETE_STREAM), "finish_reason");
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "");
    ait_trace_free(&t);
}

static void events_without_times_are_said(void)
{
    good_capture(&t);
    see(&t, AIT_SEEN_UNTIMED);
    for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    t.stat[AIT_S_STALL] = t.stat[AIT_S_TEXT_LAST] = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_TEXT(missing(&v, AIT_R_EVENT_BEFORE_RESPONSE),
               "first_sse_event_ms first_response_ms");
    CHECK_TEXT(missing(&v, AIT_R_SLOW_DECODE), "first_text_delta_ms");
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY), "text_reads");
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "");
    ait_trace_free(&t);
}

static void a_clock_that_was_set_takes_its_spans_away(void)
{
    good_capture(&t);
    for (int p = AIT_P_T5; p < AIT_P_COUNT; p++)
        t.point[p].axis = 1;
    shift(AIT_P_T5, 60000);
    judged(&t, &v);
    CHECK(!found(&v, AIT_R_ACTION_BEFORE_TEXT));
    CHECK_INT(v.findings, 0);
    ait_trace_free(&t);
}

static void headers_that_were_not_recorded_are_said(void)
{
    good_capture(&t); /* stamped lines: no header record */
    t.point[AIT_P_T2].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "upstream_headers_ms");
    t.point[AIT_P_T1].ns = AIT_ABSENT; /* nor a send */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "upstream_start_ms");
    t.attempts = t.serving = NULL; /* the gateway answered by itself */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "");
    ait_trace_free(&t);
    good_capture(&t); /* they never came: that is no gap in the recording */
    for (int p = AIT_P_T2; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT;
    t.outcome = AIT_OUT_TIMEOUT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_HEADERS_SLOW), "");
    ait_trace_free(&t);
}

static void server_timings_are_shown_beside(void)
{
    ait_measure *m;

    good_capture(&t);
    shift(AIT_P_T2, 3000);
    m = ait_trace_measure(&t);
    m->name = "queue";
    m->origin = AIT_O_ENGINE;
    m->value = 2500 * MS;
    m = ait_trace_measure(&t);
    m->name = "queue"; /* the gateway's own queue is something else */
    m->origin = AIT_O_LOCAL;
    m->value = 1 * MS;
    CHECK_INT(evidence(judge_for(AIT_R_HEADERS_SLOW), "engine_queue_ms"),
              2500 * MS);
    CHECK_INT(found(&v, AIT_R_HEADERS_SLOW)->evidences, 2);
    ait_trace_free(&t);
}

/* The start of a finding's sentence. */
static void says(ait_rule_id id, const char *start)
{
    const ait_finding *f = judge_for(id);
    char what[sizeof f->what] = "";

    if (f)
        memcpy(what, f->what, sizeof what);
    what[strlen(start) < sizeof what ? strlen(start) : 0] = '\0';
    CHECK_TEXT(what, start);
}

static void sentences_hold_the_figures(void)
{
    good_capture(&t);
    shift(AIT_P_T4, 4000);
    says(AIT_R_FIRST_RESPONSE_SLOW,
         "the first output came 4.1 s after the headers, 77 % of 5.3 s; "
         "consistent with queueing");
    says(AIT_R_EVENT_BEFORE_RESPONSE,
         "the first event came, and the first output only 4.1 s later, "
         "77 % of 5.3 s; consistent with prompt processing or hidden");
    t.stat[AIT_S_OPAQUE] = 1;
    says(AIT_R_EVENT_BEFORE_RESPONSE,
         "the first event came, and the first output only 4.1 s later, "
         "77 % of 5.3 s; hidden reasoning was streamed");
    ait_trace_free(&t);
    log_line(&t, 300, 4000, 4100, 30000, 9800);
    says(AIT_R_FIRST_RESPONSE_SLOW,
         "the first output came 4.0 s after the start, 13 % of 30.0 s; how "
         "much of it came before the headers cannot be told");
    says(AIT_R_SLOW_DECODE, "25.9 s of 30.0 s went into writing the answer, "
                            "at 9.8 tokens/s as the log reports");
    t.num[AIT_N_OUTPUT_TOKENS] = 260;
    says(AIT_R_SLOW_DECODE, "25.9 s of 30.0 s went into writing the answer, "
                            "at most 10 tokens/s");
    ait_trace_free(&t);
    good_capture(&t);
    t.stat[AIT_S_STALL] = 6000 * MS;
    says(AIT_R_STREAM_STALLED, "nothing came for 6.0 s, from 300 ms on, in "
                               "the middle of the answer");
    t.stat[AIT_S_STALL_AT] = t.point[AIT_P_T6].ns - 6000 * MS;
    says(AIT_R_STREAM_STALLED, "nothing came for 6.0 s");
    CHECK(strstr(found(&v, AIT_R_STREAM_STALLED)->what, "until the end"));
    ait_trace_free(&t);
}

static void figures_alone_have_no_sentence(void)
{
    ait_thresholds limits;

    good_capture(&t);
    shift(AIT_P_T2, 3000);
    ait_thresholds_init(&limits);
    limits.value[AIT_L_HEADERS_SLOW_MS] = 4000 * MS;
    limits.value[AIT_L_SHARE] = 900;
    ait_judge_figures(&t, &limits, &v);
    CHECK_INT(v.findings, 0);
    limits.value[AIT_L_HEADERS_SLOW_MS] = 3188 * MS;
    ait_judge_figures(&t, &limits, &v);
    CHECK_INT(v.findings, 1);
    CHECK_TEXT(v.finding[0].what, "");
    CHECK_INT(crossed(&v.finding[0], "headers_slow_ms"), 3188 * MS);
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
    RUN(retried_keeps_waits_apart);
    RUN(one_known_time_of_a_retry_is_enough);
    RUN(a_429_before_names_the_retry);
    RUN(a_log_that_only_counts_attempts);
    RUN(primary_is_what_explains_most);
    RUN(each_phase_competes);
    RUN(a_stall_is_not_slow_decode);
    RUN(delivery_alone_is_named_last);
    RUN(reference_traces_as_logs);
    RUN(a_bare_log_line_cannot_tell_most);
    RUN(what_did_not_happen_is_not_listed);
    RUN(content_that_cannot_be_read_is_said);
    RUN(events_without_times_are_said);
    RUN(a_clock_that_was_set_takes_its_spans_away);
    RUN(headers_that_were_not_recorded_are_said);
    RUN(server_timings_are_shown_beside);
    RUN(sentences_hold_the_figures);
    RUN(figures_alone_have_no_sentence);
    return t_done();
}
