#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/version.h"
#include "fetch/warc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <zlib.h>

/* A body that is in the archive: by its digest, where it stands. */
struct kept_body {
    struct span digest, url, date, id;
};

struct warc_writer {
    struct arena arena;
    FILE *file;
    struct kept_body *bodies; /* open addressing, (slots), a power of two */
    size_t slots, body_count;
    size_t exchanges, records;
    unsigned char salt[16]; /* makes record ids unique; fixed under SOURCE_DATE_EPOCH */
    int failed;             /* errno of the first failure */
};

/* One record on its way out. */
struct record {
    const char *type;
    struct span url, date, content_type;
    struct buffer more; /* further header lines */
    struct span parts[2];
};

/* A UUID of version 8 (RFC 9562) from what the record is. */
static struct span make_id(struct warc_writer *writer, const struct record *record) {
    char number[32];
    snprintf(number, sizeof number, "%zu", writer->records++);
    struct span parts[] = {span_make((char *)writer->salt, sizeof writer->salt),
                           span_of(number),
                           span_of(record->type),
                           record->url,
                           record->date,
                           record->parts[0],
                           record->parts[1]};
    struct span hex = sha256_hex_parts(&writer->arena, parts, sizeof parts / sizeof *parts);
    return arena_printf(&writer->arena, "urn:uuid:%.8s-%.4s-8%.3s-a%.3s-%.12s", hex.at, hex.at + 8,
                        hex.at + 12, hex.at + 15, hex.at + 18);
}

