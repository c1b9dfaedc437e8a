#include "report/view.h"

#include "report/view_index.h"

const struct word_list claim_state_words = {
    (const char *const[]){"contradicted", "concern", "UNVERIFIED", "holds"}, CLAIM_STATE_COUNT};

static const char *const artifact_names[VIEW_ARTIFACT_COUNT] = {
    "brief.json",    "snapshot.json", "chapter.json", "sources.json",       "claims.json",
    "findings.json", "plan.json",     "results.json", "measurements.jsonl",
};

const char *view_artifact_name(enum view_artifact artifact) {
    return artifact_names[artifact];
}

/* A measurement line cut short by a crash is the last one; it is left out, the rest counts. */
static void read_samples(struct view *view, struct span json) {
    struct span line;
    while (span_next_line(&json, &line)) {
        struct sample sample;
        if (span_trim(line).len &&
            sample_read(view->arena, line, "measurements.jsonl", &sample, NULL))
            LIST_PUSH(view->arena, view->samples, view->sample_count, view->sample_capacity,
                      sample);
    }
}

static bool parse(struct view *view, enum view_artifact artifact, struct span json,
                  struct error *error) {
    struct arena *arena = view->arena;
    const char *name = artifact_names[artifact];
    struct plan plan = {0};
    switch (artifact) {
    case VIEW_BRIEF:
        return brief_read(arena, json, name, &view->brief, error);
    case VIEW_SNAPSHOT:
        return snapshot_read(arena, json, name, &view->snapshot, error);
    case VIEW_CHAPTER:
        return chapter_read(arena, json, name, &view->chapter, error);
    case VIEW_SOURCES:
        return sources_read(arena, json, name, &view->sources, error);
    case VIEW_CLAIMS:
        return claims_read(arena, json, name, &view->claims, error);
    case VIEW_FINDINGS:
        return findings_read(arena, json, name, &view->findings, error);
    case VIEW_PLAN:
        if (!plan_read(arena, json, name, &plan, error))
            return false;
        view_results_of_plan(arena, &plan, &view->results);
        return true;
    case VIEW_RESULTS:
        return results_read(arena, json, name, &view->results, error);
    default:
        read_samples(view, json);
        return true;
    }
}

/* A pass that stopped before segmentation has the structure that markup gave. */
static const char *stored_name(const struct pass *pass, enum view_artifact artifact) {
    if (artifact == VIEW_CHAPTER && !pass_has(pass, "chapter.json"))
        return "structure.json";
    return artifact_names[artifact];
}

static bool load(struct view *view, enum view_artifact artifact, struct error *error) {
    const char *name = stored_name(view->pass, artifact);
    struct span json;
    if (!pass_has(view->pass, name))
        return true;
    if (!pass_read(view->arena, view->pass, name, &json, error) ||
        !parse(view, artifact, json, error))
        return false;
    view->has[artifact] = strcmp(name, artifact_names[artifact]) == 0;
    return true;
}

bool view_load(struct arena *arena, const struct pass *pass, struct view *view,
               struct error *error) {
    *view = (struct view){.arena = arena, .pass = pass};
    for (int i = 0; i < VIEW_ARTIFACT_COUNT; i++)
        if (!load(view, (enum view_artifact)i, error))
            return false;
    if (pass_has(pass, "snapshot.txt") &&
        !pass_read(arena, pass, "snapshot.txt", &view->text, error))
        return false;
    view->chapter.text = view->text;
    chapter_restore_view(arena, &view->chapter);
    view_index(view);
    return true;
}

struct text_position view_position(struct span text, size_t offset) {
    struct text_position at = {1, 1};
    for (size_t i = 0; i < offset && i < text.len; i++) {
        at.column++;
        if (text.at[i] == '\n')
            at = (struct text_position){at.line + 1, 1};
    }
    return at;
}
