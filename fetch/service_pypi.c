/* The Python package index: whether a release exists, was yanked, and what the latest is. Versions
 * are compared by PEP 440; yanked releases and pre-releases are no "latest". Its base URL is ours
 * (--service pypi=URL), else that of pip's PIP_INDEX_URL where that ends in /simple. */
#include "fetch/service.h"

#include "fetch/url.h"
#include "fetch/version_pep440.h"

#include <stdint.h>
#include <stdlib.h>

/* "torch@2.6.0+cu118" */
static void cut(const struct service_item *item, struct span *package, struct span *version) {
    struct span id = service_id(item, "pypi:");
    size_t at = span_find_byte(id, '@', 0);
    *package = span_slice(id, 0, at == SIZE_MAX ? id.len : at);
    *version = at == SIZE_MAX ? SPAN("") : span_slice(id, at + 1, id.len);
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    (void)settings, (void)why;
    return service_id(item, "pypi:").len > 0;
}

static void ask(struct service_ask *ask) {
    struct span package, version;
    cut(ask->items[0], &package, &version);
    ask->request->url = arena_printf(ask->arena, "%.*s/pypi/%.*s/json", SPAN_ARG(ask->base),
                                     SPAN_ARG(service_escape(ask->arena, package, "")));
}

/* "https://host/path/simple" -> "https://host/path" */
static struct span pip_base(void) {
    struct span index = span_of(getenv("PIP_INDEX_URL"));
    while (span_ends(index, SPAN("/")))
        index.len--;
    bool usable = url_is_http(index) && span_ends(index, SPAN("/simple")) &&
                  span_find_byte(index, '@', 0) == SIZE_MAX;
    return usable ? span_slice(index, 0, index.len - 7) : SPAN("");
}

struct release {
    const char *name; /* NULL = none */
    struct version440 version;
    const cJSON *files;
};

static bool is_yanked(const cJSON *files) {
    const cJSON *file;
    cJSON_ArrayForEach(file, files) if (!json_flag(file, "yanked", false)) return false;
    return cJSON_GetArraySize(files) > 0;
}

static struct span upload_date(struct arena *arena, const cJSON *files) {
    struct span time =
        files && files->child ? json_text(arena, files->child, "upload_time_iso_8601") : SPAN("");
    return span_slice(time, 0, 10);
}

static struct release latest_of(const cJSON *releases) {
    struct release latest = {0};
    const cJSON *files;
    cJSON_ArrayForEach(files, releases) {
        struct release one = {files->string, {0}, files};
        if (!version440_read(span_of(one.name), &one.version) || version440_is_pre(&one.version) ||
            is_yanked(files) || cJSON_GetArraySize(files) == 0)
            continue;
        if (!latest.name || version440_compare(&one.version, &latest.version) > 0)
            latest = one;
    }
    return latest;
}

static struct release release_of(const cJSON *releases, struct span version) {
    struct version440 wanted, have;
    const cJSON *files;
    if (!version440_read(version, &wanted))
        return (struct release){0};
    cJSON_ArrayForEach(files, releases) if (version440_read(span_of(files->string), &have) &&
                                            version440_compare(&wanted, &have) ==
                                                0) return (struct release){files->string, have,
                                                                           files};
    return (struct release){0};
}

static void judge(struct arena *arena, const cJSON *releases, struct span version,
                  struct service_record *record) {
    struct release named = release_of(releases, version), latest = latest_of(releases);
    if (!named.name) {
        service_note(arena, record, "phantom identifier", SEVERITY_MEDIUM,
                     "the index has the package but no release %.*s", SPAN_ARG(version));
        return;
    }
    record->fields.version = arena_copy(arena, span_of(named.name));
    record->fields.date = upload_date(arena, named.files);
    record->fields.year = service_year(record->fields.date);
    if (is_yanked(named.files))
        service_note(arena, record, "yanked", SEVERITY_MEDIUM, "release %s was yanked", named.name);
    if (latest.name && version440_compare(&named.version, &latest.version) < 0)
        service_note(arena, record, "later version", SEVERITY_INFO,
                     "%s is named; the latest release is %s of %.*s", named.name, latest.name,
                     SPAN_ARG(upload_date(arena, latest.files)));
}

static const char *read(struct service_reply *reply) {
    struct arena *arena = reply->arena;
    const char *fault;
    struct span package, version;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    const cJSON *info = json_member(json, "info"), *releases = json_member(json, "releases");
    struct span name = json_text(arena, info, "name");
    if (name.len == 0) {
        cJSON_Delete(json);
        return "the answer is not the index's: expected info.name";
    }
    cut(reply->items[0], &package, &version);
    struct span about = service_clean(arena, json_text(arena, info, "summary"));
    struct service_record *record = service_found(reply, 0);
    record->fields = (struct source_record){
        .identifier = name,
        .kind = SPAN("package"),
        .title =
            about.len ? arena_printf(arena, "%.*s: %.*s", SPAN_ARG(name), SPAN_ARG(about)) : name,
        .authors = service_clean(arena, json_text(arena, info, "author")),
        .venue = SPAN("Python Package Index"),
        .version = json_text(arena, info, "version"),
        .url = json_text(arena, info, "package_url"),
    };
    if (version.len > 0 && cJSON_IsObject(releases))
        judge(arena, releases, version, record);
    cJSON_Delete(json);
    return NULL;
}

const struct service service_pypi = {
    .id = "pypi",
    .base = "https://pypi.org",
    .absent = "the index has no package of that name",
    .absent_kind = "phantom identifier",
    .batch = 1,
    .most = 200,
    .max_bytes = 32 << 20,
    .accepts = accepts,
    .ask = ask,
    .read = read,
    .environment_base = pip_base,
};
