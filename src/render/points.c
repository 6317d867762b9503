#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "render/points.h"

static const ait_row rows[AIT_ROWS] = {
    {AIT_P_T0, "received", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T1, "upstream started", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T2, "headers", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T3, "first event", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T4, "first response", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T5, "first visible text", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_TF, "final response", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T6, "upstream closed", AIT_ABSENT, AIT_ABSENT, NULL},
    {AIT_P_T7, "handler done", AIT_ABSENT, AIT_ABSENT, NULL},
};

/* ---- why a point is not there ------------------------------------------ */

static bool seen(const ait_trace *t, int64_t bit)
{
    int64_t bits = t->stat[AIT_S_SEEN];
    return ait_has(bits) && (bits & bit);
}

static bool is_log(const ait_trace *t)
{
    return !seen(t, AIT_SEEN_TRACED);
}

static bool sent_only(const ait_trace *t)
{
    return t->origin == AIT_O_REQUEST_SEND;
}

static bool arrivals_only(const ait_trace *t)
{
    return t->origin == AIT_O_FIRST_RECORD;
}

static bool not_streamed(const ait_trace *t)
{
    return t->stream == 0 && !ait_outcome_failed(t->outcome);
}

static bool untimed(const ait_trace *t)
{
    return seen(t, AIT_SEEN_UNTIMED);
}

static bool unread(const ait_trace *t)
{
    return seen(t, AIT_SEEN_UNREAD);
}

static bool unknown_dialect(const ait_trace *t)
{
    return t->issues.count[AIT_I_UNKNOWN_DIALECT] > 0;
}

static bool unsent(const ait_trace *t)
{
    return !ait_has(t->point[AIT_P_T1].ns) && ait_has(t->point[AIT_P_T2].ns);
}

static bool no_attempt(const ait_trace *t)
{
    return !t->attempts;
}

static bool cut(const ait_trace *t)
{
    return t->outcome == AIT_OUT_TRUNCATED_CAPTURE;
}

static bool failed(const ait_trace *t)
{
    return ait_outcome_failed(t->outcome);
}

static bool had_events(const ait_trace *t)
{
    return ait_has(t->stat[AIT_S_EVENTS]) && t->stat[AIT_S_EVENTS] > 0;
}

static bool always(const ait_trace *t)
{
    (void)t;
    return true;
}

#define BIT(p) (1u << (p))
#define ANSWER (BIT(AIT_P_T3) | CONTENT)
#define CONTENT (BIT(AIT_P_T4) | BIT(AIT_P_T5) | BIT(AIT_P_TF))
#define HANDLER (BIT(AIT_P_T0) | BIT(AIT_P_T7))
#define ALL ~0u

/* The first row that holds for the trace and names the point. */
static const struct {
    bool (*holds)(const ait_trace *t);
    uint32_t points;
    const char *say;
} reasons[] = {
    {sent_only, HANDLER, "not seen from here: counted from the send"},
    {arrivals_only, HANDLER, "not seen from here"},
    {arrivals_only, BIT(AIT_P_T1),
     "not recorded: counted from the first record"},
    {unsent, BIT(AIT_P_T2), "came, but the upstream's start is not known"},
    {not_streamed, ANSWER, "not streamed"},
    {is_log, ALL, "not in this log"},
    {no_attempt, ALL, "no upstream was asked"},
    {untimed, ANSWER, "the recording has no event times"},
    {unknown_dialect, CONTENT, "content of an unknown dialect"},
    {unread, ANSWER, "the content could not be read"},
    {cut, ALL, "the recording ends before it"},
    {failed, BIT(AIT_P_T2) | ANSWER, "never came"},
    {had_events, BIT(AIT_P_T5), "no visible text"},
    {had_events, CONTENT, "no output"},
    {always, ALL, "not recorded"},
};

static const char *why_absent(const ait_trace *t, ait_point_id p)
{
    bool other = t->point[p].axis == AIT_AXIS_UPSTREAM;
    if (other && p == AIT_P_T2 && ait_has(t->point[p].ns) && !unsent(t))
        return ""; /* its note says all that is known */
    if (ait_has(t->point[p].ns) && !other)
        return "the clock was set in between";
    size_t i = 0;
    while (!(reasons[i].points & BIT(p)) || !reasons[i].holds(t))
        i++;
    return reasons[i].say;
}

void ait_rows(const ait_trace *t, ait_row row[AIT_ROWS])
{
    ait_point_id last = AIT_P_ORIGIN;
    memcpy(row, rows, sizeof rows);
    for (int i = 0; i < AIT_ROWS; i++) {
        ait_row *r = &row[i];
        r->at = ait_span(t, AIT_P_ORIGIN, r->point);
        if (!ait_has(r->at)) {
            r->why = why_absent(t, r->point);
            continue;
        }
        r->since = ait_span(t, last, r->point);
        last = r->point;
    }
}

/* ---- notes beside a row ------------------------------------------------ */

