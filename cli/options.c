#include "cli/options.h"

#include "schemas/status.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_LONG = 256 };

struct option_row;
typedef bool option_reader(const struct option_row *, const char *value, void *field,
                           struct error *);

static option_reader read_flag, read_text, read_list, read_services, read_count, read_byte,
    read_seconds, read_fail_on, read_backend, read_color;

/* Indexed by enum option_bit. */
static const struct option_row {
    const char *name;
    char short_name;
    option_reader *read;
    size_t field; /* offset in struct options */
} rows[OPT_COUNT] = {
#define ROW(bit, name, short_name, reader, field)                                                  \
    [OPT_##bit] = {name, short_name, reader, offsetof(struct options, field)}
    ROW(OUT, "out", 'o', read_text, out),
    ROW(SNAPSHOT, "snapshot", 's', read_text, snapshot),
    ROW(OFFLINE, "offline", 0, read_flag, offline),
    ROW(REFRESH, "refresh", 0, read_flag, refresh),
    ROW(REPLAY, "replay", 0, read_text, replay),
    ROW(PROFILE, "profile", 0, read_text, profile),
    ROW(CACHE, "cache", 0, read_text, cache),
    ROW(JOBS, "jobs", 'j', read_count, jobs),
    ROW(CONTACT, "contact", 0, read_text, contact),
    ROW(SERVICE, "service", 0, read_services, services),
    ROW(BIBLIOGRAPHY, "bibliography", 0, read_list, bibliographies),
    ROW(ALLOW_PRIVATE, "allow-private", 0, read_flag, allow_private),
    ROW(ALLOW_MISMATCH, "allow-mismatch", 0, read_flag, allow_mismatch),
    ROW(CONNECT_TO, "connect-to", 0, read_list, connect_to),
    ROW(CACERT, "cacert", 0, read_text, ca_file),
    ROW(FEED, "feed", 0, read_text, feed),
    ROW(SUPPRESSIONS, "suppressions", 0, read_text, suppressions),
    ROW(EXPLAIN, "explain", 0, read_text, explain),
    ROW(BACKEND, "backend", 0, read_backend, backend),
    ROW(BUDGET, "budget", 0, read_seconds, budget_seconds),
    ROW(ONLY, "only", 0, read_list, only),
    ROW(REPEAT, "repeat", 0, read_count, repeat),
    ROW(LIST, "list", 0, read_flag, list),
    ROW(NO_BENCH, "no-bench", 0, read_flag, no_bench),
    ROW(EXECUTOR, "executor", 0, read_text, executor),
    ROW(TEXT, "text", 0, read_flag, text),
    ROW(MARKDOWN, "markdown", 0, read_flag, markdown),
    ROW(HTML, "html", 0, read_flag, html),
    ROW(PASS, "pass", 0, read_text, pass),
    ROW(CLAIM, "claim", 0, read_text, claim),
    ROW(SOURCE, "source", 0, read_text, source),
    ROW(RELATION, "relation", 0, read_text, relation),
    ROW(CLASS, "class", 0, read_text, class),
    ROW(QUOTE, "quote", 0, read_text, quote),
    ROW(NOTE, "note", 0, read_text, note),
    ROW(AT, "at", 0, read_byte, at),
    ROW(REASON, "reason", 0, read_text, reason),
    ROW(REPLACEMENT, "replacement", 0, read_text, replacement),
    ROW(EVIDENCE, "evidence", 0, read_list, evidence),
    ROW(FILE, "file", 0, read_text, file),
    ROW(ABSTRACT, "abstract", 0, read_flag, abstract),
    ROW(SEARCH, "search", 0, read_text, search),
    ROW(MOST, "most", 0, read_count, most),
    ROW(WHO, "who", 0, read_text, who),
    ROW(FAIL_ON, "fail-on", 0, read_fail_on, fail_on),
    ROW(JSON, "json", 0, read_flag, json),
    ROW(QUIET, "quiet", 'q', read_flag, quiet),
    ROW(VERBOSE, "verbose", 'v', read_flag, verbose),
    ROW(COLOR, "color", 0, read_color, color),
#undef ROW
};

static bool invalid(const struct option_row *row, const char *value, const char *expected,
                    struct error *error) {
    char where[80];
    snprintf(where, sizeof where, "--%s", row->name);
    return error_set(error, ERROR_USAGE, where, "`assay COMMAND --help` lists the values.",
                     "expected %s, got \"%s\"", expected, value);
}

static bool read_flag(const struct option_row *row, const char *value, void *field,
                      struct error *error) {
    (void)row, (void)value, (void)error;
    *(bool *)field = true;
    return true;
}

static bool read_text(const struct option_row *row, const char *value, void *field,
                      struct error *error) {
    *(const char **)field = value;
    return *value != '\0' || invalid(row, value, "a value", error);
}

/* A list of at most OPTION_LIST_MOST values, NULL-terminated. */
static bool read_list(const struct option_row *row, const char *value, void *field,
                      struct error *error) {
    const char **list = field;
    for (int i = 0; i < OPTION_LIST_MOST; i++)
        if (!list[i]) {
            list[i] = value;
            return true;
        }
    return invalid(row, value, "fewer repetitions of this option", error);
}

/* NAME=URL */
static bool read_services(const struct option_row *row, const char *value, void *field,
                          struct error *error) {
    const char *equals = strchr(value, '=');
    bool web =
        equals && (strncmp(equals, "=https://", 9) == 0 || strncmp(equals, "=http://", 8) == 0);
    if (!web || equals == value)
        return invalid(row, value, "NAME=URL, as in crossref=https://api.crossref.org", error);
    return read_list(row, value, field, error);
}

static bool read_count(const struct option_row *row, const char *value, void *field,
                       struct error *error) {
    size_t number;
    if (!span_to_size(span_of(value), 1000, &number) || number == 0)
        return invalid(row, value, "a whole number from 1 to 1000", error);
    *(int *)field = (int)number;
    return true;
}

static bool read_byte(const struct option_row *row, const char *value, void *field,
                      struct error *error) {
    return span_to_size(span_of(value), SIZE_MAX - 1, field) ||
           invalid(row, value, "a byte of the text, counted from 0", error);
}

static bool read_seconds(const struct option_row *row, const char *value, void *field,
                         struct error *error) {
    enum { WEEK_SECONDS = 7 * 86400 };
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number > 0 && number <= WEEK_SECONDS))
        return invalid(row, value, "seconds above 0", error);
    *(double *)field = number;
    return true;
}

