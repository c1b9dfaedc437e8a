/* The parts of dossier.yaml: what its writer shares with the writer of its sections. */
#ifndef REPORT_DOSSIER_H
#define REPORT_DOSSIER_H

#include "report/evidence.h"
#include "report/sections.h"
#include "report/yaml.h"

/* The record's groups of relations, in its order. */
enum group {
    SUPPORTING,
    QUALIFYING,
    COMPETING,
    CONTRADICTORY,
    BACKGROUND,
    UNRESOLVED,
    GROUP_COUNT
};
struct dossier {
    struct yaml_writer *w;
    const struct view *view;
    const struct proposals *proposals;
    const struct view *previous; /* or NULL */
    struct evidence_items evidence;
    size_t in_group[GROUP_COUNT];
    size_t relations, gaps, limitations, sources;
};

/* Counts relations, gaps, limitations and sources, which the summary and the card repeat. */
void dossier_count(struct dossier *d);
/* The members "sections" and "missing_evidence" (which the record has twice). */
void dossier_sections(const struct dossier *d);
void dossier_gaps(const struct dossier *d);
/* A recorded item: its group, and its member of the list. */
enum group dossier_group_of_quoted(const struct evidence_item *item);
void dossier_quoted_relation(const struct dossier *d, const struct evidence_item *item);
struct span dossier_chapter_title(const struct dossier *d);
/* The first of several sources with one canonical id. */
bool dossier_is_first(const struct view *view, const struct source *source);

#endif
