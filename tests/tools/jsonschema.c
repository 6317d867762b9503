/*
 * Holds JSON documents against the schemas they name.
 *
 *   jsonschema DIR DOCUMENT…
 *
 * A document says "schema": "aitrace.NAME/1"; DIR/NAME.schema.json is its
 * schema. A file of several documents, one a line, is held line by line.
 * What is understood is the table `keywords`; any other keyword is an error,
 * so that a schema cannot promise what is not checked.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "base/num.h"

#define NODES_MAX (1u << 22)
#define FILES_MAX 16
#define DEPTH_MAX 48

typedef struct file { /* a schema file, kept until the end */
    char name[128];
    char *text;
    ait_json json;
} file;

typedef struct schema { /* one place in a schema file */
    file *in;
    ait_jref at;
} schema;

typedef struct value { /* one place in the document */
    ait_json *json;
    ait_jref at;
} value;

static const char *folder;
static file files[FILES_MAX];
static int file_count;
static char path[1024]; /* of the value that is being looked at */
static int silent;      /* inside anyOf and oneOf a mismatch is no fault */
static int depth;

static bool holds(schema s, value v);

static bool fault(const char *why, const char *what)
{
    if (!silent)
        printf("%s: %s%s%s\n", *path ? path : "/", why, *what ? " " : "",
               what);
    return false;
}

static _Noreturn void stop(const char *what, const char *name)
{
    printf("jsonschema: %s %s\n", what, name);
    exit(2);
}

static char *slurp(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t got, cap = 0;

    *n = 0;
    if (!f)
        return NULL;
    do {
        cap += 1 << 16;
        text = realloc(text, cap + 1);
        if (!text)
            stop("no memory for", name);
        got = fread(text + *n, 1, cap - *n, f);
        *n += got;
    } while (*n == cap);
    fclose(f);
    text[*n] = 0;
    return text;
}

static file *load(const char *name)
{
    char full[512];
    size_t n;
    file *f;

    for (int i = 0; i < file_count; i++)
        if (!strcmp(files[i].name, name))
            return &files[i];
    if (file_count == FILES_MAX || strlen(name) >= sizeof f->name)
        stop("too many schemas, or too long a name:", name);
    f = &files[file_count++];
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(full, sizeof full, "%s/%s", folder, name);
    f->text = slurp(full, &n);
    if (!f->text)
        stop("cannot read", full);
    ait_json_init(&f->json, NODES_MAX);
    if (!ait_json_parse(&f->json, f->text, n))
        stop("no JSON:", full);
    return f;
}

/* The string at a place; the memory is one of four in turn. */
static const char *string(ait_json *j, ait_jref r)
{
    static ait_buf ring[4];
    static int turn;
    ait_buf *b = &ring[turn++ % 4];

    ait_buf_free(b);
    ait_buf_init(b, 1 << 20);
    if (!ait_json_text(j, r, b))
        return "";
    return b->data ? b->data : "";
}

static bool same(ait_json *a, ait_jref ra, ait_json *b, ait_jref rb)
{
    const ait_jnode *x = &a->node[ra], *y = &b->node[rb];

    return x->type == y->type && x->len == y->len &&
           !memcmp(a->text + x->off, b->text + y->off, x->len);
}

static bool is_integer(value v)
{
    int64_t n;

    return ait_json_int(v.json, v.at, &n);
}

static bool of_type(const char *name, value v)
{
    static const struct {
        const char *name;
        unsigned types;
    } table[] = {
        {"null", 1u << AIT_J_NULL},
        {"boolean", 1u << AIT_J_TRUE | 1u << AIT_J_FALSE},
        {"number", 1u << AIT_J_NUMBER},
        {"integer", 1u << AIT_J_NUMBER},
        {"string", 1u << AIT_J_STRING},
        {"array", 1u << AIT_J_ARRAY},
        {"object", 1u << AIT_J_OBJECT},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name))
            return (table[i].types >> ait_json_type(v.json, v.at) & 1) &&
                   (strcmp(name, "integer") || is_integer(v));
    stop("unknown type", name);
}

static bool kw_type(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;

    if (ait_json_type(j, k) == AIT_J_STRING)
        return of_type(string(j, k), v) ||
               fault("is not of type", string(j, k));
    for (ait_jref c = ait_json_first(j, k); c != AIT_JNONE;
         c = ait_json_next(j, k, c))
        if (of_type(string(j, c), v))
            return true;
    return fault("is of none of the types", "");
}

static bool kw_enum(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;

    for (ait_jref c = ait_json_first(j, k); c != AIT_JNONE;
         c = ait_json_next(j, k, c))
        if (same(j, c, v.json, v.at))
            return true;
    return fault("is none of the values allowed", "");
}

