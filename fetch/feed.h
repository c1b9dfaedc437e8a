/* Feeds of books and topics: RSS 2.0 (and 1.0), Atom, JSON Feed, and a feed saved as plain text.
 * Everything in one is from outside: links that are not http(s) are dropped, markup is taken out of
 * summaries, documents that declare entities are refused. */
#ifndef FETCH_FEED_H
#define FETCH_FEED_H

#include "fetch/fetch.h"

enum { FEED_LARGEST_BYTES = 16 << 20, FEED_ENTRIES_MOST = 100000 };

struct feed_entry {
    struct span id; /* as given; "sha256:..." of title and date where the feed gives none */
    struct span link, title;
    struct span published, updated; /* RFC 3339 in UTC; empty when absent or not a date */
    struct span summary;            /* plain text, at most some hundred bytes */
    enum chapter_state state;
    struct span reason; /* of the state, one phrase */
    struct span pass;   /* id of the latest pass, or empty */
};

struct feed {
    struct span format; /* rss | atom | json | text */
    struct span title;
    struct feed_entry *entries; /* in the feed's order */
    size_t count, capacity;
    size_t left_out; /* entries beyond FEED_ENTRIES_MOST */
};

/* Reads a feed (UTF-8); where names it in errors (ERROR_INPUT). */
bool feed_parse(struct arena *arena, struct span text, const char *where, struct feed *feed,
                struct error *error);
/* Fills state, reason and pass of each entry from the passes below workspace: by link, or by title
 * where the feed has no links. */
bool feed_match(struct arena *arena, const char *workspace, struct feed *feed, struct error *error);
/* Reads `from` (file, "-" or URL), with the transport of options, parses and matches it. */
bool feed_load(struct arena *arena, const struct fetch_options *options, const char *from,
               struct feed *feed, struct error *error);

#endif
