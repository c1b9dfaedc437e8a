/* Text members of a struct as a table, so that a schema's reader and writer cannot disagree. */
#ifndef SCHEMAS_FIELDS_H
#define SCHEMAS_FIELDS_H

#include "core/json.h"

struct text_field {
    const char *name; /* member name in JSON */
    size_t offset;    /* of a struct span in the C struct */
};

#define TEXT_FIELD(type, member)                                                                   \
    { #member, offsetof(struct type, member) }
#define FIELD_COUNT(table) (sizeof(table) / sizeof *(table))

/* Writes every member, the empty ones too: a reader sees that nothing was known. */
void fields_write(struct json_writer *w, const struct text_field *fields, size_t count,
                  const void *from);
/* Absent members leave the empty span. */
void fields_read(struct arena *arena, const cJSON *object, const struct text_field *fields,
                 size_t count, void *to);

#endif
