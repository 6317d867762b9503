/* Where traces come from: the database, or files that are read into memory
 * for this one command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/context.h"

struct cmd_source {
    ait_importer importer;
};

/* ---- reading files ----------------------------------------------------- */

static void say_summary(cmd_context *c, const char *file,
                        const ait_imported *got, const ait_issue_set *issues)
{
    ait_import_summary s = {file, &got->report, &got->counts, issues};
    ait_buf line;
    ait_buf_init(&line, 1u << 20);
    if (ait_render_import(&line, &s, &c->style))
        fwrite(line.data, 1, line.len, stderr);
    ait_buf_free(&line);
}

int cmd_threads(const cmd_context *c)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (ait_has(c->args.threads))
        return (int)c->args.threads;
    return n < CMD_THREADS_MOST ? (int)n : CMD_THREADS_MOST;
}

/* Why nothing could be read, as far as it is seen from here. */
static void explain(cmd_context *c, const char *file,
                    const ait_imported *got, cmd_tell tell)
{
    static const ait_issue_set none;
    const ait_issue_set *issues = &got->report.issues;
    ait_error *err = &c->err;
    struct stat st;
    if (stat(file, &st) == 0 && S_ISDIR(st.st_mode))
        ait_error_hint(err, "name the files in it");
    else if (!*err->hint && c->args.format)
        ait_error_hint(err, "is it %s? without --format the content decides",
                       c->args.format);
    if (*got->report.format && memcmp(issues, &none, sizeof none) != 0 &&
        tell != CMD_TELL_NOTHING) /* what became of its lines */
        say_summary(c, file, got, issues);
}

ait_code cmd_import_file(cmd_context *c, ait_importer *im, const char *file,
                         ait_imported *got, cmd_tell tell)
{
    cmd_progress progress;
    ait_input_options o = {.format = c->args.format,
                           .map_file = c->args.map,
                           .format_folders = c->format_folders,
                           .threads = cmd_threads(c),
                           .progress = cmd_progress_step,
                           .progress_ctx = &progress};
    cmd_progress_init(&progress, c, file, got);
    ait_code rc = ait_importer_file(im, file, &o, got, &c->err);
    cmd_progress_end(&progress);
    if (rc == AIT_EINTR) {
        ait_fail(&c->err, rc, "interrupted");
        ait_error_reason(&c->err, "%s was rolled back, nothing of it is "
                         "kept", file);
        return rc;
    }
    if (rc == AIT_EINPUT)
        explain(c, file, got, tell);
    if (rc != AIT_OK)
        return rc;
    if (ait_file_lost(&got->report))
        c->lost = true;
    /* what was lost is told whatever -q says: the exit status is 3 */
    if ((ait_file_lost(&got->report) && tell != CMD_TELL_NOTHING) ||
        (tell == CMD_TELL_ALL && !c->args.quiet))
        say_summary(c, file, got, &got->issues);
    return AIT_OK;
}

/* ---- opening ----------------------------------------------------------- */

/* The files of --from; each is told of once, however often it is read. */
static ait_code read_files(cmd_context *c, ait_importer *im)
{
    ait_imported *got = ait_alloc(sizeof *got);
    ait_code rc = got ? AIT_OK
                      : ait_fail(&c->err, AIT_ENOMEM, "out of memory");
    im->limits = c->limits;
    for (int i = 0; rc == AIT_OK && i < c->args.from.n; i++) {
        rc = cmd_import_file(c, im, c->args.from.value[i], got,
                             i < c->told ? CMD_TELL_NOTHING : CMD_TELL_LOST);
        if (rc == AIT_OK && c->told == i)
            c->told++;
    }
    free(got);
    return rc;
}

ait_code cmd_source_open(cmd_context *c, cmd_source **out)
{
    cmd_source *s = ait_alloc(sizeof *s);
    *out = s;
    if (!s)
        return ait_fail(&c->err, AIT_ENOMEM, "out of memory");
    if (c->args.from.n == 0)
        return ait_store_open(c->db, AIT_STORE_READ, &s->importer.store,
                              &s->importer.created, &c->err);
    ait_code rc = ait_importer_open(&s->importer, NULL, AIT_STORE_MEMORY,
                                    &c->err);
    return rc == AIT_OK ? read_files(c, &s->importer) : rc;
}

