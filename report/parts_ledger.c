/* What a person recorded and decided, as every section shows it. */
#include "report/sections.h"
#include "report/view_ledger.h"

void part_evidence(struct page *page, const struct view *view, const struct ledger_evidence *item) {
    const struct source *source = view_ledger_source(view, item->source);
    if (source)
        page_reference(page, source->label, source->label);
    else
        page_code(page, item->source);
    page_print(page, " %s", word_of(&relation_words, word_value(&relation_words, item->relation)));
    page_text(page, SPAN(": “"));
    page_quote(page, item->anchor.quote);
    page_text(page, SPAN("”"));
    if (item->note.len) {
        page_text(page, SPAN(" (note: "));
        page_quote(page, item->note);
        page_text(page, SPAN(")"));
    }
    page_print(page, " [%s, %s read, ",
               word_of(&evidence_class_words, word_value(&evidence_class_words, item->class)),
               word_of(&reading_words, (int)item->reading));
    page_code(page, item->id);
    if (item->normalization.len) {
        page_text(page, SPAN(", made equal: "));
        page_quote(page, item->normalization);
    }
    if (item->state != LEDGER_CURRENT) {
        page_print(page, ", %s: ", word_of(&ledger_state_words, (int)item->state));
        page_quote(page, item->state_reason);
    }
    page_text(page, SPAN("]"));
}

void part_decision(struct page *page, const struct ledger_decision *decision) {
    page_text(page, SPAN("Decided by "));
    page_quote(page, decision->decided_by);
    page_text(page, SPAN(" at "));
    page_quote(page, decision->decided_at);
    page_text(page, SPAN(": "));
    page_strong(page, word_of(&decision_words, word_value(&decision_words, decision->decision)));
    page_text(page, SPAN(", because "));
    page_quote(page, decision->reason);
    if (decision->state != LEDGER_CURRENT) {
        page_print(page, " (%s: ", word_of(&ledger_state_words, (int)decision->state));
        page_quote(page, decision->state_reason);
        page_text(page, SPAN(")"));
    }
}
