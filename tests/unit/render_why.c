/* The figures behind a finding and its advice, as people read them. */
#include "analyse/part.h"
#include "harness.h"
#include "render_hand.h"
#include "render/points.h"

static ait_trace trace;
static ait_verdict verdict;
static ait_finding finding;
static ait_buf out;

static void empty(ait_rule_id rule, ait_by by)
{
    memset(&finding, 0, sizeof finding);
    finding.rule = rule;
    finding.by = by;
    finding.share = AIT_ABSENT;
}

static void figure(const char *name, ait_unit unit, int64_t value)
{
    finding.evidence[finding.evidences++] =
        (ait_figure){name, unit, value, NULL};
}

static void word(const char *name, const char *value)
{
    finding.evidence[finding.evidences++] =
        (ait_figure){name, AIT_U_WORD, AIT_ABSENT, value};
}

static void limit(ait_limit_id id)
{
    finding.limit[finding.limits++] = (ait_figure){
        ait_limits[id].name, ait_limits[id].unit, ait_limits[id].value,
        NULL};
}

static const char *why(void)
{
    ait_buf_clear(&out);
    CHECK(ait_why_text(&out, &trace, &finding));
    return hand_out(&out);
}

static void a_rate_over_its_window(void)
{
    empty(AIT_R_SLOW_DECODE, AIT_BY_LIMIT);
    finding.share = 979;
    figure("visible_output_tps", AIT_U_RATE, 9802);
    word("visible_output_tps_is", "exact");
    figure("visible_window_ms", AIT_U_MS, 19995 * AIT_MS);
    figure("inflight", AIT_U_COUNT, 31);
    limit(AIT_L_SLOW_DECODE_TPS);
    limit(AIT_L_SLOW_DECODE_WINDOW_MS);
    CHECK_TEXT(why(), "visible_output_tps 9.8 (limit 15) over 20.0 s "
                      "(limit 3.0 s); tokens from usage");
    finding.evidence[1].word = "upper_bound";
    CHECK_TEXT(why(), "visible_output_tps 9.8 (limit 15) as an upper bound "
                      "over 20.0 s (limit 3.0 s); tokens from usage");
    finding.evidence[1].word = "reported";
    trace.tokens_source = -1;
    CHECK_TEXT(why(), "visible_output_tps 9.8 (limit 15) as the log's own "
                      "figure over 20.0 s (limit 3.0 s)");
    trace.tokens_source = 0;
}

/* A limit stands behind the figure it speaks of, whatever the order. */
static void limits_find_their_figures(void)
{
    empty(AIT_R_BURSTY_DELIVERY, AIT_BY_LIMIT);
    figure("burst_bytes", AIT_U_COUNT, 200);
    figure("text_bytes", AIT_U_COUNT, 300);
    figure("silence_before_burst_ms", AIT_U_MS, 1500 * AIT_MS);
    figure("text_events", AIT_U_COUNT, 9);
    figure("text_reads", AIT_U_COUNT, 4);
    limit(AIT_L_BURSTY_TEXT_READS);
    limit(AIT_L_BURSTY_SHARE);
    limit(AIT_L_BURSTY_SILENCE_MS);
    CHECK_TEXT(why(), "burst_bytes 200, text_bytes 300, "
                      "silence_before_burst_ms 1,500 (limit 1,000), "
                      "text_events 9, text_reads 4 (limit 3); limits: "
                      "bursty_share 50 %");
}

static void a_share_stands_with_its_limits(void)
{
    empty(AIT_R_EVENT_BEFORE_RESPONSE, AIT_BY_SHARE);
    finding.share = 798;
    figure("event_to_response_ms", AIT_U_MS, 1249 * AIT_MS);
    limit(AIT_L_SHARE);
    limit(AIT_L_SHARE_FLOOR_MS);
    CHECK_TEXT(why(), "event_to_response_ms 1,249 (limit 500); 79.8 % of "
                      "the whole time (limit 50 %)");
    finding.by = AIT_BY_LIMIT; /* the sentence says it already */
    finding.limits = 0;
    limit(AIT_L_EVENT_BEFORE_RESPONSE_MS);
    CHECK_TEXT(why(), "event_to_response_ms 1,249 (limit 2,000)");
    empty(AIT_R_STREAM_STALLED, AIT_BY_LIMIT);
    finding.share = 450;
    figure("stall_ms", AIT_U_MS, 5200 * AIT_MS);
    limit(AIT_L_STREAM_STALLED_MS);
    CHECK_TEXT(why(), "stall_ms 5,200 (limit 5,000); 45 % of the whole "
                      "time");
}

static void words_are_said(void)
{
    empty(AIT_R_ACTION_BEFORE_TEXT, AIT_BY_LIMIT);
    figure("response_to_text_ms", AIT_U_MS, 2500 * AIT_MS);
    word("first_response_was", "reasoning");
    CHECK_TEXT(why(), "response_to_text_ms 2,500, the first response was "
                      "reasoning");
    empty(AIT_R_INCOMPLETE_STREAM, AIT_BY_LIMIT);
    word("end", "eof"); /* the sentence says it in words */
    word("error_code", "overloaded");
    CHECK_TEXT(why(), "error_code overloaded");
}

