/* Reading a research brief in its three forms: text with sections `== N. Title ==`, Markdown with
 * YAML front matter, and JSON (brief.json itself). One model, one file a form; what the text and
 * Markdown forms share is in brief_sections.c. */
#ifndef FETCH_BRIEF_H
#define FETCH_BRIEF_H

#include "schemas/brief.h"

enum { BRIEF_LARGEST_BYTES = 16 << 20 };

struct brief_parse {
    struct arena *arena;
    const char *where; /* names the brief in errors */
    struct span text;  /* as received; every range and line number is of these bytes */
    struct brief *brief;
    struct error *error;
    size_t identity_line;    /* of the identity's heading; 0 = none seen */
    size_t fingerprint_line; /* 0 = no fingerprint */
};

/* Parses and checks: identity present, fingerprint well-formed, UTF-8. Errors are ERROR_INPUT and
 * name the line. Spans point into text, which must outlive the brief, or into the arena. */
bool brief_parse(struct arena *arena, struct span text, const char *where, struct brief *brief,
                 struct error *error);

bool brief_parse_text(struct brief_parse *parse);
bool brief_parse_markdown(struct brief_parse *parse);
bool brief_parse_json(struct brief_parse *parse);

/* Always false: an ERROR_INPUT at "where:line". */
bool brief_refuse(const struct brief_parse *parse, size_t line, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* 1-based line of the byte at offset. */
size_t brief_line_of(struct span text, size_t offset);
/* Bytes of a byte order mark at the start, or 0. */
size_t brief_bom(struct span text);

/* One identity field by its label in any form ("Stable id", "stable_id"). A label nobody knows and
 * a second, different value are kept in brief->unknown. */
void brief_set_field(struct brief_parse *parse, struct span label, struct span value, size_t line);
bool brief_knows_field(struct span label);
void brief_keep_unknown(struct brief_parse *parse, const char *kind, struct span label,
                        struct span text, size_t line);

/* The list that a member name means ("questions", "materials"), or NULL. */
struct brief_items *brief_list(struct brief *brief, struct span name);
void brief_add_item(struct brief_parse *parse, struct brief_items *list, struct span label,
                    struct span text, size_t line);
void brief_add_section(struct brief_parse *parse, struct span line_text, size_t line);

/* The first http or https URL in text, or the empty span. */
struct span brief_find_url(struct span text);
/* notebook | repository | dataset | file | page | other */
struct span brief_material_kind(struct span label, struct span url);

/* A part of the brief under one heading: bytes [start, end) of parse->text. */
struct brief_part {
    struct span title;   /* without number and marks */
    struct span heading; /* as it stands */
    size_t start, end;
    size_t heading_line, first_line;
};

/* Whether a title is one of the brief's own sections. */
bool brief_knows_title(struct span title);
bool brief_title_is_text(struct span title);
bool brief_title_is_output(struct span title);
/* Hands the part to the reader of its title; an unknown one is kept whole. */
void brief_read_part(struct brief_parse *parse, const struct brief_part *part);
/* Cuts "12", "12." or "12 ." with the white space around it off *title; false when it has none. */
bool brief_cut_number(struct span *title, size_t *number);

/* Lines with their places. */
struct brief_line {
    struct span text; /* without its end */
    size_t start, number;
};

struct brief_lines {
    struct span text;
    size_t at, end, number;
};

bool brief_next_line(struct brief_lines *lines, struct brief_line *line);
/* "[... end of excerpt": nothing behind it is chapter text. */
bool brief_is_excerpt_end(struct span line);

#endif
