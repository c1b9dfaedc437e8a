/* assay leads: documents that may bear on a pass's claims, to be read by somebody. */
#include "cli/options.h"
#include "cli/stages.h"

#include "fetch/fetch.h"
#include "fetch/leads.h"

static bool load(struct arena *arena, const char *folder, struct leads_input *input,
                 struct error *error) {
    struct pass pass = {0};
    struct span json;
    if (!pass_open(arena, folder, &pass, error))
        return false;
    if (!pass_has(&pass, "claims.json"))
        return error_set(error, ERROR_INPUT, folder, "Run `assay audit` on the pass first.",
                         "expected claims.json: queries are formed from the claims");
    return pass_read(arena, &pass, "brief.json", &json, error) &&
           brief_read(arena, json, "brief.json", &input->brief, error) &&
           pass_read(arena, &pass, "claims.json", &json, error) &&
           claims_read(arena, json, "claims.json", &input->claims, error) &&
           pass_read(arena, &pass, "findings.json", &json, error) &&
           findings_read(arena, json, "findings.json", &input->findings, error) &&
           (!pass_has(&pass, "sources.json") ||
            (pass_read(arena, &pass, "sources.json", &json, error) &&
             sources_read(arena, json, "sources.json", &input->sources, error)));
}

static void print(const struct options *options, const struct leads *leads) {
    struct buffer out = {0};
    if (options->json)
        leads_write_json(&out, leads);
    else
        leads_write_text(&out, leads);
    output_write(buffer_span(&out));
    buffer_free(&out);
}

/* Partial when a service was asked and none of its answers could be read. */
static enum exit_status status_of(const struct leads *leads) {
    for (size_t i = 0; i < leads->service_count; i++)
        if (leads->services[i].asked > 0 && leads->services[i].answered == 0)
            return EXIT_PARTIAL;
    return EXIT_COMPLETE;
}

static enum exit_status leads(int argc, char **argv, struct error *error) {
    struct options options;
    uint64_t accepted = OPTS_COMMON | OPT(OFFLINE) | OPT(REFRESH) | OPT(REPLAY) | OPT(CACHE) |
                        OPT(JOBS) | OPT(CONTACT) | OPT(SERVICE) | OPT(ALLOW_PRIVATE) |
                        OPT(CONNECT_TO) | OPT(CACERT);
    if (!options_parse(argc, argv, accepted, 1, 1, &options, error))
        return EXIT_USAGE;
    struct arena arena;
    arena_init(&arena);
    struct fetch_options fetch;
    struct leads_input input = {0};
    struct leads found;
    stages_fetch_options(&options, NULL, NULL, &fetch);
    bool ok = load(&arena, options.arguments[0], &input, error) &&
              leads_find(&arena, &fetch, &input, &found, error);
    enum exit_status status = ok ? status_of(&found) : exit_status_of(error);
    if (ok)
        print(&options, &found);
    arena_free(&arena);
    return status;
}

const struct command command_leads = {
    .name = "leads",
    .summary = "search for documents that may bear on the claims",
    .usage = "leads [OPTION]... PASS",
    .help =
        "Forms queries from the claims, terms and title of the pass by a method that is printed,\n"
        "puts them to arXiv, Crossref, OpenAlex (with ASSAY_OPENALEX_KEY), Hacker News, Hugging\n"
        "Face papers and GitHub, and prints what they name, best first, each document once. All\n"
        "are leads, never evidence: `assay source add` takes up those that somebody will read.\n"
        "Exit status 3 when a service that was asked gave no answer that could be read.\n\n"
        "  --service NAME=URL  another base URL: arxiv, crossref, openalex, hackernews,\n"
        "                      huggingface or github\n"
        "  --contact ADDRESS   sent to services that ask for one (or ASSAY_CONTACT)\n"
        "  --offline, --replay FILE, --refresh, --cache DIR, --jobs N, --cacert FILE,\n"
        "  --connect-to H:P:H2:P2, --allow-private\n"
        "  --json, -q, -v, --color WHEN\n"
        "\nExample:\n  assay leads passes/book/chapter/20261201T120000Z-add7ca9f --json\n",
    .run = leads,
};