/* Every limit that a rule crosses is said: behind a figure, or at the end. */
static void no_limit_is_lost(void)
{
    for (int i = 0; i < AIT_L_COUNT; i++) {
        empty(AIT_R_BUFFERED_DELIVERY, AIT_BY_LIMIT);
        limit((ait_limit_id)i);
        CHECK(strstr(why(), ait_limits[i].name) != NULL);
    }
}

/* ---- advice ------------------------------------------------------------ */

static const char *advice(const char *item)
{
    const char *const items[] = {item, NULL};

    ait_buf_clear(&out);
    CHECK(ait_advice_text(&out, &trace, items, ", "));
    return hand_out(&out);
}

static void set_figures(void)
{
    trace.num[AIT_N_INFLIGHT] = 31;
    trace.num[AIT_N_PROMPT_TOKENS] = 1412;
    trace.num[AIT_N_CACHED_TOKENS] = 1;
    trace.num[AIT_N_MAX_TOKENS] = 400;
    trace.num[AIT_N_REASONING_TOKENS] = 6;
    trace.serving = ait_trace_attempt(&trace);
    trace.serving->retry_after = 20 * AIT_SEC;
}

static void advice_holds_the_figures_of_the_request(void)
{
    static const struct {
        const char *item, *text;
    } cases[] = {
        {"streams in flight then", " (31)"},
        {"requests in flight with this key then", " (31)"},
        {"the wait that was asked for", " (20.0 s)"},
        {"the wait for visible text", " (0.43 s)"},
        {"the output limit: reasoning counts towards it", " (400 tokens)"},
        {"prompt length", " (1,412 tokens)"},
        {"context length", " (1,412 tokens)"},
        {"the cached part of the prompt", " (1 token)"},
        {"hidden reasoning", " (6 tokens)"},
        {"length of reasoning and arguments", " (6 tokens)"},
        {"output length", " (196 tokens)"},
        {"a timeout on the first event: it came in time", " (0.30 s)"},
        {"a first-output timeout: output came in time", " (0.42 s)"},
        {"a first-output timeout: the first text came in time",
         " (0.43 s)"},
        {"a first-output timeout: it had come", " (0.42 s)"},
    };

    set_figures();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char want[128];
        snprintf(want, sizeof want, "%s%s", cases[i].item, cases[i].text);
        CHECK_TEXT(advice(cases[i].item), want);
    }
    trace.num[AIT_N_INFLIGHT] = AIT_ABSENT;
    CHECK_TEXT(advice("streams in flight then"), "streams in flight then");
    CHECK_TEXT(advice("channel"), "channel");
}

static bool listed(const char *const *items, const char *item)
{
    for (; *items; items++)
        if (strcmp(*items, item) == 0)
            return true;
    return false;
}

static ait_advice advice_on(int rule)
{
    return ait_advice_on((ait_rule_id)rule, &trace, 950);
}

static void check_list(const char *const *list)
{
    size_t n = 0;

    for (; list[n]; n++)
        CHECK(strlen(list[n]) > 3 && strlen(list[n]) < 64);
    CHECK(n >= 2 && n <= 5);
}

/* Short lists of short items; and none that promises a figure is spelt
 * otherwise than the page expects. */
static void lists_are_short(void)
{
    static const char *const with_figure[] = {
        "streams in flight then", "requests in flight with this key then",
        "the wait that was asked for", "the wait for visible text",
        "the output limit: reasoning counts towards it", "prompt length",
        "context length", "the cached part of the prompt",
        "hidden reasoning", "length of reasoning and arguments",
        "output length", "a timeout on the first event: it came in time",
        "a first-output timeout: output came in time",
        "a first-output timeout: the first text came in time",
        "a first-output timeout: it had come"};
    size_t n;

    for (size_t i = 0; i < sizeof with_figure / sizeof *with_figure; i++) {
        n = 0;
        for (int r = 0; r < AIT_R_COUNT; r++)
            n += listed(advice_on(r).check, with_figure[i]) ||
                 listed(advice_on(r).will_not_help, with_figure[i]);
        CHECK(n > 0);
    }
    for (trace.stream = 0; trace.stream <= 1; trace.stream++)
        for (int r = 0; r < AIT_R_COUNT; r++) {
            check_list(advice_on(r).check);
            check_list(advice_on(r).will_not_help);
        }
    trace.stream = 1;
}

int main(void)
{
    ait_trace_init(&trace);
    hand_trace(&trace);
    hand_verdict(&verdict);
    ait_buf_init(&out, 1 << 16);
    RUN(a_rate_over_its_window);
    RUN(limits_find_their_figures);
    RUN(a_share_stands_with_its_limits);
    RUN(words_are_said);
    RUN(no_limit_is_lost);
    RUN(advice_holds_the_figures_of_the_request);
    RUN(lists_are_short);
    ait_buf_free(&out);
    ait_trace_free(&trace);
    return t_done();
}
