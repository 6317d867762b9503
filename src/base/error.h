#ifndef AIT_BASE_ERROR_H
#define AIT_BASE_ERROR_H
/*
 * Errors: one fixed-size structure, owned by the caller.
 *
 * An error ends what was asked for (this file, this command). Data about
 * data is an issue (model/issue.h); a broken invariant is a bug and aborts
 * (AIT_BUG). Messages name the place and the key, never input bytes.
 */
#include <stdint.h>

typedef enum ait_code {
    AIT_OK = 0,
    AIT_ENOTFOUND, /* nothing selected, id unknown or ambiguous */
    AIT_EUSAGE,    /* the caller asked for something impossible */
    AIT_EINPUT,    /* input unusable or partly lost */
    AIT_EDB,       /* database: locked, foreign, newer, full */
    AIT_EOUTPUT,   /* output could not be written */
    AIT_ENOMEM,    /* out of memory or over a stated maximum */
    AIT_EINTR      /* interrupted by the user */
} ait_code;

typedef struct ait_error {
    ait_code code;
    int64_t line;      /* 1-based; 0: not known */
    int64_t column;    /* 1-based; 0: not known */
    int64_t offset;    /* bytes from the start; -1: not known */
    char source[256];  /* file name; "" where there is none */
    char message[256]; /* what failed */
    char reason[256];  /* why; may be "" */
    char hint[256];    /* what to do; may be "" */
} ait_error;

#if defined(__GNUC__)
#define AIT_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define AIT_PRINTF(f, a)
#endif

/* An error that says nothing yet: code AIT_OK, no place. */
void ait_error_clear(ait_error *err);

/*
 * Sets code and message, forgets the rest, returns the code, so that
 * `return ait_fail(err, AIT_EINPUT, "…")` reads well. `err` may be NULL.
 * On success nobody touches `err`. Control characters become '?'.
 */
ait_code ait_fail(ait_error *err, ait_code code, const char *fmt, ...)
    AIT_PRINTF(3, 4);

/* Add to an error that is set. NULL err is allowed. */
void ait_error_place(ait_error *err, const char *source, int64_t line,
                     int64_t column, int64_t offset);
void ait_error_reason(ait_error *err, const char *fmt, ...) AIT_PRINTF(2, 3);
void ait_error_hint(ait_error *err, const char *fmt, ...) AIT_PRINTF(2, 3);

/* Bytes of the control character that the text begins with: C0, DEL, C1 in
 * UTF-8, line separators, what turns the reading direction (U+200E, U+200F,
 * U+202A to U+202E, U+2066 to U+2069); 0: it begins with none. They must not
 * reach a terminal. */
unsigned long ait_control(const char *text);

/* "message: reason (SOURCE, line L, column C)" into `out`, always
 * terminated. */
void ait_error_line(const ait_error *err, char *out, unsigned long size);

/* A broken invariant: prints place and text to stderr and aborts. */
#define AIT_BUG(text) ait_bug(__FILE__, __LINE__, text)
_Noreturn void ait_bug(const char *file, int line, const char *text);

#endif
