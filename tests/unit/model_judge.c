/* Tokens by arithmetic, outcome by its table. */
#include "model/trace.h"

#include "harness.h"

#define NO AIT_ABSENT
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---- tokens ------------------------------------------------------------ */

static const struct {
    const char *why;
    ait_usage u;
    int64_t output;
    int inconsistent;
} of_usages[] = {
    {"nothing reported", {NO, NO, NO, NO, NO, 0, 0}, NO, 0},
    {"no reasoning", {9, NO, 30, NO, 39, 0, 0}, 30, 0},
    {"inside: total is prompt + completion", {9, 4, 30, 20, 39, 0, 0},
     30, 0},
    {"beside: total holds all three", {9, NO, 30, 20, 59, 0, 0}, 50, 0},
    {"beside by dialect, whatever the total", {9, NO, 30, 20, 70, 1, 0},
     50, 0},
    {"only reasoning so far, beside", {9, NO, NO, 20, 29, 1, 1}, 20, 0},
    {"only reasoning so far, inside", {9, NO, NO, 20, NO, 0, 0}, NO, 0},
    {"contradiction", {28, NO, 9, 61, 37, 0, 0}, 9, 1},
    {"no total: inside", {28, NO, 90, 61, NO, 0, 0}, 90, 0},
    {"equal: all of it", {9, NO, 400, 400, 409, 0, 0}, 400, 0},
    {"zero reasoning adds nothing", {9, NO, 30, 0, 39, 0, 0}, 30, 0},
    {"negative counts are none", {-1, -1, -7, -3, -1, 0, 0}, NO, 0},
    {"no overflow", {1, NO, INT64_MAX, 5, NO, 1, 0}, NO, 0},
};

static void output_is_decided_by_arithmetic(void)
{
    for (size_t i = 0; i < COUNT(of_usages); i++) {
        ait_trace t;
        int64_t prompt = of_usages[i].u.prompt;

        ait_trace_init(&t);
        ait_usage_apply(&t, &of_usages[i].u);
        if (!CHECK_INT(t.num[AIT_N_OUTPUT_TOKENS], of_usages[i].output))
            printf("# %s\n", of_usages[i].why);
        CHECK_INT(t.num[AIT_N_PROMPT_TOKENS], prompt < 0 ? NO : prompt);
        CHECK_INT(t.issues.count[AIT_I_USAGE_INCONSISTENT],
                  of_usages[i].inconsistent);
        CHECK_INT(t.tokens_source,
                  prompt >= 0 || of_usages[i].u.reasoning >= 0 ? 0 : -1);
        ait_trace_free(&t);
    }
}

static void the_last_count_of_each_field_wins(void)
{
    ait_usage a, b;

    ait_usage_init(&a);
    ait_usage_init(&b);
    CHECK_INT(a.total, NO);
    b.prompt = 25;
    b.completion = 0; /* a placeholder, corrected below */
    ait_usage_merge(&a, &b);
    ait_usage_init(&b);
    b.completion = 15;
    b.cached = -4;
    b.running = true;
    ait_usage_merge(&a, &b);
    CHECK_INT(a.prompt, 25);
    CHECK_INT(a.completion, 15);
    CHECK_INT(a.cached, NO);
    CHECK(a.running);
}

static const struct {
    const char *why;
    int64_t output, reported, text, reasoning, opaque, action, seen;
    int64_t visible;
} of_visibles[] = {
    {"no usage", NO, NO, 5, 0, 0, 0, 0, NO},
    {"no text event", 40, 40, 0, 9, 0, 0, 0, 0},
    {"no text, no usage", NO, NO, 0, 0, 0, 0, 0, NO},
    {"plain text", 40, NO, 5, 0, 0, 0, 0, 40},
    {"reasoning reported", 40, 30, 5, 3, 0, 0, 0, 10},
    {"reported 0, none streamed", 40, 0, 5, 0, 0, 0, 0, 40},
    {"reported 0 beside streamed reasoning", 40, 0, 5, 3, 0, 0, 0, NO},
    {"streamed, not reported", 40, NO, 5, 3, 0, 0, 0, NO},
    {"opaque, not reported", 40, NO, 5, 0, 1, 0, 0, NO},
    {"opaque, reported", 40, 39, 5, 0, 1, 0, 0, 1},
    {"arguments share the count", 40, 10, 5, 0, 0, 2, 0, NO},
    {"off by one at the provider", 10, 11, 5, 0, 0, 0, 0, 0},
    {"off by two", 10, 12, 5, 0, 0, 0, 0, 0},
    {"contradictory", 9, 61, 5, 0, 0, 0, 0, NO},
    {"log, reasoning reported", 40, 30, NO, NO, NO, NO, 0, 10},
    {"log, nothing reported", 40, NO, NO, NO, NO, NO, 0, NO},
    {"unread: no text event proves nothing", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_UNREAD, NO},
    {"whole body with text", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT, 40},
    {"whole body without", 40, NO, 0, 0, 0, 0, AIT_SEEN_BODY, 0},
    {"whole body with a call", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_OTHER, NO},
    {"whole body with reasoning, not reported", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_REASONING, NO},
    {"whole body with reasoning, reported 0", 40, 0, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_REASONING, NO},
    {"whole body with reasoning, reported", 40, 30, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_REASONING, 10},
    {"whole body with opaque reasoning", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_OPAQUE, NO},
    {"whole body with opaque reasoning, reported 0", 40, 0, 0, 0, 0, 0,
     AIT_SEEN_BODY | AIT_SEEN_BODY_TEXT | AIT_SEEN_BODY_OPAQUE, 40},
    {"whole body that nobody understands", 40, NO, 0, 0, 0, 0,
     AIT_SEEN_UNREAD, NO},
};