static bool kw_const(schema s, ait_jref k, value v)
{
    return same(&s.in->json, k, v.json, v.at) ||
           fault("is not the value required", "");
}

static bool kw_required(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;
    bool good = true;

    if (ait_json_type(v.json, v.at) != AIT_J_OBJECT)
        return true;
    for (ait_jref c = ait_json_first(j, k); c != AIT_JNONE;
         c = ait_json_next(j, k, c)) {
        const char *name = string(j, c);
        if (ait_json_get(v.json, v.at, name) == AIT_JNONE)
            good = fault("lacks", name);
    }
    return good;
}

/* Below `name`, the value must hold against the schema at `k`. */
static bool below(schema s, ait_jref k, value v, const char *name)
{
    size_t n = strlen(path);
    bool good;

    snprintf(path + n, sizeof path - n, "/%s", name);
    good = holds((schema){s.in, k}, v);
    path[n] = 0;
    return good;
}

static bool kw_properties(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;
    bool good = true;

    for (ait_jref c = ait_json_first(j, k); c != AIT_JNONE;
         c = ait_json_next(j, k, c)) {
        const char *name = string(j, c);
        ait_jref member = ait_json_get(v.json, v.at, name);
        if (member != AIT_JNONE &&
            !below(s, c + 1, (value){v.json, member}, name))
            good = false;
    }
    return good;
}

static bool kw_additional(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;
    ait_jref known = ait_json_get(j, s.at, "properties");
    bool good = true;

    if (ait_json_type(v.json, v.at) != AIT_J_OBJECT)
        return true;
    for (ait_jref c = ait_json_first(v.json, v.at); c != AIT_JNONE;
         c = ait_json_next(v.json, v.at, c)) {
        const char *name = string(v.json, c);
        if (ait_json_get(j, known, name) != AIT_JNONE)
            continue;
        if (ait_json_type(j, k) == AIT_J_FALSE)
            good = fault("has the unknown key", name);
        else if (!below(s, k, (value){v.json, c + 1}, name))
            good = false;
    }
    return good;
}

static bool kw_items(schema s, ait_jref k, value v)
{
    bool good = true;
    int i = 0;

    if (ait_json_type(v.json, v.at) != AIT_J_ARRAY)
        return true;
    for (ait_jref c = ait_json_first(v.json, v.at); c != AIT_JNONE;
         c = ait_json_next(v.json, v.at, c)) {
        char name[16];
        snprintf(name, sizeof name, "%d", i++);
        if (!below(s, k, (value){v.json, c}, name))
            good = false;
    }
    return good;
}

static int64_t length(value v)
{
    int64_t n = 0;

    for (ait_jref c = ait_json_first(v.json, v.at); c != AIT_JNONE;
         c = ait_json_next(v.json, v.at, c))
        n++;
    return n;
}

static int64_t number(schema s, ait_jref k)
{
    int64_t n;

    if (!ait_json_decimal(&s.in->json, k, 1000, &n))
        stop("a limit that is no number in", s.in->name);
    return n;
}

static bool kw_min_items(schema s, ait_jref k, value v)
{
    return ait_json_type(v.json, v.at) != AIT_J_ARRAY ||
           length(v) * 1000 >= number(s, k) ||
           fault("has too few elements", "");
}

static bool kw_max_items(schema s, ait_jref k, value v)
{
    return ait_json_type(v.json, v.at) != AIT_J_ARRAY ||
           length(v) * 1000 <= number(s, k) ||
           fault("has too many elements", "");
}

static bool kw_minimum(schema s, ait_jref k, value v)
{
    int64_t n;

    return !ait_json_decimal(v.json, v.at, 1000, &n) || n >= number(s, k) ||
           fault("is too small", "");
}

static bool kw_maximum(schema s, ait_jref k, value v)
{
    int64_t n;

    return !ait_json_decimal(v.json, v.at, 1000, &n) || n <= number(s, k) ||
           fault("is too large", "");
}

static bool kw_pattern(schema s, ait_jref k, value v)
{
    const char *pattern = string(&s.in->json, k);
    regex_t re;
    int rc;

    if (ait_json_type(v.json, v.at) != AIT_J_STRING)
        return true;
    if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB))
        stop("a pattern that is none:", pattern);
    rc = regexec(&re, string(v.json, v.at), 0, NULL, 0);
    regfree(&re);
    return rc == 0 || fault("does not match", pattern);
}

