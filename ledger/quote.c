#include "ledger/quote.h"

#include "core/utf8.h"
#include "ledger/normal.h"
#include "ledger/word.h"

enum { SHOWN_BYTES = 48 };

/* What is asked, and what was found on the way. */
struct search {
    struct arena *arena;
    struct span text, quote;
    size_t at; /* SIZE_MAX: anywhere */
    const char *where;
    struct quote_match first, cut; /* whole, and cut short */
    size_t whole, cuts;
    size_t places[QUOTE_ANYWHERE_MOST]; /* of the whole ones */
    bool elsewhere;                     /* it stands, but not at `at` */
};

static void found(struct search *s, size_t start, size_t end) {
    if (s->at != SIZE_MAX && start != s->at) {
        s->elsewhere = true;
        return;
    }
    struct quote_match match = {.start = start, .end = end};
    if (word_joined(s->text, start) || word_joined(s->text, end)) {
        if (s->cuts++ == 0)
            s->cut = match;
        return;
    }
    if (s->whole < QUOTE_ANYWHERE_MOST)
        s->places[s->whole] = start;
    if (s->whole++ == 0)
        s->first = match;
}

static void search_exact(struct search *s) {
    size_t at = span_find(s->text, s->quote, 0);
    for (; at != SIZE_MAX; at = span_find(s->text, s->quote, at + 1))
        found(s, at, at + s->quote.len);
}

/* Placing a match reads the text once more: enough places are looked at to say that there are
 * several, not all of them. */
static void search_normalized(struct search *s, unsigned steps) {
    struct arena scratch;
    arena_init(&scratch);
    struct span text = normal_of(&scratch, s->text, steps);
    struct span quote = span_trim(normal_of(&scratch, s->quote, steps));
    size_t at = span_find(text, quote, 0);
    for (int looked = 0; at != SIZE_MAX && looked < QUOTE_ANYWHERE_MOST; looked++) {
        size_t start, end;
        normal_place(s->text, steps, at, at + quote.len, &start, &end);
        found(s, start, end);
        at = span_find(text, quote, at + 1);
    }
    arena_free(&scratch);
}

static const unsigned attempts[] = {NORMAL_BASE, NORMAL_BASE | NORMAL_LINE_HYPHEN_DROPPED,
                                    NORMAL_BASE | NORMAL_LINE_HYPHEN_KEPT};

/* Steps under which something was found; 0 for exactly or not at all. */
static unsigned search_all(struct search *s) {
    search_exact(s);
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        if (s->whole || s->cuts)
            return i == 0 ? 0 : attempts[i - 1];
        search_normalized(s, attempts[i]);
    }
    return s->whole || s->cuts ? attempts[sizeof attempts / sizeof *attempts - 1] : 0;
}

static struct span shown(struct span text, size_t from, size_t most) {
    size_t to = from + most < text.len ? from + most : text.len;
    while (to > from && to < text.len && ((unsigned char)text.at[to] & 0xC0) == 0x80)
        to--;
    return span_slice(text, from, to);
}

/* How many bytes of quote, from its start, stand somewhere in text. */
static size_t longest_standing(struct span text, struct span quote) {
    size_t least = 0, most = quote.len;
    while (least < most) {
        size_t middle = least + (most - least + 1) / 2;
        if (span_find(text, span_slice(quote, 0, middle), 0) != SIZE_MAX)
            least = middle;
        else
            most = middle - 1;
    }
    while (least > 0 && least < quote.len && ((unsigned char)quote.at[least] & 0xC0) == 0x80)
        least--;
    return least;
}

