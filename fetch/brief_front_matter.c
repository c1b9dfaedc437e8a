#include "fetch/brief_front_matter.h"

#include <yaml.h>

struct reader {
    struct brief_parse *parse;
    yaml_document_t *document;
    struct span yaml; /* the front matter's bytes */
    size_t first_line;
};

static size_t line_of(const struct reader *reader, const yaml_node_t *node) {
    return reader->first_line + node->start_mark.line;
}

/* A scalar's text in the arena; the empty span for anything else. */
static struct span scalar(const struct reader *reader, const yaml_node_t *node) {
    if (!node || node->type != YAML_SCALAR_NODE)
        return SPAN("");
    struct span text = {(const char *)node->data.scalar.value, node->data.scalar.length};
    return arena_copy(reader->parse->arena, text);
}

static const yaml_node_t *member(const struct reader *reader, const yaml_node_t *mapping,
                                 const char *name) {
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        if (span_equal(scalar(reader, key), span_of(name)))
            return yaml_document_get_node(reader->document, pair->value);
    }
    return NULL;
}

/* The lines that a list or mapping stands on, as they are. The parser's marks count characters, not
 * bytes, so only their lines are of use; a block ends at the start of the line behind it. */
static struct span lines_of(const struct reader *reader, const yaml_node_t *node) {
    size_t last = node->end_mark.line - (node->end_mark.column == 0);
    struct span rest = reader->yaml, line, all = SPAN("");
    for (size_t number = 0; number <= last && span_next_line(&rest, &line); number++)
        if (number == node->start_mark.line)
            all = line;
        else if (number > node->start_mark.line)
            all.len = (size_t)(line.at + line.len - all.at);
    return span_trim(all);
}

static void keep_unknown(const struct reader *reader, struct span key, const yaml_node_t *value) {
    struct span text =
        value->type == YAML_SCALAR_NODE ? scalar(reader, value) : lines_of(reader, value);
    brief_keep_unknown(reader->parse, "field", key, text, line_of(reader, value));
}

static void add_list_item(const struct reader *reader, struct brief_items *list,
                          const yaml_node_t *node) {
    struct span label = SPAN(""), text = scalar(reader, node);
    if (node->type == YAML_MAPPING_NODE) {
        struct span url = scalar(reader, member(reader, node, "url"));
        label = scalar(reader, member(reader, node, "label"));
        text = scalar(reader, member(reader, node, "text"));
        if (text.len == 0)
            text = url;
        else if (url.len)
            text = arena_printf(reader->parse->arena, "%.*s %.*s", SPAN_ARG(url), SPAN_ARG(text));
    }
    if (text.len || label.len)
        brief_add_item(reader->parse, list, label, text, line_of(reader, node));
}

static void read_list(const struct reader *reader, struct brief_items *list,
                      const yaml_node_t *sequence) {
    for (const yaml_node_item_t *item = sequence->data.sequence.items.start;
         item < sequence->data.sequence.items.top; item++)
        add_list_item(reader, list, yaml_document_get_node(reader->document, *item));
}

static void read_sections(const struct reader *reader, const yaml_node_t *sequence) {
    for (const yaml_node_item_t *item = sequence->data.sequence.items.start;
         item < sequence->data.sequence.items.top; item++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, *item);
        struct span heading = scalar(reader, node);
        if (heading.len)
            brief_add_section(reader->parse, heading, line_of(reader, node));
    }
}

static void read_fingerprint(const struct reader *reader, const yaml_node_t *mapping) {
    static const char *const names[][2] = {{"sha256", "fingerprint"},
                                           {"profile", "fingerprint profile"},
                                           {"label", "fingerprint label"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const yaml_node_t *node = member(reader, mapping, names[i][0]);
        if (node)
            brief_set_field(reader->parse, span_of(names[i][1]), scalar(reader, node),
                            line_of(reader, node));
    }
}

static void read_member(const struct reader *reader, struct span key, const yaml_node_t *value) {
    struct brief *brief = reader->parse->brief;
    struct brief_items *list = brief_list(brief, key);
    if (span_equal(key, SPAN("fingerprint")) && value->type == YAML_MAPPING_NODE)
        read_fingerprint(reader, value);
    else if (list && value->type == YAML_SEQUENCE_NODE)
        read_list(reader, list, value);
    else if (span_equal(key, SPAN("required_output")) && value->type == YAML_SEQUENCE_NODE)
        read_sections(reader, value);
    else if (span_equal(key, SPAN("excerpt_is_partial")) && value->type == YAML_SCALAR_NODE)
        brief->excerpt_is_partial = span_equal_nocase(scalar(reader, value), SPAN("true"));
    else if (span_equal(key, SPAN("objective")) && value->type == YAML_SCALAR_NODE)
        brief->objective = scalar(reader, value);
    else if (brief_knows_field(key) && value->type == YAML_SCALAR_NODE)
        brief_set_field(reader->parse, key, scalar(reader, value), line_of(reader, value));
    else
        keep_unknown(reader, key, value);
}

static bool read_document(const struct reader *reader) {
    const yaml_node_t *root = yaml_document_get_root_node(reader->document);
    if (!root || root->type != YAML_MAPPING_NODE)
        return brief_refuse(reader->parse, reader->first_line, "Write `book: ...` and so on.",
                            "expected a mapping in the front matter");
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top; pair++) {
        struct span key = scalar(reader, yaml_document_get_node(reader->document, pair->key));
        read_member(reader, key, yaml_document_get_node(reader->document, pair->value));
    }
    return true;
}

bool brief_read_front_matter(struct brief_parse *parse, struct span yaml, size_t first_line) {
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        return error_set(parse->error, ERROR_SYSTEM, parse->where, "Free memory and run again.",
                         "the YAML parser could not start");
    yaml_parser_set_input_string(&parser, (const unsigned char *)yaml.at, yaml.len);
    bool ok = yaml_parser_load(&parser, &document);
    if (ok) {
        struct reader reader = {parse, &document, yaml, first_line};
        ok = read_document(&reader);
        yaml_document_delete(&document);
    } else {
        brief_refuse(parse, first_line + parser.problem_mark.line, "Correct the YAML there.",
                     "the front matter is not YAML: %s", parser.problem ? parser.problem : "error");
    }
    yaml_parser_delete(&parser);
    return ok;
}
