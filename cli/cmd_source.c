/* assay source: the documents outside the chapter, and what of them was really read. */
#include "cli/ledger_print.h"
#include "cli/research.h"
#include "cli/stages.h"
#include "core/clock.h"
#include "fetch/source_read.h"
#include "ledger/passage.h"

enum { PASSAGES_SHOWN = 5 };

/* Puts a source into the ledger if it is not there; an id must be there. */
static bool find_or_add(struct research *s, const char *name, struct ledger_source *source,
                        bool *already) {
    struct source_request request;
    struct span canonical;
    if (!research_source_name(s, name, &canonical, &request) || !research_open(s, LEDGER_WRITE))
        return false;
    *already = true;
    return request.canonical.len
               ? ledger_add_source(&s->ledger, &request, source, already, s->error)
               : ledger_find_source(&s->ledger, canonical, source, s->error);
}

static bool add(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_source source;
    bool already;
    if (!research_begin(s, argc, argv, 1, OPTS_LEDGER | OPT(PASS), 1, 1, error) ||
        !find_or_add(s, s->options.arguments[0], &source, &already))
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_put_flag(&w, "already", already);
        ledger_source_put(&w, "source", &source);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        buffer_add_string(&out, already ? "already in the ledger: " : "added: ");
        print_source(&out, &source, false);
    }
    print_out(&out);
    return true;
}

/* The passages closest to --claim or --search, in one source or (source "") in all. */
static bool candidates(struct research *s, struct span source, struct index_passage *passages,
                       size_t *count) {
    struct index_state state;
    struct span text = span_of(s->options.search ? s->options.search : "");
    struct ledger_claim claim;
    size_t most = s->options.most ? (size_t)s->options.most : PASSAGES_SHOWN;
    if (s->options.claim) {
        if (!research_claim(s, s->options.claim, &claim))
            return false;
        text = claim.anchor.quote;
    }
    struct ledger_index *index = index_open(&s->ledger, false, &state, s->error);
    bool ok = index && index_passages(index, text, source, most, passages, count, s->error);
    if (index)
        warn_problems(&state);
    index_close(index);
    return ok;
}

/* The first passages of the text, in its order. */
static bool first_passages(struct research *s, const struct ledger_source *source,
                           struct index_passage *passages, size_t *count) {
    struct span text;
    struct passage passage;
    size_t most = s->options.most ? (size_t)s->options.most : PASSAGES_SHOWN;
    *count = 0;
    if (source->text_sha256.len == 0)
        return true;
    if (!ledger_load_text(&s->ledger, source->text_sha256, &text, s->error))
        return false;
    size_t at = s->options.at == SIZE_MAX ? 0 : s->options.at;
    for (size_t from = 0; *count < most && passage_next(text, &from, &passage);)
        if (passage.end > at)
            passages[(*count)++] = (struct index_passage){
                .source = source->id,
                .start = passage.start,
                .end = passage.end,
                .text = span_slice(text, passage.start, passage.end),
            };
    return true;
}

static bool show_source(struct research *s, const struct ledger_source *source, bool read,
                        bool kept) {
    struct index_passage *passages =
        arena_array(&s->arena, 1000, sizeof *passages); /* the most --most takes */
    size_t count = 0;
    bool asked = s->options.claim || s->options.search;
    if (asked ? !candidates(s, source->id, passages, &count)
              : !read && !first_passages(s, source, passages, &count))
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        if (read)
            json_put_flag(&w, "kept", kept);
        ledger_source_put(&w, "source", source);
        put_passages(&w, passages, count);
        json_end_object(&w);
        json_finish(&w);
    } else if (!s->options.quiet) {
        print_source(&out, source, !read);
        if (read)
            buffer_printf(&out, "  %s%.*s\n", kept ? "kept the earlier text; now: " : "",
                          SPAN_ARG(source->reading_reason));
        if (asked)
            buffer_add_string(&out, count ? "  closest passages, candidates only:\n"
                                          : "  no passage shares a word with it\n");
        for (size_t i = 0; i < count; i++)
            print_passage(&out, &passages[i]);
    }
    print_out(&out);
    return true;
}

