#include "schemas/findings.h"

#include "schemas/fields.h"

#include <math.h>

static const struct text_field finding_fields[] = {
    TEXT_FIELD(finding, id),          TEXT_FIELD(finding, check), TEXT_FIELD(finding, claim),
    TEXT_FIELD(finding, message),     TEXT_FIELD(finding, url),   TEXT_FIELD(finding, replacement),
    TEXT_FIELD(finding, suppression),
};
static const struct text_field number_fields[] = {
    TEXT_FIELD(finding_number, name),
    TEXT_FIELD(finding_number, printed),
    TEXT_FIELD(finding_number, unit),
};
static const struct text_field coverage_fields[] = {
    TEXT_FIELD(coverage, check),
    TEXT_FIELD(coverage, claim),
    TEXT_FIELD(coverage, why),
};
static const struct text_field reading_fields[] = {
    TEXT_FIELD(reading_note, topic),
    TEXT_FIELD(reading_note, quote),
    TEXT_FIELD(reading_note, note),
};

/* --- writing --- */

static void write_range(struct json_writer *w, size_t start, size_t end) {
    json_put_size(w, "start", start);
    json_put_size(w, "end", end);
}

static void write_number(struct json_writer *w, const struct finding_number *number) {
    json_begin_object(w, NULL);
    fields_write(w, number_fields, FIELD_COUNT(number_fields), number);
    json_put_number(w, "lo", number->lo);
    json_put_number(w, "hi", number->hi);
    write_range(w, number->start, number->end);
    json_end_object(w);
}

static void write_evidence(struct json_writer *w, const struct finding *finding) {
    json_begin_object(w, "evidence");
    json_begin_array(w, "places");
    for (size_t i = 0; i < finding->place_count; i++) {
        json_begin_object(w, NULL);
        write_range(w, finding->places[i].start, finding->places[i].end);
        json_end_object(w);
    }
    json_end_array(w);
    json_put_text(w, "expression", finding->expression);
    json_put_number(w, "expected_lo", finding->expected_lo);
    json_put_number(w, "expected_hi", finding->expected_hi);
    json_put_number(w, "chance", finding->chance);
    json_begin_array(w, "numbers");
    for (size_t i = 0; i < finding->number_count; i++)
        write_number(w, &finding->numbers[i]);
    json_end_array(w);
    json_end_object(w);
}

static void write_finding(struct json_writer *w, const struct finding *finding) {
    json_begin_object(w, NULL);
    fields_write(w, finding_fields, FIELD_COUNT(finding_fields), finding);
    json_put_string(w, "class", word_of(&finding_words, (int)finding->class));
    json_put_string(w, "severity", word_of(&severity_words, (int)finding->severity));
    json_put_string(w, "response", word_of(&response_words, (int)finding->response));
    json_put_flag(w, "suppressed", finding->suppressed);
    write_evidence(w, finding);
    json_end_object(w);
}

static void write_coverage(struct json_writer *w, const struct coverage *coverage) {
    json_begin_object(w, NULL);
    fields_write(w, coverage_fields, FIELD_COUNT(coverage_fields), coverage);
    json_put_string(w, "outcome", word_of(&coverage_words, (int)coverage->outcome));
    json_end_object(w);
}

static void write_reading(struct json_writer *w, const struct reading_note *note) {
    json_begin_object(w, NULL);
    fields_write(w, reading_fields, FIELD_COUNT(reading_fields), note);
    write_range(w, note->start, note->end);
    json_end_object(w);
}

void findings_write_members(struct json_writer *w, const struct findings *findings) {
    json_begin_object(w, "checks");
    json_put_size(w, "total", findings->checks_total);
    json_put_size(w, "completed", findings->checks_completed);
    json_end_object(w);
    json_begin_array(w, "findings");
    for (size_t i = 0; i < findings->count; i++)
        write_finding(w, &findings->findings[i]);
    json_end_array(w);
    json_begin_array(w, "coverage");
    for (size_t i = 0; i < findings->coverage_count; i++)
        write_coverage(w, &findings->coverage[i]);
    json_end_array(w);
    json_begin_array(w, "reading");
    for (size_t i = 0; i < findings->reading_count; i++)
        write_reading(w, &findings->reading[i]);
    json_end_array(w);
}

void findings_write(struct buffer *out, const struct findings *findings) {
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_string(&w, "schema", FINDINGS_SCHEMA);
    findings_write_members(&w, findings);
    json_end_object(&w);
    json_finish(&w);
}

/* --- reading --- */

/* A word outside its list makes the artifact unreadable: guessing a class could hide a finding. */
static bool read_word(const cJSON *object, const char *key, const struct word_list *words,
                      const char *where, int *value, struct error *error) {
    const cJSON *item = json_member(object, key);
    *value = cJSON_IsString(item) ? word_value(words, span_of(item->valuestring)) : -1;
    if (*value >= 0)
        return true;
    return error_set(error, ERROR_INPUT, where, "run the audit stage again",
                     "member \"%s\" of a finding is not one of its words: %s", key,
                     cJSON_IsString(item) ? item->valuestring : "(absent)");
}

