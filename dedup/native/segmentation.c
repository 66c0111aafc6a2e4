/* Tokens parted by spaces: as dedup.page.segmentation does it. */

#include "native.h"

/* What a character is: a sign, of a word, of a run that jieba cuts, of one that is cut into pairs, a
   combining mark, a line end; or one that Python is asked about. */
enum { SIGN, WORD, HAN, UNSPACED, MARK, LINE_END, OTHER };
enum { EMOJI = 0x1f300, BEHIND_EMOJI = 0x1fb00 }; /* signs beyond the table */

typedef struct {
    const octet *text, *table, *words;
    size_t length, words_length;
    size_t word;   /* where the words of the next run begin */
    Octets parted;
} Parting;

/* What the character at some place is, and its octets. */
static octet kind_at(const Parting *parting, size_t at, size_t *length)
{
    const octet *c = parting->text + at;
    *length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (*length > parting->length - at)
        return OTHER;
    uint32_t code = c[0];
    if (*length > 1)
        code &= 0x7f >> *length;
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (c[i] & 0x3f);
    if (*length == 4)
        return code >= EMOJI && code < BEHIND_EMOJI ? SIGN : OTHER;
    return parting->table[code];
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

/* All runs that jieba cuts, one a line; false where there is a character that Python is asked about. */
static bool gather_han(const Parting *parting, Octets *runs, bool *failed)
{
    size_t step;
    for (size_t at = 0; (at = end_of_ascii(parting, at)) < parting->length; at += step) {
        octet kind = kind_at(parting, at, &step);
        if (kind == OTHER)
            return false;
        if (kind != HAN)
            continue;
        size_t end = end_of_run(parting, at, HAN);
        *failed |= (runs->length && !append(runs, (const octet *)"\n", 1)) ||
                   !append(runs, parting->text + at, end - at);
        step = end - at;
    }
    return true;
}

static bool put(Parting *parting, const octet *from, size_t length)
{
    return append(&parting->parted, from, length);
}

static bool put_space(Parting *parting) { return put(parting, (const octet *)" ", 1); }

/* The words of the next run that was cut. */
static bool put_words(Parting *parting)
{
    size_t end = find(parting->words, '\n', parting->word, parting->words_length);
    const octet *from = parting->words + parting->word;
    size_t length = end - parting->word;
    parting->word = end < parting->words_length ? end + 1 : end;
    return put_space(parting) && put(parting, from, length) && put_space(parting);
}

/* The pairs of characters in a run; a shorter run is one word. */
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

/* A run of ASCII, with spaces for signs; gives what its last character is. */
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

/* Each run of Han in words, others without spaces in pairs; spaces for signs and for loose marks. */
static bool part(Parting *parting)
{
    octet before = SIGN;
    bool done = grow(&parting->parted, parting->length + parting->words_length);
    for (size_t at = 0, end; done && at < parting->length; at = end) {
        size_t step;
        if ((end = end_of_ascii(parting, at)) > at) {
            done = grow(&parting->parted, end - at);
            before = done ? put_ascii(parting, at, end) : SIGN;
            continue;
        }
        octet kind = kind_at(parting, at, &step);
        end = kind == HAN || kind == UNSPACED || kind == MARK ? end_of_run(parting, at, kind) : at + step;
        if (kind == HAN)
            done = put_words(parting);
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

/* Part the tokens of a text in UTF-8; None where Python is to do it. */
PyObject *space_tokens(PyObject *module, PyObject *arguments)
{
    Py_buffer text, table;
    PyObject *cut, *words = NULL, *made = NULL;
    Octets runs = {0};
    if (!PyArg_ParseTuple(arguments, "y*y*O:space_tokens", &text, &table, &cut))
        return NULL;
    Parting parting = {.text = text.buf, .length = text.len, .table = table.buf};
    bool failed = table.len != 0x10000;
    if (failed)
        PyErr_SetString(PyExc_ValueError, "the table has an octet for each character of 16 bits");
    bool known = !failed && gather_han(&parting, &runs, &failed);
    if (known && !failed && runs.length) {
        PyObject *spaced = PyObject_CallFunction(cut, "s#", runs.at, (Py_ssize_t)runs.length);
        words = spaced ? PyUnicode_AsUTF8String(spaced) : NULL;
        failed = !words;
        Py_XDECREF(spaced);
    }
    if (words) {
        parting.words = (const octet *)PyBytes_AsString(words);
        parting.words_length = PyBytes_Size(words);
    }
    if (known && !failed && part(&parting))
        made = PyBytes_FromStringAndSize((const char *)parting.parted.at, parting.parted.length);
    Py_XDECREF(words);
    PyMem_Free(runs.at), PyMem_Free(parting.parted.at);
    PyBuffer_Release(&text), PyBuffer_Release(&table);
    if (!known && !failed)
        Py_RETURN_NONE;
    return made;
}
