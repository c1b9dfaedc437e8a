#include "fetch/fingerprint.h"

#include "core/hash.h"
#include "core/interrupt.h"
#include "core/utf8.h"

#include <stdint.h>
#include <utf8proc.h>

/* One normalization step: appends the normalized text; false when the text does not allow it. */
typedef bool step_function(struct buffer *out, struct span text);

static step_function step_bom, step_crlf, step_nfc, step_tags, step_lower, step_trailing,
    step_lines, step_blanks, step_noblanks, step_runs, step_uruns, step_trim, step_newline;

static const struct step {
    const char *name, *says;
    step_function *run;
} steps[] = {
    {"bom", "byte order mark removed", step_bom},
    {"crlf", "CRLF and CR become LF", step_crlf},
    {"nfc", "Unicode NFC", step_nfc},
    {"tags", "<tags> and <!-- comments --> removed", step_tags},
    {"lower", "lower case", step_lower},
    {"trailing", "spaces and tabs at line ends removed", step_trailing},
    {"lines", "spaces and tabs at both ends of each line removed", step_lines},
    {"blanks", "runs of empty lines become one", step_blanks},
    {"noblanks", "empty lines removed", step_noblanks},
    {"runs", "runs of ASCII white space become one space", step_runs},
    {"uruns", "runs of Unicode white space become one space", step_uruns},
    {"trim", "white space at both ends removed", step_trim},
    {"newline", "exactly one LF at the end", step_newline},
};

/* Simplest first: several profiles leave the same text alike, and the first that matches is named.
 */
#define WITH_VARIANTS(name, steps)                                                                 \
    {name, steps}, {"nfc-" name, "nfc " steps}, {"tags-" name, "tags " steps},                     \
        {"tags-nfc-" name, "tags nfc " steps}, {"lower-" name, "lower " steps}, {                  \
        "nfc-lower-" name, "nfc lower " steps                                                      \
    }

static const struct profile {
    const char *name, *steps; /* names of steps, in order, separated by spaces */
} profiles[] = {
    {"raw", ""},
    {"nobom", "bom"},
    WITH_VARIANTS("lf", "bom crlf"),
    WITH_VARIANTS("trim", "bom crlf trim"),
    WITH_VARIANTS("newline", "bom crlf trim newline"),
    WITH_VARIANTS("final", "bom crlf newline"),
    WITH_VARIANTS("trailing", "bom crlf trailing"),
    WITH_VARIANTS("trailing-trim", "bom crlf trailing trim"),
    WITH_VARIANTS("trailing-newline", "bom crlf trailing trim newline"),
    WITH_VARIANTS("blanks", "bom crlf trailing blanks trim"),
    WITH_VARIANTS("blanks-newline", "bom crlf trailing blanks trim newline"),
    WITH_VARIANTS("noblanks", "bom crlf trailing noblanks trim"),
    WITH_VARIANTS("lines", "bom crlf lines trim"),
    WITH_VARIANTS("lines-blanks", "bom crlf lines blanks trim"),
    WITH_VARIANTS("lines-noblanks", "bom crlf lines noblanks trim"),
    WITH_VARIANTS("space", "bom runs trim"),
    WITH_VARIANTS("uspace", "bom uruns trim"),
};

enum { PROFILES = sizeof profiles / sizeof *profiles, STEPS = sizeof steps / sizeof *steps };

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool step_bom(struct buffer *out, struct span text) {
    buffer_add(out, span_slice(text, span_starts(text, SPAN("\xEF\xBB\xBF")) ? 3 : 0, text.len));
    return true;
}

static bool step_crlf(struct buffer *out, struct span text) {
    char *to = buffer_reserve(out, text.len);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        to[len++] = text.at[i] == '\r' ? '\n' : text.at[i];
        if (text.at[i] == '\r' && i + 1 < text.len && text.at[i + 1] == '\n')
            i++;
    }
    out->len += len;
    return true;
}

static bool step_nfc(struct buffer *out, struct span text) {
    return utf8_nfc(out, text);
}

/* A tag starts with a letter, '/' or '!' behind '<'; "a < b" stays. */
static bool opens_tag(struct span text, size_t at) {
    if (text.at[at] != '<' || at + 1 >= text.len)
        return false;
    char c = text.at[at + 1];
    return c == '/' || c == '!' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool step_tags(struct buffer *out, struct span text) {
    bool unclosed = false; /* looked for once: a text of '<a' repeated must stay linear */
    for (size_t i = 0; i < text.len; i++) {
        size_t end = SIZE_MAX;
        bool comment = span_starts(span_slice(text, i, text.len), SPAN("<!--"));
        if (!unclosed && opens_tag(text, i)) {
            end = comment ? span_find(text, SPAN("-->"), i + 4) : span_find_byte(text, '>', i);
            unclosed = end == SIZE_MAX;
        }
        if (end == SIZE_MAX)
            buffer_add_byte(out, text.at[i]);
        else
            i = comment ? end + 2 : end;
    }
    return true;
}

static bool step_lower(struct buffer *out, struct span text) {
    for (size_t i = 0, width; i < text.len; i += width) {
        uint32_t code;
        width = utf8_decode(span_slice(text, i, text.len), &code);
        if (width == 0)
            return false;
        utf8_encode(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)code));
    }
    return true;
}