void cmd_source_close(cmd_source *s)
{
    if (!s)
        return;
    ait_importer_close(&s->importer);
    free(s);
}

ait_code cmd_with_source(cmd_context *c,
                         ait_code (*work)(cmd_context *c, cmd_source *s))
{
    cmd_source *s;
    ait_code rc = cmd_source_open(c, &s);
    if (rc == AIT_OK)
        rc = work(c, s);
    cmd_source_close(s);
    return rc;
}

/* ---- straight from the files -------------------------------------------- */

/* Standard input can be read once. */
static bool again_readable(const cmd_list *files)
{
    for (int i = 0; i < files->n; i++)
        if (strcmp(files->value[i], "-") == 0)
            return false;
    return true;
}

bool cmd_direct_can(const cmd_context *c, bool *once)
{
    *once = !again_readable(&c->args.from);
    return c->args.from.n > 0 && ait_direct_can(&c->args.sel) &&
           (c->args.from.n == 1 || !*once);
}

ait_code cmd_direct_each(cmd_context *c, ait_judged_fn *fn, void *ctx,
                         bool *needs_store)
{
    ait_direct direct = {.sel = &c->args.sel, .fn = fn, .ctx = ctx,
                         .several = c->args.from.n > 1};
    ait_importer im = {.direct = &direct};
    ait_code rc = read_files(c, &im);
    ait_direct_forget(&direct);
    *needs_store = direct.needs_store;
    if (*needs_store)
        ait_error_clear(&c->err);
    return *needs_store ? AIT_OK : rc;
}

/* ---- giving ------------------------------------------------------------ */

/* The stored findings are those of the default limits. With --thresholds a
 * finding is looked for in the verdict instead, and what the store would
 * have cut off is cut off here. */
static bool finding_here(const cmd_context *c)
{
    return c->args.sel.finding && c->args.thresholds;
}

static ait_selection store_selection(const cmd_context *c)
{
    ait_selection sel = c->args.sel;
    if (finding_here(c)) {
        sel.finding = NULL;
        sel.limit = 0;
    }
    return sel;
}

typedef struct giver {
    cmd_context *c;
    cmd_take *take;
    void *ctx;
    int rule;      /* the finding wanted, -1: any trace */
    int64_t given;
    ait_verdict verdict;
} giver;

static bool wanted(const giver *g)
{
    uint32_t mask = ait_verdict_mask(&g->verdict, AIT_BY_LIMIT) |
                    ait_verdict_mask(&g->verdict, AIT_BY_SHARE);
    if (g->rule < 0)
        return true;
    int64_t limit = g->c->args.sel.limit;
    return (mask >> g->rule & 1) && (limit == 0 || g->given < limit);
}

static int give(void *ctx, ait_trace *t)
{
    giver *g = ctx;
    if (cmd_signal())
        return (int)ait_fail(&g->c->err, AIT_EINTR, "interrupted");
    ait_judge(t, &g->c->limits, &g->verdict);
    if (!wanted(g))
        return AIT_OK;
    g->given++;
    return (int)g->take(g->ctx, t, &g->verdict);
}

static ait_code each(cmd_context *c, cmd_source *s, const ait_selection *sel,
                     unsigned need, giver *g)
{
    g->rule = -1;
    if (finding_here(c))
        g->rule = ait_rule_find(c->args.sel.finding);
    return ait_store_each(s->importer.store, sel, need, give, g, &c->err);
}

ait_code cmd_source_each(cmd_context *c, cmd_source *s, unsigned need,
                         cmd_take *take, void *ctx)
{
    ait_selection sel = store_selection(c);
    giver *g = ait_alloc(sizeof *g);
    if (!g)
        return ait_fail(&c->err, AIT_ENOMEM, "out of memory");
    g->c = c;
    g->take = take;
    g->ctx = ctx;
    ait_code rc = each(c, s, &sel, need, g);
    free(g);
    return rc;
}

