/* Items and texts as files. */
#include "ledger/ledger.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

enum { ITEM_LARGEST_BYTES = 4 << 20 };

const char *ledger_path(struct ledger *ledger, const char *folder, struct span name,
                        const char *ending) {
    return arena_printf(ledger->arena, "%s/%s/%.*s%s", ledger->folder, folder, SPAN_ARG(name),
                        ending)
        .at;
}

static bool writable(const struct ledger *ledger, struct error *error) {
    return ledger->access == LEDGER_WRITE ||
           error_set(error, ERROR_SYSTEM, ledger->folder, "Report this as a bug.",
                     "the ledger was opened for reading only");
}

static void record(struct ledger *ledger, struct ledger_history *history, struct span what) {
    struct ledger_event event = {ledger->now, ledger->who, ledger->command, what};
    LIST_PUSH(ledger->arena, history->events, history->count, history->capacity, event);
}

/* One row a kind of item, so that loading, saving and listing are written once. */
struct kind {
    const char *folder, *name;
    char letter;
    size_t size, id_offset, history_offset;
    void (*write)(struct buffer *, const void *);
    bool (*read)(struct arena *, struct span, const char *, void *, struct error *);
};

#define KIND(type, folder_name, noun, first)                                                       \
    static void put_##type(struct buffer *out, const void *item) {                                 \
        type##_write(out, item);                                                                   \
    }                                                                                              \
    static bool get_##type(struct arena *arena, struct span json, const char *where, void *item,   \
                           struct error *error) {                                                  \
        return type##_read(arena, json, where, item, error);                                       \
    }                                                                                              \
    static const struct kind type##_kind = {                                                       \
        .folder = (folder_name),                                                                   \
        .name = (noun),                                                                            \
        .letter = (first),                                                                         \
        .size = sizeof(struct type),                                                               \
        .id_offset = offsetof(struct type, id),                                                    \
        .history_offset = offsetof(struct type, history),                                          \
        .write = put_##type,                                                                       \
        .read = get_##type,                                                                        \
    }

KIND(ledger_source, "sources", "source", 's');
KIND(ledger_evidence, "evidence", "evidence item", 'e');
KIND(ledger_decision, "decisions", "decision", 'd');

static bool save(struct ledger *ledger, const struct kind *kind, void *item, struct span what,
                 struct error *error) {
    struct span id = *(struct span *)((char *)item + kind->id_offset);
    if (!writable(ledger, error))
        return false;
    if (!ledger_id_valid(id, kind->letter))
        return error_set(error, ERROR_INPUT, kind->folder, "Report this as a bug.",
                         "\"%.*s\" is no id of a %s", SPAN_ARG(id), kind->name);
    record(ledger, (struct ledger_history *)((char *)item + kind->history_offset), what);
    struct buffer out = {0};
    kind->write(&out, item);
    bool ok = file_write(ledger_path(ledger, kind->folder, id, ".json"), buffer_span(&out), error);
    buffer_free(&out);
    return ok;
}

static bool load(struct ledger *ledger, const struct kind *kind, struct span id, void *item,
                 bool *found, struct error *error) {
    *found = false;
    if (!ledger_id_valid(id, kind->letter))
        return true;
    const char *path = ledger_path(ledger, kind->folder, id, ".json");
    struct span json;
    if (!file_exists(path))
        return true;
    if (!file_read(ledger->arena, path, ITEM_LARGEST_BYTES, ERROR_INPUT, &json, error) ||
        !kind->read(ledger->arena, json, path, item, error))
        return false;
    struct span own = *(struct span *)((char *)item + kind->id_offset);
    if (!span_equal(own, id))
        return error_set(error, ERROR_INPUT, path, "Rename the file to its id, or remove it.",
                         "expected the %s %.*s, found %.*s", kind->name, SPAN_ARG(id),
                         SPAN_ARG(own));
    *found = true;
    return true;
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(((const struct span *)a)->at, ((const struct span *)b)->at);
}