static int word_index(const char *value, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0)
            return i;
    return -1;
}

static bool read_fail_on(const struct option_row *row, const char *value, void *field,
                         struct error *error) {
    int level =
        strcmp(value, "never") == 0 ? FAIL_NEVER : word_value(&severity_words, span_of(value));
    *(int *)field = level;
    return level >= 0 || invalid(row, value, "never, info, low, medium or high", error);
}

static bool read_backend(const struct option_row *row, const char *value, void *field,
                         struct error *error) {
    static const char *const names[] = {"auto", "cuda", "cpu", "torch", NULL};
    *(const char **)field = value;
    return word_index(value, names) >= 0 || invalid(row, value, "auto, cuda, cpu or torch", error);
}

static bool read_color(const struct option_row *row, const char *value, void *field,
                       struct error *error) {
    static const char *const names[] = {"auto", "always", "never", NULL};
    int mode = word_index(value, names);
    *(enum color_mode *)field = (enum color_mode)(mode < 0 ? 0 : mode);
    return mode >= 0 || invalid(row, value, "auto, always or never", error);
}

/* getopt's tables for the accepted options; shorts needs 2 * OPT_COUNT + 2 bytes. */
static void make_tables(uint64_t accepted, struct option *longs, char *shorts) {
    *shorts++ = ':';
    for (int bit = 0; bit < OPT_COUNT; bit++) {
        if (!(accepted >> bit & 1))
            continue;
        int argument = rows[bit].read == read_flag ? no_argument : required_argument;
        *longs++ = (struct option){rows[bit].name, argument, NULL, FIRST_LONG + bit};
        if (!rows[bit].short_name)
            continue;
        *shorts++ = rows[bit].short_name;
        if (argument == required_argument)
            *shorts++ = ':';
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

static const struct option_row *row_of(int code) {
    for (int bit = 0; bit < OPT_COUNT; bit++)
        if (code == FIRST_LONG + bit || (rows[bit].short_name && code == rows[bit].short_name))
            return &rows[bit];
    return NULL;
}

static bool refuse(int code, char **argv, struct error *error) {
    const char *hint = "`assay COMMAND --help` lists the options.";
    if (code == ':')
        return error_set(error, ERROR_USAGE, argv[optind - 1], hint, "this option needs a value");
    return error_set(error, ERROR_USAGE, argv[optind - 1], hint, "`assay %s` has no such option",
                     argv[0]);
}

bool options_parse(int argc, char **argv, uint64_t accepted, int least, int most,
                   struct options *options, struct error *error) {
    struct option longs[OPT_COUNT + 1];
    char shorts[2 * OPT_COUNT + 2];
    make_tables(accepted, longs, shorts);
    *options = (struct options){.fail_on = FAIL_NEVER, .out = ".", .at = SIZE_MAX};
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        const struct option_row *row = row_of(code);
        if (!row)
            return refuse(code, argv, error);
        if (!row->read(row, optarg, (char *)options + row->field, error))
            return false;
    }
    options->arguments = argv + optind;
    options->argument_count = argc - optind;
    if (options->argument_count >= least && options->argument_count <= most)
        return true;
    return error_set(error, ERROR_USAGE, argv[0], "`assay COMMAND --help` shows the usage.",
                     options->argument_count < least ? "an argument is missing"
                                                     : "too many arguments");
}
