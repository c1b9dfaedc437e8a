/* structure.json and chapter.json (assay.chapter.v1): the chapter as blocks with byte ranges.
 *
 * fetch writes structure.json from markup (HTML, Markdown, notebook), or one block of kind `text`
 * for plain text. audit segments what markup did not and writes chapter.json. All ranges are bytes
 * of `text` (snapshot.txt); blocks are in order of start and do not overlap.
 *
 * `view` has the same length as `text`: every byte that is markup (tags, attributes, comments,
 * scripts, link targets, emphasis marks, table rules) is a space there, so that readers of numbers
 * see only what a person sees and still quote exact bytes. For plain text view is text.
 * Where a block-level tag separates, one byte of it is a newline (before a table cell a tab), so
 * that lines stay lines. A character written as an entity or escape stands decoded in the first
 * bytes of its range and the rest is spaces: "2.5&times;10" reads "2.5×      10" (the padding is
 * behind the character, never before it). */
#ifndef SCHEMAS_CHAPTER_H
#define SCHEMAS_CHAPTER_H

#include "core/json.h"
#include "schemas/status.h"

#define CHAPTER_SCHEMA "assay.chapter.v1"

struct chapter_cell {
    size_t start, end;
    bool header;
};

struct chapter_row {
    size_t first_cell, cell_count; /* into chapter.cells */
};

struct chapter_heading {
    size_t parent; /* index, or SIZE_MAX at the top */
    int level;     /* 1..6 */
    struct span text, id;
    size_t block; /* index of its block, or SIZE_MAX (heading known from markup only) */
};

struct chapter_block {
    enum block_kind kind;
    size_t start, end;
    size_t heading;              /* index into headings, or SIZE_MAX before the first */
    struct span language;        /* code: "python"; else empty */
    size_t first_row, row_count; /* tables from markup: into rows */
    struct span note;            /* figure | footnote | caption | cell 3 [in 7] ... ; else empty */
};

struct chapter_link {
    size_t start, end; /* of the link text in the view; start == end when it has none */
    struct span url, text;
};

struct chapter {
    struct span format;     /* text | html | markdown | notebook */
    struct span text, view; /* not stored in the JSON: chapter_read leaves them empty */
    struct span sha256;     /* of text */
    struct chapter_block *blocks;
    size_t block_count, block_capacity;
    struct chapter_heading *headings;
    size_t heading_count, heading_capacity;
    struct chapter_row *rows;
    size_t row_count, row_capacity;
    struct chapter_cell *cells;
    size_t cell_count, cell_capacity;
    struct chapter_link *links;
    size_t link_count, link_capacity;
    size_t aligned_bytes; /* of text covered by blocks that markup placed */
    struct span masked;   /* where the view differs from text: "start-end" is blank, "start-end:HEX"
                             holds these bytes, then blanks; comma-separated; empty for plain text */
    struct span *metadata_keys, *metadata_values; /* front matter, notebook metadata, title */
    size_t metadata_count;
};

void chapter_write(struct buffer *out, const struct chapter *chapter);
bool chapter_read(struct arena *arena, struct span json, const char *where, struct chapter *chapter,
                  struct error *error);
/* Makes chapter->masked from text and view (same length). */
void chapter_mask(struct arena *arena, struct chapter *chapter);
/* Makes chapter->view from text and masked (after chapter_read and loading snapshot.txt). */
void chapter_restore_view(struct arena *arena, struct chapter *chapter);
/* Heading texts from the top down to the block's own, in the arena; *count of them. */
struct span *chapter_heading_path(struct arena *arena, const struct chapter *chapter,
                                  size_t heading, size_t *count);

#endif
