/* What the readers of the feed formats share. */
#ifndef FETCH_FEED_ENTRY_H
#define FETCH_FEED_ENTRY_H

#include "fetch/feed.h"

/* An entry as written; feed_add cleans it: dates to RFC 3339, markup out of the texts, links that
 * are not http(s) away, an id where there is none. */
void feed_add(struct arena *arena, struct feed *feed, struct feed_entry raw);
/* Text without markup, white space collapsed, at most `most` bytes at a character's end. */
struct span feed_plain(struct arena *arena, struct span text, size_t most);

bool feed_parse_xml(struct arena *arena, struct span text, const char *where, struct feed *feed,
                    struct error *error);

#endif
