#include "schemas/pass.h"

#include "core/clock.h"
#include "core/hash.h"
#include "core/version.h"
#include "schemas/fields.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/utsname.h>

enum { LARGEST_ARTIFACT = 1 << 30, MOST_PASSES_A_SECOND = 1000 };

static const struct text_field text_fields[] = {
    TEXT_FIELD(pass, id),          TEXT_FIELD(pass, book),       TEXT_FIELD(pass, chapter),
    TEXT_FIELD(pass, stable_id),   TEXT_FIELD(pass, created_at), TEXT_FIELD(pass, tool_version),
    TEXT_FIELD(pass, environment), TEXT_FIELD(pass, command),    TEXT_FIELD(pass, scope),
};
static const struct text_field stage_fields[] = {
    TEXT_FIELD(pass_stage, started_at),
    TEXT_FIELD(pass_stage, finished_at),
    TEXT_FIELD(pass_stage, detail),
};

static struct span environment(struct arena *arena) {
    struct utsname system;
    if (uname(&system) != 0)
        return SPAN("UNVERIFIED");
    return arena_printf(arena, "%s %s %s", system.sysname, system.release, system.machine);
}

/* "<book>:<chapter>:<YYYYMMDDTHHMMSS>:<12 hex>"; the digits are of a hash over what makes the pass
 * this one, so that nothing in the id is invented. */
static struct span pass_id(struct arena *arena, const struct pass *pass, struct span fingerprint,
                           int64_t created, int number) {
    struct span time = clock_compact(arena, created);
    struct span identity = arena_printf(arena, "%.*s\n%.*s\n%.*s\n%.*s\n%d",
                                        SPAN_ARG(pass->stable_id), SPAN_ARG(pass->created_at),
                                        SPAN_ARG(fingerprint), SPAN_ARG(pass->command), number);
    return arena_printf(arena, "%s:%s:%.15s:%.12s", path_slug(arena, pass->book),
                        path_slug(arena, pass->chapter), time.at, sha256_hex(arena, identity).at);
}

/* The first name of "base", "base-2", ... that could be made. */
static bool claim_folder(struct arena *arena, const char *base, const char **folder, int *number,
                         struct error *error) {
    for (*number = 1; *number < MOST_PASSES_A_SECOND; ++*number) {
        *folder = *number == 1 ? base : arena_printf(arena, "%s-%d", base, *number).at;
        if (mkdir(*folder, 0755) == 0)
            return true;
        if (errno != EEXIST)
            return error_system(error, errno, *folder,
                                "Choose a folder that can be written with --out.",
                                "cannot make the pass folder");
    }
    return error_set(error, ERROR_SYSTEM, base, "Choose another folder with --out.",
                     "there are already %d passes of this second", MOST_PASSES_A_SECOND - 1);
}

bool pass_create(struct arena *arena, const char *workspace, struct span fingerprint,
                 struct pass *pass, struct error *error) {
    int64_t created = clock_now();
    if (pass->created_at.len && !clock_parse(pass->created_at, &created))
        return error_set(error, ERROR_INPUT, "created_at", "Give a date such as RFC 3339 has.",
                         "expected a date, found \"%.*s\"", SPAN_ARG(pass->created_at));
    pass->created_at = clock_rfc3339(arena, created);
    pass->tool_version = SPAN(ASSAY_VERSION);
    pass->environment = environment(arena);
    const char *folder = path_join(arena, workspace, "passes");
    folder = path_join(arena, folder, path_slug(arena, pass->book));
    folder = path_join(arena, folder, path_slug(arena, pass->chapter));
    if (!folder_make(folder, error))
        return false;
    struct span prefix = fingerprint.len ? span_slice(fingerprint, 0, 8) : SPAN("unverified");
    struct span name =
        arena_printf(arena, "%s-%s", clock_compact(arena, created).at, path_slug(arena, prefix));
    int number;
    if (!claim_folder(arena, path_join(arena, folder, name.at), &pass->folder, &number, error))
        return false;
    pass->id = pass_id(arena, pass, fingerprint, created, number);
    return true;
}

