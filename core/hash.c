#include "core/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Only a broken OpenSSL or no memory fails here; a wrong hash must never leave. */
static void require(bool ok) {
    if (!ok)
        abort();
}

/* Fetched once: EVP_sha256() is looked up again at every use. */
static EVP_MD *sha256;

static void fetch_sha256(void) {
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

static EVP_MD_CTX *digest_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fetch_sha256);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    require(sha256 && context && EVP_DigestInit_ex(context, sha256, NULL) == 1);
    return context;
}

static struct span digest_end(struct arena *arena, EVP_MD_CTX *context) {
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int len = 0;
    require(EVP_DigestFinal_ex(context, digest, &len) == 1);
    EVP_MD_CTX_free(context);
    char *text = arena_alloc(arena, SHA256_HEX_LEN + 1);
    for (unsigned int i = 0; i < len; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    return span_make(text, SHA256_HEX_LEN);
}

struct span sha256_hex(struct arena *arena, struct span text) {
    return sha256_hex_parts(arena, &text, 1);
}

struct span sha256_hex_parts(struct arena *arena, const struct span *parts, size_t count) {
    EVP_MD_CTX *context = digest_begin();
    for (size_t i = 0; i < count; i++)
        require(EVP_DigestUpdate(context, parts[i].at, parts[i].len) == 1);
    return digest_end(arena, context);
}

bool sha256_hex_file(struct arena *arena, const char *path, struct span *hex, size_t *bytes,
                     struct error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return error_system(error, errno, path, "Check the name and the permissions.",
                            "cannot read file");
    EVP_MD_CTX *context = digest_begin();
    char piece[1 << 16];
    ssize_t got;
    *bytes = 0;
    while ((got = read(fd, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR)) {
        if (got < 0)
            continue;
        require(EVP_DigestUpdate(context, piece, (size_t)got) == 1);
        *bytes += (size_t)got;
    }
    int cause = errno;
    close(fd);
    *hex = digest_end(arena, context);
    return got == 0 ||
           error_system(error, cause, path, "Read it from another place.", "read failed");
}

bool sha256_is_hex(struct span text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return false;
    }
    return text.len == SHA256_HEX_LEN;
}
