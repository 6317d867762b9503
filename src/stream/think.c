/* <think> inside visible text. */
#include "stream/think.h"
#include <string.h>
#include "base/text.h"
#include "model/class.h"

static const char open_tag[] = "<think>", close_tag[] = "</think>";

/* Bytes of the white-space character at p, 0 where there is none. */
static size_t space(const char *p, const char *end)
{
    size_t width = (unsigned char)*p < 0x80 ? 1
                   : (unsigned char)*p < 0xe0 ? 2 : 3;

    if (width > (size_t)(end - p))
        return 0;
    return ait_is_blank(p, width) ? width : 0;
}

static const char *skip_space(const char *p, const char *end)
{
    size_t n;

    while (p < end && (n = space(p, end)) != 0)
        p += n;
    return p;
}

static void settle(ait_thought *out, uint32_t class)
{
    if (!out->waits && !out->settles) {
        out->settles = true;
        out->settled = class;
    }
}

/* The whole piece, what waits before it included, is plain text. */
static const char *plain(ait_think *t, ait_thought *out)
{
    t->state = AIT_THINK_TEXT;
    settle(out, AIT_C_TEXT);
    return NULL;
}

static const char *start(ait_think *t, const char *p, const char *end,
                         ait_thought *out)
{
    if (t->matched == 0)
        p = skip_space(p, end);
    while (p < end && *p == open_tag[t->matched]) {
        p++;
        if (!open_tag[++t->matched]) {
            t->state = AIT_THINK_OPENED;
            t->matched = 0;
            out->opened = true;
            settle(out, 0);
            return p;
        }
    }
    if (p < end)
        return plain(t, out);
    out->waits = true;
    return p;
}

static const char *opened(ait_think *t, const char *p, const char *end)
{
    p = skip_space(p, end);
    if (p < end)
        t->state = AIT_THINK_INSIDE;
    return p;
}

/* The awaited tag was none: its bytes so far are reasoning, those of this
 * piece here, the `old` ones of the pieces that waited. */
static void no_tag(ait_think *t, size_t *old, ait_thought *out)
{
    if (*old)
        settle(out, AIT_C_REASONING);
    out->reasoning += t->matched - *old;
    *old = t->matched = 0;
}

/* Reasoning up to the closing tag. */
static const char *inside(ait_think *t, const char *p, const char *end,
                          ait_thought *out)
{
    size_t old = t->matched;

    while (p < end) {
        if (*p == close_tag[t->matched]) {
            p++;
            if (!close_tag[++t->matched]) {
                t->state = AIT_THINK_CLOSED;
                t->matched = 0;
                settle(out, 0);
                return p;
            }
        } else if (t->matched) {
            no_tag(t, &old, out); /* this byte is looked at again */
        } else {
            out->reasoning++;
            p++;
        }
    }
    out->waits = t->matched && !out->reasoning;
    return p;
}

static const char *closed(ait_think *t, const char *p, const char *end)
{
    p = skip_space(p, end);
    if (p < end)
        t->state = AIT_THINK_TEXT;
    return p;
}

void ait_think_piece(ait_think *t, const char *piece, size_t n,
                     ait_thought *out)
{
    const char *p = piece, *end = piece + n;

    memset(out, 0, sizeof *out);
    if (t->state == AIT_THINK_START)
        p = start(t, p, end, out);
    if (!p) /* no tag: the text starts where the piece does */
        p = piece;
    if (t->state == AIT_THINK_OPENED)
        p = opened(t, p, end);
    if (t->state == AIT_THINK_INSIDE)
        p = inside(t, p, end, out);
    if (t->state == AIT_THINK_CLOSED)
        p = closed(t, p, end);
    if (t->state == AIT_THINK_TEXT) {
        out->text = (size_t)(end - p);
        out->nonblank = !ait_is_blank(p, out->text);
    }
}

uint32_t ait_think_end(const ait_think *t)
{
    return t->state == AIT_THINK_INSIDE ? AIT_C_REASONING : AIT_C_TEXT;
}
