/* Known names: open addressing over 256 slots, less than half full. */
#include "input/keys.h"

#include <string.h>

/* Length, first, middle and last byte tell nearly all names apart. */
static unsigned place(const char *s, size_t n)
{
    unsigned h = (unsigned)n * 37u + (unsigned char)s[0] * 7u +
                 (unsigned char)s[n / 2] * 57u +
                 (unsigned char)s[n - 1] * 131u;

    return (h ^ (h >> 8)) & 255u;
}

int ait_keys_find(const ait_keys *k, const char *s, size_t n)
{
    unsigned at;

    if (n == 0 || n > 255)
        return -1;
    for (at = place(s, n); k->slot[at]; at = (at + 1) & 255u) {
        unsigned i = k->slot[at] - 1u;

        if (k->len[i] == n && memcmp(k->name[i], s, n) == 0)
            return (int)i;
    }
    return -1;
}

bool ait_keys_add(ait_keys *k, const char *name)
{
    size_t n = strlen(name);
    unsigned at;

    if (n == 0 || n > 255 || k->count == AIT_KEYS_MAX ||
        ait_keys_find(k, name, n) >= 0)
        return false;
    at = place(name, n);
    while (k->slot[at])
        at = (at + 1) & 255u;
    k->name[k->count] = name;
    k->len[k->count] = (uint8_t)n;
    k->slot[at] = (uint8_t)++k->count;
    return true;
}
