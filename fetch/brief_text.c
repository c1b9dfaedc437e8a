/* The research brief as text: sections under lines `== N. Title ==`. */
#include "fetch/brief.h"

#include <stdint.h>

struct heading {
    struct brief_part part; /* start: of the heading's line until the parts are laid out */
    size_t number;          /* SIZE_MAX = none */
    bool known;
};

struct headings {
    struct heading *items;
    size_t count, capacity;
};

/* "== 2. Title ==", "==2 . Title==", "== Title ==" */
static bool read_heading(struct span line, struct heading *heading) {
    line = span_trim(line);
    if (line.len < 5 || !span_starts(line, SPAN("==")) || !span_ends(line, SPAN("==")))
        return false;
    struct span title = span_slice(line, 2, line.len - 2);
    if (title.at[0] == '=' || title.at[title.len - 1] == '=')
        return false;
    title = span_trim(title);
    *heading = (struct heading){.part.heading = title};
    if (!brief_cut_number(&title, &heading->number))
        heading->number = SIZE_MAX;
    heading->part.title = title;
    heading->known = brief_knows_title(title);
    return title.len > 0;
}

static struct headings find_headings(struct brief_parse *parse, size_t *last_end_mark) {
    struct headings all = {0};
    struct brief_lines lines = {parse->text, brief_bom(parse->text), parse->text.len, 1};
    struct brief_line line;
    *last_end_mark = 0;
    while (brief_next_line(&lines, &line)) {
        struct heading heading;
        if (brief_is_excerpt_end(line.text))
            *last_end_mark = line.start;
        if (!read_heading(line.text, &heading))
            continue;
        heading.part.heading_line = line.number;
        heading.part.first_line = line.number + 1;
        heading.part.start = line.start;
        heading.part.end = lines.at;
        LIST_PUSH(parse->arena, all.items, all.count, all.capacity, heading);
    }
    return all;
}

/* Index of the heading that ends the chapter text opened at index `text`. The chapter may hold
 * lines that look like headings of the brief, so: nothing before the excerpt's end mark counts;
 * without a mark the first known title ends it, or a numbered line before that whose number fits
 * between. */
static size_t text_end(const struct headings *all, size_t text, size_t end_mark) {
    bool numbered = all->items[text].number != SIZE_MAX;
    size_t known = text + 1;
    for (; known < all->count; known++) {
        const struct heading *heading = &all->items[known];
        bool counts = heading->known && (!numbered || heading->number != SIZE_MAX);
        if (counts && heading->part.start >= end_mark)
            break;
    }
    size_t next = known < all->count ? all->items[known].number : SIZE_MAX;
    for (size_t i = text + 1; i < known; i++) {
        const struct heading *heading = &all->items[i];
        if (heading->part.start < end_mark || heading->number == SIZE_MAX)
            continue;
        bool behind_mark = end_mark > all->items[text].part.start;
        bool fits = numbered && heading->number > all->items[text].number && heading->number < next;
        if (behind_mark || fits)
            return i;
    }
    return known;
}

/* Hands each part out, with its end where the next one's heading starts. */
static void read_parts(struct brief_parse *parse, const struct headings *all, size_t end_mark) {
    for (size_t i = 0; i < all->count;) {
        struct brief_part part = all->items[i].part;
        size_t next = brief_title_is_text(part.title) ? text_end(all, i, end_mark) : i + 1;
        part.start = all->items[i].part.end;
        part.end = next < all->count ? all->items[next].part.start : parse->text.len;
        brief_read_part(parse, &part);
        i = next;
    }
}

bool brief_parse_text(struct brief_parse *parse) {
    parse->brief->format = SPAN("research-brief");
    size_t end_mark, first = brief_bom(parse->text);
    struct headings all = find_headings(parse, &end_mark);
    if (all.count == 0)
        return brief_refuse(parse, 1,
                            "Start each section with such a line, or give the brief as Markdown "
                            "with front matter or as JSON.",
                            "expected sections like `== 1. Identity ==`, found none");
    parse->brief->instruction = span_trim(span_slice(parse->text, first, all.items[0].part.start));
    read_parts(parse, &all, end_mark);
    if (parse->identity_line == 0)
        return brief_refuse(parse, all.items[0].part.heading_line,
                            "Add it with the lines Book, Chapter and Stable id.",
                            "the brief has no section `== 1. Identity ==`");
    return true;
}
