/* Text inside XML 1.0. */
#ifndef REPORT_XML_H
#define REPORT_XML_H

#include "core/memory.h"

/* & < > " ' escaped; characters that XML 1.0 cannot hold made visible (\x1B). Newlines and tabs
 * become spaces: attribute values would lose them anyway. */
void xml_escape(struct buffer *out, struct span text);

#endif
