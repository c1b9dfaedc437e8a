/* Who was asked about the sources, who answered, and what came of it (section 3). */
#ifndef REPORT_SOURCE_LOOKUPS_H
#define REPORT_SOURCE_LOOKUPS_H

#include "report/page.h"
#include "report/view.h"

/* Paragraphs: one line a registry; nothing when no registry is mentioned in sources.json. */
void lookups_summary(struct page *page, const struct view *view);
/* Into an open cell: fields in which the text and a registry differ. */
void lookups_differences(struct page *page, const struct source *source);

#endif
