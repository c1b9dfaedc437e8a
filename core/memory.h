/* Memory: one arena for everything that lives as long as a stage, and one growing buffer to write
 * with. Neither ever returns NULL: when the system has no memory left the handler set by the
 * program runs (the command line prints one message and ends with exit status 6). */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include "core/span.h"

#include <stdarg.h>

/* handler must not return. Without one, exhaustion aborts. */
void memory_on_exhausted(void (*handler)(size_t wanted_bytes));

/* Checked replacements for malloc and friends, for the few things that live outside an arena. */
void *memory_alloc(size_t bytes);
void *memory_resize(void *at, size_t bytes);

/* All allocations are 16-byte aligned, zeroed, and freed together by arena_free. */
struct arena {
    struct arena_chunk *chunks;
    size_t used_bytes; /* handed out so far */
};

void arena_init(struct arena *arena);
void arena_free(struct arena *arena);
void *arena_alloc(struct arena *arena, size_t bytes);
/* count * size bytes; an overflow counts as exhaustion. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* A copy with a NUL behind it (not counted in len). */
struct span arena_copy(struct arena *arena, struct span text);
char *arena_string(struct arena *arena, struct span text);
struct span arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A list that doubles inside an arena: LIST_PUSH(arena, items, count, capacity, value). */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);
/* Room for so many items more at once, where their number is known: LIST_RESERVE(arena, items,
 * count, capacity, more). Room that stays unused costs addresses, not memory. */
void *arena_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t more,
                    size_t size);
#define LIST_RESERVE(arena, items, count, capacity, more)                                          \
    ((items) = arena_reserve((arena), (items), (count), &(capacity), (more), sizeof *(items)))
#define LIST_PUSH(arena, items, count, capacity, ...)                                              \
    do {                                                                                           \
        if ((count) == (capacity))                                                                 \
            (items) = arena_grow((arena), (items), (count), &(capacity), sizeof *(items));         \
        (items)[(count)++] = (__VA_ARGS__);                                                        \
    } while (0)

/* Growing text. at[len] is always NUL once anything was added. Owner calls buffer_free. */
struct buffer {
    char *at;
    size_t len, capacity;
};

void buffer_free(struct buffer *buffer);
void buffer_clear(struct buffer *buffer);
/* Makes room for at least bytes more and a NUL. */
void buffer_extend(struct buffer *buffer, size_t bytes);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments);
/* Room for bytes more; returns where they go. Follow with buffer->len += n. */
static inline char *buffer_reserve(struct buffer *buffer, size_t bytes) {
    if (bytes >= buffer->capacity - buffer->len)
        buffer_extend(buffer, bytes);
    return buffer->at + buffer->len;
}

static inline void buffer_add(struct buffer *buffer, struct span text) {
    char *to = buffer_reserve(buffer, text.len);
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    buffer->len += text.len;
}

static inline void buffer_add_byte(struct buffer *buffer, char byte) {
    char *to = buffer_reserve(buffer, 1);
    to[0] = byte;
    to[1] = '\0';
    buffer->len++;
}

void buffer_add_string(struct buffer *buffer, const char *text);
static inline struct span buffer_span(const struct buffer *buffer) {
    return (struct span){buffer->at ? buffer->at : "", buffer->len};
}

#endif
