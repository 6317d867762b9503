/*
 * Prints "KIND NAME" for every name a person may meet in an output, from the
 * tables themselves: the manual is held against this list.
 */
#include <stdio.h>
#include "analyse/analyse.h"
#include "analyse/report.h"
#include "input/input.h"
#include "model/verdict.h"
#include "stream/stream.h"

static void words(const char *kind, const char *const *name, int n)
{
    for (int i = 0; i < n; i++)
        if (name[i])
            printf("%s %s\n", kind, name[i]);
}

static void rows(void)
{
    const ait_format_info *f;
    const ait_dialect_info *d;
    size_t n;

    for (int i = 0; i < AIT_C_COUNT; i++)
        printf("class %s\n", ait_classes[i].name);
    for (int i = 0; i < AIT_I_COUNT; i++)
        printf("issue %s\n", ait_issues[i].name);
    for (int i = 0; i < AIT_T_COUNT; i++)
        printf("timing %s\n", ait_timings[i].name);
    for (int i = 0; i < AIT_G_COUNT; i++)
        printf("gap %s\n", ait_gaps[i].name);
    for (int i = 0; i < AIT_L_COUNT; i++)
        printf("limit %s\n", ait_limits[i].name);
    n = ait_formats(&f);
    for (size_t i = 0; i < n; i++)
        printf("format %s\n", f[i].name);
    n = ait_dialects(&d);
    for (size_t i = 0; i < n; i++)
        printf("dialect %s\n", d[i].name);
}

int main(void)
{
    rows();
    words("finding", ait_rule_name, AIT_R_COUNT + 1);
    words("absence", ait_absence_name, AIT_A_COUNT);
    words("rate", ait_rate_name, AIT_RATE_COUNT);
    words("rate_is", ait_rate_is_name, AIT_IS_COUNT);
    words("outcome", ait_outcome_name, AIT_OUT_COUNT);
    words("origin", ait_origin_name, AIT_O_COUNT);
    words("boundary", ait_boundary_name, AIT_B_COUNT);
    words("vantage", ait_vantage_name, AIT_V_COUNT);
    words("quality", ait_quality_name, AIT_Q_COUNT);
    words("end", ait_end_name, AIT_E_COUNT);
    words("method", ait_method_name, 2);
    for (int i = 0; ait_framings()[i]; i++)
        printf("framing %s\n", ait_framings()[i]);
    for (int i = 0; ait_report_fields[i]; i++)
        printf("by %s\n", ait_report_fields[i]);
    return 0;
}
