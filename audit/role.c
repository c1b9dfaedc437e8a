#include "audit/role.h"

#include "audit/role_line.h"
#include "audit/role_words.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const config_nouns[] = {
    "parameter", "batch",      "epoch",       "run",    "iteration", "thread",     "worker",
    "process",   "layer",      "head",        "seed",   "round",     "repetition", "trial",
    "client",    "connection", "GPU",         "node",   "rank",      "sample",     "step",
    "element",   "row",        "column",      "file",   "example",   "token",      "sequence",
    "broker",    "producer",   "consumer",    "loop",   "stream",    "job",        "replica",
    "partition", "shard",      "measurement", "repeat", "warp",      "block",      "instance",
    "update",    "kernel",     "warm-up",     NULL};
static const char *const spec_nouns[] = {"core",   "vCPU", "CPU",     "SM",
                                         "socket", "lane", "channel", NULL};

static bool is_in(struct span word, const char *const *words) {
    for (; *words && word.len; words++)
        if ((word.at[0] | 32) == (**words | 32) && span_equal_nocase(word, span_of(*words)))
            return true;
    return false;
}

static bool is_ratio(const struct quantity *q) {
    return span_equal(q->unit, SPAN("x")) || span_equal(q->unit, SPAN("%"));
}

/* A plain count: "8 threads", not "8 threads/s" and not "8 bytes per thread". */
static bool is_count(const struct quantity *q) {
    return q->registry && q->registry->is_noun && q->per.len == 0 &&
           span_equal(q->unit, q->registry->symbol);
}

static bool is_dimension(const struct quantity *q, const char *dimension) {
    return q->registry && span_equal(q->registry->dimension, span_of(dimension)) &&
           span_find_byte(q->unit, '/', 0) == SIZE_MAX && q->per.len == 0;
}

static bool is_whole(const struct quantity *q) {
    return q->decimals <= 0 && q->value == floor(q->value);
}

enum quantity_role role_first(const struct document *d, const struct quantity *q,
                              const struct numeral *n, const struct unit *unit, bool labelled) {
    enum block_kind kind = d->chapter->blocks[q->block].kind;
    if (span_equal(q->unit, SPAN("date")) || labelled)
        return ROLE_OTHER;
    if (span_equal(q->unit, SPAN("version")))
        return ROLE_CONFIG;
    if (is_ratio(q) || n->form == NUMERAL_FRACTION)
        return ROLE_RATIO;
    if (kind == BLOCK_CODE)
        return ROLE_CONFIG;
    if (unit && is_count(q))
        return is_in(unit->symbol, spec_nouns) ? ROLE_SPEC
               : is_in(unit->symbol, config_nouns) || q->in_words
                   ? ROLE_CONFIG /* "those four words": nobody measured them */
                   : ROLE_MEASUREMENT;
    if (unit && unit->is_noun && is_in(unit->symbol, config_nouns) && is_in(q->per, config_nouns))
        return ROLE_CONFIG; /* "10 runs per measurement" */
    if (unit && kind == BLOCK_CONTRACT)
        return ROLE_SPEC;
    return unit || q->unit.len || (!n->is_integer && n->form == NUMERAL_PLAIN) ? ROLE_MEASUREMENT
                                                                               : ROLE_CONFIG;
}

/* What is settled and needs no second look. */
static bool is_fixed(const struct quantity *q) {
    return q->role == ROLE_OTHER || span_equal(q->unit, SPAN("version")) ||
           span_equal(q->unit, SPAN("date"));
}

/* --- cells ------------------------------------------------------------------------------- */

enum {
    LABEL_CLASSES =
        1 << WORDS_SETTING | 1 << WORDS_LIMIT | 1 << WORDS_MEASURED | 1 << WORDS_COMPARED
};

/* Bytes, seconds, watts and rates: what instruments read. Counts and bare numbers are not. */
static bool is_physical(const struct quantity *q) {
    return q->registry && !is_ratio(q) &&
           (!q->registry->is_noun || span_find_byte(q->unit, '/', 0) != SIZE_MAX);
}

