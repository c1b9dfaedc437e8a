#include "fetch/compare.h"

#include "fetch/fold.h"

#include <math.h>
#include <stdint.h>

static enum compare_result grade(double similarity, double match, double close) {
    return similarity >= match   ? COMPARE_MATCH
           : similarity >= close ? COMPARE_CLOSE
                                 : COMPARE_DIFFERS;
}

enum compare_result compare_titles(struct arena *arena, struct span claimed, struct span registered,
                                   double *similarity) {
    struct span a = fold_text(arena, claimed), b = fold_text(arena, registered);
    double best = NAN;
    if (a.len > 0 && b.len > 0) {
        struct span main_a = fold_text(arena, fold_main_title(claimed));
        struct span main_b = fold_text(arena, fold_main_title(registered));
        best = fmax(fold_similarity(arena, a, b), fold_similarity(arena, main_a, main_b));
    }
    if (similarity)
        *similarity = best;
    return isnan(best) ? COMPARE_NONE : grade(best, 0.90, 0.70);
}

/* Words that can belong to a title: not numbers, not parts of identifiers. */
static size_t telling_words(struct fold_words words) {
    static const char *const others[] = {"https", "http", "www",  "doi", "org", "arxiv",
                                         "abs",   "com",  "html", "pdf", "and", "the"};
    size_t count = 0;
    for (size_t i = 0; i < words.count; i++) {
        bool telling =
            words.words[i].len >= 3 && (words.words[i].at[0] < '0' || words.words[i].at[0] > '9');
        for (size_t k = 0; telling && k < sizeof others / sizeof *others; k++)
            telling = !span_equal(words.words[i], span_of(others[k]));
        count += telling;
    }
    return count;
}

/* A year from 1800 to 2099 or "et al": what a line of a bibliography has and a remark has not. */
static bool looks_like_entry(struct fold_words line) {
    for (size_t i = 0; i < line.count; i++) {
        size_t year;
        bool dated =
            line.words[i].len == 4 && span_to_size(line.words[i], 2099, &year) && year >= 1800;
        bool et_al = i > 0 && span_equal(line.words[i], SPAN("al")) &&
                     span_equal(line.words[i - 1], SPAN("et"));
        if (dated || et_al)
            return true;
    }
    return false;
}

/* Whether a word of five letters or more stands in both. */
static bool share_a_word(struct fold_words a, struct fold_words b) {
    for (size_t i = 0; i < a.count; i++)
        for (size_t k = 0; a.words[i].len >= 5 && k < b.count; k++)
            if (span_equal(a.words[i], b.words[k]))
                return true;
    return false;
}

enum compare_result compare_title_in(struct arena *arena, struct span text, struct span registered,
                                     double *similarity) {
    enum { LEAST_WORDS = 4 };
    struct fold_words line = fold_split(arena, fold_text(arena, text));
    struct fold_words full = fold_split(arena, fold_text(arena, registered));
    struct fold_words part = fold_split(arena, fold_text(arena, fold_main_title(registered)));
    double best = NAN;
    if (full.count > 0 && telling_words(line) >= LEAST_WORDS)
        best = fmax(fold_containment(arena, full, line), fold_containment(arena, part, line));
    if (similarity)
        *similarity = best;
    if (isnan(best))
        return COMPARE_NONE;
    enum compare_result result = grade(best, 0.85, 0.60);
    bool sure = looks_like_entry(line) && !share_a_word(full, line);
    return result == COMPARE_DIFFERS && !sure ? COMPARE_NONE : result;
}

/* ae, oe, ue as a, o, u: "Moeller" and "Möller" are one name. */
static struct span reduce(struct arena *arena, struct span folded) {
    char *out = arena_alloc(arena, folded.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < folded.len; i++) {
        char before = i ? folded.at[i - 1] : ' ';
        if (folded.at[i] == 'e' && (before == 'a' || before == 'o' || before == 'u'))
            continue;
        out[len++] = folded.at[i];
    }
    return span_make(out, len);
}

struct author {
    struct span family, given; /* folded */
};

struct authors {
    struct author *list;
    size_t count;
};

