/* ledger/sources/ID.json (assay.ledger-source.v1): one document outside the chapter that a person
 * put into the ledger: what it is, whether its full text was really obtained, and where that text
 * is kept. */
#ifndef SCHEMAS_LEDGER_SOURCE_H
#define SCHEMAS_LEDGER_SOURCE_H

#include "schemas/ledger_item.h"

#define LEDGER_SOURCE_SCHEMA "assay.ledger-source.v1"

struct ledger_source {
    struct span id;        /* ledger_id_of('s', canonical) */
    struct span canonical; /* as in sources.json: "doi:10.1/x", "arxiv:2205.14135", "url:..." */
    struct span kind;      /* as in sources.json: link | doi | arxiv | ... */
    struct span url;       /* where it can be looked up */
    struct span title, authors, venue, year, version; /* "" = UNVERIFIED */
    struct span metadata_status; /* "" = UNVERIFIED, or "verified: <authority>, <date>" */
    enum reading_status reading;
    struct span reading_reason; /* what was obtained, or why it was not; one sentence */
    struct span read_at;        /* RFC 3339 of the bytes; "" = never */
    struct span text_sha256;    /* ledger/texts/<sha256>; "" = no text is stored */
    size_t text_bytes;
    struct span text_form; /* what the text was made of: html | pdf | text | markdown | notebook */
    struct span text_from; /* final URL, or the file's name */
    struct span original_sha256; /* of the bytes the text was made of */
    struct span archive;         /* ledger/archive/NAME: the exchanges (WARC); "" = none */
    struct ledger_history history;
};

void ledger_source_write(struct buffer *out, const struct ledger_source *source);
/* As a member of a larger document. get answers NULL, or what is wrong as one phrase. */
void ledger_source_put(struct json_writer *w, const char *key, const struct ledger_source *source);
const char *ledger_source_get(struct arena *arena, const cJSON *object,
                              struct ledger_source *source);
bool ledger_source_read(struct arena *arena, struct span json, const char *where,
                        struct ledger_source *source, struct error *error);
/* The source's id, from its canonical identity. */
struct span ledger_source_id(struct arena *arena, struct span canonical);

#endif
