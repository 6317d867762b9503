/*
 * What an event says: its classes, kept apart from what was said before.
 *
 * Snapshots repeat what deltas said, a call that never gets arguments is an
 * action only when it ends, and text may turn out to be a <think> block: the
 * three memories behind that are here.
 */
#include <string.h>
#include "base/text.h"
#include "stream/engine.h"

/* ---- classes -------------------------------------------------------- */

/* What snapshots repeat, as the bits of the memory of outputs. */
static uint8_t group_of(uint32_t bits)
{
    return (uint8_t)((bits & AIT_C_EFFECTIVE) / AIT_C_REASONING |
                     (bits & AIT_C_REASONING_OPAQUE ? 0x80 : 0));
}

static uint8_t *memory(ait_engine *e)
{
    uint32_t o = e->output < AIT_OUTPUTS ? e->output : AIT_OUTPUTS - 1;

    return &e->seen[o];
}

/* Is it said already? Else remembers that it is said now. */
static bool repeated(ait_engine *e, uint32_t bits)
{
    uint8_t group = group_of(bits), *seen = memory(e);

    if (!group)
        return false;
    if (e->repeat == AIT_NO_REPEAT) {
        *seen |= group;
        return false;
    }
    if (*seen & group)
        return e->fresh_output != e->output || !(e->fresh & group);
    if (e->repeat == AIT_SNAPSHOT) {
        e->fresh = e->fresh_output == e->output ? e->fresh | group : group;
        e->fresh_output = e->output;
        *seen |= group;
    }
    return false;
}

/* Bit of the call that is spoken of: calls inside an output and outputs
 * that are calls do not meet. */
static uint64_t call_bit(const ait_engine *e)
{
    return UINT64_C(1) << ((e->output + 7 * e->call) & 63);
}

/* Notes what is said, so that the next event can say it by the mould. */
static void note(ait_engine *e, uint32_t bits)
{
    ait_glance *g = &e->glance;

    if (g->says == AIT_MOULD_SAYS || e->repeat != AIT_NO_REPEAT) {
        g->more = true;
        return;
    }
    g->said[g->says++] = (ait_saying){e->speaker, bits, e->choice, e->output,
                                      e->call};
}

void ait_class_add(ait_engine *e, uint32_t bits)
{
    if (!bits)
        return;
    note(e, bits);
    if (repeated(e, bits))
        return;
    if (bits & (AIT_C_ACTION | AIT_C_MEDIA))
        e->filled |= call_bit(e);
    else if (bits & AIT_C_ACTION_START)
        e->announced |= call_bit(e);
    if (e->repeat == AIT_SNAPSHOT) /* it announces nothing */
        bits &= ~(uint32_t)AIT_C_ACTION_START;
    e->said->classes |= bits;
}

void ait_open_call(ait_engine *e)
{
    e->glance.more = true;
    e->filled &= ~call_bit(e);
}

void ait_close_call(ait_engine *e)
{
    if (e->announced & ~e->filled & call_bit(e))
        ait_class_add(e, AIT_C_ACTION);
}

void ait_end_mark(ait_engine *e)
{
    e->glance.more = true;
    e->said->classes |= AIT_C_FINISH;
    e->facts->terminal = true;
}

/* ---- text ----------------------------------------------------------- */

/* Pieces of this very event that waited are told, too. */
static void settle(ait_engine *e, uint32_t c, uint32_t class)
{
    ait_said *s = e->said;
    uint8_t bit = (uint8_t)(1u << c);

    if (s->waiting.choices & bit) {
        s->classes |= class;
        if (class & AIT_C_VISIBLE) {
            s->text_length += s->waiting.len[c];
            s->nonblank |= (s->waiting.solid & bit) != 0;
        }
        s->waiting.choices &= (uint8_t)~bit;
        s->waiting.solid &= (uint8_t)~bit;
        s->waiting.len[c] = 0;
    }
    s->settled |= bit;
    s->settled_as[c] = class;
}

static void plain_text(ait_engine *e, uint32_t bits, const char *p, size_t n)
{
    ait_said *s = e->said;

    s->classes |= bits;
    s->text_length += n > UINT32_MAX - s->text_length
                          ? UINT32_MAX - s->text_length : (uint32_t)n;
    if (!s->nonblank)
        s->nonblank = !ait_is_blank(p, n);
}

/* Text of a choice that may still turn out to be a <think> block. */
static void thinking_text(ait_engine *e, uint32_t c, uint32_t bits,
                          const char *p, size_t n)
{
    ait_said *s = e->said;
    ait_thought t;

    ait_think_piece(&e->think[c], p, n, &t);
    if (t.settles)
        settle(e, c, t.settled);
    if (t.opened)
        ait_issue_add(&e->facts->issues, AIT_I_INLINE_THINK);
    if (t.reasoning)
        s->classes |= AIT_C_REASONING;
    if (t.text)
        plain_text(e, bits, p + (n - t.text), t.text);
    if (!t.waits)
        return;
    s->waiting.choices |= (uint8_t)(1u << c);
    s->waiting.len[c] += (uint32_t)n;
    if (!ait_is_blank(p, n))
        s->waiting.solid |= (uint8_t)(1u << c);
}

void ait_say_text(ait_engine *e, uint32_t bits, const char *p, size_t n)
{
    uint32_t c = e->choice < AIT_CHOICES ? e->choice : AIT_CHOICES - 1;

    note(e, bits);
    if (repeated(e, bits))
        return;
    if (!(bits & AIT_C_TEXT) || e->think[c].state == AIT_THINK_TEXT)
        plain_text(e, bits, p, n);
    else
        thinking_text(e, c, bits, p, n);
}
