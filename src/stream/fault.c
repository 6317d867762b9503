/* Errors inside a body: which kind they are, never what they say. */
#include <string.h>
#include "base/text.h"
#include "stream/engine.h"

#define WORD_MAX 64

/* Where an error says its kind, best first. */
static const char *const kind_keys[] = {
    "code", "error_code", "type", "error_type", "status", "__type",
};

typedef struct kinds {
    char word[WORD_MAX + 1];   /* the best word */
    char status[WORD_MAX + 1]; /* a bare HTTP status */
} kinds;

static bool is_http_status(const char *s, size_t n)
{
    return n == 3 && s[0] >= '1' && s[0] <= '5' && s[1] >= '0' &&
           s[1] <= '9' && s[2] >= '0' && s[2] <= '9';
}

/* "error" and "exception" as a type say nothing. */
static bool says_nothing(const char *s, size_t n)
{
    return n == 0 || (n == 5 && memcmp(s, "error", 5) == 0);
}

static void add_word(ait_engine *e, kinds *k, const char *s, size_t n)
{
    char *into = is_http_status(s, n) ? k->status : k->word;

    if (says_nothing(s, n) || !ait_is_identifier(s, n) || n > WORD_MAX)
        return;
    if (!e->whole && (ait_is_rate_limit_word(s, n) ||
                      (n == 3 && memcmp(s, "429", 3) == 0)))
        e->facts->rate_limit = true;
    if (into[0])
        return;
    memcpy(into, s, n);
    into[n] = '\0';
}

static void add_words(ait_engine *e, kinds *k, ait_jref object)
{
    ait_json *j = &e->work->json;

    for (size_t i = 0; i < sizeof kind_keys / sizeof *kind_keys; i++) {
        ait_jref r = ait_json_get(j, object, kind_keys[i]);
        size_t n = 0;
        const char *s = ait_string(e, r, &n);

        if (ait_json_type(j, r) == AIT_J_NUMBER) {
            s = j->text + j->node[r].off;
            n = j->node[r].len;
        }
        if (s)
            add_word(e, k, s, n);
    }
}

static void keep_code(ait_engine *e, const kinds *k)
{
    char *code = e->facts->error_code;

    e->glance.more = true;
    ait_class_add(e, AIT_C_ERROR);
    if (!code[0])
        memcpy(code, k->word[0] ? k->word : k->status, WORD_MAX + 1);
}

/* The object inside that describes the error, else the object itself. */
static ait_jref inner_error(ait_engine *e, ait_jref object)
{
    static const char *const at[] = {"/error", "/response/error"};
    ait_json *j = &e->work->json;

    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ait_jref r = ait_json_at(j, object, at[i]);

        if (ait_json_type(j, r) == AIT_J_OBJECT)
            return r;
    }
    return object;
}

void ait_error_read(ait_engine *e, ait_jref value)
{
    const ait_json *j = &e->work->json;
    kinds k = {"", ""};

    if (ait_json_type(j, value) == AIT_J_ARRAY) {
        value = ait_json_first(j, value);
        if (value == AIT_JNONE)
            return;
    }
    if (ait_json_type(j, value) == AIT_J_STRING) {
        if (j->node[value].len == 0)
            return;
        if (e->here != AIT_JNONE) /* what it says stands beside it */
            add_words(e, &k, e->here);
    } else if (ait_json_type(j, value) == AIT_J_OBJECT) {
        if (ait_json_first(j, value) == AIT_JNONE)
            return;
        add_words(e, &k, inner_error(e, value));
    }
    keep_code(e, &k);
}

void ait_error_named(ait_engine *e, const char *s, size_t n, ait_jref more)
{
    kinds k = {"", ""};

    if (s)
        add_word(e, &k, s, n);
    if (more != AIT_JNONE)
        add_words(e, &k, more);
    keep_code(e, &k);
}
