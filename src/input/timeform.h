#ifndef AIT_INPUT_TIMEFORM_H
#define AIT_INPUT_TIMEFORM_H
/* Times in a format of their own, and durations with their unit in them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A time by a format like strptime's: %Y %m %d %b %H %M %S, %f (decimals of
 * a second, any number; %3f is the same), %z; all else literally. Month names
 * are English. A time without %z is UTC, *has_zone says so. false: no match.
 */
bool ait_time_form_read(const char *form, const char *s, size_t n,
                        int64_t *ns, bool *has_zone);
/* Is it a format the function above can read? */
bool ait_time_form_valid(const char *form);

/* "50ms", "1.2s", "1m2.5s", "3us", "7ns", "1h": nanoseconds. */
bool ait_duration_read(const char *s, size_t n, int64_t *ns);

#endif
