/* Content codings (RFC 9110, 8.4.1) with a bound on what comes out: a few bytes can stand for
 * gigabytes. */
#include "fetch/http_exchange.h"

#include <brotli/decode.h>
#include <zlib.h>

enum decode_end { DECODED, DECODE_TOO_LARGE, DECODE_CUT, DECODE_BAD };

struct decode {
    struct span in;
    struct buffer *out;
    size_t max_bytes;
    size_t used; /* bytes of in that belong to the coded data */
};

typedef enum decode_end decoder(struct decode *decode);

enum { PIECE_BYTES = 64 << 10 };

/* Inflates one member or stream; *used counts what it took. */
static enum decode_end inflate_one(struct decode *decode, z_stream *stream) {
    for (;;) {
        stream->next_out = (Bytef *)buffer_reserve(decode->out, PIECE_BYTES);
        stream->avail_out = PIECE_BYTES;
        int code = inflate(stream, Z_NO_FLUSH);
        decode->out->len += PIECE_BYTES - stream->avail_out;
        if (decode->out->len > decode->max_bytes)
            return DECODE_TOO_LARGE;
        if (code == Z_STREAM_END)
            return DECODED;
        if (code == Z_BUF_ERROR || (code == Z_OK && stream->avail_in == 0 && stream->avail_out))
            return DECODE_CUT;
        if (code != Z_OK)
            return DECODE_BAD;
    }
}

static enum decode_end inflate_all(struct decode *decode, int window_bits, bool members) {
    z_stream stream = {0};
    if (inflateInit2(&stream, window_bits) != Z_OK)
        return DECODE_BAD;
    stream.next_in = (Bytef *)(uintptr_t)decode->in.at;
    stream.avail_in = (uInt)decode->in.len; /* bodies are bounded far below 4 GiB */
    enum decode_end end;
    do {
        end = inflate_one(decode, &stream);
        decode->used = decode->in.len - stream.avail_in;
        /* Members follow each other (RFC 1952, 2.2); anything else behind one is ignored. */
        members = members && end == DECODED && stream.avail_in > 2 && stream.next_in[0] == 0x1f &&
                  stream.next_in[1] == 0x8b;
    } while (members && inflateReset(&stream) == Z_OK);
    inflateEnd(&stream);
    return end;
}

static enum decode_end decode_gzip(struct decode *decode) {
    return inflate_all(decode, 16 + MAX_WBITS, true);
}

/* "deflate" means the zlib format; some servers send it raw. */
static enum decode_end decode_deflate(struct decode *decode) {
    enum decode_end end = inflate_all(decode, MAX_WBITS, false);
    if (end != DECODE_BAD)
        return end;
    buffer_clear(decode->out);
    return inflate_all(decode, -MAX_WBITS, false);
}

static enum decode_end decode_brotli(struct decode *decode) {
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!state)
        return DECODE_BAD;
    const uint8_t *next = (const uint8_t *)decode->in.at;
    size_t left = decode->in.len;
    BrotliDecoderResult result;
    do {
        uint8_t *to = (uint8_t *)buffer_reserve(decode->out, PIECE_BYTES);
        size_t room = PIECE_BYTES;
        result = BrotliDecoderDecompressStream(state, &left, &next, &room, &to, NULL);
        decode->out->len += PIECE_BYTES - room;
    } while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT &&
             decode->out->len <= decode->max_bytes);
    decode->used = decode->in.len - left;
    BrotliDecoderDestroyInstance(state);
    if (decode->out->len > decode->max_bytes)
        return DECODE_TOO_LARGE;
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
        return DECODE_CUT;
    return result == BROTLI_DECODER_RESULT_SUCCESS ? DECODED : DECODE_BAD;
}

static enum decode_end decode_identity(struct decode *decode) {
    buffer_add(decode->out, decode->in);
    decode->used = decode->in.len;
    return decode->in.len > decode->max_bytes ? DECODE_TOO_LARGE : DECODED;
}

static const struct coding {
    const char *name;
    decoder *decode;
} codings[] = {
    {"gzip", decode_gzip}, {"x-gzip", decode_gzip},       {"deflate", decode_deflate},
    {"br", decode_brotli}, {"identity", decode_identity}, {"", decode_identity},
};

static const struct coding *find_coding(struct span name) {
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++)
        if (span_equal_nocase(name, span_of(codings[i].name)))
            return &codings[i];
    return NULL;
}

static bool fail(struct arena *arena, enum decode_end end, struct span name, size_t max_bytes,
                 enum http_outcome *outcome, struct span *reason) {
    *outcome = end == DECODE_TOO_LARGE ? HTTP_TOO_LARGE
               : end == DECODE_CUT     ? HTTP_CUT
                                       : HTTP_MALFORMED;
    *reason =
        end == DECODE_TOO_LARGE
            ? arena_printf(arena, "the decompressed body is larger than the limit of %zu bytes",
                           max_bytes)
        : end == DECODE_CUT ? arena_printf(arena, "the %.*s body ends before its data is complete",
                                           SPAN_ARG(span_slice(name, 0, 40)))
                            : arena_printf(arena, "the body does not decode as %.*s",
                                           SPAN_ARG(span_slice(name, 0, 40)));
    return false;
}

/* Cuts the last coding off the list: it was applied last, so it is undone first. */
static struct span last_coding(struct span *list) {
    size_t comma = list->len;
    while (comma > 0 && list->at[comma - 1] != ',')
        comma--;
    struct span name = span_trim(span_slice(*list, comma, list->len));
    *list = span_slice(*list, 0, comma ? comma - 1 : 0);
    return name;
}

bool http_decode(struct arena *arena, const struct http_exchange *exchange, size_t max_bytes,
                 struct span *body, size_t *trailing, enum http_outcome *outcome,
                 struct span *reason) {
    enum { MOST_CODINGS = 3 };
    struct span list = http_head_value(exchange->head, "content-encoding");
    *body = exchange->payload;
    *trailing = 0;
    for (int i = 0; list.len && body->len; i++) {
        struct span name = last_coding(&list);
        const struct coding *coding = find_coding(name);
        if (!coding || i == MOST_CODINGS)
            return fail(arena, DECODE_BAD, coding ? SPAN("so many codings") : name, max_bytes,
                        outcome, reason);
        struct buffer out = {0};
        struct decode decode = {*body, &out, max_bytes, 0};
        enum decode_end end = coding->decode(&decode);
        if (end == DECODED) {
            *trailing += body->len - decode.used;
            *body = arena_copy(arena, buffer_span(&out));
        }
        buffer_free(&out);
        if (end != DECODED)
            return fail(arena, end, name, max_bytes, outcome, reason);
    }
    return true;
}
