#include "fetch/verify_record.h"

#include "fetch/compare.h"
#include "fetch/source_finding.h"

static void add_registry(struct arena *arena, struct source_metadata *metadata,
                         const struct service *service, const struct service_answer *answer) {
    struct source_registry registry = {
        .service = span_of(service->id),
        .state = answer->state,
        .found = answer->found,
        .why = answer->why,
        .url = answer->url,
        .at = answer->at,
    };
    if (answer->found)
        registry.record = answer->record->fields;
    LIST_PUSH(arena, metadata->registries, metadata->registry_count, metadata->registry_capacity,
              registry);
}

static void add_notes(struct arena *arena, struct source_metadata *metadata,
                      const struct service *service, const struct service_answer *answer) {
    for (size_t i = 0; answer->found && i < answer->record->note_count; i++) {
        const struct service_note *note = &answer->record->notes[i];
        source_finding_add(arena, metadata,
                           (struct source_finding){span_of(note->kind), note->severity,
                                                   note->message, span_of(service->id),
                                                   answer->url});
    }
}

/* An identifier that an authority does not know, unless another one has a record of it. */
static void add_absence(struct arena *arena, const struct service_item *item,
                        const struct service *service, const struct service_answer *answer) {
    struct source_metadata *metadata = &item->source->metadata;
    if (!service->absent_kind || answer->state != REGISTRY_ANSWERED || answer->found)
        return;
    for (size_t i = 0; i < service_count(); i++)
        if (item->answers[i].found)
            return;
    struct span message = arena_printf(arena, "looked up %.*s: %.*s", SPAN_ARG(item->source->id),
                                       SPAN_ARG(answer->why));
    source_finding_add(arena, metadata,
                       (struct source_finding){span_of(service->absent_kind), SEVERITY_MEDIUM,
                                               message, span_of(service->id), answer->url});
}

static void fill(struct span *field, struct span value) {
    if (field->len == 0)
        *field = value;
}

/* The first registry that has a record is the authority; later ones fill what it leaves out. */
static void take_record(struct arena *arena, struct source *source, const struct service *service,
                        const struct service_answer *answer) {
    if (!answer->found || !answer->record)
        return;
    const struct source_record *record = &answer->record->fields;
    if (record->title.len + record->version.len == 0)
        return;
    fill(&source->title, record->title);
    fill(&source->authors, record->authors);
    fill(&source->venue, record->venue);
    fill(&source->year, record->year);
    fill(&source->version, record->version);
    if (span_starts(source->metadata_status, SPAN("verified: ")))
        return;
    source->metadata_status = arena_printf(arena, "verified: %s, %.*s", service->id,
                                           SPAN_ARG(span_slice(answer->at, 0, 10)));
}

void verify_record(struct arena *arena, const struct service_item *item) {
    struct source *source = item->source;
    struct source_metadata *metadata = &source->metadata;
    for (size_t i = 0; i < service_count(); i++) {
        const struct service_answer *answer = &item->answers[i];
        if (!answer->settled)
            continue;
        if (services[i]->is_page && answer->status > 0) {
            source->http_status = answer->status;
            source->accessed_at = answer->at;
        }
        add_registry(arena, metadata, services[i], answer);
        take_record(arena, source, services[i], answer);
        add_notes(arena, metadata, services[i], answer);
        add_absence(arena, item, services[i], answer);
    }
    compare_source(arena, source);
}