/* The role that a label gives its value: the last telling word decides ("batch time"). "step" and
 * "batch" make settings of counts only; "timeout" also of times. */
static bool role_of_label(struct span label, const struct quantity *q, enum quantity_role *role) {
    unsigned mask = LABEL_CLASSES & ~(is_physical(q) ? 1u << WORDS_SETTING : 0);
    int last = role_words_last(label, mask);
    if (last < 0)
        return false;
    *role = last == WORDS_SETTING || last == WORDS_LIMIT ? ROLE_CONFIG
            : last == WORDS_COMPARED                     ? ROLE_RATIO
                                                         : ROLE_MEASUREMENT;
    return true;
}

/* A first column of whole numbers that only rise is what was varied. */
static bool is_swept(const struct document *d, const struct grid *g, size_t column) {
    double last = -INFINITY;
    if (column > 0 || g->row_count < 2 || g->columns[column].label.len == 0)
        return false;
    for (size_t row = 0; row < g->row_count; row++) {
        size_t at = grid_cell(g, row, column);
        if (at == NONE)
            return false;
        const struct quantity *q = &d->claims->quantities[at];
        if (q->value <= last || q->value != floor(q->value))
            return false;
        last = q->value;
    }
    return true;
}

/* "batch of 100", "block-sparse 1/2": a number inside the words that name the row. */
static bool is_in_name(const struct quantity *q, struct span label) {
    bool inside = q->printed.at >= label.at && q->printed.at < label.at + label.len;
    return inside && !is_physical(q) &&
           (isalpha((unsigned char)label.at[0]) || q->printed.at > label.at);
}

static enum quantity_role role_of_cell(const struct quantity *q, const struct grid *g, size_t row,
                                       size_t column) {
    struct span header = g->columns[column].label;
    enum quantity_role role = ROLE_MEASUREMENT;
    bool told = role_of_label(header, q, &role);
    if (told && role == ROLE_RATIO && is_physical(q))
        return ROLE_MEASUREMENT; /* "saved_ms": a difference has a dimension */
    if (span_equal(q->unit, SPAN("x")) || (told && role == ROLE_RATIO))
        return ROLE_RATIO;
    if (span_equal(q->unit, SPAN("%"))) {
        bool stated_above = q->unit_end <= q->end && span_find_byte(header, '%', 0) == SIZE_MAX;
        if (!told && stated_above)
            return ROLE_MEASUREMENT; /* "Accuracy in per cent" over the table */
        bool by_row = !told && role_of_label(g->row_labels[row], q, &role);
        return (told || by_row) && role == ROLE_MEASUREMENT ? role : ROLE_RATIO;
    }
    bool setting = is_in(q->unit, config_nouns) || is_in(q->unit, spec_nouns);
    if (is_count(q) && setting && !(told && role == ROLE_MEASUREMENT))
        return ROLE_CONFIG;
    if (told && role == ROLE_CONFIG && is_physical(q) && column > 1)
        told = false; /* sizes and windows that were varied stand first */
    if (told)
        return role;
    if (g->column_count == 2 && role_of_label(g->row_labels[row], q, &role) && role != ROLE_RATIO)
        return role;
    return ROLE_MEASUREMENT;
}

static void settle_cells(struct document *d, const struct grid *g, bool *settled) {
    bool *swept = arena_array(d->arena, g->column_count, sizeof *swept);
    for (size_t column = 0; column < g->column_count; column++)
        swept[column] = is_swept(d, g, column);
    for (size_t row = 0; row < g->row_count; row++)
        for (size_t column = 0; column < g->column_count; column++) {
            size_t at = grid_cell(g, row, column);
            if (at == NONE || settled[at])
                continue;
            struct quantity *q = &d->claims->quantities[at];
            settled[at] = true;
            if (!is_fixed(q))
                q->role = swept[column] || is_in_name(q, g->row_labels[row])
                              ? ROLE_CONFIG
                              : role_of_cell(q, g, row, column);
        }
}