static void read_places(struct arena *arena, const cJSON *evidence, struct finding *finding) {
    const cJSON *item, *array = json_array(evidence, "places", &finding->place_count);
    finding->places = arena_array(arena, finding->place_count, sizeof *finding->places);
    struct finding_place *next = finding->places;
    cJSON_ArrayForEach(item, array) *next++ =
        (struct finding_place){json_size(item, "start", 0), json_size(item, "end", 0)};
}

static void read_numbers(struct arena *arena, const cJSON *evidence, struct finding *finding) {
    const cJSON *item, *array = json_array(evidence, "numbers", &finding->number_count);
    finding->numbers = arena_array(arena, finding->number_count, sizeof *finding->numbers);
    struct finding_number *next = finding->numbers;
    cJSON_ArrayForEach(item, array) {
        fields_read(arena, item, number_fields, FIELD_COUNT(number_fields), next);
        next->lo = json_number(item, "lo", NAN);
        next->hi = json_number(item, "hi", NAN);
        next->start = json_size(item, "start", 0);
        next->end = json_size(item, "end", 0);
        next++;
    }
}

static bool read_finding(struct arena *arena, const cJSON *item, const char *where,
                         struct finding *finding, struct error *error) {
    int class, severity, response;
    if (!read_word(item, "class", &finding_words, where, &class, error) ||
        !read_word(item, "severity", &severity_words, where, &severity, error) ||
        !read_word(item, "response", &response_words, where, &response, error))
        return false;
    fields_read(arena, item, finding_fields, FIELD_COUNT(finding_fields), finding);
    finding->class = (enum finding_class) class;
    finding->severity = (enum severity)severity;
    finding->response = (enum response)response;
    finding->suppressed = json_flag(item, "suppressed", false);
    const cJSON *evidence = json_member(item, "evidence");
    finding->expression = json_text(arena, evidence, "expression");
    finding->expected_lo = json_number(evidence, "expected_lo", NAN);
    finding->expected_hi = json_number(evidence, "expected_hi", NAN);
    finding->chance = json_number(evidence, "chance", NAN);
    read_places(arena, evidence, finding);
    read_numbers(arena, evidence, finding);
    return true;
}

static bool read_list(struct arena *arena, const cJSON *root, const char *where,
                      struct findings *findings, struct error *error) {
    const cJSON *item, *array = json_array(root, "findings", &findings->count);
    findings->findings = arena_array(arena, findings->count, sizeof *findings->findings);
    findings->capacity = findings->count;
    struct finding *next = findings->findings;
    cJSON_ArrayForEach(item,
                       array) if (!read_finding(arena, item, where, next++, error)) return false;
    return true;
}

static bool read_coverage(struct arena *arena, const cJSON *root, const char *where,
                          struct findings *findings, struct error *error) {
    const cJSON *item, *array = json_array(root, "coverage", &findings->coverage_count);
    findings->coverage = arena_array(arena, findings->coverage_count, sizeof *findings->coverage);
    findings->coverage_capacity = findings->coverage_count;
    struct coverage *next = findings->coverage;
    cJSON_ArrayForEach(item, array) {
        int outcome;
        if (!read_word(item, "outcome", &coverage_words, where, &outcome, error))
            return false;
        fields_read(arena, item, coverage_fields, FIELD_COUNT(coverage_fields), next);
        next->outcome = (enum coverage_outcome)outcome;
        next++;
    }
    return true;
}

static void read_reading(struct arena *arena, const cJSON *root, struct findings *findings) {
    const cJSON *item, *array = json_array(root, "reading", &findings->reading_count);
    findings->reading = arena_array(arena, findings->reading_count, sizeof *findings->reading);
    findings->reading_capacity = findings->reading_count;
    struct reading_note *next = findings->reading;
    cJSON_ArrayForEach(item, array) {
        fields_read(arena, item, reading_fields, FIELD_COUNT(reading_fields), next);
        next->start = json_size(item, "start", 0);
        next->end = json_size(item, "end", 0);
        next++;
    }
}

bool findings_read(struct arena *arena, struct span json, const char *where,
                   struct findings *findings, struct error *error) {
    cJSON *root = json_parse_schema(json, where, FINDINGS_SCHEMA, error);
    if (!root)
        return false;
    *findings = (struct findings){0};
    const cJSON *counts = json_member(root, "checks");
    findings->checks_total = json_size(counts, "total", 0);
    findings->checks_completed = json_size(counts, "completed", 0);
    bool done = read_list(arena, root, where, findings, error) &&
                read_coverage(arena, root, where, findings, error);
    read_reading(arena, root, findings);
    cJSON_Delete(root);
    return done;
}
