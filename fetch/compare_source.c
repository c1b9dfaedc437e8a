/* A source's claimed fields against the records of all registries that have one. */
#include "fetch/compare.h"

#include "fetch/service.h"
#include "fetch/source_finding.h"

#include <math.h>

static const char *const results[] = {"not comparable", "differs", "close", "match"};

struct comparing {
    struct arena *arena;
    struct source *source;
    const struct source_claimed *claimed;
    const struct source_registry *registry;
};

static void add(struct comparing *c, const char *field, struct span claimed, struct span registered,
                enum compare_result result, double similarity, const char *rule) {
    struct source_metadata *metadata = &c->source->metadata;
    if (claimed.len == 0 || registered.len == 0)
        return;
    struct source_comparison comparison = {
        .field = span_of(field),
        .service = c->registry->service,
        .claimed = claimed,
        .registered = registered,
        .result = span_of(results[result]),
        .rule = span_of(rule),
        .similarity = similarity,
    };
    LIST_PUSH(c->arena, metadata->comparisons, metadata->comparison_count,
              metadata->comparison_capacity, comparison);
}

static enum compare_result title(struct comparing *c) {
    const struct source_claimed *claimed = c->claimed;
    struct span registered = c->registry->record.title;
    double similarity;
    enum compare_result result;
    if (claimed->title.len > 0) {
        result = compare_titles(c->arena, claimed->title, registered, &similarity);
        add(c, "title", claimed->title, registered, result, similarity,
            "similarity of folded titles, with and without subtitle: match from 0.90, close from "
            "0.70");
    } else {
        result = compare_title_in(c->arena, claimed->text, registered, &similarity);
        add(c, "title", claimed->text, registered, result, similarity,
            "part of the title's words that the line holds in order: match from 0.85, close from "
            "0.60");
    }
    return result;
}

static enum compare_result authors(struct comparing *c) {
    const struct source_claimed *claimed = c->claimed;
    struct span registered = c->registry->record.authors;
    bool listed = claimed->authors.len > 0;
    enum compare_result result = listed ? compare_authors(c->arena, claimed->authors, registered)
                                        : compare_authors_in(c->arena, claimed->text, registered);
    add(c, "authors", listed ? claimed->authors : claimed->text, registered, result, NAN,
        listed ? "every claimed family name with its initial, the first author among them"
               : "family names of the registered authors in the line, the first one's for a match");
    return result;
}

/* Not a part of an identifier or a number: "2007" of "arXiv:2007.14062" is none. */
static bool stands_free(struct span text, struct span year) {
    size_t at = (size_t)(year.at - text.at), end = at + year.len;
    char before = at > 0 ? text.at[at - 1] : ' ', after = end < text.len ? text.at[end] : ' ';
    char next = end + 1 < text.len ? text.at[end + 1] : ' ';
    bool dotted = after == '.' && next >= '0' && next <= '9';
    return strchr(" (,[;:\t\"'", before) && strchr(" ),].;:\t\"'-", after) && !dotted;
}

/* The claimed year that is nearest to the registered one: a line may hold several numbers. */
static struct span nearest_year(struct span text, struct span registered) {
    struct span best = SPAN(""), rest = text;
    size_t wanted = 0, nearest = SIZE_MAX;
    span_to_size(registered, 9999, &wanted);
    for (struct span year; (year = service_year(rest)).len > 0;) {
        size_t value = 0;
        span_to_size(year, 9999, &value);
        size_t distance = value > wanted ? value - wanted : wanted - value;
        bool plausible = value >= 1800 && value <= 2100 && stands_free(text, year);
        if (plausible && distance < nearest) {
            nearest = distance;
            best = year;
        }
        rest = span_slice(rest, (size_t)(year.at - rest.at) + 4, rest.len);
    }
    return best;
}

static enum compare_result year(struct comparing *c) {
    struct span registered = c->registry->record.year;
    struct span claimed =
        c->claimed->year.len > 0 ? c->claimed->year : nearest_year(c->claimed->text, registered);
    enum compare_result result = compare_years(claimed, registered);
    add(c, "year", claimed, registered, result, NAN,
        "equal; one apart is close: preprint and publication");
    return result;
}

