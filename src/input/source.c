/* Reading: files, standard input, memory; plain or gzip. */
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK_DEFAULT (64u << 10)
#define BLOCK_MAX (1u << 30)
#define GZIP_WINDOW (15 + 16) /* largest window, gzip header expected */

typedef enum gzip_state {
    GZ_PLAIN,   /* not gzip: blocks go through as they are */
    GZ_MEMBER,  /* inside a member */
    GZ_BETWEEN, /* after a member: another one, padding or the end */
    GZ_MAGIC,   /* between, first byte of a magic seen */
    GZ_OVER     /* nothing more is read */
} gzip_state;

struct ait_source {
    const char *name;
    const ait_input_options *options;
    ait_file_report *report;
    ait_error *err;
    int fd; /* -1: memory */
    bool owns_fd;
    const char *mem; /* memory, not yet given */
    size_t mem_left;
    char *in, *out; /* buffers of `block` bytes; out only for gzip */
    size_t block;
    const char *peek; /* first piece, read to see the magic */
    size_t peeked;
    int64_t size; /* of the file, -1 not known */
    gzip_state gzip;
    z_stream z;
    bool inflating; /* z is initialised */
};

static ait_code fail_errno(ait_source *s, const char *what)
{
    int saved = errno;
    ait_fail(s->err, AIT_EINPUT, "%s", what);
    ait_error_reason(s->err, "%s", strerror(saved));
    ait_error_place(s->err, s->name, 0, 0, -1);
    return AIT_EINPUT;
}

static ait_code no_memory(ait_error *err)
{
    return ait_fail(err, AIT_ENOMEM, "out of memory while reading");
}

static ait_code tell_progress(ait_source *s)
{
    const ait_input_options *o = s->options;

    if (!o || !o->progress ||
        o->progress(o->progress_ctx, s->report->bytes, s->size) == 0)
        return AIT_OK;
    return ait_fail(s->err, AIT_EINTR, "interrupted");
}

/* One read(2) that is not cut short by a signal, unless the caller's
 * progress function says that this signal means stop. */
static ait_code read_some(ait_source *s, char *to, size_t room, size_t *got)
{
    for (;;) {
        ssize_t r = read(s->fd, to, room);
        ait_code code;

        if (r >= 0) {
            *got = (size_t)r;
            return AIT_OK;
        }
        if (errno != EINTR)
            return fail_errno(s, "cannot read");
        code = tell_progress(s);
        if (code != AIT_OK)
            return code;
    }
}

/* The next piece of the file as it is, read into `room` if it is read. */
static ait_code raw_next(ait_source *s, char *room, const char **p, size_t *n)
{
    ait_code code = AIT_OK;

    if (s->peeked) {
        *p = s->peek;
        *n = s->peeked;
        s->peeked = 0;
        return AIT_OK;
    }
    if (s->fd < 0) {
        *p = s->mem;
        *n = s->mem_left < s->block ? s->mem_left : s->block;
        s->mem += *n;
        s->mem_left -= *n;
    } else {
        *p = room;
        code = read_some(s, room, s->block, n);
    }
    if (code != AIT_OK)
        return code;
    s->report->bytes += (int64_t)*n;
    return tell_progress(s);
}

/* The first piece, at least two bytes of it where there are that many. */
static ait_code peek_first(ait_source *s)
{
    const char *p = NULL;
    size_t have = 0, n = 0;

    do {
        ait_code code = raw_next(s, s->in, &p, &n);

        if (code != AIT_OK)
            return code;
        if (s->fd < 0) { /* pieces of memory are neighbours */
            s->peek = have ? s->peek : p;
        } else {
            memmove(s->in + s->block + have, p, n);
            s->peek = s->in + s->block;
        }
        have += n;
    } while (n && have < 2);
    s->peeked = have;
    return AIT_OK;
}

static bool is_gzip(const char *p, size_t n)
{
    return n >= 2 && (unsigned char)p[0] == 0x1f &&
           (unsigned char)p[1] == 0x8b;
}

