#include "audit/measure.h"

#include "core/number.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Unit symbols as audit/data/units.tsv spells them, with exact scale to the base unit. Binary
 * prefixes are powers of 1024, all others of 1000 (IEC 80000-13). */
static const struct known_unit {
    const char *symbol;
    int64_t numerator, denominator;
    int8_t time, data, work, energy, charge, money;
} known_units[] = {
    {"ps", 1, 1000000000000, 1, 0, 0, 0, 0, 0},
    {"ns", 1, 1000000000, 1, 0, 0, 0, 0, 0},
    {"us", 1, 1000000, 1, 0, 0, 0, 0, 0},
    {"ms", 1, 1000, 1, 0, 0, 0, 0, 0},
    {"s", 1, 1, 1, 0, 0, 0, 0, 0},
    {"min", 60, 1, 1, 0, 0, 0, 0, 0},
    {"h", 3600, 1, 1, 0, 0, 0, 0, 0},
    {"day", 86400, 1, 1, 0, 0, 0, 0, 0},
    {"week", 604800, 1, 1, 0, 0, 0, 0, 0},
    {"bit", 1, 8, 0, 1, 0, 0, 0, 0},
    {"kbit", 125, 1, 0, 1, 0, 0, 0, 0},
    {"Mbit", 125000, 1, 0, 1, 0, 0, 0, 0},
    {"Gbit", 125000000, 1, 0, 1, 0, 0, 0, 0},
    {"Tbit", 125000000000, 1, 0, 1, 0, 0, 0, 0},
    {"B", 1, 1, 0, 1, 0, 0, 0, 0},
    {"kB", 1000, 1, 0, 1, 0, 0, 0, 0},
    {"MB", 1000000, 1, 0, 1, 0, 0, 0, 0},
    {"GB", 1000000000, 1, 0, 1, 0, 0, 0, 0},
    {"TB", 1000000000000, 1, 0, 1, 0, 0, 0, 0},
    {"PB", 1000000000000000, 1, 0, 1, 0, 0, 0, 0},
    {"KiB", 1024, 1, 0, 1, 0, 0, 0, 0},
    {"MiB", 1048576, 1, 0, 1, 0, 0, 0, 0},
    {"GiB", 1073741824, 1, 0, 1, 0, 0, 0, 0},
    {"TiB", 1099511627776, 1, 0, 1, 0, 0, 0, 0},
    {"FLOP", 1, 1, 0, 0, 1, 0, 0, 0},
    {"kFLOP", 1000, 1, 0, 0, 1, 0, 0, 0},
    {"MFLOP", 1000000, 1, 0, 0, 1, 0, 0, 0},
    {"GFLOP", 1000000000, 1, 0, 0, 1, 0, 0, 0},
    {"TFLOP", 1000000000000, 1, 0, 0, 1, 0, 0, 0},
    {"PFLOP", 1000000000000000, 1, 0, 0, 1, 0, 0, 0},
    {"EFLOP", 1000000000000000000, 1, 0, 0, 1, 0, 0, 0},
    {"TOPS", 1000000000000, 1, -1, 0, 1, 0, 0, 0},
    {"Hz", 1, 1, -1, 0, 0, 0, 0, 0},
    {"kHz", 1000, 1, -1, 0, 0, 0, 0, 0},
    {"MHz", 1000000, 1, -1, 0, 0, 0, 0, 0},
    {"GHz", 1000000000, 1, -1, 0, 0, 0, 0, 0},
    {"fps", 1, 1, -1, 0, 0, 0, 0, 0},
    {"IOPS", 1, 1, -1, 0, 0, 0, 0, 0},
    {"QPS", 1, 1, -1, 0, 0, 0, 0, 0},
    {"rps", 1, 1, -1, 0, 0, 0, 0, 0},
    {"uW", 1, 1000000, -1, 0, 0, 1, 0, 0},
    {"mW", 1, 1000, -1, 0, 0, 1, 0, 0},
    {"W", 1, 1, -1, 0, 0, 1, 0, 0},
    {"kW", 1000, 1, -1, 0, 0, 1, 0, 0},
    {"MW", 1000000, 1, -1, 0, 0, 1, 0, 0},
    {"uJ", 1, 1000000, 0, 0, 0, 1, 0, 0},
    {"mJ", 1, 1000, 0, 0, 0, 1, 0, 0},
    {"J", 1, 1, 0, 0, 0, 1, 0, 0},
    {"kJ", 1000, 1, 0, 0, 0, 1, 0, 0},
    {"Wh", 3600, 1, 0, 0, 0, 1, 0, 0},
    {"kWh", 3600000, 1, 0, 0, 0, 1, 0, 0},
    {"MWh", 3600000000, 1, 0, 0, 0, 1, 0, 0},
    {"nA", 1, 1000000000, -1, 0, 0, 0, 1, 0},
    {"uA", 1, 1000000, -1, 0, 0, 0, 1, 0},
    {"mA", 1, 1000, -1, 0, 0, 0, 1, 0},
    {"A", 1, 1, -1, 0, 0, 0, 1, 0},
    {"mAh", 18, 5, 0, 0, 0, 0, 1, 0},
    {"Ah", 3600, 1, 0, 0, 0, 0, 1, 0},
    {"uC", 1, 1000000, 0, 0, 0, 0, 1, 0},
    {"mC", 1, 1000, 0, 0, 0, 0, 1, 0},
    {"C", 1, 1, 0, 0, 0, 0, 1, 0},
    {"mV", 1, 1000, 0, 0, 0, 1, -1, 0},
    {"V", 1, 1, 0, 0, 0, 1, -1, 0},
    {"kV", 1000, 1, 0, 0, 0, 1, -1, 0},
    {"USD", 1, 1, 0, 0, 0, 0, 0, 1},
    {"EUR", 1, 1, 0, 0, 0, 0, 0, 1},
    {"GBP", 1, 1, 0, 0, 0, 0, 0, 1},
    {"CHF", 1, 1, 0, 0, 0, 0, 0, 1},
    {"%", 1, 100, 0, 0, 0, 0, 0, 0},
    {"x", 1, 1, 0, 0, 0, 0, 0, 0},
};

