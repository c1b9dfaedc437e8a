#include "fetch/http_exchange.h"

int http_head_status(struct span head) {
    struct span line, version;
    size_t status;
    if (!span_next_line(&head, &line) || !span_starts(line, SPAN("HTTP/")) ||
        !span_next_field(&line, ' ', &version))
        return 0;
    return span_to_size(span_slice(line, 0, 3), 999, &status) ? (int)status : 0;
}

static struct span lower(struct arena *arena, struct span name) {
    char *copy = arena_string(arena, name);
    for (char *at = copy; *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at += 'a' - 'A';
    return span_make(copy, name.len);
}

static bool split(struct span line, struct span *name, struct span *value) {
    size_t colon = span_find_byte(line, ':', 0);
    if (colon == SIZE_MAX || colon == 0)
        return false;
    *name = span_slice(line, 0, colon);
    *value = span_trim(span_slice(line, colon + 1, line.len));
    return span_trim(*name).len == name->len;
}

struct snapshot_header *http_head_parse(struct arena *arena, struct span head, size_t *count) {
    struct snapshot_header *headers = NULL;
    size_t capacity = 0;
    struct span line, name, value;
    *count = 0;
    span_next_line(&head, &line);
    while (span_next_line(&head, &line)) {
        bool folded = line.len && (line.at[0] == ' ' || line.at[0] == '\t');
        if (folded && *count) {
            struct span *last = &headers[*count - 1].value;
            *last = arena_printf(arena, "%.*s %.*s", SPAN_ARG(*last), SPAN_ARG(span_trim(line)));
        } else if (!folded && split(line, &name, &value)) {
            struct snapshot_header header = {lower(arena, name), arena_copy(arena, value)};
            LIST_PUSH(arena, headers, *count, capacity, header);
        }
    }
    return headers;
}

struct span http_head_value(struct span head, const char *name) {
    struct span line, found, value;
    span_next_line(&head, &line);
    while (span_next_line(&head, &line))
        if (split(line, &found, &value) && span_equal_nocase(found, span_of(name)))
            return value;
    return SPAN("");
}
