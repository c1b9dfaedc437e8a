#include "fetch/front_matter.h"

#include <yaml.h>

enum { LONGEST = 1 << 16, MEMBERS_MOST = 100, VALUE_LONGEST = 1000 };

static bool is_fence(struct span line, struct span fence) {
    while (line.len > fence.len && strchr(" \t\r", line.at[line.len - 1]))
        line.len--;
    return span_equal(line, fence);
}

/* "name: ..." or "name = ...": what tells front matter from a rule at the head of a text. */
static bool is_member(struct span line) {
    size_t end = 0;
    while (end < line.len && line.at[end] > ' ' && line.at[end] != ':' && line.at[end] != '=')
        end++;
    size_t mark = end;
    while (mark < line.len && line.at[mark] == ' ')
        mark++;
    return end > 0 && mark < line.len && (line.at[mark] == ':' || line.at[mark] == '=');
}

size_t front_matter_length(struct span text) {
    struct span rest = span_slice(text, 0, LONGEST), line;
    if (!span_next_line(&rest, &line))
        return 0;
    struct span fence = is_fence(line, SPAN("---")) ? SPAN("---") : SPAN("+++");
    if (!is_fence(line, fence))
        return 0;
    bool member = false;
    while (span_next_line(&rest, &line)) {
        if (is_fence(line, fence) || (fence.at[0] == '-' && is_fence(line, SPAN("..."))))
            return member ? (size_t)(rest.at - text.at) : 0;
        if (!member && span_trim(line).len && line.at[0] != '#' && !is_member(line))
            return 0;
        member = member || is_member(line);
    }
    return 0;
}

static bool is_scalar(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE;
}

static struct span scalar(const yaml_node_t *node) {
    return span_slice(span_make((const char *)node->data.scalar.value, node->data.scalar.length), 0,
                      VALUE_LONGEST);
}

static void add_list(struct outline *outline, yaml_document_t *document, struct span key,
                     const yaml_node_t *list) {
    struct buffer joined = {0};
    for (const yaml_node_item_t *item = list->data.sequence.items.start;
         item < list->data.sequence.items.top && joined.len < VALUE_LONGEST; item++) {
        const yaml_node_t *node = yaml_document_get_node(document, *item);
        if (!is_scalar(node))
            continue;
        buffer_add_string(&joined, joined.len ? ", " : "");
        buffer_add(&joined, scalar(node));
    }
    if (joined.len)
        outline_metadata(outline, key, buffer_span(&joined));
    buffer_free(&joined);
}

static void add_members(struct outline *outline, yaml_document_t *document) {
    const yaml_node_t *root = yaml_document_get_root_node(document);
    if (!root || root->type != YAML_MAPPING_NODE)
        return;
    size_t most = MEMBERS_MOST;
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top && most > 0; pair++, most--) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(document, pair->value);
        if (is_scalar(key) && is_scalar(value))
            outline_metadata(outline, scalar(key), scalar(value));
        else if (is_scalar(key) && value && value->type == YAML_SEQUENCE_NODE)
            add_list(outline, document, scalar(key), value);
    }
}

void front_matter_read(struct outline *outline, struct span matter) {
    struct span line, rest = matter;
    yaml_parser_t parser;
    yaml_document_t document;
    if (!span_next_line(&rest, &line) || line.at[0] != '-' || !yaml_parser_initialize(&parser))
        return;
    /* A second document starts at the closing dashes; only the first is loaded. */
    yaml_parser_set_input_string(&parser, (const unsigned char *)matter.at, matter.len);
    if (yaml_parser_load(&parser, &document)) {
        add_members(outline, &document);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
}
