/* Kinds of logs: the native one, and one for each mapping. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "input/jsonline.h"
#include "input/map.h"

enum { FILE_MAX = 4 << 20, PATH_ROOM = 4096 };

/* ---- a mapping as a kind --------------------------------------------- */

static bool map_match(const ait_log_kind *k, ait_json *j, ait_jref r)
{
    return ait_map_all_at(k->map->all, j, r) &&
           !ait_map_any_at(k->map->none, j, r);
}

/* A condition without a place of its own is named by its first part. */
static const char *place_of(const ait_map_cond *c)
{
    while (c && !c->at)
        c = c->of;
    return c ? c->at : NULL;
}

static int map_nearly(const ait_log_kind *k, ait_json *j, ait_jref r,
                      const char **missing)
{
    const ait_map_cond *c;
    int held = 0, all = 0;

    *missing = NULL;
    for (c = k->map->all; c; c = c->next, all++) {
        bool holds = ait_map_cond_at(c, j, r);

        held += holds;
        if (!holds && !*missing)
            *missing = place_of(c);
    }
    return all ? 1000 * held / all : 0;
}

typedef struct mapped {
    const ait_log_kind *kind;
    ait_map_walk walk;
    ait_json json; /* of a line that is read by itself … */
    ait_buf text;  /* … made of a text line */
} mapped;

static void *map_open(const ait_log_kind *k)
{
    mapped *m = ait_alloc(sizeof *m);

    if (!m)
        return NULL;
    m->kind = k;
    ait_map_walk_init(&m->walk, k->map);
    ait_json_init(&m->json, AIT_LINE_NODES);
    ait_buf_init(&m->text, AIT_LINE_MAX);
    return m;
}

static void map_close(void *self)
{
    mapped *m = self;

    if (!m)
        return;
    ait_map_walk_free(&m->walk);
    ait_json_free(&m->json);
    ait_buf_free(&m->text);
    free(m);
}

static ait_log_result map_fill(void *self, ait_json *j, ait_jref r,
                               ait_trace *t, ait_log_row *row)
{
    mapped *m = self;

    return ait_map_fill(&m->walk, j, r, t, row);
}

/* The tape of a line that is one object of the kind. */
static bool map_parse(mapped *m, const ait_line *line)
{
    bool object = *line->p == '{';
    ait_json *j = &m->json;

    if (!object && !ait_log_text_line(m->kind, line, &m->text))
        return false;
    if (!(object ? ait_json_parse(j, line->p, line->n)
                 : ait_json_parse(j, m->text.data, m->text.len)))
        return false;
    return ait_json_type(j, AIT_JROOT) == AIT_J_OBJECT &&
           (m->kind->map->knows_own || map_match(m->kind, j, AIT_JROOT));
}

static ait_log_result map_read(void *self, const ait_line *line,
                               ait_trace *t, ait_log_row *row)
{
    mapped *m = self;
    ait_log_result got;

    if (!map_parse(m, line))
        return AIT_LOG_UNKNOWN;
    got = ait_map_fill(&m->walk, &m->json, AIT_JROOT, t, row);
    if (got != AIT_LOG_REQUEST || !row->key.p)
        return got;
    /* the next line takes the memory of this one */
    row->key.p = ait_arena_strndup(&t->arena, row->key.p, row->key.n);
    return row->key.p ? got : AIT_LOG_NOMEM;
}

ait_log_kind ait_log_kind_of(const struct ait_map *m)
{
    ait_log_kind k = {
        .name = m->name,
        .map = m,
        .join = m->join ? m->join->rule : AIT_JOIN_NONE,
        .records = m->records,
        .match = map_match,
        .nearly = map_nearly,
        .fill = map_fill,
        .read = m->records ? NULL : map_read,
        .open = map_open,
        .close = map_close,
    };

    return k;
}

/* ---- the list -------------------------------------------------------- */

