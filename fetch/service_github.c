/* GitHub: repositories, commits, issues and files. 60 requests an hour without a token
 * (ASSAY_GITHUB_TOKEN); the transport stops when the answers say that none is left. A 404 may also
 * be a private repository. */
#include "fetch/service.h"

#include <stdint.h>
#include <stdlib.h>

/* "owner/name", "owner/name#12", "owner/name@sha", "owner/name@ref:path" */
struct place {
    struct span repository, issue, ref, path;
};

static bool place_of(const struct service_item *item, struct place *place) {
    struct span id = service_id(item, "github:");
    size_t mark = 0;
    while (mark < id.len && id.at[mark] != '#' && id.at[mark] != '@')
        mark++;
    *place = (struct place){.repository = span_slice(id, 0, mark)};
    if (id.len == 0 || span_find_byte(place->repository, '/', 0) == SIZE_MAX)
        return false;
    struct span rest = span_slice(id, mark + 1, id.len);
    if (mark < id.len && id.at[mark] == '#') {
        place->issue = rest;
        return rest.len > 0;
    }
    size_t colon = span_find_byte(rest, ':', 0);
    place->ref = span_slice(rest, 0, colon == SIZE_MAX ? rest.len : colon);
    if (colon != SIZE_MAX)
        place->path = span_slice(rest, colon + 1, rest.len);
    return true;
}

static bool accepts(const struct service_item *item, const struct service_settings *settings,
                    const char **why) {
    struct place place;
    (void)settings, (void)why;
    return place_of(item, &place);
}

static void ask(struct service_ask *ask) {
    struct arena *arena = ask->arena;
    const char *token = getenv("ASSAY_GITHUB_TOKEN");
    struct place place;
    place_of(ask->items[0], &place);
    struct span repository = service_escape(arena, place.repository, "/");
    struct span tail = SPAN("");
    if (place.issue.len > 0)
        tail =
            arena_printf(arena, "/issues/%.*s", SPAN_ARG(service_escape(arena, place.issue, "")));
    else if (place.path.len > 0)
        tail = arena_printf(arena, "/contents/%.*s?ref=%.*s",
                            SPAN_ARG(service_escape(arena, place.path, "/")),
                            SPAN_ARG(service_escape(arena, place.ref, "")));
    else if (place.ref.len > 0)
        tail = arena_printf(arena, "/commits/%.*s", SPAN_ARG(service_escape(arena, place.ref, "")));
    ask->request->url = arena_printf(arena, "%.*s/repos/%.*s%.*s", SPAN_ARG(ask->base),
                                     SPAN_ARG(repository), SPAN_ARG(tail));
    ask->request->accept = SPAN("application/vnd.github+json");
    if (token && *token)
        ask->request->authorization = arena_printf(arena, "Bearer %s", token);
}

static struct span first_line(struct arena *arena, struct span text) {
    struct span line = SPAN("");
    span_next_line(&text, &line);
    return service_clean(arena, line);
}

static void read_repository(struct arena *arena, const struct place *place, const cJSON *json,
                            struct service_record *record) {
    struct span name = json_text(arena, json, "full_name");
    struct span about = service_clean(arena, json_text(arena, json, "description"));
    struct span pushed = json_text(arena, json, "pushed_at");
    record->fields = (struct source_record){
        .identifier = name,
        .kind = SPAN("repository"),
        .title =
            about.len ? arena_printf(arena, "%.*s: %.*s", SPAN_ARG(name), SPAN_ARG(about)) : name,
        .authors = json_text(arena, json_member(json, "owner"), "login"),
        .venue = SPAN("GitHub"),
        .year = service_year(pushed),
        .date = pushed,
        .version = json_text(arena, json, "default_branch"),
        .url = json_text(arena, json, "html_url"),
    };
    if (json_flag(json, "archived", false))
        service_note(arena, record, "archived", SEVERITY_LOW,
                     "the repository is archived; its last push was on %.*s",
                     SPAN_ARG(span_slice(pushed, 0, 10)));
    if (name.len > 0 && !span_equal_nocase(name, place->repository))
        service_note(arena, record, "moved", SEVERITY_LOW, "the repository is now %.*s",
                     SPAN_ARG(name));
}

static void read_commit(struct arena *arena, const cJSON *json, struct service_record *record) {
    const cJSON *commit = json_member(json, "commit"), *author = json_member(commit, "author");
    record->fields = (struct source_record){
        .identifier = json_text(arena, json, "sha"),
        .kind = SPAN("commit"),
        .title = first_line(arena, json_text(arena, commit, "message")),
        .authors = json_text(arena, author, "name"),
        .venue = SPAN("GitHub"),
        .date = json_text(arena, author, "date"),
        .version = json_text(arena, json, "sha"),
        .url = json_text(arena, json, "html_url"),
    };
    record->fields.year = service_year(record->fields.date);
}

static void read_issue(struct arena *arena, const cJSON *json, struct service_record *record) {
    record->fields = (struct source_record){
        .identifier = json_text(arena, json, "html_url"),
        .kind = json_member(json, "pull_request") ? SPAN("pull request") : SPAN("issue"),
        .title = service_clean(arena, json_text(arena, json, "title")),
        .authors = json_text(arena, json_member(json, "user"), "login"),
        .venue = SPAN("GitHub"),
        .date = json_text(arena, json, "created_at"),
        .version = json_text(arena, json, "state"),
        .url = json_text(arena, json, "html_url"),
    };
    record->fields.year = service_year(record->fields.date);
}

/* A folder answers with a list. */
static void read_file(struct arena *arena, const struct place *place, const cJSON *json,
                      struct service_record *record) {
    record->fields = (struct source_record){
        .identifier = json_text(arena, json, "sha"),
        .kind = cJSON_IsArray(json) ? SPAN("folder") : SPAN("file"),
        .title = arena_copy(arena, place->path),
        .authors = arena_copy(arena, place->repository),
        .venue = SPAN("GitHub"),
        .version = arena_copy(arena, place->ref),
        .url = json_text(arena, json, "html_url"),
    };
}

static const char *read(struct service_reply *reply) {
    const char *fault;
    struct place place;
    cJSON *json = service_json(reply, &fault);
    if (!json)
        return fault;
    place_of(reply->items[0], &place);
    const char *expected = place.issue.len  ? "title"
                           : place.path.len ? "sha"
                           : place.ref.len  ? "commit"
                                            : "full_name";
    if (!json_member(json, expected) && !(place.path.len && cJSON_IsArray(json))) {
        cJSON_Delete(json);
        return arena_printf(reply->arena, "the answer is not GitHub's: expected %s", expected).at;
    }
    struct service_record *record = service_found(reply, 0);
    if (place.issue.len)
        read_issue(reply->arena, json, record);
    else if (place.path.len)
        read_file(reply->arena, &place, json, record);
    else if (place.ref.len)
        read_commit(reply->arena, json, record);
    else
        read_repository(reply->arena, &place, json, record);
    if (reply->result->hop_count > 0 && !place.issue.len && (place.ref.len || place.path.len))
        service_note(reply->arena, record, "moved", SEVERITY_LOW,
                     "the repository was renamed: %.*s", SPAN_ARG(reply->result->final_url));
    cJSON_Delete(json);
    return NULL;
}

const struct service service_github = {
    .id = "github",
    .base = "https://api.github.com",
    .absent = "GitHub shows nothing there; it may be private, renamed or gone",
    .absent_kind = "dead link",
    .absent_status = 422, /* a commit that is in no branch of the repository */
    .batch = 1,
    .most = 50,
    .accepts = accepts,
    .ask = ask,
    .read = read,
};
