#include "fetch/charset.h"

#include "core/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>

/* Labels of the WHATWG Encoding standard that occur in practice, and what iconv calls them. A label
 * from outside is only ever looked up here. */
static const struct encoding {
    const char *label, *name, *iconv_name;
} encodings[] = {
    {"utf-8", "utf-8", "UTF-8"},
    {"utf8", "utf-8", "UTF-8"},
    {"us-ascii", "windows-1252", "CP1252"},
    {"ascii", "windows-1252", "CP1252"},
    {"iso-8859-1", "windows-1252", "CP1252"},
    {"iso8859-1", "windows-1252", "CP1252"},
    {"latin1", "windows-1252", "CP1252"},
    {"windows-1252", "windows-1252", "CP1252"},
    {"cp1252", "windows-1252", "CP1252"},
    {"iso-8859-2", "iso-8859-2", "ISO-8859-2"},
    {"latin2", "iso-8859-2", "ISO-8859-2"},
    {"iso-8859-5", "iso-8859-5", "ISO-8859-5"},
    {"iso-8859-7", "iso-8859-7", "ISO-8859-7"},
    {"iso-8859-9", "windows-1254", "CP1254"},
    {"iso-8859-15", "iso-8859-15", "ISO-8859-15"},
    {"windows-1250", "windows-1250", "CP1250"},
    {"windows-1251", "windows-1251", "CP1251"},
    {"windows-1253", "windows-1253", "CP1253"},
    {"windows-1254", "windows-1254", "CP1254"},
    {"windows-1255", "windows-1255", "CP1255"},
    {"windows-1256", "windows-1256", "CP1256"},
    {"windows-1257", "windows-1257", "CP1257"},
    {"windows-1258", "windows-1258", "CP1258"},
    {"koi8-r", "koi8-r", "KOI8-R"},
    {"koi8-u", "koi8-u", "KOI8-U"},
    {"macintosh", "macintosh", "MACINTOSH"},
    {"gb2312", "gbk", "GB18030"},
    {"gbk", "gbk", "GB18030"},
    {"gb18030", "gb18030", "GB18030"},
    {"big5", "big5", "BIG5-HKSCS"},
    {"euc-jp", "euc-jp", "EUC-JP"},
    {"shift_jis", "shift_jis", "CP932"},
    {"shift-jis", "shift_jis", "CP932"},
    {"iso-2022-jp", "iso-2022-jp", "ISO-2022-JP"},
    {"euc-kr", "euc-kr", "CP949"},
    {"utf-16", "utf-16le", "UTF-16LE"},
    {"utf-16le", "utf-16le", "UTF-16LE"},
    {"utf-16be", "utf-16be", "UTF-16BE"},
};

static const struct mark {
    const char *bytes;
    size_t len;
    const char *label;
} marks[] = {
    {"\xEF\xBB\xBF", 3, "utf-8"},
    {"\xFF\xFE", 2, "utf-16le"},
    {"\xFE\xFF", 2, "utf-16be"},
};

static const struct encoding *find_encoding(struct span label) {
    label = span_trim(label);
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (span_equal_nocase(label, span_of(encodings[i].label)))
            return &encodings[i];
    return NULL;
}

static const struct mark *find_mark(struct span bytes) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (span_starts(bytes, span_make(marks[i].bytes, marks[i].len)))
            return &marks[i];
    return NULL;
}

/* The value behind "charset=" in text, without quotes; empty when there is none. */
static struct span charset_parameter(struct span text) {
    size_t at = span_find_nocase(text, SPAN("charset"), 0);
    if (at == SIZE_MAX)
        return SPAN("");
    struct span rest = span_trim(span_slice(text, at + 7, text.len));
    if (!span_starts(rest, SPAN("=")))
        return SPAN("");
    rest = span_trim(span_slice(rest, 1, rest.len));
    if (rest.len && (rest.at[0] == '"' || rest.at[0] == '\''))
        rest = span_slice(rest, 1, rest.len);
    size_t len = 0;
    while (len < rest.len && !strchr("\"'; \t\r\n/>", rest.at[len]))
        len++;
    return span_slice(rest, 0, len);
}

/* The charset of the first <meta> that names one, within the bytes that browsers look at. */
static struct span meta_charset(struct span bytes) {
    struct span head = span_slice(bytes, 0, 1024);
    for (size_t at = 0; (at = span_find_nocase(head, SPAN("<meta"), at)) != SIZE_MAX; at++) {
        size_t end = span_find_byte(head, '>', at);
        struct span label =
            charset_parameter(span_slice(head, at, end == SIZE_MAX ? head.len : end + 1));
        if (label.len)
            return label;
    }
    return SPAN("");
}

static bool is_utf8(const struct encoding *encoding) {
    return strcmp(encoding->name, "utf-8") == 0;
}

