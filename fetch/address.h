/* Which network addresses a URL from outside may reach: public unicast only, so that a page cannot
 * make this machine ask its own services or its neighbours (server-side request forgery). */
#ifndef FETCH_ADDRESS_H
#define FETCH_ADDRESS_H

#include "core/memory.h"

#include <sys/socket.h>

/* By the IANA special-purpose registries (RFC 6890 and successors): private, loopback, link-local
 * (cloud metadata), shared, documentation, benchmark, multicast and reserved ranges are not public;
 * neither is an IPv6 address that carries such an IPv4 address (mapped, NAT64, 6to4, Teredo).
 * Anything but IPv4 and IPv6 is not public. */
bool address_is_public(const struct sockaddr *address);
/* "10.0.0.1" or "::1" in the arena; "?" for another family. */
struct span address_text(struct arena *arena, const struct sockaddr *address);

#endif
