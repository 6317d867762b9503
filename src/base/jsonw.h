#ifndef AIT_BASE_JSONW_H
#define AIT_BASE_JSONW_H
/*
 * JSON writer into a buffer: compact or indented, commas and escapes by
 * itself. A failed write is remembered (`failed`) and everything after it is
 * ignored, so callers check once at the end. Non-UTF-8 bytes become U+FFFD.
 */
#include "base/mem.h"

typedef struct ait_jsonw {
    ait_buf *out;
    int depth;         /* at most 62 */
    uint64_t nonempty; /* bit per depth: a value was written there */
    bool pretty, after_key, failed;
} ait_jsonw;

/* Writes behind what `out` holds; the buffer stays the caller's. */
void ait_jsonw_init(ait_jsonw *w, ait_buf *out, bool pretty);

/* Containers; a separator comes by itself. */
void ait_jsonw_object(ait_jsonw *w); /* { */
void ait_jsonw_array(ait_jsonw *w);  /* [ */
void ait_jsonw_end(ait_jsonw *w, char close); /* '}' or ']' */

/* A key, to be followed by one value; and values. */
void ait_jsonw_key(ait_jsonw *w, const char *key);
void ait_jsonw_text(ait_jsonw *w, const char *text); /* NULL: null */
void ait_jsonw_textn(ait_jsonw *w, const char *text, size_t n);
void ait_jsonw_int(ait_jsonw *w, int64_t v); /* AIT_ABSENT: null */
/* v / scale with at most `places` decimals; AIT_ABSENT: null. */
void ait_jsonw_decimal(ait_jsonw *w, int64_t v, int64_t scale, int places);
void ait_jsonw_bool(ait_jsonw *w, bool v);
void ait_jsonw_null(ait_jsonw *w);

/* Shorthands: key and value. */
void ait_jsonw_ktext(ait_jsonw *w, const char *key, const char *text);
void ait_jsonw_kint(ait_jsonw *w, const char *key, int64_t v);
/* Nanoseconds as milliseconds, up to three decimals. */
void ait_jsonw_kms(ait_jsonw *w, const char *key, int64_t ns);
/* -1 null, 0 false, 1 true. */
void ait_jsonw_ktri(ait_jsonw *w, const char *key, int v);

#endif
