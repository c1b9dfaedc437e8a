/* What registries said of the documents that the chapter names: identifiers that nobody registered,
 * other works, retractions, later versions, wrong years. Silence of a registry is no finding: it is
 * coverage that did not run. */
#include "audit/checks/checks.h"
#include "schemas/sources.h"

/* Findings of sources.json by kind. */
static const struct kind {
    const char *kind;
    enum finding_class class;
    enum response response;
} kinds[] = {
    {"phantom identifier", FINDING_UNSUPPORTED, RESPONSE_CITATION},
    {"other work", FINDING_INCONSISTENCY, RESPONSE_CITATION},
    {"title differs", FINDING_INCONSISTENCY, RESPONSE_CITATION},
    {"authors differ", FINDING_INCONSISTENCY, RESPONSE_CITATION},
    {"wrong year", FINDING_INCONSISTENCY, RESPONSE_CITATION},
    {"retracted", FINDING_UNSUPPORTED, RESPONSE_CITATION},
    {"withdrawn", FINDING_UNSUPPORTED, RESPONSE_CITATION},
    {"concern", FINDING_UNSUPPORTED, RESPONSE_CLARIFICATION},
    {"superseded", FINDING_DATED, RESPONSE_CITATION},
    {"later version", FINDING_DATED, RESPONSE_CITATION},
    {"yanked", FINDING_DATED, RESPONSE_CITATION},
    {"dead link", FINDING_DATED, RESPONSE_CITATION},
};

/* Kinds that are not in the table ask for nothing. */
static struct kind kind_of(struct span name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_equal(name, span_of(kinds[i].kind)))
            return kinds[i];
    return (struct kind){"", FINDING_NOTE, RESPONSE_NO_CHANGE};
}

static void report(const struct check_input *input, struct findings *findings,
                   const struct source *source, const struct source_finding *found) {
    struct finding_draft d;
    struct kind kind = kind_of(found->kind);
    enum severity severity = kind.class == FINDING_NOTE ? SEVERITY_INFO : found->severity;
    /* A version that is only not the latest is no fault of the text. */
    if (kind.class == FINDING_DATED && severity == SEVERITY_INFO)
        kind = (struct kind){"", FINDING_NOTE, RESPONSE_NO_CHANGE};
    finding_begin(&d, input, findings, "source", kind.class, severity);
    d.finding.response = kind.response;
    d.finding.url = found->url;
    for (size_t i = 0; i < source->place_count; i++)
        if (span_equal(source->places[i].in, SPAN("chapter")) && source->places[i].end > 0)
            finding_place(&d, source->places[i].start, source->places[i].end);
    if (source->claim_count > 0)
        d.finding.claim = source->claims[0];
    finding_say(&d, "%.*s (%.*s, %.*s): %.*s.", SPAN_ARG(source->label), SPAN_ARG(source->id),
                SPAN_ARG(found->kind), SPAN_ARG(found->message));
    finding_end(&d);
}

/* A source that only registries could tell about, none of which could be read. */
static bool is_unread(const struct source *source) {
    bool silent = false;
    for (size_t i = 0; i < source->metadata.registry_count; i++) {
        const struct source_registry *registry = &source->metadata.registries[i];
        if (registry->found)
            return false;
        silent = silent || (registry->state == REGISTRY_UNREACHABLE &&
                            !span_equal(registry->service, SPAN("page")));
    }
    return silent;
}

/* An outage leaves the claims beside the source unchecked; it does not end the check, because a
 * registry's bad afternoon is not the chapter's. */
static void leave_claims(const struct check_input *input, struct findings *findings,
                         const struct source *source) {
    const struct claims *claims = input->document->claims;
    for (size_t i = 0; i < source->claim_count; i++)
        for (size_t k = 0; k < claims->count; k++)
            if (span_equal(claims->claims[k].id, source->claims[i]))
                coverage_add(input, findings, "source", k, COVERAGE_NOT_RUN,
                             arena_printf(input->document->arena,
                                          "no registry could be read about %.*s",
                                          SPAN_ARG(source->label))
                                 .at);
}

static bool was_asked(const struct source *source) {
    for (size_t i = 0; i < source->metadata.registry_count; i++)
        if (source->metadata.registries[i].state != REGISTRY_NOT_ASKED)
            return true;
    return false;
}

static void run(const struct check_input *input, struct findings *findings) {
    const struct sources *sources = input->sources;
    size_t asked = 0, unread = 0;
    for (size_t i = 0; sources && i < sources->count; i++) {
        const struct source *source = &sources->sources[i];
        for (size_t k = 0; k < source->metadata.finding_count; k++)
            report(input, findings, source, &source->metadata.findings[k]);
        asked += was_asked(source);
        if (!is_unread(source))
            continue;
        unread++;
        leave_claims(input, findings, source);
    }
    struct span silence = arena_printf(input->document->arena,
                                       "no registry could be read about %zu of %zu sources; "
                                       "sources.json says which and why",
                                       unread, sources ? sources->count : 0);
    if (asked > 0)
        coverage_add(input, findings, "source", NONE, COVERAGE_RAN, unread ? silence.at : NULL);
    else
        coverage_add(input, findings, "source", NONE, COVERAGE_NOT_APPLICABLE,
                     "no registry was asked about a source");
}

const struct check check_source = {"source", "What registries say of the sources", run};
