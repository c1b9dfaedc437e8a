#include "report/source_lookups.h"

enum { REGISTRIES_MOST = 32, REASONS_MOST = 4 };

struct tally {
    struct span service;
    size_t found, absent, unreachable, not_asked;
    struct span reasons[REASONS_MOST]; /* the first different ones of silence */
    size_t reason_count;
};

struct tallies {
    struct tally list[REGISTRIES_MOST];
    size_t count;
};

static struct tally *tally_of(struct tallies *tallies, struct span service) {
    for (size_t i = 0; i < tallies->count; i++)
        if (span_equal(tallies->list[i].service, service))
            return &tallies->list[i];
    if (tallies->count == REGISTRIES_MOST)
        return NULL;
    tallies->list[tallies->count] = (struct tally){.service = service};
    return &tallies->list[tallies->count++];
}

static void add_reason(struct tally *tally, struct span why) {
    for (size_t i = 0; i < tally->reason_count; i++)
        if (span_equal(tally->reasons[i], why))
            return;
    if (tally->reason_count < REASONS_MOST && why.len > 0)
        tally->reasons[tally->reason_count++] = why;
}

static void count(struct tallies *tallies, const struct source_registry *registry) {
    struct tally *tally = tally_of(tallies, registry->service);
    if (!tally)
        return;
    tally->found += registry->found;
    tally->absent += registry->state == REGISTRY_ANSWERED && !registry->found;
    tally->unreachable += registry->state == REGISTRY_UNREACHABLE;
    tally->not_asked += registry->state == REGISTRY_NOT_ASKED;
    if (registry->state != REGISTRY_ANSWERED)
        add_reason(tally, registry->why);
}

static void write_tally(struct page *page, const struct tally *tally) {
    page_begin(page, PAGE_ITEM);
    page_quote(page, tally->service);
    page_print(page, ": answered %zu (%zu with a record), unreachable %zu, not asked %zu",
               tally->found + tally->absent, tally->found, tally->unreachable, tally->not_asked);
    for (size_t i = 0; i < tally->reason_count; i++) {
        page_text(page, i ? SPAN("; ") : SPAN(" ("));
        page_quote(page, tally->reasons[i]);
    }
    page_text(page, tally->reason_count ? SPAN(")") : SPAN(""));
    page_end(page, PAGE_ITEM);
}

void lookups_summary(struct page *page, const struct view *view) {
    struct tallies tallies = {.count = 0};
    for (size_t i = 0; i < view->sources.count; i++) {
        const struct source_metadata *metadata = &view->sources.sources[i].metadata;
        for (size_t k = 0; k < metadata->registry_count; k++)
            count(&tallies, &metadata->registries[k]);
    }
    if (tallies.count == 0)
        return;
    page_paragraph(page, "Registries that were asked about them; only an answer can count against "
                         "a source, silence counts for nothing:");
    page_begin(page, PAGE_LIST);
    for (size_t i = 0; i < tallies.count; i++)
        write_tally(page, &tallies.list[i]);
    page_end(page, PAGE_LIST);
}

void lookups_differences(struct page *page, const struct source *source) {
    const struct source_metadata *metadata = &source->metadata;
    for (size_t i = 0; i < metadata->comparison_count; i++) {
        const struct source_comparison *one = &metadata->comparisons[i];
        if (!span_equal(one->result, SPAN("differs")) && !span_equal(one->result, SPAN("close")))
            continue;
        page_break(page);
        page_print(page, "%.*s %.*s: ", SPAN_ARG(one->field), SPAN_ARG(one->result));
        page_quote(page, one->claimed);
        page_text(page, SPAN(" here, "));
        page_quote(page, one->registered);
        page_text(page, SPAN(" at "));
        page_quote(page, one->service);
    }
}