static bool has_nul(struct span bytes) {
    return span_find_byte(bytes, '\0', 0) != SIZE_MAX;
}

static bool is_utf16(const struct encoding *encoding) {
    return strncmp(encoding->name, "utf-16", 6) == 0;
}

/* A single-byte encoding accepts anything, so text that is valid UTF-8 beyond ASCII and declared as
 * Latin is a wrong declaration: by accident that is next to impossible. So is text in UTF-16 that
 * is valid UTF-8 and has no NUL: not even its line ends are there. */
static bool plainly_wrong(const struct encoding *declared, bool valid_utf8, struct span bytes) {
    if (valid_utf8 && is_utf16(declared))
        return !has_nul(bytes);
    if (!valid_utf8 || strncmp(declared->name, "windows-125", 11) != 0)
        return false;
    for (size_t i = 0; i < bytes.len; i++)
        if ((unsigned char)bytes.at[i] >= 0x80)
            return true;
    return false;
}

/* Damaged UTF-8: of what is not ASCII nearly everything is a well-formed character, which in a
 * single-byte encoding is next to impossible. */
static bool is_mostly_utf8(struct span bytes) {
    enum { WELL_FORMED_FOR_ONE_BROKEN = 10 };
    size_t formed = 0, broken = 0;
    for (size_t i = 0; i < bytes.len;) {
        uint32_t code;
        size_t width = utf8_decode(span_slice(bytes, i, bytes.len), &code);
        formed += width > 1;
        broken += width == 0;
        i += width ? width : 1;
    }
    return formed >= WELL_FORMED_FOR_ONE_BROKEN * broken;
}

static const struct encoding *choose(struct span bytes, struct span content_type, bool valid_utf8,
                                     struct charset *charset) {
    const struct mark *mark = find_mark(bytes);
    if (mark) {
        charset->source = SPAN("bom");
        return find_encoding(span_of(mark->label));
    }
    struct span labels[] = {charset_parameter(content_type), meta_charset(bytes)};
    static const char *const sources[] = {"header", "meta"};
    for (size_t i = 0; i < 2; i++) {
        const struct encoding *declared = find_encoding(labels[i]);
        if (declared && !plainly_wrong(declared, valid_utf8, bytes)) {
            charset->source = span_of(sources[i]);
            return declared;
        }
        if (labels[i].len && charset->ignored.len == 0)
            charset->ignored = labels[i];
    }
    charset->source = SPAN("detected");
    return find_encoding(valid_utf8 || is_mostly_utf8(bytes) ? SPAN("utf-8")
                                                             : SPAN("windows-1252"));
}

/* Appends what iconv makes of in; each byte (or lone unit) it refuses becomes U+FFFD. */
static size_t convert(struct buffer *out, struct span in, const struct encoding *encoding) {
    iconv_t machine = iconv_open("UTF-8", encoding->iconv_name);
    if (machine == (iconv_t)-1)
        return utf8_repair(out, in);
    size_t unit = is_utf16(encoding) ? 2 : 1, replaced = 0;
    char *from = (char *)(uintptr_t)in.at;
    size_t left = in.len;
    while (left > 0) {
        enum { PIECE = 1 << 16 };
        char *to = buffer_reserve(out, PIECE);
        size_t room = PIECE;
        size_t result = iconv(machine, &from, &left, &to, &room);
        out->len += PIECE - room;
        if (result != (size_t)-1 || errno == E2BIG)
            continue;
        buffer_add(out, SPAN("\xEF\xBF\xBD"));
        replaced++;
        size_t skip = errno == EINVAL || left < unit ? left : unit;
        from += skip;
        left -= skip;
    }
    iconv_close(machine);
    return replaced;
}

struct span charset_decode(struct arena *arena, struct span bytes, struct span content_type,
                           struct charset *charset) {
    *charset = (struct charset){0};
    bool valid = utf8_first_invalid(bytes) == SIZE_MAX;
    const struct encoding *encoding = choose(bytes, content_type, valid, charset);
    charset->name = span_of(encoding->name);
    charset->ignored = arena_copy(arena, charset->ignored);
    if (valid && is_utf8(encoding))
        return bytes;
    const struct mark *mark = find_mark(bytes);
    struct span body = span_slice(bytes, mark && !is_utf8(encoding) ? mark->len : 0, bytes.len);
    struct buffer out = {0};
    charset->replaced = is_utf8(encoding) ? utf8_repair(&out, body) : convert(&out, body, encoding);
    struct span text = arena_copy(arena, buffer_span(&out));
    buffer_free(&out);
    return text;
}

bool charset_is_binary(struct span bytes, struct span content_type) {
    struct charset ignored = {0};
    return has_nul(bytes) && !is_utf16(choose(bytes, content_type, false, &ignored));
}
