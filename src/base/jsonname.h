#ifndef AIT_BASE_JSONNAME_H
#define AIT_BASE_JSONNAME_H
#include <stddef.h>
#include <stdint.h>

/*
 * Numbers for the keys of many documents that are alike: who reads them looks
 * up a number instead of a name. Given out as keys are met, to the first 255
 * that have at most AIT_JSON_NAME_MAX bytes and no escapes; the others stay
 * 0. The same number is the same key as long as the structure is used, which
 * begins all zero.
 */
enum { AIT_JSON_NAME_MAX = 29, AIT_JSON_NAME_COUNT = 256 };

typedef struct ait_json_name {
    char text[AIT_JSON_NAME_MAX + 3]; /* as it stands: "key": */
    uint32_t bits;                    /* one for each byte of text used */
    uint32_t len;                     /* bytes of text used */
} ait_json_name;

typedef struct ait_json_names {
    ait_json_name name[AIT_JSON_NAME_COUNT]; /* [0]: none */
    uint8_t after[AIT_JSON_NAME_COUNT]; /* what followed each last time */
    uint8_t slot[2 * AIT_JSON_NAME_COUNT];   /* by hash; 0: free */
    unsigned used;
} ait_json_names;

/* The number of a key, a new one where it has none yet; 0: none is left, or
 * it is too long. */
uint8_t ait_json_name_of(ait_json_names *names, const char *key, size_t len);

#endif
