#include "report/report.h"

#include "core/file.h"
#include "core/interrupt.h"
#include "report/summary.h"
#include "report/writers.h"

static const struct writer writers[] = {
    {"report.md", write_markdown},
    {"report.html", write_html},
    {"report.sarif", write_sarif},
    {"report.junit.xml", write_junit},
    {"summary.json", write_summary_json},
    {"summary.md", write_step_summary},
    {"badge.svg", write_badge},
    {"proposal.patch", write_patch},
    {"dossier.yaml", write_dossier},
    {"references.bib", write_bibtex},
    {"references.json", write_csl},
    {"annotations.jsonld", write_annotations},
    {"ro-crate-metadata.json", write_crate},
};

static bool write_files(const struct pass *pass, const struct report_content *content,
                        struct progress *progress, struct error *error) {
    size_t count = sizeof writers / sizeof *writers;
    struct buffer out = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        progress_step(progress, "report", i, count, 0, writers[i].file);
        buffer_clear(&out);
        writers[i].write(&out, content);
        ok = interrupt_check("report", error) &&
             pass_write(pass, writers[i].file, buffer_span(&out), error);
    }
    buffer_free(&out);
    return ok;
}

/* Old pictures go first: an experiment that was taken out of the plan must not leave one. */
static bool write_plots(struct arena *arena, const struct pass *pass, const struct plots *plots,
                        struct error *error) {
    const char *folder = pass_path(arena, pass, "plots");
    if (file_exists(folder) && !folder_remove(folder, error))
        return false;
    if (plots->count && !folder_make(folder, error))
        return false;
    for (size_t i = 0; i < plots->count; i++) {
        const struct plot *plot = &plots->items[i];
        if (!interrupt_check("report", error) || !pass_write(pass, plot->table, plot->csv, error))
            return false;
        if (plot->svg.len && !pass_write(pass, plot->file, plot->svg, error))
            return false;
    }
    return true;
}

static bool report_write(struct arena *arena, const struct pass *pass,
                         const struct report_options *options, struct buffer *out,
                         struct error *error) {
    struct view view;
    struct proposals proposals;
    if (!view_load(arena, pass, &view, error))
        return false;
    proposals_build(&view, &proposals);
    struct history history;
    struct plots plots;
    history_load(&view, &history);
    plots_draw(&view, &history, &plots);
    struct report_content content = {
        .view = &view, .proposals = &proposals, .plots = &plots, .previous = history.previous};
    if (!write_plots(arena, pass, &plots, error) ||
        !write_files(pass, &content, options->progress, error))
        return false;
    if (options->text && out)
        summary_write(out, &content, options->color, options->width);
    return true;
}

bool report_pass(struct arena *arena, struct pass *pass, const struct report_options *options,
                 struct buffer *out, struct error *error) {
    if (!pass_stage_begin(arena, pass, STAGE_REPORT, error))
        return false;
    if (!report_write(arena, pass, options, out, error)) {
        pass_stage_end(arena, pass, STAGE_REPORT, STAGE_FAILED, error ? error->message : "", NULL);
        return false;
    }
    return pass_stage_end(arena, pass, STAGE_REPORT, STAGE_COMPLETE, "", error);
}

bool report_summary(struct arena *arena, const struct pass *pass,
                    const struct report_options *options, struct buffer *out, struct error *error) {
    struct view view;
    struct proposals proposals;
    if (!view_load(arena, pass, &view, error))
        return false;
    proposals_build(&view, &proposals);
    struct report_content content = {.view = &view, .proposals = &proposals};
    summary_write(out, &content, options->color, options->width);
    return true;
}
