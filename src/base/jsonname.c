/* Numbers for keys: open addressing, at most half full. */
#include "base/jsonname.h"

#include <stdbool.h>
#include <string.h>

enum { SLOTS = 2 * AIT_JSON_NAME_COUNT };

/* Length, first, middle and last byte tell nearly all names apart; that so
 * few have numbers bounds what a bad choice of keys can cost. */
static unsigned place(const char *key, size_t len)
{
    unsigned h = (unsigned)len * 37u + (unsigned char)key[0] * 7u +
                 (unsigned char)key[len / 2] * 57u +
                 (unsigned char)key[len - 1] * 131u;

    return (h ^ (h >> 9)) % SLOTS;
}

static bool is_key(const ait_json_name *n, const char *key, size_t len)
{
    return n->len == len + 3 && memcmp(n->text + 1, key, len) == 0;
}

uint8_t ait_json_name_of(ait_json_names *names, const char *key, size_t len)
{
    ait_json_name *n;
    unsigned at;

    if (len == 0 || len > AIT_JSON_NAME_MAX)
        return 0;
    for (at = place(key, len); names->slot[at]; at = (at + 1) % SLOTS)
        if (is_key(&names->name[names->slot[at]], key, len))
            return names->slot[at];
    if (names->used == AIT_JSON_NAME_COUNT - 1)
        return 0;
    names->slot[at] = (uint8_t)++names->used;
    n = &names->name[names->used];
    n->text[0] = n->text[len + 1] = '"';
    n->text[len + 2] = ':';
    memcpy(n->text + 1, key, len);
    n->len = (uint32_t)len + 3;
    n->bits = UINT32_MAX >> (32 - n->len);
    return (uint8_t)names->used;
}
