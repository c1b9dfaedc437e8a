#include "ledger/rules.h"

#include <stdio.h>

/* One row a relation, in the order of relation_words. `abstract`: an abstract is enough for it.
 * The letters name the classes it may have: b background, s source-reported, h hypothesis,
 * p proposed-experiment. A passage of a source reproduces nothing, so r is in no row. */
static const struct relation_rule {
    const char *relation;
    bool abstract;
    const char *classes; /* the first is the default */
} relation_rules[] = {
    {"SUPPORTS", false, "s"},     {"EXTENDS", false, "s"},
    {"QUALIFIES", false, "sb"},   {"CONTRADICTS", false, "s"},
    {"ALTERNATIVE", true, "sbh"}, {"BACKGROUND", true, "b"},
    {"METHOD", true, "bsp"},      {"EMPIRICAL_EVIDENCE", false, "s"},
    {"LIMITATION", false, "sb"},  {"SUPERSEDES", false, "s"},
    {"UNCERTAIN", true, "hsbp"},
};
enum { RULES = sizeof relation_rules / sizeof *relation_rules };

static const struct class_letter {
    char letter;
    const char *name;
} class_letters[] = {
    {'b', "background"},
    {'s', "source-reported"},
    {'h', "hypothesis"},
    {'p', "proposed-experiment"},
};

static const char *class_name(char letter) {
    for (size_t i = 0; i < sizeof class_letters / sizeof *class_letters; i++)
        if (class_letters[i].letter == letter)
            return class_letters[i].name;
    return "";
}

static const struct relation_rule *rule_of(struct span relation) {
    for (size_t i = 0; i < RULES; i++)
        if (span_equal(relation, span_of(relation_rules[i].relation)))
            return &relation_rules[i];
    return NULL;
}

struct span rule_class_of(struct span relation) {
    const struct relation_rule *rule = rule_of(relation);
    return span_of(rule ? class_name(rule->classes[0]) : "");
}

struct span rule_words(struct arena *arena, const struct word_list *list) {
    struct buffer words = {0};
    for (int i = 0; i < list->count; i++)
        buffer_printf(&words, "%s%s", i ? ", " : "", list->words[i]);
    struct span copy = arena_copy(arena, buffer_span(&words));
    buffer_free(&words);
    return copy;
}

static bool refuse_word(const char *where, const char *noun, struct span word,
                        const struct word_list *list, struct error *error) {
    struct arena arena;
    arena_init(&arena);
    struct span words = rule_words(&arena, list);
    error_set(error, ERROR_USAGE, where, "Use one of the words as they are spelled.",
              "expected a %s (%.*s), got \"%.*s\"", noun, SPAN_ARG(words), SPAN_ARG(word));
    arena_free(&arena);
    return false;
}

static bool class_permitted(const struct relation_rule *rule, struct span class,
                            struct error *error) {
    char expected[96] = "";
    for (const char *letter = rule->classes; *letter; letter++) {
        if (span_equal(class, span_of(class_name(*letter))))
            return true;
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s%s", used ? " or " : "",
                 class_name(*letter));
    }
    if (span_equal(class, SPAN("reproduced-locally")))
        return error_set(error, ERROR_INPUT, "--class",
                         "Results of experiments come into the report from `assay bench`.",
                         "a passage of a source reproduces nothing on this machine: expected %s",
                         expected);
    return error_set(error, ERROR_INPUT, "--class",
                     "Name that class, or leave --class out. Record two items for two classes.",
                     "expected %s for %s, got \"%.*s\"", expected, rule->relation, SPAN_ARG(class));
}

static bool reading_permitted(const struct relation_rule *rule, enum reading_status reading,
                              const char *where, struct error *error) {
    if (reading == READING_FULL_TEXT || (reading == READING_ABSTRACT_ONLY && rule->abstract))
        return true;
    if (reading == READING_ABSTRACT_ONLY)
        return error_set(error, ERROR_INPUT, where,
                         "Read the full text (`assay source read ID --file FILE`), or use "
                         "BACKGROUND, METHOD, ALTERNATIVE or UNCERTAIN.",
                         "only the abstract was read: it permits no %s", rule->relation);
    return error_set(
        error, ERROR_INPUT, where,
        "Read it first: `assay source read ID`, or `assay source read ID --file FILE`.",
        "reading status \"%s\": a source that was not read supports nothing",
        word_of(&reading_words, (int)reading));
}

bool rule_permits(struct span relation, struct span class, enum reading_status reading,
                  const char *where, struct error *error) {
    const struct relation_rule *rule = rule_of(relation);
    if (!rule)
        return refuse_word("--relation", "relation", relation, &relation_words, error);
    if (word_value(&evidence_class_words, class) < 0)
        return refuse_word("--class", "class", class, &evidence_class_words, error);
    return reading_permitted(rule, reading, where, error) && class_permitted(rule, class, error);
}