static void read_stages(struct arena *arena, const cJSON *root, struct pass *pass) {
    const cJSON *stages = json_member(root, "stages");
    for (int i = 0; i < STAGE_COUNT; i++) {
        const cJSON *object = json_member(stages, word_of(&stage_words, i));
        int state = word_value(&stage_state_words, json_text(arena, object, "state"));
        pass->stages[i].state = state < 0 ? STAGE_NOT_STARTED : (enum stage_state)state;
        fields_read(arena, object, stage_fields, FIELD_COUNT(stage_fields), &pass->stages[i]);
    }
}

bool pass_open(struct arena *arena, const char *folder, struct pass *pass, struct error *error) {
    *pass = (struct pass){.folder = arena_string(arena, span_of(folder))};
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode) || !pass_has(pass, "pass.json"))
        return error_set(error, ERROR_INPUT, folder,
                         "Name a folder under passes/ that `assay fetch` or `assay run` made.",
                         "expected a pass directory with a pass.json");
    struct span text;
    if (!pass_read(arena, pass, "pass.json", &text, error))
        return false;
    const char *path = pass_path(arena, pass, "pass.json");
    cJSON *root = json_parse_schema(text, path, PASS_SCHEMA, error);
    if (!root)
        return false;
    fields_read(arena, root, text_fields, FIELD_COUNT(text_fields), pass);
    int verdict = word_value(&fingerprint_words, json_text(arena, root, "fingerprint"));
    pass->fingerprint = verdict < 0 ? FINGERPRINT_UNVERIFIED : (enum fingerprint_verdict)verdict;
    pass->sealed = json_flag(root, "sealed", false);
    read_stages(arena, root, pass);
    cJSON_Delete(root);
    return true;
}

static void write_stages(struct json_writer *w, const struct pass *pass) {
    json_begin_object(w, "stages");
    for (int i = 0; i < STAGE_COUNT; i++) {
        json_begin_object(w, word_of(&stage_words, i));
        json_put_string(w, "state", word_of(&stage_state_words, (int)pass->stages[i].state));
        fields_write(w, stage_fields, FIELD_COUNT(stage_fields), &pass->stages[i]);
        json_end_object(w);
    }
    json_end_object(w);
}

bool pass_save(const struct pass *pass, struct error *error) {
    struct buffer out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", PASS_SCHEMA);
    fields_write(&w, text_fields, FIELD_COUNT(text_fields), pass);
    json_put_string(&w, "fingerprint", word_of(&fingerprint_words, (int)pass->fingerprint));
    write_stages(&w, pass);
    json_put_flag(&w, "sealed", pass->sealed);
    json_end_object(&w);
    json_finish(&w);
    bool ok = pass_write(pass, "pass.json", buffer_span(&out), error);
    buffer_free(&out);
    return ok;
}

bool pass_stage_begin(struct arena *arena, struct pass *pass, enum stage stage,
                      struct error *error) {
    /* A process that dies inside the stage leaves this behind, and it is true. */
    pass->stages[stage] = (struct pass_stage){
        .state = STAGE_INTERRUPTED,
        .started_at = clock_rfc3339(arena, clock_now()),
        .detail = SPAN("the stage began and did not end"),
    };
    return pass_save(pass, error);
}

bool pass_stage_end(struct arena *arena, struct pass *pass, enum stage stage,
                    enum stage_state state, const char *detail, struct error *error) {
    pass->stages[stage].state = state;
    pass->stages[stage].finished_at = clock_rfc3339(arena, clock_now());
    pass->stages[stage].detail = arena_copy(arena, detail ? span_of(detail) : SPAN(""));
    return pass_save(pass, error);
}

const char *pass_path(struct arena *arena, const struct pass *pass, const char *name) {
    return path_join(arena, pass->folder, name);
}

bool pass_has(const struct pass *pass, const char *name) {
    struct arena arena;
    arena_init(&arena);
    bool exists = file_exists(pass_path(&arena, pass, name));
    arena_free(&arena);
    return exists;
}

bool pass_read(struct arena *arena, const struct pass *pass, const char *name, struct span *text,
               struct error *error) {
    return file_read(arena, pass_path(arena, pass, name), LARGEST_ARTIFACT, ERROR_INPUT, text,
                     error);
}

bool pass_write(const struct pass *pass, const char *name, struct span text, struct error *error) {
    struct arena arena;
    arena_init(&arena);
    bool ok = file_write(pass_path(&arena, pass, name), text, error);
    arena_free(&arena);
    return ok;
}
