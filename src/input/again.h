#ifndef AIT_INPUT_AGAIN_H
#define AIT_INPUT_AGAIN_H
/*
 * Texts that come again and again in a log: models, channels, finish reasons.
 * They are known by their bytes and need no check and no copy once they were
 * found to be kept as they stand.
 */
#include "model/trace.h"

enum { AIT_AGAIN_TEXTS = 256, AIT_AGAIN_MOST = 30 };

typedef struct ait_again { /* begins all zero */
    struct ait_again_text {
        uint8_t field, len;
        char bytes[AIT_AGAIN_MOST + 1];
    } text[AIT_AGAIN_TEXTS]; /* the first ones that were met */
    uint8_t slot[2 * AIT_AGAIN_TEXTS]; /* index + 1, by hash; 0: free */
    int used;
} ait_again;

/* As ait_trace_text; the text may lie in `a`, and lives as long as that. */
bool ait_again_text(ait_again *a, ait_trace *t, ait_text_field f,
                    const char *s, size_t n);

#endif
