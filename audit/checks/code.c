/* Python blocks: whether they parse, and which APIs they name. A child process reads them with
 * Python's own `ast`; nothing of the text is ever imported or run. Blocks with prompts or notebook
 * magics are left out: they are transcripts, not modules. */
#include "audit/checks/checks.h"
#include "core/process.h"

enum { MOST_BLOCKS = 500, MOST_BLOCK_BYTES = 200000, MOST_NAMES_BYTES = 600 };

/* stdin: a JSON list of sources. stdout: a list of {line, message, names}; line 0: it parses. */
static const char script[] =
    "import ast, json, sys, textwrap\n"
    "def dotted(node):\n"
    "    parts = []\n"
    "    while isinstance(node, ast.Attribute):\n"
    "        parts.append(node.attr)\n"
    "        node = node.value\n"
    "    if not isinstance(node, ast.Name): return None\n"
    "    return [node.id] + parts[::-1]\n"
    "known = {}\n"
    "def read(source):\n"
    "    try: tree = ast.parse(textwrap.dedent(source))\n"
    "    except SyntaxError as e: return {'line': e.lineno or 1, 'message': e.msg, 'names': []}\n"
    "    except (ValueError, RecursionError, MemoryError) as e:\n"
    "        return {'line': -1, 'message': type(e).__name__, 'names': []}\n"
    "    names = set()\n"
    "    for n in ast.walk(tree):\n"
    "        if isinstance(n, ast.Import):\n"
    "            for a in n.names:\n"
    "                known[a.asname or a.name.split('.')[0]] = a.name if a.asname else "
    "a.name.split('.')[0]\n"
    "        if isinstance(n, ast.ImportFrom) and n.module and not n.level:\n"
    "            for a in n.names: known[a.asname or a.name] = n.module + '.' + a.name\n"
    "    for n in ast.walk(tree):\n"
    "        path = dotted(n) if isinstance(n, ast.Attribute) else None\n"
    "        if path and path[0] in known: names.add('.'.join([known[path[0]]] + path[1:]))\n"
    "    longest = [n for n in names if not any(o.startswith(n + '.') for o in names)]\n"
    "    return {'line': 0, 'message': '', 'names': sorted(longest)[:40]}\n"
    "json.dump([read(s) for s in json.load(sys.stdin)], sys.stdout)\n";

struct code_run {
    const struct check_input *input;
    struct findings *findings;
    size_t blocks[MOST_BLOCKS]; /* of the chapter */
    size_t count;
};

static bool is_python(struct span language) {
    return span_equal_nocase(language, SPAN("python")) || span_equal_nocase(language, SPAN("py")) ||
           span_equal_nocase(language, SPAN("python3"));
}

/* A line that begins as no module's does: a prompt, a magic, a shell escape, an elision. */
static bool is_transcript(struct span source) {
    static const char *const openings[] = {">>>", "%", "!", "In [", "$ ", "...", "?"};
    for (struct span rest = source, line; span_next_field(&rest, '\n', &line);)
        for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
            if (span_starts(span_trim(line), span_of(openings[i])))
                return true;
    return false;
}

static struct span source_of(const struct code_run *run, size_t i) {
    const struct chapter *chapter = run->input->document->chapter;
    const struct chapter_block *b = &chapter->blocks[run->blocks[i]];
    size_t start = b->start; /* with the first line's own indentation, as in a list */
    while (start > 0 && (chapter->view.at[start - 1] == ' ' || chapter->view.at[start - 1] == '\t'))
        start--;
    return span_slice(chapter->view, start, b->end);
}

static void find_blocks(struct code_run *run) {
    const struct chapter *chapter = run->input->document->chapter;
    for (size_t i = 0; i < chapter->block_count && run->count < MOST_BLOCKS; i++) {
        const struct chapter_block *b = &chapter->blocks[i];
        if (b->kind != BLOCK_CODE || !is_python(b->language) ||
            b->end - b->start > MOST_BLOCK_BYTES ||
            is_transcript(span_slice(chapter->view, b->start, b->end)))
            continue;
        run->blocks[run->count++] = i;
    }
}

