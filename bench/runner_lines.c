#include "bench/runner_lines.h"

#include "bench/series.h"

#include <stdint.h>

static void read_watch(struct arena *arena, struct span line, struct lines *lines) {
    size_t count;
    cJSON *root = json_parse_schema(line, "experiment process", WATCH_SCHEMA, NULL);
    const cJSON *item, *list = json_array(root, "disturbances", &count);
    lines->disturbances = arena_array(arena, count, sizeof *lines->disturbances);
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item))
            lines->disturbances[lines->disturbance_count++] =
                arena_copy(arena, span_of(item->valuestring));
    }
    plan_fields_read(arena, json_member(root, "environment"), &lines->environment);
    cJSON_Delete(root);
}

bool lines_read(struct arena *arena, const struct family *family, size_t process, struct span text,
                struct lines *lines, struct error *error) {
    struct span line;
    while (span_next_line(&text, &line)) {
        struct sample sample;
        struct contract_record contract;
        if (span_equal(measurement_schema(arena, line), SPAN(CONTRACT_SCHEMA))) {
            if (!contract_read(arena, line, "experiment process", &contract, error))
                return false;
            LIST_PUSH(arena, lines->contracts, lines->contract_count, lines->contract_capacity,
                      contract);
            continue;
        }
        if (span_equal(measurement_schema(arena, line), SPAN(WATCH_SCHEMA))) {
            read_watch(arena, line, lines);
            continue;
        }
        if (!sample_read(arena, line, "experiment process", &sample, error))
            return false;
        if (!span_equal(sample.experiment, family->merged.id) || sample.process != process)
            return error_set(error, ERROR_SYSTEM, "experiment process", "",
                             "a sample of another experiment");
        LIST_PUSH(arena, lines->samples, lines->count, lines->capacity, sample);
    }
    return lines->count > 0 || error_set(error, ERROR_SYSTEM, "experiment process", "",
                                         "it ended well and measured nothing");
}

/* --- what one member gets --- */

static void put_samples(struct arena *arena, struct journal *j, const struct family *f,
                        size_t member, const struct lines *lines, struct span environment,
                        struct buffer *text) {
    const struct experiment *e = f->members[member];
    struct sample *own = arena_array(arena, lines->count, sizeof *own);
    size_t count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        size_t at = family_variant(f, member, lines->samples[i].variant);
        if (at == SIZE_MAX)
            continue;
        own[count] = lines->samples[i];
        own[count].experiment = e->id;
        own[count].variant = e->variants[at].name;
        own[count++].environment = environment;
    }
    series_mark(e, own, count);
    for (size_t i = 0; i < count; i++) {
        sample_write(text, &own[i]);
        LIST_PUSH(arena, j->samples, j->sample_count, j->sample_capacity, own[i]);
    }
}

static void put_contracts(struct arena *arena, struct journal *j, const struct measured_family *all,
                          size_t member, const struct lines *lines, struct buffer *text) {
    const struct experiment *e = all->family.members[member];
    for (size_t i = 0; i < lines->contract_count; i++) {
        size_t at = family_variant(&all->family, member, lines->contracts[i].variant);
        if (at == SIZE_MAX)
            continue;
        struct contract_record record = {e->id, e->variants[at].name, all->keys[member],
                                         lines->contracts[i].fields};
        contract_write(text, &record);
        LIST_PUSH(arena, j->contracts, j->contract_count, j->contract_capacity, record);
    }
}

static struct span ids_of(struct arena *arena, const struct family *f) {
    struct buffer ids = {0};
    for (size_t i = 0; f->count > 1 && i < f->count; i++)
        buffer_printf(&ids, "%s%.*s", i ? " " : "", SPAN_ARG(f->members[i]->id));
    struct span text = arena_copy(arena, buffer_span(&ids));
    buffer_free(&ids);
    return text;
}

bool lines_append(struct arena *arena, struct journal *j, const struct measured_family *all,
                  const struct lines *lines, const struct process_record *record,
                  struct error *error) {
    struct buffer text = {0};
    struct process_record own = *record;
    own.shared = ids_of(arena, &all->family);
    for (size_t i = 0; i < all->family.count; i++) {
        put_samples(arena, j, &all->family, i, lines, record->environment, &text);
        put_contracts(arena, j, all, i, lines, &text);
        own.experiment = all->family.members[i]->id;
        own.key = all->keys[i];
        process_record_write(&text, &own);
        LIST_PUSH(arena, j->processes, j->process_count, j->process_capacity, own);
    }
    bool fine = journal_append(j, buffer_span(&text), error);
    buffer_free(&text);
    return fine;
}
