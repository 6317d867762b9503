#ifndef AIT_INPUT_CAPTURE_FAST_H
#define AIT_INPUT_CAPTURE_FAST_H
/* The usual data record of a native capture, read without a tape. */
#include "input/record.h"

/*
 * Fills an empty record from the line {"type":"data","ns":…,"req":…,"att":…,
 * "data":"…"}, members in any order, each once. Its data lies in `text`.
 * false: the line is not exactly that (perhaps not even JSON); the record is
 * half filled, and its line is for the reader of all records.
 */
bool ait_capture_fast(const char *p, size_t n, ait_record *r, ait_buf *text);

#endif
