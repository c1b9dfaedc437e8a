/* What the parts of the index share. */
#ifndef LEDGER_INDEX_INTERNAL_H
#define LEDGER_INDEX_INTERNAL_H

#include "ledger/index.h"

#include <sqlite3.h>

struct ledger_index {
    struct ledger *ledger;
    sqlite3 *db;
    const char *path;
};

/* One prepared statement at a time; NULL when it cannot be prepared. */
sqlite3_stmt *index_prepare(struct ledger_index *index, const char *sql);
bool index_run(struct ledger_index *index, const char *sql);
void index_bind(sqlite3_stmt *statement, int column, struct span text);
struct span index_text(struct ledger_index *index, sqlite3_stmt *statement, int column);
/* ERROR_SYSTEM with what SQLite says. */
bool index_failed(struct ledger_index *index, struct error *error);
/* Reads what changed into the index, in one transaction. false: the database is at fault. */
bool index_update(struct ledger_index *index, struct index_state *state, bool *files_failed,
                  struct error *error);

#endif
