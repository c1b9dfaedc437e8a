/* What of the ledger's files changed since they were indexed. */
#ifndef LEDGER_INDEX_FILES_H
#define LEDGER_INDEX_FILES_H

#include "ledger/ledger.h"

/* One file; stamp is what tells one state of it from another. */
struct index_file {
    struct span id; /* "s-..." */
    int64_t size, mtime_ns, ctime_ns, inode;
};

struct index_files {
    struct index_file *items; /* in byte order of id */
    size_t count, capacity;
};

/* The files of one folder as they are. */
bool index_files_on_disk(struct ledger *ledger, const char *folder, char letter,
                         struct index_files *files, struct error *error);
bool index_file_same(const struct index_file *a, const struct index_file *b);

#endif
