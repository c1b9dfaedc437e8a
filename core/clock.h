/* Wall clock for what a report says, monotonic clock for what is measured. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include "core/memory.h"

#include <stdint.h>

/* Seconds since 1970 UTC: SOURCE_DATE_EPOCH when set to a valid number, else the system's clock. */
int64_t clock_now(void);
/* "2026-08-29T16:00:00Z", RFC 3339 in UTC. */
struct span clock_rfc3339(struct arena *arena, int64_t seconds);
/* "20260829T160000Z": for folder names. */
struct span clock_compact(struct arena *arena, int64_t seconds);
/* Reads RFC 3339 (any offset) or RFC 2822/HTTP dates; false on anything else. */
bool clock_parse(struct span text, int64_t *seconds);
/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t clock_monotonic_ns(void);

#endif
