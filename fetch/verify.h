/* The queue of the metadata services: asks every service about the items that are its business, in
 * rounds (a round may make an item another service's business), several items a request where the
 * service can, within the pace that the transport keeps for each host. */
#ifndef FETCH_VERIFY_H
#define FETCH_VERIFY_H

#include "fetch/service.h"

/* Settles items[i].answers for every service. false only when interrupted. */
bool verify_items(struct arena *arena, struct http *http, const struct service_settings *settings,
                  struct service_item *items, size_t count, struct error *error);

/* Looks up every source and records what the registries say: metadata.registries, comparisons,
 * findings, and the verified title, authors, venue, year and version. */
bool verify_sources(struct arena *arena, struct http *http, const struct service_settings *settings,
                    struct sources *sources, struct error *error);

#endif
