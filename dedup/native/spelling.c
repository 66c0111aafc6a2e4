/* Replace characters that read the same by one spelling: the same as dedup.page.normalisation, without
   the step from traditional to simplified Chinese. The table of spellings is made there. */

#include "native.h"

/* Special spellings in the table. */
enum {
    OTHER = 0,         /* Python spells the character. */
    LEFT_OUT = 0xffff, /* The character is removed. */
    DOTS = 0xfffe      /* The character becomes three dots. */
};
/* The table has the characters below LOW_END, then the 256 characters from HIGH on. */
enum { LOW_END = 0x3400, HIGH = 0xff00, TABLE = LOW_END + 0x100 };
/* Characters without a change: from LOW_END to PLAIN_END, Hangul, icons (for private use), and emoji. */
enum { PLAIN_END = 0xa000, HANGUL = 0xac00, HANGUL_END = 0xd7a4, ICONS = 0xe000, ICONS_END = 0xf900 };
enum { EMOJI = 0x1f300, EMOJI_END = 0x1fb00 };
enum { SELECTORS = 0xfe00, SELECTORS_END = 0xfe10 }; /* They follow emoji, and are removed. */

typedef struct {
    const octet *text, *table;
    size_t length;
    PyObject *ask;
    Octets spelled;
    bool has_han;
} Spelling;

static bool is_han(uint32_t code)
{
    return (code >= 0x3400 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00) ||
           (code >= 0x20000 && code < 0x40000);
}

/* The spelling of a character beyond ASCII. */
static uint32_t spelling_of(const Spelling *spelling, uint32_t code)
{
    if (code >= LOW_END && (code < PLAIN_END || (code >= HANGUL && code < HANGUL_END) ||
                            (code >= ICONS && code < ICONS_END) || (code >= EMOJI && code < EMOJI_END)))
        return code;
    if (code >= SELECTORS && code < SELECTORS_END)
        return LEFT_OUT;
    if (code >= LOW_END && (code < HIGH || code > 0xffff))
        return OTHER;
    const octet *at = spelling->table + 2 * (code < LOW_END ? code : code - HIGH + LOW_END);
    return at[0] | at[1] << 8;
}

/* Go back over white space, if there is nothing else behind the last ideograph. */
static octet *without_spaces(octet *to, const octet *behind_han)
{
    octet *back = to;
    while (back > behind_han && back[-1] == ' ')
        back--;
    return back == behind_han ? back : to;
}

/* Spell a line; return false if Python must do it. No spelling has more bytes than its character. */
static bool spell_line(Spelling *spelling, size_t at, size_t end)
{
    octet *to = spelling->spelled.at + spelling->spelled.length, *behind_han = NULL;
    while (at < end) {
        octet c = spelling->text[at];
        if (c && c < 0x80) {
            *to++ = lower(c);
            at++;
            continue;
        }
        size_t length;
        uint32_t code = read_character(spelling->text + at, &length), spelled = spelling_of(spelling, code);
        if (spelled == OTHER)
            return false;
        bool han = is_han(spelled);
        if (han && behind_han)
            to = without_spaces(to, behind_han);
        if (spelled == code) {
            memcpy(to, spelling->text + at, length);
            to += length;
        } else if (spelled == DOTS) {
            *to++ = '.', *to++ = '.', *to++ = '.';
        } else if (spelled != LEFT_OUT) {
            to = write_character(to, spelled);
        }
        if (han) {
            spelling->has_han = true;
            behind_han = to;
        }
        at += length;
    }
    spelling->spelled.length = to - spelling->spelled.at;
    return true;
}

static bool ask_line(Spelling *spelling, size_t at, size_t end)
{
    PyObject *said = PyObject_CallFunction(spelling->ask, "N", as_str(spelling->text + at, end - at));
    PyObject *line = said ? PyUnicode_AsUTF8String(said) : NULL;
    const octet *from = line ? (const octet *)PyBytes_AsString(line) : NULL;
    size_t length = line ? PyBytes_Size(line) : 0, step;
    for (size_t i = 0; i < length; i += step)
        spelling->has_han |= is_han(read_character(from + i, &step));
    bool done = line && append(&spelling->spelled, from, length);
    Py_XDECREF(said), Py_XDECREF(line);
    return done;
}

static bool spell_all(Spelling *spelling)
{
    bool done = grow(&spelling->spelled, spelling->length + 1);
    for (size_t at = 0, end; done && at <= spelling->length; at = end + 1) {
        end = find(spelling->text, '\n', at, spelling->length);
        done = grow(&spelling->spelled, end - at + 1) &&
               (spell_line(spelling, at, end) || ask_line(spelling, at, end)) &&
               (end == spelling->length || append(&spelling->spelled, (const octet *)"\n", 1));
    }
    return done;
}

/* Spell a text line by line, without white space between ideographs. Return it, and whether it has Han
   characters. Return None if the text cannot be encoded; then Python must do it. */
PyObject *spell(PyObject *module, PyObject *arguments)
{
    PyObject *text, *made = NULL;
    Py_buffer table;
    Spelling spelling = {0};
    if (!PyArg_ParseTuple(arguments, "Uy*O:spell", &text, &table, &spelling.ask))
        return NULL;
    Py_ssize_t length = 0;
    spelling.text = (const octet *)PyUnicode_AsUTF8AndSize(text, &length);
    spelling.length = length;
    spelling.table = table.buf;
    if (table.len != 2 * TABLE) {
        PyErr_SetString(PyExc_ValueError, "the table has two octets for each character in it");
    } else if (!spelling.text) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear();
            made = Py_NewRef(Py_None);
        }
    } else if (spell_all(&spelling)) {
        made = Py_BuildValue("(NN)", as_str(spelling.spelled.at, spelling.spelled.length),
                             PyBool_FromLong(spelling.has_han));
    }
    PyMem_Free(spelling.spelled.at);
    PyBuffer_Release(&table);
    return made;
}