static int give_stored(void *ctx, ait_trace *t, const ait_verdict *v)
{
    giver *g = ctx;
    if (cmd_signal())
        return (int)ait_fail(&g->c->err, AIT_EINTR, "interrupted");
    return (int)g->take(g->ctx, t, v);
}

ait_code cmd_source_each_stored(cmd_context *c, cmd_source *s, unsigned need,
                                cmd_take *take, void *ctx)
{
    giver g = {.c = c, .take = take, .ctx = ctx};
    if (c->args.thresholds)
        return cmd_source_each(c, s, CMD_NEED, take, ctx);
    return ait_store_each_judged(s->importer.store, &c->args.sel, need,
                                 give_stored, &g, &c->err);
}

ait_code cmd_source_count(cmd_context *c, cmd_source *s, int64_t *n)
{
    ait_selection sel = store_selection(c);
    sel.limit = 0;
    return ait_store_count(s->importer.store, &sel, n, &c->err);
}

ait_code cmd_source_id(void *ctx, int64_t row, char *out)
{
    cmd_source *s = ctx;
    ait_error err = {0};
    return ait_store_request_id(s->importer.store, row, out, &err);
}

/* ---- the slowest ------------------------------------------------------- */

typedef struct slow {
    int64_t took, row;
} slow;

typedef struct slowest {
    slow *top; /* sorted, the slowest first */
    int64_t n, room;
} slowest;

/* Absent counts as faster than everything: it is not known to be slow. */
static ait_code keep_slow(void *ctx, ait_trace *t, const ait_verdict *v)
{
    slowest *s = ctx;
    slow one = {ait_whole_time(t), t->row};
    (void)v;
    if (s->n == s->room && s->top[s->n - 1].took >= one.took)
        return AIT_OK;
    int64_t at = s->n < s->room ? s->n++ : s->n - 1;
    for (; at > 0 && s->top[at - 1].took < one.took; at--)
        s->top[at] = s->top[at - 1];
    s->top[at] = one;
    return AIT_OK;
}

/* Each of them again, whole, in order. */
static ait_code give_rows(cmd_context *c, cmd_source *s,
                          const slowest *slow_ones, unsigned need, giver *g)
{
    ait_code rc = AIT_OK;
    for (int64_t i = 0; rc == AIT_OK && i < slow_ones->n; i++) {
        ait_selection sel;
        char where[64];
        ait_selection_init(&sel);
        snprintf(where, sizeof where, "row = %lld",
                 (long long)slow_ones->top[i].row);
        sel.where = where;
        rc = each(c, s, &sel, need, g);
    }
    return rc;
}

ait_code cmd_source_slowest(cmd_context *c, cmd_source *s, int64_t n,
                            unsigned need, cmd_take *take, void *ctx)
{
    int64_t all;
    ait_code rc = cmd_source_count(c, s, &all);
    if (rc != AIT_OK)
        return rc;
    slowest top = {.room = n < all ? n : all};
    top.top = ait_alloc(sizeof *top.top * ((size_t)top.room + 1));
    giver *g = ait_alloc(sizeof *g);
    if (!g || !top.top) {
        rc = ait_fail(&c->err, AIT_ENOMEM, "out of memory");
    } else if (top.room > 0) {
        c->args.sel.limit = 0;
        if (!c->args.sel.sort) /* decides among equally slow ones only */
            c->args.sel.sort = "row";
        rc = cmd_source_each_stored(c, s, AIT_NEED_LEAN | AIT_NEED_TIMING |
                                    AIT_NEED_MEASURES, keep_slow, &top);
        *g = (giver){.c = c, .take = take, .ctx = ctx};
        if (rc == AIT_OK)
            rc = give_rows(c, s, &top, need, g);
    }
    free(g);
    free(top.top);
    return rc;
}
