/* The claim an item is about, as the pass has it. */
#include "core/hash.h"
#include "ledger/record.h"

bool ledger_claim_of(struct arena *arena, const struct pass *pass, struct span id,
                     struct ledger_claim *claim, struct error *error) {
    struct span json, text;
    struct claims claims;
    if (!pass_has(pass, "claims.json"))
        return error_set(error, ERROR_INPUT, pass->folder,
                         "Audit it first (`assay audit PASS`), or name another one with --pass.",
                         "the pass has no claims.json");
    if (!pass_read(arena, pass, "claims.json", &json, error) ||
        !claims_read(arena, json, pass_path(arena, pass, "claims.json"), &claims, error) ||
        !pass_read(arena, pass, "snapshot.txt", &text, error))
        return false;
    const struct claim *found = claims_find(&claims, id);
    if (!found)
        return error_set(error, ERROR_INPUT, pass->folder,
                         "Section 2 of its report.md lists the claims.",
                         "expected a claim's label (C1 to C%zu) or id, got \"%.*s\"", claims.count,
                         SPAN_ARG(id));
    if (found->end > text.len || found->start >= found->end ||
        !span_equal(span_slice(text, found->start, found->end), found->quote))
        return error_set(error, ERROR_INPUT, pass_path(arena, pass, "claims.json"),
                         "Audit the pass again: `assay audit PASS`.",
                         "claim %.*s does not stand in snapshot.txt where it should",
                         SPAN_ARG(found->label));
    *claim = (struct ledger_claim){
        .book = pass->book,
        .chapter = pass->chapter,
        .pass = pass->id,
        .id = found->id,
        .label = found->label,
        .anchor = ledger_anchor_of(text, sha256_hex(arena, text), found->start, found->end),
    };
    return true;
}
