#include "cli/mcp_tools.h"

#include "cli/mcp_table.h"
#include "core/process.h"

#include <string.h>

static void put_property(struct json_writer *w, const struct mcp_argument *a) {
    json_begin_object(w, a->name);
    bool list = strcmp(a->type, "array") == 0;
    json_put_string(w, "type", a->type);
    json_put_string(w, "description", a->description);
    if (list) {
        json_begin_object(w, "items");
        json_put_string(w, "type", "string");
        json_end_object(w);
    }
    if (a->choices) {
        json_begin_array(w, "enum");
        struct span rest = span_of(a->choices), choice;
        while (span_next_field(&rest, '|', &choice))
            json_put_text(w, NULL, choice);
        json_end_array(w);
    }
    json_end_object(w);
}

static void put_tool(struct json_writer *w, const struct mcp_tool *tool) {
    json_begin_object(w, NULL);
    json_put_string(w, "name", tool->name);
    json_put_string(w, "description", tool->description);
    json_begin_object(w, "inputSchema");
    json_put_string(w, "type", "object");
    json_begin_object(w, "properties");
    for (const struct mcp_argument *a = tool->arguments; a->name; a++)
        put_property(w, a);
    json_end_object(w);
    json_begin_array(w, "required");
    for (const struct mcp_argument *a = tool->arguments; a->name; a++)
        if (a->required)
            json_put_string(w, NULL, a->name);
    json_end_array(w);
    json_put_flag(w, "additionalProperties", false);
    json_end_object(w);
    json_begin_object(w, "annotations");
    json_put_flag(w, "readOnlyHint", !tool->changes);
    json_put_flag(w, "destructiveHint", false);
    json_put_flag(w, "openWorldHint", tool->fetches);
    json_end_object(w);
    json_end_object(w);
}

void mcp_list_tools(struct json_writer *w) {
    json_begin_array(w, "tools");
    for (const struct mcp_tool *tool = mcp_tools; tool->name; tool++)
        put_tool(w, tool);
    json_end_array(w);
}

/* --- arguments to a command line --- */

struct call {
    struct arena *arena;
    const char **line; /* NULL-terminated */
    size_t count, capacity;
    struct span fault; /* what is wrong with the arguments */
};

static void push(struct call *call, const char *word) {
    LIST_PUSH(call->arena, call->line, call->count, call->capacity, word);
}

static const char *text_of(struct arena *arena, struct span text) {
    return arena_printf(arena, "%.*s", SPAN_ARG(text)).at;
}

static bool is_choice(const char *choices, const char *value) {
    struct span rest = span_of(choices), choice;
    while (span_next_field(&rest, '|', &choice))
        if (span_equal(choice, span_of(value)))
            return true;
    return false;
}

static void fault(struct call *call, const struct mcp_argument *a, const char *expected) {
    if (call->fault.len == 0)
        call->fault = arena_printf(call->arena, "argument \"%s\": expected %s", a->name, expected);
}

/* The value as a word of the command line, or NULL with a fault. */
static const char *word_from(struct call *call, const struct mcp_argument *a, const cJSON *value) {
    bool integer = strcmp(a->type, "integer") == 0;
    if (integer ? !cJSON_IsNumber(value) || value->valuedouble < 0 || value->valuedouble > 9e15 ||
                      value->valuedouble != (double)(long long)value->valuedouble
                : !cJSON_IsString(value)) {
        fault(call, a, integer ? "a whole number, 0 or more" : "a string");
        return NULL;
    }
    if (integer)
        return arena_printf(call->arena, "%lld", (long long)value->valuedouble).at;
    if (a->choices && !is_choice(a->choices, value->valuestring)) {
        fault(call, a, arena_printf(call->arena, "one of %s", a->choices).at);
        return NULL;
    }
    return text_of(call->arena, span_of(value->valuestring));
}

/* "--name=value", one word, so that no value is taken for an option. */
static void push_option(struct call *call, const struct mcp_argument *a, const cJSON *value) {
    const char *word = word_from(call, a, value);
    if (word)
        push(call, arena_printf(call->arena, "%s=%s", a->option, word).at);
}