/* --- prose and lines --------------------------------------------------------------------- */

struct around {
    struct span nearby;        /* of the sentence, some hundred bytes to both sides */
    struct span head;          /* the first bytes of the sentence */
    struct span before, after; /* within the clause */
    struct span key;           /* "key = 8", "key: 8": the key, or empty */
    bool line;                 /* not running prose */
};

static size_t end_of(const struct quantity *q) {
    return q->unit_end > q->end ? q->unit_end : q->end;
}

static struct around around_of(const struct document *d, const struct sentence *s,
                               const struct quantity *q) {
    enum { BEFORE = 64, AFTER = 40, NEARBY = 160, HEAD = 40 };
    struct span view = d->chapter->view;
    size_t from = q->start, to = end_of(q);
    while (from > s->start && q->start - from < BEFORE && !strchr(",;:()", view.at[from - 1]))
        from--;
    while (to < s->end && to - end_of(q) < AFTER && !strchr(",;:()", view.at[to]) &&
           !(view.at[to] == '.' && (to + 1 == s->end || isspace((unsigned char)view.at[to + 1]))))
        to++;
    enum block_kind kind = d->chapter->blocks[s->block].kind;
    struct around a = {
        .nearby = span_slice(view, q->start - s->start > NEARBY ? q->start - NEARBY : s->start,
                             s->end - q->end > NEARBY ? q->end + NEARBY : s->end),
        .head = span_slice(view, s->start, s->end - s->start > HEAD ? s->start + HEAD : s->end),
        .before = span_trim(span_slice(view, from, q->start)),
        .after = span_trim(span_slice(view, end_of(q), to)),
        .line = kind != BLOCK_PROSE && kind != BLOCK_LIST && kind != BLOCK_HEADING,
    };
    size_t mark = q->start;
    while (mark > s->start && strchr(" \t[", view.at[mark - 1]))
        mark--;
    if (mark > s->start && strchr("=:", view.at[mark - 1])) {
        size_t key = mark - 1;
        while (key > s->start && mark - key < BEFORE && !strchr(",;|\n", view.at[key - 1]) &&
               !(view.at[key - 1] == ':' && view.at[mark - 1] == '='))
            key--;
        a.key = span_trim(span_slice(view, key, mark - 1));
    }
    return a;
}

static struct span last_words(struct span text, int words) {
    size_t at = text.len;
    while (at > 0 && words > 0) {
        while (at > 0 && !isspace((unsigned char)text.at[at - 1]))
            at--;
        if (--words > 0)
            while (at > 0 && isspace((unsigned char)text.at[at - 1]))
                at--;
    }
    return span_slice(text, at, text.len);
}

static struct span first_words(struct span text, int words) {
    size_t at = 0;
    for (; at < text.len && words > 0; words--) {
        while (at < text.len && isspace((unsigned char)text.at[at]))
            at++;
        while (at < text.len && !isspace((unsigned char)text.at[at]))
            at++;
    }
    return span_slice(text, 0, at);
}

static const char *const times_of[] = {"as", "the", "that", "what", "than", "its", "their", NULL};

/* "4 times" without a comparison counts repetitions; "4 times faster", "4x" compares. */
static bool is_repetition(const struct document *d, const struct quantity *q, struct around a) {
    struct span unit = span_slice(d->chapter->view, q->unit_start, q->unit_end);
    return span_equal(unit, SPAN("times")) && is_whole(q) && !role_words_start(a.after, times_of) &&
           !role_words_any(first_words(a.after, 3), WORDS_COMPARATIVE);
}

