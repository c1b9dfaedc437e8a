#include "fetch/brief.h"

#include "core/hash.h"
#include "core/utf8.h"
#include "fetch/fingerprint.h"

#include <stdint.h>

static const struct required_field {
    const char *label;
    size_t offset;
} required_fields[] = {
    {"Book", offsetof(struct brief, book)},
    {"Chapter", offsetof(struct brief, chapter)},
    {"Stable id", offsetof(struct brief, stable_id)},
};

bool brief_refuse(const struct brief_parse *parse, size_t line, const char *hint,
                  const char *format, ...) {
    struct buffer message = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&message, format, arguments);
    va_end(arguments);
    struct span place = arena_printf(parse->arena, "%.400s:%zu", parse->where, line);
    error_set(parse->error, ERROR_INPUT, place.at, hint, "%s", message.at);
    buffer_free(&message);
    return false;
}

size_t brief_line_of(struct span text, size_t offset) {
    size_t line = 1;
    for (size_t at = 0; (at = span_find_byte(text, '\n', at)) < offset; at++)
        line++;
    return line;
}

size_t brief_bom(struct span text) {
    return span_starts(text, SPAN("\xEF\xBB\xBF")) ? 3 : 0;
}

static bool check_bytes(const struct brief_parse *parse) {
    static const char hint[] = "Save the brief as UTF-8 text and run again.";
    if (span_trim(span_slice(parse->text, brief_bom(parse->text), parse->text.len)).len == 0)
        return brief_refuse(parse, 1,
                            "Give a brief with an identity section: book, chapter, "
                            "stable id.",
                            "the brief is empty");
    size_t bad = span_find_byte(parse->text, '\0', 0);
    if (bad != SIZE_MAX)
        return brief_refuse(parse, brief_line_of(parse->text, bad), hint,
                            "expected text, found a NUL byte at byte %zu", bad);
    bad = utf8_first_invalid(parse->text);
    if (bad != SIZE_MAX)
        return brief_refuse(parse, brief_line_of(parse->text, bad), hint,
                            "expected UTF-8, found byte 0x%02x at byte %zu",
                            (unsigned char)parse->text.at[bad], bad);
    return true;
}

static bool check_identity(const struct brief_parse *parse) {
    for (size_t i = 0; i < sizeof required_fields / sizeof *required_fields; i++) {
        const struct required_field *field = &required_fields[i];
        const struct span *value = (const void *)((const char *)parse->brief + field->offset);
        if (value->len == 0)
            return brief_refuse(parse, parse->identity_line ? parse->identity_line : 1,
                                "Add the missing line; book, chapter and stable id are required.",
                                "the brief's identity has no \"%s\"", field->label);
    }
    return true;
}

static bool check_fingerprint(const struct brief_parse *parse) {
    struct brief *brief = parse->brief;
    if (brief->fingerprint_profile.len && !fingerprint_profile_exists(brief->fingerprint_profile))
        return brief_refuse(parse, parse->fingerprint_line ? parse->fingerprint_line : 1,
                            "Leave the profile out to try all that are known.",
                            "no normalization profile is called \"%.80s\"",
                            arena_string(parse->arena, brief->fingerprint_profile));
    if (brief->fingerprint.len == 0)
        return true;
    if (!sha256_is_hex(brief->fingerprint))
        return brief_refuse(parse, parse->fingerprint_line,
                            "Copy the fingerprint from the book's research page again.",
                            "malformed fingerprint: expected 64 hexadecimal digits, found %zu "
                            "characters \"%.80s\"",
                            brief->fingerprint.len, arena_string(parse->arena, brief->fingerprint));
    char *lower = arena_string(parse->arena, brief->fingerprint);
    for (char *at = lower; *at; at++)
        if (*at >= 'A' && *at <= 'F')
            *at += 'a' - 'A';
    brief->fingerprint = span_of(lower);
    return true;
}

static bool parse_form(struct brief_parse *parse) {
    struct span text = span_slice(parse->text, brief_bom(parse->text), parse->text.len);
    struct span first, rest = span_trim(text);
    if (span_starts(rest, SPAN("{")))
        return brief_parse_json(parse);
    if (span_next_line(&rest, &first) && span_equal(span_trim(first), SPAN("---")))
        return brief_parse_markdown(parse);
    return brief_parse_text(parse);
}

bool brief_parse(struct arena *arena, struct span text, const char *where, struct brief *brief,
                 struct error *error) {
    *brief = (struct brief){0};
    struct brief_parse parse = {
        .arena = arena, .where = where, .text = text, .brief = brief, .error = error};
    return check_bytes(&parse) && parse_form(&parse) && check_identity(&parse) &&
           check_fingerprint(&parse);
}
