/* The rules about how a request ended, and with what. */
#include "analyse/part.h"
#include "analyse_trace.h"

static ait_trace t;
static ait_verdict v;

static const ait_finding *judge_for(ait_rule_id id)
{
    judged(&t, &v);
    return found(&v, id);
}

static const char *word(const ait_finding *f, const char *name)
{
    for (int i = 0; f && i < f->evidences; i++)
        if (strcmp(f->evidence[i].name, name) == 0)
            return f->evidence[i].word;
    return NULL;
}

static void each_outcome_has_its_rule(void)
{
    static const ait_rule_id rule[AIT_OUT_COUNT] = {
        [AIT_OUT_COMPLETE] = AIT_R_NONE,
        [AIT_OUT_RATE_LIMITED] = AIT_R_RATE_LIMITED,
        [AIT_OUT_ERROR] = AIT_R_UPSTREAM_ERROR,
        [AIT_OUT_CANCELLED] = AIT_R_CLIENT_CANCELLED,
        [AIT_OUT_TIMEOUT] = AIT_R_INCOMPLETE_STREAM,
        [AIT_OUT_INCOMPLETE] = AIT_R_INCOMPLETE_STREAM,
        [AIT_OUT_TRUNCATED_CAPTURE] = AIT_R_NONE,
        [AIT_OUT_UNKNOWN] = AIT_R_NONE,
    };

    for (int o = 0; o < AIT_OUT_COUNT; o++) {
        good_capture(&t);
        t.outcome = (ait_outcome)o;
        judged(&t, &v);
        CHECK_INT(v.primary, rule[o]);
        CHECK_INT(v.findings, rule[o] != AIT_R_NONE);
        if (v.findings) {
            CHECK_INT(v.finding[0].by, AIT_BY_LIMIT);
            CHECK(v.finding[0].what[0] && v.finding[0].check[0]);
        }
        ait_trace_free(&t);
    }
}

static void an_unknown_outcome_is_not_fine(void)
{
    good_capture(&t);
    t.outcome = AIT_OUT_TRUNCATED_CAPTURE;
    judged(&t, &v);
    for (int r = AIT_R_RATE_LIMITED; r <= AIT_R_INCOMPLETE_STREAM; r++)
        CHECK_TEXT(missing(&v, (ait_rule_id)r), "upstream_done_ms");
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "");
    t.outcome = AIT_OUT_UNKNOWN;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_INCOMPLETE_STREAM), "finish_reason");
    t.num[AIT_N_STATUS] = AIT_ABSENT;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_UPSTREAM_ERROR), "status finish_reason");
    ait_trace_free(&t);
}

static void rate_limited_shows_what_the_answer_asked(void)
{
    const ait_finding *f;

    good_capture(&t);
    t.outcome = AIT_OUT_RATE_LIMITED;
    t.num[AIT_N_STATUS] = 429;
    t.text[AIT_X_ERROR_CODE] = "rate_limit_exceeded";
    t.serving->retry_after = 20 * AIT_SEC;
    f = judge_for(AIT_R_RATE_LIMITED);
    CHECK_INT(evidence(f, "status"), 429);
    CHECK_INT(evidence(f, "retry_after_ms"), 20000 * MS);
    CHECK_TEXT(word(f, "error_code"), "rate_limit_exceeded");
    CHECK_TEXT(f ? f->what : NULL,
               "the request was turned away by a rate limit, status 429; "
               "the answer asks to wait 20.0 s");
    CHECK_INT(f ? f->share : 0, AIT_ABSENT);
    ait_trace_free(&t);
}

static void upstream_error_tells_the_three_kinds_apart(void)
{
    good_capture(&t);
    t.outcome = AIT_OUT_ERROR;
    t.text[AIT_X_ERROR_CODE] = "server_error";
    see(&t, AIT_SEEN_ERROR);
    CHECK_TEXT(judge_for(AIT_R_UPSTREAM_ERROR)->what,
               "an error came inside the stream, status 200, code "
               "server_error, after 1.3 s");
    ait_trace_free(&t);
    good_capture(&t);
    t.outcome = AIT_OUT_ERROR;
    t.num[AIT_N_STATUS] = 503;
    CHECK_TEXT(judge_for(AIT_R_UPSTREAM_ERROR)->what,
               "the request failed, status 503, after 1.3 s");
    t.num[AIT_N_STATUS] = AIT_ABSENT;
    CHECK_TEXT(judge_for(AIT_R_UPSTREAM_ERROR)->what,
               "the upstream ended before it answered, after 1.3 s");
    ait_trace_free(&t);
}

