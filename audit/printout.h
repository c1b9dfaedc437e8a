/* Printouts of tools: what the lines below a title are about. */
#ifndef AUDIT_PRINTOUT_H
#define AUDIT_PRINTOUT_H

#include "audit/document.h"

/* The titles met on the way through the lines of a document; zero before the first. */
struct printout {
    struct span command, parent; /* "make -j12" of "$ make -j12"; a line less indented */
    size_t parent_column, lines; /* lines since the parent */
};

/* Takes in the next line (a sentence of a block that is no prose); what it stands under, or "". */
struct span printout_title(struct printout *printout, const struct document *document,
                           const struct sentence *line);

#endif
