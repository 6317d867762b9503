/* Names of the record types. */
#include "input/record.h"

const char *const ait_record_name[AIT_REC_COUNT] = {
    [AIT_REC_CAPTURE] = "capture", [AIT_REC_RECV] = "recv",
    [AIT_REC_PHASE] = "phase",     [AIT_REC_SEND] = "send",
    [AIT_REC_HEAD] = "head",       [AIT_REC_DATA] = "data",
    [AIT_REC_EVENT] = "event",     [AIT_REC_MARK] = "mark",
    [AIT_REC_MEASURE] = "measure", [AIT_REC_ISSUE] = "issue",
    [AIT_REC_END] = "end",         [AIT_REC_DONE] = "done",
    [AIT_REC_LOST] = "lost",       [AIT_REC_CLOSE] = "close",
};
