/* The ledger of a workspace: sources, evidence and decisions that live on from pass to pass.
 *
 *     WORKSPACE/passes/...
 *     WORKSPACE/ledger/sources/s-....json  evidence/e-....json  decisions/d-....json
 *                      texts/<sha256>      the stored full texts (UTF-8)
 *                      archive/            the exchanges they came from (WARC)
 *                      index.sqlite        derived from the files at any time; never the truth
 *
 * The files are the truth: a person may read, diff and commit them. All changes happen under an
 * exclusive lock (flock on .lock), each file is written under another name, synced and renamed.
 *
 *     struct ledger ledger;
 *     struct ledger_options options = {.workspace = ".", .access = LEDGER_WRITE, ...};
 *     if (ledger_open(&arena, &options, &ledger, error)) {
 *         ...
 *         ledger_close(&ledger);
 *     }
 *
 * Keep a session short: other commands wait for it. Never fetch inside one. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "schemas/ledger_decision.h"
#include "schemas/ledger_evidence.h"
#include "schemas/ledger_source.h"

enum { LEDGER_TEXT_LARGEST_BYTES = 32 << 20 };

enum ledger_access {
    LEDGER_READ, /* with other readers; a workspace without a ledger reads as an empty one */
    LEDGER_WRITE /* alone; makes the folders */
};

struct ledger_options {
    const char *workspace;
    enum ledger_access access;
    const char *who;     /* NULL: the name of the user of this process */
    const char *command; /* for the history, as pass.json keeps it */
};

struct ledger {
    struct arena *arena; /* what is read lives here */
    const char *folder;
    enum ledger_access access;
    int lock; /* -1: there is no ledger yet */
    struct span who, command, now;
};

bool ledger_open(struct arena *arena, const struct ledger_options *options, struct ledger *ledger,
                 struct error *error);
void ledger_close(struct ledger *ledger);

/* Each save appends an event (who, when, which command, and what) to the item's history and writes
 * its file. Needs LEDGER_WRITE. */
bool ledger_save_source(struct ledger *ledger, struct ledger_source *source, struct span what,
                        struct error *error);
bool ledger_save_evidence(struct ledger *ledger, struct ledger_evidence *evidence, struct span what,
                          struct error *error);
bool ledger_save_decision(struct ledger *ledger, struct ledger_decision *decision, struct span what,
                          struct error *error);

/* *found says whether there is such an item; false is returned only for a file that cannot be read
 * or is not what it must be. An id that is malformed is not found. */
bool ledger_load_source(struct ledger *ledger, struct span id, struct ledger_source *source,
                        bool *found, struct error *error);
bool ledger_load_evidence(struct ledger *ledger, struct span id, struct ledger_evidence *evidence,
                          bool *found, struct error *error);
bool ledger_load_decision(struct ledger *ledger, struct span id, struct ledger_decision *decision,
                          bool *found, struct error *error);

struct ledger_sources {
    struct ledger_source *items; /* in order of id */
    size_t count, capacity;
};
struct ledger_evidences {
    struct ledger_evidence *items;
    size_t count, capacity;
};
struct ledger_decisions {
    struct ledger_decision *items;
    size_t count, capacity;
};
bool ledger_all_sources(struct ledger *ledger, struct ledger_sources *sources, struct error *error);
bool ledger_all_evidence(struct ledger *ledger, struct ledger_evidences *evidence,
                         struct error *error);
bool ledger_all_decisions(struct ledger *ledger, struct ledger_decisions *decisions,
                          struct error *error);

/* Stored texts by their SHA-256. Text must be UTF-8. A stored text that is not what its name says
 * is an error when it is read. */
bool ledger_save_text(struct ledger *ledger, struct span text, struct span *sha256,
                      struct error *error);
bool ledger_load_text(struct ledger *ledger, struct span sha256, struct span *text,
                      struct error *error);

/* Names of the files of one folder ("sources") that can be items, in byte order, without ".json".
 */
struct ledger_names {
    struct span *items;
    size_t count, capacity;
};
bool ledger_names(struct ledger *ledger, const char *folder, char letter,
                  struct ledger_names *names, struct error *error);
/* Path of a file of the ledger in the arena: ledger_path(l, "sources", "s-...", ".json"). */
const char *ledger_path(struct ledger *ledger, const char *folder, struct span name,
                        const char *ending);

#endif
