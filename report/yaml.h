/* YAML 1.1 through libyaml's emitter, so that no text can leave its scalar. Strings are always
 * quoted: "2024", "no" and "1e3" stay strings for every reader. */
#ifndef REPORT_YAML_H
#define REPORT_YAML_H

#include "core/memory.h"

#include <yaml.h>

struct yaml_writer {
    yaml_emitter_t emitter;
    bool failed; /* the library ran out of memory; nothing else can fail */
};

void yaml_begin(struct yaml_writer *w, struct buffer *out);
/* Ends the document; false when it could not be written. */
bool yaml_end(struct yaml_writer *w);
/* A NULL key writes an element of a list. */
void yaml_map_begin(struct yaml_writer *w, const char *key);
void yaml_map_end(struct yaml_writer *w);
void yaml_list_begin(struct yaml_writer *w, const char *key);
void yaml_list_end(struct yaml_writer *w);
/* On one line, controls made visible, cut at PAGE_QUOTE_LIMIT with "…". */
void yaml_text(struct yaml_writer *w, const char *key, struct span text);
void yaml_string(struct yaml_writer *w, const char *key, const char *text);
/* null when text is empty. */
void yaml_optional(struct yaml_writer *w, const char *key, struct span text);
void yaml_size(struct yaml_writer *w, const char *key, size_t value);
void yaml_flag(struct yaml_writer *w, const char *key, bool value);
void yaml_null(struct yaml_writer *w, const char *key);

#endif
