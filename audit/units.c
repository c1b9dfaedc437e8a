#include "audit/units.h"

#include "audit/noun.h"
#include "core/table.h"

#include <ctype.h>
#include <pthread.h>
#include <stdint.h>

enum { SLOTS = 2048, WORD_LONGEST = 32 };

static struct slot {
    struct span word;
    const struct unit *unit;
} slots[SLOTS];

static uint32_t hash_of(struct span word) {
    uint32_t hash = 2166136261u; /* FNV-1a over lower case */
    for (size_t i = 0; i < word.len; i++)
        hash = (hash ^ (uint32_t)tolower((unsigned char)word.at[i])) * 16777619u;
    return hash;
}

static void insert(struct span word, const struct unit *unit) {
    uint32_t at = hash_of(word) % SLOTS;
    while (slots[at].unit && !span_equal(slots[at].word, word))
        at = (at + 1) % SLOTS;
    if (!slots[at].unit)
        slots[at] = (struct slot){word, unit};
}

static void load(void) {
    static struct arena arena; /* lives as long as the program */
    arena_init(&arena);
    struct table table = table_parse(&arena, data_file("audit/data/units.tsv"));
    size_t symbol = table_column(&table, "symbol"), aliases = table_column(&table, "aliases");
    size_t dimension = table_column(&table, "dimension");
    size_t numerator = table_column(&table, "numerator");
    size_t denominator = table_column(&table, "denominator");
    struct unit *units = arena_array(&arena, table.row_count, sizeof *units);
    for (size_t row = 0; row < table.row_count; row++) {
        units[row] = (struct unit){
            .symbol = table_cell(&table, row, symbol),
            .dimension = table_cell(&table, row, dimension),
            .numerator = table_number(&table, row, numerator),
            .denominator = table_number(&table, row, denominator),
        };
        units[row].is_noun = span_equal(units[row].dimension, SPAN("count"));
        insert(units[row].symbol, &units[row]);
        struct span rest = table_cell(&table, row, aliases), alias;
        while (span_next_field(&rest, '|', &alias))
            if (alias.len)
                insert(alias, &units[row]);
    }
}

const struct unit *unit_find(struct span word) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (word.len == 0 || word.len > WORD_LONGEST)
        return NULL;
    const struct unit *loose = NULL;
    for (uint32_t at = hash_of(word) % SLOTS; slots[at].unit; at = (at + 1) % SLOTS) {
        if (span_equal(slots[at].word, word))
            return slots[at].unit;
        bool any_case = slots[at].unit->is_noun || slots[at].word.len >= 4;
        if (any_case && !loose && span_equal_nocase(slots[at].word, word))
            loose = slots[at].unit;
    }
    return loose;
}

