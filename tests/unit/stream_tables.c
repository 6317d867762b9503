/* The dialect tables hold together: every row can be reached and says what
 * its act needs. */
#include <stdlib.h>
#include "harness.h"
#include "stream/dialect.h"
#include "stream/framing.h"

#define SHAPES_MAX 400

static const ait_shape *visited[SHAPES_MAX];
static size_t count;
static const char *where;

/* A check that names the row. */
#define ROW_CHECK(cond, row) \
    do { \
        if (!CHECK(cond)) \
            printf("# %s: row \"%s\"\n", where, (row)); \
    } while (0)

static bool takes_shape(const ait_rule *r)
{
    return r->act == ACT_IN || r->act == ACT_ALSO ||
           (r->act == ACT_EACH && !r->bits);
}

static void check_rule(const ait_shape *s, int i)
{
    const ait_rule *r = &s->rules[i];
    bool says = r->act == ACT_SAYS || r->act == ACT_GROWS ||
                r->act == ACT_OPENS;

    ROW_CHECK(strlen(r->key) == r->len, r->key);
    ROW_CHECK(r->types != 0, r->key);
    ROW_CHECK(r->act < ACT_COUNT, r->key);
    ROW_CHECK(!takes_shape(r) || r->more, r->key);
    ROW_CHECK(!says || (r->bits && r->bits < 1u << AIT_C_COUNT), r->key);
    ROW_CHECK(i > 0 || !(r->flags & R_ELSE), r->key);
    ROW_CHECK(r->act != ACT_NUMBER ||
                  r->bits <= offsetof(ait_usage, total), r->key);
    for (int k = 0; k < i; k++) /* the first row of a key and type is taken */
        ROW_CHECK(strcmp(s->rules[k].key, r->key) != 0 ||
                      !(s->rules[k].types & r->types), r->key);
}

static void check_clock(const ait_rule *r)
{
    const ait_clock *c = r->more;

    ROW_CHECK(c && c->name && c->field && c->field[0] == '/', r->key);
    ROW_CHECK(c && c->unit > 0 && c->boundary < AIT_B_COUNT, r->key);
}

static void check_kinds(const ait_shape *s)
{
    CHECK(s->rule_count > 0 && s->rules[0].act == ACT_NONE);
    for (int i = 0; i < s->kind_count; i++) {
        const ait_kind *k = &s->kinds[i];

        ROW_CHECK(strlen(k->value) == k->len, k->value);
        ROW_CHECK(k->bits || k->flags || k->shape, k->value);
        for (int j = 0; j < i; j++)
            ROW_CHECK(!ait_pattern(s->kinds[j].value, s->kinds[j].len,
                                   k->value, k->len), k->value);
    }
}

static void check_shape(const ait_shape *s)
{
    for (size_t i = 0; i < count; i++)
        if (visited[i] == s)
            return;
    if (!CHECK(count < SHAPES_MAX))
        return;
    visited[count++] = s;
    CHECK(s->rule_count > 0 && s->rule_count <= AIT_RULES_MAX);
    CHECK((s->kinds != NULL) == (s->kind_count > 0));
    for (int i = 0; i < s->rule_count; i++) {
        const ait_rule *r = &s->rules[i];

        check_rule(s, i);
        if (r->act == ACT_TIME)
            check_clock(r);
        else if ((takes_shape(r) || r->act == ACT_INSTEAD ||
                  r->act == ACT_EACH) && r->more)
            check_shape(r->more);
    }
    if (s->kinds)
        check_kinds(s);
    for (int i = 0; i < s->kind_count; i++)
        if (s->kinds[i].shape)
            check_shape(s->kinds[i].shape);
}

static void shapes_hold_together(void)
{
    for (size_t i = 0; ait_dialect_table[i]; i++) {
        const ait_dialect *d = ait_dialect_table[i];

        where = d->info.name;
        CHECK((d->event != NULL) != (d->plain != NULL));
        if (d->event)
            check_shape(d->event);
        if (d->whole)
            check_shape(d->whole);
    }
    where = "errors of any dialect";
    check_shape(&ait_error_shape);
    CHECK(count > 100);
}

static bool has_strong(const ait_dialect *d)
{
    for (int i = 0; i < AIT_SIGNATURES_MAX && d->signature[i].at; i++)
        if (!(d->signature[i].flags & (S_WEAK | S_WHOLE)))
            return true;
    return false;
}

static void dialects_can_be_recognised(void)
{
    for (size_t i = 0; ait_dialect_table[i]; i++) {
        const ait_dialect *d = ait_dialect_table[i];

        where = d->info.name;
        CHECK(has_strong(d));
        for (int k = 0; k < AIT_SIGNATURES_MAX && d->signature[k].at; k++) {
            const ait_signature *s = &d->signature[k];

            ROW_CHECK((s->flags & S_NAME) ? s->value && !*s->at
                                          : *s->at == '/' && s->types,
                      s->at);
        }
        for (int k = 0; k < AIT_MODELS_MAX && d->model[k]; k++)
            ROW_CHECK(d->model[k][0] == '/', d->model[k]);
    }
}

static void dialects_are_described(void)
{
    const ait_dialect_info *info;
    size_t n = ait_dialects(&info);

    CHECK(n >= 19);
    for (size_t i = 0; i < n; i++) {
        CHECK(info[i].name && info[i].title && info[i].t4 && info[i].t5 &&
              info[i].reasoning);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(info[i].name, info[k].name) != 0);
    }
}

static void framings_are_named(void)
{
    const char *const *names = ait_framings();
    size_t n = 0;

    for (; ait_framing_table[n]; n++) {
        const ait_framing *f = ait_framing_table[n];
        bool listed = false;

        for (size_t k = 0; names[k]; k++)
            listed |= strcmp(names[k], f->name) == 0;
        CHECK(listed);
        for (const char *const *t = f->types; *t; t++)
            CHECK(ait_framing_of_type(*t) == f);
    }
    CHECK(names[n] && !names[n + 1]); /* and "json" */
    CHECK(ait_framing_of_type("text/event-stream; charset=utf-8"));
    CHECK(ait_framing_of_type("TEXT/EVENT-STREAM"));
    CHECK(!ait_framing_of_type("text/event-streamer"));
    CHECK(!ait_framing_of_type(NULL));
    CHECK(ait_type_is_json("application/json;charset=utf-8"));
    CHECK(!ait_type_is_json("application/jsonp"));
}

static void patterns(void)
{
    CHECK(ait_pattern("a", 1, "a", 1));
    CHECK(!ait_pattern("a", 1, "ab", 2));
    CHECK(ait_pattern("a*", 2, "a", 1) && ait_pattern("a*", 2, "abc", 3));
    CHECK(!ait_pattern("a*", 2, "b", 1) && !ait_pattern("ab*", 3, "a", 1));
    CHECK(ait_pattern("*c", 2, "abc", 3) && !ait_pattern("*c", 2, "ca", 2));
    CHECK(!ait_pattern("*_call", 6, "call", 4));
    CHECK(!ait_pattern("", 0, "a", 1));
}

int main(void)
{
    RUN(shapes_hold_together);
    RUN(dialects_can_be_recognised);
    RUN(dialects_are_described);
    RUN(framings_are_named);
    RUN(patterns);
    return t_done();
}
