/* What the items of the ledger (one JSON file each under ledger/) share: a history that says who
 * changed what with which command, anchors into texts, and the claim an item is about. */
#ifndef SCHEMAS_LEDGER_ITEM_H
#define SCHEMAS_LEDGER_ITEM_H

#include "core/json.h"
#include "schemas/status.h"

/* Bytes kept before and behind a quote, so that it can be found again in an edited text. */
enum { LEDGER_CONTEXT_BYTES = 32 };

struct ledger_event {
    struct span at;      /* RFC 3339 */
    struct span who;     /* a person, or an assistant by its name */
    struct span command; /* the command line, paths cut to their last part */
    struct span what;    /* one sentence */
};

struct ledger_history {
    struct ledger_event *events; /* oldest first; never empty in a stored item */
    size_t count, capacity;
};

/* A place in a text: bytes [start, end), what stands there, and what stands around it. */
struct ledger_anchor {
    struct span sha256; /* of the text */
    size_t start, end;
    struct span quote;          /* text[start, end) */
    struct span prefix, suffix; /* up to LEDGER_CONTEXT_BYTES of whole code points */
};

/* A claim as it was when the item was recorded. */
struct ledger_claim {
    struct span book, chapter;   /* of the pass */
    struct span pass;            /* id of the pass it was last matched in */
    struct span id, label;       /* claims.json */
    struct ledger_anchor anchor; /* in the snapshot's text */
};

/* Whether an item still says what it said. */
enum ledger_state {
    LEDGER_CURRENT,
    LEDGER_REEVALUATE, /* claim or passage changed since: a person looks again */
    LEDGER_ORPHANED,   /* the claim or the passage was not found exactly in the newest text */
    LEDGER_REMOVED     /* kept as a record only */
};
extern const struct word_list ledger_state_words;

/* The part of text around [start, end) as an anchor; spans point into text. sha256 is the text's.
 */
struct ledger_anchor ledger_anchor_of(struct span text, struct span sha256, size_t start,
                                      size_t end);

void ledger_history_write(struct json_writer *w, const struct ledger_history *history);
void ledger_anchor_write(struct json_writer *w, const char *key,
                         const struct ledger_anchor *anchor);
void ledger_claim_write(struct json_writer *w, const struct ledger_claim *claim);

/* Readers answer NULL, or what is wrong with the item, as one phrase. */
const char *ledger_history_read(struct arena *arena, const cJSON *item,
                                struct ledger_history *history);
const char *ledger_anchor_read(struct arena *arena, const cJSON *item, const char *key,
                               struct ledger_anchor *anchor);
const char *ledger_claim_read(struct arena *arena, const cJSON *item, struct ledger_claim *claim);
/* "s-", "e-" or "d-" (the letter given) and 12 lower-case hexadecimal digits: safe as a file name.
 */
bool ledger_id_valid(struct span id, char letter);
/* The id of what identity says: that letter and the first 12 digits of its SHA-256. */
struct span ledger_id_of(struct arena *arena, char letter, struct span identity);

#endif
