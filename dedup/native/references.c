/* Character references, such as &lt;, in the forms of nearly all pages. Python decodes all others. */

#include "native.h"

enum { MOST_DIGITS = 7, LONGEST_NAME = 8 };

static const struct {
    const char *name, *character;
} named[] = {
    {"nbsp;", "\xc2\xa0"}, {"amp;", "&"}, {"lt;", "<"}, {"gt;", ">"}, {"quot;", "\""}, {"apos;", "'"},
    {"ldquo;", "\xe2\x80\x9c"}, {"rdquo;", "\xe2\x80\x9d"}, {"lsquo;", "\xe2\x80\x98"},
    {"rsquo;", "\xe2\x80\x99"}, {"mdash;", "\xe2\x80\x94"}, {"ndash;", "\xe2\x80\x93"},
    {"hellip;", "\xe2\x80\xa6"}, {"middot;", "\xc2\xb7"}, {"laquo;", "\xc2\xab"},
    {"raquo;", "\xc2\xbb"}, {"copy;", "\xc2\xa9"}, {"bull;", "\xe2\x80\xa2"},
};

/* Whether a & is a literal &, by the byte behind it or because the text ends there. */
static bool is_literal_before(const octet *at, size_t next, size_t end)
{
    if (next == end)
        return true;
    octet c = at[next];
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '<' || c == '&' || c == ';';
}

/* The length of a known name, and its character; 0 for other names. */
static size_t read_name(const octet *at, size_t left, const char **character)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        size_t length = strlen(named[i].name);
        if (length <= left && !memcmp(at, named[i].name, length)) {
            *character = named[i].character;
            return length;
        }
    }
    return 0;
}

static int digit(octet c, int base)
{
    int value = c <= '9' ? c - '0' : lower(c) - 'a' + 10;
    bool is_one = (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f');
    return is_one && value < base ? value : -1;
}

/* The length of a number behind a #, and its character; 0 for special characters and invalid numbers. */
static size_t read_number(const octet *at, size_t left, uint32_t *code)
{
    bool is_hex = left && lower(at[0]) == 'x';
    size_t from = is_hex, length = from;
    *code = 0;
    for (int value; length < left && (value = digit(at[length], is_hex ? 16 : 10)) >= 0; length++) {
        if (length - from == MOST_DIGITS)
            return 0;
        *code = *code * (is_hex ? 16 : 10) + value;
    }
    bool is_plain = (*code >= ' ' && *code < 0x7f) || (*code >= 0xa0 && *code < 0xd800) ||
                    (*code >= 0xe000 && *code < 0xfdd0);
    if (length == from || !is_plain)
        return 0;
    return length + (length < left && at[length] == ';');
}

static bool put(Octets *to, uint32_t code)
{
    octet character[3];
    return append(to, character, write_character(character, code) - character);
}

/* Append a text with its references decoded. Return 1; 0 if Python must decode it; -1 for an error. */
int unescape(Octets *to, const octet *at, size_t length)
{
    for (size_t from = 0; from < length;) {
        size_t sign = find(at, '&', from, length);
        if (!append(to, at + from, sign - from))
            return -1;
        if (sign == length)
            break;
        const char *character = "&";
        uint32_t code;
        size_t step = 0;
        from = sign + 1;
        if (is_literal_before(at, from, length)) {
            if (!append(to, at + sign, 1))
                return -1;
        } else if (at[from] == '#') {
            step = read_number(at + from + 1, length - from - 1, &code);
            if (!step)
                return 0;
            if (!put(to, code))
                return -1;
            from += 1 + step;
        } else {
            step = read_name(at + from, length - from, &character);
            if (!step)
                return 0;
            if (!append(to, (const octet *)character, strlen(character)))
                return -1;
            from += step;
        }
    }
    return 1;
}
