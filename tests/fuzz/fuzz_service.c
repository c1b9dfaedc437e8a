/* The first byte chooses a service, the rest is what it answered about one or two items; then what
 * was read is compared with a claim and recorded. */
#include "fetch/verify_record.h"

#include <stdint.h>

static struct source_claimed claimed = {.origin = {"bibtex", 6},
                                        .title = {"A title: of some length", 23},
                                        .year = {"2020", 4},
                                        .authors = {"Author, Ann", 11},
                                        .text = {"A. Author et al., A title, 2020", 31}};

static void read_answer(struct arena *arena, size_t index, struct span body, size_t count) {
    static const char *const ids[] = {"doi:10.1000/x",     "arxiv:2205.00001", "isbn:9780131103627",
                                      "github:acme/clock", "rfc:2616",         "pypi:torch@2.6.0",
                                      "url:https://a.b/c", "mention:title"};
    struct source sources[2] = {0};
    struct service_item items[2] = {0}, *list[2] = {&items[0], &items[1]};
    struct http_result result = {.status = 200,
                                 .body = body,
                                 .url = SPAN("https://a.b/c"),
                                 .final_url = SPAN("https://a.b/d"),
                                 .content_type = SPAN("text/html"),
                                 .received_at = SPAN("2026-12-07T00:00:00Z")};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (size_t k = 0; k < 2; k++) {
            sources[k] = (struct source){.id = span_of(ids[i]), .url = SPAN("https://a.b/cv1")};
            sources[k].metadata.claimed = &claimed;
            items[k] = (struct service_item){.source = &sources[k]};
        }
        struct service_reply reply = {arena, index, list, count, &result};
        struct service_settings settings = {0};
        const char *why = NULL;
        if (!services[index]->accepts(&items[0], &settings, &why))
            continue;
        services[index]->read(&reply);
        verify_record(arena, &items[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena;
    if (size == 0)
        return 0;
    size_t index = data[0] % service_count();
    size_t count = services[index]->batch > 1 && data[0] >= 128 ? 2 : 1;
    arena_init(&arena);
    read_answer(&arena, index, span_make((const char *)data + 1, size - 1), count);
    arena_free(&arena);
    return 0;
}
