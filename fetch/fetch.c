/* Stage 1: brief -> snapshot, structure, sources. */
#include "fetch/fetch.h"

#include "core/clock.h"
#include "core/interrupt.h"
#include "fetch/brief.h"
#include "fetch/fingerprint.h"
#include "fetch/snapshot_read.h"
#include "fetch/structure.h"
#include "schemas/sources.h"
#if __has_include("fetch/sources_found.h")
#include "fetch/sources_found.h"
#define FIND_SOURCES sources_discover
#else
#define FIND_SOURCES(arena, brief, chapter, sources) (void)(arena), (void)(brief), (void)(chapter)
#endif

static const char stage_name[] = "fetch";

bool fetch_brief(struct arena *arena, const struct fetch_options *options, struct span *received,
                 struct brief *brief, struct error *error) {
    bool is_stdin = strcmp(options->brief, "-") == 0;
    return file_read(arena, options->brief, BRIEF_LARGEST_BYTES, ERROR_INPUT, received, error) &&
           brief_parse(arena, *received, is_stdin ? "standard input" : options->brief, brief,
                       error);
}

/* "pytorch-from-first-principles" and "pytorch-from-first-principles-12-chapter" -> "12-chapter" */
static struct span chapter_slug(struct arena *arena, const struct brief *brief) {
    struct span book = span_of(path_slug(arena, brief->book));
    struct span id = span_of(path_slug(arena, brief->stable_id));
    if (span_starts(id, book) && id.len > book.len + 1 && id.at[book.len] == '-')
        return span_slice(id, book.len + 1, id.len);
    return id;
}

static bool make_pass(struct arena *arena, const struct fetch_options *options,
                      const struct brief *brief, struct pass *pass, struct error *error) {
    *pass = (struct pass){
        .book = span_of(path_slug(arena, brief->book)),
        .chapter = chapter_slug(arena, brief),
        .stable_id = brief->stable_id,
        .command = options->command ? span_of(options->command) : SPAN(""),
    };
    return pass_create(arena, options->workspace ? options->workspace : ".", brief->fingerprint,
                       pass, error) &&
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

static bool read_snapshot(struct arena *arena, const struct fetch_options *options,
                          const struct brief *brief, struct snapshot *snapshot,
                          struct snapshot_text *text, struct error *error) {
    if (options->snapshot)
        return snapshot_from_file(arena, options->snapshot, snapshot, text, error);
    snapshot->requested_url = brief->snapshot_url.len ? brief->snapshot_url : brief->chapter_url;
    struct span reason = options->offline
                             ? SPAN("--offline was given and no snapshot of the chapter is at hand")
                             : SPAN("this build cannot fetch over the network yet");
    snapshot_from_excerpt(arena, brief, reason, snapshot, text);
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

static bool write_structure(struct arena *arena, const struct pass *pass,
                            const struct snapshot *snapshot, struct span text,
                            struct chapter *chapter, struct error *error) {
    struct span format = structure_format(snapshot->file_name, text);
    if (!structure_read(arena, format, text, "snapshot.txt", chapter, error))
        return false;
    struct buffer json = {0};
    chapter_write(&json, chapter);
    bool ok = pass_write(pass, "structure.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
}

static bool write_sources(struct arena *arena, const struct pass *pass, const struct brief *brief,
                          const struct chapter *chapter, struct error *error) {
    struct sources sources = {0};
    struct buffer json = {0};
    FIND_SOURCES(arena, brief, chapter, &sources);
    sources_write(&json, &sources);
    bool ok = pass_write(pass, "sources.json", buffer_span(&json), error);
    buffer_free(&json);
    return ok;
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

bool fetch_pass(struct arena *arena, const struct fetch_options *options, struct pass *pass,
                struct error *error) {
    struct span received;
    struct brief brief;
    struct snapshot snapshot = {0};
    struct snapshot_text text = {0};
    struct chapter chapter = {0};
    struct span pinned = options->profile ? span_of(options->profile) : SPAN("");
    if (!fetch_brief(arena, options, &received, &brief, error) ||
        !read_snapshot(arena, options, &brief, &snapshot, &text, error) ||
        !make_pass(arena, options, &brief, pass, error))
        return false;
    snapshot_judge(arena, &brief, pinned.len ? pinned : brief.fingerprint_profile, &text,
                   &snapshot);
    if (!write_brief(pass, received, &brief, error) ||
        !write_snapshot(pass, &snapshot, text.text, error) ||
        !write_structure(arena, pass, &snapshot, text.text, &chapter, error) ||
        !write_sources(arena, pass, &brief, &chapter, error) ||
        !end_stage(arena, pass, &snapshot, error))
        return false;
    tell(options, arena, &snapshot);
    return refuse_mismatch(options, &snapshot, pass, error);
}