static bool obtain(struct research *s, const struct ledger_source *source, struct source_text *text,
                   struct span *archive) {
    if (s->options.file && !source_text_of_file(&s->arena, s->options.file, text, s->error))
        return false;
    if (s->options.file && s->options.abstract) {
        text->status = READING_ABSTRACT_ONLY;
        text->reason = SPAN("the abstract, given as a file");
    }
    if (s->options.file)
        return true;
    struct fetch_options options;
    struct source_name name = {.id = source->canonical, .kind = source->kind, .url = source->url};
    stages_fetch_options(&s->options, NULL, s->command, &options);
    struct span time = clock_compact(&s->arena, clock_now());
    *archive = arena_printf(&s->arena, "%.*s-%.*s.warc.gz", SPAN_ARG(source->id), SPAN_ARG(time));
    const char *path = ledger_path(&s->ledger, "archive", *archive, "");
    if (!source_text_fetch(&s->arena, &options, &name, path, text, s->error))
        return false;
    if (text->archived == 0)
        *archive = SPAN("");
    return text->asked ||
           error_set(s->error, ERROR_UNAVAILABLE, source->canonical.at,
                     "Try again later, or give the text with --file FILE.",
                     "not read, its status stays \"%s\": %.*s",
                     word_of(&reading_words, (int)source->reading), SPAN_ARG(text->reason));
}

static bool abstract_of_file(struct research *s) {
    return !s->options.abstract || s->options.file ||
           error_set(s->error, ERROR_USAGE, "--abstract", "Name the file with --file FILE.",
                     "only a file is declared to be an abstract; what is fetched is looked at");
}

/* The ledger is closed while the network answers: others must not wait for it. */
static bool read_one(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_source source;
    struct source_text text;
    struct span archive = SPAN("");
    bool already, kept;
    uint64_t accepted = OPTS_LEDGER | OPTS_FETCH | OPT(PASS) | OPT(FILE) | OPT(ABSTRACT) |
                        OPT(CLAIM) | OPT(SEARCH) | OPT(MOST);
    accepted &= ~(OPT(SNAPSHOT) | OPT(PROFILE) | OPT(ALLOW_MISMATCH));
    if (!research_begin(s, argc, argv, 1, accepted, 1, 1, error) || !abstract_of_file(s) ||
        !find_or_add(s, s->options.arguments[0], &source, &already))
        return false;
    research_close(s);
    if (!obtain(s, &source, &text, &archive) || !research_open(s, LEDGER_WRITE) ||
        !ledger_find_source(&s->ledger, source.id, &source, error))
        return false;
    struct reading_result result = {
        .status = text.status,
        .reason = text.reason,
        .text = text.text,
        .form = text.form,
        .from = text.from,
        .original_sha256 = text.original_sha256,
        .archive = archive,
    };
    return ledger_set_reading(&s->ledger, &source, &result, &kept, error) &&
           show_source(s, &source, true, kept);
}

static bool show(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_source source;
    struct span name;
    uint64_t accepted = OPTS_LEDGER | OPT(PASS) | OPT(CLAIM) | OPT(SEARCH) | OPT(MOST) | OPT(AT);
    if (!research_begin(s, argc, argv, 1, accepted, 1, 1, error) ||
        !research_source_name(s, s->options.arguments[0], &name, NULL))
        return false;
    bool writes = s->options.claim || s->options.search; /* the index */
    return research_open(s, writes ? LEDGER_WRITE : LEDGER_READ) &&
           ledger_find_source(&s->ledger, name, &source, error) &&
           show_source(s, &source, false, false);
}

/* Sources whose metadata hold the words of --search, the closest first. */
static bool search_sources(struct research *s, struct ledger_sources *sources) {
    struct index_state state;
    size_t most = s->options.most ? (size_t)s->options.most : 1000, count = 0;
    struct span *ids = arena_array(&s->arena, most, sizeof *ids);
    struct ledger_index *index = index_open(&s->ledger, false, &state, s->error);
    bool ok =
        index && index_sources(index, span_of(s->options.search), most, ids, &count, s->error);
    if (index)
        warn_problems(&state);
    index_close(index);
    *sources = (struct ledger_sources){0};
    for (size_t i = 0; ok && i < count; i++) {
        struct ledger_source source;
        bool found;
        ok = ledger_load_source(&s->ledger, ids[i], &source, &found, s->error);
        if (ok && found)
            LIST_PUSH(&s->arena, sources->items, sources->count, sources->capacity, source);
    }
    return ok;
}

