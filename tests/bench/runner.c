/*
 * Runs a command several times and prints the median of its wall time, of
 * its processor time (ms) and its peak memory (KiB).
 *
 *   runner TIMES COMMAND…       the command's output is thrown away
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TIMES_MAX 99

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double cpu(void)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    return seconds(u.ru_utime) + seconds(u.ru_stime);
}

static _Noreturn void child(char **command)
{
    int null = open("/dev/null", O_WRONLY);

    dup2(null, 1);
    dup2(null, 2);
    execvp(command[0], command);
    _exit(127);
}

int main(int argc, char **argv)
{
    double wall[TIMES_MAX], used[TIMES_MAX];
    struct rusage u;
    int times = argc > 2 ? atoi(argv[1]) : 0, status = 0;

    if (times < 1 || times > TIMES_MAX) {
        fprintf(stderr, "usage: runner TIMES COMMAND...\n");
        return 2;
    }
    for (int i = 0; i < times; i++) {
        struct timespec a, b;
        double before = cpu();
        pid_t pid;
        clock_gettime(CLOCK_MONOTONIC, &a);
        pid = fork();
        if (pid == 0)
            child(argv + 2);
        if (pid < 0 || waitpid(pid, &status, 0) < 0)
            return 1;
        clock_gettime(CLOCK_MONOTONIC, &b);
        wall[i] = (double)(b.tv_sec - a.tv_sec) +
                  (double)(b.tv_nsec - a.tv_nsec) / 1e9;
        used[i] = cpu() - before;
    }
    qsort(wall, (size_t)times, sizeof *wall, by_size);
    qsort(used, (size_t)times, sizeof *used, by_size);
    getrusage(RUSAGE_CHILDREN, &u);
    printf("%.0f %.0f %ld\n", wall[times / 2] * 1e3, used[times / 2] * 1e3,
           u.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
