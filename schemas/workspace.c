#include "schemas/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

struct names {
    struct span *items;
    size_t count, capacity;
};

static int by_bytes(const void *a, const void *b) {
    return strcmp(((const struct span *)a)->at, ((const struct span *)b)->at);
}

/* Names in a folder, in byte order; none when it is not there or no folder. */
static bool list(struct arena *arena, const char *folder, struct names *names,
                 struct error *error) {
    *names = (struct names){0};
    DIR *entries = opendir(folder);
    if (!entries && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (!entries)
        return error_system(error, errno, folder, "Check the permissions.", "cannot open folder");
    for (struct dirent *entry; (entry = readdir(entries));)
        if (entry->d_name[0] != '.')
            LIST_PUSH(arena, names->items, names->count, names->capacity,
                      arena_copy(arena, span_of(entry->d_name)));
    closedir(entries);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_bytes);
    return true;
}

static bool list_chapter(struct arena *arena, const char *folder, struct span book,
                         struct span chapter, struct workspace_passes *passes,
                         struct error *error) {
    struct names names;
    if (!list(arena, folder, &names, error))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = path_join(arena, folder, names.items[i].at);
        struct workspace_pass pass = {path, book, chapter, names.items[i]};
        if (file_exists(path_join(arena, path, "pass.json")))
            LIST_PUSH(arena, passes->items, passes->count, passes->capacity, pass);
    }
    return true;
}

bool workspace_list(struct arena *arena, const char *workspace, struct workspace_passes *passes,
                    struct error *error) {
    struct names books, chapters;
    const char *root = path_join(arena, workspace, "passes");
    *passes = (struct workspace_passes){0};
    if (!list(arena, root, &books, error))
        return false;
    for (size_t b = 0; b < books.count; b++) {
        const char *book = path_join(arena, root, books.items[b].at);
        if (!list(arena, book, &chapters, error))
            return false;
        for (size_t c = 0; c < chapters.count; c++)
            if (!list_chapter(arena, path_join(arena, book, chapters.items[c].at), books.items[b],
                              chapters.items[c], passes, error))
                return false;
    }
    return true;
}

bool workspace_latest(struct arena *arena, const char *workspace, struct pass *pass,
                      struct error *error) {
    struct workspace_passes passes;
    if (!workspace_list(arena, workspace, &passes, error))
        return false;
    if (passes.count == 0)
        return error_set(error, ERROR_INPUT, workspace,
                         "Run `assay run BRIEF` first, or name the workspace with --out DIR.",
                         "expected a workspace with passes/, found no pass");
    const struct workspace_pass *first = passes.items, *last = &passes.items[passes.count - 1];
    if (!span_equal(first->book, last->book) || !span_equal(first->chapter, last->chapter))
        return error_set(error, ERROR_INPUT, workspace, "Name the pass with --pass PASS.",
                         "the workspace has passes of several chapters (%.*s/%.*s, %.*s/%.*s ...)",
                         SPAN_ARG(first->book), SPAN_ARG(first->chapter), SPAN_ARG(last->book),
                         SPAN_ARG(last->chapter));
    return pass_open(arena, last->folder, pass, error);
}

const char *workspace_of_pass(struct arena *arena, const char *folder) {
    char real[PATH_MAX];
    if (!realpath(folder, real))
        return NULL;
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
    }
    char *passes = strrchr(real, '/');
    if (!passes || strcmp(passes, "/passes") != 0)
        return NULL;
    *passes = '\0';
    return arena_string(arena, span_of(real[0] ? real : "/"));
}
