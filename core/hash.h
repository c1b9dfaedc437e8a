/* SHA-256 (FIPS 180-4) by OpenSSL. */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include "core/error.h"
#include "core/memory.h"

enum { SHA256_HEX_LEN = 64 };

/* 64 lower-case hexadecimal digits in the arena. */
struct span sha256_hex(struct arena *arena, struct span text);
/* The same for the spans in order, as if joined. */
struct span sha256_hex_parts(struct arena *arena, const struct span *parts, size_t count);
/* The same for a regular file of any size, read in pieces. *bytes gets its size. */
bool sha256_hex_file(struct arena *arena, const char *path, struct span *hex, size_t *bytes,
                     struct error *error);
/* 64 hexadecimal digits of either case. */
bool sha256_is_hex(struct span text);

#endif
