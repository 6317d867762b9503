/* Every table has a name in every row, no name twice, and finds its own. */
#include "model/class.h"
#include "model/issue.h"
#include "model/trace.h"
#include "model/verdict.h"

#include "harness.h"

static void all_named(const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK(names[i] && names[i][0]);
        if (!names[i])
            continue;
        CHECK_INT(ait_word(names, n, names[i], strlen(names[i])), i);
    }
    CHECK_INT(ait_word(names, n, "no such word", 12), -1);
    CHECK_INT(ait_word(names, n, names[0], strlen(names[0]) - 1), -1);
    CHECK_INT(ait_word(names, n, "", 0), -1);
}

static void tables_are_whole(void)
{
    all_named(ait_vantage_name, AIT_V_COUNT);
    all_named(ait_origin_name, AIT_O_COUNT);
    all_named(ait_boundary_name, AIT_B_COUNT);
    all_named(ait_quality_name, AIT_Q_COUNT);
    all_named(ait_outcome_name, AIT_OUT_COUNT);
    all_named(ait_end_name, AIT_E_COUNT);
    all_named(ait_text_name, AIT_X_COUNT);
    all_named(ait_num_name, AIT_N_COUNT);
    all_named(ait_stat_name, AIT_S_COUNT);
    all_named(ait_absence_name + 1, AIT_A_COUNT - 1);
    all_named(ait_rate_name, AIT_RATE_COUNT);
    all_named(ait_rate_is_name, AIT_IS_COUNT);
    all_named(ait_rule_name, AIT_R_COUNT + 1);
    CHECK(ait_absence_name[AIT_A_PRESENT] == NULL);
}

static void milestones_are_whole(void)
{
    for (int i = 0; i < AIT_T_COUNT; i++) {
        CHECK(ait_timings[i].name && ait_timings[i].label);
        CHECK_INT(ait_timings[i].from == ait_timings[i].to, i < 3);
    }
    for (int i = 0; i < AIT_G_COUNT; i++) {
        CHECK(ait_gaps[i].name && ait_gaps[i].label);
        CHECK_INT(ait_gaps[i].from == ait_gaps[i].to, i >= AIT_G_LONGEST);
    }
    CHECK_TEXT(ait_timings[AIT_T_TOTAL_HANDLER].name, "total_handler_ms");
    CHECK_TEXT(ait_gaps[AIT_G_LONGEST].name, "longest_gap_ms");
}

static void classes_are_in_bit_order(void)
{
    uint32_t all = 0;

    for (int i = 0; i < AIT_C_COUNT; i++) {
        const char *name = ait_classes[i].name;

        CHECK_INT(ait_classes[i].bit, 1u << i);
        CHECK_INT(ait_class_bit(name, strlen(name)), 1u << i);
        CHECK(ait_classes[i].what[0]);
        all |= ait_classes[i].bit;
    }
    CHECK_INT(all, (1u << AIT_C_COUNT) - 1);
    CHECK_INT(ait_class_bit("texts", 5), 0);
    CHECK_INT(ait_class_bit("text", 3), 0);
}

/* Sentences, not words: they stand in front of people. */
static void issues_have_sentences(void)
{
    for (int i = 0; i < AIT_I_COUNT; i++) {
        const ait_issue_info *it = &ait_issues[i];

        CHECK(it->name && it->what);
        CHECK_INT(it->what[strlen(it->what) - 1], '.');
        CHECK(strchr(it->what, '%') == NULL || strstr(it->what, "5 %"));
        CHECK_INT(ait_issue_find(it->name, strlen(it->name)), i);
    }
    CHECK_INT(ait_issue_find("clock", 5), -1);
    CHECK_INT(ait_issue_find("clock_went_back", 15), AIT_I_CLOCK_WENT_BACK);
}

static void issue_counters_do_not_wrap(void)
{
    ait_issue_set a = {{0}}, b = {{0}};

    a.count[AIT_I_BAD_LINE] = UINT32_MAX - 1;
    ait_issue_add(&a, AIT_I_BAD_LINE);
    ait_issue_add(&a, AIT_I_BAD_LINE);
    CHECK_INT(a.count[AIT_I_BAD_LINE], UINT32_MAX);
    b.count[AIT_I_BAD_LINE] = 5;
    b.count[AIT_I_INLINE_THINK] = 2;
    ait_issue_merge(&a, &b);
    CHECK_INT(a.count[AIT_I_BAD_LINE], UINT32_MAX);
    CHECK_INT(a.count[AIT_I_INLINE_THINK], 2);
}

