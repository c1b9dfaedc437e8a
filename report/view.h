/* One view of a pass for every writer: all artifacts read once, what is missing named, and the
 * facts that every format shows (the state of a claim, counts, proposals) derived once, so that two
 * formats can never disagree. Nothing here depends on the clock, the locale or the machine. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "schemas/brief.h"
#include "schemas/carry_over.h"
#include "schemas/chapter.h"
#include "schemas/claims.h"
#include "schemas/evidence.h"
#include "schemas/findings.h"
#include "schemas/pass.h"
#include "schemas/plan.h"
#include "schemas/results.h"
#include "schemas/snapshot.h"
#include "schemas/sources.h"

/* What the evidence of the pass says about a claim, the strongest first. */
enum claim_state {
    CLAIM_CONTRADICTED, /* a finding of class contradiction or inconsistency, or NOT REPRODUCED */
    CLAIM_CONCERN,      /* any other finding that asks for something */
    CLAIM_OPEN,         /* nothing confirmed or questioned it: UNVERIFIED */
    CLAIM_HOLDS,        /* a check confirmed it or an experiment reproduced it, nothing against */
    CLAIM_STATE_COUNT
};
extern const struct word_list claim_state_words;

struct view_claim {
    const struct claim *claim;
    enum claim_state state;
    enum severity priority; /* of the gravest finding that asks for action, else the claim's */
    enum response response; /* of that finding, else the claim's */
    const size_t *findings; /* indices into view.findings.findings, gravest first */
    size_t finding_count;   /* confirmations included */
    const size_t *results;  /* indices into view.results.results */
    size_t result_count;
    const size_t *sources; /* indices into view.sources.sources */
    size_t source_count;
    const size_t *evidence; /* indices into view.evidence.items, as recorded */
    size_t evidence_count;
    const struct ledger_decision *decision; /* the author's, or NULL */
    size_t checks_ran, checks_not_run;      /* from the coverage */
};

/* Ids and labels in byte order, for finding things by name among 10^4 of them. */
struct view_name {
    struct span name;
    size_t index;
};

enum view_artifact {
    VIEW_BRIEF,
    VIEW_SNAPSHOT,
    VIEW_CHAPTER,
    VIEW_SOURCES,
    VIEW_CLAIMS,
    VIEW_FINDINGS,
    VIEW_PLAN,
    VIEW_RESULTS,
    VIEW_MEASUREMENTS,
    VIEW_ARTIFACT_COUNT
};

struct view_counts {
    size_t claims_in_state[CLAIM_STATE_COUNT];
    size_t findings; /* that ask for something */
    size_t by_severity[SEVERITY_HIGH + 1];
    size_t confirmed, notes, suppressed;
    size_t experiments_in_status[EXPERIMENT_FAILED + 1];
    size_t sources_in_status[READING_FULL_TEXT + 1];
};

struct view {
    struct arena *arena;
    const struct pass *pass;
    struct brief brief;
    struct snapshot snapshot;
    struct chapter chapter;
    struct sources sources;
    struct claims claims;
    struct findings findings;
    struct evidence evidence; /* evidence.json: recorded by a person; its sources are in sources */
    struct decisions decisions; /* decisions.json */
    struct carry_over carry;    /* carry_over.json */
    struct plan plan;
    struct results results; /* from plan.json, all UNRUN, when bench left no results.json */
    struct sample *samples; /* measurements.jsonl in file order */
    size_t sample_count, sample_capacity;
    struct span text;    /* snapshot.txt */
    size_t *line_starts; /* offsets in text; at least one */
    size_t line_count;
    bool has[VIEW_ARTIFACT_COUNT]; /* read from the pass */
    struct view_claim *items;      /* (claims.count), in order of the text */
    size_t *by_priority;           /* (claims.count): indices into items, gravest first */
    size_t *whole; /* findings on the whole chapter: indices into findings.findings */
    size_t whole_count;
    struct view_name *claim_names, *source_names;
    size_t claim_name_count, source_name_count;
    struct view_counts counts;
};

/* Reads every artifact the pass has. A missing one leaves its part empty and has[] false; one that
 * cannot be parsed is an error, because a report over half of it would be wrong. */
bool view_load(struct arena *arena, const struct pass *pass, struct view *view,
               struct error *error);
/* File name of an artifact ("claims.json"). */
const char *view_artifact_name(enum view_artifact artifact);

/* True for findings that ask the author for something: not confirmed, not a note, not suppressed.
 */
bool finding_asks(const struct finding *finding);
/* True for one that asks because the text contradicts itself or what was computed. */
bool finding_refutes(const struct finding *finding);
/* Why a claim is contradicted or of concern, as one sentence: the refuting finding, else the
 * verdict, else the gravest finding. The empty span for any other claim. */
struct span view_why(const struct view *view, const struct view_claim *item);
/* The claim a finding or result names (id or label), or NULL. */
const struct view_claim *view_claim_of(const struct view *view, struct span id);
const struct source *view_source_of(const struct view *view, struct span id);

/* 1-based line and column (in code points) of an offset in the text. */
struct text_position {
    size_t line, column;
};
struct text_position view_position(const struct view *view, size_t offset);
/* The file the findings are about, relative to the author's repository: the name the snapshot was
 * given under when that is a plain relative path, else "snapshot.txt". */
struct span view_text_file(const struct view *view);

#endif
