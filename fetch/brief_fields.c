/* Identity fields, items and URLs: what every form of a brief shares. */
#include "fetch/brief.h"
#include "fetch/fingerprint.h"

static const struct field {
    const char *name; /* letters and digits of the label in lower case */
    size_t offset;
} fields[] = {
    {"book", offsetof(struct brief, book)},
    {"chapter", offsetof(struct brief, chapter)},
    {"chaptertitle", offsetof(struct brief, chapter)},
    {"chapternumber", offsetof(struct brief, chapter_number)},
    {"stableid", offsetof(struct brief, stable_id)},
    {"chapterurl", offsetof(struct brief, chapter_url)},
    {"researchpack", offsetof(struct brief, research_pack_url)},
    {"researchpackurl", offsetof(struct brief, research_pack_url)},
    {"snapshot", offsetof(struct brief, snapshot_url)},
    {"snapshoturl", offsetof(struct brief, snapshot_url)},
    {"chapterprosefingerprint", offsetof(struct brief, fingerprint)},
    {"chapterfingerprint", offsetof(struct brief, fingerprint)},
    {"fingerprint", offsetof(struct brief, fingerprint)},
    {"sha256", offsetof(struct brief, fingerprint)},
    {"fingerprintprofile", offsetof(struct brief, fingerprint_profile)},
    {"fingerprintlabel", offsetof(struct brief, fingerprint_label)},
};

/* "Stable id", "stable_id" and "Stable-ID" are one label. */
static bool label_is(struct span label, const char *name) {
    for (size_t i = 0; i < label.len; i++) {
        char c = label.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + 32);
        if (c == ' ' || c == '_' || c == '-' || c == '\t')
            continue;
        if (c != *name++)
            return false;
    }
    return *name == '\0';
}

static const struct field *find_field(struct span label) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (label_is(label, fields[i].name))
            return &fields[i];
    return NULL;
}

/* "Chapter prose fingerprint (sha256, normalized)": the label and what stands in brackets. */
static struct span cut_qualifier(struct span *label) {
    size_t open = span_find_byte(*label, '(', 0);
    if (open == (size_t)-1 || !span_ends(*label, SPAN(")")))
        return SPAN("");
    struct span inside = span_slice(*label, open + 1, label->len - 1);
    *label = span_trim(span_slice(*label, 0, open));
    return span_trim(inside);
}

bool brief_knows_field(struct span label) {
    cut_qualifier(&label);
    return find_field(label) != NULL;
}

void brief_keep_unknown(struct brief_parse *parse, const char *kind, struct span label,
                        struct span text, size_t line) {
    struct brief_items *list = &parse->brief->unknown;
    struct brief_item item = {.label = label,
                              .text = text,
                              .url = brief_find_url(text),
                              .kind = span_of(kind),
                              .line = line};
    LIST_PUSH(parse->arena, list->items, list->count, list->capacity, item);
}

static void set_fingerprint(struct brief_parse *parse, struct span qualifier, struct span value,
                            size_t line) {
    struct brief *brief = parse->brief;
    if (span_starts_nocase(value, SPAN("sha256:")))
        value = span_trim(span_slice(value, 7, value.len));
    brief->fingerprint = value;
    brief->fingerprint_label = qualifier;
    parse->fingerprint_line = line;
    struct span part;
    while (span_next_field(&qualifier, ',', &part)) {
        part = span_trim(part);
        if (fingerprint_profile_exists(part))
            brief->fingerprint_profile = part;
    }
}

void brief_set_field(struct brief_parse *parse, struct span label, struct span value, size_t line) {
    struct span whole = label, qualifier = cut_qualifier(&label);
    const struct field *field = find_field(label);
    value = span_trim(value);
    if (!field) {
        brief_keep_unknown(parse, "field", whole, value, line);
        return;
    }
    struct span *target = (void *)((char *)parse->brief + field->offset);
    if (target->len && !span_equal(*target, value)) {
        brief_keep_unknown(parse, "repeated field", whole, value, line);
        return;
    }
    if (target == &parse->brief->fingerprint && value.len)
        set_fingerprint(parse, qualifier, value, line);
    else
        *target = value;
}

static const struct list_name {
    const char *name;
    size_t offset;
} lists[] = {
    {"references", offsetof(struct brief, references)},
    {"evidence", offsetof(struct brief, evidence)},
    {"leads", offsetof(struct brief, leads)},
    {"questions", offsetof(struct brief, questions)},
    {"materials", offsetof(struct brief, materials)},
    {"history", offsetof(struct brief, history)},
    {"method", offsetof(struct brief, method)},
};

