/* What a bibliography says of a work against what a registry says, field by field. The rules, all
 * over folded text (fold.h):
 *
 *   title       an entry's title: the higher of the similarities of the whole titles and of the
 *               titles without subtitles; from 0.90 match, from 0.70 close, below differs.
 *               A line of a reference section: the part of the registered title's words that stand
 *               in it in order; from 0.85 match, from 0.60 close. It differs only when it looks
 *               like an entry (a year, "et al.") and shares no word of five letters with the title;
 *               else, and with fewer than four words beside identifiers, it is not comparable.
 *   authors     family names, with or without particles, ae/oe/ue as a/o/u; given names by their
 *               first letters. All that are claimed, and the first author among them: match.
 *   year        equal: match; one apart: close (preprint and publication); else differs.
 *   venue       one's words stand in the other's, also abbreviated: match; else not comparable,
 *               because venues have many names.
 *   identifier  equal without case.
 *
 * Another work is one whose title differs and whose authors are not the claimed ones. Only
 * registries of works can say so; how a web page calls itself proves nothing. */
#ifndef FETCH_COMPARE_H
#define FETCH_COMPARE_H

#include "schemas/sources.h"

enum compare_result { COMPARE_NONE, COMPARE_DIFFERS, COMPARE_CLOSE, COMPARE_MATCH };

/* COMPARE_NONE where a side is empty. *similarity may be NULL. */
enum compare_result compare_titles(struct arena *arena, struct span claimed, struct span registered,
                                   double *similarity);
enum compare_result compare_title_in(struct arena *arena, struct span text, struct span registered,
                                     double *similarity);
/* Both "Family, Given; Family, Given". */
enum compare_result compare_authors(struct arena *arena, struct span claimed,
                                    struct span registered);
enum compare_result compare_authors_in(struct arena *arena, struct span text,
                                       struct span registered);
enum compare_result compare_years(struct span claimed, struct span registered);
enum compare_result compare_venues(struct arena *arena, struct span claimed,
                                   struct span registered);

/* Compares source->metadata.claimed with every registry's record; adds comparisons and findings. */
void compare_source(struct arena *arena, struct source *source);

#endif