static enum quantity_role role_of_percent(const struct around a) {
    if (role_words_any(first_words(a.after, 2), WORDS_COMPARATIVE) ||
        role_words_end(a.before, (const char *const[]){"by", "another", NULL}))
        return ROLE_RATIO;
    unsigned mask = 1 << WORDS_MEASURED | 1 << WORDS_COMPARED;
    if (role_words_start(a.after, (const char *const[]){"of", NULL}))
        return role_words_last(a.before, mask) == WORDS_MEASURED &&
                       role_words_any(last_words(a.before, 2), WORDS_MEASURED)
                   ? ROLE_MEASUREMENT
                   : ROLE_RATIO;
    bool noun = role_words_last(a.before, mask) == WORDS_MEASURED ||
                role_words_any(first_words(a.after, 3), WORDS_MEASURED) ||
                role_words_last(a.key, mask) == WORDS_MEASURED;
    return noun ? ROLE_MEASUREMENT : ROLE_RATIO;
}

static const char *const fixed[] = {"set to",   "pinned at", "capped at", "limited to", "locked at",
                                    "fixed at", "pinned to", "capped to", NULL};
static const char *const every[] = {
    "every",     "each",       "default",    "default is", "set to",  "pinned at",
    "capped at", "limited to", "locked at",  "fixed at",   "at most", "up to",
    "after",     "budget of",  "timeout of", "target of",  NULL};

/* "a message of 256 MB", "keys of 16 B": a size that names its thing; not "a total of 5 ms". */
static bool is_size_of(struct around a) {
    if (!role_words_end(a.before, (const char *const[]){"of", NULL}))
        return false;
    struct span head = last_words(span_trim(span_slice(a.before, 0, a.before.len - 2)), 1);
    return head.len > 2 && !role_words_any(head, WORDS_MEASURED) &&
           !role_words_any(head, WORDS_COMPARED) && !role_words_any(head, WORDS_COMPARATIVE);
}

/* "median of 600 frames", "best of 20 runs", "mean over 3 seeds". */
static bool is_sampled(struct around a) {
    static const char *const heads[] = {
        "median of",    "mean of",    "average of", "best of",       "median over", "mean over",
        "average over", "minimum of", "over",       "averaged over", NULL};
    return role_words_end(a.before, heads);
}

/* Bytes and kilobytes: no size that a card is sold with. */
static bool is_small(const struct quantity *q) {
    return span_equal(q->unit, SPAN("B")) || span_equal(q->unit, SPAN("kB")) ||
           span_equal(q->unit, SPAN("KiB"));
}

static bool is_hardware_fact(const struct quantity *q, struct around a) {
    struct span near = last_words(a.before, 3), next = first_words(a.after, 3);
    bool frequency = is_dimension(q, "1/time") && span_ends(q->unit, SPAN("Hz"));
    bool data = is_dimension(q, "data"),
         rate = q->registry && !q->registry->is_noun && span_ends(q->unit, SPAN("/s"));
    bool power = span_equal(q->unit, SPAN("W")) || span_equal(q->unit, SPAN("kW"));
    if (role_words_any(last_words(a.before, 10), WORDS_RATED) && !data)
        return true;
    if (role_words_any(a.before, WORDS_RATED) && data)
        return true;
    if (frequency)
        return q->value >= 1 && !span_equal(q->unit, SPAN("Hz"));
    if (data || rate) {
        bool of_thing =
            role_words_start(next, (const char *const[]){"of ram", "of memory", "of vram", NULL}) ||
            role_words_any(first_words(next, 1), WORDS_HARDWARE);
        bool has = role_words_end(near, (const char *const[]){"with", "has", "have", NULL}) &&
                   data && role_words_any(a.nearby, WORDS_HARDWARE);
        bool each = data && q->value >= 1 && role_words_any(a.nearby, WORDS_HARDWARE) &&
                    role_words_start(next, (const char *const[]){"each", NULL});
        return (each && !is_small(q)) ||
               (of_thing && !role_words_end(near, (const char *const[]){"of", "used", NULL})) ||
               has ||
               role_words_end(a.before, (const char *const[]){"out of", "bandwidth of", NULL});
    }
    return power &&
           role_words_end(near, (const char *const[]){"limit", "limit of", "limit:", "/", NULL});
}

