/* Software versions that a text names: when they came out, what has taken their place, whether they
 * are still maintained, and whether the pairs named side by side belong together. Facts come from
 * audit/data; what it does not know is UNVERIFIED. */
#include "audit/hardware.h"

#include "audit/checks/checks.h"
#include "core/clock.h"

#include <stdint.h>

enum {
    MOST_VERSIONS = 64,
    PAIR_WINDOW = 400, /* bytes between versions of one environment */
    CLASH_WINDOW = 80, /* closer, two versions that exclude each other are an inconsistency */
};

struct software_run {
    const struct check_input *input;
    struct findings *findings;
    const struct hardware *hardware;
    struct span view, today;
};

static struct span fact(const struct software_run *run, size_t row, const char *column) {
    const struct table *t = &run->hardware->software;
    return table_cell(t, row, table_column(t, column));
}

static void place(struct finding_draft *d, const struct software_mention *m) {
    finding_place(d, m->start, m->end);
    finding_claim_at(d, m->start, m->start + 1);
}

/* The newest release that the table knows of the product. */
static size_t newest(const struct software_run *run, const char *product) {
    const struct table *t = &run->hardware->software;
    size_t best = SIZE_MAX;
    for (size_t row = 0; row < t->row_count; row++) {
        if (!span_equal(fact(run, row, "product"), span_of(product)))
            continue;
        struct span released = fact(run, row, "released");
        struct span known = best == SIZE_MAX ? SPAN("") : fact(run, best, "released");
        size_t shorter = released.len < known.len ? released.len : known.len;
        if (best == SIZE_MAX || memcmp(released.at, known.at, shorter) > 0)
            best = row;
    }
    return best;
}

static bool is_past(struct span date, struct span today) {
    return date.len >= 7 && memcmp(date.at, today.at, date.len < 10 ? date.len : 10) < 0;
}

static void say_age(const struct software_run *run, const struct software_mention *m) {
    struct finding_draft d;
    struct span next = fact(run, m->row, "superseded_by"), end = fact(run, m->row, "end_of_life");
    struct span name = span_slice(run->view, m->start, m->end);
    bool ended = is_past(end, run->today);
    bool dated = next.len || ended;
    size_t latest = newest(run, m->product);
    finding_begin(&d, run->input, run->findings, "software",
                  dated ? FINDING_DATED : FINDING_CONFIRMED, ended ? SEVERITY_LOW : SEVERITY_INFO);
    place(&d, m);
    d.finding.url = fact(run, m->row, "source_url");
    d.finding.response = RESPONSE_NO_CHANGE; /* an age alone asks for no edit */
    struct buffer text = {0};
    buffer_printf(&text, "%.*s: %s %.*s came out on %.*s", SPAN_ARG(name), m->product,
                  SPAN_ARG(fact(run, m->row, "version")), SPAN_ARG(fact(run, m->row, "released")));
    if (ended)
        buffer_printf(&text, ", maintenance ended on %.*s", SPAN_ARG(end));
    if (next.len)
        buffer_printf(&text, ", superseded by %.*s", SPAN_ARG(next));
    if (dated && latest != SIZE_MAX && !span_equal(fact(run, latest, "version"), next))
        buffer_printf(&text, "; the newest known is %.*s (%.*s)",
                      SPAN_ARG(fact(run, latest, "version")),
                      SPAN_ARG(fact(run, latest, "released")));
    finding_say(&d, "%.*s (table as of %.*s).", SPAN_ARG(buffer_span(&text)),
                SPAN_ARG(fact(run, m->row, "as_of")));
    buffer_free(&text);
    finding_end(&d);
}

static void say_unknown(const struct software_run *run, const struct software_mention *m) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "software", FINDING_NOTE, SEVERITY_INFO);
    place(&d, m);
    finding_say(&d, "UNVERIFIED: %.*s is not in the table of releases, which proves nothing.",
                SPAN_ARG(span_slice(run->view, m->start, m->end)));
    finding_end(&d);
}

/* --- pairs --- */

struct pair_rule {
    bool known, supported, refuted;
    size_t row; /* of pairs.tsv: the row that decides */
};

static struct span pair_cell(const struct software_run *run, size_t row, const char *column) {
    const struct table *t = &run->hardware->pairs;
    return table_cell(t, row, table_column(t, column));
}

/* Same version up to the shorter one's parts, builds ("+cu118") apart. */
static bool same_version(struct span a, struct span b) {
    return span_find_byte(a, '+', 0) == SIZE_MAX && version_compare(a, b) == 0;
}

static void apply_row(const struct software_run *run, size_t row, struct span with,
                      struct pair_rule *rule) {
    struct span relation = pair_cell(run, row, "relation");
    struct span version = pair_cell(run, row, "with_version");
    rule->known = true;
    if (span_equal(relation, SPAN("supported")) || span_equal(relation, SPAN("default-wheel"))) {
        if (same_version(version, with) && !rule->supported) {
            rule->supported = true;
            rule->row = row;
        }
        return;
    }
    bool below = span_equal(relation, SPAN("requires-min")) && version_compare(with, version) < 0;
    bool above = span_equal(relation, SPAN("requires-max")) && version_compare(with, version) > 0;
    bool no = span_equal(relation, SPAN("unsupported")) && same_version(version, with);
    if ((below || above || no) && !rule->refuted) {
        rule->refuted = true;
        rule->row = row;
    }
}