static void note_headers(const ait_trace *t, char *out)
{
    char cell[AIT_CELL];
    int64_t ns = ait_timing(t, AIT_T_UPSTREAM_HEADERS);
    if (ait_has(ns))
        snprintf(out, AIT_CELL, "%.40s after upstream start",
                 ait_cell_ms(ns, cell));
}

/* What the first response was: the effective classes of its event. */
static void note_response(const ait_trace *t, char *out)
{
    int64_t classes = t->stat[AIT_S_T4_CLASSES];
    if (!ait_has(classes))
        return;
    for (int i = 0; i < AIT_C_COUNT; i++) {
        uint32_t bit = ait_classes[i].bit & AIT_C_EFFECTIVE;
        if (!(classes & bit))
            continue;
        if (*out)
            strcat(out, ", ");
        strcat(out, ait_classes[i].name);
    }
}

static void note_final(const ait_trace *t, char *out)
{
    char cell[AIT_CELL];
    int64_t ns = ait_gap(t, AIT_G_VISIBLE_WINDOW);
    if (ait_has(ns))
        snprintf(out, AIT_CELL, "visible window %.40s",
                 ait_cell_ms(ns, cell));
}

static void note_end(const ait_trace *t, char *out)
{
    int64_t end = t->stat[AIT_S_END];
    if (ait_has(end) && end > AIT_E_EOF && end < AIT_E_COUNT)
        snprintf(out, AIT_CELL, "ended: %s", ait_end_name[end]);
}

static void note_start(const ait_trace *t, char *out)
{
    if (t->serving && t->serving->number > 1)
        snprintf(out, AIT_CELL, "attempt %d", t->serving->number);
}

const char *ait_row_note(const ait_trace *t, const ait_row *row, char *out)
{
    static void (*const note[AIT_P_COUNT])(const ait_trace *, char *) = {
        [AIT_P_T1] = note_start,    [AIT_P_T2] = note_headers,
        [AIT_P_T4] = note_response, [AIT_P_TF] = note_final,
        [AIT_P_T6] = note_end,
    };
    *out = '\0';
    if (note[row->point])
        note[row->point](t, out);
    return out;
}

/* ---- lines that diagnose and show share -------------------------------- */

const char *ait_not_here(const ait_trace *t)
{
    return is_log(t) ? "not in this log" : "not in this recording";
}

/* The first of the places a request can be told apart by. */
static void headline_place(ait_page *p, const ait_trace *t)
{
    static const struct {
        ait_text_field field;
        const char *label;
    } place[] = {{AIT_X_ROUTE, "route "}, {AIT_X_CHANNEL, "channel "},
                 {AIT_X_PROVIDER, ""}};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        const char *value = t->text[place[i].field];
        if (!value)
            continue;
        ait_page_dot(p);
        ait_page_add(p, place[i].label);
        ait_page_value(p, value);
        return;
    }
}

static void headline_outcome(ait_page *p, const ait_trace *t)
{
    char cell[AIT_CELL];
    ait_page_dot(p);
    if (ait_outcome_failed(t->outcome))
        ait_page_ink(p, AIT_INK_BAD);
    ait_page_add(p, ait_outcome_name[t->outcome]);
    ait_page_ink(p, AIT_INK_PLAIN);
    if (ait_has(t->num[AIT_N_STATUS]) && t->num[AIT_N_STATUS] != 200)
        ait_page_addf(p, ", status %lld", (long long)t->num[AIT_N_STATUS]);
    if (t->text[AIT_X_ERROR_CODE]) {
        ait_page_add(p, ", ");
        ait_page_value(p, t->text[AIT_X_ERROR_CODE]);
    }
    if (ait_has(t->num[AIT_N_OUTPUT_TOKENS]))
        ait_page_addf(p, ", %s token%s",
                      ait_cell_int(t->num[AIT_N_OUTPUT_TOKENS], cell),
                      t->num[AIT_N_OUTPUT_TOKENS] == 1 ? "" : "s");
}

void ait_page_headline(ait_page *p, const ait_trace *t)
{
    char cell[AIT_CELL];
    const char *id = t->text[AIT_X_REQUEST_ID];
    ait_page_value(p, id ? id : "(no request id)");
    if (t->text[AIT_X_MODEL]) {
        ait_page_dot(p);
        ait_page_value(p, t->text[AIT_X_MODEL]);
    }
    headline_place(p, t);
    if (ait_has(t->num[AIT_N_TIME])) {
        ait_page_dot(p);
        ait_page_add(p, ait_cell_time(t->num[AIT_N_TIME], 3,
                                      p->style->local, cell));
    }
    headline_outcome(p, t);
    ait_page_add(p, "\n");
}

const ait_finding *ait_primary(const ait_verdict *v)
{
    for (int i = 0; i < v->findings; i++)
        if (v->finding[i].rule == v->primary)
            return &v->finding[i];
    /* a 429 that cost retries is named rate_limited, and told by them */
    for (int i = 0; i < v->findings && v->primary != AIT_R_NONE; i++)
        if (v->finding[i].rule == AIT_R_RETRIED)
            return &v->finding[i];
    return NULL;
}