static bool is_setting(const struct document *d, const struct quantity *q, struct around a) {
    char next = q->end < d->chapter->view.len ? d->chapter->view.at[q->end] : ' ';
    bool size = is_dimension(q, "data") || (q->registry && q->registry->is_noun);
    bool attributive = next == '-' && q->unit_start == q->end + 1 && !is_ratio(q);
    bool noun = is_count(q) && !is_in(q->unit, config_nouns);
    if (attributive && (size || is_dimension(q, "time")))
        return true;
    if (is_sampled(a) && (q->registry == NULL || is_count(q) || is_dimension(q, "time")))
        return true;
    if (role_words_end(a.before, every) && !noun && is_whole(q))
        return true;
    if (is_size_of(a) && (size || q->unit.len == 0) && is_whole(q))
        return true;
    return role_words_last(last_words(a.before, 3), LABEL_CLASSES | 1 << WORDS_COMPARATIVE) ==
               (is_physical(q) ? WORDS_LIMIT : WORDS_SETTING) &&
           is_whole(q);
}

static bool is_key(struct span key) {
    return key.len > 0 && key.len < 40;
}

static bool is_money_rate(const struct quantity *q) {
    return q->registry && span_equal(q->registry->dimension, SPAN("money")) && q->per.len;
}

/* The role without words: the first guess, seen again now that the unit is known. */
static enum quantity_role base_of(const struct document *d, const struct quantity *q) {
    if (q->role != ROLE_CONFIG || d->chapter->blocks[q->block].kind == BLOCK_CODE)
        return q->role;
    if (is_count(q))
        return is_in(q->unit, spec_nouns)     ? ROLE_SPEC
               : is_in(q->unit, config_nouns) ? ROLE_CONFIG
                                              : ROLE_MEASUREMENT;
    return q->unit.len ? ROLE_MEASUREMENT : ROLE_CONFIG;
}

/* "Socket errors: connect 0, read 0": the head of the line says what is listed. */
static bool is_listed_as_measured(struct around a) {
    size_t colon = span_find_byte(a.head, ':', 0);
    return colon != SIZE_MAX && role_words_any(span_slice(a.head, 0, colon), WORDS_MEASURED);
}

/* "draw calls went from 4,812 to 2,406": what changes was observed. */
static bool is_change(struct around a) {
    static const char *const changes[] = {
        "went from",     "rose from",     "fell from",      "dropped from",   "grew from",
        "shrank from",   "climbed from",  "increased from", "decreased from", "reduced from",
        "improved from", "declined from", "drops from",     "rises from",     "falls from",
        "goes from",     "grows from",    "down from",      "up from",        NULL};
    return role_words_end(a.before, changes);
}

/* "4,812 to 2,406", "256 KiB instead of 8 KiB": two values of one thing have one role. */
static bool is_paired(const struct document *d, const struct quantity *left,
                      const struct quantity *right) {
    static const char *const joins[] = {
        "to", "instead of", "against", "rather than", "->", "\xe2\x86\x92", "versus", "vs", NULL};
    struct span between = end_of(left) <= right->start
                              ? span_trim(span_slice(d->chapter->view, end_of(left), right->start))
                              : (struct span){0};
    if (!span_equal(left->unit, right->unit) || is_ratio(right))
        return false;
    for (const char *const *w = joins; *w; w++)
        if (span_equal(between, span_of(*w)))
            return true;
    return false;
}

