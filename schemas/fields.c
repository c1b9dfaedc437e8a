#include "schemas/fields.h"

void fields_write(struct json_writer *w, const struct text_field *fields, size_t count,
                  const void *from) {
    for (size_t i = 0; i < count; i++) {
        const struct span *text = (const void *)((const char *)from + fields[i].offset);
        json_put_text(w, fields[i].name, *text);
    }
}

void fields_read(struct arena *arena, const cJSON *object, const struct text_field *fields,
                 size_t count, void *to) {
    for (size_t i = 0; i < count; i++) {
        struct span *text = (void *)((char *)to + fields[i].offset);
        *text = json_text(arena, object, fields[i].name);
    }
}
