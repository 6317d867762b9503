#ifndef AIT_INPUT_CAPTURE_FAST_H
#define AIT_INPUT_CAPTURE_FAST_H
/* The usual data record of a native capture, read without a tape. */
#include "input/record.h"

/*
 * Fills `ns`, `req`, `att` and `data` of a record from the line {"type":
 * "data","ns":…,"req":…,"att":…,"data":"…"}, members in this order. Its data
 * lies in `room`. false: the line is not exactly that (perhaps not even
 * JSON), or there is no memory; the four are of no use, and the line is for
 * the reader of all records.
 */
bool ait_capture_fast(const char *p, size_t n, ait_record *r, ait_buf *room);

#endif
