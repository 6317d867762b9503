/* The rules of retries, which finding is the primary one, what cannot be
 * told, and the sentences. */
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

static const ait_finding *decode(int64_t tokens, int64_t window_ms)
{
    t.num[AIT_N_OUTPUT_TOKENS] = tokens;
    t.point[AIT_P_TF].ns = t.point[AIT_P_T5].ns + window_ms * MS;
    t.point[AIT_P_T6].ns = t.point[AIT_P_T7].ns = t.point[AIT_P_TF].ns;
    return judge_for(AIT_R_SLOW_DECODE);
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

static void a_part_of_the_lost_time_is_no_sum(void)
{
    ait_attempt *second;

    good_capture(&t);
    lost_attempt(500, AIT_OUT_ERROR, 900);
    second = t.serving; /* lost as well, and its end is not known */
    t.serving = second->next = ait_trace_attempt(&t);
    second->done = second->headers = AIT_ABSENT;
    t.num[AIT_N_RETRIES] = 2;
    CHECK_INT(evidence(judge_for(AIT_R_RETRIED), "lost_attempts_ms"),
              INT64_MAX);
    CHECK_INT(found(&v, AIT_R_RETRIED)->explains, 900 * MS);
    second->headers = 50 * MS;
    CHECK_INT(evidence(judge_for(AIT_R_RETRIED), "lost_attempts_ms"),
              150 * MS);
    t.num[AIT_N_RETRIES] = 3; /* one of them is not listed */
    CHECK_INT(evidence(judge_for(AIT_R_RETRIED), "lost_attempts_ms"),
              INT64_MAX);
    ait_trace_free(&t);
}

/* nginx: "60.000, 6.285" */
static void a_log_may_know_the_lost_time_alone(void)
{
    ait_measure *m;

    good_capture(&t);
    lost_attempt(504, AIT_OUT_ERROR, 900);
    t.num[AIT_N_RETRY_WAIT] = AIT_ABSENT;
    t.attempts->done = t.attempts->headers = AIT_ABSENT;
    m = ait_trace_measure(&t);
    m->name = "lost_attempts";
    m->value = 700 * MS;
    CHECK_INT(judge_for(AIT_R_RETRIED)->explains, 700 * MS);
    CHECK_INT(evidence(found(&v, AIT_R_RETRIED), "lost_attempts_ms"),
              700 * MS);
    CHECK_TEXT(found(&v, AIT_R_RETRIED)->what,
               "2 attempts were made; 700 ms in attempts that were lost, "
               "apart from the model's own time");
    CHECK_INT(v.primary, AIT_R_RETRIED);
    t.attempts->headers = 60 * MS; /* what was recorded itself comes first */
    CHECK_INT(judge_for(AIT_R_RETRIED)->explains, 60 * MS);
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
    t.stat[AIT_S_STALL] = t.stat[AIT_S_WINDOW_STALL] = 8000 * MS;
    CHECK(judge_for(AIT_R_SLOW_DECODE) != NULL);
    CHECK_INT(found(&v, AIT_R_SLOW_DECODE)->explains, 10000 * MS);
    CHECK_INT(v.primary, AIT_R_STREAM_STALLED);
    t.stat[AIT_S_STALL] = 5000 * MS - 1; /* no stall; all is decode's */
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_SLOW_DECODE);
    /* a longer silence behind the text does not hide the one inside */
    t.stat[AIT_S_WINDOW_STALL] = 5000 * MS;
    t.stat[AIT_S_STALL] = 5200 * MS;
    t.stat[AIT_S_STALL_AT] = t.point[AIT_P_TF].ns;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_STREAM_STALLED);
    /* and takes nothing from the window itself */
    t.stat[AIT_S_WINDOW_STALL] = 300 * MS;
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
    CHECK_TEXT(missing(&v, AIT_R_STREAM_STALLED),
               "first_response_ms final_response_ms");
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
    CHECK_TEXT(missing(&v, AIT_R_BUFFERED_DELIVERY),
               "first_text_delta_ms final_response_ms");
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
         "consistent with a queue or prompt");
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
    RUN(retried_keeps_waits_apart);
    RUN(one_known_time_of_a_retry_is_enough);
    RUN(a_part_of_the_lost_time_is_no_sum);
    RUN(a_log_may_know_the_lost_time_alone);
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
