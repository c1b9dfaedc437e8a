#include "audit/quantity.h"

#include "audit/compound.h"
#include "audit/noun.h"
#include "audit/numeral.h"
#include "audit/role.h"
#include "audit/units.h"
#include "core/number.h"

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
    if (after == 'x' && isdigit((unsigned char)byte_at(t, end + 1)))
        return false;                                       /* 2560x1440 */
    bool multiple = unit->factor != 1 && unit->start > end; /* 19.1M parameters */
    return !(unit->registry || unit->factor != 1) || (unit->start != end && !multiple) ||
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

/* The double nearest to the decimal that x stands for: 9.491 - 0.0005 is 9.4905, not a unit in the
 * last binary place beside it. Both the digits and the power of ten are exact below 2^53. */
static double nearest_decimal(double x, int decimals, double half) {
    enum { MOST_DECIMALS = 15 };
    if (decimals < 0 || decimals > MOST_DECIMALS)
        return x;
    double scale = power_of_ten(decimals), digits = nearbyint(x * scale);
    double near = digits / scale;
    return fabs(digits) < 0x1p53 && fabs(near - x) < half * 1e-6 ? near : x;
}

/* "about 4.9" may be off by one in its last place; nearly and a bare power of ten by a tenth. */
static void set_interval(struct quantity *q, double half, double low_factor) {
    enum { ABOUT_PLACES = 2 };
    double wide = q->bound == BOUND_ABOUT ? half * ABOUT_PLACES : half;
    if (q->bound == BOUND_ABOUT && wide < fabs(q->value) * 0.05)
        wide = fabs(q->value) * 0.05;
    q->lo = nearest_decimal(q->value - wide, q->decimals + 1, half);
    q->hi = nearest_decimal(q->value_high + wide, q->decimals + 1, half);
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

/* "3:42" is in seconds; "3:42 minutes" says minutes of its value. */
static void set_clock_unit(struct quantity *q, struct numeral *n, const struct unit_text *unit) {
    bool minutes = unit->registry && span_equal(unit->symbol, SPAN("min"));
    q->unit = minutes ? SPAN("min") : SPAN("s");
    q->registry = unit_find(q->unit);
    if (minutes) {
        q->value /= 60;
        q->value_high /= 60;
        n->half_unit /= 60;
    }
}

static void set_unit(struct quantity *q, struct numeral *n, const struct unit_text *unit,
                     struct span before) {
    q->unit = unit->symbol;
    q->per = unit->per;
    q->registry = unit->registry;
    q->unit_start = unit->end > unit->start ? unit->start : q->end;
    q->unit_end = unit->end > unit->start ? unit->end : q->end;
    q->value *= unit->factor;
    q->value_high *= unit->factor;
    n->half_unit *= unit->factor;
    q->decimals -= (int)lround(log10(unit->factor));
    bool bare = unit->registry == NULL && unit->factor == 1;
    if (n->form == NUMERAL_DATE || (bare && is_year(n) && ends_with_any(before, month_words)))
        q->unit = SPAN("date");
    else if (n->form == NUMERAL_VERSION ||
             (bare && n->form == NUMERAL_PLAIN && ends_with_any(before, version_words)))
        q->unit = SPAN("version");
    else if (n->form == NUMERAL_CLOCK)
        set_clock_unit(q, n, unit);
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

/* The noun a whole number counts where the registry has none: a plural behind the digits, not a
 * verb
 * ("it uses 4 buffers", not "card 0 uses the"). */
static bool open_noun(struct arena *arena, struct span t, size_t at, size_t limit,
                      struct unit_text *unit) {
    size_t start = at + (byte_at(t, at) == ' '), end = start;
    while (end < limit && islower((unsigned char)t.at[end]))
        end++;
    struct span word = span_slice(t, start, end);
    char next = byte_at(t, end), behind = byte_at(t, end + 1);
    bool closed = isalnum((unsigned char)next) || next == '_' || next == '-' || next == '(';
    struct span rest = span_slice(t, end, limit);
    if (start == at || closed || !noun_is_plural(word) ||
        (next == ' ' && isdigit((unsigned char)behind)) || span_starts(rest, SPAN(" the ")) ||
        span_starts(rest, SPAN(" a ")) || span_starts(rest, SPAN(" an ")))
        return false;
    *unit =
        (struct unit_text){NULL, noun_singular(arena, word), SPAN(""), unit->factor, start, end};
    return true;
}

/* The currency whose sign stands before the digits, or NULL. */
static const struct unit *currency_before(struct span t, size_t at) {
    static const char *const signs[] = {"$", "\xe2\x82\xac", "\xc2\xa3"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        struct span sign = span_of(signs[i]);
        if (at >= sign.len && span_equal(span_slice(t, at - sign.len, at), sign))
            return unit_find(sign);
    }
    return NULL;
}

/* "828.1 ms ... 866.9 ms": the same unit stands behind both ends. */
static size_t spaced_range_end(struct arena *arena, struct span t, size_t end, size_t limit,
                               struct numeral_habit habit, struct quantity *q) {
    static const char *const marks[] = {" \xe2\x80\xa6 ", " \xe2\x80\x93 ", " ... "};
    struct unit_text first, second;
    if (!unit_read(arena, t, end, limit, &first) || !first.registry)
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        struct span mark = span_of(marks[i]);
        if (!span_starts(span_slice(t, first.end, limit), mark))
            continue;
        struct numeral n = numeral_read(span_slice(t, 0, limit), first.end + mark.len, habit);
        if (n.form != NUMERAL_PLAIN || n.value <= q->value ||
            !unit_read(arena, t, n.end, limit, &second) || second.registry != first.registry)
            return 0;
        q->value_high = n.value;
        return n.end;
    }
    return 0;
}

/* "between 180 and 240 ms", "(1.85 to 1.91)": two ends of one range. "from 5 to 3" is a change. */
static size_t worded_range_end(struct span t, size_t at, size_t end, size_t limit,
                               struct numeral_habit habit, struct span before, struct quantity *q) {
    bool between = ends_with_word(before, "between");
    struct span mark = between ? SPAN(" and ") : SPAN(" to ");
    if (!span_starts(span_slice(t, end, limit), mark) || ends_with_word(before, "from"))
        return 0;
    struct numeral n = numeral_read(span_slice(t, 0, limit), end + mark.len, habit);
    bool bracketed = at > 0 && t.at[at - 1] == '(' && byte_at(t, n.end) == ')';
    struct span rest = span_slice(t, n.end, limit);
    bool factors = span_starts(rest, SPAN(" times")) || span_starts(rest, SPAN("x"));
    if (n.form != NUMERAL_PLAIN || n.value <= q->value || !(between || bracketed || factors))
        return 0;
    q->value_high = n.value;
    return n.end;
}

static void push(struct document *d, struct quantity q, enum quantity_role role) {
    q.role = role;
    LIST_PUSH(d->arena, d->claims->quantities, d->claims->quantity_count,
              d->claims->quantity_capacity, q);
}

/* Durations and dates, whose parts are no numbers of their own. Returns their end, or 0. */
static size_t add_compound(struct document *d, size_t block, struct span view, size_t at,
                           size_t limit) {
    struct compound c;
    bool date = false;
    if (!duration_read(view, at, limit, &c) && !(date = date_read(view, at, limit, &c)))
        return 0;
    struct quantity q = {.start = c.start,
                         .end = c.end,
                         .unit_start = c.end,
                         .unit_end = c.end,
                         .printed = span_slice(view, c.start, c.end),
                         .value = c.value,
                         .value_high = c.value,
                         .decimals = c.decimals,
                         .unit = c.unit,
                         .per = SPAN(""),
                         .registry = date ? NULL : unit_find(c.unit),
                         .bound = bound_before(words_before(view, at, 32)),
                         .block = block,
                         .sentence = NONE,
                         .claim = NONE};
    set_interval(&q, c.half_unit, 0);
    push(d, q, date ? ROLE_OTHER : ROLE_MEASUREMENT);
    return c.end;
}

/* "-j12" "-t 8": digits glued to a one-letter option of a command are its value. */
static bool is_option(struct span t, size_t at) {
    return at >= 3 && islower((unsigned char)t.at[at - 1]) && t.at[at - 2] == '-' &&
           strchr(" \"'`(", t.at[at - 3]);
}

static bool is_minus(struct span t, size_t at) {
    size_t sign = at >= 1 && t.at[at - 1] == '-'                                           ? 1
                  : at >= 3 && span_equal(span_slice(t, at - 3, at), SPAN("\xe2\x88\x92")) ? 3
                                                                                           : 0;
    return sign && (at == sign || strchr(" =([,:\t|\n", t.at[at - sign - 1]));
}

static size_t read_range(struct document *d, struct span view, const struct numeral *n, size_t at,
                         size_t limit, struct numeral_habit habit, struct span before,
                         struct quantity *q) {
    if (n->form != NUMERAL_PLAIN)
        return 0;
    size_t end = range_end(view, n->end, limit, habit, n->value, &q->value_high);
    if (!end)
        end = spaced_range_end(d->arena, view, n->end, limit, habit, q);
    return end ? end : worded_range_end(view, at, n->end, limit, habit, before, q);
}

/* "132 more milliseconds", "20 fewer steps": the end of a word that may stand before the unit, or
 * 0. */
static size_t comparing_word(struct span t, size_t end) {
    static const char *const words[] = {" more ", " fewer ", " extra ", " additional ",
                                        " further "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct span word = span_of(words[i]);
        if (span_starts(span_slice(t, end, t.len), word))
            return end + word.len - 1;
    }
    return 0;
}

static void read_unit(struct document *d, struct span view, const struct numeral *n,
                      const struct quantity *q, size_t limit, struct unit_text *unit) {
    struct span part = span_slice(view, 0, limit);
    const struct unit *currency = currency_before(view, q->start);
    if (span_starts(span_slice(view, q->end, limit), SPAN("\\times"))) {
        *unit =
            (struct unit_text){unit_find(SPAN("x")), SPAN("x"), SPAN(""), 1, q->end, q->end + 6};
        return; /* $4.5\times$ */
    }
    if (currency) {
        unit_read_behind(d->arena, currency, view, q->end, limit, unit);
        return;
    }
    unit_read(d->arena, part, q->end, limit, unit);
    size_t more = unit->registry ? 0 : comparing_word(part, q->end);
    struct unit_text behind;
    if (more && unit_read(d->arena, part, more, limit, &behind) && behind.registry)
        *unit = behind;
    if (!unit->registry && n->is_integer &&
        !ends_with_any(words_before(view, q->start, 32), label_words))
        open_noun(d->arena, part, unit->end > q->end ? unit->end : q->end, limit, unit);
}

static size_t add(struct document *d, size_t block, struct span view, size_t at, size_t limit,
                  struct numeral_habit habit) {
    struct span part = span_slice(view, 0, limit);
    bool option = is_option(view, at);
    size_t compound = is_glued(view, at) ? 0 : add_compound(d, block, view, at, limit);
    if (compound)
        return compound;
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
    if (n.form == NUMERAL_ADDRESS || (is_glued(view, at) && !option))
        return n.end;
    size_t range = read_range(d, view, &n, at, limit, habit, before, &q);
    if (range)
        q.end = range;
    read_unit(d, view, &n, &q, limit, &unit);
    if (is_named_behind(part, q.end, &unit))
        return q.end;
    if (is_minus(view, at))
        q.value = -q.value, q.value_high = -q.value_high;
    q.printed = span_slice(view, q.start, q.end);
    set_unit(&q, &n, &unit, before);
    set_interval(&q, n.half_unit, 0);
    bool labelled =
        q.unit.len == 0 && ends_with_any(before, n.is_integer ? label_words : numbered_words);
    push(d, q, option ? ROLE_CONFIG : role_first(d, &q, &n, unit.registry, labelled));
    return q.unit_end > q.end ? q.unit_end : q.end;
}

static const char *const of_something[] = {" of ",    " as ",    " the ",  " that",
                                           " what ",  " its ",   " less",  " more",
                                           " faster", " slower", " fewer", NULL};

/* A spelled factor compares when nothing it could count follows: "half as long", "a third (33%)".
 */
static bool is_spelled_factor(struct span t, size_t at, size_t end, struct span before) {
    static const char *const ordinals[] = {"first", "second", "other", "upper", "lower",
                                           "third", "last",   "each",  "one",   NULL};
    struct span rest = span_slice(t, end, t.len);
    if (ends_with_any(before, ordinals))
        return false;
    bool twice = (t.at[at] | 32) == 't' && end - at == 5;
    for (const char *const *w = of_something; *w; w++)
        if (span_starts(rest, span_of(*w)) && !(twice && span_starts(rest, SPAN(" of "))))
            return true;
    return !twice &&
           (rest.len == 0 || strchr(".,;:)\n", rest.at[0]) || span_starts(rest, SPAN(" (")));
}

/* Spelled numbers count only as a comparison, with a hedge, or before a counted noun. */
static size_t add_words(struct document *d, size_t block, struct span view, size_t at,
                        size_t limit) {
    struct compound c;
    struct span part = span_slice(view, 0, limit), before = words_before(view, at, 32);
    if (!number_words_read(view, at, limit, &c))
        return 0;
    struct unit_text unit = {unit_find(c.unit), c.unit, SPAN(""), 1, c.end, c.end};
    enum bound bound = bound_before(before);
    if (c.unit.len) {
        if (!is_spelled_factor(part, at, c.end, before))
            return 0;
    } else if (!unit_read(d->arena, part, c.end, limit, &unit) || !unit.registry || c.value < 2 ||
               unit.factor != 1) {
        if (bound != BOUND_ABOUT || c.value < 2)
            return 0; /* "honest about one question" hedges nothing */
        unit_read(d->arena, part, c.end, limit, &unit);
    }
    struct numeral n = {.form = NUMERAL_PLAIN, .end = c.end, .is_integer = c.is_integer};
    struct quantity q = {.start = at,
                         .end = c.end,
                         .value = c.value,
                         .value_high = c.value,
                         .printed = span_slice(view, at, c.end),
                         .block = block,
                         .sentence = NONE,
                         .claim = NONE,
                         .bound = bound,
                         .in_words = true};
    set_unit(&q, &n, &unit, before);
    set_interval(&q, 0, 0);
    push(d, q, role_first(d, &q, &n, unit.registry, false));
    return q.unit_end > q.end ? q.unit_end : q.end;
}

void quantity_scan(struct document *d, size_t block, size_t start, size_t end) {
    struct span view = d->chapter->view;
    struct numeral_habit habit = {d->decimal_comma};
    bool words = d->chapter->blocks[block].kind != BLOCK_CODE;
    for (size_t at = start; at < end;) {
        size_t next = 0;
        if (isdigit((unsigned char)view.at[at]))
            next = add(d, block, view, at, end, habit);
        else if (words && isalpha((unsigned char)view.at[at]) &&
                 (at == start || !is_name_byte(view.at[at - 1])) &&
                 (at == start || view.at[at - 1] != '-'))
            next = add_words(d, block, view, at, end);
        at = next > at ? next : at + 1;
    }
}