static void visible_tokens_are_never_guessed(void)
{
    for (size_t i = 0; i < COUNT(of_visibles); i++) {
        ait_trace t;

        ait_trace_init(&t);
        t.num[AIT_N_OUTPUT_TOKENS] = of_visibles[i].output;
        t.num[AIT_N_REASONING_TOKENS] = of_visibles[i].reported;
        t.stat[AIT_S_TEXT] = of_visibles[i].text;
        t.stat[AIT_S_REASONING] = of_visibles[i].reasoning;
        t.stat[AIT_S_OPAQUE] = of_visibles[i].opaque;
        t.stat[AIT_S_ACTION] = of_visibles[i].action;
        t.stat[AIT_S_SEEN] = of_visibles[i].seen ? of_visibles[i].seen : NO;
        if (!CHECK_INT(ait_visible_tokens(&t), of_visibles[i].visible))
            printf("# %s\n", of_visibles[i].why);
        ait_trace_free(&t);
    }
}

/* ---- outcome ----------------------------------------------------------- */

/* A capture's streamed 200 that came whole, each case changes something. */
#define STREAM .ended = true, .got_headers = true, .body_read = true, \
               .stream = 1, .status = 200, .end = AIT_E_EOF
#define BODY .ended = true, .got_headers = true, .body_read = true, \
             .stream = 0, .end = AIT_E_EOF
#define LOG .from_log = true, .ended = true, .got_headers = true