enum { SLOTS = 256 };
static const struct known_unit *slots[SLOTS]; /* by hash, open addressing */

static unsigned slot_of(const char *at, size_t len) {
    unsigned hash = (unsigned)len;
    for (size_t i = 0; i < len; i++)
        hash = hash * 31 + (unsigned char)at[i];
    return hash % SLOTS;
}

static void fill_slots(void) {
    for (size_t i = 0; i < sizeof known_units / sizeof *known_units; i++) {
        const char *symbol = known_units[i].symbol;
        unsigned slot = slot_of(symbol, strlen(symbol));
        while (slots[slot])
            slot = (slot + 1) % SLOTS;
        slots[slot] = &known_units[i];
    }
}

static const struct known_unit *unit_find(struct span symbol) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    enum { LONGEST = 5 };
    if (!symbol.len || symbol.len > LONGEST)
        return NULL;
    pthread_once(&once, fill_slots);
    for (unsigned slot = slot_of(symbol.at, symbol.len); slots[slot]; slot = (slot + 1) % SLOTS)
        if (span_equal(symbol, span_of(slots[slot]->symbol)))
            return slots[slot];
    return NULL;
}

static bool is_word(struct span s) {
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') && c < 128 && c != '-' && c != '_' && c != ' ')
            return false;
    }
    return s.len > 0;
}

/* One factor of the unit, above (sign 1) or below (sign -1) the line. */
static bool apply_factor(struct measure *m, struct span symbol, int sign) {
    const struct known_unit *unit = unit_find(symbol);
    if (!unit) {
        if (!is_word(symbol))
            return false;
        m->noun = symbol;
        return true;
    }
    const int8_t powers[DIM_COUNT] = {unit->time,   unit->data,   unit->work,
                                      unit->energy, unit->charge, unit->money};
    for (int i = 0; i < DIM_COUNT; i++)
        m->dimension.power[i] = (int8_t)(m->dimension.power[i] + sign * powers[i]);
    int64_t up = sign > 0 ? unit->numerator : unit->denominator;
    int64_t down = sign > 0 ? unit->denominator : unit->numerator;
    return !__builtin_mul_overflow(m->scale_numerator, up, &m->scale_numerator) &&
           !__builtin_mul_overflow(m->scale_denominator, down, &m->scale_denominator);
}

