#include "audit/contract.h"

#include <ctype.h>

/* Words that open a field. Those in capitals count only so; the others as written here, before a
 * capital letter or a digit. */
static const struct opening {
    const char *word, *name;
    bool capitals;
} openings[] = {
    {"WORKLOAD", "workload", true},
    {"MODEL", "model", true},
    {"INPUT", "input", true},
    {"BATCH", "input", true},
    {"DEVICE", "device", true},
    {"DTYPE", "dtype", true},
    {"PRECISION", "dtype", true},
    {"MODE", "mode", true},
    {"EXECUTION", "execution", true},
    {"METRIC", "metric", true},
    {"WINDOW", "window", true},
    {"BOUNDARY", "boundary", true},
    {"OPTIMIZER", "optimizer", true},
    {"REPEATS", "repeats", true},
    {"WARMUP", "warmup", true},
    {"CLOCKS", "clocks", true},
    {"HARDWARE", "hardware", true},
    {"RUNTIME", "runtime", true},
    {"GPU", "hardware", false},
    {"CPU", "cpu", false},
    {"OS", "os", false},
    {"Python", "python", false},
    {"PyTorch", "runtime", false},
    {"TensorFlow", "runtime", false},
    {"JAX", "runtime", false},
    {"CUDA runtime", "cuda", false},
    {"CUDA", "cuda", false},
    {"cuDNN", "cudnn", false},
    {"Driver", "driver", false},
    {"Compiler", "compiler", false},
    {"torch.compile", "compile", true},
};

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* The opening that stands at a byte, followed by something that can be its value. */
static const struct opening *opening_at(struct span text, size_t at) {
    if (at > 0 && (is_word_byte(text.at[at - 1]) || text.at[at - 1] == '('))
        return NULL;
    struct span rest = span_slice(text, at, text.len);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (rest.at[0] != openings[i].word[0])
            continue;
        struct span word = span_of(openings[i].word);
        if (!span_starts(rest, word))
            continue;
        size_t value = word.len;
        while (value < rest.len && strchr(" \t:=", rest.at[value]) && rest.at[value])
            value++;
        if (value == word.len || value >= rest.len)
            return NULL;
        char c = rest.at[value];
        bool fits = openings[i].capitals || isupper((unsigned char)c) ||
                    isdigit((unsigned char)c) || c == '[';
        return fits ? &openings[i] : NULL;
    }
    return NULL;
}

static void add_field(const struct document *d, struct contract *contract,
                      const struct opening *opening, size_t start, size_t end) {
    struct span view = d->chapter->view;
    size_t from = start + strlen(opening->word);
    while (from < end && strchr(" \t:=", view.at[from]) && view.at[from])
        from++;
    struct span value = span_trim(span_slice(view, from, end));
    while (value.len && strchr(",;.|", value.at[value.len - 1]))
        value.len--;
    enum { MOST_VALUE = 200 };
    if (value.len == 0 || value.len > MOST_VALUE)
        return;
    LIST_PUSH(d->arena, contract->fields, contract->count, contract->capacity,
              (struct contract_field){.name = span_of(opening->name),
                                      .value = value,
                                      .start = start,
                                      .end = (size_t)(value.at - view.at) + value.len});
}

/* Whether a sentence of ordinary prose begins at a byte, so many words into a value. In a run of
 * capitals any capitalized word does, some words into it; elsewhere ("GPU NVIDIA GeForce") only a
 * word that opens sentences. */
static bool opens_prose(struct span view, size_t at, size_t end, size_t words, bool capitals) {
    static const char *const openers[] = {
        "This ", "That ", "These ", "Those ", "The ",  "A ",  "An ",  "In ",     "It ",
        "We ",   "All ",  "Each ",  "Every ", "When ", "If ", "For ", "Before ", "After "};
    if (at + 1 >= end || !isupper((unsigned char)view.at[at]))
        return false;
    enum { LEAST_WORDS = 3 };
    if (capitals && words >= LEAST_WORDS &&
        (islower((unsigned char)view.at[at + 1]) || view.at[at + 1] == ' '))
        return true;
    struct span rest = span_slice(view, at, end);
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (span_starts(rest, span_of(openers[i])))
            return true;
    return false;
}

