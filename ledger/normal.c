#include "ledger/normal.h"

#include "core/utf8.h"

#include <utf8proc.h>

static const struct fold {
    uint32_t first, last;
    const char *as;
    unsigned step;
} folds[] = {
    {0x00AD, 0x00AD, "", NORMAL_INVISIBLE},    {0x200B, 0x200D, "", NORMAL_INVISIBLE},
    {0x2060, 0x2060, "", NORMAL_INVISIBLE},    {0xFEFF, 0xFEFF, "", NORMAL_INVISIBLE},
    {0x2018, 0x201B, "'", NORMAL_QUOTES},      {0x201C, 0x201F, "\"", NORMAL_QUOTES},
    {0x2010, 0x2015, "-", NORMAL_DASHES},      {0x2212, 0x2212, "-", NORMAL_DASHES},
    {0xFB00, 0xFB00, "ff", NORMAL_LIGATURES},  {0xFB01, 0xFB01, "fi", NORMAL_LIGATURES},
    {0xFB02, 0xFB02, "fl", NORMAL_LIGATURES},  {0xFB03, 0xFB03, "ffi", NORMAL_LIGATURES},
    {0xFB04, 0xFB04, "ffl", NORMAL_LIGATURES}, {0xFB05, 0xFB06, "st", NORMAL_LIGATURES},
};

static const struct step_name {
    unsigned step;
    const char *name;
} step_names[] = {
    {NORMAL_SPACE, "white space"},
    {NORMAL_NFC, "Unicode NFC"},
    {NORMAL_QUOTES, "quotation marks"},
    {NORMAL_DASHES, "dashes"},
    {NORMAL_LIGATURES, "ligatures"},
    {NORMAL_INVISIBLE, "invisible characters"},
    {NORMAL_LINE_HYPHEN_DROPPED, "hyphens at line ends dropped"},
    {NORMAL_LINE_HYPHEN_KEPT, "line ends behind hyphens"},
};

static bool is_space(uint32_t code) {
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

struct making {
    struct buffer out;
    struct span text;
    unsigned steps;
    size_t at;       /* in text */
    uint32_t before; /* the code point before `at` */
};

/* Bytes of the run of white space at `at`; *line says whether it ends a line. */
static size_t space_at(struct span text, size_t at, bool *line) {
    size_t end = at, length;
    uint32_t code;
    *line = false;
    while ((length = utf8_decode(span_slice(text, end, text.len), &code)) && is_space(code)) {
        *line |= code == '\n';
        end += length;
    }
    return end - at;
}

static bool is_letter(uint32_t code, bool lower) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    return category == UTF8PROC_CATEGORY_LL ||
           (!lower && (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LO));
}

/* "-\n" between a letter and a small letter: the bytes of hyphen and white space, else 0. */
static size_t line_hyphen(const struct making *m, size_t at, size_t length, uint32_t before) {
    bool line;
    uint32_t after;
    size_t space = space_at(m->text, at + length, &line);
    struct span rest = span_slice(m->text, at + length + space, m->text.len);
    if (!line || !is_letter(before, false) || !utf8_decode(rest, &after) || !is_letter(after, true))
        return 0;
    return length + space;
}

/* A starter with the combining marks and Hangul jamo that follow it. */
static size_t cluster_at(struct span text, size_t at, size_t length) {
    size_t end = at + length, next;
    uint32_t code;
    while ((next = utf8_decode(span_slice(text, end, text.len), &code)) && code >= 0x300) {
        const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)code);
        bool jamo = code >= 0x1161 && code <= 0x11FF;
        if (property->combining_class == 0 && !jamo)
            break;
        end += next;
    }
    return end - at;
}

static const struct fold *fold_of(uint32_t code, unsigned steps) {
    for (size_t i = 0; code >= 0xA0 && i < sizeof folds / sizeof *folds; i++)
        if (code >= folds[i].first && code <= folds[i].last && (folds[i].step & steps))
            return &folds[i];
    return NULL;
}

/* Puts what stands at `at` (code, of `length` bytes); returns how many bytes that took. */
static size_t put(struct making *m, size_t at, uint32_t code, size_t length, uint32_t before) {
    bool line, hyphen = code == '-' || code == 0x2010 || code == 0xAD;
    unsigned joins = m->steps & (NORMAL_LINE_HYPHEN_DROPPED | NORMAL_LINE_HYPHEN_KEPT);
    size_t joined = hyphen && joins ? line_hyphen(m, at, length, before) : 0;
    if (joined) {
        if (joins & NORMAL_LINE_HYPHEN_KEPT && code != 0xAD)
            buffer_add_byte(&m->out, '-');
        return joined;
    }
    if (m->steps & NORMAL_SPACE && is_space(code)) {
        buffer_add_byte(&m->out, ' ');
        return space_at(m->text, at, &line);
    }
    const struct fold *fold = fold_of(code, m->steps);
    if (fold) {
        buffer_add_string(&m->out, fold->as);
        return length;
    }
    size_t cluster = m->steps & NORMAL_NFC ? cluster_at(m->text, at, length) : length;
    struct span bytes = span_slice(m->text, at, at + cluster);
    if (!(m->steps & NORMAL_NFC) || (cluster == length && code < 0x300) ||
        !utf8_nfc(&m->out, bytes))
        buffer_add(&m->out, bytes);
    return cluster;
}

/* One step on; false at the end (or at what is not UTF-8, which the caller excludes). */
static bool advance(struct making *m) {
    uint32_t code;
    size_t length = utf8_decode(span_slice(m->text, m->at, m->text.len), &code);
    if (length == 0)
        return false;
    m->at += put(m, m->at, code, length, m->before);
    m->before = code;
    return true;
}

struct span normal_of(struct arena *arena, struct span text, unsigned steps) {
    struct making m = {.text = text, .steps = steps};
    while (advance(&m))
        ;
    struct span copy = arena_copy(arena, buffer_span(&m.out));
    buffer_free(&m.out);
    return copy;
}

void normal_place(struct span text, unsigned steps, size_t from, size_t to, size_t *start,
                  size_t *end) {
    struct making m = {.text = text, .steps = steps};
    size_t done = 0; /* bytes of the normalization before this step */
    *start = *end = text.len;
    for (size_t at = 0; advance(&m); at = m.at) {
        if (done <= from && done + m.out.len > from)
            *start = at;
        done += m.out.len;
        buffer_clear(&m.out);
        if (done >= to) {
            *end = m.at;
            break;
        }
    }
    buffer_free(&m.out);
}

static bool equal_under(struct span a, struct span b, unsigned steps) {
    struct arena arena;
    arena_init(&arena);
    bool equal = span_equal(normal_of(&arena, a, steps), normal_of(&arena, b, steps));
    arena_free(&arena);
    return equal;
}

struct span normal_difference(struct arena *arena, struct span a, struct span b, unsigned steps) {
    struct buffer names = {0};
    for (size_t i = 0; i < sizeof step_names / sizeof *step_names; i++) {
        const struct step_name *row = &step_names[i];
        if (!(steps & row->step) || equal_under(a, b, steps & ~row->step))
            continue;
        buffer_printf(&names, "%s%s", names.len ? ", " : "", row->name);
    }
    struct span copy = arena_copy(arena, buffer_span(&names));
    buffer_free(&names);
    return copy;
}
