/* ledger/index.sqlite: what the files say, for searching. Derived from them alone: before each use
 * every file's size, times and inode are compared with what was indexed, and what differs is
 * indexed again; an index that is missing, damaged or of another version is made anew. The passages
 * of stored texts and the metadata of sources are searched with BM25 (SQLite FTS5). */
#ifndef LEDGER_INDEX_H
#define LEDGER_INDEX_H

#include "ledger/ledger.h"

struct ledger_index;

/* What bringing the index up to date did. */
struct index_state {
    size_t sources, evidence, decisions, passages; /* indexed now */
    size_t updated, removed;                       /* files read again; files gone */
    bool made;                                     /* anew */
    struct span *problems; /* one sentence a file that could not be read; it is not indexed */
    size_t problem_count, problem_capacity;
};

/* Opens and updates. The ledger must be open with LEDGER_WRITE. anew: throw the old one away. NULL
 * with ERROR_SYSTEM; files that cannot be read are problems, not errors. */
struct ledger_index *index_open(struct ledger *ledger, bool anew, struct index_state *state,
                                struct error *error);
void index_close(struct ledger_index *index);

struct index_passage {
    struct span source; /* id */
    size_t start, end;  /* bytes of the source's stored text */
    struct span text;   /* from the stored text itself, never from the index */
    double score;       /* BM25 as FTS5 has it, negated: higher is closer */
};
/* The passages closest to text (a claim's words), the closest first; source "" = of all sources.
 * Returns how many of at most `most`. */
bool index_passages(struct ledger_index *index, struct span text, struct span source, size_t most,
                    struct index_passage *passages, size_t *count, struct error *error);
/* Ids of the sources whose title, authors, venue, identity or URL hold these words. */
bool index_sources(struct ledger_index *index, struct span text, size_t most, struct span *ids,
                   size_t *count, struct error *error);

#endif