/* The value of the last field in a collapsed run ends with its clause: at a sentence end, or before
 * ordinary prose. */
static size_t value_end(struct span view, size_t from, size_t end, bool last, bool capitals) {
    size_t words = 0;
    for (size_t at = from; at < end; at++) {
        if (view.at[at] == '\n' || view.at[at] == ';')
            return at;
        bool stop = at + 1 < end && view.at[at] == '.' && isspace((unsigned char)view.at[at + 1]);
        if (stop)
            return at;
        if (view.at[at] != ' ')
            continue;
        words++;
        if (last && opens_prose(view, at + 1, end, words, capitals))
            return at;
    }
    return end;
}

/* Three fields and more in a row make a contract; one or two may be ordinary prose. */
enum { LEAST_FIELDS = 3, MOST_GAP = 240, MOST_HITS = 64 };

struct run {
    struct {
        const struct opening *opening;
        size_t at;
    } hits[MOST_HITS];
    size_t count;
    size_t limit; /* the last value ends here at the latest */
};

static size_t field_start(const struct run *run, size_t i) {
    return run->hits[i].at + strlen(run->hits[i].opening->word);
}

static size_t field_end(struct span view, const struct run *run, size_t i) {
    bool last = i + 1 == run->count;
    size_t from = field_start(run, i), limit = last ? run->limit : run->hits[i + 1].at;
    while (from < limit && strchr(" \t:=", view.at[from]) && view.at[from])
        from++;
    return value_end(view, from, limit, last, run->hits[i].opening->capitals);
}

/* The next openings with at most MOST_GAP bytes between them; gives where to look on. */
static size_t next_run(struct span view, size_t start, size_t end, struct run *run) {
    struct span text = span_slice(view, 0, end);
    run->count = 0;
    size_t at = start;
    for (; at < end; at++) {
        if (!isalpha((unsigned char)text.at[at]))
            continue;
        const struct opening *opening = opening_at(text, at);
        if (opening) {
            bool far = run->count && at - run->hits[run->count - 1].at > MOST_GAP;
            if (far || run->count == MOST_HITS)
                break;
            run->hits[run->count].opening = opening;
            run->hits[run->count++].at = at;
        }
        while (at + 1 < end && is_word_byte(text.at[at + 1]))
            at++;
    }
    size_t last = run->count ? run->hits[run->count - 1].at : end;
    run->limit = end - last > MOST_GAP ? last + MOST_GAP : end;
    return at;
}

bool contract_run(struct span view, size_t start, size_t end, size_t *from, size_t *to) {
    struct run run;
    while (start < end) {
        start = next_run(view, start, end, &run);
        if (run.count < LEAST_FIELDS)
            continue;
        *from = run.hits[0].at;
        *to = field_end(view, &run, run.count - 1);
        return true;
    }
    return false;
}

static void find_in(const struct document *d, struct contract *contract, size_t start, size_t end) {
    struct span view = d->chapter->view;
    struct run run;
    while (start < end) {
        start = next_run(view, start, end, &run);
        for (size_t i = 0; run.count >= LEAST_FIELDS && i < run.count; i++)
            add_field(d, contract, run.hits[i].opening, run.hits[i].at, field_end(view, &run, i));
    }
}

/* Neighbouring blocks of lines are one listing: blank lines separate groups of fields. */
struct contract contract_find(const struct document *d) {
    struct contract contract = {0};
    for (size_t i = 0; i < d->chapter->block_count; i++) {
        const struct chapter_block *b = &d->chapter->blocks[i];
        if (b->kind != BLOCK_HEADING && b->kind != BLOCK_CODE)
            find_in(d, &contract, b->start, b->end);
    }
    return contract;
}
