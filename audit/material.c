#include "audit/material.h"

#include <dirent.h>
#include <stdlib.h>

static int by_name(const void *left, const void *right) {
    const struct material *a = left, *b = right;
    return strcmp(a->name.at, b->name.at);
}

bool materials_read(struct arena *arena, const struct pass *pass, struct materials *materials,
                    struct error *error) {
    DIR *folder = opendir(pass_path(arena, pass, "materials"));
    *materials = (struct materials){0};
    if (!folder)
        return true;
    for (struct dirent *entry; (entry = readdir(folder)) && materials->count < MATERIALS_MOST;) {
        if (entry->d_name[0] == '.' || entry->d_type == DT_DIR)
            continue;
        struct material material = {.name = arena_printf(arena, "materials/%s", entry->d_name)};
        LIST_PUSH(arena, materials->items, materials->count, materials->capacity, material);
    }
    closedir(folder);
    if (materials->count)
        qsort(materials->items, materials->count, sizeof *materials->items, by_name);
    for (size_t i = 0; i < materials->count; i++)
        if (!pass_read(arena, pass, materials->items[i].name.at, &materials->items[i].text, error))
            return false;
    return true;
}
