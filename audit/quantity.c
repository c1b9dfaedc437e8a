#include "audit/quantity.h"

#include "audit/numeral.h"
#include "audit/role.h"
#include "audit/units.h"

#include <ctype.h>
#include <math.h>

static char byte_at(struct span t, size_t at) {
    return at < t.len ? t.at[at] : '\0';
}

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Digits behind a letter, an underscore or "x-" belong to a name: H100, int8, sha-256. */
static bool is_glued(struct span t, size_t at) {
    if (at == 0)
        return false;
    char before = t.at[at - 1];
    bool multibyte = (unsigned char)before >= 0x80; /* ×, –, ~-like signs end in such bytes */
    if (before == '/' && at > 1 && isalpha((unsigned char)t.at[at - 2]))
        return true;
    if ((before == '-' || before == '.' || before == ':') && at > 1)
        return isalpha((unsigned char)t.at[at - 2]) ||
               (before != '-' && isdigit((unsigned char)t.at[at - 2]));
    return !multibyte && is_name_byte(before) && before != 'x';
}

/* Letters directly behind that are no unit: "4th" is an ordinal, "3D" a name. */
static bool is_named_behind(struct span t, size_t end, const struct unit_text *unit) {
    char after = byte_at(t, end);
    if (!(isalpha((unsigned char)after) || after == '_'))
        return false;
    return !(unit->registry || unit->factor != 1) || unit->start != end ||
           is_name_byte(byte_at(t, unit->end));
}

static struct span words_before(struct span t, size_t at, size_t most) {
    size_t start = at > most ? at - most : 0;
    struct span part = span_slice(t, start, at);
    for (size_t i = part.len; i-- > 0;)
        if (part.at[i] == '\n' || part.at[i] == ';')
            return span_slice(part, i + 1, part.len);
    return part;
}

static bool ends_with_word(struct span text, const char *word) {
    struct span w = span_of(word);
    while (text.len && strchr(" =:(", text.at[text.len - 1]))
        text.len--;
    if (text.len < w.len || !span_equal_nocase(span_slice(text, text.len - w.len, text.len), w))
        return false;
    return text.len == w.len || !is_name_byte(text.at[text.len - w.len - 1]);
}

static bool ends_with_any(struct span text, const char *const *words) {
    for (; *words; words++)
        if (ends_with_word(text, *words))
            return true;
    return false;
}

/* Hedges and bounds before a number; the stated rules of docs/quantities.md. */
static const struct {
    const char *word;
    enum bound bound;
} bounds[] = {
    {"about", BOUND_ABOUT},
    {"roughly", BOUND_ABOUT},
    {"approximately", BOUND_ABOUT},
    {"around", BOUND_ABOUT},
    {"nearly", BOUND_ABOUT},
    {"almost", BOUND_ABOUT},
    {"some", BOUND_ABOUT},
    {"~", BOUND_ABOUT},
    {"\xe2\x89\x88", BOUND_ABOUT},
    {"circa", BOUND_ABOUT},
    {"at least", BOUND_AT_LEAST},
    {"at most", BOUND_AT_MOST},
    {"up to", BOUND_AT_MOST},
    {"more than", BOUND_OVER},
    {"over", BOUND_OVER},
    {"above", BOUND_OVER},
    {">", BOUND_OVER},
    {"less than", BOUND_UNDER},
    {"under", BOUND_UNDER},
    {"below", BOUND_UNDER},
    {"<", BOUND_UNDER},
    {"fewer than", BOUND_UNDER},
    {"exactly", BOUND_EXACT},
};

static enum bound bound_before(struct span before) {
    struct span trimmed = span_trim(before);
    if (span_ends(trimmed, SPAN("->")) || span_ends(trimmed, SPAN("=>")))
        return BOUND_NONE;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct span word = span_of(bounds[i].word);
        if (isalpha((unsigned char)word.at[0]) ? ends_with_word(before, bounds[i].word)
                                               : span_ends(trimmed, word))
            return bounds[i].bound;
    }
    return BOUND_NONE;
}

/* "about 4.9" may be off by one in its last place; nearly and a bare power of ten by a tenth. */
static void set_interval(struct quantity *q, double half, double low_factor) {
    enum { ABOUT_PLACES = 2 };
    double wide = q->bound == BOUND_ABOUT ? half * ABOUT_PLACES : half;
    if (q->bound == BOUND_ABOUT && wide < fabs(q->value) * 0.05)
        wide = fabs(q->value) * 0.05;
    q->lo = q->value - wide;
    q->hi = q->value_high + wide;
    if (q->bound == BOUND_AT_LEAST || q->bound == BOUND_OVER)
        q->hi = INFINITY;
    if (q->bound == BOUND_AT_MOST || q->bound == BOUND_UNDER)
        q->lo = low_factor;
}

static const char *const version_words[] = {
    "version",    "v",          "python",     "pytorch", "cuda",    "cudnn",   "gcc",
    "clang",      "linux",      "ubuntu",     "debian",  "kernel",  "release", "numpy",
    "rust",       "go",         "node",       "java",    "runtime", "driver",  "openssl",
    "postgres",   "postgresql", "mysql",      "redis",   "llvm",    "triton",  "jdk",
    "capability", "cmake",      "tensorflow", "jax",     NULL};
