#include "ledger/index_files.h"

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool index_files_on_disk(struct ledger *ledger, const char *folder, char letter,
                         struct index_files *files, struct error *error) {
    struct ledger_names names;
    *files = (struct index_files){0};
    if (!ledger_names(ledger, folder, letter, &names, error))
        return false;
    const char *path = path_join(ledger->arena, ledger->folder, folder);
    int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return error_system(error, errno, path, "Check the permissions.", "cannot open folder");
    for (size_t i = 0; i < names.count; i++) {
        struct stat info;
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.*s.json", SPAN_ARG(names.items[i]));
        if (fstatat(at, name, &info, 0) != 0)
            continue;
        struct index_file file = {
            .id = names.items[i],
            .size = info.st_size,
            .mtime_ns = nanoseconds(info.st_mtim),
            .ctime_ns = nanoseconds(info.st_ctim),
            .inode = (int64_t)info.st_ino,
        };
        LIST_PUSH(ledger->arena, files->items, files->count, files->capacity, file);
    }
    close(at);
    return true;
}

bool index_file_same(const struct index_file *a, const struct index_file *b) {
    return a->size == b->size && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
           a->inode == b->inode;
}