static bool apply_unit(struct measure *m, struct span unit) {
    struct span rest = unit, symbol;
    if (!span_next_field(&rest, '/', &symbol) || !apply_factor(m, span_trim(symbol), 1))
        return false;
    while (span_next_field(&rest, '/', &symbol))
        if (!apply_factor(m, span_trim(symbol), -1))
            return false;
    return true;
}

static double last_digit(const struct quantity *q) {
    return q->lo == q->hi ? 0 : power_of_ten(-q->decimals);
}

/* Counts and settings are exact: 20 iterations are 20, not 19.5 to 20.5. */
static bool is_exact_count(const struct quantity *q) {
    if (q->bound == BOUND_ABOUT || q->value != q->value_high || q->decimals != 0)
        return false;
    return q->role == ROLE_CONFIG && q->value == floor(q->value) && fabs(q->value) < 1e15;
}

static bool is_tame(const struct quantity *q, const struct measure *m) {
    enum { MOST_DECIMALS = 12 };
    return isfinite(m->lo) && isfinite(m->hi) && m->lo > 0 && m->lo > 1e-3 * m->hi &&
           q->value == q->value_high && abs(q->decimals) <= MOST_DECIMALS &&
           fabs(q->value) * power_of_ten(q->decimals) < 1e15;
}

struct measure measure_of(const struct quantity *q) {
    struct measure m = {.scale_numerator = 1, .scale_denominator = 1};
    if (q->unit.len && !apply_unit(&m, q->unit)) {
        m.dimension = (struct dimension){{0}};
        m.scale_numerator = m.scale_denominator = 1;
    } else {
        m.unit_known = q->unit.len > 0;
    }
    m.is_percent = span_equal(q->unit, SPAN("%"));
    m.is_factor = span_equal(q->unit, SPAN("x"));
    double scale = (double)m.scale_numerator / (double)m.scale_denominator;
    m.exact = q->lo == q->hi || (is_exact_count(q) && !m.is_percent && !m.is_factor);
    m.value = (q->value + q->value_high) / 2 * scale;
    m.lo = m.exact ? m.value : q->lo * scale;
    m.hi = m.exact ? m.value : q->hi * scale;
    m.ulp = m.exact ? 0 : last_digit(q) * scale;
    m.tame = is_tame(q, &m);
    return m;
}

/* Whether lo..hi is nothing but half a unit of the last place around the value: then the decimal
 * digits give the exact bounds; else (ranges, hedges, 3m42s) the doubles do. */
static bool is_plain_decimal(const struct quantity *q) {
    if (q->value != q->value_high)
        return false;
    double half = power_of_ten(-q->decimals) / 2, slack = 1e-9 * fmax(fabs(q->value), half);
    return fabs(q->value - q->lo - half) <= slack && fabs(q->hi - q->value - half) <= slack;
}

bool measure_printed(const struct quantity *q, struct interval *out) {
    if (q->lo == q->hi || is_exact_count(q)) {
        if (q->value == floor(q->value) || q->decimals <= 0)
            return interval_from_doubles(out, q->value, q->value);
        if (!interval_from_decimal(out, q->value, q->decimals))
            return false;
        mpq_add(out->lo, out->lo, out->hi);
        mpq_div_2exp(out->lo, out->lo, 1);
        mpq_set(out->hi, out->lo);
        return true;
    }
    if (is_plain_decimal(q) && interval_from_decimal(out, q->value, q->decimals))
        return true;
    return interval_from_doubles(out, q->lo, q->hi);
}

bool measure_interval(const struct quantity *q, struct interval *out) {
    if (!measure_printed(q, out))
        return false;
    struct measure m = measure_of(q);
    mpq_t scale;
    mpq_init(scale);
    mpq_set_si(scale, m.scale_numerator, (unsigned long)m.scale_denominator);
    mpq_canonicalize(scale);
    interval_scale(out, out, scale);
    mpq_clear(scale);
    return true;
}

bool dimension_equal(struct dimension a, struct dimension b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

bool dimension_is_none(struct dimension d) {
    return dimension_equal(d, (struct dimension){{0}});
}

struct dimension dimension_combine(struct dimension a, struct dimension b, int sign) {
    for (int i = 0; i < DIM_COUNT; i++)
        a.power[i] = (int8_t)(a.power[i] + sign * b.power[i]);
    return a;
}