static void cancelled_says_what_had_come(void)
{
    good_capture(&t);
    t.outcome = AIT_OUT_CANCELLED;
    CHECK_TEXT(judge_for(AIT_R_CLIENT_CANCELLED)->what,
               "the client went away after 1.3 s; the first visible text "
               "had come after 300 ms");
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    CHECK_TEXT(judge_for(AIT_R_CLIENT_CANCELLED)->what,
               "the client went away after 1.3 s; no visible text had "
               "come");
    ait_trace_free(&t);
    log_line(&t, 1, 2, 3, 4000, AIT_ABSENT); /* a log does not know that */
    t.outcome = AIT_OUT_CANCELLED;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    CHECK_TEXT(judge_for(AIT_R_CLIENT_CANCELLED)->what,
               "the client went away after 4.0 s");
    ait_trace_free(&t);
}

static void incomplete_says_how_and_after_what_silence(void)
{
    const ait_finding *f;

    good_capture(&t);
    t.outcome = AIT_OUT_TIMEOUT;
    t.stat[AIT_S_END] = AIT_E_TIMEOUT;
    at(&t, AIT_P_T6, 121300);
    at(&t, AIT_P_T7, 121305);
    f = judge_for(AIT_R_INCOMPLETE_STREAM);
    CHECK_INT(evidence(f, "silence_before_end_ms"), 120000 * MS);
    CHECK_TEXT(word(f, "end"), "timeout");
    CHECK_TEXT(f->what, "timed out: waiting was given up, 2 min 0 s after "
                        "the last thing that came");
    CHECK_INT(f->share, 989);
    t.outcome = AIT_OUT_INCOMPLETE;
    t.stat[AIT_S_END] = AIT_E_RESET;
    for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
        t.point[p].ns = AIT_ABSENT; /* headers came, and nothing else */
    f = judge_for(AIT_R_INCOMPLETE_STREAM);
    CHECK_INT(evidence(f, "silence_before_end_ms"), 121100 * MS);
    CHECK_TEXT(word(f, "end"), "reset");
    t.point[AIT_P_T2].ns = t.point[AIT_P_T6].ns = AIT_ABSENT;
    f = judge_for(AIT_R_INCOMPLETE_STREAM);
    CHECK_INT(evidence(f, "silence_before_end_ms"), INT64_MAX);
    CHECK(strstr(f->what, "after 2 min 1 s") != NULL);
    ait_trace_free(&t);
}

/* ---- the token budget -------------------------------------------------- */

static void budget(const char *finish, int64_t output, int64_t reasoning)
{
    good_capture(&t);
    t.text[AIT_X_FINISH_REASON] = finish;
    t.num[AIT_N_OUTPUT_TOKENS] = output;
    t.num[AIT_N_REASONING_TOKENS] = reasoning;
    judged(&t, &v);
}

static bool spent(void)
{
    bool fired = found(&v, AIT_R_REASONING_EXHAUSTED_BUDGET) != NULL;

    ait_trace_free(&t);
    return fired;
}

static void budget_at_its_shares(void)
{
    budget("length", 1000, 901);
    CHECK_INT(crossed(found(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
                      "budget_reasoning_share"), 900);
    CHECK_INT(evidence(found(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
                       "reasoning_tokens"), 901);
    CHECK(spent());
    budget("length", 1000, 900); /* a tenth is visible */
    CHECK(!spent());
    budget("length", 1000, 899);
    CHECK(!spent());
    budget("stop", 1000, 1000);
    CHECK(!spent());
    budget("MAX_TOKENS", 1000, 990);
    CHECK(spent());
    budget("max_output_tokens", 0, 0);
    CHECK(!spent());
    /* no text at all: 90 % is enough */
    good_capture(&t);
    t.text[AIT_X_FINISH_REASON] = "length";
    t.num[AIT_N_OUTPUT_TOKENS] = 1000;
    t.num[AIT_N_REASONING_TOKENS] = 900;
    t.stat[AIT_S_TEXT] = 0;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_REASONING_EXHAUSTED_BUDGET);
    t.num[AIT_N_REASONING_TOKENS] = 899;
    judged(&t, &v);
    CHECK(!spent());
}

static void budget_without_counts_is_consistent_with(void)
{
    good_capture(&t);
    t.text[AIT_X_FINISH_REASON] = "length";
    t.stat[AIT_S_TEXT] = 0;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.stat[AIT_S_REASONING] = 40;
    t.num[AIT_N_MAX_TOKENS] = 400;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_REASONING_EXHAUSTED_BUDGET);
    CHECK(strstr(v.finding[0].what, "consistent with") != NULL);
    CHECK(strstr(v.finding[0].what, "allowed 400") != NULL);
    CHECK_INT(v.finding[0].limits, 0);
    t.num[AIT_N_REASONING_TOKENS] = 0; /* beside streamed reasoning: none */
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_REASONING_EXHAUSTED_BUDGET);
    t.stat[AIT_S_ACTION] = 1; /* something else came */
    judged(&t, &v);
    CHECK(!found(&v, AIT_R_REASONING_EXHAUSTED_BUDGET));
    t.stat[AIT_S_ACTION] = 0;
    t.stat[AIT_S_REASONING] = 0; /* nothing at all came */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET), "");
    CHECK(!spent());
}

