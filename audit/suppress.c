#include "audit/suppress.h"

#include "audit/finding.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"

#include <ctype.h>
#include <stdlib.h>

enum { LARGEST_BYTES = 16 << 20 };

/* --- reading --- */

static bool is_day(struct span text) {
    static const char shape[] = "dddd-dd-dd";
    if (text.len != sizeof shape - 1)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)text.at[i]) : text.at[i] != shape[i])
            return false;
    return true;
}

static bool day_seconds(struct arena *arena, struct span day, int64_t *seconds) {
    return is_day(day) &&
           clock_parse(arena_printf(arena, "%.*sT00:00:00Z", SPAN_ARG(day)), seconds);
}

static bool is_hash(struct span text) {
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789abcdef", text.at[i]) || !text.at[i])
            return false;
    return text.len == SHA256_HEX_LEN;
}

/* What is wrong with an entry, or NULL. */
static const char *read_entry(struct arena *arena, const cJSON *item, struct suppression *s) {
    int64_t decided;
    *s = (struct suppression){.finding = json_text(arena, item, "finding"),
                              .text_sha256 = json_text(arena, item, "text_sha256"),
                              .reason = json_text(arena, item, "reason"),
                              .date = json_text(arena, item, "date"),
                              .expires = json_text(arena, item, "expires")};
    if (!span_starts(s->finding, SPAN("f-")))
        return "expected \"finding\" with the id of a finding (f-...)";
    if (!is_hash(s->text_sha256))
        return "expected \"text_sha256\" with 64 hexadecimal digits, as in claims.json";
    if (!span_trim(s->reason).len)
        return "expected a \"reason\"";
    if (!day_seconds(arena, s->date, &decided) || !day_seconds(arena, s->expires, &s->expires_s))
        return "expected \"date\" and \"expires\" as YYYY-MM-DD";
    return s->expires_s > decided ? NULL : "expected \"expires\" behind \"date\"";
}

bool suppressions_read(struct arena *arena, const char *path, struct suppressions *suppressions,
                       struct error *error) {
    struct span text;
    *suppressions = (struct suppressions){0};
    if (!file_read(arena, path, LARGEST_BYTES, ERROR_INPUT, &text, error))
        return false;
    cJSON *root = json_parse_schema(text, path, "assay.suppressions.v1", error);
    if (!root)
        return false;
    size_t count;
    const char *fault = json_member(root, "suppressions") ? NULL : "expected \"suppressions\"";
    const cJSON *item, *list = json_array(root, "suppressions", &count);
    suppressions->list = arena_array(arena, count, sizeof *suppressions->list);
    cJSON_ArrayForEach(item, list) {
        if (!fault)
            fault = read_entry(arena, item, &suppressions->list[suppressions->count++]);
    }
    cJSON_Delete(root);
    return !fault || error_set(error, ERROR_INPUT, path,
                               "Correct the file; see docs/checks.md, Suppressions.",
                               "entry %zu: %s", suppressions->count, fault);
}

/* --- applying --- */

struct by_id {
    struct span id;
    size_t finding;
};

static int compare(struct span a, struct span b) {
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.at, b.at, shared) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_entries(const void *a, const void *b) {
    return compare(((const struct by_id *)a)->id, ((const struct by_id *)b)->id);
}

static int compare_key(const void *key, const void *entry) {
    return compare(*(const struct span *)key, ((const struct by_id *)entry)->id);
}

static void note(const struct check_input *input, struct findings *findings,
                 const struct suppression *s, const struct finding *about, const char *why) {
    struct finding_draft d;
    struct finding copy = about ? *about : (struct finding){0};
    finding_begin(&d, input, findings, "suppression", FINDING_NOTE, SEVERITY_INFO);
    d.finding.claim = copy.claim;
    for (size_t i = 0; i < copy.place_count; i++)
        finding_place(&d, copy.places[i].start, copy.places[i].end);
    finding_say(&d, "The suppression of %.*s (%.*s, until %.*s) %s", SPAN_ARG(s->finding),
                SPAN_ARG(s->date), SPAN_ARG(s->expires), why);
    finding_end(&d);
}

static void apply(const struct check_input *input, const struct suppression *s, int64_t now_s,
                  struct findings *findings, const struct by_id *hit) {
    bool same_text = span_equal(s->text_sha256, input->document->claims->text_sha256);
    struct finding *f = hit ? &findings->findings[hit->finding] : NULL;
    if (!f) {
        if (same_text)
            note(input, findings, s, NULL, "suppresses nothing: this text has no such finding.");
        return;
    }
    if (!same_text)
        note(input, findings, s, f, "was decided on another text; the finding stands.");
    else if (now_s >= s->expires_s)
        note(input, findings, s, f, "has expired; the finding stands.");
    else {
        f->suppressed = true;
        f->suppression = arena_printf(input->document->arena, "%.*s (%.*s, until %.*s)",
                                      SPAN_ARG(s->reason), SPAN_ARG(s->date), SPAN_ARG(s->expires));
    }
}

void suppressions_apply(const struct check_input *input, const struct suppressions *suppressions,
                        int64_t now_s, struct findings *findings) {
    size_t known = findings->count;
    struct by_id *ids = arena_array(input->document->arena, known, sizeof *ids);
    for (size_t i = 0; i < known; i++)
        ids[i] = (struct by_id){findings->findings[i].id, i};
    if (known)
        qsort(ids, known, sizeof *ids, compare_entries);
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct suppression *s = &suppressions->list[i];
        struct by_id *hit =
            known ? bsearch(&s->finding, ids, known, sizeof *ids, compare_key) : NULL;
        apply(input, s, now_s, findings, hit);
    }
    if (findings->count > known)
        findings_settle(input->document->arena, input->document->chapter->text, findings);
}
