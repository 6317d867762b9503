#ifndef AIT_BASE_TERM_H
#define AIT_BASE_TERM_H
/*
 * What is known of the terminal. Values of the environment are handed in;
 * nothing here reads it. NULL stands for a variable that is not set.
 */
#include <stdbool.h>

#define AIT_TERM_WIDTH 80 /* where nothing says otherwise */

/* Is the descriptor a terminal? */
bool ait_term_is(int fd);

/* Columns to write to `fd` with: `columns` (the value of COLUMNS) where it
 * is a number, else what the terminal says, else AIT_TERM_WIDTH. Always
 * within 20 and 1000. */
int ait_term_width(int fd, const char *columns);

/* Does the locale write UTF-8? The first of LC_ALL, LC_CTYPE and LANG that is
 * set and not empty decides. */
bool ait_term_utf8(const char *lc_all, const char *lc_ctype,
                   const char *lang);

#endif
