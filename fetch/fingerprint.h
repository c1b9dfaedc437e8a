/* Fingerprints: SHA-256 of a text after a named normalization profile. A brief says "sha256,
 * normalized" without naming the normalization, so every profile is tried and the one that matched
 * is recorded. A profile is a short composition of steps, see fingerprint.c. */
#ifndef FETCH_FINGERPRINT_H
#define FETCH_FINGERPRINT_H

#include "core/memory.h"

size_t fingerprint_profile_count(void);
/* Name of a profile ("lf-nfc") and one line on what it does; "" beyond the last. */
const char *fingerprint_profile_name(size_t index);
struct span fingerprint_profile_steps(struct arena *arena, size_t index);
bool fingerprint_profile_exists(struct span name);

/* Appends text normalized by the profile; false when there is no such profile or the text cannot
 * be normalized so (NFC of bytes that are not UTF-8). */
bool fingerprint_normalize(struct buffer *out, struct span profile, struct span text);

struct fingerprint_search {
    struct span profile; /* that matched; empty when none did */
    struct span tried;   /* names, comma-separated, in the order tried */
};

/* Looks for the profile whose hash of text is expected (64 hexadecimal digits). pinned, when not
 * empty, is the only one tried. */
struct fingerprint_search fingerprint_search(struct arena *arena, struct span text,
                                             struct span expected, struct span pinned);

#endif
