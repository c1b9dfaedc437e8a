/* The last known snapshot of a chapter, and the claims of its pass that a change touches. */
#include "fetch/revision.h"

#include "core/file.h"
#include "core/hash.h"
#include "fetch/known.h"
#include "schemas/claims.h"

/* An earlier pass with its artifacts. */
struct earlier {
    const struct pass *pass;
    struct snapshot snapshot;
    struct span text;
    struct chapter chapter; /* with its view */
};

/* Only a text that is what its pass says it is. */
static bool read_text(struct arena *arena, struct earlier *earlier) {
    struct span json;
    struct error ignored;
    return pass_read(arena, earlier->pass, "snapshot.json", &json, &ignored) &&
           snapshot_read(arena, json, "snapshot.json", &earlier->snapshot, &ignored) &&
           span_equal(earlier->snapshot.scope, SPAN("full")) &&
           pass_read(arena, earlier->pass, "snapshot.txt", &earlier->text, &ignored) &&
           span_equal(sha256_hex(arena, earlier->text), earlier->snapshot.sha256);
}

static struct span view_of(struct arena *arena, struct earlier *earlier) {
    struct span json;
    struct error ignored;
    if (!pass_read(arena, earlier->pass, "structure.json", &json, &ignored) ||
        !chapter_read(arena, json, "structure.json", &earlier->chapter, &ignored) ||
        !span_equal(earlier->chapter.sha256, earlier->snapshot.sha256))
        return earlier->text;
    earlier->chapter.text = earlier->text;
    chapter_restore_view(arena, &earlier->chapter);
    return earlier->chapter.view;
}

static void add_claim(struct arena *arena, struct snapshot_change *change, size_t *capacity,
                      const struct claim *claim) {
    struct snapshot_claim touched = {claim->id, claim->label, claim->quote};
    LIST_PUSH(arena, change->claims, change->claim_count, *capacity, touched);
}

/* Claims and changes are both in order; an edit and a removal have a range of the old text. */
static void touch(struct arena *arena, const struct claims *claims, struct snapshot *snapshot) {
    size_t first = 0;
    for (size_t i = 0; i < snapshot->change_count; i++) {
        struct snapshot_change *change = &snapshot->changes[i];
        size_t capacity = 0;
        while (first < claims->count && claims->claims[first].end <= change->old_start)
            first++;
        for (size_t k = first; k < claims->count && claims->claims[k].start < change->old_end; k++)
            if (claims->claims[k].end > change->old_start)
                add_claim(arena, change, &capacity, &claims->claims[k]);
    }
}

static void find_claims(struct arena *arena, const struct pass *pass, struct snapshot *snapshot) {
    struct span json;
    struct claims claims = {0};
    struct error ignored;
    if (pass_read(arena, pass, "claims.json", &json, &ignored) &&
        claims_read(arena, json, "claims.json", &claims, &ignored))
        touch(arena, &claims, snapshot);
}

bool revision_find(struct arena *arena, const char *workspace, const struct pass *pass,
                   const struct chapter *now, struct span text, struct snapshot *snapshot,
                   struct error *error) {
    struct known_passes known;
    snapshot->previous_sha256 = snapshot->previous_pass = SPAN("");
    if (!span_equal(snapshot->scope, SPAN("full")))
        return true;
    if (!known_passes(arena, workspace, path_slug(arena, pass->book),
                      path_slug(arena, pass->chapter), &known, error))
        return false;
    for (size_t i = known.count; i-- > 0;) {
        struct earlier earlier = {.pass = &known.items[i]};
        if (span_equal(earlier.pass->id, pass->id) || !read_text(arena, &earlier))
            continue;
        snapshot->previous_sha256 = earlier.snapshot.sha256;
        snapshot->previous_pass = earlier.pass->id;
        if (span_equal(earlier.snapshot.sha256, snapshot->sha256))
            return true;
        revision_compare(arena, view_of(arena, &earlier),
                         now->view.len == text.len ? now->view : text, snapshot);
        find_claims(arena, earlier.pass, snapshot);
        return true;
    }
    return true;
}
