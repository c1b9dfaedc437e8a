#include "ledger/copy.h"

#include "core/file.h"
#include "schemas/claims.h"
#include "schemas/sources.h"
#include "schemas/workspace.h"

struct copying {
    struct arena *arena;
    const struct pass *pass;
    struct ledger ledger;
    struct claims claims;
    struct sources sources; /* the pass's */
    struct evidence evidence;
    struct decisions decisions;
};

static bool read_pass(struct copying *c, struct error *error) {
    struct span json;
    const struct pass *pass = c->pass;
    if (pass_has(pass, "claims.json") &&
        (!pass_read(c->arena, pass, "claims.json", &json, error) ||
         !claims_read(c->arena, json, "claims.json", &c->claims, error)))
        return false;
    return !pass_has(pass, "sources.json") ||
           (pass_read(c->arena, pass, "sources.json", &json, error) &&
            sources_read(c->arena, json, "sources.json", &c->sources, error));
}

static bool concerns(const struct copying *c, const struct ledger_claim *claim) {
    return span_equal(claim->book, c->pass->book) && span_equal(claim->chapter, c->pass->chapter) &&
           claims_find(&c->claims, claim->id);
}

static bool has_source(const struct copying *c, struct span id) {
    for (size_t i = 0; i < c->evidence.source_count; i++)
        if (span_equal(c->evidence.sources[i].id, id))
            return true;
    return false;
}

static bool add_source(struct copying *c, struct span id, struct error *error) {
    struct ledger_source source;
    bool found;
    if (has_source(c, id))
        return true;
    if (!ledger_load_source(&c->ledger, id, &source, &found, error))
        return false;
    if (found)
        LIST_PUSH(c->arena, c->evidence.sources, c->evidence.source_count,
                  c->evidence.source_capacity, source);
    return true;
}

static bool collect_evidence(struct copying *c, struct error *error) {
    struct ledger_evidences all;
    if (!ledger_all_evidence(&c->ledger, &all, error))
        return false;
    for (size_t i = 0; i < c->sources.count; i++)
        if (!add_source(c, ledger_source_id(c->arena, c->sources.sources[i].id), error))
            return false;
    for (size_t i = 0; i < all.count; i++) {
        if (!concerns(c, &all.items[i].claim) || all.items[i].state == LEDGER_REMOVED)
            continue;
        if (!add_source(c, all.items[i].source, error))
            return false;
        LIST_PUSH(c->arena, c->evidence.items, c->evidence.count, c->evidence.capacity,
                  all.items[i]);
    }
    return true;
}

static bool collect_decisions(struct copying *c, struct error *error) {
    struct ledger_decisions all;
    if (!ledger_all_decisions(&c->ledger, &all, error))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (concerns(c, &all.items[i].claim) && all.items[i].state != LEDGER_REMOVED)
            LIST_PUSH(c->arena, c->decisions.items, c->decisions.count, c->decisions.capacity,
                      all.items[i]);
    return true;
}

static bool write(const struct pass *pass, const char *name, struct buffer *json, bool empty,
                  struct error *error) {
    bool ok = (empty && !pass_has(pass, name)) || pass_write(pass, name, buffer_span(json), error);
    buffer_free(json);
    return ok;
}

static bool write_copies(const struct copying *c, struct error *error) {
    struct buffer evidence = {0}, decisions = {0};
    evidence_write(&evidence, &c->evidence);
    decisions_write(&decisions, &c->decisions);
    bool ok = write(c->pass, "evidence.json", &evidence,
                    c->evidence.count == 0 && c->evidence.source_count == 0, error);
    return write(c->pass, "decisions.json", &decisions, c->decisions.count == 0,
                 ok ? error : NULL) &&
           ok;
}

bool ledger_copy_to_pass(struct arena *arena, const struct pass *pass, const char *workspace,
                         struct error *error) {
    struct copying c = {.arena = arena, .pass = pass};
    if (!workspace)
        workspace = workspace_of_pass(arena, pass->folder);
    if (!workspace || !file_exists(path_join(arena, workspace, "ledger")))
        return true;
    struct ledger_options options = {.workspace = workspace, .access = LEDGER_READ};
    if (!ledger_open(arena, &options, &c.ledger, error))
        return false;
    bool ok = read_pass(&c, error) && collect_evidence(&c, error) && collect_decisions(&c, error);
    ledger_close(&c.ledger);
    return ok && write_copies(&c, error);
}
