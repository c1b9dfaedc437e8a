/* The sections of a brief, one reader each, over the lines between two headings. */
#include "fetch/brief.h"

#include <stdint.h>

typedef void part_reader(struct brief_parse *, const struct brief_part *);

static part_reader read_identity, read_text, read_references, read_evidence, read_objective,
    read_materials, read_history, read_method, read_output;

static const struct section_name {
    const char *title;
    part_reader *read;
} section_names[] = {
    {"Identity", read_identity},
    {"Chapter identity", read_identity},
    {"Chapter text", read_text},
    {"Chapter excerpt", read_text},
    {"Existing references and bibliography", read_references},
    {"Existing references", read_references},
    {"References and bibliography", read_references},
    {"References", read_references},
    {"Bibliography", read_references},
    {"Existing evidence", read_evidence},
    {"Existing evidence and leads", read_evidence},
    {"Evidence and leads", read_evidence},
    {"Evidence", read_evidence},
    {"Research objective and questions", read_objective},
    {"Research objective", read_objective},
    {"Objective and questions", read_objective},
    {"Research questions", read_objective},
    {"Objective", read_objective},
    {"Associated material", read_materials},
    {"Associated materials", read_materials},
    {"Materials", read_materials},
    {"Research history", read_history},
    {"History", read_history},
    {"How to investigate", read_method},
    {"Method", read_method},
    {"Required output", read_output},
};

static const struct section_name *find_title(struct span title) {
    for (size_t i = 0; i < sizeof section_names / sizeof *section_names; i++)
        if (span_equal_nocase(title, span_of(section_names[i].title)))
            return &section_names[i];
    return NULL;
}

bool brief_knows_title(struct span title) {
    return find_title(title) != NULL;
}

bool brief_title_is_text(struct span title) {
    const struct section_name *name = find_title(title);
    return name && name->read == read_text;
}

bool brief_title_is_output(struct span title) {
    const struct section_name *name = find_title(title);
    return name && name->read == read_output;
}

bool brief_next_line(struct brief_lines *lines, struct brief_line *line) {
    if (lines->at >= lines->end)
        return false;
    struct span rest = span_slice(lines->text, lines->at, lines->end);
    line->start = lines->at;
    line->number = lines->number++;
    span_next_line(&rest, &line->text);
    lines->at = lines->end - rest.len;
    return true;
}

bool brief_cut_number(struct span *title, size_t *number) {
    struct span s = span_trim(*title);
    size_t digits = 0;
    while (digits < s.len && s.at[digits] >= '0' && s.at[digits] <= '9')
        digits++;
    if (!span_to_size(span_slice(s, 0, digits), 9999, number))
        return false;
    s = span_trim(span_slice(s, digits, s.len));
    if (s.len && (s.at[0] == '.' || s.at[0] == ')'))
        s = span_trim(span_slice(s, 1, s.len));
    *title = s;
    return true;
}

bool brief_is_excerpt_end(struct span line) {
    line = span_trim(line);
    return span_starts(line, SPAN("[")) && span_ends(line, SPAN("]")) &&
           span_find_nocase(span_slice(line, 0, 40), SPAN("end of excerpt"), 0) != SIZE_MAX;
}

static struct brief_lines lines_of(const struct brief_parse *parse, const struct brief_part *part) {
    return (struct brief_lines){parse->text, part->start, part->end, part->first_line};
}

/* Prose lines, with one empty line where the brief has some. */
struct note {
    struct buffer text;
    bool blank_before;
};

static void note_line(struct note *note, struct span line) {
    if (line.len == 0) {
        note->blank_before = note->text.len > 0;
        return;
    }
    if (note->text.len)
        buffer_add_byte(&note->text, '\n');
    if (note->blank_before)
        buffer_add_byte(&note->text, '\n');
    note->blank_before = false;
    buffer_add(&note->text, line);
}

/* A section that occurs twice adds to what the first one said. */
static void note_finish(struct brief_parse *parse, struct note *note, struct span *target) {
    struct span said = buffer_span(&note->text);
    if (said.len)
        *target = target->len ? arena_printf(parse->arena, "%.*s\n\n%.*s", SPAN_ARG(*target),
                                             SPAN_ARG(said))
                              : arena_copy(parse->arena, said);
    buffer_free(&note->text);
}

/* Length of "- ", "* ", "12. ", "12) " or "[12] " at the start of line, label what stands in it; 0
 * when the line is no list item. */
