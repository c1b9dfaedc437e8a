#include "cli/research.h"

#include "fetch/source_read.h"
#include "fetch/url.h"
#include "schemas/sources.h"
#include "schemas/workspace.h"

/* Options whose value is a path: the history keeps its last part, no machine path. */
static bool takes_path(const char *option) {
    static const char *const options[] = {"--out",   "-o",       "--pass",   "--file",
                                          "--cache", "--replay", "--cacert", "--connect-to"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i], option) == 0)
            return true;
    return false;
}

/* One word of the command line as a shell takes it; a long one is cut. */
static void add_word(struct buffer *line, struct span word) {
    enum { MOST = 120 };
    size_t end = word.len <= MOST ? word.len : MOST;
    while (end < word.len && end > 0 && ((unsigned char)word.at[end] & 0xC0) == 0x80)
        end--;
    bool plain = word.len > 0;
    for (size_t i = 0; i < end; i++)
        plain &= word.at[i] > ' ' && !strchr("'\"\\$`*?#&;|<>()[]{}~!", word.at[i]);
    buffer_printf(line, plain ? " %.*s%s" : " '%.*s%s'", SPAN_ARG(span_slice(word, 0, end)),
                  end < word.len ? "..." : "");
}

/* The history's command line: unlike that of a pass it holds quotes and reasons, which may have
 * slashes, so only the values of path options are cut. */
static const char *command_line(struct arena *arena, int argc, char **argv) {
    struct buffer line = {0};
    buffer_add_string(&line, "assay");
    for (int i = 0; i < argc; i++) {
        struct span word = span_of(argv[i]);
        size_t equals = span_starts(word, SPAN("--")) ? span_find_byte(word, '=', 0) : SIZE_MAX;
        const char *option = i > 0 ? argv[i - 1] : "";
        if (equals != SIZE_MAX) {
            option = arena_string(arena, span_slice(word, 0, equals));
            word = span_slice(word, equals + 1, word.len);
            add_word(&line, span_of(option));
        }
        if (takes_path(option))
            word = span_of(path_name(arena_string(arena, word)));
        add_word(&line, url_redact(arena, word));
    }
    const char *copy = arena_string(arena, buffer_span(&line));
    buffer_free(&line);
    return copy;
}

bool research_begin(struct research *research, int argc, char **argv, int skip, uint64_t accepted,
                    int least, int most, struct error *error) {
    *research = (struct research){.error = error, .ledger = {.lock = -1}};
    arena_init(&research->arena);
    research->command = command_line(&research->arena, argc, argv);
    return options_parse(argc - skip, argv + skip, accepted, least, most, &research->options,
                         error);
}

enum exit_status research_end(struct research *research) {
    research_close(research);
    arena_free(&research->arena);
    return exit_status_of(research->error);
}

bool research_open(struct research *research, enum ledger_access access) {
    struct ledger_options options = {
        .workspace = research->options.out,
        .access = access,
        .who = research->options.who,
        .command = research->command,
    };
    return ledger_open(&research->arena, &options, &research->ledger, research->error);
}

void research_close(struct research *research) {
    ledger_close(&research->ledger);
}

bool research_pass(struct research *research) {
    if (research->pass.folder)
        return true;
    struct pass pass;
    bool ok =
        research->options.pass
            ? pass_open(&research->arena, research->options.pass, &pass, research->error)
            : workspace_latest(&research->arena, research->options.out, &pass, research->error);
    if (ok)
        research->pass = pass;
    return ok;
}

bool research_claim(struct research *research, const char *name, struct ledger_claim *claim) {
    return research_pass(research) && ledger_claim_of(&research->arena, &research->pass,
                                                      span_of(name), claim, research->error);
}

static bool is_label(const char *name) {
    size_t number;
    return name[0] == 'S' && span_to_size(span_of(name + 1), 1000000, &number);
}

static void request_of(const struct source *source, struct source_request *request) {
    bool known =
        source->metadata_status.len > 0 && !span_equal(source->metadata_status, SPAN("UNVERIFIED"));
    *request =
        (struct source_request){.canonical = source->id, .kind = source->kind, .url = source->url};
    if (!known)
        return;
    request->title = source->title;
    request->authors = source->authors;
    request->venue = source->venue;
    request->year = source->year;
    request->version = source->version;
    request->metadata_status = source->metadata_status;
}

static bool by_label(struct research *research, const char *name, struct source_request *request) {
    struct span json;
    struct sources sources;
    struct arena *arena = &research->arena;
    if (!research_pass(research) ||
        !pass_read(arena, &research->pass, "sources.json", &json, research->error) ||
        !sources_read(arena, json, "sources.json", &sources, research->error))
        return false;
    for (size_t i = 0; i < sources.count; i++)
        if (span_equal(sources.sources[i].label, span_of(name))) {
            request_of(&sources.sources[i], request);
            return true;
        }
    return error_set(research->error, ERROR_INPUT, research->pass.folder,
                     "Section 3 of its report.md lists the sources.",
                     "expected a source's label (S1 to S%zu), got \"%s\"", sources.count, name);
}

bool research_source_name(struct research *research, const char *name, struct span *canonical,
                          struct source_request *request) {
    struct source_request own, *r = request ? request : &own;
    *r = (struct source_request){0};
    *canonical = span_of(name);
    if (strncmp(name, "s-", 2) == 0)
        return true;
    if (is_label(name)) {
        if (!by_label(research, name, r))
            return false;
    } else {
        struct source_name found;
        if (!source_name_any(&research->arena, span_of(name), &found, research->error))
            return false;
        *r = (struct source_request){.canonical = found.id, .kind = found.kind, .url = found.url};
    }
    *canonical = r->canonical;
    return true;
}

static const struct subcommand *row_of(const struct subcommand *rows, size_t count,
                                       const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

enum exit_status research_run(const struct subcommand *rows, size_t count, int argc, char **argv,
                              struct error *error) {
    const struct subcommand *row = argc > 1 ? row_of(rows, count, argv[1]) : NULL;
    if (!row) {
        char names[128] = "";
        for (size_t i = 0; i < count; i++) {
            strncat(names, i ? ", " : "", sizeof names - strlen(names) - 1);
            strncat(names, rows[i].name, sizeof names - strlen(names) - 1);
        }
        error_set(error, ERROR_USAGE, argv[0], "`assay COMMAND --help` shows the usage.",
                  "expected one of %s, got \"%s\"", names, argc > 1 ? argv[1] : "");
        return EXIT_USAGE;
    }
    struct research research;
    bool ok = row->run(&research, argc, argv, error);
    enum exit_status status = research_end(&research);
    /* A false without an error would look like success. */
    return ok || status != EXIT_COMPLETE ? status : EXIT_SYSTEM;
}
