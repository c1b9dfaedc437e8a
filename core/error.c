#include "core/error.h"

#include "core/memory.h"
#include "core/terminal.h"

#include <stdio.h>

static void fill(char *field, size_t size, struct span text) {
    struct buffer safe = {0};
    terminal_escape(&safe, text);
    snprintf(field, size, "%.*s", SPAN_ARG(buffer_span(&safe)));
    buffer_free(&safe);
}

static void set(struct error *error, enum error_kind kind, const char *where, const char *hint,
                const struct buffer *message) {
    if (!error)
        return;
    error->kind = kind;
    fill(error->where, sizeof error->where, span_of(where));
    fill(error->hint, sizeof error->hint, span_of(hint));
    fill(error->message, sizeof error->message, buffer_span(message));
}

bool error_set(struct error *error, enum error_kind kind, const char *where, const char *hint,
               const char *format, ...) {
    struct buffer message = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&message, format, arguments);
    va_end(arguments);
    set(error, kind, where, hint, &message);
    buffer_free(&message);
    return false;
}

bool error_system(struct error *error, int errno_value, const char *where, const char *hint,
                  const char *format, ...) {
    struct buffer message = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&message, format, arguments);
    va_end(arguments);
    buffer_printf(&message, ": %s", strerror(errno_value));
    set(error, ERROR_SYSTEM, where, hint, &message);
    buffer_free(&message);
    return false;
}
