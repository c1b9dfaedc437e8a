/* brief.json (assay.brief.v1): a research brief as parsed. All spans live in the arena it was read
 * into. Written by fetch, read by audit, bench (nothing), report. */
#ifndef SCHEMAS_BRIEF_H
#define SCHEMAS_BRIEF_H

#include "core/json.h"

#define BRIEF_SCHEMA "assay.brief.v1"

/* One labelled line or list item that matters: a reference, a piece of evidence, a lead, a
 * material, a method step. label and url may be empty; text is the item as it stands in the brief.
 */
struct brief_item {
    struct span label; /* "Colab notebook"; for method steps their number */
    struct span text;
    struct span url;
    struct span kind; /* materials: notebook | repository | dataset | page | file | other */
    size_t line;      /* 1-based line in brief.txt */
};

struct brief_items {
    struct brief_item *items;
    size_t count, capacity;
};

/* One section the report must have: heading exactly as it must appear, without "## ". */
struct brief_section {
    struct span heading;     /* "1. Context and provenance" */
    struct span description; /* what the brief says belongs in it */
    size_t line;
};

struct brief {
    struct span format; /* research-brief | markdown | json */
    /* identity; only book, chapter and stable_id are required */
    struct span book, chapter, chapter_number, stable_id, chapter_url, research_pack_url;
    struct span fingerprint;         /* 64 lower-case hex digits; empty when the brief has none */
    struct span fingerprint_label;   /* "sha256, normalized" */
    struct span fingerprint_profile; /* a profile named by the brief, else empty */
    struct span snapshot_url;        /* where the complete text can be had; may be empty */
    struct span instruction;         /* the paragraph before the first section */
    struct span identity_note;       /* sentences of the identity section that are no field */
    struct span excerpt;             /* chapter text as given; may be empty */
    size_t excerpt_start,
        excerpt_end;         /* its byte range in brief.txt (0,0 when not verbatim there) */
    bool excerpt_is_partial; /* the brief says that it is not the whole chapter */
    struct brief_items references, evidence, leads, questions, materials, history, method;
    struct span references_note, evidence_note, objective, materials_note, history_note;
    struct brief_section *sections; /* required output, in order */
    size_t section_count, section_capacity;
    struct span output_note;    /* rules around the required sections */
    struct brief_items unknown; /* fields and sections that no rule knows, kept whole */
};

/* Appends brief.json to out. */
void brief_write(struct buffer *out, const struct brief *brief);
/* Reads brief.json; where names the file in errors (ERROR_INPUT). */
bool brief_read(struct arena *arena, struct span json, const char *where, struct brief *brief,
                struct error *error);
/* The members of brief.json that root has in the schema's form; the others stay empty. */
void brief_from_json(struct arena *arena, const cJSON *root, struct brief *brief);

#endif
