/* The research brief as JSON: brief.json's own schema, written by a person or another program. */
#include "fetch/brief.h"

#include <stdint.h>
#include <stdlib.h>

static const char *const known_members[] = {
    "schema",      "format",        "identity",  "fingerprint", "snapshot_url",    "excerpt",
    "instruction", "identity_note", "objective", "references",  "evidence",        "leads",
    "questions",   "materials",     "history",   "method",      "required_output", "unknown",
};

static bool is_known(const char *name) {
    for (size_t i = 0; i < sizeof known_members / sizeof *known_members; i++)
        if (strcmp(name, known_members[i]) == 0)
            return true;
    return false;
}

static size_t line_holding(const struct brief_parse *parse, struct span text) {
    size_t at = span_find(parse->text, text, 0);
    return at == SIZE_MAX ? 1 : brief_line_of(parse->text, at);
}

static void keep_unknown_members(struct brief_parse *parse, const cJSON *root) {
    for (const cJSON *item = root->child; item; item = item->next) {
        if (!item->string || is_known(item->string))
            continue;
        char *printed = cJSON_PrintUnformatted(item);
        struct span name = arena_copy(parse->arena, span_of(item->string));
        struct span value = arena_copy(parse->arena, span_of(printed));
        free(printed);
        brief_keep_unknown(parse, "field", name, value, line_holding(parse, name));
    }
}

bool brief_parse_json(struct brief_parse *parse) {
    struct span json = span_slice(parse->text, brief_bom(parse->text), parse->text.len);
    struct brief *brief = parse->brief;
    if (!brief_read(parse->arena, json, parse->where, brief, parse->error))
        return false;
    brief->format = SPAN("json");
    brief->excerpt_start = brief->excerpt_end = 0; /* escaped there, so not verbatim */
    parse->identity_line = line_holding(parse, SPAN("\"identity\""));
    if (brief->fingerprint.len)
        parse->fingerprint_line = line_holding(parse, brief->fingerprint);
    cJSON *root = json_parse(json, parse->where, parse->error);
    if (!root)
        return false;
    keep_unknown_members(parse, root);
    cJSON_Delete(root);
    return true;
}
