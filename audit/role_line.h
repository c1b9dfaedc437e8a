/* Roles that the line or phrase around a number settles before its words are weighed. */
#ifndef AUDIT_ROLE_LINE_H
#define AUDIT_ROLE_LINE_H

#include "audit/document.h"

/* Commands, device listings, "used / available", counters of printouts; settings of training and
 * versions in prose. before and after are the words of the clause. */
bool role_of_line(const struct document *document, const struct sentence *sentence,
                  const struct quantity *quantity, struct span before, struct span after, bool line,
                  enum quantity_role *role);

#endif