static bool list(struct research *s, int argc, char **argv, struct error *error) {
    struct ledger_sources sources = {0};
    size_t passage_count = 0;
    uint64_t accepted = OPTS_LEDGER | OPT(PASS) | OPT(CLAIM) | OPT(SEARCH) | OPT(MOST);
    if (!research_begin(s, argc, argv, 1, accepted, 0, 0, error))
        return false;
    struct index_passage *passages = arena_array(&s->arena, 1000, sizeof *passages);
    bool writes = s->options.claim || s->options.search;
    if (!research_open(s, writes ? LEDGER_WRITE : LEDGER_READ))
        return false;
    bool ok = s->options.claim    ? candidates(s, SPAN(""), passages, &passage_count)
              : s->options.search ? search_sources(s, &sources)
                                  : ledger_all_sources(&s->ledger, &sources, error);
    if (!ok)
        return false;
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    if (s->options.json) {
        json_begin_object(&w, NULL);
        json_begin_array(&w, "sources");
        for (size_t i = 0; i < sources.count; i++)
            ledger_source_put(&w, NULL, &sources.items[i]);
        json_end_array(&w);
        if (s->options.claim)
            put_passages(&w, passages, passage_count);
        json_end_object(&w);
        json_finish(&w);
    } else {
        for (size_t i = 0; i < sources.count; i++)
            print_source(&out, &sources.items[i], false);
        for (size_t i = 0; i < passage_count; i++)
            print_passage(&out, &passages[i]);
    }
    print_out(&out);
    return true;
}

static const struct subcommand subcommands[] = {
    {"add", add}, {"read", read_one}, {"list", list}, {"show", show}};

static enum exit_status source(int argc, char **argv, struct error *error) {
    return research_run(subcommands, sizeof subcommands / sizeof *subcommands, argc, argv, error);
}

const struct command command_source = {
    .name = "source",
    .summary = "put documents into the ledger, read them, show their passages",
    .usage = "source add|read|show SOURCE [OPTION]... | source list [OPTION]...",
    .help =
        "SOURCE is a URL, a DOI, an arXiv id, an ISBN, an RFC number, owner/name#12 on GitHub, a\n"
        "label of the pass (S2), or an id of the ledger (s-1f3a9b20c4d1, or its first digits).\n\n"
        "  add SOURCE   a lead: nobody has read it, and nothing can rest on it\n"
        "  read SOURCE  obtains its text (HTML, PDF through pdftotext, arXiv's HTML first) and "
        "says\n"
        "               what was really obtained: full text, abstract only, not accessible\n"
        "  show SOURCE  what is known of it, its history and passages\n"
        "  list         all sources\n\n"
        "  --file FILE        read: the text is in FILE (text, Markdown, HTML, PDF, notebook)\n"
        "  --abstract         read: FILE holds the abstract only\n"
        "  --claim CLAIM      read, show, list: the passages closest to that claim (BM25)\n"
        "  --search TEXT      read, show: the passages closest to TEXT; list: sources whose "
        "title,\n"
        "                     authors, venue or identity hold its words\n"
        "  --most N           that many passages or sources (default 5 passages)\n"
        "  --at BYTE          show: from that byte of the text on\n"
        "  --pass PASS        the pass of claims and labels (default: the newest of the "
        "workspace)\n"
        "  --out DIR          the workspace, the folder of passes/ and ledger/ (default .)\n"
        "  --who NAME         who does this, for the history (default: the user's name)\n"
        "  --offline, --refresh, --replay FILE, --cache DIR, --jobs N, --contact ADDRESS,\n"
        "  --allow-private, --cacert FILE   read: as in `assay run`\n"
        "  --json, -q\n"
        "\nExit status: 0 done; 2 usage; 3 nobody answered, so nothing is known; 5 no such "
        "source.\n"
        "\nExamples:\n"
        "  assay source add 10.1145/3503222.3507738\n"
        "  assay source read arXiv:2205.14135 --claim C3\n"
        "  assay source read S2 --file paper.pdf\n"
        "  assay source show s-1f3a --search \"memory bandwidth\"\n",
    .run = source,
};