static enum quantity_role role_in_text(const struct document *d, const struct quantity *q,
                                       struct around a, bool measured_line) {
    enum quantity_role role, base = base_of(d, q);
    if (span_equal(q->unit, SPAN("x")))
        return is_repetition(d, q, a) ? ROLE_CONFIG : ROLE_RATIO;
    if (span_equal(q->unit, SPAN("%")))
        return role_of_percent(a);
    if (q->role == ROLE_RATIO || d->chapter->blocks[q->block].kind == BLOCK_CODE)
        return q->role;
    if (is_key(a.key) && role_of_label(a.key, q, &role) && (role != ROLE_RATIO || q->unit.len == 0))
        return role;
    if (role_words_end(a.before, fixed) && is_physical(q))
        return ROLE_CONFIG;
    if (is_hardware_fact(q, a) || (is_money_rate(q) && !role_words_any(a.before, WORDS_COMPARED)))
        return ROLE_SPEC;
    if (base == ROLE_SPEC)
        return base;
    if (is_change(a))
        return ROLE_MEASUREMENT;
    if (is_setting(d, q, a))
        return ROLE_CONFIG;
    if (q->unit.len == 0 && a.line && is_listed_as_measured(a))
        return ROLE_MEASUREMENT;
    return is_key(a.key) && a.line && measured_line && q->unit.len == 0 ? ROLE_MEASUREMENT : base;
}

static bool is_identifier_key(struct span key) {
    static const char *const ends[] = {"id", "seq", "port", "pid", "uid", "gid", "line", NULL};
    struct span last = last_words(key, 1);
    for (const char *const *w = ends; *w; w++)
        if (span_ends(last, span_of(*w)))
            return last.len < 14;
    return false;
}

/* A number that only points: "In [1]:", "Benchmark 2:", "groupid=0", "4.3 Ablation", "2." */
static bool is_reference(const struct document *d, const struct sentence *s,
                         const struct quantity *q, struct around a) {
    struct span view = d->chapter->view;
    if (q->unit.len || is_identifier_key(a.key))
        return q->unit.len == 0;
    size_t end = q->end;
    char next = end < s->end ? view.at[end] : '\0';
    struct span head = span_trim(span_slice(view, s->start, q->start));
    while (head.len && strchr("#*> ", head.at[0]))
        head.at++, head.len--;
    bool bracketed = head.len && head.at[head.len - 1] == '[' && next == ']' && is_whole(q);
    if (bracketed)
        return head.len <= 5;
    if (next == ':' && is_whole(q) && head.len && isupper((unsigned char)head.at[0]) &&
        span_find_byte(head, ' ', 0) == SIZE_MAX && end + 1 < s->end && view.at[end + 1] == ' ')
        return true;
    if (head.len || q->value < 0 || q->value >= 100)
        return false;
    enum { LONGEST_TITLE = 80 };
    size_t after = end + (next == '.');
    if (after >= s->end)
        return next == '.';
    return view.at[after] == ' ' && after + 1 < s->end &&
           isupper((unsigned char)view.at[after + 1]) && s->end - s->start < LONGEST_TITLE &&
           s->start == d->chapter->blocks[s->block].start;
}

static void settle_sentence(struct document *d, const struct sentence *s, const bool *settled) {
    bool measured = false;
    for (size_t i = s->first_quantity; i < s->first_quantity + s->quantity_count; i++)
        measured |= d->claims->quantities[i].role == ROLE_MEASUREMENT;
    for (size_t i = s->first_quantity; i < s->first_quantity + s->quantity_count; i++) {
        struct quantity *q = &d->claims->quantities[i];
        if (settled[i] || is_fixed(q))
            continue;
        struct around a = around_of(d, s, q);
        if (i > s->first_quantity && is_paired(d, q - 1, q)) {
            q->role = q[-1].role;
            continue;
        }
        enum quantity_role role;
        if (is_reference(d, s, q, a))
            q->role = ROLE_OTHER;
        else if (q->role != ROLE_RATIO && role_of_line(d, s, q, a.before, a.after, a.line, &role))
            q->role = role;
        else
            q->role = role_in_text(d, q, a, measured);
    }
}

void role_settle(struct document *d) {
    bool *settled = arena_array(d->arena, d->claims->quantity_count + 1, sizeof *settled);
    for (size_t i = 0; i < d->grid_count; i++)
        if (!span_equal(d->grids[i].source, SPAN("template")))
            settle_cells(d, &d->grids[i], settled);
    for (size_t i = 0; i < d->sentence_count; i++)
        settle_sentence(d, &d->sentences[i], settled);
}
