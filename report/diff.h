/* What changed between two passes over one chapter: claims, findings, verdicts, measurements and
 * sources. Things are paired by what they say, never by their numbering, so that an edit elsewhere
 * in the chapter changes nothing here. */
#ifndef REPORT_DIFF_H
#define REPORT_DIFF_H

#include "report/page.h"
#include "report/view.h"

enum diff_part {
    DIFF_CLAIMS,
    DIFF_STATES, /* of claims that both passes have */
    DIFF_FINDINGS,
    DIFF_VERDICTS,
    DIFF_MEASUREMENTS,
    DIFF_SOURCES,
    DIFF_PART_COUNT
};
extern const char *const diff_part_words[DIFF_PART_COUNT];

struct diff_entry {
    enum diff_part part;
    const char *change;        /* added | removed | changed | moved | new | gone | shifted | died */
    struct span name;          /* label or id, of the later pass where it has it */
    struct span text;          /* what it is, in words of the passes */
    struct span before, after; /* empty when the change has none */
};

struct diff {
    const struct view *a, *b;
    struct diff_entry *entries; /* by part, then in order of the text */
    size_t count, capacity;
    size_t same[DIFF_PART_COUNT]; /* how many stayed as they were */
};

/* Compares two loaded passes. Entries live in the arena of b. */
void diff_views(const struct view *a, const struct view *b, struct diff *diff);

void diff_write_text(struct buffer *out, const struct diff *diff, bool color);
void diff_write_json(struct buffer *out, const struct diff *diff);
void diff_write_markdown(struct buffer *out, const struct diff *diff);
/* One self-contained file without a script. */
void diff_write_html(struct buffer *out, const struct diff *diff);

#endif
