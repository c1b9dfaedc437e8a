/* Builds a chapter's blocks and headings in reading order; used by every format. */
#ifndef FETCH_OUTLINE_H
#define FETCH_OUTLINE_H

#include "schemas/chapter.h"

/* What the surrounding markup says of a piece of text. */
struct outline_context {
    enum block_kind kind;
    struct span language, note;
};

struct outline {
    struct arena *arena;
    struct chapter *chapter;
    bool open;            /* the last block may still grow */
    size_t latest;        /* index of the last heading, or SIZE_MAX */
    size_t open_heads[7]; /* by level: the heading that a deeper one belongs to, or SIZE_MAX */
};

void outline_init(struct outline *outline, struct arena *arena, struct chapter *chapter);
/* Text at [start, end): grows the open block when the context is the same, else starts another. */
void outline_add(struct outline *outline, const struct outline_context *context, size_t start,
                 size_t end);
/* The next text starts a block. */
void outline_close(struct outline *outline);
/* A heading; text that follows up to the next outline_close is its block. */
void outline_heading(struct outline *outline, int level);
/* Sets the last heading's text and id when it is complete. */
void outline_heading_text(struct outline *outline, struct span text, struct span id);
/* A link, with any credentials taken out of its URL. */
void outline_link(struct outline *outline, size_t start, size_t end, struct span url,
                  struct span text);
void outline_metadata(struct outline *outline, struct span key, struct span value);
/* Appends the blocks, headings, tables and links of a part of the document that was read by itself,
 * each range through place(context, byte, whether it is a range's end). Blocks without a note get
 * this one. */
void outline_graft(struct outline *outline, const struct chapter *part, struct span note,
                   size_t (*place)(const void *context, size_t at, bool end), const void *context);

/* Adds a block of kind text for every visible part of the chapter's view that no block covers, so
 * that nothing a person reads is left out of the audit; sets aligned_bytes to what the blocks
 * before that covered. */
void outline_fill(struct arena *arena, struct chapter *chapter);

/* Kind of a preformatted block: output for the names that highlighters give console output, code
 * for other languages, text (for audit to tell code from output) where no language is named. */
enum block_kind outline_preformatted_kind(struct span language);
/* text with each run of white space as one space and none at the ends. */
struct span outline_collapse(struct arena *arena, struct span text);

#endif