/* FILE#/pointer, or #/pointer into the same file. */
static bool kw_ref(schema s, ait_jref k, value v)
{
    char name[256];
    char *hash;
    schema to = s;

    snprintf(name, sizeof name, "%s", string(&s.in->json, k));
    hash = strchr(name, '#');
    if (hash)
        *hash++ = 0;
    if (*name)
        to.in = load(name);
    to.at = ait_json_at(&to.in->json, AIT_JROOT, hash ? hash : "");
    if (to.at == AIT_JNONE)
        stop("a reference to nothing:", name);
    return holds(to, v);
}

static int matches(schema s, ait_jref k, value v)
{
    ait_json *j = &s.in->json;
    int n = 0;

    silent++;
    for (ait_jref c = ait_json_first(j, k); c != AIT_JNONE;
         c = ait_json_next(j, k, c))
        n += holds((schema){s.in, c}, v);
    silent--;
    return n;
}

static bool kw_any(schema s, ait_jref k, value v)
{
    return matches(s, k, v) > 0 || fault("matches no alternative", "");
}

static bool kw_one(schema s, ait_jref k, value v)
{
    return matches(s, k, v) == 1 ||
           fault("does not match exactly one alternative", "");
}

static bool kw_none(schema s, ait_jref k, value v)
{
    (void)s, (void)k, (void)v;
    return true;
}

static const struct keyword {
    const char *name;
    bool (*holds)(schema s, ait_jref k, value v);
} keywords[] = {
    {"$schema", kw_none},       {"$id", kw_none},
    {"$defs", kw_none},         {"title", kw_none},
    {"description", kw_none},   {"$comment", kw_none},
    {"type", kw_type},          {"enum", kw_enum},
    {"const", kw_const},        {"required", kw_required},
    {"properties", kw_properties},
    {"additionalProperties", kw_additional},
    {"items", kw_items},        {"minItems", kw_min_items},
    {"maxItems", kw_max_items}, {"minimum", kw_minimum},
    {"maximum", kw_maximum},    {"pattern", kw_pattern},
    {"$ref", kw_ref},           {"anyOf", kw_any},
    {"oneOf", kw_one},
};

static const struct keyword *keyword_of(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(keywords[i].name, name))
            return &keywords[i];
    stop("a schema uses an unknown keyword:", name);
}

static bool holds(schema s, value v)
{
    ait_json *j = &s.in->json;
    bool good = true;

    if (ait_json_type(j, s.at) == AIT_J_TRUE)
        return true;
    if (++depth > DEPTH_MAX)
        stop("too deep:", path);
    for (ait_jref c = ait_json_first(j, s.at); c != AIT_JNONE;
         c = ait_json_next(j, s.at, c))
        if (!keyword_of(string(j, c))->holds(s, c + 1, v))
            good = false;
    depth--;
    return good;
}

/* One document; its own word says which schema. */
static bool document(const char *text, size_t n)
{
    ait_json j;
    char name[64], full[96];
    const char *said;
    bool good;

    ait_json_init(&j, NODES_MAX);
    if (!ait_json_parse(&j, text, n)) {
        ait_json_free(&j);
        return fault("is no JSON:", j.why);
    }
    said = string(&j, ait_json_get(&j, AIT_JROOT, "schema"));
    if (sscanf(said, "aitrace.%63[a-z]/1", name) != 1) {
        good = fault("does not name its schema", "");
    } else {
        snprintf(full, sizeof full, "%s.schema.json", name);
        good = holds((schema){load(full), AIT_JROOT},
                     (value){&j, AIT_JROOT});
    }
    ait_json_free(&j);
    return good;
}

static bool held(const char *name)
{
    size_t n, at = 0;
    char *text = slurp(name, &n);
    bool good = true;

    if (!text)
        stop("cannot read", name);
    if (n && ait_json_valid(text, n)) {
        good = document(text, n);
    } else {
        while (at < n) {
            const char *nl = memchr(text + at, '\n', n - at);
            size_t end = nl ? (size_t)(nl - text) : n;
            good = document(text + at, end - at) && good;
            at = end + 1;
        }
    }
    if (!n)
        good = fault("is empty", "");
    if (!good)
        printf("%s does not hold\n", name);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;

    if (argc < 3) {
        fprintf(stderr, "usage: jsonschema DIR DOCUMENT...\n");
        return 2;
    }
    folder = argv[1];
    for (int i = 2; i < argc; i++)
        good = held(argv[i]) && good;
    for (int i = 0; i < file_count; i++) {
        ait_json_free(&files[i].json);
        free(files[i].text);
    }
    for (int i = 0; i < 4; i++)
        string(&(ait_json){0}, AIT_JNONE);
    return good ? 0 : 1;
}
