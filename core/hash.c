#include "core/hash.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct span sha256_hex(struct arena *arena, struct span text) {
    return sha256_hex_parts(arena, &text, 1);
}

struct span sha256_hex_parts(struct arena *arena, const struct span *parts, size_t count) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int len = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    for (size_t i = 0; ok && i < count; i++)
        ok = EVP_DigestUpdate(context, parts[i].at, parts[i].len) == 1;
    ok = ok && EVP_DigestFinal_ex(context, digest, &len) == 1;
    EVP_MD_CTX_free(context);
    if (!ok)
        abort(); /* only a broken OpenSSL or no memory gets here; a wrong hash must never leave */
    static const char hex[] = "0123456789abcdef";
    char *text = arena_alloc(arena, SHA256_HEX_LEN + 1);
    for (unsigned int i = 0; i < len; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    return span_make(text, SHA256_HEX_LEN);
}

bool sha256_is_hex(struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return false;
    }
    return text.len == SHA256_HEX_LEN;
}
