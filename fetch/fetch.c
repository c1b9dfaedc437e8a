/* Stage 1: brief -> snapshot, structure, sources. */
#include "fetch/fetch.h"

#include "core/interrupt.h"
#include "fetch/around.h"
#include "fetch/bibliography.h"
#include "fetch/brief_load.h"
#include "fetch/fetch_http.h"
#include "fetch/fingerprint.h"
#include "fetch/references.h"
#include "fetch/revision.h"
#include "fetch/snapshot_url.h"
#include "fetch/sources_discover.h"
#include "fetch/structure.h"
#include "fetch/verify.h"

static const char stage_name[] = "fetch";

/* What the stage read. */
struct reading {
    struct span received; /* brief.txt */
    struct brief brief;   /* as given: it says what is asked for */
    struct brief shown;   /* without the secrets of its URLs: it is written */
    struct snapshot_text text;
    struct around around;
};

struct http *fetch_open_http(const struct fetch_options *options, struct error *error) {
    struct http_options http = {
        .cache = options->cache,
        .replay = options->replay,
        .offline = options->offline,
        .refresh = options->refresh,
        .allow_private = options->allow_private,
        .archive = !options->replay,
        .connect_to = options->connect_to,
        .ca_file = options->ca_file,
        .contact = options->contact,
        .jobs = options->jobs,
        .progress = options->progress,
    };
    return http_open(&http, error);
}

bool fetch_brief(struct arena *arena, const struct fetch_options *options, struct span *received,
                 struct brief *brief, struct error *error) {
    struct http *http = fetch_open_http(options, error);
    bool ok = http && brief_load(arena, http, options->brief, received, brief, error);
    http_close(http);
    return ok;
}

/* "pytorch-from-first-principles" and "pytorch-from-first-principles-12-chapter" -> "12-chapter" */
static struct span chapter_slug(struct arena *arena, const struct brief *brief) {
    struct span book = span_of(path_slug(arena, brief->book));
    struct span id = span_of(path_slug(arena, brief->stable_id));
    if (span_starts(id, book) && id.len > book.len + 1 && id.at[book.len] == '-')
        return span_slice(id, book.len + 1, id.len);
    return id;
}

static const char *workspace_of(const struct fetch_options *options) {
    return options->workspace ? options->workspace : ".";
}

static bool make_pass(struct arena *arena, const struct fetch_options *options,
                      const struct brief *brief, struct pass *pass, struct error *error) {
    *pass = (struct pass){
        .book = span_of(path_slug(arena, brief->book)),
        .chapter = chapter_slug(arena, brief),
        .stable_id = brief->stable_id,
        .command = options->command ? span_of(options->command) : SPAN(""),
    };
    return pass_create(arena, workspace_of(options), brief->fingerprint, pass, error) &&
           pass_stage_begin(arena, pass, STAGE_FETCH, error);
}

