#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "cli/context.h"

static volatile sig_atomic_t caught;

static void remember(int signal)
{
    caught = signal;
}

void cmd_signals_init(void)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sigemptyset(&sa.sa_mask);
    sa.sa_handler = remember;
    sa.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    /* a closed pipe is a failed write, which is checked */
    sa.sa_handler = SIG_IGN;
    sa.sa_flags = 0;
    sigaction(SIGPIPE, &sa, NULL);
}

int cmd_signal(void)
{
    return caught;
}

/* The shell is to see what ended the program. */
_Noreturn void cmd_die_of(int signal)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sigemptyset(&sa.sa_mask);
    sa.sa_handler = SIG_DFL;
    sigaction(signal, &sa, NULL);
    raise(signal);
    _exit(128 + signal);
}
