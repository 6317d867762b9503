#include "model/trace.h"

#include <string.h>

#include "base/text.h"

/* The packed timelines of a stored trace come into the arena too, each up
 * to AIT_TIMELINE_MAX. */
#define ARENA_MAX ((size_t)4 * AIT_TIMELINE_MAX)

static void absent(int64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = AIT_ABSENT;
}

/* Everything but the arena. */
static void empty(ait_trace *t)
{
    ait_arena arena = t->arena;

    memset(t, 0, sizeof *t);
    t->arena = arena;
    absent(t->num, AIT_N_COUNT);
    absent(t->phase, 3);
    absent(t->stat, AIT_S_COUNT);
    for (int i = 0; i < AIT_P_COUNT; i++)
        t->point[i].ns = AIT_ABSENT;
    t->vantage = AIT_V_CLIENT;
    t->origin = AIT_O_FIRST_RECORD;
    t->outcome = AIT_OUT_UNKNOWN;
    t->stream = t->asked_stream = t->tokens_source = -1;
    t->row = AIT_ABSENT;
}

void ait_trace_init(ait_trace *t)
{
    ait_arena_init(&t->arena, ARENA_MAX);
    empty(t);
}

void ait_trace_reset(ait_trace *t)
{
    ait_arena_reset(&t->arena);
    empty(t);
}

void ait_trace_reset_as(ait_trace *t, const ait_trace *empty)
{
    ait_arena arena;

    ait_arena_reset(&t->arena);
    arena = t->arena;
    *t = *empty;
    t->arena = arena;
}

void ait_trace_free(ait_trace *t)
{
    ait_arena_free(&t->arena);
}

void ait_trace_move(ait_trace *to, ait_trace *from)
{
    ait_arena room = to->arena;

    *to = *from;
    from->arena = room;
}

/* The kept form in `out`, with the issues that its mending raises. */
static void kept(ait_trace *t, const char *s, size_t n, char *out)
{
    unsigned changed = ait_keep_text(s, n, out);

    if (changed & AIT_TEXT_UTF8)
        ait_issue_add(&t->issues, AIT_I_INVALID_UTF8);
    if (changed & AIT_TEXT_MASKED)
        ait_issue_add(&t->issues, AIT_I_ID_MASKED);
}

const char *ait_trace_keep(ait_trace *t, const char *s, size_t n)
{
    char out[AIT_TEXT_MAX + 1];

    if (!s || n == 0)
        return NULL;
    if (ait_is_kept_whole(s, n))
        return ait_arena_strndup(&t->arena, s, n);
    kept(t, s, n, out);
    return ait_arena_strdup(&t->arena, out);
}

/* Words of a provider, which it may also fill with a sentence. */
static const bool word_only[AIT_X_COUNT] = {
    [AIT_X_FINISH_REASON] = true,
    [AIT_X_ERROR_CODE] = true,
};

bool ait_trace_text(ait_trace *t, ait_text_field f, const char *s, size_t n)
{
    const char *text;

    if (word_only[f] && s && n && !ait_is_identifier(s, n)) {
        t->text[f] = NULL;
        ait_issue_add(&t->issues, AIT_I_VALUE_IGNORED);
        return true;
    }
    text = ait_trace_keep(t, s, n);
    t->text[f] = text;
    return text || !s || n == 0;
}

/* Adds a kept text of the arena to the ids; NULL: out of memory. */
static bool add_id(ait_trace *t, const char *value)
{
    ait_id **end = &t->ids;
    int count = 0;

    if (!value)
        return false;
    for (; *end; end = &(*end)->next, count++)
        if (strcmp((*end)->value, value) == 0)
            return true;
    if (count == AIT_IDS_MAX) {
        ait_issue_add(&t->issues, AIT_I_VALUE_IGNORED);
        return true;
    }
    *end = ait_arena_alloc(&t->arena, sizeof **end);
    if (*end)
        (*end)->value = value;
    return *end != NULL;
}

bool ait_trace_id(ait_trace *t, const char *s, size_t n)
{
    return !s || n == 0 || add_id(t, ait_trace_keep(t, s, n));
}

bool ait_trace_shown_id(ait_trace *t, const char *s, size_t n)
{
    return ait_trace_text(t, AIT_X_REQUEST_ID, s, n) &&
           (!s || n == 0 || add_id(t, t->text[AIT_X_REQUEST_ID]));
}

ait_measure *ait_trace_measure(ait_trace *t)
{
    ait_measure *m = ait_arena_alloc(&t->arena, sizeof *m), **end;

    if (!m)
        return NULL;
    m->value = m->resolution = AIT_ABSENT;
    for (end = &t->measures; *end; end = &(*end)->next)
        ;
    *end = m;
    return m;
}

ait_attempt *ait_trace_attempt(ait_trace *t)
{
    ait_attempt *a = ait_arena_alloc(&t->arena, sizeof *a), **end;

    if (!a)
        return NULL;
    a->outcome = -1;
    a->status = a->start = a->done = a->headers = AIT_ABSENT;
    a->retry_after = a->wait_before = AIT_ABSENT;
    a->timeline_base = AIT_ABSENT;
    for (end = &t->attempts; *end; end = &(*end)->next)
        ;
    *end = a;
    return a;
}
