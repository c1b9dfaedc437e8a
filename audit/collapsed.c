#include "audit/collapsed.h"

#include "audit/contract.h"
#include "audit/sentence.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Calls, subscripts, attributes, names with underscores: what ordinary words do not look like. */
static bool is_code_token(struct span token) {
    if (span_equal(token, SPAN("=")) || span_equal(token, SPAN("==")) ||
        span_equal(token, SPAN("+=")))
        return true;
    for (size_t i = 1; i + 1 < token.len; i++) {
        char before = token.at[i - 1], c = token.at[i], after = token.at[i + 1];
        if ((c == '(' || c == '[' || c == '_') && is_name(before))
            return true;
        if (c == '.' && is_name(before) && islower((unsigned char)after))
            return true;
    }
    return false;
}

/* Three tokens of code at least, and every third at least. Prose that names a function or two has
 * fewer. */
static bool is_code(struct span piece) {
    size_t tokens = 0, code = 0;
    for (struct span rest = piece, token; span_next_field(&rest, ' ', &token);) {
        tokens += token.len > 0;
        code += is_code_token(token);
    }
    return code >= 3 && code * 3 >= tokens;
}

/* "label: 9.4 ms" or "label= 9.4": a number right behind the mark, and no full stop behind it all.
 */
static bool is_output(struct span piece) {
    struct span text = span_trim(piece);
    enum { LONGEST_LABEL = 80 };
    if (text.len == 0 || strchr(".!?", text.at[text.len - 1]))
        return false;
    for (size_t i = 1; i + 1 < text.len && i < LONGEST_LABEL; i++) {
        if (text.at[i] != ':' && text.at[i] != '=')
            continue;
        size_t value = i + 1;
        while (value < text.len && text.at[value] == ' ')
            value++;
        return value < text.len && isdigit((unsigned char)text.at[value]);
    }
    return false;
}

static enum block_kind kind_of(struct span piece) {
    return is_code(piece) ? BLOCK_CODE : is_output(piece) ? BLOCK_OUTPUT : BLOCK_PROSE;
}

static void find_listing(struct collapsed *walk) {
    if (walk->looked && walk->listing >= walk->at)
        return;
    walk->looked = true;
    if (!contract_run(walk->view, walk->at, walk->end, &walk->listing, &walk->listing_end))
        walk->listing = walk->end;
}

/* Sentences and listed values of one kind, up to limit. */
static size_t run_end(struct span view, size_t start, size_t limit, enum block_kind *kind) {
    size_t at = sentence_end(view, start, limit);
    *kind = kind_of(span_slice(view, start, at));
    while (at < limit) {
        size_t next = sentence_end(view, at, limit);
        struct span piece = span_slice(view, at, next);
        if (span_trim(piece).len && kind_of(piece) != *kind)
            break;
        at = next;
    }
    return at;
}

bool collapsed_next(struct collapsed *walk, size_t *start, size_t *end, enum block_kind *kind) {
    if (walk->at >= walk->end)
        return false;
    find_listing(walk);
    *start = walk->at;
    if (walk->listing == walk->at) {
        *kind = BLOCK_CONTRACT;
        *end = walk->listing_end;
    } else
        *end = run_end(walk->view, walk->at, walk->listing, kind);
    walk->at = *end;
    return true;
}
