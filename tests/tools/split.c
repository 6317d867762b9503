/*
 * Every file again at every block size: the traces must be the same.
 *
 *   split FILE…      one TAP line a file
 */
#include "harness.h"
#include "pipeline.h"

/* All sizes up to here, then a few. */
#define EVERY 160
static const size_t more[] = {255, 256, 257, 499, 1000, 4096, 0};

static bool at_size(const char *name, const char *bytes, size_t n,
                    const pipeline *want, ait_code want_rc, size_t block)
{
    pipeline p;
    ait_code rc = pipeline_run(&p, name, bytes, n, block);
    bool same = rc == want_rc && p.out.len == want->out.len &&
                (p.out.len == 0 ||
                 !memcmp(p.out.data, want->out.data, p.out.len)) &&
                !memcmp(&p.report.issues, &want->report.issues,
                        sizeof p.report.issues);

    if (!same)
        printf("# %s differs in blocks of %zu bytes\n", name, block);
    pipeline_free(&p);
    return same;
}

static bool one(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t n;
    char *bytes = pipeline_file(path, &n);
    pipeline whole;
    bool same = true;
    ait_code rc;

    if (!bytes) {
        printf("# %s cannot be read\n", path);
        return false;
    }
    rc = pipeline_run(&whole, name, bytes, n, 0);
    for (size_t b = 1; same && b <= EVERY && b < n; b++)
        same = at_size(name, bytes, n, &whole, rc, b);
    for (size_t i = 0; same && more[i]; i++)
        same = at_size(name, bytes, n, &whole, rc, more[i]);
    pipeline_free(&whole);
    free(bytes);
    return same;
}

int main(int argc, char **argv)
{
    int bad = 0;

    for (int i = 1; i < argc; i++) {
        bool same = one(argv[i]);
        bad += !same;
        printf("%sok %d - split %s\n", same ? "" : "not ", i, argv[i]);
    }
    printf("1..%d\n", argc - 1);
    return bad ? 1 : 0;
}
