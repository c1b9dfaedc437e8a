#include "ledger/carry.h"

#include "core/hash.h"
#include "ledger/carry_claims.h"
#include "ledger/quote.h"
#include "schemas/workspace.h"

struct carrying {
    struct ledger *ledger;
    struct arena *arena;
    const struct pass *pass;
    struct span text, sha256;
    struct claims claims;
    struct carry_index index;
    struct carry_over *carry;
    bool whole; /* the pass read the whole chapter */
    struct renamed {
        struct span from, to;
    } * renamed; /* evidence items that got another id */
    size_t renamed_count, renamed_capacity;
};

/* --- passes --- */

static bool read_claims(struct arena *arena, const struct pass *pass, struct claims *claims,
                        struct error *error) {
    struct span json;
    *claims = (struct claims){0};
    return !pass_has(pass, "claims.json") ||
           (pass_read(arena, pass, "claims.json", &json, error) &&
            claims_read(arena, json, pass_path(arena, pass, "claims.json"), claims, error));
}

/* The passes of the chapter up to this one. *newest: none is later. *before: the last one before it
 * that has claims; its folder is NULL when there is none. */
static bool find_passes(struct carrying *c, const char *workspace, struct pass *before,
                        bool *newest, struct error *error) {
    struct workspace_passes all;
    *before = (struct pass){0};
    *newest = true;
    if (!workspace_list(c->arena, workspace, &all, error))
        return false;
    struct span name = span_of(path_name(c->pass->folder));
    bool behind = false;
    for (size_t i = 0; i < all.count; i++) {
        struct pass one;
        struct error unreadable = {0}; /* a broken pass is not the one before */
        if (!pass_open(c->arena, all.items[i].folder, &one, &unreadable) ||
            !span_equal(one.book, c->pass->book) || !span_equal(one.chapter, c->pass->chapter))
            continue;
        if (span_equal(all.items[i].name, name))
            behind = true;
        else if (behind)
            *newest = false;
        else if (pass_has(&one, "claims.json"))
            *before = one;
    }
    return true;
}

static bool open_texts(struct carrying *c, struct error *error) {
    if (!pass_read(c->arena, c->pass, "snapshot.txt", &c->text, error) ||
        !read_claims(c->arena, c->pass, &c->claims, error))
        return false;
    c->sha256 = sha256_hex(c->arena, c->text);
    c->whole = span_equal(c->pass->scope, SPAN("full"));
    carry_index_make(c->arena, c->text, &c->claims, &c->index);
    return true;
}

/* --- one item --- */

static bool concerns(const struct carrying *c, const struct ledger_claim *claim) {
    return span_equal(claim->book, c->pass->book) && span_equal(claim->chapter, c->pass->chapter);
}

static struct ledger_claim claim_now(const struct carrying *c, size_t claim) {
    const struct claim *found = &c->claims.claims[claim];
    return (struct ledger_claim){
        .book = c->pass->book,
        .chapter = c->pass->chapter,
        .pass = c->pass->id,
        .id = found->id,
        .label = found->label,
        .anchor = ledger_anchor_of(c->text, c->sha256, found->start, found->end)};
}

/* What became of an item's claim; item gets outcome, reason, claim and proposal. */
static struct carry_match judge_claim(const struct carrying *c, const struct ledger_claim *claim,
                                      struct carry_item *item) {
    struct carry_match match =
        carry_match_claim(&c->index, claim->id, claim->anchor.quote, &claim->anchor);
    const struct claim *found =
        match.found <= FOUND_PROPOSED ? &c->claims.claims[match.claim] : NULL;
    item->claim = match.found <= FOUND_MOVED ? found->id : SPAN("");
    if (match.found == FOUND_SAME) {
        item->outcome = CARRY_REUSED;
    } else if (match.found == FOUND_MOVED) {
        item->outcome = CARRY_REVALIDATED;
        item->reason = SPAN("the claim stands word for word at another place");
    } else if (!c->whole) {
        item->outcome = CARRY_UNREAD;
        item->reason =
            SPAN("this pass read only a part of the chapter, and the claim is not in it");
    } else if (match.found == FOUND_NOT) {
        item->outcome = CARRY_REMOVED;
        item->reason = SPAN("the claim is no longer in the chapter");
    } else {
        item->outcome = CARRY_ORPHANED;
        item->reason = match.found == FOUND_UNCLEAR
                           ? SPAN("the claim's words stand in several places, and nothing around "
                                  "them tells which")
                           : SPAN("the claim's words are gone; the proposed one may be what "
                                  "became of it");
        item->proposed = found ? found->id : SPAN("");
        item->proposed_quote = found ? found->quote : SPAN("");
    }
    return match;
}

