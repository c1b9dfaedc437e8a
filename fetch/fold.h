/* Text as it is compared: NFKD (utf8proc) without marks, so that accents and ligatures fall away,
 * case folded, letters that do not decompose spelled out (ss, o, l, ae ...), markup and entities
 * dropped, every run of other bytes one space. */
#ifndef FETCH_FOLD_H
#define FETCH_FOLD_H

#include "core/memory.h"

struct span fold_text(struct arena *arena, struct span text);
/* The part before a subtitle (": ", " - ", em dash, "? ") when it has at least two words; else the
 * whole. Of text that is not folded. */
struct span fold_main_title(struct span title);

struct fold_words {
    struct span *words;
    size_t count;
};
struct fold_words fold_split(struct arena *arena, struct span folded);

/* 1 - distance / longer length over the bytes of folded text (Levenshtein 1966), cut at 500 bytes.
 */
double fold_similarity(struct arena *arena, struct span a, struct span b);
/* The longest common subsequence of words over the number of words of `part`: how much of part
 * stands in whole, in order. At most 4,000 words of whole are looked at. */
double fold_containment(struct arena *arena, struct fold_words part, struct fold_words whole);

#endif
