/* LaTeX of bibliographies as Unicode. */
#include "fetch/bibtex.h"

#include "core/utf8.h"
#include "fetch/outline.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Accents as combining marks; NFC joins them to the letter. */
static const struct accent {
    char command;
    const char *mark;
} accents[] = {
    {'`', "\xCC\x80"}, {'\'', "\xCC\x81"}, {'^', "\xCC\x82"}, {'~', "\xCC\x83"}, {'=', "\xCC\x84"},
    {'u', "\xCC\x86"}, {'.', "\xCC\x87"},  {'"', "\xCC\x88"}, {'r', "\xCC\x8A"}, {'H', "\xCC\x8B"},
    {'v', "\xCC\x8C"}, {'d', "\xCC\xA3"},  {'c', "\xCC\xA7"}, {'k', "\xCC\xA8"}, {'b', "\xCC\xB1"},
};

static const struct letter {
    const char *command, *text;
} letters[] = {
    {"o", "\xC3\xB8"},   {"O", "\xC3\x98"},       {"ss", "\xC3\x9F"}, {"ae", "\xC3\xA6"},
    {"AE", "\xC3\x86"},  {"oe", "\xC5\x93"},      {"OE", "\xC5\x92"}, {"aa", "\xC3\xA5"},
    {"AA", "\xC3\x85"},  {"l", "\xC5\x82"},       {"L", "\xC5\x81"},  {"i", "\xC4\xB1"},
    {"j", "\xC8\xB7"},   {"dh", "\xC3\xB0"},      {"th", "\xC3\xBE"}, {"textendash", "-"},
    {"textemdash", "-"}, {"textasciitilde", "~"}, {"TeX", "TeX"},     {"LaTeX", "LaTeX"},
};

struct plain {
    struct span text;
    size_t at;
    struct buffer out;
};

static const char *accent_of(struct span command) {
    for (size_t i = 0; command.len == 1 && i < sizeof accents / sizeof *accents; i++)
        if (accents[i].command == command.at[0])
            return accents[i].mark;
    return NULL;
}

static char peek(const struct plain *p) {
    return p->at < p->text.len ? p->text.at[p->at] : '\0';
}

/* The letter that an accent stands over: "e", "{e}", "{\i}", "\i". */
static void add_accented(struct plain *p, const char *mark) {
    while (peek(p) == ' ' || peek(p) == '{')
        p->at++;
    if (peek(p) == '\\' && p->at + 1 < p->text.len &&
        (p->text.at[p->at + 1] == 'i' || p->text.at[p->at + 1] == 'j')) {
        buffer_add_byte(&p->out, p->text.at[p->at + 1]);
        p->at += 2;
    } else {
        uint32_t code;
        size_t size = utf8_decode(span_slice(p->text, p->at, p->text.len), &code);
        if (size == 0 || peek(p) == '}' || peek(p) == '\\')
            return;
        buffer_add(&p->out, span_slice(p->text, p->at, p->at + size));
        p->at += size;
    }
    buffer_add_string(&p->out, mark);
}

static void add_command(struct plain *p) {
    size_t start = ++p->at;
    while (is_letter(peek(p)))
        p->at++;
    if (p->at == start && p->at < p->text.len)
        p->at++; /* a sign: \& \" */
    struct span command = span_slice(p->text, start, p->at);
    const char *mark = accent_of(command);
    bool letters_only = command.len > 0 && is_letter(command.at[0]);
    if (letters_only)
        while (peek(p) == ' ')
            p->at++;
    if (mark && (!letters_only || peek(p) == '{' || p->text.at[p->at - 1] == ' ')) {
        add_accented(p, mark);
        return;
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (span_equal(command, span_of(letters[i].command))) {
            buffer_add_string(&p->out, letters[i].text);
            return;
        }
    if (command.len == 1 && !letters_only)
        buffer_add(&p->out, command.at[0] == '\\' ? SPAN(" ") : command);
}

static void add_byte(struct plain *p) {
    char c = p->text.at[p->at++];
    if (c == '{' || c == '}' || c == '$')
        return;
    if (c == '~') {
        buffer_add_byte(&p->out, ' ');
        return;
    }
    if (c == '-' && peek(p) == '-') { /* en and em dashes compare as a hyphen does */
        while (peek(p) == '-')
            p->at++;
    }
    buffer_add_byte(&p->out, c);
}

struct span bibtex_plain(struct arena *arena, struct span latex) {
    struct plain p = {.text = latex};
    struct buffer valid = {0}, nfc = {0};
    while (p.at < p.text.len) {
        if (p.text.at[p.at] == '\\')
            add_command(&p);
        else
            add_byte(&p);
    }
    utf8_repair(&valid, buffer_span(&p.out));
    if (!utf8_nfc(&nfc, buffer_span(&valid)))
        buffer_clear(&nfc);
    struct span text = outline_collapse(arena, arena_copy(arena, buffer_span(&nfc)));
    buffer_free(&p.out);
    buffer_free(&valid);
    buffer_free(&nfc);
    return span_trim(text);
}
