#ifndef AIT_INPUT_USAGE_H
#define AIT_INPUT_USAGE_H
/* Token counts of a `usage` object, under all names they are known by. */
#include "base/json.h"
#include "model/trace.h"

/* Fills what is there and not filled yet: counts are integers of 0 and
 * above. Returns the number of values that were neither that nor null. */
unsigned ait_usage_read(ait_json *j, ait_jref object, ait_usage *u);

#endif
