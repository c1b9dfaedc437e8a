/* Finds identifiers of documents in running text. */
#ifndef FETCH_SOURCES_SCAN_H
#define FETCH_SOURCES_SCAN_H

#include "core/table.h"
#include "fetch/sources_name.h"

struct source_found {
    struct source_name name;
    size_t start, end; /* bytes of the text */
};

/* Set text and at = 0 for each text; source_scan_init is needed once. */
struct source_scan {
    struct arena *arena;
    struct table packages;   /* fetch/data/packages.tsv */
    bool package_start[256]; /* bytes that a package's name starts with, in both cases */
    struct span text;
    size_t at;
};

void source_scan_init(struct source_scan *scan, struct arena *arena);

/* The next identifier at or behind scan->at; false at the end. Linear in the text. */
bool source_scan_next(struct source_scan *scan, struct source_found *found);
/* The line around [start, end), at most `most` bytes on each side of start. */
struct span source_line_around(struct span text, size_t start, size_t most);

#endif
