/* What a brief names around the chapter's snapshot: the chapter's own page, the research pack's
 * page, and the materials. All are asked at once; none of them can make the stage fail. */
#ifndef FETCH_AROUND_H
#define FETCH_AROUND_H

#include "fetch/http.h"
#include "schemas/brief.h"
#include "schemas/chapter.h"
#include "schemas/pass.h"
#include "schemas/sources.h"

enum { AROUND_PAGE_BYTES = 8 << 20, AROUND_MATERIALS_MOST = 50 };

struct around_material {
    size_t item;       /* index into the brief's materials */
    struct span asked; /* the URL that was asked: a notebook's raw file where the item's URL is a
                          page that shows it */
    struct http_result result;
    struct span file; /* "materials/1-12-chapter.ipynb"; empty when nothing was kept */
};

struct around {
    bool has_page, has_pack;
    struct http_result page, pack;
    struct around_material *materials;
    size_t material_count;
};

/* Asks for all that brief names; the chapter's page only when snapshot is the chapter's plain text
 * and came from elsewhere. false only when interrupted. */
bool around_fetch(struct arena *arena, struct http *http, const struct brief *brief,
                  const struct snapshot *snapshot, struct around *around, struct error *error);

/* around_page.c: places the structure of the chapter's page in the snapshot. false when there is no
 * page, it is no HTML, or less than half of the snapshot was found in it. chapter has structure. */
bool around_structure(struct arena *arena, const struct around *around, struct span snapshot,
                      struct chapter *chapter);

/* around_pack.c: one sentence (snapshot.h, pack_note); empty when the brief names no pack. */
struct span around_pack_note(struct arena *arena, const struct brief *brief,
                             const struct around *around);

/* around_material.c */
/* The raw file behind a page that shows it (Colab, GitHub), or url itself. */
struct span material_raw_url(struct arena *arena, struct span url);
/* Writes the files that were received below materials/. */
bool around_keep_materials(struct arena *arena, const struct pass *pass, struct around *around,
                           struct error *error);
/* Says in the rows of sources, which come from this brief, what came of the materials. */
void around_describe_sources(struct arena *arena, const struct around *around,
                             const struct brief *brief, struct sources *sources);

#endif
