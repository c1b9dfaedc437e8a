/* The research brief as JSON: brief.json's own schema, or the shorter forms that a person writes:
 * no schema name, lists of plain strings, an excerpt and a fingerprint as one string. What fits no
 * member of the model is kept in brief->unknown. */
#include "fetch/brief.h"

#include <stdint.h>
#include <stdlib.h>

static size_t line_holding(const struct brief_parse *parse, struct span text) {
    size_t at = span_find(parse->text, text, 0);
    return at == SIZE_MAX ? 1 : brief_line_of(parse->text, at);
}

static struct span text_of(const struct brief_parse *parse, const cJSON *item) {
    const char *text = cJSON_GetStringValue(item);
    return text ? arena_copy(parse->arena, span_of(text)) : SPAN("");
}

static void keep(struct brief_parse *parse, const cJSON *item) {
    char *printed = cJSON_IsString(item) ? NULL : cJSON_PrintUnformatted(item);
    struct span name = arena_copy(parse->arena, span_of(item->string ? item->string : ""));
    struct span value = printed ? arena_copy(parse->arena, span_of(printed)) : text_of(parse, item);
    free(printed);
    brief_keep_unknown(parse, "field", name, value, line_holding(parse, name));
}

/* Labels in any spelling ("Stable id"); those that brief_read has read already change nothing. */
static void read_identity(struct brief_parse *parse, const cJSON *identity) {
    const cJSON *item;
    cJSON_ArrayForEach(item, identity) {
        struct span name = arena_copy(parse->arena, span_of(item->string ? item->string : ""));
        if (cJSON_IsString(item))
            brief_set_field(parse, name, text_of(parse, item), line_holding(parse, name));
        else
            keep(parse, item);
    }
}

static void read_fingerprint(struct brief_parse *parse, const cJSON *value) {
    const cJSON *item;
    if (cJSON_IsString(value))
        brief_set_field(parse, SPAN("fingerprint"), text_of(parse, value), 1);
    cJSON_ArrayForEach(item, value) {
        if (!cJSON_IsString(item) ||
            (strcmp(item->string, "sha256") != 0 && strcmp(item->string, "label") != 0 &&
             strcmp(item->string, "profile") != 0))
            keep(parse, item);
    }
}

static void read_excerpt(struct brief_parse *parse, const cJSON *value) {
    if (cJSON_IsString(value))
        parse->brief->excerpt = text_of(parse, value);
}

static void read_sections(struct brief_parse *parse, const cJSON *value) {
    const cJSON *item;
    if (!cJSON_IsArray(value))
        return;
    cJSON_ArrayForEach(item, value) {
        struct span heading = text_of(parse, item);
        if (heading.len)
            brief_add_section(parse, heading, line_holding(parse, heading));
        else
            keep(parse, item);
    }
}

/* An array of strings and of objects with text, url and label. */
static void read_list(struct brief_parse *parse, const cJSON *value, struct brief_items *list) {
    const cJSON *item;
    cJSON_ArrayForEach(item, value) {
        struct span text = text_of(parse, item), label = json_text(parse->arena, item, "label");
        if (cJSON_IsObject(item)) {
            struct span url = json_text(parse->arena, item, "url");
            text = json_text(parse->arena, item, "text");
            if (url.len && span_find(text, url, 0) == SIZE_MAX)
                text = text.len
                           ? arena_printf(parse->arena, "%.*s %.*s", SPAN_ARG(url), SPAN_ARG(text))
                           : url;
        }
        if (text.len || label.len)
            brief_add_item(parse, list, label, text, line_holding(parse, text));
        else
            keep(parse, item);
    }
}

static const struct json_member {
    const char *name;
    int types;                                                   /* of cJSON that have a meaning */
    void (*read)(struct brief_parse *parse, const cJSON *value); /* NULL: brief_from_json did all */
} members[] = {
    {"schema", cJSON_String, NULL},
    {"format", cJSON_String, NULL},
    {"identity", cJSON_Object, read_identity},
    {"fingerprint", cJSON_Object | cJSON_String, read_fingerprint},
    {"snapshot_url", cJSON_String, NULL},
    {"excerpt", cJSON_Object | cJSON_String, read_excerpt},
    {"instruction", cJSON_String, NULL},
    {"identity_note", cJSON_String, NULL},
    {"objective", cJSON_String, NULL},
    {"required_output", cJSON_Object | cJSON_Array, read_sections},
    {"unknown", cJSON_Object, NULL},
};

static const struct json_member *find_member(const char *name) {
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    return NULL;
}

static void read_member(struct brief_parse *parse, const cJSON *value) {
    struct brief_items *list = brief_list(parse->brief, span_of(value->string));
    const struct json_member *member = find_member(value->string);
    if (list && cJSON_IsArray(value))
        read_list(parse, value, list);
    else if (member && member->read)
        member->read(parse, value);
    int types = list ? cJSON_Object | cJSON_Array : member ? member->types : cJSON_Invalid;
    if (!(value->type & (types | cJSON_NULL)))
        keep(parse, value);
}

static bool has_our_schema(const struct brief_parse *parse, const cJSON *root) {
    const cJSON *schema = json_member(root, "schema");
    if (!schema || strcmp(cJSON_IsString(schema) ? schema->valuestring : "", BRIEF_SCHEMA) == 0)
        return true;
    return brief_refuse(parse, line_holding(parse, SPAN("\"schema\"")),
                        "Leave the member out, or name the schema that the brief follows.",
                        "expected \"schema\": \"%s\"", BRIEF_SCHEMA);
}

bool brief_parse_json(struct brief_parse *parse) {
    struct span json = span_slice(parse->text, brief_bom(parse->text), parse->text.len);
    struct brief *brief = parse->brief;
    cJSON *root = json_parse(json, parse->where, parse->error);
    bool ok = root && has_our_schema(parse, root);
    if (ok) {
        brief_from_json(parse->arena, root, brief);
        const cJSON *value;
        cJSON_ArrayForEach(value, root) read_member(parse, value);
        brief->format = SPAN("json");
        brief->excerpt_start = brief->excerpt_end = 0; /* escaped there, so not verbatim */
        parse->identity_line = line_holding(parse, SPAN("\"identity\""));
        if (brief->fingerprint.len)
            parse->fingerprint_line = line_holding(parse, brief->fingerprint);
    }
    cJSON_Delete(root);
    return ok;
}
