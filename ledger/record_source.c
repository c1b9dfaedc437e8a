/* Sources: what they are and what reading them gave. */
#include "core/utf8.h"
#include "ledger/record.h"

enum { FIELD_LONGEST_BYTES = 8000, LEAST_DIGITS = 4 };

struct fact {
    const char *name;
    size_t request, source; /* offsets of a struct span */
};
static const struct fact facts[] = {
#define FACT(name)                                                                                 \
    { #name, offsetof(struct source_request, name), offsetof(struct ledger_source, name) }
    FACT(title), FACT(authors), FACT(venue), FACT(year), FACT(version), FACT(metadata_status),
#undef FACT
};
enum { FACTS = sizeof facts / sizeof *facts };

static struct span request_fact(const struct source_request *request, const struct fact *fact) {
    return *(const struct span *)((const char *)request + fact->request);
}

static struct span *source_fact(struct ledger_source *source, const struct fact *fact) {
    return (struct span *)((char *)source + fact->source);
}

/* Fills in what was unknown; *names lists what. What is known is never replaced here: two
 * authorities that disagree are a finding, not an update. */
static bool fill(struct ledger *ledger, const struct source_request *request,
                 struct ledger_source *source, struct span *names) {
    struct buffer list = {0};
    for (size_t i = 0; i < FACTS; i++) {
        struct span value = request_fact(request, &facts[i]);
        if (value.len == 0 || source_fact(source, &facts[i])->len > 0)
            continue;
        *source_fact(source, &facts[i]) = value;
        buffer_printf(&list, "%s%s", list.len ? ", " : "", facts[i].name);
    }
    *names = arena_copy(ledger->arena, buffer_span(&list));
    buffer_free(&list);
    return names->len > 0;
}

static bool is_text(struct span text) {
    return text.len <= FIELD_LONGEST_BYTES && utf8_first_invalid(text) == SIZE_MAX;
}

static bool acceptable(const struct source_request *request, struct error *error) {
    bool fits = request->canonical.len > 0 && is_text(request->canonical) && is_text(request->url);
    for (size_t i = 0; i < FACTS; i++)
        fits = fits && is_text(request_fact(request, &facts[i]));
    return fits || error_set(error, ERROR_INPUT, "source",
                             "Give a URL, a DOI, an arXiv id, an ISBN or an RFC number.",
                             "expected an identity of 1 to %d bytes in UTF-8, got %zu",
                             FIELD_LONGEST_BYTES, request->canonical.len);
}

bool ledger_add_source(struct ledger *ledger, const struct source_request *request,
                       struct ledger_source *source, bool *already, struct error *error) {
    struct span names;
    if (!acceptable(request, error))
        return false;
    struct span id = ledger_source_id(ledger->arena, request->canonical);
    if (!ledger_load_source(ledger, id, source, already, error))
        return false;
    if (*already) {
        if (!span_equal(source->canonical, request->canonical))
            return error_set(error, ERROR_INPUT, id.at, "Report this: two identities share an id.",
                             "expected %.*s, found %.*s", SPAN_ARG(request->canonical),
                             SPAN_ARG(source->canonical));
        return !fill(ledger, request, source, &names) ||
               ledger_save_source(ledger, source,
                                  arena_printf(ledger->arena, "metadata: %.*s", SPAN_ARG(names)),
                                  error);
    }
    *source = (struct ledger_source){
        .id = id,
        .canonical = request->canonical,
        .kind = request->kind,
        .url = request->url,
        .reading = READING_LEAD,
        .reading_reason = SPAN("nobody has read it"),
    };
    fill(ledger, request, source, &names);
    return ledger_save_source(ledger, source, SPAN("added as a lead"), error);
}

static bool has_text(enum reading_status status) {
    return status == READING_FULL_TEXT || status == READING_ABSTRACT_ONLY;
}

static struct span reading_words_of(struct ledger *ledger, const char *verb,
                                    const struct reading_result *result) {
    return arena_printf(ledger->arena, "%s: %s (%.*s)", verb,
                        word_of(&reading_words, (int)result->status), SPAN_ARG(result->reason));
}

bool ledger_set_reading(struct ledger *ledger, struct ledger_source *source,
                        const struct reading_result *result, bool *kept, struct error *error) {
    /* In the order of the enum each status is more than the one before. */
    *kept = has_text(source->reading) && result->status < source->reading;
    if (*kept)
        return ledger_save_source(
            ledger, source, reading_words_of(ledger, "read again, kept the earlier text", result),
            error);
    struct span sha256 = SPAN("");
    if (has_text(result->status) && result->text.len == 0)
        return error_set(error, ERROR_INPUT, "text", "Give the text, or say what was not read.",
                         "the text is empty");
    if (has_text(result->status) && !ledger_save_text(ledger, result->text, &sha256, error))
        return false;
    bool same = span_equal(sha256, source->text_sha256) && result->status == source->reading;
    source->reading = result->status;
    source->reading_reason = result->reason;
    source->read_at = ledger->now;
    source->text_sha256 = sha256;
    source->text_bytes = sha256.len ? result->text.len : 0;
    source->text_form = sha256.len ? result->form : SPAN("");
    source->text_from = result->from;
    source->original_sha256 = result->original_sha256;
    if (result->archive.len || !same)
        source->archive = result->archive;
    return ledger_save_source(
        ledger, source,
        reading_words_of(ledger, same && sha256.len ? "read again, the same text" : "read", result),
        error);
}

/* The one source whose id starts with `start`. */
static bool find_by_start(struct ledger *ledger, struct span start, struct ledger_source *source,
                          bool *found, struct error *error) {
    struct ledger_names names;
    struct span id = SPAN("");
    if (!ledger_names(ledger, "sources", 's', &names, error))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        if (!span_starts(names.items[i], start))
            continue;
        if (id.len)
            return error_set(error, ERROR_INPUT, start.at, "Give more digits of the id.",
                             "several sources of the ledger start with \"%.*s\"", SPAN_ARG(start));
        id = names.items[i];
    }
    return ledger_load_source(ledger, id, source, found, error);
}

bool ledger_find_source(struct ledger *ledger, struct span name, struct ledger_source *source,
                        struct error *error) {
    bool found = false;
    struct span given = arena_copy(ledger->arena, name);
    if (!ledger_load_source(ledger, given, source, &found, error))
        return false;
    if (!found &&
        !ledger_load_source(ledger, ledger_source_id(ledger->arena, given), source, &found, error))
        return false;
    if (!found && span_starts(given, SPAN("s-")) && given.len >= 2 + LEAST_DIGITS &&
        !find_by_start(ledger, given, source, &found, error))
        return false;
    return found || error_set(error, ERROR_INPUT, given.at,
                              "`assay source list` shows what is there; `assay source add` adds.",
                              "expected a source of the ledger in %s", ledger->folder);
}
