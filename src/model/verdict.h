#ifndef AIT_MODEL_VERDICT_H
#define AIT_MODEL_VERDICT_H
/*
 * What the analysis says about a trace: rates, findings, what cannot be
 * told. Computed by analyse, its summary kept by store, shown by render.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ait_rule_id { /* the fixed order of definitions, section 6 */
    AIT_R_RATE_LIMITED,
    AIT_R_UPSTREAM_ERROR,
    AIT_R_CLIENT_CANCELLED,
    AIT_R_INCOMPLETE_STREAM,
    AIT_R_REASONING_EXHAUSTED_BUDGET,
    AIT_R_NO_VISIBLE_TEXT,
    AIT_R_HEADERS_SLOW,
    AIT_R_FIRST_RESPONSE_SLOW,
    AIT_R_EVENT_BEFORE_RESPONSE,
    AIT_R_ACTION_BEFORE_TEXT,
    AIT_R_SLOW_DECODE,
    AIT_R_LOCAL_OVERHEAD,
    AIT_R_STREAM_STALLED,
    AIT_R_BURSTY_DELIVERY,
    AIT_R_BUFFERED_DELIVERY,
    AIT_R_RETRIED,
    AIT_R_COUNT,
    AIT_R_NONE = AIT_R_COUNT /* primary: none */
} ait_rule_id;
extern const char *const ait_rule_name[AIT_R_COUNT + 1]; /* last: "none" */
int ait_rule_find(const char *name); /* -1: no such rule */

typedef enum ait_by { AIT_BY_LIMIT, AIT_BY_SHARE } ait_by;

/* A figure with its name: evidence or limit. */
typedef enum ait_unit {
    AIT_U_MS,    /* value in ns, printed as ms */
    AIT_U_COUNT,
    AIT_U_RATE,  /* value in thousandths of tokens/s */
    AIT_U_SHARE, /* value in thousandths */
    AIT_U_WORD   /* `word` holds it */
} ait_unit;
typedef struct ait_figure {
    const char *name; /* "event_to_response_ms" */
    ait_unit unit;
    int64_t value;
    const char *word;
} ait_figure;

#define AIT_FIGURES_MAX 8
typedef struct ait_finding {
    ait_rule_id rule;
    ait_by by;
    int64_t explains; /* ns of end-to-end time; absent: none of it */
    int64_t share;    /* thousandths of end-to-end, at most 1000; absent */
    ait_figure evidence[AIT_FIGURES_MAX], limit[AIT_FIGURES_MAX];
    int evidences, limits;
    char what[240];           /* one sentence with figures, no content */
    const char *const *check; /* NULL-terminated constant lists */
    const char *const *will_not_help;
} ait_finding;

#define AIT_MISSING_MAX 6
typedef struct ait_not_assessable {
    ait_rule_id rule;
    const char *missing[AIT_MISSING_MAX + 1]; /* NULL-terminated field
                                                 names */
} ait_not_assessable;

/* Why a derived figure is absent; names as in the definitions. */
typedef enum ait_absence {
    AIT_A_PRESENT,
    AIT_A_NO_USAGE,
    AIT_A_NO_TEXT,
    AIT_A_WINDOW_TOO_SHORT,
    AIT_A_NOT_STREAMED,
    AIT_A_NOT_IN_LOG,
    AIT_A_NO_EVENT_TIMES,
    AIT_A_REASONING_NOT_COUNTED,
    AIT_A_TOO_FEW_TOKENS,  /* n < 2 */
    AIT_A_NO_RESPONSE,     /* the end of the window never came */
    AIT_A_DIFFERENT_ORIGINS,
    AIT_A_COUNT
} ait_absence;
extern const char *const ait_absence_name[AIT_A_COUNT]; /* [0] is NULL */

typedef enum ait_rate_field {
    AIT_RATE_VISIBLE_TPS, /* thousandths of tokens/s */
    AIT_RATE_ITL,         /* ns */
    AIT_RATE_OUTPUT_TPS,  /* thousandths of tokens/s */
    AIT_RATE_COUNT
} ait_rate_field;
extern const char *const ait_rate_name[AIT_RATE_COUNT];

typedef enum ait_rate_is {
    AIT_IS_NONE = -1,
    AIT_IS_EXACT,
    AIT_IS_UPPER_BOUND,
    AIT_IS_LOWER_BOUND,
    AIT_IS_REPORTED,
    AIT_IS_COUNT
} ait_rate_is;
extern const char *const ait_rate_is_name[AIT_IS_COUNT];

typedef struct ait_verdict {
    int64_t rate[AIT_RATE_COUNT]; /* AIT_ABSENT with a reason */
    ait_absence why[AIT_RATE_COUNT];
    ait_rate_is visible_is;
    const char *window_end; /* "final_response", "upstream_done",
                               "total_handler" or NULL */
    int64_t visible_tokens;
    ait_rule_id primary;
    int findings, cannots;
    ait_finding finding[AIT_R_COUNT]; /* in rule order */
    ait_not_assessable cannot[AIT_R_COUNT];
} ait_verdict;

/* What is counted of a verdict, in little room: without sentences, evidence,
 * limits and what cannot be told. */
typedef struct ait_verdict_brief {
    unsigned char head[offsetof(ait_verdict, finding)];
    uint8_t rule[AIT_R_COUNT], by[AIT_R_COUNT];
} ait_verdict_brief;
void ait_verdict_pack(const ait_verdict *v, ait_verdict_brief *out);
/* Of each finding its rule and `by`; nothing else of them is set. */
void ait_verdict_unpack(const ait_verdict_brief *brief, ait_verdict *out);

/* Bits of the rules that fired by limit / by share. */
uint32_t ait_verdict_mask(const ait_verdict *v, ait_by by);

#endif