struct brief_items *brief_list(struct brief *brief, struct span name) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (span_equal(name, span_of(lists[i].name)))
            return (void *)((char *)brief + lists[i].offset);
    return NULL;
}

/* "Colab notebook: https://..." has a label; "https://..." and prose have none. */
static struct span item_label(struct span text, struct span url) {
    enum { LONGEST_LABEL = 80 };
    size_t colon = span_find_byte(text, ':', 0);
    if (colon == (size_t)-1 || colon > LONGEST_LABEL || url.len == 0 || text.at + colon >= url.at)
        return SPAN("");
    return span_trim(span_slice(text, 0, colon));
}

void brief_add_item(struct brief_parse *parse, struct brief_items *list, struct span label,
                    struct span text, size_t line) {
    struct brief_item item = {.text = span_trim(text), .line = line};
    item.url = brief_find_url(item.text);
    item.label = label.len ? label : item_label(item.text, item.url);
    if (list == &parse->brief->materials)
        item.kind = brief_material_kind(item.label, item.url);
    LIST_PUSH(parse->arena, list->items, list->count, list->capacity, item);
}

void brief_add_section(struct brief_parse *parse, struct span line_text, size_t line) {
    static const char *const separators[] = {" \xE2\x80\x94 ", " \xE2\x80\x93 ", " -- ", " - "};
    struct brief *brief = parse->brief;
    struct brief_section section = {.heading = span_trim(line_text), .line = line};
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
        struct span separator = span_of(separators[i]);
        size_t at = span_find(line_text, separator, 0);
        if (at == (size_t)-1)
            continue;
        section.heading = span_trim(span_slice(line_text, 0, at));
        section.description = span_trim(span_slice(line_text, at + separator.len, line_text.len));
        break;
    }
    LIST_PUSH(parse->arena, brief->sections, brief->section_count, brief->section_capacity,
              section);
}

static bool ends_url(unsigned char c) {
    return c <= ' ' || c == 0x7f || strchr("<>\"'`|\\^{}", c) != NULL;
}

/* A closing bracket belongs to the URL when the URL opened it. */
static bool is_loose_bracket(struct span url, char open, char close) {
    size_t depth = 0;
    for (size_t i = 0; i + 1 < url.len; i++)
        depth += url.at[i] == open ? 1 : url.at[i] == close && depth ? (size_t)-1 : 0;
    return depth == 0;
}

static struct span trim_url(struct span url) {
    while (url.len) {
        char last = url.at[url.len - 1];
        if (!(strchr(".,;:!?*", last) || (last == ')' && is_loose_bracket(url, '(', ')')) ||
              (last == ']' && is_loose_bracket(url, '[', ']'))))
            break;
        url.len--;
        if (last == ')' || last == ']')
            break;
    }
    return url;
}

struct span brief_find_url(struct span text) {
    for (size_t at = 0; (at = span_find(text, SPAN("http"), at)) != (size_t)-1; at++) {
        struct span rest = span_slice(text, at, text.len);
        if (!span_starts(rest, SPAN("http://")) && !span_starts(rest, SPAN("https://")))
            continue;
        size_t end = 0;
        while (end < rest.len && !ends_url((unsigned char)rest.at[end]))
            end++;
        return trim_url(span_slice(rest, 0, end));
    }
    return SPAN("");
}

/* The first row whose words occur decides; order matters. */
static const struct material_rule {
    const char *in_label, *in_url, *kind;
} material_rules[] = {
    {NULL, "colab.research.google.com/", "notebook"},
    {NULL, ".ipynb", "notebook"},
    {"notebook", NULL, "notebook"},
    {"dataset", NULL, "dataset"},
    {NULL, "/datasets/", "dataset"},
    {NULL, "zenodo.org/", "dataset"},
    {NULL, "raw.githubusercontent.com/", "file"},
    {NULL, "/blob/", "file"},
    {NULL, "github.com/", "repository"},
    {NULL, "gitlab.com/", "repository"},
    {NULL, "codeberg.org/", "repository"},
    {"repository", NULL, "repository"},
    {NULL, ".pdf", "file"},
    {NULL, ".zip", "file"},
    {NULL, ".csv", "file"},
    {NULL, ".txt", "file"},
    {NULL, "http", "page"},
};

struct span brief_material_kind(struct span label, struct span url) {
    for (size_t i = 0; i < sizeof material_rules / sizeof *material_rules; i++) {
        const struct material_rule *rule = &material_rules[i];
        struct span text = rule->in_label ? label : url;
        const char *words = rule->in_label ? rule->in_label : rule->in_url;
        if (span_find_nocase(text, span_of(words), 0) != (size_t)-1)
            return span_of(rule->kind);
    }
    return SPAN("other");
}
