#include "fetch/around.h"

#include "core/file.h"
#include "core/hash.h"
#include "fetch/sources_name.h"
#include "fetch/url.h"

/* Pages that show a file of a repository: behind the prefix stand owner/name/blob/ref/path. */
static const char *const viewers[] = {"https://colab.research.google.com/github/",
                                      "https://github.com/", "https://www.github.com/",
                                      "https://nbviewer.org/github/"};

/* "https://github.com/o/r/blob/main/a.ipynb?x#y" ->
 * "https://raw.githubusercontent.com/o/r/main/a.ipynb" */
struct span material_raw_url(struct arena *arena, struct span url) {
    for (size_t i = 0; i < sizeof viewers / sizeof *viewers; i++) {
        struct span rest = url, owner, name, verb;
        if (!span_starts_nocase(url, span_of(viewers[i])))
            continue;
        rest = span_slice(rest, strlen(viewers[i]), rest.len);
        size_t query = span_find_byte(rest, '?', 0), mark = span_find_byte(rest, '#', 0);
        rest = span_slice(rest, 0, query < mark ? query : mark);
        if (span_next_field(&rest, '/', &owner) && span_next_field(&rest, '/', &name) &&
            span_next_field(&rest, '/', &verb) && span_equal(verb, SPAN("blob")) && owner.len &&
            name.len && span_find_byte(rest, '/', 0) != SIZE_MAX)
            return arena_printf(arena, "https://raw.githubusercontent.com/%.*s/%.*s/%.*s",
                                SPAN_ARG(owner), SPAN_ARG(name), SPAN_ARG(rest));
    }
    return url;
}

/* The last part of the URL's path, made safe: nothing that a server or a brief says can leave the
 * folder. */
static struct span file_name(struct arena *arena, struct span url, size_t number) {
    size_t end = span_find_byte(url, '?', 0);
    url = span_slice(url, 0, end);
    while (url.len && url.at[url.len - 1] == '/')
        url.len--;
    size_t from = url.len;
    while (from > 0 && url.at[from - 1] != '/')
        from--;
    return arena_printf(arena, "materials/%zu-%s", number,
                        path_slug(arena, span_slice(url, from, url.len)));
}

bool around_keep_materials(struct arena *arena, const struct pass *pass, struct around *around,
                           struct error *error) {
    for (size_t i = 0; i < around->material_count; i++) {
        struct around_material *material = &around->materials[i];
        if (!http_is_ok(&material->result))
            continue;
        material->file = file_name(arena, material->asked, i + 1);
        if (!folder_make(pass_path(arena, pass, "materials"), error) ||
            !pass_write(pass, arena_string(arena, material->file), material->result.body, error))
            return false;
    }
    return true;
}

static struct source *find_row(struct arena *arena, struct sources *sources, struct span url) {
    struct source_name name;
    if (!source_name_url(arena, url, &name))
        return NULL;
    for (size_t i = 0; i < sources->count; i++)
        if (span_equal(sources->sources[i].id, name.id))
            return &sources->sources[i];
    return NULL;
}

/* 404 and 410 say that there is nothing; anything else may pass. */
static void describe_failure(struct arena *arena, const struct http_result *result,
                             struct span asked, struct source *row) {
    bool gone = result->status == 404 || result->status == 410;
    if (gone)
        row->reading = READING_NOT_ACCESSIBLE;
    row->limitation = arena_printf(arena, "could not be fetched from %.*s: %.*s", SPAN_ARG(asked),
                                   SPAN_ARG(result->reason));
}

static void describe(struct arena *arena, const struct around_material *material,
                     struct source *row) {
    const struct http_result *result = &material->result;
    struct span asked = url_redact(arena, material->asked);
    if (result->outcome == HTTP_OFFLINE || result->outcome == HTTP_NOT_ARCHIVED)
        return; /* it was not asked for */
    row->accessed_at = result->received_at;
    row->http_status = result->status;
    if (!http_is_ok(result)) {
        describe_failure(arena, result, asked, row);
        return;
    }
    row->limitation = arena_printf(
        arena, "fetched from %.*s (%zu bytes, sha256 %.12s..., kept as %.*s); nobody has read it",
        SPAN_ARG(asked), result->body.len, sha256_hex(arena, result->body).at,
        SPAN_ARG(material->file));
}

void around_describe_sources(struct arena *arena, const struct around *around,
                             const struct brief *brief, struct sources *sources) {
    for (size_t i = 0; i < around->material_count; i++) {
        struct source *row =
            find_row(arena, sources, brief->materials.items[around->materials[i].item].url);
        if (row)
            describe(arena, &around->materials[i], row);
    }
}