static ait_code add_kind(ait_log_kinds *k, ait_log_kind kind, ait_error *err)
{
    int i = 0;

    while (i < k->count && strcmp(k->kind[i].name, kind.name) != 0)
        i++;
    if (i == AIT_LOG_KINDS_MAX) {
        ait_map_free((ait_map *)(uintptr_t)kind.map);
        return ait_fail(err, AIT_EUSAGE, "more than %d mapping files",
                        AIT_LOG_KINDS_MAX);
    }
    if (i < k->count) /* the user's file in place of a built-in one */
        ait_map_free((ait_map *)(uintptr_t)k->kind[i].map);
    else
        k->count++;
    k->kind[i] = kind;
    k->newest = i;
    return AIT_OK;
}

static ait_code add_text(ait_log_kinds *k, const char *name, const char *text,
                         size_t n, ait_error *err)
{
    ait_map *m = ait_map_read(name, text, n, NULL, err);

    return m ? add_kind(k, ait_log_kind_of(m), err) : err->code;
}

static ait_code add_built_in(ait_log_kinds *k, ait_error *err)
{
    ait_code code = add_kind(k, ait_native_log, err);
    size_t i;

    for (i = 0; ait_format_files[i].name && code == AIT_OK; i++)
        code = add_text(k, ait_format_files[i].name,
                        (const char *)ait_format_files[i].bytes,
                        ait_format_files[i].size, err);
    return code;
}

static ait_code fail_file(ait_error *err, const char *path, const char *reason)
{
    ait_fail(err, AIT_EUSAGE, "cannot read the mapping file");
    ait_error_reason(err, "%s", reason);
    ait_error_place(err, path, 0, 0, -1);
    return AIT_EUSAGE;
}

ait_code ait_map_file_text(const char *path, ait_buf *text, ait_error *err)
{
    FILE *f = fopen(path, "rb");
    char piece[4096];
    size_t n;
    bool bad, full = false;

    if (!f)
        return fail_file(err, path, strerror(errno));
    ait_buf_init(text, FILE_MAX);
    while (!full && (n = fread(piece, 1, sizeof piece, f)) > 0)
        full = !ait_buf_add(text, piece, n);
    bad = ferror(f) != 0;
    fclose(f);
    if (!bad && !full)
        return AIT_OK;
    ait_buf_free(text);
    return fail_file(err, path,
                     bad ? "reading failed" : "it is larger than 4 MiB");
}