static bool refuse_absent(struct search *s, struct error *error) {
    struct span text = normal_of(s->arena, s->text, NORMAL_BASE);
    struct span quote = span_trim(normal_of(s->arena, s->quote, NORMAL_BASE));
    size_t stands = longest_standing(text, quote);
    const char *hint = "Copy the words from the stored text (`assay source show ID` prints its "
                       "passages); a quote is one run of it, without ellipsis.";
    if (stands < 4)
        return error_set(error, ERROR_INPUT, s->where, hint,
                         "the quote does not stand in the stored text");
    size_t place = span_find(text, span_slice(quote, 0, stands), 0);
    struct span on = shown(text, place + stands, SHOWN_BYTES);
    struct span own = shown(quote, stands, SHOWN_BYTES);
    size_t from = stands > SHOWN_BYTES ? stands - SHOWN_BYTES : 0;
    while (from < stands && ((unsigned char)quote.at[from] & 0xC0) == 0x80)
        from++;
    return error_set(error, ERROR_INPUT, s->where, hint,
                     "the quote does not stand in the stored text: behind \"%.*s\" the text has "
                     "\"%.*s\", the quote \"%.*s\"",
                     SPAN_ARG(span_slice(quote, from, stands)), SPAN_ARG(on), SPAN_ARG(own));
}

static bool refuse_cut(struct search *s, struct error *error) {
    size_t start, end;
    bool at_start = word_joined(s->text, s->cut.start);
    size_t edge = at_start ? s->cut.start : s->cut.end;
    word_around(s->text, edge, &start, &end);
    return error_set(error, ERROR_INPUT, s->where,
                     "Quote whole words and whole numbers, with their sign and unit.",
                     "the quote %s inside \"%.*s\" (byte %zu of the stored text)",
                     at_start ? "starts" : "ends", SPAN_ARG(span_slice(s->text, start, end)), edge);
}

static bool refuse_several(struct search *s, struct error *error) {
    struct buffer list = {0};
    for (size_t i = 0; i < s->whole && i < 6; i++)
        buffer_printf(&list, "%s%zu", i ? ", " : "", s->places[i]);
    error_set(error, ERROR_INPUT, s->where,
              "Quote more of the sentence, or say which one with --at BYTE.",
              "the quote stands in %zu%s places of the stored text (bytes %s%s): which one is "
              "meant?",
              s->whole, s->whole >= QUOTE_ANYWHERE_MOST ? " or more" : "", list.at,
              s->whole > 6 ? ", ..." : "");
    buffer_free(&list);
    return false;
}

static bool acceptable(const struct search *s, struct error *error) {
    if (utf8_first_invalid(s->quote) != SIZE_MAX)
        return error_set(error, ERROR_INPUT, "--quote", "Give the quote in UTF-8.",
                         "the quote is not UTF-8");
    if (s->quote.len == 0)
        return error_set(error, ERROR_INPUT, "--quote", "Quote the words the relation rests on.",
                         "the quote is empty");
    if (s->quote.len > QUOTE_LONGEST_BYTES)
        return error_set(error, ERROR_INPUT, "--quote", "Quote the sentence it rests on.",
                         "the quote has %zu bytes, at most %d are stored", s->quote.len,
                         QUOTE_LONGEST_BYTES);
    return true;
}

bool quote_find(struct arena *arena, struct span text, struct span quote, size_t at,
                const char *where, struct quote_match *match, struct error *error) {
    struct search s = {
        .arena = arena, .text = text, .quote = span_trim(quote), .at = at, .where = where};
    if (!acceptable(&s, error))
        return false;
    unsigned steps = search_all(&s);
    if (s.whole == 0 && s.cuts)
        return refuse_cut(&s, error);
    if (s.whole == 0 && s.elsewhere)
        return error_set(error, ERROR_INPUT, where,
                         "Leave --at out, or give the byte it starts at.",
                         "the quote does not start at byte %zu of the stored text", at);
    if (s.whole == 0)
        return refuse_absent(&s, error);
    if (s.whole > 1)
        return refuse_several(&s, error);
    *match = s.first;
    match->occurrences = s.whole;
    if (steps)
        match->normalization =
            normal_difference(arena, s.quote, span_slice(text, match->start, match->end), steps);
    if (steps && match->normalization.len == 0)
        match->normalization = SPAN("several steps, none needed alone");
    return true;
}
