#include "ledger/word.h"

#include "core/utf8.h"

#include <utf8proc.h>

/* A code point at a place, with what joining asks about it. */
struct point {
    uint32_t code; /* 0: none */
    size_t start, end;
    bool digit, letter, mark, word; /* word: letter, digit, mark, other number or connector */
};

static struct point classify(uint32_t code, size_t start, size_t end) {
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)code);
    struct point point = {.code = code, .start = start, .end = end};
    point.digit = c == UTF8PROC_CATEGORY_ND;
    point.letter = c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
    point.mark = c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME;
    point.word = point.letter || point.mark || c == UTF8PROC_CATEGORY_PC ||
                 (c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO) || code == 0xAD;
    return point;
}

static struct point point_after(struct span text, size_t at) {
    uint32_t code;
    size_t length = at < text.len ? utf8_decode(span_slice(text, at, text.len), &code) : 0;
    return length ? classify(code, at, at + length) : (struct point){.start = at, .end = at};
}

static struct point point_before(struct span text, size_t at) {
    uint32_t code;
    for (size_t length = 1; length <= 4 && length <= at; length++)
        if (utf8_decode(span_slice(text, at - length, at), &code) == length)
            return classify(code, at - length, at);
    return (struct point){.start = at, .end = at};
}

static bool is_one_of(const struct point *point, const uint32_t *codes) {
    for (; *codes; codes++)
        if (point->code == *codes)
            return true;
    return false;
}

static const uint32_t hyphens[] = {'-', 0x2010, 0x2011, '\'', 0x2019, 0};
static const uint32_t signs[] = {'-', '+', 0x2212, 0x2010, 0x2011, 0};
/* Between digits: decimal marks, groups, ranges, fractions, times, ratios, powers. */
static const uint32_t between_digits[] = {'.', ',',    '\'',   0x2019, '/',    ':',    '^',
                                          '-', 0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0};
static const uint32_t groups[] = {' ', 0xA0, 0x2009, 0x202F, 0};
static const uint32_t degrees[] = {'%', 0x2030, 0xB0, 0x2032, 0x2033, 0};
static const uint32_t times[] = {'x', 'X', '*', 0xD7, 0xB7, 0x22C5, 0};

/* Scripts without spaces between words: nothing there can be cut short by looking at letters. */
static bool unspaced(const struct point *a, const struct point *b) {
    return a->letter && b->letter && utf8proc_charwidth((utf8proc_int32_t)a->code) == 2 &&
           utf8proc_charwidth((utf8proc_int32_t)b->code) == 2;
}

/* `mark` stands between words or digits that it joins: l and r are its neighbours. */
static bool joins(const struct point *l, const struct point *mark, const struct point *r) {
    if (l->digit && r->digit && is_one_of(mark, between_digits))
        return true;
    if (l->word && r->word && is_one_of(mark, hyphens))
        return true;
    if (mark->code != '.' || !l->word)
        return false;
    /* torch.compile, v1.x, Fig.5; a capital behind a period starts a sentence. */
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)r->code);
    return r->digit || (r->code && c == UTF8PROC_CATEGORY_LL);
}

/* A sign or a decimal point that nothing stands before: "-5", ".95". */
static bool leads(const struct point *l, const struct point *mark, const struct point *r) {
    return r->digit && !l->word && l->code != ')' && (is_one_of(mark, signs) || mark->code == '.');
}

static size_t digits_before(struct span text, size_t at, size_t most) {
    size_t count = 0;
    for (struct point p; count < most && (p = point_before(text, at)).digit; count++)
        at = p.start;
    return count;
}

static size_t digits_after(struct span text, size_t at, size_t most) {
    size_t count = 0;
    for (struct point p; count < most && (p = point_after(text, at)).digit; count++)
        at = p.end;
    return count;
}

/* "12 345": one to three digits, a space, exactly three digits. */
static bool groups_digits(struct span text, const struct point *space) {
    size_t left = digits_before(text, space->start, 4);
    return is_one_of(space, groups) && left >= 1 && left <= 3 &&
           digits_after(text, space->end, 4) == 3;
}

/* "2 x 10^5": the place may be on either side of the sign, with spaces. */
static bool scales(struct span text, size_t at) {
    enum { MOST = 6 }; /* bounded, or a long run of spaces would cost its square */
    struct point p = point_before(text, at);
    for (int i = 0; i < MOST && (is_one_of(&p, groups) || is_one_of(&p, times)); i++)
        p = point_before(text, p.start);
    size_t from = p.end;
    bool sign = false;
    if (!p.digit)
        return false;
    struct point r = point_after(text, from);
    for (int i = 0; i < MOST && (is_one_of(&r, groups) || is_one_of(&r, times)); i++) {
        sign |= is_one_of(&r, times);
        r = point_after(text, r.end);
    }
    struct span rest = span_slice(text, r.start, text.len);
    if (!sign || !span_starts(rest, SPAN("10")) || r.start < at)
        return false;
    struct point power = point_after(text, r.start + 2);
    return power.code == '^' || (power.word && !power.digit && !power.letter);
}

bool word_joined(struct span text, size_t at) {
    if (at == 0 || at >= text.len)
        return false;
    struct point l = point_before(text, at), r = point_after(text, at);
    if (!l.code || !r.code)
        return true; /* inside a code point */
    if (r.mark || (l.word && r.word && !unspaced(&l, &r)))
        return true;
    struct point ll = point_before(text, l.start), rr = point_after(text, r.end);
    if (joins(&ll, &l, &r) || joins(&l, &r, &rr) || leads(&ll, &l, &r))
        return true;
    bool percent = l.digit && (is_one_of(&r, degrees) || (is_one_of(&r, groups) && rr.code == '%'));
    if (percent || (r.code == '%' && is_one_of(&l, groups) && ll.digit))
        return true;
    return groups_digits(text, &l) || groups_digits(text, &r) || scales(text, at);
}

void word_around(struct span text, size_t at, size_t *start, size_t *end) {
    enum { MOST = 80 }; /* for a message; a longer word is shown in part */
    *start = *end = at;
    while (*start > 0 && at - *start < MOST) {
        *start = point_before(text, *start).start;
        if (!word_joined(text, *start))
            break;
    }
    while (*end < text.len && *end - at < MOST) {
        size_t next = point_after(text, *end).end;
        if (next == *end)
            break;
        *end = next;
        if (!word_joined(text, *end))
            break;
    }
}

bool word_next_number(struct span text, size_t *at, struct span *word) {
    while (*at < text.len) {
        size_t start = *at, end = start;
        bool digit = false;
        do {
            struct point p = point_after(text, end);
            if (p.end == end)
                return false; /* not UTF-8: the caller excludes it */
            digit |= p.digit;
            end = p.end;
        } while (end < text.len && word_joined(text, end));
        *at = end;
        *word = span_slice(text, start, end);
        if (digit)
            return true;
    }
    return false;
}