static void push_argument(struct call *call, const struct mcp_argument *a, const cJSON *value) {
    if (strcmp(a->type, "boolean") == 0) {
        if (!cJSON_IsBool(value))
            fault(call, a, "true or false");
        else if (cJSON_IsTrue(value))
            push(call, a->option);
        return;
    }
    if (strcmp(a->type, "array") != 0) {
        push_option(call, a, value);
        return;
    }
    if (!cJSON_IsArray(value)) {
        fault(call, a, "an array of strings");
        return;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, value) push_option(call, a, item);
}

static const struct mcp_argument *argument_of(const struct mcp_tool *tool, const char *name) {
    for (const struct mcp_argument *a = tool->arguments; a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

static void check_names(struct call *call, const struct mcp_tool *tool, const cJSON *arguments) {
    const cJSON *item;
    cJSON_ArrayForEach(item, arguments) {
        if (call->fault.len == 0 && !argument_of(tool, item->string))
            call->fault = arena_printf(call->arena, "argument \"%s\": %s takes no such argument",
                                       item->string, tool->name);
    }
}

static void build(struct call *call, const struct mcp_settings *settings,
                  const struct mcp_tool *tool, const cJSON *arguments) {
    push(call, process_self(call->arena));
    for (size_t i = 0; tool->command[i]; i++)
        push(call, tool->command[i]);
    push(call, "--json");
    if (settings->out && tool->takes_out)
        push(call, arena_printf(call->arena, "--out=%s", settings->out).at);
    if (settings->who && tool->takes_who)
        push(call, arena_printf(call->arena, "--who=%s", settings->who).at);
    if (settings->offline && tool->fetches)
        push(call, "--offline");
    check_names(call, tool, arguments);
    for (const struct mcp_argument *a = tool->arguments; a->name; a++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(arguments, a->name);
        if (value && a->option)
            push_argument(call, a, value);
        else if (!value && a->required)
            fault(call, a, "a value; it is required");
    }
    push(call, "--");
    for (const struct mcp_argument *a = tool->arguments; a->name; a++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(arguments, a->name);
        const char *word = value && !a->option ? word_from(call, a, value) : NULL;
        if (word)
            push(call, word);
    }
    push(call, NULL);
}

/* --- running it --- */

static bool is_object(struct span text) {
    struct error ignored = {0};
    cJSON *json = json_parse(text, "the answer", &ignored);
    bool object = cJSON_IsObject(json);
    cJSON_Delete(json);
    return object;
}

static void take_answer(struct arena *arena, const struct process_result *result,
                        struct mcp_answer *answer) {
    /* 1, 3 and 4 say what was found; 2, 5 and 6 that nothing was done. */
    bool done = result->end == PROCESS_EXITED &&
                (result->status <= 1 || result->status == 3 || result->status == 4);
    struct span out = span_trim(result->out), err = span_trim(result->err);
    answer->is_error = !done;
    answer->is_json = done && is_object(out);
    answer->text = done && out.len ? out
                   : err.len       ? err
                   : done          ? SPAN("done")
                                   : SPAN("the command ended without a word; run it by hand");
    if (done && !answer->is_json && out.len && err.len)
        answer->text = arena_printf(arena, "%.*s\n%.*s", SPAN_ARG(out), SPAN_ARG(err));
}

bool mcp_call_tool(struct arena *arena, const struct mcp_settings *settings, struct span name,
                   const cJSON *arguments, struct mcp_answer *answer) {
    const struct mcp_tool *tool = mcp_tools;
    while (tool->name && !span_equal(span_of(tool->name), name))
        tool++;
    if (!tool->name)
        return false;
    struct call call = {.arena = arena};
    struct process_result result;
    struct process_limits limits = {.time_ms = 3600 * 1000, .output_bytes = 16u << 20};
    struct error error = {0};
    *answer = (struct mcp_answer){.is_error = true};
    build(&call, settings, tool, arguments);
    if (call.fault.len)
        answer->text = call.fault;
    else if (process_run(arena, call.line, NULL, SPAN(""), &limits, NULL, NULL, &result, &error))
        take_answer(arena, &result, answer);
    else
        answer->text = arena_printf(arena, "%s: %s. %s", error.where, error.message, error.hint);
    return true;
}