static bool write_brief(const struct pass *pass, struct span received, const struct brief *brief,
                        struct error *error) {
    struct buffer json = {0};
    brief_write(&json, brief);
    bool ok = pass_write(pass, "brief.txt", received, error) &&
              pass_write(pass, "brief.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

static bool read_snapshot(struct arena *arena, struct http *http,
                          const struct fetch_options *options, const struct brief *brief,
                          struct snapshot *snapshot, struct snapshot_text *text,
                          struct error *error) {
    if (options->snapshot)
        return snapshot_from_file(arena, options->snapshot, snapshot, text, error);
    struct span url = brief->snapshot_url.len ? brief->snapshot_url : brief->chapter_url;
    if (url.len)
        return snapshot_from_url(arena, http, brief, url, snapshot, text, error);
    snapshot_from_excerpt(arena, brief, SPAN("the brief gives no URL of the chapter"), snapshot,
                          text);
    return true;
}

static bool write_snapshot(const struct pass *pass, const struct snapshot *snapshot,
                           struct span text, struct error *error) {
    struct buffer json = {0};
    snapshot_write(&json, snapshot);
    bool ok = pass_write(pass, "snapshot.txt", text, error) &&
              pass_write(pass, "snapshot.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

/* Plain text gets the structure of the chapter's page where that is the same text. */
static bool write_structure(struct arena *arena, const struct pass *pass,
                            const struct snapshot *snapshot, struct span text,
                            const struct around *around, struct chapter *chapter,
                            struct error *error) {
    struct span format = structure_format(snapshot->file_name, text);
    bool placed =
        span_equal(format, SPAN("text")) && around_structure(arena, around, text, chapter);
    if (!placed && !structure_read(arena, format, text, "snapshot.txt", chapter, error))
        return false;
    struct buffer json = {0};
    chapter_write(&json, chapter);
    bool ok = pass_write(pass, "structure.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

static bool write_sources(struct arena *arena, struct http *http,
                          const struct fetch_options *options, const struct pass *pass,
                          const struct reading *reading, const struct chapter *chapter,
                          struct error *error) {
    struct sources sources = {0};
    struct buffer json = {0};
    struct service_settings settings = {options->services, options->contact};
    sources_discover(arena, reading->received, &reading->shown, chapter, &sources);
    if (!bibliography_collect(arena, http, options->progress, reading->received, chapter->view,
                              options->bibliographies, &sources, error))
        return false;
    references_claim(arena, reading->received, &reading->shown, chapter, &sources);
    if (!verify_sources(arena, http, &settings, &sources, error))
        return false;
    around_describe_sources(arena, &reading->around, &reading->shown, &sources);
    sources_write(&json, &sources);
    bool ok = pass_write(pass, "sources.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

/* A pass that asked nobody has no archive; one that replays an archive has that one. */
static bool write_archive(struct arena *arena, const struct pass *pass, struct http *http,
                          struct error *error) {
    return http_archived(http) == 0 ||
           http_archive(http, pass_path(arena, pass, "archive.warc.gz"), error);
}

static bool end_stage(struct arena *arena, struct pass *pass, const struct snapshot *snapshot,
                      struct error *error) {
    bool full = span_equal(snapshot->scope, SPAN("full"));
    pass->scope = snapshot->scope;
    pass->fingerprint = snapshot->verdict;
    return pass_stage_end(arena, pass, STAGE_FETCH, full ? STAGE_COMPLETE : STAGE_PARTIAL,
                          full ? "" : arena_string(arena, snapshot->reason), error);
}

static void tell(const struct fetch_options *options, struct arena *arena,
                 const struct snapshot *snapshot) {
    struct span line = arena_printf(
        arena, "scope %.*s, %zu bytes, fingerprint %s%s%.*s", SPAN_ARG(snapshot->scope),
        snapshot->bytes, word_of(&fingerprint_words, (int)snapshot->verdict),
        snapshot->profile.len  ? " under profile "
        : snapshot->reason.len ? ": "
                               : "",
        SPAN_ARG(snapshot->profile.len ? snapshot->profile : snapshot->reason));
    progress_note(options->progress, stage_name, line.at);
    if (snapshot->pack_note.len)
        progress_note(options->progress, stage_name,
                      arena_printf(arena, "the brief against its research pack: %.*s",
                                   SPAN_ARG(snapshot->pack_note))
                          .at);
}

static void tell_unknown(const struct fetch_options *options, struct arena *arena,
                         const struct brief *brief) {
    size_t count = brief->unknown.count;
    if (count == 0)
        return;
    const struct brief_item *first = brief->unknown.items;
    struct span line = arena_printf(
        arena, "the brief has %zu part%s that no rule knows, first the %.*s \"%.60s\" in line %zu",
        count, count == 1 ? "" : "s", SPAN_ARG(first->kind), arena_string(arena, first->label),
        first->line);
    progress_note(options->progress, stage_name, line.at);
}

static bool refuse_mismatch(const struct fetch_options *options, const struct snapshot *snapshot,
                            const struct pass *pass, struct error *error) {
    if (snapshot->verdict != FINGERPRINT_MISMATCH || options->allow_mismatch)
        return true;
    return error_set(error, ERROR_MISMATCH, pass->folder,
                     "Get the revision that the brief names, a new brief for this revision, or run "
                     "again with --allow-mismatch.",
                     "fingerprint MISMATCH: expected sha256 %.12s..., found %.12s... as received",
                     snapshot->expected.at, snapshot->sha256.at);
}

static bool read_all(struct arena *arena, struct http *http, const struct fetch_options *options,
                     struct reading *reading, struct snapshot *snapshot, struct error *error) {
    struct brief *brief = &reading->brief;
    if (!brief_load(arena, http, options->brief, &reading->received, brief, error) ||
        !brief_hide_secrets(arena, options->brief, &reading->received, brief, &reading->shown,
                            error) ||
        !read_snapshot(arena, http, options, brief, snapshot, &reading->text, error) ||
        !around_fetch(arena, http, brief, snapshot, &reading->around, error))
        return false;
    struct span pinned = options->profile ? span_of(options->profile) : brief->fingerprint_profile;
    snapshot_judge(arena, brief, pinned, &reading->text, snapshot);
    snapshot->pack_note = around_pack_note(arena, &reading->shown, &reading->around);
    return true;
}

static bool make_artifacts(struct arena *arena, struct http *http,
                           const struct fetch_options *options, struct pass *pass,
                           struct snapshot *snapshot, struct error *error) {
    struct reading reading = {0};
    struct chapter chapter = {0};
    if (!read_all(arena, http, options, &reading, snapshot, error) ||
        !make_pass(arena, options, &reading.shown, pass, error))
        return false;
    tell_unknown(options, arena, &reading.shown);
    struct span text = reading.text.text;
    return interrupt_check(stage_name, error) &&
           write_brief(pass, reading.received, &reading.shown, error) &&
           around_keep_materials(arena, pass, &reading.around, error) &&
           write_structure(arena, pass, snapshot, text, &reading.around, &chapter, error) &&
           revision_find(arena, workspace_of(options), pass, &chapter, text, snapshot, error) &&
           write_snapshot(pass, snapshot, text, error) &&
           write_sources(arena, http, options, pass, &reading, &chapter, error) &&
           write_archive(arena, pass, http, error) && end_stage(arena, pass, snapshot, error);
}

static bool check_options(const struct fetch_options *options, struct error *error) {
    if (options->snapshot && strcmp(options->brief, "-") == 0 &&
        strcmp(options->snapshot, "-") == 0)
        return error_set(error, ERROR_USAGE, "--snapshot -", "Give one of them as a file.",
                         "the brief and the snapshot cannot both come from standard input");
    if (!options->profile || fingerprint_profile_exists(span_of(options->profile)))
        return true;
    return error_set(
        error, ERROR_USAGE, "--profile",
        "Leave it out to try all that are known: raw, lf, trim, space, nfc-lf, tags-lf, ...",
        "no normalization profile is called \"%.80s\"", options->profile);
}

bool fetch_pass(struct arena *arena, const struct fetch_options *options, struct pass *pass,
                struct error *error) {
    struct snapshot snapshot = {0};
    if (!check_options(options, error))
        return false;
    struct http *http = fetch_open_http(options, error);
    bool ok = http && make_artifacts(arena, http, options, pass, &snapshot, error);
    http_close(http);
    if (!ok)
        return false;
    tell(options, arena, &snapshot);
    return refuse_mismatch(options, &snapshot, pass, error);
}
