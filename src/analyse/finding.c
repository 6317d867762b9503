/* The tools with which a rule builds its finding. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyse/part.h"

static void add_figure(ait_figure *list, int *n, ait_figure figure)
{
    if (*n < AIT_FIGURES_MAX)
        list[(*n)++] = figure;
}

void ait_evidence(ait_finding *f, const char *name, ait_unit unit,
                  int64_t value)
{
    if (ait_has(value))
        add_figure(f->evidence, &f->evidences,
                   (ait_figure){name, unit, value, NULL});
}

void ait_evidence_word(ait_finding *f, const char *name, const char *word)
{
    if (word)
        add_figure(f->evidence, &f->evidences,
                   (ait_figure){name, AIT_U_WORD, AIT_ABSENT, word});
}

void ait_crossed(ait_case *c, ait_limit_id limit)
{
    const ait_limit_info *info = &ait_limits[limit];

    add_figure(c->f->limit, &c->f->limits,
               (ait_figure){info->name, info->unit, ait_limit(c, limit),
                            NULL});
}

bool ait_missing(ait_case *c, const char *field)
{
    int n = 0;

    while (n < AIT_MISSING_MAX && c->cannot->missing[n])
        n++;
    if (n < AIT_MISSING_MAX) {
        c->cannot->missing[n] = field;
        c->cannot->missing[n + 1] = NULL;
    }
    return true;
}

void ait_missing_if(ait_case *c, int64_t value, const char *field)
{
    if (!ait_has(value))
        ait_missing(c, field);
}

/* Half of end-to-end, unless told otherwise, and not too short. */
static bool large_share(const ait_case *c, int64_t span)
{
    return span >= ait_limit(c, AIT_L_SHARE_FLOOR_MS) &&
           c->end_to_end > 0 &&
           ait_share_cmp(span, ait_limit(c, AIT_L_SHARE),
                         c->end_to_end) >= 0;
}

bool ait_would_be_slow(const ait_case *c, int64_t span, ait_limit_id limit)
{
    return span >= ait_limit(c, limit) || large_share(c, span);
}

bool ait_slow(ait_case *c, int64_t span, ait_limit_id limit)
{
    if (!ait_would_be_slow(c, span, limit))
        return false;
    c->f->explains = span;
    if (span >= ait_limit(c, limit)) {
        ait_crossed(c, limit);
        return true;
    }
    c->f->by = AIT_BY_SHARE;
    ait_crossed(c, AIT_L_SHARE);
    ait_crossed(c, AIT_L_SHARE_FLOOR_MS);
    return true;
}

bool ait_fired(const ait_verdict *v, ait_rule_id rule)
{
    for (int i = 0; i < v->findings; i++)
        if (v->finding[i].rule == rule)
            return true;
    return false;
}

/* Start to end of one attempt; to its headers where no end is known. */
static int64_t attempt_time(const ait_attempt *a)
{
    return ait_has(a->done) ? ait_minus(a->done, a->start) : a->headers;
}

/* A part of the sum would be taken for the whole: where one is not known,
 * or not listed, there is none. */
static int64_t sum_of_lost(const ait_trace *t)
{
    int64_t sum = AIT_ABSENT, one, listed = 0;

    for (const ait_attempt *a = t->attempts; a && a != t->serving;
         a = a->next, listed++) {
        one = attempt_time(a);
        if (one < 0)
            return AIT_ABSENT;
        sum = listed ? ait_plus(sum, one) : one;
    }
    return listed < t->num[AIT_N_RETRIES] ? AIT_ABSENT : sum;
}

/* A log may know the sum alone. */
int64_t ait_lost_attempts(const ait_trace *t)
{
    int64_t sum = sum_of_lost(t);

    for (const ait_measure *m = t->measures; m && !ait_has(sum); m = m->next)
        if (m->name && strcmp(m->name, "lost_attempts") == 0)
            sum = m->value;
    return sum;
}

bool ait_earlier_rate_limit(const ait_trace *t)
{
    for (const ait_attempt *a = t->attempts; a && a != t->serving;
         a = a->next)
        if (a->outcome == AIT_OUT_RATE_LIMITED || a->status == 429)
            return true;
    return false;
}

/* ---- words ------------------------------------------------------------- */

static void say_at(ait_finding *f, size_t at, const char *fmt, va_list args)
{
    size_t room = sizeof f->what - at;

    if (vsnprintf(f->what + at, room, fmt, args) < 0)
        f->what[at] = '\0';
}

void ait_say(ait_finding *f, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say_at(f, 0, fmt, args);
    va_end(args);
}

void ait_say_more(ait_finding *f, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    say_at(f, strlen(f->what), fmt, args);
    va_end(args);
}

/* Integers only: decimals must not follow the locale. */
ait_words ait_duration(int64_t ns)
{
    ait_words w = {"?"};
    int64_t ms = ns / AIT_MS, tenths;

    if (!ait_has(ns) || ns < 0)
        return w;
    if (ms < 1000) {
        ait_decimal_text(ns, AIT_MS, ms < 10 ? 1 : 0, w.text);
        strcat(w.text, " ms");
        return w;
    }
    tenths = ms / 100 + (ms % 100 >= 50);
    if (tenths < 1200)
        snprintf(w.text, sizeof w.text, "%" PRId64 ".%" PRId64 " s",
                 tenths / 10, tenths % 10);
    else
        snprintf(w.text, sizeof w.text, "%" PRId64 " min %" PRId64 " s",
                 tenths / 600, tenths % 600 / 10);
    return w;
}

ait_words ait_rate_words(int64_t thousandths)
{
    ait_words w = {""};

    ait_decimal_text(thousandths, 1000, 1, w.text);
    return w;
}