bool ledger_names(struct ledger *ledger, const char *folder, char letter,
                  struct ledger_names *names, struct error *error) {
    *names = (struct ledger_names){0};
    const char *path = path_join(ledger->arena, ledger->folder, folder);
    DIR *entries = opendir(path);
    if (!entries && errno == ENOENT)
        return true;
    if (!entries)
        return error_system(error, errno, path, "Check the permissions.", "cannot open folder");
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct span name = span_of(entry->d_name);
        struct span id = span_slice(name, 0, name.len > 5 ? name.len - 5 : 0);
        if (!span_ends(name, SPAN(".json")) || !ledger_id_valid(id, letter))
            continue;
        LIST_PUSH(ledger->arena, names->items, names->count, names->capacity,
                  arena_copy(ledger->arena, id));
    }
    closedir(entries);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_bytes);
    return true;
}

static bool load_all(struct ledger *ledger, const struct kind *kind, void **items, size_t *count,
                     struct error *error) {
    struct ledger_names names;
    *items = NULL;
    *count = 0;
    if (!ledger_names(ledger, kind->folder, kind->letter, &names, error))
        return false;
    *items = arena_array(ledger->arena, names.count, kind->size);
    for (size_t i = 0; i < names.count; i++) {
        bool found;
        if (!load(ledger, kind, names.items[i], (char *)*items + *count * kind->size, &found,
                  error))
            return false;
        *count += found;
    }
    return true;
}

#define ACCESS(type, single, plural, list)                                                         \
    bool ledger_save_##single(struct ledger *ledger, struct type *item, struct span what,          \
                              struct error *error) {                                               \
        return save(ledger, &type##_kind, item, what, error);                                      \
    }                                                                                              \
    bool ledger_load_##single(struct ledger *ledger, struct span id, struct type *item,            \
                              bool *found, struct error *error) {                                  \
        return load(ledger, &type##_kind, id, item, found, error);                                 \
    }                                                                                              \
    bool ledger_all_##plural(struct ledger *ledger, struct list *all, struct error *error) {       \
        void *items;                                                                               \
        bool ok = load_all(ledger, &type##_kind, &items, &all->count, error);                      \
        all->items = items;                                                                        \
        all->capacity = all->count;                                                                \
        return ok;                                                                                 \
    }

ACCESS(ledger_source, source, sources, ledger_sources)
ACCESS(ledger_evidence, evidence, evidence, ledger_evidences)
ACCESS(ledger_decision, decision, decisions, ledger_decisions)

bool ledger_save_text(struct ledger *ledger, struct span text, struct span *sha256,
                      struct error *error) {
    if (!writable(ledger, error))
        return false;
    if (text.len > LEDGER_TEXT_LARGEST_BYTES || utf8_first_invalid(text) != SIZE_MAX ||
        memchr(text.at, 0, text.len))
        return error_set(error, ERROR_INPUT, "text", "Give a smaller text in UTF-8.",
                         "expected UTF-8 without NUL of at most %d bytes, got %zu bytes",
                         LEDGER_TEXT_LARGEST_BYTES, text.len);
    *sha256 = sha256_hex(ledger->arena, text);
    return file_write(ledger_path(ledger, "texts", *sha256, ""), text, error);
}

bool ledger_load_text(struct ledger *ledger, struct span sha256, struct span *text,
                      struct error *error) {
    if (!sha256_is_hex(sha256))
        return error_set(error, ERROR_INPUT, "texts", "Read the source again.",
                         "\"%.*s\" is no SHA-256", SPAN_ARG(sha256));
    const char *path = ledger_path(ledger, "texts", sha256, "");
    if (!file_read(ledger->arena, path, LEDGER_TEXT_LARGEST_BYTES, ERROR_INPUT, text, error))
        return false;
    if (!span_equal_nocase(sha256_hex(ledger->arena, *text), sha256) ||
        utf8_first_invalid(*text) != SIZE_MAX)
        return error_set(error, ERROR_INPUT, path,
                         "Restore the file, or read its source again (`assay source read ID`).",
                         "the stored text is not the one that was read: its SHA-256 differs");
    return true;
}