/* An arXiv id and a DOI of one work are not comparable. */
static bool same_scheme(struct span a, struct span b) {
    return (span_starts(a, SPAN("10.")) && span_starts(b, SPAN("10."))) ||
           (span_starts_nocase(a, SPAN("arxiv:")) && span_starts_nocase(b, SPAN("arxiv:")));
}

static void other_fields(struct comparing *c) {
    const struct source_record *record = &c->registry->record;
    add(c, "venue", c->claimed->venue, record->venue,
        compare_venues(c->arena, c->claimed->venue, record->venue), NAN,
        "the words of one start words of the other, in order");
    if (same_scheme(c->claimed->identifier, record->identifier)) {
        bool same = span_equal_nocase(c->claimed->identifier, record->identifier);
        add(c, "identifier", c->claimed->identifier, record->identifier,
            same ? COMPARE_MATCH : COMPARE_DIFFERS, NAN, "equal without case");
    }
    bool same = span_equal_nocase(c->claimed->version, record->version);
    add(c, "version", c->claimed->version, record->version, same ? COMPARE_MATCH : COMPARE_NONE,
        NAN, "equal without case; versions are written in many ways");
}

static void find(struct comparing *c, const char *kind, enum severity severity,
                 struct span message) {
    source_finding_add(c->arena, &c->source->metadata,
                       (struct source_finding){span_of(kind), severity, message,
                                               c->registry->service, c->registry->url});
}

static void judge(struct comparing *c, enum compare_result title_result,
                  enum compare_result author_result, enum compare_result year_result) {
    const struct source_record *record = &c->registry->record;
    const char *service = arena_string(c->arena, c->registry->service);
    if (title_result == COMPARE_DIFFERS && author_result <= COMPARE_DIFFERS) {
        find(c, "other work", SEVERITY_HIGH,
             arena_printf(c->arena, "%.*s is \"%.*s\" by %.*s at %s, not the work described here",
                          SPAN_ARG(c->source->id), SPAN_ARG(record->title),
                          SPAN_ARG(record->authors.len ? record->authors : SPAN("UNVERIFIED")),
                          service));
        return;
    }
    if (title_result == COMPARE_DIFFERS && c->claimed->title.len > 0)
        find(c, "title differs", SEVERITY_LOW,
             arena_printf(c->arena, "%s has the title \"%.*s\"", service, SPAN_ARG(record->title)));
    if (author_result == COMPARE_DIFFERS && c->claimed->authors.len > 0)
        find(c, "authors differ", SEVERITY_MEDIUM,
             arena_printf(c->arena, "%s has the authors %.*s", service, SPAN_ARG(record->authors)));
    if (year_result == COMPARE_DIFFERS)
        find(c, "wrong year", SEVERITY_MEDIUM,
             arena_printf(c->arena, "%s has the year %.*s", service, SPAN_ARG(record->year)));
}

static bool is_registry_of_works(const struct source_registry *registry) {
    static const char *const names[] = {"crossref",    "datacite", "arxiv",      "openalex",
                                        "openlibrary", "dblp",     "rfc-editor", "crossref-search"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (span_equal(registry->service, span_of(names[i])))
            return true;
    return span_equal(registry->service, SPAN("page")) &&
           span_equal(registry->record.kind, SPAN("citation"));
}

struct outcome {
    enum compare_result title, authors, year;
};

/* Whether some registry agrees with the field: then another's difference is the registry's. */
static void raise_to(enum compare_result *best, enum compare_result result) {
    *best = result > *best ? result : *best;
}

void compare_source(struct arena *arena, struct source *source) {
    struct comparing c = {arena, source, source->metadata.claimed, NULL};
    struct outcome best = {COMPARE_NONE, COMPARE_NONE, COMPARE_NONE};
    const struct source_registry *authority = NULL;
    for (size_t i = 0; c.claimed && i < source->metadata.registry_count; i++) {
        c.registry = &source->metadata.registries[i];
        if (!c.registry->found || c.registry->record.title.len == 0)
            continue;
        struct outcome outcome = {title(&c), authors(&c), year(&c)};
        other_fields(&c);
        if (!is_registry_of_works(c.registry))
            continue;
        authority = authority ? authority : c.registry;
        raise_to(&best.title, outcome.title);
        raise_to(&best.authors, outcome.authors);
        raise_to(&best.year, outcome.year);
    }
    c.registry = authority;
    if (authority)
        judge(&c, best.title, best.authors, best.year);
}
