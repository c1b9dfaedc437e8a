#include "audit/audit.h"

#include "audit/check.h"
#include "audit/document.h"
#include "audit/material.h"
#include "audit/priority.h"
#include "audit/reading.h"
#include "audit/source_claims.h"
#include "audit/suppress.h"
#include "core/clock.h"
#include "core/interrupt.h"

bool audit_text(struct arena *arena, struct chapter *structure, struct span file_name,
                const struct brief *brief, const struct audit_options *options,
                struct claims *claims, struct findings *findings, struct error *error) {
    struct document document;
    struct suppressions suppressions = {0};
    if (options->suppressions &&
        !suppressions_read(arena, options->suppressions, &suppressions, error))
        return false;
    *claims = (struct claims){.text_file = file_name, .text_sha256 = structure->sha256};
    *findings = (struct findings){0};
    document_build(arena, structure, claims, &document);
    if (!interrupt_check("audit", error))
        return false;
    struct check_input input = {.document = &document,
                                .brief = brief,
                                .sources = options->sources,
                                .materials = options->materials,
                                .progress = options->progress};
    if (options->sources)
        source_claims_tie(arena, structure, claims, options->sources);
    checks_run(&input, findings);
    reading_take(&input, findings);
    suppressions_apply(&input, &suppressions, clock_now(), findings);
    priority_settle(arena, claims, findings);
    return interrupt_check("audit", error);
}

enum { COUNTED_CLASSES = FINDING_NOTE + 1 };

static struct span summary_of(struct arena *arena, const struct claims *claims,
                              const struct findings *findings) {
    size_t counts[COUNTED_CLASSES] = {0}, open = 0;
    for (size_t i = 0; i < findings->count; i++)
        counts[findings->findings[i].class]++;
    for (size_t i = 0; i < COUNTED_CLASSES; i++)
        open += i == FINDING_CONFIRMED || i == FINDING_NOTE ? 0 : counts[i];
    return arena_printf(
        arena,
        "%zu claims, %zu quantities; %zu findings, %zu confirmed; %zu of %zu checks completed",
        claims->count, claims->quantity_count, open, counts[FINDING_CONFIRMED],
        findings->checks_completed, findings->checks_total);
}

static bool load(struct arena *arena, const struct pass *pass, struct chapter *chapter,
                 struct brief *brief, struct error *error) {
    struct span json, text;
    if (!pass_read(arena, pass, "brief.json", &json, error) ||
        !brief_read(arena, json, "brief.json", brief, error) ||
        !pass_read(arena, pass, "structure.json", &json, error) ||
        !chapter_read(arena, json, "structure.json", chapter, error) ||
        !pass_read(arena, pass, "snapshot.txt", &text, error))
        return false;
    for (size_t i = 0; i < chapter->block_count; i++)
        if (chapter->blocks[i].end > text.len)
            return error_set(error, ERROR_INPUT, "structure.json", "Run the fetch stage again.",
                             "expected ranges inside snapshot.txt (%zu bytes), found one that ends "
                             "at %zu",
                             text.len, chapter->blocks[i].end);
    chapter->text = text;
    chapter_restore_view(arena, chapter);
    return true;
}

/* A pass made before sources were looked up may have none. */
static bool load_sources(struct arena *arena, const struct pass *pass, struct sources *sources,
                         struct error *error) {
    struct span json;
    return !pass_has(pass, "sources.json") ||
           (pass_read(arena, pass, "sources.json", &json, error) &&
            sources_read(arena, json, "sources.json", sources, error));
}

static bool write_sources(const struct pass *pass, const struct sources *sources,
                          struct error *error) {
    struct buffer out = {0};
    sources_write(&out, sources);
    bool ok = pass_write(pass, "sources.json", buffer_span(&out), error);
    buffer_free(&out);
    return ok;
}

static bool write_artifacts(const struct pass *pass, const struct chapter *chapter,
                            const struct claims *claims, const struct findings *findings,
                            struct error *error) {
    struct buffer out = {0};
    chapter_write(&out, chapter);
    bool ok = pass_write(pass, "chapter.json", buffer_span(&out), error);
    buffer_clear(&out);
    claims_write(&out, claims);
    ok = ok && pass_write(pass, "claims.json", buffer_span(&out), error);
    buffer_clear(&out);
    findings_write(&out, findings);
    ok = ok && pass_write(pass, "findings.json", buffer_span(&out), error);
    buffer_free(&out);
    return ok;
}

/* Complete means that everything there was to read was read and every check ended. */
static const char *shortcoming(const struct pass *pass, const struct findings *findings) {
    if (span_equal(pass->scope, SPAN("none")))
        return "no chapter text was read";
    if (!span_equal(pass->scope, SPAN("full")))
        return "only the excerpt was read";
    return findings->checks_completed < findings->checks_total ? "not every check completed" : NULL;
}

bool audit_pass(struct arena *arena, struct pass *pass, const struct audit_options *options,
                struct error *error) {
    struct chapter chapter = {0};
    struct brief brief = {0};
    struct claims claims;
    struct findings findings;
    struct sources sources = {0};
    struct materials materials;
    struct audit_options own = *options;
    own.sources = &sources;
    own.materials = &materials;
    if (!pass_stage_begin(arena, pass, STAGE_AUDIT, error) ||
        !load(arena, pass, &chapter, &brief, error) ||
        !load_sources(arena, pass, &sources, error) ||
        !materials_read(arena, pass, &materials, error) ||
        !audit_text(arena, &chapter, SPAN("snapshot.txt"), &brief, &own, &claims, &findings,
                    error) ||
        (pass_has(pass, "sources.json") && !write_sources(pass, &sources, error)) ||
        !write_artifacts(pass, &chapter, &claims, &findings, error))
        return false;
    progress_note(options->progress, "audit", summary_of(arena, &claims, &findings).at);
    const char *why = shortcoming(pass, &findings);
    return pass_stage_end(arena, pass, STAGE_AUDIT, why ? STAGE_PARTIAL : STAGE_COMPLETE, why,
                          error);
}
