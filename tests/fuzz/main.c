/*
 * Runs a fuzz target without a fuzzer: over files, then over mutations of
 * them that are the same on every machine.
 *
 *   replay-NAME [-n MUTATIONS] [-t SECONDS] FILE…
 *
 * A finding ends the program (sanitizer, abort); the input that did it lies
 * in finding.bin of the current folder, written before it is tried.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX (1u << 20)
#define INPUTS_MAX 512

static struct {
    uint8_t *bytes;
    size_t n;
} input[INPUTS_MAX];
static int inputs;
static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? state % below : 0;
}

static void take(const char *path)
{
    FILE *f = fopen(path, "rb");

    if (!f || inputs == INPUTS_MAX) {
        if (f)
            fclose(f);
        return;
    }
    input[inputs].bytes = malloc(INPUT_MAX);
    if (input[inputs].bytes) {
        input[inputs].n = fread(input[inputs].bytes, 1, INPUT_MAX, f);
        inputs++;
    }
    fclose(f);
}

/* A copy of exactly its size, so that one byte too far is seen. */
static void try_one(const uint8_t *bytes, size_t n, int keep)
{
    uint8_t *copy = malloc(n ? n : 1);

    if (!copy)
        return;
    memcpy(copy, bytes, n);
    if (keep) {
        FILE *f = fopen("finding.bin", "wb");
        if (f) {
            fwrite(copy, 1, n, f);
            fclose(f);
        }
    }
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static const char *const tokens[] = {
    "\"", "\\", "{", "}", "[", "]", ":", ",", "null", "true", "-1", "1e400",
    "9223372036854775808", "\n", "\r", "\r\n\r\n", "\n\n", "data:",
    "event:", "[DONE]", "\\u0000", "\\ud800", "\xef\xbb\xbf", "\xff",
    "\"ns\":", "\"att\":", "\"req\":", "<think>", "</think>",
};

static size_t put_token(uint8_t *b, size_t n, size_t at)
{
    const char *t = tokens[draw(sizeof tokens / sizeof *tokens)];
    size_t len = strlen(t);

    if (n + len > INPUT_MAX)
        return n;
    memmove(b + at + len, b + at, n - at);
    memcpy(b + at, t, len);
    return n + len;
}

static size_t cut_piece(uint8_t *b, size_t n, size_t at)
{
    size_t len = (size_t)draw(n - at < 64 ? n - at + 1 : 64);

    memmove(b + at, b + at + len, n - at - len);
    return n - len;
}

static size_t repeat_piece(uint8_t *b, size_t n, size_t at)
{
    size_t len = (size_t)draw(n - at < 400 ? n - at + 1 : 400);

    if (n + len > INPUT_MAX)
        return n;
    memmove(b + at + len, b + at, n - at);
    return n + len;
}

/* A piece of another input, so that formats meet. */
static size_t splice(uint8_t *b, size_t n, size_t at)
{
    int other = (int)draw((uint64_t)inputs);
    size_t from = (size_t)draw(input[other].n + 1);
    size_t len = (size_t)draw(300);

    if (from + len > input[other].n)
        len = input[other].n - from;
    if (at + len > INPUT_MAX)
        return n;
    memcpy(b + at, input[other].bytes + from, len);
    return at + len > n ? at + len : n;
}

static size_t mutate(uint8_t *b, size_t n)
{
    int steps = 1 + (int)draw(6);

    while (steps--) {
        size_t at = (size_t)draw(n + 1);
        switch (draw(6)) {
        case 0: n = put_token(b, n, at); break;
        case 1: n = cut_piece(b, n, at); break;
        case 2: n = repeat_piece(b, n, at); break;
        case 3: n = splice(b, n, at); break;
        case 4: n = at; break;
        default:
            if (at < n)
                b[at] ^= (uint8_t)(1u << draw(8));
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    static uint8_t work[INPUT_MAX];
    long count = 0, n;
    double seconds = 0;
    clock_t start;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n") && i + 1 < argc)
            count = atol(argv[++i]);
        else if (!strcmp(argv[i], "-t") && i + 1 < argc)
            seconds = atof(argv[++i]);
        else
            take(argv[i]);
    }
    for (int i = 0; i < inputs; i++)
        try_one(input[i].bytes, input[i].n, 1);
    start = clock();
    for (n = 0; inputs && (n < count || (double)(clock() - start) /
                                                CLOCKS_PER_SEC < seconds);
         n++) {
        int i = (int)draw((uint64_t)inputs);
        memcpy(work, input[i].bytes, input[i].n);
        try_one(work, mutate(work, input[i].n), 1);
    }
    printf("%d files, %ld mutations, no finding\n", inputs, n);
    for (int i = 0; i < inputs; i++)
        free(input[i].bytes);
    remove("finding.bin");
    return inputs ? 0 : 1;
}
