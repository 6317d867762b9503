#ifndef AIT_MODEL_ISSUE_H
#define AIT_MODEL_ISSUE_H
/*
 * Issues: what aitrace says about the data itself (definitions, section 9).
 * One table holds name, severity and sentence. An issue belongs to a trace,
 * to a file, or to both; its count is exact, its places are the first 20.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ait_severity {
    AIT_SEV_INFO,
    AIT_SEV_NOTICE,
    AIT_SEV_LOSS,
    AIT_SEV_ERROR
} ait_severity;

/* Order is the order of the table; add at the end (the database stores the
 * name, not the number). */
typedef enum ait_issue_id {
    AIT_I_CLOCK_WENT_BACK,
    AIT_I_NEGATIVE_DURATION,
    AIT_I_TIME_WITHOUT_ZONE,
    AIT_I_TIME_IS_END,
    AIT_I_SEND_TIME_BRACKETED,
    AIT_I_HEADERS_WITH_BODY,
    AIT_I_RECORDER_BUFFERED,
    AIT_I_NO_EVENT_TIMES,
    AIT_I_CONTENT_NOT_RECORDED,
    AIT_I_CONTENT_ENCODING_UNREAD,
    AIT_I_UNDISPATCHED_TAIL,
    AIT_I_MALFORMED_EVENT,
    AIT_I_UNKNOWN_DIALECT,
    AIT_I_INLINE_THINK,
    AIT_I_USAGE_INCONSISTENT,
    AIT_I_CHUNKED_DELIVERY,
    AIT_I_REPORTED_RATE_DIFFERS,
    AIT_I_FIRST_CHUNK_SUSPECT,
    AIT_I_COARSE_RESOLUTION,
    AIT_I_TOKENS_ESTIMATED,
    AIT_I_DUPLICATE_KEY,
    AIT_I_INVALID_UTF8,
    AIT_I_ID_MASKED,
    AIT_I_UNKNOWN_END,
    AIT_I_RECORDER_LOST_DATA,
    AIT_I_CAPTURE_TRUNCATED,
    AIT_I_BAD_LINE,
    AIT_I_LINE_TOO_LONG,
    AIT_I_UNFINISHED_LAST_LINE,
    AIT_I_UNRECOGNISED_LINE,
    AIT_I_TRAILING_BYTES,
    AIT_I_COMPRESSED_INPUT_CUT,
    /* further ones, named in aitrace-metrics.7 */
    AIT_I_UNKNOWN_RECORD,  /* record type or key this version ignores */
    AIT_I_RECORD_ORDER,    /* record of a request or attempt never opened */
    AIT_I_SEGMENT_UNCLOSED,/* segment without `close`, or a wrong count */
    AIT_I_CONTENT_DAMAGED, /* content encoding broke off or is invalid */
    AIT_I_EVENT_TOO_LARGE, /* an event over the maximum was not read */
    AIT_I_VALUE_IGNORED,   /* a value of the wrong type or out of range */
    AIT_I_COUNT
} ait_issue_id;

typedef struct ait_issue_info {
    const char *name;
    ait_severity severity;
    const char *what; /* one sentence, no placeholder */
} ait_issue_info;

extern const ait_issue_info ait_issues[AIT_I_COUNT];

/* Id of a name, or -1. */
int ait_issue_find(const char *name, size_t len);

#define AIT_PLACES_MAX 20

/* Counters of one trace or one file. All zero is empty. */
typedef struct ait_issue_set {
    uint32_t count[AIT_I_COUNT];
} ait_issue_set;

static inline void ait_issue_add(ait_issue_set *s, ait_issue_id id)
{
    if (s->count[id] < UINT32_MAX)
        s->count[id]++;
}

/* Adds all counters of `from`; none wraps around. */
void ait_issue_merge(ait_issue_set *into, const ait_issue_set *from);

/* Lines where something happened in a file: exact counter, first 20 lines,
 * each once. */
typedef struct ait_places {
    int64_t count;
    int64_t line[AIT_PLACES_MAX];
    int kept;
    bool more; /* there were other lines than those kept */
} ait_places;

/* Counts, and keeps the line while there is room; 0: the line is not known. */
void ait_places_add(ait_places *p, int64_t line);

#endif
