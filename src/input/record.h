#ifndef AIT_INPUT_RECORD_H
#define AIT_INPUT_RECORD_H
/*
 * One record of a capture (capture_format.md), whatever file it came from.
 * All spans point into the reader's memory and live until it gives the next
 * record; strings are unescaped. Absent: NULL span, AIT_ABSENT, -1.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/trace.h"

typedef enum ait_record_type {
    AIT_REC_CAPTURE,
    AIT_REC_RECV,
    AIT_REC_PHASE,
    AIT_REC_SEND,
    AIT_REC_HEAD,
    AIT_REC_DATA,
    AIT_REC_EVENT,
    AIT_REC_MARK,
    AIT_REC_MEASURE,
    AIT_REC_ISSUE,
    AIT_REC_END,
    AIT_REC_DONE,
    AIT_REC_LOST,
    AIT_REC_CLOSE,
    AIT_REC_COUNT
} ait_record_type;
extern const char *const ait_record_name[AIT_REC_COUNT];

typedef struct ait_str {
    const char *p; /* NULL: absent */
    size_t n;
} ait_str;

/* Scalar text members of records, by table. */
typedef enum ait_rec_text {
    AIT_RT_REQ, AIT_RT_SEG, AIT_RT_WALL, AIT_RT_CLOCK, AIT_RT_VANTAGE,
    AIT_RT_UNIT, AIT_RT_TOOL, AIT_RT_T1, AIT_RT_METHOD, AIT_RT_PATH,
    AIT_RT_MODEL, AIT_RT_PROVIDER, AIT_RT_GROUP, AIT_RT_CHANNEL,
    AIT_RT_ROUTE, AIT_RT_REGION, AIT_RT_REASONING_EFFORT, AIT_RT_NAME,
    AIT_RT_UPSTREAM, AIT_RT_HOW, AIT_RT_EVENT, AIT_RT_DATA, AIT_RT_ORIGIN,
    AIT_RT_BOUNDARY, AIT_RT_SOURCE_FIELD, AIT_RT_QUALITY, AIT_RT_ID,
    AIT_RT_FINISH, AIT_RT_ERROR, AIT_RT_WHY, AIT_RT_COUNT
} ait_rec_text;

/* Integer members. */
typedef enum ait_rec_num {
    AIT_RN_NS, AIT_RN_V, AIT_RN_ATT, AIT_RN_MAX_TOKENS, AIT_RN_TOOLS,
    AIT_RN_INFLIGHT, AIT_RN_DUR_NS, AIT_RN_STATUS, AIT_RN_LEN, AIT_RN_READ,
    AIT_RN_VALUE_NS, AIT_RN_COUNT_OF, AIT_RN_EXIT, AIT_RN_N, AIT_RN_RECORDS,
    AIT_RN_TEMPERATURE, /* times 1e6 */
    AIT_RN_TOP_P,       /* times 1e6 */
    AIT_RN_COUNT
} ait_rec_num;

typedef struct ait_header {
    ait_str name, value;
} ait_header;

#define AIT_REC_HEADERS_MAX 64

typedef struct ait_record {
    ait_record_type type;
    int64_t line;                 /* of the file, 1-based; in a document the
                                     number of the entry */
    ait_str text[AIT_RT_COUNT];   /* AIT_RT_DATA: decoded bytes, from `data`
                                     or `data_base64` */
    int64_t num[AIT_RN_COUNT];
    int stream;                   /* -1, 0, 1 */
    int reused;
    bool untimed;
    ait_header header[AIT_REC_HEADERS_MAX]; /* head.headers or recv/send.ids;
                                               allow-listed by replay */
    int headers;
    uint32_t kinds;               /* mark: set of ait_class */
    bool comment;                 /* mark: kinds names `comment` */
    ait_usage usage;              /* mark */
} ait_record;

#endif