static void put_member(struct warc_writer *writer, struct span text) {
    enum { WINDOW_BITS = 15 + 16 }; /* gzip */
    z_stream stream = {0};
    if (writer->failed || deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, 8,
                                       Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    struct buffer out = {0};
    size_t bound = deflateBound(&stream, (uLong)text.len);
    stream.next_in = (Bytef *)(uintptr_t)text.at;
    stream.avail_in = (uInt)text.len; /* bounded far below 4 GiB by the limits of a body */
    stream.next_out = (Bytef *)buffer_reserve(&out, bound);
    stream.avail_out = (uInt)bound;
    bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.len = bound - stream.avail_out;
    deflateEnd(&stream);
    if (!done || fwrite(out.at, 1, out.len, writer->file) != out.len)
        writer->failed = errno ? errno : EIO;
    buffer_free(&out);
}

/* Writes the record and returns its id. */
static struct span put(struct warc_writer *writer, struct record *record) {
    struct span id = make_id(writer, record);
    struct buffer text = {0};
    size_t bytes = record->parts[0].len + record->parts[1].len;
    struct span digest = sha256_hex_parts(&writer->arena, record->parts, 2);
    buffer_printf(&text, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <%s>\r\nWARC-Date: %.*s\r\n",
                  record->type, id.at, SPAN_ARG(record->date));
    if (record->url.len)
        buffer_printf(&text, "WARC-Target-URI: %.*s\r\n", SPAN_ARG(record->url));
    buffer_add(&text, buffer_span(&record->more));
    buffer_printf(&text,
                  "WARC-Block-Digest: sha256:%.*s\r\nContent-Type: %.*s\r\n"
                  "Content-Length: %zu\r\n\r\n",
                  SPAN_ARG(digest), SPAN_ARG(record->content_type), bytes);
    buffer_add(&text, record->parts[0]);
    buffer_add(&text, record->parts[1]);
    buffer_add(&text, SPAN("\r\n\r\n"));
    put_member(writer, buffer_span(&text));
    buffer_free(&text);
    buffer_free(&record->more);
    return id;
}

static void put_info(struct warc_writer *writer) {
    static const char fields[] = "software: assay/" ASSAY_VERSION "\r\n"
                                 "format: WARC File Format 1.1\r\n"
                                 "conformsTo: http://iipc.github.io/warc-specifications/"
                                 "specifications/warc-format/warc-1.1/\r\n";
    struct record record = {.type = "warcinfo",
                            .date = clock_rfc3339(&writer->arena, clock_now()),
                            .content_type = SPAN("application/warc-fields"),
                            .parts = {span_of(fields), SPAN("")}};
    buffer_add_string(&record.more, "WARC-Filename: archive.warc.gz\r\n");
    put(writer, &record);
}

struct warc_writer *warc_create(struct error *error) {
    FILE *file = tmpfile();
    if (!file) {
        error_system(error, errno, "archive.warc.gz", "Free space in TMPDIR and run again.",
                     "cannot make a temporary file for the archive");
        return NULL;
    }
    struct warc_writer *writer = memory_alloc(sizeof *writer);
    *writer = (struct warc_writer){.file = file, .slots = 256};
    arena_init(&writer->arena);
    writer->bodies = arena_array(&writer->arena, writer->slots, sizeof *writer->bodies);
    if (!getenv("SOURCE_DATE_EPOCH"))
        (void)!getrandom(writer->salt, sizeof writer->salt, 0);
    return writer;
}

void warc_free(struct warc_writer *writer) {
    if (!writer)
        return;
    fclose(writer->file);
    arena_free(&writer->arena);
    free(writer);
}

size_t warc_count(const struct warc_writer *writer) {
    return writer->exchanges;
}

static struct kept_body *slot_of(struct kept_body *bodies, size_t slots, struct span digest) {
    size_t at = 0;
    for (size_t i = 0; i < 8; i++) /* the digest is as random as a hash gets */
        at = at * 31 + (unsigned char)digest.at[i];
    while (bodies[at & (slots - 1)].digest.len &&
           !span_equal(bodies[at & (slots - 1)].digest, digest))
        at++;
    return &bodies[at & (slots - 1)];
}

static void grow(struct warc_writer *writer) {
    size_t slots = writer->slots * 2;
    struct kept_body *bodies = arena_array(&writer->arena, slots, sizeof *bodies);
    for (size_t i = 0; i < writer->slots; i++)
        if (writer->bodies[i].digest.len)
            *slot_of(bodies, slots, writer->bodies[i].digest) = writer->bodies[i];
    writer->bodies = bodies;
    writer->slots = slots;
}

static void remember(struct warc_writer *writer, struct kept_body body) {
    if (writer->body_count * 2 > writer->slots)
        grow(writer);
    struct kept_body *slot = slot_of(writer->bodies, writer->slots, body.digest);
    if (slot->digest.len)
        return;
    *slot = (struct kept_body){arena_copy(&writer->arena, body.digest),
                               arena_copy(&writer->arena, body.url),
                               arena_copy(&writer->arena, body.date), body.id};
    writer->body_count++;
}

static void put_request(struct warc_writer *writer, const struct http_exchange *exchange,
                        struct span response_id) {
    struct record record = {.type = "request",
                            .url = exchange->url,
                            .date = exchange->date,
                            .content_type = SPAN("application/http; msgtype=request"),
                            .parts = {http_request_shown(&writer->arena, exchange), SPAN("")}};
    if (exchange->request.len == 0)
        return;
    buffer_printf(&record.more, "WARC-Concurrent-To: <%.*s>\r\n", SPAN_ARG(response_id));
    put(writer, &record);
}

/* A response, or a revisit of the body at `kept` with this profile. */
static struct span put_answer(struct warc_writer *writer, const struct http_exchange *exchange,
                              struct span digest, const struct kept_body *kept,
                              const char *profile) {
    struct record record = {
        .type = kept ? "revisit" : "response",
        .url = exchange->url,
        .date = exchange->date,
        .content_type = SPAN("application/http; msgtype=response"),
        .parts = {http_head_plain(&writer->arena, exchange), kept ? SPAN("") : exchange->payload}};
    buffer_printf(&record.more, "WARC-Payload-Digest: sha256:%.*s\r\n", SPAN_ARG(digest));
    buffer_printf(&record.more, "WARC-Protocol: %.*s\r\n", SPAN_ARG(exchange->protocol));
    if (kept)
        buffer_printf(&record.more,
                      "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/%s\r\n"
                      "WARC-Refers-To: <%.*s>\r\nWARC-Refers-To-Target-URI: %.*s\r\n"
                      "WARC-Refers-To-Date: %.*s\r\n",
                      profile, SPAN_ARG(kept->id), SPAN_ARG(kept->url), SPAN_ARG(kept->date));
    return put(writer, &record);
}

static void put_failure(struct warc_writer *writer, const struct http_exchange *exchange) {
    struct span text = arena_printf(&writer->arena, "outcome: %s\r\nreason: %.*s\r\n",
                                    word_of(&http_outcome_words, (int)exchange->outcome),
                                    SPAN_ARG(exchange->reason));
    struct record record = {.type = "metadata",
                            .url = exchange->url,
                            .date = exchange->date,
                            .content_type = SPAN("application/warc-fields"),
                            .parts = {text, SPAN("")}};
    put_request(writer, exchange, put(writer, &record));
}

static struct span put_whole(struct warc_writer *writer, const struct http_exchange *exchange) {
    struct span digest = sha256_hex(&writer->arena, exchange->payload);
    struct kept_body *slot = slot_of(writer->bodies, writer->slots, digest);
    bool again = exchange->payload.len && slot->digest.len;
    struct span id =
        put_answer(writer, exchange, digest, again ? slot : NULL, "identical-payload-digest");
    if (exchange->payload.len && !again)
        remember(writer, (struct kept_body){digest, exchange->url, exchange->date, id});
    return id;
}

void warc_add(struct warc_writer *writer, const struct http_exchange *exchange) {
    if (writer->exchanges++ == 0)
        put_info(writer);
    if (exchange->outcome != HTTP_ANSWERED)
        put_failure(writer, exchange);
    else
        put_request(writer, exchange, put_whole(writer, exchange));
}

void warc_add_unchanged(struct warc_writer *writer, const struct http_exchange *exchange,
                        const struct http_exchange *stored) {
    if (writer->exchanges++ == 0)
        put_info(writer);
    struct kept_body kept = {sha256_hex(&writer->arena, stored->payload), stored->url, stored->date,
                             put_whole(writer, stored)};
    put_request(writer, exchange,
                put_answer(writer, exchange, kept.digest, &kept, "server-not-modified"));
}

bool warc_finish(struct warc_writer *writer, const char *path, struct error *error) {
    if (fflush(writer->file) != 0 && !writer->failed)
        writer->failed = errno;
    long bytes = ftell(writer->file);
    if (writer->failed || bytes < 0)
        return error_system(error, writer->failed, path, "Free space in TMPDIR and run again.",
                            "the archive could not be written");
    if (bytes == 0)
        return file_write(path, SPAN(""), error);
    void *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, fileno(writer->file), 0);
    if (map == MAP_FAILED)
        return error_system(error, errno, path, "Run again.", "the archive could not be read back");
    bool ok = file_write(path, span_make(map, (size_t)bytes), error);
    munmap(map, (size_t)bytes);
    return ok;
}