static const struct {
    const char *why;
    ait_outcome want;
    ait_outcome_facts f;
} outcomes[] = {
    {"stream with its marker", AIT_OUT_COMPLETE,
     {STREAM, .terminal = true}},
    {"marker, then the recording was cut", AIT_OUT_COMPLETE,
     {.terminal = true, .got_headers = true, .body_read = true, .stream = 1,
      .status = 200}},
    {"recording cut", AIT_OUT_TRUNCATED_CAPTURE,
     {.got_headers = true, .body_read = true, .stream = 1, .status = 200}},
    {"recording cut after an error event", AIT_OUT_TRUNCATED_CAPTURE,
     {.got_headers = true, .stream_error = true, .stream = 1}},
    {"429 without output", AIT_OUT_RATE_LIMITED,
     {BODY, .status = 429}},
    {"rate limit in the stream", AIT_OUT_RATE_LIMITED,
     {STREAM, .stream_error = true, .stream_rate_limit = true,
      .output = true}},
    {"429 with output and a marker", AIT_OUT_COMPLETE,
     {.ended = true, .got_headers = true, .body_read = true, .stream = 1,
      .status = 429, .output = true, .terminal = true, .end = AIT_E_EOF}},
    {"error event, healed by nothing", AIT_OUT_ERROR,
     {STREAM, .stream_error = true, .terminal = true}},
    {"whole body", AIT_OUT_COMPLETE, {BODY, .status = 200}},
    {"whole body, 500", AIT_OUT_ERROR, {BODY, .status = 500}},
    {"whole body of unknown status", AIT_OUT_UNKNOWN,
     {BODY, .status = NO}},
    {"client closed after the marker", AIT_OUT_COMPLETE,
     {.ended = true, .terminal = true, .got_headers = true, .stream = 1,
      .end = AIT_E_CANCELLED, .status = 200}},
    {"client closed before", AIT_OUT_CANCELLED,
     {.ended = true, .got_headers = true, .stream = 1,
      .end = AIT_E_CANCELLED, .status = 200}},
    {"499", AIT_OUT_CANCELLED, {BODY, .status = 499}},
    {"gave up waiting", AIT_OUT_TIMEOUT,
     {.ended = true, .got_headers = true, .stream = 1,
      .end = AIT_E_TIMEOUT, .status = 200}},
    {"504", AIT_OUT_TIMEOUT, {BODY, .status = 504}},
    {"408", AIT_OUT_TIMEOUT, {BODY, .status = 408}},
    {"no response headers", AIT_OUT_ERROR,
     {.ended = true, .stream = 1, .status = NO, .end = AIT_E_RESET}},
    {"reset", AIT_OUT_INCOMPLETE,
     {.ended = true, .got_headers = true, .stream = 1, .status = 200,
      .end = AIT_E_RESET}},
    {"whole body that came short", AIT_OUT_INCOMPLETE,
     {.ended = true, .got_headers = true, .stream = 0, .status = 200,
      .end = AIT_E_SHORT}},
    {"whole body that ends in the middle", AIT_OUT_INCOMPLETE,
     {BODY, .status = 200, .body_cut = true}},
    {"whole body, cut, of an error", AIT_OUT_ERROR,
     {BODY, .status = 500, .body_cut = true}},
    {"whole body, cut by the client", AIT_OUT_CANCELLED,
     {.ended = true, .got_headers = true, .stream = 0, .status = 200,
      .end = AIT_E_CANCELLED, .body_cut = true}},
    {"no marker", AIT_OUT_INCOMPLETE, {STREAM}},
    {"no marker, but the bytes were not kept", AIT_OUT_UNKNOWN,
     {.ended = true, .got_headers = true, .stream = 1, .status = 200,
      .end = AIT_E_EOF}},
    {"log: streamed 200", AIT_OUT_UNKNOWN,
     {LOG, .stream = 1, .status = 200}},
    {"log: 200 that was not streamed", AIT_OUT_COMPLETE,
     {LOG, .stream = 0, .status = 200}},
    {"log: finish reason", AIT_OUT_COMPLETE,
     {LOG, .stream = 1, .status = 200, .terminal = true}},
    {"log: no status", AIT_OUT_UNKNOWN,
     {LOG, .stream = -1, .status = NO}},
    {"log: 429", AIT_OUT_RATE_LIMITED, {LOG, .stream = 1, .status = 429}},
    {"log: 502", AIT_OUT_ERROR, {LOG, .stream = 1, .status = 502}},
    {"log: 504", AIT_OUT_TIMEOUT, {LOG, .stream = 1, .status = 504}},
};

static void the_first_row_that_holds_decides(void)
{
    for (size_t i = 0; i < COUNT(outcomes); i++)
        if (!CHECK_INT(ait_outcome_of(&outcomes[i].f), outcomes[i].want))
            printf("# %s\n", outcomes[i].why);
}

static void failures_are_named(void)
{
    static const bool want[AIT_OUT_COUNT] = {false, true, true, true,
                                             true,  true, false, false};

    for (int i = 0; i < AIT_OUT_COUNT; i++)
        CHECK_INT(ait_outcome_failed(i), want[i]);
}

static void words_of_providers(void)
{
    static const char *const limits[] = {
        "rate_limit_exceeded", "rate_limit_error", "rate_limited",
        "too_many_requests",   "RESOURCE_EXHAUSTED", "throttling",
        "ThrottlingException",
    };
    static const char *const others[] = {
        "overloaded", "overloaded_error", "rate_limit", "", "throttlin",
        "throttlings",
    };

    for (size_t i = 0; i < COUNT(limits); i++)
        CHECK(ait_is_rate_limit_word(limits[i], strlen(limits[i])));
    for (size_t i = 0; i < COUNT(others); i++)
        CHECK(!ait_is_rate_limit_word(others[i], strlen(others[i])));
    CHECK(ait_is_limit_finish("length"));
    CHECK(ait_is_limit_finish("MAX_TOKENS"));
    CHECK(ait_is_limit_finish("max_output_tokens"));
    CHECK(ait_is_limit_finish("2"));
    CHECK(!ait_is_limit_finish("stop"));
    CHECK(!ait_is_limit_finish("22"));
    CHECK(!ait_is_limit_finish(NULL));
}

int main(void)
{
    RUN(output_is_decided_by_arithmetic);
    RUN(the_last_count_of_each_field_wins);
    RUN(visible_tokens_are_never_guessed);
    RUN(the_first_row_that_holds_decides);
    RUN(failures_are_named);
    RUN(words_of_providers);
    return t_done();
}
