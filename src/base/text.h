#ifndef AIT_BASE_TEXT_H
#define AIT_BASE_TEXT_H
/*
 * Text that may be kept: UTF-8 repair, control characters, the 128-byte cap,
 * masking of what looks like a key or an address. The only way from input
 * bytes to a stored string.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/mem.h"

#define AIT_TEXT_MAX 128 /* bytes of a kept text, terminator not counted */

/* What ait_keep_text had to change, as a set of bits. */
enum {
    AIT_TEXT_UTF8 = 1,   /* invalid UTF-8 replaced by U+FFFD */
    AIT_TEXT_CUT = 2,    /* cut at 128 bytes, at a character border */
    AIT_TEXT_MASKED = 4, /* looked like a key or holds an address: "masked-"
                            + 16 hex digits of a stable hash of the whole
                            value */
    AIT_TEXT_CONTROL = 8 /* control characters replaced by '?' */
};

/*
 * The kept form of a value, terminated, in `out` (AIT_TEXT_MAX + 1 bytes).
 * A value looks like a key when a known prefix (sk-, sk_, AIza, AKIA, ghp_,
 * xox, "Bearer ", eyJ) stands at its start or after a character that is not
 * a letter or digit and 16 or more characters, the prefix among them, are
 * left from there: short keys are masked rather than missed. E-mail and IP
 * addresses are those of base/address.h. Returns the bits of what was
 * changed. Masking an already masked value changes nothing.
 */
unsigned ait_keep_text(const char *s, size_t n, char *out);
/* Sure to be kept as it is? Quick, and true for nearly every text that is. */
bool ait_is_kept_whole(const char *s, size_t n);

/* An identifier of at most 64 bytes of [A-Za-z0-9_.:,-]; anything else
 * (a sentence, say) gives false and must not be kept. Key-like values and
 * addresses give false, too. */
bool ait_is_identifier(const char *s, size_t n);

/* The kept form of a file's name: its path without folders, whose names may
 * be people's. */
void ait_keep_file_name(const char *path, char *out);

/* Path without query and fragment; scheme, user and host cut off ("/" where
 * nothing else is left), then as ait_keep_text. */
void ait_keep_path(const char *s, size_t n, char *out);
/* Host name of a URL or host:port in lower case, nothing else; "" where
 * there is none or where it is an IP address (addresses are never kept). */
void ait_keep_host(const char *s, size_t n, char *out);

/* Length of the valid UTF-8 prefix of s; n where all is valid. */
size_t ait_utf8_valid(const char *s, size_t n);

/* White space of the definitions, section 2: space, tab, CR, LF, U+00A0,
 * U+2000–U+200B, U+2028, U+2029, U+3000, U+FEFF. True for "". */
bool ait_is_blank(const char *s, size_t n);

/* Base64, strict (padding needed, unused bits 0, no white space). Appends;
 * false: not base64 or out full (then out is as before). */
bool ait_base64_read(const char *s, size_t n, ait_buf *out);

/* Nearest of `words` (NULL-terminated) by edit distance, NULL if none is
 * near enough. For "unknown option, did you mean …". */
const char *ait_nearest(const char *word, const char *const *words);

#endif
