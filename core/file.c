#include "core/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one write in flight (writes are not concurrent inside a process). */
static char temporary_path[4096];

void file_remove_temporary(void) {
    if (temporary_path[0])
        unlink(temporary_path);
}

static bool open_regular(const char *path, enum error_kind kind, int *fd, struct error *error) {
    if (strcmp(path, "-") == 0) {
        *fd = STDIN_FILENO;
        return true;
    }
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        error_system(error, errno, path, "Check the name and the permissions.", "cannot read file");
        if (error)
            error->kind = kind;
        return false;
    }
    struct stat info;
    if (fstat(*fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode))) {
        fcntl(*fd, F_SETFL, 0); /* a FIFO is read like a file, so wait for its writer */
        return true;
    }
    close(*fd);
    return error_set(error, kind, path, "Name a file.", "expected a regular file, found %s",
                     S_ISDIR(info.st_mode) ? "a folder" : "a special file");
}

bool file_read(struct arena *arena, const char *path, size_t max_bytes, enum error_kind kind,
               struct span *text, struct error *error) {
    int fd;
    if (!open_regular(path, kind, &fd, error))
        return false;
    struct buffer whole = {0};
    bool ok = true;
    for (;;) {
        ssize_t got = read(fd, buffer_reserve(&whole, 1 << 16), 1 << 16);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            ok = error_system(error, errno, path, "Read it from another place.", "read failed");
        if (got <= 0)
            break;
        whole.len += (size_t)got;
        if (whole.len > max_bytes) {
            ok = error_set(error, kind, path, "Give a smaller file.",
                           "file is larger than the limit of %zu bytes", max_bytes);
            break;
        }
    }
    if (fd != STDIN_FILENO)
        close(fd);
    if (ok)
        *text = arena_copy(arena, buffer_span(&whole));
    buffer_free(&whole);
    return ok;
}

static bool write_all(int fd, struct span text) {
    for (size_t done = 0; done < text.len;) {
        ssize_t put = write(fd, text.at + done, text.len - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

static void sync_folder_of(const char *path) {
    char folder[sizeof temporary_path];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    int fd = open(folder[0] ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    /* Some file systems refuse fsync on folders; the rename itself is still atomic. */
    (void)!fsync(fd);
    close(fd);
}

static bool write_failed(struct error *error, int cause, const char *path) {
    file_remove_temporary();
    temporary_path[0] = '\0';
    const char *hint = cause == ENOSPC ? "Free space on the disk and run the command again."
                                       : "Choose a folder that can be written with --out.";
    return error_system(error, cause, path, hint, "cannot write file");
}

static bool write_renamed(const char *path, struct span text, bool durable, struct error *error) {
    int len = snprintf(temporary_path, sizeof temporary_path, "%s.tmp-%d", path, (int)getpid());
    if (len < 0 || (size_t)len >= sizeof temporary_path) {
        temporary_path[0] = '\0';
        return error_system(error, ENAMETOOLONG, path, "Use a shorter path.", "cannot write file");
    }
    int fd = open(temporary_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return write_failed(error, errno, path);
    bool ok = write_all(fd, text) && (!durable || fsync(fd) == 0);
    int cause = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        cause = errno;
    }
    if (!ok)
        return write_failed(error, cause, path);
    if (rename(temporary_path, path) != 0)
        return write_failed(error, errno, path);
    temporary_path[0] = '\0';
    if (durable)
        sync_folder_of(path);
    return true;
}

bool file_write(const char *path, struct span text, struct error *error) {
    return write_renamed(path, text, true, error);
}

bool file_write_lightly(const char *path, struct span text, struct error *error) {
    return write_renamed(path, text, false, error);
}

bool file_append(const char *path, struct span text, struct error *error) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_system(error, errno, path, "Check the permissions.", "cannot append to file");
    struct stat before;
    bool known = fstat(fd, &before) == 0;
    bool ok = known && write_all(fd, text) && fsync(fd) == 0;
    int cause = errno;
    if (!ok && known && ftruncate(fd, before.st_size) != 0)
        cause = errno; /* the half line stays; readers skip what is torn */
    close(fd);
    return ok || error_system(error, cause, path, "Free space on the disk and run again.",
                              "cannot append to file");
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool folder_make(const char *path, struct error *error) {
    if (mkdir(path, 0755) == 0 || is_folder(path)) /* mostly the parents are there */
        return true;
    char *partial = memory_alloc(strlen(path) + 1);
    strcpy(partial, path);
    bool ok = true;
    for (char *at = partial + 1; ok; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        bool last = *at == '\0';
        *at = '\0';
        if (mkdir(partial, 0755) != 0 && errno != EEXIST)
            ok = error_system(error, errno, partial,
                              "Choose a folder that can be written with --out.",
                              "cannot make folder");
        if (last)
            break;
        *at = '/';
    }
    if (ok && !is_folder(path))
        ok = error_set(error, ERROR_SYSTEM, path, "Choose another folder with --out.",
                       "expected a folder, found a file");
    free(partial);
    return ok;
}

static bool remove_entries(const char *path, struct error *error) {
    DIR *folder = opendir(path);
    if (!folder)
        return error_system(error, errno, path, "Check the permissions.", "cannot open folder");
    struct arena arena;
    arena_init(&arena);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ok = folder_remove(path_join(&arena, path, entry->d_name), error);
    }
    closedir(folder);
    arena_free(&arena);
    return ok;
}

bool folder_remove(const char *path, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT ||
               error_system(error, errno, path, "Check the permissions.", "cannot remove");
    bool folder = S_ISDIR(info.st_mode);
    if (folder && !remove_entries(path, error))
        return false;
    if ((folder ? rmdir(path) : unlink(path)) == 0)
        return true;
    return error_system(error, errno, path, "Check the permissions.", "cannot remove");
}

const char *path_join(struct arena *arena, const char *folder, const char *name) {
    size_t len = strlen(folder);
    const char *slash = len && folder[len - 1] == '/' ? "" : "/";
    return arena_printf(arena, "%s%s%s", folder, slash, name).at;
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_slug(struct arena *arena, struct span text) {
    enum { LONGEST = 100 };
    char *slug = arena_alloc(arena, LONGEST + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len && len < LONGEST; i++) {
        char c = text.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + 32);
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
        if (plain && !(c == '.' && len == 0))
            slug[len++] = c;
        else if (len > 0 && slug[len - 1] != '-')
            slug[len++] = '-';
    }
    while (len > 0 && (slug[len - 1] == '-' || slug[len - 1] == '.'))
        len--;
    slug[len] = '\0';
    return len ? slug : "unnamed";
}
