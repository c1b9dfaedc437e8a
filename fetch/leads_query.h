/* Search queries from a chapter's own words. The method, which is shown with every query:
 *
 *   A word is what stands between spaces in folded text (fold.h), has three letters or more, does
 *   not start with a digit, and is no stop word (fetch/data/stopwords.tsv). Its weight is the
 * number of claims that hold it (subject and quote), and 3 more when the chapter's title holds it,
 * 2 more when a term that the chapter defines does. topic       the four heaviest words term a term
 * the chapter defines, with the two heaviest words claim       the three words of the claim that
 * the fewest claims hold, longer ones first, with the two heaviest words; claims by priority, then
 * as they stand in the text */
#ifndef FETCH_LEADS_QUERY_H
#define FETCH_LEADS_QUERY_H

#include "schemas/brief.h"
#include "schemas/claims.h"
#include "schemas/findings.h"

enum { QUERIES_MOST = 8, QUERY_WORDS = 6 };

struct lead_query {
    const char *from;  /* topic | term | claim */
    struct span claim; /* label of the claim, or empty */
    struct span words[QUERY_WORDS];
    size_t word_count;
};

/* At most QUERIES_MOST, all different. */
size_t leads_queries(struct arena *arena, const struct brief *brief, const struct claims *claims,
                     const struct findings *findings, struct lead_query *queries);
/* The first `most` words with a space between them. */
struct span lead_query_text(struct arena *arena, const struct lead_query *query, size_t most);

#endif