static ait_code add_file(ait_log_kinds *k, const char *path, ait_error *err)
{
    ait_buf text;
    ait_code code = ait_map_file_text(path, &text, err);

    if (code != AIT_OK)
        return code;
    code = add_text(k, path, text.data ? text.data : "", text.len, err);
    ait_buf_free(&text);
    if (code == AIT_OK)
        k->kind[k->newest].from_user = true;
    else if (code == AIT_EUSAGE)
        ait_error_hint(err, "aitrace formats check FILE shows the place and "
                            "what may stand there");
    return code;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_mapping(const char *name)
{
    size_t n = strlen(name);

    return *name != '.' && n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* Names of the mapping files of a folder, sorted, so that the order never
 * depends on the file system. */
static size_t list_folder(DIR *d, char **names, size_t max)
{
    struct dirent *e;
    size_t n = 0;

    while (n < max && (e = readdir(d)) != NULL)
        if (is_mapping(e->d_name)) {
            names[n] = ait_alloc(strlen(e->d_name) + 1);
            if (names[n])
                strcpy(names[n++], e->d_name);
        }
    qsort(names, n, sizeof *names, by_name);
    return n;
}

static ait_code add_folder(ait_log_kinds *k, const char *folder,
                           ait_error *err)
{
    char *names[AIT_LOG_KINDS_MAX], path[PATH_ROOM];
    DIR *d = opendir(folder);
    ait_code code = AIT_OK;
    size_t n, i;

    if (!d)
        return errno == ENOENT || errno == ENOTDIR
                   ? AIT_OK
                   : fail_file(err, folder, strerror(errno));
    n = list_folder(d, names, AIT_LOG_KINDS_MAX);
    closedir(d);
    for (i = 0; i < n; i++) {
        int len = snprintf(path, sizeof path, "%s/%s", folder, names[i]);

        if (code == AIT_OK && len > 0 && (size_t)len < sizeof path)
            code = add_file(k, path, err);
        free(names[i]);
    }
    return code;
}

ait_code ait_log_kinds_load(ait_log_kinds *k, const ait_input_options *o,
                            ait_error *err)
{
    const char *const *folder = o->format_folders;
    ait_code code;

    memset(k, 0, sizeof *k);
    k->kind = ait_alloc(AIT_LOG_KINDS_MAX * sizeof *k->kind);
    if (!k->kind)
        return ait_fail(err, AIT_ENOMEM, "out of memory for mappings");
    if (o->map) {
        code = add_kind(k, ait_log_kind_of(o->map), err);
        k->borrowed = true;
        k->forced = &k->kind[0];
        return code;
    }
    if (o->format && !o->map_file && strcmp(o->format, "native") == 0)
        return add_kind(k, ait_native_log, err);
    code = add_built_in(k, err);
    for (; folder && *folder && code == AIT_OK; folder++)
        code = add_folder(k, *folder, err);
    if (code != AIT_OK || !o->map_file)
        return code;
    code = add_file(k, o->map_file, err);
    if (code == AIT_OK)
        k->forced = &k->kind[k->newest];
    return code;
}

void ait_log_kinds_free(ait_log_kinds *k)
{
    int i;

    for (i = 0; i < k->count && !k->borrowed; i++)
        ait_map_free((ait_map *)(uintptr_t)k->kind[i].map);
    free(k->kind);
    memset(k, 0, sizeof *k);
}

const ait_log_kind *ait_log_kind_named(const ait_log_kinds *k,
                                       const char *name)
{
    int i;

    for (i = 0; i < k->count; i++)
        if (strcmp(k->kind[i].name, name) == 0)
            return &k->kind[i];
    return NULL;
}

/* ---- the list for people --------------------------------------------- */

static ait_format_info info_of(const ait_log_kind *k)
{
    const ait_map *m = k->map;

    return (ait_format_info){m->name, m->title ? m->title : "",
                             m->about ? m->about : "", false,
                             k->from_user ? m->file : NULL};
}

/* Readable rows, then mappings; what stands in place of the native log is
 * one of those. */
static size_t list_infos(ait_format_info *info, const ait_log_kinds *k)
{
    size_t n = 0;
    int i;

    for (i = 0; ait_format_rows[i]; i++)
        info[n++] = ait_format_rows[i]->info;
    for (i = 0; i < k->count; i++)
        if (k->kind[i].map)
            info[n++] = info_of(&k->kind[i]);
    return n;
}

ait_code ait_format_list_load(ait_format_list *l,
                              const char *const *folders, ait_error *err)
{
    ait_input_options o = {.format_folders = folders};
    ait_code code;

    l->kinds = ait_alloc(sizeof *l->kinds);
    l->info = ait_alloc(sizeof *l->info * (AIT_LOG_KINDS_MAX + 8));
    if (!l->kinds || !l->info)
        return ait_fail(err, AIT_ENOMEM, "out of memory for mappings");
    code = ait_log_kinds_load(l->kinds, &o, err);
    l->count = list_infos(l->info, l->kinds);
    return code;
}

void ait_format_list_free(ait_format_list *l)
{
    if (l->kinds)
        ait_log_kinds_free(l->kinds);
    free(l->kinds);
    free(l->info);
    memset(l, 0, sizeof *l);
}

size_t ait_formats(const ait_format_info **out)
{
    static ait_format_list built_in; /* for good */
    ait_error err; /* built-in mappings are tested to be readable */

    if (!built_in.count)
        ait_format_list_load(&built_in, NULL, &err);
    *out = built_in.info;
    return built_in.count;
}
