#include "core/json.h"

#include "core/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 100 };

static size_t line_of(struct span text, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++)
        line += text.at[i] == '\n';
    return line;
}

static bool refuse(struct error *error, const char *where, struct span text, size_t offset,
                   const char *what) {
    char place[512];
    snprintf(place, sizeof place, "%.400s:%zu", where, line_of(text, offset));
    return error_set(error, ERROR_INPUT, place, "Write the file again or correct it there.",
                     "not acceptable JSON: %s", what);
}

/* What cJSON would accept or misread; strings are skipped with their escapes. */
static bool scan(struct span text, const char *where, struct error *error) {
    size_t bad = utf8_first_invalid(text);
    if (bad != SIZE_MAX)
        return refuse(error, where, text, bad, "not UTF-8");
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (c == '\0')
            return refuse(error, where, text, i, "a NUL byte");
        if (quoted && c == '\\') {
            if (span_starts_nocase(span_slice(text, i + 1, text.len), SPAN("u0000")))
                return refuse(error, where, text, i, "\\u0000 in a string");
            i++;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == '{' || c == '[') && ++depth > DEEPEST) {
            return refuse(error, where, text, i, "nested too deeply");
        } else if (!quoted && (c == '}' || c == ']')) {
            depth--;
        }
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_repeated_key(const cJSON *object) {
    size_t count = 0;
    for (const cJSON *item = object->child; item; item = item->next)
        count++;
    if (count < 2)
        return false;
    const char **names = memory_alloc(count * sizeof *names);
    size_t i = 0;
    for (const cJSON *item = object->child; item; item = item->next)
        names[i++] = item->string;
    qsort(names, count, sizeof *names, by_name);
    bool repeated = false;
    for (i = 1; i < count && !repeated; i++)
        repeated = strcmp(names[i - 1], names[i]) == 0;
    free(names);
    return repeated;
}

static const char *tree_fault(const cJSON *item) {
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return "a number out of range";
    if (cJSON_IsObject(item) && has_repeated_key(item))
        return "a repeated member name";
    for (const cJSON *child = item->child; child; child = child->next) {
        const char *fault = tree_fault(child);
        if (fault)
            return fault;
    }
    return NULL;
}

cJSON *json_parse(struct span text, const char *where, struct error *error) {
    if (!scan(text, where, error))
        return NULL;
    char *copy = memory_alloc(text.len + 1);
    memcpy(copy, text.at ? text.at : "", text.len);
    const char *end = copy;
    cJSON *root = cJSON_ParseWithOpts(copy, &end, 1);
    if (!root)
        refuse(error, where, text, (size_t)(end - copy), "syntax error");
    free(copy);
    if (!root)
        return NULL;
    const char *fault = tree_fault(root);
    if (fault) {
        refuse(error, where, text, 0, fault);
        cJSON_Delete(root);
        return NULL;
    }
    return root;
}

cJSON *json_parse_schema(struct span text, const char *where, const char *schema,
                         struct error *error) {
    cJSON *root = json_parse(text, where, error);
    if (!root)
        return NULL;
    const char *found = cJSON_GetStringValue(json_member(root, "schema"));
    if (found && strcmp(found, schema) == 0)
        return root;
    error_set(error, ERROR_INPUT, where, "Run the stage that writes this file again.",
              "expected \"schema\": \"%s\", found %s", schema, found ? found : "none");
    cJSON_Delete(root);
    return NULL;
}

const cJSON *json_member(const cJSON *object, const char *key) {
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

struct span json_text(struct arena *arena, const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(json_member(object, key));
    return text ? arena_copy(arena, span_of(text)) : SPAN("");
}

double json_number(const cJSON *object, const char *key, double fallback) {
    const cJSON *item = json_member(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : fallback;
}

size_t json_size(const cJSON *object, const char *key, size_t fallback) {
    double value = json_number(object, key, -1);
    return value >= 0 && value <= 9007199254740992.0 ? (size_t)value : fallback;
}

bool json_flag(const cJSON *object, const char *key, bool fallback) {
    const cJSON *item = json_member(object, key);
    return cJSON_IsBool(item) ? cJSON_IsTrue(item) : fallback;
}

const cJSON *json_array(const cJSON *object, const char *key, size_t *count) {
    const cJSON *item = json_member(object, key);
    *count = cJSON_IsArray(item) ? (size_t)cJSON_GetArraySize(item) : 0;
    return cJSON_IsArray(item) ? item : NULL;
}