static struct pair_rule look_up(const struct software_run *run, const char *product,
                                struct span version, const char *with, struct span with_version) {
    struct pair_rule rule = {0};
    for (size_t row = 0; row < run->hardware->pairs.row_count; row++)
        if (span_equal(pair_cell(run, row, "product"), span_of(product)) &&
            span_equal(pair_cell(run, row, "with"), span_of(with)) &&
            same_version(pair_cell(run, row, "version"), version))
            apply_row(run, row, with_version, &rule);
    return rule;
}

static void say_pair(const struct software_run *run, const struct software_mention *a,
                     const struct software_mention *b, const struct pair_rule *rule) {
    struct finding_draft d;
    bool refuted = rule->refuted && !rule->supported;
    size_t apart = b->start > a->end ? b->start - a->end : a->start - b->end;
    finding_begin(&d, run->input, run->findings, "software",
                  !refuted               ? FINDING_CONFIRMED
                  : apart < CLASH_WINDOW ? FINDING_INCONSISTENCY
                                         : FINDING_NOTE,
                  refuted ? SEVERITY_MEDIUM : SEVERITY_INFO);
    place(&d, a);
    finding_place(&d, b->start, b->end);
    d.finding.url = pair_cell(run, rule->row, "source_url");
    struct span note = pair_cell(run, rule->row, "note");
    finding_say(&d, "%s %.*s with %s %.*s: %.*s %.*s%s%.*s (%.*s).", a->product,
                SPAN_ARG(a->version), b->product, SPAN_ARG(b->version),
                SPAN_ARG(pair_cell(run, rule->row, "relation")),
                SPAN_ARG(pair_cell(run, rule->row, "with_version")), note.len ? ", " : "",
                SPAN_ARG(note), SPAN_ARG(pair_cell(run, rule->row, "source")));
    finding_end(&d);
}

/* "cu118" is CUDA 11.8. */
static bool build_mention(struct arena *arena, const struct software_mention *m,
                          struct software_mention *cuda) {
    if (!span_starts(m->build, SPAN("cu")) || m->build.len < 4 || m->build.len > 6)
        return false;
    struct span digits = span_slice(m->build, 2, m->build.len);
    *cuda = *m;
    cuda->product = "cuda";
    cuda->version = arena_printf(arena, "%.*s.%c", SPAN_ARG(span_slice(digits, 0, digits.len - 1)),
                                 digits.at[digits.len - 1]);
    return true;
}

static void judge_pair(const struct software_run *run, const struct software_mention *a,
                       const struct software_mention *b) {
    if (strcmp(a->product, b->product) == 0)
        return;
    struct pair_rule rule = look_up(run, a->product, a->version, b->product, b->version);
    if (rule.supported || rule.refuted)
        say_pair(run, a, b, &rule);
}

/* Versions belong to one environment when they stand close together in one listing or sentence. */
static void judge_pairs(const struct software_run *run, const struct software_mention *found,
                        size_t count) {
    struct software_mention cuda;
    for (size_t i = 0; i < count; i++) {
        if (build_mention(run->input->document->arena, &found[i], &cuda))
            judge_pair(run, &found[i], &cuda);
        size_t seen = 0;
        for (size_t k = i + 1; k < count && seen < 8; k++, seen++) {
            if (found[k].start - found[i].end > PAIR_WINDOW)
                break;
            judge_pair(run, &found[i], &found[k]);
            judge_pair(run, &found[k], &found[i]);
        }
    }
}

static bool said_before(const struct software_mention *found, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (strcmp(found[k].product, found[i].product) == 0 &&
            span_equal(found[k].version, found[i].version))
            return true;
    return false;
}

static bool is_environment(const struct claim *claim) {
    return claim->kind == CLAIM_ENVIRONMENT;
}

static void run(const struct check_input *input, struct findings *findings) {
    struct arena *arena = input->document->arena;
    struct software_run r = {.input = input,
                             .findings = findings,
                             .view = input->document->chapter->view,
                             .today = clock_rfc3339(arena, clock_now())};
    size_t count;
    r.hardware = hardware_facts();
    struct software_mention *found = hardware_find_software(arena, r.hardware, r.view, &count);
    count = count < MOST_VERSIONS ? count : MOST_VERSIONS;
    for (size_t i = 0; i < count; i++) {
        if (said_before(found, i))
            continue;
        if (found[i].row != SIZE_MAX)
            say_age(&r, &found[i]);
        else
            say_unknown(&r, &found[i]);
    }
    judge_pairs(&r, found, count);
    coverage_claims(input, findings, "software", is_environment, "states no environment");
}

const struct check check_software = {"software",
                                     "Software versions: age, and pairs that belong together", run};
