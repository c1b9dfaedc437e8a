/* The services, in the order in which their word counts. A new one is one service_NAME.c and one
 * line here (docs/adding.md). */
#include "fetch/service.h"

extern const struct service service_crossref, service_datacite, service_handle,
    service_crossref_updates, service_arxiv, service_openalex, service_openlibrary, service_github,
    service_rfc, service_pypi, service_page, service_sphinx, service_dblp, service_crossref_search;

const struct service *const services[] = {
    &service_crossref,    &service_datacite,         &service_handle,
    &service_arxiv,       &service_crossref_updates, &service_openalex,
    &service_openlibrary, &service_github,           &service_rfc,
    &service_pypi,        &service_crossref_search,  &service_dblp,
    &service_page,        &service_sphinx,           NULL,
};

size_t service_count(void) {
    _Static_assert(sizeof services / sizeof *services <= SERVICES_MOST + 1, "raise SERVICES_MOST");
    return sizeof services / sizeof *services - 1;
}

size_t service_index(const char *id) {
    size_t i = 0;
    while (services[i + 1] && strcmp(services[i]->id, id) != 0)
        i++;
    return i;
}

struct span service_base(const struct service *service, const struct service_settings *settings) {
    struct span id = span_of(service->base_id ? service->base_id : service->id);
    struct span base = service->environment_base ? service->environment_base() : SPAN("");
    base = base.len > 0 ? base : span_of(service->base);
    for (size_t i = 0; settings->bases && settings->bases[i]; i++) {
        struct span setting = span_of(settings->bases[i]), name;
        if (span_next_field(&setting, '=', &name) && span_equal(name, id))
            base = setting;
    }
    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    return base;
}

const struct service_answer *service_answer_of(const struct service_item *item, const char *id) {
    return &item->answers[service_index(id)];
}

bool service_is_settled(const struct service_item *item, const char *id) {
    return service_answer_of(item, id)->settled;
}

bool service_has_record(const struct service_item *item, const char *id) {
    return service_answer_of(item, id)->found;
}
