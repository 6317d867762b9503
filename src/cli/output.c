#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/context.h"

#define SPILL (64u << 10)

static bool same_file(const struct stat *a, const char *path)
{
    struct stat b;
    return path && stat(path, &b) == 0 && a->st_dev == b.st_dev &&
           a->st_ino == b.st_ino && S_ISREG(a->st_mode);
}

/* -o must not wipe what the command is about to read. */
static bool is_source(const cmd_context *c, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    bool hit = same_file(&st, c->db) || same_file(&st, c->args.map) ||
               same_file(&st, c->args.thresholds);
    for (int i = 0; i < c->args.from.n; i++)
        hit = hit || same_file(&st, c->args.from.value[i]);
    for (int i = 0; i < c->args.operand.n; i++)
        hit = hit || same_file(&st, c->args.operand.value[i]);
    return hit;
}

static ait_code open_file(cmd_context *c, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0 && is_source(c, fd)) {
        close(fd);
        return ait_fail(&c->err, AIT_EUSAGE,
                        "-o names a file that is read: %s", path);
    }
    struct stat st;
    bool cut = fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
               ftruncate(fd, 0) == 0;
    if (fd < 0 || !cut) {
        ait_fail(&c->err, AIT_EOUTPUT, "cannot write %s", path);
        ait_error_reason(&c->err, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return AIT_EOUTPUT;
    }
    c->out.fd = fd;
    c->out.file = true;
    return AIT_OK;
}

ait_code cmd_output_open(cmd_context *c)
{
    ait_buf_init(&c->out.buf, CMD_DOCUMENT_MAX);
    c->out.fd = STDOUT_FILENO;
    return c->args.output ? open_file(c, c->args.output) : AIT_OK;
}

static ait_code write_failed(cmd_context *c)
{
    if (errno == EPIPE) {
        c->out.pipe_closed = true;
        return AIT_EOUTPUT;
    }
    ait_fail(&c->err, AIT_EOUTPUT, "cannot write %s",
             c->out.file ? c->args.output : "standard output");
    ait_error_reason(&c->err, "%s", strerror(errno));
    return AIT_EOUTPUT;
}

ait_code cmd_output_spill(cmd_context *c, bool force)
{
    ait_buf *b = &c->out.buf;
    size_t done = 0;
    if (!force && b->len < SPILL)
        return AIT_OK;
    while (done < b->len) {
        ssize_t n = write(c->out.fd, b->data + done, b->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return write_failed(c);
        done += (size_t)n;
    }
    ait_buf_clear(b);
    return AIT_OK;
}

/* Some file systems tell of a full disk only here. */
ait_code cmd_output_close(cmd_context *c)
{
    ait_buf_free(&c->out.buf);
    if (close(c->out.fd) != 0 && errno != EINTR)
        return write_failed(c);
    return AIT_OK;
}

ait_code cmd_rendered(cmd_context *c, bool ok)
{
    return ok ? AIT_OK : ait_fail(&c->err, AIT_ENOMEM, "out of memory");
}

void cmd_say(const cmd_context *c, const char *fmt, ...)
{
    char line[2 * sizeof c->again + 256]; /* "next" may name it twice */
    va_list ap;
    if (c->args.quiet)
        return;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    for (char *p = line; *p; p++)
        if (ait_control(p))
            memset(p, '?', ait_control(p));
    fprintf(stderr, "%s\n", line);
}

void cmd_complain(const ait_error *err)
{
    char line[1024];
    ait_error_line(err, line, sizeof line);
    fprintf(stderr, "aitrace: %s\n", line);
    if (*err->hint)
        fprintf(stderr, "aitrace: %s\n", err->hint);
}
