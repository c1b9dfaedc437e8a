#include "fetch/version_pep440.h"

#include <stdint.h>

struct reader {
    struct span text;
    size_t at;
};

static char peek(const struct reader *r) {
    return r->at < r->text.len ? r->text.at[r->at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool read_number(struct reader *r, size_t *value) {
    enum { MOST = 100000000 };
    size_t start = r->at;
    *value = 0;
    while (is_digit(peek(r)) && *value < MOST)
        *value = *value * 10 + (size_t)(r->text.at[r->at++] - '0');
    return r->at > start && !is_digit(peek(r));
}

static void skip_separator(struct reader *r) {
    if (peek(r) == '.' || peek(r) == '-' || peek(r) == '_')
        r->at++;
}

/* One of the words behind an optional separator, with its number (0 when it has none). */
static bool read_part(struct reader *r, const char *const *words, size_t *index, size_t *number) {
    struct reader start = *r;
    skip_separator(r);
    for (*index = 0; words[*index]; ++*index) {
        struct span word = span_of(words[*index]);
        if (!span_starts_nocase(span_slice(r->text, r->at, r->text.len), word))
            continue;
        r->at += word.len;
        skip_separator(r);
        *number = 0;
        if (is_digit(peek(r)) && !read_number(r, number))
            break;
        return true;
    }
    *r = start;
    return false;
}

static bool read_release(struct reader *r, struct version440 *version) {
    for (size_t i = 0; i < VERSION_NUMBERS; i++) {
        if (!read_number(r, &version->numbers[i]))
            return false;
        if (i == 0 && peek(r) == '!') {
            version->epoch = version->numbers[0];
            r->at++;
            i--;
            continue;
        }
        bool more = peek(r) == '.' && r->at + 1 < r->text.len && is_digit(r->text.at[r->at + 1]);
        if (!more)
            return true;
        r->at++;
    }
    return false;
}

bool version440_read(struct span text, struct version440 *version) {
    static const char *const pre[] = {"alpha", "beta", "preview", "pre", "rc", "a", "b", "c", NULL};
    static const int phases[] = {1, 2, 3, 3, 3, 1, 2, 3};
    static const char *const post[] = {"post", "rev", "r", NULL}, *const dev[] = {"dev", NULL};
    struct reader r = {span_trim(text), 0};
    size_t index;
    *version = (struct version440){.phase = 4};
    if (peek(&r) == 'v' || peek(&r) == 'V')
        r.at++;
    if (!read_release(&r, version))
        return false;
    if (read_part(&r, pre, &index, &version->phase_number))
        version->phase = phases[index];
    if (peek(&r) == '-' && r.at + 1 < r.text.len && is_digit(r.text.at[r.at + 1])) {
        r.at++;
        version->has_post = read_number(&r, &version->post);
    } else if (read_part(&r, post, &index, &version->post)) {
        version->has_post = true;
    }
    version->has_dev = read_part(&r, dev, &index, &version->dev);
    if (version->has_dev && version->phase == 4 && !version->has_post)
        version->phase = 0;
    return r.at == r.text.len || peek(&r) == '+';
}

static int order(size_t a, size_t b) {
    return (a > b) - (a < b);
}

int version440_compare(const struct version440 *a, const struct version440 *b) {
    int result = order(a->epoch, b->epoch);
    for (size_t i = 0; result == 0 && i < VERSION_NUMBERS; i++)
        result = order(a->numbers[i], b->numbers[i]);
    if (result == 0)
        result = order((size_t)a->phase, (size_t)b->phase);
    if (result == 0)
        result = order(a->phase_number, b->phase_number);
    if (result == 0)
        result = order(a->has_post ? a->post + 1 : 0, b->has_post ? b->post + 1 : 0);
    return result ? result : order(a->has_dev ? a->dev : SIZE_MAX, b->has_dev ? b->dev : SIZE_MAX);
}

bool version440_is_pre(const struct version440 *version) {
    return version->phase < 4 || version->has_dev;
}
