/* Sphinx inventories: which release of which project a documentation page belongs to. Asked where
 * the page itself said that Sphinx made it and where its root is. */
#include "fetch/service.h"

#include "fetch/sphinx_inventory.h"
#include "fetch/url_map.h"

static struct span root_of(const struct service_item *item) {
    const struct service_answer *page = service_answer_of(item, "page");
    return page->found ? page->record->docs_root : SPAN("");
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return root_of(item).len > 0;
}

static void ask(struct service_ask *ask) {
    ask->request->url = url_resolve(ask->arena, root_of(ask->items[0]), SPAN("objects.inv"));
}

static const char *read(struct service_reply *reply) {
    struct sphinx_inventory inventory;
    const char *fault = sphinx_inventory_read(reply->arena, reply->result->body, &inventory);
    if (fault)
        return fault;
    struct service_record *record = service_found(reply, 0);
    record->fields = (struct source_record){
        .identifier = reply->result->final_url,
        .kind = SPAN("documentation"),
        .venue = service_clean(reply->arena, inventory.project),
        .version = service_clean(reply->arena, inventory.version),
        .url = root_of(reply->items[0]),
    };
    return NULL;
}

const struct service service_sphinx = {
    .id = "sphinx",
    .base = "",
    .absent = "the documentation has no inventory at its root",
    .batch = 1,
    .max_bytes = 32 << 20,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
