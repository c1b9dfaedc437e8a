#include "schemas/brief.h"

#include "schemas/fields.h"

static const struct text_field identity_fields[] = {
    TEXT_FIELD(brief, book),           TEXT_FIELD(brief, chapter),
    TEXT_FIELD(brief, chapter_number), TEXT_FIELD(brief, stable_id),
    TEXT_FIELD(brief, chapter_url),    TEXT_FIELD(brief, research_pack_url),
};
static const struct text_field fingerprint_fields[] = {
    {"sha256", offsetof(struct brief, fingerprint)},
    {"label", offsetof(struct brief, fingerprint_label)},
    {"profile", offsetof(struct brief, fingerprint_profile)},
};
static const struct text_field plain_fields[] = {
    TEXT_FIELD(brief, snapshot_url),
    TEXT_FIELD(brief, instruction),
    TEXT_FIELD(brief, identity_note),
    TEXT_FIELD(brief, objective),
};
static const struct text_field item_fields[] = {
    TEXT_FIELD(brief_item, label),
    TEXT_FIELD(brief_item, text),
    TEXT_FIELD(brief_item, url),
    TEXT_FIELD(brief_item, kind),
};

#define NO_NOTE ((size_t)-1)

/* {"note": ..., "items": [...]} */
static const struct item_group {
    const char *name;
    size_t items, note;
} groups[] = {
    {"references", offsetof(struct brief, references), offsetof(struct brief, references_note)},
    {"evidence", offsetof(struct brief, evidence), offsetof(struct brief, evidence_note)},
    {"leads", offsetof(struct brief, leads), NO_NOTE},
    {"questions", offsetof(struct brief, questions), NO_NOTE},
    {"materials", offsetof(struct brief, materials), offsetof(struct brief, materials_note)},
    {"history", offsetof(struct brief, history), offsetof(struct brief, history_note)},
    {"method", offsetof(struct brief, method), NO_NOTE},
    {"unknown", offsetof(struct brief, unknown), NO_NOTE},
};

static void *member_at(const void *brief, size_t offset) {
    return (char *)(uintptr_t)brief + offset;
}

static void write_group(struct json_writer *w, const struct brief *brief,
                        const struct item_group *group) {
    const struct brief_items *list = member_at(brief, group->items);
    json_begin_object(w, group->name);
    if (group->note != NO_NOTE)
        json_put_text(w, "note", *(struct span *)member_at(brief, group->note));
    json_begin_array(w, "items");
    for (size_t i = 0; i < list->count; i++) {
        json_begin_object(w, NULL);
        fields_write(w, item_fields, FIELD_COUNT(item_fields), &list->items[i]);
        json_put_size(w, "line", list->items[i].line);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void write_sections(struct json_writer *w, const struct brief *brief) {
    json_begin_object(w, "required_output");
    json_begin_array(w, "sections");
    for (size_t i = 0; i < brief->section_count; i++) {
        const struct brief_section *section = &brief->sections[i];
        json_begin_object(w, NULL);
        json_put_text(w, "heading", section->heading);
        json_put_text(w, "description", section->description);
        json_put_size(w, "line", section->line);
        json_end_object(w);
    }
    json_end_array(w);
    json_put_text(w, "note", brief->output_note);
    json_end_object(w);
}

static void write_excerpt(struct json_writer *w, const struct brief *brief) {
    json_begin_object(w, "excerpt");
    json_put_text(w, "text", brief->excerpt);
    json_put_size(w, "start", brief->excerpt_start);
    json_put_size(w, "end", brief->excerpt_end);
    json_put_flag(w, "partial", brief->excerpt_is_partial);
    json_end_object(w);
}

void brief_write(struct buffer *out, const struct brief *brief) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", BRIEF_SCHEMA);
    json_put_text(&w, "format", brief->format);
    json_begin_object(&w, "identity");
    fields_write(&w, identity_fields, FIELD_COUNT(identity_fields), brief);
    json_end_object(&w);
    json_begin_object(&w, "fingerprint");
    fields_write(&w, fingerprint_fields, FIELD_COUNT(fingerprint_fields), brief);
    json_end_object(&w);
    fields_write(&w, plain_fields, FIELD_COUNT(plain_fields), brief);
    write_excerpt(&w, brief);
    for (size_t i = 0; i < FIELD_COUNT(groups); i++)
        write_group(&w, brief, &groups[i]);
    write_sections(&w, brief);
    json_end_object(&w);
    json_finish(&w);
}

static void read_group(struct arena *arena, const cJSON *root, struct brief *brief,
                       const struct item_group *group) {
    const cJSON *object = json_member(root, group->name);
    if (group->note != NO_NOTE)
        *(struct span *)member_at(brief, group->note) = json_text(arena, object, "note");
    struct brief_items *list = member_at(brief, group->items);
    size_t count;
    const cJSON *item, *array = json_array(object, "items", &count);
    cJSON_ArrayForEach(item, array) {
        struct brief_item read = {.line = json_size(item, "line", 0)};
        fields_read(arena, item, item_fields, FIELD_COUNT(item_fields), &read);
        LIST_PUSH(arena, list->items, list->count, list->capacity, read);
    }
}

static void read_sections(struct arena *arena, const cJSON *root, struct brief *brief) {
    const cJSON *object = json_member(root, "required_output");
    brief->output_note = json_text(arena, object, "note");
    size_t count;
    const cJSON *item, *array = json_array(object, "sections", &count);
    cJSON_ArrayForEach(item, array) {
        struct brief_section read = {
            .heading = json_text(arena, item, "heading"),
            .description = json_text(arena, item, "description"),
            .line = json_size(item, "line", 0),
        };
        LIST_PUSH(arena, brief->sections, brief->section_count, brief->section_capacity, read);
    }
}

static void read_excerpt(struct arena *arena, const cJSON *root, struct brief *brief) {
    const cJSON *object = json_member(root, "excerpt");
    brief->excerpt = json_text(arena, object, "text");
    brief->excerpt_start = json_size(object, "start", 0);
    brief->excerpt_end = json_size(object, "end", 0);
    brief->excerpt_is_partial = json_flag(object, "partial", false);
}

void brief_from_json(struct arena *arena, const cJSON *root, struct brief *brief) {
    *brief = (struct brief){.format = json_text(arena, root, "format")};
    fields_read(arena, json_member(root, "identity"), identity_fields, FIELD_COUNT(identity_fields),
                brief);
    fields_read(arena, json_member(root, "fingerprint"), fingerprint_fields,
                FIELD_COUNT(fingerprint_fields), brief);
    fields_read(arena, root, plain_fields, FIELD_COUNT(plain_fields), brief);
    read_excerpt(arena, root, brief);
    for (size_t i = 0; i < FIELD_COUNT(groups); i++)
        read_group(arena, root, brief, &groups[i]);
    read_sections(arena, root, brief);
}

bool brief_read(struct arena *arena, struct span json, const char *where, struct brief *brief,
                struct error *error) {
    cJSON *root = json_parse_schema(json, where, BRIEF_SCHEMA, error);
    if (!root)
        return false;
    brief_from_json(arena, root, brief);
    cJSON_Delete(root);
    return true;
}