static void budget_of_a_body_that_was_not_streamed(void)
{
    static const struct {
        int64_t seen;
        bool fires;
    } cases[] = {
        {AIT_SEEN_BODY_REASONING, true},
        {AIT_SEEN_BODY_OPAQUE, true},
        {0, false},
        {AIT_SEEN_BODY_REASONING | AIT_SEEN_BODY_TEXT, false},
        {AIT_SEEN_BODY_REASONING | AIT_SEEN_BODY_OTHER, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        budget("max_tokens", 1000, AIT_ABSENT);
        t.stat[AIT_S_TEXT] = 0;
        for (int p = AIT_P_T3; p <= AIT_P_TF; p++)
            t.point[p].ns = AIT_ABSENT;
        t.stream = 0;
        see(&t, AIT_SEEN_BODY | cases[i].seen);
        judged(&t, &v);
        CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET), "");
        CHECK(!cases[i].fires ||
              strstr(v.finding[0].what, "consistent with") != NULL);
        if (cases[i].seen == AIT_SEEN_BODY_REASONING) {
            t.num[AIT_N_REASONING_TOKENS] = 0; /* beside it: not counted */
            judged(&t, &v);
        }
        CHECK(spent() == cases[i].fires);
    }
}

static void budget_in_a_log(void)
{
    log_line(&t, 100, 200, 300, 9000, AIT_ABSENT);
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.text[AIT_X_FINISH_REASON] = "length";
    t.outcome = AIT_OUT_COMPLETE;
    t.num[AIT_N_OUTPUT_TOKENS] = 100;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
               "reasoning_tokens");
    t.num[AIT_N_REASONING_TOKENS] = 95;
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_REASONING_EXHAUSTED_BUDGET);
    t.text[AIT_X_FINISH_REASON] = NULL;
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET),
               "finish_reason");
    t.outcome = AIT_OUT_TIMEOUT; /* no finish was to be expected */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_REASONING_EXHAUSTED_BUDGET), "");
    ait_trace_free(&t);
}

/* ---- no visible text --------------------------------------------------- */

static void textless(void)
{
    good_capture(&t);
    t.stat[AIT_S_TEXT] = t.stat[AIT_S_TEXT_READS] = 0;
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    t.stat[AIT_S_REASONING] = 12;
}

static bool empty(void)
{
    bool fired = judge_for(AIT_R_NO_VISIBLE_TEXT) != NULL;

    ait_trace_free(&t);
    return fired;
}

static void no_visible_text_is_for_complete_answers(void)
{
    textless();
    judged(&t, &v);
    CHECK_INT(v.primary, AIT_R_NO_VISIBLE_TEXT);
    CHECK_TEXT(v.finding[0].what,
               "the answer is complete and holds no visible text, action "
               "or media; 12 reasoning events came; it ended with "
               "\"stop\"");
    ait_trace_free(&t);
    textless();
    t.outcome = AIT_OUT_INCOMPLETE;
    CHECK(!empty());
    textless();
    t.stat[AIT_S_ACTION] = 1;
    CHECK(!empty());
    textless();
    t.stat[AIT_S_MEDIA] = 1;
    CHECK(!empty());
    textless();
    t.text[AIT_X_FINISH_REASON] = "max_tokens";
    CHECK(!empty());
    textless();
    see(&t, AIT_SEEN_LIMIT);
    CHECK(!empty());
}

static void a_body_that_was_not_streamed_is_looked_into(void)
{
    textless();
    t.stream = 0;
    t.stat[AIT_S_REASONING] = 0;
    see(&t, AIT_SEEN_BODY);
    CHECK(empty());
    textless();
    t.stream = 0;
    see(&t, AIT_SEEN_BODY | AIT_SEEN_BODY_OTHER);
    CHECK(!empty());
    textless();
    t.stream = 0;
    see(&t, AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT);
    CHECK(!empty());
    textless();
    t.stream = 0; /* its bytes were not kept */
    judged(&t, &v);
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    CHECK(!empty());
}

