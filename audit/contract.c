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
    {"torch.compile", "compile", false},
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

struct hit {
    const struct opening *opening;
    size_t at;
};

/* The value of the last field in a collapsed run ends with its clause: at a sentence end, or, in a
 * run of capitals, before a capitalized word that begins ordinary prose. */
static size_t value_end(struct span view, size_t from, size_t end, bool capitals) {
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
        bool opens = at + 2 < end && isupper((unsigned char)view.at[at + 1]) &&
                     (islower((unsigned char)view.at[at + 2]) || view.at[at + 2] == ' ');
        if (capitals && words > 2 && opens)
            return at;
    }
    return end;
}

/* Three fields and more in a row make a contract; one or two may be ordinary prose. */
enum { LEAST_FIELDS = 3, MOST_GAP = 240 };

static void add_run(const struct document *d, struct contract *contract, const struct hit *hits,
                    size_t count, size_t end) {
    struct span view = d->chapter->view;
    if (count < LEAST_FIELDS)
        return;
    for (size_t i = 0; i < count; i++) {
        size_t limit = i + 1 < count ? hits[i + 1].at : end;
        const struct opening *o = hits[i].opening;
        size_t from = hits[i].at + strlen(o->word);
        while (from < limit && strchr(" \t:=", view.at[from]) && view.at[from])
            from++;
        bool last = i + 1 == count;
        add_field(d, contract, o, hits[i].at, value_end(view, from, limit, last && o->capitals));
    }
}

static void find_in(const struct document *d, struct contract *contract, size_t start, size_t end) {
    struct span text = span_slice(d->chapter->view, 0, end);
    enum { MOST_HITS = 64 };
    struct hit hits[MOST_HITS];
    size_t count = 0;
    for (size_t at = start; at < end; at++) {
        if (!isalpha((unsigned char)text.at[at]))
            continue;
        const struct opening *opening = opening_at(text, at);
        if (opening) {
            bool far = count && at - hits[count - 1].at > MOST_GAP;
            if (far || count == MOST_HITS) {
                add_run(d, contract, hits, count, hits[count - 1].at + MOST_GAP);
                count = 0;
            }
            hits[count++] = (struct hit){opening, at};
        }
        while (at + 1 < end && is_word_byte(text.at[at + 1]))
            at++;
    }
    size_t limit =
        count && end - hits[count - 1].at > MOST_GAP ? hits[count - 1].at + MOST_GAP : end;
    add_run(d, contract, hits, count, limit);
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
