/* From the files to the index: only what changed. */
#include "ledger/index_files.h"
#include "ledger/index_internal.h"
#include "ledger/passage.h"

struct update {
    struct ledger_index *index;
    struct index_state *state;
    sqlite3_stmt *add_file, *drop_file, *add_passage, *drop_passages, *add_source, *drop_source;
    int64_t next_rowid;
    bool failed; /* a statement did */
};

/* A file owns the rowids [first, last]: its row in sources has the first, its passages all. */
static const struct statement {
    size_t offset;
    const char *sql;
} statements[] = {
    {offsetof(struct update, add_file),
     "INSERT INTO files(id, size, mtime, ctime, inode, first, last) VALUES(?1,?2,?3,?4,?5,?6,?7)"},
    {offsetof(struct update, drop_file), "DELETE FROM files WHERE id = ?1"},
    {offsetof(struct update, add_passage),
     "INSERT INTO passages(rowid, body, source, start, stop) VALUES(?1,?2,?3,?4,?5)"},
    {offsetof(struct update, drop_passages),
     "DELETE FROM passages WHERE rowid BETWEEN (SELECT first FROM files WHERE id = ?1)"
     " AND (SELECT last FROM files WHERE id = ?1)"},
    {offsetof(struct update, add_source),
     "INSERT INTO sources(rowid, title, authors, venue, identity, url, id)"
     " VALUES(?1,?2,?3,?4,?5,?6,?7)"},
    {offsetof(struct update, drop_source),
     "DELETE FROM sources WHERE rowid = (SELECT first FROM files WHERE id = ?1)"},
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static sqlite3_stmt **statement_of(struct update *update, size_t i) {
    return (sqlite3_stmt **)((char *)update + statements[i].offset);
}

static void step(struct update *update, sqlite3_stmt *statement) {
    update->failed |= sqlite3_step(statement) != SQLITE_DONE;
    update->failed |= sqlite3_reset(statement) != SQLITE_OK;
}

static void problem(struct update *update, struct span id, const struct error *error) {
    struct index_state *state = update->state;
    struct arena *arena = update->index->ledger->arena;
    struct span sentence = arena_printf(arena, "%.*s: %s", SPAN_ARG(id), error->message);
    LIST_PUSH(arena, state->problems, state->problem_count, state->problem_capacity, sentence);
}

/* Returns the last rowid used. */
static int64_t add_passages(struct update *update, struct ledger *ledger,
                            const struct ledger_source *source, int64_t first) {
    struct span text;
    struct error error = {0};
    if (source->text_sha256.len == 0)
        return first;
    if (!ledger_load_text(ledger, source->text_sha256, &text, &error)) {
        problem(update, source->id, &error);
        return first;
    }
    struct passage passage;
    int64_t rowid = first;
    for (size_t at = 0; !update->failed && passage_next(text, &at, &passage); rowid++) {
        sqlite3_bind_int64(update->add_passage, 1, rowid);
        index_bind(update->add_passage, 2, span_slice(text, passage.start, passage.end));
        index_bind(update->add_passage, 3, source->id);
        sqlite3_bind_int64(update->add_passage, 4, (sqlite3_int64)passage.start);
        sqlite3_bind_int64(update->add_passage, 5, (sqlite3_int64)passage.end);
        step(update, update->add_passage);
    }
    return rowid > first ? rowid - 1 : first;
}

/* Returns the last rowid used, -1 for a file that is not what it must be. */
static int64_t add_source(struct update *update, struct ledger *ledger, struct span id,
                          int64_t first, struct error *error) {
    struct ledger_source source;
    bool found;
    if (!ledger_load_source(ledger, id, &source, &found, error))
        return -1;
    sqlite3_bind_int64(update->add_source, 1, first);
    index_bind(update->add_source, 2, source.title);
    index_bind(update->add_source, 3, source.authors);
    index_bind(update->add_source, 4, source.venue);
    index_bind(update->add_source, 5, source.canonical);
    index_bind(update->add_source, 6, source.url);
    index_bind(update->add_source, 7, source.id);
    step(update, update->add_source);
    return add_passages(update, ledger, &source, first);
}

static int64_t check_evidence(struct update *update, struct ledger *ledger, struct span id,
                              int64_t first, struct error *error) {
    struct ledger_evidence evidence;
    bool found;
    (void)update;
    return ledger_load_evidence(ledger, id, &evidence, &found, error) ? first : -1;
}

static int64_t check_decision(struct update *update, struct ledger *ledger, struct span id,
                              int64_t first, struct error *error) {
    struct ledger_decision decision;
    bool found;
    (void)update;
    return ledger_load_decision(ledger, id, &decision, &found, error) ? first : -1;
}

static const struct folder {
    const char *name, *known; /* known: what of it is indexed */
    char letter;
    int64_t (*add)(struct update *, struct ledger *, struct span, int64_t, struct error *);
} folders[] = {
#define KNOWN(letter)                                                                              \
    "SELECT id, size, mtime, ctime, inode FROM files WHERE id >= '" letter "-'"                    \
    " AND id < '" letter ".' ORDER BY id"
    {"sources", KNOWN("s"), 's', add_source},
    {"evidence", KNOWN("e"), 'e', check_evidence},
    {"decisions", KNOWN("d"), 'd', check_decision},
#undef KNOWN
};

/* What is read of one file is freed with it: texts may be many and large. */
static void add(struct update *update, const struct folder *folder, const struct index_file *file) {
    struct arena arena;
    arena_init(&arena);
    struct ledger scratch = *update->index->ledger;
    scratch.arena = &arena;
    struct error error = {0};
    int64_t first = update->next_rowid;
    size_t problems = update->state->problem_count;
    int64_t last = folder->add(update, &scratch, file->id, first, &error);
    if (last < 0) {
        problem(update, file->id, &error); /* not in files: it is tried again next time */
    } else {
        index_bind(update->add_file, 1, file->id);
        /* A size that no file has: what lacked its text is tried again next time. */
        int64_t size = update->state->problem_count > problems ? -1 : file->size;
        const int64_t values[] = {size, file->mtime_ns, file->ctime_ns, file->inode, first, last};
        for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
            sqlite3_bind_int64(update->add_file, i + 2, values[i]);
        step(update, update->add_file);
        update->next_rowid = last + 1;
        update->state->updated++;
    }
    arena_free(&arena);
}

static void drop(struct update *update, struct span id) {
    sqlite3_stmt *const in_order[] = {update->drop_passages, update->drop_source,
                                      update->drop_file};
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
        index_bind(in_order[i], 1, id);
        step(update, in_order[i]);
    }
}

