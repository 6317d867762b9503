/* What the rows of the dialect tables do. */
#include "stream/engine.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/num.h"
#include "base/strmap.h"
#include "base/text.h"

/* ---- rows ----------------------------------------------------------- */

static void act_none(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)e;
    (void)rule;
    (void)v;
}

static bool is_empty(const ait_json *j, ait_jref v)
{
    const ait_jnode *n = &j->node[v];

    if (n->type == AIT_J_STRING)
        return n->len == 0;
    if (n->type == AIT_J_ARRAY || n->type == AIT_J_OBJECT)
        return n->next == v + 1;
    return false;
}

static void act_says(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const ait_json *j = &e->work->json;
    bool text = j->node[v].type == AIT_J_STRING;

    if (is_empty(j, v))
        return;
    e->speaker = text ? v : AIT_JNONE;
    if (text && (rule->bits & AIT_C_VISIBLE)) {
        size_t n;
        const char *p = ait_string(e, v, &n);

        if (p)
            ait_say_text(e, rule->bits, p, n);
    } else {
        ait_class_add(e, rule->bits);
    }
    e->speaker = AIT_JNONE;
}

static void act_in(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    uint8_t outer = e->repeat;

    if ((rule->flags & R_REPEAT) && e->repeat == AIT_NO_REPEAT)
        e->repeat = AIT_ASIDE;
    ait_read(e, rule->more, v);
    e->repeat = outer;
}

static void act_each(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const ait_json *j = &e->work->json;
    uint32_t output = e->output, place = 0;

    for (ait_jref c = ait_json_first(j, v); c != AIT_JNONE;
         c = ait_json_next(j, v, c), place++) {
        if (rule->flags & R_PLACE)
            e->output = place;
        if (j->node[c].type == AIT_J_OBJECT && rule->more)
            act_in(e, rule, c);
        else if (j->node[c].type == AIT_J_STRING && rule->bits)
            act_says(e, rule, c);
    }
    if (rule->flags & R_PLACE)
        e->output = output;
}

/* Small non-negative number; hostile ones are brought into the range. */
static uint32_t small(ait_engine *e, ait_jref v)
{
    int64_t n;

    if (!ait_json_int(&e->work->json, v, &n) || n < 0)
        return 0;
    return n < 1000 ? (uint32_t)n : 1000;
}

static void act_index(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)rule;
    e->output = small(e, v);
}

static void act_choice(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)rule;
    e->choice = e->output = small(e, v);
}

static void act_call(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)rule;
    e->call = small(e, v);
}

/* ---- finish --------------------------------------------------------- */

static bool among(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && strncasecmp(s, *words, n) == 0)
            return true;
    return false;
}

/* Finish reasons with which an announced call stays unfinished. */
static bool leaves_calls(const char *word)
{
    static const char *const words[] = {"content_filter", "error", "safety",
                                        NULL};

    return among(word, strlen(word), words) || ait_is_limit_finish(word);
}

/* Words in the place of a finish reason that say there is none yet. */
static bool goes_on(const char *s, size_t n)
{
    static const char *const words[] = {
        "0", "in_progress", "queued", "not_finished",
        "finish_reason_unspecified", NULL,
    };

    return n == 0 || among(s, n, words);
}

/* Cohere's ERROR and ERROR_TOXIC, the "error" of gateways. */
static bool means_error(const char *word)
{
    return strcasecmp(word, "error") == 0 ||
           strncmp(word, "ERROR_", 6) == 0;
}

/* A word that is no identifier is not kept: it may be anything. */
static void keep_finish(ait_engine *e, const char *prefix, const char *p,
                        size_t n)
{
    char *out = e->facts->finish_reason;

    if (!ait_is_identifier(p, n))
        return;
    snprintf(out, AIT_TEXT_MAX + 1, "%s%.*s", prefix ? prefix : "", (int)n,
             p);
}

static void act_finish(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const ait_json *j = &e->work->json;
    const ait_jnode *node = &j->node[v];
    size_t n = node->len;
    const char *p = j->text + node->off;

    if (node->type == AIT_J_STRING)
        p = ait_string(e, v, &n);
    if (!p || goes_on(p, n))
        return;
    e->glance.more = true;
    keep_finish(e, rule->more, p, n);
    ait_end_mark(e);
    if (means_error(e->facts->finish_reason))
        ait_class_add(e, AIT_C_ERROR);
    if ((e->announced & ~e->filled) &&
        !leaves_calls(e->facts->finish_reason))
        ait_class_add(e, AIT_C_ACTION);
    e->filled |= e->announced;
}

static void act_ends_as(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const char *word = rule->more;

    (void)v;
    e->glance.more = true;
    keep_finish(e, NULL, word, strlen(word));
}

