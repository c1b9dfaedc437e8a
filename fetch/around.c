#include "fetch/around.h"

#include "fetch/url.h"

static bool wants_page(const struct brief *brief, const struct snapshot *snapshot) {
    return url_is_http(brief->chapter_url) && span_equal(snapshot->scope, SPAN("full")) &&
           !span_equal(snapshot->requested_url, brief->chapter_url);
}

static void collect_materials(struct arena *arena, const struct brief *brief,
                              struct around *around) {
    around->materials = arena_array(arena, brief->materials.count, sizeof *around->materials);
    for (size_t i = 0; i < brief->materials.count; i++) {
        const struct brief_item *item = &brief->materials.items[i];
        if (!url_is_http(item->url) || around->material_count == AROUND_MATERIALS_MOST)
            continue;
        around->materials[around->material_count++] = (struct around_material){
            .item = i, .asked = material_raw_url(arena, item->url), .file = SPAN("")};
    }
}

bool around_fetch(struct arena *arena, struct http *http, const struct brief *brief,
                  const struct snapshot *snapshot, struct around *around, struct error *error) {
    static const char accept[] = "text/html, text/plain, text/markdown, */*;q=0.5";
    *around = (struct around){.has_page = wants_page(brief, snapshot),
                              .has_pack = url_is_http(brief->research_pack_url)};
    collect_materials(arena, brief, around);
    size_t most = around->material_count + 2, count = 0, used = 0;
    struct http_request *requests = arena_array(arena, most, sizeof *requests);
    struct http_result *results = arena_array(arena, most, sizeof *results);
    struct http_request page = {.accept = span_of(accept), .max_bytes = AROUND_PAGE_BYTES};
    page.url = brief->chapter_url;
    if (around->has_page)
        requests[count++] = page;
    page.url = brief->research_pack_url;
    if (around->has_pack)
        requests[count++] = page;
    for (size_t i = 0; i < around->material_count; i++)
        requests[count++] = (struct http_request){.url = around->materials[i].asked};
    if (!http_fetch_all(http, arena, requests, count, results, error))
        return false;
    if (around->has_page)
        around->page = results[used++];
    if (around->has_pack)
        around->pack = results[used++];
    for (size_t i = 0; i < around->material_count; i++)
        around->materials[i].result = results[used++];
    return true;
}