static void nothing_found(ait_page *p, const ait_trace *t,
                          const ait_verdict *v)
{
    char cell[AIT_CELL];
    ait_page_add(p, "none: nothing crossed a limit");
    if (ait_has(ait_end_to_end(t)))
        ait_page_addf(p, "; %s in all", ait_cell_ms(ait_end_to_end(t), cell));
    if (v->cannots)
        ait_page_addf(p, "; %d of %d rules could not be assessed",
                      v->cannots, AIT_R_COUNT);
}

void ait_page_verdict(ait_page *p, const ait_trace *t, const ait_verdict *v)
{
    const ait_finding *f = ait_primary(v);
    ait_page_ink(p, AIT_INK_BOLD);
    if (f) {
        ait_page_addf(p, "%s: ", ait_rule_name[v->primary]);
        ait_page_value(p, f->what);
    } else {
        nothing_found(p, t, v);
    }
    ait_page_ink(p, AIT_INK_PLAIN);
    ait_page_add(p, "\n");
}

/* ---- what cannot be told ----------------------------------------------- */

static const char *const question[AIT_R_COUNT] = {
    "it was rate limited",
    "the upstream failed",
    "the client went away",
    "the stream was complete",
    "reasoning used up the token limit",
    "there was visible text",
    "the headers were slow",
    "the first response was slow",
    "an event came long before the first response",
    "reasoning or action held up the text",
    "writing was slow",
    "the gateway was slow",
    "the stream stalled",
    "the text came in bursts",
    "something held the stream back",
    "there were retries",
};

static bool same_list(const char *const *a, const char *const *b)
{
    if (a == b)
        return true;
    for (; *a && *b; a++, b++)
        if (strcmp(*a, *b) != 0)
            return false;
    return *a == *b;
}

static bool add_list(ait_buf *out, const char *const *word, const char *last)
{
    bool ok = true;
    for (int i = 0; ok && word[i]; i++) {
        const char *joint = i == 0 ? "" : word[i + 1] ? ", " : last;
        ok = ait_buf_addf(out, "%s%s", joint, word[i]);
    }
    return ok;
}

/* One sentence for the rules from `i` on that miss the same fields. */
static bool cannot_text(ait_buf *out, const ait_trace *t,
                        const ait_verdict *v, int i)
{
    const char *const *missing = v->cannot[i].missing;
    const char *ask[AIT_R_COUNT + 1] = {NULL};
    int n = 0;
    for (int k = i; k < v->cannots; k++)
        if (same_list(v->cannot[k].missing, missing))
            ask[n++] = question[v->cannot[k].rule];
    bool ok = ait_buf_adds(out, "whether ") && add_list(out, ask, " or ");
    ok = ok && ait_buf_adds(out, ": ") && add_list(out, missing, " and ");
    bool many = missing[0] && missing[1];
    return ok && ait_buf_addf(out, " %s %s", many ? "are" : "is",
                              ait_not_here(t));
}

static bool told_before(const ait_verdict *v, int i)
{
    for (int k = 0; k < i; k++)
        if (same_list(v->cannot[k].missing, v->cannot[i].missing))
            return true;
    return false;
}

/* A gateway's log may be able to hold more than it does; the native log and
 * captures hold what there is. */
static void log_more(ait_page *p, const ait_trace *t, int indent)
{
    static const char *const own[] = {"native", "capture"};
    const char *format = t->text[AIT_X_FORMAT];
    char line[AIT_TEXT_MAX + 80];
    if (!is_log(t) || !format ||
        ait_word(own, 2, format, strlen(format)) >= 0)
        return;
    snprintf(line, sizeof line, "aitrace-formats(5): what a log of format %s "
             "can tell, and what to add to it", format);
    ait_page_block(p, "log more", indent, line);
}

void ait_page_cannot(ait_page *p, const ait_trace *t, const ait_verdict *v,
                     int indent)
{
    ait_buf line;
    ait_buf_init(&line, 4096);
    for (int i = 0; i < v->cannots; i++) {
        if (told_before(v, i))
            continue;
        ait_buf_clear(&line);
        if (!cannot_text(&line, t, v, i))
            p->failed = true;
        else
            ait_page_block(p, "cannot say", indent, line.data);
    }
    ait_buf_free(&line);
    if (v->cannots)
        log_more(p, t, indent);
}

void ait_page_issues(ait_page *p, const ait_trace *t, int indent)
{
    char line[512];
    for (int i = 0; i < AIT_I_COUNT; i++) {
        uint32_t n = t->issues.count[i];
        if (!n)
            continue;
        snprintf(line, sizeof line, "%s%s", ait_issues[i].name,
                 n > 1 ? "" : ":");
        if (n > 1)
            snprintf(line + strlen(line), 32, " (%u times):", n);
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s",
                 ait_issues[i].what);
        ait_page_block(p, "data", indent, line);
    }
}