static void an_unknown_dialect_says_nothing_about_text(void)
{
    textless();
    t.stat[AIT_S_REASONING] = 0;
    t.text[AIT_X_DIALECT] = NULL;
    t.issues.count[AIT_I_UNKNOWN_DIALECT] = 1;
    t.point[AIT_P_T4].ns = t.point[AIT_P_TF].ns = AIT_ABSENT;
    judged(&t, &v);
    CHECK_INT(v.findings, 0);
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    CHECK_TEXT(missing(&v, AIT_R_ACTION_BEFORE_TEXT),
               "first_response_ms first_text_delta_ms");
    CHECK_INT(v.why[AIT_RATE_VISIBLE_TPS], AIT_A_NOT_IN_LOG);
    ait_trace_free(&t);
}

static void no_text_in_a_log(void)
{
    log_line(&t, 100, 200, 300, 9000, AIT_ABSENT);
    t.outcome = AIT_OUT_COMPLETE;
    CHECK(!judge_for(AIT_R_NO_VISIBLE_TEXT)); /* it knows of text */
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "");
    t.point[AIT_P_T5].ns = AIT_ABSENT;
    CHECK(!judge_for(AIT_R_NO_VISIBLE_TEXT));
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT),
               "first_text_delta_ms events");
    t.stat[AIT_S_TEXT] = 0; /* it counts events */
    CHECK(judge_for(AIT_R_NO_VISIBLE_TEXT) != NULL);
    t.outcome = AIT_OUT_UNKNOWN;
    CHECK(!judge_for(AIT_R_NO_VISIBLE_TEXT));
    CHECK_TEXT(missing(&v, AIT_R_NO_VISIBLE_TEXT), "finish_reason");
    ait_trace_free(&t);
}

static void every_rule_has_advice(void)
{
    good_capture(&t);
    for (t.stream = -1; t.stream <= 1; t.stream++)
        for (int r = 0; r < AIT_R_COUNT; r++) {
            ait_advice a = ait_advice_on((ait_rule_id)r, &t, 950);
            CHECK(a.check && a.check[0] && a.check[1]);
            CHECK(a.will_not_help && a.will_not_help[0]);
        }
    ait_trace_free(&t);
}

static const char *first_advice(int stream, int64_t share)
{
    t.stream = stream;
    return ait_advice_on(AIT_R_HEADERS_SLOW, &t, share).check[0];
}

/* The headers of a whole answer may have waited for all of it. */
static void a_whole_answer_has_advice_of_its_own(void)
{
    good_capture(&t);
    CHECK_TEXT(first_advice(1, 950), "route and region");
    CHECK_TEXT(first_advice(0, 500), "output length");
    CHECK_TEXT(first_advice(-1, 950), "output length");
    CHECK_TEXT(first_advice(-1, 500), "route and region"); /* more followed */
    t.outcome = AIT_OUT_ERROR; /* nothing was written */
    CHECK_TEXT(first_advice(0, 950), "route and region");
    ait_trace_free(&t);
    good_capture(&t);
    t.point[AIT_P_T2].ns = t.point[AIT_P_T1].ns + 3000 * MS;
    t.stream = 0;
    CHECK(strstr(judge_for(AIT_R_HEADERS_SLOW)->what,
                 "consistent with the writing of the whole answer"));
    ait_trace_free(&t);
}

static void durations_read_well(void)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {{0, "0 ms"}, {1249999, "1.2 ms"}, {12 * MS, "12 ms"},
                 {999 * MS, "999 ms"}, {1000 * MS, "1.0 s"},
                 {6149 * MS, "6.1 s"}, {6150 * MS, "6.2 s"},
                 {119949 * MS, "119.9 s"}, {125000 * MS, "2 min 5 s"},
                 {AIT_ABSENT, "?"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_TEXT(ait_duration(cases[i].ns).text, cases[i].text);
    CHECK_TEXT(ait_rate_words(9802).text, "9.8");
    CHECK_TEXT(ait_rate_words(42000).text, "42");
}

int main(void)
{
    RUN(each_outcome_has_its_rule);
    RUN(an_unknown_outcome_is_not_fine);
    RUN(rate_limited_shows_what_the_answer_asked);
    RUN(upstream_error_tells_the_three_kinds_apart);
    RUN(cancelled_says_what_had_come);
    RUN(incomplete_says_how_and_after_what_silence);
    RUN(budget_at_its_shares);
    RUN(budget_without_counts_is_consistent_with);
    RUN(budget_of_a_body_that_was_not_streamed);
    RUN(budget_in_a_log);
    RUN(no_visible_text_is_for_complete_answers);
    RUN(a_body_that_was_not_streamed_is_looked_into);
    RUN(an_unknown_dialect_says_nothing_about_text);
    RUN(no_text_in_a_log);
    RUN(every_rule_has_advice);
    RUN(a_whole_answer_has_advice_of_its_own);
    RUN(durations_read_well);
    return t_done();
}
