/* What the services answered about a source, written into its row of sources.json. */
#ifndef FETCH_VERIFY_RECORD_H
#define FETCH_VERIFY_RECORD_H

#include "fetch/service.h"

void verify_record(struct arena *arena, const struct service_item *item);

#endif
