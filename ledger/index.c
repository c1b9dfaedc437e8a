#include "ledger/index_internal.h"

#include "core/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Changed with every change of the tables: an index of another version is made anew. */
enum { INDEX_VERSION = 1, CANDIDATE_WORDS = 40 };

static const char tables[] =
    "CREATE TABLE files(id TEXT PRIMARY KEY, size INT, mtime INT, ctime INT, inode INT,"
    " first INT, last INT) WITHOUT ROWID;"
    "CREATE VIRTUAL TABLE passages USING fts5(body, source UNINDEXED, start UNINDEXED,"
    " stop UNINDEXED, tokenize='porter unicode61 remove_diacritics 2');"
    "CREATE VIRTUAL TABLE sources USING fts5(title, authors, venue, identity, url, id UNINDEXED,"
    " tokenize='unicode61 remove_diacritics 2');";

sqlite3_stmt *index_prepare(struct ledger_index *index, const char *sql) {
    sqlite3_stmt *statement = NULL;
    return sqlite3_prepare_v2(index->db, sql, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

bool index_run(struct ledger_index *index, const char *sql) {
    return sqlite3_exec(index->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

void index_bind(sqlite3_stmt *statement, int column, struct span text) {
    sqlite3_bind_text64(statement, column, text.at ? text.at : "", text.len, SQLITE_STATIC,
                        SQLITE_UTF8);
}

struct span index_text(struct ledger_index *index, sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    int bytes = sqlite3_column_bytes(statement, column);
    return arena_copy(index->ledger->arena, span_make(text ? text : "", (size_t)bytes));
}

bool index_failed(struct ledger_index *index, struct error *error) {
    return error_set(error, ERROR_SYSTEM, index->path,
                     "Run `assay ledger rebuild`; check that the disk has space.",
                     "the index cannot be used: %s",
                     index->db ? sqlite3_errmsg(index->db) : "out of memory");
}

static void disconnect(struct ledger_index *index) {
    sqlite3_close(index->db);
    index->db = NULL;
}

static void throw_away(struct ledger_index *index) {
    static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(arena_printf(index->ledger->arena, "%s%s", index->path, endings[i]).at);
}

static int version_of(struct ledger_index *index) {
    sqlite3_stmt *statement = index_prepare(index, "PRAGMA user_version");
    int version =
        statement && sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
    sqlite3_finalize(statement);
    return version;
}

/* Derived data needs no waiting for the disk: what a crash leaves is found damaged and made anew.
 */
static bool connect(struct ledger_index *index) {
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX;
    return sqlite3_open_v2(index->path, &index->db, flags, NULL) == SQLITE_OK &&
           sqlite3_db_config(index->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
           sqlite3_busy_timeout(index->db, 10000) == SQLITE_OK &&
           index_run(index, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF;"
                            "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON");
}

static bool make_tables(struct ledger_index *index) {
    char version[48];
    snprintf(version, sizeof version, "PRAGMA user_version=%d", INDEX_VERSION);
    return index_run(index, tables) && index_run(index, version);
}

/* One attempt: the old index if it is good, else a new one. */
static bool attempt(struct ledger_index *index, bool anew, struct index_state *state,
                    bool *files_failed, struct error *error) {
    *state = (struct index_state){0};
    if (anew)
        throw_away(index);
    if (!connect(index))
        return false;
    int version = version_of(index);
    if (version != INDEX_VERSION) {
        if (version != 0 || !make_tables(index))
            return false;
        state->made = true;
    }
    return index_update(index, state, files_failed, error);
}

struct ledger_index *index_open(struct ledger *ledger, bool anew, struct index_state *state,
                                struct error *error) {
    struct ledger_index *index = arena_alloc(ledger->arena, sizeof *index);
    index->ledger = ledger;
    index->path = path_join(ledger->arena, ledger->folder, "index.sqlite");
    for (int tries = 0; tries < 2; tries++) {
        bool files_failed = false;
        if (attempt(index, anew || tries > 0, state, &files_failed, error))
            return index;
        if (files_failed || tries > 0)
            break;
        disconnect(index);
    }
    if (!error || error->kind == ERROR_NONE)
        index_failed(index, error);
    disconnect(index);
    return NULL;
}

void index_close(struct ledger_index *index) {
    if (index)
        disconnect(index);
}

static bool is_word(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Words that are in nearly every passage, and so say nothing of where a claim is spoken of. */
static bool is_common(struct span word) {
    static const char *const common[] = {
        "the",  "of",   "and", "to",   "in",   "is",  "it",   "for",  "on",   "as",    "with",
        "that", "this", "are", "was",  "were", "be",  "by",   "at",   "an",   "or",    "from",
        "not",  "its",  "has", "have", "but",  "can", "than", "then", "when", "which", NULL};
    for (size_t i = 0; common[i]; i++)
        if (span_equal_nocase(word, span_of(common[i])))
            return true;
    return word.len < 2;
}

/* The words of text as an FTS5 query: each a quoted string, so that nothing in it is an operator;
 * a number stays together ("9.491" is the phrase 9 491). joiner: " OR " or " ". */
static struct span query_of(struct arena *arena, struct span text, const char *joiner) {
    struct buffer query = {0};
    size_t words = 0;
    for (size_t at = 0; at < text.len && words < CANDIDATE_WORDS;) {
        size_t start = at;
        while (at < text.len && (is_word((unsigned char)text.at[at]) ||
                                 (at > start && text.at[at] == '.' && at + 1 < text.len &&
                                  is_word((unsigned char)text.at[at + 1]))))
            at++;
        struct span word = span_slice(text, start, at);
        if (at == start)
            at++;
        else if (!is_common(word) && ++words)
            buffer_printf(&query, "%s\"%.*s\"", query.len ? joiner : "", SPAN_ARG(word));
    }
    struct span copy = arena_copy(arena, buffer_span(&query));
    buffer_free(&query);
    return copy;
}

/* "ORDER BY rank" alone lets FTS5 sort by itself, without the bodies of all that match; a source's
 * passages are one run of rowids (index_update.c). */
#define CLOSEST "SELECT source, start, stop, -rank FROM passages WHERE passages MATCH ?1"
static const char closest_of_all[] = CLOSEST " ORDER BY rank LIMIT ?2";
static const char closest_of_one[] =
    CLOSEST " AND rowid BETWEEN (SELECT first FROM files WHERE id = ?3)"
            " AND (SELECT last FROM files WHERE id = ?3) ORDER BY rank LIMIT ?2";

/* What is shown to a person is read from the stored text, whose hash is checked, never from the
 * index; a place that is not in it is left out. */
static bool fill_texts(struct ledger_index *index, struct index_passage *passages, size_t *count,
                       struct error *error) {
    struct span of = SPAN(""), text = SPAN("");
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        struct ledger_source source;
        bool found = span_equal(of, passages[i].source);
        if (!found) {
            if (!ledger_load_source(index->ledger, passages[i].source, &source, &found, error) ||
                (found && !ledger_load_text(index->ledger, source.text_sha256, &text, error)))
                return false;
            of = found ? source.id : SPAN("");
        }
        if (!found || passages[i].start >= passages[i].end || passages[i].end > text.len)
            continue;
        passages[kept] = passages[i];
        passages[kept++].text = span_slice(text, passages[i].start, passages[i].end);
    }
    *count = kept;
    return true;
}

bool index_passages(struct ledger_index *index, struct span text, struct span source, size_t most,
                    struct index_passage *passages, size_t *count, struct error *error) {
    struct span query = query_of(index->ledger->arena, text, " OR ");
    *count = 0;
    if (query.len == 0)
        return true;
    sqlite3_stmt *s = index_prepare(index, source.len ? closest_of_one : closest_of_all);
    if (!s)
        return index_failed(index, error);
    index_bind(s, 1, query);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)most);
    if (source.len)
        index_bind(s, 3, source);
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW && *count < most)
        passages[(*count)++] = (struct index_passage){
            .source = index_text(index, s, 0),
            .start = (size_t)sqlite3_column_int64(s, 1),
            .end = (size_t)sqlite3_column_int64(s, 2),
            .score = sqlite3_column_double(s, 3),
        };
    sqlite3_finalize(s);
    if (step != SQLITE_DONE && step != SQLITE_ROW)
        return index_failed(index, error);
    return fill_texts(index, passages, count, error);
}

bool index_sources(struct ledger_index *index, struct span text, size_t most, struct span *ids,
                   size_t *count, struct error *error) {
    struct span query = query_of(index->ledger->arena, text, " ");
    *count = 0;
    if (query.len == 0)
        return true;
    sqlite3_stmt *s = index_prepare(index, "SELECT id FROM sources WHERE sources MATCH ?1"
                                           " ORDER BY rank LIMIT ?2");
    if (!s)
        return index_failed(index, error);
    index_bind(s, 1, query);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)most);
    int step;
    while ((step = sqlite3_step(s)) == SQLITE_ROW && *count < most)
        ids[(*count)++] = index_text(index, s, 0);
    sqlite3_finalize(s);
    return step == SQLITE_DONE || step == SQLITE_ROW || index_failed(index, error);
}