static ait_code start_gzip(ait_source *s)
{
    if (!is_gzip(s->peek, s->peeked))
        return AIT_OK;
    s->out = ait_alloc_pages(s->block);
    if (!s->out || inflateInit2(&s->z, GZIP_WINDOW) != Z_OK)
        return no_memory(s->err);
    s->inflating = true;
    s->gzip = GZ_MEMBER;
    return AIT_OK;
}

static size_t block_size(const ait_input_options *o)
{
    size_t block = o && o->block ? o->block : BLOCK_DEFAULT;

    return block < BLOCK_MAX ? block : BLOCK_MAX;
}

static ait_source *source_new(const char *name, const ait_input_options *o,
                              ait_file_report *report, ait_error *err)
{
    ait_source *s = ait_alloc(sizeof *s);

    if (!s) {
        no_memory(err);
        return NULL;
    }
    s->name = name;
    s->options = o;
    s->report = report;
    s->err = err;
    s->fd = -1;
    s->size = -1;
    s->block = block_size(o);
    return s;
}

static ait_source *ready(ait_source *s)
{
    ait_code code = peek_first(s);

    if (code == AIT_OK)
        code = start_gzip(s);
    if (code == AIT_OK)
        return s;
    ait_source_close(s);
    return NULL;
}

static ait_code open_fd(ait_source *s, const char *path)
{
    struct stat st;

    s->owns_fd = strcmp(path, "-") != 0;
    s->fd = s->owns_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (s->fd < 0 || fstat(s->fd, &st) != 0)
        return fail_errno(s, "cannot open");
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return fail_errno(s, "cannot read");
    }
    if (S_ISREG(st.st_mode))
        s->size = (int64_t)st.st_size;
    /* twice the block: the second half keeps the first piece */
    s->in = ait_alloc_pages(2 * s->block + 2);
    return s->in ? AIT_OK : no_memory(s->err);
}

ait_source *ait_source_open(const char *path, const ait_input_options *o,
                            ait_file_report *report, ait_error *err)
{
    ait_source *s = source_new(path, o, report, err);

    if (!s)
        return NULL;
    if (open_fd(s, path) != AIT_OK) {
        ait_source_close(s);
        return NULL;
    }
    return ready(s);
}

ait_source *ait_source_bytes(const char *name, const void *bytes, size_t n,
                             const ait_input_options *o,
                             ait_file_report *report, ait_error *err)
{
    ait_source *s = source_new(name, o, report, err);

    if (!s)
        return NULL;
    s->mem = bytes;
    s->mem_left = n;
    s->size = (int64_t)n;
    return ready(s);
}

void ait_source_close(ait_source *s)
{
    if (!s)
        return;
    if (s->inflating)
        inflateEnd(&s->z);
    if (s->owns_fd && s->fd >= 0)
        close(s->fd);
    free(s->in);
    free(s->out);
    free(s);
}

bool ait_source_is_file(const ait_source *s)
{
    return s->owns_fd && s->size >= 0;
}

size_t ait_source_block(const ait_source *s)
{
    return s->block;
}

int64_t ait_source_size(const ait_source *s)
{
    return s->size;
}

void ait_source_tell(ait_source *s, const ait_input_options *o,
                     ait_file_report *report, ait_error *err)
{
    s->options = o;
    s->report = report;
    s->err = err;
}

/* ---- gzip ------------------------------------------------------------ */

static void over(ait_source *s, ait_issue_id why)
{
    ait_file_issue(s->report, why, 0);
    s->gzip = GZ_OVER;
}

/* What follows a member: zeros are padding, a magic is the next member,
 * anything else is no gzip and ends the reading. */
static void between_members(ait_source *s)
{
    static const unsigned char magic[2] = {0x1f, 0x8b};

    while (s->z.avail_in) {
        unsigned char c = *s->z.next_in;

        if (s->gzip == GZ_BETWEEN && c != 0 && c != magic[0]) {
            over(s, AIT_I_TRAILING_BYTES);
            return;
        }
        if (s->gzip == GZ_MAGIC && c != magic[1]) {
            over(s, AIT_I_TRAILING_BYTES);
            return;
        }
        s->z.next_in++;
        s->z.avail_in--;
        if (s->gzip == GZ_MAGIC) {
            s->gzip = GZ_MEMBER;
            return;
        }
        if (c == magic[0])
            s->gzip = GZ_MAGIC;
    }
}

