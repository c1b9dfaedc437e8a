/* Rows of sources.json under construction: one a source, found again by its id. */
#ifndef FETCH_SOURCES_ROWS_H
#define FETCH_SOURCES_ROWS_H

#include "fetch/sources_name.h"
#include "schemas/sources.h"

struct source_rows {
    struct arena *arena;
    struct sources *sources;
    size_t *slots; /* open addressing by the id's hash; 0 = free, else index + 1 */
    size_t slot_count;
};

/* Owner calls source_rows_free; the rows live in the arena. Rows that sources has are found too. */
void source_rows_init(struct source_rows *rows, struct arena *arena, struct sources *sources);
void source_rows_free(struct source_rows *rows);
/* Adds a row for a new id, else another place to its row. A place that overlaps the source's last
 * one in the same text is the same mention. context is the text around it. Returns the row, valid
 * until the next one is added, or NULL when there are too many. */
struct source *source_rows_add(struct source_rows *rows, const struct source_name *name,
                               struct source_place place, struct span context);

#endif