static enum ledger_state state_of(enum carry_outcome outcome, enum ledger_state before) {
    return outcome == CARRY_REEVALUATE ? LEDGER_REEVALUATE
           : outcome == CARRY_ORPHANED ? LEDGER_ORPHANED
           : outcome == CARRY_REMOVED  ? LEDGER_REMOVED
                                       : before;
}

static struct span sentence(const struct carrying *c, const struct carry_item *item) {
    return arena_printf(c->arena, "carried over to pass %.*s: %s%s%.*s", SPAN_ARG(c->pass->id),
                        word_of(&carry_words, (int)item->outcome), item->reason.len ? ": " : "",
                        SPAN_ARG(item->reason));
}

static void push(struct carrying *c, struct carry_item item) {
    LIST_PUSH(c->arena, c->carry->items, c->carry->item_count, c->carry->item_capacity, item);
}

/* --- evidence --- */

/* The quoted passage in the source's text of now. */
static bool judge_passage(const struct carrying *c, struct ledger_evidence *e,
                          struct carry_item *item, struct error *error) {
    struct ledger_source source;
    bool found;
    if (!ledger_load_source(c->ledger, e->source, &source, &found, error))
        return false;
    if (!found || source.text_sha256.len == 0) {
        item->outcome = CARRY_REMOVED;
        item->reason = SPAN("the source, or the text the quote was taken from, is gone");
        return true;
    }
    if (span_equal(source.text_sha256, e->anchor.sha256))
        return true;
    struct span text;
    struct quote_match match;
    struct error not_found = {0};
    if (!ledger_load_text(c->ledger, source.text_sha256, &text, error))
        return false;
    if (quote_find(c->arena, text, e->anchor.quote, SIZE_MAX, "source", &match, &not_found) &&
        match.normalization.len == 0) {
        e->anchor = ledger_anchor_of(text, source.text_sha256, match.start, match.end);
        e->reading = source.reading;
        if (item->outcome == CARRY_REUSED) {
            item->outcome = CARRY_REVALIDATED;
            item->reason = SPAN("the passage stands word for word in the source's newer text");
        }
        return true;
    }
    item->outcome = CARRY_REEVALUATE;
    item->reason = SPAN("the source's text changed, and the quote no longer stands in it once, "
                        "word for word");
    return true;
}

/* Ids follow from what an item says: one whose claim or place changed is a new file, and the old
 * one says where it went. */
static bool save_evidence(struct carrying *c, struct ledger_evidence *old,
                          struct ledger_evidence *now, const struct carry_item *item,
                          struct error *error) {
    struct span id = ledger_evidence_id(c->arena, now);
    if (span_equal(id, old->id))
        return ledger_save_evidence(c->ledger, now, sentence(c, item), error);
    now->id = id;
    if (!ledger_save_evidence(c->ledger, now, sentence(c, item), error))
        return false;
    LIST_PUSH(c->arena, c->renamed, c->renamed_count, c->renamed_capacity,
              (struct renamed){old->id, id});
    old->state = LEDGER_REMOVED;
    old->state_reason = arena_printf(c->arena, "carried over as %.*s", SPAN_ARG(id));
    return ledger_save_evidence(c->ledger, old, old->state_reason, error);
}

