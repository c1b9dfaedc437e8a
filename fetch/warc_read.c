#include "core/file.h"
#include "core/hash.h"
#include "fetch/warc.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

enum { FILE_LARGEST_BYTES = 1 << 30, TEXT_LARGEST_BYTES = 1 << 30 };

/* A record; spans point into the archive's text. */
struct item {
    struct span type, id, url, date, profile, refers_to, concurrent_to, protocol;
    struct span head, payload; /* of an HTTP message; of others the whole block is the payload */
};

/* What was asked and the item that answers it. */
struct asked {
    struct span url, accept;
    const struct item *item, *body; /* body: the item that holds the payload */
    size_t order;
};

struct warc_archive {
    struct arena arena;
    struct buffer text; /* decompressed */
    struct item *items; /* in the order of their ids */
    size_t item_count, item_capacity;
    struct asked *asked; /* by url, accept, order */
    size_t asked_count;
};

static bool refuse(struct error *error, const char *path, const char *what, size_t record) {
    return error_set(error, ERROR_INPUT, path, "Give an archive.warc.gz that a pass has written.",
                     "%s (record %zu)", what, record);
}

/* One gzip member after the other into text. */
static bool inflate_members(struct span file, struct buffer *text) {
    enum { PIECE_BYTES = 256 << 10, WINDOW_BITS = 15 + 16 };
    z_stream stream = {0};
    if (inflateInit2(&stream, WINDOW_BITS) != Z_OK)
        return false;
    stream.next_in = (Bytef *)(uintptr_t)file.at;
    stream.avail_in = (uInt)file.len;
    int code = Z_OK;
    while ((stream.avail_in || code != Z_STREAM_END) && text->len <= TEXT_LARGEST_BYTES) {
        stream.next_out = (Bytef *)buffer_reserve(text, PIECE_BYTES);
        stream.avail_out = PIECE_BYTES;
        code = inflate(&stream, Z_NO_FLUSH);
        text->len += PIECE_BYTES - stream.avail_out;
        if (code == Z_STREAM_END && stream.avail_in)
            inflateReset(&stream);
        else if (code != Z_OK && code != Z_STREAM_END)
            break;
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && stream.avail_in == 0 && text->len <= TEXT_LARGEST_BYTES;
}

static struct span without_brackets(struct span id) {
    bool both = id.len > 2 && id.at[0] == '<' && id.at[id.len - 1] == '>';
    return both ? span_slice(id, 1, id.len - 1) : id;
}

/* Up to and with the empty line. */
static struct span cut_head(struct span *rest) {
    size_t end = span_find(*rest, SPAN("\r\n\r\n"), 0);
    if (end == SIZE_MAX)
        return SPAN("");
    struct span head = span_slice(*rest, 0, end + 4);
    *rest = span_slice(*rest, end + 4, rest->len);
    return head;
}

static bool digest_holds(struct arena *arena, struct span digest, struct span block) {
    if (!span_starts(digest, SPAN("sha256:")) || digest.len != 7 + SHA256_HEX_LEN)
        return true; /* another algorithm: gzip's own checksum has to do */
    return span_equal_nocase(span_slice(digest, 7, digest.len), sha256_hex(arena, block));
}

/* Cuts one record off; NULL, or what is wrong with it. */
static const char *cut_record(struct warc_archive *archive, struct span *rest, struct item *item) {
    struct span head = cut_head(rest);
    size_t bytes;
    if (!span_starts(head, SPAN("WARC/1.")))
        return "a record does not start with WARC/1.";
    if (!span_to_size(http_head_value(head, "content-length"), rest->len, &bytes))
        return "a record is longer than the archive";
    struct span block = span_slice(*rest, 0, bytes);
    *rest = span_slice(*rest, bytes, rest->len);
    if (!span_starts(*rest, SPAN("\r\n\r\n")))
        return "a record does not end where its length says";
    *rest = span_slice(*rest, 4, rest->len);
    if (!digest_holds(&archive->arena, http_head_value(head, "warc-block-digest"), block))
        return "a record is not what its digest says";
    *item = (struct item){
        .type = http_head_value(head, "warc-type"),
        .id = without_brackets(http_head_value(head, "warc-record-id")),
        .url = without_brackets(http_head_value(head, "warc-target-uri")),
        .date = http_head_value(head, "warc-date"),
        .profile = http_head_value(head, "warc-profile"),
        .refers_to = without_brackets(http_head_value(head, "warc-refers-to")),
        .concurrent_to = without_brackets(http_head_value(head, "warc-concurrent-to")),
        .protocol = http_head_value(head, "warc-protocol"),
        .payload = block,
    };
    if (span_starts(http_head_value(head, "content-type"), SPAN("application/http")))
        item->head = cut_head(&item->payload);
    return NULL;
}

static int compare(struct span a, struct span b) {
    int order = memcmp(a.at ? a.at : "", b.at ? b.at : "", a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_id(const void *a, const void *b) {
    return compare(((const struct item *)a)->id, ((const struct item *)b)->id);
}

static int by_question(const void *left, const void *right) {
    const struct asked *a = left, *b = right;
    int order = compare(a->url, b->url);
    order = order ? order : compare(a->accept, b->accept);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static const struct item *find_item(const struct warc_archive *archive, struct span id) {
    struct item key = {.id = id};
    return id.len ? bsearch(&key, archive->items, archive->item_count, sizeof key, by_id) : NULL;
}

static bool is_answer(const struct item *item) {
    return span_equal(item->type, SPAN("response")) || span_equal(item->type, SPAN("revisit")) ||
           (span_equal(item->type, SPAN("metadata")) &&
            span_starts(item->payload, SPAN("outcome: ")));
}

static const struct item *body_of(const struct warc_archive *archive, const struct item *item) {
    const struct item *body = item;
    for (int hops = 0; body && span_equal(body->type, SPAN("revisit")) && hops < 4; hops++)
        body = find_item(archive, body->refers_to);
    return body;
}

/* The Accept headers stand in the requests, which name their answers. */
static void read_accepts(struct warc_archive *archive, struct asked *by_item) {
    for (size_t i = 0; i < archive->item_count; i++) {
        const struct item *item = &archive->items[i], *answer;
        if (span_equal(item->type, SPAN("request")) &&
            (answer = find_item(archive, item->concurrent_to)))
            by_item[answer - archive->items].accept = http_head_value(item->head, "accept");
    }
}

/* in_order holds the items as they stood in the file. */
static void index_questions(struct warc_archive *archive, const struct item *in_order) {
    struct asked *all = arena_array(&archive->arena, archive->item_count + 1, sizeof *all);
    for (size_t i = 0; i < archive->item_count; i++) {
        const struct item *item = find_item(archive, in_order[i].id);
        all[item - archive->items] = (struct asked){
            .url = item->url, .item = item, .body = body_of(archive, item), .order = i};
    }
    read_accepts(archive, all);
    archive->asked = all;
    for (size_t i = 0; i < archive->item_count; i++)
        if (all[i].item && all[i].body && is_answer(all[i].item))
            archive->asked[archive->asked_count++] = all[i];
    qsort(archive->asked, archive->asked_count, sizeof *archive->asked, by_question);
}

static bool read_records(struct warc_archive *archive, const char *path, struct error *error) {
    struct span rest = buffer_span(&archive->text);
    struct item item;
    while (rest.len) {
        const char *wrong = cut_record(archive, &rest, &item);
        if (wrong)
            return refuse(error, path, wrong, archive->item_count + 1);
        LIST_PUSH(&archive->arena, archive->items, archive->item_count, archive->item_capacity,
                  item);
    }
    if (archive->item_count == 0)
        return refuse(error, path, "the archive is empty", 0);
    struct item *in_order = arena_array(&archive->arena, archive->item_count, sizeof item);
    memcpy(in_order, archive->items, archive->item_count * sizeof item);
    qsort(archive->items, archive->item_count, sizeof item, by_id);
    index_questions(archive, in_order);
    return true;
}

static bool read_file(struct warc_archive *archive, const char *path, struct error *error) {
    struct span file;
    struct arena scratch;
    arena_init(&scratch);
    bool ok = file_read(&scratch, path, FILE_LARGEST_BYTES, ERROR_INPUT, &file, error);
    if (ok && span_starts(file, SPAN("\x1f\x8b"))) {
        ok = inflate_members(file, &archive->text) ||
             refuse(error, path, "the archive is damaged or too large: it does not decompress", 0);
    } else if (ok) {
        buffer_add(&archive->text, file);
    }
    arena_free(&scratch);
    return ok;
}

struct warc_archive *warc_open(const char *path, struct error *error) {
    struct warc_archive *archive = memory_alloc(sizeof *archive);
    *archive = (struct warc_archive){0};
    arena_init(&archive->arena);
    if (read_file(archive, path, error) && read_records(archive, path, error))
        return archive;
    warc_close(archive);
    return NULL;
}

void warc_close(struct warc_archive *archive) {
    if (!archive)
        return;
    buffer_free(&archive->text);
    arena_free(&archive->arena);
    free(archive);
}

/* The last one whose question is not behind `key`. */
static const struct asked *last_up_to(const struct warc_archive *archive, const struct asked *key) {
    size_t from = 0, to = archive->asked_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (by_question(&archive->asked[middle], key) <= 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from ? &archive->asked[from - 1] : NULL;
}

static void read_failure(const struct item *item, struct http_exchange *exchange) {
    struct span rest = item->payload, line;
    span_next_line(&rest, &line);
    int outcome = word_value(&http_outcome_words, span_slice(line, 9, line.len));
    exchange->outcome = outcome < 0 ? HTTP_MALFORMED : (enum http_outcome)outcome;
    exchange->reason =
        span_next_line(&rest, &line) ? span_slice(line, 8, line.len) : SPAN("not said");
}

bool warc_find(const struct warc_archive *archive, struct span url, struct span accept,
               struct http_exchange *exchange) {
    struct asked key = {.url = url, .accept = accept, .order = SIZE_MAX};
    const struct asked *found = last_up_to(archive, &key);
    if (!found || !span_equal(found->url, url) || !span_equal(found->accept, accept)) {
        key.accept = SPAN("\xff\xff"); /* behind every header value */
        found = last_up_to(archive, &key);
    }
    if (!found || !span_equal(found->url, url))
        return false;
    const struct item *item = found->item, *body = found->body;
    bool unchanged = span_ends(item->profile, SPAN("server-not-modified"));
    *exchange = (struct http_exchange){.url = url,
                                       .accept = accept,
                                       .head = unchanged ? body->head : item->head,
                                       .payload = body->payload,
                                       .date = unchanged ? body->date : item->date,
                                       .protocol = item->protocol,
                                       .record_id = item->id};
    exchange->status = http_head_status(exchange->head);
    if (span_equal(item->type, SPAN("metadata")))
        read_failure(item, exchange);
    return true;
}
