/* archive.warc.gz: every exchange of a pass as WARC 1.1 (ISO 28500:2017), one gzip member a record,
 * and the way back. What was answered is a request and a response, or a revisit where the body is
 * in the archive already or the server said that it has not changed (then the earlier answer stands
 * before it, so that the archive is enough by itself); what failed is a metadata record that says
 * how. No credentials: URLs, Location headers and requests are written redacted. */
#ifndef FETCH_WARC_H
#define FETCH_WARC_H

#include "fetch/http_exchange.h"

struct warc_writer;

/* Writes to a nameless temporary file until warc_finish. NULL with ERROR_SYSTEM. */
struct warc_writer *warc_create(struct error *error);
void warc_free(struct warc_writer *writer);
/* A failure to write is kept and reported by warc_finish. */
void warc_add(struct warc_writer *writer, const struct http_exchange *exchange);
/* The server answered 304 (exchange) to a question about what is stored. */
void warc_add_unchanged(struct warc_writer *writer, const struct http_exchange *exchange,
                        const struct http_exchange *stored);
/* Number of exchanges added. */
size_t warc_count(const struct warc_writer *writer);
/* Writes the archive to path, durably, all or nothing. */
bool warc_finish(struct warc_writer *writer, const char *path, struct error *error);

struct warc_archive;
/* Reads and indexes; ERROR_INPUT for what is no archive, is damaged, or larger than the limit. */
struct warc_archive *warc_open(const char *path, struct error *error);
void warc_close(struct warc_archive *archive);
/* The last exchange with that URL and Accept header, or else with that URL. Spans point into the
 * archive. */
bool warc_find(const struct warc_archive *archive, struct span url, struct span accept,
               struct http_exchange *exchange);

#endif
