#include "fetch/sources_discover.h"

#include "fetch/sources_rows.h"
#include "fetch/sources_scan.h"
#include "fetch/url.h"
#include "fetch/url_map.h"

#include <stdlib.h>

enum { LINE_BYTES = 200 };

struct discovery {
    struct arena *arena;
    struct source_rows rows;
    struct source_scan scan;
    struct source_name own[3]; /* the chapter's page, its snapshot and its research pack */
};

static void name_own_pages(struct discovery *d, const struct brief *brief) {
    const struct span urls[] = {brief->chapter_url, brief->snapshot_url, brief->research_pack_url};
    for (size_t i = 0; i < 3; i++) {
        if (urls[i].len == 0 || !source_name_url(d->arena, urls[i], &d->own[i]))
            continue;
        d->own[i].kind = i == 2 ? SPAN("pack") : SPAN("chapter");
        d->own[i].note = i == 2 ? SPAN("the chapter's own research pack, no source of its own")
                                : SPAN("the chapter itself, no source of its own");
    }
}

/* The chapter's own pages are named as such wherever they stand; a page on the writer's own machine
 * is out of reach for everybody else. */
static void add(struct discovery *d, struct source_name name, struct source_place place,
                struct span context) {
    struct url_parts parts;
    for (size_t i = 0; i < 3; i++)
        if (d->own[i].id.len > 0 && span_equal(d->own[i].id, name.id))
            name = d->own[i];
    size_t before = d->rows.sources->count;
    bool local = url_split(name.url, &parts) && url_is_local(parts.host);
    if (local)
        name.note = SPAN("a page on somebody's own machine or network");
    source_rows_add(&d->rows, &name, place, context);
    if (local && d->rows.sources->count > before)
        d->rows.sources->sources[before].reading = READING_NOT_ACCESSIBLE;
}

static void scan_text(struct discovery *d, struct span text, size_t base,
                      struct source_place place) {
    struct source_found found;
    d->scan.text = text;
    d->scan.at = 0;
    while (source_scan_next(&d->scan, &found)) {
        place.start = base + found.start;
        place.end = base + found.end;
        add(d, found.name, place, source_line_around(text, found.start, LINE_BYTES));
    }
}

/* Title of a section line ("== 6. Associated material ==", "## Associated material"); empty for
 * other lines. */
static struct span section_title(struct span line) {
    line = span_trim(line);
    char mark = line.len > 2 ? line.at[0] : ' ';
    if ((mark != '=' && mark != '#') || (mark == '=' && line.at[1] != '='))
        return SPAN("");
    while (line.len > 0 && (line.at[0] == mark || strchr("0123456789. ", line.at[0])))
        line = span_slice(line, 1, line.len);
    while (line.len > 0 && (line.at[line.len - 1] == mark || line.at[line.len - 1] == ' '))
        line.len--;
    return line;
}

/* The brief's text line by line, so that each place knows its section. */
static void scan_brief(struct discovery *d, struct span received, const struct brief *brief) {
    struct source_place place = {.in = SPAN("brief"), .part = SPAN("")};
    struct span rest = received, line;
    while (span_next_line(&rest, &line)) {
        size_t start = (size_t)(line.at - received.at);
        if (start >= brief->excerpt_start && start < brief->excerpt_end)
            continue;
        struct span title = section_title(line);
        if (title.len > 0)
            place.part = title;
        scan_text(d, line, start, place);
    }
}

/* A brief in JSON: its texts without places, because escapes stand between. */
static void scan_items(struct discovery *d, const struct brief_items *list, const char *part) {
    struct source_place place = {.in = SPAN("brief"), .part = span_of(part)};
    for (size_t i = 0; i < list->count; i++) {
        struct source_name name;
        scan_text(d, list->items[i].text, 0, place);
        if (source_name_url(d->arena, list->items[i].url, &name))
            add(d, name, place, list->items[i].text);
    }
}

static void scan_parsed_brief(struct discovery *d, const struct brief *brief) {
    const struct span identity[] = {brief->chapter_url, brief->snapshot_url,
                                    brief->research_pack_url, brief->identity_note};
    for (size_t i = 0; i < 4; i++)
        scan_text(d, identity[i], 0,
                  (struct source_place){.in = SPAN("brief"), .part = SPAN("Identity")});
    scan_items(d, &brief->references, "References");
    scan_items(d, &brief->evidence, "Evidence");
    scan_items(d, &brief->leads, "Leads");
    scan_items(d, &brief->questions, "Questions");
    scan_items(d, &brief->materials, "Materials");
    scan_items(d, &brief->history, "History");
    scan_items(d, &brief->unknown, "Other");
    for (size_t i = 0; i < d->rows.sources->count; i++) {
        struct source *source = &d->rows.sources->sources[i];
        source->start = source->end = 0;
        for (size_t k = 0; k < source->place_count; k++)
            source->places[k].start = source->places[k].end = 0;
    }
}

/* Links and what stands in the text, merged in order of their places. */
static int by_start(const void *x, const void *y) {
    const struct chapter_link *const *a = x, *const *b = y;
    if ((*a)->start != (*b)->start)
        return (*a)->start < (*b)->start ? -1 : 1;
    return (*a > *b) - (*a < *b);
}

static void add_link(struct discovery *d, const struct chapter *chapter, struct span base,
                     const struct chapter_link *link) {
    struct source_name name;
    struct source_place place = {
        .in = SPAN("chapter"), .part = SPAN(""), .start = link->start, .end = link->end};
    struct span url = url_mask(d->arena, url_resolve(d->arena, base, link->url));
    if (!source_name_url(d->arena, url, &name))
        return;
    bool placed = link->end > link->start && link->start < chapter->view.len;
    add(d, name, place,
        placed ? source_line_around(d->scan.text, link->start, LINE_BYTES)
               : url_mask(d->arena, link->text));
}

static void scan_chapter(struct discovery *d, const struct chapter *chapter, struct span base) {
    const struct chapter_link **links = arena_array(d->arena, chapter->link_count, sizeof *links);
    struct source_found found;
    size_t next = 0;
    d->scan.text = url_mask(d->arena, chapter->view);
    d->scan.at = 0;
    for (size_t i = 0; i < chapter->link_count; i++)
        links[i] = &chapter->links[i];
    qsort(links, chapter->link_count, sizeof *links, by_start);
    for (bool more = true; more;) {
        more = source_scan_next(&d->scan, &found);
        size_t upto = more ? found.start : chapter->view.len;
        for (; next < chapter->link_count && (!more || links[next]->start <= upto); next++)
            add_link(d, chapter, base, links[next]);
        if (more)
            add(d, found.name,
                (struct source_place){SPAN("chapter"), SPAN(""), found.start, found.end},
                source_line_around(d->scan.text, found.start, LINE_BYTES));
    }
}

void sources_discover(struct arena *arena, struct span received, const struct brief *brief,
                      const struct chapter *chapter, struct sources *sources) {
    struct discovery d = {.arena = arena};
    source_rows_init(&d.rows, arena, sources);
    source_scan_init(&d.scan, arena);
    name_own_pages(&d, brief);
    if (span_equal(brief->format, SPAN("json")))
        scan_parsed_brief(&d, brief);
    else
        scan_brief(&d, received, brief);
    scan_chapter(&d, chapter, brief->chapter_url);
    source_rows_free(&d.rows);
}
