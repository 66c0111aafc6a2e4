/* Separate tokens by spaces: the same as dedup.page.segmentation. */

#include "dictionary.h"

/* The kinds of characters. */
enum {
    SIGN,     /* It separates words. */
    WORD,     /* Part of a word. */
    HAN,      /* Part of a run that jieba cuts. */
    UNSPACED, /* Part of a run that is cut into pairs. */
    MARK,     /* A combining mark. */
    LINE_END, /* The end of a line. */
    OTHER     /* A character for Python. */
};
/* Ranges without a table. Emoji are signs, for a table of 16 bits. Beyond all tables, rare Han, which
   jieba's dictionary lacks, is UNSPACED, and all other characters are signs. */
enum { EMOJI = 0x1f300, BEHIND_EMOJI = 0x1fb00, RARE_HAN = 0x20000, BEHIND_RARE_HAN = 0x40000 };
enum { FIRST_OF_FOUR = 0x10000, SHORT_TABLE = 0x10000, WHOLE_TABLE = RARE_HAN };

typedef struct {
    const octet *text, *table;
    size_t length, table_length;
    const Dictionary *dictionary; /* NULL if each Han character is a word. */
    bool unknown;                 /* Whether a character for Python was found. */
    Octets parted;
    Scratch scratch;
} Parting;

/* The kind of the character at a place, and its length in bytes. */
static octet kind_at(const Parting *parting, size_t at, size_t *length)
{
    const octet *c = parting->text + at;
    *length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (*length > parting->length - at)
        return OTHER;
    uint32_t code = read_character(c, length);
    if (*length == 4 && code < FIRST_OF_FOUR) /* Invalid UTF-8; Han must have three bytes a character. */
        return OTHER;
    if (code < parting->table_length)
        return parting->table[code];
    if (code >= RARE_HAN)
        return code < BEHIND_RARE_HAN ? UNSPACED : SIGN;
    return code >= EMOJI && code < BEHIND_EMOJI ? SIGN : OTHER;
}

/* The end of a run of characters of one kind. */
static size_t end_of_run(const Parting *parting, size_t at, octet kind)
{
    size_t step;
    while (at < parting->length && kind_at(parting, at, &step) == kind)
        at += step;
    return at;
}

static size_t end_of_ascii(const Parting *parting, size_t at)
{
    while (at < parting->length && parting->text[at] < 0x80)
        at++;
    return at;
}

static bool put(Parting *parting, const octet *from, size_t length)
{
    return append(&parting->parted, from, length);
}

static bool put_space(Parting *parting) { return put(parting, (const octet *)" ", 1); }

/* Write the words of a run of Han. */
static bool put_han(Parting *parting, size_t at, size_t end)
{
    if (parting->dictionary)
        return put_words(&parting->parted, parting->text + at, end - at, parting->dictionary,
                         &parting->scratch);
    bool done = put_space(parting);
    for (; done && at < end; at += HAN_OCTETS)
        done = put(parting, parting->text + at, HAN_OCTETS) && put_space(parting);
    return done;
}

/* Write the pairs of characters in a run. A run of one character is one word. */
static bool put_pairs(Parting *parting, size_t at, size_t end)
{
    size_t first, second;
    kind_at(parting, at, &first);
    bool done = put_space(parting);
    if (at + first == end)
        return done && put(parting, parting->text + at, first) && put_space(parting);
    for (; done && at + first < end; at += first, first = second) {
        kind_at(parting, at + first, &second);
        done = put(parting, parting->text + at, first + second) && put_space(parting);
    }
    return done;
}

/* Write a run of ASCII with spaces for signs; return the kind of its last character. */
static octet put_ascii(Parting *parting, size_t at, size_t end)
{
    octet *to = parting->parted.at + parting->parted.length;
    octet kind = SIGN;
    for (; at < end; at++) {
        octet c = parting->text[at];
        kind = parting->table[c];
        *to++ = kind == SIGN ? ' ' : c;
    }
    parting->parted.length = to - parting->parted.at;
    return kind;
}

/* Write the text: each run of Han in words, other runs without spaces in pairs, and spaces for signs and
   for marks without a letter before them. */
static bool part(Parting *parting)
{
    octet before = SIGN;
    bool done = grow(&parting->parted, parting->length);
    for (size_t at = 0, end; done && at < parting->length; at = end) {
        size_t step;
        if ((end = end_of_ascii(parting, at)) > at) {
            done = grow(&parting->parted, end - at);
            before = done ? put_ascii(parting, at, end) : SIGN;
            continue;
        }
        octet kind = kind_at(parting, at, &step);
        end = kind == HAN || kind == UNSPACED || kind == MARK ? end_of_run(parting, at, kind) : at + step;
        if ((parting->unknown = kind == OTHER))
            return false;
        if (kind == HAN)
            done = put_han(parting, at, end);
        else if (kind == UNSPACED)
            done = put_pairs(parting, at, end);
        else if (kind == SIGN || (kind == MARK && before != WORD))
            done = put_space(parting);
        else
            done = put(parting, parting->text + at, end - at);
        before = kind == MARK && before == WORD ? WORD : kind;
    }
    return done;
}

/* Separate the tokens of a text in UTF-8; return None if Python must do it. */
PyObject *space_tokens(PyObject *module, PyObject *arguments)
{
    Py_buffer text, table;
    PyObject *dictionary, *made = NULL;
    if (!PyArg_ParseTuple(arguments, "y*y*O:space_tokens", &text, &table, &dictionary))
        return NULL;
    Parting parting = {
        .text = text.buf, .length = text.len, .table = table.buf, .table_length = table.len,
    };
    bool done = dictionary == Py_None || (parting.dictionary = dictionary_of(dictionary));
    if (done && table.len != SHORT_TABLE && table.len != WHOLE_TABLE) {
        done = false;
        PyErr_SetString(PyExc_ValueError, "the table has an octet for each character of 16 bits, or of 17");
    }
    if (done && part(&parting))
        made = as_bytes(parting.parted.at, parting.parted.length);
    PyMem_Free(parting.parted.at), end_scratch(&parting.scratch);
    PyBuffer_Release(&text), PyBuffer_Release(&table);
    return parting.unknown ? Py_NewRef(Py_None) : made;
}
