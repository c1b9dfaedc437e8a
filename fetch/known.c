#include "fetch/known.h"

#include <glob.h>
#include <stdlib.h>

static void add_literally(struct buffer *pattern, const char *text) {
    for (const char *c = text; *c; c++) {
        if (strchr("*?[]\\", *c))
            buffer_add_byte(pattern, '\\');
        buffer_add_byte(pattern, *c);
    }
}

static void add_part(struct buffer *pattern, const char *name) {
    buffer_add_byte(pattern, '/');
    if (name)
        add_literally(pattern, name);
    else
        buffer_add_byte(pattern, '*');
}

static void add_pass(struct arena *arena, struct known_passes *list, struct span path) {
    struct pass pass;
    struct error ignored;
    struct span folder = span_slice(path, 0, path.len - strlen("/pass.json"));
    if (pass_open(arena, arena_string(arena, folder), &pass, &ignored))
        LIST_PUSH(arena, list->items, list->count, list->capacity, pass);
}

/* glob puts "a-2/pass.json" before "a/pass.json". */
static int by_folder(const void *left, const void *right) {
    const struct pass *a = left, *b = right;
    return strcmp(a->folder, b->folder);
}

bool known_passes(struct arena *arena, const char *workspace, const char *book, const char *chapter,
                  struct known_passes *list, struct error *error) {
    struct buffer pattern = {0};
    glob_t found;
    *list = (struct known_passes){0};
    add_literally(&pattern, workspace);
    buffer_add_string(&pattern, "/passes");
    add_part(&pattern, book);
    add_part(&pattern, chapter);
    buffer_add_string(&pattern, "/*/pass.json");
    int status = glob(pattern.at, 0, NULL, &found);
    buffer_free(&pattern);
    if (status == GLOB_NOMATCH)
        return true;
    if (status != 0)
        return error_set(error, ERROR_SYSTEM, workspace, "Check that the folder can be read.",
                         "the passes there could not be listed");
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_pass(arena, list, span_of(found.gl_pathv[i]));
    globfree(&found);
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_folder);
    return true;
}