static const char *const label_words[] = {
    "section",   "chapter",   "figure",  "fig.",     "table",    "appendix", "step",   "page",
    "issue",     "rtx",       "gtx",     "port",     "#",        "no.",      "ryzen",  "core i",
    "rfc",       "iso",       "listing", "equation", "item",     "part",     "volume", "pr",
    "exercise",  "algorithm", "line",    "xeon",     "epyc",     "geforce",  "error",  "status",
    "code",      "rack",      "card",    "steps",    "sections", "figures",  "tables", "chapters",
    "powers of", "windows",   NULL};
/* What is numbered with points: "section 2.3". */
static const char *const numbered_words[] = {"section", "chapter",  "figure",  "fig.",
                                             "table",   "appendix", "listing", NULL};
static const char *const month_words[] = {
    "january",   "february", "march",    "april",    "may", "june", "july", "august",
    "september", "october",  "november", "december", "jan", "feb",  "mar",  "apr",
    "jun",       "jul",      "aug",      "sep",      "oct", "nov",  "dec",  NULL};
static bool is_year(const struct numeral *n) {
    return n->is_integer && !n->grouped && n->value >= 1950 && n->value <= 2100;
}

static void set_unit(struct quantity *q, struct numeral *n, const struct unit_text *unit,
                     struct span before, struct span text) {
    q->unit = unit->symbol;
    q->per = unit->per;
    q->registry = unit->registry;
    q->unit_start = unit->end > unit->start ? unit->start : q->end;
    q->unit_end = unit->end > unit->start ? unit->end : q->end;
    q->value *= unit->factor;
    q->value_high *= unit->factor;
    n->half_unit *= unit->factor;
    q->decimals -= (int)lround(log10(unit->factor));
    if (byte_at(text, q->start - 1) == '$' && q->start > 0)
        q->unit = SPAN("USD");
    bool bare = unit->registry == NULL && unit->factor == 1;
    if (n->form == NUMERAL_DATE || (bare && is_year(n) && ends_with_any(before, month_words)))
        q->unit = SPAN("date");
    else if (n->form == NUMERAL_VERSION ||
             (bare && n->form == NUMERAL_PLAIN && ends_with_any(before, version_words)))
        q->unit = SPAN("version");
    else if (n->form == NUMERAL_CLOCK)
        q->unit = SPAN("s");
}

/* "40-50%", "828.1 ms ... 866.9 ms": the end of the second number, or 0. */
static size_t range_end(struct span t, size_t end, size_t limit, struct numeral_habit habit,
                        double low, double *high) {
    static const char *const marks[] = {"-",   "\xe2\x80\x93",  "\xe2\x80\xa6", " \xe2\x80\xa6 ",
                                        " - ", " \xe2\x80\x93 "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        struct span mark = span_of(marks[i]);
        if (!span_starts(span_slice(t, end, limit), mark))
            continue;
        struct numeral second = numeral_read(span_slice(t, 0, limit), end + mark.len, habit);
        if (second.form != NUMERAL_PLAIN || second.value <= low ||
            isalpha((unsigned char)byte_at(t, end - 1)))
            return 0;
        *high = second.value;
        return second.end;
    }
    return 0;
}

static size_t add(struct document *d, size_t block, struct span view, size_t at, size_t limit,
                  struct numeral_habit habit) {
    struct span part = span_slice(view, 0, limit);
    struct numeral n = numeral_read(part, at, habit);
    struct span before = words_before(view, at, 32);
    struct quantity q = {.start = at,
                         .end = n.end,
                         .value = n.value,
                         .value_high = n.value,
                         .decimals = n.decimals,
                         .block = block,
                         .sentence = NONE,
                         .claim = NONE,
                         .malformed = n.malformed,
                         .bound = bound_before(before)};
    struct unit_text unit;
    if (n.form == NUMERAL_NONE)
        return at + 1;
    if (n.form == NUMERAL_ADDRESS || is_glued(view, at))
        return n.end;
    size_t range =
        n.form == NUMERAL_PLAIN ? range_end(view, n.end, limit, habit, n.value, &q.value_high) : 0;
    if (range)
        q.end = range;
    unit_read(d->arena, part, q.end, limit, &unit);
    if (is_named_behind(part, q.end, &unit))
        return q.end;
    if (at > 0 && view.at[at - 1] == '-' && (at < 2 || strchr(" =([,:\t|", view.at[at - 2])))
        q.value = -q.value, q.value_high = -q.value_high;
    q.printed = span_slice(view, q.start, q.end);
    set_unit(&q, &n, &unit, before, view);
    set_interval(&q, n.half_unit, 0);
    bool labelled =
        q.unit.len == 0 && ends_with_any(before, n.is_integer ? label_words : numbered_words);
    q.role = role_first(d, &q, &n, unit.registry, labelled);
    LIST_PUSH(d->arena, d->claims->quantities, d->claims->quantity_count,
              d->claims->quantity_capacity, q);
    return q.unit_end > q.end ? q.unit_end : q.end;
}

void quantity_scan(struct document *d, size_t block, size_t start, size_t end) {
    struct span view = d->chapter->view;
    struct numeral_habit habit = {d->decimal_comma};
    for (size_t at = start; at < end;) {
        if (isdigit((unsigned char)view.at[at]))
            at = add(d, block, view, at, end, habit);
        else
            at++;
    }
}
