/* UTF-8 as of RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include "core/memory.h"

#include <stdint.h>

/* Bytes of the first code point of text (1 to 4), or 0 when it is not valid UTF-8 or empty. */
size_t utf8_decode(struct span text, uint32_t *code);
void utf8_encode(struct buffer *out, uint32_t code);
/* Offset of the first byte that is not UTF-8, or SIZE_MAX. */
size_t utf8_first_invalid(struct span text);
/* Appends text with each maximal invalid part replaced by U+FFFD; returns how many were. */
size_t utf8_repair(struct buffer *out, struct span text);
/* Appends the Unicode NFC form of valid UTF-8 (utf8proc); false when it is not valid. */
bool utf8_nfc(struct buffer *out, struct span text);

#endif
