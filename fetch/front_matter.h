/* The metadata that stands before a Markdown text: YAML between lines of three dashes, or TOML
 * between lines of three plus signs (not read, but known for what it is). */
#ifndef FETCH_FRONT_MATTER_H
#define FETCH_FRONT_MATTER_H

#include "fetch/outline.h"

/* Bytes of the front matter with its closing line; 0 when the text does not start with one. */
size_t front_matter_length(struct span text);
/* Adds the scalar members of its YAML, and lists of scalars joined with ", ", to the chapter's
 * metadata. Aliases and deeper values are left out; broken YAML adds nothing. */
void front_matter_read(struct outline *outline, struct span matter);

#endif
