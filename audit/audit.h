/* Stage 2: chapter -> claims and findings. */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "core/progress.h"
#include "schemas/brief.h"
#include "schemas/chapter.h"
#include "schemas/claims.h"
#include "schemas/findings.h"
#include "schemas/pass.h"
#include "schemas/sources.h"

struct materials;

struct audit_options {
    struct progress *progress;
    const char *suppressions;          /* file, or NULL */
    const struct materials *materials; /* NULL = none. audit_pass reads its own */
    struct sources *sources; /* NULL = none; gets the claims near each. audit_pass reads its own */
};

/* Reads structure.json, snapshot.txt, brief.json and sources.json of the pass; writes chapter.json,
 * claims.json, findings.json, and the claims near each source into sources.json. A pass without a
 * text (scope none) writes empty artifacts and ends partial. */
bool audit_pass(struct arena *arena, struct pass *pass, const struct audit_options *options,
                struct error *error);

/* The same over one document in memory (assay check). structure is completed in place: its text
 * blocks are segmented. file_name goes into claims->text_file. brief may be NULL. */
bool audit_text(struct arena *arena, struct chapter *structure, struct span file_name,
                const struct brief *brief, const struct audit_options *options,
                struct claims *claims, struct findings *findings, struct error *error);

/* How one claim (label or id) was judged, for a person: its quote, its numbers with their
 * intervals, every finding with its derivation, and what each check did. An unknown claim is
 * ERROR_USAGE. */
bool audit_explain(struct arena *arena, struct span text, const struct claims *claims,
                   const struct findings *findings, struct span claim, struct buffer *out,
                   struct error *error);

#endif
