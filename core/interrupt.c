#include "core/interrupt.h"

#include "core/file.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t received;

static void on_signal(int number) {
    if (received) {
        file_remove_temporary();
        _exit(128 + number);
    }
    received = number;
}

void interrupt_watch(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int interrupt_signal(void) {
    return received;
}

bool interrupt_check(const char *what, struct error *error) {
    if (!received)
        return true;
    return error_set(error, ERROR_INTERRUPTED, what,
                     "Run the same command again; what was finished is kept.",
                     "interrupted by signal %d", (int)received);
}
