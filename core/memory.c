#include "core/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK_BYTES = 1 << 16, ALIGNMENT = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

static void (*exhausted_handler)(size_t);

void memory_on_exhausted(void (*handler)(size_t)) {
    exhausted_handler = handler;
}

static _Noreturn void exhausted(size_t bytes) {
    if (exhausted_handler)
        exhausted_handler(bytes);
    abort();
}

void *memory_alloc(size_t bytes) {
    void *at = calloc(1, bytes ? bytes : 1);
    if (!at)
        exhausted(bytes);
    return at;
}

void *memory_resize(void *at, size_t bytes) {
    void *moved = realloc(at, bytes ? bytes : 1);
    if (!moved)
        exhausted(bytes);
    return moved;
}

void arena_init(struct arena *arena) {
    *arena = (struct arena){0};
}

void arena_free(struct arena *arena) {
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    arena_init(arena);
}

/* Bytes that the arena rounds a request up to. */
static size_t aligned(size_t bytes) {
    return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

void *arena_alloc(struct arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        exhausted(bytes);
    size_t size = aligned(bytes);
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES / 4 ? size : CHUNK_BYTES;
        struct arena_chunk *fresh = memory_alloc(sizeof *fresh + room);
        fresh->size = room;
        /* A large block goes behind the current chunk, whose room stays usable. */
        if (chunk && room != CHUNK_BYTES) {
            fresh->next = chunk->next;
            chunk->next = fresh;
        } else {
            fresh->next = chunk;
            arena->chunks = fresh;
        }
        chunk = fresh;
    }
    void *at = chunk->bytes + chunk->used;
    chunk->used += size;
    arena->used_bytes += size;
    return at;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        exhausted(SIZE_MAX);
    return arena_alloc(arena, bytes);
}

/* Whether the block is the last of the current chunk and could be made longer there. */
static bool extend_last(struct arena *arena, void *items, size_t old, size_t wanted) {
    struct arena_chunk *chunk = arena->chunks;
    if (!items || !chunk || (char *)items + old != chunk->bytes + chunk->used ||
        chunk->size - chunk->used < wanted - old)
        return false;
    chunk->used += wanted - old;
    arena->used_bytes += wanted - old;
    return true;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    size_t first = size > 64 ? 2 : size > 16 ? 4 : 8;
    size_t old = *capacity, wanted = old ? old * 2 : first;
    *capacity = wanted;
    if (extend_last(arena, items, aligned(old * size), aligned(wanted * size)))
        return items;
    void *moved = arena_array(arena, wanted, size);
    if (count)
        memcpy(moved, items, count * size);
    return moved;
}

void *arena_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t more,
                    size_t size) {
    if (*capacity - count >= more)
        return items;
    size_t wanted = count + more;
    void *moved = arena_array(arena, wanted, size);
    if (count)
        memcpy(moved, items, count * size);
    *capacity = wanted;
    return moved;
}

struct span arena_copy(struct arena *arena, struct span text) {
    return (struct span){arena_string(arena, text), text.len};
}

char *arena_string(struct arena *arena, struct span text) {
    char *copy = arena_alloc(arena, text.len + 1);
    if (text.len)
        memcpy(copy, text.at, text.len);
    return copy;
}

struct span arena_printf(struct arena *arena, const char *format, ...) {
    enum { GUESS = 240 };
    char guess[GUESS];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int len = vsnprintf(guess, sizeof guess, format, arguments);
    va_end(arguments);
    if (len < 0)
        len = 0;
    char *at = arena_alloc(arena, (size_t)len + 1);
    if ((size_t)len < sizeof guess)
        memcpy(at, guess, (size_t)len);
    else
        vsnprintf(at, (size_t)len + 1, format, again);
    va_end(again);
    return (struct span){at, (size_t)len};
}

void buffer_free(struct buffer *buffer) {
    free(buffer->at);
    *buffer = (struct buffer){0};
}

void buffer_clear(struct buffer *buffer) {
    buffer->len = 0;
    if (buffer->at)
        buffer->at[0] = '\0';
}

void buffer_extend(struct buffer *buffer, size_t bytes) {
    if (bytes >= SIZE_MAX / 2 - buffer->len)
        exhausted(bytes);
    size_t wanted = buffer->len + bytes + 1;
    if (wanted <= buffer->capacity)
        return;
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 256;
    buffer->capacity = capacity > wanted ? capacity : wanted;
    buffer->at = memory_resize(buffer->at, buffer->capacity);
}

void buffer_add_string(struct buffer *buffer, const char *text) {
    buffer_add(buffer, span_of(text));
}

void buffer_printf(struct buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

/* Written into the room there is; a second time only where that was too small. */
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments) {
    enum { GUESS = 120 };
    va_list again;
    va_copy(again, arguments);
    char *to = buffer_reserve(buffer, GUESS);
    int len = vsnprintf(to, GUESS, format, arguments);
    if (len >= GUESS) {
        to = buffer_reserve(buffer, (size_t)len);
        vsnprintf(to, (size_t)len + 1, format, again);
    }
    if (len > 0)
        buffer->len += (size_t)len;
    else
        *to = '\0';
    va_end(again);
}
