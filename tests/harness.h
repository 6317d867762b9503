#ifndef AIT_TESTS_HARNESS_H
#define AIT_TESTS_HARNESS_H
/*
 * The smallest harness that says what failed: TAP lines, one per test
 * function, exit status 1 where any check failed.
 *
 *   static void reads_a_number(void) { CHECK_INT(f("12"), 12); }
 *   int main(void) { RUN(reads_a_number); return t_done(); }
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int t_tests, t_failed, t_bad;

#define CHECK(cond) t_check((cond) != 0, __FILE__, __LINE__, #cond)
#define CHECK_INT(got, want) \
    t_int((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) t_text((got), (want), __FILE__, __LINE__, #got)
#define RUN(fn) t_run(fn, #fn)

static inline int t_check(int ok, const char *file, int line,
                          const char *what)
{
    if (!ok) {
        printf("# %s:%d: failed: %s\n", file, line, what);
        t_bad++;
    }
    return ok;
}

static inline int t_int(int64_t got, int64_t want, const char *file,
                        int line, const char *what)
{
    if (got != want) {
        printf("# %s:%d: %s is %" PRId64 ", want %" PRId64 "\n", file, line,
               what, got, want);
        t_bad++;
    }
    return got == want;
}

static inline int t_text(const char *got, const char *want, const char *file,
                         int line, const char *what)
{
    int same = got && want ? strcmp(got, want) == 0 : got == want;
    if (!same) {
        printf("# %s:%d: %s is \"%s\", want \"%s\"\n", file, line, what,
               got ? got : "(none)", want ? want : "(none)");
        t_bad++;
    }
    return same;
}

static inline void t_run(void (*fn)(void), const char *name)
{
    t_bad = 0;
    fn();
    t_tests++;
    if (t_bad)
        t_failed++;
    printf("%sok %d - %s\n", t_bad ? "not " : "", t_tests, name);
    fflush(stdout);
}

static inline int t_done(void)
{
    printf("1..%d\n", t_tests);
    return t_failed ? 1 : 0;
}

#endif