static void places_are_the_first_twenty(void)
{
    ait_places p = {0};

    for (int64_t line = 1; line <= 25; line++)
        ait_places_add(&p, line);
    CHECK_INT(p.count, 25);
    CHECK_INT(p.line[0], 1);
    CHECK_INT(p.line[AIT_PLACES_MAX - 1], 20);
    CHECK_INT(p.kept, AIT_PLACES_MAX);
    CHECK(p.more);
}

static void a_place_is_a_line_once(void)
{
    ait_places p = {0};

    for (int i = 0; i < 30; i++)
        ait_places_add(&p, 7);
    ait_places_add(&p, 9);
    ait_places_add(&p, 7);
    ait_places_add(&p, 0); /* nobody knows where */
    CHECK_INT(p.count, 33);
    CHECK_INT(p.kept, 2);
    CHECK_INT(p.line[0], 7);
    CHECK_INT(p.line[1], 9);
    for (int64_t line = 10; line < 28; line++)
        ait_places_add(&p, line);
    CHECK_INT(p.kept, AIT_PLACES_MAX);
    ait_places_add(&p, 20);
    CHECK(!p.more); /* twenty lines, and no other */
}

static void rules_are_found_and_masked(void)
{
    ait_verdict v = {.findings = 3};

    CHECK_INT(ait_rule_find("retried"), AIT_R_RETRIED);
    CHECK_INT(ait_rule_find("none"), -1);
    CHECK_INT(ait_rule_find("slow"), -1);
    v.finding[0] = (ait_finding){.rule = AIT_R_HEADERS_SLOW,
                                 .by = AIT_BY_SHARE};
    v.finding[1] = (ait_finding){.rule = AIT_R_SLOW_DECODE};
    v.finding[2] = (ait_finding){.rule = AIT_R_RETRIED};
    CHECK_INT(ait_verdict_mask(&v, AIT_BY_SHARE), 1u << AIT_R_HEADERS_SLOW);
    CHECK_INT(ait_verdict_mask(&v, AIT_BY_LIMIT),
              1u << AIT_R_SLOW_DECODE | 1u << AIT_R_RETRIED);
}

static void a_brief_verdict_has_what_is_counted(void)
{
    static ait_verdict v = {.findings = 2, .cannots = 3,
                            .primary = AIT_R_RETRIED, .visible_tokens = 7,
                            .visible_is = AIT_IS_REPORTED};
    static ait_verdict got;
    ait_verdict_brief brief;

    v.rate[AIT_RATE_ITL] = 5;
    v.why[AIT_RATE_OUTPUT_TPS] = AIT_A_NO_USAGE;
    v.finding[0] = (ait_finding){.rule = AIT_R_RATE_LIMITED,
                                 .by = AIT_BY_SHARE};
    v.finding[1] = (ait_finding){.rule = AIT_R_RETRIED};
    ait_verdict_pack(&v, &brief);
    ait_verdict_unpack(&brief, &got);
    CHECK_INT(got.findings, 2);
    CHECK_INT(got.cannots, 0);
    CHECK_INT(got.primary, AIT_R_RETRIED);
    CHECK_INT(got.visible_tokens, 7);
    CHECK_INT(got.visible_is, AIT_IS_REPORTED);
    CHECK_INT(got.rate[AIT_RATE_ITL], 5);
    CHECK_INT(got.why[AIT_RATE_OUTPUT_TPS], AIT_A_NO_USAGE);
    for (int by = AIT_BY_LIMIT; by <= AIT_BY_SHARE; by++)
        CHECK_INT(ait_verdict_mask(&got, (ait_by)by),
                  ait_verdict_mask(&v, (ait_by)by));
}

int main(void)
{
    RUN(tables_are_whole);
    RUN(milestones_are_whole);
    RUN(classes_are_in_bit_order);
    RUN(issues_have_sentences);
    RUN(issue_counters_do_not_wrap);
    RUN(places_are_the_first_twenty);
    RUN(a_place_is_a_line_once);
    RUN(rules_are_found_and_masked);
    RUN(a_brief_verdict_has_what_is_counted);
    return t_done();
}