static void act_end(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)rule;
    (void)v;
    ait_end_mark(e);
}

/* ---- figures -------------------------------------------------------- */

/* Does a count say nothing against what is known? Bedrock counts again what
 * the model counted, and a zero behind a count is a placeholder (but no
 * cached tokens is a fact). */
static bool says_less(const ait_rule *rule, int64_t known, int64_t n)
{
    if (!ait_has(known))
        return false;
    return (rule->flags & R_REPEAT) ||
           (n == 0 && rule->bits != offsetof(ait_usage, cached));
}

static void act_number(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    char *field = (char *)&e->facts->usage + rule->bits;
    int64_t n, known;

    if (!ait_json_int(&e->work->json, v, &n) || n < 0)
        return;
    e->glance.more = true;
    e->said->classes |= AIT_C_USAGE;
    memcpy(&known, field, sizeof known);
    if (says_less(rule, known, n))
        return;
    memcpy(field, &n, sizeof n);
    e->counted |= rule->bits == offsetof(ait_usage, completion);
}

/* The place of a timing; NULL where there is no room. */
static ait_measure *timing(ait_engine *e, const char *name)
{
    ait_measure *m;

    for (size_t i = 0; i < e->time_count; i++)
        if (strcmp(e->times[i].name, name) == 0)
            return &e->times[i];
    if (!e->times) {
        e->times = ait_alloc(AIT_TIMES_MAX * sizeof *e->times);
        e->failed |= !e->times;
    }
    if (!e->times || e->time_count == AIT_TIMES_MAX)
        return NULL;
    m = &e->times[e->time_count++];
    if (m > e->times)
        m[-1].next = m;
    e->facts->measures = e->times;
    return m;
}

static void act_time(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const ait_clock *c = rule->more;
    ait_measure *m;
    int64_t ns;

    if (!ait_json_decimal(&e->work->json, v, c->unit, &ns) || ns < 0)
        return;
    e->glance.more = true;
    m = timing(e, c->name);
    if (!m)
        return;
    m->name = c->name;
    m->source_field = c->field;
    m->value = ns;
    m->resolution = AIT_ABSENT;
    m->origin = AIT_O_ENGINE;
    m->boundary = c->boundary;
    m->quality = AIT_Q_OK;
}

/* ---- the rest ------------------------------------------------------- */

static void act_error(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    const char *kind = rule->more;

    if (kind)
        ait_error_named(e, kind, strlen(kind), v);
    else
        ait_error_read(e, v);
}

static void act_instead(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)v;
    if (rule->more)
        ait_read(e, rule->more, e->here);
    e->stop = true;
}

static void act_also(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)v;
    ait_read(e, rule->more, e->here);
}

static void act_opens(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    ait_open_call(e);
    act_says(e, rule, v);
}

static void act_skip(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    (void)rule;
    (void)v;
    e->stop = true;
}

/* Text that is sent again and again, each time longer. A text that does not
 * start with what came before is a delta. */
static void act_grows(ait_engine *e, const ait_rule *rule, ait_jref v)
{
    uint32_t c = e->choice < AIT_CHOICES ? e->choice : AIT_CHOICES - 1;
    size_t n, old = e->grown[c];
    const char *p = ait_string(e, v, &n);

    e->glance.more = true;
    if (!p || n == 0)
        return;
    if (n < old || ait_hash64(0, p, old) != e->grown_hash[c])
        old = 0;
    e->grown[c] = n;
    e->grown_hash[c] = ait_hash64(0, p, n);
    if (n > old)
        ait_say_text(e, rule->bits, p + old, n - old);
}

typedef void act_fn(ait_engine *e, const ait_rule *rule, ait_jref v);

static act_fn *const acts[ACT_COUNT] = {
    [ACT_NONE] = act_none,       [ACT_SAYS] = act_says,
    [ACT_IN] = act_in,           [ACT_EACH] = act_each,
    [ACT_INDEX] = act_index,     [ACT_CHOICE] = act_choice,
    [ACT_CALL] = act_call,       [ACT_FINISH] = act_finish,
    [ACT_ENDS_AS] = act_ends_as, [ACT_NUMBER] = act_number,
    [ACT_TIME] = act_time,       [ACT_ERROR] = act_error,
    [ACT_END] = act_end,         [ACT_INSTEAD] = act_instead,
    [ACT_ALSO] = act_also,       [ACT_SKIP] = act_skip,
    [ACT_GROWS] = act_grows,     [ACT_OPENS] = act_opens,
};

void ait_act_apply(ait_engine *e, const ait_rule *rule, ait_jref value)
{
    acts[rule->act](e, rule, value);
}