static char byte_at(struct span t, size_t at) {
    return at < t.len ? t.at[at] : '\0';
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Bytes of white space that do not end a line (no-break and thin spaces included). */
static size_t blank_at(struct span t, size_t at) {
    if (byte_at(t, at) == ' ')
        return 1;
    struct span rest = span_slice(t, at, t.len);
    if (span_starts(rest, SPAN("\xc2\xa0")))
        return 2;
    return span_starts(rest, SPAN("\xe2\x80\xaf")) || span_starts(rest, SPAN("\xe2\x80\x89")) ? 3
                                                                                              : 0;
}

static size_t skip_blanks(struct span t, size_t at, size_t limit) {
    for (size_t n; at < limit && (n = blank_at(t, at)) != 0;)
        at += n;
    return at;
}

/* The letters of a unit or word at at: ASCII letters, µ, °, €, £; a "×" or "%" stands alone. */
static size_t word_end(struct span t, size_t at, size_t limit) {
    struct span rest = span_slice(t, at, limit);
    if (byte_at(rest, 0) == '%' || byte_at(rest, 0) == '$')
        return at + 1;
    if (span_starts(rest, SPAN("\xc3\x97")))
        return at + 2;
    size_t end = at;
    while (end < limit && is_letter(t.at[end]) && !blank_at(t, end) &&
           !span_starts(span_slice(t, end, limit), SPAN("\xe2\x80")) &&
           !span_starts(span_slice(t, end, limit), SPAN("\xc3\x97")) &&
           !span_starts(span_slice(t, end, limit), SPAN("\xc2\xb1")) &&
           !span_starts(span_slice(t, end, limit), SPAN("\xe2\x89")))
        end++;
    return end;
}

static const struct {
    const char *word;
    double factor;
} multiples[] = {
    {"k", 1e3},        {"K", 1e3},       {"M", 1e6},         {"G", 1e9},
    {"B", 1e9},        {"T", 1e12},      {"thousand", 1e3},  {"million", 1e6},
    {"millions", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"bn", 1e9},
};

static double multiple_of(struct span word) {
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
        if (span_equal(word, span_of(multiples[i].word)))
            return multiples[i].factor;
    return 0;
}

/* A registry noun at at, or behind one modifier ("24 logical cores"); in a compound its head, the
 * last ("8 client threads"). */
static const struct unit *noun_at(struct span t, size_t at, size_t limit, size_t *start,
                                  size_t *end) {
    const struct unit *found = NULL;
    for (int words = 0; words < 3; words++) {
        size_t stop = word_end(t, at, limit);
        struct span word = span_slice(t, at, stop);
        const struct unit *unit = stop > at && byte_at(t, stop) != '_' ? unit_find(word) : NULL;
        bool plural = unit && unit->is_noun && !span_equal(word, unit->symbol);
        if (unit && unit->is_noun && (!found || plural)) {
            found = unit;
            *start = at;
            *end = stop;
        }
        bool modifies =
            found || (words == 0 && stop - at >= 3 && islower((unsigned char)t.at[at]) &&
                      !noun_is_function_word(word) && !unit);
        if (plural || !modifies || byte_at(t, stop) != ' ' || byte_at(t, stop + 1) == ' ')
            break;
        at = stop + 1;
    }
    return found;
}

static bool is_second(const struct unit *unit) {
    return unit && span_equal(unit->symbol, SPAN("s"));
}

/* "/s" " / second" " per step" "/ step": the denominator, or false. */
static bool denominator_at(struct span t, size_t at, size_t limit, const struct unit **unit,
                           size_t *end) {
    size_t from = skip_blanks(t, at, limit);
    bool article = byte_at(t, from) == 'a';
    if (byte_at(span_slice(t, 0, limit), from) == '/')
        from++;
    else if (from > at && span_starts_nocase(span_slice(t, from, limit), SPAN("per ")))
        from += 4;
    else if (from > at && span_starts_nocase(span_slice(t, from, limit), SPAN("an hour")))
        from += 3;
    else if (from > at && span_starts_nocase(span_slice(t, from, limit), SPAN("a ")))
        from += 2; /* "6 a day" */
    else
        return false;
    from = skip_blanks(t, from, limit);
    *end = word_end(t, from, limit);
    *unit = unit_find(span_slice(t, from, *end));
    return *unit && (!article || span_equal((*unit)->dimension, SPAN("time")));
}

static void put_denominator(struct arena *arena, struct span text, size_t limit,
                            struct unit_text *unit) {
    const struct unit *below;
    size_t end;
    if (!denominator_at(text, unit->end, limit, &below, &end))
        return;
    if (is_second(below)) {
        bool noun = unit->registry && unit->registry->is_noun;
        struct span above = noun ? noun_plural(arena, unit->symbol) : unit->symbol;
        unit->symbol = arena_printf(arena, "%.*s/s", SPAN_ARG(above));
    } else {
        unit->per = below->symbol;
    }
    unit->end = end;
}

static bool is_times(const struct unit *unit) {
    return unit && span_equal(unit->symbol, SPAN("x"));
}

/* "kIOPS" "Mpoints" "Gpoint": an SI prefix glued to a counted noun or a rate. */
static const struct unit *scaled_unit(struct span word, double *factor) {
    double multiple = multiple_of(span_slice(word, 0, 1));
    const struct unit *unit = multiple ? unit_find(span_slice(word, 1, word.len)) : NULL;
    if (!unit || !(unit->is_noun || span_equal(unit->dimension, SPAN("1/time"))))
        return NULL;
    *factor = multiple;
    return unit;
}

static bool set(struct arena *arena, struct span text, size_t limit, const struct unit *found,
                size_t start, size_t end, struct unit_text *unit) {
    *unit = (struct unit_text){found, found->symbol, SPAN(""), unit->factor, start, end};
    size_t hours = word_end(text, end + 1, limit);
    if (found->is_noun && byte_at(text, end) == ' ' &&
        span_equal(span_slice(text, end + 1, hours), SPAN("hours"))) {
        unit->symbol = arena_printf(arena, "%.*s h", SPAN_ARG(found->symbol)); /* "GPU hours" */
        unit->end = hours;
    }
    put_denominator(arena, text, limit, unit);
    return true;
}

bool unit_read(struct arena *arena, struct span text, size_t at, size_t limit,
               struct unit_text *unit) {
    *unit = (struct unit_text){.factor = 1, .symbol = SPAN(""), .per = SPAN("")};
    limit = limit < text.len ? limit : text.len;
    size_t start = skip_blanks(text, at, limit), noun_start, noun_end;
    if (start == at && byte_at(text, at) == '-' && is_letter(byte_at(text, at + 1)))
        start++; /* "a 16-core machine" */
    if (start >= limit)
        return false;
    size_t end = word_end(text, start, limit);
    struct span word = span_slice(text, start, end);
    bool glued = start == at;
    double multiple = multiple_of(word);
    if (multiple && (glued || word.len > 1)) {
        size_t behind = skip_blanks(text, end, limit);
        const struct unit *noun = noun_at(text, behind, limit, &noun_start, &noun_end);
        if (span_equal(word, SPAN("B")) && noun && span_equal(noun->symbol, SPAN("model")))
            noun = unit_find(SPAN("parameter"));           /* "a 7B model" */
        bool bytes = span_equal(word, SPAN("B")) && !noun; /* "512B" */
        if (!bytes) {
            unit->factor = multiple;
            unit->start = start;
            unit->end = end;
            return !noun || set(arena, text, limit, noun, noun_start, noun_end, unit);
        }
    }
    if (byte_at(text, end) == '_')
        return false;                /* "items_per_second=" is the next key */
    if (byte_at(text, end) == ' ') { /* "per cent", "draw calls", "US dollars" */
        size_t second = word_end(text, end + 1, limit);
        const struct unit *pair =
            second > end + 1 ? unit_find(span_slice(text, start, second)) : NULL;
        if (pair)
            return set(arena, text, limit, pair, start, second, unit);
    }
    const struct unit *found = unit_find(word);
    if (!found && word.len >= 4 && (found = scaled_unit(word, &unit->factor)) != NULL)
        return set(arena, text, limit, found, start, end, unit);
    if (is_times(found) && isdigit((unsigned char)byte_at(text, skip_blanks(text, end, limit))))
        return false; /* 2560x1440 */
    if (found && !found->is_noun && (glued || word.len > 1 || strchr("sBWJVAhx%$", word.at[0])))
        return set(arena, text, limit, found, start, end, unit);
    found = noun_at(text, start, limit, &noun_start, &noun_end);
    return found && set(arena, text, limit, found, noun_start, noun_end, unit);
}

bool unit_read_behind(struct arena *arena, const struct unit *known, struct span text, size_t at,
                      size_t limit, struct unit_text *unit) {
    *unit = (struct unit_text){.factor = 1, .start = at, .end = at};
    size_t end = word_end(text, at, limit), next = skip_blanks(text, at, limit);
    double multiple = end > at ? multiple_of(span_slice(text, at, end)) : 0;
    if (!multiple && next > at) {
        end = word_end(text, next, limit);
        multiple = end > next + 1 ? multiple_of(span_slice(text, next, end)) : 0;
    }
    if (multiple)
        unit->factor = multiple;
    size_t from = multiple ? end : at;
    *unit = (struct unit_text){known, known->symbol, SPAN(""), unit->factor, at, from};
    put_denominator(arena, text, limit, unit);
    return unit->end > at;
}

bool unit_read_whole(struct arena *arena, struct span text, struct unit_text *unit) {
    text = span_trim(text);
    while (text.len >= 2 && strchr("([", text.at[0]) && strchr(")]", text.at[text.len - 1]))
        text = span_trim(span_slice(text, 1, text.len - 1));
    if (!unit_read(arena, text, 0, text.len, unit) || !unit->registry)
        return false;
    return unit->start == 0 && unit->end == text.len;
}
