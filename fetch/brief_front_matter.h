/* YAML front matter of a brief: identity fields, and lists for those who prefer them there. */
#ifndef FETCH_BRIEF_FRONT_MATTER_H
#define FETCH_BRIEF_FRONT_MATTER_H

#include "fetch/brief.h"

/* first_line is the file's line number of yaml's first line. */
bool brief_read_front_matter(struct brief_parse *parse, struct span yaml, size_t first_line);

#endif