static struct authors read_authors(struct arena *arena, struct span text) {
    enum { MOST = 200 };
    struct authors authors = {.list = arena_array(arena, MOST, sizeof *authors.list)};
    struct span one;
    while (authors.count < MOST && span_next_field(&text, ';', &one)) {
        size_t comma = span_find_byte(one, ',', 0);
        comma = comma == SIZE_MAX ? one.len : comma;
        struct author author = {
            reduce(arena, fold_text(arena, span_slice(one, 0, comma))),
            fold_text(arena, span_slice(one, comma + 1 > one.len ? one.len : comma + 1, one.len))};
        if (author.family.len > 0)
            authors.list[authors.count++] = author;
    }
    return authors;
}

/* "berg" and "van der berg" */
static bool same_family(struct span a, struct span b) {
    struct span longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a;
    return span_ends(longer, shorter) &&
           (longer.len == shorter.len || longer.at[longer.len - shorter.len - 1] == ' ');
}

static bool same_person(struct author a, struct author b) {
    bool given = a.given.len == 0 || b.given.len == 0 || a.given.at[0] == b.given.at[0];
    return given && same_family(a.family, b.family);
}

static bool has_person(struct authors authors, struct author who) {
    for (size_t i = 0; i < authors.count; i++)
        if (same_person(authors.list[i], who))
            return true;
    return false;
}

enum compare_result compare_authors(struct arena *arena, struct span claimed,
                                    struct span registered) {
    struct authors a = read_authors(arena, claimed), b = read_authors(arena, registered);
    size_t found = 0;
    if (a.count == 0 || b.count == 0)
        return COMPARE_NONE;
    for (size_t i = 0; i < a.count; i++)
        found += has_person(b, a.list[i]);
    if (found == a.count && has_person(a, b.list[0]))
        return COMPARE_MATCH;
    return found > 0 ? COMPARE_CLOSE : COMPARE_DIFFERS;
}

static bool stands_in(struct span text, struct span words) {
    for (size_t at = span_find(text, words, 0); at != SIZE_MAX; at = span_find(text, words, at + 1))
        if ((at == 0 || text.at[at - 1] == ' ') &&
            (at + words.len == text.len || text.at[at + words.len] == ' '))
            return true;
    return false;
}

enum compare_result compare_authors_in(struct arena *arena, struct span text,
                                       struct span registered) {
    struct span line = reduce(arena, fold_text(arena, text));
    struct authors authors = read_authors(arena, registered);
    if (authors.count == 0 || line.len == 0)
        return COMPARE_NONE;
    if (stands_in(line, authors.list[0].family))
        return COMPARE_MATCH;
    for (size_t i = 1; i < authors.count; i++)
        if (authors.list[i].family.len > 2 && stands_in(line, authors.list[i].family))
            return COMPARE_CLOSE;
    return COMPARE_DIFFERS;
}

enum compare_result compare_years(struct span claimed, struct span registered) {
    size_t a, b;
    if (!span_to_size(claimed, 9999, &a) || !span_to_size(registered, 9999, &b))
        return COMPARE_NONE;
    return a == b ? COMPARE_MATCH : a + 1 == b || b + 1 == a ? COMPARE_CLOSE : COMPARE_DIFFERS;
}

/* "Proc. Natl. Acad. Sci." in "Proceedings of the National Academy of Sciences": each word of the
 * shorter starts a word of the longer, in order. */
static bool abbreviates(struct fold_words shorter, struct fold_words longer) {
    size_t at = 0;
    for (size_t i = 0; i < shorter.count; i++, at++) {
        while (at < longer.count && !span_starts(longer.words[at], shorter.words[i]))
            at++;
        if (at == longer.count)
            return false;
    }
    return shorter.count > 0;
}

enum compare_result compare_venues(struct arena *arena, struct span claimed,
                                   struct span registered) {
    struct fold_words a = fold_split(arena, fold_text(arena, claimed));
    struct fold_words b = fold_split(arena, fold_text(arena, registered));
    if (a.count == 0 || b.count == 0)
        return COMPARE_NONE;
    return abbreviates(a, b) || abbreviates(b, a) ? COMPARE_MATCH : COMPARE_NONE;
}