/* Each line through shorten; a last line without LF stays without. */
static void each_line(struct buffer *out, struct span text, bool both_ends) {
    for (size_t at = 0; at < text.len;) {
        size_t end = span_find_byte(text, '\n', at);
        size_t stop = end == SIZE_MAX ? text.len : end, from = at, to = stop;
        while (to > from && is_blank(text.at[to - 1]))
            to--;
        while (both_ends && from < to && is_blank(text.at[from]))
            from++;
        buffer_add(out, span_slice(text, from, to));
        if (end != SIZE_MAX)
            buffer_add_byte(out, '\n');
        at = stop + 1;
    }
}

static bool step_trailing(struct buffer *out, struct span text) {
    each_line(out, text, false);
    return true;
}

static bool step_lines(struct buffer *out, struct span text) {
    each_line(out, text, true);
    return true;
}

/* Runs of LF longer than most become most LFs. */
static void limit_newlines(struct buffer *out, struct span text, size_t most) {
    size_t run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.at[i] == '\n' ? run + 1 : 0;
        if (run <= most)
            buffer_add_byte(out, text.at[i]);
    }
}

static bool step_blanks(struct buffer *out, struct span text) {
    limit_newlines(out, text, 2);
    return true;
}

static bool step_noblanks(struct buffer *out, struct span text) {
    limit_newlines(out, text, 1);
    return true;
}

static bool step_runs(struct buffer *out, struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        bool space = is_space(text.at[i]);
        if (!space || i == 0 || !is_space(text.at[i - 1]))
            buffer_add_byte(out, space ? ' ' : text.at[i]);
    }
    return true;
}

/* The property White_Space of Unicode. */
static bool is_unicode_space(uint32_t code) {
    return (code < 0x80 && is_space((char)code)) || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

static bool step_uruns(struct buffer *out, struct span text) {
    bool in_run = false;
    for (size_t i = 0, width; i < text.len; i += width) {
        uint32_t code;
        width = utf8_decode(span_slice(text, i, text.len), &code);
        if (width == 0)
            return false;
        bool space = is_unicode_space(code);
        if (!space)
            buffer_add(out, span_slice(text, i, i + width));
        else if (!in_run)
            buffer_add_byte(out, ' ');
        in_run = space;
    }
    return true;
}

static bool step_trim(struct buffer *out, struct span text) {
    buffer_add(out, span_trim(text));
    return true;
}

static bool step_newline(struct buffer *out, struct span text) {
    while (text.len && text.at[text.len - 1] == '\n')
        text.len--;
    buffer_add(out, text);
    buffer_add_byte(out, '\n');
    return true;
}

static const struct step *find_step(struct span name) {
    for (size_t i = 0; i < STEPS; i++)
        if (span_equal(name, span_of(steps[i].name)))
            return &steps[i];
    return NULL;
}

static const struct profile *find_profile(struct span name) {
    for (size_t i = 0; i < PROFILES; i++)
        if (span_equal(name, span_of(profiles[i].name)))
            return &profiles[i];
    return NULL;
}

size_t fingerprint_profile_count(void) {
    return PROFILES;
}

const char *fingerprint_profile_name(size_t index) {
    return index < PROFILES ? profiles[index].name : "";
}

bool fingerprint_profile_exists(struct span name) {
    return find_profile(name) != NULL;
}

struct span fingerprint_profile_steps(struct arena *arena, size_t index) {
    if (index >= PROFILES)
        return SPAN("");
    struct span rest = span_of(profiles[index].steps), name;
    struct buffer said = {0};
    while (span_next_field(&rest, ' ', &name))
        buffer_printf(&said, "%s%s", said.len ? "; " : "", find_step(name)->says);
    struct span text =
        arena_copy(arena, said.len ? buffer_span(&said) : SPAN("the bytes as they are"));
    buffer_free(&said);
    return text;
}

bool fingerprint_normalize(struct buffer *out, struct span profile, struct span text) {
    const struct profile *found = find_profile(profile);
    struct buffer now = {0}, next = {0};
    bool ok = found != NULL;
    struct span rest = ok ? span_of(found->steps) : SPAN(""), name;
    buffer_add(&now, text);
    while (ok && span_next_field(&rest, ' ', &name)) {
        buffer_clear(&next);
        ok = find_step(name)->run(&next, buffer_span(&now));
        struct buffer swapped = now;
        now = next;
        next = swapped;
    }
    if (ok)
        buffer_add(out, buffer_span(&now));
    buffer_free(&now);
    buffer_free(&next);
    return ok;
}

struct fingerprint_search fingerprint_search(struct arena *arena, struct span text,
                                             struct span expected, struct span pinned) {
    struct fingerprint_search search = {SPAN(""), SPAN("")};
    struct buffer tried = {0}, normalized = {0};
    /* Ctrl-C ends the search; who called notices it too. */
    for (size_t i = 0; i < PROFILES && search.profile.len == 0 && !interrupt_signal(); i++) {
        struct span name = span_of(profiles[i].name);
        if (pinned.len && !span_equal(pinned, name))
            continue;
        buffer_clear(&normalized);
        if (!fingerprint_normalize(&normalized, name, text))
            continue;
        buffer_printf(&tried, "%s%s", tried.len ? "," : "", profiles[i].name);
        if (span_equal_nocase(sha256_hex(arena, buffer_span(&normalized)), expected))
            search.profile = name;
    }
    search.tried = arena_copy(arena, buffer_span(&tried));
    buffer_free(&tried);
    buffer_free(&normalized);
    return search;
}
