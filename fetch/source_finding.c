#include "fetch/source_finding.h"

#include <stdint.h>

void source_finding_add(struct arena *arena, struct source_metadata *metadata,
                        struct source_finding finding) {
    for (size_t i = 0; i < metadata->finding_count; i++) {
        struct source_finding *same = &metadata->findings[i];
        if (!span_equal(same->kind, finding.kind))
            continue;
        if (span_find(same->message, finding.message, 0) == SIZE_MAX)
            same->message = arena_printf(arena, "%.*s; %.*s", SPAN_ARG(same->message),
                                         SPAN_ARG(finding.message));
        same->severity = finding.severity > same->severity ? finding.severity : same->severity;
        return;
    }
    LIST_PUSH(arena, metadata->findings, metadata->finding_count, metadata->finding_capacity,
              finding);
}
