/* ro-crate-metadata.json: the pass as a research object (RO-Crate 1.1,
 * https://www.researchobject.org/ro-crate/1.1/), so that archives know what its files are. */
#include "report/writers.h"

static const struct file {
    const char *name, *format, *says;
    bool written; /* by this stage: there when this is */
} files[] = {
    {"brief.txt", "text/plain", "The research brief as received", false},
    {"brief.json", "application/json", "The research brief as parsed", false},
    {"snapshot.txt", "text/plain", "The text of the chapter that was audited, byte for byte",
     false},
    {"snapshot.json", "application/json", "Where and when it was received, and its fingerprint",
     false},
    {"structure.json", "application/json", "Blocks that the chapter's markup gives", false},
    {"chapter.json", "application/json", "Blocks of the chapter with byte ranges", false},
    {"archive.warc.gz", "application/warc", "Every exchange with a server (WARC 1.1)", false},
    {"sources.json", "application/json", "Documents the brief and the chapter name", false},
    {"claims.json", "application/json", "The checkable claims and their numbers", false},
    {"findings.json", "application/json", "What the checks found and confirmed", false},
    {"plan.json", "application/json", "The planned experiments", false},
    {"measurements.jsonl", "application/jsonl", "Raw samples of the experiments", false},
    {"results.json", "application/json", "Verdicts of the experiments", false},
    {"evidence.json", "application/json", "Quoted passages tied to claims", false},
    {"decisions.json", "application/json", "Decisions of the author", false},
    {"carry_over.json", "application/json", "What became of the pass before", false},
    {"report.md", "text/markdown", "The report", true},
    {"report.html", "text/html", "The report as one page", true},
    {"report.sarif", "application/sarif+json", "The findings for code scanning (SARIF 2.1.0)",
     true},
    {"report.junit.xml", "application/xml", "The findings for continuous integration", true},
    {"summary.json", "application/json", "Counts", true},
    {"dossier.yaml", "application/yaml", "The dossier of the chapter", true},
    {"references.bib", "application/x-bibtex", "The sources as BibTeX", true},
    {"references.json", "application/vnd.citationstyles.csl+json", "The sources as CSL-JSON", true},
    {"annotations.jsonld", "application/ld+json", "The claims as Web Annotations", true},
};

static void put_reference(struct json_writer *w, const char *key, const char *id) {
    json_begin_object(w, key);
    json_put_string(w, "@id", id);
    json_end_object(w);
}

static void begin_entity(struct json_writer *w, const char *id, const char *type) {
    json_begin_object(w, NULL);
    json_put_string(w, "@id", id);
    json_put_string(w, "@type", type);
}

static bool is_there(const struct view *view, const struct file *file) {
    return file->written || pass_has(view->pass, file->name);
}

static void put_root(struct json_writer *w, const struct view *view) {
    const struct pass *pass = view->pass;
    begin_entity(w, "./", "Dataset");
    json_put_text(w, "identifier", pass->id);
    json_put_text(w, "name",
                  arena_printf(view->arena, "Audit of %.*s: %.*s", SPAN_ARG(view->brief.book),
                               SPAN_ARG(view->brief.chapter)));
    json_put_text(
        w, "description",
        arena_printf(view->arena,
                     "One pass of Assay over a chapter (scope %.*s): its claims, what was "
                     "checked and measured, and the report.",
                     SPAN_ARG(pass->scope)));
    json_put_text(w, "datePublished", pass->created_at);
    put_reference(w, "license", "#license");
    put_reference(w, "about", "#chapter");
    json_begin_array(w, "hasPart");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (is_there(view, &files[i]))
            put_reference(w, NULL, files[i].name);
    json_end_array(w);
    json_begin_array(w, "mentions");
    put_reference(w, NULL, "#pass");
    json_end_array(w);
    json_end_object(w);
}

static void put_chapter(struct json_writer *w, const struct view *view) {
    begin_entity(w, "#chapter", "CreativeWork");
    json_put_text(w, "name", view->brief.chapter.len ? view->brief.chapter : SPAN("UNVERIFIED"));
    json_put_optional(w, "url", view->brief.chapter_url);
    json_put_optional(w, "sha256", view->snapshot.sha256);
    json_end_object(w);
}

static void put_tool(struct json_writer *w, const struct view *view) {
    begin_entity(w, "#assay", "SoftwareApplication");
    json_put_string(w, "name", "Assay");
    json_put_text(w, "softwareVersion", view->pass->tool_version);
    json_end_object(w);
    begin_entity(w, "#pass", "CreateAction");
    json_put_text(w, "name", view->pass->command);
    json_put_text(w, "startTime", view->pass->created_at);
    put_reference(w, "instrument", "#assay");
    put_reference(w, "object", "#chapter");
    put_reference(w, "result", "./");
    json_end_object(w);
}

void write_crate(struct buffer *out, const struct report_content *content) {
    const struct view *view = content->view;
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "@context", "https://w3id.org/ro/crate/1.1/context");
    json_begin_array(&w, "@graph");
    begin_entity(&w, "ro-crate-metadata.json", "CreativeWork");
    put_reference(&w, "conformsTo", "https://w3id.org/ro/crate/1.1");
    put_reference(&w, "about", "./");
    json_end_object(&w);
    put_root(&w, view);
    begin_entity(&w, "#license", "CreativeWork");
    json_put_string(&w, "name", "No license stated");
    json_put_string(&w, "description",
                    "The chapter and quoted passages are their authors'; nothing here states "
                    "under which license they may be used.");
    json_end_object(&w);
    put_chapter(&w, view);
    put_tool(&w, view);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!is_there(view, &files[i]))
            continue;
        begin_entity(&w, files[i].name, "File");
        json_put_string(&w, "name", files[i].name);
        json_put_string(&w, "description", files[i].says);
        json_put_string(&w, "encodingFormat", files[i].format);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