/* NULL with *why when the child could not do it. */
static cJSON *read_blocks(const struct code_run *run, const char **why) {
    const char *const arguments[] = {"python3", "-I", "-S", "-c", script, NULL};
    const struct process_limits limits = {.time_ms = 10000, .cpu_seconds = 10};
    struct process_result result;
    struct error error;
    struct buffer json = {0};
    struct json_writer w = {.out = &json, .compact = true};
    json_begin_array(&w, NULL);
    for (size_t i = 0; i < run->count; i++)
        json_put_text(&w, NULL, source_of(run, i));
    json_end_array(&w);
    json_finish(&w);
    struct arena *arena = run->input->document->arena;
    bool ran = process_run(arena, arguments, NULL, buffer_span(&json), &limits, NULL, NULL, &result,
                           &error);
    buffer_free(&json);
    *why = !ran ? "python3 could not be started" : "python3 did not finish reading the blocks";
    if (!ran || result.end != PROCESS_EXITED || result.status != 0)
        return NULL;
    cJSON *list = json_parse(result.out, "python3", &error);
    if (cJSON_IsArray(list) && (size_t)cJSON_GetArraySize(list) == run->count)
        return list;
    cJSON_Delete(list);
    return NULL;
}

/* The range of a line of a block, in the text. */
static void place_line(struct finding_draft *d, const struct code_run *run, size_t i, size_t line) {
    struct span source = source_of(run, i), rest = source, at = source;
    for (size_t n = 0; n < line && span_next_field(&rest, '\n', &at);)
        n++;
    size_t start = (size_t)(at.at - run->input->document->chapter->view.at);
    finding_place(d, start, start + (at.len ? at.len : 1));
}

static void report(const struct code_run *run, size_t i, size_t line, const char *message) {
    struct finding_draft d;
    finding_begin(&d, run->input, run->findings, "code", FINDING_INCOMPLETE, SEVERITY_LOW);
    place_line(&d, run, i, line);
    finding_say(&d, "This Python block does not parse: %s (line %zu of the block).", message, line);
    finding_end(&d);
}

static void note_names(const struct code_run *run, size_t i, const cJSON *names) {
    struct buffer list = {0};
    const cJSON *name;
    cJSON_ArrayForEach(name, names) if (cJSON_IsString(name) && list.len < MOST_NAMES_BYTES)
        buffer_printf(&list, "%s%s", list.len ? ", " : "", name->valuestring);
    if (list.len) {
        struct finding_draft d;
        struct span source = source_of(run, i);
        size_t start = (size_t)(source.at - run->input->document->chapter->view.at);
        finding_begin(&d, run->input, run->findings, "code", FINDING_NOTE, SEVERITY_INFO);
        finding_place(&d, start, start + source.len);
        finding_say(&d,
                    "This Python block parses and names %.*s; whether they exist is UNVERIFIED.",
                    SPAN_ARG(buffer_span(&list)));
        finding_end(&d);
    }
    buffer_free(&list);
}

static void run(const struct check_input *input, struct findings *findings) {
    struct code_run r = {.input = input, .findings = findings};
    const char *why;
    find_blocks(&r);
    if (!r.count) {
        coverage_add(input, findings, "code", NONE, COVERAGE_NOT_APPLICABLE, "no Python block");
        return;
    }
    cJSON *list = read_blocks(&r, &why);
    if (!list) {
        coverage_add(input, findings, "code", NONE, COVERAGE_NOT_RUN, why);
        return;
    }
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        double line = json_number(item, "line", -1);
        struct span message = json_text(input->document->arena, item, "message");
        if (line > 0)
            report(&r, i, (size_t)line, message.at);
        else if (line == 0)
            note_names(&r, i, json_member(item, "names"));
        i++;
    }
    cJSON_Delete(list);
    coverage_add(input, findings, "code", NONE, COVERAGE_RAN, NULL);
}

const struct check check_code = {"code", "Python blocks parse", run};
