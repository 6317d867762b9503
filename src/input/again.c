/* Texts that come again: open addressing, at most half full. */
#include "input/again.h"

#include <string.h>

enum { SLOTS = 2 * AIT_AGAIN_TEXTS, LOOKS = 8 };

/* Few looks bound what a bad choice of texts can cost. */
static unsigned place(ait_text_field f, const char *s, size_t n)
{
    unsigned h = (unsigned)n * 37u + (unsigned char)s[0] * 7u +
                 (unsigned char)s[n / 2] * 57u +
                 (unsigned char)s[n - 1] * 131u + (unsigned)f * 211u;

    return h ^ (h >> 9);
}

static const char *find(const ait_again *a, ait_text_field f, const char *s,
                        size_t n)
{
    unsigned at = place(f, s, n);

    for (unsigned i = 0; i < LOOKS && a->slot[(at + i) % SLOTS]; i++) {
        const struct ait_again_text *t =
            &a->text[a->slot[(at + i) % SLOTS] - 1];

        if (t->len == n && t->field == f && memcmp(t->bytes, s, n) == 0)
            return t->bytes;
    }
    return NULL;
}

static void add(ait_again *a, ait_text_field f, const char *s, size_t n)
{
    struct ait_again_text *t = &a->text[a->used];
    unsigned at = place(f, s, n), i = 0;

    while (i < LOOKS && a->slot[(at + i) % SLOTS])
        i++;
    if (i == LOOKS || a->used == AIT_AGAIN_TEXTS - 1)
        return;
    t->field = (uint8_t)f;
    t->len = (uint8_t)n;
    memcpy(t->bytes, s, n);
    a->slot[(at + i) % SLOTS] = (uint8_t)++a->used;
}

static bool is_whole(const char *kept, const char *s, size_t n)
{
    return kept && strlen(kept) == n && memcmp(kept, s, n) == 0;
}

bool ait_again_text(ait_again *a, ait_trace *t, ait_text_field f,
                    const char *s, size_t n)
{
    bool fits = n && n <= AIT_AGAIN_MOST;
    const char *known = fits ? find(a, f, s, n) : NULL;

    if (known) {
        t->text[f] = known;
        return true;
    }
    if (!ait_trace_text(t, f, s, n))
        return false;
    if (fits && is_whole(t->text[f], s, n))
        add(a, f, s, n);
    return true;
}
