/* Sealing a pass and verifying the seal: manifest.json (assay.manifest.v1). */
#include "core/hash.h"
#include "schemas/pass.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { DEEPEST_FOLDER = 8 };

struct sealed_file {
    const char *name; /* relative to the pass folder, '/' between parts */
    struct span sha256;
    size_t bytes;
};

struct sealed_files {
    struct sealed_file *items;
    size_t count, capacity;
};

static bool is_seal(const char *name) {
    return strcmp(name, "manifest.json") == 0 || strcmp(name, "manifest.sig") == 0;
}

static bool list_files(struct arena *arena, const char *folder, const char *prefix, int depth,
                       struct sealed_files *files, struct error *error);

static bool list_entry(struct arena *arena, const char *folder, const char *name, int depth,
                       struct sealed_files *files, struct error *error) {
    struct stat info;
    const char *path = path_join(arena, folder, name);
    if (lstat(path, &info) != 0)
        return error_system(error, errno, path, "Check the permissions.", "cannot look at file");
    if (S_ISDIR(info.st_mode))
        return list_files(arena, folder, name, depth + 1, files, error);
    if (!S_ISREG(info.st_mode))
        return error_set(error, ERROR_INPUT, path, "Remove it: a pass holds files only.",
                         "expected a regular file, found a link or a special file");
    struct sealed_file file = {.name = name};
    LIST_PUSH(arena, files->items, files->count, files->capacity, file);
    return true;
}

static bool list_files(struct arena *arena, const char *folder, const char *prefix, int depth,
                       struct sealed_files *files, struct error *error) {
    const char *path = *prefix ? path_join(arena, folder, prefix) : folder;
    if (depth > DEEPEST_FOLDER)
        return error_set(error, ERROR_INPUT, path, "Remove the folders inside.",
                         "folders are nested deeper than %d", DEEPEST_FOLDER);
    DIR *entries = opendir(path);
    if (!entries)
        return error_system(error, errno, path, "Check the permissions.", "cannot open folder");
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *name = *prefix ? path_join(arena, prefix, entry->d_name)
                                   : arena_string(arena, span_of(entry->d_name));
        if (!is_seal(name))
            ok = list_entry(arena, folder, name, depth, files, error);
    }
    closedir(entries);
    return ok;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct sealed_file *)a)->name, ((const struct sealed_file *)b)->name);
}

static bool files_present(struct arena *arena, const char *folder, struct sealed_files *files,
                          struct error *error) {
    if (!list_files(arena, folder, "", 0, files, error))
        return false;
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, by_name);
    for (size_t i = 0; i < files->count; i++) {
        struct sealed_file *file = &files->items[i];
        if (!sha256_hex_file(arena, path_join(arena, folder, file->name), &file->sha256,
                             &file->bytes, error))
            return false;
    }
    return true;
}

static void manifest_write(struct buffer *out, const struct pass *pass,
                           const struct sealed_files *files) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", MANIFEST_SCHEMA);
    json_put_text(&w, "pass", pass->id);
    json_begin_array(&w, "files");
    for (size_t i = 0; i < files->count; i++) {
        json_begin_object(&w, NULL);
        json_put_string(&w, "name", files->items[i].name);
        json_put_text(&w, "sha256", files->items[i].sha256);
        json_put_size(&w, "bytes", files->items[i].bytes);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}

bool pass_seal(struct arena *arena, struct pass *pass, struct error *error) {
    pass->sealed = true;
    struct sealed_files files = {0};
    if (!pass_save(pass, error) || !files_present(arena, pass->folder, &files, error))
        return false;
    struct buffer out = {0};
    manifest_write(&out, pass, &files);
    bool ok = pass_write(pass, "manifest.json", buffer_span(&out), error);
    buffer_free(&out);
    return ok;
}

