#include "bench/journal.h"

#include "core/file.h"
#include "core/hash.h"

#include <stdlib.h>

#define JOURNAL_MOST ((size_t)1 << 30)

static bool add_line(struct arena *arena, struct journal *j, struct span line, const char *where,
                     struct error *error) {
    struct span schema = measurement_schema(arena, line);
    if (span_equal(schema, SPAN(MEASUREMENT_SCHEMA))) {
        struct sample sample;
        if (!sample_read(arena, line, where, &sample, error))
            return false;
        LIST_PUSH(arena, j->samples, j->sample_count, j->sample_capacity, sample);
    } else if (span_equal(schema, SPAN(PROCESS_SCHEMA))) {
        struct process_record record;
        if (!process_record_read(arena, line, where, &record, error))
            return false;
        LIST_PUSH(arena, j->processes, j->process_count, j->process_capacity, record);
    } else if (span_equal(schema, SPAN(CONTRACT_SCHEMA))) {
        struct contract_record record;
        if (!contract_read(arena, line, where, &record, error))
            return false;
        LIST_PUSH(arena, j->contracts, j->contract_count, j->contract_capacity, record);
    }
    return true; /* environments, and lines a crash tore */
}

bool journal_load(struct arena *arena, const char *path, struct journal *j, struct error *error) {
    struct span text, line;
    *j = (struct journal){.path = path};
    if (!file_exists(path))
        return true;
    if (!file_read(arena, path, JOURNAL_MOST, ERROR_INPUT, &text, error))
        return false;
    j->torn = text.len && text.at[text.len - 1] != '\n';
    for (size_t number = 1; span_next_line(&text, &line); number++) {
        struct span where = arena_printf(arena, "%s:%zu", path_name(path), number);
        if (!add_line(arena, j, line, where.at, error))
            return false;
    }
    return true;
}

bool journal_append(struct journal *j, struct span lines, struct error *error) {
    if (j->torn && !file_append(j->path, SPAN("\n"), error))
        return false;
    j->torn = false;
    return file_append(j->path, lines, error);
}

struct span journal_key(struct arena *arena, const struct experiment *e, struct span device) {
    struct experiment measured = {
        .id = e->id, .variants = e->variants, .variant_count = e->variant_count};
    struct buffer text = {0};
    struct json_writer w = {.out = &text, .compact = true};
    json_begin_array(&w, NULL);
    json_put_text(&w, NULL, device);
    experiment_write(&w, NULL, &measured);
    json_end_array(&w);
    struct span hex = sha256_hex(arena, buffer_span(&text));
    buffer_free(&text);
    return span_slice(hex, 0, 16);
}

static int compare_sizes(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static bool matches(const struct process_record *p, struct span experiment, struct span key) {
    return span_equal(p->experiment, experiment) && span_equal(p->key, key);
}

size_t journal_finished(struct arena *arena, const struct journal *j, struct span experiment,
                        struct span key, size_t **processes) {
    size_t count = 0;
    *processes = arena_array(arena, j->process_count + 1, sizeof **processes);
    for (size_t i = 0; i < j->process_count; i++)
        if (matches(&j->processes[i], experiment, key) &&
            span_equal(j->processes[i].end, SPAN("finished")))
            (*processes)[count++] = j->processes[i].process;
    qsort(*processes, count, sizeof **processes, compare_sizes);
    return count;
}

size_t journal_next_process(const struct journal *j, struct span experiment) {
    size_t next = 0;
    for (size_t i = 0; i < j->process_count; i++)
        if (span_equal(j->processes[i].experiment, experiment) && j->processes[i].process >= next)
            next = j->processes[i].process + 1;
    for (size_t i = 0; i < j->sample_count; i++)
        if (span_equal(j->samples[i].experiment, experiment) && j->samples[i].process >= next)
            next = j->samples[i].process + 1;
    return next;
}

const struct process_record *journal_failure(const struct journal *j, struct span experiment,
                                             struct span key) {
    for (size_t i = j->process_count; i-- > 0;)
        if (matches(&j->processes[i], experiment, key))
            return span_equal(j->processes[i].end, SPAN("failed")) ? &j->processes[i] : NULL;
    return NULL;
}

const struct plan_fields *journal_contract(const struct journal *j, const struct experiment *e,
                                           struct span key) {
    for (size_t i = j->contract_count; i-- > 0;) {
        const struct contract_record *c = &j->contracts[i];
        if (e->variant_count && span_equal(c->experiment, e->id) && span_equal(c->key, key) &&
            span_equal(c->variant, e->variants[0].name))
            return &c->fields;
    }
    return NULL;
}