/* What the index knows of a folder's files, in byte order. */
static struct index_files known_files(struct update *update, const struct folder *folder) {
    struct index_files files = {0};
    struct arena *arena = update->index->ledger->arena;
    sqlite3_stmt *s = index_prepare(update->index, folder->known);
    int end = SQLITE_ERROR;
    while (s && (end = sqlite3_step(s)) == SQLITE_ROW) {
        struct index_file file = {
            .id = index_text(update->index, s, 0),
            .size = sqlite3_column_int64(s, 1),
            .mtime_ns = sqlite3_column_int64(s, 2),
            .ctime_ns = sqlite3_column_int64(s, 3),
            .inode = sqlite3_column_int64(s, 4),
        };
        LIST_PUSH(arena, files.items, files.count, files.capacity, file);
    }
    update->failed |= end != SQLITE_DONE;
    sqlite3_finalize(s);
    return files;
}

static int compare(struct span a, struct span b) {
    int order = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Both lists are in order: one walk finds what is new, gone and changed. */
static void merge(struct update *update, const struct folder *folder,
                  const struct index_files *disk, const struct index_files *known) {
    size_t d = 0, k = 0;
    while (!update->failed && (d < disk->count || k < known->count)) {
        int order = d == disk->count    ? 1
                    : k == known->count ? -1
                                        : compare(disk->items[d].id, known->items[k].id);
        if (order > 0)
            update->state->removed++;
        if (order > 0 || (order == 0 && !index_file_same(&disk->items[d], &known->items[k]))) {
            drop(update, known->items[k].id);
            order = order > 0 ? order : -1;
            k++;
        } else if (order == 0) {
            d++, k++;
            continue;
        }
        if (order < 0)
            add(update, folder, &disk->items[d++]);
    }
}

static int64_t number(struct update *update, const char *sql) {
    sqlite3_stmt *s = index_prepare(update->index, sql);
    bool ok = s && sqlite3_step(s) == SQLITE_ROW;
    int64_t value = ok ? sqlite3_column_int64(s, 0) : 0;
    update->failed |= !ok;
    sqlite3_finalize(s);
    return value;
}

static void count(struct update *update) {
    struct index_state *state = update->state;
    state->sources = (size_t)number(update, "SELECT count(*) FROM files WHERE id GLOB 's-*'");
    state->evidence = (size_t)number(update, "SELECT count(*) FROM files WHERE id GLOB 'e-*'");
    state->decisions = (size_t)number(update, "SELECT count(*) FROM files WHERE id GLOB 'd-*'");
    state->passages = (size_t)number(update, "SELECT count(*) FROM passages_docsize");
}

static void walk(struct update *update, bool *files_failed, struct error *error) {
    update->next_rowid = number(update, "SELECT coalesce(max(last), 0) + 1 FROM files");
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !update->failed; i++) {
        struct index_files disk, known = known_files(update, &folders[i]);
        *files_failed = !index_files_on_disk(update->index->ledger, folders[i].name,
                                             folders[i].letter, &disk, error);
        if (*files_failed)
            return;
        merge(update, &folders[i], &disk, &known);
    }
    count(update);
}

bool index_update(struct ledger_index *index, struct index_state *state, bool *files_failed,
                  struct error *error) {
    struct update update = {.index = index, .state = state};
    update.failed = !index_run(index, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < STATEMENTS && !update.failed; i++) {
        *statement_of(&update, i) = index_prepare(index, statements[i].sql);
        update.failed = *statement_of(&update, i) == NULL;
    }
    if (!update.failed)
        walk(&update, files_failed, error);
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(*statement_of(&update, i));
    bool ok = !update.failed && !*files_failed;
    return index_run(index, ok ? "COMMIT" : "ROLLBACK") && ok;
}
