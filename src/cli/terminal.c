#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/term.h"
#include "cli/context.h"

/* ---- how text looks ---------------------------------------------------- */

static bool wants_colour(const cmd_context *c)
{
    const char *word = c->args.color ? c->args.color : "auto";
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (strcmp(word, "auto") != 0)
        return strcmp(word, "always") == 0;
    return !(no && *no) && term && strcmp(term, "dumb") != 0 &&
           ait_term_is(c->out.fd);
}

void cmd_style(cmd_context *c)
{
    c->style.utf8 = ait_term_utf8(getenv("LC_ALL"), getenv("LC_CTYPE"),
                                  getenv("LANG"));
    const char *columns = getenv("COLUMNS");
    c->style.width = ait_term_width(c->out.fd, columns);
    c->style.fit = (columns && *columns) || ait_term_is(c->out.fd);
    c->style.colour = wants_colour(c);
    c->style.local = c->args.local;
    c->style.ci = c->args.ci;
    c->style.share = c->args.share;
    c->style.from = c->once ? NULL : c->again;
}

/* ---- progress ---------------------------------------------------------- */

#define PROGRESS_AFTER (AIT_SEC / 2)
#define PROGRESS_EVERY (AIT_SEC / 5)

static int64_t now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * AIT_SEC + ts.tv_nsec;
}

void cmd_progress_init(cmd_progress *p, const cmd_context *c,
                       const char *file, const ait_imported *so_far)
{
    memset(p, 0, sizeof *p);
    p->file = file;
    p->so_far = so_far;
    p->began = p->drawn = now();
    p->on = !c->args.quiet && ait_term_is(STDERR_FILENO);
}

static void draw(cmd_progress *p, int64_t bytes, int64_t size, int64_t at)
{
    double seconds = (double)(at - p->began) / 1e9;
    double rate = (double)bytes / seconds;
    fprintf(stderr, "\r\033[K%.1f MB", (double)bytes / 1e6);
    if (size > 0)
        fprintf(stderr, " of %.1f MB", (double)size / 1e6);
    fprintf(stderr, ", %.1f MB/s, %lld requests", rate / 1e6,
            (long long)p->so_far->traces);
    if (size > bytes && rate > 0)
        fprintf(stderr, ", %.0f s left", (double)(size - bytes) / rate);
    fflush(stderr);
    p->visible = true;
}

int cmd_progress_step(void *ctx, int64_t bytes, int64_t size)
{
    cmd_progress *p = ctx;
    if (cmd_signal())
        return 1;
    if (!p->on)
        return 0;
    int64_t at = now();
    if (at - p->began < PROGRESS_AFTER || at - p->drawn < PROGRESS_EVERY)
        return 0;
    draw(p, bytes, size, at);
    p->drawn = at;
    return 0;
}

void cmd_progress_end(cmd_progress *p)
{
    if (p->visible)
        fputs("\r\033[K", stderr);
    p->visible = false;
}
