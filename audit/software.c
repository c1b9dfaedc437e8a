/* Versions of software that a text names. */
#include "audit/hardware.h"

#include <ctype.h>
#include <stdint.h>

/* Names as texts write them, longest first where one begins another. */
static const struct product_name {
    const char *text, *product;
} product_names[] = {
    {"PyTorch", "pytorch"},
    {"torch", "pytorch"},
    {"CUDA runtime", "cuda"},
    {"CUDA Toolkit", "cuda"},
    {"CUDA Version", "cuda"},
    {"CUDA", "cuda"},
    {"cuDNN", "cudnn"},
    {"triton-windows", "triton"},
    {"Triton", "triton"},
    {"jaxlib", "jax"},
    {"JAX", "jax"},
    {"TensorFlow", "tensorflow"},
    {"NumPy", "numpy"},
    {"Python", "python"},
    {"CPython", "python"},
    {"NVIDIA driver", "nvidia-driver"},
    {"Driver Version", "nvidia-driver"},
    {"driver", "nvidia-driver"},
    {"gcc", "gcc"},
    {"clang", "llvm"},
    {"LLVM", "llvm"},
    {"Ubuntu", "ubuntu"},
    {"Debian", "debian"},
    {"Linux kernel", "linux"},
    {"kernel", "linux"},
    {"Windows", "windows"},
    {"macOS", "macos"},
};

static bool word_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool version_char(struct span text, size_t at) {
    if (at >= text.len)
        return false;
    if (isdigit((unsigned char)text.at[at]))
        return true;
    return text.at[at] == '.' && at + 1 < text.len && isdigit((unsigned char)text.at[at + 1]);
}

/* Skips what stands between a name and its version: " ", ": ", "==", " version ", " v". */
static size_t skip_to_version(struct span text, size_t at) {
    size_t limit = at + 12;
    while (at < text.len && at < limit && strchr(" \t:=-(", text.at[at]) && text.at[at])
        at++;
    struct span rest = span_slice(text, at, text.len);
    if (span_starts_nocase(rest, SPAN("version ")))
        at += 8;
    if (at < text.len && (text.at[at] == 'v' || text.at[at] == 'V') && version_char(text, at + 1))
        at++;
    return at;
}

static struct span read_version(struct span text, size_t *at) {
    size_t start = *at;
    while (version_char(text, *at))
        ++*at;
    return span_slice(text, start, *at);
}

/* "+cu118" behind the version. */
static struct span read_build(struct span text, size_t *at) {
    size_t start = *at + 1, end = start;
    if (*at >= text.len || text.at[*at] != '+')
        return SPAN("");
    while (end < text.len && (word_char(text.at[end]) || text.at[end] == '.'))
        end++;
    if (end > start)
        *at = end;
    return span_slice(text, start, end);
}

static bool read_mention(const struct hardware *h, struct span text, size_t at,
                         const struct product_name *name, struct software_mention *m) {
    struct span word = span_of(name->text);
    if (!span_starts_nocase(span_slice(text, at, text.len), word))
        return false;
    size_t end = at + word.len, from;
    if (end < text.len && word_char(text.at[end]))
        return false;
    from = end = skip_to_version(text, end);
    struct span version = read_version(text, &end);
    /* one bare digit ("torch 2") says too little, except for systems counted by it */
    bool counted = strcmp(name->product, "windows") == 0 || strcmp(name->product, "debian") == 0 ||
                   strcmp(name->product, "macos") == 0;
    if (!version.len || (!counted && span_find_byte(version, '.', 0) == SIZE_MAX))
        return false;
    if (from == at + word.len || (end < text.len && isalpha((unsigned char)text.at[end])))
        return false;
    struct span build = read_build(text, &end);
    *m = (struct software_mention){at,      end,   name->product,
                                   version, build, software_row(h, name->product, version)};
    return true;
}

struct software_mention *hardware_find_software(struct arena *arena, const struct hardware *h,
                                                struct span text, size_t *count) {
    struct software_mention *found = NULL, m;
    size_t capacity = 0;
    *count = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (!isalpha((unsigned char)text.at[at]) || (at && word_char(text.at[at - 1])))
            continue;
        for (size_t i = 0; i < sizeof product_names / sizeof *product_names; i++)
            if (read_mention(h, text, at, &product_names[i], &m)) {
                LIST_PUSH(arena, found, *count, capacity, m);
                at = m.end - 1;
                break;
            }
    }
    return found;
}

static size_t next_part(struct span *rest, bool *any) {
    struct span part;
    size_t value = 0;
    *any = span_next_field(rest, '.', &part);
    for (size_t i = 0; *any && i < part.len && isdigit((unsigned char)part.at[i]) && i < 9; i++)
        value = value * 10 + (size_t)(part.at[i] - '0');
    return value;
}

int version_compare(struct span a, struct span b) {
    bool more_a, more_b;
    do {
        size_t x = next_part(&a, &more_a), y = next_part(&b, &more_b);
        if (more_a && more_b && x != y)
            return x < y ? -1 : 1;
    } while (more_a && more_b);
    return 0;
}

/* part is version itself or its beginning up to a dot */
static bool begins(struct span version, struct span part) {
    return span_starts(version, part) && (version.len == part.len || version.at[part.len] == '.');
}

size_t software_row(const struct hardware *h, const char *product, struct span version) {
    const struct table *t = &h->software;
    size_t products = table_column(t, "product"), versions = table_column(t, "version");
    size_t best = SIZE_MAX, longest = 0;
    for (size_t row = 0; row < t->row_count; row++) {
        struct span known = table_cell(t, row, versions);
        if (!span_equal(table_cell(t, row, products), span_of(product)))
            continue;
        if (begins(version, known) && known.len > longest) {
            best = row;
            longest = known.len;
        }
    }
    return best;
}