/* text is the manifest as it stands in the pass, *pass_id the pass it names. */
static bool manifest_read(struct arena *arena, const struct pass *pass, struct sealed_files *files,
                          struct span *text, struct span *pass_id, struct error *error) {
    if (!pass_has(pass, "manifest.json"))
        return error_set(error, ERROR_INPUT, pass->folder,
                         "Finish the pass with `assay report PASS`, which seals it.",
                         "the pass has no manifest.json: it was never sealed");
    if (!pass_read(arena, pass, "manifest.json", text, error))
        return false;
    cJSON *root =
        json_parse_schema(*text, pass_path(arena, pass, "manifest.json"), MANIFEST_SCHEMA, error);
    if (!root)
        return false;
    *pass_id = json_text(arena, root, "pass");
    size_t count;
    const cJSON *item, *array = json_array(root, "files", &count);
    cJSON_ArrayForEach(item, array) {
        struct sealed_file file = {
            .name = json_text(arena, item, "name").at,
            .sha256 = json_text(arena, item, "sha256"),
            .bytes = json_size(item, "bytes", 0),
        };
        LIST_PUSH(arena, files->items, files->count, files->capacity, file);
    }
    cJSON_Delete(root);
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, by_name);
    return true;
}

/* One line for a file that is in only one of the lists or differs between them. */
static void difference(struct buffer *out, const struct sealed_file *sealed,
                       const struct sealed_file *found) {
    if (!found)
        buffer_printf(out, "missing: %s\n", sealed->name);
    else if (!sealed)
        buffer_printf(out, "not in the manifest: %s\n", found->name);
    else
        buffer_printf(out, "changed: %s (sealed %.12s, %zu bytes; found %.12s, %zu bytes)\n",
                      sealed->name, sealed->sha256.at, sealed->bytes, found->sha256.at,
                      found->bytes);
}

static size_t compare(const struct sealed_files *sealed, const struct sealed_files *found,
                      struct buffer *out) {
    size_t differences = 0;
    for (size_t i = 0, j = 0; i < sealed->count || j < found->count;) {
        const struct sealed_file *a = i < sealed->count ? &sealed->items[i] : NULL;
        const struct sealed_file *b = j < found->count ? &found->items[j] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a->name, b->name);
        i += order <= 0;
        j += order >= 0;
        if (order == 0 && a->bytes == b->bytes && span_equal(a->sha256, b->sha256))
            continue;
        difference(out, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
        differences++;
    }
    return differences;
}

/* Nothing seals the manifest itself, but it has one form only: the one that is written. A change
 * that means nothing (white space) is found by that, and another pass's name by pass.json. */
static bool manifest_is_as_written(struct arena *arena, const struct pass *pass, struct span text,
                                   struct span pass_id, const struct sealed_files *sealed) {
    struct buffer out = {0};
    struct span json;
    manifest_write(&out, &(struct pass){.id = pass_id}, sealed);
    bool same = span_equal(buffer_span(&out), text);
    buffer_free(&out);
    cJSON *root = same && pass_read(arena, pass, "pass.json", &json, NULL)
                      ? json_parse(json, "pass.json", NULL)
                      : NULL;
    if (root) /* a missing or broken pass.json is a difference of its own */
        same = span_equal(json_text(arena, root, "id"), pass_id);
    cJSON_Delete(root);
    return same;
}

bool pass_verify(struct arena *arena, const char *folder, struct buffer *out, size_t *differences,
                 struct error *error) {
    struct pass pass = {.folder = folder};
    struct sealed_files sealed = {0}, found = {0};
    struct span text, pass_id;
    if (!manifest_read(arena, &pass, &sealed, &text, &pass_id, error) ||
        !files_present(arena, folder, &found, error))
        return false;
    *differences = compare(&sealed, &found, out);
    if (!manifest_is_as_written(arena, &pass, text, pass_id, &sealed)) {
        buffer_add_string(out, "changed: manifest.json (not as it was written)\n");
        ++*differences;
    }
    return true;
}