static size_t item_mark(struct span line, struct span *label) {
    size_t at = 0;
    *label = SPAN("");
    if (span_starts(line, SPAN("- ")) || span_starts(line, SPAN("* ")))
        return 2;
    if (span_starts(line, SPAN("\xE2\x80\xA2 ")))
        return 4;
    bool bracket = span_starts(line, SPAN("["));
    at += bracket;
    while (at < line.len && line.at[at] >= '0' && line.at[at] <= '9')
        at++;
    *label = span_slice(line, bracket, at);
    if (label->len == 0 || label->len > 4 || at >= line.len)
        return 0;
    bool closed = bracket ? line.at[at] == ']' : line.at[at] == '.' || line.at[at] == ')';
    bool space = at + 1 >= line.len || line.at[at + 1] == ' ' || line.at[at + 1] == '\t';
    return closed && space ? at + 1 : 0;
}

static bool says_nothing(struct span item) {
    static const char *const words[] = {"none recorded", "none", "n/a", "none recorded.", "none."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_equal_nocase(item, span_of(words[i])))
            return true;
    return false;
}

/* Items and prose of one section. An item goes on over indented lines until an empty one. */
struct list_reader {
    struct brief_parse *parse;
    struct brief_items *items;
    struct brief_items *leads; /* where items go behind a line that announces leads; or NULL */
    struct note note;
    struct span open_label;
    size_t open_start, open_end, open_line; /* the item being read; open_line 0 = none */
};

static void close_item(struct list_reader *list) {
    struct span text = span_slice(list->parse->text, list->open_start, list->open_end);
    if (list->open_line && !says_nothing(span_trim(text)))
        brief_add_item(list->parse, list->items, list->open_label, text, list->open_line);
    list->open_line = 0;
}

