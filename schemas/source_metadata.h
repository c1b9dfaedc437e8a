/* What registries say of a source, beside what the chapter, brief or bibliography says of it
 * (members of a source in sources.json). A registry that did not answer says nothing: only an
 * answer can make a finding. */
#ifndef SCHEMAS_SOURCE_METADATA_H
#define SCHEMAS_SOURCE_METADATA_H

#include "core/json.h"
#include "schemas/status.h"

/* What a bibliography entry or a line of a reference section says. "" = says nothing. */
struct source_claimed {
    struct span origin; /* "bibtex" or "reference section" */
    struct span key;    /* of the BibTeX entry */
    struct span text;   /* the whole line; title, authors and venue are then not cut out of it */
    struct span title, authors, venue, year, version, identifier;
};

enum registry_state {
    REGISTRY_NOT_ASKED,   /* why says why not */
    REGISTRY_UNREACHABLE, /* asked, and nothing that could be read came back; why says what did */
    REGISTRY_ANSWERED
};
extern const struct word_list registry_state_words;

/* Work as one registry has it. Dates as written there ("2022", "2022-05-27"). */
struct source_record {
    struct span identifier, kind, title, authors; /* authors: "Family, Given; Family, Given" */
    struct span venue, year, date, version, url;
};

struct source_registry {
    struct span service; /* "crossref" */
    enum registry_state state;
    bool found;      /* answered with a record; else, when answered, it has none */
    struct span why; /* for not asked and unreachable; for answered what its "no" means */
    struct span url; /* what was asked */
    struct span at;  /* RFC 3339: when the answer was received */
    struct source_record record;
};

/* One field of claimed against one registry's record. */
struct source_comparison {
    struct span field, service, claimed, registered;
    struct span result; /* match | close | differs | not comparable */
    struct span rule;   /* the rule that decided */
    double similarity;  /* 0 to 1; NAN where none is computed */
};

struct source_finding {
    struct span kind; /* phantom identifier | other work | title differs | authors differ |
                         wrong year | retracted | withdrawn | concern | corrected | superseded |
                         later version | published | moved | archived | yanked | dead link | notice
                         | identified */
    enum severity severity;
    struct span message, service, url; /* url: the answer it rests on */
};

struct source_metadata {
    struct source_claimed *claimed; /* NULL = nothing is said of it */
    struct source_registry *registries;
    size_t registry_count, registry_capacity;
    struct source_comparison *comparisons;
    size_t comparison_count, comparison_capacity;
    struct source_finding *findings;
    size_t finding_count, finding_capacity;
};

/* Members of an open object; nothing is written for empty lists. */
void source_metadata_write(struct json_writer *w, const struct source_metadata *metadata);
/* NULL, or what is wrong with the members. */
const char *source_metadata_read(struct arena *arena, const cJSON *source,
                                 struct source_metadata *metadata);

#endif
