#include "ledger/ledger.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 60000, LOCK_STEP_MS = 20 };

static const char *const folders[] = {"sources", "evidence", "decisions", "texts", "archive"};

/* What can be derived or is in use only now is not for version control. */
static const char ignored[] = ".lock\nindex.sqlite*\n*.tmp-*\n";

static struct span user_name(struct arena *arena) {
    const struct passwd *user = getpwuid(geteuid());
    if (user && user->pw_name[0])
        return arena_copy(arena, span_of(user->pw_name));
    return arena_printf(arena, "uid %ld", (long)geteuid());
}

static bool make_folders(struct ledger *ledger, struct error *error) {
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!folder_make(path_join(ledger->arena, ledger->folder, folders[i]), error))
            return false;
    const char *path = path_join(ledger->arena, ledger->folder, ".gitignore");
    return file_exists(path) || file_write_lightly(path, span_of(ignored), error);
}

/* Waits for other commands, but not for ever: one that hangs must not hang all. */
static bool lock_wait(struct ledger *ledger, const char *path, struct error *error) {
    int how = ledger->access == LEDGER_WRITE ? LOCK_EX : LOCK_SH;
    for (int waited = 0; flock(ledger->lock, how | LOCK_NB) != 0; waited += LOCK_STEP_MS) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_system(error, errno, path, "Use a file system that has file locks.",
                                "cannot lock the ledger");
        if (waited >= LOCK_WAIT_MS)
            return error_set(error, ERROR_SYSTEM, path,
                             "Wait for the other command, or end it, and run this one again.",
                             "another assay command has held the ledger for %d seconds",
                             LOCK_WAIT_MS / 1000);
        if (!interrupt_check("ledger", error))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = LOCK_STEP_MS * 1000000L}, NULL);
    }
    return true;
}

static bool lock(struct ledger *ledger, struct error *error) {
    const char *path = path_join(ledger->arena, ledger->folder, ".lock");
    bool writes = ledger->access == LEDGER_WRITE;
    ledger->lock =
        open(path, (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (ledger->lock < 0 && !writes && errno == ENOENT)
        return true; /* nobody has written here yet, or the files came without their lock */
    if (ledger->lock < 0)
        return error_system(error, errno, path, "Check the permissions of the folder.",
                            "cannot open the lock of the ledger");
    if (lock_wait(ledger, path, error))
        return true;
    ledger_close(ledger);
    return false;
}

bool ledger_open(struct arena *arena, const struct ledger_options *options, struct ledger *ledger,
                 struct error *error) {
    *ledger = (struct ledger){.arena = arena, .access = options->access, .lock = -1};
    ledger->folder = path_join(arena, options->workspace ? options->workspace : ".", "ledger");
    ledger->who =
        options->who && *options->who ? arena_copy(arena, span_of(options->who)) : user_name(arena);
    ledger->command = arena_copy(arena, span_of(options->command ? options->command : ""));
    if (utf8_first_invalid(ledger->who) != SIZE_MAX)
        return error_set(error, ERROR_USAGE, "--who", "Give the name in UTF-8.",
                         "the name is not UTF-8");
    if (options->access == LEDGER_WRITE && !make_folders(ledger, error))
        return false;
    if (!lock(ledger, error))
        return false;
    /* Behind the wait: the time of a change is when it happened. */
    ledger->now = clock_rfc3339(arena, clock_now());
    return true;
}

void ledger_close(struct ledger *ledger) {
    if (ledger->lock >= 0)
        close(ledger->lock);
    ledger->lock = -1;
}