/* A new member begins: the two magic bytes are already taken, so the
 * inflater gets them from here before the rest. */
static bool next_member(ait_source *s)
{
    static const unsigned char magic[2] = {0x1f, 0x8b};
    const unsigned char *rest = s->z.next_in;
    uInt left = s->z.avail_in;
    int r = inflateReset(&s->z);

    s->z.next_in = (z_const Bytef *)(uintptr_t)magic;
    s->z.avail_in = 2;
    if (r == Z_OK)
        r = inflate(&s->z, Z_NO_FLUSH);
    s->z.next_in = (z_const Bytef *)(uintptr_t)rest;
    s->z.avail_in = left;
    return r == Z_OK;
}

static ait_code more_input(ait_source *s, bool *end)
{
    const char *p;
    size_t n;
    ait_code code = raw_next(s, s->in, &p, &n);

    if (code != AIT_OK)
        return code;
    *end = n == 0;
    s->z.next_in = (z_const Bytef *)(uintptr_t)p;
    s->z.avail_in = (uInt)n;
    return AIT_OK;
}

/* The file ended: inside a member it was cut, after half a magic there
 * was one byte too many. */
static void input_ended(ait_source *s)
{
    if (s->gzip == GZ_MEMBER)
        over(s, AIT_I_COMPRESSED_INPUT_CUT);
    else if (s->gzip == GZ_MAGIC)
        over(s, AIT_I_TRAILING_BYTES);
    else
        s->gzip = GZ_OVER;
}

/* Inflates what is there; *stuck: it takes more input to go on. */
static ait_code inflate_step(ait_source *s, bool *stuck)
{
    int r = inflate(&s->z, Z_NO_FLUSH);

    if (r == Z_MEM_ERROR)
        return no_memory(s->err);
    *stuck = r == Z_BUF_ERROR;
    if (r == Z_STREAM_END)
        s->gzip = GZ_BETWEEN;
    else if (r != Z_OK && !*stuck) /* damaged: keep what came */
        over(s, AIT_I_COMPRESSED_INPUT_CUT);
    return AIT_OK;
}

static ait_code gzip_step(ait_source *s)
{
    bool stuck = false, end = false;

    if (s->gzip == GZ_MEMBER) {
        /* also without input: the inflater may hold output back */
        ait_code code = inflate_step(s, &stuck);

        if (code != AIT_OK || !stuck)
            return code;
    }
    if (s->z.avail_in == 0) {
        ait_code code = more_input(s, &end);

        if (end)
            input_ended(s);
        if (code != AIT_OK || end || s->gzip == GZ_MEMBER)
            return code;
    }
    between_members(s);
    if (s->gzip == GZ_MEMBER && !next_member(s))
        over(s, AIT_I_COMPRESSED_INPUT_CUT);
    return AIT_OK;
}

static ait_code gzip_next(ait_source *s, char *room, const char **p,
                          size_t *n)
{
    s->z.next_out = (Bytef *)room;
    s->z.avail_out = (uInt)s->block;
    while (s->z.avail_out && s->gzip != GZ_OVER) {
        ait_code code = gzip_step(s);

        if (code != AIT_OK)
            return code;
    }
    *p = room;
    *n = s->block - s->z.avail_out;
    return AIT_OK;
}

ait_code ait_source_next_into(ait_source *s, char *room, const char **p,
                              size_t *n)
{
    if (s->gzip == GZ_PLAIN)
        return raw_next(s, room, p, n);
    return gzip_next(s, room, p, n);
}

ait_code ait_source_next(ait_source *s, const char **p, size_t *n)
{
    return ait_source_next_into(s, s->gzip == GZ_PLAIN ? s->in : s->out, p,
                                n);
}