static bool announces_leads(struct span line) {
    static const char *const words[] = {"lead", "candidate", "seed", "unverified"};
    if (!span_ends(line, SPAN(":")))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_find_nocase(line, span_of(words[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

static void read_list_line(struct list_reader *list, const struct brief_line *line) {
    struct span text = span_trim(line->text), label;
    bool indented = line->text.len && (line->text.at[0] == ' ' || line->text.at[0] == '\t');
    size_t end = line->start + line->text.len;
    if (list->open_line && indented && text.len) {
        list->open_end = end;
        return;
    }
    close_item(list);
    size_t mark = item_mark(text, &label);
    if (mark) {
        list->open_label = label;
        list->open_start = (size_t)(text.at - list->parse->text.at) + mark;
        list->open_end = end;
        list->open_line = line->number;
    } else if (list->leads && announces_leads(text)) {
        list->items = list->leads;
    } else {
        note_line(&list->note, text);
    }
}

static void read_list(struct brief_parse *parse, const struct brief_part *part,
                      struct brief_items *items, struct brief_items *leads, struct span *note) {
    struct list_reader list = {.parse = parse, .items = items, .leads = leads};
    struct brief_lines lines = lines_of(parse, part);
    struct brief_line line;
    while (brief_next_line(&lines, &line))
        read_list_line(&list, &line);
    close_item(&list);
    note_finish(parse, &list.note, note);
}

static void read_references(struct brief_parse *parse, const struct brief_part *part) {
    read_list(parse, part, &parse->brief->references, NULL, &parse->brief->references_note);
}

static void read_evidence(struct brief_parse *parse, const struct brief_part *part) {
    read_list(parse, part, &parse->brief->evidence, &parse->brief->leads,
              &parse->brief->evidence_note);
}

static void read_objective(struct brief_parse *parse, const struct brief_part *part) {
    read_list(parse, part, &parse->brief->questions, NULL, &parse->brief->objective);
}

static void read_materials(struct brief_parse *parse, const struct brief_part *part) {
    read_list(parse, part, &parse->brief->materials, NULL, &parse->brief->materials_note);
}

static void read_history(struct brief_parse *parse, const struct brief_part *part) {
    read_list(parse, part, &parse->brief->history, NULL, &parse->brief->history_note);
}

static void read_method(struct brief_parse *parse, const struct brief_part *part) {
    struct span prose = SPAN("");
    read_list(parse, part, &parse->brief->method, NULL, &prose);
    if (prose.len)
        brief_keep_unknown(parse, "prose", part->title, prose, part->heading_line);
}

/* "Label: value", where the label is a field's or looks like one: short, and no URL's scheme. */
static bool cut_field(struct span line, struct span *label, struct span *value) {
    enum { LONGEST_LABEL = 60 };
    size_t colon = span_find_byte(line, ':', 0);
    if (colon == SIZE_MAX || colon == 0)
        return false;
    *label = span_trim(span_slice(line, 0, colon));
    *value = span_trim(span_slice(line, colon + 1, line.len));
    if (brief_knows_field(*label))
        return true;
    return label->len <= LONGEST_LABEL && !span_starts(*value, SPAN("//"));
}

static bool says_excerpt(struct span line) {
    return span_find_nocase(line, SPAN("excerpt"), 0) != SIZE_MAX &&
           span_find_nocase(line, SPAN("not an excerpt"), 0) == SIZE_MAX;
}

/* "A complete snapshot of this revision is downloadable at URL" */
static bool offers_snapshot(struct span line) {
    return span_find_nocase(line, SPAN("snapshot"), 0) != SIZE_MAX ||
           span_find_nocase(line, SPAN("download"), 0) != SIZE_MAX;
}

static void read_identity_prose(struct brief_parse *parse, struct span line) {
    struct brief *brief = parse->brief;
    struct span url = brief_find_url(line);
    brief->excerpt_is_partial |= says_excerpt(line);
    if (url.len && brief->snapshot_url.len == 0 && offers_snapshot(line))
        brief->snapshot_url = url;
}

static void read_identity(struct brief_parse *parse, const struct brief_part *part) {
    struct brief_lines lines = lines_of(parse, part);
    struct brief_line line;
    struct span label, value;
    struct note note = {0};
    if (parse->identity_line == 0)
        parse->identity_line = part->heading_line;
    while (brief_next_line(&lines, &line)) {
        struct span text = span_trim(line.text);
        if (cut_field(text, &label, &value)) {
            brief_set_field(parse, label, value, line.number);
            continue;
        }
        read_identity_prose(parse, text);
        note_line(&note, text);
    }
    note_finish(parse, &note, &parse->brief->identity_note);
}

/* The first byte that is not white space and the one behind the last, inside [*start, *end). */
static void trim_range(struct span text, size_t *start, size_t *end) {
    struct span inside = span_trim(span_slice(text, *start, *end));
    if (inside.len == 0) {
        *end = *start;
        return;
    }
    *start = (size_t)(inside.at - text.at);
    *end = *start + inside.len;
}

static void read_text(struct brief_parse *parse, const struct brief_part *part) {
    struct brief *brief = parse->brief;
    struct brief_lines lines = lines_of(parse, part);
    struct brief_line line, mark = {.start = part->end};
    size_t behind = part->end;
    while (brief_next_line(&lines, &line))
        if (brief_is_excerpt_end(line.text)) {
            mark = line;
            behind = lines.at;
        }
    if (brief->excerpt.len) {
        brief_keep_unknown(parse, "repeated section", part->heading,
                           span_trim(span_slice(parse->text, part->start, part->end)),
                           part->heading_line);
        return;
    }
    brief->excerpt_is_partial |= mark.text.len > 0 || says_excerpt(part->title);
    brief->excerpt_start = part->start;
    brief->excerpt_end = mark.start;
    trim_range(parse->text, &brief->excerpt_start, &brief->excerpt_end);
    brief->excerpt = span_slice(parse->text, brief->excerpt_start, brief->excerpt_end);
    if (brief->excerpt.len == 0)
        brief->excerpt_start = brief->excerpt_end = 0;
    struct span rest = span_trim(span_slice(parse->text, behind, part->end));
    if (rest.len)
        brief_keep_unknown(parse, "text behind the excerpt", part->title, rest, mark.number);
}

/* "## 1. Context" opens a section of the report; lines right under it describe it. */
static void read_output(struct brief_parse *parse, const struct brief_part *part) {
    struct brief *brief = parse->brief;
    struct brief_lines lines = lines_of(parse, part);
    struct brief_line line;
    struct note note = {0};
    bool open = false;
    while (brief_next_line(&lines, &line)) {
        struct span text = span_trim(line.text);
        size_t marks = 0;
        while (marks < text.len && text.at[marks] == '#')
            marks++;
        bool heading = marks >= 2 && marks < text.len && text.at[marks] == ' ';
        if (heading) {
            brief_add_section(parse, span_slice(text, marks, text.len), line.number);
            open = true;
        } else if (open && text.len) {
            struct span *said = &brief->sections[brief->section_count - 1].description;
            *said = said->len ? span_make(said->at, (size_t)(text.at + text.len - said->at)) : text;
        } else {
            open = false;
            note_line(&note, text);
        }
    }
    note_finish(parse, &note, &brief->output_note);
}

void brief_read_part(struct brief_parse *parse, const struct brief_part *part) {
    const struct section_name *name = find_title(part->title);
    if (name)
        name->read(parse, part);
    else
        brief_keep_unknown(parse, "section", part->heading,
                           span_trim(span_slice(parse->text, part->start, part->end)),
                           part->heading_line);
}
