#include "report/view.h"

#include "report/view_index.h"
#include "report/view_ledger.h"

#include <stdint.h>

const struct word_list claim_state_words = {
    (const char *const[]){"contradicted", "concern", "UNVERIFIED", "holds"}, CLAIM_STATE_COUNT};

static const char *const artifact_names[VIEW_ARTIFACT_COUNT] = {
    "brief.json",    "snapshot.json", "chapter.json", "sources.json",       "claims.json",
    "findings.json", "plan.json",     "results.json", "measurements.jsonl",
};

const char *view_artifact_name(enum view_artifact artifact) {
    return artifact_names[artifact];
}

struct sample_list {
    struct sample *items;
    size_t count, capacity;
};

/* Moves the waiting samples of a process that ended: kept when it finished, dropped when it failed.
 */
static void settle(struct view *view, struct sample_list *waiting,
                   const struct process_record *record) {
    size_t left = 0;
    bool finished = span_equal(record->end, SPAN("finished"));
    for (size_t i = 0; i < waiting->count; i++) {
        struct sample *sample = &waiting->items[i];
        if (sample->process != record->process ||
            !span_equal(sample->experiment, record->experiment))
            waiting->items[left++] = *sample;
        else if (finished)
            LIST_PUSH(view->arena, view->samples, view->sample_count, view->sample_capacity,
                      *sample);
    }
    waiting->count = left;
}

/* Samples count only with the record of their finished process behind them; a line cut short by a
 * crash is no JSON and belongs to a process without one. */
static void read_samples(struct view *view, struct span json) {
    struct sample_list waiting = {0};
    struct span line;
    while (span_next_line(&json, &line)) {
        struct sample sample;
        struct process_record record;
        if (span_find(line, SPAN(PROCESS_SCHEMA), 0) != SIZE_MAX) {
            if (process_record_read(view->arena, line, "measurements.jsonl", &record, NULL))
                settle(view, &waiting, &record);
        } else if (span_find(line, SPAN(MEASUREMENT_SCHEMA), 0) != SIZE_MAX &&
                   sample_read(view->arena, line, "measurements.jsonl", &sample, NULL))
            LIST_PUSH(view->arena, waiting.items, waiting.count, waiting.capacity, sample);
    }
}

static bool parse(struct view *view, enum view_artifact artifact, struct span json,
                  struct error *error) {
    struct arena *arena = view->arena;
    const char *name = artifact_names[artifact];
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
        if (!plan_read(arena, json, name, &view->plan, error))
            return false;
        view_results_of_plan(arena, &view->plan, &view->results);
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

static void index_lines(struct view *view) {
    size_t capacity = 0;
    LIST_PUSH(view->arena, view->line_starts, view->line_count, capacity, 0);
    for (size_t i = 0; i < view->text.len; i++)
        if (view->text.at[i] == '\n')
            LIST_PUSH(view->arena, view->line_starts, view->line_count, capacity, i + 1);
}

bool view_load(struct arena *arena, const struct pass *pass, struct view *view,
               struct error *error) {
    *view = (struct view){.arena = arena, .pass = pass};
    for (int i = 0; i < VIEW_ARTIFACT_COUNT; i++)
        if (!load(view, (enum view_artifact)i, error))
            return false;
    if (!view_ledger_load(view, error))
        return false;
    if (pass_has(pass, "snapshot.txt") &&
        !pass_read(arena, pass, "snapshot.txt", &view->text, error))
        return false;
    view->chapter.text = view->text;
    chapter_restore_view(arena, &view->chapter);
    index_lines(view);
    view_index(view);
    return true;
}

struct text_position view_position(const struct view *view, size_t offset) {
    size_t low = 0, high = view->line_count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (view->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    struct text_position at = {low + 1, 1};
    for (size_t i = view->line_starts[low]; i < offset && i < view->text.len; i++)
        at.column += ((unsigned char)view->text.at[i] & 0xC0) != 0x80;
    return at;
}

struct span view_text_file(const struct view *view) {
    struct span name = view->snapshot.file_name;
    bool plain = name.len > 0 && name.at[0] != '/' && name.at[0] != '-' &&
                 span_find(name, SPAN(".."), 0) == SIZE_MAX;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        plain = plain && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || strchr("._-/", c));
    }
    return plain ? name : SPAN("snapshot.txt");
}
