#ifndef AIT_MODEL_CLASS_H
#define AIT_MODEL_CLASS_H
/*
 * Event classes (definitions, section 2) as bits of a set, and the one
 * table that says what each is called and which milestone it moves.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ait_class {
    AIT_C_HEARTBEAT = 1 << 0,
    AIT_C_ENVELOPE = 1 << 1,
    AIT_C_REASONING_OPAQUE = 1 << 2,
    AIT_C_ACTION_START = 1 << 3,
    AIT_C_TOOL_RESULT = 1 << 4,
    AIT_C_USAGE = 1 << 5,
    AIT_C_FINISH = 1 << 6,
    AIT_C_ERROR = 1 << 7,
    AIT_C_REASONING = 1 << 8,
    AIT_C_ACTION = 1 << 9,
    AIT_C_MEDIA = 1 << 10,
    AIT_C_TEXT = 1 << 11,
    AIT_C_REFUSAL = 1 << 12,
    AIT_C_COUNT = 13
} ait_class;

/* Effective: moves t4 and tf. Visible: moves t5. */
#define AIT_C_VISIBLE (AIT_C_TEXT | AIT_C_REFUSAL)
#define AIT_C_EFFECTIVE \
    (AIT_C_REASONING | AIT_C_ACTION | AIT_C_MEDIA | AIT_C_VISIBLE)

typedef struct ait_class_info {
    const char *name; /* as in `mark` records and JSON */
    uint32_t bit;
    const char *what; /* one sentence for people */
} ait_class_info;

extern const ait_class_info ait_classes[AIT_C_COUNT]; /* by bit position */

/* Bit of a name; 0 for an unknown one. */
uint32_t ait_class_bit(const char *name, size_t len);

#endif