static bool carry_evidence(struct carrying *c, struct ledger_evidence *old, struct error *error) {
    struct carry_item item = {.kind = SPAN("evidence")};
    struct ledger_evidence now = *old;
    struct carry_match match = judge_claim(c, &old->claim, &item);
    bool holds = match.found <= FOUND_MOVED;
    if (holds) {
        now.claim = claim_now(c, match.claim);
        if (!judge_passage(c, &now, &item, error))
            return false;
    }
    now.state = state_of(item.outcome, old->state);
    if (now.state != old->state)
        now.state_reason = item.reason;
    if (item.outcome != CARRY_UNREAD && !save_evidence(c, old, &now, &item, error))
        return false;
    item.id = now.id;
    push(c, item);
    return true;
}

static bool carry_all_evidence(struct carrying *c, struct error *error) {
    struct ledger_evidences all;
    if (!ledger_all_evidence(c->ledger, &all, error))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (concerns(c, &all.items[i].claim) && all.items[i].state != LEDGER_REMOVED &&
            !carry_evidence(c, &all.items[i], error))
            return false;
    return true;
}

/* --- decisions --- */

static void follow_evidence(const struct carrying *c, struct ledger_decision *decision) {
    struct span *ids = arena_array(c->arena, decision->evidence_count, sizeof *ids);
    for (size_t i = 0; i < decision->evidence_count; i++) {
        ids[i] = decision->evidence[i];
        for (size_t j = 0; j < c->renamed_count; j++)
            if (span_equal(c->renamed[j].from, ids[i]))
                ids[i] = c->renamed[j].to;
    }
    decision->evidence = ids;
}

static bool carry_decision(struct carrying *c, struct ledger_decision *old, struct error *error) {
    struct carry_item item = {.kind = SPAN("decision")};
    struct ledger_decision now = *old;
    struct carry_match match = judge_claim(c, &old->claim, &item);
    if (match.found <= FOUND_MOVED)
        now.claim = claim_now(c, match.claim);
    now.id = ledger_decision_id(c->arena, &now.claim);
    follow_evidence(c, &now);
    now.state = state_of(item.outcome, old->state);
    if (now.state != old->state)
        now.state_reason = item.reason;
    item.id = now.id;
    push(c, item);
    if (item.outcome == CARRY_UNREAD)
        return true;
    if (!ledger_save_decision(c->ledger, &now, sentence(c, &item), error))
        return false;
    if (span_equal(now.id, old->id))
        return true;
    old->state = LEDGER_REMOVED;
    old->state_reason = arena_printf(c->arena, "carried over as %.*s", SPAN_ARG(now.id));
    return ledger_save_decision(c->ledger, old, old->state_reason, error);
}

static bool carry_all_decisions(struct carrying *c, struct error *error) {
    struct ledger_decisions all;
    if (!ledger_all_decisions(c->ledger, &all, error))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (concerns(c, &all.items[i].claim) && all.items[i].state != LEDGER_REMOVED &&
            !carry_decision(c, &all.items[i], error))
            return false;
    return true;
}

/* --- all of it --- */

static bool write_artifact(const struct carrying *c, struct error *error) {
    struct buffer json = {0};
    carry_over_write(&json, c->carry);
    bool ok = pass_write(c->pass, "carry_over.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

bool ledger_carry(struct ledger *ledger, const char *workspace, const struct pass *pass,
                  struct carry_over *carry, bool *done, struct error *error) {
    struct carrying c = {.ledger = ledger, .arena = ledger->arena, .pass = pass, .carry = carry};
    struct pass before;
    struct claims earlier = {0};
    bool newest;
    *carry = (struct carry_over){0};
    *done = false;
    if (pass_has(pass, "carry_over.json") || !pass_has(pass, "claims.json"))
        return true;
    if (!find_passes(&c, workspace, &before, &newest, error))
        return false;
    if (!newest)
        return true;
    if (!open_texts(&c, error) ||
        (before.folder && !read_claims(c.arena, &before, &earlier, error)))
        return false;
    carry->previous = before.folder ? before.id : SPAN("");
    carry_compare_claims(c.arena, &earlier, &c.index, carry);
    if (!c.whole) {
        carry->claims_unread = carry->claims_removed;
        carry->claims_removed = 0;
    }
    if (!carry_all_evidence(&c, error) || !carry_all_decisions(&c, error))
        return false;
    *done = before.folder || carry->item_count;
    return !*done || write_artifact(&c, error);
}
