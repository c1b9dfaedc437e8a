#include "fetch/snapshot_read.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "fetch/charset.h"
#include "fetch/fingerprint.h"

#include <sys/stat.h>

static void describe_text(struct arena *arena, struct snapshot *snapshot, struct span text) {
    snapshot->bytes = text.len;
    snapshot->sha256 = sha256_hex(arena, text);
}

bool snapshot_accept(struct arena *arena, struct span bytes, struct span content_type,
                     struct snapshot *snapshot, struct snapshot_text *text) {
    if (span_trim(bytes).len == 0) {
        snapshot->reason = SPAN("the snapshot is empty");
        return false;
    }
    if (charset_is_binary(bytes, content_type)) {
        snapshot->reason = SPAN("the snapshot is not text: it holds NUL bytes");
        return false;
    }
    struct charset charset;
    text->bytes = bytes;
    text->text = charset_decode(arena, bytes, content_type, &charset);
    snapshot->charset = charset.name;
    snapshot->replaced = charset.replaced;
    snapshot->scope = SPAN("full");
    describe_text(arena, snapshot, text->text);
    return true;
}

static bool is_too_large(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > SNAPSHOT_LARGEST_BYTES;
}

bool snapshot_from_file(struct arena *arena, const char *path, struct snapshot *snapshot,
                        struct snapshot_text *text, struct error *error) {
    struct span bytes;
    bool is_stdin = strcmp(path, "-") == 0;
    const char *where = is_stdin ? "standard input" : path;
    if (!is_stdin && is_too_large(path))
        return error_set(error, ERROR_INPUT, where, "Give the chapter's text only.",
                         "the snapshot is larger than the limit of %d MiB",
                         SNAPSHOT_LARGEST_BYTES >> 20);
    if (!file_read(arena, path, SNAPSHOT_LARGEST_BYTES, ERROR_INPUT, &bytes, error))
        return false;
    snapshot->origin = is_stdin ? SPAN("stdin") : SPAN("file");
    snapshot->file_name = is_stdin ? SPAN("") : span_of(path_name(path));
    snapshot->received_at = clock_rfc3339(arena, clock_now());
    if (snapshot_accept(arena, bytes, SPAN(""), snapshot, text))
        return true;
    return error_set(error, ERROR_INPUT, where, "Give the chapter's complete plain text.", "%s",
                     snapshot->reason.at);
}

void snapshot_from_excerpt(struct arena *arena, const struct brief *brief, struct span reason,
                           struct snapshot *snapshot, struct snapshot_text *text) {
    snapshot->reason = reason;
    snapshot->origin = SPAN("excerpt");
    snapshot->scope = brief->excerpt.len ? SPAN("excerpt") : SPAN("none");
    snapshot->charset = SPAN("utf-8");
    *text = (struct snapshot_text){brief->excerpt, brief->excerpt};
    describe_text(arena, snapshot, brief->excerpt);
}

static struct span short_hex(struct span hex) {
    return span_slice(hex, 0, 12);
}

/* The exact bytes first: text that was converted to UTF-8 may have been hashed before. */
static struct fingerprint_search search(struct arena *arena, const struct snapshot_text *text,
                                        struct span expected, struct span pinned) {
    struct fingerprint_search found = fingerprint_search(arena, text->bytes, expected, pinned);
    if (found.profile.len || span_equal(text->bytes, text->text))
        return found;
    return fingerprint_search(arena, text->text, expected, pinned);
}

void snapshot_judge(struct arena *arena, const struct brief *brief, struct span pinned,
                    const struct snapshot_text *text, struct snapshot *snapshot) {
    snapshot->expected = brief->fingerprint;
    snapshot->profile = snapshot->profiles_tried = SPAN("");
    snapshot->verdict = FINGERPRINT_UNVERIFIED;
    if (!span_equal(snapshot->scope, SPAN("full")))
        return;
    if (brief->fingerprint.len == 0) {
        snapshot->reason = SPAN("the brief gives no fingerprint to compare with");
        return;
    }
    struct fingerprint_search found = search(arena, text, brief->fingerprint, pinned);
    snapshot->profiles_tried = found.tried;
    snapshot->profile = found.profile;
    snapshot->verdict = found.profile.len ? FINGERPRINT_MATCH : FINGERPRINT_MISMATCH;
    snapshot->reason =
        found.profile.len
            ? SPAN("")
            : arena_printf(arena,
                           "no normalization profile of the %zu received bytes gives the brief's "
                           "fingerprint %.*s...: this is another revision of the chapter, or a "
                           "normalization that is not known here",
                           text->bytes.len, SPAN_ARG(short_hex(brief->fingerprint)));
}
